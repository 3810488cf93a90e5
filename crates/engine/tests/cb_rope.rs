//! Ropes over pulleys, through rings and on drums against closed forms (CB13–CB16, CB19, CB20 of the catalogue).

use crate::kit;

use glam::{DQuat, DVec3};
use kit::{Case, G, Rig, at, falls, near, near_part, rises, speck};
use std::f64::consts::{PI, TAU};
use windlass_engine::math;
use windlass_engine::prelude::*;

/// Seen along y: circles lie in the plane of x and z.
fn about_y() -> DQuat {
    math::facing(DVec3::Y)
}

fn steps() -> [f64; 2] {
    [1.0 / 60.0, 1e-3]
}

/// A point of the ground.
fn fixed(rig: &Rig, at: DVec3) -> Anchor {
    rig.grip(rig.ground, at, about_y())
}

/// A body's own point, circles across y.
fn on(rig: &Rig, body: BodyId, at: DVec3) -> Anchor {
    rig.grip(body, at, about_y())
}

/// How fast a body's height changes now, from two seconds of falling or rising.
fn acceleration(rig: &mut Rig, body: BodyId, seconds: f64) -> f64 {
    let height = |rig: &Rig| rig.world.state().bodies[body.index()].position.z;
    let start = height(rig);
    rig.run(seconds, |_, _| {});
    2.0 * (height(rig) - start) / (seconds * seconds)
}

/// Two loads over a pulley.
fn atwood(dt: f64, masses: [f64; 2], radius: f64, hold: RopeAttachment) -> (Rig, [BodyId; 2], JointId) {
    let mut rig = Rig::new(dt, Integrator::Spook);
    let loads = [-radius, radius].map(|x| (x, DVec3::new(x, 0.0, -20.0)));
    let [a, b] = [0, 1].map(|k| rig.body(["left", "right"][k], speck(masses[k]), loads[k].1));
    let points = [
        (on(&rig, a, loads[0].1), RoutePoint::attached()),
        // from the left over the top to the right: clockwise about −y, counterclockwise about y
        (fixed(&rig, DVec3::ZERO), RoutePoint::pulley(radius, 1.0).held(hold)),
        (on(&rig, b, loads[1].1), RoutePoint::attached()),
    ];
    let rope = rig.joint(Rope::new(&points));
    (rig, [a, b], rope)
}

#[test]
fn the_rope_lies_as_it_should() {
    let (rig, _, rope) = atwood(1e-3, [1.0, 1.0], 0.5, RopeAttachment::Smooth);
    let reading = rig.world.rope(rope).unwrap();
    near("wrap", reading.wraps[1], PI, 1e-12);
    near("length", reading.lengths[0], 40.0 + 0.5 * PI, 1e-12);
    let line = rig.world.rope_line(rope);
    let long: f64 = line.windows(2).map(|p| p[0].distance(p[1])).sum();
    near("drawn", long, reading.lengths[0], 1e-3);
    let top = line.iter().fold(f64::MIN, |m, p| m.max(p.z));
    near("top", top, 0.5, 1e-3);
}

/// CB16: a disc of 1 kg that the rope turns without slip.
#[test]
fn cb16_atwood_machine_with_a_real_pulley() {
    for dt in steps() {
        let mut rig = Rig::new(dt, Integrator::Spook);
        let r = 0.1;
        let disc = Mass::principal(1.0, DVec3::ZERO, DVec3::new(0.25, 0.25, 0.5) * (r * r), DQuat::IDENTITY);
        let sheave = rig.turned("sheave", disc, DVec3::ZERO, about_y());
        rig.hinge([rig.ground, sheave], DVec3::ZERO, DVec3::Y);
        let at = [-r, r].map(|x| DVec3::new(x, 0.0, -20.0));
        let [a, b] = [(2.0, at[0]), (3.0, at[1])].map(|(m, p)| rig.body("load", speck(m), p));
        let points = [
            (on(&rig, a, at[0]), RoutePoint::attached()),
            (on(&rig, sheave, DVec3::ZERO), RoutePoint::drum(r, 1.0)),
            (on(&rig, b, at[1]), RoutePoint::attached()),
        ];
        let rope = rig.joint(Rope::new(&points));
        let g = acceleration(&mut rig, a, 2.0);
        let tensions = rig.world.rope(rope).unwrap().tensions;
        let case = Case::new("CB16", Integrator::Spook, dt);
        case.finds("acceleration", g);
        case.finds("tension light side", tensions[0]);
        case.finds("tension heavy side", tensions[1]);
    }
}

