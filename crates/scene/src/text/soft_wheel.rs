//! Wheels on soft ground as written in the file: rollers, wheels of plain bodies, plates; and the soil under them.

use crate::number::{
    Coefficient, Factor, Length, Modulus, Number, Numbers, Plain, Size, StressPerArea, StressPerDepth,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A wheel, a roller or a plate that sinks into a ground. Tyres of vehicles do without an entry of their own.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SoftWheel")]
pub struct Wheel {
    /// Its body.
    #[schemars(with = "String")]
    pub body: Spanned<String>,
    /// Name of its ground. The wheel of an instance sinks into nothing in a scene without grounds; the only ground unless
    /// given.
    #[schemars(with = "Option<String>")]
    pub ground: Option<Spanned<String>>,
    /// Radius of a wheel or a roller [m].
    pub radius: Option<Number<Size>>,
    /// Length of a plate in the direction of travel, instead of `radius` [m].
    pub length: Option<Number<Size>>,
    /// Width [m].
    pub width: Number<Size>,
    /// Centre of the wheel, or middle of the lower side of the plate, in the axes of the body [m]; its origin unless
    /// given.
    pub at: Option<Numbers<Length>>,
    /// Axle to the left as seen in the direction of travel, or the direction across a plate, in the axes of the body; z, the
    /// axis of a cylinder, and y of a plate, unless given.
    pub axis: Option<Numbers<Plain>>,
    /// Direction up from a plate, in the axes of the body; z unless given.
    pub up: Option<Numbers<Plain>>,
    /// Whether its surface is smooth steel, on which soil slides with the strength of `steel` of the soil; otherwise the
    /// soil fails in itself; false unless given.
    pub steel: Option<bool>,
    /// Inflation pressure of a tyre with the pressure that its carcass carries [Pa]: it is flat where the ground bears
    /// more; rigid unless given.
    pub pressure: Option<Number<Modulus>>,
}

/// Pressure and sinkage of a soil under wheels, and its shear. One law of pressure and sinkage; that of the soil it is
/// like unless given.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct WheelSoil {
    /// Bekker: p = (kc/b + kphi) zⁿ, with b the shorter side of the contact.
    pub bekker: Option<Bekker>,
    /// Reece: p = (c kc + γ b kphi) (z/b)ⁿ.
    pub reece: Option<Reece>,
    /// A mat of plants on peat: p = peat z + 4 mat z²/D, with D the hydraulic diameter of the contact.
    pub muskeg: Option<Muskeg>,
    /// Snow over a hard bed: p = −pressure ln(1 − z/depth).
    pub snow: Option<Snow>,
    /// Shear displacement at which 63 % of the strength is reached, K [m].
    pub shear: Option<Number<Size>>,
    /// Shear strength that is reached at a displacement and falls to nothing beyond, as of a mat of plants, instead of
    /// `shear`.
    pub peak: Option<ShearPeak>,
    /// Shear strength that is reached at a displacement and falls to a residual strength beyond, as of snow or dense soil,
    /// instead of `shear`.
    pub hump: Option<ShearHump>,
    /// Stiffness of unloading; ten times pressure over sinkage unless given.
    pub unloading: Option<Unloading>,
}

/// Constants of Bekker.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Bekker {
    /// Exponent of the sinkage.
    pub n: Number<Factor>,
    /// Cohesive modulus [N/mⁿ⁺¹], a number without unit.
    pub kc: Number<Coefficient>,
    /// Frictional modulus [N/mⁿ⁺²], a number without unit.
    pub kphi: Number<Coefficient>,
}

/// Constants of Reece, without dimension. Cohesion and unit weight are those of the soil.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Reece {
    /// Exponent of the sinkage.
    pub n: Number<Factor>,
    /// Cohesive modulus.
    pub kc: Number<Coefficient>,
    /// Frictional modulus.
    pub kphi: Number<Coefficient>,
}

/// Constants of muskeg.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Muskeg {
    /// Modulus of the peat [Pa/m].
    pub peat: Number<StressPerDepth>,
    /// Modulus of the mat [Pa/m].
    pub mat: Number<StressPerDepth>,
}

/// Constants of snow.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Snow {
    /// Pressure [Pa].
    pub pressure: Number<Modulus>,
    /// Depth of the hard bed [m].
    pub depth: Number<Size>,
}

/// Shear strength with a peak.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ShearPeak {
    /// Shear displacement at the peak [m].
    pub at: Number<Size>,
}

/// Shear strength with a hump.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ShearHump {
    /// Shear displacement at which the strength is reached [m].
    pub at: Number<Size>,
    /// Residual strength over that strength.
    pub residual: Number<Factor>,
}

/// Stiffness of unloading, constant + per_depth · z.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Unloading {
    /// At no sinkage [Pa/m]; 0 unless given.
    pub constant: Option<Number<StressPerDepth>>,
    /// Growth with the sinkage [Pa/m²].
    pub per_depth: Number<StressPerArea>,
}
