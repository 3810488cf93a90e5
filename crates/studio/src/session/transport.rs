//! The buttons of time: play, step, seek, sync points, branches, and what they may take of memory.

use super::{Branch, MOST_BRANCHES, Session, troubles};
use crate::ghost::Ghost;
use crate::machine::{Key, Machine};
use crate::message::Told;
use crate::pace::SPEEDS;
use crate::tape::{MOST_MARKS, Mark, Tape};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;
use windlass_engine::prelude::Report;

/// What all tapes together may take [bytes].
const MEMORY: usize = 256 << 20;
/// Steps that one order may ask for: a minute at 60 Hz.
const MOST_STEPS: i64 = 3600;
/// Letters of a name.
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
            return self.show(back.max(self.tape.start().step));
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
            return Err(Told::refused(format!("the speed can be {low} to {high}")));
        }
        self.pace.speed = value;
        self.pace.set(Instant::now(), self.machine.time());
        Ok(())
    }

    /// Shows a step of the tape.
    pub(super) fn show(&mut self, step: u64) -> Result<(), Told> {
        self.playing = false;
        self.fault = None;
        self.pace.stand();
        self.moved = true;
        let end = self.end.clone().unwrap_or_else(|| Arc::new(self.machine.key()));
        if step >= end.step {
            self.end = Some(end);
            self.go_live();
            return Ok(());
        }
        self.end = Some(end);
        let shown = self.tape.show(&mut self.machine, step);
        shown.map_err(|why| {
            self.go_live();
            Told::refused(why)
        })
    }

    pub(super) fn seek(&mut self, time: f64) -> Result<(), Told> {
        if !time.is_finite() {
            return Err(Told::refused("`time` is a number of seconds"));
        }
        let start = self.tape.start();
        let steps = ((time - start.time) / self.machine.dt()).round().max(0.0);
        self.show(start.step.saturating_add(steps as u64))
    }

    pub(super) fn resume(&mut self) -> Result<(), Told> {
        if let Some(end) = self.end.take() {
            let here = self.machine.key();
            self.leave(end);
            self.tape.cut(&here);
        }
        self.play(true);
        Ok(())
    }

    /// Keeps the present tape as a branch.
    pub(super) fn leave(&mut self, end: Arc<Key>) {
        let branch = self.as_branch(end);
        self.keep_branch(branch);
    }

    /// The present tape as a branch.
    pub(super) fn as_branch(&self, end: Arc<Key>) -> Branch {
        let id = self.named + 1;
        let origin = self.machine.origin.clone();
        Branch { id, name: format!("branch {id}"), tape: self.tape.clone(), end, origin }
    }

    pub(super) fn keep_branch(&mut self, branch: Branch) {
        self.named = branch.id;
        self.branches.push(branch);
        if self.branches.len() > MOST_BRANCHES {
            self.branches.remove(0);
        }
    }

    pub(super) fn mark(&mut self, name: &str) -> Result<(), Told> {
        if self.tape.marks.len() >= MOST_MARKS {
            return Err(Told::refused(format!("there are {MOST_MARKS} sync points already")));
        }
        self.named += 1;
        let name = match name.trim() {
            "" => format!("point {}", self.named),
            name => name.chars().take(LONGEST_NAME).collect(),
        };
        self.tape.mark(Mark { id: self.named, name, key: Arc::new(self.machine.key()) });
        Ok(())
    }

    pub(super) fn jump(&mut self, id: u32) -> Result<(), Told> {
        if let Some(key) = self.tape.marks.iter().find(|mark| mark.id == id).map(|mark| mark.key.clone()) {
            self.show(key.step)?;
            if self.end.is_some() {
                self.machine.recall(&key).map_err(Told::refused)?;
            }
            return Ok(());
        }
        let Some(k) = self.branches.iter().position(|branch| branch.id == id) else {
            return Err(Told::refused("no such sync point"));
        };
        let origin = self.branches[k].origin.clone();
        let same = Arc::ptr_eq(&origin, &self.machine.origin);
        // made before anything is given up, for it may fail
        let other = match same {
            true => None,
            false => Some(Machine::of(self.machine.item.clone(), &origin).map_err(Told::refused)?),
        };
        let present = self.end.take().unwrap_or_else(|| Arc::new(self.machine.key()));
        let left = self.as_branch(present);
        let Branch { tape, end, .. } = self.branches.remove(k);
        self.keep_branch(left);
        (self.tape, self.end) = (tape, Some(end));
        if let Some(machine) = other {
            self.machine = machine;
            self.show_scene();
        }
        self.play(false);
        self.fault = None;
        self.go_live();
        Ok(())
    }

    /// Shows a sync point or a branch beside the run, or ends that.
    pub(super) fn compare(&mut self, id: Option<u32>) -> Result<(), Told> {
        let Some(id) = id else {
            self.end_ghost();
            return Ok(());
        };
        let item = self.machine.item.clone();
        let ghost = if let Some(mark) = self.tape.marks.iter().find(|mark| mark.id == id) {
            Machine::of(item, &self.machine.origin)
                .and_then(|machine| Ghost::moment(id, mark.name.clone(), machine, &mark.key))
        } else if let Some(branch) = self.branches.iter().find(|branch| branch.id == id) {
            let along = (branch.tape.clone(), branch.end.clone());
            Machine::of(item, &branch.origin)
                .and_then(|machine| Ghost::branch(id, branch.name.clone(), machine, along))
        } else {
            Err("no such sync point or branch".to_string())
        };
        self.show_ghost(ghost.map_err(Told::refused)?);
        Ok(())
    }

    pub(super) fn reset(&mut self) -> Result<(), Told> {
        let (playing, start) = (self.playing || self.fault.is_some(), self.tape.start().clone());
        if start.step == 0 {
            self.show(0)?;
            if let Some(end) = self.end.take() {
                self.leave(end);
            }
            self.tape.cut(&start);
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

    /// Keeps all tapes together within their memory: branches go first, then old states.
    pub(super) fn save_memory(&mut self) {
        while self.memory() > MEMORY {
            if !self.branches.is_empty() {
                self.branches.remove(0);
            } else if !self.tape.thin() {
                return;
            }
        }
    }

    /// What all tapes take together; states they share count once.
    pub(super) fn memory(&self) -> usize {
        let tapes = || self.branches.iter().map(|branch| &branch.tape).chain([&self.tape]);
        let mut seen = BTreeSet::new();
        let fresh = tapes().flat_map(Tape::keys).filter(|key| seen.insert(Arc::as_ptr(key) as usize));
        fresh.map(|key| key.size()).sum::<usize>() + tapes().map(Tape::size_of_deeds).sum::<usize>()
    }
}