/// A rope without mass over a part of a fixed drum of 0.5 m: 100 N on the slack side, so much on the other. After half a second: how
/// fast the heavy side goes [m/s] and the ratio of the tensions.
fn capstan(dt: f64, turns: f64, mu: f64, pull: f64) -> (f64, f64) {
    let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
    let (r, m, phi) = (0.5, 10.0, TAU * turns);
    // the slack side leaves downwards; the other so that it lies round by φ, guided by its own force
    let away = math::turn(DVec3::Y, phi);
    let tangent = away * DVec3::Z;
    let ends = [DVec3::new(-r, 0.0, -30.0), away * DVec3::new(-r, 0.0, 0.0) + tangent * 30.0];
    let [a, b] = ends.map(|p| rig.body("load", speck(m), p));
    let drum = RoutePoint {
        turns: if turns >= 2.0 { 2 } else { u32::from(turns >= 1.0) },
        ..RoutePoint::pulley(r, 1.0).held(RopeAttachment::Rough { stick: mu, slide: mu })
    };
    let points = [
        (on(&rig, a, ends[0]), RoutePoint::attached()),
        (fixed(&rig, DVec3::ZERO), drum),
        (on(&rig, b, ends[1]), RoutePoint::attached()),
    ];
    let rope = rig.joint(Rope::new(&points));
    near("wrap", rig.world.rope(rope).unwrap().wraps[1], phi, 1e-9);
    for (body, force) in [(a, DVec3::NEG_Z * SLACK), (b, tangent * pull)] {
        let force = Applied::force(Anchor::point(body, DVec3::ZERO), Direction::World(force));
        rig.world.add_force(Force::Applied(force)).unwrap();
    }
    rig.run(0.5, |_, _| {});
    let tensions = rig.world.rope(rope).unwrap().tensions;
    (rig.world.state().bodies[b.index()].velocity.dot(tangent), tensions[1] / tensions[0])
}

/// What the slack side of a capstan is held with [N].
const SLACK: f64 = 100.0;

/// Eytelwein's law while it slips, and that it holds below it, for a quarter turn to two turns.
#[test]
fn a_massless_rope_slips_by_eytelweins_law() {
    for (turns, mu) in [(0.25, 0.3), (0.5, 0.3), (1.0, 0.3), (1.5, 0.3), (2.0, 0.3), (0.5, 0.2)] {
        let ratio = libm::exp(mu * TAU * turns);
        let (speed, found) = capstan(1.0 / 60.0, turns, mu, 1.05 * SLACK * ratio);
        near_part("ratio", found, ratio, 1e-6);
        // both loads of 10 kg and what friction leaves: m a = F − T₂ = T₁ − P
        near_part("slip", speed, 0.5 * 0.05 * SLACK * ratio / (10.0 * (1.0 + ratio)), 0.02);
        near("creep", capstan(1.0 / 60.0, turns, mu, 0.98 * SLACK * ratio).0, 0.0, 1e-6);
    }
}

/// CB13: T₂/T₁ = e^(μφ) while it slips, at half a turn and at a whole one; below it nothing creeps.
#[test]
fn cb13_capstan_of_a_massless_rope() {
    for dt in steps() {
        let case = Case::new("CB13", Integrator::Spook, dt).variant("rope without mass");
        let (held, slips) = (capstan(dt, 0.5, 0.3, 245.0), capstan(dt, 0.5, 0.3, 270.0));
        case.finds("180°: ratio", slips.1);
        case.does("180°: under 100 N", held.0.abs() < 1e-4 && slips.0 > 0.1);
        case.finds("360°: ratio", capstan(dt, 1.0, 0.3, 700.0).1);
        case.stays("creep while holding", [held.0, capstan(dt, 1.0, 0.3, 620.0).0]);
    }
}

