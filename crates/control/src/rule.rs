//! Rules: when a condition holds for a time, act on inputs.
//!
//! A rule is active while its condition has held for its delay without interruption. A latched rule stays active until
//! its reset condition is true and its own condition is not, or until it is switched off.

use crate::expression::{Expression, Readings};
use crate::machine::EARLY;
use crate::state::ItemState;

/// A rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Its condition.
    pub when: Expression,
    /// Time for which the condition must hold [s].
    pub delay: f64,
    /// Whether it stays active when the condition ends.
    pub latched: bool,
    /// Condition that ends a latched rule; none unless given.
    pub reset: Option<Expression>,
    /// What is reported when it becomes active.
    pub message: Option<String>,
}

impl Rule {
    /// Advances its memory to a step.
    pub(crate) fn advance(&self, (step, dt): (u64, f64), now: &Readings<'_>, own: &mut ItemState) {
        let holds = self.when.is_true(now);
        own.since = holds.then(|| own.since.unwrap_or(step));
        let ripe = own.since.is_some_and(|since| (step - since) as f64 * dt + EARLY >= self.delay);
        let ends = !holds && self.reset.as_ref().is_some_and(|reset| reset.is_true(now));
        let was = own.value != 0.0;
        let is = ripe || (self.latched && was && !ends);
        if is && !was {
            own.count += 1;
            own.memory = [if own.count == 1 { now.time } else { own.memory[0] }, now.time, 0.0];
        }
        own.value = f64::from(u8::from(is));
    }
}
