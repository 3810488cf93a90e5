//! The real binary, in a fresh folder for each test.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A folder of its own.
pub struct Desk(TempDir);

impl Desk {
    pub fn new() -> Desk {
        Desk(TempDir::new().expect("a temporary folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file")
    }

    /// The binary, to be run here.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_windlass"));
        command.args(arguments).current_dir(self.0.path()).env("LANG", "C.UTF-8");
        command
    }

    /// Runs the binary here.
    pub fn windlass(&self, arguments: &[&str]) -> Ran {
        Ran(self.command(arguments).output().expect("the binary starts"))
    }

    /// Runs a command line without quotes in it.
    pub fn runs(&self, line: &str) -> Ran {
        self.windlass(&line.split_whitespace().collect::<Vec<_>>())
    }
}

/// How it went.
pub struct Ran(pub Output);

impl Ran {
    pub fn out(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).expect("text")
    }

    pub fn err(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).expect("text")
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out()).expect("JSON")
    }

    #[track_caller]
    pub fn ends(self, code: i32) -> Ran {
        assert_eq!(self.0.status.code(), Some(code), "{}{}", self.out(), self.err());
        self
    }

    /// Whether all words are in what it said.
    #[track_caller]
    pub fn says(self, words: &[&str]) -> Ran {
        let all = self.out() + &self.err();
        for word in words {
            assert!(all.contains(word), "{word:?} is not in:\n{all}");
        }
        self
    }
}

/// The folder of the example scenes.
pub fn scenes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/mechanism")
}

/// An example scene.
pub fn example(name: &str) -> String {
    scenes().join(format!("{name}.toml")).display().to_string()
}

/// All example scenes.
pub fn examples() -> Vec<String> {
    let folder = fs::read_dir(scenes()).expect("the example scenes");
    let mut all: Vec<_> = folder.map(|f| f.expect("a file").path()).collect();
    all.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    all.sort();
    assert!(all.len() >= 12);
    all.into_iter().map(|path| path.display().to_string()).collect()
}

/// The cells of a CSV log: names, then lines of numbers, NaN where a cell is empty.
pub fn table(path: &Path) -> (Vec<String>, Vec<Vec<f64>>) {
    let text = fs::read_to_string(path).expect("a log");
    assert!(text.ends_with('\n'), "the last line is whole");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names: Vec<_> = reader.headers().expect("names").iter().map(String::from).collect();
    let cell = |c: &str| if c.is_empty() { f64::NAN } else { c.parse().expect("a number") };
    let rows = reader.records().map(|r| r.expect("a line").iter().map(cell).collect()).collect();
    (names, rows)
}

/// A column of a CSV log.
#[track_caller]
pub fn column(path: &Path, name: &str) -> Vec<f64> {
    let (names, rows) = table(path);
    let place = names.iter().position(|n| n == name).unwrap_or_else(|| panic!("no {name} in {names:?}"));
    rows.iter().map(|row| row[place]).collect()
}

/// A stone that falls for a second.
pub const FALL: &str = r#"
windlass = 2
[settings]
duration = 1
[bodies.stone]
shape = { sphere = { radius = 0.1 } }
mass = 1
"#;

/// A weight of 2 kg that hangs at rest.
pub const HANG: &str = r#"
windlass = 2
[settings]
duration = 0.5
[bodies.ground]
type = "static"
[bodies.bob]
position = [0, 0, -1]
shape = { sphere = { radius = 0.1 } }
mass = 2
[joints."pin, top"]
hinge = { bodies = ["ground", "bob"], at = [0, 0, 0], axis = [0, 1, 0] }
[bodies."side.bob"]
position = [3, 0, -4]
shape = { sphere = { radius = 0.1 } }
mass = 5
[joints.rope]
distance = { bodies = ["ground", "side.bob"], points = [[3, 0, 0], [3, 0, -4]], max = 4 }
"#;

/// A joint that breaks, and a push that no number can hold.
pub const TROUBLE: &str = r#"
windlass = 2
[settings]
duration = 1
[bodies.ground]
type = "static"
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
