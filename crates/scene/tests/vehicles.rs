//! The vehicles of the library, and the scenes of `scenes/vehicle`: they do what their heads say.

use crate::play;

use glam::{DMat3, DVec2, DVec3};
use play::{G, at, changed, energy_error, run, until};
use std::f64::consts::FRAC_PI_2;
use windlass_engine::prelude::World;
use windlass_scene::{Built, parse};

/// A vehicle of the library.
pub struct Template {
    /// Name of its file and prefab.
    pub name: &'static str,
    /// Prefab of its controls.
    pub driver: &'static str,
    /// Its body that is observed.
    pub chassis: &'static str,
    /// Mass of all its bodies [kg].
    mass: f64,
    /// Bound of its movement in a minute at rest [m].
    drift: f64,
}

/// The hook of the crane swings by itself, so that the crane moves on its springs.
pub const TEMPLATES: [Template; 7] = [
    Template { name: "sedan", driver: "driver", chassis: "body", mass: 1649.0, drift: 1e-6 },
    Template { name: "four_by_four", driver: "driver", chassis: "body", mass: 2524.0, drift: 1e-6 },
    Template { name: "truck_8x8", driver: "driver", chassis: "chassis", mass: 15_549.4, drift: 1e-6 },
    Template { name: "semi_trailer", driver: "driver", chassis: "tractor", mass: 35_521.0, drift: 1e-6 },
    Template { name: "wheel_loader", driver: "loader_driver", chassis: "rear", mass: 15_000.0, drift: 1e-6 },
    Template { name: "forklift", driver: "forklift_driver", chassis: "chassis", mass: 3920.0, drift: 1e-6 },
    Template {
        name: "mobile_crane_carrier",
        driver: "driver",
        chassis: "carrier",
        mass: 47_991.0,
        drift: 1e-4,
    },
];

