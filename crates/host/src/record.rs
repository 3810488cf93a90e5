//! The recorder as an observer of a run.
//!
//! The recorder writes about once per simulated second. A run slower than real time would keep that second in memory
//! for long, so frames are also written after every second of the supervisor's clock: a crash loses at most the last
//! second of either.
//!
//! A full disk suspends the recording, not the run: it is reported once, what is in the file stays valid, and the
//! recorder tries to resume every two seconds of the supervisor's clock.

use crate::run::Observer;
use crate::step::Step;
use crate::text::count;
use std::fmt;
use std::io;
use std::path::Path;
use std::time::Duration;
use windlass_engine::prelude::World;
use windlass_record::{Error, Header, Recorder};
use windlass_scene::Move;

/// Time between two attempts to resume a suspended recording.
const RETRY: Duration = Duration::from_secs(2);
/// Longest time for which frames stay in memory, except during the step that is being taken.
const LONGEST_IN_MEMORY: Duration = Duration::from_secs(1);

/// Events of a recording while it is made.
#[derive(Debug)]
pub enum RecordEvent<'a> {
    /// It could not be written and is suspended; the run continues.
    Suspended {
        /// The file.
        file: &'a str,
        /// What went wrong.
        error: &'a Error,
    },
    /// It continues.
    Resumed {
        /// The file.
        file: &'a str,
    },
}

/// Receives the events of a recording.
pub type OnRecordEvent = Box<dyn FnMut(&RecordEvent<'_>)>;

/// A recording that is being made.
pub struct RecordObserver {
    file: String,
    /// None once it is finished.
    recorder: Option<Recorder>,
    /// The supervisor's clock at the last attempt to write, while it is suspended.
    suspended: Option<Duration>,
    /// The supervisor's clock when the file last grew, and its length then; none before the first step.
    grown: Option<(Duration, u64)>,
    on_event: OnRecordEvent,
}

impl fmt::Debug for RecordObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordObserver").field("file", &self.file).finish_non_exhaustive()
    }
}

impl RecordObserver {
    /// Begins a recording at the world's present state.
    pub fn create(
        path: &Path,
        header: &Header,
        world: &World,
        replace: bool,
    ) -> Result<RecordObserver, Error> {
        let recorder = match replace {
            true => Recorder::replace(path, header, world)?,
            false => Recorder::create(path, header, world)?,
        };
        Ok(RecordObserver::of(path, recorder))
    }

    /// Continues with a recorder.
    pub fn of(path: &Path, recorder: Recorder) -> RecordObserver {
        let file = path.display().to_string();
        let on_event: OnRecordEvent = Box::new(|_| {});
        RecordObserver { file, recorder: Some(recorder), suspended: None, grown: None, on_event }
    }

    /// The same, with its events passed to a receiver.
    pub fn on_event(mut self, on_event: OnRecordEvent) -> RecordObserver {
        self.on_event = on_event;
        self
    }
}

impl Observer for RecordObserver {
    fn name(&self) -> String {
        self.file.clone()
    }

    fn input_moved(&mut self, _world: &World, moved: &Move) -> io::Result<()> {
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        recorder.command(&moved.input, &moved.value()).map_err(io::Error::other)
    }

    fn step(&mut self, world: &mut World, step: &Step<'_>) -> io::Result<()> {
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        let file = self.file.as_str();
        if self.suspended.is_some_and(|since| step.clock.saturating_sub(since) > RETRY) {
            self.suspended = recorder.resume().err().map(|_| step.clock);
            if self.suspended.is_none() {
                (self.on_event)(&RecordEvent::Resumed { file });
            }
        }
        let mut written = recorder.step(world);
        // the first frames have been in memory since the step began
        let (since, length) =
            self.grown.unwrap_or((step.clock.saturating_sub(step.wall), recorder.tally().bytes));
        if written.is_ok()
            && recorder.tally().bytes == length
            && step.clock.saturating_sub(since) >= LONGEST_IN_MEMORY
        {
            written = recorder.flush();
        }
        let bytes = recorder.tally().bytes;
        self.grown = Some(if bytes == length { (since, length) } else { (step.clock, bytes) });
        if let Err(error) = written {
            (self.on_event)(&RecordEvent::Suspended { file, error: &error });
            self.suspended = Some(step.clock);
        }
        Ok(())
    }

    fn end(&mut self, _world: &mut World) -> io::Result<()> {
        let Some(recorder) = self.recorder.take() else { return Ok(()) };
        let tally = recorder.finish().map_err(io::Error::other)?;
        if tally.lost > 0 {
            let frames = count(tally.lost as usize, "frame");
            return Err(io::Error::other(format!("{frames} could not be recorded")));
        }
        Ok(())
    }
}
