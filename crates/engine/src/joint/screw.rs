//! A screw: a cylindrical joint whose displacement is coupled to its rotation.
//!
//!   g = [ x_a · d ;  y_a · d ;  x_a · z_b ;  y_a · z_b ;  s − (lead/2π) θ − phase ]     5 rows
//!   θ about z, unwrapped                                                               1 coordinate

use super::axis::Axis;
use super::constraint::{Constraint, ConstraintView};
use crate::body::frame::Anchor;
use crate::body::frame::JacobianBlock;
use crate::row::equations as parts;
use crate::row::rows::Rows;
use std::f64::consts::TAU;
use std::slice;

/// A screw along z.
#[derive(Clone, Debug, PartialEq)]
pub struct Screw {
    /// Base and follower.
    pub anchors: [Anchor; 2],
    /// Displacement per turn [m]; negative for a left-hand thread.
    pub lead: f64,
    /// s − (lead/2π) θ [m]; none for its value when the screw is added.
    pub phase: Option<f64>,
    /// The coordinate: angle [rad].
    pub axis: Axis,
}

impl Screw {
    pub(super) fn settle(&mut self, view: &ConstraintView<'_>) {
        let (_, gap, _) = self.thread(view);
        self.phase.get_or_insert(gap);
    }

    /// The angle with its blocks, the violation of the thread without phase, and its Jacobian blocks.
    fn thread(&self, view: &ConstraintView<'_>) -> ((f64, [JacobianBlock; 2]), f64, [JacobianBlock; 4]) {
        let (a, b) = (&view.frames[0], &view.frames[1]);
        let pitch = self.lead / TAU;
        let (angle, turn) = parts::angle(a, b);
        let angle = view.unwound(0, angle);
        let (way, slide) = parts::offset(a, a.z(), b);
        let blocks = [slide[0], slide[1], turn[0].scaled(-pitch), turn[1].scaled(-pitch)];
        ((angle, turn), way - pitch * angle, blocks)
    }
}

impl Constraint for Screw {
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
        let ((angle, turn), gap, blocks) = self.thread(view);
        out.hold_points(gap - self.phase.unwrap_or(0.0), &blocks);
        self.axis.rows(0, angle, &turn, view.now(), out);
    }

    fn axes(&self) -> &[Axis] {
        slice::from_ref(&self.axis)
    }
}
