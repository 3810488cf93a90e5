//! `windlass fit`: parameters of a scene from logged data.

use super::aligned;
use crate::load::{self, Changes};
use crate::outcome::Outcome;
use crate::show;
use crate::table::{self, Read, Trouble};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;
use windlass_analysis::fit::{self, DrivenInput, Experiment, Fit, FitError, Measure, Parameter};
use windlass_host::Machine;
use windlass_host::text::{count, digits};
use windlass_scene::units::{self, UnitError};

const EXAMPLES: &str = "\
Examples:
  windlass fit crane.toml measured.csv --parameter \"bodies.load.mass=0.5..5 t\"
  windlass fit crane.toml measured.csv --parameter \"joints.boom.hinge.friction.torque=0..200 N*m\" \\
      --parameter \"joints.boom.hinge.spring.damping=0..500 N*m*s/rad\" --measure joints.boom.value
  windlass fit crane.toml measured.csv --parameter \"parameters.length=5..9 m\" --json

The data have a column `time` from the start of the scene, and columns named by probes. Columns named
`inputs.NAME` move that input. A head may have a unit in brackets; without one, numbers are in SI
units.";

/// Fit parameters of a scene to logged data
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The scene file
    scene: PathBuf,
    /// The data: a table with a column `time`
    data: PathBuf,
    /// A value of the scene with its bounds: "bodies.load.mass=1..6 t". May be repeated
    #[arg(long, value_name = "KEY=LOW..HIGH", required = true, value_parser = str::parse::<Parameter>)]
    parameter: Vec<Parameter>,
    /// A column to compare with the probe of its name. May be repeated. Default: all but time and inputs
    #[arg(long, value_name = "COLUMN")]
    measure: Vec<String>,
    #[command(flatten)]
    changes: Changes,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// Fitted parameters.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FitResult {
    /// Name of the scene.
    scene: String,
    /// Whether the fit converged.
    converged: bool,
    /// Number of iterations.
    iterations: usize,
    /// Number of runs of the scene.
    runs: usize,
    /// The fitted parameters.
    parameters: Vec<ParameterResult>,
    /// Correlation of the parameters, by rows; 0 for those without an interval.
    correlation: Vec<Vec<f64>>,
    /// Groups of parameters that the data cannot tell apart.
    indistinct: Vec<IndistinctGroup>,
    /// The measured quantities.
    measures: Vec<MeasureResult>,
}

/// A fitted parameter.
#[derive(Debug, JsonSchema, Serialize)]
struct ParameterResult {
    /// Key of the parameter.
    key: String,
    /// Empty for plain numbers.
    unit: String,
    /// Fitted value.
    value: f64,
    /// Standard deviation; none if the data do not determine it.
    standard_deviation: Option<f64>,
    /// 95 % confidence interval.
    interval: Option<[f64; 2]>,
    /// Whether it is at a bound of its range.
    at_bound: bool,
}

/// Parameters that the data cannot tell apart; one that the data do not depend on stands alone.
#[derive(Debug, JsonSchema, Serialize)]
struct IndistinctGroup {
    /// Keys of the parameters.
    keys: Vec<String>,
    /// Relative changes of the parameters that together change nothing.
    direction: Vec<f64>,
    /// Change of the data relative to that by each parameter alone.
    singular_value: f64,
}

/// A measured quantity.
#[derive(Debug, JsonSchema, Serialize)]
struct MeasureResult {
    /// The probe.
    probe: String,
    /// Root mean square of the residuals, in the unit of the probe.
    rms: f64,
}

/// Fits.
pub fn fit(arguments: &Arguments) -> Outcome {
    // reports errors of the scene itself at their positions
    if let Err(outcome) = load::changed(&arguments.scene, &arguments.changes) {
        return outcome;
    }
    let overrides = arguments.changes.values.overrides();
    let machine = match load::machine(&arguments.scene, &overrides) {
        Ok(machine) => machine,
        Err(errors) => return show::problems(&errors),
    };
    let experiment = match experiment(arguments, &machine) {
        Ok(experiment) => experiment,
        Err(outcome) => return outcome,
    };
    drop(machine);
    let open = |set: &[windlass_scene::Override]| {
        let all: Vec<_> = overrides.iter().chain(set).cloned().collect();
        load::machine(&arguments.scene, &all)
    };
    let found = match fit::fit(&open, &experiment, &arguments.parameter, &|| false) {
        Ok(found) => found,
        Err(FitError::Scene(errors)) => return show::problems(&errors),
        Err(FitError::Fault(fault)) => {
            show::tell(&format!("fault: {fault}"));
            return Outcome::Fault;
        }
        Err(FitError::Probes(errors)) => {
            errors.iter().for_each(|e| show::tell(&e.to_string()));
            return Outcome::Input;
        }
        Err(error) => return show::refuse(&error.to_string()),
    };
    let result = FitResult::of(load::name(&arguments.scene), &experiment, found);
    match arguments.json {
        true => show::print_json(&result),
        false => show::print(&result.text()),
    }
}

