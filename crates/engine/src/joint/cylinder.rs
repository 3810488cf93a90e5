//! A cylindrical joint: b rotates about and slides along a's z axis.
//!
//!   g = [ x_a · d ;  y_a · d ;  x_a · z_b ;  y_a · z_b ]          4 rows
//!   θ about z, s = z_a · d                                        2 coordinates

use super::axis::Axis;
use super::constraint::{Constraint, ConstraintView};
use crate::body::frame::Anchor;
use crate::row::equations as parts;
use crate::row::rows::Rows;

/// A cylindrical joint about and along z.
#[derive(Clone, Debug, PartialEq)]
pub struct Cylinder {
    /// Base and follower.
    pub anchors: [Anchor; 2],
    /// The angle [rad], then the displacement [m].
    pub axes: [Axis; 2],
}

impl Constraint for Cylinder {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows) {
        let (a, b) = (&view.frames[0], &view.frames[1]);
        let (x, y, z) = (a.x(), a.y(), b.z());
        out.along(a, x, b);
        out.along(a, y, b);
        out.square(a, x, b, z);
        out.square(a, y, b, z);
        let (angle, turn) = parts::angle(a, b);
        self.axes[0].rows(0, view.unwound(0, angle), &turn, view.now(), out);
        let (way, slide) = parts::offset(a, a.z(), b);
        self.axes[1].rows(1, way, &slide, view.now(), out);
    }

    fn axes(&self) -> &[Axis] {
        &self.axes
    }
}
