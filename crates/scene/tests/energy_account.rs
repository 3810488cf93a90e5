//! The energy account: what changed is the work of loads, drives, damping, friction and contact, and a numerical error that is
//! second order.

use windlass_engine::prelude::Work;
use windlass_scene::{Built, parse};

/// What a run of a scene in steps of dt accounts for.
struct Account {
    change: f64,
    work: Work,
}

impl Account {
    fn of(text: &str, dt: f64, seconds: f64) -> Account {
        let text = format!("windlass = 2\n[settings]\ndt = {dt}\n{text}");
        let mut built = parse(&text, "account").and_then(|scene| scene.build()).expect("a scene");
        let start = built.world.inspect().energy().total();
        let mut work = Work::default();
        for _ in 0..(seconds / dt).round() as usize {
            let report = built.world.step();
            assert!(report.fault.is_none());
            work = work.plus(report.work.expect("spook, and no subsystems"));
        }
        let Built { world, .. } = &mut built;
        let end = world.inspect();
        let work = work.plus(end.work().expect("spook, and no subsystems"));
        Account { change: end.energy().total() - start, work }
    }

    fn error(&self) -> f64 {
        self.change - self.work.total()
    }
}

/// Within a part of what is wanted.
#[track_caller]
fn near(what: &str, found: f64, wanted: f64, part: f64) {
    assert!((found - wanted).abs() <= part * wanted.abs(), "{what}: {found} J, not {wanted} J");
}

/// A crate of 2 kg on a belt at 2 m/s, μ = 0.4: it slides for v/(μ g) = 0.51 s while the belt does μ m g v t = m v² of work, of which
/// half becomes heat.
#[test]
fn a_belt_does_twice_the_work_that_its_load_keeps() {
    let text = r#"
[materials]
rubber = { density = 1000, friction = 0.4, restitution = 0 }
[bodies.belt]
type = "static"
shape = { box = { size = [20, 1, 1] } }
position = [0, 0, -0.5]
material = "rubber"
surface_velocity = [2, 0, 0]
[bodies.crate]
shape = { box = { size = [0.2, 0.2, 0.1] } }
mass = 2
position = [-5, 0, 0.05]
material = "rubber"
"#;
    for dt in [1.0 / 60.0, 1e-3] {
        let account = Account::of(text, dt, 1.5);
        near("drives", account.work.drives, 8.0, 1e-3);
        near("friction", account.work.friction, -4.0, 1e-3);
        assert!(account.error().abs() < 1e-3, "{} J", account.error());
    }
}

/// A ball that falls 1 m and rebounds with e = 0.5 leaves ¾ m g h in the blow.
#[test]
fn a_blow_takes_what_restitution_leaves() {
    let text = r#"
[materials]
rubber = { density = 1000, friction = 0, restitution = 0.5 }
[bodies.floor]
type = "static"
shape = { plane = {} }
material = "rubber"
[bodies.ball]
shape = { sphere = { radius = 0.1 } }
mass = 2
position = [0, 0, 1.1]
material = "rubber"
"#;
    for dt in [1.0 / 60.0, 1e-3] {
        let account = Account::of(text, dt, 0.7);
        near("contact", account.work.contact, -0.75 * 2.0 * 9.81, 1.2 * dt);
        assert!(account.error().abs() < 1e-11, "{} J", account.error());
    }
}

/// A motor of constant torque on a wheel: M φ; its brake, a viscous bearing, takes c ∫ω².
#[test]
fn a_motor_and_a_bearing_are_told_apart() {
    let text = r#"
gravity = [0, 0, 0]
[bodies.ground]
type = "static"
[bodies.wheel]
shape = { cylinder = { radius = 0.5, length = 0.1 } }
mass = 8
[joints.axle.hinge]
bodies = ["ground", "wheel"]
at = [0, 0, 0]
axis = [0, 0, 1]
motor = { speed = 1000, force = 2 }
damping = 0.5
"#;
    // I = 1 kg·m², M = 2 N·m, c = 0.5: ω = 4 (1 − e^(−t/2)), φ = 4 (t − 2 (1 − e^(−t/2)))
    let t = 3.0f64;
    let decay = 1.0 - libm::exp(-0.5 * t);
    let (speed, turned) = (4.0 * decay, 4.0 * (t - 2.0 * decay));
    for dt in [1.0 / 60.0, 1e-3] {
        let account = Account::of(text, dt, t);
        let part = 0.1 * dt * dt + 1e-9;
        near("drives", account.work.drives, 2.0 * turned, part);
        near("damping", account.work.damping, 0.5 * speed * speed - 2.0 * turned, 2.0 * part);
        near("change", account.change, 0.5 * speed * speed, part);
        assert!(account.error().abs() < part, "{} J", account.error());
    }
}

/// Prescribed motion, loads and damped springs: the error falls with the square of the step.
#[test]
fn the_error_is_second_order() {
    let shaken = r#"
[bodies.shaker]
type = "kinematic"
path = { x = { sine = { mean = 0, amplitude = 0.1, frequency = "1 Hz" } } }
[bodies.mass]
mass = 2
inertia = [1, 1, 1]
position = [0.5, 0, 0]
[joints.guide]
slider = { bodies = ["shaker", "mass"], axis = [1, 0, 0], spring = { stiffness = 200, damping = 3 } }
"#;
    let pushed = r#"
[bodies.ground]
type = "static"
[bodies.arm]
mass = 3
inertia = [0.5, 0.5, 0.5]
position = [0.6, 0, 0]
[joints.pin.hinge]
bodies = ["ground", "arm"]
at = [0, 0, 0]
axis = [0, 1, 0]
spring = { stiffness = 20, damping = 0.5 }
[forces.push.applied]
body = "arm"
force = [0, 0, 60]
"#;
    for (name, text) in [("shaken", shaken), ("pushed", pushed)] {
        let [coarse, fine] = [1.0 / 100.0, 1.0 / 400.0].map(|dt| Account::of(text, dt, 1.3));
        let scale = fine.work.supplied().abs();
        assert!(scale > 0.1 && fine.work.damping < -1e-3 * scale, "{name}: {:?}", fine.work);
        assert!(coarse.error().abs() < 0.02 * scale, "{name}: {} of {scale} J", coarse.error());
        assert!(
            fine.error().abs() < 0.1 * coarse.error().abs(),
            "{name}: {} {}",
            coarse.error(),
            fine.error()
        );
    }
}
