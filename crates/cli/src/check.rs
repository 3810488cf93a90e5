//! `windlass check`: everything wrong with scenes, and what is odd about the sound ones.

use crate::summary::digits;
use crate::{Outcome, load, look, show};
use clap::Args;
use std::path::PathBuf;
use windlass_scene::Built;

const EXAMPLES: &str = "\
Examples:
  windlass check crane.toml
  windlass check scenes/mechanism/*.toml";

/// Look for everything wrong with scenes, without running them
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The scene files
    #[arg(required = true, value_name = "SCENE")]
    scenes: Vec<PathBuf>,
}

/// Gaps above this are told [m or rad].
const OPEN: f64 = 1e-6;

/// Checks.
pub fn check(arguments: &Arguments) -> Outcome {
    let mut worst = Outcome::Well;
    for path in &arguments.scenes {
        let outcome = match load::scene(path) {
            Ok(mut built) => show::print(&finding(&path.display().to_string(), &mut built)),
            Err(outcome) => outcome,
        };
        worst = worst.max(outcome);
    }
    worst
}

/// One line that says it is sound, and one for each oddity.
fn finding(file: &str, built: &mut Built) -> String {
    let world = &mut built.world;
    let freedom = world.degrees_of_freedom();
    let model = world.model();
    let (bodies, joints) = (model.bodies().count(), model.joints().count());
    let (bodies, joints) = (look::count(bodies, "body"), look::count(joints, "joint"));
    let ways = if freedom == 1 {
        "1 degree of freedom".to_string()
    } else {
        format!("{freedom} degrees of freedom")
    };
    let mut text = format!("{file}: sound; {bodies}, {joints}, {ways}\n");
    let redundant: Vec<_> = look::redundant(world)
        .into_iter()
        .map(|(joint, rows)| format!("{joint} ({})", look::count(rows, "row")))
        .collect();
    if !redundant.is_empty() {
        let note = "their equations repeat others; motion is right, single reactions are not unique";
        text += &format!("  redundant: {}: {note}\n", redundant.join(", "));
    }
    for (place, gap) in look::gaps(world).filter(|(_, gap)| *gap > OPEN) {
        let joint = look::joint_name(world, place);
        text += &format!(
            "  open: {joint} by {} (m or rad): the first steps will pull it together\n",
            digits(gap)
        );
    }
    text
}
