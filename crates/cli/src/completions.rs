//! `windlass completions` and `windlass man`: completion scripts and manual pages, generated from the arguments
//! themselves.

use crate::outcome::Outcome;
use crate::show;
use clap::{Args, Command};
use clap_complete::Shell;
use std::path::PathBuf;

const SHELLS: &str = "\
Examples:
  windlass completions bash > ~/.local/share/bash-completion/completions/windlass
  windlass completions zsh > ~/.zfunc/_windlass
  windlass completions fish > ~/.config/fish/completions/windlass.fish";

const MANUALS: &str = "\
Examples:
  windlass man | man -l -
  windlass man --folder ~/.local/share/man/man1";

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = SHELLS)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Print the manual page, or write one per command to a folder
#[derive(Args, Debug)]
#[command(after_help = MANUALS)]
pub struct Manual {
    /// Write windlass.1, windlass-run.1 and so on here
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Prints the script.
pub fn completions(arguments: &Completions, mut command: Command) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "windlass", &mut script);
    show::print(&String::from_utf8_lossy(&script))
}

/// Prints or writes the pages.
pub fn manual(arguments: &Manual, command: Command) -> Outcome {
    let Some(folder) = &arguments.folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page).expect("memory takes everything");
        return show::print(&String::from_utf8_lossy(&page));
    };
    // the help of every command contains what `help` would print
    let command = command.disable_help_subcommand(true);
    match std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder)) {
        Ok(()) => Outcome::Well,
        Err(e) => {
            show::tell(&format!("error: cannot write to {}: {e}", folder.display()));
            Outcome::File
        }
    }
}
