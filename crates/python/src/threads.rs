//! Threads after a fork of the process.
//!
//! The engine solves large worlds on the threads of the process. A forked child has none of them and would wait for ever,
//! so work in a child runs on threads that the child starts.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, OnceLock};

/// The process that imported the module.
static FIRST: OnceLock<u32> = OnceLock::new();
/// The threads of a child.
static OWN: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Notes the process that imports the module.
pub fn note_process() {
    FIRST.get_or_init(std::process::id);
}

/// Runs on threads that exist in this process.
pub fn in_this_process<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let process = std::process::id();
    if FIRST.get().is_none_or(|first| *first == process) {
        return work();
    }
    match pool(process) {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// The threads of a child; none if they cannot be started.
fn pool(process: u32) -> Option<Arc<ThreadPool>> {
    let mut own = OWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some((of, pool)) = &*own
        && *of == process
    {
        return Some(pool.clone());
    }
    let pool = Arc::new(ThreadPoolBuilder::new().build().ok()?);
    if let Some(parent) = own.replace((process, pool.clone())) {
        // threads of the parent are not in this process: waiting for their end would never return
        std::mem::forget(parent);
    }
    Some(pool)
}
