//! `windlass linearize`: the matrices of the step about a state.

use super::{LinearisedState, aligned, refuse, rows};
use crate::outcome::Outcome;
use crate::show;
use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;
use windlass_analysis::{self as analysis, Linearization, Method, Options};
use windlass_host::text::digits;

const EXAMPLES: &str = "\
Examples:
  windlass linearize scenes/mechanism/luffing_crane.toml --at \"5 s\" -o crane.json
  windlass linearize scenes/crane/gantry.toml --at \"0.5 s\" --input travel --output bodies.load.position.x
  windlass linearize scenes/mechanism/pendulum.toml --continuous bilinear --json

The matrices are those of x⁺ = A x + B u, y = C x + D u: deviations from the state, one step later.";

/// Linearise the step of a scene about a state
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    state: LinearisedState,
    /// An input of u, by its name. May be repeated
    #[arg(long, value_name = "NAME")]
    input: Vec<String>,
    /// A probe of y: "bodies.load.position.z". May be repeated
    #[arg(long, value_name = "PROBE")]
    output: Vec<String>,
    /// First step of the differences, in m and rad; it is reduced where that improves them
    #[arg(long, value_name = "LENGTH", default_value_t = Options::default().step)]
    step: f64,
    /// Add a model in continuous time, found by this transform
    #[arg(long, value_name = "TRANSFORM")]
    continuous: Option<Transform>,
    /// Write the matrices as JSON
    #[arg(long, short, value_name = "FILE.json")]
    output_file: Option<PathBuf>,
    /// Print the matrices as one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// Transforms to continuous time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Transform {
    /// The logarithm of the matrix: the same motion at the instants of steps
    Logarithm,
    /// The bilinear (Tustin) transform: exists where a motion ends within a step
    Bilinear,
}

/// The matrices of a step.
#[derive(Debug, JsonSchema, Serialize)]
pub struct LinearModel {
    /// Name of the scene.
    scene: String,
    /// Length of the step [s].
    dt: f64,
    /// By how much rates in x lag behind values [s]; half a step under `spook`.
    rate_lag: f64,
    /// The state x: values of the coordinates, then their rates.
    states: Vec<Signal>,
    /// The inputs u.
    inputs: Vec<Signal>,
    /// The outputs y.
    outputs: Vec<Signal>,
    /// A, by rows.
    a: Vec<Vec<f64>>,
    /// B, by rows.
    b: Vec<Vec<f64>>,
    /// C, by rows.
    c: Vec<Vec<f64>>,
    /// D, by rows.
    d: Vec<Vec<f64>>,
    /// Values of the outputs at the state.
    outputs_at_state: Vec<f64>,
    /// Change of x within a step at the state itself; 0 at an equilibrium.
    drift: Vec<f64>,
    /// Estimated error of the largest element of A, with rates times dt.
    estimated_error: f64,
    /// What limits the result.
    warnings: Vec<String>,
    /// The continuous-time model, if `--continuous` is given.
    continuous: Option<ContinuousModel>,
}

/// A name with its unit.
#[derive(Debug, JsonSchema, Serialize)]
struct Signal {
    /// Name of the state, input or output.
    name: String,
    /// Empty for plain numbers.
    unit: String,
}

/// The model in continuous time: dx/dt = A x + B u, with rates at the instant of the values.
#[derive(Debug, JsonSchema, Serialize)]
struct ContinuousModel {
    /// `logarithm` or `bilinear`.
    transform: &'static str,
    /// A, by rows.
    a: Vec<Vec<f64>>,
    /// B, by rows.
    b: Vec<Vec<f64>>,
    /// C, by rows.
    c: Vec<Vec<f64>>,
    /// D, by rows.
    d: Vec<Vec<f64>>,
}

