//! Work of the library: Ctrl-C ends it if it is long, and a panic becomes an exception.

use crate::threads::in_this_process;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// The interpreter is asked for signals after this time of work.
pub const ATTENTION: Duration = Duration::from_millis(50);

/// The exception for a panic.
pub fn internal() -> PyErr {
    PyRuntimeError::new_err(
        "internal error in the engine (a bug in Windlass): load the scene again to continue",
    )
}

/// Runs work and makes a panic of it an exception.
pub fn guarded<R>(work: impl FnOnce() -> R) -> PyResult<R> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| internal())
}

/// Runs work without the interpreter lock, and makes a panic of it an exception.
pub fn detached<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    py.detach(|| catch_unwind(AssertUnwindSafe(|| in_this_process(work)))).map_err(|_| internal())
}

/// Runs work on a thread of its own, while this one asks for signals. The work asks its argument whether to stop, and what it
/// then returns is dropped.
pub fn interruptible<R: Send>(
    py: Python<'_>,
    work: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> R + Send,
) -> PyResult<R> {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (done, mut result) = mpsc::channel();
        let stop = &stop;
        let worker = scope.spawn(move || {
            let returned = in_this_process(|| work(&|| stop.load(Ordering::Relaxed)));
            // nobody waits for it after a signal
            let _ = done.send(returned);
        });
        loop {
            let (received, kept) = py.detach(move || (result.recv_timeout(ATTENTION), result));
            result = kept;
            match received {
                Ok(returned) => return Ok(returned),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(raised) = py.check_signals() {
                        stop.store(true, Ordering::Relaxed);
                        // the end of a step is soon
                        let _ = py.detach(move || worker.join());
                        return Err(raised);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let _ = py.detach(move || worker.join());
                    return Err(internal());
                }
            }
        }
    })
}
