//! What a velocity solve reads.

use crate::contact::Contacts;
use crate::force::free_motion::FreeMotion;
use crate::partition::Islands;
use crate::row::rows::Rows;

/// What a velocity solve reads.
#[derive(Clone, Copy, Debug)]
pub struct SolveInput<'a> {
    /// Momenta and inertias.
    pub free: &'a FreeMotion,
    /// Points of contact, whose rows are in `rows`.
    pub contacts: &'a Contacts,
    /// Rows.
    pub rows: &'a Rows,
    /// Islands.
    pub islands: &'a Islands,
    /// κ: how long forces act [s].
    pub kick: f64,
}
