//! The real binary, in a fresh folder for each test.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A folder of its own.
struct Desk(TempDir);

impl Desk {
    fn new() -> Desk {
        Desk(TempDir::new().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    /// Runs the binary here.
    fn windlass(&self, arguments: &[&str]) -> Ran {
        let output = Command::new(env!("CARGO_BIN_EXE_windlass"))
            .args(arguments)
            .current_dir(self.0.path())
            .env("LANG", "C.UTF-8")
            .output()
            .expect("the binary starts");
        Ran(output)
    }
}

/// How it went.
struct Ran(Output);

impl Ran {
    fn out(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).expect("text")
    }

    fn err(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).expect("text")
    }

    #[track_caller]
    fn ends(self, code: i32) -> Ran {
        assert_eq!(self.0.status.code(), Some(code), "{}{}", self.out(), self.err());
        self
    }
}

fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/mechanism");
    folder.join(format!("{name}.toml")).display().to_string()
}

const FALL: &str = r#"
windlass = 1
[settings]
seconds = 1
[bodies.stone]
shape = { sphere = { radius = 0.1 } }
mass = 1
"#;

/// A joint that breaks, and a push that no number can hold.
const TROUBLE: &str = r#"
windlass = 1
[settings]
seconds = 1
[bodies.ground]
kind = "fixed"
[bodies.weight]
shape = { sphere = { radius = 0.1 } }
mass = 10
[bodies.mote]
position = [5, 0, 0]
shape = { sphere = { radius = 0.01 } }
mass = 1e-9
[joints.thread]
ball = { bodies = ["ground", "weight"], at = [0, 0, 1] }
strength = { force = 50 }
[forces.blast]
applied = { body = "mote", force = [1e15, 0, 0], from = 0.5 }
"#;

#[test]
fn without_arguments_it_helps() {
    let desk = Desk::new();
    for arguments in [&[][..], &["--help"][..]] {
        let ran = desk.windlass(arguments).ends(0);
        assert!(ran.out().contains("Usage: windlass"), "{}", ran.out());
        assert!(!ran.out().contains('\u{1b}'), "no colours where nobody looks");
    }
    for command in ["run", "check", "info", "hash"] {
        let ran = desk.windlass(&[command, "--help"]).ends(0);
        assert!(ran.out().contains("Examples:\n  windlass "), "{}", ran.out());
    }
    desk.windlass(&["fly"]).ends(2);
}

#[test]
fn a_run_tells_how_it_went() {
    let desk = Desk::new();
    let ran = desk.windlass(&["run", &example("luffing_crane")]).ends(0);
    for word in ["luffing_crane", "30 s: 1800 steps", "× real time", "µs median", "worst gap", "hash"] {
        assert!(ran.out().contains(word), "{word}: {}", ran.out());
    }
    assert_eq!(ran.err(), "", "no progress bar where nobody looks");
    let quiet = desk.windlass(&["run", &example("pendulum"), "-q", "--seconds", "0.1"]).ends(0);
    assert_eq!((quiet.out(), quiet.err()), (String::new(), String::new()));
    let ran = desk.windlass(&["run", &example("four_bar"), "--seconds", "0.5"]).ends(0);
    assert!(ran.out().contains("redundant   bearing (3 rows)"), "{}", ran.out());
}

#[test]
fn a_run_can_be_told_otherwise_and_speaks_json() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    let arguments =
        ["run", "fall.toml", "--json", "--seconds", "500 ms", "--dt", "1/100 s", "--stepper", "projected"];
    let ran = desk.windlass(&arguments).ends(0);
    let summary: Value = serde_json::from_str(&ran.out()).expect("JSON");
    assert_eq!(summary["scene"], "fall");
    assert_eq!(summary["stepper"], "projected");
    assert_eq!(summary["steps"], 50);
    assert!((summary["seconds"].as_f64().expect("a number") - 0.5).abs() < 1e-9);
    assert!(summary["energy"]["change"].as_f64().expect("a number").abs() < 1e-9);
    assert!(summary["fault"].is_null());

    desk.windlass(&["run", "fall.toml", "--dt", "5 kg"]).ends(2);
    desk.windlass(&["run", "fall.toml", "--dt", "7"]).ends(2);
    desk.windlass(&["run", "fall.toml", "--seconds", "-1"]).ends(2);
    desk.windlass(&["run", "fall.toml", "--every", "0"]).ends(2);
}

