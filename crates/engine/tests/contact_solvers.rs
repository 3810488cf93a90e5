//! Two independent paths must agree: the direct solver, sweeps run long, the split of both, and parts that exchange
//! forces find the same velocities for the same contacts.

use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;

/// A number in 0..1 made of a counter.
fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1u64 << 53) as f64
}

/// A few boxes and spheres that lie on and in each other on a floor, some hinged together, all moving a little.
fn heap(seed: u64, friction: f64, solver: Solver, sweeps: u32) -> World {
    let mut s = seed;
    let mut world = World::default();
    world
        .set(|settings| {
            (settings.contact.solver, settings.contact.sweeps) = (solver, sweeps);
            // the step as a whole is what others solve
            settings.contact.substeps = 1;
        })
        .unwrap();
    let mut surfaces = Surfaces::default();
    surfaces.set(0, 0, Touch::rough(friction));
    world.edit(Edit::SetSurfaces(Box::new(surfaces))).unwrap();
    let floor = Body::fixed("floor").touchable(Collider::of(Geometry::HalfSpace));
    world.add_body(floor, DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let mut last: Option<BodyId> = None;
    for k in 0..5 {
        let mut r = || random(&mut s) - 0.5;
        let shape = match k % 2 {
            0 => Shape::Box { half: DVec3::new(0.15 + 0.1 * r(), 0.15, 0.1) },
            _ => Shape::Sphere { radius: 0.12 },
        };
        let at = DVec3::new(0.2 * r(), 0.2 * r(), 0.11 + 0.2 * f64::from(k));
        let turn = DQuat::from_scaled_axis(0.3 * DVec3::new(r(), r(), r()));
        let (v, w) = (DVec3::new(r(), r(), r()), DVec3::new(r(), r(), r()));
        let mass = Mass::of_total(&shape, 1.0 + 2.0 * (r() + 0.5)).unwrap();
        let body = Body::free(format!("body {k}"), mass).touchable(Collider::new(shape));
        let id = world.add_body(body, at, turn).unwrap();
        world.set_velocity(id, v, w).unwrap();
        if let Some(last) = last.filter(|_| k == 3) {
            let anchors = [last, id].map(|b| {
                let state = &world.state().bodies[b.index()];
                Anchor::point(b, state.attitude.inverse() * (at - state.position))
            });
            world.add_joint(Joint::new("link", Ball { anchors })).unwrap();
        }
        last = Some(id);
    }
    world
}

/// The velocities of one step, and the largest.
fn velocities(mut world: World) -> (Vec<DVec3>, Report) {
    let report = world.step();
    assert!(report.fault.is_none());
    let all = world.scratch().solution.twists.iter().flat_map(|t| [t.velocity, t.spin]).collect();
    (all, report)
}

fn apart(a: &[DVec3], b: &[DVec3]) -> f64 {
    let largest = a.iter().map(|v| v.length()).fold(0.0, f64::max);
    a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max) / largest
}

#[test]
fn direct_sweeps_and_split_agree() {
    let (mut worst, mut touched, mut stalled, mut problems) = ([0.0f64; 2], 0, 0, 0);
    for seed in 1..60 {
        for friction in [0.0, 0.3, 0.8] {
            let (direct, report) = velocities(heap(seed, friction, Solver::Direct, 20));
            (touched, problems) = (touched + report.contacts, problems + 1);
            if report.stalled > 0 {
                // swept to the end, and said so
                stalled += 1;
                assert!(
                    report.residual < 1e-3,
                    "residual {} of seed {seed}, μ = {friction}",
                    report.residual
                );
                continue;
            }
            assert!(report.residual < 1e-8, "residual {} of seed {seed}, μ = {friction}", report.residual);
            let (swept, _) = velocities(heap(seed, friction, Solver::Iterative, 40_000));
            let (split, _) = velocities(heap(seed, friction, Solver::Split, 2_000));
            for (k, other) in [swept, split].iter().enumerate() {
                let off = apart(&direct, other);
                worst[k] = worst[k].max(off);
                // the split of both creeps towards the end
                assert!(off < [1e-5, 5e-3][k], "seed {seed}, μ = {friction}: {off} apart (way {k})");
            }
        }
    }
    println!("worst difference: swept {:e}, split {:e}; {touched} points", worst[0], worst[1]);
    assert!(touched > 900);
    // friction of 0.8 in a cold heap: pivoting settles all but a few
    assert!(100 * stalled <= 4 * problems, "{stalled} of {problems} were not settled");
}

