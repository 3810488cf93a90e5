//! How a command ended → the exit code.

use crate::interrupt;
use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Success.
    Well,
    /// A file could not be read or written.
    File,
    /// The input is wrong.
    Input,
    /// The simulation stopped at a fault, or a study or benchmark missed its target.
    Fault,
    /// Interrupted.
    Interrupted,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(match outcome {
            Outcome::Well => 0,
            Outcome::File => 1,
            Outcome::Input => 2,
            Outcome::Fault => 3,
            Outcome::Interrupted => interrupt::CODE,
        })
    }
}
