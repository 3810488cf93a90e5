//! Input options → operators: constant values, a table, or a random generator.
//!
//! A table has a column `time` and one column per input it drives, named as the input or as its probe (`inputs.hoist`),
//! with or without its unit in brackets. A line holds from its time to the next; an empty cell changes nothing.

use crate::outcome::Outcome;
use crate::show;
use crate::table::{self, Read, Trouble};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use windlass_host::operator::{self, InputColumn, OperatorError};
use windlass_scene::Control;
use windlass_scene::control::operator::{Join, Operator, Timeline};

/// What drives the scene's inputs, instead of its script.
#[derive(Args, Debug)]
pub struct Levers {
    /// Hold an input at a value, with or without its unit: "hoist=0.5 m/s". May be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    input: Vec<(String, String)>,
    /// Drive inputs by a table, CSV or Parquet: a column `time`, and one per input
    #[arg(long, value_name = "FILE")]
    input_table: Option<PathBuf>,
    /// Interpolation between the lines of --input-table
    #[arg(long, value_name = "METHOD", requires = "input_table", default_value = "hold")]
    interpolate: Interpolate,
    /// Drive all inputs at random within their ranges; the same seed gives the same inputs
    #[arg(long, value_name = "SEED", conflicts_with = "input_table")]
    random_operator: Option<u64>,
}

/// How values change between two lines of a table.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Interpolate {
    /// A value holds until the next line
    Hold,
    /// Values are interpolated linearly
    Linear,
}

fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_string(), value.trim().to_string()))
        }
        _ => Err("give NAME=VALUE, such as hoist=0.5".to_string()),
    }
}

impl Levers {
    /// The operators of the run; errors are printed.
    pub fn operators(&self, controls: &[Control]) -> Result<Vec<Box<dyn Operator>>, Outcome> {
        let held =
            operator::held(&self.input, controls).map_err(|e| show::refuse(&format!("--input {e}")))?;
        let table = self.input_table.as_ref().map(|path| self.timeline(path, controls)).transpose()?;
        operator::operators(held, table, self.random_operator, controls).map_err(|e| {
            match (e, &self.input_table) {
                (OperatorError::HeldAndMoved(both), Some(path)) => {
                    let path = path.display();
                    show::refuse(&format!("input \"{both}\" is set by --input and by {path}"))
                }
                (e, _) => show::refuse(&format!("--random-operator: {e}")),
            }
        })
    }

    /// The table of a file.
    fn timeline(&self, path: &Path, controls: &[Control]) -> Result<Timeline, Outcome> {
        let join = match self.interpolate {
            Interpolate::Hold => Join::Steps,
            Interpolate::Linear => Join::Linear,
        };
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
