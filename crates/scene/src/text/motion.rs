//! Prescribed motions as written in the file.

use crate::number::{Angle, Coordinate, Frequency, List, Number, Numbers, Plain, Ratio, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A motion: a function of time t that a coordinate follows.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "Motion_for_{C}")]
pub enum Motion<C: Coordinate> {
    /// Constant value.
    Constant(Number<C::Value>),
    /// Constant speed: start + speed · t.
    Ramp {
        /// Value at t = 0 [m or rad]; 0 unless given.
        start: Option<Number<C::Value>>,
        /// Speed [m/s or rad/s].
        speed: Number<C::Speed>,
    },
    /// Polynomial c₀ + c₁ t + c₂ t² + …, with the coefficient of tⁿ in m/sⁿ or rad/sⁿ.
    Polynomial(#[schemars(with = "List<Plain>")] Numbers<Plain>),
    /// Sine: mean + amplitude · sin(2π frequency t + phase).
    Sine {
        /// Mean value [m or rad]; 0 unless given.
        mean: Option<Number<C::Value>>,
        /// Amplitude: largest deviation from the mean [m or rad].
        amplitude: Number<C::Value>,
        /// Frequency [Hz].
        frequency: Number<Frequency>,
        /// Phase at t = 0 [rad]; 0 unless given.
        phase: Option<Number<Angle>>,
    },
    /// Transition from one value to another, with zero speed and acceleration at both ends.
    Smooth {
        /// Value until `start` [m or rad].
        from: Number<C::Value>,
        /// Value from `end` on [m or rad].
        to: Number<C::Value>,
        /// Time at which the motion starts [s]; 0 unless given.
        start: Option<Number<Time>>,
        /// Time at which the motion ends [s].
        end: Number<Time>,
    },
    /// Acceleration from rest to a constant speed. Between the two times the speed follows 3 s² − 2 s³, so that the
    /// acceleration does not jump; the displacement until then is half of that at full speed.
    Accelerate {
        /// Value until `start` [m or rad]; 0 unless given.
        from: Option<Number<C::Value>>,
        /// Speed from `end` on [m/s or rad/s].
        speed: Number<C::Speed>,
        /// Time at which the motion starts [s]; 0 unless given.
        start: Option<Number<Time>>,
        /// Time at which it reaches its speed [s].
        end: Number<Time>,
    },
    /// Interpolation through points. Outside of its times it keeps the first and the last value.
    Table {
        /// Increasing times, at least two [s].
        #[schemars(with = "List<Time>")]
        times: Numbers<Time>,
        /// Value at each time [m or rad].
        #[schemars(with = "List<C::Value>")]
        values: Numbers<C::Value>,
        /// Interpolation between the points; "cubic" unless given.
        join: Option<Join>,
    },
    /// Sum of motions.
    Sum(Vec<Motion<C>>),
    /// Product of a motion and a dimensionless motion.
    Product {
        /// The motion that is multiplied.
        motion: Box<Motion<C>>,
        /// The factor, a dimensionless motion.
        factor: Box<Motion<Ratio>>,
    },
    /// Transition from one motion to another, continuous in value, speed and acceleration.
    Blend {
        /// Motion until `start`; constant 0 unless given.
        from: Option<Box<Motion<C>>>,
        /// Motion from `end` on.
        to: Box<Motion<C>>,
        /// Time at which the transition starts [s]; 0 unless given.
        start: Option<Number<Time>>,
        /// Time at which the transition ends [s].
        end: Number<Time>,
    },
}

/// Interpolation of a table.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Join {
    /// Straight lines; the speed jumps at the points.
    Linear,
    /// Natural cubic spline.
    Cubic,
}