/// Linearises.
pub fn linearize(arguments: &Arguments) -> Outcome {
    let machine = match arguments.state.machine() {
        Ok(machine) => machine,
        Err(outcome) => return outcome,
    };
    let inputs: Vec<&str> = arguments.input.iter().map(String::as_str).collect();
    let outputs: Vec<&str> = arguments.output.iter().map(String::as_str).collect();
    let options = Options { step: arguments.step };
    let found = match analysis::linearize(&machine, &inputs, &outputs, &options) {
        Ok(found) => found,
        Err(error) => return refuse(&error),
    };
    let continuous = match arguments.continuous.map(|transform| continuous(&found, transform)).transpose() {
        Ok(continuous) => continuous,
        Err(why) => return show::refuse(&why),
    };
    let model = LinearModel::of(arguments.state.scene(), &found, continuous);
    if let Some(path) = &arguments.output_file {
        let text = show::json_text(&model);
        if let Err(e) = std::fs::write(path, text) {
            show::tell(&format!("error: cannot write {}: {e}", path.display()));
            return Outcome::File;
        }
    }
    match arguments.json {
        true => show::print_json(&model),
        false => show::print(&model.text()),
    }
}

fn continuous(found: &Linearization, transform: Transform) -> Result<ContinuousModel, String> {
    let (method, name) = match transform {
        Transform::Logarithm => (Method::Logarithm, "logarithm"),
        Transform::Bilinear => (Method::Bilinear, "bilinear"),
    };
    let model = found.continuous(method).map_err(|e| e.to_string())?;
    Ok(ContinuousModel {
        transform: name,
        a: rows(&model.a),
        b: rows(&model.b),
        c: rows(&model.c),
        d: rows(&model.d),
    })
}

impl LinearModel {
    fn of(scene: String, found: &Linearization, continuous: Option<ContinuousModel>) -> LinearModel {
        let named = |list: &[analysis::Named]| -> Vec<Signal> {
            list.iter().map(|s| Signal { name: s.name.clone(), unit: s.unit.clone() }).collect()
        };
        LinearModel {
            scene,
            dt: found.dt,
            rate_lag: found.lag,
            states: named(&found.states()),
            inputs: named(&found.inputs),
            outputs: named(&found.outputs),
            a: rows(&found.a),
            b: rows(&found.b),
            c: rows(&found.c),
            d: rows(&found.d),
            outputs_at_state: found.at_state.clone(),
            drift: found.drift.clone(),
            estimated_error: found.error,
            warnings: found.warnings.clone(),
            continuous,
        }
    }

    /// As tables; of more than eight states only the names.
    fn text(&self) -> String {
        let mut text = format!(
            "{}: {} states, step {} s, error of A about {:.0e}\n",
            self.scene,
            self.states.len(),
            digits(self.dt),
            self.estimated_error
        );
        if self.rate_lag > 0.0 {
            text += &format!("rates lag {} s behind values\n", digits(self.rate_lag));
        }
        if self.states.len() > MOST_SHOWN {
            text += "\nstates\n";
            for state in &self.states {
                text += &format!("  {} [{}]\n", state.name, state.unit);
            }
            text += "\nmatrices of more than 8 states are written with -o and --json only\n";
        } else {
            text += &self.matrices("A", &self.states, &self.states, &self.a);
            text += &self.matrices("B", &self.states, &self.inputs, &self.b);
            text += &self.matrices("C", &self.outputs, &self.states, &self.c);
            text += &self.matrices("D", &self.outputs, &self.inputs, &self.d);
            if let Some(model) = &self.continuous {
                let title = |name: &str| format!("{name} of the continuous model, {}", model.transform);
                text += &self.matrices(&title("A"), &self.states, &self.states, &model.a);
                text += &self.matrices(&title("B"), &self.states, &self.inputs, &model.b);
            }
        }
        for warning in &self.warnings {
            text += &format!("warning: {warning}\n");
        }
        text
    }

    fn matrices(&self, title: &str, rows: &[Signal], columns: &[Signal], numbers: &[Vec<f64>]) -> String {
        if rows.is_empty() || columns.is_empty() {
            return String::new();
        }
        // differences leave round-off of 1e-10 in place of zeros
        let cell = |x: &f64| if x.abs() < 1e-9 { "0".to_string() } else { digits(*x) };
        let line = |(signal, row): (&Signal, &Vec<f64>)| {
            let name = format!("  {} [{}]", signal.name, signal.unit);
            std::iter::once(name).chain(row.iter().map(cell)).collect::<Vec<_>>()
        };
        let lines: Vec<Vec<String>> = rows.iter().zip(numbers).map(line).collect();
        format!("\n{title}\n{}", aligned(&lines))
    }
}

/// States of which the matrices are printed in the table.
const MOST_SHOWN: usize = 8;
