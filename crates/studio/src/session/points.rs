//! Jumps to sync points and branches.
//!
//! Jumping to a sync point shows it in the run, takes up its branch, or, if neither contains it any more, begins a run
//! with its state.

use super::Session;
use super::run::SyncPoint;
use crate::message::ServerMessage;
use crate::undo::Past;
use std::sync::Arc;
use windlass_host::Machine;
use windlass_host::machine::Origin;

impl Session {
    pub(super) fn jump(&mut self, id: u32) -> Result<(), ServerMessage> {
        let timeline = &self.shown.timeline;
        if timeline.branch(id).is_some() {
            return self.take_branch(id);
        }
        let Some(point) = timeline.point(id).cloned() else {
            return Err(ServerMessage::refused("no such sync point"));
        };
        if !timeline.contains(id) {
            match timeline.branch_with(id).map(|branch| branch.id) {
                Some(branch) => self.take_branch(branch)?,
                None => return self.begin_at(point),
            }
        }
        self.show(point.mark.keyframe.step)?;
        if !self.shown.is_live() {
            self.shown.machine.recall(&point.mark.keyframe).map_err(ServerMessage::refused)?;
        }
        Ok(())
    }

    /// Continues a branch; the present run becomes one.
    fn take_branch(&mut self, id: u32) -> Result<(), ServerMessage> {
        let Some(branch) = self.shown.timeline.branch(id) else { return Ok(()) };
        let (name, other) = (branch.name.clone(), self.machine_of(&branch.origin)?);
        self.shown.timeline.take_branch(id, &self.shown.machine);
        if let Some(machine) = other {
            self.replace_machine(machine, &name);
        }
        self.pace.pause();
        self.shown.fault = None;
        self.shown.go_live();
        Ok(())
    }

    /// Begins a run at a sync point that no history contains any more.
    fn begin_at(&mut self, point: SyncPoint) -> Result<(), ServerMessage> {
        let SyncPoint { mark, origin } = point;
        let mut machine = Machine::from_origin(&origin).map_err(ServerMessage::refused)?;
        machine.recall(&mark.keyframe).map_err(ServerMessage::refused)?;
        let (timeline, name) = (&mut self.shown.timeline, mark.name.clone());
        timeline.leave(&self.shown.machine);
        timeline.begin(&machine);
        timeline.history.mark(mark);
        self.replace_machine(machine, &name);
        self.shown.hands_off();
        self.pace.pause();
        (self.shown.fault, self.shown.moved) = (None, true);
        Ok(())
    }

    /// A machine of another origin; none if it is the present one. Made before anything is discarded, since it may fail.
    fn machine_of(&self, origin: &Arc<Origin>) -> Result<Option<Machine>, ServerMessage> {
        match Arc::ptr_eq(origin, self.shown.machine.origin()) {
            true => Ok(None),
            false => Machine::from_origin(origin).map(Some).map_err(ServerMessage::refused),
        }
    }

    /// Shows another machine. If its text differs, that can be undone.
    fn replace_machine(&mut self, machine: Machine, name: &str) {
        let before = std::mem::replace(&mut self.shown.machine, machine);
        if before.text() != self.shown.machine.text() {
            let text = before.text().to_string();
            self.undo.done(Past { label: format!("Jump to {name}"), text, scene: None });
        }
        self.show_scene();
    }

    /// Shows a sync point or a branch for comparison, or ends the comparison.
    pub(super) fn compare(&mut self, id: Option<u32>) -> Result<(), ServerMessage> {
        match id {
            Some(id) => {
                self.comparison.show(&self.shown, id)?;
                self.shown.moved = true;
            }
            None => self.comparison.end(),
        }
        Ok(())
    }
}
