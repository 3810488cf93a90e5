//! `windlass new`: every starter is sound and runs.

use crate::desk;

use desk::Desk;

/// The starters, as listed.
fn starters(desk: &Desk) -> Vec<String> {
    let list = desk.runs("new").ends(0).out();
    let lines = list.lines().take_while(|line| !line.is_empty());
    lines.map(|line| line.split_whitespace().next().expect("a name").to_string()).collect()
}

#[test]
fn starters_are_sound_and_run() {
    let desk = Desk::new();
    let names = starters(&desk);
    let wanted = [
        "crane",
        "winch",
        "car",
        "truck",
        "four_by_four",
        "truck_8x8",
        "excavator",
        "bulldozer",
        "grader",
        "compactor",
        "dumper",
        "forwarder",
        "loader",
        "mobile_crane",
        "forklift",
        "robot_arm",
        "slider_crank",
        "pendulum",
        "chain",
        "gyroscope",
    ];
    for wanted in wanted {
        assert!(names.iter().any(|n| n == wanted), "{wanted}");
    }
    for name in names {
        desk.windlass(&["new", &name]).ends(0).says(&[&format!("next: windlass run {name}.toml")]);
        let file = format!("{name}.toml");
        let found = desk.windlass(&["check", &file, "--json"]).ends(0).json();
        let contents = &found["scenes"][0]["contents"];
        assert_eq!(contents["redundant"].as_array().map(Vec::len), Some(0), "{name}: {contents}");
        assert_eq!(contents["open_joints"].as_array().map(Vec::len), Some(0), "{name}: {contents}");
        let summary = desk.windlass(&["run", &file, "--duration", "10", "--json"]).ends(0).json();
        assert!(
            summary["max_constraint_violation"]["value"].as_f64().expect("a gap") < 1e-3,
            "{name}: {summary}"
        );
        // one step of a full bucket is solved to 1e-3 of the largest speed only (docs/quality/limits.md)
        let allowed = u64::from(name == "excavator");
        assert!(summary["not_converged_steps"].as_u64().is_some_and(|n| n <= allowed), "{name}: {summary}");
    }
}

/// The commands in the heads of starters do what they say.
#[test]
fn starters_tell_commands_that_work() {
    let desk = Desk::new();
    for name in starters(&desk) {
        desk.windlass(&["new", &name]).ends(0);
        let text = desk.read(&format!("{name}.toml"));
        let commands: Vec<_> = text.lines().filter_map(|l| l.strip_prefix("#   windlass ")).collect();
        assert!(!commands.is_empty(), "{name}");
        for command in commands {
            let words: Vec<_> = command.split_whitespace().map(|w| w.replace('"', "")).collect();
            let mut words: Vec<_> = words.iter().map(String::as_str).collect();
            // `starters_are_sound_and_run` has longer runs
            if words[0] == "run" && !words.contains(&"--duration") {
                words.extend(["--duration", "3"]);
            }
            desk.windlass(&words).ends(0);
        }
    }
}

#[test]
fn the_crane_lifts_slews_and_lowers() {
    let desk = Desk::new();
    desk.runs("new crane -o c.toml").ends(0);
    desk.runs(
        "run c.toml -q --log c.csv --every 12 --probe p=bodies.load.position --probe t=joints.hoist.tension",
    )
    .ends(0);
    let [x, y, z, tension] =
        ["p.x [m]", "p.y [m]", "p.z [m]", "t [N]"].map(|c| desk::column(&desk.path("c.csv"), c));
    let highest = z.iter().fold(0.0, |a: f64, b| a.max(*b));
    assert!(highest > 20.0, "lifted to {highest}");
    let (x, y, z) = (x[x.len() - 1], y[y.len() - 1], z[z.len() - 1]);
    assert!(x < -5.0 && y > 10.0, "slewed to {x}, {y}");
    assert!((1.0..2.0).contains(&z), "lowered to {z}");
    assert!(tension.iter().all(|t| (30e3..50e3).contains(t)), "the rope stays taut");
}

#[test]
fn files_are_kept() {
    let desk = Desk::new();
    desk.write("crane.toml", "mine");
    desk.runs("new crane").ends(1).says(&["crane.toml already exists", "--force"]);
    assert_eq!(desk.read("crane.toml"), "mine");
    desk.runs("new crane --force").ends(0);
    assert!(desk.read("crane.toml").contains("windlass = 2"));
    desk.runs("new krane").ends(2).says(&["no starter \"krane\"", "did you mean \"crane\"?"]);
    desk.runs("new chain -o no/folder.toml").ends(1).says(&["cannot write no/folder.toml"]);
    desk.runs("new --force").ends(2);
}

/// A disk without room leaves no file, or the older one, and nothing beside it.
#[cfg(unix)]
#[test]
fn no_half_file_is_left_on_a_full_disk() {
    let desk = Desk::new();
    desk.runs("new crane -o scene.toml").ends(0);
    desk.runs("run scene.toml -q --duration 1 --log lift.csv").ends(0);
    desk.write("old.toml", "mine");
    desk.write("old.svg", "mine");
    // files of at most 1 kB
    let within = |line: &str| {
        let line = format!("ulimit -f 1; exec '{}' {line}", env!("CARGO_BIN_EXE_windlass"));
        let ran = std::process::Command::new("bash").args(["-c", &line]).current_dir(desk.path("")).output();
        desk::Ran(ran.expect("bash")).ends(1).says(&["cannot write"])
    };
    for line in [
        "new crane",
        "new crane -o old.toml --force",
        "plot lift.csv --y bodies.load.position.z -o old.svg",
        "plot lift.csv --y bodies.load.position.z -o new.svg",
        "export scene.toml -o new.svg",
        "run scene.toml -q --log wide.csv",
    ] {
        within(line);
    }
    let mut left: Vec<_> =
        std::fs::read_dir(desk.path("")).expect("a folder").map(|f| f.expect("a file").file_name()).collect();
    left.sort();
    assert_eq!(left, ["lift.csv", "old.svg", "old.toml", "scene.toml"]);
    assert_eq!(desk.read("old.toml") + &desk.read("old.svg"), "minemine");
}