/// The prototype's Atwood machine with a rough pulley: exact acceleration with one more bound than solves.
#[test]
fn a_rough_atwood_slips_by_the_law() {
    let (mu, m) = (0.2, [1.0, 2.5]);
    for dt in steps() {
        let (mut rig, [_, b], rope) = atwood(dt, m, 0.1, RopeAttachment::Rough { stick: mu, slide: mu });
        let ratio = libm::exp(mu * PI);
        let exact = G * (m[1] - ratio * m[0]) / (m[1] + ratio * m[0]);
        let a = -acceleration(&mut rig, b, 1.0);
        near_part("acceleration", a, exact, 1e-3);
        let t = rig.world.rope(rope).unwrap().tensions;
        near_part("ratio", t[1] / t[0], ratio, 1e-6);
    }
}

/// A block and tackle of n falls: the moving block hangs on n parts of the rope.
struct Tackle {
    rig: Rig,
    load: BodyId,
    hand: BodyId,
    rope: JointId,
}

fn tackle(dt: f64, n: usize, (load, hand): (f64, f64), hold: RopeAttachment) -> Tackle {
    let mut rig = Rig::new(dt, Integrator::Spook);
    let (r, drop) = (0.1, 10.0);
    let x = |k: usize| 2.0 * r * k as f64;
    // falls at x = 0, 2r, 4r …, the hauling part behind the last; sheaves between them, above and below in turn
    let middle = 0.5 * x(n - 1);
    let block = rig.body("block", speck(load), DVec3::new(middle, 0.0, -drop));
    let mut points = Vec::new();
    // an even number of falls begins above, an odd one on the block: the last sheave is above
    let first = DVec3::new(x(0), 0.0, if n.is_multiple_of(2) { 0.0 } else { -drop });
    points.push((
        if n.is_multiple_of(2) { fixed(&rig, first) } else { on(&rig, block, first) },
        RoutePoint::attached(),
    ));
    for k in 0..n {
        let below = (n - k).is_multiple_of(2);
        let at = DVec3::new(x(k) + r, 0.0, if below { -drop } else { 0.0 });
        let (anchor, side) = if below { (on(&rig, block, at), -1.0) } else { (fixed(&rig, at), 1.0) };
        points.push((anchor, RoutePoint::pulley(r, side).held(hold)));
    }
    let at = DVec3::new(x(n), 0.0, -0.5 * drop);
    let hand = rig.body("hand", speck(hand), at);
    points.push((on(&rig, hand, at), RoutePoint::attached()));
    // the falls are parallel: nothing turns the block, nothing guides it either
    rig.joint(Slider {
        anchors: rig.grips([rig.ground, block], DVec3::new(middle, 0.0, -drop), DQuat::IDENTITY),
        axis: Axis::free(),
    });
    rig.joint(Slider { anchors: rig.grips([rig.ground, hand], at, DQuat::IDENTITY), axis: Axis::free() });
    let rope = rig.joint(Rope::new(&points));
    Tackle { rig, load: block, hand, rope }
}

