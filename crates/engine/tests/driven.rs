//! Driven bodies: they follow their path whatever pulls them, and carry others along alike in every stepper.

use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;

/// A crank arm that turns at a varying rate about y while its pivot shakes, with a bob on a ball joint at its tip. The
/// arm's centre of mass is off its frame's origin.
fn shaker(stepper: Integrator, dt: f64) -> (World, BodyId, BodyId, Path) {
    let mut world = World::default();
    world.set(|s| (s.integrator, s.dt) = (stepper, dt)).unwrap();
    let path = Path {
        position: [
            Motion::Sine { mean: 0.0, amplitude: 0.2, frequency: 0.8, phase: 0.3 },
            Motion::Constant(0.1),
            Motion::Polynomial(vec![0.0, 0.1, 0.2]),
        ],
        rotations: vec![PathRotation {
            axis: DVec3::Y,
            angle: Motion::Sine { mean: 0.2, amplitude: 0.7, frequency: 0.5, phase: 0.0 },
        }],
        orientation: DQuat::IDENTITY,
    };
    let mut arm = Body::kinematic("arm", path.clone());
    arm.mass = Mass::new(1.0, DVec3::new(0.3, 0.0, 0.1), glam::DMat3::IDENTITY);
    let arm = world.add_body(arm, DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let tip = world.model().frame(world.state(), &Anchor::point(arm, DVec3::X)).at;
    let mass = Mass::of_total(&Shape::Box { half: DVec3::new(0.1, 0.2, 0.4) }, 2.0).unwrap();
    let bob = world.add_body(Body::dynamic("bob", mass), tip - DVec3::Z * 0.5, DQuat::IDENTITY).unwrap();
    let anchors = [Anchor::point(arm, DVec3::X), Anchor::point(bob, DVec3::Z * 0.5)];
    world.add_joint(Joint::new("hook", Ball { anchors })).unwrap();
    // start with velocities that agree with the arm's
    let assembly = world.assemble();
    assert!(assembly.left.gap < 1e-12 && assembly.left.rate < 1e-9, "{assembly:?}");
    (world, arm, bob, path)
}

#[test]
fn all_steppers_carry_the_bob_alike() {
    let run = |stepper, dt: f64| {
        let (mut world, arm, bob, path) = shaker(stepper, dt);
        for _ in 0..(1.5 / dt).round() as usize {
            assert!(world.step().fault.is_none());
        }
        // the path is kept to round-off, seen at the frame's origin
        let now = world.inspect();
        let (seen, told) = (now.body(arm).unwrap(), path.at(1.5));
        assert!((seen.at - told.position).length() < 1e-9, "{stepper:?}: {} {}", seen.at, told.position);
        assert!(
            (seen.twist.angular_velocity - told.angular_velocity).length() < 1e-4,
            "{stepper:?}: {:?}",
            seen.twist
        );
        now.body(bob).unwrap()
    };
    let exact = run(Integrator::DormandPrince(Adaptive { tolerance: 1e-9, ..Adaptive::default() }), 0.05);
    let projected = run(Integrator::Projected, 5e-3);
    assert!((projected.center - exact.center).length() < 1e-7, "{} {}", projected.center, exact.center);
    let [coarse, fine] = [2e-3, 1e-3].map(|dt| {
        let seen = run(Integrator::Spook, dt);
        (seen.center - exact.center).length() + (seen.twist.velocity - exact.twist.velocity).length()
    });
    assert!(fine < 1e-3 && coarse / fine > 3.0, "second order: {coarse:e} {fine:e}");
}
