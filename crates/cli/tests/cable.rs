//! Cables: what `info`, probes, summaries and pictures say of them.

use crate::desk;

use desk::{Desk, column, scenes};

/// An example of cables.
fn example(name: &str) -> String {
    scenes().join(format!("../cable/{name}.toml")).display().to_string()
}

#[track_caller]
fn near(a: f64, b: f64, part: f64) {
    assert!((a / b - 1.0).abs() < part, "{a} is not {b}");
}

#[test]
fn info_tells_stiffnesses_modes_and_limits() {
    let desk = Desk::new();
    let table = desk.windlass(&["info", &example("hoist")]).ends(0).out();
    for wanted in [
        "hoist: 10 m of 20 mm of 6x36 IWRC, 25 elements of 0.4 m",
        "EA 1.840e7 N, 4.600e7 N/m per link",
        "breaks at 252048 N, minimum bend radius 0.23 m",
    ] {
        assert!(table.contains(wanted), "{wanted}\n{table}");
    }
    let strain = ["--set", "cables.hoist.section.breaking_strain=0.5 %"];
    let table = desk.windlass(&["info", &example("hoist"), strain[0], strain[1]]).ends(0).out();
    // EA ε, and what the law makes of it: 50 kN (exp(EA ε/50 kN) − 1)
    assert!(table.contains("breaks at a strain of 0.5 %, 92000 N"), "{table}");
    let law = ["--set", "cables.hoist.section.stiffening={ load = 50e3 }"];
    let all = ["info", &example("hoist"), strain[0], strain[1], law[0], law[1]];
    let table = desk.windlass(&all).ends(0).out();
    assert!(table.contains("breaks at a strain of 0.5 %, 264827 N"), "{table}");
    let json = desk.windlass(&["info", &example("hoist"), "--json"]).ends(0).json();
    let cable = &json["cables"][0];
    let number = |key: &str| cable["stretch"][key].as_f64().expect("a number");
    // √(4 k/m)/2π with k = EA/l and m of an element
    let (k, m) = (number("link_stiffness"), cable["mass_per_length"].as_f64().expect("one") * 0.4);
    near(number("highest_mode"), (4.0 * k / m).sqrt() / std::f64::consts::TAU, 1e-9);
    assert_eq!(cable["elements"], 25);
}

/// One angle holds a bend while dt² EI/(l I) is below 4: here up to 3.7 ms. Well below that a hose that is twisted by 25 turns keeps them;
/// at 1/60 s it loses some, which `check` and `info` tell.
#[test]
fn an_angle_that_cannot_hold_is_told() {
    let desk = Desk::new();
    desk.write(
        "twist.toml",
        "windlass = 2\n[settings]\nduration = 8\ngravity = [0, 0, 0]\n[bodies.g]\ntype = \"static\"\n[bodies.d]\n\
         type = \"kinematic\"\nposition = [4, 0, 0]\n[bodies.d.path]\naxis = [1, 0, 0]\n\
         angle = { smooth = { from = 0, to = \"25 turn\", start = 0, end = 6 } }\n[cables.c]\n\
         section = { diameter = 0.02, axial_stiffness = 1e7, mass_per_length = 1, bending_stiffness = 1e4, \
         torsional_stiffness = 30, damping = { stretch = 0.01, bend = 0.02, twist = 0.1 } }\n\
         start = { body = \"g\", at = [0, 0, 0], attachment = \"fixed\" }\nend = { body = \"d\", at = [4, 0, 0], attachment = \"fixed\" }\n\
         elements = 5\nrotation_measure = \"angles\"\ncollide = false\n",
    );
    let told = "this rotation measure is stable only for bending in a plane: dt² EI/(l I) is 81.34, above 4; give dt below 0.003696 s";
    desk.runs("check twist.toml").ends(0).says(&["unstable: c: ", told]);
    desk.runs("info twist.toml").ends(0).says(&["angles  ", told]);
    let found = desk.runs("check twist.toml --json").ends(0).json();
    assert_eq!(found["scenes"][0]["contents"]["unstable_cables"][0]["cable"], "c");
    for set in [
        "settings.dt=0.0036",
        "cables.c.rotation_measure=\"swing-twist\"",
        "settings.integrator=\"dormand-prince\"",
    ] {
        let ran = desk.windlass(&["check", "twist.toml", "--set", set]).ends(0);
        assert!(!ran.out().contains("unstable"), "{set}: {}", ran.out());
    }
    let torque = |dt: &str| {
        let run =
            ["run", "twist.toml", "-q", "--log", "log.csv", "--probe", "cables.c.torque(2)", "--dt", dt];
        desk.windlass(&run).ends(0);
        *column(&desk.path("log.csv"), "cables.c.torque(2) [N*m]").last().expect("a line")
    };
    // GJ φ/L
    let wanted = 30.0 * 25.0 * std::f64::consts::TAU / 4.0;
    near(torque("2 ms"), wanted, 1e-3);
    assert!(torque("1/60 s").abs() < 0.9 * wanted);
}

