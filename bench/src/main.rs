//! Windlass against its targets, against a dense solver and against Rapier. See README.md.

#[path = "../../crates/engine/tests/kit/counting.rs"]
mod allocations;
mod cable;
mod contact;
mod crane;
mod dense;
mod drive;
mod immersed;
mod integrators;
mod judge;
mod loops;
mod measure;
mod ours;
mod rapier;
mod scaling;
mod scenes;
mod table;
mod versus;
mod water;

use clap::{Parser, Subcommand, ValueEnum};
use drive::Drive;
use immersed::Immerse;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::process::ExitCode;
use table::Table;

/// Measures Windlass: cost against size, against a dense solver, against Rapier, by integrator.
#[derive(Debug, Parser)]
#[command(after_help = "Examples:
  cargo run --release --manifest-path bench/Cargo.toml
  cargo run --release --manifest-path bench/Cargo.toml -- --quick
  cargo run --release --manifest-path bench/Cargo.toml -- --only scaling --only dense --json out.json")]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,

    /// Runs this section alone; may be given several times
    #[arg(long, value_name = "NAME")]
    only: Vec<Section>,

    /// Writes all numbers to a file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// A smoke run of some seconds: small scenes, few rounds; its numbers mean little
    #[arg(long)]
    quick: bool,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Runs one scene of the comparison with other engines (compare.sh)
    Drive(Drive),
    /// Runs one scene of the comparison in water (compare.sh)
    Immerse(Immerse),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Section {
    /// Cost of a step against the number of links
    Scaling,
    /// Sparse against dense solve of the same system
    Dense,
    /// Head to head with Rapier
    Rapier,
    /// Cost of a step by integrator
    Integrators,
    /// Piles, towers and a machine on its feet
    Contact,
    /// Cost of a flexible cable against its elements
    Cable,
    /// Cost of the shipped cranes
    Crane,
    /// Gaps, energy and cost of closed rings by integrator
    Loops,
    /// Cost of water against a dry step
    Water,
}

impl Section {
    fn run(self, quick: bool) -> Vec<Table> {
        match self {
            Section::Scaling => scaling::run(quick),
            Section::Dense => dense::run(quick),
            Section::Rapier => versus::run(quick),
            Section::Integrators => integrators::run(quick),
            Section::Contact => contact::run(quick),
            Section::Cable => cable::run(quick),
            Section::Crane => crane::run(quick),
            Section::Loops => loops::run(quick),
            Section::Water => water::run(quick),
        }
    }
}

/// What a line of a file of the kernel says after its colon, if there is such a file.
fn told(file: &str, key: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|l| l.starts_with(key))?;
    Some(line.split_once(':').map_or(line, |(_, value)| value).trim().to_string())
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(task) = &arguments.task {
        let result = match task {
            Task::Drive(drive) => drive.run(),
            Task::Immerse(immerse) => immerse.run(),
        };
        return match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(e) => {
                eprintln!("{e}");
                ExitCode::FAILURE
            }
        };
    }
    let processor = told("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.to_string());
    let load = told("/proc/loadavg", "").unwrap_or_default();
    let reading = measure::reading();
    println!("{processor}; load {load}; a reading of the clock costs {reading:.2} µs\n");

    let mut sections = Map::new();
    let chosen =
        Section::value_variants().iter().filter(|s| arguments.only.is_empty() || arguments.only.contains(s));
    for section in chosen {
        let tables = section.run(arguments.quick);
        tables.iter().for_each(|table| println!("{table}"));
        let name = format!("{section:?}").to_lowercase();
        sections.insert(name, Value::Array(tables.iter().map(Table::json).collect()));
    }

    let Some(path) = arguments.json else { return ExitCode::SUCCESS };
    let all = json!({ "processor": processor, "load": load, "quick": arguments.quick, "sections": sections });
    match std::fs::write(&path, format!("{all:#}\n")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{} was not written: {e}", path.display());
            ExitCode::FAILURE
        }
    }
}
