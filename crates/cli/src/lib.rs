//! The command `windlass`: arguments → one command → an exit code. The binary and the Python package are this library with
//! arguments.
//!
//! 0 success · 1 a file could not be read or written · 2 invalid input · 3 the simulation stopped at
//! a fault, or a study or benchmark missed its target · 4 out of memory or stack · 130 interrupted

mod analysis;
mod bench;
mod cable;
mod check;
mod completions;
mod console;
mod counters;
mod earthwork;
mod excerpt;
mod export;
mod hash;
mod import;
mod info;
mod input_options;
mod interrupt;
mod load;
mod log;
mod memory;
mod new;
mod outcome;
mod pace;
mod plot;
mod progress;
mod recording;
mod restore;
mod rope;
mod run;
mod schema;
mod show;
mod state;
mod studio;
mod study;
mod summary;
mod sweep;
mod table;
mod upgrade;
mod vessel;

use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;

const EXAMPLES: &str = "\
Examples:
  windlass
  windlass new crane
  windlass check crane.toml
  windlass run crane.toml --log lift.csv
  windlass plot lift.csv --y bodies.load.position.z -o lift.svg
  windlass run crane.toml --record lift.wlr
  windlass verify lift.wlr
  windlass export lift.wlr -o lift.glb

Exit codes: 0 success, 1 a file could not be read or written, 2 invalid input,
3 the simulation stopped at a fault, or a study or benchmark missed its target,
4 out of memory or stack, 130 interrupted.";

/// An engineering-grade multibody simulator. Without a command it opens the studio in the browser.
#[derive(Debug, Parser)]
#[command(name = "windlass", version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Studio(studio::Arguments),
    New(new::Arguments),
    Check(check::Arguments),
    Upgrade(upgrade::Arguments),
    Info(info::Arguments),
    Run(run::Arguments),
    Sweep(sweep::Arguments),
    Plot(plot::Arguments),
    Verify(recording::verify::Arguments),
    Branch(recording::branch::Arguments),
    Log(recording::log::Arguments),
    Modes(analysis::modes::Arguments),
    Linearize(analysis::linearize::Arguments),
    Trim(analysis::trim::Arguments),
    Fit(analysis::fit::Arguments),
    Export(export::Arguments),
    Import(import::Arguments),
    Schema(schema::Arguments),
    Hash(hash::Arguments),
    Bench(bench::Arguments),
    Study(study::Arguments),
    Completions(completions::Completions),
    Man(completions::Manual),
}

/// Runs a command, the name of the program first, and returns the exit code. Wrong arguments end the process.
pub fn run_command(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = Arguments::parse_from(arguments);
    show::set_up();
    interrupt::outlive_file_limits();
    interrupt::end_with_a_code();
    let outcome = match arguments.command {
        Some(Command::New(arguments)) => new::new(&arguments),
        Some(Command::Check(arguments)) => check::check(&arguments),
        Some(Command::Upgrade(arguments)) => upgrade::run(&arguments),
        Some(Command::Info(arguments)) => info::info(&arguments),
        Some(Command::Run(arguments)) => run::run(&arguments),
        Some(Command::Sweep(arguments)) => sweep::sweep(&arguments),
        Some(Command::Plot(arguments)) => plot::plot(&arguments),
        Some(Command::Verify(arguments)) => recording::verify::verify(&arguments),
        Some(Command::Branch(arguments)) => recording::branch::branch(&arguments),
        Some(Command::Log(arguments)) => recording::log::log(&arguments),
        Some(Command::Modes(arguments)) => analysis::modes::modes(&arguments),
        Some(Command::Linearize(arguments)) => analysis::linearize::linearize(&arguments),
        Some(Command::Trim(arguments)) => analysis::trim::trim(&arguments),
        Some(Command::Fit(arguments)) => analysis::fit::fit(&arguments),
        Some(Command::Export(arguments)) => export::export(&arguments),
        Some(Command::Import(arguments)) => import::import(&arguments),
        Some(Command::Schema(arguments)) => schema::schema(&arguments),
        Some(Command::Hash(arguments)) => hash::hash(&arguments),
        Some(Command::Bench(arguments)) => bench::bench(&arguments),
        Some(Command::Study(arguments)) => study::study(&arguments),
        Some(Command::Completions(arguments)) => completions::completions(&arguments, Arguments::command()),
        Some(Command::Man(arguments)) => completions::manual(&arguments, Arguments::command()),
        Some(Command::Studio(arguments)) => studio::studio(&arguments),
        None => studio::studio(&studio::Arguments::default()),
    };
    outcome.code()
}