/// The cells of a log: names, then lines of numbers.
fn table(path: &Path) -> (Vec<String>, Vec<Vec<f64>>) {
    let text = fs::read_to_string(path).expect("a log");
    assert!(text.ends_with('\n'), "the last line is whole");
    let mut lines = text.lines();
    let names: Vec<_> = lines.next().expect("names").split(',').map(String::from).collect();
    let cell = |c: &str| if c.is_empty() { f64::NAN } else { c.parse().expect("a number") };
    let rows: Vec<Vec<f64>> = lines.map(|l| l.split(',').map(cell).collect()).collect();
    assert!(rows.iter().all(|r| r.len() == names.len()));
    (names, rows)
}

#[test]
fn a_log_has_everything_at_the_same_time() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    desk.windlass(&["run", "fall.toml", "--log", "fall.csv", "--every", "6"]).ends(0);
    let (names, rows) = table(&desk.path("fall.csv"));
    assert_eq!(names[..4], ["time", "stone.x", "stone.y", "stone.z"]);
    assert_eq!((names.len(), rows.len()), (14, 11));
    for row in &rows {
        let t = row[0];
        assert!((row[3] + 0.5 * 9.81 * t * t).abs() < 1e-9, "z at {t}");
        assert!((row[10] + 9.81 * t).abs() < 1e-9, "speed at {t}");
    }
    // a pendulum at rest: the joint bears the weight
    desk.write(
        "hang.toml",
        "windlass = 1\n[bodies]\ng = { kind = \"fixed\" }\n\
         bob = { position = [0, 0, -1], shape = { sphere = { radius = 0.1 } }, mass = 2 }\n\
         [joints]\n\"pin, top\" = { hinge = { bodies = [\"g\", \"bob\"], at = [0, 0, 0], axis = [0, 1, 0] } }",
    );
    desk.windlass(&["run", "hang.toml", "--seconds", "0.1", "--log", "hang.csv"]).ends(0);
    let text = fs::read_to_string(desk.path("hang.csv")).expect("a log").replace("\"pin, top.", "\"pin top.");
    fs::write(desk.path("hang.csv"), text).expect("a log");
    let (names, rows) = table(&desk.path("hang.csv"));
    let column = names.iter().position(|n| n == "\"pin top.fz\"").expect("the reaction");
    assert!(rows.iter().all(|r| (r[column] - 19.62).abs() < 1e-6));

    let ran = desk.windlass(&["run", "fall.toml", "--log", "no/such/folder.csv"]).ends(1);
    assert!(ran.err().contains("cannot write no/such/folder.csv"), "{}", ran.err());
}

#[test]
fn logging_does_not_change_the_run() {
    let desk = Desk::new();
    let hash = |more: &[&str]| {
        let scene = example("servo_arm");
        let mut arguments = vec!["run", &scene, "--json", "--seconds", "1"];
        arguments.extend(more);
        let ran = desk.windlass(&arguments).ends(0);
        serde_json::from_str::<Value>(&ran.out()).expect("JSON")["hash"].clone()
    };
    assert_eq!(hash(&[]), hash(&["--log", "arm.csv"]));
}

#[test]
fn a_fault_stops_the_run_and_keeps_what_was_good() {
    let desk = Desk::new();
    desk.write("trouble.toml", TROUBLE);
    let ran = desk.windlass(&["run", "trouble.toml", "--json", "--log", "trouble.csv"]).ends(3);
    assert!(ran.err().starts_with("fault: body \"mote\""), "{}", ran.err());
    let summary: Value = serde_json::from_str(&ran.out()).expect("JSON");
    assert_eq!(summary["fault"]["body"], "mote");
    assert_eq!(summary["broken"][0]["joint"], "thread");
    let (_, rows) = table(&desk.path("trouble.csv"));
    let last = rows.last().expect("a line")[0];
    assert!(
        (last - summary["fault"]["time"].as_f64().expect("a time")).abs() < 1e-12,
        "up to the last good state"
    );
    desk.windlass(&["hash", "trouble.toml"]).ends(3);
}

