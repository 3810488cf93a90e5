//! The command line, and the list of all probes.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command `windlass` with arguments, the name of the program first, and returns its exit code.
#[pyfunction]
pub fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| windlass_cli::run_command(arguments))
}

/// All probes: text, unit and meaning of each.
#[pyfunction]
pub fn probe_catalogue() -> Vec<(String, &'static str, &'static str)> {
    windlass_host::probe::catalogue()
}
