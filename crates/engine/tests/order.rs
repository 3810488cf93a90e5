//! Orders of convergence: spook 2, with rounds that close its joints too, projected 4, dormand-prince by its tolerance; dense output inside a step.

use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;

/// Two skew links on a ball joint and a universal joint: three-dimensional, smooth, not chaotic within a second.
fn mechanism((stepper, rounds): (Integrator, u32), dt: f64) -> World {
    let mut world = World::default();
    world.set(|s| (s.integrator, s.position_iterations, s.dt) = (stepper, Some(rounds), dt)).unwrap();
    let mass = Mass::of_total(&Shape::Box { half: DVec3::new(0.5, 0.1, 0.05) }, 1.0).unwrap();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let first = world.add_body(Body::dynamic("first", mass), DVec3::X * 0.5, DQuat::IDENTITY).unwrap();
    let second = world.add_body(Body::dynamic("second", mass), DVec3::X * 1.5, DQuat::IDENTITY).unwrap();
    let near = |b| Anchor::point(b, -0.5 * DVec3::X);
    let far = Anchor::point(first, 0.5 * DVec3::X);
    world
        .add_joint(Joint::new("ball", Ball { anchors: [Anchor::point(ground, DVec3::ZERO), near(first)] }))
        .unwrap();
    let axes = [Axis::free(), Axis::free()];
    world.add_joint(Joint::new("cross", Universal { anchors: [far, near(second)], axes })).unwrap();
    world.set_velocity(first, DVec3::new(0.0, 0.5, 0.0), DVec3::new(0.4, 0.0, 1.0)).unwrap();
    world.set_velocity(second, DVec3::new(0.0, 1.5, 0.0), DVec3::new(0.4, 0.0, 1.0)).unwrap();
    world
}

/// Place and velocity of the second link at one second.
fn arrival(stepper: (Integrator, u32), dt: f64) -> (DVec3, DVec3) {
    let mut world = mechanism(stepper, dt);
    for _ in 0..(1.0 / dt).round() as usize {
        assert!(world.step().fault.is_none());
    }
    let body = world.model().body("second").unwrap();
    let seen = world.inspect().body(body).unwrap();
    (seen.center, seen.twist.velocity)
}

fn errors(stepper: (Integrator, u32), steps: [f64; 3], exact: (DVec3, DVec3)) -> [f64; 3] {
    steps.map(|dt| {
        let (x, v) = arrival(stepper, dt);
        (x - exact.0).length() + (v - exact.1).length()
    })
}

#[test]
fn each_stepper_has_its_order() {
    let fine = Integrator::DormandPrince(Adaptive { tolerance: 1e-10, ..Adaptive::default() });
    let exact = arrival((fine, 0), 0.05);
    for (stepper, steps, factor) in [
        ((Integrator::Spook, 0), [4e-3, 2e-3, 1e-3], 3.6),
        ((Integrator::Spook, 8), [4e-3, 2e-3, 1e-3], 3.6),
        ((Integrator::Projected, 0), [2e-2, 1e-2, 5e-3], 13.0),
    ] {
        let e = errors(stepper, steps, exact);
        assert!(e[0] / e[1] > factor && e[1] / e[2] > factor, "{stepper:?}: {e:?}");
    }
}

#[test]
fn the_adaptive_stepper_keeps_its_tolerance() {
    let fine = Integrator::DormandPrince(Adaptive { tolerance: 1e-10, ..Adaptive::default() });
    let exact = arrival((fine, 0), 0.05);
    for tolerance in [1e-5, 1e-6, 1e-7] {
        let rule = Adaptive { tolerance, ..Adaptive::default() };
        let (x, _) = arrival((Integrator::DormandPrince(rule), 0), 0.05);
        let error = (x - exact.0).length();
        assert!(error < 30.0 * tolerance, "{tolerance:e}: {error:e}");
    }
    // a step that may not be short enough says so
    let rule = Adaptive { tolerance: 1e-10, min_step: 0.02, max_step: 0.02 };
    let mut world = mechanism((Integrator::DormandPrince(rule), 0), 0.1);
    assert!(world.step().forced > 0);
}

#[test]
fn dense_output_lies_on_the_motion() {
    let rule = Adaptive { tolerance: 1e-7, ..Adaptive::default() };
    let mut world = mechanism((Integrator::DormandPrince(rule), 0), 0.05);
    (0..10).for_each(|_| drop(world.step()));
    let dense = world.dense().clone();
    let fine = Integrator::DormandPrince(Adaptive { tolerance: 1e-10, ..Adaptive::default() });
    for fraction in [0.0, 0.3, 0.5, 0.8, 1.0] {
        let time = dense.start + fraction * dense.length;
        let mut truth = mechanism((fine, 0), time / 10.0);
        (0..10).for_each(|_| drop(truth.step()));
        for place in 1..3 {
            let (a, b) = (dense.at(place, fraction).unwrap(), truth.state().bodies[place]);
            assert!((a.position - b.position).length() < 1e-6, "{fraction}: {} {}", a.position, b.position);
            assert!((a.velocity - b.velocity).length() < 1e-5, "{fraction}: {} {}", a.velocity, b.velocity);
        }
    }
}

/// The report's energy is that of the instant: it agrees with inspect() and holds to second order.
#[test]
fn the_reported_energy_is_of_one_instant() {
    let mut world = mechanism((Integrator::Spook, 0), 1e-3);
    let start = world.energy().total();
    for _ in 0..500 {
        let seen = world.inspect().energy();
        let told = world.step().energy;
        assert!((told.total() - seen.total()).abs() < 1e-4, "{told:?} {seen:?}");
        assert!((told.total() - start).abs() < 2e-3, "{told:?}");
    }
}
