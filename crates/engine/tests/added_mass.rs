//! Bodies in an unbounded ideal fluid: the general 6 × 6 mass matrix and Kirchhoff's equations, with K_F given by a hook.

use crate::kit;

use glam::{DMat3, DVec3};
use kit::*;
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_engine::solve::Solution;

/// A fluid without boundaries that sets K_F of one body.
#[derive(Debug)]
struct Unbounded {
    body: BodyId,
    matrix: SpatialMatrix,
    /// Force of constraints in the last step.
    held: DVec3,
}

impl Unbounded {
    fn new(body: BodyId, matrix: SpatialMatrix) -> Unbounded {
        Unbounded { body, matrix, held: DVec3::ZERO }
    }
}

impl Hook for Unbounded {
    fn forces(&mut self, _: &Model, _: &State, forces: &mut Loads) {
        let (matrix, constraint_force) = (self.matrix, self.held);
        let added = AddedMass { matrix, carried: 1.0, constraint_force, ..AddedMass::default() };
        forces.term(BodyTerm { place: self.body.index(), added: Some(added), ..BodyTerm::default() });
    }

    fn solved(&mut self, _: &Model, _: &State, rows: &Rows, solution: &Solution) {
        let blocks = |row: usize| rows.blocks(row).iter().map(move |block| (row, block));
        let own = (0..rows.rows.len()).flat_map(blocks).filter(|b| b.1.body as usize == self.body.index());
        self.held = own.map(|(row, block)| block.linear * solution.forces[row]).sum();
    }
}

/// K_F of the ellipsoid 0.6 × 0.3 × 0.2 m in water: Lamb §§114–115 by Carlson's R_D.
fn ellipsoid() -> SpatialMatrix {
    SpatialMatrix::from_diagonal(
        DVec3::new(23.837619760612046, 76.84364893219902, 167.2946871786781),
        DVec3::new(0.5566927312845863, 7.323342452896464, 2.4624857599783003),
    )
}

/// Half axes of an ellipsoid → its mass in water.
fn mass(DVec3 { x, y, z }: DVec3) -> Mass {
    let m = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * x * y * z;
    let moments = DVec3::new(y * y + z * z, z * z + x * x, x * x + y * y) * (m / 5.0);
    Mass { mass: m, center: DVec3::ZERO, inertia: DMat3::from_diagonal(moments) }
}

/// The tumbling ellipsoid of FL10.
fn tumbling(dt: f64, integrator: Integrator) -> (Rig, BodyId) {
    let mut rig = Rig::new(dt, integrator).under(DVec3::ZERO);
    let pose = math::exp(DVec3::new(0.3, -0.2, 0.5));
    let body = rig.turned("ellipsoid", mass(DVec3::new(0.6, 0.3, 0.2)), DVec3::ZERO, pose);
    rig.moving(body, DVec3::new(1.0, 0.2, -0.1), DVec3::new(0.5, 1.0, -0.3));
    rig.world.add_hook(Unbounded::new(body, ellipsoid()));
    (rig, body)
}

/// Impulse P, impulse about the origin L + x × P, and kinetic energy of body and fluid.
fn invariants(body: &BodyState, twist: Twist) -> (DVec3, DVec3, f64) {
    let own = mass(DVec3::new(0.6, 0.3, 0.2));
    let axes = DMat3::from_quat(body.orientation);
    let all = (SpatialMatrix::rigid(own.mass, own.inertia) + ellipsoid()).rotated(&axes);
    let (p, l) = all.apply(twist);
    let energy = 0.5 * (p.dot(twist.velocity) + l.dot(twist.angular_velocity));
    (p, l + body.position.cross(p), energy)
}

/// FL10: position after 5 s by a reference integration of Kirchhoff's equations.
#[test]
fn an_ellipsoid_tumbles_through_water_to_second_order() {
    let reference = DVec3::new(4.386432, 0.66389826, -1.2919788);
    let off = |dt: f64, integrator: Integrator| {
        let (mut rig, body) = tumbling(dt, integrator);
        let last = rig.trace(5.0, |world| world.state().bodies[body.index()].position);
        last.last().unwrap().1.distance(reference)
    };
    let errors = [30.0, 60.0, 120.0].map(|rate| off(1.0 / rate, Integrator::Spook));
    assert!(errors[1] < 4e-4, "off by {errors:?}");
    errors.windows(2).for_each(|e| assert!(e[0] > 3.5 * e[1], "not of second order: {errors:?}"));
    assert!(off(1.0 / 60.0, Integrator::Projected) < 1e-6);
    assert!(off(1.0 / 60.0, Integrator::DormandPrince(Adaptive::default())) < 1e-5);
}

#[test]
fn impulse_is_kept_to_round_off_and_energy_within_bounds() {
    let (mut rig, body) = tumbling(1.0 / 60.0, Integrator::Spook);
    let place = body.index();
    let start = {
        let state = &rig.world.state().bodies[place];
        invariants(state, Twist { velocity: state.velocity, angular_velocity: state.angular_velocity })
    };
    for _ in 0..3600 {
        rig.world.step();
        let state = rig.world.state().bodies[place];
        let twist = Twist { velocity: state.velocity, angular_velocity: state.angular_velocity };
        let (p, l, _) = invariants(&state, twist);
        assert!((p - start.0).length() < 1e-12 * start.0.length());
        assert!((l - start.1).length() < 1e-10 * start.1.length(), "{} of {}", l - start.1, start.1);
        let energy = invariants(&state, rig.world.inspect().body(body).unwrap().twist).2;
        assert!((energy / start.2 - 1.0).abs() < 1e-3, "energy {energy} of {}", start.2);
    }
}

