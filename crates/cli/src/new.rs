//! `windlass new`: starter scenes.

use crate::outcome::Outcome;
use crate::show;
use clap::Args;
use std::io::ErrorKind;
use std::path::PathBuf;
use windlass_scene::save::{Older, save};

const EXAMPLES: &str = "\
Examples:
  windlass new
  windlass new crane
  windlass new robot_arm -o my_arm.toml";

/// Write a starter scene, or list them
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The starter; without it they are listed
    starter: Option<String>,
    /// The file to write; default: NAME.toml
    #[arg(long, short, value_name = "FILE", requires = "starter")]
    output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "starter")]
    force: bool,
}

/// A starter scene. Its first line describes it.
struct Starter {
    name: &'static str,
    text: &'static str,
}

/// The starters, the most instructive first.
const STARTERS: [Starter; 20] = [
    Starter { name: "crane", text: include_str!("../starters/crane.toml") },
    Starter { name: "winch", text: include_str!("../starters/winch.toml") },
    Starter { name: "car", text: include_str!("../starters/car.toml") },
    Starter { name: "truck", text: include_str!("../starters/truck.toml") },
    Starter { name: "four_by_four", text: include_str!("../starters/four_by_four.toml") },
    Starter { name: "truck_8x8", text: include_str!("../starters/truck_8x8.toml") },
    Starter { name: "excavator", text: include_str!("../starters/excavator.toml") },
    Starter { name: "bulldozer", text: include_str!("../starters/bulldozer.toml") },
    Starter { name: "loader", text: include_str!("../starters/loader.toml") },
    Starter { name: "grader", text: include_str!("../starters/grader.toml") },
    Starter { name: "compactor", text: include_str!("../starters/compactor.toml") },
    Starter { name: "dumper", text: include_str!("../starters/dumper.toml") },
    Starter { name: "forwarder", text: include_str!("../starters/forwarder.toml") },
    Starter { name: "mobile_crane", text: include_str!("../starters/mobile_crane.toml") },
    Starter { name: "forklift", text: include_str!("../starters/forklift.toml") },
    Starter { name: "robot_arm", text: include_str!("../starters/robot_arm.toml") },
    Starter { name: "slider_crank", text: include_str!("../starters/slider_crank.toml") },
    Starter { name: "pendulum", text: include_str!("../starters/pendulum.toml") },
    Starter { name: "chain", text: include_str!("../starters/chain.toml") },
    Starter { name: "gyroscope", text: include_str!("../starters/gyroscope.toml") },
];

impl Starter {
    /// Its description in one line.
    fn about(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches('#').trim()
    }
}

/// Lists or writes.
pub fn new(arguments: &Arguments) -> Outcome {
    let Some(name) = &arguments.starter else { return list() };
    let Some(starter) = STARTERS.iter().find(|s| s.name == name) else {
        let help = windlass_host::probe::suggestion(name, "starters", STARTERS.iter().map(|s| s.name));
        return show::refuse(&format!(
            "no starter \"{}\"\n  help: {help}",
            windlass_scene::suggestion::shortened(name)
        ));
    };
    let path = arguments.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.toml", starter.name)));
    let older = if arguments.force { Older::Replaced } else { Older::Kept };
    let shown = path.display();
    match save(&path, starter.text.as_bytes(), older) {
        Ok(()) => {}
        Err(e) if e.kind() == ErrorKind::AlreadyExists => {
            show::tell(&format!(
                "error: {shown} already exists\n  help: give another name with -o, or --force"
            ));
            return Outcome::File;
        }
        Err(e) => {
            show::tell(&format!("error: cannot write {shown}: {e}"));
            return Outcome::File;
        }
    }
    show::print(&format!("wrote {shown}: {}\nnext: windlass run {shown}\n", starter.about()))
}

fn list() -> Outcome {
    let mut out = String::new();
    for starter in &STARTERS {
        out += &format!("{:<14}{}\n", starter.name, starter.about());
    }
    show::print(&(out + "\nnext: windlass new crane\n"))
}
