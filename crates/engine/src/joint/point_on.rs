//! A point of b on a line or in a plane of a.
//!
//!   line:   g = [ x_a · d ;  y_a · d ],  s = z_a · d              2 rows, 1 coordinate
//!   plane:  g = z_a · d                                           1 row

use super::axis::Axis;
use super::constraint::{Constraint, ConstraintView};
use crate::body::frame::Anchor;
use crate::row::equations as parts;
use crate::row::rows::Rows;
use std::slice;

/// b's origin stays on a's z axis.
#[derive(Clone, Debug, PartialEq)]
pub struct PointOnLine {
    /// The body of the line, and that of the point.
    pub anchors: [Anchor; 2],
    /// The coordinate: displacement along the line [m].
    pub axis: Axis,
}

impl Constraint for PointOnLine {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows) {
        let (a, b) = (&view.frames[0], &view.frames[1]);
        out.along(a, a.x(), b);
        out.along(a, a.y(), b);
        let (way, blocks) = parts::offset(a, a.z(), b);
        self.axis.rows(0, way, &blocks, view.now(), out);
    }

    fn axes(&self) -> &[Axis] {
        slice::from_ref(&self.axis)
    }
}

/// b's origin stays in the plane through a's origin perpendicular to its z axis.
#[derive(Clone, Debug, PartialEq)]
pub struct PointOnPlane {
    /// The body of the plane, and that of the point.
    pub anchors: [Anchor; 2],
}

impl Constraint for PointOnPlane {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows) {
        let (a, b) = (&view.frames[0], &view.frames[1]);
        out.along(a, a.z(), b);
    }
}