/// FL09: period of the swing of a spheroid about broadside, T = (4/ω₀) K(sin² ψ₀).
#[test]
fn a_spheroid_swings_about_broadside() {
    let matrix = SpatialMatrix::from_diagonal(
        DVec3::new(21.35164, 225.08479, 225.08479),
        DVec3::new(0.0, 33.82103, 33.82103),
    );
    for (angle, speed, period, within) in
        [(80.0_f64, 1.02169622, 3.1993488, 1e-3), (10.0, 1.69782495, 6.3738352, 5e-3)]
    {
        let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook).under(DVec3::ZERO);
        let pose = math::turn(DVec3::Z, angle.to_radians());
        let body = rig.turned("spheroid", mass(DVec3::new(1.0, 0.25, 0.25)), DVec3::ZERO, pose);
        rig.moving(body, DVec3::new(speed, 0.12304537, 0.0), DVec3::ZERO);
        rig.world.add_hook(Unbounded::new(body, matrix));
        // the axis passes broadside, along y, twice in a period
        let trace = rig.trace(10.0, |world| (world.state().bodies[body.index()].orientation * DVec3::X).x);
        let crossings: Vec<f64> = trace
            .windows(2)
            .filter(|w| w[0].1 * w[1].1 < 0.0)
            .map(|w| w[0].0 + (w[1].0 - w[0].0) * w[0].1 / (w[0].1 - w[1].1))
            .collect();
        let swings = crossings.len() - 1;
        let found = 2.0 * (crossings[swings] - crossings[0]) / swings as f64;
        near_part(&format!("period from {angle}°"), found, period, within);
    }
}

/// With a ball joint at its tip the energy of body and fluid stays, and the joint holds.
#[test]
fn an_ellipsoid_on_a_ball_joint_keeps_its_energy() {
    let (mut rig, body) = tumbling(1.0 / 60.0, Integrator::Spook);
    let pose = rig.world.state().bodies[body.index()].orientation;
    let tip = pose * DVec3::X * 0.6;
    let spin = DVec3::new(0.5, 1.0, -0.3);
    rig.moving(body, -spin.cross(tip), spin);
    rig.ball([rig.ground, body], tip);
    let energy = |world: &mut World| {
        let twist = world.inspect().body(body).unwrap().twist;
        invariants(&world.state().bodies[body.index()], twist).2
    };
    let start = energy(&mut rig.world);
    for _ in 0..600 {
        rig.world.step();
        near_part("energy", energy(&mut rig.world), start, 3e-3);
        assert!(gap(&rig.world) < 1e-4);
    }
}

/// The sum of all forces on a body is its mass times its acceleration, those of the fluid included.
#[test]
fn forces_on_a_body_in_a_fluid_balance() {
    for integrator in [Integrator::Spook, Integrator::Projected] {
        let (mut rig, body) = tumbling(1.0 / 60.0, integrator);
        let own = mass(DVec3::new(0.6, 0.3, 0.2));
        let tip = rig.world.state().bodies[body.index()].orientation * DVec3::X * 0.6;
        let joint = rig.ball([rig.ground, body], tip);
        for _ in 0..50 {
            rig.world.step();
            let now = rig.world.inspect();
            let (b, load) = (now.body(body).unwrap(), now.load(body).unwrap());
            let reaction = now.reaction(joint, 1).unwrap();
            let sum = load.force + reaction.force - b.acceleration.velocity * own.mass;
            assert!(sum.length() < 1e-9 * reaction.force.length(), "{sum} of {}", reaction.force);
            let inertia = math::rotated(&DMat3::from_quat(b.orientation), &own.inertia);
            let (spin, rate) = (b.twist.angular_velocity, b.acceleration.angular_velocity);
            let tip = b.orientation * DVec3::X * 0.6;
            let torque = load.torque + tip.cross(reaction.force) + reaction.torque;
            let sum = torque - inertia * rate - spin.cross(inertia * spin);
            assert!(sum.length() < 1e-9 * reaction.force.length(), "{sum} of {}", reaction.force);
        }
    }
}

/// FL11: acceleration of an oblate spheroid at its release, by both levels.
#[test]
fn anisotropic_added_mass_turns_the_fall_from_the_vertical() {
    let (a, c) = (0.5, 0.05);
    let m = 2700.0 * 4.0 / 3.0 * std::f64::consts::PI * a * a * c;
    let inertia = DVec3::new(a * a + c * c, a * a + c * c, 2.0 * a * a) * (m / 5.0);
    // Lamb, along the plane and across it, over the mass of the displaced water
    let across = 6.1841;
    let along = 0.080768;
    let displaced = m / 2.7;
    let matrix =
        SpatialMatrix::from_diagonal(DVec3::new(along, along, across) * displaced, DVec3::new(1.0, 1.0, 0.0));
    for integrator in [Integrator::Spook, Integrator::Projected] {
        let mut rig = Rig::new(1.0 / 60.0, integrator);
        let own = Mass { mass: m, center: DVec3::ZERO, inertia: DMat3::from_diagonal(inertia) };
        let pose = math::turn(DVec3::Y, 30.0_f64.to_radians());
        let body = rig.turned("disc", own, DVec3::ZERO, pose);
        rig.world.add_hook(Unbounded::new(body, matrix));
        let a = rig.world.inspect().body(body).unwrap().acceleration.velocity;
        let axis = pose * DVec3::Z;
        let pull = DVec3::NEG_Z * (G * m);
        let wanted = axis * (axis.dot(pull) / (m + across * displaced))
            + (pull - axis * axis.dot(pull)) / (m + along * displaced);
        near_point("acceleration", a, wanted, 1e-9);
    }
}
