//! MB01, MB02, MB12: pendulums of point masses on massless arms, against elliptic integrals and minimal-coordinate runs.

mod kit;

use glam::DVec3;
use kit::*;
use windlass_engine::prelude::*;

/// A 1 kg point mass on a massless arm, hinged to the ground or to another mass.
fn mass_at(rig: &mut Rig, from: Option<BodyId>, pivot: DVec3, at: DVec3) -> (BodyId, JointId) {
    let mass = rig.body("mass", speck(1.0), at);
    let arm = rig.hinge([from.unwrap_or(rig.ground), mass], pivot, DVec3::Y);
    (mass, arm)
}

/// What MB01 allows: period (part), place at 1, 5 and 10 s [m], arm force (part), energy (part), arm length [m].
struct Allowed {
    period: f64,
    places: [f64; 3],
    force: f64,
    energy: f64,
    length: f64,
}

/// One tenth of the column of 1e-3.
const TENTH: Allowed =
    Allowed { period: 1e-5, places: [3e-4, 3e-4, 4e-4], force: 5e-4, energy: 2e-4, length: 1e-5 };

/// MB01: released from rest at x = −1. T = 4√(L/g) K(½), arm force at the bottom 3 m g.
fn simple(dt: f64, stepper: Stepper, allowed: &Allowed) {
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
    let label = |what: &str| tag("MB01", stepper, dt) + what;
    let x: Vec<_> = trace.iter().map(|(t, s)| (*t, s.0.x)).collect();
    near_part(&label("period"), period(&x), 2.3678419, allowed.period);
    let places = [
        (1.0, DVec3::new(0.98629175, 0.0, -0.16501085)),
        (5.0, DVec3::new(-0.94230544, 0.0, -0.33475434)),
        (10.0, DVec3::new(-0.27508746, 0.0, -0.96141921)),
    ];
    for ((time, want), within) in places.into_iter().zip(allowed.places) {
        near_point(&label(&format!("place at {time} s")), at(&trace, time).0, want, within);
    }
    let pull: Vec<_> = trace.iter().map(|(t, s)| (*t, s.1)).collect();
    near_part(&label("arm force at the bottom"), between(&pull, rises(&x)[0]), 3.0 * G, allowed.force);
    let start = trace[0].1.2;
    let drift = trace.iter().fold(0.0, |m: f64, (_, s)| m.max((s.2 - start).abs()));
    told(&label("energy"), drift, drift / G, allowed.energy);
    let stretch = trace.iter().fold(0.0, |m: f64, (_, s)| m.max((s.0.length() - 1.0).abs()));
    told(&label("arm length"), stretch, stretch, allowed.length);
}

/// MB01 at 60 Hz.
#[test]
fn mb01_simple_pendulum_at_60_hz() {
    let places = [0.02, 0.06, f64::INFINITY];
    let allowed = Allowed { period: 3e-3, places, force: 0.03, energy: 0.1, length: 1e-2 };
    simple(1.0 / 60.0, Stepper::Spook, &allowed);
}

/// MB01 at 1 ms.
#[test]
fn mb01_simple_pendulum_at_1_ms() {
    let places = [0.003, 0.003, 0.004];
    let allowed = Allowed { period: 1e-4, places, force: 5e-3, energy: 2e-3, length: 1e-4 };
    simple(1e-3, Stepper::Spook, &allowed);
}

/// MB01 with the acceleration-level steppers, ten times tighter.
#[test]
fn mb01_simple_pendulum_exactly() {
    simple(5e-3, Stepper::Projected, &TENTH);
    simple(5e-3, Stepper::DormandPrince(Adaptive::default()), &TENTH);
}

/// MB01: the error of place at 1 s falls by 1.8 or more with each halving of the step.
#[test]
fn mb01_order() {
    let errors = [4e-3, 2e-3, 1e-3].map(|dt| {
        let mut rig = Rig::new(dt, Stepper::Spook);
        let (mass, _) = mass_at(&mut rig, None, DVec3::ZERO, -DVec3::X);
        rig.run(1.0, |_, _| {});
        (point(&rig.world, mass, DVec3::ZERO) - DVec3::new(0.98629175, 0.0, -0.16501085)).length()
    });
    falls("MB01", errors);
}

