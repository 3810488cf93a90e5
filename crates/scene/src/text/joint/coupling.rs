//! Couplings of coordinates of other joints.

use crate::number::{Length, Number, Plain};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// Couples the angles of two joints: the first rotates `ratio` times as fast as the second.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Gear {
    /// Names of two hinges, cylindrical joints or screws.
    #[schemars(with = "[String; 2]")]
    pub joints: [Spanned<String>; 2],
    /// Rotation of the first per rotation of the second; negative for external teeth.
    pub ratio: Number<Plain>,
}

/// Rack and pinion: displacement of the slider = radius × angle of the pinion, from their initial values.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Rack {
    /// Name of the joint of the pinion: a hinge, cylindrical joint or screw.
    #[schemars(with = "String")]
    pub pinion: Spanned<String>,
    /// Name of the joint of the rack: a slider, cylindrical joint or point on a line.
    #[schemars(with = "String")]
    pub slider: Spanned<String>,
    /// Pitch radius of the pinion: displacement per radian [m]; negative if the rack moves against the rotation.
    pub radius: Number<Length>,
}

/// Open differential: the angle of the input is the mean of the angles of the outputs, from their initial values.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Differential {
    /// Name of the joint of the input.
    #[schemars(with = "String")]
    pub input: Spanned<String>,
    /// Names of the joints of the two outputs.
    #[schemars(with = "[String; 2]")]
    pub outputs: [Spanned<String>; 2],
}

/// Linear coupling: Σ factor · coordinate = `offset`, with displacements in m and angles in rad.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LinearCoupling {
    /// Terms of the sum, 2 to 64.
    #[schemars(with = "Vec<Term>")]
    pub terms: Spanned<Vec<Term>>,
    /// Value of the sum; its initial value unless given.
    pub offset: Option<Number<Plain>>,
}

/// A coordinate of a joint and its factor in the sum.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// Name of the joint.
    #[schemars(with = "String")]
    pub joint: Spanned<String>,
    /// Number of its coordinate, counted from 1; 1 unless given.
    #[schemars(with = "Option<i64>")]
    pub coordinate: Option<Spanned<i64>>,
    /// Factor of the coordinate; 1 unless given.
    pub factor: Option<Number<Plain>>,
}
