//! Inputs and their script as the file has them: the levers of a machine.
//!
//! An input's numbers are in the unit of what it drives: a motor's speed, a servo's place, a largest force, a length of rope.

use crate::number::{LeastTime, Number, Open, Plain};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use toml::Spanned;

/// A lever, pedal or stick that drives motors and servos. Its numbers are in the unit of the first thing it drives.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// What stands beside it on a panel; its name unless given.
    pub label: Option<String>,
    /// Smallest and largest value, in the unit of what it drives.
    #[schemars(with = "[Open; 2]")]
    pub range: Spanned<Vec<Open>>,
    /// Where it stands at the start and when it is let go; 0, or the end of the range that is nearest to it, unless given.
    pub rest: Option<Open>,
    /// How fast the machine follows it, in its unit per second; at once unless given.
    pub rate: Option<Open>,
    /// How fast the machine follows it toward rest, in its unit per second: the ramp of stopping; as `rate` unless given.
    pub stop_rate: Option<Open>,
    /// Whether it goes back to rest when it is let go; true unless given.
    pub self_centering: Option<bool>,
    /// Two keys, the first for more, the second for less: ["Up", "Down"].
    #[schemars(with = "Option<[String; 2]>")]
    pub keys: Option<Spanned<Vec<Spanned<String>>>>,
    /// Axis of a gamepad.
    #[schemars(with = "Option<Gamepad>")]
    pub gamepad: Option<Spanned<Gamepad>>,
    /// What it drives. What several inputs drive adds up, and adds to what the joint itself says.
    #[schemars(with = "Vec<Driven>")]
    pub drives: Spanned<Vec<Driven>>,
}

/// A drive that an input acts on: that of a `joint`, or the length of a `cable`.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Driven {
    /// Name of the joint.
    #[schemars(with = "Option<String>")]
    pub joint: Option<Spanned<String>>,
    /// Name of a cable with a route and without flexible segments: rope is paid out at its first point [m], beside its `paid_out`.
    #[schemars(with = "Option<String>")]
    pub cable: Option<Spanned<String>>,
    /// Which coordinate of the joint, counted from 1; 1 unless given.
    #[schemars(with = "Option<i64>")]
    pub coordinate: Option<Spanned<i64>>,
    /// What of its drive; the speed of a motor, the place of a servo, unless given.
    #[schemars(with = "Option<What>")]
    pub quantity: Option<Spanned<What>>,
    /// How much of it per unit of the input, in SI; 1 unless given.
    pub factor: Option<Number<Plain>>,
}

/// What of a drive an input changes.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// The target speed of a motor.
    Speed,
    /// The target position of a servo.
    Position,
    /// The largest force or torque of either.
    Force,
}

/// Axes of a gamepad.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gamepad {
    /// The left stick, more to the right.
    LeftX,
    /// The left stick, more upward.
    LeftY,
    /// The right stick, more to the right.
    RightX,
    /// The right stick, more upward.
    RightY,
    /// The left trigger, from rest to the most.
    LeftTrigger,
    /// The right trigger, from rest to the most.
    RightTrigger,
    /// The cross, more to the right.
    CrossX,
    /// The cross, more upward.
    CrossY,
}

/// Something the script does with inputs.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Cue {
    /// When [s].
    pub at: Number<LeastTime>,
    /// Names of inputs and the values they are set to, in their units.
    pub set: BTreeMap<String, Open>,
    /// In how much time they get there, evenly [s]; 0 unless given.
    pub over: Option<Number<LeastTime>>,
}
