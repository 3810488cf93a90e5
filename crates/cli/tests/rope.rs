//! Ropes and winches: what `info`, probes, summaries and pictures say of them.

use crate::desk;

use desk::{Desk, column};

/// A scene with a rope over a pulley; the load hangs still.
const HOIST: &str = r#"
windlass = 2
[settings]
dt = "1/60 s"
collide = false
[bodies.tower]
type = "static"
[bodies.load]
position = [2, 0, 1]
shape = { box = { size = [1, 1, 1] } }
material = "steel"
mass = "1 t"
[winches.hoist]
on = "tower"
at = [0, 0, 1]
axis = [0, -1, 0]
radius = "200 mm"
mass = "80 kg"
brake = "6 kN*m"
[cables.rope]
section = { construction = "6x36 IWRC", diameter = "16 mm" }
tension = "9810 N"
route = [
  { winch = "hoist" },
  { pulley = "tower", at = [1.8, 0, 8], axis = [0, 1, 0], radius = "200 mm", wrap_direction = "ccw" },
  { attach = "load", at = [2, 0, 1.5] },
]
"#;

#[track_caller]
fn near(a: f64, b: f64, part: f64) {
    assert!((a / b - 1.0).abs() < part, "{a} is not {b}");
}

#[test]
fn info_tells_points_angles_and_limits() {
    let desk = Desk::new();
    desk.write("a.toml", HOIST);
    let table = desk.windlass(&["info", "a.toml"]).ends(0).out();
    for wanted in [
        "of 16 mm of 6x36 IWRC, massless",
        "point 2 pulley tower of 0.2 m, wrap",
        "tension 9810 N at the start",
        "breaks at",
    ] {
        assert!(table.contains(wanted), "{wanted}\n{table}");
    }
}

#[test]
fn probes_read_ropes_and_winches() {
    let desk = Desk::new();
    desk.write("a.toml", HOIST);
    let probes = [
        "most=cables.rope.tension",
        "second=cables.rope.tension.2",
        "cables.rope.wrap.2",
        "cables.rope.derailed",
        "slack=cables.rope.slack",
        "load=winches.hoist.load",
        "winding=winches.hoist.speed",
        "torque=joints.hoist.effort",
    ];
    let mut line = vec!["run", "a.toml", "-q", "--duration", "3", "--log", "a.csv"];
    probes.iter().for_each(|probe| line.extend(["--probe", probe]));
    desk.windlass(&line).ends(0);
    let last = |name: &str| *column(&desk.path("a.csv"), name).last().expect("a line");
    near(last("most [N]"), 9810.0, 0.01);
    near(last("second [N]"), last("most [N]"), 1e-9);
    near(last("load [N]"), last("most [N]"), 1e-9);
    near(last("torque [N*m]").abs(), 0.2 * 9810.0, 0.01);
    assert!(last("cables.rope.wrap.2 [rad]") > 2.0 && last("cables.rope.derailed") == 0.0);
    assert!(last("slack [m]") < 0.0 && last("winding [m/s]").abs() < 1e-3);
    for (probe, wanted) in [
        ("cables.rope.tension(2)", "a cable with a massless route has no quantities at positions along it"),
        ("cables.rope.tension.3", "it has 2 spans and 3 points"),
        ("cables.rope.tensoin", "cables with a route have no \"tensoin\""),
        ("winches.hosit.load", "did you mean \"hoist\"?"),
        ("winches.hoist.lod", "did you mean \"load\"?"),
    ] {
        let told = desk.windlass(&["run", "a.toml", "--log", "x.csv", "--probe", probe]).ends(2).err();
        assert!(told.contains(wanted), "{probe}\n{told}");
    }
}

/// With a section too weak it breaks; with a load that is thrown up it goes slack.
#[test]
fn the_summary_tells_what_became_of_a_rope() {
    let desk = Desk::new();
    desk.write("a.toml", HOIST);
    let table = desk
        .windlass(&["run", "a.toml", "--duration", "2", "--set", "bodies.load.velocity=[0, 0, 3]"])
        .ends(0)
        .out();
    assert!(table.contains("rope: ") && table.contains("slack 1 time"), "{table}");
    let weak = ["run", "a.toml", "--duration", "2", "--set", "bodies.load.velocity=[0, 0, -60]"];
    let table = desk.windlass(&weak).ends(0).out();
    assert!(table.contains("; broke at"), "{table}");
}

/// A picture has the rope in its thickness and a sheave where the tower has nothing.
#[test]
fn pictures_show_ropes_and_sheaves() {
    let desk = Desk::new();
    desk.write("a.toml", HOIST);
    for (file, seconds) in
        [("a.svg", "--at"), ("a.glb", "--duration"), ("a.usda", "--duration"), ("a.pov", "--at")]
    {
        desk.windlass(&["export", "a.toml", "-o", file, seconds, "0.2"]).ends(0);
    }
    let model = desk.read("a.usda");
    assert!(model.contains("widths = [0.016]"), "the diameter of the rope");
}