/// CB14 and its relatives: n falls carry n times the pull.
#[test]
fn cb14_tackles_of_one_to_six_falls() {
    for dt in steps() {
        for n in 1..=6 {
            let nf = n as f64;
            let (big, small) = (1000.0, 300.0);
            let Tackle { mut rig, load, hand, .. } = tackle(dt, n, (big, small), RopeAttachment::Smooth);
            let start = [load, hand].map(|b| rig.world.state().bodies[b.index()].position.z);
            let a = acceleration(&mut rig, load, 1.0);
            near_part("acceleration", a, (nf * small - big) * G / (big + nf * nf * small), 1e-3);
            let moved = [load, hand].map(|b| rig.world.state().bodies[b.index()].position.z);
            let ratio = -(moved[1] - start[1]) / (moved[0] - start[0]);
            near_part("speed ratio", ratio, nf, 1e-6);
            // held in balance
            let Tackle { mut rig, rope: held, load, .. } =
                tackle(dt, n, (big, big / nf), RopeAttachment::Smooth);
            rig.run(0.5, |_, _| {});
            let holding = rig.world.rope(held).unwrap().tensions[n];
            near_part("holding", holding, big * G / nf, 1e-6);
            near("rest", rig.world.state().bodies[load.index()].velocity.length(), 0.0, 1e-9);
            if n == 4 {
                let case = Case::new("CB14", Integrator::Spook, dt);
                case.finds("holding force", holding);
                case.finds("speed ratio", ratio);
                case.finds("load acceleration, 300 kg", a);
            }
        }
    }
}

/// Each sheave takes its share: with κ its bound, T'/T = (2 + κ)/(2 − κ).
#[test]
fn tackles_with_bearings_that_rub() {
    let share = 0.05;
    // half a turn: cos(φ/2) = 0
    let (kappa, n) = (2.0 * share, 4);
    let q: f64 = (2.0 + kappa) / (2.0 - kappa);
    let haul = 1000.0 * G / (0..n).map(|k| q.powi(-(k + 1))).sum::<f64>();
    for (part, lifts) in [(1.01, true), (0.99, false)] {
        let mass = part * haul / G;
        let Tackle { mut rig, load, rope, .. } =
            tackle(1.0 / 60.0, 4, (1000.0, mass), RopeAttachment::Bearing { share });
        rig.run(1.0, |_, _| {});
        let speed = rig.world.state().bodies[load.index()].velocity.z;
        let t = rig.world.rope(rope).unwrap().tensions;
        if lifts {
            assert!(speed > 1e-3, "{speed}");
            for k in 0..4 {
                near_part("sheave", t[k + 1] / t[k], q, 1e-6);
            }
        } else {
            // four rows that give 1e-8 of their mobility each
            near("holds", speed, 0.0, 5e-6);
        }
    }
}

/// CB20: a ring on a slack line hangs in the ellipse's lowest point.
#[test]
fn cb20_ring_on_a_slack_line() {
    for dt in steps() {
        let mut rig = Rig::new(dt, Integrator::Spook);
        let start = DVec3::new(-0.5, 0.0, -3.9);
        let ring = rig.body("ring", speck(10.0), start);
        let points = [
            (fixed(&rig, DVec3::new(-3.0, 0.0, 0.0)), RoutePoint::attached()),
            (on(&rig, ring, start), RoutePoint::ring()),
            (fixed(&rig, DVec3::new(3.0, 0.0, 0.0)), RoutePoint::attached()),
        ];
        let rope = rig.joint(Rope::new(&points).long(10.0));
        kit::settle(&mut rig, 60.0);
        let case = Case::new("CB20", Integrator::Spook, dt);
        case.finds("depth", -rig.world.state().bodies[ring.index()].position.z);
        case.finds("tension", rig.world.rope(rope).unwrap().tensions[0]);
    }
}

/// CB15: the angle over twelve seconds of a load let go at 5° while its rope of 10 m is paid out with a speed [deg].
fn winched_swing(dt: f64, speed: f64) -> Vec<(f64, f64)> {
    let mut rig = Rig::new(dt, Integrator::Spook);
    let a = 5f64.to_radians();
    let at = DVec3::new(libm::sin(a), 0.0, -libm::cos(a)) * 10.0;
    let load = rig.body("load", speck(1000.0), at);
    // hauled from the first instant on
    rig.moving(load, at.normalize() * speed, DVec3::ZERO);
    let points =
        [(fixed(&rig, DVec3::ZERO), RoutePoint::attached()), (on(&rig, load, at), RoutePoint::attached())];
    rig.joint(Rope { paid: Motion::Ramp { start: 0.0, speed }, ..Rope::new(&points) });
    rig.trace(12.0, |world| {
        let p = world.state().bodies[load.index()].position;
        libm::atan2(p.x, -p.z).to_degrees()
    })
}

