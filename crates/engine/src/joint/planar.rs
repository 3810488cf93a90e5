//! A planar joint: b's xy plane slides and rotates in a's.
//!
//!   g = [ z_a · d ;  x_a · z_b ;  y_a · z_b ]                     3 rows
//!   x_a · d, y_a · d, θ about z                                   3 coordinates

use super::axis::Axis;
use super::constraint::{Constraint, ConstraintView};
use crate::body::frame::Anchor;
use crate::row::equations as parts;
use crate::row::rows::Rows;

/// A planar joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Planar {
    /// Base and follower.
    pub anchors: [Anchor; 2],
    /// Displacements along the base's x and y [m], then the angle [rad].
    pub axes: [Axis; 3],
}

impl Constraint for Planar {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows) {
        let (a, b) = (&view.frames[0], &view.frames[1]);
        let z = b.z();
        out.along(a, a.z(), b);
        out.square(a, a.x(), b, z);
        out.square(a, a.y(), b, z);
        for (k, n) in [a.x(), a.y()].into_iter().enumerate() {
            let (way, blocks) = parts::offset(a, n, b);
            self.axes[k].rows(k as u8, way, &blocks, view.now(), out);
        }
        let (angle, blocks) = parts::angle(a, b);
        self.axes[2].rows(2, view.unwound(2, angle), &blocks, view.now(), out);
    }

    fn axes(&self) -> &[Axis] {
        &self.axes
    }
}
