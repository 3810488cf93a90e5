//! The recorder as a watcher of the run.
//!
//! A disk that is full stops the recording, not the run: it is told once, what is in the file stays good, and the
//! recorder tries again now and then.

use crate::look::count;
use crate::show;
use crate::simulate::{Step, Watch};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};
use windlass_engine::prelude::World;
use windlass_record::{Error, Header, Recorder};
use windlass_scene::Move;

/// Time between two attempts to go on after the disk was full.
const RETRY: Duration = Duration::from_secs(2);

/// A recording that is being made.
#[derive(Debug)]
pub struct Tape {
    file: String,
    /// None once it is finished.
    recorder: Option<Recorder>,
    stopped: Option<Instant>,
}

impl Tape {
    /// Begins a recording at the world's present state.
    pub fn create(path: &Path, header: &Header, world: &World, replace: bool) -> Result<Tape, Error> {
        let recorder = match replace {
            true => Recorder::replace(path, header, world)?,
            false => Recorder::create(path, header, world)?,
        };
        Ok(Tape::of(path, recorder))
    }

    /// Goes on with a recorder.
    pub fn of(path: &Path, recorder: Recorder) -> Tape {
        Tape { file: path.display().to_string(), recorder: Some(recorder), stopped: None }
    }
}

impl Watch for Tape {
    fn name(&self) -> String {
        self.file.clone()
    }

    fn moved(&mut self, _world: &World, moved: &Move) -> io::Result<()> {
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        recorder.command(&moved.input, &moved.value()).map_err(io::Error::other)
    }

    fn step(&mut self, world: &mut World, _step: &Step<'_>) -> io::Result<()> {
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        if self.stopped.is_some_and(|since| since.elapsed() > RETRY) {
            self.stopped = recorder.resume().err().map(|_| Instant::now());
            if self.stopped.is_none() {
                show::tell(&format!("note: recording to {} goes on", self.file));
            }
        }
        if let Err(e) = recorder.step(world) {
            show::tell(&format!("error: {e}; the run goes on without recording"));
            self.stopped = Some(Instant::now());
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
