//! SIGINT, SIGTERM and SIGHUP → a flag that long operations poll. A second SIGINT or SIGTERM ends the program at once.
//!
//! A terminal that is closed may send SIGHUP more than once, by the shell and by the system, so a repeated SIGHUP does
//! not end the program. A run started with `nohup` must outlive the terminal: SIGHUP is left alone if it is ignored
//! already.

use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a run that was interrupted: 128 and SIGINT, as shells have it.
pub const CODE: u8 = 130;
/// Exit code when memory or stack ran out.
const GIVEN_UP: i32 = 4;

/// Whether a stop was requested. The default never requests one.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens to signals from now on.
    pub fn listen() -> Interrupt {
        let interrupt = Interrupt::default();
        for signal in [SIGINT, SIGTERM] {
            // in this order: the first signal finds the flag cleared and only sets it.
            // Where signals cannot be caught they end the program, as they would have
            let _ = flag::register_conditional_shutdown(signal, CODE.into(), interrupt.0.clone());
            let _ = flag::register(signal, interrupt.0.clone());
        }
        if ignored_signals().is_some_and(|mask| mask & 1 << (SIGHUP - 1) == 0) {
            let _ = flag::register(SIGHUP, interrupt.0.clone());
        }
        interrupt
    }

    /// Whether a stop was requested.
    pub fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Exceeding the file size limit becomes a write error instead of ending the program.
pub fn outlive_file_limits() {
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// A program that aborts because memory or stack ran out has printed the reason; it then ends with our exit code.
pub fn end_with_a_code() {
    let _ = flag::register_conditional_shutdown(SIGABRT, GIVEN_UP, Arc::new(AtomicBool::new(true)));
}

/// The signals that this process was started to ignore, one bit each from SIGHUP on; none if the system does not report
/// it.
fn ignored_signals() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}
