//! The summary of a sweep, as text and as JSON.

use crate::table::content::{Content, Kind};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write;
use windlass_host::text::digits;
use windlass_sweep::Status;
use windlass_sweep::table::AFTER;

/// Summary of a sweep.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Summary {
    /// Name of the scene; none after a merge.
    pub scene: Option<String>,
    /// The table.
    pub output: String,
    /// Hash of everything that determines the rows, hexadecimal.
    pub digest: String,
    /// Rows of the whole sweep.
    pub sweep_rows: u64,
    /// Rows that belong into this table: all, or those of the shard.
    pub table_rows: u64,
    /// Rows that were in the table already.
    pub resumed: u64,
    /// Rows in the table whose runs are complete.
    pub ok: u64,
    /// Rows in the table whose runs stopped at a fault.
    pub faults: u64,
    /// Rows in the table with values that make the scene invalid.
    pub errors: u64,
    /// Columns of values and measures.
    pub columns: Vec<ColumnRange>,
    /// Wall time [s].
    pub wall_time: f64,
    /// Whether a signal ended the sweep early.
    pub interrupted: bool,
}

/// The range of a column over the rows whose runs are complete.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ColumnRange {
    /// Head of the column.
    pub name: String,
    /// Empty for plain numbers and texts.
    pub unit: String,
    /// Whether it is a varied key; the others are measures.
    pub varied: bool,
    /// Smallest value.
    pub min: Option<f64>,
    /// Mean value.
    pub mean: Option<f64>,
    /// Largest value.
    pub max: Option<f64>,
}

/// How a sweep was run.
#[derive(Debug, Default)]
pub struct Outcomes {
    pub scene: Option<String>,
    pub table_rows: u64,
    pub resumed: u64,
    pub wall_time: f64,
    pub interrupted: bool,
}

impl Summary {
    /// The summary of a table.
    pub fn of(content: &Content, output: String, course: Outcomes) -> Summary {
        let place = content.header.columns.len() - AFTER.len();
        let count =
            |wanted: Status| content.statuses().filter(|status| *status == Some(wanted)).count() as u64;
        let kinds = content.kinds();
        let columns = (1..place).map(|place| range(content, place, kinds[place])).collect();
        let Outcomes { scene, table_rows, resumed, wall_time, interrupted } = course;
        Summary {
            scene,
            output,
            digest: format!("{:016x}", content.header.digest),
            sweep_rows: content.header.rows,
            table_rows,
            resumed,
            ok: count(Status::Ok),
            faults: count(Status::Fault),
            errors: count(Status::Error),
            columns,
            wall_time,
            interrupted,
        }
    }

    /// As text.
    pub fn table(&self) -> String {
        let mut out = String::new();
        let mut line = |name: &str, text: String| {
            let _ = writeln!(out, "{name:<20}{text}");
        };
        if let Some(scene) = &self.scene {
            line("scene", scene.clone());
        }
        let there = self.ok + self.faults + self.errors;
        let of = if self.table_rows < self.sweep_rows {
            format!(", of {} in all", self.sweep_rows)
        } else {
            String::new()
        };
        let early = if self.interrupted { " (interrupted; continue with --resume)" } else { "" };
        line("rows", format!("{there} of {}{of}{early}", self.table_rows));
        if self.resumed > 0 {
            line("resumed", format!("{} were in the table", self.resumed));
        }
        line("status", format!("{} ok, {} fault, {} error", self.ok, self.faults, self.errors));
        line("wall time", format!("{} s", digits(self.wall_time)));
        let wide = self.columns.iter().map(|c| c.name.chars().count() + c.unit.chars().count() + 3);
        let wide = wide.max().unwrap_or(0).max(18) + 2;
        let _ = writeln!(out, "{:<wide$}{:>12}{:>12}{:>12}", "column", "least", "average", "largest");
        for column in &self.columns {
            let head = match column.unit.as_str() {
                "" => column.name.clone(),
                unit => format!("{} [{unit}]", column.name),
            };
            let [min, mean, max] =
                [column.min, column.mean, column.max].map(|x| x.map(digits).unwrap_or_default());
            let text = format!("{head:<wide$}{min:>12}{mean:>12}{max:>12}");
            let _ = writeln!(out, "{}", text.trim_end());
        }
        let _ = writeln!(out, "{:<20}{}", "table", self.output);
        out
    }
}

/// The range of a column over complete runs.
fn range(content: &Content, place: usize, kind: Kind) -> ColumnRange {
    let numbers = content.numbers(place).into_iter().zip(content.statuses());
    let numbers = numbers.filter(|(x, status)| *status == Some(Status::Ok) && x.is_finite());
    let numbers: Vec<f64> = numbers.map(|(x, _)| x).collect();
    let some = |x: f64| (kind == Kind::Number && !numbers.is_empty()).then_some(x);
    let (name, unit) = content.name(place);
    ColumnRange {
        name: name.to_string(),
        unit: unit.to_string(),
        varied: place <= content.header.varied,
        min: some(numbers.iter().copied().fold(f64::INFINITY, f64::min)),
        mean: some(numbers.iter().sum::<f64>() / numbers.len() as f64),
        max: some(numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
    }
}
