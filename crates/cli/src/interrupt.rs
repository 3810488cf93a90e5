//! SIGINT, SIGTERM and SIGHUP → a flag that long work looks at. A second SIGINT or SIGTERM ends the program at once.
//!
//! A terminal that is closed may send SIGHUP more than once, by the shell and by the system, so its repetition is no haste. Who
//! starts a run with `nohup` wants it to outlive the terminal: SIGHUP is left alone where it is ignored already.

use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a run that was interrupted: 128 and SIGINT, as shells have it.
pub const CODE: u8 = 130;
/// Exit code where memory or stack ran out.
const GIVEN_UP: i32 = 4;

/// Whether somebody asked to stop. By default nobody ever does.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens to signals from now on.
    pub fn listen() -> Interrupt {
        let interrupt = Interrupt::default();
        for signal in [SIGINT, SIGTERM] {
            // in this order: the first signal finds the flag down and only raises it.
            // Where signals cannot be caught they end the program, as they would have
            let _ = flag::register_conditional_shutdown(signal, CODE.into(), interrupt.0.clone());
            let _ = flag::register(signal, interrupt.0.clone());
        }
        if ignored_signals().is_some_and(|mask| mask & 1 << (SIGHUP - 1) == 0) {
            let _ = flag::register(SIGHUP, interrupt.0.clone());
        }
        interrupt
    }

    /// Whether it came.
    pub fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A file that may not grow becomes an error of its writer, not the end of the program.
pub fn outlive_file_limits() {
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// A program that gives itself up, as it must where memory or stack runs out, has told why; its exit code is one of ours then.
pub fn end_with_a_code() {
    let _ = flag::register_conditional_shutdown(SIGABRT, GIVEN_UP, Arc::new(AtomicBool::new(true)));
}

/// The signals that this process was started to ignore, one bit each from SIGHUP on; none where the system does not tell.
fn ignored_signals() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}
