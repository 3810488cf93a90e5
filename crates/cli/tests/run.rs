//! `windlass run` and `windlass hash`.

use crate::desk;

use desk::{Desk, FALL, HANG, TROUBLE, column, example, examples, table};

#[test]
fn a_run_tells_how_it_went() {
    let desk = Desk::new();
    let ran = desk.windlass(&["run", &example("luffing_crane")]).ends(0).says(&[
        "luffing_crane",
        "30 s: 1800 steps",
        "× real time",
        "µs median",
        "violation",
        "hash",
    ]);
    assert_eq!(ran.err(), "", "no progress bar where nobody looks");
    let quiet = desk.windlass(&["run", &example("pendulum"), "-q", "--duration", "0.1"]).ends(0);
    assert_eq!((quiet.out(), quiet.err()), (String::new(), String::new()));
    let arguments = ["run", &example("four_bar"), "--duration", "0.5"];
    desk.windlass(&arguments).ends(0).says(&["redundant      bearing (3 equations)"]);
}

#[test]
fn a_run_can_be_told_otherwise_and_speaks_json() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    let arguments = [
        "run",
        "fall.toml",
        "--json",
        "--duration",
        "500 ms",
        "--dt",
        "1/100 s",
        "--integrator",
        "projected",
    ];
    let summary = desk.windlass(&arguments).ends(0).json();
    assert_eq!(summary["scene"], "fall");
    assert_eq!(summary["integrator"], "projected");
    assert_eq!(summary["steps"], 50);
    assert!((summary["duration"].as_f64().expect("a number") - 0.5).abs() < 1e-9);
    assert!(summary["energy"]["change"].as_f64().expect("a number").abs() < 1e-9);
    assert!(summary["fault"].is_null());
    assert_eq!(summary["interrupted"], false);
    let times = &desk.runs("run fall.toml --json").ends(0).json()["step_wall_time"];
    for key in ["median", "p99", "max", "mean"] {
        assert!(times[key].as_f64().expect("a time") > 0.0, "{key}: {times}");
    }
    assert!(times["stages"]["solve"].as_f64().expect("a time") > 0.0, "{times}");
}

/// Steps out of range and rates above the step rate are rejected with the limit and the option to take instead.
#[test]
fn limits_of_step_and_rate_are_told() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    for dt in ["7", "0.25 s", "10 ns", "-1 ms"] {
        let ran = desk.windlass(&["run", "fall.toml", &format!("--dt={dt}")]).ends(2);
        ran.says(&["--dt", "1e-7 s to 0.2 s", "--duration"]);
    }
    let ran = desk.windlass(&["run", "fall.toml", "--log", "fall.csv", "--rate", "1 kHz"]).ends(2);
    ran.says(&["1000 Hz exceeds the step rate", "are 60 per second", "at most 60 Hz", "--dt \"1/1000 s\""]);
    desk.windlass(&["run", "fall.toml", "--rate", "10 Hz"]).ends(2).says(&["--log"]);
    desk.windlass(&["run", "fall.toml", "--log", "fall.csv", "--rate", "0 Hz"])
        .ends(2)
        .says(&["more than 0 Hz"]);
    let help = desk.windlass(&["run", "--help"]).ends(0);
    help.says(&["1e-7 s to 0.2 s", "at most one per step", "All steps are simulated"]);
}

#[test]
fn wrong_options_are_refused() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    for (option, value) in [
        ("--dt", "5 kg"),
        ("--dt", "7"),
        ("--duration", "-1"),
        ("--every", "0"),
        ("--rate", "3 m"),
        ("--rate", "0 Hz"),
        ("--threads", "0"),
        ("--hash-every", "0"),
        ("--log", "table.xlsx"),
    ] {
        desk.windlass(&["run", "fall.toml", option, value]).ends(2);
    }
    desk.runs("run fall.toml --realtime=fast").ends(2).says(&["--realtime=2"]);
    desk.runs("run fall.toml --realtime=0").ends(2);
    desk.runs("run fall.toml --probe time").ends(2).says(&["--log"]);
    desk.runs("run fall.toml --log a.csv --every 2 --rate 3").ends(2).says(&["cannot be used with"]);
    desk.runs("run fall.toml --log a.csv --rate 61").ends(2).says(&["are 60 per second"]);
}