/// Passes of a trace through zero, either way.
fn passes(trace: &[(f64, f64)]) -> Vec<f64> {
    let back: Vec<_> = trace.iter().map(|(t, x)| (*t, -x)).collect();
    let mut times = [rises(trace), rises(&back)].concat();
    times.sort_by(f64::total_cmp);
    times
}

/// CB15: the swing of a load that is hoisted grows, that of one that is lowered shrinks.
#[test]
fn cb15_pendulum_on_a_running_winch() {
    for dt in steps() {
        let case = Case::new("CB15", Integrator::Spook, dt);
        let (up, down) = (winched_swing(dt, -0.5), winched_swing(dt, 0.5));
        case.finds("up: θ at 6 s", at(&up, 6.0));
        case.finds("up: θ at 12 s", at(&up, 12.0));
        case.finds("up: 5th zero crossing", passes(&up)[4]);
        case.finds("down: θ at 6 s", at(&down, 6.0));
        case.finds("down: 3rd zero crossing", passes(&down)[2]);
    }
}

/// CB15: the error of the angle at 12 s falls by 1.8 or more with each halving of the step.
#[test]
fn cb15_order() {
    falls("CB15", [4e-3, 2e-3, 1e-3].map(|dt| (at(&winched_swing(dt, -0.5), 12.0) + 4.2657735).abs()));
}

/// CB19: a winch at its torque limit holds so much and no more.
#[test]
fn cb19_winch_at_its_torque_limit() {
    for dt in steps() {
        let (r, limit) = (0.2, 300.0);
        let build = |mass: f64| {
            let mut rig = Rig::new(dt, Integrator::Spook);
            let drum = Mass::principal(10.0, DVec3::ZERO, DVec3::new(1.0, 1.0, 1.0), DQuat::IDENTITY);
            let drum = rig.turned("drum", drum, DVec3::ZERO, about_y());
            rig.driven_hinge(
                [rig.ground, drum],
                DVec3::ZERO,
                DVec3::Y,
                Axis::driven(Drive::motor(0.0, limit)),
            );
            let at = DVec3::new(r, 0.0, -10.0);
            let load = rig.body("load", speck(mass), at);
            let points = [
                (on(&rig, drum, DVec3::ZERO), RoutePoint::drum(r, 1.0)),
                (on(&rig, load, at), RoutePoint::attached()),
            ];
            rig.joint(Rope::new(&points));
            (rig, load)
        };
        let most = limit / (r * G);
        let (mut rig, load) = build(0.998 * most);
        near("held", acceleration(&mut rig, load, 1.0), 0.0, 1e-6);
        let (mut rig, load) = build(1.002 * most);
        assert!(acceleration(&mut rig, load, 1.0) < -1e-3);
        let case = Case::new("CB19", Integrator::Spook, dt);
        // halving what lies between a load that is held and one that is not
        let (mut held, mut lost) = (0.99 * most, 1.01 * most);
        for _ in 0..10 {
            let mass = 0.5 * (held + lost);
            let (mut rig, load) = build(mass);
            let sinks = acceleration(&mut rig, load, 1.0) < -1e-6;
            *if sinks { &mut lost } else { &mut held } = mass;
        }
        case.finds("largest mass held", held);
        let (mut rig, load) = build(156.0);
        case.finds("156 kg: descent acceleration", -acceleration(&mut rig, load, 1.0));
    }
}

