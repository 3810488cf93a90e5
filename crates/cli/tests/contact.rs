//! Contact: what probes, summaries, recordings and pictures say of bodies that touch.

use crate::desk;

use desk::{Desk, column, scenes, table};
use std::fs;
use std::time::Duration;

const STEEL: f64 = 7850.0;
const PINE: f64 = 500.0;
const G: f64 = 9.81;

/// An example of contact.
fn example(name: &str) -> String {
    scenes().join(format!("../contact/{name}.toml")).display().to_string()
}

/// Runs an example with probes and gives the log's path.
fn probed(desk: &Desk, name: &str, seconds: &str, probes: &[&str]) -> std::path::PathBuf {
    let scene = example(name);
    let mut arguments = vec!["run", &scene, "-q", "--duration", seconds, "--log", "log.csv"];
    probes.iter().for_each(|p| arguments.extend(["--probe", p]));
    desk.windlass(&arguments).ends(0);
    desk.path("log.csv")
}

#[track_caller]
fn last_is(log: &std::path::Path, name: &str, wanted: f64) {
    let last = *column(log, name).last().expect("a line");
    assert!((last - wanted).abs() < 1e-5 * wanted.abs().max(1e-2), "{name}: {last}, not {wanted}");
}

#[test]
fn a_floor_bears_the_weight_of_a_stack() {
    let desk = Desk::new();
    let probes = [
        "floor=bodies.ground.contact_force",
        "under=contact(bodies.ground, bodies.cube0).normal_force",
        "over=contact(bodies.cube1, bodies.cube0).force.z",
        "rub=contact(bodies.ground, bodies.cube0).friction_force.size",
        "far=contact(bodies.ground, bodies.cube5).force.size",
        "twist=bodies.cube4.contact_torque.size",
        "corners=bodies.cube*.contact_points",
        "contact(bodies.ground, bodies.cube0).points",
        "contact(bodies.ground, bodies.cube0).mode",
        "contacts.points",
        "contacts.penetration",
        "contacts.started",
        "solver.not_converged",
    ];
    let log = probed(&desk, "stack", "2", &probes);
    let cube = PINE * 0.008 * G;
    last_is(&log, "floor.x [N]", 0.0);
    last_is(&log, "floor.z [N]", -10.0 * cube);
    last_is(&log, "under.z [N]", 10.0 * cube);
    last_is(&log, "over [N]", -9.0 * cube);
    last_is(&log, "rub [N]", 0.0);
    last_is(&log, "far [N]", 0.0);
    last_is(&log, "twist [N*m]", 0.0);
    last_is(&log, "corners.cube3", 8.0);
    last_is(&log, "corners.cube9", 4.0);
    last_is(&log, "contact(bodies.ground, bodies.cube0).points", 4.0);
    last_is(&log, "contact(bodies.ground, bodies.cube0).mode", 1.0);
    last_is(&log, "contacts.points", 40.0);
    last_is(&log, "contacts.started", 10.0);
    last_is(&log, "solver.not_converged", 0.0);
    assert!(column(&log, "contacts.penetration [m]").iter().skip(1).all(|depth| *depth < 1e-8));
    let (_, rows) = table(&log);
    assert!(rows[0][1].is_nan() && !rows[1][1].is_nan(), "before the first step nothing has pressed");
}

#[test]
fn friction_on_an_incline_is_the_weight_along_it() {
    let desk = Desk::new();
    let probes = [
        "holds=contact(bodies.gentle, bodies.stays).friction_force.size",
        "bears=contact(bodies.gentle, bodies.stays).normal_force.size",
        "lifts=contact(bodies.gentle, bodies.stays).force",
        "turns=contact(bodies.gentle, bodies.stays).torque.size",
        "brakes=contact(bodies.steep, bodies.slides).friction_force.size",
        "presses=contact(bodies.steep, bodies.slides).normal_force.size",
        "still=contact(bodies.gentle, bodies.stays).mode",
        "moving=contact(bodies.steep, bodies.slides).mode",
        "apart=contact(bodies.gentle, bodies.slides).mode",
    ];
    // the adaptive stepper presses by springs, and gives the same
    for stepper in ["spook", "dormand-prince"] {
        let scene = example("incline");
        let mut arguments =
            vec!["run", &scene, "-q", "--duration", "2", "--integrator", stepper, "--log", "log.csv"];
        probes.iter().for_each(|p| arguments.extend(["--probe", p]));
        desk.windlass(&arguments).ends(0);
        let log = desk.path("log.csv");
        let weight = 0.4 * 0.3 * 0.2 * STEEL * G;
        let slope = 26f64.to_radians();
        last_is(&log, "holds [N]", weight * libm::sin(slope));
        last_is(&log, "bears [N]", weight * libm::cos(slope));
        last_is(&log, "lifts.z [N]", weight);
        let last = |name: &str| *column(&log, name).last().expect("a line");
        assert!(last("turns [N*m]") < 1e-2, "of hundreds at each corner");
        assert!((last("brakes [N]") / last("presses [N]") - 0.5).abs() < 1e-5);
        last_is(&log, "still", 1.0);
        last_is(&log, "moving", 2.0);
        last_is(&log, "apart", 0.0);
    }
}

