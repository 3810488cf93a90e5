//! A ball joint: two origins share a place; all turning is free.
//!
//!   g = p_b − p_a                                                3 rows

use super::constraint::{Constraint, ConstraintView};
use crate::body::frame::Anchor;
use crate::row::rows::Rows;

/// A ball joint. Sprung, limited or driven turning: use [`Six`](super::Six).
#[derive(Clone, Debug, PartialEq)]
pub struct Ball {
    /// Base and moved part.
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