/// A rope from a drum over a quarter turn in another plane: tension, torque of the drum, and that length is kept to the
/// micrometre over many turns.
#[test]
fn a_reeve_in_space_bears_its_load() {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook);
    let (r, m) = (0.15, 500.0);
    let drum = rig.turned(
        "drum",
        Mass::principal(20.0, DVec3::ZERO, DVec3::splat(0.4), DQuat::IDENTITY),
        DVec3::new(-6.0, 1.0, 0.4),
        about_y(),
    );
    let motor = rig.driven_hinge(
        [rig.ground, drum],
        DVec3::new(-6.0, 1.0, 0.4),
        DVec3::Y,
        Axis::driven(Drive::motor(0.0, 1e5)),
    );
    let sheave = rig.grip(rig.ground, DVec3::new(0.0, 0.0, 0.0), math::facing(DVec3::new(0.1, 1.0, 0.0)));
    let at = DVec3::new(0.2, -0.3, -12.0);
    let load = rig.body("load", speck(m), at);
    let points = [
        (on(&rig, drum, DVec3::new(-6.0, 1.0, 0.4)), RoutePoint::drum(r, 1.0)),
        (sheave, RoutePoint::pulley(0.25, 1.0)),
        (on(&rig, load, at), RoutePoint::attached()),
    ];
    let rope = rig.joint(Rope::new(&points));
    let length = |rig: &Rig| {
        let angle = rig.world.coordinate(motor, 0).unwrap();
        rig.world.rope(rope).unwrap().lengths[0] - r * angle
    };
    kit::settle(&mut rig, 120.0);
    let t = rig.world.rope(rope).unwrap().tensions;
    near_part("tension", t[1], m * G, 1e-3);
    near_part("same", t[0], t[1], 1e-12);
    let torque = rig.world.reaction(motor, 1).unwrap().torque.y;
    near_part("torque", torque.abs(), r * t[0], 1e-3);
    let before = length(&rig);
    rig.world.edit(Edit::SetDrive { joint: motor, coordinate: 0, drive: Drive::motor(4.0, 1e5) }).unwrap();
    rig.run(8.0, |_, _| {});
    let turned = rig.world.coordinate(motor, 0).unwrap();
    assert!(turned > 4.0 * TAU, "{turned}");
    near("rope kept", length(&rig), before, 1e-6);
}

/// A drum of four turns a layer: each layer hauls faster by the rope's thickness, and what it winds is what is missing below.
#[test]
fn a_drum_is_wound_layer_upon_layer() {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook);
    let (r, rise) = (0.2, 0.03);
    let drum = rig.turned(
        "drum",
        Mass::principal(20.0, DVec3::ZERO, DVec3::splat(0.4), DQuat::IDENTITY),
        DVec3::ZERO,
        about_y(),
    );
    let axis = Axis::driven(Drive::motor(-1.0, 1e6));
    let motor = rig.driven_hinge([rig.ground, drum], DVec3::ZERO, DVec3::Y, axis);
    let at = DVec3::new(r, 0.0, -60.0);
    let load = rig.body("load", speck(100.0), at);
    let winding = Winding { turns: 4.0, rise, wound: 0.5 };
    let points = [
        (on(&rig, drum, DVec3::ZERO), RoutePoint { winding: Some(winding), ..RoutePoint::drum(r, 1.0) }),
        (on(&rig, load, at), RoutePoint::attached()),
    ];
    let rope = rig.joint(Rope::new(&points));
    let reading = |rig: &Rig| rig.world.rope(rope).unwrap();
    let start = reading(&rig).lengths[0];
    near("turns at first", reading(&rig).wound[0], 0.5, 1e-9);
    // 10 turns: from the middle of the first layer into the third
    let mut jerk: f64 = 0.0;
    let mut speed = 0.0;
    while rig.world.coordinate(motor, 0).unwrap() > -10.0 * TAU {
        let report = rig.world.step();
        assert!(report.fault.is_none());
        let now = rig.world.state().bodies[load.index()].velocity.z;
        if rig.world.state().time > 1.0 {
            jerk = jerk.max((now - speed).abs() * 60.0);
        }
        speed = now;
    }
    let turned = -rig.world.coordinate(motor, 0).unwrap() / TAU;
    near("turns", reading(&rig).wound[0], 0.5 + turned, 0.02);
    near("speed", speed, r + 2.0 * rise, 0.002);
    // layers of 3 turns and a climb each: ∫ r dφ from 0.5 turns on
    let wound = |w: f64| {
        let whole = (w / 4.0).floor();
        let rest = w - 4.0 * whole;
        let climb = (rest - 3.0).max(0.0);
        let below: f64 = (0..whole as usize).map(|k| 4.0 * k as f64 + 0.5).sum();
        r * w + rise * (below + whole * rest + 0.5 * climb * climb)
    };
    let hauled = TAU * (wound(0.5 + turned) - wound(0.5));
    near("hauled", start - reading(&rig).lengths[0], hauled, 0.01);
    // climbing, the drum hauls faster by 2 π rise over a turn of 2 π s: no kick
    assert!(jerk < 0.05 * G, "{jerk}");
}

