//! MB13, MB22: springs as relaxed constraints must have their stiffness and damping, and no numerical damping.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::*;
use windlass_engine::prelude::*;

/// MB13: 100 kg on a vertical slider, hung on 1e4 N/m and 400 N·s/m, released from the rest length. Static sink m g/k,
/// T_d = 2π/(ω√(1−ζ²)), ratio e^(−2πζ/√(1−ζ²)).
fn kelvin_voigt(dt: f64) {
    let mut rig = Rig::new(dt, Integrator::Spook);
    let mass =
        rig.body("mass", Mass::principal(100.0, DVec3::ZERO, DVec3::ONE, DQuat::IDENTITY), DVec3::ZERO);
    let anchors = rig.grips([rig.ground, mass], DVec3::ZERO, DQuat::IDENTITY);
    rig.joint(Slider { anchors, axis: Axis::free() });
    let ends = [Anchor::point(rig.ground, DVec3::Z), Anchor::point(mass, DVec3::ZERO)];
    rig.joint(Distance::spring(ends, 1e4, 400.0, 1.0));
    let trace = rig.trace(20.0, |world| point(world, mass, DVec3::ZERO).z);
    let case = Case::new("MB13", Integrator::Spook, dt);
    case.finds("static deflection", -trace[trace.len() - 1].1);
    // about the place of rest, while it still moves
    let swing: Vec<_> = trace.iter().take_while(|s| s.0 < 2.5).map(|(t, z)| (*t, z + 0.0981)).collect();
    case.finds("damped period", period(&swing));
    // it starts at a peak of 0.0981 m
    let ratios = [peaks(&swing)[0].1 / 0.0981, peaks(&swing)[1].1 / peaks(&swing)[0].1];
    case.stays("amplitude ratio per period", ratios);
}

/// MB13 at both steps, at the goals.
#[test]
fn mb13_kelvin_voigt() {
    kelvin_voigt(1.0 / 60.0);
    kelvin_voigt(1e-3);
}

/// MB22: flywheels of 0.5 and 1 kg·m² on a torsion spring of 200 N·m/rad, twisted by 0.1 rad: ω = √(k (1/I₁ + 1/I₂)).
fn flywheels(dt: f64) {
    let mut rig = Rig::new(dt, Integrator::Spook);
    let wheel = |i: f64| Mass::principal(10.0, DVec3::ZERO, DVec3::new(0.6 * i, 0.6 * i, i), DQuat::IDENTITY);
    let first = rig.body("first", wheel(0.5), DVec3::ZERO);
    let second = rig.body("second", wheel(1.0), DVec3::Z * 0.2);
    let shaft = rig.hinge([rig.ground, first], DVec3::ZERO, DVec3::Z);
    // the spring is at rest 0.1 rad from where the hinge is made
    let spring = Axis::with_spring(200.0, 0.0, -0.1);
    let twist = rig.driven_hinge([first, second], DVec3::Z * 0.1, DVec3::Z, spring);
    let trace = rig.trace(12.0 * 0.25650997, |world| world.coordinate(twist, 0).unwrap() + 0.1);
    assert!(rig.world.coordinate(shaft, 0).unwrap().abs() < 0.2);
    let case = Case::new("MB22", Integrator::Spook, dt);
    case.finds("period", period(&trace));
    case.finds("amplitude kept after 10 periods", peaks(&trace)[9].1 / 0.1);
}

/// MB22 at both steps, at the goals: 0.95 and 0.99 of the amplitude kept.
#[test]
fn mb22_flywheels() {
    flywheels(1.0 / 60.0);
    flywheels(1e-3);
}

/// A mass of 2 kg on k and c, from 0.1 m: x(t) against the closed form, at instants.
fn damped(dt: f64, [k, c]: [f64; 2], seconds: f64) -> f64 {
    let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
    let mass = Mass::principal(2.0, DVec3::ZERO, DVec3::ONE, DQuat::IDENTITY);
    let mass = rig.body("mass", mass, DVec3::ZERO);
    let anchors = rig.grips([rig.ground, mass], DVec3::ZERO, DQuat::IDENTITY);
    let slider = rig.joint(Slider { anchors, axis: Axis::with_spring(k, c, -0.1) });
    let (decay, square) = (0.25 * c, 0.5 * k - 0.0625 * c * c);
    let mut worst = 0.0f64;
    for step in 1..=(seconds / dt).round() as usize {
        rig.world.step();
        let t = step as f64 * dt;
        let omega = square.abs().sqrt();
        let (cosine, sine) = match square < 0.0 {
            true => (libm::cosh(omega * t), libm::sinh(omega * t)),
            false => (libm::cos(omega * t), libm::sin(omega * t)),
        };
        let wanted = 0.1 * libm::exp(-decay * t) * (cosine + decay / omega * sine) - 0.1;
        worst = worst.max((rig.world.coordinate(slider, 0).unwrap() - wanted).abs());
    }
    worst
}

/// Damped springs are second order: a tenth of the step has a hundredth of the error, under and over critical damping; and where
/// the step resolves nothing of the damper they still come to rest.
#[test]
fn damped_springs_are_second_order() {
    for (k, c) in [(200.0, 4.0), (200.0, 30.0), (200.0, 60.0), (50.0, 200.0)] {
        let [coarse, fine] = [1e-2, 1e-3].map(|dt| damped(dt, [k, c], 1.0));
        assert!(coarse < 1e-3 && fine < 0.013 * coarse, "k {k}, c {c}: {coarse} m, {fine} m");
    }
    // c h/m = 1000, ω h = 0.3: the slow mode is k/c
    let slow = damped(1.0 / 60.0, [200.0, 1.2e5], 5.0);
    assert!(slow < 1e-6, "{slow} m");
}
