//! The trait of constraints: anchors, and a pure function from their frames to constraint rows.

use super::axis::Axis;
use crate::body::frame::{Anchor, Frame};
use crate::row::rows::Rows;
use crate::row::{Compliance, RowSource};
use std::f64::consts::TAU;

/// A constraint between bodies.
///
/// Plain data and a pure function: no multipliers, no pointers to bodies, no step length.
/// Implement it to add a constraint of your own (`examples/extend.rs`).
pub trait Constraint: std::fmt::Debug + Send + Sync {
    /// The frames on bodies that it connects.
    fn anchors(&self) -> &[Anchor];

    /// Appends its scalar equations, linearised at the anchors' present frames. The number of rows and the
    /// bodies in them must not depend on the poses.
    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows);

    /// Its coordinates, in the order in which `rows` reports them.
    fn axes(&self) -> &[Axis] {
        &[]
    }

    /// Updates its memory (history variables) after a step, given the forces of its rows.
    fn remember(&self, _sight: &ConstraintView<'_>, _forces: &[f64], _history: &mut Vec<f64>) {}

    /// Whether it may set bodies at rest in motion.
    fn is_moving(&self) -> bool {
        self.axes().iter().any(Axis::is_moving)
    }
}

/// Input of the evaluation of a constraint.
#[derive(Clone, Copy, Debug)]
pub struct ConstraintView<'a> {
    /// Its anchors in the world, in order.
    pub frames: &'a [Frame],
    /// Its coordinates at the last step; empty in the first step.
    pub last: &'a [f64],
    /// Its history variables; empty initially.
    pub history: &'a [f64],
    /// Time [s].
    pub time: f64,
}

impl<'a> ConstraintView<'a> {
    /// The input of the axes of a joint: time and history.
    pub(super) fn now(&self) -> (f64, &'a [f64]) {
        (self.time, self.history)
    }

    /// The value of angle k, unwrapped: the one nearest to its last value.
    pub fn unwound(&self, k: usize, angle: f64) -> f64 {
        angle + TAU * self.turns(k, angle)
    }

    /// The number of whole revolutions in it.
    pub fn turns(&self, k: usize, angle: f64) -> f64 {
        self.last.get(k).map_or(0.0, |last| ((last - angle) / TAU).round())
    }
}

impl Rows {
    /// The rows of a single constraint at given frames.
    pub fn of(constraint: &dyn Constraint, compliance: Compliance, view: &ConstraintView<'_>) -> Rows {
        let mut rows = Rows::default();
        rows.frames.extend_from_slice(view.frames);
        rows.open(RowSource::Joint(0), compliance, 0..view.frames.len());
        constraint.rows(view, &mut rows);
        rows.close();
        rows
    }
}
