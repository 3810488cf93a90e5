//! Soil outside of the step: recordings, branches, pictures, warnings and probes of scenes that are dug.

use crate::desk;

use desk::{Desk, scenes};
use std::fs;

/// A blade that cuts sand, on a ground that is small enough for a test.
const BLADE: &str = r#"
windlass = 2
[settings]
duration = "3 s"
[grounds.site]
size = [6, 3]
spacing = "10 cm"
soil = "dry_sand"
particle = "14 cm"
particles = 400
[bodies.rail]
type = "static"
position = [0, 0, 2]
[bodies.blade]
position = [-2, 0, 0.3]
mass = "1.2 t"
inertia = [400, 200, 400]
collision = [{ shape = { box = { size = [0.06, 1.6, 0.9] } }, at = [-0.1, 0, 0.05] }]
[joints.rail.slider]
bodies = ["rail", "blade"]
at = [-2, 0, 2]
axis = [1, 0, 0]
motor = { speed = "0.8 m/s", force = "40 kN" }
[tools.blade]
body = "blade"
edge = [[0, -0.8, -0.42], [0, 0.8, -0.42]]
face = [0, 0, 1]
height = "90 cm"
[probes]
mass = "grounds.site.mass"
far = "grounds.site.height(2.5, 1)"
near = "grounds.site.height(-1.5, 0)"
"#;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("blade.toml", BLADE);
    desk
}

fn hash(text: &str) -> String {
    text.lines().last().expect("a hash").split_whitespace().last().expect("it").to_string()
}

#[test]
fn a_recording_of_digging_repeats_and_any_frame_is_the_start_of_a_branch() {
    let desk = desk();
    let ran = hash(&desk.runs("run blade.toml --record a.wlr").ends(0).out());
    desk.runs("verify a.wlr").ends(0).says(&["bitwise equal"]);
    desk.runs("verify a.wlr --from-keyframes").ends(0).says(&["bitwise equal"]);
    // a branch without changes goes where the run went, from any frame: also between keyframes
    for (k, at) in [0.0, 0.7, 1.3, 2.2, 2.95].into_iter().enumerate() {
        let line = format!("branch a.wlr -o b{k}.wlr --at {at} --duration {}", 3.0 - at);
        assert_eq!(hash(&desk.runs(&line).ends(0).out()), ran, "from {at} s");
    }
    // an edit of soil in a branch: what was dug is kept, and the recording repeats
    desk.windlass(&[
        "branch",
        "b2.wlr",
        "-o",
        "c.wlr",
        "--at",
        "2",
        "--duration",
        "1",
        "--set",
        "grounds.site.edits=[{ at = [1, 0], mass = \"400 kg\" }]",
    ])
    .ends(0);
    desk.runs("verify c.wlr").ends(0).says(&["bitwise equal"]);
    desk.runs("log c.wlr -o c.csv --probe grounds.site.edited_mass").ends(0);
    assert!(desk.read("c.csv").lines().last().unwrap().ends_with("400.0"));
}

/// Keyframes have what changed: the file of a run that digs a part of the ground does not hold all of it each second.
#[test]
fn a_recording_grows_with_what_changes() {
    let desk = desk();
    // a ground that was shaped all over, so that all of it is state
    let wide = "edits = [{ outline = [[-20, -20], [20, -20], [20, 20], [-20, 20]], height = -0.05 }]\n";
    // columns that differ, so that a whole keyframe cannot be compressed to nothing
    let rough = "heights = { expression = \"0.03 * sin(7 * x) * cos(5 * y)\" }\n";
    let shaped = BLADE
        .replace("size = [6, 3]", "size = [36, 36]")
        .replace("soil = \"dry_sand\"\n", &format!("soil = \"dry_sand\"\n{rough}{wide}"));
    desk.write("wide.toml", &shaped);
    let size = |seconds: &str, name: &str| {
        desk.runs(&format!("run wide.toml --record {name} --duration {seconds} --quiet")).ends(0);
        fs::metadata(desk.path(name)).expect("a file").len()
    };
    let (one, three) = (size("1", "one.wlr"), size("3", "three.wlr"));
    // the keyframe of the start is whole, the two later ones hold a part of it
    assert!(three < 2 * one, "{one} bytes for 1 s, {three} for 3 s");
    desk.runs("verify three.wlr --from-keyframes").ends(0).says(&["bitwise equal"]);
}