#[test]
fn probes_read_a_cable_along_its_length() {
    let desk = Desk::new();
    let scene = example("hoist");
    let probes = [
        "top=cables.hoist.tension.start",
        "bottom=cables.hoist.tension.end",
        "cables.hoist.tension(5)",
        "most=cables.hoist.max_tension",
        "long=cables.hoist.length",
        "place=cables.hoist.z(0)",
        "cables.*.broken",
    ];
    // it does not bounce any more after a second
    let damping = "cables.hoist.section.damping={ stretch = \"20 ms\" }";
    let mut arguments = vec!["run", &scene, "-q", "--duration", "1", "--log", "log.csv", "--set", damping];
    probes.iter().for_each(|p| arguments.extend(["--probe", p]));
    desk.windlass(&arguments).ends(0);
    let log = desk.path("log.csv");
    let last = |name: &str| *column(&log, name).last().expect("a line");
    let (top, middle, bottom) = (last("top [N]"), last("cables.hoist.tension(5) [N]"), last("bottom [N]"));
    assert!(top > middle && middle > bottom, "{top} {middle} {bottom}");
    assert!(last("most [N]") >= top);
    // it is stretched by T/EA
    near(last("long [m]") - 10.0, 10.0 * middle / 1.84e7, 0.1);
    near(last("place [m]"), 12.0, 1e-3);
    assert_eq!(last("cables.hoist.broken"), 0.0);
    // forces come with the first step
    assert!(column(&log, "top [N]")[0].is_nan());
}

#[test]
fn wrong_probes_of_cables_are_told() {
    let desk = Desk::new();
    let scene = example("hoist");
    for (probe, told) in [
        ("cables.hoist.tension", "give the position in metres from its start: tension(2.5)"),
        ("cables.hoist.tension(30)", "positions are from 0 to 10 m of unloaded length"),
        ("cables.hosit.length", "did you mean \"hoist\"?"),
        ("cables.hoist.tensoin(3)", "did you mean \"tension\"?"),
        ("cables.hoist.tension(x)", "\"x\" is not a position along a cable"),
        ("cables.hoist.tension(3", "the parenthesis is not closed"),
        ("cables.hoist.length.x", "cables have no \"length.x\""),
        ("cables", "which cable?"),
    ] {
        let run = desk.windlass(&["run", &scene, "--log", "x.csv", "--probe", probe]).ends(2);
        assert!(run.err().contains(told), "{probe}: {}", run.err());
    }
}

#[test]
fn a_summary_has_the_largest_tension_and_what_broke() {
    let desk = Desk::new();
    let text = desk.windlass(&["run", &example("breaking")]).ends(0).out();
    assert!(text.contains("of its breaking load 63012 N, 1 link broken"), "{text}");
    let json = desk.windlass(&["run", &example("hoist"), "--duration", "2", "--json"]).ends(0).json();
    let pull = json["cables"][0]["max_tension"].as_f64().expect("a tension");
    // released on a rope that is not stretched, it bounces to at most twice its weight
    assert!((49e3..100e3).contains(&pull), "{pull}");
}

