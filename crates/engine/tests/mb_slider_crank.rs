//! MB07: the spatial slider-crank (IFToMM, Haug): hinge, ball, universal joint and slider; one freedom, energy kept.
//! Reference: minimal coordinate, DOP853.

use crate::kit;

use glam::{DMat3, DQuat, DVec3};
use kit::*;
use windlass_engine::prelude::*;

/// The mechanism: crank's hinge and slider.
fn slider_crank(dt: f64, stepper: Integrator) -> (Rig, JointId, BodyId) {
    let (a, b, c) = (DVec3::new(0.0, 0.1, 0.12), DVec3::new(0.0, 0.1, 0.2), DVec3::X * 0.2);
    let solid = |mass: f64, moments: DVec3| Mass::principal(mass, DVec3::ZERO, moments, DQuat::IDENTITY);
    let mut rig = Rig::new(dt, stepper);
    let crank = rig.body("crank", solid(0.12, DVec3::splat(1e-4)), 0.5 * (a + b));
    // the rod's frame: z along it, y square to it and to the slider's x, as the universal joint asks
    let z = (c - b).normalize();
    let y = z.cross(DVec3::X).normalize();
    let along = DQuat::from_mat3(&DMat3::from_cols(y.cross(z), y, z));
    let rod = rig.turned("rod", solid(0.5, DVec3::new(4e-3, 4e-3, 4e-4)), 0.5 * (b + c), along);
    let slider = rig.body("slider", solid(2.0, DVec3::splat(1e-3)), c);
    rig.moving(crank, DVec3::Y * -0.24, DVec3::X * 6.0);
    rig.moving(rod, DVec3::new(0.12, -0.24, 0.0), DVec3::new(1.92, -0.96, 0.48));
    rig.moving(slider, DVec3::X * 0.24, DVec3::ZERO);
    let hinge = rig.hinge([rig.ground, crank], a, DVec3::X);
    rig.ball([crank, rod], b);
    let anchors = [rig.grip(slider, c, DQuat::IDENTITY), rig.grip(rod, c, along)];
    rig.joint(Universal { anchors, axes: Default::default() });
    let anchors = rig.grips([rig.ground, slider], c, windlass_engine::math::facing(DVec3::X));
    rig.joint(Slider { anchors, axis: Axis::free() });
    (rig, hinge, slider)
}

/// MB07: two seconds of turning.
fn turns(dt: f64, stepper: Integrator) {
    let (mut rig, hinge, slider) = slider_crank(dt, stepper);
    let trace = rig.trace(2.0, |world| {
        let seen = world.inspect();
        let x = seen.body(slider).unwrap().center.x;
        (seen.coordinate(hinge, 0).unwrap().value, x, seen.energy().total())
    });
    let case = Case::new("MB07", stepper, dt);
    for time in [0.5, 1.0, 2.0] {
        case.finds(&format!("crank angle at {time} s"), at(&trace, time).0);
    }
    for time in [0.5, 1.0] {
        case.finds(&format!("slider x at {time} s"), at(&trace, time).1);
    }
    let least = trace.iter().fold(f64::INFINITY, |m, (_, s)| m.min(s.1));
    let most = trace.iter().fold(0.0, |m: f64, (_, s)| m.max(s.1));
    case.finds("slider range min", least);
    case.finds("slider range max", most);
    case.stays("energy over 2 s", trace.iter().map(|(_, s)| s.2 - trace[0].1.2));
}

/// MB07 at 240 Hz.
#[test]
fn mb07_slider_crank_at_240_hz() {
    turns(1.0 / 240.0, Integrator::Spook);
}

/// MB07 at 1 ms.
#[test]
fn mb07_slider_crank_at_1_ms() {
    turns(1e-3, Integrator::Spook);
}

/// MB07 with the acceleration-level steppers, ten times tighter.
#[test]
fn mb07_slider_crank_exactly() {
    turns(1e-3, Integrator::Projected);
    turns(1e-3, Integrator::DormandPrince(Adaptive::default()));
}

/// MB07: the error of the crank angle at 1 s falls by 1.8 or more with each halving of the step.
#[test]
fn mb07_order() {
    let errors = [4e-3, 2e-3, 1e-3].map(|dt| {
        let (mut rig, hinge, _) = slider_crank(dt, Integrator::Spook);
        // rounds would be made at the longest step alone
        rig.world.set(|s| s.position_iterations = Some(0)).unwrap();
        rig.run(1.0, |_, _| {});
        (rig.world.coordinate(hinge, 0).unwrap() - 10.913591).abs()
    });
    falls("MB07", errors);
}
