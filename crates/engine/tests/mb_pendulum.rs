//! MB01, MB02, MB12: pendulums of point masses on massless arms, against elliptic integrals and minimal-coordinate runs.

use crate::kit;

use glam::DVec3;
use kit::*;
use windlass_engine::prelude::*;

/// A 1 kg point mass on a massless arm, hinged to the ground or to another mass.
fn mass_at(rig: &mut Rig, from: Option<BodyId>, pivot: DVec3, at: DVec3) -> (BodyId, JointId) {
    let mass = rig.body("mass", speck(1.0), at);
    let arm = rig.hinge([from.unwrap_or(rig.ground), mass], pivot, DVec3::Y);
    (mass, arm)
}

/// MB01: released from rest at x = −1. T = 4√(L/g) K(½), arm force at the bottom 3 m g.
fn simple(dt: f64, stepper: Integrator) {
    let mut rig = Rig::new(dt, stepper);
    let (mass, arm) = mass_at(&mut rig, None, DVec3::ZERO, -DVec3::X);
    let trace = rig.trace(10.0, |world| {
        let seen = world.inspect();
        (
            seen.body(mass).unwrap().center,
            seen.reaction(arm, 1).unwrap().force.length(),
            seen.energy().total(),
        )
    });
    let case = Case::new("MB01", stepper, dt);
    let x: Vec<_> = trace.iter().map(|(t, s)| (*t, s.0.x)).collect();
    case.finds("period", period(&x));
    for time in [1.0, 5.0, 10.0] {
        let place = at(&trace, time).0;
        case.finds(&format!("(x, z) at {time} s"), [place.x, place.z]);
    }
    let pull: Vec<_> = trace.iter().map(|(t, s)| (*t, s.1)).collect();
    case.finds("arm force at the bottom", between(&pull, rises(&x)[0]));
    case.stays("energy change over 10 s, absolute", trace.iter().map(|(_, s)| s.2 - trace[0].1.2));
    case.stays("arm length error", trace.iter().map(|(_, s)| s.0.length() - 1.0));
}

/// MB01 at 60 Hz.
#[test]
fn mb01_simple_pendulum_at_60_hz() {
    simple(1.0 / 60.0, Integrator::Spook);
}

/// MB01 at 1 ms.
#[test]
fn mb01_simple_pendulum_at_1_ms() {
    simple(1e-3, Integrator::Spook);
}

/// MB01 with the acceleration-level steppers, ten times tighter.
#[test]
fn mb01_simple_pendulum_exactly() {
    simple(5e-3, Integrator::Projected);
    simple(5e-3, Integrator::DormandPrince(Adaptive::default()));
}

/// MB01: the error of place at 1 s falls by 1.8 or more with each halving of the step.
#[test]
fn mb01_order() {
    let errors = [4e-3, 2e-3, 1e-3].map(|dt| {
        let mut rig = Rig::new(dt, Integrator::Spook);
        // rounds would be made at the longest step alone
        rig.world.set(|s| s.position_iterations = Some(0)).unwrap();
        let (mass, _) = mass_at(&mut rig, None, DVec3::ZERO, -DVec3::X);
        rig.run(1.0, |_, _| {});
        (point(&rig.world, mass, DVec3::ZERO) - DVec3::new(0.98629175, 0.0, -0.16501085)).length()
    });
    falls("MB01", errors);
}

fn double(dt: f64, stepper: Integrator, angles: [f64; 2]) -> (Rig, [BodyId; 2]) {
    let arm = |angle: f64| DVec3::new(libm::sin(angle), 0.0, -libm::cos(angle));
    let mut rig = Rig::new(dt, stepper);
    let elbow = arm(angles[0]);
    let (inner, _) = mass_at(&mut rig, None, DVec3::ZERO, elbow);
    let (outer, _) = mass_at(&mut rig, Some(inner), elbow, elbow + arm(angles[1]));
    (rig, [inner, outer])
}

/// MB02: both arms horizontal, from rest; the outer mass at 1, 2 and 3 s. Reference: minimal coordinates, DOP853.
fn double_falls(dt: f64, stepper: Integrator) {
    let quarter = std::f64::consts::FRAC_PI_2;
    let (mut rig, [_, outer]) = double(dt, stepper, [quarter, quarter]);
    let trace = rig.trace(3.0, |world| point(world, outer, DVec3::ZERO));
    for time in [1.0, 2.0, 3.0] {
        let place = at(&trace, time);
        Case::new("MB02", stepper, dt).finds(&format!("outer mass (x, z) at {time} s"), [place.x, place.z]);
    }
}

/// MB02: the two small-amplitude modes, f = √(g (2 ∓ √2))/2π, each started alone with 0.001 rad.
fn double_swings(dt: f64, stepper: Integrator) {
    let root = 2.0_f64.sqrt();
    for (sign, name) in [(1.0, "small-amplitude f₁"), (-1.0, "small-amplitude f₂")] {
        let (mut rig, [inner, _]) = double(dt, stepper, [1e-3, sign * 1e-3 * root]);
        let trace = rig.trace(10.0, |world| point(world, inner, DVec3::ZERO).x);
        Case::new("MB02", stepper, dt).finds(name, 1.0 / period(&trace));
    }
}

/// MB02 at 60 Hz.
#[test]
fn mb02_double_pendulum_at_60_hz() {
    double_falls(1.0 / 60.0, Integrator::Spook);
    double_swings(1.0 / 60.0, Integrator::Spook);
}

/// MB02 at 1 ms.
#[test]
fn mb02_double_pendulum_at_1_ms() {
    double_falls(1e-3, Integrator::Spook);
    double_swings(1e-3, Integrator::Spook);
}

/// MB02 with the projected stepper, ten times tighter.
#[test]
fn mb02_double_pendulum_exactly() {
    double_falls(5e-3, Integrator::Projected);
    double_swings(5e-3, Integrator::Projected);
}

/// MB12: circling at 45°, on a rod and on a rope that only pulls. ω² = g/(L cos θ).
fn conical(dt: f64) {
    let down = 0.5_f64.sqrt();
    for (kind, rope) in [("rod", false), ("rope", true)] {
        let mut rig = Rig::new(dt, Integrator::Spook);
        let mass = rig.body("mass", speck(1.0), DVec3::new(down, 0.0, -down));
        rig.moving(mass, DVec3::Y * (down * (G / down).sqrt()), DVec3::ZERO);
        let ends = [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(mass, DVec3::ZERO)];
        rig.joint(if rope { Distance::between(ends, 0.0, 1.0) } else { Distance::rod(ends, 1.0) });
        let trace = rig.trace(10.0, |world| point(world, mass, DVec3::ZERO));
        let y: Vec<_> = trace.iter().map(|(t, p)| (*t, p.y)).collect();
        let case = Case::new("MB12", Integrator::Spook, dt).variant(kind);
        case.finds("circling period", period(&y));
        case.stays("height stays", trace.iter().map(|(_, p)| p.z));
    }
}

/// MB12 at both steps.
#[test]
fn mb12_conical_pendulum() {
    conical(1.0 / 60.0);
    conical(1e-3);
}
