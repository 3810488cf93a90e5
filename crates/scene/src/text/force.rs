//! Forces and settings as written in the file.

use super::contact::ContactSettings;
use crate::number::{
    Acceleration, Area, Coefficient, Damping, Density, Duration, Factor, Force as Newton, LeastSpeed, Length,
    Number, Numbers, Reach, Stiffness, Time, Torque,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A force of exactly one kind.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Force {
    /// Constant force or torque on a body.
    Applied(Box<Applied>),
    /// Linear spring and damper between two points. The spring is integrated explicitly and stable for √(k/m) dt < 2
    /// only; for stiff springs use a `distance` joint with a `spring`.
    Spring(SpringForce),
    /// Air drag at the centre of mass.
    Drag(Drag),
}

/// Constant force at a point, or a torque, or both.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Applied {
    /// Name of the body.
    #[schemars(with = "String")]
    pub body: Spanned<String>,
    /// Point of application, in the world at the start [m]; the centre of mass unless given.
    pub at: Option<Numbers<Length>>,
    /// Force [N].
    pub force: Option<Numbers<Newton>>,
    /// Torque [N·m].
    pub torque: Option<Numbers<Torque>>,
    /// Axes in which force and torque are given; "world" unless given.
    #[serde(rename = "in")]
    pub axes: Option<Axes>,
    /// Force of constant magnitude toward a point of another body, instead of `force`.
    pub toward: Option<Toward>,
    /// Start time [s]; the start of the run unless given.
    pub from: Option<Number<Time>>,
    /// End time [s]; never unless given.
    pub until: Option<Number<Time>>,
}

/// Axes in which a vector is given.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Axes {
    /// World axes.
    #[default]
    World,
    /// Body axes, which rotate with the body.
    Body,
}

/// Force of constant magnitude toward a point of another body, without a reaction on that body.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Toward {
    /// Name of the other body.
    #[schemars(with = "String")]
    pub body: Spanned<String>,
    /// Point of that body, in the world at the start [m]; its origin unless given.
    pub at: Option<Numbers<Length>>,
    /// Magnitude [N]; negative pushes away.
    pub force: Number<Newton>,
}

/// Linear spring, integrated explicitly, and damper between two points.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SpringForce {
    /// Names of the two bodies.
    #[schemars(with = "[String; 2]")]
    pub bodies: [Spanned<String>; 2],
    /// A point on each body, in the world at the start [m].
    pub points: [Numbers<Length>; 2],
    /// Stiffness [N/m].
    pub stiffness: Number<Stiffness>,
    /// Damping [N·s/m]; 0 unless given.
    pub damping: Option<Number<Damping>>,
    /// Length without force [m]; the initial length unless given.
    pub rest: Option<Number<Reach>>,
}

/// Air drag: −½ ρ c A |v| v with a `density`, −c A |v| v without.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AirDrag")]
pub struct Drag {
    /// Name of the body.
    #[schemars(with = "String")]
    pub body: Spanned<String>,
    /// Drag coefficient c.
    pub factor: Number<Factor>,
    /// Reference area A, normal to the flow [m²].
    pub area: Number<Area>,
    /// Density ρ of the air [kg/m³]; none, which omits ½ ρ, unless given.
    pub density: Option<Number<Density>>,
}

/// Integrator.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntegratorName {
    /// SPOOK (Lacoursière 2007): velocity level, semi-implicit, usually one linear solve per step; for real time.
    #[default]
    Spook,
    /// Acceleration level, fourth-order Runge–Kutta with projection onto the constraints, to round-off; for accuracy.
    Projected,
    /// Acceleration level, Dormand–Prince 5(4) with error control; for reference solutions.
    DormandPrince,
}

/// Settings of the whole scene.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Time step [s]; 1/60 unless given.
    pub dt: Option<Number<Duration>>,
    /// Gravitational acceleration [m/s²]; [0, 0, -9.81] unless given.
    pub gravity: Option<Numbers<Acceleration>>,
    /// Integrator; "spook" unless given.
    pub integrator: Option<IntegratorName>,
    /// Duration of a run for which none is specified [s]; 10 unless given.
    pub duration: Option<Number<Duration>>,
    /// Error tolerance per internal step of `dormand-prince`, relative to 1 + |value|; 1e-8 unless given.
    pub tolerance: Option<Number<Factor>>,
    /// Smallest internal step of `dormand-prince` [s]; 1e-7 unless given.
    pub min_step: Option<Number<Duration>>,
    /// Largest internal step of `dormand-prince` [s]; 0.05 unless given.
    pub max_step: Option<Number<Duration>>,
    /// Sleeping of bodies at rest; never unless given.
    pub sleep: Option<Sleep>,
    /// Rebounds slower than this are suppressed [m/s or rad/s]; 0.01 unless given.
    pub bounce_speed: Option<Number<LeastSpeed>>,
    /// Position-level iterations with which `spook` closes rigid joints at the end of a step, a whole number from 0 to
    /// 100. Cables, and bodies that rotate by less than 0.01 rad per step, need none; up to 8 where they are needed
    /// unless given.
    pub position_iterations: Option<Number<Coefficient>>,
    /// Largest number of substeps into which `spook` divides a step where light links under load or fast rotation
    /// require it, a whole number from 1 to 1024. 1 disables substeps; 256 unless given.
    pub max_substeps: Option<Number<Coefficient>>,
    /// Whether a scene with open rigid joints is assembled before it starts: bodies are moved until the joints are
    /// closed, heavy ones least, and velocities are corrected; true unless given.
    pub assemble: Option<bool>,
    /// Whether bodies that do not specify `collide` collide; true unless given.
    pub collide: Option<bool>,
    /// Contact detection and contact solution.
    pub contact: Option<ContactSettings>,
}

/// When bodies are put to sleep.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Sleep {
    /// Speed below which a body counts as at rest [m/s and rad/s]; 1e-3 unless given.
    pub speed: Option<Number<LeastSpeed>>,
    /// Time for which all bodies of an island must be at rest [s]; 0.5 unless given.
    pub after: Option<Number<Duration>>,
}