#[test]
fn touches_are_counted_between_the_lines_of_a_log() {
    let desk = Desk::new();
    let scene = example("bouncing");
    let run = ["run", &scene, "--duration", "3", "--json", "--probe", "contacts.started", "--log"];
    let all = desk.windlass(&[&run[..], &["all.csv"]].concat()).ends(0).json();
    desk.windlass(&[&run[..], &["few.csv", "--every", "500"]].concat()).ends(0);
    let last = |name: &str| *column(&desk.path(name), "contacts.started").last().expect("a line");
    assert!(last("all.csv") > 5.0, "balls bounce");
    assert_eq!(last("all.csv"), last("few.csv"));
    assert_eq!(Some(last("all.csv")), all["contacts"]["started"].as_f64());
}

#[test]
fn bad_probes_of_contacts_are_underlined() {
    let desk = Desk::new();
    let ghost = "windlass = 2\n[bodies]\nfloor = { type = \"static\", shape = { plane = {} } }\n\
                 ghost = { shape = { sphere = { radius = 1 } }, mass = 1, collide = false }\n\
                 crate = { position = [0, 0, 3], shape = { sphere = { radius = 1 } }, mass = 1 }\n";
    desk.write("scene.toml", ghost);
    for (probe, wanted) in [
        (
            "contact(bodies.floor, bodies.crate).froce",
            "error: contacts have no \"froce\"\n    contact(bodies.floor, bodies.crate).froce\n    \
             \u{20}                                   ^^^^^\n  help: did you mean \"force\"? the quantities are force, \
             normal_force, friction_force, torque, points, mode\n",
        ),
        (
            "contact(bodies.floor, bodies.crate)",
            "error: the quantity of this contact is missing\n    contact(bodies.floor, bodies.crate)\n    \
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n  help: the quantities are force,",
        ),
        ("contact(bodies.floor, bodies.crat).force", "error: no body \"crat\"\n"),
        ("contact(bodies.floor, bodies.*).force", "error: a contact needs one body at each end\n"),
        ("contact(bodies.floor).force", "error: a contact is between two bodies\n"),
        ("contact(bodies.floor, bodies.crate.force", "error: the parenthesis is not closed\n"),
        ("contact(bodies.floor, bodies.crate).mode.x", "error: \"mode\" is one number\n"),
        ("contact(bodies.floor, bodies.crate).force.size.x", "error: nothing may follow here\n"),
        (
            "contact(bodies.floor, bodies.ghost).force",
            "error: body \"ghost\" has no collision shape\n    contact(bodies.floor, bodies.ghost).force\n    \
             \u{20}                            ^^^^^\n  help: give it a shape",
        ),
        ("bodies.ghost.contact_force", "error: body \"ghost\" has no collision shape\n"),
        ("bodies.crate.contact_forces", "error: bodies have no \"contact_forces\"\n"),
        ("contacts.point", "error: no \"contacts.point\"\n"),
        ("distance(bodies.floor, bodies.crate).x", "error: nothing may follow here\n"),
    ] {
        let ran = desk.windlass(&["run", "scene.toml", "--log", "x.csv", "--probe", probe]).ends(2);
        assert!(ran.err().starts_with(wanted), "{probe}:\n{}\nnot\n{wanted}", ran.err());
    }
    // a pattern leaves out what cannot be touched
    let arguments = ["run", "scene.toml", "-q", "--duration", "0.1", "--log", "x.csv", "--probe"];
    desk.windlass(&[&arguments[..], &["bodies.*.contact_points"]].concat()).ends(0);
    let (names, _) = table(&desk.path("x.csv"));
    assert_eq!(names, ["time [s]", "bodies.floor.contact_points", "bodies.crate.contact_points"]);
}

#[test]
fn probes_of_contacts_are_listed() {
    let desk = Desk::new();
    desk.windlass(&["info", &example("stack"), "--probes"]).ends(0).says(&[
        "bodies.NAME.contact_force[.x|y|z|size]",
        "contact(bodies.NAME, bodies.NAME).friction_force[.x|y|z|size]",
        "contacts.penetration",
    ]);
    desk.windlass(&["info", &example("stack")]).ends(0).says(&["11 colliders of concrete, pine"]);
}

