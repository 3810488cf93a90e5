//! Routed ropes as written in the file: cables that run over points, from end to end.
//!
//! A cable with a `route` is a routed rope. Its points are given in order, each on a body, in world coordinates at the
//! start of the run. Its section is specified as for other cables. Mass and bending count in flexible segments only:
//! rigid elements, which winches and pulleys absorb and release.

use super::cable::{Made, MadeOf};
use super::look::Color;
use super::material::FrictionSpec;
use super::motion::Motion;
use crate::number::{Coefficient, Factor, Length, Linear, MostForce, Number, Numbers, Plain, Reach, Size};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A routed rope: a cable that runs over winches and pulleys and through rings.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Rope {
    /// Section: the name of an entry of [sections], or its keys. Mass and bending count in flexible segments only.
    #[schemars(with = "MadeOf")]
    pub section: Made,
    /// Route points in order, 2 to 1000. The first and the last hold the rope: a winch, an `attach`, or a pulley with
    /// `slip = false`.
    #[schemars(with = "Vec<Point>")]
    pub route: Spanned<Vec<Spanned<Point>>>,
    /// Type of the segments whose point does not specify `segment`; "massless" unless given.
    #[schemars(with = "Option<Segments>")]
    pub segments: Option<Spanned<Segments>>,
    /// Approximate number of rigid elements of all flexible segments at the start, a whole number; one per 20
    /// diameters, but 8 to 200, unless given.
    pub elements: Option<Number<Factor>>,
    /// Length of an element, instead of `elements` [m].
    pub element: Option<Number<Size>>,
    /// Whether flexible segments collide; false unless given.
    #[schemars(with = "Option<bool>")]
    pub collide: Option<Spanned<bool>>,
    /// Name of the surface of flexible segments in `[[contacts]]`; the material unless given.
    #[schemars(with = "Option<String>")]
    pub surface: Option<Spanned<String>>,
    /// Unloaded length off the winches [m]; that of the initial path unless given.
    pub length: Option<Number<Size>>,
    /// Initial tension, instead of a length [N]; 0 unless given.
    pub tension: Option<Number<MostForce>>,
    /// Additional length paid out at the first point as a function of time [m]; 0 unless given.
    #[schemars(with = "Option<Motion<Linear>>")]
    pub paid_out: Option<Spanned<Motion<Linear>>>,
    /// Colour, "#rrggbb" or [r, g, b] from 0 to 1; that of its material unless given.
    pub color: Option<Color>,
}

/// Type of a segment between two route points.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Segments {
    /// Straight and massless; accurate for taut ropes.
    #[default]
    Massless,
    /// Rigid elements with mass, joined by links that stretch, bend and twist, as in other cables.
    Flexible,
}

/// A route point: exactly one of `winch`, `pulley`, `ring` and `attach`, with its keys.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "RoutePoint")]
pub struct Point {
    /// Name of a winch, or of a body used as a drum, on which the rope is wound.
    #[schemars(with = "Option<String>")]
    pub winch: Option<Spanned<String>>,
    /// Name of the body that carries a massless pulley; with `slip = false`, of the body that is the pulley.
    #[schemars(with = "Option<String>")]
    pub pulley: Option<Spanned<String>>,
    /// Name of the body with a ring or eye through which the rope slides.
    #[schemars(with = "Option<String>")]
    pub ring: Option<Spanned<String>>,
    /// Name of the body to which the rope is attached.
    #[schemars(with = "Option<String>")]
    pub attach: Option<Spanned<String>>,
    /// Position of the point, or centre of the pulley, in the world at the start [m]. A winch defines it.
    pub at: Option<Numbers<Length>>,
    /// Axis of the pulley, in the world at the start. A winch defines it.
    pub axis: Option<Numbers<Plain>>,
    /// Radius to the centre line of the rope [m]. A winch defines it.
    pub radius: Option<Number<Size>>,
    /// Direction in which the rope runs about the axis; on a pulley the one with the smaller wrap angle, on a winch the
    /// one that winds in for positive rotation, unless given.
    #[schemars(with = "Option<WrapDirection>")]
    pub wrap_direction: Option<Spanned<WrapDirection>>,
    /// Whole turns about the pulley, in addition to the wrap angle of the path; 0 unless given.
    pub turns: Option<Number<Coefficient>>,
    /// Position on a winch along its axis, from the centre of the drum [m]; 0 unless given.
    pub axial_offset: Option<Number<Length>>,
    /// Length of this rope on the winch or drum at the start, which flexible segments can pay out [m]; that of the
    /// winch unless given.
    pub wound_length: Option<Number<Reach>>,
    /// Friction on a pulley that does not rotate with the rope, or in a ring: one coefficient, or { static, kinetic };
    /// none unless given.
    pub friction: Option<FrictionSpec>,
    /// Friction in the bearing of a pulley that rotates with the rope; none unless given.
    pub bearing: Option<Bearing>,
    /// Whether the rope may move relative to the body of the pulley; false if the body is the pulley and rotates with
    /// the rope; true unless given.
    #[schemars(with = "Option<bool>")]
    pub slip: Option<Spanned<bool>>,
    /// Type of the segment from here to the next point; that of `segments` unless given.
    #[schemars(with = "Option<Segments>")]
    pub segment: Option<Spanned<Segments>>,
    /// The point exists only if this number is above 0, so that the reeving can depend on a parameter; 1 unless given.
    #[serde(rename = "enabled")]
    pub only: Option<Number<Plain>>,
}

/// Direction in which a rope runs about an axis that points at the viewer.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WrapDirection {
    /// Counterclockwise: the axis is on its left.
    Ccw,
    /// Clockwise: the axis is on its right.
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
