//! Signals end a run in good order.

#![cfg(unix)]

use crate::desk;

use desk::{Desk, FALL, column, table};
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A run of an hour by the clock that logs, once its log has lines.
fn started(desk: &Desk, log: &str) -> Child {
    desk.write("fall.toml", FALL);
    let mut command =
        desk.command(&["run", "fall.toml", "--duration", "3600", "--realtime", "--json", "--log", log]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    let begun = Instant::now();
    while std::fs::metadata(desk.path(log)).map_or(0, |m| m.len()) < 4 {
        assert!(begun.elapsed() < Duration::from_secs(60), "no log");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

/// Its exit code, its summary, and what it complained of.
fn ended(mut child: Child) -> (Option<i32>, serde_json::Value, String) {
    let code = child.wait().expect("it ends").code();
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().expect("a pipe").read_to_string(&mut out).expect("text");
    child.stderr.take().expect("a pipe").read_to_string(&mut err).expect("text");
    (code, serde_json::from_str(&out).expect("JSON"), err)
}

#[test]
fn a_signal_ends_a_run_with_a_whole_log_and_a_summary() {
    for name in ["INT", "TERM", "HUP"] {
        let desk = Desk::new();
        let child = started(&desk, "fall.csv");
        signal(&child, name);
        let (code, summary, _) = ended(child);
        assert_eq!(code, Some(130), "{name}");
        assert_eq!(summary["interrupted"], true);
        let (names, rows) = table(&desk.path("fall.csv"));
        assert!(rows.iter().all(|row| row.len() == names.len()));
        assert_eq!(rows.len() as u64, summary["steps"].as_u64().expect("steps") + 1);
        // sums of steps in the log, rounded in the summary
        let (last, told) = (column(&desk.path("fall.csv"), "time [s]"), summary["duration"].as_f64());
        assert!((last.last().expect("a line") - told.expect("a number")).abs() < 1e-9, "{told:?}");
    }
}

#[test]
fn a_run_that_was_stopped_goes_on_without_haste() {
    let desk = Desk::new();
    let child = started(&desk, "fall.csv");
    // the clock begins with the first step, after the log was created
    std::thread::sleep(Duration::from_millis(500));
    signal(&child, "STOP");
    std::thread::sleep(Duration::from_millis(1500));
    signal(&child, "CONT");
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, "INT");
    let (code, summary, told) = ended(child);
    assert_eq!(code, Some(130));
    assert!(told.contains("behind the clock; this delay is not recovered"), "{told}");
    // of the 1.5 s it stood, all but a few steps of 1/60 s is given up
    let late = summary["pace"]["lag"].as_f64().expect("a time");
    assert!(late > 1.2, "{late}");
    assert!(
        summary["duration"].as_f64().expect("a time")
            < summary["wall_time"].as_f64().expect("a time") - late + 0.1
    );
}

#[test]
fn a_second_signal_ends_at_once_whatever_it_waits_for() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    assert!(Command::new("mkfifo").arg(desk.path("pipe")).status().expect("mkfifo").success());
    let mut command = desk.command(&["run", "fall.toml", "-q", "--duration", "3600", "--log", "pipe"]);
    let mut child = command.spawn().expect("the binary starts");
    // a reader that never reads: the pipe fills up, and the run hangs in the middle of a line
    let _reader = std::fs::File::open(desk.path("pipe")).expect("a pipe");
    std::thread::sleep(Duration::from_millis(500));
    signal(&child, "INT");
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().expect("a child").is_none(), "it waits to finish its line");
    signal(&child, "INT");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

/// The shell and the system may both tell that a terminal is gone: the second time is no haste, and the recording is finished.
#[test]
fn a_terminal_that_is_closed_leaves_a_finished_recording() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    let line = ["run", "fall.toml", "-q", "--duration", "3600", "--realtime", "--record", "fall.wlr"];
    let mut child = desk.command(&line).spawn().expect("the binary starts");
    std::thread::sleep(Duration::from_millis(700));
    signal(&child, "HUP");
    signal(&child, "HUP");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(desk.runs("info fall.wlr --json").ends(0).json()["finished"], true);
}

/// Who ignores hangups, as `nohup` does, goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_run_under_nohup_outlives_its_terminal() {
    let desk = Desk::new();
    desk.write("fall.toml", FALL);
    let line = format!(
        "trap '' HUP; exec '{}' run fall.toml -q --realtime --record fall.wlr",
        env!("CARGO_BIN_EXE_windlass")
    );
    let mut command = Command::new("bash");
    let mut child = command.args(["-c", &line]).current_dir(desk.path("")).spawn().expect("bash");
    std::thread::sleep(Duration::from_millis(500));
    signal(&child, "HUP");
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "all of its second is simulated");
}
