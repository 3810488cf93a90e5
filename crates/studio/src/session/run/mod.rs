//! A scene that was opened, with its run: machine, recording, drag paths, and the text of its file.
//!
//! ```text
//!  live   the machine is at the end of its history; steps and commands are new
//!  past   a moment of the history is shown; steps repeat it, and commands are rejected
//! ```
//!
//! It knows no clients and no clock. What it changes is published by the session, which sees it by `moved` and `fault`.

mod assembly;
mod hand;
mod timeline;

pub use self::timeline::{LONGEST_NAME, SyncPoint, Timeline};

use self::assembly::Assembly;
use crate::gallery::Item;
use crate::line::{Line, lines};
use crate::message::Trip;
use crate::stage::stage;
use crate::undo::Place;
use glam::DVec3;
use std::sync::Arc;
use windlass_engine::prelude::{EditError, Report};
use windlass_host::history::HistoryError;
use windlass_host::machine::{Keyframe, Machine, MachineError, StepFailure};

/// A scene and its run.
pub struct Run {
    /// Its number in this session, which its draft has as well.
    pub number: u32,
    /// The source of the scene.
    pub item: Item,
    /// The text of its file.
    pub saved: String,
    pub machine: Machine,
    /// Of the model of the machine.
    pub lines: Vec<Line>,
    pub timeline: Timeline,
    pub assembly: Assembly,
    pub fault: Option<Trip>,
    /// Whether the state differs from the published frame.
    pub moved: bool,
}

impl Run {
    /// A scene at its start.
    pub fn new(number: u32, item: Item, saved: String, machine: Machine) -> Run {
        let timeline = Timeline::new(&machine);
        let assembly = Assembly::default();
        Run { number, item, saved, machine, lines: Vec::new(), timeline, assembly, fault: None, moved: true }
    }

    /// Itself, for the undo list.
    pub fn place(&self) -> Place {
        Place { item: self.item.clone(), saved: self.saved.clone(), run: self.number }
    }

    /// Whether its text differs from its file.
    pub fn is_dirty(&self) -> bool {
        self.saved != self.machine.text()
    }

    /// Whether the machine is at the end of its history.
    pub fn is_live(&self) -> bool {
        self.timeline.end.is_none()
    }

    /// The end of its history.
    pub fn end(&self) -> Arc<Keyframe> {
        self.timeline.end(&self.machine)
    }

    /// The step of a time [s], if the history reaches that far.
    pub fn step_at(&self, time: f64) -> u64 {
        let start = self.timeline.history.start();
        let steps = ((time - start.time) / self.machine.dt()).round().max(0.0);
        start.step.saturating_add(steps as u64)
    }

    /// The machine has another model: lists its lines, and follows the part that is checked.
    pub fn list_lines(&mut self) {
        let bounds = stage(&self.item, &self.machine, &[]).bounds;
        let [low, high] = [bounds.low, bounds.high].map(DVec3::from);
        self.lines = lines(self.machine.built(), (high - low).length());
        self.follow_part();
    }

    /// The machine was built again: its history begins now.
    pub fn begin(&mut self) {
        self.timeline.begin(&self.machine);
        (self.fault, self.moved) = (None, true);
    }

    /// Before a step of the past: applies its commands again.
    pub fn repeat_commands(&mut self) -> Result<(), EditError> {
        match self.is_live() {
            true => Ok(()),
            false => self.timeline.history.repeat_commands(&mut self.machine),
        }
    }

    /// Takes a step, new or repeated.
    pub fn step(&mut self) -> Result<Report, StepFailure> {
        let report = self.machine.step_guarded()?;
        self.moved = true;
        Ok(report)
    }

    /// After a step: checks the part and stores a keyframe if one is due, or detects the end of the past. Returns whether
    /// it stored one.
    pub fn after_step(&mut self) -> bool {
        match &self.timeline.end {
            None => {
                self.look_at_part();
                self.timeline.history.keep(&self.machine)
            }
            Some(end) => {
                if self.machine.step_count() >= end.step {
                    self.go_live();
                }
                false
            }
        }
    }

    /// Shows a step of the history, or its end if that is earlier.
    pub fn show(&mut self, step: u64) -> Result<(), HistoryError> {
        (self.fault, self.moved) = (None, true);
        let end = self.end();
        if step >= end.step {
            self.go_live();
            return Ok(());
        }
        self.timeline.end = Some(end);
        let shown = self.timeline.history.seek(&mut self.machine, step);
        if shown.is_err() {
            self.go_live();
        }
        shown
    }

    /// From the past to the end of the history.
    pub fn go_live(&mut self) {
        if let Some(end) = self.timeline.end.take() {
            match self.machine.recall(&end) {
                Ok(()) => self.hands_off(),
                Err(why) => self.trip(why.to_string()),
            }
        }
        self.moved = true;
    }

    /// A fault at the last valid state.
    pub fn trip(&mut self, text: String) {
        self.fault = Some(Trip { text, time: self.machine.time(), panicked: false });
        self.moved = true;
    }

    /// Builds the machine again after the engine panicked, and restores the last known state. Returns whether the scene
    /// had to start again instead.
    pub fn rebuild(&mut self) -> bool {
        self.timeline.end = None;
        let last = self.timeline.history.last().clone();
        let twin = Machine::from_origin(self.machine.origin()).and_then(|mut machine| {
            machine.recall(&last)?;
            Ok::<_, MachineError>(machine)
        });
        let is_new = match twin {
            Ok(machine) => {
                self.machine = machine;
                self.timeline.history.cut(&last);
                false
            }
            // the broken world must not continue: the scene starts again, if it can be built at all
            Err(_) => self.machine.restart().is_ok(),
        };
        if is_new {
            self.begin();
        }
        let (text, time) = (StepFailure::Panic.to_string(), self.machine.time());
        (self.fault, self.moved) = (Some(Trip { text, time, panicked: true }), true);
        is_new
    }
}
