//! Recordings: their contents (`windlass info`), and the commands `verify`, `log` and `branch`.

pub mod branch;
pub mod contents;
pub mod log;
pub mod verify;

use crate::outcome::Outcome;
use crate::show;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use windlass_host::replay::{self, SceneStage};
use windlass_record::{Error, Player, Recording};

/// Whether a file is a recording: by its first bytes or by its name.
pub fn is_recording(path: &Path) -> bool {
    let mut head = [0; 8];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    let named = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("wlr"));
    named || (read.is_ok() && &head == b"WLRECORD")
}

/// Prints an error of a recording.
pub fn failed(e: &Error) -> Outcome {
    show::tell(&format!("error: {e}"));
    match e {
        Error::File { .. } | Error::Exists(_) | Error::Busy(_) | Error::NotAFile(_) => Outcome::File,
        _ => Outcome::Input,
    }
}

/// Rejects a time after the end of a recording.
pub fn beyond(at: f64, end: f64) -> Outcome {
    show::refuse(&format!("--at {at} s is beyond the recording, which ends at {end} s"))
}

/// The player of a recording; damage is reported.
pub fn player(path: &Path) -> Result<Player<SceneStage>, Error> {
    let recording = Recording::open(path)?;
    if let Some(damage) = recording.damage() {
        show::tell(&format!("note: {}: {damage}; frames before it are used", path.display()));
    }
    replay::player(recording)
}
