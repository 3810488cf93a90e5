//! An external program → its end: run in a folder, output kept in a log file, never left behind.
//!
//! The program is killed and waited for when the guard is dropped, when it takes too long and when the caller
//! stops it. If `setpriv` (util-linux) exists, the kernel also kills it if this process dies.

use crate::Error;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Polling interval of a running program: short compared with a frame, and cheap.
const PAUSE: Duration = Duration::from_millis(10);
/// How much of a log is read from its end [bytes].
const TAIL: u64 = 4096;
/// Lines of it that are shown.
const LINES: usize = 12;

/// A program, its task and its time limit.
pub(crate) struct Job<'a> {
    pub program: &'a Path,
    /// The Debian package that contains it.
    pub package: &'static str,
    pub arguments: &'a [String],
    /// The folder it runs in.
    pub folder: &'a Path,
    /// The log file in that folder; removed after success.
    pub log: &'a str,
    /// The file it is to make, for messages.
    pub makes: &'a str,
    pub longest: Duration,
}

/// A child that does not outlive this value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // both fail only if it has ended already
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Job<'_> {
    /// Runs it to its end; `stop` ends it early.
    pub fn run(&self, stop: &AtomicBool) -> Result<(), Error> {
        let log = self.folder.join(self.log);
        let mut child = self.start(&log)?;
        let begun = Instant::now();
        let end = loop {
            if let Some(status) = child.0.try_wait().map_err(Error::file("wait for", self.program))? {
                break status;
            }
            if stop.load(Ordering::Relaxed) {
                return Err(Error::Stopped);
            }
            if begun.elapsed() > self.longest {
                return Err(self.failed(format!("took more than {} s", self.longest.as_secs()), &log));
            }
            std::thread::sleep(PAUSE);
        };
        if end.success() {
            // it does no harm if it stays
            let _ = fs::remove_file(&log);
            Ok(())
        } else {
            Err(self.failed(ending(end), &log))
        }
    }

    /// A failure with the last output of the program, or the full disk that caused it.
    pub fn failed(&self, how: String, log: &Path) -> Error {
        if is_full(self.folder) {
            return Error::Full(self.folder.to_path_buf());
        }
        let words = last_words(log);
        Error::Failed { program: self.program.display().to_string(), how, what: self.makes.into(), words }
    }

    fn start(&self, log: &Path) -> Result<Running, Error> {
        let program = found(self.program)
            .ok_or(Error::Missing { program: self.program.display().to_string(), package: self.package })?;
        let output = File::create(log).map_err(Error::file("write", log))?;
        let errors = output.try_clone().map_err(Error::file("write", log))?;
        let mut command = match found(Path::new("setpriv")) {
            Some(setpriv) if cfg!(target_os = "linux") => {
                let mut command = Command::new(setpriv);
                command.args(["--pdeathsig", "KILL", "--"]).arg(&program);
                command
            }
            _ => Command::new(&program),
        };
        command.args(self.arguments).current_dir(self.folder);
        command.stdin(Stdio::null()).stdout(output).stderr(errors);
        command.spawn().map(Running).map_err(Error::file("start", &program))
    }
}

/// The path of a program: itself if it is a path, else searched in PATH.
fn found(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return program.is_file().then(|| std::path::absolute(program).ok()).flatten();
    }
    let path = std::env::var_os("PATH")?;
    let places = std::env::split_paths(&path).filter(|place| place.is_absolute());
    places.map(|place| place.join(program)).find(|place| place.is_file())
}

fn ending(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("ended with code {code}"),
        None => format!("was terminated ({status})"),
    }
}

/// The last lines of a log, without what a terminal would interpret.
fn last_words(log: &Path) -> String {
    let tail = String::from_utf8_lossy(&tail(log).unwrap_or_default()).into_owned();
    let shown = |c: &char| !c.is_control();
    let lines: Vec<String> = tail
        .split(['\n', '\r'])
        .map(|line| line.chars().filter(shown).collect::<String>().trim_end().to_string())
        .filter(|line| !line.is_empty())
        .collect();
    match lines.is_empty() {
        true => "(none)".into(),
        false => lines[lines.len().saturating_sub(LINES)..].join("\n"),
    }
}

fn tail(log: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(log)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether the disk of a folder is full: programs seldom report it.
fn is_full(folder: &Path) -> bool {
    let probe = folder.join("space.part");
    let end = fs::write(&probe, vec![0u8; 1 << 20]);
    // a missing file need not be removed
    let _ = fs::remove_file(&probe);
    end.is_err_and(|e| matches!(e.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded))
}
