//! The module `windlass._core`: the host library for Python.
//!
//! ```text
//!  Machine    one simulation: open, step, run, inputs, probes, states, recordings, pictures
//!  State      a snapshot: bytes, hash, pickle
//!  Replay     a recording at any of its frames
//!  Batch      many worlds on threads
//!  Sweep      many runs as rows of a table
//!  Linearization, find_equilibrium, fit_parameters
//!  main       the command line
//! ```
//!
//! Arguments and results are plain numbers, texts and arrays; the package `windlass` around this module has the classes
//! that people use. All work runs without the interpreter lock. A panic of the engine becomes a `RuntimeError`
//! (`signals.rs`), and in a batch the status of its world; no `unsafe` is needed here.

mod analysis;
mod batch;
mod command;
mod error;
mod log;
mod machine;
mod picture;
mod replay;
mod shipped;
mod signals;
mod state;
mod sweep;
mod threads;
#[cfg(debug_assertions)]
mod trap;

/// The native part of the package `windlass`.
#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use crate::analysis::{Linearization, find_equilibrium, fit_parameters};
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::command::{main, probe_catalogue};
    #[pymodule_export]
    use crate::error::{Fault, ProbeError, SceneError};
    #[pymodule_export]
    use crate::machine::Machine;
    #[pymodule_export]
    use crate::picture::draw_curves;
    #[pymodule_export]
    use crate::replay::Replay;
    #[pymodule_export]
    use crate::shipped::shipped_scenes;
    #[pymodule_export]
    use crate::state::State;
    #[pymodule_export]
    use crate::sweep::Sweep;

    /// Runs at the import.
    #[pymodule_init]
    fn init() {
        crate::threads::note_process();
    }

    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
