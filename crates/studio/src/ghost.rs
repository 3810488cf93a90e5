//! Another run beside the present one: a sync point, which stands, or a branch, which goes along at the same time.
//!
//! It is a second reader of a tape, with a machine of its own, and changes nothing of the run it is shown beside.

use crate::frame::{GHOST, frame};
use crate::line::{Line, lines};
use crate::machine::{Key, Machine};
use crate::message::Told;
use crate::stage::stage;
use crate::tape::Tape;
use glam::DVec3;
use std::sync::Arc;

/// A run that is shown beside another.
pub struct Ghost {
    id: u32,
    name: String,
    machine: Machine,
    lines: Vec<Line>,
    /// What it goes along, and where that ends; none for a moment.
    along: Option<(Tape, Arc<Key>)>,
    /// The step that was drawn last.
    drawn: Option<u64>,
}

impl Ghost {
    /// A moment.
    pub fn moment(id: u32, name: String, mut machine: Machine, key: &Key) -> Result<Ghost, String> {
        machine.recall(key)?;
        Ok(Ghost::new(id, name, machine, None))
    }

    /// A branch.
    pub fn branch(
        id: u32,
        name: String,
        mut machine: Machine,
        (tape, end): (Tape, Arc<Key>),
    ) -> Result<Ghost, String> {
        machine.recall(tape.start())?;
        Ok(Ghost::new(id, name, machine, Some((tape, end))))
    }

    fn new(id: u32, name: String, machine: Machine, along: Option<(Tape, Arc<Key>)>) -> Ghost {
        let bounds = stage(&machine, &[]).bounds;
        let [low, high] = [bounds.low, bounds.high].map(DVec3::from);
        let lines = lines(&machine.built, (high - low).length());
        Ghost { id, name, machine, lines, along, drawn: None }
    }

    /// What there is to see of it.
    pub fn told(&self) -> Told {
        let scene = Some(Box::new(stage(&self.machine, &self.lines)));
        Told::Ghost { id: Some(self.id), name: self.name.clone(), scene }
    }

    /// Its frame at a step of the other run, or where it ends before; none if it stands there already.
    pub fn frame(&mut self, step: u64) -> Result<Option<Vec<u8>>, String> {
        if let Some((tape, end)) = &self.along {
            let step = step.clamp(tape.start().step, end.step.max(tape.start().step));
            if step == end.step {
                if self.drawn != Some(step) {
                    self.machine.recall(end)?;
                }
            } else {
                tape.show(&mut self.machine, step)?;
            }
        }
        let here = self.machine.step_count();
        if self.drawn == Some(here) {
            return Ok(None);
        }
        self.drawn = Some(here);
        Ok(Some(frame(GHOST, &self.machine.built, &self.lines)))
    }
}
