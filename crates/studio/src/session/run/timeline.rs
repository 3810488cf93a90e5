//! The recording of a run: its history, sync points, and branches.
//!
//! ```text
//!  history of the run    its own sync points, a step each
//!  branches              histories that were left, with theirs
//!  sync points           all of them, each with its state and the origin of its world
//! ```
//!
//! A history loses the sync points after the moment at which it is cut. The list here does not: a sync point outlives a
//! resume, an edit, a reset, and the loss of its branch.

use crate::message::{Point, ServerMessage};
use std::collections::BTreeSet;
use std::sync::Arc;
use windlass_host::History;
use windlass_host::history::{MOST_MARKS, Mark};
use windlass_host::machine::{Keyframe, Machine, Origin};

/// Largest number of branches.
const MOST_BRANCHES: usize = 8;
/// Largest number of characters of a name.
pub const LONGEST_NAME: usize = 80;

/// A continuation that was left.
pub struct Branch {
    pub id: u32,
    pub name: String,
    pub history: History,
    pub end: Arc<Keyframe>,
    /// The origin of its world.
    pub origin: Arc<Origin>,
}

/// A moment with a name.
#[derive(Clone)]
pub struct SyncPoint {
    pub mark: Mark,
    /// The origin of its world.
    pub origin: Arc<Origin>,
}

/// The recording of a run.
pub struct Timeline {
    pub history: History,
    /// Where the live run was left, while the past is shown.
    pub end: Option<Arc<Keyframe>>,
    branches: Vec<Branch>,
    points: Vec<SyncPoint>,
    /// Counts sync points and branches.
    named: u32,
}

impl Timeline {
    /// A recording that begins now.
    pub fn new(machine: &Machine) -> Timeline {
        let history = History::new(machine);
        Timeline { history, end: None, branches: Vec::new(), points: Vec::new(), named: 0 }
    }

    /// Numbers its points after those of another: no two of a session have the same number.
    pub fn number_after(&mut self, other: &Timeline) {
        self.named = self.named.max(other.named);
    }

    /// The end of the history of the machine.
    pub fn end(&self, machine: &Machine) -> Arc<Keyframe> {
        self.end.clone().unwrap_or_else(|| Arc::new(machine.keyframe()))
    }

    /// The history of the machine begins now.
    pub fn begin(&mut self, machine: &Machine) {
        (self.history, self.end) = (History::new(machine), None);
    }

    /// The moment that is shown becomes the end; what comes after it is kept as a branch. Returns whether there was more.
    pub fn cut(&mut self, machine: &Machine) -> bool {
        let past = self.end.is_some();
        if past {
            self.leave(machine);
            self.end = None;
            self.history.cut(&machine.keyframe());
        }
        past
    }

    /// Adds a sync point.
    pub fn mark(&mut self, name: &str, machine: &Machine) -> Result<(), ServerMessage> {
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
        let mark = Mark { id: self.named, name, keyframe: Arc::new(machine.keyframe()) };
        self.history.mark(mark.clone());
        self.points.push(SyncPoint { mark, origin: machine.origin().clone() });
        Ok(())
    }

    /// Removes a sync point, also from the histories that contain it.
    pub fn unmark(&mut self, id: u32) -> Result<(), ServerMessage> {
        if self.point(id).is_none() {
            return Err(ServerMessage::refused("no such sync point"));
        }
        self.points.retain(|point| point.mark.id != id);
        let branches = self.branches.iter_mut().map(|branch| &mut branch.history);
        branches.chain([&mut self.history]).for_each(|history| history.marks.retain(|mark| mark.id != id));
        Ok(())
    }

    /// A sync point.
    pub fn point(&self, id: u32) -> Option<&SyncPoint> {
        self.points.iter().find(|point| point.mark.id == id)
    }

    /// A branch.
    pub fn branch(&self, id: u32) -> Option<&Branch> {
        self.branches.iter().find(|branch| branch.id == id)
    }

    /// Whether the history of the machine contains a sync point.
    pub fn contains(&self, id: u32) -> bool {
        has(&self.history, id)
    }

    /// The branch that contains a sync point.
    pub fn branch_with(&self, id: u32) -> Option<&Branch> {
        self.branches.iter().find(|branch| has(&branch.history, id))
    }

    /// All sync points and branches for the status.
    pub fn looks(&self) -> Vec<Point> {
        let marks = self.points.iter().map(|point| Point {
            id: point.mark.id,
            name: point.mark.name.clone(),
            time: point.mark.keyframe.time,
            kind: "mark",
            elsewhere: !self.contains(point.mark.id),
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

    /// Keeps the history of the machine as a branch.
    pub fn leave(&mut self, machine: &Machine) {
        let branch = self.as_branch(machine);
        self.keep(branch);
    }

    /// The history of the machine as a branch.
    pub fn as_branch(&self, machine: &Machine) -> Branch {
        let (id, origin) = (self.named + 1, machine.origin().clone());
        let (history, end) = (self.history.clone(), self.end(machine));
        Branch { id, name: format!("branch {id}"), history, end, origin }
    }

    /// Keeps a branch, if it has steps.
    pub fn keep(&mut self, branch: Branch) {
        if branch.end.step <= branch.history.start().step {
            return;
        }
        self.named = branch.id;
        self.branches.push(branch);
        if self.branches.len() > MOST_BRANCHES {
            self.branches.remove(0);
        }
    }

    /// Exchanges the history of the machine for a branch, of whose end the machine is not yet.
    pub fn take_branch(&mut self, id: u32, machine: &Machine) {
        let left = self.as_branch(machine);
        let Some(k) = self.branches.iter().position(|branch| branch.id == id) else { return };
        let Branch { history, end, .. } = self.branches.remove(k);
        self.keep(left);
        (self.history, self.end) = (history, Some(end));
    }

    /// Frees memory: drops the oldest branch, or else an old keyframe. Returns whether there was one.
    pub fn shed(&mut self) -> bool {
        if self.branches.is_empty() {
            return self.history.thin();
        }
        self.branches.remove(0);
        true
    }

    fn histories(&self) -> impl Iterator<Item = &History> {
        self.branches.iter().map(|branch| &branch.history).chain([&self.history])
    }

    /// Memory of several together [bytes]; shared keyframes count once.
    pub fn memory<'t>(all: impl Iterator<Item = &'t Timeline>) -> usize {
        let (mut seen, mut size) = (BTreeSet::new(), 0);
        for timeline in all {
            let points = timeline.points.iter().map(|point| &point.mark.keyframe);
            let keyframes = timeline.histories().flat_map(History::keyframes).chain(points);
            let fresh = keyframes.filter(|keyframe| seen.insert(Arc::as_ptr(keyframe)));
            size += fresh.map(|keyframe| keyframe.size()).sum::<usize>();
            size += timeline.histories().map(History::size_of_commands).sum::<usize>();
        }
        size
    }
}

/// Whether a history contains a sync point.
fn has(history: &History, id: u32) -> bool {
    history.marks.iter().any(|mark| mark.id == id)
}
