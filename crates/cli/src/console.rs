//! The supervisor of a run on the command line: wall clock, pace, signals, and messages on standard error.

use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::pace::Pace;
use crate::show;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use windlass_host::record::{OnRecordEvent, RecordEvent};
use windlass_host::run::RunProblem;
use windlass_host::{Ending, RunResult, Supervisor};

/// Supervises a run.
#[derive(Debug)]
pub struct Console {
    begun: Instant,
    /// Ends the run early.
    pub interrupt: Interrupt,
    /// Keeps pace with the wall clock; none for as fast as possible.
    pub pace: Option<Pace>,
}

impl Console {
    /// A run as fast as possible.
    pub fn new(interrupt: Interrupt) -> Console {
        Console { begun: Instant::now(), interrupt, pace: None }
    }

    /// The same, ended by the signals of the terminal.
    pub fn listen() -> Console {
        Console::new(Interrupt::listen())
    }
}

impl Supervisor for Console {
    fn before_step(&mut self, number: u64) -> ControlFlow<()> {
        if let Some(pace) = &mut self.pace {
            pace.wait(number, &self.interrupt);
        }
        if self.interrupt.came() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn clock(&mut self) -> Duration {
        self.begun.elapsed()
    }

    fn problem(&mut self, problem: &RunProblem) {
        show::tell(&match problem {
            RunProblem::Observer { name, error, at_end } => {
                let then =
                    if *at_end { "the part written so far is kept" } else { "the run continues without it" };
                format!("error: cannot write {name}: {error}; {then}")
            }
            RunProblem::Input(error) => format!("error: {error}; the input is unchanged"),
        });
    }
}

/// Prints the events of a recording while it is made.
pub fn record_events() -> OnRecordEvent {
    Box::new(|event| {
        show::tell(&match event {
            RecordEvent::Resumed { file } => format!("note: recording to {file} resumed"),
            RecordEvent::Suspended { error, .. } => {
                format!("error: {error}; the run continues without recording")
            }
        });
    })
}

/// The outcome of a run; a fault is printed.
pub fn outcome(result: &RunResult) -> Outcome {
    match &result.ending {
        Ending::Interrupted => Outcome::Interrupted,
        Ending::Fault(fault) => {
            show::tell(&format!("fault: {fault}"));
            Outcome::Fault
        }
        Ending::Complete if result.failed_observers > 0 => Outcome::File,
        Ending::Complete => Outcome::Well,
    }
}

/// The same as an error, unless the run is complete.
pub fn complete(result: &RunResult) -> Result<(), Outcome> {
    match outcome(result) {
        Outcome::Well => Ok(()),
        outcome => Err(outcome),
    }
}
