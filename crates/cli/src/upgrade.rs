//! `windlass upgrade`: scene files of an older version, rewritten in place.

use crate::outcome::Outcome;
use crate::show;
use clap::Args;
use std::path::PathBuf;
use windlass_host::text::count;
use windlass_scene::save::{Older, save};
use windlass_scene::upgrade::{VERSION, upgrade};

const EXAMPLES: &str = "\
Examples:
  windlass upgrade crane.toml
  windlass upgrade scenes/*.toml
  windlass upgrade crane.toml --dry-run";

/// Rewrite scene files of an older version in place; comments and layout are kept
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The scene files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Report what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// Upgrades files one by one; the first that fails ends it.
pub fn run(arguments: &Arguments) -> Outcome {
    let mut outcome = Outcome::Well;
    for file in &arguments.files {
        let name = file.display();
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) => {
                show::tell(&format!("error: cannot read {name}: {error}"));
                return Outcome::File;
            }
        };
        let line = match upgrade(&text) {
            Err(error) => return show::refuse(&format!("{name}: {error}")),
            Ok(None) => format!("{name}: already version {VERSION}\n"),
            Ok(Some((_, changed))) if arguments.dry_run => {
                format!("{name}: {} to rename\n", count(changed, "name"))
            }
            Ok(Some((text, changed))) => {
                if let Err(error) = save(file, text.as_bytes(), Older::Replaced) {
                    show::tell(&format!("error: cannot write {name}: {error}"));
                    return Outcome::File;
                }
                format!("{name}: {} renamed\n", count(changed, "name"))
            }
        };
        outcome = outcome.max(show::print(&line));
    }
    outcome
}
