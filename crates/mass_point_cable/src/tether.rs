//! A tether: a point pulled towards a target with a limited force.
//!
//! ```text
//! force = k d  up to F,  k = F/reach       E = ½ k d²,  beyond the reach  F (d − reach/2)
//! ```
//!
//! with d the vector from the point to the target: if the point is held back elsewhere, the target moves ahead without
//! tearing.

use glam::{DMat3, DVec3};

/// A tether of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointTether {
    /// Index of the point.
    pub point: usize,
    /// Target position [m].
    pub target: DVec3,
    /// Force limit F [N].
    pub force: f64,
    /// The distance from the target at which the force limit is reached [m].
    pub reach: f64,
}

impl PointTether {
    /// A stiff tether: the full force at a millimetre.
    pub fn rigid(point: usize, target: DVec3, force: f64) -> PointTether {
        PointTether { point, target, force, reach: 1e-3 }
    }

    /// Describes an invalid parameter on a cable of so many points, if any.
    pub(crate) fn problem(&self, count: usize) -> Option<String> {
        if self.point >= count {
            return Some(format!("point {} has a tether, but there are only {count} points", self.point));
        }
        if !self.target.abs().cmplt(DVec3::splat(1e10)).all() {
            return Some(format!(
                "the target of point {} is {}: give metres below 1e10",
                self.point, self.target
            ));
        }
        if !(self.force >= 0.0 && self.force.is_finite() && self.reach > 0.0 && self.reach.is_finite()) {
            let (force, reach) = (self.force, self.reach);
            return Some(format!(
                "a tether of {force} N with a reach of {reach} m: give 0 N or more and a reach above 0"
            ));
        }
        None
    }

    /// E [J] at a position of the point.
    pub(super) fn energy(&self, x: DVec3) -> f64 {
        let d = (self.target - x).length();
        if d <= self.reach {
            0.5 * self.force / self.reach * d * d
        } else {
            self.force * (d - 0.5 * self.reach)
        }
    }

    /// The force on the point [N].
    pub(super) fn pull(&self, x: DVec3) -> DVec3 {
        let d = self.target - x;
        d * (self.force / d.length().max(self.reach))
    }

    /// Force over distance [N/m]: ∂²E/∂x² within the reach. Beyond it ∂²E/∂x² vanishes along d and would send a light
    /// point far past the target; this is an upper bound of it, and brings the point to the target.
    pub(super) fn hessian(&self, x: DVec3) -> DMat3 {
        let d = (self.target - x).length().max(self.reach);
        DMat3::from_diagonal(DVec3::splat(self.force / d))
    }
}
