//! A constant-velocity joint: the origins coincide, and the twist between the shafts (both along z) is zero at
//! any bend angle, so that both rotate at the same speed.
//!
//!   g = [ p_b − p_a ;  2 atan2(z, w) of q_a* q_b ]                4 rows

use super::constraint::{Constraint, ConstraintView};
use crate::body::frame::Anchor;
use crate::row::equations as parts;
use crate::row::rows::Rows;

/// A constant-velocity joint between shafts along z.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstantVelocity {
    /// The two shafts.
    pub anchors: [Anchor; 2],
}

impl Constraint for ConstantVelocity {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows) {
        let (a, b) = (&view.frames[0], &view.frames[1]);
        out.coincide(a, b);
        let (twist, blocks) = parts::twist(a, b);
        out.hold_axes(twist, &blocks);
    }
}
