//! Tables: aligned text for people, JSON for machines.

use serde_json::{Map, Value, json};
use std::fmt;

/// One entry.
#[derive(Clone, Debug)]
pub enum Cell {
    Text(String),
    /// A number, shown with so many significant digits.
    Number(f64, usize),
    Empty,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_string())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Cell {
        Cell::Number(count as f64, 17)
    }
}

/// Three significant digits, which is what times repeat to.
impl From<f64> for Cell {
    fn from(value: f64) -> Cell {
        Cell::Number(value, 3)
    }
}

impl Cell {
    fn shown(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Number(value, digits) => number(*value, *digits),
            Cell::Empty => String::new(),
        }
    }

    fn value(&self) -> Value {
        match self {
            Cell::Text(text) => json!(text),
            // what is not finite has no number in JSON: null
            Cell::Number(value, _) => json!(value),
            Cell::Empty => Value::Null,
        }
    }
}

/// A number with so many significant digits, without exponent where that is readable.
fn number(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return "-".to_string();
    }
    if value == value.trunc() && value.abs() < 1e15 && (digits > 15 || value == 0.0) {
        return format!("{value:.0}");
    }
    let power = libm::floor(libm::log10(value.abs())) as i32;
    if !(-4..7).contains(&power) {
        return format!("{value:.*e}", digits.saturating_sub(1));
    }
    let decimals = (digits as i32 - 1 - power).max(0) as usize;
    format!("{value:.decimals$}")
}

/// A titled table with remarks below.
#[derive(Clone, Debug)]
pub struct Table {
    pub title: String,
    pub columns: Vec<&'static str>,
    pub rows: Vec<Vec<Cell>>,
    pub notes: Vec<String>,
}

/// A row from entries of any kind.
#[macro_export]
macro_rules! row {
    ($($cell:expr),* $(,)?) => { vec![$($crate::table::Cell::from($cell)),*] };
}

impl Table {
    pub fn new(title: impl Into<String>, columns: &[&'static str]) -> Table {
        let twice = (1..columns.len()).find(|k| columns[..*k].contains(&columns[*k]));
        assert!(twice.is_none(), "column {twice:?} has the name of another");
        Table { title: title.into(), columns: columns.to_vec(), rows: Vec::new(), notes: Vec::new() }
    }

    pub fn push(&mut self, row: Vec<Cell>) {
        assert_eq!(row.len(), self.columns.len(), "cells of a row of \"{}\"", self.title);
        self.rows.push(row);
    }

    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    pub fn json(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            let pairs = self.columns.iter().zip(row).map(|(name, cell)| (name.to_string(), cell.value()));
            Value::Object(pairs.collect::<Map<_, _>>())
        });
        json!({ "title": self.title, "rows": rows.collect::<Vec<_>>(), "notes": self.notes })
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: Vec<Vec<String>> = self.rows.iter().map(|r| r.iter().map(Cell::shown).collect()).collect();
        let width = |k: usize| {
            let cells = shown.iter().map(|r| r[k].chars().count());
            cells.chain([self.columns[k].chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        // text to the left, numbers to the right, a column as its first filled entry
        let is_text = |k: usize| {
            let filled = self.rows.iter().map(|r| &r[k]).find(|c| !matches!(c, Cell::Empty));
            matches!(filled, Some(Cell::Text(_)))
        };
        let line = |f: &mut fmt::Formatter<'_>, cells: &[String]| {
            let padded = cells.iter().enumerate().map(|(k, cell)| {
                let w = widths[k];
                if is_text(k) { format!("{cell:<w$}") } else { format!("{cell:>w$}") }
            });
            writeln!(f, "{}", padded.collect::<Vec<_>>().join("  ").trim_end())
        };
        writeln!(f, "{}\n", self.title)?;
        line(f, &self.columns.iter().map(|c| c.to_string()).collect::<Vec<_>>())?;
        line(f, &widths.iter().map(|w| "-".repeat(*w)).collect::<Vec<_>>())?;
        shown.iter().try_for_each(|row| line(f, row))?;
        self.notes.iter().try_for_each(|note| writeln!(f, "  {note}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits() {
        let cases =
            [(12.345, "12.3"), (0.00123456, "0.00123"), (1234.5, "1234"), (0.0, "0"), (2e-9, "2.00e-9")];
        for (value, text) in cases {
            assert_eq!(number(value, 3), text);
        }
        assert_eq!(number(5000.0, 17), "5000");
        assert_eq!(number(f64::NAN, 3), "-");
    }

    #[test]
    fn columns_line_up() {
        let mut table = Table::new("t", &["name", "x"]);
        table.push(row!["a", 1.0]);
        table.push(row!["long", Cell::Empty]);
        let text = table.to_string();
        assert!(text.contains("name     x\n----  ----\na     1.00\nlong\n"), "{text}");
    }
}
