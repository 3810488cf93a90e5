//! `windlass bench`: wall time or number of instructions per step of scenes.
//!
//! A scene is run from start to end repeatedly until enough wall time has passed, after a first
//! run for warm-up. Nothing is logged. Times are those of the steps only.

mod count;

use crate::console::Console;
use crate::counters::quantile;
use crate::interrupt::Interrupt;
use crate::load::{self, Changes, time};
use crate::outcome::Outcome;
use crate::show;
use crate::summary::Stages;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use windlass_engine::prelude::World;
use windlass_host::run::{run, step_count};
use windlass_host::text::{self, digits};
use windlass_host::{Ending, Machine, Observer, Plan, Step};

const EXAMPLES: &str = "\
Examples:
  windlass bench scenes/mechanism/*.toml
  windlass bench crane.toml --json > before.json
  windlass bench crane.toml --compare before.json
  windlass bench scenes/crane/*.toml --instructions --json > baseline.json
  windlass bench --compare baseline.json
  windlass bench crane.toml --inspect    # what a log or a live plot adds to a step

Times differ from run to run; instruction counts repeat to some 1e-3. --compare with a file that has
instruction counts counts them again, for the same scenes by default. Exit code 3 if they have grown.";

/// Measure the wall time per step of scenes
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The scene files
    #[arg(required_unless_present = "compare", value_name = "SCENE")]
    scenes: Vec<PathBuf>,
    /// Wall time to measure each scene for: a number in seconds, or with a unit
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "2 s")]
    time: f64,
    #[command(flatten)]
    changes: Changes,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Compare with an earlier output of --json
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Count the machine instructions per step with valgrind as well
    #[arg(long)]
    instructions: bool,
    /// Count them also with an inspection before each step, as logs and live plots need one
    #[arg(long)]
    inspect: bool,
    /// Allowed increase of instructions per step [%]
    #[arg(long, value_name = "PERCENT", default_value_t = 2.0)]
    allow: f64,
    /// Only take so many steps of a scene, which is what is counted
    #[arg(long, value_name = "N", hide = true)]
    steps: Option<u64>,
}

/// Smallest number of steps before measuring.
const WARM: u64 = 100;
/// Largest number of step times kept for the quantiles.
const KEPT: usize = 1 << 22;

/// Results of a measurement.
#[derive(Debug, JsonSchema, Serialize, Deserialize)]
pub struct Results {
    /// Version of the program.
    windlass: String,
    /// Number of threads.
    threads: usize,
    /// The scenes, in the order of the command line.
    scenes: Vec<Measured>,
}

/// The steps of one scene.
#[derive(Debug, JsonSchema, Serialize, Deserialize)]
struct Measured {
    /// Name of the scene.
    scene: String,
    /// Its path.
    file: PathBuf,
    /// Number of bodies.
    bodies: usize,
    /// Number of constraint equations.
    #[serde(alias = "rows")]
    equations: usize,
    /// Number of steps that were measured.
    steps: u64,
    /// Steps per wall time [1/s].
    steps_per_second: f64,
    /// Simulated per wall time.
    real_time_factor: f64,
    /// Median wall time per step [µs].
    median: f64,
    /// 99th percentile of the wall time per step [µs].
    p99: f64,
    /// Largest wall time of a step [µs].
    #[serde(alias = "worst")]
    max: f64,
    /// Mean wall time per step of each stage [µs].
    stages: Stages,
    /// Machine instructions per step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    instructions: Option<f64>,
    /// A step and an inspection before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inspected_instructions: Option<f64>,
}

/// Measures.
pub fn bench(arguments: &Arguments) -> Outcome {
    if let Some(steps) = arguments.steps {
        return arguments
            .scenes
            .iter()
            .map(|path| take(path, arguments, steps))
            .max()
            .unwrap_or(Outcome::Well);
    }
    let before = match arguments.compare.as_deref().map(baseline).transpose() {
        Ok(before) => before,
        Err(outcome) => return outcome,
    };
    let counted = |before: &Results| before.scenes.iter().any(|m| m.instructions.is_some());
    let counts = arguments.instructions || arguments.inspect || before.as_ref().is_some_and(counted);
    let scenes = match (&before, arguments.scenes.is_empty()) {
        (Some(before), true) => before.scenes.iter().map(|m| m.file.clone()).collect(),
        _ => arguments.scenes.clone(),
    };
    let interrupt = Interrupt::listen();
    let (mut measurements, mut worst) = (Vec::new(), Outcome::Well);
    for path in &scenes {
        match measured(path, arguments, counts, &interrupt) {
            Ok(measured) => measurements.push(measured),
            Err(Outcome::Interrupted) => return Outcome::Interrupted,
            Err(outcome) => worst = worst.max(outcome),
        }
    }
    let results = Results {
        windlass: env!("CARGO_PKG_VERSION").to_string(),
        // scenes were read with the requested number of threads
        threads: rayon::current_num_threads(),
        scenes: measurements,
    };
    if results.scenes.iter().any(|m| grown(m, before.as_ref(), arguments.allow)) {
        worst = worst.max(Outcome::Fault);
    }
    if arguments.json {
        return worst.max(show::print_json(&results));
    }
    worst.max(show::print(&table(&results, before.as_ref(), arguments.allow)))
}

fn measured(
    path: &Path,
    arguments: &Arguments,
    counts: bool,
    interrupt: &Interrupt,
) -> Result<Measured, Outcome> {
    let mut machine = load::changed(path, &arguments.changes)?;
    let mut measured = measure(path, &mut machine, arguments.time, interrupt)?;
    if counts {
        measured.instructions = Some(count::instructions(path, arguments, false)?);
    }
    if arguments.inspect {
        measured.inspected_instructions = Some(count::instructions(path, arguments, true)?);
    }
    Ok(measured)
}

/// Takes some steps of a scene without reading anything, or with an inspection before each.
fn take(path: &Path, arguments: &Arguments, steps: u64) -> Outcome {
    let taken = load::changed(path, &arguments.changes).and_then(|mut machine| {
        let mut laps = Laps { inspects: arguments.inspect, ..Laps::default() };
        round(&mut machine, steps, &mut laps, &Interrupt::default(), &load::name(path))
    });
    taken.err().unwrap_or(Outcome::Well)
}

/// The earlier measurement of the same scene.
fn earlier<'a>(measured: &Measured, before: Option<&'a Results>) -> Option<&'a Measured> {
    before?.scenes.iter().find(|old| old.scene == measured.scene)
}

/// Ratio of instructions to the earlier measurement.
fn growth(measured: &Measured, before: Option<&Results>) -> Option<f64> {
    let old = earlier(measured, before)?.instructions?;
    Some(measured.instructions? / old.max(1.0))
}

/// Whether a step takes more instructions than is allowed.
fn grown(measured: &Measured, before: Option<&Results>, allowed: f64) -> bool {
    growth(measured, before).is_some_and(|ratio| ratio > 1.0 + 0.01 * allowed)
}

fn baseline(path: &Path) -> Result<Results, Outcome> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| {
        show::tell(&format!("error: cannot read {shown}: {e}"));
        Outcome::File
    })?;
    serde_json::from_str(&text)
        .map_err(|e| show::refuse(&format!("{shown} is not an output of `windlass bench --json`: {e}")))
}

/// Collects step times.
#[derive(Default)]
struct Laps {
    on: bool,
    /// Whether the world is inspected before each step.
    inspects: bool,
    laps: Vec<f32>,
    steps: u64,
    total: Duration,
    worst: Duration,
    stages: Stages,
    rows: usize,
}

impl Observer for Laps {
    fn name(&self) -> String {
        "the measurement".to_string()
    }

    fn step(&mut self, world: &mut World, step: &Step<'_>) -> io::Result<()> {
        if self.inspects {
            std::hint::black_box(world.inspect());
        }
        if self.on {
            if self.laps.len() < KEPT {
                self.laps.push(step.wall.as_secs_f32() * 1e6);
            }
            self.steps += 1;
            self.total += step.wall;
            self.worst = self.worst.max(step.wall);
            self.stages.add(&step.report.timing);
            self.rows = self.rows.max(step.report.rows);
        }
        Ok(())
    }
}

fn measure(
    path: &Path,
    machine: &mut Machine,
    time: f64,
    interrupt: &Interrupt,
) -> Result<Measured, Outcome> {
    let scene = load::name(path);
    let dt = machine.dt();
    let whole = step_count(machine.seconds(), dt);
    let start = machine.save();
    let mut laps = Laps { on: false, ..Laps::default() };
    round(machine, whole.min(WARM), &mut laps, interrupt, &scene)?;
    laps.on = true;
    let begun = Instant::now();
    while begun.elapsed().as_secs_f64() < time {
        machine.restore(&start).map_err(|e| show::refuse(&e.to_string()))?;
        // in chunks, so that a long scene does not exceed the time
        let mut left = whole;
        while left > 0 && begun.elapsed().as_secs_f64() < time {
            let bite = left.min(WARM);
            round(machine, bite, &mut laps, interrupt, &scene)?;
            left -= bite;
        }
    }
    laps.laps.sort_by(f32::total_cmp);
    let (steps, total) = (laps.steps.max(1) as f64, laps.total.as_secs_f64().max(1e-9));
    laps.stages.parts_mut().for_each(|part| *part /= steps);
    Ok(Measured {
        scene,
        file: path.to_path_buf(),
        bodies: machine.world().model().bodies().count(),
        equations: laps.rows,
        steps: laps.steps,
        steps_per_second: steps / total,
        real_time_factor: steps * dt / total,
        median: quantile(&laps.laps, 0.5),
        p99: quantile(&laps.laps, 0.99),
        max: laps.worst.as_secs_f64() * 1e6,
        stages: laps.stages,
        instructions: None,
        inspected_instructions: None,
    })
}

fn round(
    machine: &mut Machine,
    steps: u64,
    laps: &mut Laps,
    interrupt: &Interrupt,
    scene: &str,
) -> Result<(), Outcome> {
    let mut console = Console::new(interrupt.clone());
    match run(machine.running(), Plan::steps(steps), &mut console, &mut [laps]).ending {
        Ending::Complete => Ok(()),
        Ending::Interrupted => Err(Outcome::Interrupted),
        Ending::Fault(fault) => {
            show::tell(&format!("{scene}: fault: {fault}"));
            Err(Outcome::Fault)
        }
    }
}

fn table(results: &Results, before: Option<&Results>, allowed: f64) -> String {
    let threads = text::count(results.threads, "thread");
    let mut out = format!("times in µs, {threads}\n\n");
    let wide = results.scenes.iter().map(|m| m.scene.chars().count()).max().unwrap_or(0).max(5);
    out += &format!(
        "{:<wide$} {:>6} {:>6} {:>8} {:>8} {:>8} {:>9} {:>10}  stages, of the mean\n",
        "scene", "bodies", "rows", "median", "p99", "worst", "steps/s", "× real"
    );
    for m in &results.scenes {
        let [median, p99, worst, rate, factor] =
            [m.median, m.p99, m.max, m.steps_per_second, m.real_time_factor].map(digits);
        out += &format!(
            "{:<wide$} {:>6} {:>6} {median:>8} {p99:>8} {worst:>8} {rate:>9} {factor:>10}  {}\n",
            m.scene,
            m.bodies,
            m.equations,
            m.stages.shares()
        );
        match (before, earlier(m, before)) {
            (_, Some(old)) => {
                let ratio = |new: f64, old: f64| digits(new / old.max(1e-9));
                let (median, p99) = (ratio(m.median, old.median), ratio(m.p99, old.p99));
                out += &format!("{:<wide$} {:>6} {:>6} {median:>8} {p99:>8}  × before\n", "", "", "");
            }
            (Some(_), None) => out += &format!("{:<wide$} was not measured before\n", ""),
            (None, None) => {}
        }
        if let Some(count) = m.instructions {
            out += &format!("{:<wide$} {count:.0} instructions per step", "");
            if let Some(ratio) = growth(m, before) {
                let verdict = if grown(m, before, allowed) { ": MORE than allowed" } else { "" };
                out += &format!(", {ratio:.4} × before{verdict}");
            }
            if let Some(inspected) = m.inspected_instructions {
                out += &format!(", {:.4} × with an inspection", inspected / count.max(1.0));
            }
            out.push('\n');
        }
    }
    out
}
