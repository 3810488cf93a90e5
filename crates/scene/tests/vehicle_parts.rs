//! Parts and commands of vehicles in scenes: what every template must keep, suspensions made of joints, tyres from a file, commands
//! to single components, ranges, starters, and what is wrong with a torque curve.

use crate::counting::allocated;
use crate::play::{at, changed, run, until};
use crate::vehicles::{TEMPLATES, Template, quantity};
use glam::DVec3;
use windlass_engine::prelude::{State, World};
use windlass_scene::{Built, VehicleWarning, parse};

fn template(name: &str) -> &'static Template {
    TEMPLATES.iter().find(|template| template.name == name).unwrap_or_else(|| panic!("no template {name}"))
}

/// A template that drives and turns.
fn driving(name: &str) -> Built {
    let script = match name {
        "wheel_loader" => "\"driver.drive\" = 0.6, \"driver.steering\" = \"15 deg\", \"driver.boom\" = 0.5",
        _ => "\"driver.pedals\" = 0.5, \"driver.steering\" = 0.3",
    };
    template(name).scene("", "", &format!("[[script]]\nat = 0\nset = {{ {script} }}"))
}

const DRIVERS: [&str; 4] = ["sedan", "semi_trailer", "wheel_loader", "mobile_crane_carrier"];

/// Steps that have been warm for a while, in which gears have changed, allocate nothing.
#[test]
fn warm_steps_of_templates_do_not_allocate() {
    for name in DRIVERS {
        let mut built = driving(name);
        run(&mut built, 6.0);
        let before = allocated();
        for _ in 0..60 {
            assert!(built.world.step().fault.is_none(), "{name}");
        }
        assert_eq!(allocated(), before, "{name}");
    }
}

/// A snapshot in the middle of a drive continues bit for bit in another world.
#[test]
fn restored_templates_continue_bit_for_bit() {
    for name in DRIVERS {
        let (mut built, mut other) = (driving(name), driving(name));
        run(&mut built, 3.0);
        let words = built.world.state().to_bytes();
        other.world.restore(State::from_bytes(&words).unwrap()).unwrap();
        for built in [&mut built, &mut other] {
            run(built, 6.0);
        }
        assert!(quantity(&built.world, "car", "speed").abs() > 1.0, "{name} drives");
        assert_eq!(built.world.state().hash(), other.world.state().hash(), "{name}");
    }
}

/// Every engine with a starter can be switched off, and started again.
#[test]
fn templates_start_their_engines() {
    for template in TEMPLATES.iter().filter(|template| template.driver == "driver") {
        let script = "[[script]]\nat = 0\nset = { \"driver.gear\" = 0, \"driver.ignition\" = 0 }\n\
                      [[script]]\nat = 20\nset = { \"driver.ignition\" = 2 }\n\
                      [[script]]\nat = 23\nset = { \"driver.ignition\" = 1 }";
        let mut built = template.scene("", "", script);
        let state = |world: &World| ["mode", "speed"].map(|name| quantity(world, "car.engine", name));
        run(&mut built, 20.0);
        let [mode, speed] = state(&built.world);
        assert!(mode == 0.0 && speed.abs() < 1.0, "{}: mode {mode}, {speed} rad/s", template.name);
        run(&mut built, 26.0);
        let [mode, speed] = state(&built.world);
        assert!(mode == 2.0 && speed > 50.0, "{}: mode {mode}, {speed} rad/s", template.name);
    }
}

