//! A step of a run, as its observers and probes see it.

use std::time::Duration;
use windlass_engine::prelude::Report;

/// A step that was taken.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Its number in this run, from 1.
    pub number: u64,
    /// The engine's report of it.
    pub report: &'a Report,
    /// Wall time it took, by the supervisor's clock. A solve that an inspection made before it is not included.
    pub wall: Duration,
    /// The supervisor's clock after it.
    pub clock: Duration,
}

impl Step<'_> {
    /// The last step of a machine as observers get it, without a clock.
    pub(crate) fn last(number: u64, report: Option<&Report>) -> Option<Step<'_>> {
        let report = report?;
        let wall = report.timing.total();
        Some(Step { number, report, wall, clock: wall })
    }
}