/// The numbers of a column in SI units, from the unit in its head and that of the quantity.
fn in_si(column: &Read, unit: &str) -> Result<Vec<f64>, String> {
    let factor = match column.told.as_deref().filter(|told| *told != unit) {
        None => 1.0,
        Some(told) => {
            let wanted = units::quantity(&format!("1 {unit}")).ok().and_then(|(_, dimension)| dimension);
            units::parse(&format!("1 {told}"), wanted.unwrap_or_default()).map_err(|e| match e {
                UnitError::Dimension { got, wanted, .. } => {
                    format!("column \"{}\": \"{told}\" is {}, not {}", column.name, got.name(), wanted.name())
                }
                e => format!("column \"{}\": {e}", column.name),
            })?
        }
    };
    Ok(column.numbers.iter().map(|x| factor * x).collect())
}

/// The data in the columns that are used.
fn experiment(arguments: &Arguments, machine: &Machine) -> Result<Experiment, Outcome> {
    let shown = arguments.data.display();
    let columns = table::read(&arguments.data, &[]).map_err(|trouble| match trouble {
        Trouble::File(why) => {
            show::tell(&format!("error: {why}"));
            Outcome::File
        }
        Trouble::Input(why) => show::refuse(&why),
    })?;
    let mut experiment = Experiment::default();
    let si = |column: &Read, unit: &str| {
        in_si(column, unit).map_err(|why| show::refuse(&format!("{shown}: {why}")))
    };
    for column in columns {
        if column.name == "time" {
            experiment.times = si(&column, "s")?;
        } else if let Some(name) = column.name.strip_prefix("inputs.") {
            let input = name.strip_suffix(".target").unwrap_or(name).trim_matches('"').to_string();
            let unit = machine.inputs().iter().find(|c| c.name == input).map_or("", |c| &c.unit);
            let values = si(&column, unit)?;
            experiment.drives.push(DrivenInput { input, values });
        } else if arguments.measure.is_empty() || arguments.measure.contains(&column.name) {
            // a name that is no probe is reported by the fit
            let unit = machine.outputs(&[&column.name]).ok().and_then(|o| Some(o.columns().first()?.unit));
            let values = si(&column, unit.unwrap_or_default())?;
            experiment.measures.push(Measure { probe: column.name, values });
        }
    }
    if experiment.times.is_empty() {
        return Err(show::refuse(&format!("{shown} has no column `time` with numbers: add one, in seconds")));
    }
    let has = |name: &&String| experiment.measures.iter().any(|m| m.probe == **name);
    if let Some(missing) = arguments.measure.iter().find(|name| !has(name)) {
        let why =
            format!("{shown} has no column \"{missing}\": name a column as it is in the head, without unit");
        return Err(show::refuse(&why));
    }
    if experiment.measures.is_empty() {
        return Err(show::refuse(&format!(
            "{shown} has no column of a measured quantity: name columns by probes, such as bodies.load.position.z"
        )));
    }
    Ok(experiment)
}

impl FitResult {
    fn of(scene: String, experiment: &Experiment, found: Fit) -> FitResult {
        let parameter = |e: fit::Estimate| ParameterResult {
            key: e.key,
            unit: e.unit,
            value: e.value,
            standard_deviation: e.deviation,
            interval: e.interval,
            at_bound: e.at_bound,
        };
        let group = |g: fit::Indistinct| IndistinctGroup {
            keys: g.keys,
            direction: g.direction,
            singular_value: g.singular_value,
        };
        let measures = experiment.measures.iter().zip(&found.rms);
        FitResult {
            scene,
            converged: found.converged,
            iterations: found.iterations,
            runs: found.runs,
            correlation: found.correlation,
            indistinct: found.indistinct.into_iter().map(group).collect(),
            measures: measures.map(|(m, rms)| MeasureResult { probe: m.probe.clone(), rms: *rms }).collect(),
            parameters: found.estimates.into_iter().map(parameter).collect(),
        }
    }

    fn text(&self) -> String {
        let how = if self.converged { "converged" } else { "not converged" };
        let mut text = format!(
            "{}: {how} after {} and {}\n\n",
            self.scene,
            count(self.iterations, "iteration"),
            count(self.runs, "run")
        );
        let mut lines = vec![["  parameter", "value", "95 % interval"].map(String::from).to_vec()];
        for parameter in &self.parameters {
            let unit = if parameter.unit.is_empty() { String::new() } else { format!(" {}", parameter.unit) };
            let range = match parameter.interval {
                Some([low, high]) => format!("{} to {}{unit}", digits(low), digits(high)),
                None => "not determined".to_string(),
            };
            let bound = if parameter.at_bound { "  at its bound" } else { "" };
            let value = format!("{}{unit}", digits(parameter.value));
            lines.push(vec![format!("  {}", parameter.key), value, format!("{range}{bound}")]);
        }
        text += &aligned(&lines);
        let mut lines = vec![["  measure", "rms of residuals"].map(String::from).to_vec()];
        lines.extend(self.measures.iter().map(|m| vec![format!("  {}", m.probe), digits(m.rms)]));
        text += &format!("\n{}", aligned(&lines));
        for group in &self.indistinct {
            text += &match group.keys.as_slice() {
                [key] => format!("warning: the data do not depend on {key}\n"),
                keys => format!(
                    "warning: the data cannot tell {} apart: relative changes of {} together change nothing\n",
                    keys.join(" and "),
                    group.direction.iter().map(|x| digits(*x)).collect::<Vec<_>>().join(" and ")
                ),
            };
        }
        text
    }
}
