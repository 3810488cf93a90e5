//! The binary `windlass`: arguments → one command → an exit code.
//!
//! 0 all is well · 1 a file could not be read or written · 2 the input is wrong · 3 the simulation stopped at a fault

mod check;
mod hash;
mod info;
mod load;
mod log;
mod look;
mod run;
mod show;
mod summary;

use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// All is well.
    Well,
    /// A file could not be read or written.
    File,
    /// The input is wrong.
    Input,
    /// The simulation stopped at a fault.
    Fault,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(match outcome {
            Outcome::Well => 0,
            Outcome::File => 1,
            Outcome::Input => 2,
            Outcome::Fault => 3,
        })
    }
}

const EXAMPLES: &str = "\
Examples:
  windlass run scenes/mechanism/luffing_crane.toml
  windlass check scenes/mechanism/*.toml

Exit codes: 0 all is well, 1 a file could not be read or written, 2 the input is wrong,
3 the simulation stopped at a fault.";

/// An engineering-grade multibody simulator.
#[derive(Debug, Parser)]
#[command(name = "windlass", version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a scene as fast as possible and tell how it went
    Run(run::Arguments),
    /// Look for everything wrong with scenes, without running them
    Check(check::Arguments),
    /// Count what is in a scene
    Info(info::Arguments),
    /// Print a number that differs whenever any bit of the final state differs
    Hash(hash::Arguments),
}

/// Prints what `--help` prints; a reader that has gone away is no error.
fn help() -> Outcome {
    match Arguments::command().print_help() {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Outcome::File,
        _ => Outcome::Well,
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    show::set_up();
    let outcome = match arguments.command {
        Some(Command::Run(arguments)) => run::run(&arguments),
        Some(Command::Check(arguments)) => check::check(&arguments),
        Some(Command::Info(arguments)) => info::info(&arguments),
        Some(Command::Hash(arguments)) => hash::hash(&arguments),
        None => help(),
    };
    outcome.into()
}
