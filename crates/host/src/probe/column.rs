//! A column of outputs: one number with its name and unit.

use super::indeterminate::REMARK;
use super::source::Source;

/// One number.
#[derive(Clone, Debug)]
pub struct Column {
    /// Without its unit.
    pub name: String,
    /// In ASCII, as scene files have it: "m/s^2". Empty for plain numbers.
    pub unit: &'static str,
    pub(super) source: Source,
}

impl Column {
    /// The simulated time.
    pub(super) fn time() -> Column {
        Column { name: "time".to_string(), unit: "s", source: Source::Time }
    }
}

/// Name and unit of the head of a column of a table: `name [unit]`, `name [unit] (indeterminate)`, or the name alone.
pub fn parts_of_head(head: &str) -> (&str, Option<&str>) {
    // the remark is not part of the name
    let head = head.strip_suffix(REMARK).unwrap_or(head);
    let parts = head.strip_suffix(']').and_then(|h| h.rsplit_once(" ["));
    parts.map_or((head, None), |(name, unit)| (name, Some(unit)))
}
