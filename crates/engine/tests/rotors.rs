//! Rotors on moving bases: they keep their speed, and their gyroscopic moment is that of the closed form.

use crate::kit::*;
use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;

/// A flywheel with its axle along y, 1 m from the axis about which its heavy base turns. Moments 0.06, 0.1, 0.06 kg·m².
fn flywheel(dt: f64, spin: f64, rate: f64, six: bool) -> (Rig, BodyId, BodyId, JointId) {
    let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
    let heavy = Mass::principal(100.0, DVec3::ZERO, DVec3::splat(1e5), DQuat::IDENTITY);
    let base = rig.body("base", heavy, DVec3::ZERO);
    let held = rig.hinge([rig.ground, base], DVec3::ZERO, DVec3::Z);
    let moments = DVec3::new(0.06, 0.1, 0.06);
    let wheel = rig.body("wheel", Mass::principal(10.0, DVec3::ZERO, moments, DQuat::IDENTITY), DVec3::X);
    if six {
        let turn = windlass_engine::math::facing(DVec3::Y);
        let mut joint = SixDof::held(rig.grips([base, wheel], DVec3::X, turn));
        joint.axes[5] = Axis::free();
        rig.joint(joint);
    } else {
        rig.hinge([base, wheel], DVec3::X, DVec3::Y);
    }
    rig.moving(base, DVec3::ZERO, DVec3::Z * rate);
    rig.moving(wheel, DVec3::Y * rate, DVec3::new(0.0, spin, rate));
    (rig, base, wheel, held)
}

/// At 2000 rad/s a wheel turns by 33 rad in a step of 1/60 s.
#[test]
fn a_flywheel_on_a_slewing_base_keeps_its_speed() {
    for dt in [1.0 / 30.0, 1.0 / 60.0, 1e-3] {
        for spin in [20.0, 62.5, 100.0, 150.0, 220.0, 628.0, 2000.0] {
            for six in [false, true] {
                let (mut rig, base, wheel, _) = flywheel(dt, spin, 0.3, six);
                rig.run(2.0, |_, _| {});
                let states = &rig.world.state().bodies;
                let (b, w) = (&states[base.index()], &states[wheel.index()]);
                let axle = w.orientation * DVec3::Y;
                let relative = axle.dot(w.angular_velocity);
                let tolerance = if spin * dt > 0.5 { 1e-9 } else { 1e-3 };
                assert!((relative / spin - 1.0).abs() < tolerance, "{dt} {spin} {six}: {relative}");
                assert!(
                    (b.angular_velocity.z / 0.3 - 1.0).abs() < 1e-4,
                    "{dt} {spin}: {}",
                    b.angular_velocity
                );
                let tilt = axle.distance(b.orientation * DVec3::Y);
                assert!(tilt < if spin * dt > 0.5 { 1e-9 } else { 3e-3 }, "{dt} {spin} {six}: {tilt}");
            }
        }
    }
}

/// The bearing of the base carries the gyroscopic moment I Ω ω of the wheel, about the horizontal axis across its axle.
#[test]
fn the_gyroscopic_moment_is_that_of_the_closed_form() {
    for spin in [220.0, 628.0] {
        let (mut rig, base, _, held) = flywheel(1.0 / 60.0, spin, 0.3, false);
        rig.run(0.5, |_, _| {});
        let torque = rig.world.reaction(held, 0).unwrap().torque;
        let across = rig.world.state().bodies[base.index()].orientation * DVec3::X;
        let expected = 0.1 * spin * 0.3;
        assert!((torque.dot(across).abs() / expected - 1.0).abs() < 2e-2, "{spin}: {torque} for {expected}");
    }
}