#[test]
fn a_log_has_everything_at_the_same_time() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    desk.runs("run fall.toml --log fall.csv --every 6").ends(0);
    let (names, rows) = table(&desk.path("fall.csv"));
    assert_eq!(
        names[..4],
        [
            "time [s]",
            "bodies.stone.position.x [m]",
            "bodies.stone.position.y [m]",
            "bodies.stone.position.z [m]"
        ]
    );
    assert_eq!((names.len(), rows.len()), (14, 11));
    for row in &rows {
        let t = row[0];
        assert!((row[3] + 0.5 * 9.81 * t * t).abs() < 1e-9, "z at {t}");
        assert!((row[10] + 9.81 * t).abs() < 1e-9, "speed at {t}");
    }
    // at rest the joint bears the weight
    desk.write("hang.toml", HANG);
    desk.runs("run hang.toml --log hang.csv").ends(0);
    let (names, _) = table(&desk.path("hang.csv"));
    assert!(names.contains(&"joints.rope.1.effort [N]".to_string()), "{names:?}");
    assert!(
        column(&desk.path("hang.csv"), "joints.\"pin, top\".force.z [N]")
            .iter()
            .all(|f| (f - 19.62).abs() < 1e-6)
    );
}

/// Two kilograms on a cable of elements, and on a rope without mass: what pulls at the load comes to be its weight.
#[test]
fn a_log_has_the_cables() {
    let desk = Desk::new();
    desk.write(
        "lines.toml",
        r#"windlass = 2
        [settings]
        duration = 1
        collide = false
        [bodies.beam]
        type = "static"
        [bodies.load]
        position = [0, 0, -1]
        mass = 2
        inertia = [0.1, 0.1, 0.1]
        [bodies.weight]
        position = [1, 0, -1]
        mass = 2
        inertia = [0.1, 0.1, 0.1]
        [sections.wire]
        construction = "6x19 IWRC"
        diameter = "8 mm"
        [cables.line]
        section = "wire"
        start = { body = "beam", at = [0, 0, 0] }
        end = { body = "load", at = [0, 0, -1] }
        elements = 4
        [cables.fall]
        section = "wire"
        route = [{ attach = "beam", at = [1, 0, 0] }, { attach = "weight", at = [1, 0, -1] }]
        "#,
    );
    desk.runs("run lines.toml --log lines.csv").ends(0);
    for cable in ["line", "fall"] {
        let of = |word: &str| column(&desk.path("lines.csv"), &format!("cables.{cable}.{word}"));
        let (start, end, largest) = (of("tension.start [N]"), of("tension.end [N]"), of("max_tension [N]"));
        let last = end[end.len() - 1];
        assert!((last / 19.62 - 1.0).abs() < 1e-4, "{cable}: {last} N");
        // at the start there are no forces yet
        assert!((1..end.len()).all(|i| largest[i] >= start[i] && largest[i] >= end[i]), "{cable}");
        assert!(of("length [m]").iter().all(|l| (l - 1.0).abs() < 1e-3), "{cable}");
    }
}

#[test]
fn a_log_has_as_many_lines_as_its_rate_says() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    desk.windlass(&["run", "fall.toml", "--dt", "1 ms", "--log", "fall.csv", "--rate", "50 Hz"]).ends(0);
    let times = column(&desk.path("fall.csv"), "time [s]");
    assert_eq!(times.len(), 51);
    for (i, time) in times.iter().enumerate() {
        assert!((time - 0.02 * i as f64).abs() < 1e-9, "{time}");
    }
}

/// A door on two rigid hinges: which of them bears its weight nobody can say. A stop that is not redundant is not marked.
#[test]
fn statically_indeterminate_reactions_are_marked() {
    let desk = Desk::new();
    let hinge = |name: &str, z: f64| {
        format!("[joints.{name}.hinge]\nbodies = [\"wall\", \"door\"]\nat = [0, 0, {z}]\naxis = [0, 0, 1]\n")
    };
    let head = "windlass = 2\n[bodies.wall]\ntype = \"static\"\n[bodies.door]\nposition = [0.5, 0, 0]\nmass = 40\n\
        shape = { box = { size = [1, 0.1, 2] } }\n";
    let (one, two) = (hinge("upper", 0.8), hinge("lower", -0.8));
    desk.write("one.toml", &format!("{head}{one}"));
    desk.write("two.toml", &format!("{head}{one}{two}"));
    let log = [
        "--duration",
        "0.1",
        "--log",
        "log.csv",
        "--probe",
        "joints.upper.force.z",
        "--probe",
        "joints.upper.value",
    ];
    let ran = desk.windlass(&[&["run", "two.toml"][..], &log].concat()).ends(0);
    assert!(ran.err().contains("statically indeterminate"), "{}", ran.err());
    let first = desk.read("log.csv").lines().next().expect("heads").to_string();
    assert_eq!(first, "time [s],joints.upper.force.z [N] (indeterminate),joints.upper.value [rad]");
    let told = desk.windlass(&["info", "two.toml"]).ends(0).out();
    assert!(told.contains("\"upper\", \"lower\" statically indeterminate"), "{told}");
    assert_eq!(desk.windlass(&["info", "two.toml", "--json"]).ends(0).json()["indeterminate"][1], "lower");
    let ran = desk.windlass(&[&["run", "one.toml"][..], &log].concat()).ends(0);
    assert!(!ran.err().contains("indeterminate"), "{}", ran.err());
    assert!(!desk.read("log.csv").contains("indeterminate"));
    // the torque of the one motor is determined, whatever the hinges share; that of two motors on one angle is not
    let motor = "motor = { speed = 1 }\n";
    let effort = ["--duration", "0.1", "--log", "log.csv", "--probe", "joints.upper.effort"];
    for (scene, marked) in
        [(format!("{head}{one}{motor}{two}"), false), (format!("{head}{one}{motor}{two}{motor}"), true)]
    {
        desk.write("driven.toml", &scene);
        desk.windlass(&[&["run", "driven.toml"][..], &effort].concat()).ends(0);
        assert_eq!(desk.read("log.csv").contains("(indeterminate)"), marked, "{scene}");
    }
}

