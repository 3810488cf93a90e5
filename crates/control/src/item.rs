//! An item: a controller or a rule, with its outputs.

use crate::expression::{Expression, Readings};
use crate::filter::Filter;
use crate::machine::Machine;
use crate::pid::Pid;
use crate::rule::Rule;
use crate::state::ItemState;
use crate::table::Table;
use windlass_engine::prelude::{InputAction, InputId};

/// A controller or a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its name, unique among controllers and rules.
    pub name: String,
    /// Its law.
    pub kind: Kind,
    /// Whether it is switched on at the start.
    pub enabled: bool,
    /// Condition without which a controller does not run; none unless given.
    pub when: Option<Expression>,
    /// Steps between two evaluations, at least 1.
    pub every: u64,
    /// Its actions on inputs.
    pub outputs: Vec<Output>,
}

/// The law of an item.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// PID controller.
    Pid(Pid),
    /// Low-pass filter.
    Filter(Filter),
    /// Characteristic curve.
    Table(Table),
    /// The value of an expression.
    Expression(Expression),
    /// State machine.
    Machine(Machine),
    /// Rule.
    Rule(Rule),
}

/// How an output acts on an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Takes the input over.
    Set,
    /// Is added to the operator's value.
    Add,
    /// Limits the value from below.
    LowerLimit,
    /// Limits the value from above.
    UpperLimit,
}

/// An action on an input while the item runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// The input. Without effect once it is removed.
    pub input: InputId,
    /// The action.
    pub action: Action,
    /// Its value, in the unit of the input.
    pub value: Expression,
}

impl Output {
    /// Adds its action to those of the items before it. Limits intersect, corrections add up, and the last value set
    /// counts.
    pub(crate) fn combine(&self, value: f64, all: &mut InputAction) {
        match self.action {
            Action::Set => all.set = Some(value),
            Action::Add => all.add += value,
            Action::LowerLimit => all.low = all.low.max(value),
            Action::UpperLimit => all.high = all.high.min(value),
        }
    }
}

impl Item {
    /// Whether it is a rule.
    pub fn is_rule(&self) -> bool {
        matches!(self.kind, Kind::Rule(_))
    }

    /// Its expressions.
    pub(crate) fn expressions(&self) -> Vec<&Expression> {
        let mut all: Vec<&Expression> = self.when.iter().collect();
        match &self.kind {
            Kind::Pid(pid) => all.extend([&pid.measurement, &pid.setpoint]),
            Kind::Filter(filter) => all.push(&filter.of),
            Kind::Table(table) => all.push(&table.of),
            Kind::Expression(expression) => all.push(expression),
            Kind::Machine(machine) => {
                for (_, value, transitions) in &machine.states {
                    all.push(value);
                    all.extend(transitions.iter().filter_map(|transition| transition.when.as_ref()));
                }
            }
            Kind::Rule(rule) => all.extend([&rule.when].into_iter().chain(&rule.reset)),
        }
        all
    }

    /// Advances its memory to a step of length dt. Returns the value where it is not finite.
    pub(crate) fn advance(
        &self,
        (step, dt): (u64, f64),
        now: &Readings<'_>,
        own: &mut ItemState,
    ) -> Result<(), f64> {
        let runs = own.enabled && self.when.as_ref().is_none_or(|condition| condition.is_true(now));
        if !runs {
            own.stop(self.is_rule());
            return Ok(());
        }
        let h = self.every as f64 * dt;
        let mut next = *own;
        match &self.kind {
            Kind::Pid(pid) => {
                let e = pid.setpoint.value(now) - pid.measurement.value(now);
                next.value = pid.advance(e, h, own.running, &mut next.memory);
            }
            Kind::Filter(filter) => {
                next.value = filter.advance(filter.of.value(now), h, own.running, &mut next.memory);
            }
            Kind::Table(table) => next.value = table.at(table.of.value(now)),
            Kind::Expression(expression) => next.value = expression.value(now),
            Kind::Machine(machine) => {
                if !own.running {
                    (next.state, next.since) = (machine.initial as u64, Some(step));
                } else {
                    let active = (step - own.since.unwrap_or(step)) as f64 * dt;
                    if let Some(to) = machine.next(own.state as usize, active, now) {
                        (next.state, next.since) = (to as u64, Some(step));
                    }
                }
                next.value = machine.states[next.state as usize].1.value(now);
            }
            Kind::Rule(rule) => rule.advance((step, dt), now, &mut next),
        }
        next.running = true;
        if next.numbers().iter().all(|x| x.is_finite()) {
            *own = next;
            return Ok(());
        }
        Err(next.value)
    }
}
