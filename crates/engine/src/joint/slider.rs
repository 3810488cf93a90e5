//! A slider (prismatic joint): orientations agree and b's origin stays on a's z axis; displacement along z is the
//! coordinate.
//!
//!   g = [ x_a · d ;  y_a · d ;  2 vec(q_a* q_b) ],  d = p_b − p_a          5 rows
//!   s = z_a · d                                                           1 coordinate

use super::axis::Axis;
use super::constraint::{Constraint, ConstraintView};
use crate::body::frame::Anchor;
use crate::row::equations as parts;
use crate::row::rows::Rows;
use std::slice;

/// A slider along z.
#[derive(Clone, Debug, PartialEq)]
pub struct Slider {
    /// Base and follower.
    pub anchors: [Anchor; 2],
    /// The coordinate: displacement [m].
    pub axis: Axis,
}

impl Constraint for Slider {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows) {
        let (a, b) = (&view.frames[0], &view.frames[1]);
        out.along(a, a.x(), b);
        out.along(a, a.y(), b);
        out.align(a, b);
        let (way, blocks) = parts::offset(a, a.z(), b);
        self.axis.rows(0, way, &blocks, view.now(), out);
    }

    fn axes(&self) -> &[Axis] {
        slice::from_ref(&self.axis)
    }
}