#[test]
fn check_finds_everything_wrong() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    let bad = "[joints.j]\nball = { bodies = [\"stoen\", \"gruond\"], at = [0, 0, 0] }\n";
    desk.write("bad.toml", &(FALL.to_string() + bad));
    let ran = desk.windlass(&["check", "fall.toml"]).ends(0);
    assert_eq!(ran.out(), "fall.toml: sound; 1 body, 0 joints, 6 degrees of freedom\n");

    let ran = desk.windlass(&["check", "bad.toml", "fall.toml"]).ends(2);
    for text in
        ["no body \"stoen\"", "did you mean \"stone\"?", "no body \"gruond\"", "bad.toml:9:20", "2 problems"]
    {
        assert!(ran.err().contains(text), "{text}: {}", ran.err());
    }
    assert!(!ran.err().contains('\u{1b}'), "no colours where nobody looks");
    assert!(ran.out().contains("fall.toml: sound"), "the next file is checked all the same");
    desk.windlass(&["run", "bad.toml"]).ends(2);
    desk.windlass(&["check", "nowhere.toml"]).ends(1);

    let ran = desk.windlass(&["check", &example("bricard")]).ends(0);
    assert!(ran.out().contains("1 degree of freedom\n  redundant: hinge6 (1 row)"), "{}", ran.out());
    let open = "[bodies.g]\nkind = \"fixed\"\n[joints.j]\n\
                ball = { bodies = [\"g\", \"stone\"], frames = [{ at = [0, 0, 0.5] }, {}] }\n";
    desk.write("open.toml", &(FALL.to_string() + open));
    let ran = desk.windlass(&["check", "open.toml"]).ends(0);
    assert!(ran.out().contains("open: j by 0.5 (m or rad)"), "{}", ran.out());
}

#[test]
fn info_counts() {
    let desk = Desk::new();
    let ran = desk.windlass(&["info", &example("chain")]).ends(0);
    assert!(ran.out().contains("21 free, 1 fixed, 0 driven"), "{}", ran.out());
    let ran = desk.windlass(&["info", &example("gear_train"), "--json"]).ends(0);
    let contents: Value = serde_json::from_str(&ran.out()).expect("JSON");
    assert_eq!(contents["joints"]["hinge"], 4);
    assert_eq!(contents["joints"]["coupling"], 3);
    assert_eq!(contents["degrees_of_freedom"], 2);
}

#[test]
fn a_hash_is_the_same_every_time_and_of_the_state_alone() {
    let desk = Desk::new();
    let hash =
        |scene: &str, steps: &str| desk.windlass(&["hash", &example(scene), "--steps", steps]).ends(0).out();
    assert_eq!(hash("chain", "200"), hash("chain", "200"));
    assert_ne!(hash("chain", "200"), hash("chain", "201"));
    assert!(hash("chain", "1").ends_with("  chain\n"));
}

#[test]
fn problems_of_included_files_are_drawn_in_their_text() {
    let desk = Desk::new();
    fs::create_dir(desk.path("lib")).expect("a folder");
    desk.write("top.toml", "windlass = 1\ninclude = [\"lib/hook.toml\"]\n[bodies.stone]\nmass = -1\nshape = { sphere = { radius = 1 } }\n");
    desk.write(
        "lib/hook.toml",
        "windlass = 1\n\n[bodies.hook]\nmass = \"3 m\"\nshape = { sphere = { radius = 1 } }\n",
    );
    let ran = desk.windlass(&["check", "top.toml"]).ends(2);
    for text in [
        "[top.toml:4:8]",
        "[lib/hook.toml:4:8]",
        "4 │ mass = \"3 m\"",
        "4 │ mass = -1",
        "2 problems in top.toml",
    ] {
        assert!(ran.err().contains(text), "{text}: {}", ran.err());
    }
}
