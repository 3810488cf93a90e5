//! Tyres as written in the file.

use crate::number::{
    Coefficient, CorneringStiffness, Damping, Load, Modulus, Number, Numbers, Reach, Share, Size, Stiffness,
    Two,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A tyre: that of a property file, or a `model` with few parameters.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Tire {
    /// Path of a tyre property file (`.tir`) with the Magic Formula 5.2, 6.1 or 6.2, relative to the scene's folder,
    /// instead of a `model`. Its radius, width, stiffness and damping are those of the file.
    #[schemars(with = "Option<String>")]
    pub file: Option<Spanned<String>>,
    /// Model of the forces in the road plane.
    #[schemars(with = "Option<TireModel>")]
    pub model: Option<Spanned<TireModel>>,
    /// Free radius [m].
    pub radius: Option<Number<Size>>,
    /// Width [m].
    pub width: Option<Number<Size>>,
    /// Vertical stiffness [N/m].
    pub stiffness: Option<Number<Stiffness>>,
    /// Vertical damping [N·s/m]; 0 unless given.
    pub damping: Option<Number<Damping>>,
    /// Rolling resistance over load; the rolling moment of its file, or 0 without one, unless given.
    pub rolling_resistance: Option<Number<Coefficient>>,
    /// Inflation pressure, for models that depend on it [Pa]; that of the file unless given.
    pub pressure: Option<Number<Modulus>>,
}

/// Model of the forces of a tyre in the road plane.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum TireModel {
    /// Forces proportional to slip, up to a friction limit.
    Linear {
        /// Longitudinal force per slip [N].
        slip_stiffness: Number<Load>,
        /// Lateral force per slip angle [N/rad].
        cornering_stiffness: Number<CorneringStiffness>,
        /// Coefficient of friction on asphalt; no limit unless given.
        friction: Option<Number<Coefficient>>,
        /// Longitudinal and lateral relaxation length [m]; 0 unless given.
        #[schemars(with = "Option<Two<Reach>>")]
        relaxation_length: Option<Numbers<Reach>>,
    },
    /// Brush model with parabolic pressure, after Fiala; combined slip.
    Brush {
        /// Longitudinal force per slip [N].
        slip_stiffness: Number<Load>,
        /// Lateral force per slip angle [N/rad].
        cornering_stiffness: Number<CorneringStiffness>,
        /// Coefficient of friction on asphalt.
        friction: Number<Coefficient>,
        /// Friction at full sliding over that at small slip, 0 to 1; 1 unless given.
        sliding_ratio: Option<Number<Share>>,
        /// Longitudinal and lateral relaxation length [m]; 0 unless given.
        #[schemars(with = "Option<Two<Reach>>")]
        relaxation_length: Option<Numbers<Reach>>,
        /// Length of the contact patch [m]; 0.5 times the radius unless given.
        contact_length: Option<Number<Size>>,
    },
    /// The sine curve of the Magic Formula, with the same shape in both directions; combined slip.
    MagicCurve {
        /// Longitudinal force per slip [N].
        slip_stiffness: Number<Load>,
        /// Lateral force per slip angle [N/rad].
        cornering_stiffness: Number<CorneringStiffness>,
        /// Coefficient of friction on asphalt.
        friction: Number<Coefficient>,
        /// Shape factor C, 1 to 2; 1.6 unless given.
        shape: Option<Number<Coefficient>>,
        /// Curvature factor E, at most 1; 0.5 unless given.
        curvature: Option<Number<crate::number::Plain>>,
        /// Longitudinal and lateral relaxation length [m]; 0 unless given.
        #[schemars(with = "Option<Two<Reach>>")]
        relaxation_length: Option<Numbers<Reach>>,
    },
    /// Composite slip, after Allen, Rosenthal and Szostak.
    CompositeSlip {
        /// Longitudinal force per slip [N].
        slip_stiffness: Number<Load>,
        /// Lateral force per slip angle [N/rad].
        cornering_stiffness: Number<CorneringStiffness>,
        /// Coefficient of friction on asphalt.
        friction: Number<Coefficient>,
        /// Decrease of the friction with slip, 0 to 1; 0.2 unless given.
        friction_decay: Option<Number<Share>>,
        /// Longitudinal and lateral relaxation length [m]; 0 unless given.
        #[schemars(with = "Option<Two<Reach>>")]
        relaxation_length: Option<Numbers<Reach>>,
    },
}