#[test]
fn a_cable_that_is_not_touched_is_drawn() {
    let desk = Desk::new();
    desk.windlass(&["export", &example("hoist"), "-o", "hoist.svg", "--at", "1"]).ends(0);
    desk.windlass(&["run", &example("hoist"), "-q", "--duration", "1", "--record", "hoist.wlr"]).ends(0);
    desk.windlass(&["export", "hoist.wlr", "-o", "again.svg", "--at", "1"]).ends(0);
    let pictures =
        ["hoist.svg", "again.svg"].map(|f| std::fs::read_to_string(desk.path(f)).expect("a picture"));
    assert!(
        pictures.iter().all(|svg| svg.contains("hoist[24]")),
        "names of what is drawn are in the picture"
    );
}

/// A cable of mass points has what makes sense of it: lines of info, probes, a largest pull, the same tube in pictures, and a
/// recording that is replayed to the bit.
#[test]
fn mass_points_are_told_recorded_and_drawn() {
    let desk = Desk::new();
    let scene = example("harness");
    let table = desk.windlass(&["info", &scene]).ends(0).out();
    assert!(table.contains("harness: 1.32 m of 8 mm of rubber, 66 segments between mass points"), "{table}");
    assert!(!table.contains("GJ"), "{table}");
    let json = desk.windlass(&["info", &scene, "--json"]).ends(0).json();
    assert_eq!(
        (&json["cables"][0]["model"], &json["cables"][0]["twist"]),
        (&"mass-points".into(), &().into())
    );
    let probes = [
        ["--probe", "cables.harness.length"],
        ["--probe", "middle=cables.harness.z(0.66)"],
        ["--probe", "end=cables.harness.x(1.32)"],
    ]
    .concat();
    let run = ["run", &scene, "--duration", "1.5", "--log", "log.csv", "--record", "run.wlr", "--json"];
    let json = desk.windlass(&[&run[..], &probes].concat()).ends(0).json();
    assert_eq!(json["cables"][0]["cable"], "harness");
    assert!(json["cables"][0]["max_tension"].as_f64().expect("a tension") > 0.0);
    let last = |name: &str| *column(&desk.path("log.csv"), name).last().expect("a line");
    near(last("cables.harness.length [m]"), 1.32, 0.01);
    near(last("end [m]"), 0.311, 0.1);
    let wrong =
        desk.windlass(&["run", &scene, "--log", "x.csv", "--probe", "cables.harness.torque(1)"]).ends(2);
    assert!(wrong.err().contains("of mass points, which have no \"torque(1)\""), "{}", wrong.err());
    desk.windlass(&["verify", "run.wlr", "--from-keyframes"]).ends(0);
    desk.windlass(&[&["log", "run.wlr", "-o", "again.csv"][..], &probes].concat()).ends(0);
    for name in ["middle [m]", "end [m]"] {
        let [run, again] = ["log.csv", "again.csv"].map(|f| column(&desk.path(f), name));
        assert_eq!(run.len(), again.len());
        run.iter().zip(&again).for_each(|(run, again)| near(*run, *again, 1e-6));
    }
    desk.windlass(&["export", &scene, "-o", "now.svg", "--at", "1.5"]).ends(0);
    desk.windlass(&["export", "run.wlr", "-o", "again.svg", "--at", "1.5"]).ends(0);
    let [now, again] =
        ["now.svg", "again.svg"].map(|f| std::fs::read_to_string(desk.path(f)).expect("a picture"));
    // poses in a recording are rounded: corners are the same to a tenth of a pixel, and faces seen edge-on come and go
    let drawn = |picture: &str| picture.matches("<path").count();
    assert!(now.contains("harness") && again.contains("harness"));
    let [now, again] = [drawn(&now), drawn(&again)];
    assert!(now.abs_diff(again) * 200 < now, "a recording is drawn as the run was: {now} and {again} faces");
    desk.windlass(&["export", "run.wlr", "-o", "film.glb", "--fps", "10"]).ends(0);
}
