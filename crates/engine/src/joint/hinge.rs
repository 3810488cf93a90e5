//! A hinge (revolute joint): two frames share their origin and z axis; the angle about z is the coordinate.
//!
//!   g = [ p_b − p_a ;  x_a · z_b ;  y_a · z_b ]                  5 rows
//!   θ = atan2(x_b · y_a, x_b · x_a)                              1 coordinate

use super::axis::Axis;
use super::constraint::{Constraint, ConstraintView};
use crate::body::frame::Anchor;
use crate::row::equations as parts;
use crate::row::rows::Rows;
use std::slice;

/// A hinge about z.
#[derive(Clone, Debug, PartialEq)]
pub struct Hinge {
    /// Base and follower.
    pub anchors: [Anchor; 2],
    /// The coordinate: angle [rad].
    pub axis: Axis,
}

impl Constraint for Hinge {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows) {
        let (a, b) = (&view.frames[0], &view.frames[1]);
        let z = b.z();
        out.coincide(a, b);
        out.square(a, a.x(), b, z);
        out.square(a, a.y(), b, z);
        let (angle, blocks) = parts::angle(a, b);
        self.axis.rows(0, view.unwound(0, angle), &blocks, view.now(), out);
    }

    fn axes(&self) -> &[Axis] {
        slice::from_ref(&self.axis)
    }
}