/// A rope over a bollard, or half round each of two, under every stepper: it holds below e^(μπ), and slides above with
/// a = g (m₂ − q m₁)/(m₂ + q m₁), the pulls being apart by q = e^(μπ).
#[test]
fn friction_acts_under_every_stepper() {
    let adaptive = Adaptive { tolerance: 1e-6, min_step: 1e-6, max_step: 1.0 / 240.0 };
    let (mu, m) = (0.3, 10.0);
    let q = libm::exp(mu * std::f64::consts::PI);
    for stepper in [Integrator::Spook, Integrator::Projected, Integrator::DormandPrince(adaptive)] {
        for (part, slides, bollards) in [(0.95, false, 1), (1.1, true, 1), (0.95, false, 2), (1.1, true, 2)] {
            let (mut rig, load, rope) = bollards_at(stepper, [m, part * q * m], mu, bollards);
            for _ in 0..240 {
                let report = rig.world.step();
                assert!(report.fault.is_none(), "{:?}", report.fault);
            }
            let fallen = -5.0 - rig.world.state().bodies[load.index()].position.z;
            let tensions = rig.world.rope(rope).unwrap().tensions;
            let ratio = tensions[bollards] / tensions[0];
            let name = |what: &str| format!("{} {bollards}: {what}", stepper_name(stepper));
            if slides {
                let accel = G * (part - 1.0) / (part + 1.0);
                near_part(&name("fallen"), fallen, 0.5 * accel, 1e-3);
                near_part(&name("pulls"), ratio, q, 1e-3);
            } else {
                near(&name("fallen"), fallen, 0.0, 1e-6);
                near_part(&name("pulls"), ratio, part * q, 1e-6);
            }
        }
    }
}

fn stepper_name(stepper: Integrator) -> &'static str {
    match stepper {
        Integrator::Spook => "spook",
        Integrator::Projected => "projected",
        Integrator::DormandPrince(_) => "dormand-prince",
    }
}

/// Two loads on a rope over rough bollards of 0.2 m that turn it by half a turn together; the second load and the rope.
fn bollards_at(stepper: Integrator, m: [f64; 2], mu: f64, bollards: usize) -> (Rig, BodyId, JointId) {
    let mut rig = Rig::new(1.0 / 240.0, stepper);
    let (r, apart) = (0.2, if bollards == 1 { 0.0 } else { 2.0 });
    let at = [DVec3::new(-r - 0.5 * apart, 0.0, -5.0), DVec3::new(r + 0.5 * apart, 0.0, -5.0)];
    let [a, b] = [0, 1].map(|k| rig.body("load", speck(m[k]), at[k]));
    let round = RoutePoint::pulley(r, 1.0).held(RopeAttachment::Rough { stick: mu, slide: mu });
    let bollard = |x: f64| (Anchor::frame(rig.ground, DVec3::X * x, math::facing(DVec3::Y)), round);
    let mut points = vec![(Anchor::point(a, DVec3::ZERO), RoutePoint::attached())];
    points.extend([-0.5 * apart, 0.5 * apart].into_iter().take(bollards).map(bollard));
    points.push((Anchor::point(b, DVec3::ZERO), RoutePoint::attached()));
    let (ea, way) = (1e6, 10.0 + apart + std::f64::consts::PI * r);
    let rope = Rope::new(&points).elastic(ea, 0.005).long(way / (1.0 + m[0] * G / ea));
    let rope = rig.world.add_joint(Joint::new("rope", rope)).unwrap();
    (rig, b, rope)
}