#[test]
fn the_summary_tells_what_touched() {
    let desk = Desk::new();
    let scene = example("terrain");
    desk.windlass(&["run", &scene, "--duration", "2"]).ends(0).says(&[
        "contacts    ",
        " started",
        "penetration    ",
        "hill and crate",
        "residual    ",
        "collide",
    ]);
    let json = desk.windlass(&["run", &scene, "--duration", "2", "--json"]).ends(0).json();
    let contacts = &json["contacts"];
    assert!(contacts["max_points"].as_u64().expect("a number") >= 4, "{contacts}");
    assert!(contacts["max_penetration"]["value"].as_f64().expect("a number") > 0.0, "{contacts}");
    assert_eq!(contacts["max_penetration"]["bodies"][0], "hill");
    assert!(json["max_relative_residual"].as_f64().expect("a number") < 1e-8, "{json}");
    assert!(json["step_wall_time"]["stages"]["collide"].as_f64().expect("a time") > 0.0, "{json}");
    let bench = desk.windlass(&["bench", &scene, "--time", "0.05", "--json"]).ends(0).json();
    assert!(bench["scenes"][0]["stages"]["collide"].as_f64().expect("a time") > 0.0, "{bench}");
    // what touches nothing says nothing of it
    let none = desk.windlass(&["run", &desk::example("pendulum"), "--duration", "0.1"]).ends(0).out();
    assert!(!none.contains("contacts") && !none.contains("overlap"), "{none}");
}

#[test]
fn a_recording_of_contacts_repeats_and_branches() {
    let desk = Desk::new();
    let scene = example("stack");
    for (stepper, seconds, frames, at, rest) in
        [("spook", "2", 121, "0.71", "1.3"), ("dormand-prince", "0.2", 13, "0.11", "0.1")]
    {
        let name = format!("{stepper}.wlr");
        let run = ["run", &scene, "--duration", seconds, "--integrator", stepper, "--record", &name];
        let ran = desk.windlass(&[&run[..], &["--check-restore"]].concat()).ends(0);
        let ran = ran.says(&["every step repeated from a saved state"]);
        let hash = ran.out().split_whitespace().last().expect("a hash").to_string();
        let same = format!("{frames} frames repeated, bitwise equal");
        desk.runs(&format!("verify {name}")).ends(0).says(&[&same]);
        desk.runs(&format!("verify {name} --from-keyframes")).ends(0).says(&["bitwise equal"]);
        // a branch from the middle of touching goes where the run went
        let branch = format!("branch {name} -o b-{name} --at {at} --duration {rest}");
        desk.runs(&branch).ends(0).says(&[&hash]);
        desk.runs(&format!("verify b-{name}")).ends(0);
    }
    // a heavier cube on top is another future, and what it presses is in its table
    let branch = ["branch", "spook.wlr", "-o", "heavy.wlr", "--at", "1 s", "--duration", "1", "--set"];
    desk.windlass(&[&branch[..], &["bodies.cube9.mass=40 kg"]].concat()).ends(0);
    desk.runs("verify heavy.wlr").ends(0).says(&["61 frames repeated"]);
    desk.runs("log heavy.wlr -o heavy.csv --probe floor=bodies.ground.contact_force.z").ends(0);
    last_is(&desk.path("heavy.csv"), "floor [N]", -(9.0 * PINE * 0.008 + 40.0) * G);
}

#[test]
fn kill_9_in_the_middle_of_touching_leaves_a_recording_that_verifies() {
    let desk = Desk::new();
    let scene = example("stack");
    for round in 0..3 {
        let name = format!("k{round}.wlr");
        let arguments = ["run", &scene, "--duration", "100000", "--record", &name, "--quiet"];
        let mut child = desk.command(&arguments).spawn().expect("the binary starts");
        while fs::metadata(desk.path(&name)).map_or(0, |m| m.len()) < 20_000 {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(17 * round));
        child.kill().expect("it is killed");
        child.wait().expect("it is gone");
        desk.runs(&format!("verify {name} --from-keyframes")).ends(0).says(&["bitwise equal"]);
        desk.runs(&format!("branch {name} -o on{name} --duration 0.5")).ends(0);
        desk.runs(&format!("verify on{name}")).ends(0).says(&["31 frames repeated"]);
    }
}

#[test]
fn a_camera_of_its_own_looks_at_what_stands_on_a_plane() {
    let desk = Desk::new();
    let scene = |plane: &str| {
        format!(
            "windlass = 2\n[settings]\nduration = 0.1\n[bodies]\nfloor = {{ type = \"static\", shape = {{ plane = {plane} }} }}\n\
             crate = {{ position = [0, 0, 0.5], shape = {{ box = {{ size = [1, 1, 1] }} }}, material = \"pine\" }}\n"
        )
    };
    let camera = |plane: &str| {
        desk.write("scene.toml", &scene(plane));
        desk.runs("export scene.toml -o scene.pov --fps 10").ends(0);
        let text = desk.read("scene.pov/frame_000000.pov");
        fs::remove_dir_all(desk.path("scene.pov")).expect("a folder");
        text[text.find("camera {").expect("a camera")..].lines().take(8).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(camera("{}"), camera("{ size = [5, 7] }"));
}
