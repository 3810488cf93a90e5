//! Time: play, step, seek, resume, reset, and the memory limit of the histories.

use super::{Session, troubles};
use crate::message::ServerMessage;
use crate::pace::SPEEDS;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;
use windlass_engine::prelude::Report;
use windlass_host::History;
use windlass_host::machine::Keyframe;

/// Memory limit of all histories together [bytes].
const MEMORY: usize = 256 << 20;
/// Largest number of steps of one order: a minute at 60 Hz.
const MOST_STEPS: i64 = 3600;

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

    pub(super) fn steps(&mut self, count: i64) -> Result<(), ServerMessage> {
        self.play(false);
        self.fault = None;
        if !(-MOST_STEPS..=MOST_STEPS).contains(&count) {
            return Err(ServerMessage::refused(format!("at most {MOST_STEPS} steps at once")));
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

    pub(super) fn speed(&mut self, value: f64) -> Result<(), ServerMessage> {
        let [low, high] = SPEEDS;
        if !(low..=high).contains(&value) {
            return Err(ServerMessage::refused(format!("the speed must be {low} to {high}")));
        }
        self.pace.speed = value;
        self.pace.set(Instant::now(), self.machine.time());
        Ok(())
    }

    /// Shows a step of the history.
    pub(super) fn show(&mut self, step: u64) -> Result<(), ServerMessage> {
        self.playing = false;
        self.fault = None;
        self.pace.stand();
        self.moved = true;
        let end = self.end();
        if step >= end.step {
            self.go_live();
            return Ok(());
        }
        self.end = Some(end);
        let shown = self.history.seek(&mut self.machine, step);
        shown.map_err(|why| {
            self.go_live();
            ServerMessage::refused(why)
        })
    }

    pub(super) fn seek(&mut self, time: f64) -> Result<(), ServerMessage> {
        if !time.is_finite() {
            return Err(ServerMessage::refused("`time` must be a number of seconds"));
        }
        self.show(self.step_at(time))
    }

    /// The step of a time [s], if the history reaches that far.
    pub(super) fn step_at(&self, time: f64) -> u64 {
        let start = self.history.start();
        let steps = ((time - start.time) / self.machine.dt()).round().max(0.0);
        start.step.saturating_add(steps as u64)
    }

    /// The end of the history.
    pub(super) fn end(&self) -> Arc<Keyframe> {
        self.end.clone().unwrap_or_else(|| Arc::new(self.machine.keyframe()))
    }

    pub(super) fn resume(&mut self) -> Result<(), ServerMessage> {
        if let Some(end) = self.end.take() {
            let here = self.machine.keyframe();
            self.leave(end);
            self.history.cut(&here);
            self.hands_off();
        }
        self.play(true);
        Ok(())
    }

    pub(super) fn reset(&mut self) -> Result<(), ServerMessage> {
        let (playing, start) = (self.playing || self.fault.is_some(), self.history.start().clone());
        if start.step == 0 {
            self.show(0)?;
            if let Some(end) = self.end.take() {
                self.leave(end);
            }
            self.history.cut(&start);
            self.machine.recall(&start).map_err(ServerMessage::refused)?;
            self.hands_off();
        } else {
            // the recording begins later than the scene: after an edit, or since its oldest part was dropped
            let left = self.as_branch(self.end());
            self.machine.restart().map_err(|errors| troubles(&errors))?;
            self.keep_branch(left);
            self.begin();
            self.show_scene();
        }
        self.report = Report::default();
        self.play(playing);
        self.moved = true;
        Ok(())
    }

    /// Keeps all histories together within their memory: scenes that were left are dropped first, then branches, then
    /// old keyframes.
    pub(super) fn save_memory(&mut self) {
        while self.memory() > MEMORY {
            if self.parked.pop_front().is_some() {
                continue;
            }
            if !self.branches.is_empty() {
                self.branches.remove(0);
            } else if !self.history.thin() {
                return;
            }
        }
    }

    /// Memory of all histories together; shared keyframes count once.
    pub(super) fn memory(&self) -> usize {
        let parked = || {
            self.parked
                .iter()
                .flat_map(|scene| scene.branches.iter().map(|branch| &branch.history).chain([&scene.history]))
        };
        let own = || self.branches.iter().map(|branch| &branch.history).chain([&self.history]);
        let histories = || own().chain(parked());
        let mut seen = BTreeSet::new();
        let points = self
            .points
            .iter()
            .chain(self.parked.iter().flat_map(|scene| &scene.points))
            .map(|point| &point.mark.keyframe);
        let keyframes = histories().flat_map(History::keyframes).chain(points);
        let fresh = keyframes.filter(|key| seen.insert(Arc::as_ptr(key) as usize));
        fresh.map(|key| key.size()).sum::<usize>() + histories().map(History::size_of_commands).sum::<usize>()
    }
}
