//! Forces and settings as the file has them.

use super::contact::Contacting;
use crate::number::{
    Acceleration, Area, Coefficient, Damping, Density, Duration, Factor, Force as Newton, LeastSpeed, Length,
    Number, Numbers, Reach, Stiffness, Time, Torque,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A force: one kind.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Force {
    /// A constant force or torque on a body.
    Applied(Box<Applied>),
    /// A spring, explicit, and a damper between two points; for stiff ones use a distance joint.
    Spring(SpringForce),
    /// Air drag at the centre of mass.
    Drag(Drag),
}

/// A constant force at a point, or a torque, or both.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Applied {
    /// Name of the body.
    #[schemars(with = "String")]
    pub body: Spanned<String>,
    /// Where it acts, in the world at the start [m]; the centre of mass unless given.
    pub at: Option<Numbers<Length>>,
    /// The force [N].
    pub force: Option<Numbers<Newton>>,
    /// The torque [N·m].
    pub torque: Option<Numbers<Torque>>,
    /// Whose axes force and torque are given in; "world" unless given.
    #[serde(rename = "in")]
    pub axes: Option<Axes>,
    /// A force of given size toward a point of another body, instead of `force`.
    pub toward: Option<Toward>,
    /// Time it begins [s]; from the start unless given.
    pub from: Option<Number<Time>>,
    /// Time it ends [s]; never unless given.
    pub until: Option<Number<Time>>,
}

/// Whose axes a vector is given in.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Axes {
    /// The world's.
    #[default]
    World,
    /// The body's.
    Body,
}

/// A force of given size toward a point.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Toward {
    /// Name of the other body.
    #[schemars(with = "String")]
    pub body: Spanned<String>,
    /// Its point, in the world at the start [m]; its origin unless given.
    pub at: Option<Numbers<Length>>,
    /// Size [N]; negative pushes away.
    pub force: Number<Newton>,
}

/// A spring, explicit, and a damper between two points.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SpringForce {
    /// Names of the two bodies.
    #[schemars(with = "[String; 2]")]
    pub bodies: [Spanned<String>; 2],
    /// A point on each, in the world at the start [m].
    pub points: [Numbers<Length>; 2],
    /// Stiffness [N/m].
    pub stiffness: Number<Stiffness>,
    /// Damping [N·s/m]; 0 unless given.
    pub damping: Option<Number<Damping>>,
    /// Length without force [m]; as it stands at the start unless given.
    pub rest: Option<Number<Reach>>,
}

/// Air drag: −½ ρ c A |v| v with a density, −c A |v| v without.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Drag {
    /// Name of the body.
    #[schemars(with = "String")]
    pub body: Spanned<String>,
    /// c, the shape factor.
    pub factor: Number<Factor>,
    /// A, the area across the flow [m²].
    pub area: Number<Area>,
    /// ρ of the air [kg/m³]; none, for the formula without ½ ρ, unless given.
    pub density: Option<Number<Density>>,
}

/// How time is advanced.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stepper {
    /// Velocity level, one linear solve a step: for real time.
    #[default]
    Spook,
    /// Acceleration level, Runge–Kutta and exact correction: for accuracy.
    Projected,
    /// Dormand–Prince 5(4) with error control.
    DormandPrince,
}

/// What holds for the whole scene.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Step [s]; 1/60 unless given.
    pub dt: Option<Number<Duration>>,
    /// Gravity [m/s²]; [0, 0, -9.81] unless given.
    pub gravity: Option<Numbers<Acceleration>>,
    /// How time is advanced; "spook" unless given.
    pub integrator: Option<Stepper>,
    /// How long a run lasts unless told otherwise [s]; 10 unless given.
    pub duration: Option<Number<Duration>>,
    /// Error allowed in one internal step of dormand-prince, relative to 1 + |value|; 1e-8 unless given.
    pub tolerance: Option<Number<Factor>>,
    /// Shortest internal step of dormand-prince [s]; 1e-7 unless given.
    pub min_step: Option<Number<Duration>>,
    /// Longest internal step of dormand-prince [s]; 0.05 unless given.
    pub max_step: Option<Number<Duration>>,
    /// When bodies at rest sleep; never unless given.
    pub sleep: Option<Sleep>,
    /// Rebounds slower than this are not made [m/s or rad/s]; 0.01 unless given.
    pub bounce_speed: Option<Number<LeastSpeed>>,
    /// Rounds in which "spook" closes rigid joints where a step ends, a whole number from 0 to 100. Cables and bodies
    /// that turn by less than 0.01 rad in a step need none; up to 8 where they are needed unless given.
    pub position_iterations: Option<Number<Coefficient>>,
    /// Substeps at most in which "spook" takes a step by itself where light links under load, or bodies that turn fast, need shorter
    /// steps, a whole number from 1 to 1024: 1 takes every step as a whole; 256 unless given.
    pub max_substeps: Option<Number<Coefficient>>,
    /// Whether a scene whose rigid joints stand open is assembled before it starts: bodies are moved until the joints are closed, heavy
    /// ones least, and velocities fit; true unless given.
    pub assemble: Option<bool>,
    /// Whether bodies that do not say can be touched; true unless given.
    pub collide: Option<bool>,
    /// How contacts are found and solved.
    pub contact: Option<Contacting>,
}

/// When bodies sleep.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Sleep {
    /// Speed below which a body counts as still [m/s and rad/s]; 1e-3 unless given.
    pub speed: Option<Number<LeastSpeed>>,
    /// How long all bodies of an island must be still [s]; 0.5 unless given.
    pub after: Option<Number<Duration>>,
}
