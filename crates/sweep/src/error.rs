//! Errors in the description of a sweep: what is wrong, in which entry, and the remedy.

use std::fmt;
use thiserror::Error;
use windlass_host::ProbeError;
use windlass_scene::Errors;

/// An error in one entry of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepError {
    /// What is wrong, with the entry.
    pub message: String,
    /// The remedy.
    pub help: String,
}

impl SweepError {
    /// An error with its remedy.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> SweepError {
        SweepError { message: message.into(), help: help.into() }
    }

    /// An error in a text, which is cut if it is long.
    pub(crate) fn within(text: &str, message: impl fmt::Display, help: impl Into<String>) -> SweepError {
        let shown = windlass_scene::suggestion::shortened(text.trim());
        SweepError::new(format!("\"{shown}\": {message}"), help)
    }
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}\n  help: {}", self.message, self.help)
    }
}

impl std::error::Error for SweepError {}

/// Why a sweep cannot be made.
#[derive(Clone, Debug, Error)]
pub enum SweepErrors {
    /// The scene is invalid, or invalid with every set of values that was tried.
    #[error("{0}")]
    Scene(Box<Errors>),
    /// Probes of measures do not exist.
    #[error("{}", joined(.0))]
    Probes(Vec<ProbeError>),
    /// Entries of the description are invalid.
    #[error("{}", joined(.0))]
    Entries(Vec<SweepError>),
}

impl From<Errors> for SweepErrors {
    fn from(errors: Errors) -> SweepErrors {
        SweepErrors::Scene(Box::new(errors))
    }
}

impl From<SweepError> for SweepErrors {
    fn from(error: SweepError) -> SweepErrors {
        SweepErrors::Entries(vec![error])
    }
}

fn joined<E: fmt::Display>(errors: &[E]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
