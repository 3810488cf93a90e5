//! Sync points and branches: moments with a name, and runs that were left.
//!
//! ```text
//!  history of the run    its own sync points, a step each
//!  branches              histories that were left, with theirs
//!  sync points           all of them, each with its state and the origin of its world
//! ```
//!
//! A history loses the sync points after the moment at which it is cut. The list here does not: a sync point outlives a
//! resume, an edit, a reset, and the loss of its branch. Jumping to one shows it in the run, takes up its branch, or,
//! if neither contains it any more, begins a run with its state.

use super::{Branch, MOST_BRANCHES, Session};
use crate::ghost::Ghost;
use crate::message::{Point, ServerMessage};
use crate::undo::Past;
use std::sync::Arc;
use windlass_host::history::{MOST_MARKS, Mark};
use windlass_host::machine::{Keyframe, Origin};
use windlass_host::{History, Machine};

/// Largest number of characters of a name.
pub(super) const LONGEST_NAME: usize = 80;

/// A moment with a name.
pub(super) struct SyncPoint {
    pub mark: Mark,
    /// The origin of its world.
    origin: Arc<Origin>,
}

impl Session {
    pub(super) fn mark(&mut self, name: &str) -> Result<(), ServerMessage> {
        if self.points.len() >= MOST_MARKS {
            return Err(ServerMessage::refused(format!(
                "the limit of {MOST_MARKS} sync points is reached: remove one first"
            )));
        }
        self.named += 1;
        let name = match name.trim() {
            "" => format!("point {}", self.named),
            name => name.chars().take(LONGEST_NAME).collect(),
        };
        let mark = Mark { id: self.named, name, keyframe: Arc::new(self.machine.keyframe()) };
        self.history.mark(mark.clone());
        self.points.push(SyncPoint { mark, origin: self.machine.origin().clone() });
        Ok(())
    }

    /// Removes a sync point, also from the histories that contain it.
    pub(super) fn unmark(&mut self, id: u32) -> Result<(), ServerMessage> {
        if !self.points.iter().any(|point| point.mark.id == id) {
            return Err(ServerMessage::refused("no such sync point"));
        }
        self.points.retain(|point| point.mark.id != id);
        let branches = self.branches.iter_mut().map(|branch| &mut branch.history);
        branches.chain([&mut self.history]).for_each(|history| history.marks.retain(|mark| mark.id != id));
        Ok(())
    }

    /// All sync points and branches for the status.
    pub(super) fn point_looks(&self) -> Vec<Point> {
        let marks = self.points.iter().map(|point| Point {
            id: point.mark.id,
            name: point.mark.name.clone(),
            time: point.mark.keyframe.time,
            kind: "mark",
            elsewhere: !has(&self.history, point.mark.id),
        });
        let branches = self.branches.iter().map(|branch| Point {
            id: branch.id,
            name: branch.name.clone(),
            time: branch.end.time,
            kind: "branch",
            elsewhere: true,
        });
        marks.chain(branches).collect()
    }

    pub(super) fn jump(&mut self, id: u32) -> Result<(), ServerMessage> {
        if let Some(k) = self.branches.iter().position(|branch| branch.id == id) {
            return self.take_branch(k);
        }
        let Some(point) = self.points.iter().find(|point| point.mark.id == id) else {
            return Err(ServerMessage::refused("no such sync point"));
        };
        let (mark, origin) = (point.mark.clone(), point.origin.clone());
        if !has(&self.history, id) {
            match self.branches.iter().position(|branch| has(&branch.history, id)) {
                Some(k) => self.take_branch(k)?,
                None => return self.begin_at(mark, &origin),
            }
        }
        self.show(mark.keyframe.step)?;
        if self.end.is_some() {
            self.machine.recall(&mark.keyframe).map_err(ServerMessage::refused)?;
        }
        Ok(())
    }

