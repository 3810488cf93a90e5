//! MB17–MB21: gears, differential, motor, screw and stop against closed forms.

mod kit;

use glam::{DQuat, DVec3};
use kit::*;
use windlass_engine::prelude::*;

/// The two steps of these cases.
const STEPS: [f64; 2] = [1.0 / 60.0, 1e-3];

/// A shaft along z on the ground: its hinge, and the frames a coupling measures.
fn shaft(rig: &mut Rig, inertia: f64, at: f64, axis: Axis) -> (BodyId, JointId, [Anchor; 2]) {
    let moments = DVec3::new(0.6, 0.6, 1.0) * inertia;
    let body = rig.body("shaft", Mass::principal(1.0, DVec3::ZERO, moments, DQuat::IDENTITY), DVec3::X * at);
    let hinge = rig.driven_hinge([rig.ground, body], DVec3::X * at, DVec3::Z, axis);
    let frames = rig.grips([rig.ground, body], DVec3::X * at, DQuat::IDENTITY);
    (body, hinge, frames)
}

fn twist(rig: &mut Rig, body: BodyId, torque: f64) {
    let torque = Applied::torque(body, Direction::World(DVec3::Z * torque));
    rig.world.add_force(Force::Applied(torque)).unwrap();
}

/// MB17: I = 0.1 and 0.8, ω₁ = 2 ω₂, 5 N·m on the first: α₁ = τ/(I₁ + I₂/r²).
fn gear(dt: f64, seconds: f64, mut look: impl FnMut(&mut World, [BodyId; 2], JointId)) {
    let mut rig = Rig::new(dt, Stepper::Spook);
    let (first, _, a) = shaft(&mut rig, 0.1, 0.0, Axis::free());
    let (second, _, b) = shaft(&mut rig, 0.8, 1.0, Axis::free());
    let mesh = rig.joint(Coupling::gear(a, b, 2.0));
    twist(&mut rig, first, 5.0);
    rig.run(seconds, |world, _| look(world, [first, second], mesh));
}

/// MB17: accelerations and the torque on the second shaft, at every step of one second.
#[test]
fn mb17_gear_accelerates() {
    for dt in STEPS {
        let mut worst = [0.0_f64; 3];
        gear(dt, 1.0, |world, [first, second], mesh| {
            let seen = world.inspect();
            let rate = |b: BodyId| seen.body(b).unwrap().acceleration.spin.z;
            let torque = seen.reaction(mesh, 3).unwrap().torque.z;
            let off = [rate(first) - 50.0 / 3.0, rate(second) - 25.0 / 3.0, torque - 20.0 / 3.0];
            worst.iter_mut().zip(off).for_each(|(w, o)| *w = w.max(o.abs()));
        });
        for (what, off) in ["α₁", "α₂", "torque on shaft 2"].into_iter().zip(worst) {
            told(&(tag("MB17", Stepper::Spook, dt) + what), off, off, 1e-6);
        }
    }
}

/// MB17: ω₁ − 2ω₂ is zero after 100 s, at 1667 rad/s.
fn gear_ratio(dt: f64) {
    let (mut last, mut top) = (Vec::new(), 0.0);
    gear(dt, 100.0, |world, bodies, _| {
        let [a, b] = bodies.map(|b| world.state().bodies[b.index()].spin.z);
        last.push((a - 2.0 * b).abs());
        top = a;
    });
    let slip = last.iter().rev().take(50).fold(0.0, |m: f64, s| m.max(*s));
    near_part(&(tag("MB17", Stepper::Spook, dt) + "ω₁ after 100 s"), top, 5000.0 / 3.0, 1e-3);
    told(&(tag("MB17", Stepper::Spook, dt) + "ω₁ − 2ω₂ after 100 s"), slip, slip, 1e-9);
}

/// MB17 at 60 Hz: from 11 s on a shaft turns more than half a turn a step.
#[test]
fn mb17_gear_keeps_its_ratio_at_60_hz() {
    gear_ratio(1.0 / 60.0);
}

/// MB17 at 1 ms.
#[test]
fn mb17_gear_keeps_its_ratio_at_1_ms() {
    gear_ratio(1e-3);
}

/// MB18: open differential, ω_in = (ω₁ + ω₂)/2, inertias 0.2, 0.5, 0.7, 10 N·m on the input.
#[test]
fn mb18_differential() {
    for dt in STEPS {
        let mut rig = Rig::new(dt, Stepper::Spook);
        let (input, _, a) = shaft(&mut rig, 0.2, 0.0, Axis::free());
        let (left, _, b) = shaft(&mut rig, 0.5, 1.0, Axis::free());
        let (right, _, c) = shaft(&mut rig, 0.7, 2.0, Axis::free());
        rig.joint(Coupling::differential(a, [b, c]));
        twist(&mut rig, input, 10.0);
        let wanted = [(left, 8.5365854), (right, 6.097561), (input, 7.3170732)];
        let mut worst = 0.0_f64;
        rig.run(1.0, |world, _| {
            let seen = world.inspect();
            for (body, rate) in wanted {
                worst = worst.max((seen.body(body).unwrap().acceleration.spin.z - rate).abs());
            }
        });
        told(&(tag("MB18", Stepper::Spook, dt) + "α₁, α₂, α_in"), worst, worst, 1e-6);
    }
}

