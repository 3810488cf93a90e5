//! A column of outputs: one number with its name and unit.

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
