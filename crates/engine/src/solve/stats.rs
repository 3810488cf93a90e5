//! How an island's solve went.

/// How an island's solve went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Factorisations done.
    pub factors: u32,
    /// Whether the search was cut off.
    pub stalled: bool,
    /// Largest violation of w, relative to the largest speed in the island, constrained or not, and the row's right side.
    pub residual: f64,
}
