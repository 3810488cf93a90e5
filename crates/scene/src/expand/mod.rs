//! Expands the text into tables for the typed reader: includes, parameters, expressions, patterns, prefabs, overrides.
//!
//! ```text
//!  texts ──whole──▶ one table ──overrides──▶ ──parameters──▶ scope
//!                       └──group: patterns, instances──▶ entry by entry, evaluated and named ──▶ text::*
//! ```
//!
//! It works on TOML values before serde, so that every value keeps its position in the text. It emits one entry at a
//! time, so that a large pattern is never held as tables at once. The number of entries is bounded before they are
//! created.

pub mod entry;
pub mod expression;
pub mod fill;
pub mod group;
pub mod load;
pub mod overrides;
pub mod scope;

use crate::decode;
use crate::error::{Problems, Sources};
use crate::suggestion;
use crate::upgrade::VERSION;
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Most syntax errors that are reported of a file.
const SYNTAX_ERRORS: usize = 3;

/// The texts of all files as one table; a name defined by two files is reported.
pub fn whole<'i>(
    texts: &'i [Arc<str>],
    order: &[usize],
    sources: &Sources,
    problems: &mut Problems,
) -> DeTable<'i> {
    let mut whole = DeTable::new();
    for &number in order {
        let start = sources.at(number).start();
        let (table, errors) = DeTable::parse_recoverable(&texts[number]);
        // later ones follow from the first
        for error in errors.iter().take(SYNTAX_ERRORS) {
            let problem = decode::problem(error, 0..0);
            problems.push(moved(problem.span, start), problem.message, problem.help);
        }
        if !errors.is_empty() {
            continue;
        }
        let table = moved_table(table.into_inner(), start);
        match table.get("windlass") {
            Some(value) => version(value, problems),
            None => {
                let help = "add it as the first line";
                problems.advise(start..start, "the file has no version: `windlass = 2` is missing", help);
            }
        }
        for (key, value) in table {
            if !matches!(key.get_ref().as_ref(), "windlass" | "include") {
                merge(&mut whole, key, value, sources, problems);
            }
        }
    }
    whole
}

fn version(value: &Spanned<DeValue<'_>>, problems: &mut Problems) {
    let number = value.get_ref().as_integer().and_then(|i| i.as_str().parse().ok());
    match number {
        Some(VERSION) => {}
        Some(1) => {
            let help = "run `windlass upgrade FILE`, which renames keys and keeps comments";
            problems.advise(value.span(), "the file has format version 1", help);
        }
        _ => {
            let help = format!("this program reads version {VERSION}: write `windlass = {VERSION}`");
            problems.advise(value.span(), "the file has an unknown format version", help);
        }
    }
}

/// Adds a section of a file to those of the files before it.
fn merge<'i>(
    whole: &mut DeTable<'i>,
    section: Spanned<std::borrow::Cow<'i, str>>,
    value: Spanned<DeValue<'i>>,
    sources: &Sources,
    problems: &mut Problems,
) {
    let Some(known) = whole.get_mut(section.get_ref().as_ref()) else {
        whole.insert(section, value);
        return;
    };
    let (DeValue::Table(known), DeValue::Table(_)) = (known.get_mut(), value.get_ref()) else {
        let message =
            format!("`{}` is not a table, but two files define it", suggestion::shortened(section.get_ref()));
        problems.advise(section.span(), message, "leave one of them out");
        return;
    };
    let DeValue::Table(new) = value.into_inner() else { return };
    for (key, value) in new {
        match known.get_key_value(key.get_ref().as_ref()) {
            Some((other, _)) => {
                let name = suggestion::shortened(key.get_ref());
                let message = format!("`{}.{name}` is defined twice", section.get_ref());
                let help = format!("the other is at {}: rename one of them", sources.shown(&other.span()));
                problems.advise(key.span(), message, help);
            }
            None => drop(known.insert(key, value)),
        }
    }
}

fn moved(span: Range<usize>, by: usize) -> Range<usize> {
    span.start + by..span.end + by
}

/// A value of a text that starts at another byte of the concatenated texts. The parser bounds the depth of values.
fn moved_value(value: Spanned<DeValue<'_>>, by: usize) -> Spanned<DeValue<'_>> {
    let span = moved(value.span(), by);
    let value = match value.into_inner() {
        DeValue::Array(list) => DeValue::Array(list.into_iter().map(|v| moved_value(v, by)).collect()),
        DeValue::Table(table) => DeValue::Table(moved_table(table, by)),
        other => other,
    };
    Spanned::new(span, value)
}

fn moved_table(table: DeTable<'_>, by: usize) -> DeTable<'_> {
    if by == 0 {
        return table;
    }
    let move_key = |key: Spanned<_>| Spanned::new(moved(key.span(), by), key.into_inner());
    table.into_iter().map(|(key, value)| (move_key(key), moved_value(value, by))).collect()
}
