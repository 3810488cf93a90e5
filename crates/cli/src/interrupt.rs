//! SIGINT and SIGTERM → a flag that long work looks at. A second signal ends the program at once.

use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a run that was interrupted: 128 and SIGINT, as shells have it.
pub const CODE: u8 = 130;

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
        // a file that may not grow is an error of its writer, not the end of the run
        let _ = flag::register(SIGXFSZ, Arc::default());
        interrupt
    }

    /// Whether it came.
    pub fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
