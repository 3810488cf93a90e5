//! Attachment frames of constraints and forces: [`Anchor`] in the body, [`Frame`] in the world.
//!
//! `push` and `spin` are the only constructors of Jacobian blocks, so signs are defined once:
//! a force n at point p of a body with centre c is the block (n, (p − c) × n), a torque n is (0, n).
//! `push_axes` is `push` along all three axes at once; a test checks this.

use crate::slots::BodyId;
use glam::{DQuat, DVec3};

/// A frame fixed in a body, given in the body's own axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The body.
    pub body: BodyId,
    /// Origin of the frame in the body's axes [m].
    pub at: DVec3,
    /// Orientation of the frame in the body's axes.
    pub turn: DQuat,
}

impl Anchor {
    /// A point of a body; the frame's axes are the body's.
    pub fn point(body: BodyId, at: DVec3) -> Anchor {
        Anchor { body, at, turn: DQuat::IDENTITY }
    }

    /// A frame of a body.
    pub fn frame(body: BodyId, at: DVec3, turn: DQuat) -> Anchor {
        Anchor { body, at, turn }
    }
}

/// Rotation in a step from which on a body counts as spinning [rad].
pub const FAST_SPIN: f64 = 0.5;

/// An anchor in world coordinates at the present state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Index of the body in the model.
    pub body: u32,
    /// The body's centre of mass [m].
    pub center: DVec3,
    /// Origin of the frame [m].
    pub at: DVec3,
    /// Orientation of the frame.
    pub orientation: DQuat,
    /// Whether the body is dynamic.
    pub free: bool,
    /// Whether it turns by more than half a radian in a step.
    pub spins: bool,
}

impl Frame {
    /// The same with its origin and the body's centre at another point.
    pub fn moved_to(self, center: DVec3) -> Frame {
        Frame { center, at: center, ..self }
    }

    /// The frame's x axis in the world.
    pub fn x(&self) -> DVec3 {
        self.orientation * DVec3::X
    }

    /// The frame's y axis in the world.
    pub fn y(&self) -> DVec3 {
        self.orientation * DVec3::Y
    }

    /// The frame's z axis in the world.
    pub fn z(&self) -> DVec3 {
        self.orientation * DVec3::Z
    }

    /// The Jacobian block of a unit force n at the frame's origin.
    pub fn push(&self, n: DVec3) -> JacobianBlock {
        self.push_at(self.at, n)
    }

    /// The Jacobian block of a unit force n at a world point of this frame's body.
    #[inline]
    pub fn push_at(&self, point: DVec3, n: DVec3) -> JacobianBlock {
        JacobianBlock { body: self.body, linear: n, angular: (point - self.center).cross(n) }
    }

    /// The blocks of forces `f` along each of the world's three axes at a world point: `push_at` without the zeros.
    #[inline]
    pub fn push_axes(&self, point: DVec3, f: f64) -> [JacobianBlock; 3] {
        let (body, r) = (self.body, f * (point - self.center));
        [
            JacobianBlock { body, linear: DVec3::new(f, 0.0, 0.0), angular: DVec3::new(0.0, r.z, -r.y) },
            JacobianBlock { body, linear: DVec3::new(0.0, f, 0.0), angular: DVec3::new(-r.z, 0.0, r.x) },
            JacobianBlock { body, linear: DVec3::new(0.0, 0.0, f), angular: DVec3::new(r.y, -r.x, 0.0) },
        ]
    }

    /// The Jacobian block of a unit torque n.
    #[inline]
    pub fn spin(&self, n: DVec3) -> JacobianBlock {
        JacobianBlock { body: self.body, linear: DVec3::ZERO, angular: n }
    }
}

/// How a row's rate depends on one body: ġ = linear·v + angular·ω. Times the multiplier: force and torque on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JacobianBlock {
    /// Index of the body in the model.
    pub body: u32,
    /// Coefficient of the velocity of the centre of mass.
    pub linear: DVec3,
    /// Coefficient of the angular velocity.
    pub angular: DVec3,
}

impl JacobianBlock {
    /// Its six coefficients, linear first.
    #[inline]
    pub fn numbers(&self) -> [f64; 6] {
        let (l, a) = (self.linear, self.angular);
        [l.x, l.y, l.z, a.x, a.y, a.z]
    }

    /// The block times a scalar.
    #[inline]
    pub fn scaled(self, f: f64) -> JacobianBlock {
        JacobianBlock { body: self.body, linear: self.linear * f, angular: self.angular * f }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_pushed_as_any_direction_is() {
        let (center, at) = (DVec3::new(0.3, -1.0, 2.0), DVec3::new(1.5, 0.25, -0.75));
        let orientation = DQuat::IDENTITY;
        let frame = Frame { body: 3, center, at, orientation, free: true, spins: false };
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        assert_eq!(frame.push_axes(at, -2.0), axes.map(|axis| frame.push(-2.0 * axis)));
    }
}
