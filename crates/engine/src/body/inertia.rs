//! Inertia of a body: mass, principal moments and axes, derived once from the model.

use crate::math;
use glam::{DMat3, DQuat, DVec3};

/// Inertia of a body, derived once from the model.
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyInertia {
    /// Whether it is dynamic.
    pub free: bool,
    /// Whether gravity acts on it.
    pub gravity: bool,
    /// The number of its partition.
    pub partition: u16,
    /// Effective mass of the step, including its damping [kg].
    pub mass: f64,
    /// Principal moments about the centre of mass [kg·m²].
    pub moments: DVec3,
    /// 1/moments.
    pub inverse: DVec3,
    /// Orientation of the principal axes in the body's.
    pub axes: DQuat,
    /// 1 − ρ for a body integrated as a free symmetric top: about its first principal axis if positive, its last if
    /// negative. 0 for other bodies, and for isotropic ones.
    pub own: f64,
    /// Axis about which it spins as a fast rotor in this step (`force/rotor.rs`), in its own axes; zero if it is none.
    pub axle: DVec3,
    /// Factors by which damping increases the effective mass and inertia of a dynamic body (`force/damping.rs`): 1
    /// without.
    pub growth: [f64; 2],
}

impl BodyInertia {
    /// The mass of the body itself [kg].
    #[inline]
    pub fn own_mass(&self) -> f64 {
        self.mass / self.growth[0]
    }

    /// The inertia of the body at an orientation, world axes [kg·m²].
    pub fn inertia(&self, orientation: DQuat) -> DMat3 {
        let r = DMat3::from_quat(orientation * self.axes);
        let DVec3 { x, y, z } = self.moments;
        DMat3::from_cols(r.x_axis * x, r.y_axis * y, r.z_axis * z) * r.transpose()
    }

    /// The orientation after a time at a constant angular velocity.
    #[inline]
    pub fn turned(&self, orientation: DQuat, spin: DVec3, time: f64) -> DQuat {
        let turn = spin * time;
        let (axis, part) = if self.axle != DVec3::ZERO {
            (self.axle, 1.0)
        } else if self.own != 0.0 {
            (self.axes * if self.own > 0.0 { DVec3::X } else { DVec3::Z }, self.own)
        } else {
            return math::renewed(math::exp(turn) * orientation);
        };
        let axis = orientation * axis;
        let own = axis * (axis.dot(turn) * part);
        math::renewed(math::exp(turn - own) * math::exp(own) * orientation)
    }

    /// The orientation nearest to `after` in which an angular momentum has the same angle to the body's own axis as in
    /// `before`: a free symmetric top keeps it. A body whose positions move with another velocity than that after the
    /// step would take a part of its angular momentum about its own axis, where a slender one has hardly any inertia.
    pub fn keeping_own(&self, before: DQuat, after: DQuat, momentum: DVec3) -> DQuat {
        if self.own == 0.0 {
            return after;
        }
        let axis = self.axes * if self.own > 0.0 { DVec3::X } else { DVec3::Z };
        let (was, is) = (before * axis, after * axis);
        let away = momentum.cross(is);
        if away.length() <= 1e-9 * momentum.length() {
            return after;
        }
        let angle = |axis: DVec3| libm::atan2(momentum.cross(axis).length(), momentum.dot(axis));
        math::renewed(math::exp(away.normalize() * (angle(was) - angle(is))) * after)
    }

    /// I⁻¹ L: the angular velocity for an angular momentum at an orientation, world axes.
    #[inline]
    pub fn spin(&self, orientation: DQuat, momentum: DVec3) -> DVec3 {
        let principal = orientation * self.axes;
        principal * ((principal.inverse() * momentum) * self.inverse)
    }
}
