//! Scene file and options → machine, or an outcome after all errors have been printed.

use crate::outcome::Outcome;
use crate::{memory, show};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use windlass_engine::prelude::{Integrator, Settings, World};
use windlass_host::probe::scene_probes;
use windlass_host::{Machine, Outputs, ProbeError};
use windlass_scene::number::{Duration, Frequency, Quantity};
use windlass_scene::units;
use windlass_scene::{Built, Cause, Errors, Override, Problem};

/// A scene and the values to override in it.
#[derive(Args, Debug)]
pub struct Options {
    /// The scene file
    pub scene: PathBuf,
    #[command(flatten)]
    pub changes: Changes,
}

/// Overrides of a scene's values, and the threads of its run.
#[derive(Args, Clone, Debug)]
pub struct Changes {
    #[command(flatten)]
    pub values: Values,
    /// Number of solver threads; default: as many as the machine has. Results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// Overrides of a scene's values.
#[derive(Args, Clone, Debug)]
pub struct Values {
    /// Override a value of the scene: "parameters.length=3 m", "joints.hoist.distance.motor.speed=0.5 m/s",
    /// "bodies.link7.mass=2 kg". May be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = str::parse::<Override>)]
    pub set: Vec<Override>,
    /// Time step, instead of the scene's: 1e-7 s to 0.2 s, a number in seconds or with a unit ("1/240 s", "2 ms").
    /// A shorter step is more accurate and takes longer
    #[arg(long, value_name = "TIME", value_parser = step)]
    pub dt: Option<f64>,
    /// Time integrator, instead of the scene's
    #[arg(long, value_name = "NAME")]
    pub integrator: Option<Name>,
}

impl Values {
    /// As command line arguments.
    pub fn words(&self) -> Vec<String> {
        let set = self.set.iter().map(|o| format!("--set={}={}", o.key, o.value));
        // the shortest decimal that parses to the same number
        let dt = self.dt.iter().map(|dt| format!("--dt={dt} s"));
        let name = |n: &Name| n.to_possible_value().map(|value| format!("--integrator={}", value.get_name()));
        set.chain(dt).chain(self.integrator.iter().filter_map(name)).collect()
    }

    /// Whether there are any.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.dt.is_none() && self.integrator.is_none()
    }
}

/// The integrators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Name {
    /// Velocity level, semi-implicit, one linear solve per step: for real time
    Spook,
    /// Acceleration level, Runge–Kutta with projection onto the constraints: for accuracy
    Projected,
    /// Dormand–Prince 5(4) with error control
    DormandPrince,
}

/// A time above 0, with or without a unit.
pub fn time(text: &str) -> Result<f64, String> {
    let seconds = units::parse(text, Duration::DIMENSION).map_err(|e| e.to_string())?;
    if seconds > 0.0 && seconds < 1e10 {
        Ok(seconds)
    } else {
        Err("give 0 s to 1e10 s, both excluded".to_string())
    }
}

/// A step of the simulation, with or without a unit.
fn step(text: &str) -> Result<f64, String> {
    let seconds = units::parse(text, Duration::DIMENSION).map_err(|e| e.to_string())?;
    if Settings::DT.contains(&seconds) {
        return Ok(seconds);
    }
    let (least, most) = (Settings::DT.start(), Settings::DT.end());
    Err(format!("the time step must be {least:e} s to {most} s; --duration sets the length of the run"))
}

/// A time of 0 or above, with or without a unit.
pub fn instant(text: &str) -> Result<f64, String> {
    let seconds = units::parse(text, Duration::DIMENSION).map_err(|e| e.to_string())?;
    if (0.0..1e10).contains(&seconds) { Ok(seconds) } else { Err("give 0 s to 1e10 s".to_string()) }
}

/// A frequency above 0, with or without a unit.
pub fn frequency(text: &str) -> Result<f64, String> {
    let hertz = units::parse(text, Frequency::DIMENSION).map_err(|e| e.to_string())?;
    if hertz > 0.0 && hertz < 1e10 {
        Ok(hertz)
    } else {
        Err("give more than 0 Hz, such as \"50 Hz\"; there is at most one sample per step".to_string())
    }
}

/// Texts as outputs of a world with the time before them, or an outcome after all errors have been printed.
pub fn outputs(texts: &[String], world: &World) -> Result<Outputs, Outcome> {
    Outputs::with_time(texts, world).map_err(|errors| reject(&errors))
}

/// Prints the errors of probes.
fn reject(errors: &[ProbeError]) -> Outcome {
    errors.iter().for_each(|e| show::tell(&e.to_string()));
    Outcome::Input
}

/// Checks the scene's own probes; errors have their positions in the text.
fn judge_own_probes(machine: &Machine) -> Result<(), Errors> {
    let (scene, built) = (machine.scene(), machine.built());
    let texts = scene_probes(built);
    let Err(errors) = Outputs::with_time(&texts, &built.world) else { return Ok(()) };
    let problem = |error: &ProbeError| {
        let [text, message, help] = error.parts();
        let (name, given) = &built.probes[texts.iter().position(|own| own == text)?];
        let message = format!("probe `{name}`: {message}");
        Some(Problem { span: given.span(), message, help: Some(help.to_string()) })
    };
    Err(Errors {
        file: scene.file.clone(),
        sources: scene.sources.clone(),
        cause: Cause::Text,
        problems: errors.iter().filter_map(problem).collect(),
    })
}

/// The columns of a table: the probes given, else the scene's own probes, else everything.
pub fn columns(texts: &[String], built: &Built, world: &World) -> Result<Outputs, Outcome> {
    Outputs::of_scene(texts, built, world).map_err(|errors| reject(&errors))
}

/// The name of a scene: that of its file, without folder and extension.
pub fn name(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The name of an integrator in scene files.
pub fn integrator(integrator: &Integrator) -> &'static str {
    match integrator {
        Integrator::Spook => "spook",
        Integrator::Projected => "projected",
        Integrator::DormandPrince(_) => "dormand-prince",
    }
}

impl Values {
    /// All of them as overrides, including `--dt`.
    pub fn overrides(&self) -> Vec<Override> {
        let set = |key: &str, value: String| Override { key: key.to_string(), value };
        let dt = self.dt.map(|dt| set("settings.dt", format!("{dt:?}")));
        let name = self.integrator.and_then(|name| name.to_possible_value());
        let integrator = name.map(|name| set("settings.integrator", format!("\"{}\"", name.get_name())));
        self.set.iter().cloned().chain(dt).chain(integrator).collect()
    }
}

/// Reads and builds a scene that fits into memory.
pub fn machine(path: &Path, overrides: &[Override]) -> Result<Machine, Errors> {
    let scene = windlass_scene::read_with(path, overrides)?;
    memory::judge(&scene)?;
    Machine::from_scene(scene, overrides)
}

/// The same, with its own probes checked as well: no command runs a scene that `check` rejects.
pub fn judged(path: &Path, overrides: &[Override]) -> Result<Machine, Errors> {
    let machine = machine(path, overrides)?;
    judge_own_probes(&machine)?;
    Ok(machine)
}

/// Reads and builds a scene with the changes of the command line.
pub fn changed(path: &Path, changes: &Changes) -> Result<Machine, Outcome> {
    if let Some(threads) = changes.threads {
        // fails only if there is a pool already, and a command makes at most one
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    }
    judged(path, &changes.values.overrides()).map_err(|errors| show::problems(&errors))
}
