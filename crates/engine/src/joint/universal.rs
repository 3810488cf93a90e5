//! A universal (Cardan) joint: the origins coincide; the cross has one axis along a's x and one along b's y.
//!
//!   g = [ p_b − p_a ;  x_a · y_b ]                                4 rows
//!   α about x_a: the angle of y_b from y_a to z_a
//!   β about y_b: the angle of x_a from x_b to z_b, seen from b     2 coordinates

use super::axis::Axis;
use super::constraint::{Constraint, ConstraintView};
use crate::body::frame::Anchor;
use crate::row::equations as parts;
use crate::row::rows::Rows;

/// A universal joint with crossed axes x of the base and y of the follower.
#[derive(Clone, Debug, PartialEq)]
pub struct Universal {
    /// Base and follower.
    pub anchors: [Anchor; 2],
    /// The angle about the base's x, then about the follower's y [rad].
    pub axes: [Axis; 2],
}

impl Constraint for Universal {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows) {
        let (a, b) = (&view.frames[0], &view.frames[1]);
        let (x, y) = (a.x(), b.y());
        out.coincide(a, b);
        out.square(a, x, b, y);
        let (first, blocks) = parts::turned(a, [a.y(), a.z()], b, y);
        self.axes[0].rows(0, view.unwound(0, first), &blocks, view.now(), out);
        // seen from b the base rotates in the opposite sense: R = Rx(α) Ry(β) takes x_a to (cos β, 0, sin β) in b
        let (second, blocks) = parts::turned(b, [b.x(), b.z()], a, x);
        self.axes[1].rows(1, view.unwound(1, second), &blocks, view.now(), out);
    }

    fn axes(&self) -> &[Axis] {
        &self.axes
    }
}
