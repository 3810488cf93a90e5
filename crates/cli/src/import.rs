//! `windlass import`: converts a URDF or MJCF file to a scene.

use crate::outcome::Outcome;
use crate::show;
use clap::Args;
use std::path::PathBuf;
use windlass_import::{Armature, Fixed, Meshes, Options, Start};

const EXAMPLES: &str = "\
Examples:
  windlass import robot.urdf -o robot.toml
  windlass import humanoid.xml -o humanoid.toml --keyframe squat
  windlass import robot.urdf -o robot.toml --floating-base --keep-fixed";

/// Convert a URDF or MJCF file to a scene; what cannot be converted is listed
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The URDF or MJCF file, recognised by its root element
    file: PathBuf,
    /// The scene to write, with its meshes beside it; default: the file's name with .toml
    #[arg(long, short, value_name = "SCENE")]
    output: Option<PathBuf>,
    /// Overwrite an existing scene
    #[arg(long)]
    force: bool,
    /// Keep links that are fixed to each other as separate, welded bodies
    #[arg(long)]
    keep_fixed: bool,
    /// Make the root of a URDF a dynamic body instead of fixing it to the world
    #[arg(long)]
    floating_base: bool,
    /// Leave meshes out
    #[arg(long)]
    no_meshes: bool,
    /// Convert the armature of MJCF joints to small geared rotors instead of dropping it
    #[arg(long)]
    rotors: bool,
    /// Start at a keyframe of the MJCF file
    #[arg(long, value_name = "NAME")]
    keyframe: Option<String>,
    /// Print the summary only, not every remark
    #[arg(long, short)]
    quiet: bool,
}

/// Imports.
pub fn import(arguments: &Arguments) -> Outcome {
    let options = Options {
        fixed: if arguments.keep_fixed { Fixed::Keep } else { Fixed::Merge },
        floating_base: arguments.floating_base,
        meshes: if arguments.no_meshes { Meshes::Skip } else { Meshes::Files },
        armature: if arguments.rotors { Armature::Rotors } else { Armature::Ignore },
        start: arguments.keyframe.clone().map_or(Start::Zero, Start::Keyframe),
    };
    let output = arguments.output.clone().unwrap_or_else(|| arguments.file.with_extension("toml"));
    if output.exists() && !arguments.force {
        show::tell(&format!(
            "error: {} already exists\n  help: give another name with -o, or --force",
            output.display()
        ));
        return Outcome::File;
    }
    let imported = match windlass_import::import(&arguments.file, &options) {
        Ok(imported) => imported,
        Err(e) => {
            let outcome = if arguments.file.is_file() { Outcome::Input } else { Outcome::File };
            show::tell(&format!("error: {e}"));
            return outcome;
        }
    };
    if let Err(e) = imported.write(&output) {
        show::tell(&format!("error: {e}"));
        return Outcome::File;
    }
    if !arguments.quiet {
        imported.notes.iter().for_each(|note| show::tell(&note.to_string()));
    }
    let shown = output.display();
    show::print(&format!("wrote {shown}: {}\nnext: windlass run {shown}\n", imported.summary()))
}