    /// Continues a branch; the present run becomes one.
    fn take_branch(&mut self, k: usize) -> Result<(), ServerMessage> {
        let (origin, name) = (self.branches[k].origin.clone(), self.branches[k].name.clone());
        let other = self.machine_of(&origin)?;
        let left = self.as_branch(self.end());
        let Branch { history, end, .. } = self.branches.remove(k);
        self.keep_branch(left);
        (self.history, self.end) = (history, Some(end));
        self.replace_machine(other, &name);
        self.play(false);
        self.fault = None;
        self.go_live();
        Ok(())
    }

    /// Begins a run at a sync point that no history contains any more.
    fn begin_at(&mut self, mark: Mark, origin: &Arc<Origin>) -> Result<(), ServerMessage> {
        let mut machine = Machine::from_origin(origin).map_err(ServerMessage::refused)?;
        machine.recall(&mark.keyframe).map_err(ServerMessage::refused)?;
        self.leave(self.end());
        let name = mark.name.clone();
        (self.history, self.end) = (History::new(&machine), None);
        self.history.mark(mark);
        self.replace_machine(Some(machine), &name);
        self.hands_off();
        self.play(false);
        self.fault = None;
        self.moved = true;
        Ok(())
    }

    /// A machine of another origin; none if it is the present one. Made before anything is discarded, since it may fail.
    fn machine_of(&self, origin: &Arc<Origin>) -> Result<Option<Machine>, ServerMessage> {
        match Arc::ptr_eq(origin, self.machine.origin()) {
            true => Ok(None),
            false => Machine::from_origin(origin).map(Some).map_err(ServerMessage::refused),
        }
    }

    /// Shows another machine. If its text differs, that can be undone.
    fn replace_machine(&mut self, other: Option<Machine>, name: &str) {
        let Some(machine) = other else { return };
        let before = std::mem::replace(&mut self.machine, machine);
        if before.text() != self.machine.text() {
            let text = before.text().to_string();
            self.undo.done(Past { label: format!("Jump to {name}"), text, scene: None });
        }
        self.show_scene();
    }

    /// Keeps the present history as a branch.
    pub(super) fn leave(&mut self, end: Arc<Keyframe>) {
        let branch = self.as_branch(end);
        self.keep_branch(branch);
    }

    /// The present history as a branch.
    pub(super) fn as_branch(&self, end: Arc<Keyframe>) -> Branch {
        let id = self.named + 1;
        let origin = self.machine.origin().clone();
        Branch { id, name: format!("branch {id}"), history: self.history.clone(), end, origin }
    }

    /// Keeps a branch, if it has steps.
    pub(super) fn keep_branch(&mut self, branch: Branch) {
        if branch.end.step <= branch.history.start().step {
            return;
        }
        self.named = branch.id;
        self.branches.push(branch);
        if self.branches.len() > MOST_BRANCHES {
            self.branches.remove(0);
        }
    }

    /// Shows a sync point or a branch for comparison, or ends the comparison.
    pub(super) fn compare(&mut self, id: Option<u32>) -> Result<(), ServerMessage> {
        let Some(id) = id else {
            self.end_ghost();
            return Ok(());
        };
        let item = self.item.clone();
        let ghost = if let Some(point) = self.points.iter().find(|point| point.mark.id == id) {
            let machine = Machine::from_origin(&point.origin).map_err(ServerMessage::refused)?;
            Ghost::moment((id, point.mark.name.clone()), item, machine, &point.mark.keyframe)
        } else if let Some(branch) = self.branches.iter().find(|branch| branch.id == id) {
            let along = (branch.history.clone(), branch.end.clone());
            let machine = Machine::from_origin(&branch.origin).map_err(ServerMessage::refused)?;
            Ghost::branch((id, branch.name.clone()), item, machine, along)
        } else {
            return Err(ServerMessage::refused("no such sync point or branch"));
        };
        self.show_ghost(ghost.map_err(ServerMessage::refused)?);
        Ok(())
    }
}

/// Whether a history contains a sync point.
fn has(history: &History, id: u32) -> bool {
    history.marks.iter().any(|mark| mark.id == id)
}
