//! Inverse of a pivot d: 1/d, or 0 for a redundant row.
//!
//! A dual pivot is d = −m, m ≥ 0 the mobility its row still has. Its mobility before earlier constraints
//! took their share is scale = Σ_r + Σ (increments from eliminated bodies). m is a difference of numbers of
//! size scale, so it carries a round-off error of about 10⁻¹⁶ · scale · (number of updates):
//!
//! m ≤ drop · scale is noise: the row depends on earlier ones, and 1/d ← 0 makes its multiplier 0. Long lever arms
//! cause more noise than that; `rounding_error.rs` computes it where it matters.
//!
//! A row with a diagonal of its own, Σ_r > 0, keeps m ≥ Σ_r whatever the others take. Where Σ_r is more than the noise
//! it is not dropped, however small against scale: with loads of 10¹⁵ kg a stiff bend has Σ_r = 10⁻¹⁴ · scale.
//!
//! Only a node from which *other* nodes have taken mobility can be redundant in the mechanism (a loop). Where none
//! has, as everywhere in a tree, a small m is real: the axial row of a ball joint under a load of mass ratio
//! 10⁹ has m = 10⁻⁹ · scale once its two transverse rows are eliminated. In such nodes only round-off
//! itself makes a row dependent on its siblings.

use crate::pattern::NodeIx;

/// When a dual row that shares its bodies with rows eliminated before counts as dependent on them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerance {
    /// A row whose remaining mobility is at most `drop` times its original mobility is dropped.
    pub drop: f64,
}

impl Default for Tolerance {
    /// drop = 10⁻¹⁰: round-off 10⁻¹⁶ times up to 10⁶ updates.
    fn default() -> Self {
        Tolerance { drop: 1e-10 }
    }
}

/// A dual row found to depend on rows eliminated before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dropped {
    /// The dual node.
    pub node: NodeIx,
    /// The row within the node, from 0.
    pub row: usize,
}

/// Result of one factorisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// Number of dual rows dropped as dependent; [`crate::Factor::dropped`] lists them.
    pub dropped: usize,
    /// Number of primal pivots that were not positive and finite: H was not positive definite there.
    pub lost_primal: usize,
}

impl Tolerance {
    /// For nodes from which no other node has taken mobility: 10⁻¹⁶ times some 100 operations on one row.
    pub(crate) const WITHIN_NODE: Tolerance = Tolerance { drop: 1e-14 };

    /// Whether a closer check must decide if a remaining mobility is noise: `drop` keeps it, or the row is soft.
    /// Regular rows that small (MB03 at its singular pose has 2 · 10⁻⁶) are checked and kept.
    #[inline(always)]
    pub(crate) fn doubts(self, mobility: f64, scale: f64, softness: f64) -> bool {
        (mobility > self.drop * scale || softness > 0.0) && mobility <= DOUBT * scale
    }
}

/// Thresholds of a dual pivot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Floor {
    /// A mobility up to this is noise.
    pub noise: f64,
    /// The mobility that the row always has.
    pub least: f64,
}

impl Floor {
    /// For a row that may have none.
    pub fn at(noise: f64) -> Floor {
        Floor { noise, least: 0.0 }
    }

    /// The same as [`invert_dual`], for a row that always has some mobility.
    pub fn invert_dual(self, d: f64) -> f64 {
        let is_less = self.least > 0.0 && d.is_finite() && -d < self.least;
        invert_dual(if is_less { -self.least } else { d }, self.noise)
    }
}

/// 1/d of the dual pivot d, or 0 for a row with no more mobility than noise. NaN and a wrong sign count as dependent.
#[inline(always)]
pub(crate) fn invert_dual(d: f64, noise: f64) -> f64 {
    let m = -d;
    if m > noise && m < f64::INFINITY && noise < f64::INFINITY { -1.0 / m } else { 0.0 }
}

/// Above this fraction of its original mobility a row is independent, whatever the lever arms: noise grows with the
/// cube of a ring's links, 7 · 10⁻⁷ at 3000, so it reaches this at some 15 000.
const DOUBT: f64 = 1e-4;

/// 1/d of the primal pivot d, or 0 if d is not positive and finite.
#[inline(always)]
pub(crate) fn invert_primal(d: f64) -> f64 {
    if d > 0.0 && d < f64::INFINITY { 1.0 / d } else { 0.0 }
}
