//! Suspensions of vehicles: travel along inclined axes, trailing arms, anti-roll bars, springs and dampers by tables.

use windlass_scene::{Built, parse};

const G: f64 = 9.81;

fn build(text: &str) -> Built {
    parse(text, "suspension").and_then(|scene| scene.build()).unwrap_or_else(|e| panic!("{e}"))
}

/// A chassis of 1500 kg, 0.55 m above the road, on four wheels of 1 kg at ±1.3 m and ±0.75 m, with hard tyres.
fn car(suspension: &str, more: &str) -> Built {
    let axle = |name: &str, x: f64| {
        format!(
            "[vehicles.car.axles.{name}]\nposition = [{x}, 0, -0.25]\ntrack = 1.5\ntire = \"hard\"\nwheel_mass = 1\n{suspension}\n"
        )
    };
    build(&format!(
        "windlass = 2\n[settings]\ndt = 0.002\ngravity = [0, 0, -{G}]\n\
         [tires.hard]\nradius = 0.3\nwidth = 0.1\nstiffness = 2e7\ndamping = 2e4\n\
         model.linear = {{ slip_stiffness = 2e5, cornering_stiffness = 2e5, friction = 2, relaxation_length = [0.3, 0.3] }}\n\
         [bodies.road]\ntype = \"static\"\nshape = {{ plane = {{}} }}\n\
         [bodies.chassis]\nposition = [0, 0, 0.55]\nmass = 1500\ninertia = [400, 1800, 2000]\n\
         [vehicles.car]\nchassis = \"chassis\"\ncommands = {{ parking_brake = 1 }}\n{}{}{more}",
        axle("front", 1.3),
        axle("rear", -1.3)
    ))
}

fn run(built: &mut Built, seconds: f64) {
    let steps = (seconds / built.world.model().settings().dt).round() as usize;
    for _ in 0..steps {
        let report = built.world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
    }
}

/// Roll angle of the chassis.
fn roll(built: &Built) -> f64 {
    let chassis = built.world.model().body("chassis").unwrap();
    let left = built.world.state().bodies[chassis.index()].orientation * glam::DVec3::Y;
    libm::asin(left.z)
}

const BRAKED: &str = "brake = { torque = 1e4, parking = 1e4 }\n";

/// A lateral force of 0.1 m g at the centre of mass: φ = 0.1 m g d/(K − m g d), with d its height above the roll centre
/// and K = 4 k (b/2)² (VH30 with a roll centre), to first order: the tyres of a vehicle that stands are also strained
/// against each other, which is 6 % of a roll of 0.07 rad. A roll centre at the centre of mass leaves no roll.
#[test]
fn the_roll_center_is_where_it_is_said_to_be() {
    for center in [0.0, 0.15, 0.3, 0.55] {
        let suspension = format!(
            "suspension = {{ spring = {{ stiffness = 25e3, damping = 4e3 }}, roll_center = {center} }}\n{BRAKED}"
        );
        let force = 0.1 * 1500.0 * G;
        let push = format!("[forces.push.applied]\nbody = \"chassis\"\nforce = [0, {force}, 0]\n");
        let mut built = car(&suspension, &push);
        run(&mut built, 4.0);
        let arm = 0.55 - center;
        // the spring acts along the travel, which is inclined by atan(center/0.75): the wheel's vertical rate is k / cos²
        let stiffness = 4.0 * 25e3 * (0.75 * 0.75 + center * center);
        let expected = force * arm / (stiffness - 1500.0 * G * arm);
        // positive about x: pushed to the left it leans to the left, which lowers its left side
        let found = -roll(&built);
        assert!((found - expected).abs() < 0.03 * 0.0168, "{center}: {found} rad for {expected} rad");
    }
}

