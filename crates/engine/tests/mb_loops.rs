//! MB03, MB05, MB16: closed loops whose full hinges are redundant. The motion must be right; single multipliers are
//! not unique, only their sums are checked.

use crate::kit;

use glam::DVec3;
use kit::*;
use std::f64::consts::{PI, TAU};
use windlass_engine::prelude::*;

/// N four-bars in a row: uprights and the hinges that carry them.
struct FourBars {
    rig: Rig,
    uprights: Vec<BodyId>,
    feet: Vec<JointId>,
}

/// MB03: N + 1 uprights on the ground 1 m apart, N horizontals between their tops, all tops moving at 1 m/s.
fn four_bars(n: usize, dt: f64, stepper: Integrator) -> FourBars {
    let mut rig = Rig::new(dt, stepper);
    let foot = |k: usize| DVec3::X * k as f64;
    let mut made = (Vec::new(), Vec::new());
    for k in 0..=n {
        let upright = rig.bar("upright", 1.0, [foot(k), foot(k) + DVec3::Z], 1e-3);
        rig.moving(upright, DVec3::X * 0.5, DVec3::Y);
        made.1.push(rig.hinge([rig.ground, upright], foot(k), DVec3::Y));
        made.0.push(upright);
    }
    for k in 0..n {
        let tops = [foot(k) + DVec3::Z, foot(k + 1) + DVec3::Z];
        let bar = rig.bar("horizontal", 1.0, tops, 1e-3);
        rig.moving(bar, DVec3::X, DVec3::ZERO);
        rig.hinge([made.0[k], bar], tops[0], DVec3::Y);
        rig.hinge([bar, made.0[k + 1]], tops[1], DVec3::Y);
    }
    FourBars { rig, uprights: made.0, feet: made.1 }
}

/// Largest turn of one upright against the first.
fn splay(world: &World, uprights: &[BodyId]) -> f64 {
    let orientation = |b: &BodyId| world.state().bodies[b.index()].orientation;
    let first = orientation(&uprights[0]).inverse();
    let apart = |b: &BodyId| 2.0 * libm::asin((first * orientation(b)).xyz().length().min(1.0));
    uprights.iter().fold(0.0, |m: f64, b| m.max(apart(b)))
}

/// MB03 with N = 2, five revolutions.
fn two_four_bars(dt: f64, stepper: Integrator) {
    let FourBars { mut rig, uprights, feet } = four_bars(2, dt, stepper);
    let trace = rig.trace(10.0, |world| {
        let apart = splay(world, &uprights);
        let top = point(world, uprights[0], DVec3::Z * 0.5);
        let seen = world.inspect();
        let turn = seen.coordinate(feet[0], 0).unwrap();
        (turn.value, turn.speed, seen.energy().total(), apart, top)
    });
    let case = Case::new("MB03", stepper, dt);
    let turned = |by: f64| rises(&trace.iter().map(|(t, s)| (*t, s.0 - by)).collect::<Vec<_>>())[0];
    let speed: Vec<_> = trace.iter().map(|(t, s)| (*t, s.1)).collect();
    case.finds("N=2 time per revolution", turned(5.0 * TAU) / 5.0);
    let bottoms = (0..5).map(|round| turned(f64::from(round) * TAU + PI));
    case.stays("N=2 speed of B₀ at the bottom", bottoms.map(|time| between(&speed, time)));
    let top = at(&trace, 5.0).4;
    case.finds("N=2 B₀ (x, z) at 5 s", [top.x, top.z]);
    case.stays("uprights parallel to each other", trace.iter().map(|(_, s)| s.3));
    case.finds("energy at 10 s, N=2", at(&trace, 10.0).2 - trace[0].1.2);
}

/// MB03: one freedom while upright, whatever the rods' thickness; six of 35 rows redundant.
#[test]
fn mb03_mobility() {
    let FourBars { mut rig, .. } = four_bars(2, 1e-3, Integrator::Spook);
    assert_eq!(rig.world.degrees_of_freedom(), 1);
    assert_eq!(rig.world.redundant().iter().map(|(_, rows)| rows).sum::<usize>(), 6);
}