/// Turbine over propeller is the ratio of the gear, times that of the range, which has been changed at rest.
#[test]
fn the_low_range_multiplies_the_ratio() {
    for (range, factor) in [(0.0, 1.0), (1.0, 2.72)] {
        let script = format!(
            "[instances.levers]\nprefab = \"truck_levers\"\n\
             [[script]]\nat = 0\nset = {{ \"levers.range\" = {range}, \"driver.gear\" = 0 }}\n\
             [[script]]\nat = 2\nset = {{ \"driver.gear\" = 1, \"driver.pedals\" = 0.2 }}"
        );
        let mut built = template("four_by_four").scene("", "", &script);
        run(&mut built, 5.0);
        let world = &built.world;
        assert_eq!(quantity(world, "car.range", "gear"), 2.0 - range);
        assert!(
            ["range", "gearbox"].iter().all(|name| quantity(world, &format!("car.{name}"), "phase") == 0.0)
        );
        let gear = quantity(world, "car.gearbox", "gear");
        let ratio = [2.48, 1.48, 1.0, 0.75][gear as usize - 1] * factor;
        let spin = |body: &str| {
            let id = world.model().body(body).unwrap();
            world.state().bodies[id.index()].angular_velocity.length()
        };
        let found = spin("car.turbine") / spin("car.propeller");
        assert!((found / ratio - 1.0).abs() < 1e-2, "{found} for {ratio}");
    }
}

/// On split friction the lock of one differential acts on its outputs alone; that of the vehicle on the others.
#[test]
fn a_lock_of_one_component_leaves_the_others_open() {
    let script = "\
        [inputs.center]\nrange = [0, 1]\nself_centering = false\n\
        drives = [{ vehicle = \"car\", component = \"transfer_case\", command = \"lock\" }]\n\
        [inputs.all]\nrange = [0, 1]\nself_centering = false\ndrives = [{ vehicle = \"car\", command = \"lock\" }]\n\
        [[script]]\nat = 0\nset = { center = CENTER, all = ALL, \"driver.pedals\" = 0.8, \"driver.steering\" = 0.8 }";
    let torques = |center: &str, all: &str| {
        let script = script.replace("CENTER", center).replace("ALL", all);
        let mut built = template("truck_8x8").scene("", "", &script);
        run(&mut built, 4.0);
        ["transfer_case", "front_differential", "rear_differential"]
            .map(|name| quantity(&built.world, &format!("car.{name}"), "lock_torque").abs() > 1.0)
    };
    assert_eq!(torques("0", "0"), [false; 3]);
    assert_eq!(torques("1", "0"), [true, false, false]);
    assert_eq!(torques("0", "1"), [false, true, true]);
}

/// Angle by which an axle of two wheels leans: from their heights.
fn lean(world: &World, [left, right]: [&str; 2]) -> f64 {
    let arm = at(world, left) - at(world, right);
    libm::atan2(arm.z, arm.truncate().length())
}

/// Axis of a body in its own axes, in the world.
fn axis(world: &World, body: &str, own: DVec3) -> DVec3 {
    let id = world.model().body(body).unwrap_or_else(|| panic!("no body {body}"));
    world.state().bodies[id.index()].orientation * own
}

/// The wheels of the beam axle lean with it, by the difference of the deflections of their tyres, while the body rolls more.
#[test]
fn a_beam_axle_leans_by_its_tyres() {
    let mut built = changed("vehicle/suspensions", &[]);
    run(&mut built, 9.5);
    let world = &built.world;
    let wheels = ["car.rear_left", "car.rear_right"];
    let [left, right] = wheels.map(|wheel| quantity(world, wheel, "deflection"));
    let expected = (right - left) / 1.5;
    let lean = lean(world, wheels);
    assert!((lean / expected - 1.0).abs() < 0.02, "{lean} for {expected}");
    let [a, b] = wheels.map(|wheel| quantity(world, wheel, "camber"));
    assert!((a - b).abs() < 1e-9 && (a - lean).abs() < 1e-4, "{a}, {b}, {lean}");
    let side = axis(world, "body", DVec3::Y);
    assert!(libm::asin(side.z).abs() > 2.0 * lean.abs(), "the body rolls by {}", side.z);
}