/// An anti-roll bar adds 2 k_b b²/2 per axle to the roll stiffness, and nothing in heave.
#[test]
fn anti_roll_bars_resist_roll_only() {
    let suspension = "suspension = { spring = { stiffness = 25e3, damping = 4e3 } }\n";
    let force = 0.4 * 1500.0 * G;
    let push = format!("[forces.push.applied]\nbody = \"chassis\"\nforce = [0, {force}, 0]\n");
    for bar in [10e3, 40e3] {
        let mut built = car(&format!("{suspension}anti_roll = {bar}\n{BRAKED}"), &push);
        run(&mut built, 4.0);
        // F = k (z_l − z_r) at each wheel: a moment k (b φ) b per axle
        let stiffness = 4.0 * 25e3 * 0.75 * 0.75 + 2.0 * bar * 1.5 * 1.5;
        let expected = force * 0.55 / (stiffness - 1500.0 * G * 0.55);
        let found = -roll(&built);
        assert!((found - expected).abs() < 0.03 * expected, "{bar}: {found} rad for {expected} rad");
    }
}

/// All kinds of suspensions carry the chassis where it is drawn, with the wheels loaded by their shares.
#[test]
fn vehicles_stand_as_they_are_drawn() {
    let kinds = [
        "suspension = { spring = { stiffness = 25e3, damping = 4e3 } }",
        "suspension = { spring = { stiffness = 25e3, damping = 4e3 }, roll_center = 0.1, anti_dive = \"8 deg\", caster = \"6 deg\", kingpin = \"9 deg\" }",
        "suspension = { spring = { stiffness = 15e3, cubic = 2e6, damping_table = { speed = [-1, 0, 1], force = [-6e3, 0, 2e3] } } }",
        "suspension = { spring = { table = { stretch = [-0.2, 0, 0.1, 0.2], force = [-4e3, 0, 3e3, 9e3] }, damping = 4e3 } }",
        "suspension.trailing_arm = { length = 0.4, angle = \"20 deg\", spring = { stiffness = 4e3, damping = 500 } }",
        "suspension.trailing_arm = { length = -0.4, angle = \"20 deg\", spring = { stiffness = 4e3, damping = 500 } }",
        "suspension.trailing_arm = { length = 0.4, spring = { stiffness = 4e3, damping = 500 } }\nanti_roll = 5e3",
    ];
    for kind in kinds {
        let mut built = car(&format!("{kind}\n{BRAKED}"), "");
        let chassis = built.world.model().body("chassis").unwrap();
        let start = built.world.state().bodies[chassis.index()].position;
        run(&mut built, 5.0);
        let body = built.world.state().bodies[chassis.index()];
        let moved = body.position - start;
        assert!(moved.length() < 4e-3, "{kind}: moved by {moved}");
        assert!(body.velocity.length() < 1e-4, "{kind}: still moves at {}", body.velocity);
    }
}

/// VH31: an arm of 0.32 m hangs freely at 40° below the horizontal; under 10 kN it stands at 33.91°.
#[test]
fn a_trailing_arm_deflects_as_its_torsion_spring() {
    // drawn where it stands in the end: the load is then that of the spring
    let (free, at, stiffness) = (40f64.to_radians(), 33.913791f64.to_radians(), 25e3);
    let load = stiffness * (free - at) / (0.32 * libm::cos(at));
    assert!((load - 10e3).abs() < 1.0, "{load}");
    let mass = 4.0 * load / G;
    let suspension = format!(
        "suspension = {{ load = {load}, trailing_arm = {{ length = 0.32, angle = \"33.913791 deg\", mass = 0.1, spring = {{ stiffness = {stiffness}, damping = 2e3 }} }} }}\n{BRAKED}"
    );
    let mut built = car(&suspension, "");
    let arm = built.world.model().joint("car.front_left.arm").unwrap();
    // a chassis of another mass: the arm turns to the angle at which its spring carries that
    run(&mut built, 4.0);
    let turned = built.world.coordinate(arm, 0).unwrap();
    let own = 1500.0 * G / 4.0;
    // k (θ₀ − θ) = W l cos θ, with θ = at − turned
    let residual = stiffness * (free - (at - turned)) - own * 0.32 * libm::cos(at - turned);
    assert!(mass > 1500.0 && turned < 0.0, "{turned}");
    assert!(residual.abs() < 0.005 * own * 0.32, "{residual} N·m at {turned} rad");
}