/// MB03 with N = 2 at 60 Hz: survives 10 s and gains no more than 5 % of its energy.
#[test]
fn mb03_four_bars_survive_60_hz() {
    let FourBars { mut rig, .. } = four_bars(2, 1.0 / 60.0, Integrator::Spook);
    let energy = rig.trace(10.0, |world| world.inspect().energy().total());
    let gain = energy.iter().fold(0.0, |m: f64, (_, e)| m.max((e - energy[0].1) / 35.835));
    let end = (energy[600].1 - energy[0].1) / 35.835;
    told("MB03 N=2 spook 1/60 energy gain", (gain, end), gain, 0.05);
}

/// MB03 with N = 2 at 240 Hz. One coordinate: ½ K θ̇² + P g sin θ is constant; the flat pose is singular.
#[test]
fn mb03_two_four_bars_at_240_hz() {
    two_four_bars(1.0 / 240.0, Integrator::Spook);
}

/// MB03 with N = 2 at 1 ms.
#[test]
fn mb03_two_four_bars_at_1_ms() {
    two_four_bars(1e-3, Integrator::Spook);
}

/// MB03 with N = 2 and the projected stepper, ten times tighter.
#[test]
fn mb03_two_four_bars_exactly() {
    two_four_bars(2e-3, Integrator::Projected);
}

/// MB03 with N = 40: 81 bodies, 605 rows, 120 of them redundant.
#[test]
fn mb03_forty_four_bars() {
    let FourBars { mut rig, uprights, feet } = four_bars(40, 1e-3, Integrator::Spook);
    let trace = rig.trace(10.0, |world| (world.coordinate(feet[0], 0).unwrap(), splay(world, &uprights)));
    let turn: Vec<_> = trace.iter().map(|(t, s)| (*t, s.0 - 5.0 * TAU)).collect();
    let case = Case::new("MB03", Integrator::Spook, 1e-3);
    case.finds("N=40 time per revolution", rises(&turn)[0] / 5.0);
    case.variant("N=40").stays("uprights parallel to each other", trace.iter().map(|(_, s)| s.1));
}

/// MB05: Bricard's over-constrained mechanism, six full hinges and one freedom. Reference: minimal coordinates.
fn bricard(dt: f64, stepper: Integrator) {
    let corners = [[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]]
        .map(|p: [i32; 3]| DVec3::from_array(p.map(f64::from)));
    let axes = [DVec3::Y, DVec3::Z, DVec3::X, DVec3::Y, DVec3::Z, DVec3::X];
    let mut rig = Rig::new(dt, stepper).under(DVec3::Y * -G);
    let rods: Vec<_> = (0..5).map(|k| rig.bar("rod", 1.0, [corners[k], corners[k + 1]], 0.1)).collect();
    let mut chain = vec![rig.ground];
    chain.extend(&rods);
    chain.push(rig.ground);
    let hinges: Vec<_> = (0..6).map(|k| rig.hinge([chain[k], chain[k + 1]], corners[k], axes[k])).collect();
    assert_eq!(rig.world.degrees_of_freedom(), 1);
    let end = 0.5 * (corners[2] - corners[1]);
    let mut widest: f64 = 0.0;
    let trace = rig.trace(10.0, |world| {
        let p3 = point(world, rods[1], end);
        let seen = world.inspect();
        let (turn, energy) = (seen.coordinate(hinges[0], 0).unwrap().speed, seen.energy().total());
        widest = widest.max(gap(world));
        (p3, turn, energy)
    });
    let case = Case::new("MB05", stepper, dt);
    // it stands still where it turns back: the first hinge's speed passes zero
    let sign = trace[trace.len() / 10].1.1.signum();
    let speed: Vec<_> = trace.iter().map(|(t, s)| (*t, -sign * s.1)).collect();
    let back = *rises(&speed).iter().find(|t| **t > 0.5).unwrap();
    case.finds("half period (P₃ from x=1 to x=−1)", back);
    case.finds("P₃ at 1 s", at(&trace, 1.0).0);
    case.finds("P₃ at 2 s", at(&trace, 2.0).0);
    let gained = |s: &(DVec3, f64, f64)| s.2 - trace[0].1.2;
    case.finds("energy lost at 10 s", (-gained(&at(&trace, 10.0))).max(0.0));
    case.stays("energy gained within 10 s", trace.iter().map(|(_, s)| gained(s).max(0.0)));
    case.finds("worst hinge gap", widest);
}

