//! `windlass schema`: what a scene file may say, for editors and for people.

use crate::outcome::Outcome;
use crate::show;
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  windlass schema > windlass.schema.json      # for a TOML language server
  windlass schema --reference > reference.md";

/// Print the JSON Schema of scene files, or their reference
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Print the reference in Markdown instead
    #[arg(long)]
    reference: bool,
}

/// Prints.
pub fn schema(arguments: &Arguments) -> Outcome {
    match arguments.reference {
        true => show::print(&windlass_scene::reference()),
        false => show::print_json(&windlass_scene::schema()),
    }
}
