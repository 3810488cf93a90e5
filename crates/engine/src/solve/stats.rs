//! Statistics of the solve of an island.

use super::turning::Turning;

/// Statistics of the solve of an island.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolveStats {
    /// Factorisations done.
    pub factors: u32,
    /// Whether the search was stopped early.
    pub stalled: bool,
    /// Largest residual, relative to the largest speed in the island, constrained or not, or to the row's right-hand
    /// side.
    pub residual: f64,
    /// The fastest vibration of its joints under load [rad/s], and the index of a body that takes part.
    pub fastest: Option<(f64, u32)>,
    /// Rotation rates of the arms of its joints.
    pub turning: Turning,
}
