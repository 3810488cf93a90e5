//! The one loop that steps a world, with watchers looking on.
//!
//! ```text
//!  start ▶ { operators move inputs ▶ world.step ▶ every watcher } ▶ end
//! ```
//!
//! Logs, tallies, progress bars, recorders and exporters are watchers. They are called in their order, after
//! every step that was taken, and may look at the world in any way that leaves its state alone. One that
//! fails is told once and left out; the run goes on, and its course says that something is missing.

use crate::interrupt::Interrupt;
use crate::pace::Pace;
use crate::{Outcome, show};
use std::io;
use std::time::{Duration, Instant};
use windlass_engine::prelude::{Fault, Report, World};
use windlass_scene::Move;
use windlass_scene::control::operator::Operator;

/// A step that was taken.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Its number in this run, from 1.
    pub number: u64,
    /// What it says of itself.
    pub report: &'a Report,
    /// Wall time it took.
    pub took: Duration,
}

/// Something that looks on while a world is stepped.
pub trait Watch {
    /// What it makes, for messages: the name of a file.
    fn name(&self) -> String;

    /// Before the first step.
    fn start(&mut self, _world: &mut World) -> io::Result<()> {
        Ok(())
    }

    /// After an operator has moved an input, before the step that it is for.
    fn moved(&mut self, _world: &World, _moved: &Move) -> io::Result<()> {
        Ok(())
    }

    /// After each step.
    fn step(&mut self, world: &mut World, step: &Step<'_>) -> io::Result<()>;

    /// After the last step, however the run ended.
    fn end(&mut self, _world: &mut World) -> io::Result<()> {
        Ok(())
    }
}

/// How long and how fast to step.
#[derive(Debug, Default)]
pub struct Plan {
    /// Steps to take.
    pub steps: u64,
    /// Keeps pace with the wall clock; none for as fast as possible.
    pub pace: Option<Pace>,
    /// Ends the run early.
    pub interrupt: Interrupt,
    /// Who is at the levers; they are asked in their order before each step.
    pub operators: Vec<Box<dyn Operator>>,
}

/// Why stepping ended.
#[derive(Debug)]
pub enum Ending {
    /// All steps were taken.
    Complete,
    /// A step could not be taken.
    Fault(Box<Fault>),
    /// Somebody asked to stop.
    Interrupted,
}

/// How a run went.
#[derive(Debug)]
pub struct Course {
    pub ending: Ending,
    /// Watchers that failed.
    pub lost: usize,
    /// Wall time of all of it.
    pub wall: Duration,
    /// The pace, with what it gave up.
    pub pace: Option<Pace>,
}

impl Course {
    /// The outcome of the run; a fault is told.
    pub fn outcome(&self) -> Outcome {
        match &self.ending {
            Ending::Interrupted => Outcome::Interrupted,
            Ending::Fault(fault) => {
                show::tell(&format!("fault: {fault}"));
                Outcome::Fault
            }
            Ending::Complete if self.lost > 0 => Outcome::File,
            Ending::Complete => Outcome::Well,
        }
    }

    /// The same as an error, unless all is well.
    pub fn well(&self) -> Result<(), Outcome> {
        match self.outcome() {
            Outcome::Well => Ok(()),
            outcome => Err(outcome),
        }
    }
}

/// Steps that a time takes. A last step that would be a sliver of round-off is not taken.
pub fn steps(seconds: f64, dt: f64) -> u64 {
    ((seconds / dt) - 1e-6).ceil().max(1.0) as u64
}

/// Steps the world as planned.
pub fn simulate(world: &mut World, plan: Plan, watchers: &mut [&mut dyn Watch]) -> Course {
    let Plan { steps, mut pace, interrupt, mut operators } = plan;
    let mut audience = Audience { lost: vec![false; watchers.len()], watchers };
    audience.tell(GOES_ON, |watcher| watcher.start(world));
    let begun = Instant::now();
    let mut ending = Ending::Complete;
    let mut moves = Vec::new();
    for number in 1..=steps {
        if let Some(pace) = &mut pace {
            pace.wait(number, &interrupt);
        }
        if interrupt.came() {
            ending = Ending::Interrupted;
            break;
        }
        operators.iter_mut().for_each(|operator| operator.act(world.state().time, &mut moves));
        for moved in moves.drain(..) {
            match moved.make(world) {
                Ok(()) => audience.tell(GOES_ON, |watcher| watcher.moved(world, &moved)),
                Err(e) => show::tell(&format!("error: {e}; the input stays as it is")),
            }
        }
        let before = Instant::now();
        let mut report = world.step();
        let took = before.elapsed();
        if let Some(fault) = report.fault.take() {
            ending = Ending::Fault(fault);
            break;
        }
        let step = Step { number, report: &report, took };
        audience.tell(GOES_ON, |watcher| watcher.step(world, &step));
    }
    let wall = begun.elapsed();
    audience.tell("what is there stays", |watcher| watcher.end(world));
    Course { ending, lost: audience.lost.iter().filter(|lost| **lost).count(), wall, pace }
}

/// What becomes of a run whose watcher fails.
const GOES_ON: &str = "the run goes on without it";

/// The watchers, and which of them have failed.
struct Audience<'a, 'b> {
    watchers: &'a mut [&'b mut dyn Watch],
    lost: Vec<bool>,
}

impl Audience<'_, '_> {
    fn tell(&mut self, then: &str, mut event: impl FnMut(&mut dyn Watch) -> io::Result<()>) {
        for (watcher, lost) in self.watchers.iter_mut().zip(&mut self.lost).filter(|(_, lost)| !**lost) {
            if let Err(e) = event(*watcher) {
                show::tell(&format!("error: cannot write {}: {e}; {then}", watcher.name()));
                *lost = true;
            }
        }
    }
}
