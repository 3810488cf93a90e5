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
    assert_eq!(ran.out(), "fall.toml: sound; 1 body, 0 joints, 6 degrees of freedom\n");

    let ran = desk.runs("check bad.toml fall.toml").ends(2).says(&[
        "no body \"stoen\"",
        "did you mean \"stone\"?",
        "no body \"gruond\"",
        "bad.toml:9:20",
        "2 problems",
    ]);
    assert!(!ran.err().contains('\u{1b}'), "no colours where nobody looks");
    assert!(ran.out().contains("fall.toml: sound"), "the next file is checked all the same");
    desk.runs("run bad.toml").ends(2);
    desk.runs("check nowhere.toml").ends(1);

    desk.windlass(&["check", &example("bricard")])
        .ends(0)
        .says(&["1 degree of freedom\n  redundant: hinge6 (1 row)"]);
    let open = "[bodies.g]\nkind = \"fixed\"\n[joints.j]\n\
                ball = { bodies = [\"g\", \"stone\"], frames = [{ at = [0, 0, 0.5] }, {}] }\n";
    desk.write("open.toml", &(FALL.to_string() + open));
    desk.runs("check open.toml").ends(0).says(&["open: j by 0.5 (m or rad)"]);
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
        "it goes from 0 to 1 m, without load",
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
    assert_eq!(found["sound"], false);
    let problem = &found["scenes"][0]["problems"][0];
    assert_eq!(
        (&problem["file"], &problem["line"], &problem["column"]),
        (&"bad.toml".into(), &9.into(), &20.into())
    );
    assert_eq!(problem["message"], "no body \"stoen\"");
    assert_eq!(problem["help"], "did you mean \"stone\"?");
    assert_eq!(found["scenes"][1]["sound"], true);
    assert_eq!(found["scenes"][1]["contents"]["degrees_of_freedom"], 6);
    assert_eq!(found["scenes"][2]["problems"].as_array().map(Vec::len), Some(1));
    let all = examples();
    let arguments: Vec<_> = ["check", "--json"].into_iter().chain(all.iter().map(String::as_str)).collect();
    assert_eq!(desk.windlass(&arguments).ends(0).json()["sound"], true);
}

#[test]
fn info_counts() {
    let desk = Desk::new();
    desk.windlass(&["info", &example("chain")])
        .ends(0)
        .says(&["21 free, 1 fixed, 0 driven", "21 bodies, 21 joints, 63 rows"]);
    let contents = desk.windlass(&["info", &example("gear_train"), "--json"]).ends(0).json();
    assert_eq!(contents["joints"]["hinge"], 4);
    assert_eq!(contents["joints"]["coupling"], 3);
    assert_eq!(contents["degrees_of_freedom"], 2);
    desk.write("hang.toml", HANG);
    let islands = desk.runs("info hang.toml --json").ends(0).json()["islands"].clone();
    assert_eq!(islands[0]["first"], "bob");
    assert_eq!((&islands[0]["rows"], &islands[1]["rows"]), (&5.into(), &1.into()));
}

#[test]
fn info_lists_probes() {
    let desk = Desk::new();
    desk.write("hang.toml", HANG);
    desk.runs("info hang.toml --probes").ends(0).says(&[
        "bodies.NAME.position[.x|y|z]",
        "joints.NAME.tension",
        "energy.total",
        "bodies: ground, bob, side.bob",
        "pin, top (hinge), rope (distance)",
    ]);
}
