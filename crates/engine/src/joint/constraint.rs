//! What a constraint is: anchors, and a pure function from their frames to rows.

use super::axis::Axis;
use crate::body::frame::{Anchor, Frame};
use crate::row::rows::Rows;
use crate::row::{Compliance, RowSource};
use std::f64::consts::TAU;

/// Something that must hold between bodies.
///
/// Plain data and a pure function: no multipliers, no pointers to bodies, no step length.
/// Implement it to add a constraint of your own (`examples/extend.rs`).
pub trait Constraint: std::fmt::Debug + Send + Sync {
    /// Where it grips bodies.
    fn anchors(&self) -> &[Anchor];

    /// Appends its scalar equations, linearised at the anchors' present frames. The number of rows and the
    /// bodies in them must not depend on the poses.
    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows);

    /// What acts along its coordinates, in the order in which `rows` tells them.
    fn axes(&self) -> &[Axis] {
        &[]
    }

    /// Changes what it remembers of what was done to it, after a step that left its rows with forces.
    fn remember(&self, _sight: &ConstraintView<'_>, _forces: &[f64], _history: &mut Vec<f64>) {}

    /// Whether it may set resting bodies in motion by itself.
    fn is_moving(&self) -> bool {
        self.axes().iter().any(Axis::is_moving)
    }
}

/// What a constraint sees.
#[derive(Clone, Copy, Debug)]
pub struct ConstraintView<'a> {
    /// Its anchors in the world, in order.
    pub frames: &'a [Frame],
    /// Its coordinates at the last step; empty at the first.
    pub last: &'a [f64],
    /// What it remembers of what was done to it; empty at first.
    pub history: &'a [f64],
    /// Time [s].
    pub time: f64,
}

impl<'a> ConstraintView<'a> {
    /// What the axes of a joint need to know: the time, and what it remembers.
    pub(super) fn now(&self) -> (f64, &'a [f64]) {
        (self.time, self.history)
    }

    /// The value of angle number k that is nearest to its last one: turns are counted.
    pub fn unwound(&self, k: usize, angle: f64) -> f64 {
        angle + TAU * self.turns(k, angle)
    }

    /// How many whole turns that is.
    pub fn turns(&self, k: usize, angle: f64) -> f64 {
        self.last.get(k).map_or(0.0, |last| ((last - angle) / TAU).round())
    }
}

impl Rows {
    /// The rows of one constraint at given frames, by themselves.
    pub fn of(constraint: &dyn Constraint, compliance: Compliance, view: &ConstraintView<'_>) -> Rows {
        let mut rows = Rows::default();
        rows.frames.extend_from_slice(view.frames);
        rows.open(RowSource::Joint(0), compliance, 0..view.frames.len());
        constraint.rows(view, &mut rows);
        rows.close();
        rows
    }
}
