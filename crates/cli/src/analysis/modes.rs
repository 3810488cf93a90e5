//! `windlass modes`: frequencies, damping ratios and shapes about a state.

use super::{LinearisedState, aligned, refuse};
use crate::outcome::Outcome;
use crate::show;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use windlass_analysis::{self as analysis, BodyShape, ModeKind, Options, unresolved};
use windlass_host::text::{count, digits};

const EXAMPLES: &str = "\
Examples:
  windlass modes scenes/mechanism/luffing_crane.toml --at \"5 s\"
  windlass modes scenes/water/barge_crane.toml --at \"60 s\" --most 10
  windlass modes scenes/mechanism/pendulum.toml --json

Frequencies are those of the simulated motion, with the error of its step.";

/// List the vibration modes of a scene about a state: frequencies, damping, shapes
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    state: LinearisedState,
    /// Print this many modes of each kind at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    most: usize,
    /// Print one JSON object with all modes and their shapes instead of a table
    #[arg(long)]
    json: bool,
}

/// The modes of a scene.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ModeList {
    /// Name of the scene.
    scene: String,
    /// Length of the step [s].
    dt: f64,
    /// Degrees of freedom.
    degrees_of_freedom: usize,
    /// Rigid-body modes, oscillating ones by frequency, decaying ones by rate, then those of the step.
    modes: Vec<ModeResult>,
    /// Estimated error of the largest element of A, with rates times dt.
    estimated_error: f64,
    /// What limits the result.
    warnings: Vec<String>,
}

/// A mode.
#[derive(Debug, JsonSchema, Serialize)]
struct ModeResult {
    /// `rigid-body`, `oscillating`, `decaying`, `alternating` (changes sign in every step) or `ends-within-step`.
    kind: &'static str,
    /// Damped frequency [Hz]; half the step rate if it alternates, 0 for the other kinds that do not oscillate.
    frequency: f64,
    /// Part of critical damping; negative where the mode grows.
    damping_ratio: f64,
    /// The amplitude decays by the factor e within 1/decay [1/s].
    decay: f64,
    /// Eigenvalue of A: real and imaginary part.
    eigenvalue: [f64; 2],
    /// Whether its shape repeats that of another mode of the same eigenvalue.
    repeated: bool,
    /// The motion of the bodies.
    shape: Vec<BodyMotion>,
}

/// Motion of a body in a mode, as complex amplitudes.
#[derive(Debug, JsonSchema, Serialize)]
struct BodyMotion {
    /// Name of the body.
    body: String,
    /// Displacement of the centre of mass, real parts. The largest component of a mode is 1.
    displacement: [f64; 3],
    /// Imaginary parts: a quarter of a period ahead.
    displacement_imaginary: [f64; 3],
    /// Rotation vector [rad per unit of displacement].
    rotation: [f64; 3],
    /// Imaginary parts.
    rotation_imaginary: [f64; 3],
    /// Its part of the kinetic energy, 0 to 1.
    energy: f64,
}

/// Lists modes.
pub fn modes(arguments: &Arguments) -> Outcome {
    let machine = match arguments.state.machine() {
        Ok(machine) => machine,
        Err(outcome) => return outcome,
    };
    let found = match analysis::linearize(&machine, &[], &[], &Options::default()) {
        Ok(found) => found,
        Err(error) => return refuse(&error),
    };
    let Some(modes) = found.modes() else {
        return show::refuse(
            "the eigenvalues of A are not found: simplify the scene, or analyse another state",
        );
    };
    let list = ModeList {
        scene: arguments.state.scene(),
        dt: found.dt,
        degrees_of_freedom: found.coordinates.len(),
        modes: modes.iter().map(ModeResult::of).collect(),
        estimated_error: found.error,
        warnings: found.warnings.into_iter().chain(unresolved(&modes, found.dt)).collect(),
    };
    match arguments.json {
        true => show::print_json(&list),
        false => show::print(&list.text(arguments.most)),
    }
}

fn kind(kind: ModeKind) -> &'static str {
    match kind {
        ModeKind::RigidBody => "rigid-body",
        ModeKind::Oscillating => "oscillating",
        ModeKind::Decaying => "decaying",
        ModeKind::Alternating => "alternating",
        ModeKind::EndsWithinStep => "ends-within-step",
    }
}

impl ModeResult {
    fn of(mode: &analysis::Mode) -> ModeResult {
        let body = |shape: &BodyShape| BodyMotion {
            body: shape.body.clone(),
            displacement: shape.displacement[0].to_array(),
            displacement_imaginary: shape.displacement[1].to_array(),
            rotation: shape.rotation[0].to_array(),
            rotation_imaginary: shape.rotation[1].to_array(),
            energy: shape.energy,
        };
        ModeResult {
            kind: kind(mode.kind),
            frequency: mode.frequency,
            damping_ratio: mode.damping_ratio,
            decay: mode.decay,
            eigenvalue: mode.eigenvalue,
            repeated: mode.repeated,
            shape: mode.shape.iter().map(body).collect(),
        }
    }

    /// The bodies that have most of the kinetic energy.
    fn moves(&self) -> String {
        let mut bodies: Vec<&BodyMotion> = self.shape.iter().filter(|body| body.energy >= 0.05).collect();
        bodies.sort_by(|a, b| b.energy.total_cmp(&a.energy));
        let named = bodies.iter().take(3).map(|b| format!("{} {:.0} %", b.body, 100.0 * b.energy));
        named.collect::<Vec<_>>().join(", ")
    }

    fn cells(&self) -> Vec<String> {
        // differences leave round-off in place of zeros
        let small = |x: f64| if x.abs() < 1e-6 { "0".to_string() } else { digits(x) };
        let numbers = match self.kind {
            "oscillating" | "alternating" => {
                [digits(self.frequency), small(self.damping_ratio), small(self.decay)]
            }
            "decaying" => [String::new(), String::new(), small(self.decay)],
            _ => [const { String::new() }; 3],
        };
        let [frequency, damping, decay] = numbers;
        vec![format!("  {}", self.kind), frequency, damping, decay, format!("  {}", self.moves())]
    }
}

impl ModeList {
    fn text(&self, most: usize) -> String {
        let freedom = match self.degrees_of_freedom {
            1 => "1 degree of freedom".to_string(),
            n => format!("{n} degrees of freedom"),
        };
        let mut text = format!(
            "{}: {freedom}, {}, step {} s\n\n",
            self.scene,
            count(self.modes.len(), "mode"),
            digits(self.dt)
        );
        let head = ["  mode", "frequency [Hz]", "damping ratio", "decay [1/s]", "  moves (kinetic energy)"];
        let mut lines = vec![head.map(String::from).to_vec()];
        let mut left_out = 0;
        let mut shown: Vec<(&str, usize)> = Vec::new();
        for mode in &self.modes {
            let number = match shown.iter_mut().find(|(kind, _)| *kind == mode.kind) {
                Some((_, number)) => {
                    *number += 1;
                    *number
                }
                None => {
                    shown.push((mode.kind, 1));
                    1
                }
            };
            match number <= most {
                true => lines.push(mode.cells()),
                false => left_out += 1,
            }
        }
        text += &aligned(&lines);
        if left_out > 0 {
            text += &format!("{} more with --most or --json\n", count(left_out, "mode"));
        }
        for warning in &self.warnings {
            text += &format!("warning: {warning}\n");
        }
        text
    }
}
