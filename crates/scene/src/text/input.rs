//! Operator inputs and their script as written in the file.
//!
//! Values of an input are in the unit of what it drives: speed of a motor, position of a servo, force limit, length of
//! rope.

use crate::number::{LeastTime, Number, Open, Plain};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use toml::Spanned;

/// An operator input, such as a lever, pedal or joystick, that drives motors and servos. Its values are in the unit of
/// its first drive.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Text on a panel; its name unless given.
    pub label: Option<String>,
    /// Smallest and largest value, in the unit of its first drive.
    #[schemars(with = "[Open; 2]")]
    pub range: Spanned<Vec<Open>>,
    /// Value at the start and after release; 0, or the end of the range nearest to 0, unless given.
    pub rest: Option<Open>,
    /// Largest rate of the actual value, in its unit per second; unlimited unless given.
    pub rate: Option<Open>,
    /// Largest rate toward `rest`, in its unit per second; `rate` unless given.
    pub stop_rate: Option<Open>,
    /// Whether it returns to `rest` when released; true unless given.
    pub self_centering: Option<bool>,
    /// Two keyboard keys, the first to increase, the second to decrease: ["Up", "Down"].
    #[schemars(with = "Option<[String; 2]>")]
    pub keys: Option<Spanned<Vec<Spanned<String>>>>,
    /// Gamepad axis. For an input with the keys ["Left", "Right"] an axis to the right decreases it, as its keys do.
    #[schemars(with = "Option<Gamepad>")]
    pub gamepad: Option<Spanned<Gamepad>>,
    /// Drives it acts on. Contributions of several inputs add up, and add to the value of the joint itself.
    #[schemars(with = "Vec<InputDrive>")]
    pub drives: Spanned<Vec<InputDrive>>,
}

/// A drive that an input acts on: that of a `joint`, the length of a `cable`, or a `command` or `valve` of a `vehicle`.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct InputDrive {
    /// Name of the joint.
    #[schemars(with = "Option<String>")]
    pub joint: Option<Spanned<String>>,
    /// Name of a routed cable without flexible segments: rope is paid out at its first point [m], in addition to its
    /// `paid_out`.
    #[schemars(with = "Option<String>")]
    pub cable: Option<Spanned<String>>,
    /// Name of the vehicle.
    #[schemars(with = "Option<String>")]
    pub vehicle: Option<Spanned<String>>,
    /// Command of the vehicle that it gives; only with `vehicle`.
    #[schemars(with = "Option<VehicleCommand>")]
    pub command: Option<Spanned<VehicleCommand>>,
    /// Name of the component of the vehicle to which the command goes, such as one of its differentials; the command of the
    /// vehicle then has no effect on it; all components unless given.
    #[schemars(with = "Option<String>")]
    pub component: Option<Spanned<String>>,
    /// Name of the hydraulic valve of the vehicle that it opens, −1 to 1; only with `vehicle`, instead of `command`.
    #[schemars(with = "Option<String>")]
    pub valve: Option<Spanned<String>>,
    /// Number of the coordinate of the joint, counted from 1; 1 unless given.
    #[schemars(with = "Option<i64>")]
    pub coordinate: Option<Spanned<i64>>,
    /// Quantity of the drive that it changes; speed of a motor, position of a servo, unless given.
    #[schemars(with = "Option<DriveQuantity>")]
    pub quantity: Option<Spanned<DriveQuantity>>,
    /// Change of the quantity per unit of the input, in SI units; negative to reverse; 1 unless given.
    pub factor: Option<Number<Plain>>,
}

/// Quantity of a drive that an input changes.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DriveQuantity {
    /// Target speed of a motor.
    Speed,
    /// Target position of a servo.
    Position,
    /// Force or torque limit of either.
    Force,
}

/// Command of a driver.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VehicleCommand {
    /// Throttle, 0 to 1; of an electric motor −1 to 1.
    Throttle,
    /// Service brake, 0 to 1.
    Brake,
    /// Parking brake, 0 to 1.
    ParkingBrake,
    /// Clutch pedal: 0 engaged, 1 pressed down.
    Clutch,
    /// Steering, −1 to 1, positive to the left.
    Steer,
    /// Gear: 0 neutral, −1 reverse; of an automatic gearbox 1 drives.
    Gear,
    /// Ignition: 0 off, 1 on, 2 turns the starter; 1 without an input.
    Ignition,
    /// Lock of differentials, 0 to 1.
    Lock,
    /// Stroke of hydrostatic pumps, −1 to 1.
    Stroke,
    /// Retarder, 0 to 1.
    Retarder,
    /// Geometry of the steering: 0 Ackermann, 1 crab, 2 pivot. It changes within a second, below 2 m/s.
    SteeringMode,
    /// Clutch of a power take-off: 0 open, 1 closed.
    PowerTakeOff,
    /// Range of a range gearbox: 0 high, 1 low.
    Range,
}

/// Gamepad axis.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gamepad {
    /// Left stick, positive to the right.
    LeftX,
    /// Left stick, positive upward.
    LeftY,
    /// Right stick, positive to the right.
    RightX,
    /// Right stick, positive upward.
    RightY,
    /// Left trigger, from rest to the largest value.
    LeftTrigger,
    /// Right trigger, from rest to the largest value.
    RightTrigger,
    /// Direction pad, positive to the right.
    CrossX,
    /// Direction pad, positive upward.
    CrossY,
}

/// An entry of the script: sets inputs at a time.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptEntry {
    /// Time [s].
    pub at: Number<LeastTime>,
    /// Names of inputs and their target values, in their units.
    pub set: BTreeMap<String, Open>,
    /// Duration of a linear transition to these values [s]; 0 unless given.
    pub duration: Option<Number<LeastTime>>,
}
