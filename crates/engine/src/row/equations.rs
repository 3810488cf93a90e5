//! The constraint equations of joints, each with its analytic gradient at a closed configuration.
//!
//!   coincide   p_b − p_a = 0                     3 rows in world axes
//!   along      n_a · (p_b − p_a) = 0             1 row, n fixed in a
//!   square     u_a · w_b = 0                     1 row (perpendicular)
//!   align      2 vec(q_a* q_b) = 0               3 rows
//!   angle      θ = atan2(x_b·y_a, x_b·x_a)       a coordinate about z
//!
//! `coincide` loads both bodies at the midpoint of the two anchors. The pair of forces then has no moment even while
//! the anchors are apart, so that angular momentum is conserved to round-off, and the hinges of an overconstrained loop
//! stay redundant to second order in the violation (MB05). The price is that the block is the gradient only up to
//! O(violation), which does not affect the stabilisation. A ball joint on the ground needs neither property: its
//! dynamic body is loaded at its own anchor, so that a violated pivot exerts no moment on a top (MB08). Neither does the
//! joint of a body that turns by more than half a radian in a step: half the violation times its spin would be a velocity,
//! and from two radians on the violation would grow.

use super::rows::Rows;
use crate::body::frame::{Frame, JacobianBlock};
use crate::math;
use glam::DVec3;

impl Rows {
    /// Two coincident origins, loaded at their midpoint, or at that of the only body that spins.
    pub fn coincide(&mut self, a: &Frame, b: &Frame) {
        let point = match (a.spins, b.spins) {
            (true, false) => a.at,
            (false, true) => b.at,
            _ => 0.5 * (a.at + b.at),
        };
        self.coincide_at(a, b, point);
    }

    /// Two coincident origins, loaded at a point.
    pub fn coincide_at(&mut self, a: &Frame, b: &Frame, point: DVec3) {
        let gap = b.at - a.at;
        let (back, forth) = (a.push_axes(point, -1.0), b.push_axes(point, 1.0));
        for k in 0..3 {
            self.hold_points(gap[k], &[back[k], forth[k]]);
        }
    }

    /// b's origin stays in the plane through a's origin whose normal n is fixed in a.
    pub fn along(&mut self, a: &Frame, n: DVec3, b: &Frame) {
        let (gap, blocks) = offset(a, n, b);
        self.hold_points(gap, &blocks);
    }

    /// Axis u of a stays perpendicular to axis w of b.
    pub fn square(&mut self, a: &Frame, u: DVec3, b: &Frame, w: DVec3) {
        let turn = w.cross(u);
        self.hold_axes(u.dot(w), &[a.spin(-turn), b.spin(turn)]);
    }

    /// Two frames have the same orientation.
    ///
    /// With q = q_a* q_b = (w, v): d(2v)/dt = w Ω + Ω × v, Ω the relative angular velocity in a's axes.
    pub fn align(&mut self, a: &Frame, b: &Frame) {
        let q = a.orientation.inverse() * b.orientation;
        let q = if q.w < 0.0 { -q } else { q };
        let v = DVec3::new(q.x, q.y, q.z);
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            // e·(wΩ + Ω×v) = Ω·(w e + v×e)
            let turn = a.orientation * (q.w * axis + v.cross(axis));
            self.hold_axes(2.0 * v.dot(axis), &[a.spin(-turn), b.spin(turn)]);
        }
    }
}

/// Coordinate of b's origin along n, an axis of a, and its Jacobian blocks.
///
/// Both bodies are loaded at b's origin: this is the gradient, since n rotates with a.
pub fn offset(a: &Frame, n: DVec3, b: &Frame) -> (f64, [JacobianBlock; 2]) {
    (n.dot(b.at - a.at), [a.push_at(b.at, -n), b.push_at(b.at, n)])
}

/// The angle of b relative to a about z, in (−π, π], and its Jacobian blocks.
pub fn angle(a: &Frame, b: &Frame) -> (f64, [JacobianBlock; 2]) {
    turned(a, [a.x(), a.y()], b, b.x())
}

/// The angle of an axis u of b in the plane of two axes of a, from the first to the second.
///
/// c = u·e₁, s = u·e₂, θ = atan2(s, c); θ̇ = (ω_b − ω_a) · [c (u×e₂) − s (u×e₁)] / (c² + s²).
pub fn turned(a: &Frame, e: [DVec3; 2], b: &Frame, u: DVec3) -> (f64, [JacobianBlock; 2]) {
    let (c, s) = (u.dot(e[0]), u.dot(e[1]));
    let axis = (c * u.cross(e[1]) - s * u.cross(e[0])) / (c * c + s * s);
    (libm::atan2(s, c), [a.spin(-axis), b.spin(axis)])
}

/// The twist of b relative to a about z when their axes may differ, in (−π, π], and its Jacobian blocks.
///
/// q = q_a* q_b = (w, x, y, z) = swing ∘ twist: τ = 2 atan2(z, w).
pub fn twist(a: &Frame, b: &Frame) -> (f64, [JacobianBlock; 2]) {
    let q = math::unit(a.orientation.inverse() * b.orientation);
    let q = if q.w < 0.0 { -q } else { q };
    let n = q.w * q.w + q.z * q.z;
    let axis = a.orientation * (DVec3::new(q.w * q.y + q.z * q.x, q.z * q.y - q.w * q.x, n) / n);
    (2.0 * libm::atan2(q.z, q.w), [a.spin(-axis), b.spin(axis)])
}
