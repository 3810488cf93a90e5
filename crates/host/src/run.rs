//! The run loop: a world and a plan → steps with observers → the result.
//!
//! ```text
//!  start ▶ { supervisor ▶ operators move inputs ▶ controllers ▶ world.step ▶ every observer } ▶ end
//! ```
//!
//! Logs, counters, progress bars, recorders and exporters are [`Observer`]s. They are called in their order after every
//! step that was taken and may inspect the world in any way that leaves its state unchanged. An observer that fails is
//! reported once and not called again; the run continues.
//!
//! The loop has no clock, prints nothing and knows no exit codes. Time, pacing, interruption and messages come from and
//! go to the caller's [`Supervisor`]; the result is a value, [`RunResult`].

use crate::logic::Logic;
use crate::step::Step;
use crate::watch::Watch;
use std::io;
use std::ops::ControlFlow;
use std::time::Duration;
use windlass_engine::prelude::{Fault, Report, World};
use windlass_scene::Move;
use windlass_scene::control::MoveError;
use windlass_scene::control::operator::Operator;

/// Receives the steps of a run.
pub trait Observer {
    /// What it produces, for messages: the name of a file.
    fn name(&self) -> String;

    /// Called before the first step.
    fn start(&mut self, _world: &mut World) -> io::Result<()> {
        Ok(())
    }

    /// Called after an operator has moved an input, before the step it is for.
    fn input_moved(&mut self, _world: &World, _moved: &Move) -> io::Result<()> {
        Ok(())
    }

    /// Called after each step.
    fn step(&mut self, world: &mut World, step: &Step<'_>) -> io::Result<()>;

    /// Called after the last step, however the run ended.
    fn end(&mut self, _world: &mut World) -> io::Result<()> {
        Ok(())
    }
}

/// The environment of a run: its clock, its pace, interruption, and the receiver of problems. `()` has none of these.
pub trait Supervisor {
    /// Called before each step, numbered from 1. It may wait; `Break` interrupts the run.
    fn before_step(&mut self, _number: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Wall time since any fixed instant.
    fn clock(&mut self) -> Duration {
        Duration::ZERO
    }

    /// Called when something failed that does not end the run.
    fn problem(&mut self, _problem: &RunProblem) {}
}

impl Supervisor for () {}

/// Something that failed while the run continued.
#[derive(Debug)]
pub enum RunProblem {
    /// An observer failed and is not called again.
    Observer {
        /// What it produces.
        name: String,
        /// What went wrong.
        error: io::Error,
        /// Whether it failed after the last step.
        at_end: bool,
    },
    /// An operator moved an input in a way that the world rejects; the input stays as it is.
    Input(MoveError),
}

/// The plan of a run.
#[derive(Debug, Default)]
pub struct Plan {
    /// Steps to take.
    pub steps: u64,
    /// What drives the inputs, called in this order before each step.
    pub operators: Vec<Box<dyn Operator>>,
}

impl Plan {
    /// A number of steps without operators.
    pub fn steps(steps: u64) -> Plan {
        Plan { steps, operators: Vec::new() }
    }
}

/// How a run ended.
#[derive(Debug)]
pub enum Ending {
    /// All steps were taken.
    Complete,
    /// A step could not be taken; the state is that of the last valid step.
    Fault(Box<Fault>),
    /// The supervisor stopped it.
    Interrupted,
}

/// The result of a run.
#[derive(Debug)]
pub struct RunResult {
    /// Why it ended.
    pub ending: Ending,
    /// Observers that failed.
    pub failed_observers: usize,
    /// Wall time of all steps with their observers, by the supervisor's clock.
    pub wall: Duration,
}

/// Number of steps that cover a time. A last step that would only cover round-off is left out.
pub fn step_count(seconds: f64, dt: f64) -> u64 {
    ((seconds / dt) - 1e-6).ceil().max(1.0) as u64
}

/// Steps a world as planned, with its controllers.
pub fn run(
    (world, logic): (&mut World, &mut Logic),
    plan: Plan,
    supervisor: &mut dyn Supervisor,
    observers: &mut [&mut dyn Observer],
) -> RunResult {
    run_watched((world, logic), plan, &mut Watch::default(), supervisor, observers, &mut |_, _| {})
}

/// Steps a watched world as planned and passes the report of each step to its owner, after the observers.
pub(crate) fn run_watched(
    (world, logic): (&mut World, &mut Logic),
    plan: Plan,
    watch: &mut Watch,
    supervisor: &mut dyn Supervisor,
    observers: &mut [&mut dyn Observer],
    note: &mut dyn FnMut(&World, Report),
) -> RunResult {
    let Plan { steps, mut operators } = plan;
    let mut audience = Audience { failed: vec![false; observers.len()], observers };
    audience.notify(supervisor, false, |observer| observer.start(world));
    let begun = supervisor.clock();
    let mut ending = Ending::Complete;
    let mut moves = Vec::new();
    for number in 1..=steps {
        if supervisor.before_step(number).is_break() {
            ending = Ending::Interrupted;
            break;
        }
        let (time, h) = (world.state().time, world.model().settings().dt);
        operators.iter_mut().for_each(|operator| operator.act(time, h, &mut moves));
        for moved in moves.drain(..) {
            match moved.make(world) {
                Ok(()) => {
                    audience.notify(supervisor, false, |observer| observer.input_moved(world, &moved));
                }
                Err(error) => supervisor.problem(&RunProblem::Input(error)),
            }
        }
        let before = supervisor.clock();
        let mut report = logic.step(world);
        let clock = supervisor.clock();
        if let Some(fault) = report.fault.take() {
            ending = Ending::Fault(fault);
            break;
        }
        if let Some(fault) = watch.check(world, &report) {
            ending = Ending::Fault(fault);
            break;
        }
        let step = Step { number, report: &report, wall: clock.saturating_sub(before), clock };
        audience.notify(supervisor, false, |observer| observer.step(world, &step));
        note(world, report);
    }
    let wall = supervisor.clock().saturating_sub(begun);
    audience.notify(supervisor, true, |observer| observer.end(world));
    RunResult { ending, failed_observers: audience.failed.iter().filter(|failed| **failed).count(), wall }
}

/// The observers, and which of them have failed.
struct Audience<'a, 'b> {
    observers: &'a mut [&'b mut dyn Observer],
    failed: Vec<bool>,
}

impl Audience<'_, '_> {
    fn notify(
        &mut self,
        supervisor: &mut dyn Supervisor,
        at_end: bool,
        mut event: impl FnMut(&mut dyn Observer) -> io::Result<()>,
    ) {
        let working = self.observers.iter_mut().zip(&mut self.failed).filter(|(_, failed)| !**failed);
        for (observer, failed) in working {
            if let Err(error) = event(*observer) {
                *failed = true;
                supervisor.problem(&RunProblem::Observer { name: observer.name(), error, at_end });
            }
        }
    }
}
