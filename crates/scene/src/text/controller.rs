//! Controllers and rules as written in the file.
//!
//! An expression is a number, or text such as `"2 * abs(bodies.load.velocity.x) + 0.1 m/s"`. It may name probes, and
//! entries of `[probes]`, `[controllers]` and `[rules]`. All values are in SI units.

use crate::number::{LeastTime, Number, Open};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use toml::Spanned;

/// A controller of exactly one kind: `pid`, `filter`, `table`, `expression` or `state_machine`. It is evaluated before
/// each step from the state at the start of the step, and acts on inputs.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Controller {
    /// PID controller.
    pub pid: Option<Box<Pid>>,
    /// Low-pass filter.
    pub filter: Option<Box<Filter>>,
    /// Characteristic curve.
    pub table: Option<Table>,
    /// The value of an expression.
    pub expression: Option<Open>,
    /// State machine.
    pub state_machine: Option<StateMachine>,
    /// Condition, an expression, without which it does not run: it then does not act on inputs, keeps its value, and
    /// starts from its initial condition when it runs again; always runs unless given.
    pub when: Option<Open>,
    /// Sampling period [s], rounded to whole steps; every step unless given.
    pub period: Option<Number<LeastTime>>,
    /// Whether it is switched on at the start; true unless given.
    pub enabled: Option<bool>,
    /// Inputs that its value acts on while it runs.
    #[schemars(with = "Option<Vec<ControllerOutput>>")]
    pub outputs: Option<Vec<Spanned<ControllerOutput>>>,
}

/// PID controller: kp e + ki ∫ e dt + kd de/dt with e = setpoint − measurement.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Pid {
    /// Controlled quantity, an expression.
    pub measurement: Open,
    /// Its target, an expression.
    pub setpoint: Open,
    /// Proportional gain; 0 unless given.
    pub kp: Option<Open>,
    /// Integral gain [1/s]; 0 unless given.
    pub ki: Option<Open>,
    /// Derivative gain [s]; 0 unless given.
    pub kd: Option<Open>,
    /// Smallest and largest output. At a limit the integral does not grow further; none unless given.
    #[schemars(with = "Option<[Open; 2]>")]
    pub limits: Option<Spanned<Vec<Open>>>,
    /// Time constant of the low-pass filter of the derivative [s]; 0 unless given.
    pub derivative_filter: Option<Number<LeastTime>>,
}

/// Low-pass filter, T ẏ + y = u, or with `damping` T² ÿ + 2 ζ T ẏ + y = u.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Filter {
    /// Signal u, an expression.
    pub of: Open,
    /// Time constant T [s].
    pub time_constant: Number<LeastTime>,
    /// Damping ratio ζ of a filter of second order; a filter of first order unless given.
    pub damping: Option<Open>,
    /// Value at the start; that of the signal unless given.
    pub initial: Option<Open>,
}

/// Characteristic curve, linear between its points and constant beyond their ends.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Argument, an expression.
    pub of: Open,
    /// Increasing arguments.
    #[schemars(with = "Vec<Open>")]
    pub x: Spanned<Vec<Open>>,
    /// Values, one per argument.
    #[schemars(with = "Vec<Open>")]
    pub y: Spanned<Vec<Open>>,
}

/// State machine.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StateMachine {
    /// Name of the state at the start.
    #[schemars(with = "String")]
    pub initial: Spanned<String>,
    /// States by name.
    #[schemars(with = "BTreeMap<String, MachineState>")]
    pub states: Spanned<BTreeMap<String, MachineState>>,
}

/// State of a state machine.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MachineState {
    /// Value of the controller in this state, an expression; 0 unless given.
    pub value: Option<Open>,
    /// Transitions to other states; the first possible one is taken, at most one per evaluation.
    #[schemars(with = "Option<Vec<Transition>>")]
    pub transitions: Option<Vec<Spanned<Transition>>>,
}

/// Transition to another state.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Transition {
    /// Condition, an expression; always true unless given.
    pub when: Option<Open>,
    /// Least time in the state before it is left [s]; 0 unless given.
    pub after: Option<Number<LeastTime>>,
    /// Name of the state that it leads to.
    #[schemars(with = "String")]
    pub to: Spanned<String>,
}

/// Action of a controller on an input.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ControllerOutput {
    /// Name of the input.
    #[schemars(with = "String")]
    pub input: Spanned<String>,
    /// Kind of the action; "set" unless given.
    pub action: Option<Action>,
    /// Value of the action per value of the controller, in SI units; 1 unless given.
    pub factor: Option<Open>,
}

/// Action of a controller on an input. Range and rates of the input apply to the result. When the action ends, the input
/// returns to the operator's value.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Takes the input over.
    #[default]
    Set,
    /// Is added to the operator's value.
    Add,
    /// Limits the value from below.
    LowerLimit,
    /// Limits the value from above.
    UpperLimit,
}

/// A rule: when a condition holds, act on inputs.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Condition, an expression.
    pub when: Open,
    /// Time for which the condition must hold before the rule becomes active [s]; 0 unless given.
    pub delay: Option<Number<LeastTime>>,
    /// Whether it stays active after its condition has ended; false unless given.
    pub latched: Option<bool>,
    /// Condition, an expression, that ends a latched rule whose own condition has ended; only switching it off ends it
    /// unless given.
    pub reset: Option<Open>,
    /// What it does while it is active; nothing but its message unless given.
    #[schemars(with = "Option<Vec<RuleAction>>")]
    pub then: Option<Vec<Spanned<RuleAction>>>,
    /// Text that is reported when it becomes active; its name unless given.
    pub message: Option<String>,
    /// Whether it is switched on at the start; true unless given.
    pub enabled: Option<bool>,
}

/// Action of a rule on an input: `set`, `add`, or limits. Each is an expression in SI units.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RuleAction {
    /// Name of the input.
    #[schemars(with = "String")]
    pub input: Spanned<String>,
    /// Value that takes the input over; the operator's unless given.
    pub set: Option<Open>,
    /// Correction that is added; 0 unless given.
    pub add: Option<Open>,
    /// Lower limit of the value; none unless given.
    pub lower_limit: Option<Open>,
    /// Upper limit of the value; none unless given.
    pub upper_limit: Option<Open>,
}
