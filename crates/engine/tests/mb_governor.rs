//! MB06: the stiff flyball governor (IFToMM A05): a turning shaft, a slider on it and two arms, tied by spring-dampers
//! of 8e5 N/m and 4e4 N·s/m. Reference: minimal coordinates, Radau.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::*;
use std::f64::consts::{FRAC_PI_6, TAU};
use windlass_engine::math;
use windlass_engine::prelude::*;

/// The governor: world, the shaft, the slider's joint.
fn governor(dt: f64, stepper: Integrator) -> (Rig, BodyId, JointId) {
    let mut rig = Rig::new(dt, stepper);
    let shaft = rig.bar("shaft", 0.3, [DVec3::ZERO, DVec3::Z], 0.01);
    let cube = Mass::of_total(&Shape::Box { half: DVec3::splat(0.05) }, 3.0).unwrap();
    let slider = rig.body("slider", cube, DVec3::Z * 0.5);
    rig.moving(shaft, DVec3::ZERO, DVec3::Z * TAU);
    rig.moving(slider, DVec3::ZERO, DVec3::Z * TAU);
    rig.hinge([rig.ground, shaft], DVec3::ZERO, DVec3::Z);
    let anchors = rig.grips([shaft, slider], DVec3::Z * 0.5, DQuat::IDENTITY);
    let slide = rig.joint(Slider { anchors, axis: Axis::free() });
    for side in [1.0, -1.0] {
        let root = DVec3::new(0.05 * side, 0.0, 1.0);
        let along = DVec3::new(side * libm::cos(FRAC_PI_6), 0.0, -libm::sin(FRAC_PI_6));
        // the rod lies along its frame's z, with the ball at its end
        let rod = Shape::Box { half: DVec3::new(0.005, 0.005, 0.5) };
        let rod = Mass::of_total(&rod, 0.3).unwrap();
        let ball = (DVec3::Z * 0.5, DQuat::IDENTITY, Mass::point(5.0));
        let mass = Mass::combine(&[(DVec3::ZERO, DQuat::IDENTITY, rod), ball]);
        let middle = root + along * 0.5;
        let arm = rig.turned("arm", mass, middle, math::facing(along));
        let center = middle + along * mass.center.z;
        rig.moving(arm, (DVec3::Z * TAU).cross(center), DVec3::Z * TAU);
        rig.hinge([shaft, arm], root, DVec3::Y);
        let ends = [
            rig.grip(slider, DVec3::new(0.05 * side, 0.0, 0.5), DQuat::IDENTITY),
            rig.grip(arm, middle, DQuat::IDENTITY),
        ];
        rig.joint(Distance::spring(ends, 8e5, 4e4, 0.5));
    }
    (rig, shaft, slide)
}

/// MB06: the slider's way s and the shaft's speed.
fn swing(dt: f64, stepper: Integrator) {
    let (mut rig, shaft, slide) = governor(dt, stepper);
    let trace = rig.trace(10.0, |world| {
        let seen = world.inspect();
        (0.5 + seen.coordinate(slide, 0).unwrap().value, seen.body(shaft).unwrap().twist.angular_velocity.z)
    });
    let case = Case::new("MB06", stepper, dt);
    let s: Vec<_> = trace.iter().map(|(t, v)| (*t, v.0)).collect();
    let first = peaks(&s)[0];
    case.finds("first maximum of s", first.1);
    case.finds("time of the first maximum", first.0);
    case.finds("s at 5 s", at(&s, 5.0));
    case.finds("s at 10 s", at(&s, 10.0));
    case.finds("shaft speed at 0.5 s", at(&trace, 0.5).1);
}

/// MB06 at 240 Hz.
#[test]
fn mb06_governor_at_240_hz() {
    swing(1.0 / 240.0, Integrator::Spook);
}

/// MB06 at 1 ms.
#[test]
fn mb06_governor_at_1_ms() {
    swing(1e-3, Integrator::Spook);
}

/// MB06 with the projected stepper, ten times tighter. Explicit in the springs: c/m asks for a short step.
#[test]
fn mb06_governor_exactly() {
    swing(2e-4, Integrator::Projected);
}
