//! A weld (fixed joint): two frames coincide.
//!
//!   g = [ p_b − p_a ;  2 vec(q_a* q_b) ]                          6 rows

use super::constraint::{Constraint, ConstraintView};
use crate::body::frame::Anchor;
use crate::row::rows::Rows;

/// A weld; with compliance, a bushing in all six directions.
#[derive(Clone, Debug, PartialEq)]
pub struct Weld {
    /// The two parts.
    pub anchors: [Anchor; 2],
}

impl Constraint for Weld {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows) {
        let (a, b) = (&view.frames[0], &view.frames[1]);
        out.coincide(a, b);
        out.align(a, b);
    }
}
