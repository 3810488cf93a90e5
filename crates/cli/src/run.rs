//! `windlass run`: steps a scene, as fast as possible or in real time, logs and records it, and prints a summary.

use crate::console::{self, Console};
use crate::counters::Counters;
use crate::earthwork::GroundResult;
use crate::input_options::Levers;
use crate::load::{self, Options, frequency, time};
use crate::log::{Log, Sampling};
use crate::outcome::Outcome;
use crate::pace::Pace;
use crate::progress::Progress;
use crate::restore::Restore;
use crate::show;
use crate::summary::{Energies, Fault, Paced, RuleResult, Summary, WorkDone};
use crate::table::Destination;
use clap::Args;
use std::io;
use std::path::PathBuf;
use windlass_engine::prelude::World;
use windlass_host::record::RecordObserver;
use windlass_host::run::step_count;
use windlass_host::{Ending, Machine, Observer, Plan, RunResult, Step};
use windlass_record::Error;
use windlass_scene::WinchWarning;

const EXAMPLES: &str = "\
Examples:
  windlass run scenes/mechanism/luffing_crane.toml
  windlass run scenes/mechanism/pendulum.toml --duration 60 --log swing.csv --rate \"50 Hz\"
  windlass run scenes/mechanism/luffing_crane.toml --log lift.csv \\
      --probe bodies.load.position --probe \"pull=joints.hoist.tension\"
  windlass run scenes/mechanism/governor.toml --realtime --record governor.wlr
  windlass run scenes/crane/two_cranes.toml --set \"instances.small.parameters.load=500 kg\"
  windlass run scenes/crane/operated.toml --input \"slew=0.5 rpm\" --record shift.wlr
  windlass run scenes/mechanism/bricard.toml --integrator projected --dt \"1 ms\" --json

Probes are columns of the log: `windlass info SCENE --probes` lists them.";

/// Run a scene and print a summary
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Duration, instead of the scene's: a number in seconds, or with a unit ("2 min")
    #[arg(long, value_name = "TIME", value_parser = time)]
    duration: Option<f64>,
    /// Write a table, CSV or Parquet by its extension: of --probe, else of the scene's own probes, else of all poses,
    /// velocities, joints and reactions
    #[arg(long, value_name = "FILE", value_parser = Destination::parse)]
    log: Option<Destination>,
    /// Log this instead: "bodies.load.position.z", or with a label "height=bodies.load.position.z"
    #[arg(long, value_name = "PROBE", requires = "log")]
    probe: Vec<String>,
    /// Log every Nth step only. All steps are simulated
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Samples per second of simulated time ("100 Hz"), each at the first step that reaches it: at most one per step.
    /// All steps are simulated; --dt makes them shorter
    #[arg(long, value_name = "FREQUENCY", value_parser = frequency, requires = "log", conflicts_with = "every")]
    rate: Option<f64>,
    /// Record the run, every frame, bitwise reproducible: to be verified, branched and exported
    #[arg(long, value_name = "FILE.wlr")]
    record: Option<PathBuf>,
    /// Replace an existing recording
    #[arg(long, requires = "record")]
    replace: bool,
    #[command(flatten)]
    levers: Levers,
    /// Run in real time, or FACTOR times as fast
    #[arg(long, value_name = "FACTOR", num_args = 0..=1, require_equals = true, default_missing_value = "1",
          value_parser = factor)]
    realtime: Option<f64>,
    /// Print step and hash of the state every N steps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    hash_every: Option<u64>,
    /// Repeat every step from a saved state and compare the results bit by bit
    #[arg(long)]
    check_restore: bool,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

/// The factor of --realtime.
fn factor(text: &str) -> Result<f64, String> {
    let factor: f64 = text.parse().map_err(|_| "give a number, as in --realtime=2".to_string())?;
    if (1e-6..=1e6).contains(&factor) { Ok(factor) } else { Err("give 1e-6 to 1e6".to_string()) }
}