/// Two ropes of one length are slack until the load has fallen by 0.2 m, at 0.2 s; then nobody can say which of them holds it.
#[test]
fn reactions_that_become_indeterminate_are_reported_with_their_time() {
    let desk = Desk::new();
    let rope = |name: &str| {
        format!(
            "[joints.{name}]\ndistance = {{ bodies = [\"ceiling\", \"load\"], points = [[0, 0, 0], [0, 0, -1]], \
             max = 1.2 }}\n"
        )
    };
    let head = "windlass = 2\nsettings = { dt = \"1/240 s\" }\n[bodies.ceiling]\ntype = \"static\"\n[bodies.load]\n\
        position = [0, 0, -1]\nmass = 10\nshape = { sphere = { radius = 0.1 } }\n";
    desk.write("late.toml", &format!("{head}{}{}", rope("one"), rope("two")));
    let probe = ["--duration", "1", "--probe", "joints.one.force.z"];
    let ran = desk.windlass(&[&["run", "late.toml", "--log", "late.csv"][..], &probe].concat()).ends(0);
    assert!(!desk.read("late.csv").contains("(indeterminate)"), "the head is written before");
    let told = ran.err();
    let told = told.lines().find(|line| line.contains("indeterminate")).expect("it is reported");
    let from = told.split_once(" from ").and_then(|(_, rest)| rest.split(' ').next()?.parse::<f64>().ok());
    assert!(told.contains("late.csv: reactions of \"one\" are"), "{told}");
    assert!(from.is_some_and(|time| (0.19..0.23).contains(&time)), "{told}");
    // a figure is drawn at the end
    desk.windlass(&[&["plot", "late.toml", "-o", "late.svg"][..], &probe].concat()).ends(0);
    assert!(desk.read("late.svg").contains("(indeterminate)"));
    // of two rods the one that breaks leaves the other with all of the load
    let rod = |name: &str| rope(name).replace("max = 1.2", "length = 1");
    let weak = rod("one") + "strength = { force = 1 }\n";
    desk.write("breaks.toml", &format!("{head}{weak}{}", rod("two")));
    let probe = ["--duration", "0.1", "--probe", "joints.two.force.z"];
    let ran = desk.windlass(&[&["run", "breaks.toml", "--log", "late.csv"][..], &probe].concat()).ends(0);
    assert!(desk.read("late.csv").contains("(indeterminate)"), "at the start both hold it");
    assert!(ran.err().contains("\"two\" are statically indeterminate until 0"), "{}", ran.err());
    let sweep = [
        "sweep",
        "breaks.toml",
        "-q",
        "-o",
        "t.csv",
        "--vary",
        "bodies.load.mass=[9, 10]",
        "--duration",
        "0.1",
    ];
    let ran = desk.windlass(&[&sweep[..], &["--measure", "max(joints.two.force.z)"]].concat()).ends(0);
    assert!(
        ran.err().contains("reactions of \"two\" are statically indeterminate at the start"),
        "{}",
        ran.err()
    );
}

#[test]
fn logging_does_not_change_the_run() {
    let desk = Desk::new();
    let hash = |more: &[&str]| {
        let scene = example("servo_arm");
        let mut arguments = vec!["run", &scene, "--json", "--duration", "1"];
        arguments.extend(more);
        desk.windlass(&arguments).ends(0).json()["hash"].clone()
    };
    let plain = hash(&[]);
    assert_eq!(plain, hash(&["--log", "arm.csv"]));
    assert_eq!(plain, hash(&["--realtime=50"]));
    assert_eq!(plain, hash(&["--check-restore"]));
    assert_eq!(plain, hash(&["--threads", "3"]));
}

