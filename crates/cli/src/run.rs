//! `windlass run`: steps a scene, as fast as possible or with the clock, logs it, and tells how it went.

use crate::interrupt::Interrupt;
use crate::load::{self, Loaded, Options, frequency, time};
use crate::log::{Log, Sampling};
use crate::operate::Levers;
use crate::pace::Pace;
use crate::progress::Progress;
use crate::restore::Restore;
use crate::simulate::{self, Course, Ending, Plan, Step, Watch};
use crate::summary::{Energies, Fault, Paced, Summary};
use crate::table::Destination;
use crate::tally::Tally;
use crate::tape::Tape;
use crate::{Outcome, show, stage};
use clap::Args;
use std::io;
use std::path::PathBuf;
use windlass_engine::prelude::World;
use windlass_record::Error;
use windlass_scene::{Built, Scene};

const EXAMPLES: &str = "\
Examples:
  windlass run scenes/mechanism/luffing_crane.toml
  windlass run scenes/mechanism/pendulum.toml --seconds 60 --log swing.csv --rate \"50 Hz\"
  windlass run scenes/mechanism/luffing_crane.toml --log lift.csv \\
      --probe bodies.load.position --probe \"pull=joints.hoist.tension\"
  windlass run scenes/mechanism/governor.toml --realtime --record governor.wlr
  windlass run scenes/crane/two_cranes.toml --set \"instances.small.with.load=500 kg\"
  windlass run scenes/crane/operated.toml --set-input \"slew=0.5 rpm\" --record shift.wlr
  windlass run scenes/mechanism/bricard.toml --stepper projected --dt \"1 ms\" --json

Probes are columns of the log: `windlass info SCENE --probes` lists what there is.";

/// Run a scene and tell how it went
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    options: Options,
    /// How long to simulate, instead of the scene's time: a number in seconds, or with a unit ("2 min")
    #[arg(long, value_name = "TIME", value_parser = time)]
    seconds: Option<f64>,
    /// Write a table, CSV or Parquet by its ending: of --probe, else of the scene's own probes, else of all poses,
    /// velocities, joints and reactions
    #[arg(long, value_name = "FILE", value_parser = Destination::parse)]
    log: Option<Destination>,
    /// Log this instead: "bodies.load.position.z", or with a label "height=bodies.load.position.z"
    #[arg(long, value_name = "PROBE", requires = "log")]
    probe: Vec<String>,
    /// Log every Nth step only
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Log so many instants a second ("100 Hz")
    #[arg(long, value_name = "FREQUENCY", value_parser = frequency, conflicts_with = "every")]
    rate: Option<f64>,
    /// Record the run: every frame, exact to the bit, to be replayed, branched and exported
    #[arg(long, value_name = "FILE.wlr")]
    record: Option<PathBuf>,
    /// Replace an older recording of that name
    #[arg(long, requires = "record")]
    replace: bool,
    #[command(flatten)]
    levers: Levers,
    /// Go with the wall clock, or FACTOR times as fast
    #[arg(long, value_name = "FACTOR", num_args = 0..=1, require_equals = true, default_missing_value = "1",
          value_parser = factor)]
    realtime: Option<f64>,
    /// Print step and hash of the state every N steps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    hash_every: Option<u64>,
    /// Take every step a second time from a saved state and look whether it comes out the same
    #[arg(long)]
    check_restore: bool,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

/// How many times as fast as the clock.
fn factor(text: &str) -> Result<f64, String> {
    let factor: f64 = text.parse().map_err(|_| "give a number, as in --realtime=2".to_string())?;
    if (1e-6..=1e6).contains(&factor) { Ok(factor) } else { Err("give 1e-6 to 1e6".to_string()) }
}

/// Runs.
pub fn run(arguments: &Arguments) -> Outcome {
    let Loaded { scene, mut built } =
        match load::changed(&arguments.options.scene, &arguments.options.changes) {
            Ok(loaded) => loaded,
            Err(outcome) => return outcome,
        };
    if let (Some(record), Some(log)) = (&arguments.record, &arguments.log)
        && *record == log.path
    {
        return show::refuse("the log and the recording have one name: give them different ones");
    }
    let mut log = match log(arguments, &built) {
        Ok(log) => log,
        Err(outcome) => return outcome,
    };
    let operators = match arguments.levers.operators(&built.controls) {
        Ok(operators) => operators,
        Err(outcome) => return outcome,
    };
    // last, since it may replace an older recording: nothing is refused any more
    let mut tape = match tape(arguments, &scene, &built) {
        Ok(tape) => tape,
        Err(outcome) => return outcome,
    };
    let dt = built.world.model().settings().dt;
    let steps = simulate::steps(arguments.seconds.unwrap_or(built.seconds), dt);
    let mut tally = Tally::new(steps);
    let mut restore = arguments.check_restore.then(Restore::default);
    let mut hashes = arguments.hash_every.map(Hashes);
    let mut progress = Progress::new(steps, arguments.quiet);

    let mut watchers: Vec<&mut dyn Watch> = vec![&mut tally];
    watchers.extend(restore.as_mut().map(|w| w as &mut dyn Watch));
    watchers.extend(hashes.as_mut().map(|w| w as &mut dyn Watch));
    watchers.extend(log.as_mut().map(|w| w as &mut dyn Watch));
    watchers.extend(tape.as_mut().map(|w| w as &mut dyn Watch));
    watchers.push(&mut progress);
    let pace = arguments.realtime.map(|factor| Pace::new(dt, factor, arguments.quiet));
    let plan = Plan { steps, pace, interrupt: Interrupt::listen(), operators };
    let course = simulate::simulate(&mut built.world, plan, &mut watchers);

    let differing = restore.map(|r| r.differing);
    let summary = summary(arguments, &built.world, &course, &mut tally, differing);
    let unrestored = if differing > Some(0) { Outcome::Fault } else { Outcome::Well };
    course.outcome().max(tell(arguments, &summary)).max(unrestored)
}

