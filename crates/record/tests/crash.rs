//! A recorder killed at any moment leaves a file that opens, plays and verifies to its last whole chunk.
#![cfg(unix)]

use crate::kit;

use kit::*;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use windlass_record::{Player, Recording, Verify};

/// The program to kill: cargo builds examples beside tests.
fn victim() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let folder = own.parent().and_then(|deps| deps.parent()).unwrap();
    let path = folder.join("examples/record_forever");
    assert!(path.exists(), "build it: cargo build -p windlass-record --example record_forever");
    path
}

fn kill_and_read(rounds: usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice(std::process::id() as u64 * 2 + 1);
    let (mut frames, mut unfinished) = (0, 0);
    for round in 0..rounds {
        let path = folder.path().join(format!("{round}.wlr"));
        let mut child =
            Command::new(victim()).arg(&path).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // from the first byte of the file on, at any moment
        let limit = Instant::now() + Duration::from_secs(30);
        while std::fs::metadata(&path).map_or(0, |m| m.len()) == 0 && Instant::now() < limit {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_micros(dice.below(45_000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();

        let size = std::fs::metadata(&path).unwrap().len();
        let recording = Recording::open(&path).unwrap_or_else(|e| panic!("round {round}, {size} bytes: {e}"));
        assert!(!recording.is_finished());
        unfinished += recording.damage().is_some() as usize;
        let Some(steps) = recording.steps() else { continue };
        frames += steps.end() - steps.start() + 1;
        let mut player = Player::new(recording, Shop::of(4)).unwrap();
        let verdict = player.verify(Verify::Through, on).unwrap();
        assert!(verdict.is_good() && verdict.frames == steps.end() + 1, "round {round}: {verdict:?}");
        std::fs::remove_file(&path).unwrap();
    }
    println!("{rounds} killed, {frames} frames verified, {unfinished} files with a torn end");
    assert!(frames > 10 * rounds as u64, "{frames} frames in {rounds} rounds: killed too early to tell");
}

#[test]
fn a_killed_recorder_leaves_a_good_file() {
    kill_and_read(20);
}

#[test]
#[ignore = "a minute: cargo test -p windlass-record crash -- --ignored --nocapture"]
fn two_hundred_killed_recorders_leave_good_files() {
    kill_and_read(200);
}
