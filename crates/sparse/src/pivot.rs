//! Pivot d → 1/d, or 0 for a row that says nothing new.
//!
//! A dual pivot is d = −m, m ≥ 0 the mobility its row still has. What it had before earlier constraints
//! took their share is scale = Σ_r + Σ (increments from eliminated bodies). m is a difference of numbers of
//! size scale, so it carries a rounding error of about 10⁻¹⁶ · scale · (number of updates):
//!
//! m ≤ drop · scale is noise: the row depends on earlier ones, and 1/d ← 0 makes its multiplier 0.
//!
//! Only a node from which *other* nodes have taken mobility can be redundant in the mechanism (a loop). Where none
//! has, as everywhere in a tree, a small m is real: the axial row of a ball joint under a load of mass ratio
//! 10⁹ has m = 10⁻⁹ · scale once its two transverse rows are gone. In such nodes only rounding
//! itself makes a row dependent on its siblings.

use crate::pattern::NodeIx;

/// When a dual row that shares its bodies with rows eliminated before counts as dependent on them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerance {
    /// A row whose remaining mobility is at most `drop` times its original mobility is dropped.
    pub drop: f64,
}

impl Default for Tolerance {
    /// drop = 10⁻¹⁰: rounding 10⁻¹⁶ times up to 10⁶ updates.
    fn default() -> Self {
        Tolerance { drop: 1e-10 }
    }
}

/// Where no other node has taken mobility: 10⁻¹⁶ times some 100 operations on one row.
const WITHIN_NODE: Tolerance = Tolerance { drop: 1e-14 };

/// A dual row found to depend on rows eliminated before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dropped {
    /// The dual node.
    pub node: NodeIx,
    /// The row within the node, from 0.
    pub row: usize,
}

/// What happened in one factorisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// Number of dual rows dropped as dependent; [`crate::Factor::dropped`] names them.
    pub dropped: usize,
    /// Number of primal pivots that were not positive and finite: H was not positive definite there.
    pub lost_primal: usize,
}

impl Tolerance {
    /// The tolerance for a node of whose rows other duals took `taken`.
    #[inline(always)]
    pub(crate) fn for_node<const K: usize>(self, taken: &[f64; K]) -> Tolerance {
        if *taken == [0.0; K] { WITHIN_NODE } else { self }
    }

    /// 1/d of the dual pivot d, or `None` for a dependent row. NaN and a wrong sign count as dependent.
    #[inline(always)]
    pub(crate) fn invert_dual(self, d: f64, scale: f64) -> Option<f64> {
        let m = -d;
        if !(m > self.drop * scale && m < f64::INFINITY && scale < f64::INFINITY) {
            return None;
        }
        Some(-1.0 / m)
    }
}

/// 1/d of the primal pivot d, or `None` if d is not positive and finite.
#[inline(always)]
pub(crate) fn invert_primal(d: f64) -> Option<f64> {
    (d > 0.0 && d < f64::INFINITY).then(|| 1.0 / d)
}
