//! Input of a velocity-level solve.

use crate::contact::Contacts;
use crate::force::free_motion::FreeMotion;
use crate::partition::Islands;
use crate::row::rows::Rows;

/// Input of a velocity-level solve.
#[derive(Clone, Copy, Debug)]
pub struct SolveInput<'a> {
    /// Momenta and inertias.
    pub free: &'a FreeMotion,
    /// Contact points, whose rows are in `rows`.
    pub contacts: &'a Contacts,
    /// Rows.
    pub rows: &'a Rows,
    /// Islands.
    pub islands: &'a Islands,
    /// κ: time for which forces act [s].
    pub kick: f64,
}
