//! A recording: its frames as states, and simulations that continue from them.

use crate::error;
use crate::machine::{Machine, overrides};
use crate::signals::{detached, guarded};
use crate::state::State;
use pyo3::prelude::*;
use std::path::PathBuf;
use windlass_host::Machine as Host;
use windlass_host::replay::{SceneStage, player};
use windlass_record::{Player, Recording};
use windlass_scene::Move;

/// A recording that can be read at any frame.
#[pyclass(module = "windlass._core", subclass)]
pub struct Replay {
    player: Player<SceneStage>,
    first: u64,
    last: u64,
}

#[pymethods]
impl Replay {
    /// Opens a recording.
    #[new]
    fn new(path: PathBuf) -> PyResult<Replay> {
        let recording = Recording::open(&path).map_err(|e| error::recording(&e))?;
        let steps = recording.steps();
        let steps = steps.ok_or_else(|| error::value(format!("{}: it has no frames", path.display())))?;
        let player = guarded(|| player(recording))?.map_err(|e| error::recording(&e))?;
        Ok(Replay { player, first: *steps.start(), last: *steps.end() })
    }

    /// Numbers of the first and the last frame.
    #[getter]
    fn steps(&self) -> (u64, u64) {
        (self.first, self.last)
    }

    /// Time of a frame [s].
    fn time_of(&mut self, step: u64) -> PyResult<f64> {
        self.player.recording().time(step).map_err(|e| error::recording(&e))
    }

    /// What is damaged, if anything.
    #[getter]
    fn damage(&mut self) -> Option<String> {
        self.player.recording().damage().map(ToString::to_string)
    }

    /// The last frame at or before a time.
    fn step_at(&mut self, time: f64) -> PyResult<u64> {
        let (mut low, mut high) = (self.first, self.last);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            match self.time_of(middle)? <= time + 1e-9 {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        Ok(low)
    }

    /// The state of a frame.
    fn state(&mut self, py: Python<'_>, step: u64) -> PyResult<State> {
        if !(self.first..=self.last).contains(&step) {
            let (first, last) = (self.first, self.last);
            return Err(error::value(format!("no frame {step}: the recording has {first} to {last}")));
        }
        let player = &mut self.player;
        let state = detached(py, || player.seek(step).map(|world| world.state().clone()))?;
        state.map(|state| State { state }).map_err(|e| error::recording(&e))
    }

    /// Makes a machine the continuation from a frame: a branch.
    fn continue_in(&mut self, py: Python<'_>, step: u64, machine: &mut Machine) -> PyResult<()> {
        let state = self.state(py, step)?;
        let recorded = self.player.recording();
        let edits = recorded.edits().iter().take_while(|edit| edit.step <= step);
        let (commands, edits): (Vec<_>, Vec<_>) = edits.cloned().partition(|edit| edit.is_command());
        if !edits.is_empty() {
            return Err(error::value(
                "the scene was edited before this frame: `windlass branch` continues such recordings",
            ));
        }
        let header = self.player.recording().header().clone();
        let stage = guarded(|| SceneStage::new(&header))?.map_err(error::value)?;
        let set = overrides(header.overrides.to_vec());
        let built = detached(py, || Host::from_scene(stage.scene, &set))?;
        let mut host = built.map_err(|e| error::scene(py, &e))?;
        host.restore(&state.state).map_err(error::value)?;
        // commands of the frame itself are not part of its state
        for command in commands.iter().filter(|command| command.step == step) {
            if let Some(name) = command.command() {
                Move::read(name, &command.value)
                    .and_then(|m| m.make(host.world_mut()))
                    .map_err(error::value)?;
            }
        }
        *machine = Machine::of(host);
        Ok(())
    }
}
