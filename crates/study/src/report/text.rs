//! One study → lines for a terminal, with every row of every table.

use crate::findings::{Item, Table};
use crate::run::Done;
use std::fmt::Write;

/// Writes it.
pub fn text(done: &Done) -> String {
    let study = done.study;
    let mut out = String::new();
    let _ = writeln!(out, "{}  {}", study.name, study.title);
    let _ = writeln!(out, "  {}, {}", study.paper.citation(), study.place);
    for (name, value) in &done.findings.parameters {
        let _ = writeln!(out, "  {name}: {value}");
    }
    for item in &done.findings.items {
        match item {
            Item::Table(table) => write_table(&mut out, table),
            Item::Figure(plate) => {
                let _ = writeln!(out, "\n  [figure in the report: {}]", plate.caption);
            }
            Item::Remark(remark) => {
                let _ = writeln!(out, "\n  {remark}");
            }
        }
    }
    let _ = writeln!(out, "\n  {}, {:.1} s\n", super::summary(done), done.took.as_secs_f64());
    out
}

fn write_table(out: &mut String, table: &Table) {
    let _ = writeln!(out, "\n  {}", table.caption);
    let wide = |text: &str| text.chars().count();
    let columns = 0..table.heads.len();
    let cells = |c: usize| table.rows.iter().map(move |row| row.cells[c].as_str());
    let widths: Vec<usize> =
        columns.map(|c| cells(c).map(wide).chain([wide(&table.heads[c])]).max().unwrap_or(0)).collect();
    let line = |cells: &[String]| {
        let parts = cells.iter().zip(&widths).enumerate();
        // words to the left, numbers to the right
        let padded = parts.map(|(c, (cell, width))| {
            let room = " ".repeat(width - wide(cell));
            if c == 0 { format!("{cell}{room}") } else { format!("{room}{cell}") }
        });
        padded.collect::<Vec<_>>().join("  ")
    };
    let _ = writeln!(out, "    {}", line(&table.heads));
    for row in &table.rows {
        let _ = writeln!(out, "    {}  {}", line(&row.cells), row.verdict.word());
    }
}
