//! Motions made of motions, and levers that stop otherwise than they start, as scenes have them.

use crate::play::{at, run, until};
use glam::DVec3;
use windlass_scene::{Built, parse};

fn build(text: &str) -> Built {
    parse(text, "motions").and_then(|scene| scene.build()).unwrap_or_else(|e| panic!("{e}"))
}

/// Starts within 1 s, runs at 0.5 m/s, stops between 4 s and 6 s: the area of a trapezium, 0.5 · (6 + 3)/2 m.
const HOIST: &str = "{ sum = [{ accelerate = { from = \"1 m\", speed = 0.5, end = 1 } }, \
    { accelerate = { speed = \"-0.5 m/s\", start = 4, end = 6 } }] }";

#[test]
fn a_sum_of_accelerations_starts_runs_and_stops() {
    for stepper in ["spook", "projected", "dormand-prince"] {
        let mut built = build(&format!(
            "windlass = 2\n[settings]\nintegrator = \"{stepper}\"\ndt = 0.01\n[bodies]\nmast = {{ type = \"static\" }}\n\
             hook = {{ position = [1, 0, 0], mass = 5, inertia = [1, 1, 1] }}\n\
             cage = {{ type = \"kinematic\", path = {{ z = {HOIST} }} }}\n[joints]\n\
             lift = {{ slider = {{ bodies = [\"mast\", \"hook\"], axis = [0, 0, 1], prescribed = {HOIST} }} }}\n"
        ));
        let wanted = |t: f64| match t {
            t if t <= 1.0 => 1.0 + 0.5 * t * t * t * (1.0 - 0.5 * t),
            t if t <= 4.0 => 1.0 + 0.5 * (t - 0.5),
            t if t >= 6.0 => 1.0 + 2.25,
            t => 1.0 + 0.5 * (t - 0.5) - ((t - 4.0) / 2.0).powi(3) * (1.0 - (t - 4.0) / 4.0),
        };
        let lift = built.world.model().joint("lift").expect("a joint");
        // a follower that starts elsewhere is brought there in a step
        until(&mut built, 8.0, |world| {
            let (t, z) = (world.state().time, at(world, "cage").z);
            assert!((z - wanted(t)).abs() < 1e-12, "{stepper}: {z} m at {t} s");
            let way = world.coordinate(lift, 0).expect("a way");
            assert!(t < 0.05 || (way - wanted(t)).abs() < 1e-4, "{stepper}: {way} m at {t} s");
        });
    }
}

/// Products and blends of an instance turn along with it.
#[test]
fn paths_of_an_instance_are_turned() {
    let body = "cart = { type = \"kinematic\", path = { \
        x = { product = { motion = { sine = { amplitude = 2, frequency = 0.3, phase = 1 } }, factor = { smooth = { from = 1, to = \"20 %\", end = 3 } } } }, \
        y = { blend = { from = { constant = 1 }, to = { ramp = { speed = \"-2 m/s\" } }, start = 1, end = 2 } }, \
        z = { accelerate = { speed = 1, end = 2 } } } }";
    let mut built = build(&format!(
        "windlass = 2\n[bodies]\n{body}\n[prefabs.line.bodies]\n{body}\n[instances.far]\nprefab = \"line\"\n\
         position = [10, 0, 5]\nrotation = {{ axis = [1, 2, 3], angle = 1 }}\n"
    ));
    let turn = glam::DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 1.0);
    until(&mut built, 4.0, |world| {
        let (own, far) = (at(world, "cart"), at(world, "far.cart"));
        let wanted = DVec3::new(10.0, 0.0, 5.0) + turn * own;
        assert!((far - wanted).length() < 1e-12, "{far} is not {wanted}");
    });
    let now = at(&built.world, "cart");
    let swing = 2.0 * libm::sin(std::f64::consts::TAU * 0.3 * 4.0 + 1.0);
    assert!((now - DVec3::new(0.2 * swing, -8.0, 3.0)).length() < 1e-9, "{now}");
}

/// 4 s at 0.25 m/s², 1 s at 1 m/s, 0.5 s at −2 m/s²: 2 m, 1 m and 0.25 m. Thrown over to the other side it stops first.
#[test]
fn a_lever_stops_by_its_own_ramp() {
    let text = |then: &str| {
        format!(
            "windlass = 2\n[settings]\ndt = 0.01\ngravity = [0, 0, 0]\n[bodies]\nrail = {{ type = \"static\" }}\n\
             trolley = {{ mass = 200, inertia = [20, 20, 20] }}\n[joints.travel]\n\
             slider = {{ bodies = [\"rail\", \"trolley\"], axis = [1, 0, 0], motor = {{ speed = 0 }} }}\n\
             [inputs.travel]\nrange = [-1, 1]\nrate = \"0.25 m/s^2\"\nstop_rate = \"2 m/s^2\"\n\
             drives = [{{ joint = \"travel\" }}]\n[[script]]\nat = 0\nset = {{ travel = 1 }}\n\
             [[script]]\nat = 5\nset = {{ travel = {then} }}\n"
        )
    };
    for (then, end, wanted) in [("0", 8.0, 3.25), ("-1", 9.5, 3.25 - 2.0)] {
        let mut built = build(&text(then));
        assert_eq!((built.controls[0].rate, built.controls[0].stop_rate), (Some(0.25), Some(2.0)));
        run(&mut built, end);
        let x = at(&built.world, "trolley").x;
        assert!((x - wanted).abs() < 1e-9, "{then}: {x} m");
    }
    let told = parse(&text("0").replace("\"2 m/s^2\"", "0"), "bad").and_then(|scene| scene.build());
    assert!(told.expect_err("no rate").to_string().contains("`stop_rate` is 0"));
}

#[test]
fn motions_that_end_before_they_start_are_told() {
    for motion in
        ["accelerate = { speed = 1, start = 2, end = 1 }", "blend = { to = { constant = 1 }, end = -1 }"]
    {
        let text =
            format!("windlass = 2\n[bodies.a]\ntype = \"kinematic\"\npath = {{ x = {{ {motion} }} }}\n");
        let told = parse(&text, "bad").and_then(|scene| scene.build()).expect_err(motion).to_string();
        assert!(told.contains("give a later `end`"), "{motion}: {told}");
    }
}
