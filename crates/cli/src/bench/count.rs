//! Machine instructions per step of a scene, which are more repeatable than wall times.
//!
//! The program runs itself twice under valgrind, for `WARM` steps and for `WARM + COUNTED`; the difference belongs to
//! the steps only, without reading the scene. One thread is used, so that no waiting is counted. The same with an
//! inspection before each step tells what logs and live plots add to a step.

use super::Arguments;
use crate::outcome::Outcome;
use crate::show;
use std::path::Path;
use std::process::Command;

/// Steps before the counted ones, in which buffers reach their sizes.
const WARM: u64 = 60;
/// Steps that are counted: 4 s of most scenes.
const COUNTED: u64 = 240;

/// Counts; `inspected` with an inspection before each step.
pub fn instructions(scene: &Path, arguments: &Arguments, inspected: bool) -> Result<f64, Outcome> {
    let [short, long] = [WARM, WARM + COUNTED].map(|steps| counted(scene, arguments, steps, inspected));
    Ok((long? - short?) / COUNTED as f64)
}

/// Instructions of a whole run of so many steps.
fn counted(scene: &Path, arguments: &Arguments, steps: u64, inspected: bool) -> Result<f64, Outcome> {
    let refuse =
        |why: String| show::refuse(&format!("instructions of {} cannot be counted: {why}", scene.display()));
    let own = std::env::current_exe().map_err(|e| refuse(e.to_string()))?;
    let mut command = Command::new("valgrind");
    command.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]).arg(own);
    command.arg("bench").arg(scene).args(["--threads", "1", "--steps", &steps.to_string()]);
    command.args(arguments.changes.values.words());
    if inspected {
        command.arg("--inspect");
    }
    let ran = command.output().map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => {
            refuse("valgrind is not installed (Debian: apt-get install valgrind)".to_string())
        }
        _ => refuse(e.to_string()),
    })?;
    let told = String::from_utf8_lossy(&ran.stderr);
    let count = told.lines().find_map(read);
    match count {
        Some(count) if ran.status.success() => Ok(count),
        _ => Err(refuse(format!("valgrind ended with {}\n{}", ran.status, told.trim_end()))),
    }
}

/// The number in "==123== I refs:  1,234,567"; older valgrinds write "I   refs".
fn read(line: &str) -> Option<f64> {
    let (_, rest) = line.split_once("I ")?;
    let digits: String = rest.trim_start().strip_prefix("refs:")?.chars().filter(|c| *c != ',').collect();
    digits.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_from_what_valgrind_says() {
        assert_eq!(read("==12== I refs:        1,234,567"), Some(1_234_567.0));
        assert_eq!(read("==12== I   refs:      89"), Some(89.0));
        assert_eq!(read("==12== I1  misses:    3"), None);
        assert_eq!(read("==12== Command: windlass bench"), None);
    }
}
