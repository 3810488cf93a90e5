//! A linear spring between two neighbouring points.
//!
//! ```text
//! E = ½ k (|d| − l)²      ∂E/∂d = k (|d| − l) u      ∂²E/∂d² = k (u uᵀ + (1 − l/|d|) (1 − u uᵀ))
//! ```
//!
//! with d from the first point to the second and u = d/|d|. A compressed spring (|d| < l) destabilises its ends
//! transversely: the second term is then negative, and is omitted where the matrix must be positive definite.

use glam::{DMat3, DVec3};
use windlass_engine::math::outer;

/// A spring of stiffness k [N/m] and natural length l [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// k = EA/l [N/m].
    pub stiffness: f64,
    /// l [m].
    pub rest: f64,
}

impl Stretch {
    /// E [J].
    pub fn energy(&self, d: DVec3) -> f64 {
        let longer = d.length() - self.rest;
        0.5 * self.stiffness * longer * longer
    }

    /// ∂E/∂d [N]: the force on the first point towards the second.
    pub fn gradient(&self, d: DVec3) -> DVec3 {
        d.normalize_or_zero() * (self.stiffness * (d.length() - self.rest))
    }

    /// ∂²E/∂d² [N/m]; only its positive part if `positive`.
    pub fn hessian(&self, d: DVec3, positive: bool) -> DMat3 {
        let length = d.length();
        // points that coincide have no direction
        let Some(u) = d.try_normalize() else { return DMat3::from_diagonal(DVec3::splat(self.stiffness)) };
        let across = 1.0 - self.rest / length;
        let across = if positive { across.max(0.0) } else { across };
        let along = outer(u, u);
        (along + (DMat3::IDENTITY - along) * across) * self.stiffness
    }
}
