//! Values of a factorisation, in the layout of `symbolic.rs`.

use crate::pivot::{Dropped, Outcome, Tolerance};

/// Values of a factorisation.
pub(crate) struct Numeric {
    /// A, then L, in the layout of [`crate::symbolic::Symbolic`].
    pub values: Vec<f64>,
    /// D⁻¹ by entry of a vector.
    pub inverse: Vec<f64>,
    /// Per dual entry: mobility taken from it by eliminated duals of other nodes.
    pub taken: Vec<f64>,
    /// Per dual entry that closes a loop: its own Σ.
    pub softness: Vec<f64>,
    /// Workspace of `rounding_error.rs`.
    pub combination: Vec<f64>,
    pub dropped: Vec<Dropped>,
    pub outcome: Outcome,
    pub tolerance: Tolerance,
}
