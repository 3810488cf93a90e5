//! Who is at the levers of a run: values that are held, a table, or chance; and the levers of a recording as such a table.
//!
//! A table has a column `time` and one for each input it moves, named as the input or as its probe (`inputs.hoist`), with or
//! without its unit in brackets. A line holds from its time to the next; an empty cell changes nothing.

use crate::replay::player;
use crate::table::{self, Destination, Trouble};
use crate::{Outcome, show};
use clap::Args;
use std::path::{Path, PathBuf};
use windlass_engine::prelude::InputId;
use windlass_record::Error;
use windlass_scene::control::operator::{Join, Operator, Steady, Timeline, Wander};
use windlass_scene::control::{Control, Move, find};

/// Who moves the scene's inputs, instead of its script.
#[derive(Args, Debug)]
pub struct Levers {
    /// Hold an input at a value, with or without its unit: "hoist=0.5 m/s". As often as you like
    #[arg(long, value_name = "INPUT=VALUE", value_parser = setting)]
    set_input: Vec<(String, String)>,
    /// Move inputs as a table says, CSV or Parquet: a column time, and one for each input. A line holds until the next
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,
    /// Join the lines of --inputs by straight lines instead
    #[arg(long, requires = "inputs")]
    inputs_linear: bool,
    /// Move all inputs by chance inside their ranges, the same way for the same seed
    #[arg(long, value_name = "SEED", conflicts_with = "inputs")]
    random_operator: Option<u64>,
}

fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_string(), value.trim().to_string()))
        }
        _ => Err("give INPUT=VALUE, such as hoist=0.5".to_string()),
    }
}

impl Levers {
    /// The operators that were asked for; what is wrong is told.
    pub fn operators(&self, controls: &[Control]) -> Result<Vec<Box<dyn Operator>>, Outcome> {
        let mut operators: Vec<Box<dyn Operator>> = Vec::new();
        let held = self.held(controls).map_err(|e| show::refuse(&format!("--set-input {e}")))?;
        let is_held = |name: &str| held.iter().any(|m| m.input == name);
        if let Some(path) = &self.inputs {
            let join = if self.inputs_linear { Join::Linear } else { Join::Steps };
            let timeline = timeline(path, controls, join).map_err(|trouble| match trouble {
                Trouble::File(e) => {
                    show::tell(&format!("error: {e}"));
                    Outcome::File
                }
                Trouble::Input(e) => show::refuse(&e),
            })?;
            if let Some(both) = timeline.inputs().find(|name| is_held(name)) {
                let path = path.display();
                return Err(show::refuse(&format!(
                    "input \"{both}\" is held by --set-input and moved by {path}"
                )));
            }
            operators.push(Box::new(timeline));
        }
        if let Some(seed) = self.random_operator {
            let free: Vec<_> = controls.iter().filter(|c| !is_held(&c.name)).cloned().collect();
            if free.is_empty() {
                return Err(show::refuse(
                    "--random-operator: the scene has no inputs to move: write [inputs.NAME]",
                ));
            }
            operators.push(Box::new(Wander::new(&free, seed)));
        }
        if !held.is_empty() {
            operators.push(Box::new(Steady(held)));
        }
        Ok(operators)
    }

    fn held(&self, controls: &[Control]) -> Result<Vec<Move>, String> {
        let mut held: Vec<Move> = Vec::new();
        for (name, text) in &self.set_input {
            let control = find(controls, name)?;
            let value = control.value(text).map_err(|e| format!("{name}: {e}"))?;
            if held.iter().any(|m| m.input == *name) {
                return Err(format!("{name}: it is held twice"));
            }
            held.push(Move { input: name.clone(), to: Some(value) });
        }
        Ok(held)
    }
}

/// The table of a file as an operator.
fn timeline(path: &Path, controls: &[Control], join: Join) -> Result<Timeline, Trouble> {
    let told = |e: String| Trouble::Input(format!("{}: {e}", path.display()));
    let mut times = None;
    let mut columns = Vec::new();
    for column in table::read(path, &[])? {
        if column.name == "time" {
            times = Some(column.numbers);
            continue;
        }
        let name = column.name.strip_prefix("inputs.").unwrap_or(&column.name).to_string();
        let control = find(controls, &name).map_err(told)?;
        let scale = match column.told.as_deref() {
            None | Some("") => 1.0,
            Some(unit) => {
                let of_unit = control.measured(&format!("1 {unit}"));
                of_unit.map_err(|e| told(format!("column \"{name}\": {e}")))?
            }
        };
        columns.push((name, column.numbers.into_iter().map(|x| scale * x).collect()));
    }
    let times = times.ok_or_else(|| told("no column \"time\"".to_string()))?;
    if columns.is_empty() {
        return Err(told("no column of an input: name one as the input".to_string()));
    }
    Timeline::new(controls, &times, columns, join).map_err(told)
}

/// Writes what the inputs of a recording were wanted to be, a line wherever that changed: a drive that can be run again, on
/// another scene too.
pub fn export(file: &Path, to: &Destination) -> Result<Outcome, Error> {
    let mut player = player(file)?;
    let Some(steps) = player.recording().steps() else {
        return Ok(show::refuse("the recording has no frames"));
    };
    player.make_edits()?;
    let controls = &player.stage().built.controls;
    if controls.is_empty() {
        return Ok(show::refuse("the scene of the recording has no inputs"));
    }
    let unwritten = |source| Error::File { name: to.path.display().to_string(), source };
    let mut table = to.create().map_err(unwritten)?;
    let heads = controls.iter().map(|c| format!("{} [{}]", c.name, ascii(&c.unit)));
    table.head(&["time [s]".to_string()].into_iter().chain(heads).collect::<Vec<_>>()).map_err(unwritten)?;
    let ids: Vec<Option<InputId>> = controls.iter().map(|c| c.id).collect();
    let mut last = Vec::new();
    for _ in *steps.start()..*steps.end() {
        // after a step its inputs have what was wanted when it began
        let time = player.world().state().time;
        player.advance()?;
        let world = player.world();
        let wanted = ids.iter().map(|id| id.and_then(|id| world.input(id)).map_or(f64::NAN, |i| i.wanted));
        let line: Vec<f64> = [time].into_iter().chain(wanted).collect();
        if last.get(1..) != line.get(1..) {
            table.row(&line).map_err(unwritten)?;
            last = line;
        }
    }
    table.finish().map_err(unwritten)?;
    Ok(Outcome::Well)
}

/// A unit as tables have it.
fn ascii(unit: &str) -> String {
    unit.replace('·', "*").replace('²', "^2")
}
