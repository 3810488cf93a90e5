//! Tables of shards → one table, with the bytes that a sweep without shards writes.

use super::summary::{Outcomes, Summary};
use crate::outcome::Outcome;
use crate::show;
use crate::table::Destination;
use crate::table::content::Content;
use crate::table::sweep;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use windlass_sweep::table::{self, Header, Line};

/// Missing rows that are listed.
const LISTED: usize = 5;

/// Merges; errors are printed.
pub fn merge(files: &[PathBuf], to: &Destination, replace: bool) -> Result<Summary, Outcome> {
    if to.path.exists() && !replace {
        let path = to.path.display();
        return Err(show::refuse(&format!("{path} already exists\n  help: give another name, or --replace")));
    }
    let mut texts = Vec::new();
    for path in files {
        let text = fs::read_to_string(path).map_err(|e| {
            show::tell(&format!(
                "error: cannot read {}: {e}\n  help: shards are merged from CSV tables",
                path.display()
            ));
            Outcome::File
        })?;
        texts.push((path.display().to_string(), text));
    }
    let merged = join(&texts).map_err(|e| show::refuse(&e))?;
    sweep::write(to, &merged).map_err(|e| {
        show::tell(&format!("error: cannot write {}: {e}", to.path.display()));
        Outcome::File
    })?;
    let content = Content::of(&merged).map_err(|e| show::refuse(&e.to_string()))?;
    let course = Outcomes { table_rows: content.header.rows, ..Outcomes::default() };
    Ok(Summary::of(&content, to.path.display().to_string(), course))
}

/// The text of the table of all rows of some tables, with their names.
fn join(texts: &[(String, String)]) -> Result<String, String> {
    let mut whole: Option<(&str, Header)> = None;
    let mut rows: BTreeMap<u64, (&str, &str)> = BTreeMap::new();
    for (name, text) in texts {
        let told = |e: windlass_sweep::SweepError| format!("{name}: {}\n  help: {}", e.message, e.help);
        let (header, lines) = Header::read(text).map_err(told)?;
        match &whole {
            Some((first, other)) if *other != header => {
                return Err(format!(
                    "{first} and {name} belong to different sweeps\n  help: merge the shards of one sweep: same scene, options and version"
                ));
            }
            Some(_) => {}
            None => whole = Some((name, header.clone())),
        }
        for Line { index, text, .. } in table::rows(&header, lines).map_err(told)? {
            match rows.insert(index, (name, text)) {
                Some((other, old)) if old != text => {
                    return Err(format!(
                        "{other} and {name} have different rows {index}\n  help: compute the shards again, with the same version"
                    ));
                }
                _ => {}
            }
        }
    }
    let Some((_, header)) = whole else {
        return Err("there is nothing to merge\n  help: name the tables after --merge".to_string());
    };
    if rows.len() as u64 != header.rows {
        let missing = (0..header.rows).filter(|index| !rows.contains_key(index));
        let list: Vec<_> = missing.take(LISTED).map(|index| index.to_string()).collect();
        let more = header.rows - rows.len() as u64;
        return Err(format!(
            "{more} of {} rows are missing: {}{}\n  help: complete the shards with --resume, then merge all of them",
            header.rows,
            list.join(", "),
            if more > LISTED as u64 { ", …" } else { "" }
        ));
    }
    let lines = rows.values().map(|(_, line)| *line);
    Ok(std::iter::once(header.lines().as_str()).chain(lines).collect())
}