#[test]
fn keys_of_a_suspension_that_exclude_each_other_are_errors() {
    let cases = [
        ("suspension = { }", "without spring"),
        (
            "suspension = { spring = { stiffness = 1e4 }, trailing_arm = { length = 0.4, spring = { stiffness = 1e3 } } }",
            "both",
        ),
        (
            "suspension = { roll_center = 0.1, trailing_arm = { length = 0.4, spring = { stiffness = 1e3 } } }",
            "roll_center",
        ),
        (
            "suspension = { limits = { low = -0.1 }, trailing_arm = { length = 0.4, spring = { stiffness = 1e3 } } }",
            "limits",
        ),
        ("suspension.trailing_arm = { length = 0, spring = { stiffness = 1e3 } }", "length 0"),
        ("suspension = { spring = { stiffness = 1e4 }, caster = \"80 deg\" }", "less than 45 deg"),
        (
            "steered = true\nsuspension.trailing_arm = { length = 0.4, spring = { stiffness = 1e3 } }",
            "steered",
        ),
        ("suspension.spring = { table = { stretch = [0, 0.1], force = [0, 0] } }", "does not carry its load"),
        ("anti_roll = 1e4", "without suspension"),
    ];
    for (text, expected) in cases {
        let scene = format!(
            "windlass = 2\n[tires.t]\nradius = 0.3\nwidth = 0.1\nstiffness = 2e5\n\
             model.linear = {{ slip_stiffness = 1e5, cornering_stiffness = 1e5 }}\n\
             [bodies.chassis]\nmass = 1000\ninertia = [400, 1800, 2000]\n[vehicles.car]\nchassis = \"chassis\"\n\
             steering = {{ max_angle = 0.5 }}\n\
             [vehicles.car.axles.front]\nposition = [1, 0, 0]\ntrack = 1.5\ntire = \"t\"\nwheel_mass = 10\nsteered = true\n\
             [vehicles.car.axles.rear]\nposition = [-1, 0, 0]\ntrack = 1.5\ntire = \"t\"\nwheel_mass = 10\n{text}\n"
        );
        let error = parse(&scene, "car").and_then(|scene| scene.build().map(drop)).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
        assert!(error.contains(" ("), "{text}: {error}");
    }
}

/// Wheels and arms of a chassis that turns at the start move with it: v + ω × r about its centre of mass.
#[test]
fn parts_start_with_the_velocity_of_the_chassis_at_their_place() {
    let built = build(
        "windlass = 2\n[tires.t]\nradius = 0.3\nwidth = 0.1\nstiffness = 2e5\n\
         model.linear = { slip_stiffness = 2e5, cornering_stiffness = 2e5 }\n\
         [bodies.chassis]\nposition = [0, 0, 0.55]\nvelocity = [10, 0, 0]\nangular_velocity = [0, 0, 0.5]\n\
         center_of_mass = [0.2, 0, 0]\nmass = 1500\ninertia = [400, 1800, 2000]\n\
         [vehicles.car]\nchassis = \"chassis\"\n\
         [vehicles.car.axles.front]\nposition = [1.3, 0, -0.25]\ntrack = 1.5\ntire = \"t\"\nwheel_mass = 10\n\
         [vehicles.car.axles.rear]\nposition = [-1.3, 0, -0.25]\ntrack = 1.5\ntire = \"t\"\nwheel_mass = 10\n\
         suspension.trailing_arm = { length = 0.4, spring = { stiffness = 1e4 } }\n",
    );
    for (body, x, y) in
        [("car.front_left", 1.3, 0.75), ("car.rear_right", -1.3, -0.75), ("car.rear_left.arm", -1.1, 0.75)]
    {
        let id = built.world.model().body(body).unwrap_or_else(|| panic!("no body {body}"));
        let velocity = built.world.state().bodies[id.index()].velocity;
        let wanted = glam::DVec3::new(10.0 - 0.5 * y, 0.5 * (x - 0.2), 0.0);
        assert!(velocity.distance(wanted) < 1e-12, "{body}: {velocity} for {wanted}");
    }
}