/// Runs.
pub fn run(arguments: &Arguments) -> Outcome {
    let mut machine = match load::changed(&arguments.options.scene, &arguments.options.changes) {
        Ok(machine) => machine,
        Err(outcome) => return outcome,
    };
    if let (Some(record), Some(log)) = (&arguments.record, &arguments.log)
        && *record == log.path
    {
        return show::refuse("the log and the recording have the same name: give them different names");
    }
    let mut log = match log(arguments, &machine) {
        Ok(log) => log,
        Err(outcome) => return outcome,
    };
    let operators = match arguments.levers.operators(machine.inputs()) {
        Ok(operators) => operators,
        Err(outcome) => return outcome,
    };
    // last, since it may replace an older recording: nothing is rejected from here on
    let mut recording = match recording(arguments, &machine) {
        Ok(recording) => recording,
        Err(outcome) => return outcome,
    };
    if !arguments.quiet {
        for WinchWarning { name, warning, .. } in machine.built().winch_warnings() {
            show::tell(&format!("warning: winch {name}: {warning}"));
        }
    }
    let dt = machine.dt();
    let steps = step_count(arguments.duration.unwrap_or(machine.seconds()), dt);
    let mut counters = Counters::new(steps);
    let mut restore = arguments.check_restore.then(Restore::default);
    let mut hashes = arguments.hash_every.map(Hashes);
    let mut progress = Progress::new(steps, arguments.quiet);

    let mut observers: Vec<&mut dyn Observer> = vec![&mut counters];
    observers.extend(restore.as_mut().map(|o| o as &mut dyn Observer));
    observers.extend(hashes.as_mut().map(|o| o as &mut dyn Observer));
    observers.extend(log.as_mut().map(|o| o as &mut dyn Observer));
    observers.extend(recording.as_mut().map(|o| o as &mut dyn Observer));
    observers.push(&mut progress);
    let mut console = Console::listen();
    console.pace = arguments.realtime.map(|factor| Pace::new(dt, factor, arguments.quiet));
    let result = machine.run(Plan { steps, operators }, &mut console, &mut observers);

    let differing = restore.map(|r| r.differing);
    let paced = console.pace.as_ref().map(|pace| {
        let (lag, delays) = pace.given_up();
        Paced { factor: arguments.realtime.unwrap_or(1.0), lag, delays }
    });
    let mut summary = summary(machine.world(), &result, &mut counters);
    summary.scene = load::name(&arguments.options.scene);
    (summary.pace, summary.restore_mismatches) = (paced, differing);
    let unrestored = if differing > Some(0) { Outcome::Fault } else { Outcome::Well };
    console::outcome(&result).max(print(arguments, &summary)).max(unrestored)
}

/// The requested recording.
fn recording(arguments: &Arguments, machine: &Machine) -> Result<Option<RecordObserver>, Outcome> {
    let Some(path) = &arguments.record else { return Ok(None) };
    let header = machine.header();
    let begun =
        header.and_then(|header| RecordObserver::create(path, &header, machine.world(), arguments.replace));
    begun.map(|recording| Some(recording.on_event(console::record_events()))).map_err(|e| {
        match e {
            Error::Exists(path) => show::tell(&format!(
                "error: {} already exists\n  help: give another name, or --replace",
                path.display()
            )),
            e => show::tell(&format!("error: {e}")),
        }
        Outcome::File
    })
}

/// The requested log.
fn log(arguments: &Arguments, machine: &Machine) -> Result<Option<Log>, Outcome> {
    let Some(destination) = &arguments.log else { return Ok(None) };
    let sampling = match arguments.rate {
        None => Sampling::Every(arguments.every),
        Some(hertz) => Sampling::rate(hertz, machine.dt()).map_err(|e| show::refuse(&e))?,
    };
    let outputs = load::columns(&arguments.probe, machine.built(), machine.world())?;
    let log = Log::create(destination, outputs, sampling).map_err(|e| {
        show::tell(&format!("error: cannot write {}: {e}", destination.path.display()));
        Outcome::File
    })?;
    Ok(Some(log))
}

/// The summary of a run.
fn summary(world: &World, result: &RunResult, counters: &mut Counters) -> Summary {
    let state = world.state();
    let fault = match &result.ending {
        Ending::Fault(f) => Some(Fault {
            body: f.body.clone(),
            joint: f.joint.clone(),
            time: f.time,
            step: f.step,
            message: f.to_string(),
        }),
        _ => None,
    };
    let end = if fault.is_some() { &counters.held } else { &counters.end };
    let change = end.total() - counters.start.total();
    // the energy balance is between the instants of completed steps
    let work = if fault.is_some() { None } else { counters.work };
    let energy = Energies {
        start: counters.start.total(),
        end: end.total(),
        change,
        max_kinetic: counters.max_kinetic.max(end.kinetic),
        work: work.map(WorkDone::from),
        numerical_error: work.map(|work| change - work.total()),
    };
    Summary {
        scene: String::new(),
        integrator: load::integrator(&world.model().settings().integrator),
        dt: world.model().settings().dt,
        duration: state.time,
        steps: state.step,
        wall_time: result.wall.as_secs_f64(),
        real_time_factor: state.time / counters.wall.total.as_secs_f64().max(1e-9),
        step_wall_time: counters.wall.quantiles(),
        pace: None,
        energy,
        max_constraint_violation: counters.violation.clone(),
        contacts: counters.contacts.clone(),
        routed_cables: counters.fates.list(),
        cables: counters.pulls.iter().map(|(_, pull)| pull.clone()).collect(),
        redundant: counters.redundant(),
        broken: std::mem::take(&mut counters.broken),
        grounds: GroundResult::all(world),
        rules: RuleResult::all(world),
        not_converged_steps: counters.not_converged,
        max_relative_residual: counters.max_residual,
        inaccurate_steps: counters.inaccurate,
        substeps: counters.substeps.clone(),
        restore_mismatches: None,
        interrupted: matches!(result.ending, Ending::Interrupted),
        fault,
        hash: format!("{:016x}", state.hash()),
    }
}

fn print(arguments: &Arguments, summary: &Summary) -> Outcome {
    match (arguments.quiet, arguments.json) {
        (true, _) => Outcome::Well,
        (false, true) => show::print_json(summary),
        (false, false) => show::print(&summary.table()),
    }
}

/// Prints step and hash every N steps.
struct Hashes(u64);

impl Observer for Hashes {
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
