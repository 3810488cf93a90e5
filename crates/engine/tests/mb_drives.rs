//! MB17–MB21: gears, differential, motor, screw and stop against closed forms.

use crate::kit;

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
    let mut rig = Rig::new(dt, Integrator::Spook);
    let (first, _, a) = shaft(&mut rig, 0.1, 0.0, Axis::free());
    let (second, _, b) = shaft(&mut rig, 0.8, 1.0, Axis::free());
    let mesh = rig.joint(LinearCoupling::gear(a, b, 2.0));
    twist(&mut rig, first, 5.0);
    rig.run(seconds, |world, _| look(world, [first, second], mesh));
}

/// MB17: accelerations and the torque on the second shaft, at every step of one second.
#[test]
fn mb17_gear_accelerates() {
    for dt in STEPS {
        let mut seen = [Vec::new(), Vec::new(), Vec::new()];
        gear(dt, 1.0, |world, [first, second], mesh| {
            let look = world.inspect();
            let rate = |b: BodyId| look.body(b).unwrap().acceleration.angular_velocity.z;
            seen[0].push(rate(first));
            seen[1].push(rate(second));
            seen[2].push(look.reaction(mesh, 3).unwrap().torque.z);
        });
        for (what, values) in ["α₁", "α₂", "torque the gear puts on shaft 2"].into_iter().zip(seen) {
            Case::new("MB17", Integrator::Spook, dt).stays(what, values);
        }
    }
}

/// MB17: ω₁ − 2ω₂ is zero after 100 s, at 1667 rad/s.
fn gear_ratio(dt: f64) {
    let (mut last, mut top) = (Vec::new(), 0.0);
    gear(dt, 100.0, |world, bodies, _| {
        let [a, b] = bodies.map(|b| world.state().bodies[b.index()].angular_velocity.z);
        last.push(a - 2.0 * b);
        top = a;
    });
    near_part("MB17 ω₁ after 100 s", top, 5000.0 / 3.0, 1e-3);
    Case::new("MB17", Integrator::Spook, dt).stays("ω₁ − 2ω₂ after 100 s", last.into_iter().rev().take(50));
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
        let mut rig = Rig::new(dt, Integrator::Spook);
        let (input, _, a) = shaft(&mut rig, 0.2, 0.0, Axis::free());
        let (left, _, b) = shaft(&mut rig, 0.5, 1.0, Axis::free());
        let (right, _, c) = shaft(&mut rig, 0.7, 2.0, Axis::free());
        rig.joint(LinearCoupling::differential(a, [b, c]));
        twist(&mut rig, input, 10.0);
        let trace = rig.trace(1.0, |world| {
            let seen = world.inspect();
            [left, right, input].map(|b| seen.body(b).unwrap().acceleration.angular_velocity.z)
        });
        for (k, what) in ["α₁", "α₂", "α_in"].into_iter().enumerate() {
            Case::new("MB18", Integrator::Spook, dt).stays(what, trace.iter().map(|(_, s)| s[k]));
        }
    }
}

/// MB19 (a): I = 0.5, limit 2 N·m, target 10 rad/s: reached after I ω/τ = 2.5 s, the torque on its bound until then.
#[test]
fn mb19_motor_spins_up() {
    for dt in STEPS {
        let mut rig = Rig::new(dt, Integrator::Spook);
        let (body, hinge, _) = shaft(&mut rig, 0.5, 0.0, Axis::driven(Drive::motor(10.0, 2.0)));
        let trace = rig.trace(3.0, |world| {
            let seen = world.inspect();
            (seen.body(body).unwrap().twist.angular_velocity.z, seen.coordinate(hinge, 0).unwrap().effort)
        });
        let case = Case::new("MB19", Integrator::Spook, dt);
        let reached = trace.iter().find(|(_, s)| s.0 >= 10.0 - 1e-9).unwrap().0;
        case.finds("(a) time to target", reached);
        let limited = trace.iter().take_while(|(t, _)| *t < 2.5 - dt);
        case.stays("(a) motor torque while limited", limited.map(|(_, s)| s.1));
        near("MB19 speed kept", trace[trace.len() - 1].1.0, 10.0, 1e-9);
    }
}

