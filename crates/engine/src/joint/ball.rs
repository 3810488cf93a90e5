//! A ball (spherical) joint: the two origins coincide; all rotations are free.
//!
//!   g = p_b − p_a                                                3 rows

use super::constraint::{Constraint, ConstraintView};
use crate::body::frame::Anchor;
use crate::row::rows::Rows;

/// A ball joint. For springs, limits or drives of the rotation use [`SixDof`](super::SixDof).
#[derive(Clone, Debug, PartialEq)]
pub struct Ball {
    /// Base and follower.
    pub anchors: [Anchor; 2],
}

impl Constraint for Ball {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows) {
        let (a, b) = (&view.frames[0], &view.frames[1]);
        match (a.free, b.free) {
            (true, false) => out.coincide_at(a, b, a.at),
            (false, true) => out.coincide_at(a, b, b.at),
            _ => out.coincide(a, b),
        }
    }
}