impl Template {
    /// The vehicle on a plane, with these settings, parameters and script.
    pub fn scene(&self, settings: &str, parameters: &str, script: &str) -> Built {
        let Template { name, driver, .. } = self;
        let controls = if *driver == "driver" { "\"windlass:driver.toml\"" } else { "" };
        let text = format!(
            r#"
windlass = 2
include = ["windlass:{name}.toml", {controls}]
[settings]
{settings}
[bodies.road]
type = "static"
shape = {{ plane = {{}} }}
material = "asphalt"
[instances]
car = {{ prefab = "{name}", parameters = {{ {parameters} }} }}
driver = {{ prefab = "{driver}", parameters = {{ vehicle = "car" }} }}
{script}
"#
        );
        parse(&text, "template").and_then(|scene| scene.build()).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// The same with its parking brake applied, in neutral if it has an automatic gearbox.
    fn parked(&self, settings: &str) -> Built {
        let gear = if self.driver == "driver" { ", \"driver.gear\" = 0" } else { "" };
        self.scene(
            settings,
            "",
            &format!("[[script]]\nat = 0\nset = {{ \"driver.parking_brake\" = 1{gear} }}"),
        )
    }

    fn place(&self, world: &World) -> DVec3 {
        at(world, &format!("car.{}", self.chassis))
    }
}

/// A scene of the folder, with overrides.
fn scene(name: &str, overrides: &[&str]) -> Built {
    changed(&format!("vehicle/{name}"), overrides)
}

/// A quantity of a vehicle, a component or a wheel.
pub fn quantity(world: &World, item: &str, name: &str) -> f64 {
    let all = world.quantities();
    let found = all.iter().find(|(key, _, q)| *key == "vehicles" && q.item == item && q.name == name);
    let (_, id, _) = found.unwrap_or_else(|| panic!("no {item}.{name}"));
    world.read_quantity(*id)
}

/// The axes of a body as columns.
fn axes(world: &World, body: &str) -> DMat3 {
    let id = world.model().body(body).unwrap_or_else(|| panic!("no body {body}"));
    DMat3::from_quat(world.state().bodies[id.index()].orientation)
}

/// Angle about the vertical to which a body has turned, positive to the left.
fn heading(world: &World, body: &str) -> f64 {
    let x = axes(world, body).x_axis;
    libm::atan2(x.y, x.x)
}

/// Angle by which a body leans, positive to its right.
fn roll(world: &World, body: &str) -> f64 {
    let side = axes(world, body);
    libm::atan2(side.y_axis.z, side.z_axis.z)
}

fn speed(world: &World, vehicle: &str) -> f64 {
    quantity(world, vehicle, "speed")
}

#[track_caller]
fn near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

#[test]
fn templates_weigh_what_their_heads_say() {
    for template in &TEMPLATES {
        let world = template.scene("", "", "").world;
        let own = world.model().bodies().iter().filter(|(_, body)| body.name.starts_with("car."));
        let mass: f64 = own.map(|(_, body)| body.mass.mass).sum();
        assert!((mass - template.mass).abs() < 0.1, "{}: {mass} kg", template.name);
    }
}

/// Springs carry the weight from the start; what moves then is the settling of tyres. Afterwards nothing moves for a minute.
#[test]
fn templates_stand_still() {
    for template in &TEMPLATES {
        let mut built = template.parked("");
        let start = template.place(&built.world);
        until(&mut built, 20.0, |world| {
            let moved = template.place(world).distance(start);
            assert!(moved < 5e-3, "{}: {moved} m", template.name);
        });
        let settled = template.place(&built.world);
        run(&mut built, 80.0);
        let moved = template.place(&built.world).distance(settled);
        assert!(moved < template.drift, "{}: {moved} m", template.name);
    }
}

/// Speed of a parked vehicle [m/s]: 1 µm per hour.
const PARKED: f64 = 1e-6 / 3600.0;

/// On 20 %, uphill and downhill: once it has settled, a vehicle creeps by less than 1 µm per hour.
#[test]
fn parking_brakes_hold_on_a_slope() {
    let slope: f64 = libm::atan(0.2);
    for template in &TEMPLATES {
        for side in [1.0, -1.0] {
            let pull = -side * G * libm::sin(slope);
            let mut built = template.parked(&format!("gravity = [{pull}, 0, {}]", -G * libm::cos(slope)));
            run(&mut built, 60.0);
            let settled = template.place(&built.world);
            run(&mut built, 120.0);
            let moved = template.place(&built.world).distance(settled);
            // the hook of the crane swings
            let allowed = if template.name == "mobile_crane_carrier" { 1e-3 } else { 60.0 * PARKED };
            assert!(moved < allowed, "{} on {side}: {:e} m per hour", template.name, 60.0 * moved);
        }
    }
}

/// From 15 m/s in neutral with half of the brakes: the offset is below 1 % of the way.
#[test]
fn templates_brake_straight() {
    let script = "[[script]]\nat = 0\nset = { \"driver.gear\" = 0 }\n[[script]]\nat = 0.5\nset = { \"driver.pedals\" = -0.5 }";
    for template in TEMPLATES.iter().filter(|t| t.driver == "driver") {
        let mut built = template.scene("", "speed = 15", script);
        let start = template.place(&built.world);
        run(&mut built, 12.0);
        let way = template.place(&built.world) - start;
        assert!((15.0..80.0).contains(&way.x), "{}: {way}", template.name);
        assert!(way.y.abs() < 1e-2 * way.x, "{}: {way}", template.name);
        let left = speed(&built.world, "car");
        assert!(left.abs() < 0.02, "{}: {left} m/s", template.name);
    }
}

/// Scripts of all scenes on flat ground, for 15 s: below 1e-3 of the largest kinetic energy.
#[test]
fn energy_is_accounted_for() {
    for name in [
        "sprint",
        "step_steer",
        "truck_8x8",
        "semi_trailer",
        "wheel_loader",
        "hill_start",
        "braking",
        "mobile_crane",
    ] {
        let error = energy_error(&mut scene(name, &[]), 15.0);
        assert!(error.abs() < 1e-3, "{name}: {error}");
    }
}

/// Time from 0 to 100 km/h, and the speed after a minute [m/s].
fn sprint(dt: &str) -> [f64; 2] {
    let mut built = scene("sprint", &[&format!("settings.dt={dt}")]);
    let mut reached = f64::NAN;
    until(&mut built, 60.0, |world| {
        if reached.is_nan() && speed(world, "car") >= 100.0 / 3.6 {
            reached = world.state().time - 0.5;
        }
    });
    assert_eq!(quantity(&built.world, "car.gearbox", "gear"), 5.0);
    [reached, speed(&built.world, "car")]
}

#[test]
fn the_sedan_sprints() {
    let [time, fast] = sprint("1/60 s");
    near(time, 6.4, 0.1);
    near(3.6 * fast, 260.0, 2.0);
    let [fine, fast_fine] = sprint("1/240 s");
    near(fine, time, 0.03 * time);
    near(fast_fine, fast, 0.01 * fast);
}

/// Steady roll φ = m a h/(K − m g h): springs, bars and tyres in series carry the moment of the sprung mass.
#[test]
fn the_sedan_rolls_by_its_springs() {
    let values = |dt: &str| {
        let mut built = scene("step_steer", &[&format!("settings.dt={dt}")]);
        let mut peak: f64 = 0.0;
        let spin = |world: &World| {
            let id = world.model().body("car.body").expect("a car");
            world.state().bodies[id.index()].angular_velocity.z
        };
        until(&mut built, 4.0, |world| peak = peak.max(spin(world)));
        let rate = spin(&built.world);
        [peak, rate, speed(&built.world, "car") * rate, roll(&built.world, "car.body")]
    };
    let [peak, rate, acceleration, lean] = values("1/60 s");
    near(peak, 0.304, 0.005);
    assert!(peak > 1.02 * rate, "{peak} {rate}");
    let (mass, height, track) = (1550.0, 0.55, 1.55f64);
    let suspension = track * track * (28e3 + 16e3 + 8e3);
    let tires = track * track * 280e3;
    let stiffness = 1.0 / (1.0 / suspension + 1.0 / tires);
    let closed = mass * acceleration * height / (stiffness - mass * G * height);
    near(lean, closed, 0.1 * closed);
    let [peak_fine, rate_fine, _, lean_fine] = values("1/240 s");
    near(peak_fine, peak, 0.02 * peak);
    near(rate_fine, rate, 0.02 * rate);
    near(lean_fine, lean, 0.03 * lean);
}

/// It reaches the side lane and comes back; all cones stand where they stood.
#[test]
fn the_lane_change_touches_no_cone() {
    let mut built = scene("double_lane_change", &[]);
    let names: Vec<String> = built.world.model().bodies().iter().map(|(_, b)| b.name.clone()).collect();
    let cones: Vec<&String> = names.iter().filter(|name| name.ends_with(".cone")).collect();
    assert_eq!(cones.len(), 26);
    let before: Vec<DVec3> = cones.iter().map(|name| at(&built.world, name)).collect();
    let mut largest = 0.0_f64;
    until(&mut built, 10.0, |world| largest = largest.max(at(world, "car.body").y));
    near(largest, 3.5, 0.1);
    near(at(&built.world, "car.body").y, 0.0, 0.1);
    for (name, start) in cones.iter().zip(before) {
        let moved = at(&built.world, name).truncate().distance(start.truncate());
        assert!(moved < 1e-3, "{name}: {moved} m");
    }
}

/// Locked wheels slide in the direction of motion, whatever their angle; rolling ones steer.
#[test]
fn locked_wheels_do_not_steer() {
    let mut built = scene("braking", &[]);
    let lanes = ["rolling", "locked"].map(|car| at(&built.world, &format!("{car}.body")).y);
    run(&mut built, 2.0);
    for wheel in ["front_left", "front_right", "rear_left", "rear_right"] {
        near(quantity(&built.world, &format!("locked.{wheel}"), "slip"), -1.0, 0.05);
        assert!(quantity(&built.world, &format!("rolling.{wheel}"), "slip") > -0.3);
    }
    run(&mut built, 8.0);
    let world = &built.world;
    let [rolling, locked] = [0, 1].map(|k| at(world, ["rolling.body", "locked.body"][k]).y - lanes[k]);
    near(rolling, 23.1, 0.5);
    near(locked, 0.66, 0.1);
    near(at(world, "rolling.body").x, 72.6, 0.5);
    near(at(world, "locked.body").x, 50.3, 0.3);
    for name in ["rolling", "locked"] {
        assert!(speed(world, name).abs() < 1e-2);
    }
}

/// With control the wheels roll on, so the car steers, and it stops sooner: the friction of sliding is 0.8 of the peak.
#[test]
fn anti_lock_control_stops_sooner_and_steers() {
    let mut built = scene("anti_lock", &[]);
    run(&mut built, 1.5);
    for wheel in ["front_left", "front_right", "rear_left", "rear_right"] {
        near(quantity(&built.world, &format!("locked.{wheel}"), "slip"), -1.0, 0.05);
        near(quantity(&built.world, &format!("controlled.{wheel}"), "slip"), -0.12, 0.06);
    }
    run(&mut built, 6.0);
    let [controlled, locked] = ["controlled.body", "locked.body"].map(|car| at(&built.world, car));
    near(locked.x, 50.3, 0.5);
    near(controlled.x, 45.9, 0.5);
    assert!(controlled.y - 1.5 > 2.5 && (locked.y + 1.5).abs() < 0.7, "{controlled} {locked}");
    for car in ["controlled", "locked"] {
        assert!(speed(&built.world, car).abs() < 1e-2);
    }
    // the discs have the energy of the cars, but for what air, rolling and sliding take
    let hot = quantity(&built.world, "controlled.front_left.brake", "temperature");
    assert!((10.0..60.0).contains(&hot), "{hot} K");
}

#[test]
fn unequal_friction_turns_the_car() {
    let mut built = scene("mu_split", &[]);
    run(&mut built, 1.6);
    let [left, right] =
        ["left", "right"].map(|side| quantity(&built.world, &format!("car.front_{side}"), "force_x"));
    // ice has 0.15/0.9 of the friction of asphalt
    near(left / right, 2.4, 0.3);
    let load = quantity(&built.world, "car.front_right", "load");
    near(right.abs() / load, 0.15 / 0.9, 0.05);
    run(&mut built, 10.0);
    near(heading(&built.world, "car.body").to_degrees(), 6.2, 1.0);
    assert!(at(&built.world, "car.body").y > 2.0);
    near(speed(&built.world, "car"), 0.0, 1e-3);
}

#[test]
fn the_hill_start_does_not_roll_back() {
    let mut built = scene("hill_start", &[]);
    run(&mut built, 2.9);
    let start = at(&built.world, "car.body");
    let mut back = 0.0_f64;
    until(&mut built, 10.0, |world| back = back.min(at(world, "car.body").x - start.x));
    assert!(back > -5e-3, "{back}");
    assert!(at(&built.world, "car.body").x > start.x + 20.0);
    // 20 %
    let way = at(&built.world, "car.body") - start;
    near(way.z / way.x, 0.2, 1e-3);
}

/// Track over twice the height: the wheels inside of the turn lift before the truck lies on its side.
#[test]
fn the_high_truck_turns_over() {
    let mut built = scene("rollover", &[]);
    let (body, load) = (2200.6 + 4.0 * 79.6 + 5.0, 600.0);
    let height = (2200.6 * 1.0 + 4.0 * 79.6 * 0.451 + load * 2.15) / (body + load);
    let factor = 0.5 * 1.82 / height;
    assert!(factor < 0.9, "{factor}");
    let mut lifted = f64::NAN;
    let mut lean = 0.0_f64;
    until(&mut built, 8.0, |world| {
        let inner =
            ["front_right", "rear_right"].map(|wheel| quantity(world, &format!("car.{wheel}"), "load"));
        if lifted.is_nan() && inner == [0.0, 0.0] {
            lifted = world.state().time;
        }
        lean = lean.max(roll(world, "car.body").abs());
    });
    assert!((1.6..3.5).contains(&lifted), "{lifted}");
    assert!(lean > FRAC_PI_2, "{lean}");
    // without the load on its roof it slides
    let mut low = scene("rollover", &["bodies.roof_load.mass=1 kg"]);
    let mut lean = 0.0_f64;
    until(&mut low, 8.0, |world| lean = lean.max(roll(world, "car.body").abs()));
    assert!(lean < 0.3, "{lean}");
}

/// Small angles: 77 kN/rad. Large ones: the friction at full sliding is 0.8 of that at small slip.
#[test]
fn the_rig_measures_the_tyre() {
    let mut built = scene("tyre_rig", &[]);
    let read = |world: &World, name: &str| quantity(world, "rig.wheel", name);
    let mut worst = 0.0_f64;
    until(&mut built, 0.15, |world| {
        let angle = read(world, "slip_angle");
        if angle.abs() > 0.004 {
            worst = worst.max((read(world, "force_y") / (77e3 * angle) + 1.0).abs());
        }
    });
    // parabola of the brush model: 1 − θ + θ²/3 with θ = C α/(3 μ F) = 0.06 at 0.01 rad
    assert!(worst > 0.0 && worst < 0.1, "{worst}");
    let mut peak = 0.0_f64;
    until(&mut built, 5.0, |world| peak = peak.max(read(world, "force_y")));
    near(read(&built.world, "load"), 4000.0, 20.0);
    near(peak, 3900.0, 100.0);
    let free = read(&built.world, "force_y");
    run(&mut built, 25.0);
    let braked = read(&built.world, "force_y");
    assert!(braked.abs() < 0.95 * free.abs(), "{braked} {free}");
    assert!(braked.hypot(read(&built.world, "force_x")) < 4100.0);
}

/// The load swings by the acceleration of the crane and keeps clear of it; nothing turns over.
#[test]
fn the_crane_carries_its_load() {
    let mut built = scene("mobile_crane_driving", &[]);
    let mut offset = 0.0_f64;
    until(&mut built, 30.0, |world| {
        let way = at(world, "load") - at(world, "crane.inner_boom");
        let head = axes(world, "crane.inner_boom").x_axis * 4.5;
        offset = offset.max((way - head).truncate().length());
    });
    assert!((0.1..1.2).contains(&offset), "{offset}");
    assert!(roll(&built.world, "crane.carrier").abs() < 0.02);
    near(speed(&built.world, "crane"), 0.0, 0.01);
}

/// In the axes of the ferry the truck rocks on its tyres and springs, and does not travel.
#[test]
fn the_truck_stays_on_the_ferry() {
    let mut built = scene("ferry", &[]);
    run(&mut built, 10.0);
    let place = |world: &World| {
        axes(world, "ferry").transpose() * (at(world, "truck.fourth_left") - at(world, "ferry"))
    };
    let start = place(&built.world);
    let (mut moved, mut pitch) = (0.0_f64, 0.0_f64);
    until(&mut built, 60.0, |world| {
        moved = moved.max((place(world) - start).truncate().length());
        pitch = pitch.max(axes(world, "ferry").x_axis.z.abs());
    });
    near(pitch.to_degrees(), 4.7, 0.4);
    assert!(moved < 0.03, "{moved}");
}

/// R = (l_f cos γ + l_r)/sin γ of the front axle.
#[test]
fn the_loader_turns_about_its_waist() {
    let mut built = scene("wheel_loader", &[]);
    run(&mut built, 11.0);
    let middle = |world: &World| 0.5 * (at(world, "loader.front_left") + at(world, "loader.front_right"));
    let (from, turned) = (middle(&built.world), heading(&built.world, "loader.front"));
    run(&mut built, 13.0);
    let chord = middle(&built.world).distance(from);
    let angle = heading(&built.world, "loader.front") - turned;
    let bend: f64 = 30f64.to_radians();
    let radius = (1.5 * libm::cos(bend) + 1.5) / libm::sin(bend);
    near(chord / (2.0 * libm::sin(0.5 * angle)).abs(), radius, 0.02 * radius);
}

#[test]
fn the_forklift_lifts_its_pallet() {
    let mut built = scene("forklift", &[]);
    let start = at(&built.world, "pallet");
    run(&mut built, 26.0);
    let end = at(&built.world, "pallet");
    near(end.z - start.z, 1.1, 0.05);
    assert!(end.x < start.x - 3.0, "{end}");
    assert!(axes(&built.world, "pallet").z_axis.z > 0.99);
}

#[test]
fn trucks_follow_their_scripts() {
    let mut semi = scene("semi_trailer", &[]);
    run(&mut semi, 30.0);
    let bend = heading(&semi.world, "truck.tractor") - heading(&semi.world, "truck.trailer");
    assert!((0.4..0.9).contains(&bend), "{bend}");
    let mut truck = scene("truck_8x8", &[]);
    run(&mut truck, 30.0);
    near(speed(&truck.world, "truck"), 0.0, 0.05);
    let mut light = scene("four_by_four", &[]);
    let mut lean = 0.0_f64;
    until(&mut light, 25.0, |world| lean = lean.max(roll(world, "car.body").abs()));
    assert!(lean > 0.03, "{lean}");
    near(speed(&light.world, "car"), 0.0, 0.05);
}

/// Where two circles about points in the plane meet: on the left of the way from the first to the second, or on its right.
fn meet([a, b]: [DVec2; 2], [r, s]: [f64; 2], left: bool) -> DVec2 {
    let way = b - a;
    let along = (r * r - s * s + way.length_squared()) / (2.0 * way.length_squared());
    let across = (r * r / way.length_squared() - along * along).sqrt();
    a + way * along + way.perp() * if left { across } else { -across }
}

/// Angle of the loader's bucket for one of its boom, with the bucket cylinder as it is drawn: its linkage by circles.
fn bucket_angle(boom: f64) -> f64 {
    let point = |x: f64, z: f64| DVec2::new(x, z);
    let foot = point(0.75, 1.75);
    let [lever, wrist] = [point(1.913, 1.6), point(2.6, 0.5)];
    let [base, top, low, ear] =
        [point(0.846, 1.584), point(1.727, 2.138), point(1.8, 0.663), point(2.515, 0.94)];
    let raised = |p: DVec2| foot + DVec2::from_angle(boom).rotate(p - foot);
    let (pin, wrist_now) = (raised(lever), raised(wrist));
    let top_now = meet([base, pin], [base.distance(top), lever.distance(top)], true);
    let turned = (top - lever).angle_to(top_now - pin);
    let low_now = pin + DVec2::from_angle(turned).rotate(low - lever);
    let ear_now = meet([low_now, wrist_now], [low.distance(ear), wrist.distance(ear)], true);
    (ear - wrist).angle_to(ear_now - wrist_now)
}

/// The cylinders of the loader: the boom rises at flow over area, the bucket stays about level by its Z linkage, and with
/// closed valves nothing moves.
#[test]
fn the_loader_lifts_by_its_cylinders() {
    let script = "[[script]]\nat = 1\nset = { \"driver.boom\" = 1 }\n[[script]]\nat = 5\nset = { \"driver.boom\" = 0 }";
    let mut built = TEMPLATES[4].scene("", "", script);
    let pitch =
        |world: &World, body: &str| libm::asin(axes(world, &format!("car.{body}")).x_axis.z).to_degrees();
    let length = |world: &World, valve: &str| quantity(world, &format!("car.{valve}"), "length");
    run(&mut built, 2.0);
    let from = length(&built.world, "boom");
    run(&mut built, 3.0);
    let area = std::f64::consts::FRAC_PI_4 * 0.16 * 0.16;
    near(length(&built.world, "boom") - from, 230e-3 / 60.0 / area, 0.01);
    run(&mut built, 7.0);
    let [boom, bucket] = ["boom", "bucket"].map(|body| pitch(&built.world, body));
    near(bucket, bucket_angle(boom.to_radians()).to_degrees(), 0.2);
    assert!(boom > 60.0 && bucket < 0.4 * boom, "boom {boom}°, bucket {bucket}°");
    let held = ["boom", "bucket"].map(|valve| length(&built.world, valve));
    run(&mut built, 60.0);
    for (valve, held) in ["boom", "bucket"].iter().zip(held) {
        near(length(&built.world, valve), held, 1e-6);
    }
}
