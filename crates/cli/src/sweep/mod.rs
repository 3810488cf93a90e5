//! `windlass sweep`: many runs of a scene with varied values → a table with a row per run.

mod journal;
mod merge;
pub mod summary;

use crate::interrupt::Interrupt;
use crate::load::{self, Values, time};
use crate::log::{INDETERMINATE, joint_list};
use crate::outcome::Outcome;
use crate::progress;
use crate::show;
use crate::table::Destination;
use clap::{Args, ValueEnum};
use journal::{Begun, Journal, Present};
use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Instant;
use summary::{Outcomes, Summary};
use windlass_sweep::{Description, Halt, Method, Row, SceneText, Sweep, SweepError, SweepErrors};

const EXAMPLES: &str = "\
Examples:
  windlass sweep scenes/learn/antisway.toml -o travel.csv \\
      --vary \"parameters.travel=4 s..8 s:41\" --measure \"end(energy.total)\"
  windlass sweep crane.toml -o grid.csv --vary \"bodies.load.mass=0.5 t..6 t:12\" \\
      --vary \"inputs.slew.rate=[0.01, 0.02]\" --measure \"max(cables.hoist.max_tension)\"
  windlass sweep crane.toml -o random.csv --vary \"bodies.load.mass~normal(2 t, 200 kg)\" \\
      --sample 1000 --seed 7 --method sobol --jobs 8
  windlass sweep crane.toml … --shard 3/16 -o part3.csv     # one of 16 parts, on any machine
  windlass sweep --merge part1.csv part2.csv … -o all.csv
  windlass sweep crane.toml … -o random.csv --resume        # after an interruption
  windlass plot travel.csv -o travel.svg

Values: KEY=a..b:n (n values), KEY=a..b:n:log, KEY=[v1, v2], and samples: KEY~uniform(a, b),
KEY~normal(mean, sd), KEY~lognormal(median, sd of the logarithm), KEY~choice(v1, v2). Keys are those of --set.
Measures of a probe: end, start, min, max, mean, rms, range, integral, time_of_min, time_of_max,
first(PROBE > VALUE); a probe alone is its end, and \"label=measure\" names the column.";

/// Run a scene with many sets of values and write a table of measures
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The scene file
    #[arg(required_unless_present = "merge", conflicts_with = "merge")]
    scene: Option<PathBuf>,
    #[command(flatten)]
    values: Values,
    /// Vary a value of the scene, see below. May be repeated: all combinations are run
    #[arg(long, value_name = "KEY=VALUES", required_unless_present = "merge")]
    vary: Vec<String>,
    /// Measure of a probe, see below; default: the scene's own probes at the end. May be repeated
    #[arg(long, value_name = "MEASURE")]
    measure: Vec<String>,
    /// Number of samples of the sampled keys, at every combination of the others
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
    /// Selects the samples
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// How samples are taken
    #[arg(long, value_name = "METHOD", default_value = "random")]
    method: MethodName,
    /// Duration of a run, instead of the scene's: a number in seconds, or with a unit ("2 min")
    #[arg(long, value_name = "TIME", value_parser = time)]
    duration: Option<f64>,
    /// Number of runs at the same time; default: as many as the machine has processors. The table does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Run one of N parts of the rows only
    #[arg(long, value_name = "K/N", value_parser = str::parse::<Shard>)]
    shard: Option<Shard>,
    /// Continue a table that is not complete; its rows are kept
    #[arg(long, conflicts_with_all = ["replace", "merge"])]
    resume: bool,
    /// Replace an existing table
    #[arg(long)]
    replace: bool,
    /// Join the tables of shards instead of running a scene
    #[arg(long, value_name = "TABLE", num_args = 1..,
          conflicts_with_all = ["vary", "measure", "sample", "shard", "set", "dt", "integrator", "duration", "jobs"])]
    merge: Vec<PathBuf>,
    /// The table to write: .csv, or .parquet in builds with that feature
    #[arg(long, short, value_name = "FILE", value_parser = Destination::parse)]
    output: Destination,
    /// Print one JSON object instead of a summary
    #[arg(long)]
    json: bool,
    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

/// Methods of sampling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MethodName {
    /// Independent samples
    Random,
    /// One sample in each of N intervals of equal probability, for every key
    LatinHypercube,
    /// The Sobol sequence, evenest if N is a power of two
    Sobol,
}

impl MethodName {
    fn method(self) -> Method {
        match self {
            MethodName::Random => Method::Random,
            MethodName::LatinHypercube => Method::LatinHypercube,
            MethodName::Sobol => Method::Sobol,
        }
    }
}

/// One of several equal parts, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shard {
    number: u64,
    of: u64,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((number, of)) if 1 <= number && number <= of && of <= 1_000_000 => Ok(Shard { number, of }),
            _ => Err("give K/N with K of 1 to N and N of 1 to 1000000, such as 3/16".to_string()),
        }
    }
}

impl Shard {
    /// Its rows: consecutive ones, so that tables of shards follow each other in the table of all.
    fn rows(self, len: u64) -> Range<u64> {
        let end = |number: u64| (u128::from(len) * u128::from(number) / u128::from(self.of)) as u64;
        end(self.number - 1)..end(self.number)
    }
}

