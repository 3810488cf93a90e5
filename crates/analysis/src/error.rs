//! Reasons why an analysis cannot be made, with their remedies.

use thiserror::Error;
use windlass_engine::prelude::{EditError, Fault};
use windlass_host::ProbeError;

/// Reasons why an analysis cannot be made.
#[derive(Debug, Error)]
pub enum AnalysisError {
    /// Nothing can move.
    #[error("the scene has no dynamic body that can move: there is nothing to analyse")]
    NothingMoves,
    /// No input of this name.
    #[error("no input \"{name}\"; {help}")]
    NoInput {
        /// As it was given.
        name: String,
        /// The remedy.
        help: String,
    },
    /// Probes that are not outputs of this machine.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Outputs(Vec<ProbeError>),
    /// A step failed.
    #[error("a step of the analysis failed: {0}")]
    Fault(Box<Fault>),
    /// A state was rejected.
    #[error(transparent)]
    State(#[from] EditError),
    /// The joints cannot be closed near the state.
    #[error("joint \"{joint}\" cannot be closed near this state: run the scene until its joints are closed")]
    Open {
        /// Its name.
        joint: String,
    },
    /// Differences that are not finite.
    #[error(
        "a step from a state near this one has no finite coordinate {0}: analyse another state with all its joints intact"
    )]
    NotFinite(String),
    /// A step size of the differences that is not positive and finite.
    #[error("the step of the differences is {0}: give a positive number, such as 1e-4")]
    StepSize(f64),
    /// It was asked to stop.
    #[error("interrupted")]
    Stopped,
}

/// Asks the caller whether to stop.
pub(crate) type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// # Errors
/// If the caller wants to stop.
pub(crate) fn proceed(stop: Stop<'_>) -> Result<(), AnalysisError> {
    if stop() { Err(AnalysisError::Stopped) } else { Ok(()) }
}
