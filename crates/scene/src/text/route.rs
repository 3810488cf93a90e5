//! Ropes as the file has them: cables that run over points, from end to end.
//!
//! A cable with a `route` is such a rope. Its points stand in order, each on a body, in world coordinates at the start of the
//! run. It is made of a section as other cables are; of its mass and bending nothing is counted, except in segments that are
//! flexible: rigid elements there, which winches and pulleys take in and let out.

use super::cable::{Made, MadeOf};
use super::look::Color;
use super::material::Rub;
use super::motion::Motion;
use crate::number::{Coefficient, Factor, Length, MostForce, Number, Numbers, Plain, Reach, Size, Way};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A cable that runs over winches and pulleys and through rings, from end to end.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Rope {
    /// What it is made of: the name of one of [sections], or its keys here. Mass and bending count in flexible segments.
    #[schemars(with = "MadeOf")]
    pub section: Made,
    /// Its points in order. The first and the last hold it: a winch, an `attach`, or a pulley with `slip = false`.
    #[schemars(with = "Vec<Point>")]
    pub route: Spanned<Vec<Spanned<Point>>>,
    /// What its segments from point to point are, where a point does not say it; "massless" unless given.
    #[schemars(with = "Option<Segments>")]
    pub segments: Option<Spanned<Segments>>,
    /// How many rigid elements stand for its flexible segments at the start, about, a whole number; as many as make one 20
    /// diameters long, but 8 to 200, unless given.
    pub elements: Option<Number<Factor>>,
    /// Length of an element [m], instead of their number.
    pub element: Option<Number<Size>>,
    /// Whether flexible segments can be touched; false unless given.
    #[schemars(with = "Option<bool>")]
    pub collide: Option<Spanned<bool>>,
    /// Name of their surface in `[[contacts]]`; the material unless given.
    #[schemars(with = "Option<String>")]
    pub surface: Option<Spanned<String>>,
    /// Length off the winches without load [m]; as its way is at the start unless given.
    pub length: Option<Number<Size>>,
    /// Pull it has at the start, instead of a length [N]; 0 unless given.
    pub tension: Option<Number<MostForce>>,
    /// Rope paid out at its first point as a function of time [m], beside what a winch pays; 0 unless given.
    #[schemars(with = "Option<Motion<Way>>")]
    pub paid_out: Option<Spanned<Motion<Way>>>,
    /// Colour it is drawn in; that of its material unless given.
    pub color: Option<Color>,
}

/// What the pieces of a rope between its points are.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Segments {
    /// Straight, without mass: exact for ropes that are taut.
    #[default]
    Massless,
    /// Rigid elements with mass, joined by links that stretch, bend and twist, as other cables have them.
    Flexible,
}

/// A point of a rope's way: one of `winch`, `pulley`, `ring` and `attach`, and what goes with it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "RoutePoint")]
pub struct Point {
    /// Name of a winch it is wound on, or of a body that is a drum.
    #[schemars(with = "Option<String>")]
    pub winch: Option<Spanned<String>>,
    /// Name of the body a pulley is on, which turns without mass; with `slip = false`, of the body that is the pulley.
    #[schemars(with = "Option<String>")]
    pub pulley: Option<Spanned<String>>,
    /// Name of the body that has a ring or an eye it slides through.
    #[schemars(with = "Option<String>")]
    pub ring: Option<Spanned<String>>,
    /// Name of the body it is fast on.
    #[schemars(with = "Option<String>")]
    pub attach: Option<Spanned<String>>,
    /// Where, in the world at the start [m]: the point, or the middle of the pulley. A winch has it.
    pub at: Option<Numbers<Length>>,
    /// Axis of a pulley in the world at the start. A winch has it.
    pub axis: Option<Numbers<Plain>>,
    /// Radius to the middle of the rope [m]. A winch has it.
    pub radius: Option<Number<Size>>,
    /// How it runs about the axis; the way that turns it by less about a pulley, and that a winch winds in when it turns about
    /// its axis, unless given.
    #[schemars(with = "Option<WrapDirection>")]
    pub wrap_direction: Option<Spanned<WrapDirection>>,
    /// Whole turns about the pulley beside those that its way tells; 0 unless given.
    pub turns: Option<Number<Coefficient>>,
    /// Where on a winch, from its middle along its axis [m]; 0 unless given.
    pub axial_offset: Option<Number<Length>>,
    /// How much of this rope is wound on a winch, or on a body that is a drum, at the start [m]: what flexible segments can be let
    /// out of; what the winch says unless given.
    pub wound_length: Option<Number<Reach>>,
    /// Friction on a pulley that stands, or in a ring: a number, or { static, kinetic }; none unless given.
    pub friction: Option<Rub>,
    /// Friction in the bearing of a pulley that turns; none unless given.
    pub bearing: Option<Bearing>,
    /// Whether it slips over a pulley; false if the pulley is a body that turns with the rope; true unless given.
    #[schemars(with = "Option<bool>")]
    pub slip: Option<Spanned<bool>>,
    /// What the segment from here to the next point is; what `segments` says unless given.
    #[schemars(with = "Option<Segments>")]
    pub segment: Option<Spanned<Segments>>,
    /// The point is there only if this number is above 0, so that reeving can depend on a parameter; 1 unless given.
    #[serde(rename = "enabled")]
    pub only: Option<Number<Plain>>,
}

/// Which way a rope runs about an axis that points to the viewer.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WrapDirection {
    /// Counterclockwise: it has the axis on its left.
    Ccw,
    /// Clockwise: it has the axis on its right.
    Cw,
}

/// Friction in the bearing of a pulley.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Bearing {
    /// Coefficient of friction on the pin.
    pub friction: Number<Coefficient>,
    /// Radius of the pin [m].
    pub pin: Number<Size>,
}
