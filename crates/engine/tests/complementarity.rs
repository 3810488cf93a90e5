//! Two paths agree: the active set on the sparse factor, and projected Gauss–Seidel on the dense matrix run long.

use glam::{DQuat, DVec3};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;
use windlass_engine::force::free_motion::mobility;
use windlass_engine::prelude::*;
use windlass_engine::solve::regularize::{ImpulseBounds, RegularizedRow, StepTimes, regularize};

/// A chain whose axes have motors, limits, friction and springs by chance, tied back by a rope that may be taut.
fn machine(links: &[(u8, f64)], seed: f64) -> World {
    let mut world = World::default();
    // one linear complementarity problem per step
    world.set(|s| (s.max_substeps, s.position_iterations) = (1, Some(0))).unwrap();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let (mut last, mut end) = (ground, DVec3::ZERO);
    for (i, (options, mass)) in links.iter().enumerate() {
        let half = DVec3::new(0.5, 0.1, 0.07);
        let mass = Mass::of_total(&Shape::Box { half }, *mass).unwrap();
        let at = DVec3::X * (i as f64 + 0.5);
        let link = world.add_body(Body::dynamic("link", mass), at, DQuat::IDENTITY).unwrap();
        let turn = windlass_engine::math::facing(DVec3::new(libm::sin(seed + i as f64), 1.0, 0.3));
        let axis = Axis {
            drive: if options & 1 > 0 { Drive::motor(1.0, 2.0) } else { Drive::Free },
            limits: (options & 2 > 0).then(|| Limits::hard(-0.05, 0.05)),
            friction: if options & 4 > 0 { 0.5 } else { 0.0 },
            spring: (options & 8 > 0).then(|| (Spring::new(30.0, 0.5), 0.2)),
            viscosity: if options & 16 > 0 { 0.4 } else { 0.0 },
            ..Axis::default()
        };
        let anchors = [Anchor::frame(last, end, turn), Anchor::frame(link, -0.5 * DVec3::X, turn)];
        world.add_joint(Joint::new("hinge", Hinge { anchors, axis })).unwrap();
        (last, end) = (link, 0.5 * DVec3::X);
    }
    // from a post beside the chain, taut at the start: it stops the fall
    let post = DVec3::new(0.5, 0.3, 1.0);
    let rope = [Anchor::point(ground, post), Anchor::point(last, end)];
    let taut = (DVec3::X * links.len() as f64 - post).length();
    world.add_joint(Joint::new("rope", Distance::between(rope, 0.1, taut))).unwrap();
    world
}

/// A row and its bounds.
type Bounded = (RegularizedRow, ImpulseBounds);

/// The last step's problem as dense matrices: M⁻¹, J, p and the discretised rows.
fn dense(
    world: &World,
    before: &State,
    kick: f64,
) -> (DMatrix<f64>, DMatrix<f64>, DVector<f64>, Vec<Bounded>) {
    let s = world.stages();
    let n = before.bodies.len();
    let mut inverse = DMatrix::zeros(6 * n, 6 * n);
    let mut momentum = DVector::zeros(6 * n);
    for place in (0..n).filter(|p| s.free.inertial[*p].free) {
        let turning = s.free.inertia[place].inverse();
        for k in 0..3 {
            inverse[(6 * place + k, 6 * place + k)] = 1.0 / s.free.inertial[place].mass;
            momentum[6 * place + k] = s.free.linear[place][k];
            momentum[6 * place + 3 + k] = s.free.angular[place][k];
            for l in 0..3 {
                inverse[(6 * place + 3 + k, 6 * place + 3 + l)] = turning.col(l)[k];
            }
        }
    }
    let mut jacobian = DMatrix::zeros(s.rows.rows.len(), 6 * n);
    let dt = world.model().settings().dt;
    let beat = StepTimes { drift: dt, kick, closing: dt, bounce_speed: 0.01, recovery: 1.0 };
    let mut rows = Vec::new();
    for (index, row) in s.rows.rows.iter().enumerate() {
        let blocks = s.rows.blocks(index);
        for block in blocks {
            for k in 0..3 {
                jacobian[(index, 6 * block.body as usize + k)] += block.linear[k];
                jacobian[(index, 6 * block.body as usize + 3 + k)] += block.angular[k];
            }
        }
        let was = || s.free.rate_before((row, blocks), before, dt);
        let softened = regularize(
            row,
            &beat,
            was,
            || mobility(blocks, &s.free, &s.free.inertia),
            |free, _| s.solution.held_mobility(index).unwrap_or(free),
        );
        rows.push((softened, ImpulseBounds::of(row, kick)));
    }
    (inverse, jacobian, momentum, rows)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn direct_equals_iterative_run_long(
        links in prop::collection::vec((0u8..32, 0.5..2.0f64), 1..4),
        seed in 0.0..6.0f64,
        steps in 1usize..25,
    ) {
        let mut world = machine(&links, seed);
        (0..steps - 1).for_each(|_| drop(world.step()));
        let before = world.state().clone();
        let kick = before.velocity_lag + 0.5 * world.model().settings().dt;
        let report = world.step();
        prop_assert!(report.fault.is_none() && report.stalled == 0);
        prop_assert!(report.residual < 1e-8, "{}", report.residual);

        // Λ ← clamp(Λ − w/A), row after row
        let (inverse, j, momentum, rows) = dense(&world, &before, kick);
        let mut matrix = &j * &inverse * j.transpose();
        (0..rows.len()).for_each(|i| matrix[(i, i)] += rows[i].0.sigma);
        let bias = &j * &inverse * &momentum;
        let mut lambda = DVector::zeros(rows.len());
        for _ in 0..40_000 {
            for i in 0..rows.len() {
                let w = (matrix.row(i) * &lambda)[0] + bias[i] - rows[i].0.rhs;
                lambda[i] = f64::clamp(lambda[i] - w / matrix[(i, i)], rows[i].1.lo, rows[i].1.hi);
            }
        }
        let w = &matrix * &lambda + &bias;
        let unsettled = (0..rows.len()).map(|i| match lambda[i] {
            l if l == rows[i].1.lo => (rows[i].0.rhs - w[i]).max(0.0),
            l if l == rows[i].1.hi => (w[i] - rows[i].0.rhs).max(0.0),
            _ => (w[i] - rows[i].0.rhs).abs(),
        });
        // Gauss–Seidel can be slower than any patience: then there is nothing to compare with
        prop_assume!(unsettled.fold(0.0, f64::max) < 1e-9);
        let velocities = &inverse * (momentum + j.transpose() * &lambda);
        for (place, twist) in world.stages().solution.twists.iter().enumerate() {
            let other = DVec3::from_slice(&velocities.as_slice()[6 * place..]);
            let spin = DVec3::from_slice(&velocities.as_slice()[6 * place + 3..]);
            prop_assert!((twist.velocity - other).length() < 1e-6, "{} {}", twist.velocity, other);
            prop_assert!((twist.angular_velocity - spin).length() < 1e-6, "{} {}", twist.angular_velocity, spin);
        }
    }
}

