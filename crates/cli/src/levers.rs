//! The options that move inputs → operators: values that are held, a table, or a random generator.
//!
//! A table has a column `time` and one column per input it moves, named as the input or as its probe (`inputs.hoist`), with or
//! without its unit in brackets. A line holds from its time to the next; an empty cell changes nothing.

use crate::outcome::Outcome;
use crate::show;
use crate::table::{self, Read, Trouble};
use clap::Args;
use std::path::{Path, PathBuf};
use windlass_host::operator::{self, InputColumn, OperatorError};
use windlass_scene::Control;
use windlass_scene::control::operator::{Join, Operator, Timeline};

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
    /// The operators of the run; errors are printed.
    pub fn operators(&self, controls: &[Control]) -> Result<Vec<Box<dyn Operator>>, Outcome> {
        let held = operator::held(&self.set_input, controls)
            .map_err(|e| show::refuse(&format!("--set-input {e}")))?;
        let table = self.inputs.as_ref().map(|path| self.timeline(path, controls)).transpose()?;
        operator::operators(held, table, self.random_operator, controls).map_err(|e| {
            match (e, &self.inputs) {
                (OperatorError::HeldAndMoved(both), Some(path)) => {
                    let path = path.display();
                    show::refuse(&format!("input \"{both}\" is held by --set-input and moved by {path}"))
                }
                (e, _) => show::refuse(&format!("--random-operator: {e}")),
            }
        })
    }

    /// The table of a file.
    fn timeline(&self, path: &Path, controls: &[Control]) -> Result<Timeline, Outcome> {
        let join = if self.inputs_linear { Join::Linear } else { Join::Steps };
        let columns = table::read(path, &[]).map_err(|trouble| match trouble {
            Trouble::File(e) => {
                show::tell(&format!("error: {e}"));
                Outcome::File
            }
            Trouble::Input(e) => show::refuse(&e),
        })?;
        let column = |c: Read| InputColumn { name: c.name, unit: c.told, numbers: c.numbers };
        operator::timeline(columns.into_iter().map(column).collect(), controls, join)
            .map_err(|e| show::refuse(&format!("{}: {e}", path.display())))
    }
}
