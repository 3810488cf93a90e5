//! `windlass check` and `windlass info`.

use crate::desk;

use desk::{Desk, FALL, HANG, example, examples, scenes};

const BAD: &str = "[joints.j]\nball = { bodies = [\"stoen\", \"gruond\"], at = [0, 0, 0] }\n";

#[test]
fn check_finds_everything_wrong() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    desk.write("bad.toml", &(FALL.to_string() + BAD));
    let ran = desk.runs("check fall.toml").ends(0);
    assert_eq!(ran.out(), "fall.toml: valid; 1 body, 0 joints, 6 degrees of freedom\n");

    let ran = desk.runs("check bad.toml fall.toml").ends(2).says(&[
        "no body \"stoen\"",
        "did you mean \"stone\"?",
        "no body \"gruond\"",
        "bad.toml:9:20",
        "2 problems",
    ]);
    assert!(!ran.err().contains('\u{1b}'), "no colours where nobody looks");
    assert!(ran.out().contains("fall.toml: valid"), "the next file is checked all the same");
    desk.runs("run bad.toml").ends(2);
    desk.runs("check nowhere.toml").ends(1);

    desk.windlass(&["check", &example("bricard")])
        .ends(0)
        .says(&["1 degree of freedom\n  redundant: hinge6 (1 equation)"]);
    let open = "[bodies.g]\ntype = \"static\"\n[joints.j]\n\
                ball = { bodies = [\"g\", \"stone\"], frames = [{ at = [0, 0, 0.5] }, {}] }\n";
    desk.write("open.toml", &(FALL.to_string() + open));
    desk.runs("check open.toml").ends(0).says(&["assembled: joints were open"]);
    desk.runs("check open.toml --set settings.assemble=false").ends(0).says(&["open: j by 0.5 (m or rad)"]);
    // one point, held at two places
    let torn = "[bodies.g]\ntype = \"static\"\n[joints]\n\
                a.ball = { bodies = [\"g\", \"stone\"], frames = [{ at = [-0.3, 0, 0] }, {}] }\n\
                b.ball = { bodies = [\"g\", \"stone\"], frames = [{ at = [0.3, 0, 0] }, {}] }\n";
    desk.write("torn.toml", &(FALL.to_string() + torn));
    let ran = desk.runs("check torn.toml").ends(0).says(&["not assembled: ", "cannot be closed; 0.3"]);
    assert!(
        !ran.out().contains("  open: b") && ran.out().contains("  open: a by 0.3 (m or rad)\n"),
        "a joint that cannot be closed is reported once, and nothing closes the other one: {}",
        ran.out()
    );
}

/// A deck that rolls from the first instant on, and a box on it that does not.
#[test]
fn check_tells_what_is_jerked_at_the_start() {
    let desk = Desk::new();
    let deck = "windlass = 2\n[bodies.deck]\ntype = \"kinematic\"\npath = { x = { sine = { amplitude = 1, frequency = 0.5 } } }\n\
                [sections.lash]\nmaterial = \"steel\"\ndiameter = 0.02\n[cables]\n\
                lashing = { section = \"lash\", tension = \"20 kN\", route = [{ attach = \"deck\", at = [-3, 0, 0] }, { attach = \"box\", at = [0, 0, 0] }] }\n\
                [bodies.box]\nmass = 1000\ninertia = [1, 1, 1]\n";
    desk.write("deck.toml", deck);
    desk.runs("check deck.toml")
        .ends(0)
        .says(&["velocity jump: lashing: the prescribed velocity of deck", "by 3.142 m/s"]);
    desk.write("box.toml", &format!("{deck}velocity = [3.141592653589793, 0, 0]\n"));
    let told = desk.runs("check box.toml").ends(0);
    assert!(!told.out().contains("jerked"), "{}", told.out());
}