/// Camber of the front wheels over the ramp: that of the planar four-bar of wishbones and carrier at the angle of the lower arm.
#[test]
fn wishbones_lean_their_wheels_as_a_four_bar() {
    let mut built = changed("vehicle/suspensions", &[]);
    let (mut largest, mut worst) = (0.0f64, 0.0f64);
    until(&mut built, 5.0, |world| {
        // in the plane of the body: left and up
        let [y, z] = [DVec3::Y, DVec3::Z].map(|own| axis(world, "body", own));
        let within = |v: DVec3| glam::DVec2::new(v.dot(y), v.dot(z));
        let arm = within(axis(world, "lower0", DVec3::Y));
        let angle = libm::atan2(arm.y, arm.x);
        let (lower, upper) = (glam::DVec2::new(0.3, 0.19), glam::DVec2::new(0.38, 0.4));
        // the balls in the axes of the arms at the start
        let turned = glam::DVec2::from_angle(angle).rotate(glam::DVec2::new(0.68, 0.17) - lower);
        let ball = lower + turned;
        let lengths =
            [glam::DVec2::new(0.66, 0.42) - upper, glam::DVec2::new(-0.02, 0.25)].map(|v| v.length());
        // the upper ball: on both circles, the outer of the two points
        let line = ball - upper;
        let distance = line.length();
        let along =
            (lengths[0] * lengths[0] - lengths[1] * lengths[1] + distance * distance) / (2.0 * distance);
        let across = (lengths[0] * lengths[0] - along * along).sqrt();
        let top = upper + (line * along + line.perp() * across) / distance;
        let carrier = top - ball;
        let expected = libm::atan2(carrier.y, carrier.x) - libm::atan2(0.25, -0.02);
        let axle = within(axis(world, "wheel0", DVec3::Z));
        let camber = libm::atan2(axle.y, axle.x);
        largest = largest.max(camber.abs());
        worst = worst.max((camber - expected).abs());
    });
    assert!(largest > 0.02, "the ramp moves the wheel: {largest}");
    assert!(worst < 2e-3, "{worst} of {largest}");
}

/// On the tyre of a file the car corners with the lateral force of its weight, and brakes as its friction allows.
#[test]
fn a_car_drives_on_a_tyre_file() {
    let mut built = changed("vehicle/tyre_file", &[]);
    run(&mut built, 7.0);
    let wheels = ["front_left", "front_right", "rear_left", "rear_right"].map(|wheel| format!("car.{wheel}"));
    let sum = |name: &str| wheels.iter().map(|wheel| quantity(&built.world, wheel, name)).sum::<f64>();
    let id = built.world.model().body("body").unwrap();
    let body = &built.world.state().bodies[id.index()];
    let (weight, lateral) = (sum("load"), sum("force_y"));
    assert!((weight / (1280.0 * 9.81) - 1.0).abs() < 0.02, "{weight}");
    let needed = 1280.0 * body.angular_velocity.z * body.velocity.length();
    assert!(lateral > 3000.0 && (lateral / needed - 1.0).abs() < 0.05, "{lateral} for {needed}");
    run(&mut built, 13.0);
    assert!(quantity(&built.world, "car", "speed").abs() < 0.05, "it stops");
}

/// A torque that falls within a few rad/s is warned about where the step is too long for it, and not with more inertia.
#[test]
fn cliffs_of_torque_are_warned_about() {
    let scene = |inertia: &str| {
        let text = format!(
            "windlass = 2\n[bodies.base]\ntype = \"static\"\n[vehicles.t]\nchassis = \"base\"\n\
             [vehicles.t.shafts]\ncrank = {{ inertia = \"{inertia}\" }}\n\
             [vehicles.t.components.engine.engine]\nshaft = \"crank\"\nmax_speed = \"6000 rpm\"\n\
             torque = {{ speed = [\"0 rpm\", \"4000 rpm\", \"4010 rpm\"], full = [\"200 N*m\", \"200 N*m\", \"50 N*m\"] }}\n\
             [vehicles.t.components.load.brake]\nshaft = \"crank\"\ntorque = \"10 N*m\"\n"
        );
        parse(&text, "test").and_then(|scene| scene.build()).unwrap_or_else(|e| panic!("{e}"))
    };
    let found = VehicleWarning::all(&scene("0.15 kg*m^2").world);
    let [warning] = &found[..] else { panic!("{found:?}") };
    assert_eq!(warning.name, "t.engine");
    assert!(warning.warning.contains("from 418.9 rad/s on, 15.9 times"), "{}", warning.warning);
    assert_eq!(VehicleWarning::all(&scene("5 kg*m^2").world), []);
}
