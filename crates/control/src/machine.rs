//! State machines: one state at a time, each with a value and transitions to others.
//!
//! A transition is taken when its condition is true and the state has been active for at least `after`. Transitions are
//! checked in their order, and at most one is taken per evaluation. None is taken in the evaluation that starts the
//! machine.

use crate::expression::{Expression, Readings};

/// Tolerance of times [s]: they are multiples of the step, with round-off.
pub(crate) const EARLY: f64 = 1e-9;

/// A state machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// Number of the state at the start.
    pub initial: usize,
    /// Name, value and transitions of each state.
    pub states: Vec<(String, Expression, Vec<Transition>)>,
}

/// A transition to another state.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// Its condition; none if only the time counts.
    pub when: Option<Expression>,
    /// Least time in the state before it is left [s].
    pub after: f64,
    /// Number of the state that it leads to.
    pub to: usize,
}

impl Machine {
    /// The state that follows a state which has been active for a time, if any does.
    pub(crate) fn next(&self, state: usize, active: f64, now: &Readings<'_>) -> Option<usize> {
        let (_, _, transitions) = self.states.get(state)?;
        let is_taken = |t: &&Transition| {
            active + EARLY >= t.after && t.when.as_ref().is_none_or(|condition| condition.is_true(now))
        };
        transitions.iter().find(is_taken).map(|transition| transition.to)
    }
}
