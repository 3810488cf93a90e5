//! Prescribed motions as the file has them.

use crate::number::{Angle, Coordinate, Frequency, List, Number, Numbers, Plain, Ratio, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A function of time that a coordinate follows.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "Motion_for_{C}")]
pub enum Motion<C: Coordinate> {
    /// The same value always.
    Constant(Number<C::Value>),
    /// A steady speed.
    Ramp {
        /// Value at time 0 [m or rad]; 0 unless given.
        start: Option<Number<C::Value>>,
        /// Speed [m/s or rad/s].
        speed: Number<C::Speed>,
    },
    /// c₀ + c₁ t + c₂ t² + …, the coefficient of tⁿ in m/sⁿ or rad/sⁿ.
    Polynomial(#[schemars(with = "List<Plain>")] Numbers<Plain>),
    /// mean + amplitude · sin(2π frequency t + phase).
    Sine {
        /// Value it swings about [m or rad]; 0 unless given.
        mean: Option<Number<C::Value>>,
        /// Largest excursion from the mean [m or rad].
        amplitude: Number<C::Value>,
        /// Swings per second [Hz].
        frequency: Number<Frequency>,
        /// Phase at time 0 [rad]; 0 unless given.
        phase: Option<Number<Angle>>,
    },
    /// From one value to another, at rest and without acceleration at both ends.
    Smooth {
        /// Value up to the start [m or rad].
        from: Number<C::Value>,
        /// Value from the end on [m or rad].
        to: Number<C::Value>,
        /// Time it starts to move [s]; 0 unless given.
        start: Option<Number<Time>>,
        /// Time it comes to rest [s].
        end: Number<Time>,
    },
    /// From rest to a steady speed, which it keeps. Between the two times the speed follows 3 s² − 2 s³, so that the
    /// acceleration does not jump; the way until then is half of what it would be at full speed.
    Accelerate {
        /// Value up to the start [m or rad]; 0 unless given.
        from: Option<Number<C::Value>>,
        /// Speed from the end on [m/s or rad/s].
        speed: Number<C::Speed>,
        /// Time it starts to move [s]; 0 unless given.
        start: Option<Number<Time>>,
        /// Time it has its speed [s].
        end: Number<Time>,
    },
    /// Points in time, joined.
    Table {
        /// Increasing times [s].
        #[schemars(with = "List<Time>")]
        times: Numbers<Time>,
        /// A value for each [m or rad].
        #[schemars(with = "List<C::Value>")]
        values: Numbers<C::Value>,
        /// How points are joined; "cubic" unless given.
        join: Option<Join>,
    },
    /// All of these added.
    Sum(Vec<Motion<C>>),
    /// A motion times another one of plain numbers.
    Product {
        /// What is multiplied.
        motion: Box<Motion<C>>,
        /// What it is multiplied by, without unit.
        factor: Box<Motion<Ratio>>,
    },
    /// From following one motion to following another, smoothly in value, speed and acceleration.
    Blend {
        /// The motion up to the start; constant 0 unless given.
        from: Option<Box<Motion<C>>>,
        /// The motion from the end on.
        to: Box<Motion<C>>,
        /// Time it begins to leave the first [s]; 0 unless given.
        start: Option<Number<Time>>,
        /// Time from which it follows the second alone [s].
        end: Number<Time>,
    },
}

/// How a table is joined between its points.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Join {
    /// Straight lines: the speed jumps at the points.
    Linear,
    /// Natural cubic spline.
    Cubic,
}
