//! How a command ended → the exit code.

use crate::interrupt;

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

impl Outcome {
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Outcome::Well => 0,
            Outcome::File => 1,
            Outcome::Input => 2,
            Outcome::Fault => 3,
            Outcome::Interrupted => interrupt::CODE,
        }
    }
}
