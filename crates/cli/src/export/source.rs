//! A scene, simulated, or a recording → poses of its bodies at a constant rate.

use super::Arguments;
use crate::console::{self, Console};
use crate::log::Sampling;
use crate::outcome::Outcome;
use crate::recording;
use crate::{load, show};
use glam::{DQuat, DVec3};
use std::io;
use windlass_engine::prelude::World;
use windlass_export::built::{Roll, drawn_points, reliefs, rope_points, segments, ties};
use windlass_export::{Reel, Relief};
use windlass_host::run::step_count;
use windlass_host::{Observer, Plan, Step};
use windlass_record::Error;
use windlass_scene::drawn::drawings;
use windlass_scene::{Built, GroundReading, PointCable};

/// The source of an export.
pub struct Source {
    pub built: Built,
    /// The world of a recording, which is not in `built`.
    world: Option<World>,
    /// Poses of all visuals, in their order; at least one frame.
    pub reel: Reel,
}

impl Source {
    /// Simulates or reads. For a still picture only the last frame is used, at the given time.
    pub fn open(arguments: &Arguments, still: Option<f64>) -> Result<Source, Outcome> {
        match recording::is_recording(&arguments.source) {
            true => recorded(arguments, still).unwrap_or_else(|e| Err(recording::failed(&e))),
            false => simulated(arguments, still),
        }
    }

    /// The world, for its model.
    pub fn world(&self) -> &World {
        self.world.as_ref().unwrap_or(&self.built.world)
    }
}

fn simulated(arguments: &Arguments, still: Option<f64>) -> Result<Source, Outcome> {
    let mut machine = load::changed(&arguments.source, &arguments.changes)?;
    let dt = machine.dt();
    let seconds = still.or(arguments.duration).unwrap_or(machine.seconds());
    let sampling = match still {
        Some(_) => Sampling::Every(u64::MAX),
        None => Sampling::rate(arguments.fps, dt).map_err(|e| show::refuse(&e))?,
    };
    let steps = if seconds > 0.0 { step_count(seconds, dt) } else { 0 };
    let mut camera = Camera { roll: Roll::of(machine.built()), sampling };
    camera.roll.take(machine.world());
    let result = machine.run(Plan::steps(steps), &mut Console::listen(), &mut [&mut camera]);
    console::complete(&result)?;
    let Camera { mut roll, .. } = camera;
    let built = machine.into_built();
    if still.is_some() {
        roll.clear();
        roll.take(&built.world);
    }
    let start = if still.is_some() { built.world.state().time } else { 0.0 };
    Ok(Source { built, world: None, reel: roll.reel(arguments.fps, start) })
}

/// Takes frames at the rate of the export.
struct Camera {
    roll: Roll,
    sampling: Sampling,
}

impl Observer for Camera {
    fn name(&self) -> String {
        "the frames".to_string()
    }

    fn step(&mut self, world: &mut World, step: &Step<'_>) -> io::Result<()> {
        if self.sampling.takes(step.number) {
            self.roll.take(world);
        }
        Ok(())
    }
}

fn recorded(arguments: &Arguments, still: Option<f64>) -> Result<Result<Source, Outcome>, Error> {
    let mut player = recording::player(&arguments.source)?;
    let Some(steps) = player.recording().steps() else {
        return Ok(Err(show::refuse("the recording has no frames")));
    };
    // the edits of the first frame are those of a branch
    player.make_edits()?;
    let dt = player.world().model().settings().dt;
    if let (None, Err(e)) = (still, Sampling::rate(arguments.fps, dt)) {
        return Ok(Err(show::refuse(&e)));
    }
    let (first, last) = (*steps.start(), *steps.end());
    let from = player.recording().time(first)?;
    let until = player.recording().time(last)?;
    let (start, count) = match still {
        Some(at) if at > until + 1e-9 => {
            return Ok(Err(recording::beyond(at, until)));
        }
        Some(at) => (at.max(from), 1),
        None => {
            let seconds = arguments.duration.unwrap_or(until - from).min(until - from);
            (from, (seconds * arguments.fps + 1e-6).floor() as usize + 1)
        }
    };
    if player.recording().edits().iter().any(|edit| edit.step > first) {
        show::tell(
            "note: the scene was edited during the recording; the picture shows the scene at its start",
        );
    }
    let bodies: Vec<usize> = player.stage().built.seen_in(player.world()).map(|(id, _)| id.index()).collect();
    let (ropes, cylinders) = (player.stage().built.ropes.clone(), player.stage().built.cylinders.clone());
    let has_cables = player.world().model().cables().count() > 0;
    let has_points = PointCable::all(player.world()).next().is_some();
    let has_soil = !GroundReading::all(player.world()).is_empty();
    let has_drawings = !drawings(&cylinders, player.world()).is_empty();
    let (mut frames, mut knots) = (Vec::with_capacity(count), Vec::new());
    let mut grounds: Vec<Vec<Relief>> = Vec::new();
    let mut step = first;
    for frame in 0..count {
        let time = start + frame as f64 / arguments.fps;
        // the first step at or after the instant, as when a scene is simulated
        while step < last && player.recording().time(step)? < time - 1e-9 {
            step += 1;
        }
        let all = player.recording().poses(step)?;
        let pose =
            |place: &usize| all.get(*place).map_or((DVec3::ZERO, DQuat::IDENTITY), |p| (p.at, p.orientation));
        let mut frame: Vec<_> = bodies.iter().map(pose).collect();
        if has_points {
            frame.extend(segments(player.seek(step)?));
        }
        if !ropes.is_empty() {
            frame.extend(rope_points(&ropes, player.seek(step)?));
        }
        if has_drawings {
            frame.extend(drawn_points(&cylinders, player.seek(step)?));
        }
        if has_soil {
            let before = grounds.last().map_or(&[][..], Vec::as_slice);
            let now = reliefs(player.seek(step)?, before);
            grounds.push(now);
        }
        frames.push(frame);
        // breaks and twist of a cable are in the state, not in the poses
        if has_cables {
            knots.push(player.seek(step).map_or_else(|_| Vec::new(), ties));
        }
    }
    let (_, stage, world) = player.into_parts();
    let reel = Reel { rate: arguments.fps, start, frames, ties: knots, reliefs: grounds };
    Ok(Ok(Source { built: stage.built, world: Some(world), reel }))
}
