//! The history of an interactive machine: periodic keyframes, and every command.
//!
//! ```text
//!  state of step n  =  keyframe of the last step k ≤ n that has one, then n − k steps with their commands
//! ```
//!
//! Every past state is reproduced bit for bit. A keyframe is kept about every half second, at marks, and at the point
//! where the live run was left. Memory is bounded: beyond it, old keyframes are thinned to one in eight seconds, then
//! the oldest are dropped, and the history begins later.

use crate::machine::{Command, Keyframe, Machine, MachineError, StepFailure};
use std::cmp::Reverse;
use std::sync::Arc;
use thiserror::Error;
use windlass_engine::prelude::EditError;

/// Time between keyframes [s]: 30 steps of 1/60 s are repeated in a few milliseconds by most machines.
const EVERY: f64 = 0.5;
/// Old keyframes are not thinned beyond this [s], so that seeking stays quick.
const SPARSE: f64 = 8.0;
/// Largest number of marks.
pub const MOST_MARKS: usize = 200;

/// Reasons why a past step cannot be shown.
#[derive(Debug, Error)]
pub enum HistoryError {
    /// It is before the first keyframe.
    #[error("the recording begins later")]
    BeforeStart,
    /// The machine does not fit the keyframe.
    #[error(transparent)]
    Recall(#[from] MachineError),
    /// A command cannot be repeated.
    #[error(transparent)]
    Command(#[from] EditError),
    /// A step cannot be repeated.
    #[error(transparent)]
    Step(#[from] StepFailure),
}

/// A moment with a name.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Its number.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Its state.
    pub keyframe: Arc<Keyframe>,
}

/// All events since the machine was built or changed.
#[derive(Clone, Debug)]
pub struct History {
    /// Ascending; the first is where the history begins.
    keyframes: Vec<Arc<Keyframe>>,
    /// The step after which each was applied, ascending.
    commands: Vec<(u64, Command)>,
    /// Number of the first of `commands` since the machine was built.
    first: usize,
    /// Moments with names.
    pub marks: Vec<Mark>,
}

impl History {
    /// A history that begins now.
    pub fn new(machine: &Machine) -> History {
        History {
            keyframes: vec![Arc::new(machine.keyframe())],
            commands: Vec::new(),
            first: machine.command_count(),
            marks: Vec::new(),
        }
    }

    /// Its first keyframe.
    pub fn start(&self) -> &Arc<Keyframe> {
        &self.keyframes[0]
    }

    /// Its last keyframe that does not belong to a mark.
    pub fn last(&self) -> &Arc<Keyframe> {
        &self.keyframes[self.keyframes.len() - 1]
    }

    /// Its keyframes, then those of its marks.
    pub fn keyframes(&self) -> impl Iterator<Item = &Arc<Keyframe>> {
        self.keyframes.iter().chain(self.marks.iter().map(|mark| &mark.keyframe))
    }

    /// Logs a command that has just been applied.
    pub fn log(&mut self, machine: &Machine, command: Command) {
        self.commands.push((machine.step_count(), command));
    }

    /// Keeps a keyframe if one is due. Returns whether it did.
    pub fn keep(&mut self, machine: &Machine) -> bool {
        let last = self.keyframes.last().map_or(f64::NEG_INFINITY, |keyframe| keyframe.time);
        let due = machine.time() - last >= EVERY - 0.5 * machine.dt();
        if due {
            self.keyframes.push(Arc::new(machine.keyframe()));
        }
        due
    }

    /// Adds a mark.
    pub fn mark(&mut self, mark: Mark) {
        self.marks.push(mark);
    }

    /// Drops everything after a keyframe.
    pub fn cut(&mut self, at: &Keyframe) {
        let is_before = |keyframe: &Keyframe| (keyframe.step, keyframe.commands) <= (at.step, at.commands);
        self.keyframes.retain(|keyframe| is_before(keyframe));
        self.commands.truncate(at.commands.saturating_sub(self.first));
        self.marks.retain(|mark| is_before(&mark.keyframe));
    }

    /// Brings the machine to a step, from where it is or from a keyframe, whichever is nearer.
    pub fn seek(&self, machine: &mut Machine, step: u64) -> Result<(), HistoryError> {
        let before = self.keyframes().filter(|keyframe| keyframe.step <= step);
        let keyframe = before.max_by_key(|keyframe| (keyframe.step, Reverse(keyframe.commands)));
        let keyframe = keyframe.ok_or(HistoryError::BeforeStart)?;
        let here = machine.step_count();
        if !(here <= step && here >= keyframe.step) {
            machine.recall(keyframe)?;
        }
        while machine.step_count() < step {
            self.repeat_commands(machine)?;
            machine.step_guarded()?;
        }
        Ok(())
    }

    /// Applies the commands of the present step again.
    pub fn repeat_commands(&self, machine: &mut Machine) -> Result<(), EditError> {
        let applied = machine.command_count().saturating_sub(self.first);
        let step = machine.step_count();
        for (_, command) in self.commands.iter().skip(applied).take_while(|(at, _)| *at <= step) {
            machine.apply(command)?;
        }
        Ok(())
    }

    /// Drops one keyframe: an old one with others near it, else the oldest. Returns whether there was one.
    pub fn thin(&mut self) -> bool {
        let keyframes = &mut self.keyframes;
        if keyframes.len() < 3 {
            return false;
        }
        let spare =
            (1..keyframes.len() - 1).find(|&k| keyframes[k + 1].time - keyframes[k - 1].time <= SPARSE);
        match spare {
            Some(k) => drop(keyframes.remove(k)),
            None => {
                keyframes.remove(0);
                let gone = keyframes[0].commands.saturating_sub(self.first).min(self.commands.len());
                self.commands.drain(..gone);
                self.first += gone;
                let start = keyframes[0].step;
                self.marks.retain(|mark| mark.keyframe.step >= start);
            }
        }
        true
    }

    /// Memory its commands take [bytes].
    pub fn size_of_commands(&self) -> usize {
        self.commands.capacity() * size_of::<(u64, Command)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drag::{Drag, DragTarget};
    use glam::DVec3;

    const CRANE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/crane/operated.toml");

    /// The crane with levers moved and its load dragged by both handles, and a hash of every state.
    fn story() -> (Machine, History, Vec<u64>) {
        let mut machine =
            Machine::interactive(windlass_scene::read(CRANE).expect("the crane")).expect("it can be built");
        let mut history = History::new(&machine);
        let hash = |machine: &Machine| machine.world().state().hash();
        let (slew, load) = {
            let model = machine.world().model();
            (model.input("slew").expect("a lever"), model.body("load").expect("a load"))
        };
        let held = |at, to| Drag { target: DragTarget::Body(load, at), to };
        let mut hashes = vec![hash(&machine)];
        for step in 0..200 {
            let command = match step {
                20 => Some(Command::SetInput(slew, Some(0.05))),
                60 => Some(Command::Grab(1, held(DVec3::X, DVec3::new(19.0, 2.0, 6.0)))),
                70 => Some(Command::Grab(0, held(DVec3::ZERO, DVec3::new(20.0, 3.0, 6.0)))),
                90 => Some(Command::Drag(1, DVec3::new(19.0, 4.0, 7.0))),
                95 => Some(Command::Drag(0, DVec3::new(22.0, 5.0, 6.0))),
                120 => Some(Command::Release(1)),
                140 => Some(Command::Release(0)),
                150 => Some(Command::SetInput(slew, None)),
                _ => None,
            };
            if let Some(command) = command {
                machine.apply(&command).expect("it can be done");
                history.log(&machine, command);
            }
            assert!(machine.step().is_ok());
            history.keep(&machine);
            hashes.push(hash(&machine));
        }
        (machine, history, hashes)
    }

    #[test]
    fn every_step_of_the_past_comes_back_to_the_bit() {
        let (mut machine, history, hashes) = story();
        for step in [0, 199, 10, 71, 96, 70, 140, 141, 33, 125, 200, 65, 155, 69, 119] {
            history.seek(&mut machine, step).expect("it is on the history");
            assert_eq!(machine.world().state().step, step);
            // a state at which a handle was attached or released is shown as it was before that
            assert_eq!(machine.world().state().hash(), hashes[step as usize], "step {step}");
        }
    }

    #[test]
    fn a_thin_history_still_has_every_step() {
        let (mut machine, mut history, hashes) = story();
        let keyframes = history.keyframes().count();
        while history.keyframes().count() > 2 {
            assert!(history.thin());
        }
        assert!(keyframes > 5 && !history.thin(), "two are left");
        assert_eq!(history.start().step, 0, "within eight seconds the start stays");
        for step in [137, 5] {
            history.seek(&mut machine, step).expect("it is on the history");
            assert_eq!(machine.world().state().hash(), hashes[step as usize]);
        }
    }

    #[test]
    fn what_is_cut_off_does_not_happen_again() {
        let (mut machine, mut history, hashes) = story();
        history.seek(&mut machine, 55).expect("it is on the history");
        history.cut(&machine.keyframe());
        while machine.step_count() < 100 {
            history.repeat_commands(&mut machine).expect("nothing is left to do");
            assert!(machine.step().is_ok());
        }
        assert!(!machine.is_dragging(0) && !machine.is_dragging(1), "they were taken at 60 and 70");
        assert_ne!(machine.world().state().hash(), hashes[100]);
    }
}
