//! Overrides, files of several parts, the schema, imports.

use crate::desk;

use desk::Desk;
use std::fs;

#[test]
fn problems_of_included_files_are_drawn_in_their_text() {
    let desk = Desk::new();
    fs::create_dir(desk.path("lib")).expect("a folder");
    desk.write(
        "top.toml",
        "windlass = 2\ninclude = [\"lib/hook.toml\"]\n[bodies.stone]\nmass = -1\nshape = { sphere = { radius = 1 } }\n",
    );
    desk.write(
        "lib/hook.toml",
        "windlass = 2\n\n[bodies.hook]\nmass = \"3 m\"\nshape = { sphere = { radius = 1 } }\n",
    );
    desk.windlass(&["check", "top.toml"]).ends(2).says(&[
        "[top.toml:4:8]",
        "[lib/hook.toml:4:8]",
        "4 │ mass = \"3 m\"",
        "4 │ mass = -1",
        "2 problems in top.toml",
    ]);
    let json = desk.windlass(&["check", "top.toml", "--json"]).ends(2).json();
    let files: Vec<_> =
        json["scenes"][0]["problems"].as_array().expect("a list").iter().map(|p| &p["file"]).collect();
    assert_eq!(files.len(), 2);
    assert!(files.iter().any(|f| f.as_str() == Some("lib/hook.toml")), "{files:?}");
}

#[test]
fn overrides_stand_instead_of_what_the_scene_says() {
    let desk = Desk::new();
    desk.runs("new crane").ends(0);
    let mass = |set: &[&str]| {
        let arguments = [&["info", "crane.toml", "--json"], set].concat();
        desk.windlass(&arguments).ends(0).json()["bodies"]["mass"].as_f64().expect("a mass")
    };
    let usual = mass(&[]);
    assert_eq!(mass(&["--set", "bodies.load.mass=7 t"]), usual + 3000.0);
    let steps = |set: &[&str]| {
        let arguments = [&["run", "crane.toml", "--duration", "1", "--json"], set].concat();
        desk.windlass(&arguments).ends(0).json()["steps"].as_u64().expect("steps")
    };
    assert_eq!(steps(&["--set", "settings.dt=4 ms"]), 250);
    assert_eq!(steps(&["--dt", "5 ms"]), 200);
    let wrong = ["run", "crane.toml", "--set", "bodies.load.mass=3 m"];
    desk.windlass(&wrong).ends(2).says(&["is a length, not a mass", "--set bodies.load.mass"]);
    desk.windlass(&["run", "crane.toml", "--set", "bodies.load.mass"]).ends(2).says(&["KEY=VALUE"]);
}

#[test]
fn a_scene_logs_its_own_probes() {
    let desk = Desk::new();
    desk.write(
        "s.toml",
        "windlass = 2\n[bodies.ball]\nshape = { sphere = { radius = 0.1 } }\nmaterial = \"steel\"\n\
         [probes]\nheight = \"bodies.ball.position.z\"\n",
    );
    desk.runs("run s.toml --duration 1 --log a.csv").ends(0);
    assert_eq!(desk.read("a.csv").lines().next(), Some("time [s],height [m]"));
    desk.runs("run s.toml --duration 1 --record a.wlr").ends(0);
    desk.runs("log a.wlr -o b.csv").ends(0);
    assert_eq!(desk.read("b.csv"), desk.read("a.csv"));
    desk.runs("run s.toml --duration 1 --log a.csv --probe energy.total").ends(0);
    assert_eq!(desk.read("a.csv").lines().next(), Some("time [s],energy.total [J]"));
}

#[test]
fn the_schema_is_json_and_the_reference_is_text() {
    let desk = Desk::new();
    let schema = desk.runs("schema").ends(0).json();
    assert!(schema["properties"]["patterns"].is_object());
    desk.runs("schema --reference").ends(0).says(&["# Scene reference", "## Hinge", "## Pattern"]);
}

#[test]
fn a_robot_becomes_a_scene_that_runs() {
    let desk = Desk::new();
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../import/tests/models");
    let mut seen = 0;
    for entry in fs::read_dir(models).expect("models") {
        let path = entry.expect("one").path();
        let ending = path.extension().map(|e| e.to_string_lossy().into_owned());
        if !matches!(ending.as_deref(), Some("urdf" | "xml")) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("text");
        if !(text.contains("<robot") || text.contains("<mujoco")) || text.contains("<mujocoinclude") {
            continue;
        }
        let scene = format!("m{seen}.toml");
        let file = path.display().to_string();
        desk.windlass(&["import", &file, "-o", &scene]).ends(0).says(&["bodies", "next: windlass run"]);
        desk.windlass(&["run", &scene, "--duration", "0.1", "--dt", "1 ms"]).ends(0);
        desk.windlass(&["import", &file, "-o", &scene]).ends(1).says(&["already exists"]);
        seen += 1;
    }
    assert!(seen >= 4, "{seen} models");
    desk.runs("import nowhere.urdf").ends(1);
    desk.write("odd.xml", "<svg/>");
    desk.runs("import odd.xml").ends(2).says(&["odd.xml:1:1"]);
}
