//! The distance between two points: a rod, a tension-only rope, a spring, a telescope.
//!
//!   l = |p_b − p_a|,  l̇ = u · (v_b − v_a),  u = (p_b − p_a)/l    1 coordinate, rows by its axis

use super::axis::Axis;
use super::axis::{Drive, Limits};
use super::constraint::{Constraint, ConstraintView};
use crate::body::frame::Anchor;
use crate::row::rows::Rows;
use glam::DVec3;
use std::slice;

/// The distance between two points as a coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Distance {
    /// The two points.
    pub anchors: [Anchor; 2],
    /// The coordinate: distance [m].
    pub axis: Axis,
}

impl Distance {
    /// A rigid, massless rod.
    pub fn rod(anchors: [Anchor; 2], length: f64) -> Distance {
        Distance { anchors, axis: Axis::driven(Drive::Lock(length)) }
    }

    /// A distance between limits; give 0 for no lower limit, ∞ for no upper limit.
    pub fn between(anchors: [Anchor; 2], low: f64, high: f64) -> Distance {
        let low = if low > 0.0 { low } else { f64::NEG_INFINITY };
        Distance { anchors, axis: Axis::limited(Limits::hard(low, high)) }
    }

    /// A spring-damper as a regularised constraint: stable at any stiffness.
    pub fn spring(anchors: [Anchor; 2], stiffness: f64, damping: f64, rest: f64) -> Distance {
        Distance { anchors, axis: Axis::with_spring(stiffness, damping, rest) }
    }
}

impl Constraint for Distance {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows) {
        let (a, b) = (&view.frames[0], &view.frames[1]);
        let d = b.at - a.at;
        let length = d.length();
        // coincident points define no direction: any one separates them
        let u = if length > 1e-12 { d / length } else { DVec3::Z };
        self.axis.rows(0, length, &[a.push(-u), b.push(u)], view.now(), out);
    }

    fn axes(&self) -> &[Axis] {
        slice::from_ref(&self.axis)
    }
}