/// MB19 (a): I = 0.5, limit 2 N·m, target 10 rad/s: reached after I ω/τ = 2.5 s, the torque on its bound until then.
#[test]
fn mb19_motor_spins_up() {
    for dt in STEPS {
        let mut rig = Rig::new(dt, Stepper::Spook);
        let (body, hinge, _) = shaft(&mut rig, 0.5, 0.0, Axis::driven(Drive::motor(10.0, 2.0)));
        let trace = rig.trace(3.0, |world| {
            let seen = world.inspect();
            (seen.body(body).unwrap().twist.spin.z, seen.coordinate(hinge, 0).unwrap().effort)
        });
        let label = |what: &str| tag("MB19a", Stepper::Spook, dt) + what;
        let reached = trace.iter().find(|(_, s)| s.0 >= 10.0 - 1e-9).unwrap().0;
        near(&label("time to target"), reached, 2.5, dt * (1.0 + 1e-9));
        let limited = trace.iter().take_while(|(t, _)| *t < 2.5 - dt);
        let off = limited.fold(0.0, |m: f64, (_, s)| m.max((s.1 - 2.0).abs()));
        told(&label("torque while limited"), off, off, 1e-9);
        near(&label("speed kept"), trace[trace.len() - 1].1.0, 10.0, 1e-9);
    }
}

/// MB19 (b): 1 kg on 0.5 m, limit 2 N·m, target 0.05 rad/s from hanging: stalls where m g L sin θ = τ.
#[test]
fn mb19_motor_stalls() {
    for dt in STEPS {
        let mut rig = Rig::new(dt, Stepper::Spook);
        let mass = rig.body("mass", speck(1.0), DVec3::Z * -0.5);
        let motor = Axis::driven(Drive::motor(0.05, 2.0));
        let hinge = rig.driven_hinge([rig.ground, mass], DVec3::ZERO, DVec3::Y, motor);
        let trace = rig.trace(30.0, |world| world.coordinate(hinge, 0).unwrap().to_degrees());
        let late: Vec<_> = trace.iter().filter(|(t, _)| *t >= 15.0).map(|(_, a)| *a).collect();
        let mean = late.iter().sum::<f64>() / late.len() as f64;
        near(&(tag("MB19b", Stepper::Spook, dt) + "stall angle"), mean, 24.063396, 1.0);
    }
}

/// A nut of 2 kg and 0.01 kg·m² on a vertical screw of 0.05 m a turn.
fn nut(dt: f64, axis: Axis) -> (Rig, BodyId, JointId) {
    let mut rig = Rig::new(dt, Stepper::Spook);
    let moments = DVec3::new(0.006, 0.006, 0.01);
    let nut = rig.body("nut", Mass::principal(2.0, DVec3::ZERO, moments, DQuat::IDENTITY), DVec3::ZERO);
    let anchors = rig.grips([rig.ground, nut], DVec3::ZERO, DQuat::IDENTITY);
    let screw = rig.joint(Screw { anchors, lead: 0.05, phase: None, axis });
    (rig, nut, screw)
}

/// MB20: a = g/(1 + I (2π/p)²/m), by the way fallen in 2 s and by the acceleration itself; held by m g p/2π.
#[test]
fn mb20_screw() {
    for (dt, part) in STEPS.into_iter().zip([1e-3, 1e-4]) {
        let label = |what: &str| tag("MB20", Stepper::Spook, dt) + what;
        let (mut rig, body, _) = nut(dt, Axis::free());
        rig.run(2.0, |_, _| {});
        let fallen = -point(&rig.world, body, DVec3::ZERO).z;
        near_part(&label("acceleration by the way fallen"), fallen / 2.0, 0.1226912, part);
        let seen = rig.world.inspect().body(body).unwrap().acceleration;
        near_part(&label("acceleration"), -seen.velocity.z, 0.1226912, part);
        near_part(&label("spin acceleration"), -seen.spin.z, 15.417831, part);
        let (mut rig, _, screw) = nut(dt, Axis::driven(Drive::Hold(0.0)));
        rig.run(1.0, |_, _| {});
        let held = rig.world.inspect().coordinate(screw, 0).unwrap().effort;
        near_part(&label("holding torque"), held, 0.156131, 1e-3);
    }
}

/// MB21: a rod of 1 m and 2 kg falls from 60° onto a stop at 0° and rests there, bearing m g L/2, without sinking.
#[test]
fn mb21_stop() {
    for (dt, within) in STEPS.into_iter().zip([0.1, 0.01]) {
        let mut rig = Rig::new(dt, Stepper::Spook);
        let end =
            DVec3::new(libm::cos(std::f64::consts::FRAC_PI_3), 0.0, libm::sin(std::f64::consts::FRAC_PI_3));
        let rod = rig.bar("rod", 2.0, [DVec3::ZERO, end], 0.05);
        // the hinge counts from where it is made: the stop is 60° below
        let low = -std::f64::consts::FRAC_PI_3;
        let stop = Axis::limited(Limits::hard(low, f64::INFINITY));
        let hinge = rig.driven_hinge([rig.ground, rod], DVec3::ZERO, -DVec3::Y, stop);
        let trace = rig.trace(20.0, |world| (world.coordinate(hinge, 0).unwrap() - low).to_degrees());
        let late = trace.iter().filter(|(t, _)| *t > 2.0).fold(0.0, |m: f64, (_, a)| m.max(a.abs()));
        let label = |what: &str| tag("MB21", Stepper::Spook, dt) + what;
        told(&label("rest angle, 2 to 20 s"), trace[trace.len() - 1].1, late, within);
        let torque = rig.world.inspect().reaction(hinge, 1).unwrap().torque.y;
        near_part(&label("stop torque"), -torque, 9.81, 1e-3);
        let borne = rig.world.reaction(hinge, 1).unwrap().torque.y;
        near_part(&label("stop torque in the step"), -borne, 9.81, 1e-3);
    }
}
