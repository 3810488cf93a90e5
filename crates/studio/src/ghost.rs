//! Another run shown for comparison: a sync point, which is a still state, or a branch, which runs at the same time.
//!
//! It is a second reader of a history, with a machine of its own, and does not affect the present run.

use crate::earth::looks::Pressures;
use crate::earth::tiles::Tiles;
use crate::earth::watch::Watch;
use crate::frame::{GHOST, frame};
use crate::gallery::Item;
use crate::line::{Line, lines};
use crate::message::{Overlays, ServerMessage};
use crate::overlay;
use crate::stage::stage;
use glam::DVec3;
use std::sync::Arc;
use windlass_host::history::HistoryError;
use windlass_host::machine::Keyframe;
use windlass_host::{History, Machine};

/// A run shown for comparison.
pub struct Ghost {
    id: u32,
    name: String,
    item: Item,
    machine: Machine,
    lines: Vec<Line>,
    watch: Watch,
    /// The history it replays, and its last step; none for a moment.
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
        Ghost { id, name, item, machine, lines, watch: Watch::default(), along, drawn: None }
    }

    /// The surfaces of its grounds at its last frame.
    pub fn sheet(&self) -> Arc<Tiles> {
        self.watch.sheet()
    }

    /// Its scene to draw.
    pub fn told(&self) -> ServerMessage {
        let scene = Some(Box::new(stage(&self.item, &self.machine, &self.lines)));
        ServerMessage::Ghost { id: Some(self.id), name: self.name.clone(), scene }
    }

    /// Its frame at a step of the other run, or at its own end if that is earlier; none if it is there already.
    /// With `soil`, loose soil is behind it, and the surfaces of grounds are looked at.
    pub fn frame(&mut self, step: u64, soil: bool) -> Result<Option<Vec<u8>>, HistoryError> {
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
        let built = self.machine.built();
        let mut bytes = frame(GHOST, built, &self.lines);
        if soil {
            self.watch.look(&built.world);
            let wanted = Overlays { soil, ..Overlays::default() };
            overlay::append(&mut bytes, built, (&self.lines, &Pressures::of(&built.world)), wanted);
        }
        Ok(Some(bytes))
    }
}