/// Sweeps.
pub fn sweep(arguments: &Arguments) -> Outcome {
    if let Some(scene) = &arguments.scene {
        return run(arguments, scene).unwrap_or_else(|outcome| outcome);
    }
    match merge::merge(&arguments.merge, &arguments.output, arguments.replace) {
        Ok(summary) => print(arguments, &summary),
        Err(outcome) => outcome,
    }
}

fn run(arguments: &Arguments, scene: &std::path::Path) -> Result<Outcome, Outcome> {
    let begun = Instant::now();
    let sweep = prepared(arguments, scene)?;
    let header = sweep.header();
    if !sweep.indeterminate().is_empty() {
        let (table, joints) = (arguments.output.path.display(), joint_list(sweep.indeterminate()));
        show::tell(&format!(
            "{table}: reactions of {joints} are statically indeterminate at the start: {INDETERMINATE}"
        ));
    }
    let shard = arguments.shard.unwrap_or(Shard { number: 1, of: 1 });
    let indices = shard.rows(sweep.len());
    let present = match (arguments.resume, arguments.replace) {
        (true, _) => Present::Resumed,
        (_, true) => Present::Replaced,
        _ => Present::Refused,
    };
    let (scene, output) = (Some(load::name(scene)), arguments.output.path.display().to_string());
    let table_rows = indices.end - indices.start;
    let mut journal = match Journal::open(&arguments.output, &header, &indices, present)? {
        Begun::Open(journal) => journal,
        Begun::Complete(content) => {
            let resumed = content.rows.len() as u64;
            let course = Outcomes { scene, table_rows, resumed, ..Outcomes::default() };
            return Ok(print(arguments, &Summary::of(&content, output, course)));
        }
    };
    let resumed = journal.resumed;
    let ended = compute(arguments, &sweep, indices.start + resumed..indices.end, &mut journal);
    let failed = |e: &dyn std::fmt::Display| {
        show::tell(&format!("error: cannot write {output}: {e}; continue with --resume"));
        Outcome::File
    };
    let interrupted = match ended {
        Ok(()) => false,
        Err(Halt::Stopped) => true,
        Err(Halt::Sink(e)) => return Err(failed(&e)),
        Err(Halt::Sweep(errors)) => return Err(rejected(&errors)),
    };
    let content = journal.content().map_err(|e| failed(&e))?;
    if !interrupted {
        journal.finish().map_err(|e| failed(&e))?;
    }
    let wall_time = begun.elapsed().as_secs_f64();
    let course = Outcomes { scene, table_rows, resumed, wall_time, interrupted };
    let printed = print(arguments, &Summary::of(&content, output.clone(), course));
    Ok(printed.max(if interrupted { Outcome::Interrupted } else { Outcome::Well }))
}

/// The sweep of the arguments; errors are printed.
fn prepared(arguments: &Arguments, scene: &std::path::Path) -> Result<Sweep, Outcome> {
    let overrides = arguments.values.overrides();
    // with the errors of windlass check
    load::judged(scene, &overrides).map_err(|errors| show::problems(&errors))?;
    let text = SceneText::read(scene, &overrides).map_err(|errors| show::problems(&errors))?;
    let mut wrong = Vec::new();
    let description = Description {
        overrides,
        vary: parsed(&arguments.vary, &mut wrong),
        samples: arguments.sample,
        method: arguments.method.method(),
        seed: arguments.seed,
        measures: parsed(&arguments.measure, &mut wrong),
        duration: arguments.duration,
        ..Description::new(text)
    };
    if !wrong.is_empty() {
        return Err(rejected(&SweepErrors::Entries(wrong)));
    }
    Sweep::new(description).map_err(|errors| rejected(&errors))
}

/// Texts as entries of a description; errors are collected.
fn parsed<T: FromStr<Err = SweepError>>(texts: &[String], wrong: &mut Vec<SweepError>) -> Vec<T> {
    texts.iter().filter_map(|text| text.parse().map_err(|e| wrong.push(e)).ok()).collect()
}

/// Prints the errors of a description.
fn rejected(errors: &SweepErrors) -> Outcome {
    match errors {
        SweepErrors::Scene(errors) => show::problems(errors),
        errors => {
            show::tell(&errors.to_string());
            Outcome::Input
        }
    }
}

/// Computes rows and appends them.
fn compute(
    arguments: &Arguments,
    sweep: &Sweep,
    indices: Range<u64>,
    journal: &mut Journal,
) -> Result<(), Halt> {
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = arguments.jobs.map_or_else(processors, usize::from);
    let interrupt = Interrupt::listen();
    let bar = progress::bar(indices.end.saturating_sub(indices.start), arguments.quiet);
    let mut sink = |row: Row| {
        bar.inc(1);
        journal.append(&row.line())
    };
    let ended = sweep.rows(indices, jobs, &|| interrupt.came(), &mut sink);
    bar.finish_and_clear();
    ended
}

fn print(arguments: &Arguments, summary: &Summary) -> Outcome {
    match (arguments.quiet, arguments.json) {
        (true, _) => Outcome::Well,
        (false, true) => show::print_json(summary),
        (false, false) => show::print(&summary.table()),
    }
}
