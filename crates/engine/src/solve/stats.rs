//! Statistics of the solve of an island.

use super::turning::Turning;

/// Statistics of the solve of an island.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolveStats {
    /// Factorisations done.
    pub factors: u32,
    /// Whether the search was cut off.
    pub stalled: bool,
    /// Largest residual, relative to the largest speed in the island, constrained or not, or the row's right side.
    pub residual: f64,
    /// The fastest vibration of its joints under load [rad/s], and the place of a body that takes part.
    pub fastest: Option<(f64, u32)>,
    /// How fast the arms of its joints turn.
    pub turning: Turning,
}