/// A rope from a wall level over a sheave of 0.2 m, which is a body and turns with it, to a load.
fn over_a_sheave(to: &str) -> String {
    format!(
        r#"
windlass = 2
[settings]
dt = "1/240 s"
collide = false
[bodies.wall]
type = "static"
[bodies.sheave]
position = [0, 0, 10]
mass = "20 kg"
inertia = [0.4, 0.4, 0.4]
[joints.axle]
hinge = {{ bodies = ["wall", "sheave"], at = [0, 0, 10], axis = [0, 1, 0] }}
[bodies.load]
position = {to}
mass = "50 kg"
inertia = [1, 1, 1]
[cables.rope]
section = {{ construction = "6x36 IWRC", diameter = "10 mm" }}
tension = "490.5 N"
route = [
  {{ attach = "wall", at = [-4, 0, 10.2] }},
  {{ pulley = "sheave", at = [0, 0, 10], axis = [0, 1, 0], radius = "200 mm", wrap_direction = "ccw", slip = false }},
  {{ attach = "load", at = {to} }},
]
"#
    )
}

/// A quarter turn: 4 m + 0.2 π/2 m + 8 m.
#[test]
fn a_sheave_without_slip_is_told_with_its_wrap() {
    let desk = Desk::new();
    desk.write("a.toml", &over_a_sheave("[0.2, 0, 2]"));
    desk.runs("info a.toml").ends(0).says(&[
        "rope: 12.31 m of 10 mm",
        "point 2 pulley sheave of 0.2 m, wrap 90°",
        "tension 490.5 N, 490.5 N at the start",
    ]);
    let checked = desk.runs("check a.toml").ends(0);
    assert!(!checked.out().contains("wrap"), "{}", checked.out());
    let probes =
        ["cables.rope.wrap.2", "cables.rope.length", "cables.rope.paid_out", "cables.rope.derailed.2"];
    let mut line = vec!["run", "a.toml", "-q", "--duration", "1", "--log", "a.csv"];
    probes.iter().for_each(|probe| line.extend(["--probe", probe]));
    desk.windlass(&line).ends(0);
    let last = |name: &str| *column(&desk.path("a.csv"), name).last().expect("a line");
    let quarter = std::f64::consts::FRAC_PI_2;
    near(last("cables.rope.wrap.2 [rad]"), quarter, 1e-3);
    near(last("cables.rope.length [m]"), 12.0 + 0.2 * quarter, 1e-3);
    near(last("cables.rope.paid_out [m]"), 12.0 + 0.2 * quarter, 1e-3);
    assert_eq!(last("cables.rope.derailed.2"), 0.0);
}

#[test]
fn a_rope_that_only_touches_a_pulley_is_told() {
    let desk = Desk::new();
    desk.write("a.toml", &over_a_sheave("[4, 0, 10.2]"));
    let warning = "rope: wrap angle 0° at point 2, the pulley \"sheave\": give the other `wrap_direction`, or move its `at` across the rope";
    desk.runs("check a.toml").ends(0).says(&[&format!("wrap: {warning}")]);
    desk.runs("info a.toml").ends(0).says(&["wrap    wrap angle 0° at point 2", "wrap 0°"]);
    let told = desk.runs("check a.toml --json").ends(0).out();
    assert!(told.contains("\"small_wraps\"") && told.contains("\"point\": 2"), "{told}");
    // of a pulley that slips too; to an end 40 mm lower it turns by 0.6 degrees
    desk.write("b.toml", &over_a_sheave("[4, 0, 10.2]").replace(", slip = false", ""));
    desk.runs("check b.toml").ends(0).says(&["wrap: rope: wrap angle"]);
    desk.write("c.toml", &over_a_sheave("[4, 0, 10.16]"));
    let checked = desk.runs("check c.toml").ends(0);
    assert!(!checked.out().contains("wrap"), "{}", checked.out());
}

#[test]
fn a_brake_that_slips_is_told() {
    let desk = Desk::new();
    desk.write("a.toml", HOIST);
    assert!(!desk.runs("check a.toml").ends(0).out().contains("winch"));
    assert_eq!(desk.runs("run a.toml --duration 0.1").ends(0).err(), "");
    desk.write("b.toml", &HOIST.replace("6 kN*m", "1.5 kN*m"));
    let words = [
        "its brake holds 1500 N*m, but the initial tension of cable \"rope\" needs 1962 N*m, so that the drum slips",
        "give a stronger `brake`",
    ];
    desk.runs("check b.toml").ends(0).says(&words).says(&["  winch: hoist: "]);
    let ran = desk.runs("run b.toml --duration 0.1").ends(0);
    assert!(ran.err().contains("warning: winch hoist: its brake holds 1500 N*m"), "{}", ran.err());
    assert_eq!(desk.runs("run b.toml --duration 0.1 --quiet").ends(0).err(), "");
    let found = desk.runs("check b.toml --json").ends(0).json();
    let weak = &found["scenes"][0]["contents"]["weak_winches"][0];
    assert_eq!((weak["name"].as_str(), weak["holds"].as_f64()), (Some("hoist"), Some(1500.0)));
    near(weak["needed"].as_f64().expect("a number"), 1962.0, 1e-6);
}