/// The recording that was asked for.
fn tape(arguments: &Arguments, scene: &Scene, built: &Built) -> Result<Option<Tape>, Outcome> {
    let Some(path) = &arguments.record else { return Ok(None) };
    let changes = &arguments.options.changes;
    let header = stage::header(scene, &changes.overrides());
    let begun = header.and_then(|header| Tape::create(path, &header, &built.world, arguments.replace));
    begun.map(Some).map_err(|e| {
        match e {
            Error::Exists(path) => show::tell(&format!(
                "error: {} is there already\n  help: give another name, or --replace",
                path.display()
            )),
            e => show::tell(&format!("error: {e}")),
        }
        Outcome::File
    })
}

/// The log that was asked for.
fn log(arguments: &Arguments, built: &Built) -> Result<Option<Log>, Outcome> {
    let Some(destination) = &arguments.log else { return Ok(None) };
    let world = &built.world;
    let sampling = match arguments.rate {
        None => Sampling::Every(arguments.every),
        Some(hertz) => Sampling::rate(hertz, world.model().settings().dt).map_err(|e| show::refuse(&e))?,
    };
    let probes = load::columns(&arguments.probe, built, world)?;
    let log = Log::create(destination, probes, sampling).map_err(|e| {
        show::tell(&format!("error: cannot write {}: {e}", destination.path.display()));
        Outcome::File
    })?;
    Ok(Some(log))
}

fn summary(
    arguments: &Arguments,
    world: &World,
    course: &Course,
    tally: &mut Tally,
    unrestored_steps: Option<u64>,
) -> Summary {
    let state = world.state();
    let fault = match &course.ending {
        Ending::Fault(f) => Some(Fault {
            body: f.body.clone(),
            joint: f.joint.clone(),
            time: f.time,
            step: f.step,
            message: f.to_string(),
        }),
        _ => None,
    };
    let end = if fault.is_some() { &tally.held } else { &tally.end };
    let energy = Energies {
        start: tally.start.total(),
        end: end.total(),
        change: end.total() - tally.start.total(),
        largest_kinetic: tally.largest_kinetic.max(end.kinetic),
    };
    let pace = course.pace.as_ref().map(|pace| {
        let (given_up, delays) = pace.given_up();
        Paced { factor: arguments.realtime.unwrap_or(1.0), given_up, delays }
    });
    Summary {
        scene: load::name(&arguments.options.scene),
        stepper: load::stepper(&world.model().settings().stepper),
        dt: world.model().settings().dt,
        seconds: state.time,
        steps: state.step,
        wall_seconds: course.wall.as_secs_f64(),
        real_time_factor: state.time / tally.total.as_secs_f64().max(1e-9),
        step_microseconds: tally.times(),
        pace,
        energy,
        worst_gap: tally.gap.clone(),
        contacts: tally.contacts.clone(),
        ropes: tally.fates.told(),
        cables: tally.pulls.iter().map(|(_, pull)| pull.clone()).collect(),
        redundant: tally.redundant(),
        broken: std::mem::take(&mut tally.broken),
        stalled_steps: tally.stalled,
        worst_residual: tally.worst_residual,
        forced_steps: tally.forced,
        unrestored_steps,
        interrupted: matches!(course.ending, Ending::Interrupted),
        fault,
        hash: format!("{:016x}", state.hash()),
    }
}

fn tell(arguments: &Arguments, summary: &Summary) -> Outcome {
    match (arguments.quiet, arguments.json) {
        (true, _) => Outcome::Well,
        (false, true) => show::print_json(summary),
        (false, false) => show::print(&summary.table()),
    }
}

/// Prints step and hash every so many steps.
struct Hashes(u64);

impl Watch for Hashes {
    fn name(&self) -> String {
        "standard output".to_string()
    }

    fn step(&mut self, world: &mut World, step: &Step<'_>) -> io::Result<()> {
        if step.number.is_multiple_of(self.0) {
            show::line(&format!("{} {:016x}", world.state().step, world.state().hash()))?;
        }
        Ok(())
    }
}
