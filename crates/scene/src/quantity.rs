//! Quantities of scene files, each with its dimension and range. The unit of a number of a joint's coordinate depends
//! on whether the coordinate is a displacement or an angle.

use crate::units::{Dimension, Measure, dimension};
use schemars::JsonSchema;
use std::fmt;

/// Range of a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// Any finite number.
    Any,
    /// Above 0.
    Positive,
    /// 0 or more.
    NotNegative,
    /// 0 to 1.
    Share,
}

/// What a number represents: its dimension and its range.
pub trait Quantity: Clone + fmt::Debug + PartialEq {
    /// Its dimension.
    const DIMENSION: Dimension;
    /// Its range.
    const BOUNDS: Bounds;
    /// Its dimension, and what it is called.
    const MEASURE: Measure = Measure { dimension: Self::DIMENSION, called: None };
}

/// Declares quantities: name, powers of m kg s rad, range, and name and unit if they are not those of the dimension.
macro_rules! quantities {
    ($(
        $(#[$doc:meta])*
        $name:ident($m:literal, $kg:literal, $s:literal, $rad:literal) $bounds:ident $(, $called:literal, $unit:literal)?;
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {}
        impl Quantity for $name {
            const DIMENSION: Dimension = dimension($m, $kg, $s, $rad);
            const BOUNDS: Bounds = Bounds::$bounds;
            $(
                const MEASURE: Measure =
                    Measure { dimension: Self::DIMENSION, called: Some(($called, $unit)) };
            )?
        }
    )*};
}

quantities! {
    /// A number without unit.
    Plain(0, 0, 0, 0) Any;
    /// A number without unit above 0.
    Factor(0, 0, 0, 0) Positive;
    /// A number from 0 to 1.
    Share(0, 0, 0, 0) Share;
    /// A length [m].
    Length(1, 0, 0, 0) Any;
    /// A length above 0 [m].
    Size(1, 0, 0, 0) Positive;
    /// A distance of 0 or more [m].
    Reach(1, 0, 0, 0) NotNegative;
    /// An area above 0 [m²].
    Area(2, 0, 0, 0) Positive;
    /// An area of 0 or more [m²].
    LeastArea(2, 0, 0, 0) NotNegative;
    /// A speed [m/s].
    Speed(1, 0, -1, 0) Any;
    /// A speed of 0 or more [m/s].
    LeastSpeed(1, 0, -1, 0) NotNegative;
    /// An acceleration [m/s²].
    Acceleration(1, 0, -2, 0) Any;
    /// An angle [rad].
    Angle(0, 0, 0, 1) Any;
    /// An angular speed [rad/s].
    Spin(0, 0, -1, 1) Any;
    /// An angular speed of 0 or more [rad/s].
    LeastSpin(0, 0, -1, 1) NotNegative;
    /// A frequency [Hz].
    Frequency(0, 0, -1, 0) Any;
    /// A rate of decay of 0 or more [1/s].
    Decay(0, 0, -1, 0) NotNegative, "a rate of decay", "1/s";
    /// A time [s].
    Time(0, 0, 1, 0) Any;
    /// A duration above 0 [s].
    Duration(0, 0, 1, 0) Positive;
    /// A duration of 0 or more [s].
    LeastTime(0, 0, 1, 0) NotNegative;
    /// A mass above 0 [kg].
    Mass(0, 1, 0, 0) Positive;
    /// A stress or modulus of 0 or more [Pa].
    Modulus(-1, 1, -2, 0) NotNegative;
    /// A stress per depth of 0 or more [Pa/m].
    StressPerDepth(-2, 1, -2, 0) NotNegative, "a stress per depth", "Pa/m";
    /// A stress per depth squared of 0 or more [Pa/m²].
    StressPerArea(-3, 1, -2, 0) NotNegative, "a stress per depth squared", "Pa/m²";
    /// A number of 0 or more, without unit.
    Coefficient(0, 0, 0, 0) NotNegative;
    /// A density above 0 [kg/m³].
    Density(-3, 1, 0, 0) Positive;
    /// A mass per length above 0 [kg/m].
    MassPerLength(-1, 1, 0, 0) Positive;
    /// A second moment of area of 0 or more [m⁴].
    SecondMoment(4, 0, 0, 0) NotNegative;
    /// A bending or torsional stiffness of a cable, 0 or more [N·m²].
    BendStiffness(3, 1, -2, 0) NotNegative;
    /// A moment or product of inertia [kg·m²].
    Inertia(2, 1, 0, 0) Any;
    /// A force [N].
    Force(1, 1, -2, 0) Any;
    /// A force limit of 0 or more [N].
    MostForce(1, 1, -2, 0) NotNegative;
    /// A load above 0 [N].
    Load(1, 1, -2, 0) Positive;
    /// A torque [N·m].
    Torque(2, 1, -2, 0) Any;
    /// A torque limit of 0 or more [N·m].
    MostTorque(2, 1, -2, 0) NotNegative;
    /// A power above 0 [W].
    Power(2, 1, -3, 0) Positive;
    /// A lateral force per slip angle, above 0 [N/rad].
    CorneringStiffness(1, 1, -2, -1) Positive;
    /// A volume above 0 [m³].
    Volume(3, 0, 0, 0) Positive;
    /// A volume flow above 0 [m³/s].
    VolumeFlow(3, 0, -1, 0) Positive;
    /// A pressure above 0 [Pa].
    Pressure(-1, 1, -2, 0) Positive;
    /// A leakage flow per pressure, 0 or more [m³/s/Pa].
    Leakage(4, -1, 1, 0) NotNegative;
    /// A mass of fuel per work, 0 or more [kg/J].
    FuelPerWork(-2, 0, 2, 0) NotNegative;
    /// A mass per time, 0 or more [kg/s].
    MassRate(0, 1, -1, 0) NotNegative, "a mass per time", "kg/s";
    /// A stiffness [N/m].
    Stiffness(0, 1, -2, 0) NotNegative;
    /// A weight per length, negative if it lifts [N/m].
    LineWeight(0, 1, -2, 0) Any, "a weight per length", "N/m";
    /// A damping [N·s/m].
    Damping(0, 1, -1, 0) NotNegative;
    /// A damping per length [N·s/m²].
    LineDamping(-1, 1, -1, 0) NotNegative;
    /// A stiffness per area [N/m³].
    BedStiffness(-2, 1, -2, 0) NotNegative;
    /// A damping per area [N·s/m³].
    BedDamping(-2, 1, -1, 0) NotNegative;
    /// A rotational stiffness [N·m/rad].
    AngularStiffness(2, 1, -2, -1) NotNegative;
    /// A rotational damping [N·m·s/rad].
    AngularDamping(2, 1, -1, -1) NotNegative;
    /// A quadratic stiffness: force per displacement squared [N/m²].
    QuadraticStiffness(-1, 1, -2, 0) Any, "a quadratic stiffness", "N/m²";
    /// A cubic stiffness: force per displacement cubed [N/m³].
    CubicStiffness(-2, 1, -2, 0) Any, "a cubic stiffness", "N/m³";
    /// A quadratic damping: force per speed squared [N·s²/m²].
    QuadraticDamping(-1, 1, 0, 0) NotNegative, "a quadratic damping", "N·s²/m²";
    /// A quadratic rotational stiffness: torque per angle squared [N·m/rad²].
    QuadraticTurnStiffness(2, 1, -2, -2) Any;
    /// A cubic rotational stiffness: torque per angle cubed [N·m/rad³].
    CubicTurnStiffness(2, 1, -2, -3) Any;
    /// A quadratic rotational damping: torque per angular speed squared [N·m·s²/rad²].
    QuadraticTurnDamping(2, 1, 0, -2) NotNegative;
    /// A rotation per wave amplitude, 0 or more [rad/m].
    AngularResponse(-1, 0, 0, 1) NotNegative, "a rotation per wave amplitude", "rad/m";
    /// A loss of speed per force [(m/s)/N].
    Slip(0, -1, 1, 0) NotNegative;
    /// A loss of angular speed per torque [(rad/s)/(N·m)].
    TurnSlip(-2, -1, 1, 1) NotNegative;
}

/// Quantities of a joint's coordinate, which is a displacement or an angle.
pub trait Coordinate: Clone + fmt::Debug + JsonSchema + PartialEq {
    /// [m or rad]
    type Value: Quantity;
    /// [m/s or rad/s]
    type Speed: Quantity;
    /// [N or N·m], 0 or more.
    type Force: Quantity;
    /// [N or N·m], of either sign.
    type Effort: Quantity;
    /// [N/m or N·m/rad]
    type Stiffness: Quantity;
    /// [N/m² or N·m/rad²]
    type QuadraticStiffness: Quantity;
    /// [N/m³ or N·m/rad³]
    type CubicStiffness: Quantity;
    /// [N·s/m or N·m·s/rad]
    type Damping: Quantity;
    /// [N·s²/m² or N·m·s²/rad²]
    type QuadraticDamping: Quantity;
    /// [(m/s)/N or (rad/s)/(N·m)]
    type Loss: Quantity;
}

/// A displacement [m].
#[derive(Clone, Copy, Debug, JsonSchema, PartialEq, Eq)]
pub enum Linear {}

/// An angle [rad].
#[derive(Clone, Copy, Debug, JsonSchema, PartialEq, Eq)]
pub enum Angular {}

/// A dimensionless factor.
#[derive(Clone, Copy, Debug, JsonSchema, PartialEq, Eq)]
pub enum Ratio {}

impl Coordinate for Ratio {
    type Value = Plain;
    type Speed = Frequency;
    type Force = Plain;
    type Effort = Plain;
    type Stiffness = Plain;
    type QuadraticStiffness = Plain;
    type CubicStiffness = Plain;
    type Damping = Plain;
    type QuadraticDamping = Plain;
    type Loss = Plain;
}

impl Coordinate for Linear {
    type Value = Length;
    type Speed = Speed;
    type Force = MostForce;
    type Effort = Force;
    type Stiffness = Stiffness;
    type QuadraticStiffness = QuadraticStiffness;
    type CubicStiffness = CubicStiffness;
    type Damping = Damping;
    type QuadraticDamping = QuadraticDamping;
    type Loss = Slip;
}

impl Coordinate for Angular {
    type Value = Angle;
    type Speed = Spin;
    type Force = MostTorque;
    type Effort = Torque;
    type Stiffness = AngularStiffness;
    type QuadraticStiffness = QuadraticTurnStiffness;
    type CubicStiffness = CubicTurnStiffness;
    type Damping = AngularDamping;
    type QuadraticDamping = QuadraticTurnDamping;
    type Loss = TurnSlip;
}
