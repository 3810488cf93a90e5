//! Time: play, step, seek, resume, reset, drag paths, and the memory limit of the recordings.

use super::run::Timeline;
use super::{Session, troubles};
use crate::message::ServerMessage;
use crate::pace::SPEEDS;
use std::time::Instant;
use windlass_engine::prelude::Report;

/// Memory limit of all recordings together [bytes].
const MEMORY: usize = 256 << 20;
/// Largest number of steps of one order: a minute at 60 Hz.
const MOST_STEPS: i64 = 3600;

impl Session {
    pub(super) fn play(&mut self, playing: bool) {
        if playing {
            self.shown.fault = None;
            self.pace.play(Instant::now(), self.shown.machine.time());
        } else {
            self.pace.pause();
        }
    }

    pub(super) fn steps(&mut self, count: i64) -> Result<(), ServerMessage> {
        self.play(false);
        self.shown.fault = None;
        if !(-MOST_STEPS..=MOST_STEPS).contains(&count) {
            return Err(ServerMessage::refused(format!("at most {MOST_STEPS} steps at once")));
        }
        if count < 0 {
            let back = self.shown.machine.step_count().saturating_sub(count.unsigned_abs());
            return self.show(back.max(self.shown.timeline.history.start().step));
        }
        for _ in 0..count {
            self.step();
            if self.shown.fault.is_some() {
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
        self.pace.set(Instant::now(), self.shown.machine.time());
        Ok(())
    }

    /// Shows a step of the history.
    pub(super) fn show(&mut self, step: u64) -> Result<(), ServerMessage> {
        self.pace.pause();
        self.shown.show(step).map_err(ServerMessage::refused)
    }

    pub(super) fn seek(&mut self, time: f64) -> Result<(), ServerMessage> {
        if !time.is_finite() {
            return Err(ServerMessage::refused("`time` must be a number of seconds"));
        }
        self.show(self.shown.step_at(time))
    }

    pub(super) fn resume(&mut self) -> Result<(), ServerMessage> {
        let run = &mut self.shown;
        if run.timeline.cut(&run.machine) {
            run.hands_off();
        }
        self.play(true);
        Ok(())
    }

    pub(super) fn reset(&mut self) -> Result<(), ServerMessage> {
        let playing = self.pace.is_playing() || self.shown.fault.is_some();
        let start = self.shown.timeline.history.start().clone();
        if start.step == 0 {
            self.show(0)?;
            let run = &mut self.shown;
            run.timeline.cut(&run.machine);
            // commands before the first step are undone as well
            run.timeline.history.cut(&start);
            run.machine.recall(&start).map_err(ServerMessage::refused)?;
            run.hands_off();
        } else {
            // the recording begins later than the scene: after an edit, or since its oldest part was dropped
            let run = &mut self.shown;
            let left = run.timeline.as_branch(&run.machine);
            run.machine.restart().map_err(|errors| troubles(&errors))?;
            run.timeline.keep(left);
            run.begin();
            self.show_scene();
        }
        self.readings.report = Report::default();
        self.play(playing);
        self.shown.moved = true;
        Ok(())
    }

    /// Goes to the start and plays a drag path.
    pub(super) fn play_path(&mut self, id: u32) -> Result<(), ServerMessage> {
        let part = self.shown.prepare_path(id)?;
        self.reset()?;
        self.shown.begin_path(id, part.as_ref())?;
        self.play(true);
        Ok(())
    }

    /// Keeps all recordings together within their memory: scenes that were left are dropped first, then branches, then
    /// old keyframes.
    pub(super) fn save_memory(&mut self) {
        while self.memory() > MEMORY && (self.parked.pop_front().is_some() || self.shown.timeline.shed()) {}
    }

    fn memory(&self) -> usize {
        let runs = self.parked.iter().chain([&self.shown]);
        Timeline::memory(runs.map(|run| &run.timeline))
    }
}
