//! `windlass run`: steps a scene as fast as possible, logs it, and tells how it went.

use crate::load::{self, Options, time};
use crate::log::Log;
use crate::summary::{Broken, Energies, Fault, Gap, Pace, Redundant, Summary};
use crate::{Outcome, look, show};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use windlass_engine::prelude::{Report, World};
use windlass_scene::Built;

const EXAMPLES: &str = "\
Examples:
  windlass run scenes/mechanism/luffing_crane.toml
  windlass run scenes/mechanism/pendulum.toml --seconds 60 --log swing.csv --every 10
  windlass run scenes/mechanism/bricard.toml --stepper projected --dt \"1 ms\" --json";

/// Run a scene as fast as possible and tell how it went
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    options: Options,
    /// How long to simulate, instead of the scene's time: a number in seconds, or with a unit ("2 min")
    #[arg(long, value_name = "TIME", value_parser = time)]
    seconds: Option<f64>,
    /// Write poses, velocities, joint coordinates and reactions to a CSV file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Log every Nth step only
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

/// Step times that are kept for the median.
const KEPT: usize = 1 << 20;
/// Samples of the kinetic energy in a run.
const SAMPLES: u64 = 500;

/// Runs.
pub fn run(arguments: &Arguments) -> Outcome {
    let mut built = match load::with_options(&arguments.options) {
        Ok(built) => built,
        Err(outcome) => return outcome,
    };
    let summary = match simulate(arguments, &mut built) {
        Ok(summary) => summary,
        Err(e) => {
            let path = arguments.log.as_deref().unwrap_or(std::path::Path::new("the log"));
            show::tell(&format!("error: cannot write {}: {e}", path.display()));
            return Outcome::File;
        }
    };
    if let Some(fault) = &summary.fault {
        show::tell(&format!("fault: {}", fault.message));
    }
    let printed = match (arguments.quiet, arguments.json) {
        (true, _) => Outcome::Well,
        (false, true) => {
            let json = serde_json::to_string_pretty(&summary).expect("a summary has string keys only");
            show::print(&(json + "\n"))
        }
        (false, false) => show::print(&summary.table()),
    };
    if summary.fault.is_some() { Outcome::Fault } else { printed }
}

/// What is gathered while stepping.
#[derive(Default)]
struct Tally {
    laps: Vec<f32>,
    total: Duration,
    longest: Duration,
    gap: Gap,
    redundant: BTreeMap<String, usize>,
    redundant_rows: usize,
    broken: Vec<Broken>,
    stalled: u64,
    forced: u64,
    kinetic: f64,
}

fn simulate(arguments: &Arguments, built: &mut Built) -> io::Result<Summary> {
    let Built { world, seconds, bodies, joints, .. } = built;
    let seconds = arguments.seconds.unwrap_or(*seconds);
    let dt = world.model().settings().dt;
    // a last step that would be a sliver of round-off is not taken
    let steps = ((seconds / dt) - 1e-6).ceil().max(1.0) as u64;

    let mut log = match &arguments.log {
        Some(path) => Some(Log::create(path, world, bodies, joints)?),
        None => None,
    };
    let start = world.inspect().energy();
    if let Some(log) = &mut log {
        log.write(world)?;
    }
    let bar = progress(steps, arguments.quiet);
    let begun = Instant::now();
    let mut tally = Tally { kinetic: start.kinetic, ..Tally::default() };
    let mut fault = None;
    for step in 1..=steps {
        let before = Instant::now();
        let report = world.step();
        tally.lap(before.elapsed());
        if let Some(f) = report.fault {
            let message = f.to_string();
            fault = Some(Fault { body: f.body, joint: f.joint, time: f.time, step: f.step, message });
            break;
        }
        tally.note(world, &report);
        if step % (steps / SAMPLES).max(1) == 0 {
            tally.kinetic = tally.kinetic.max(world.energy().kinetic);
            bar.set_position(step);
        }
        if let Some(log) = &mut log
            && step % arguments.every == 0
        {
            log.write(world)?;
        }
    }
    let wall = begun.elapsed();
    bar.finish_and_clear();
    let end = world.inspect().energy();
    Ok(Summary {
        scene: load::name(&arguments.options.scene),
        stepper: load::stepper(&world.model().settings().stepper),
        dt,
        seconds: world.state().time,
        steps: world.state().step,
        wall_seconds: wall.as_secs_f64(),
        real_time_factor: world.state().time / tally.total.as_secs_f64().max(1e-9),
        energy: Energies {
            start: start.total(),
            end: end.total(),
            change: end.total() - start.total(),
            largest_kinetic: tally.kinetic.max(end.kinetic),
        },
        hash: format!("{:016x}", world.state().hash()),
        step_microseconds: tally.pace(),
        worst_gap: tally.gap,
        redundant: tally.redundant.into_iter().map(|(joint, rows)| Redundant { joint, rows }).collect(),
        broken: tally.broken,
        stalled_steps: tally.stalled,
        forced_steps: tally.forced,
        fault,
    })
}

/// A bar on standard error, if that is a terminal.
fn progress(steps: u64, quiet: bool) -> ProgressBar {
    if quiet || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {eta} left")
        .expect("the template is a constant")
        .progress_chars("━╸─");
    ProgressBar::new(steps).with_style(style)
}

impl Tally {
    fn lap(&mut self, lap: Duration) {
        self.total += lap;
        self.longest = self.longest.max(lap);
        if self.laps.len() < KEPT {
            self.laps.push(lap.as_secs_f32() * 1e6);
        }
    }

    fn note(&mut self, world: &World, report: &Report) {
        self.stalled += (report.stalled > 0) as u64;
        self.forced += report.forced as u64;
        let widest = look::gaps(world).max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((place, size)) = widest
            && size > self.gap.size
        {
            let joint = Some(look::joint_name(world, place));
            self.gap = Gap { size, joint, time: world.state().time };
        }
        if report.redundant != self.redundant_rows {
            self.redundant_rows = report.redundant;
            for (joint, rows) in look::redundant(world) {
                let most = self.redundant.entry(joint).or_default();
                *most = rows.max(*most);
            }
        }
        if report.broken > 0 {
            for (place, _) in world.state().joints.iter().enumerate().filter(|(_, j)| j.broken) {
                let joint = look::joint_name(world, place);
                if self.broken.iter().all(|b| b.joint != joint) {
                    self.broken.push(Broken { joint, time: world.state().time });
                }
            }
        }
    }

    fn pace(&mut self) -> Pace {
        self.laps.sort_by(f32::total_cmp);
        let median = self.laps.get(self.laps.len() / 2).copied().unwrap_or_default();
        Pace { median: f64::from(median), longest: self.longest.as_secs_f64() * 1e6 }
    }
}