#[test]
fn check_reads_the_probes_of_a_scene() {
    let desk = Desk::new();
    let cable = "[cables.c]\nsection = { material = \"steel\", diameter = 0.01 }\npath = [[0, 0, 5], [1, 0, 5]]\n[probes]\n\
                 height = \"bodies.stone.position.z\"\n";
    let wrong =
        "far = \"cables.c.tension(7)\"\nword = \"cables.c.tensoin(0.5)\"\nname = \"bodies.stoen.speed\"\n";
    desk.write("good.toml", &(FALL.to_string() + cable));
    desk.write("bad.toml", &(FALL.to_string() + cable + wrong));
    desk.runs("check good.toml").ends(0);
    desk.runs("check bad.toml").ends(2).says(&[
        "probe `far`:",
        "positions are from 0 to 1 m of unloaded length",
        "probe `word`: cables have no \"tensoin(s)\"",
        "did you mean \"tension\"?",
        "probe `name`: no body \"stoen\"",
        "3 problems in bad.toml",
    ]);
    let found = desk.runs("check bad.toml --json").ends(2).json();
    let problem = &found["scenes"][0]["problems"][1];
    let line = FALL.lines().count() + 7;
    assert_eq!((&problem["line"], &problem["column"]), (&line.into(), &8.into()), "{found}");
}

/// Every scene that comes with the program, probes and all.
#[test]
fn all_scenes_are_sound() {
    let mut folders = vec![scenes().join("..")];
    let mut all = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("a file").path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(end) if end == "toml" => all.push(path.display().to_string()),
                _ => {}
            }
        }
    }
    assert!(all.len() >= 60, "{} scenes", all.len());
    let arguments: Vec<_> = ["check"].into_iter().chain(all.iter().map(String::as_str)).collect();
    Desk::new().windlass(&arguments).ends(0);
}

#[test]
fn check_speaks_json() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    desk.write("bad.toml", &(FALL.to_string() + BAD));
    let ran = desk.runs("check bad.toml fall.toml nowhere.toml --json").ends(2);
    assert_eq!(ran.err(), "", "everything is in the JSON");
    let found = ran.json();
    assert_eq!(found["valid"], false);
    let problem = &found["scenes"][0]["problems"][0];
    assert_eq!(
        (&problem["file"], &problem["line"], &problem["column"]),
        (&"bad.toml".into(), &9.into(), &20.into())
    );
    assert_eq!(problem["message"], "no body \"stoen\"");
    assert_eq!(problem["help"], "did you mean \"stone\"?");
    assert_eq!(found["scenes"][1]["valid"], true);
    assert_eq!(found["scenes"][1]["contents"]["degrees_of_freedom"], 6);
    assert_eq!(found["scenes"][2]["problems"].as_array().map(Vec::len), Some(1));
    let all = examples();
    let arguments: Vec<_> = ["check", "--json"].into_iter().chain(all.iter().map(String::as_str)).collect();
    assert_eq!(desk.windlass(&arguments).ends(0).json()["valid"], true);
}

#[test]
fn info_counts() {
    let desk = Desk::new();
    desk.windlass(&["info", &example("chain")])
        .ends(0)
        .says(&["21 dynamic, 1 static, 0 kinematic", "21 bodies, 21 joints, 63 equations"]);
    let contents = desk.windlass(&["info", &example("gear_train"), "--json"]).ends(0).json();
    assert_eq!(contents["joints"]["hinge"], 4);
    assert_eq!(contents["joints"]["coupling"], 3);
    assert_eq!(contents["degrees_of_freedom"], 2);
    desk.write("hang.toml", HANG);
    let islands = desk.runs("info hang.toml --json").ends(0).json()["islands"].clone();
    assert_eq!(islands[0]["first"], "bob");
    assert_eq!((&islands[0]["equations"], &islands[1]["equations"]), (&5.into(), &1.into()));
}

#[test]
fn info_lists_probes() {
    let desk = Desk::new();
    desk.write("hang.toml", HANG);
    desk.runs("info hang.toml --probes").ends(0).says(&[
        "bodies.NAME.position[.x|y|z|size]",
        "joints.NAME.tension",
        "energy.total",
        "bodies: ground, bob, side.bob",
        "pin, top (hinge), rope (distance)",
    ]);
}

/// What `check` finds wrong with the probes of a scene, a run does not pass over.
#[test]
fn check_and_run_say_the_same_of_probes() {
    let desk = Desk::new();
    desk.write("bad.toml", &(FALL.to_string() + "[probes]\nz = \"bodies.stoen.position.z\"\n"));
    let told = desk.runs("check bad.toml").ends(2).err();
    assert!(told.contains("bad.toml:9:5") && told.contains("did you mean \"stone\"?"), "{told}");
    for line in ["run bad.toml", "run bad.toml --log a.csv", "hash bad.toml", "export bad.toml -o a.svg"] {
        assert_eq!(desk.runs(line).ends(2).err(), told, "{line}");
    }
    // what there is to be probed can be listed all the same
    desk.runs("info bad.toml --probes").ends(0).says(&["bodies.NAME.position"]);
}

