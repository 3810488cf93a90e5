//! `windlass hash`: steps a scene and prints a 64-bit hash of its state.

use crate::load::{self, Options};
use crate::outcome::Outcome;
use crate::{console, show};
use clap::Args;
use windlass_host::Plan;

const EXAMPLES: &str = "\
Examples:
  windlass hash scenes/mechanism/double_pendulum.toml
  windlass hash scenes/mechanism/double_pendulum.toml --steps 10000 --threads 1";

/// Print the 64-bit hash of the final state
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Steps to take
    #[arg(long, value_name = "N", default_value_t = 600)]
    steps: u64,
}

/// Hashes.
pub fn hash(arguments: &Arguments) -> Outcome {
    let mut machine = match load::changed(&arguments.options.scene, &arguments.options.changes) {
        Ok(machine) => machine,
        Err(outcome) => return outcome,
    };
    let result = machine.run(Plan::steps(arguments.steps), &mut (), &mut []);
    if let Err(outcome) = console::complete(&result) {
        return outcome;
    }
    let hash = machine.world().state().hash();
    show::print(&format!("{hash:016x}  {}\n", load::name(&arguments.options.scene)))
}
