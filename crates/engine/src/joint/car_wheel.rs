//! The joint of a wheel on a chassis: travel of the suspension along one axis, steering about another, rotation about
//! the wheel's own. The axes may be inclined: caster, kingpin inclination, roll centre and anti-dive.
//!
//!   displacement    s = t · d,          n₁ · d = 0,  n₂ · d = 0       t fixed in a, n₁ n₂ perpendicular to it
//!   angles          R = Rx(α) Ry(β) Rz(γ),   x_a · z_b = sin β        α steering, γ rotation, β constant
//!
//! x_a is the steering axis, z_b the axis of the wheel. The three remaining coordinates are s, α and γ. Singular for
//! β = ±90°, where the wheel would rotate about its steering axis.

use super::axis::Axis;
use super::constraint::{Constraint, ConstraintView};
use super::six_dof::cardan;
use crate::body::frame::Anchor;
use crate::math;
use crate::row::equations as parts;
use crate::row::rows::Rows;
use glam::{DMat3, DVec3};

/// The joint of a wheel on a chassis.
#[derive(Clone, Debug, PartialEq)]
pub struct CarWheel {
    /// Chassis, with x along the steering axis, and wheel, with z along its axis.
    pub anchors: [Anchor; 2],
    /// Direction of the travel, a unit vector in the axes of the first anchor.
    pub travel: DVec3,
    /// Sine of the angle β between the wheel's axis and the plane perpendicular to the steering axis.
    pub inclination: f64,
    /// Travel [m], steering angle [rad], rotation [rad].
    pub axes: [Axis; 3],
}

impl CarWheel {
    /// Frames of chassis and wheel, the first with z along the travel.
    pub fn travel_frames(&self) -> [Anchor; 2] {
        let [mut base, wheel] = self.anchors;
        base.turn = math::unit(base.turn * math::facing(self.travel));
        [base, wheel]
    }
}

impl Constraint for CarWheel {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows) {
        let (a, b) = (&view.frames[0], &view.frames[1]);
        let (n1, n2) = self.travel.any_orthonormal_pair();
        out.along(a, a.orientation * n1, b);
        out.along(a, a.orientation * n2, b);
        let (steering, wheel) = (a.x(), b.z());
        let turn = wheel.cross(steering);
        let blocks = [a.spin(-turn), b.spin(turn)];
        out.hold_axes(steering.dot(wheel) - self.inclination, &blocks);
        let (travel, blocks) = parts::offset(a, a.orientation * self.travel, b);
        self.axes[0].rows(0, travel, &blocks, view.now(), out);
        let (angles, dual) = cardan(&DMat3::from_quat(a.orientation.inverse() * b.orientation));
        for (coordinate, k) in [(1, 0), (2, 2)] {
            let turn = a.orientation * dual[k];
            let blocks = [a.spin(-turn), b.spin(turn)];
            let angle = view.unwound(coordinate, angles[k]);
            self.axes[coordinate].rows(coordinate as u8, angle, &blocks, view.now(), out);
        }
    }

    fn axes(&self) -> &[Axis] {
        &self.axes
    }
}