#[test]
fn threads_do_not_change_a_bit() {
    let desk = desk();
    let on = |threads: u32| {
        hash(&desk.runs(&format!("run blade.toml --duration 2 --threads {threads}")).ends(0).out())
    };
    let one = on(1);
    assert!(one == on(2) && one == on(3));
}

#[test]
fn pictures_of_recordings_and_scenes_show_the_ground_as_it_was() {
    let desk = desk();
    desk.runs("run blade.toml --record a.wlr --quiet").ends(0);
    for source in ["blade.toml", "a.wlr"] {
        for (at, name) in [("0", "start.svg"), ("2.5", "dug.svg")] {
            desk.runs(&format!("export {source} -o {name} --at {at}")).ends(0);
        }
        let (start, dug) = (desk.read("start.svg"), desk.read("dug.svg"));
        assert!(dug.matches("<path").count() > start.matches("<path").count() + 100);
    }
    // both ways show the same
    desk.runs("export blade.toml -o live.svg --at 2.5").ends(0);
    assert_eq!(desk.read("live.svg"), desk.read("dug.svg"));
    desk.runs("export a.wlr -o a.glb --fps 10").ends(0);
    desk.runs("export a.wlr -o a.usda --fps 10").ends(0);
    assert!(desk.read("a.usda").contains("def PointInstancer \"Lumps\""));
    assert!(fs::metadata(desk.path("a.glb")).expect("a file").len() < 8_000_000);
}

#[test]
fn info_check_and_logs_tell_of_soil() {
    let desk = desk();
    desk.runs("info blade.toml").ends(0).says(&[
        "soils",
        "K_p",
        "upright cut",
        "tools",
        "blade on blade in site",
    ]);
    let json = desk.runs("info blade.toml --json").ends(0).json();
    assert_eq!(json["earthwork"]["grounds"][0]["nodes"][0], 61);
    desk.runs("check blade.toml --set grounds.site.particles=0")
        .ends(0)
        .says(&["soil:", "grounds.site.particles"]);
    let json = desk.runs("check blade.toml --json --set grounds.site.particles=0").ends(0).json();
    assert_eq!(json["scenes"][0]["contents"]["soils"][0]["key"], "grounds.site.particles");
    desk.runs("run blade.toml --log run.csv").ends(0).says(&["soil"]);
    let near = desk::column(&desk.path("run.csv"), "near [m]");
    let far = desk::column(&desk.path("run.csv"), "far [m]");
    assert!(near[0] == 0.0 && near[near.len() - 1].abs() > 0.02, "{near:?}");
    assert_eq!(far[far.len() - 1], 0.0);
    desk.runs("run blade.toml --duration 0.1 --log x.csv --probe grounds.site.height(9,0)")
        .ends(2)
        .says(&["beside the ground"]);
}

/// Every scene of the catalogue repeats bit for bit, on any number of threads: its first second.
#[test]
fn every_earthwork_scene_repeats() {
    repeats("1", &["2"]);
}

#[test]
#[ignore = "minutes: run on demand"]
fn every_earthwork_scene_repeats_for_long() {
    repeats("4", &["2", "3"]);
}

fn repeats(duration: &str, threads: &[&str]) {
    let desk = Desk::new();
    for entry in fs::read_dir(scenes().join("../earthwork")).expect("scenes") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let (scene, name) =
            (path.display().to_string(), path.file_stem().unwrap().to_string_lossy().into_owned());
        let recording = format!("{name}.wlr");
        let first = ["run", &scene, "--duration", duration, "--record", &recording, "--threads", "1"];
        let one = hash(&desk.windlass(&first).ends(0).out());
        for threads in threads {
            let again = desk.windlass(&["run", &scene, "--duration", duration, "--threads", threads]);
            assert_eq!(hash(&again.ends(0).out()), one, "{name} on {threads} threads");
        }
        desk.windlass(&["verify", &recording]).ends(0).says(&["bitwise equal"]);
        desk.windlass(&["verify", &recording, "--from-keyframes"]).ends(0).says(&["bitwise equal"]);
    }
}