fn double(dt: f64, stepper: Stepper, angles: [f64; 2]) -> (Rig, [BodyId; 2]) {
    let arm = |angle: f64| DVec3::new(libm::sin(angle), 0.0, -libm::cos(angle));
    let mut rig = Rig::new(dt, stepper);
    let elbow = arm(angles[0]);
    let (inner, _) = mass_at(&mut rig, None, DVec3::ZERO, elbow);
    let (outer, _) = mass_at(&mut rig, Some(inner), elbow, elbow + arm(angles[1]));
    (rig, [inner, outer])
}

/// MB02: both arms horizontal, from rest; the outer mass at 1, 2 and 3 s. Reference: minimal coordinates, DOP853.
fn double_falls(dt: f64, stepper: Stepper, allowed: [f64; 3]) {
    let quarter = std::f64::consts::FRAC_PI_2;
    let (mut rig, [_, outer]) = double(dt, stepper, [quarter, quarter]);
    let trace = rig.trace(3.0, |world| point(world, outer, DVec3::ZERO));
    let places = [(-1.4448188, -1.3217945), (-1.4341248, -1.1298702), (1.8762509, -0.2240385)];
    for (second, ((x, z), within)) in (1..).zip(places.into_iter().zip(allowed)) {
        let what = tag("MB02", stepper, dt) + "outer mass";
        near_point(&what, at(&trace, f64::from(second)), DVec3::new(x, 0.0, z), within);
    }
}

/// MB02: the two small-amplitude modes, f = √(g (2 ∓ √2))/2π, each started alone with 0.001 rad.
fn double_swings(dt: f64, stepper: Stepper, allowed: [f64; 2]) {
    let root = 2.0_f64.sqrt();
    for ((sign, want), within) in [(1.0, 0.38152613), (-1.0, 0.92108557)].into_iter().zip(allowed) {
        let (mut rig, [inner, _]) = double(dt, stepper, [1e-3, sign * 1e-3 * root]);
        let trace = rig.trace(10.0, |world| point(world, inner, DVec3::ZERO).x);
        near_part(&(tag("MB02", stepper, dt) + "small mode"), 1.0 / period(&trace), want, within);
    }
}

/// MB02 at 60 Hz.
#[test]
fn mb02_double_pendulum_at_60_hz() {
    double_falls(1.0 / 60.0, Stepper::Spook, [0.04, 0.06, 0.06]);
    double_swings(1.0 / 60.0, Stepper::Spook, [5e-3, 1e-2]);
}

/// MB02 at 1 ms.
#[test]
fn mb02_double_pendulum_at_1_ms() {
    double_falls(1e-3, Stepper::Spook, [0.004, 0.006, 0.006]);
    double_swings(1e-3, Stepper::Spook, [5e-4, 5e-4]);
}

/// MB02 with the projected stepper, ten times tighter.
#[test]
fn mb02_double_pendulum_exactly() {
    double_falls(5e-3, Stepper::Projected, [4e-4, 6e-4, 6e-4]);
    double_swings(5e-3, Stepper::Projected, [5e-5, 5e-5]);
}

/// MB12: circling at 45°, on a rod and on a rope that only pulls. ω² = g/(L cos θ).
fn conical(dt: f64, allowed: [f64; 2]) {
    let down = 0.5_f64.sqrt();
    for (kind, rope) in [("rod", false), ("rope", true)] {
        let mut rig = Rig::new(dt, Stepper::Spook);
        let mass = rig.body("mass", speck(1.0), DVec3::new(down, 0.0, -down));
        rig.moving(mass, DVec3::Y * (down * (G / down).sqrt()), DVec3::ZERO);
        let ends = [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(mass, DVec3::ZERO)];
        rig.joint(if rope { Distance::between(ends, 0.0, 1.0) } else { Distance::rod(ends, 1.0) });
        let trace = rig.trace(10.0, |world| point(world, mass, DVec3::ZERO));
        let y: Vec<_> = trace.iter().map(|(t, p)| (*t, p.y)).collect();
        let label = tag("MB12", Stepper::Spook, dt) + kind;
        near_part(&format!("{label} period"), period(&y), 1.6868943, allowed[0]);
        let sink = trace.iter().fold(0.0, |m: f64, (_, p)| m.max((p.z + down).abs()));
        told(&format!("{label} height"), sink, sink, allowed[1]);
    }
}

/// MB12 at both steps.
#[test]
fn mb12_conical_pendulum() {
    conical(1.0 / 60.0, [5e-3, 0.02]);
    conical(1e-3, [5e-4, 1e-3]);
}