/// Few sweeps from a cold start are rough, more are better: the error falls.
#[test]
fn sweeps_converge() {
    let (direct, _) = velocities(heap(7, 0.5, Solver::Direct, 20));
    let error = |sweeps| apart(&direct, &velocities(heap(7, 0.5, Solver::Iterative, sweeps)).0);
    let errors = [5, 50, 500, 5000].map(error);
    assert!(errors[1] < errors[0] && errors[2] < 0.5 * errors[1] && errors[3] < 1e-5, "{errors:?}");
}

/// Boxes of two partition numbers in one stack: the forces between the parts are iterated to the same solution.
#[test]
fn parts_exchange_forces() {
    let stack = |numbers: [u16; 4], rounds: u32| {
        let mut world = World::default();
        world.set(|s| s.contact.sweeps = rounds).unwrap();
        let floor = Body::fixed("floor").touchable(Collider::of(Geometry::HalfSpace));
        world.add_body(floor, DVec3::ZERO, DQuat::IDENTITY).unwrap();
        for (k, partition) in numbers.into_iter().enumerate() {
            let shape = Shape::Box { half: DVec3::splat(0.1) };
            let mass = Mass::of_total(&shape, 1.0 + k as f64).unwrap();
            let body = Body { partition, ..Body::free(format!("box {k}"), mass) };
            let at = DVec3::new(0.02 * k as f64, 0.0, 0.1 + 0.2 * k as f64);
            world.add_body(body.touchable(Collider::new(shape)), at, DQuat::IDENTITY).unwrap();
        }
        world
    };
    let (whole, report) = velocities(stack([0; 4], 20));
    assert_eq!((report.islands, report.stalled), (1, 0));
    let (parts, report) = velocities(stack([1, 1, 2, 2], 2000));
    assert_eq!((report.islands, report.stalled), (2, 0));
    let off = apart(&[DVec3::splat(9.81 / 60.0)], &[DVec3::ZERO]);
    assert!(off > 0.0);
    let difference = whole.iter().zip(&parts).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
    assert!(difference < 1e-7, "{difference} m/s apart");
    // and it stands, with few rounds a step, since forces are not forgotten
    let mut world = stack([1, 1, 2, 2], 10);
    for _ in 0..600 {
        assert!(world.step().fault.is_none());
    }
    let top = world.state().bodies[4].position;
    assert!((top - DVec3::new(0.06, 0.0, 0.7)).length() < 1e-3, "{top}");
}

/// Threads and restores change no bit, contacts included.
#[test]
fn contacts_go_on_to_the_bit() {
    let mut world = heap(11, 0.5, Solver::Auto, 20);
    (0..40).for_each(|_| drop(world.step()));
    let kept = State::from_bytes(&world.state().to_bytes()).unwrap();
    assert_eq!(kept, *world.state());
    (0..40).for_each(|_| drop(world.step()));
    let hash = world.state().hash();
    let mut again = heap(11, 0.5, Solver::Auto, 20);
    again.restore(kept).unwrap();
    (0..40).for_each(|_| drop(again.step()));
    assert_eq!(again.state().hash(), hash);
}

/// A stack by sweeps in small steps comes to rest.
#[test]
fn a_swept_stack_comes_to_rest() {
    let mut world = World::default();
    world.set(|s| s.contact.solver = Solver::Iterative).unwrap();
    let floor = Body::fixed("floor").touchable(Collider::of(Geometry::HalfSpace));
    world.add_body(floor, DVec3::ZERO, DQuat::IDENTITY).unwrap();
    for k in 0..5 {
        let shape = Shape::Box { half: DVec3::splat(0.1) };
        let mass = Mass::of_total(&shape, 1.0).unwrap();
        let at = DVec3::new(0.01 * f64::from(k), 0.0, 0.1 + 0.2 * f64::from(k));
        let body = Body::free("box", mass).touchable(Collider::new(shape));
        world.add_body(body, at, DQuat::IDENTITY).unwrap();
    }
    let mut overlap = 0.0;
    for _ in 0..600 {
        let report = world.step();
        assert!(report.fault.is_none());
        overlap = report.overlap;
    }
    let top = world.state().bodies[5];
    assert!((top.position - DVec3::new(0.04, 0.0, 0.9)).length() < 5e-3, "{}", top.position);
    assert!(top.velocity.length() < 1e-6 && overlap < 1e-6, "{} m/s, {overlap} m", top.velocity.length());
    let weight = world.contact_load(world.model().body("floor").unwrap()).force.z;
    assert!((weight + 5.0 * 9.81).abs() < 1e-3, "{weight} N");
}
