//! `windlass trim`: the static equilibrium near a state, with the values of free inputs.

use super::{AnalysedState, aligned, refuse};
use crate::outcome::Outcome;
use crate::show;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use windlass_analysis::{Equilibrium, equilibrium};
use windlass_host::text::{count, digits};

const EXAMPLES: &str = "\
Examples:
  windlass trim scenes/mechanism/pendulum.toml
  windlass trim scenes/water/barge_crane.toml --json
  windlass trim crane.toml --input boom        # the input may move, too

`windlass modes` and `windlass linearize` analyse this state with --equilibrium.";

/// Find the static equilibrium of a scene near a state
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    state: AnalysedState,
    /// An input that may move to reach the equilibrium, by its name. May be repeated
    #[arg(long, value_name = "NAME")]
    input: Vec<String>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// An equilibrium.
#[derive(Debug, JsonSchema, Serialize)]
pub struct TrimResult {
    /// Name of the scene.
    scene: String,
    /// Whether an equilibrium was found.
    converged: bool,
    /// Largest acceleration left [m/s² or rad/s²].
    residual: f64,
    /// Number of iterations.
    iterations: usize,
    /// Values of the coordinates at the equilibrium.
    coordinates: Vec<TrimmedValue>,
    /// The inputs that were free to move.
    inputs: Vec<TrimmedValue>,
    /// Coordinates that nothing holds where they are.
    indifferent: Vec<String>,
}

/// A value at the equilibrium.
#[derive(Debug, JsonSchema, Serialize)]
struct TrimmedValue {
    /// Name of the coordinate or input.
    name: String,
    /// Its value.
    value: f64,
    /// Empty for plain numbers.
    unit: String,
}

/// Finds it.
pub fn trim(arguments: &Arguments) -> Outcome {
    let machine = match arguments.state.machine() {
        Ok(machine) => machine,
        Err(outcome) => return outcome,
    };
    let inputs: Vec<&str> = arguments.input.iter().map(String::as_str).collect();
    let found = match equilibrium(&machine, &inputs) {
        Ok(found) => found,
        Err(error) => return refuse(&error),
    };
    let result = TrimResult::of(arguments.state.scene(), found);
    let printed = match arguments.json {
        true => show::print_json(&result),
        false => show::print(&result.text()),
    };
    // no equilibrium is the result of the scene, as a fault is
    if result.converged { printed } else { printed.max(Outcome::Fault) }
}

impl TrimResult {
    fn of(scene: String, found: Equilibrium) -> TrimResult {
        let coordinate = |(c, value): (windlass_analysis::Coordinate, f64)| TrimmedValue {
            name: c.name,
            value,
            unit: c.unit.to_string(),
        };
        let input = |(name, value): (String, f64)| TrimmedValue { name, value, unit: String::new() };
        TrimResult {
            scene,
            converged: found.converged,
            residual: found.residual,
            iterations: found.iterations,
            coordinates: found.coordinates.into_iter().map(coordinate).collect(),
            inputs: found.inputs.into_iter().map(input).collect(),
            indifferent: found.indifferent,
        }
    }

    fn text(&self) -> String {
        let how = match self.converged {
            true => format!("in equilibrium after {}", count(self.iterations, "iteration")),
            false => format!("no equilibrium after {}", count(self.iterations, "iteration")),
        };
        let mut text =
            format!("{}: {how}, acceleration left {:.0e} m/s² or rad/s²\n\n", self.scene, self.residual);
        // round-off of a coordinate at zero is not shown
        let value = |x: f64| if x.abs() < 1e-9 { "0".to_string() } else { digits(x) };
        let line = |v: &TrimmedValue| vec![format!("  {}", v.name), value(v.value), v.unit.clone()];
        let named = |v: &TrimmedValue| vec![format!("  inputs.{}", v.name), value(v.value), v.unit.clone()];
        let lines: Vec<_> = self.coordinates.iter().map(line).chain(self.inputs.iter().map(named)).collect();
        text += &aligned(&lines);
        if !self.indifferent.is_empty() {
            text += &format!("nothing holds {}\n", self.indifferent.join(", "));
        }
        text
    }
}