/// MB05 at both steps.
#[test]
fn mb05_bricard() {
    bricard(1.0 / 60.0, Integrator::Spook);
    bricard(1e-3, Integrator::Spook);
}

/// MB05 with the projected stepper, ten times tighter.
#[test]
fn mb05_bricard_exactly() {
    bricard(5e-3, Integrator::Projected);
}

/// The corners of MB16's open branch at a crank angle: by circle–circle closure.
fn closure(crank: f64) -> [DVec3; 4] {
    let a = DVec3::new(0.3 * libm::cos(crank), 0.0, 0.3 * libm::sin(crank));
    let v = DVec3::X - a;
    let bend = libm::acos((0.64 + v.length_squared() - 0.49) / (1.6 * v.length()));
    let coupler = libm::atan2(v.z, v.x) + bend;
    [DVec3::ZERO, a, a + DVec3::new(0.8 * libm::cos(coupler), 0.0, 0.8 * libm::sin(coupler)), DVec3::X]
}

/// MB16: four-bar with four full hinges and a motor at 1 rad/s, in a vertical plane.
fn driven_four_bar(dt: f64) {
    let mut rig = Rig::new(dt, Integrator::Spook);
    let p = closure(0.0);
    let names = ["crank", "coupler", "rocker"];
    let bars: Vec<_> = (0..3).map(|k| rig.bar(names[k], 1.0 + k as f64, [p[k], p[k + 1]], 0.02)).collect();
    let motor = Axis::driven(Drive::motor(1.0, f64::INFINITY));
    let drive = rig.driven_hinge([rig.ground, bars[0]], p[0], -DVec3::Y, motor);
    rig.hinge([bars[0], bars[1]], p[1], -DVec3::Y);
    rig.hinge([bars[1], bars[2]], p[2], -DVec3::Y);
    let far = rig.hinge([bars[2], rig.ground], p[3], -DVec3::Y);
    assert!(rig.world.assemble().open.is_none());
    let start = bars.iter().map(|b| rig.world.state().bodies[b.index()].orientation).collect::<Vec<_>>();
    let trace = rig.trace(TAU, |world| {
        let seen = world.inspect();
        let turned = |k: usize| {
            let q = start[k].inverse() * seen.body(bars[k]).unwrap().orientation;
            2.0 * libm::atan2(-q.y, q.w)
        };
        // what the ground bears is the weight and the inertia of all parts
        let inertia = |b: &BodyId| seen.body(*b).unwrap().acceleration.velocity.z + G;
        let weight: f64 = bars.iter().zip([1.0, 2.0, 3.0]).map(|(b, m)| m * inertia(b)).sum();
        let borne = -(seen.reaction(drive, 0).unwrap().force.z + seen.reaction(far, 1).unwrap().force.z);
        (seen.coordinate(drive, 0).unwrap().value, turned(1), turned(2), (borne - weight).abs())
    });
    let angle = |a: DVec3, b: DVec3| libm::atan2(b.z - a.z, b.x - a.x).to_degrees();
    let when = |degrees: f64| {
        rises(&trace.iter().map(|(t, s)| (*t, s.0 - degrees.to_radians())).collect::<Vec<_>>())[0]
    };
    let coupler: Vec<_> = trace.iter().map(|(t, s)| (*t, angle(p[1], p[2]) + s.1.to_degrees())).collect();
    let rocker: Vec<_> = trace.iter().map(|(t, s)| (*t, angle(p[3], p[2]) + s.2.to_degrees())).collect();
    let case = Case::new("MB16", Integrator::Spook, dt);
    for crank in [60.0, 180.0, 300.0] {
        case.finds(&format!("rocker angle at crank {crank}°"), between(&rocker, when(crank)));
    }
    case.finds("coupler angle at crank 60°", between(&coupler, when(60.0)));
    let most = trace.iter().fold(0.0, |m: f64, (_, s)| m.max(s.3));
    told("MB16 sum of vertical reactions [N]", most, most, 1e-6);
}

/// MB16 at both steps.
#[test]
fn mb16_driven_four_bar() {
    driven_four_bar(1.0 / 60.0);
    driven_four_bar(1e-3);
}