#[test]
fn a_log_that_cannot_be_made_stops_the_run_before_it_begins() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    let ran = desk.runs("run fall.toml --log no/such/folder.csv").ends(1);
    assert!(ran.err().contains("cannot write no/such/folder.csv"), "{}", ran.err());
    assert_eq!(ran.out(), "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_once_and_the_run_goes_on() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    let ran = desk.runs("run fall.toml --log /dev/full").ends(1).says(&["1 s: 60 steps", "hash"]);
    let told = ran.err();
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.starts_with("error: cannot write /dev/full: No space left"), "{told}");
}

#[test]
fn a_fault_stops_the_run_and_keeps_what_was_good() {
    let desk = Desk::new();
    desk.write("trouble.toml", TROUBLE);
    let ran = desk.runs("run trouble.toml --json --log trouble.csv").ends(3);
    assert!(ran.err().starts_with("fault: body \"mote\""), "{}", ran.err());
    let summary = ran.json();
    assert_eq!(summary["fault"]["body"], "mote");
    assert_eq!(summary["broken"][0]["joint"], "thread");
    let last = *column(&desk.path("trouble.csv"), "time [s]").last().expect("a line");
    let stopped = summary["fault"]["time"].as_f64().expect("a time");
    assert!((last - stopped).abs() < 1e-12, "up to the last good state");
    assert!(
        column(&desk.path("trouble.csv"), "joints.thread.force.z [N]").last().expect("a line").is_nan(),
        "it is broken"
    );
    // the energy is that of the last good state, not of the blast
    for key in ["start", "end", "change", "max_kinetic"] {
        let joules = summary["energy"][key].as_f64().expect("a finite number");
        assert!(joules.abs() < 200.0, "{key}: {}", summary["energy"]);
    }
    let told = desk.runs("run trouble.toml").ends(3).says(&["(of the last valid state)"]).out();
    assert!(!told.contains("inf") && !told.contains("NaN"), "{told}");
    desk.runs("hash trouble.toml").ends(3);
}

#[test]
fn one_step_is_told_as_one() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    desk.runs("run fall.toml --duration 1e-3").ends(0).says(&[": 1 step of 0.01667 s"]);
}

#[test]
fn huge_numbers_are_told_with_an_exponent() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    desk.runs("run fall.toml --set bodies.stone.mass=1e300")
        .ends(2)
        .says(&["`mass` is 1e300", "at most 1e15"]);
    desk.runs("run fall.toml --log a.csv --rate 1e9").ends(2).says(&["steps of 0.01667 s are 60 per second"]);
}

#[test]
fn materials_of_the_library_can_be_set() {
    let desk = Desk::new();
    desk.write("fall.toml", &FALL.replace("mass = 1", "material = \"oak\""));
    let mass = |set: &str| {
        let energy = desk.windlass(&["run", "fall.toml", "--json", "--set", set]).ends(0).json();
        energy["energy"]["max_kinetic"].as_f64().expect("a number")
    };
    let ratio = mass("materials.oak.density=1.4 t/m^3") / mass("materials.oak.density=700");
    assert!((ratio - 2.0).abs() < 1e-12, "{ratio}");
    desk.runs("run fall.toml --set materials.oka.density=700").ends(2).says(&["did you mean `oak`?"]);
}

#[test]
fn hashes_are_printed_as_the_run_goes() {
    let desk = Desk::new();
    let scene = example("chain");
    let lines = |threads: &str| {
        let arguments =
            ["run", &scene, "-q", "--duration", "0.1", "--hash-every", "20", "--threads", threads];
        desk.windlass(&arguments).ends(0).out()
    };
    let all = lines("1");
    let last = desk.windlass(&["hash", &scene, "--steps", "100"]).ends(0).out();
    assert_eq!(all.lines().count(), 5, "{all}");
    assert_eq!(all.lines().last(), Some(format!("100 {}", &last[..16]).as_str()));
    assert_eq!(all, lines("2"));
    assert_ne!(last, desk.windlass(&["hash", &scene, "--steps", "101"]).ends(0).out());
    assert!(last.ends_with("  chain\n"));
}

#[test]
fn every_scene_goes_on_to_the_bit_after_a_restore() {
    let desk = Desk::new();
    for scene in examples() {
        let arguments = ["run", &scene, "--json", "--check-restore", "--duration", "2"];
        let summary = desk.windlass(&arguments).ends(0).json();
        assert_eq!(summary["restore_mismatches"], 0, "{scene}");
    }
}

#[test]
fn a_run_keeps_pace_with_the_clock() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    let summary = desk.runs("run fall.toml --json --realtime=4").ends(0).json();
    // it cannot be early; how late it is depends on the machine
    assert!(summary["wall_time"].as_f64().expect("a time") >= 0.25 - 0.01);
    assert_eq!(summary["pace"]["factor"], 4.0);
    desk.runs("run fall.toml --realtime=20").ends(0).says(&["pace           20 × real time"]);
}
