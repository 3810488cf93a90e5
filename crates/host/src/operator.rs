//! What drives the inputs of a run: held values, a table, or a random generator.
//!
//! A table has a column `time` and one column per input it drives, named as the input or as its probe (`inputs.hoist`).
//! A line holds from its time to the next; NaN changes nothing.

use thiserror::Error;
use windlass_scene::control::operator::{Join, Operator, Steady, Timeline, Wander};
use windlass_scene::control::{Control, Move, find};

/// A column of a table of inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct InputColumn {
    /// The name of the input or of its probe, or `time`.
    pub name: String,
    /// The unit of its numbers, if given.
    pub unit: Option<String>,
    /// NaN where there is none.
    pub numbers: Vec<f64>,
}

/// Reasons why inputs cannot be driven in this way.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum OperatorError {
    /// An input is both held and driven by the table.
    #[error("input \"{0}\" is both held and driven by the table")]
    HeldAndMoved(String),
    /// There are no inputs to drive at random.
    #[error("the scene has no inputs to drive: add [inputs.NAME]")]
    NoInputs,
}

/// Inputs held at values, from names and texts with or without a unit.
pub fn held(settings: &[(String, String)], controls: &[Control]) -> Result<Vec<Move>, String> {
    let mut held: Vec<Move> = Vec::new();
    for (name, text) in settings {
        let control = find(controls, name)?;
        let value = control.value(text).map_err(|e| format!("{name}: {e}"))?;
        if held.iter().any(|m| m.input == *name) {
            return Err(format!("{name}: it is held twice"));
        }
        held.push(Move { input: name.clone(), to: Some(value) });
    }
    Ok(held)
}

/// A table as an operator.
pub fn timeline(table: Vec<InputColumn>, controls: &[Control], join: Join) -> Result<Timeline, String> {
    let mut times = None;
    let mut columns = Vec::new();
    for column in table {
        if column.name == "time" {
            times = Some(column.numbers);
            continue;
        }
        let name = column.name.strip_prefix("inputs.").unwrap_or(&column.name).to_string();
        let control = find(controls, &name)?;
        let scale = match column.unit.as_deref() {
            None | Some("") => 1.0,
            Some(unit) => {
                let of_unit = control.measured(&format!("1 {unit}"));
                of_unit.map_err(|e| format!("column \"{name}\": {e}"))?
            }
        };
        columns.push((name, column.numbers.into_iter().map(|x| scale * x).collect()));
    }
    let times = times.ok_or("no column \"time\"")?;
    if columns.is_empty() {
        return Err("no column for an input: name a column after the input".to_string());
    }
    Timeline::new(controls, &times, columns, join)
}

/// The operators of a run: a table, then a random one for all inputs that are not held, then the held values.
pub fn operators(
    held: Vec<Move>,
    table: Option<Timeline>,
    random: Option<u64>,
    controls: &[Control],
) -> Result<Vec<Box<dyn Operator>>, OperatorError> {
    let mut operators: Vec<Box<dyn Operator>> = Vec::new();
    let is_held = |name: &str| held.iter().any(|m| m.input == name);
    if let Some(table) = table {
        if let Some(both) = table.inputs().find(|name| is_held(name)) {
            return Err(OperatorError::HeldAndMoved(both.to_string()));
        }
        operators.push(Box::new(table));
    }
    if let Some(seed) = random {
        let free: Vec<_> = controls.iter().filter(|c| !is_held(&c.name)).cloned().collect();
        if free.is_empty() {
            return Err(OperatorError::NoInputs);
        }
        operators.push(Box::new(Wander::new(&free, seed)));
    }
    if !held.is_empty() {
        operators.push(Box::new(Steady(held)));
    }
    Ok(operators)
}