/// A file of one line is not shown whole for one mistake.
#[test]
fn a_very_long_line_is_shown_in_part() {
    let desk = Desk::new();
    let long = "x".repeat(2_000_000);
    let bodies: String = (0..3000)
        .map(|i| format!("b{i} = {{ mass = 1, shape = {{ sphere = {{ radius = 1 }} }} }}, "))
        .collect();
    for (name, text, words) in [
        (
            "comment",
            format!("windlass = 2\n[bodies.a]\nmass = \"1 kgg\" # {long}\n"),
            ["comment.toml:3:8", "mass = \"1 kgg\""],
        ),
        ("key", format!("windlass = 2\n{long} = 1\n"), ["key.toml:2:1", "xxx"]),
        ("value", format!("windlass = 2\n[bodies.a]\ntype = \"{long}\"\n"), ["value.toml:3:8", "type = "]),
        ("junk", format!("windlass = 2\nx = {long}\n"), ["junk.toml:2", "xxx"]),
        (
            "line",
            format!("windlass = 2\nbodies = {{ {bodies} bad = {{ mas = 1 }} }}\n"),
            ["line.toml:2:", "mas = 1"],
        ),
    ] {
        desk.write(&format!("{name}.toml"), &text);
        let told = desk.runs(&format!("check {name}.toml")).ends(2).says(&words).err();
        assert!(told.len() < 4000, "{name}: {} bytes", told.len());
    }
}

/// A scene that does not fit into memory is refused before it is built; what runs out all the same has an exit code of its own.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_told() {
    let desk = Desk::new();
    let cable = "[cables.c]\nelements = 100000\nsection = { material = \"steel\", diameter = 0.01 }\n\
                 path = [[0, 0, 5], [1000, 0, 5]]\ncollide = false\n";
    desk.write("long.toml", &(FALL.to_string() + cable));
    let within = |kilobytes: u32, line: &str| {
        let line = format!("ulimit -v {kilobytes}; exec '{}' {line}", env!("CARGO_BIN_EXE_windlass"));
        desk::Ran(
            std::process::Command::new("bash")
                .args(["-c", &line])
                .current_dir(desk.path(""))
                .output()
                .expect("bash"),
        )
    };
    for command in ["check long.toml", "run long.toml", "info long.toml"] {
        within(400_000, command).ends(2).says(&[
            "needs at least 800 MB",
            "100000 elements",
            "give cables fewer `elements`",
        ]);
    }
    // how much address space the program itself takes depends on its build and its threads: it is found from what it
    // reports as free
    let run = "run long.toml --duration 0.02 --threads 1";
    let told = within(400_000, run).err();
    let free = told.split("memory and ").nth(1).and_then(|rest| rest.split(' ').next());
    let free: f64 = free.and_then(|free| free.parse().ok()).unwrap_or_else(|| panic!("{told}"));
    let enough_to_begin = 400_000 + ((830.0 - free) * 1e6 / 1024.0) as u32;
    within(enough_to_begin, run).ends(4).says(&["memory allocation of"]);
}

#[test]
fn upgrade_rewrites_files_of_version_1() {
    let desk = Desk::new();
    let old = "windlass = 1 # a stone\n[bodies.stone]\nmass = 1\ninertia = [1, 1, 1]\nspin = [0, 0, 1]\n";
    desk.write("old.toml", old);
    desk.runs("check old.toml").ends(2).says(&["run `windlass upgrade FILE`"]);
    desk.runs("upgrade old.toml --dry-run").ends(0).says(&["old.toml: 1 name to rename"]);
    desk.runs("upgrade old.toml").ends(0).says(&["old.toml: 1 name renamed"]);
    desk.runs("check old.toml").ends(0);
    desk.runs("upgrade old.toml").ends(0).says(&["old.toml: already version 2"]);
    desk.write("torn.toml", "windlass = 1\n[bodies");
    desk.runs("upgrade torn.toml").ends(2).says(&["not TOML"]);
    desk.runs("upgrade none.toml").ends(1).says(&["cannot read none.toml"]);
}
