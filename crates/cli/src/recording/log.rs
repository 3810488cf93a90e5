//! `windlass log`: tables of a recording's frames, or of its inputs.

use super::{failed, player};
use crate::interrupt::Interrupt;
use crate::load::{columns, frequency};
use crate::log::{Log, Sampling};
use crate::outcome::Outcome;
use crate::show;
use crate::table::Destination;
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;
use windlass_engine::prelude::InputId;
use windlass_host::replay::input_changes;
use windlass_host::{Observer, Step};
use windlass_record::Error;

const EXAMPLES: &str = "\
Examples:
  windlass run crane.toml --record lift.wlr
  windlass log lift.wlr -o lift.csv --probe joints.hoist.tension
  windlass log lift.wlr -o lift.csv --rate \"10 Hz\"
  windlass log lift.wlr -o operator.csv --inputs    # for windlass run SCENE --input-table";

/// Write a table of a recording's frames
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The recording
    #[arg(value_name = "RECORDING")]
    file: PathBuf,
    /// The table, CSV or Parquet by its extension
    #[arg(long, short, value_name = "FILE", value_parser = Destination::parse)]
    output: Destination,
    /// Log this instead of the scene's probes, or of everything if it has none: "bodies.load.position.z"
    #[arg(long, value_name = "PROBE")]
    probe: Vec<String>,
    /// Samples per second of simulated time ("100 Hz"), at most one per frame
    #[arg(long, value_name = "FREQUENCY", value_parser = frequency)]
    rate: Option<f64>,
    /// Log the targets of the inputs instead, one line per change: a table for `windlass run SCENE --input-table`
    #[arg(long, conflicts_with_all = ["probe", "rate"])]
    inputs: bool,
}

/// Writes the table.
pub fn log(arguments: &Arguments) -> Outcome {
    let Arguments { file, output, probe, rate, inputs: of_inputs } = arguments;
    let done = if *of_inputs { inputs(file, output) } else { frames(file, output, probe, *rate) };
    done.unwrap_or_else(|e| failed(&e))
}

/// Writes a table of a recording's frames.
pub fn frames(file: &Path, to: &Destination, texts: &[String], rate: Option<f64>) -> Result<Outcome, Error> {
    let mut player = player(file)?;
    let Some(steps) = player.recording().steps() else {
        return Ok(show::refuse("the recording has no frames"));
    };
    // the edits of the first frame are those of a branch: the columns are those of the world after them
    player.make_edits()?;
    let (dt, built) = (player.world().model().settings().dt, &player.stage().built);
    let sampling = match rate.map(|hertz| Sampling::rate(hertz, dt)) {
        None => Sampling::Every(1),
        Some(Ok(sampling)) => sampling,
        Some(Err(e)) => return Ok(show::refuse(&e)),
    };
    let outputs = match columns(texts, built, player.world()) {
        Ok(outputs) => outputs,
        Err(outcome) => return Ok(outcome),
    };
    let unwritten = |source| Error::File { name: to.path.display().to_string(), source };
    let mut log = Log::create(to, outputs, sampling).map_err(unwritten)?;
    log.start(player.world_mut()).map_err(unwritten)?;
    let interrupt = Interrupt::listen();
    for (number, _) in (*steps.start()..*steps.end()).enumerate() {
        if interrupt.came() {
            log.end(player.world_mut()).map_err(unwritten)?;
            return Ok(Outcome::Interrupted);
        }
        let report = player.advance()?;
        let step =
            Step { number: number as u64 + 1, report: &report, wall: Duration::ZERO, clock: Duration::ZERO };
        log.step(player.world_mut(), &step).map_err(unwritten)?;
    }
    log.end(player.world_mut()).map_err(unwritten)?;
    Ok(Outcome::Well)
}

/// Writes the targets of a recording's inputs, one line per change: a table that can drive them again, also in another
/// scene.
fn inputs(file: &Path, to: &Destination) -> Result<Outcome, Error> {
    let mut player = player(file)?;
    let Some(steps) = player.recording().steps() else {
        return Ok(show::refuse("the recording has no frames"));
    };
    player.make_edits()?;
    let controls = &player.stage().built.controls;
    if controls.is_empty() {
        return Ok(show::refuse("the scene of the recording has no inputs"));
    }
    let unwritten = |source| Error::File { name: to.path.display().to_string(), source };
    let mut table = to.create().map_err(unwritten)?;
    let heads = controls.iter().map(|c| format!("{} [{}]", c.name, ascii(&c.unit)));
    table.head(&["time [s]".to_string()].into_iter().chain(heads).collect::<Vec<_>>()).map_err(unwritten)?;
    let ids: Vec<Option<InputId>> = controls.iter().map(|c| c.id).collect();
    input_changes(&mut player, &steps, &ids, &mut |line| table.row(line).map_err(unwritten))?;
    table.finish().map_err(unwritten)?;
    Ok(Outcome::Well)
}

/// A unit as written in tables.
fn ascii(unit: &str) -> String {
    unit.replace('·', "*").replace('²', "^2")
}