/// Two motors on one axis that want opposite speeds: the stronger has its way, the weaker stands at its bound.
#[test]
fn the_stronger_of_two_motors_wins() {
    let mut world = World::default();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let mass = Mass::of_total(&Shape::Sphere { radius: 0.1 }, 1.0).unwrap();
    let rotor = world.add_body(Body::dynamic("rotor", mass), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let anchors = [Anchor::point(ground, DVec3::ZERO), Anchor::point(rotor, DVec3::ZERO)];
    let motors = [(1.0, 1.0), (-1.0, 2.0)].map(|(speed, force)| {
        let axis = Axis::driven(Drive::motor(speed, force));
        world.add_joint(Joint::new("motor", Hinge { anchors, axis })).unwrap()
    });
    for _ in 0..120 {
        let report = world.step();
        assert!(report.fault.is_none() && report.stalled == 0 && report.residual < 1e-9, "{report:?}");
    }
    let inspection = world.inspect();
    let [weak, strong] = motors.map(|m| inspection.coordinate(m, 0).unwrap());
    assert!((weak.speed + 1.0).abs() < 1e-6, "{weak:?}");
    assert!((weak.effort - 1.0).abs() < 1e-9 && (strong.effort + 1.0).abs() < 1e-6, "{weak:?} {strong:?}");
}

/// Hard stops that cannot both be kept: the answer is finite, inside the bounds, and says what it could not do.
#[test]
fn an_impossible_demand_is_answered_inside_the_bounds() {
    let mut world = World::default();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let mass = Mass::of_total(&Shape::Sphere { radius: 0.1 }, 1.0).unwrap();
    let bead = world.add_body(Body::dynamic("bead", mass), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    // at least 1 m from one post and at least 1 m from the other, which stand 1 m apart, on a line between them
    for x in [-0.5, 0.5] {
        let ends = [Anchor::point(ground, DVec3::X * x), Anchor::point(bead, DVec3::ZERO)];
        world.add_joint(Joint::new("post", Distance::between(ends, 1.0, f64::INFINITY))).unwrap();
    }
    let line = [ground, bead].map(|b| Anchor::frame(b, DVec3::ZERO, windlass_engine::math::facing(DVec3::X)));
    world.add_joint(Joint::new("line", PointOnLine { anchors: line, axis: Axis::free() })).unwrap();
    for _ in 0..60 {
        let report = world.step();
        assert!(report.fault.is_none() && report.residual.is_finite(), "{report:?}");
        let s = world.stages();
        for (row, force) in s.rows.rows.iter().zip(&s.solution.forces) {
            assert!(*force >= row.lo && *force <= row.hi);
        }
    }
    assert!(world.state().bodies[bead.index()].position.x.abs() < 1.0);
}
