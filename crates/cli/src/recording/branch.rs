//! `windlass branch`: continues a recording from any of its frames, with changes, into a new recording.

use super::{beyond, failed, player};
use crate::console::{self, Console};
use crate::load::{instant, time};
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::show;
use clap::Args;
use std::path::PathBuf;
use windlass_host::Plan;
use windlass_host::record::RecordObserver;
use windlass_host::run::{run, step_count};
use windlass_record::{Error, Recorder, Stage};
use windlass_scene::Override;

const EXAMPLES: &str = "\
Examples:
  windlass run crane.toml --record lift.wlr
  windlass branch lift.wlr -o heavy.wlr --at \"4 s\" --set \"bodies.load.mass=3 t\" --duration 5
  windlass branch lift.wlr -o longer.wlr --duration \"1 min\"";

/// Continue a recording from any of its frames, with changes, into a new recording
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The recording to continue
    #[arg(value_name = "RECORDING")]
    file: PathBuf,
    /// The new recording
    #[arg(long, short, value_name = "FILE.wlr")]
    output: PathBuf,
    /// Time at which the branch begins; default: the end
    #[arg(long, value_name = "TIME", value_parser = instant)]
    at: Option<f64>,
    /// Override a value in the branch: "joints.hoist.distance.motor.speed=0.5 m/s". May be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = str::parse::<Override>)]
    set: Vec<Override>,
    /// How long to simulate
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "10")]
    duration: f64,
}

/// Branches.
pub fn branch(arguments: &Arguments) -> Outcome {
    run_branch(arguments).unwrap_or_else(|e| failed(&e))
}

fn run_branch(arguments: &Arguments) -> Result<Outcome, Error> {
    let to = &arguments.output;
    let mut player = player(&arguments.file)?;
    let Some(steps) = player.recording().steps() else {
        return Ok(show::refuse("the recording has no frames"));
    };
    let mut step = *steps.end();
    if let Some(at) = arguments.at {
        let end = player.recording().time(step)?;
        if at > end + 1e-9 {
            return Ok(beyond(at, end));
        }
        // the last frame at or before the time
        let (mut low, mut high) = (*steps.start(), *steps.end());
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            match player.recording().time(middle)? <= at + 1e-9 {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        step = low;
    }
    player.seek(step)?;
    let (recording, world) = player.parts();
    let mut recorder = Recorder::branch(to, recording, world)?;
    let (_, mut stage, mut world) = player.into_parts();
    let known = stage.notes.len();
    for Override { key, value } in &arguments.set {
        let edited = recorder.edit(&world, key, value).map_err(|e| e.to_string());
        let edited = edited.and_then(|()| stage.apply(&mut world, key, value).map_err(|e| e.to_string()));
        if let Err(e) = edited {
            drop(recorder);
            // a branch whose edits are rejected is deleted
            let _ = std::fs::remove_file(to);
            return Ok(show::refuse(&e));
        }
    }
    let notes: String = stage.notes[known..].iter().map(|note| format!("{note}\n")).collect();
    let mut told = show::print(&notes);
    let steps = step_count(arguments.duration, world.model().settings().dt);
    let mut recording = RecordObserver::of(to, recorder).on_event(console::record_events());
    let mut progress = Progress::new(steps, false);
    let mut console = Console::listen();
    let running = (&mut world, &mut stage.logic);
    let result = run(running, Plan::steps(steps), &mut console, &mut [&mut recording, &mut progress]);
    let line = format!(
        "{}: from step {step} to step {}, hash {:016x}\n",
        to.display(),
        world.state().step,
        world.state().hash()
    );
    told = told.max(show::print(&line));
    Ok(told.max(console::outcome(&result)))
}
