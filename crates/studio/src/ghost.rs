//! Another run shown beside the present one: a sync point, which stands still, or a branch, which runs at the same time.
//!
//! It is a second reader of a history, with a machine of its own, and changes nothing of the run it is shown beside.

use crate::frame::{GHOST, frame};
use crate::gallery::Item;
use crate::line::{Line, lines};
use crate::message::Told;
use crate::stage::stage;
use glam::DVec3;
use std::sync::Arc;
use windlass_host::history::HistoryError;
use windlass_host::machine::Keyframe;
use windlass_host::{History, Machine};

/// A run that is shown beside another.
pub struct Ghost {
    id: u32,
    name: String,
    item: Item,
    machine: Machine,
    lines: Vec<Line>,
    /// What it goes along, and where that ends; none for a moment.
    along: Option<(History, Arc<Keyframe>)>,
    /// The step that was drawn last.
    drawn: Option<u64>,
}

impl Ghost {
    /// A moment.
    pub fn moment(
        (id, name): (u32, String),
        item: Item,
        mut machine: Machine,
        keyframe: &Keyframe,
    ) -> Result<Ghost, HistoryError> {
        machine.recall(keyframe)?;
        Ok(Ghost::new((id, name), item, machine, None))
    }

    /// A branch.
    pub fn branch(
        (id, name): (u32, String),
        item: Item,
        mut machine: Machine,
        (history, end): (History, Arc<Keyframe>),
    ) -> Result<Ghost, HistoryError> {
        machine.recall(history.start())?;
        Ok(Ghost::new((id, name), item, machine, Some((history, end))))
    }

    fn new(
        (id, name): (u32, String),
        item: Item,
        machine: Machine,
        along: Option<(History, Arc<Keyframe>)>,
    ) -> Ghost {
        let bounds = stage(&item, &machine, &[]).bounds;
        let [low, high] = [bounds.low, bounds.high].map(DVec3::from);
        let lines = lines(machine.built(), (high - low).length());
        Ghost { id, name, item, machine, lines, along, drawn: None }
    }

    /// What there is to see of it.
    pub fn told(&self) -> Told {
        let scene = Some(Box::new(stage(&self.item, &self.machine, &self.lines)));
        Told::Ghost { id: Some(self.id), name: self.name.clone(), scene }
    }

    /// Its frame at a step of the other run, or where it ends before; none if it stands there already.
    pub fn frame(&mut self, step: u64) -> Result<Option<Vec<u8>>, HistoryError> {
        if let Some((history, end)) = &self.along {
            let step = step.clamp(history.start().step, end.step.max(history.start().step));
            if step == end.step {
                if self.drawn != Some(step) {
                    self.machine.recall(end)?;
                }
            } else {
                history.seek(&mut self.machine, step)?;
            }
        }
        let here = self.machine.step_count();
        if self.drawn == Some(here) {
            return Ok(None);
        }
        self.drawn = Some(here);
        Ok(Some(frame(GHOST, self.machine.built(), &self.lines)))
    }
}
