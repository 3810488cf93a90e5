//! A scene file and options → a world, or an outcome after everything wrong has been told.

use crate::{Outcome, show};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use windlass_engine::prelude::{Adaptive, Stepper};
use windlass_scene::Built;
use windlass_scene::number::{Duration, Quantity};
use windlass_scene::units;

/// Options that change a scene's settings.
#[derive(Args, Debug)]
pub struct Options {
    /// The scene file
    pub scene: PathBuf,
    /// Step, instead of the scene's: a number in seconds, or with a unit ("1/240 s", "2 ms")
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub dt: Option<f64>,
    /// How time is advanced, instead of the scene's way
    #[arg(long, value_name = "NAME")]
    pub stepper: Option<Name>,
}

/// The steppers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Name {
    /// Velocity level, one linear solve a step: for real time
    Spook,
    /// Acceleration level, Runge–Kutta and exact correction: for accuracy
    Projected,
    /// Dormand–Prince 5(4) with error control
    DormandPrince,
}

/// A time above 0, with or without a unit.
pub fn time(text: &str) -> Result<f64, String> {
    let seconds = units::parse(text, Duration::DIMENSION).map_err(|e| e.to_string())?;
    if seconds > 0.0 && seconds < 1e10 { Ok(seconds) } else { Err("give more than 0 s".to_string()) }
}

/// The name of a scene: its file's, without folder and ending.
pub fn name(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// What a stepper is called in scene files.
pub fn stepper(stepper: &Stepper) -> &'static str {
    match stepper {
        Stepper::Spook => "spook",
        Stepper::Projected => "projected",
        Stepper::DormandPrince(_) => "dormand-prince",
    }
}

/// Reads and builds a scene.
pub fn scene(path: &Path) -> Result<Built, Outcome> {
    windlass_scene::read(path).and_then(|scene| scene.build()).map_err(|errors| show::problems(&errors))
}

/// Reads and builds a scene, and changes its settings as told.
pub fn with_options(options: &Options) -> Result<Built, Outcome> {
    let mut built = scene(&options.scene)?;
    let changed = built.world.set(|settings| {
        settings.dt = options.dt.unwrap_or(settings.dt);
        settings.stepper = match (options.stepper, settings.stepper) {
            (None, kept) => kept,
            (Some(Name::Spook), _) => Stepper::Spook,
            (Some(Name::Projected), _) => Stepper::Projected,
            (Some(Name::DormandPrince), kept @ Stepper::DormandPrince(_)) => kept,
            (Some(Name::DormandPrince), _) => Stepper::DormandPrince(Adaptive::default()),
        };
    });
    match changed {
        Ok(()) => Ok(built),
        Err(e) => {
            show::tell(&format!("error: {e}"));
            Err(Outcome::Input)
        }
    }
}