/// MB19 (b): 1 kg on 0.5 m, limit 2 N·m, target 0.05 rad/s from hanging: stalls where m g L sin θ = τ.
#[test]
fn mb19_motor_stalls() {
    for dt in STEPS {
        let mut rig = Rig::new(dt, Integrator::Spook);
        let mass = rig.body("mass", speck(1.0), DVec3::Z * -0.5);
        let motor = Axis::driven(Drive::motor(0.05, 2.0));
        let hinge = rig.driven_hinge([rig.ground, mass], DVec3::ZERO, DVec3::Y, motor);
        let trace = rig.trace(30.0, |world| world.coordinate(hinge, 0).unwrap().to_degrees());
        let late: Vec<_> = trace.iter().filter(|(t, _)| *t >= 15.0).map(|(_, a)| *a).collect();
        let mean = late.iter().sum::<f64>() / late.len() as f64;
        Case::new("MB19", Integrator::Spook, dt).finds("(b) stall angle (mean)", mean);
    }
}

/// A nut of 2 kg and 0.01 kg·m² on a vertical screw of 0.05 m a turn.
fn nut(dt: f64, axis: Axis) -> (Rig, BodyId, JointId) {
    let mut rig = Rig::new(dt, Integrator::Spook);
    let moments = DVec3::new(0.006, 0.006, 0.01);
    let nut = rig.body("nut", Mass::principal(2.0, DVec3::ZERO, moments, DQuat::IDENTITY), DVec3::ZERO);
    let anchors = rig.grips([rig.ground, nut], DVec3::ZERO, DQuat::IDENTITY);
    let screw = rig.joint(Screw { anchors, lead: 0.05, phase: None, axis });
    (rig, nut, screw)
}

/// MB20: a = g/(1 + I (2π/p)²/m), by the way fallen in 2 s and by the acceleration itself; held by m g p/2π.
#[test]
fn mb20_screw() {
    for dt in STEPS {
        let case = Case::new("MB20", Integrator::Spook, dt);
        let (mut rig, body, _) = nut(dt, Axis::free());
        rig.run(2.0, |_, _| {});
        let fallen = -point(&rig.world, body, DVec3::ZERO).z;
        let seen = rig.world.inspect().body(body).unwrap().acceleration;
        case.stays("acceleration", [fallen / 2.0, -seen.velocity.z]);
        case.finds("spin acceleration", -seen.angular_velocity.z);
        let (mut rig, _, screw) = nut(dt, Axis::driven(Drive::Lock(0.0)));
        rig.run(1.0, |_, _| {});
        let held = rig.world.inspect().coordinate(screw, 0).unwrap().effort;
        case.finds("holding torque", held);
    }
}

/// MB21: a rod of 1 m and 2 kg falls from 60° onto a stop at 0° and rests there, bearing m g L/2, without sinking.
#[test]
fn mb21_stop() {
    for dt in STEPS {
        let mut rig = Rig::new(dt, Integrator::Spook);
        let end =
            DVec3::new(libm::cos(std::f64::consts::FRAC_PI_3), 0.0, libm::sin(std::f64::consts::FRAC_PI_3));
        let rod = rig.bar("rod", 2.0, [DVec3::ZERO, end], 0.05);
        // the hinge counts from where it is made: the stop is 60° below
        let low = -std::f64::consts::FRAC_PI_3;
        let stop = Axis::limited(Limits::hard(low, f64::INFINITY));
        let hinge = rig.driven_hinge([rig.ground, rod], DVec3::ZERO, -DVec3::Y, stop);
        let trace = rig.trace(20.0, |world| (world.coordinate(hinge, 0).unwrap() - low).to_degrees());
        let case = Case::new("MB21", Integrator::Spook, dt);
        case.stays("rest angle", trace.iter().filter(|(t, _)| *t > 2.0).map(|(_, a)| *a));
        // of the instant and in the step
        let told = rig.world.inspect().reaction(hinge, 1).unwrap().torque.y;
        let borne = rig.world.reaction(hinge, 1).unwrap().torque.y;
        case.stays("stop torque", [-told, -borne]);
    }
}
