//! Materials as the file has them.

use super::look::Color;
use crate::number::{Coefficient, Density, Modulus, Number, Plain, Share};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A material of your own, or changes to one of the library: what is left out stays as it is there.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Name of the material it starts from; the one of the same name in the library unless given.
    #[schemars(with = "Option<String>")]
    pub like: Option<Spanned<String>>,
    /// Density [kg/m³].
    pub density: Option<Number<Density>>,
    /// Young's modulus [Pa]; 0 for what has no stiffness, as water.
    pub young: Option<Number<Modulus>>,
    /// Poisson's ratio, above -1 and up to 0.5.
    pub poisson: Option<Number<Plain>>,
    /// Rebound speed per approach speed against itself, 0 to 1.
    pub restitution: Option<Number<Share>>,
    /// Dry friction against itself.
    pub friction: Option<Coefficients>,
    /// Colour it is drawn in, "#rrggbb" or [r, g, b] from 0 to 1; grey unless given.
    pub color: Option<Color>,
    /// How matt it is drawn, from 0 (a mirror) to 1 (chalk); 0.6 unless given.
    pub roughness: Option<Number<Share>>,
    /// How metallic it is drawn, 0 or 1; 0 unless given.
    pub metalness: Option<Number<Share>>,
}

/// Coefficients of dry friction.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Coefficients {
    /// Largest friction at rest per normal force.
    #[serde(rename = "static")]
    pub at_rest: Number<Coefficient>,
    /// Friction in sliding per normal force; as at rest unless given.
    pub kinetic: Option<Number<Coefficient>>,
}

/// Dry friction between two materials, in place of what the library or the rule says.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Friction {
    /// Names of the two materials, in any order; twice the same for one against itself.
    #[schemars(with = "[String; 2]")]
    pub between: [Spanned<String>; 2],
    /// Largest friction at rest per normal force.
    #[serde(rename = "static")]
    pub at_rest: Number<Coefficient>,
    /// Friction in sliding per normal force; as at rest unless given.
    pub kinetic: Option<Number<Coefficient>>,
}
