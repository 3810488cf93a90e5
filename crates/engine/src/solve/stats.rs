//! Statistics of the solve of an island.

/// Statistics of the solve of an island.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolveStats {
    /// Factorisations done.
    pub factors: u32,
    /// Whether the search was cut off.
    pub stalled: bool,
    /// Largest residual, relative to the largest speed in the island, constrained or not, or the row's right side.
    pub residual: f64,
}
