//! Time: play, step, seek, sync points, branches, and their memory limits.

use super::{Branch, MOST_BRANCHES, Session, troubles};
use crate::ghost::Ghost;
use crate::message::Told;
use crate::pace::SPEEDS;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;
use windlass_engine::prelude::Report;
use windlass_host::history::{MOST_MARKS, Mark};
use windlass_host::machine::Keyframe;
use windlass_host::{History, Machine};

/// Memory limit of all histories together [bytes].
const MEMORY: usize = 256 << 20;
/// Largest number of steps of one order: a minute at 60 Hz.
const MOST_STEPS: i64 = 3600;
/// Largest number of characters of a name.
pub(super) const LONGEST_NAME: usize = 80;

impl Session {
    pub(super) fn play(&mut self, playing: bool) {
        self.playing = playing;
        if playing {
            self.fault = None;
        } else {
            self.pace.stand();
        }
        self.pace.set(Instant::now(), self.machine.time());
    }

    pub(super) fn steps(&mut self, count: i64) -> Result<(), Told> {
        self.play(false);
        self.fault = None;
        if !(-MOST_STEPS..=MOST_STEPS).contains(&count) {
            return Err(Told::refused(format!("at most {MOST_STEPS} steps at once")));
        }
        if count < 0 {
            let back = self.machine.step_count().saturating_sub(count.unsigned_abs());
            return self.show(back.max(self.history.start().step));
        }
        for _ in 0..count {
            self.step();
            if self.fault.is_some() {
                break;
            }
        }
        Ok(())
    }

    pub(super) fn speed(&mut self, value: f64) -> Result<(), Told> {
        let [low, high] = SPEEDS;
        if !(low..=high).contains(&value) {
            return Err(Told::refused(format!("the speed must be {low} to {high}")));
        }
        self.pace.speed = value;
        self.pace.set(Instant::now(), self.machine.time());
        Ok(())
    }

    /// Shows a step of the history.
    pub(super) fn show(&mut self, step: u64) -> Result<(), Told> {
        self.playing = false;
        self.fault = None;
        self.pace.stand();
        self.moved = true;
        let end = self.end.clone().unwrap_or_else(|| Arc::new(self.machine.keyframe()));
        if step >= end.step {
            self.end = Some(end);
            self.go_live();
            return Ok(());
        }
        self.end = Some(end);
        let shown = self.history.seek(&mut self.machine, step);
        shown.map_err(|why| {
            self.go_live();
            Told::refused(why)
        })
    }

    pub(super) fn seek(&mut self, time: f64) -> Result<(), Told> {
        if !time.is_finite() {
            return Err(Told::refused("`time` must be a number of seconds"));
        }
        let start = self.history.start();
        let steps = ((time - start.time) / self.machine.dt()).round().max(0.0);
        self.show(start.step.saturating_add(steps as u64))
    }

    pub(super) fn resume(&mut self) -> Result<(), Told> {
        if let Some(end) = self.end.take() {
            let here = self.machine.keyframe();
            self.leave(end);
            self.history.cut(&here);
        }
        self.play(true);
        Ok(())
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

    pub(super) fn keep_branch(&mut self, branch: Branch) {
        self.named = branch.id;
        self.branches.push(branch);
        if self.branches.len() > MOST_BRANCHES {
            self.branches.remove(0);
        }
    }

    pub(super) fn mark(&mut self, name: &str) -> Result<(), Told> {
        if self.history.marks.len() >= MOST_MARKS {
            return Err(Told::refused(format!("the limit of {MOST_MARKS} sync points is reached")));
        }
        self.named += 1;
        let name = match name.trim() {
            "" => format!("point {}", self.named),
            name => name.chars().take(LONGEST_NAME).collect(),
        };
        self.history.mark(Mark { id: self.named, name, keyframe: Arc::new(self.machine.keyframe()) });
        Ok(())
    }

    pub(super) fn jump(&mut self, id: u32) -> Result<(), Told> {
        let mark = self.history.marks.iter().find(|mark| mark.id == id);
        if let Some(keyframe) = mark.map(|mark| mark.keyframe.clone()) {
            self.show(keyframe.step)?;
            if self.end.is_some() {
                self.machine.recall(&keyframe).map_err(Told::refused)?;
            }
            return Ok(());
        }
        let Some(k) = self.branches.iter().position(|branch| branch.id == id) else {
            return Err(Told::refused("no such sync point"));
        };
        let origin = self.branches[k].origin.clone();
        let same = Arc::ptr_eq(&origin, self.machine.origin());
        // made before anything is discarded, since it may fail
        let other = match same {
            true => None,
            false => Some(Machine::from_origin(&origin).map_err(Told::refused)?),
        };
        let present = self.end.take().unwrap_or_else(|| Arc::new(self.machine.keyframe()));
        let left = self.as_branch(present);
        let Branch { history, end, .. } = self.branches.remove(k);
        self.keep_branch(left);
        (self.history, self.end) = (history, Some(end));
        if let Some(machine) = other {
            self.machine = machine;
            self.show_scene();
        }
        self.play(false);
        self.fault = None;
        self.go_live();
        Ok(())
    }

    /// Shows a sync point or a branch for comparison, or ends the comparison.
    pub(super) fn compare(&mut self, id: Option<u32>) -> Result<(), Told> {
        let Some(id) = id else {
            self.end_ghost();
            return Ok(());
        };
        let item = self.item.clone();
        let ghost = if let Some(mark) = self.history.marks.iter().find(|mark| mark.id == id) {
            let machine = Machine::from_origin(self.machine.origin()).map_err(Told::refused)?;
            Ghost::moment((id, mark.name.clone()), item, machine, &mark.keyframe)
        } else if let Some(branch) = self.branches.iter().find(|branch| branch.id == id) {
            let along = (branch.history.clone(), branch.end.clone());
            let machine = Machine::from_origin(&branch.origin).map_err(Told::refused)?;
            Ghost::branch((id, branch.name.clone()), item, machine, along)
        } else {
            return Err(Told::refused("no such sync point or branch"));
        };
        self.show_ghost(ghost.map_err(Told::refused)?);
        Ok(())
    }

    pub(super) fn reset(&mut self) -> Result<(), Told> {
        let (playing, start) = (self.playing || self.fault.is_some(), self.history.start().clone());
        if start.step == 0 {
            self.show(0)?;
            if let Some(end) = self.end.take() {
                self.leave(end);
            }
            self.history.cut(&start);
            self.machine.recall(&start).map_err(Told::refused)?;
        } else {
            self.machine.restart().map_err(|errors| troubles(&errors))?;
            self.begin();
        }
        self.report = Report::default();
        self.play(playing);
        self.moved = true;
        Ok(())
    }

    /// Keeps all histories together within their memory: branches are dropped first, then old keyframes.
    pub(super) fn save_memory(&mut self) {
        while self.memory() > MEMORY {
            if !self.branches.is_empty() {
                self.branches.remove(0);
            } else if !self.history.thin() {
                return;
            }
        }
    }

    /// Memory of all histories together; shared keyframes count once.
    pub(super) fn memory(&self) -> usize {
        let histories = || self.branches.iter().map(|branch| &branch.history).chain([&self.history]);
        let mut seen = BTreeSet::new();
        let fresh =
            histories().flat_map(History::keyframes).filter(|key| seen.insert(Arc::as_ptr(key) as usize));
        fresh.map(|key| key.size()).sum::<usize>() + histories().map(History::size_of_commands).sum::<usize>()
    }
}
