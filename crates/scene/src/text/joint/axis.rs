//! Options of a coordinate of a joint: drives, springs, stops, friction.

use crate::number::{Coordinate, List, Number, Numbers, Share};
use crate::text::motion::Motion;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// Velocity drive: a target speed with a force limit. Errors of position are not corrected.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "Motor_for_{C}")]
pub struct Motor<C: Coordinate> {
    /// Target speed [m/s or rad/s].
    pub speed: Number<C::Speed>,
    /// Largest force [N or N·m]; no limit unless given.
    pub force: Option<Number<C::Force>>,
    /// Force limit of the brake, which holds while the commanded speed is 0 [N or N·m]; `force` unless given.
    pub brake: Option<Number<C::Force>>,
    /// Loss of speed per force, also of the brake [(m/s)/N or (rad/s)/(N·m)]; 0 unless given.
    pub droop: Option<Number<C::Loss>>,
}

/// Position drive: a spring and damper to a target value, with a force limit.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "Servo_for_{C}")]
pub struct Servo<C: Coordinate> {
    /// Target value [m or rad].
    pub target: Number<C::Value>,
    /// Stiffness [N/m or N·m/rad].
    pub stiffness: Number<C::Stiffness>,
    /// Damping [N·s/m or N·m·s/rad]; 0 unless given.
    pub damping: Option<Number<C::Damping>>,
    /// Largest force [N or N·m]; no limit unless given.
    pub force: Option<Number<C::Force>>,
}

/// A spring and damper along a coordinate.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "Spring_for_{C}")]
pub struct Spring<C: Coordinate> {
    /// Linear stiffness k₁ [N/m or N·m/rad]. The force is k₁ x + k₂ x |x| + k₃ x³ at a deflection x from `rest`; 0
    /// unless given.
    pub stiffness: Option<Number<C::Stiffness>>,
    /// Quadratic stiffness k₂ [N/m² or N·m/rad²]; 0 unless given.
    pub quadratic: Option<Number<C::QuadraticStiffness>>,
    /// Cubic stiffness k₃, negative for a softening spring [N/m³ or N·m/rad³]; 0 unless given.
    pub cubic: Option<Number<C::CubicStiffness>>,
    /// Force as a function of the deflection, through points, instead of k₁, k₂ and k₃.
    pub table: Option<ForceTable<C>>,
    /// Linear damping c₁ [N·s/m or N·m·s/rad]. The force is c₁ v + c₂ v |v| at a speed v; 0 unless given.
    pub damping: Option<Number<C::Damping>>,
    /// Quadratic damping c₂ [N·s²/m² or N·m·s²/rad²]; 0 unless given.
    pub quadratic_damping: Option<Number<C::QuadraticDamping>>,
    /// Further damping force as a function of the speed, through points, such as different forces in bump and rebound.
    pub damping_table: Option<DamperTable<C>>,
    /// Up to eight Jenkins elements in parallel, so that loading and unloading follow different curves; none unless
    /// given.
    #[schemars(with = "Option<Vec<Jenkins<C>>>")]
    pub hysteresis: Option<Spanned<Vec<Jenkins<C>>>>,
    /// Value without force [m or rad]; 0, for a `distance` joint the initial distance, unless given.
    pub rest: Option<Number<C::Value>>,
}

/// A spring in series with a dry slider: elastic up to a force, at which it slides.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "Jenkins_for_{C}")]
pub struct Jenkins<C: Coordinate> {
    /// Stiffness before it slides [N/m or N·m/rad], above 0.
    pub stiffness: Number<C::Stiffness>,
    /// Force at which it slides [N or N·m], above 0.
    pub force: Number<C::Force>,
}

/// Force as a function of deflection, through points. Beyond the first and the last it continues along a straight line.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "ForceTable_for_{C}")]
pub struct ForceTable<C: Coordinate> {
    /// Increasing deflections from `rest` [m or rad], at least two.
    #[schemars(with = "List<C::Value>")]
    pub stretch: Numbers<C::Value>,
    /// Force that resists each deflection [N or N·m], negative where it pushes outward.
    #[schemars(with = "List<C::Effort>")]
    pub force: Numbers<C::Effort>,
    /// Interpolation between the points; "monotone" unless given.
    pub join: Option<ForceJoin>,
}

/// Damping force as a function of the speed, through points, straight between them and beyond.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "DamperTable_for_{C}")]
pub struct DamperTable<C: Coordinate> {
    /// Increasing speeds [m/s or rad/s], with 0 among them.
    #[schemars(with = "List<C::Speed>")]
    pub speed: Numbers<C::Speed>,
    /// Force at each speed [N or N·m], of its sign.
    #[schemars(with = "List<C::Effort>")]
    pub force: Numbers<C::Effort>,
}

/// Interpolation of a table of forces.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ForceJoin {
    /// Straight lines; the stiffness jumps at the points.
    Linear,
    /// Cubics without overshoot; the stiffness is continuous.
    Monotone,
}

/// End stops of a coordinate.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "Limits_for_{C}")]
pub struct Limits<C: Coordinate> {
    /// Smallest value [m or rad]; none unless given.
    pub low: Option<Number<C::Value>>,
    /// Largest value [m or rad]; none unless given.
    pub high: Option<Number<C::Value>>,
    /// Stiffness of the stops [N/m or N·m/rad]; rigid unless given.
    pub stiffness: Option<Number<C::Stiffness>>,
    /// Damping of the stops [N·s/m or N·m·s/rad]; 0 unless given.
    pub damping: Option<Number<C::Damping>>,
    /// Coefficient of restitution of rigid stops: rebound speed per approach speed, 0 to 1; 0 unless given.
    pub restitution: Option<Number<Share>>,
}

/// Options of one coordinate of a joint. At most one of `lock`, `motor`, `servo` and `prescribed` may be given.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "Axis_for_{C}")]
pub struct Axis<C: Coordinate> {
    /// Holds the coordinate at this value [m or rad].
    pub lock: Option<Number<C::Value>>,
    /// Velocity drive: a target speed with a force limit.
    pub motor: Option<Motor<C>>,
    /// Position drive: a spring and damper to a target value, with a force limit.
    pub servo: Option<Servo<C>>,
    /// Prescribed motion: the coordinate follows a function of time, to round-off.
    pub prescribed: Option<Motion<C>>,
    /// Spring and damper.
    pub spring: Option<Spring<C>>,
    /// End stops.
    pub limits: Option<Limits<C>>,
    /// Dry friction: largest force, independent of the load of the joint [N or N·m]; 0 unless given.
    pub friction: Option<Number<C::Force>>,
    /// Viscous friction: force per speed [N·s/m or N·m·s/rad]; 0 unless given.
    pub damping: Option<Number<C::Damping>>,
}
