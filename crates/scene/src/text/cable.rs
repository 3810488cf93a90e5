//! Cables and their sections as written in the file.
//!
//! A cable runs between two ends, given in world coordinates at the start of the run. Its section is a construction
//! class of rope, a material with a cross-section, or measured stiffnesses.

use super::contact::Solver;
use super::fluid::CableFluid;
use super::look::Color;
use crate::number::{
    Angle, Area, BendStiffness, Coefficient, Density, Factor, Frequency, LeastTime, Length, LineDamping,
    LineWeight, Load, MassPerLength, Modulus, MostForce, MostTorque, Number, Numbers, Plain, Reach,
    SecondMoment, Size,
};
use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use toml::Spanned;

/// A flexible cable: a rope, wire, chain or hose.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Cable {
    /// Section: the name of an entry of [sections], or its keys.
    #[schemars(with = "MadeOf")]
    pub section: Made,
    /// Start and its attachment; free, at the first point of `path`, unless given.
    pub start: Option<CableEnd>,
    /// End and its attachment; free, at the last point of `path`, unless given.
    pub end: Option<CableEnd>,
    /// Points of its initial centre line from start to end, in the world [m]; straight from start to end, or sagging if
    /// `length` is longer, unless given.
    #[schemars(with = "Option<Vec<Numbers<Length>>>")]
    pub path: Option<Spanned<Vec<Numbers<Length>>>>,
    /// Unloaded length [m]; that of its path unless given.
    pub length: Option<Number<Size>>,
    /// Initial tension along its path, instead of a length [N]; 0 unless given.
    pub tension: Option<Number<MostForce>>,
    /// Number of rigid elements, or of segments between mass points, a whole number; one per 20 diameters, but 8 to
    /// 200, unless given.
    pub elements: Option<Number<Factor>>,
    /// Adaptive resolution: elements are merged where the cable is straight and split where it bends. `elements` is
    /// then the finest number; fixed resolution unless given.
    #[schemars(with = "Option<Adaptive>")]
    pub adaptive: Option<Spanned<Adaptive>>,
    /// Cable model; "elements" unless given.
    pub model: Option<CableModel>,
    /// Parameters of the mass-point model; only with `model = "mass-points"`.
    #[schemars(with = "Option<MassPoints>")]
    pub mass_points: Option<Spanned<MassPoints>>,
    /// Segments and floor of a catenary; only with `model = "catenary"`.
    #[schemars(with = "Option<Catenary>")]
    pub catenary: Option<Spanned<Catenary>>,
    /// Measure of the rotation between neighbouring elements. `"swing-twist"`: A twist and two bends, valid in all
    /// directions and for any number of turns. `"angles"`: The two angles of Servin and Lacoursière, to repeat their
    /// experiments; "swing-twist" unless given.
    #[schemars(with = "Option<Turns>")]
    pub rotation_measure: Option<Spanned<Turning>>,
    /// Whether its initial shape is free of bending stress; false unless given.
    pub stress_free: Option<bool>,
    /// Positions at which it is cut, as unloaded length from its start [m].
    pub cut: Option<Vec<Number<Reach>>>,
    /// Whether it collides; as `settings.collide` unless given.
    pub collide: Option<bool>,
    /// Name of its surface in `[[contacts]]`; its material unless given.
    #[schemars(with = "Option<String>")]
    pub surface: Option<Spanned<String>>,
    /// Drag and added mass in the fluids of the scene.
    #[schemars(with = "Option<CableFluid>")]
    pub fluid: Option<Spanned<CableFluid>>,
    /// Colour, "#rrggbb" or [r, g, b] from 0 to 1; that of its material unless given.
    pub color: Option<Color>,
    /// Solver for its contacts and joints; that of `settings.contact` unless given.
    #[schemars(with = "Option<Solver>")]
    pub solver: Option<Spanned<Solver>>,
}

/// Adaptive resolution of a cable.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Adaptive {
    /// Number of times that elements may be merged in pairs, a whole number. `elements` must be a multiple of 2^levels;
    /// 3 unless given.
    pub levels: Option<Number<Factor>>,
    /// Smallest number of elements, a whole number; 1 unless given.
    pub min_elements: Option<Number<Factor>>,
    /// Largest number of elements, a whole number; `elements` unless given.
    pub max_elements: Option<Number<Factor>>,
    /// Bend of a link beyond which its elements are split [rad]; 0.05 rad unless given.
    pub bend: Option<Number<Angle>>,
    /// Time by which bends are extrapolated at their present rates [s]; 0.1 s unless given.
    pub look_ahead: Option<Number<LeastTime>>,
}

/// An end of a cable.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CableEnd {
    /// Name of the body to which it is attached; free unless given.
    #[schemars(with = "Option<String>")]
    pub body: Option<Spanned<String>>,
    /// Position, in the world at the start [m]; the first or last point of `path` unless given.
    pub at: Option<Numbers<Length>>,
    /// Type of attachment; "ball" unless given.
    #[schemars(with = "Option<Attachment>")]
    pub attachment: Option<Spanned<Attachment>>,
    /// Direction of a clamp, from the start of the cable toward its end, in the world at the start.
    pub direction: Option<Numbers<Plain>>,
}

/// Type of attachment of an end of a cable.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attachment {
    /// Attached at a point, free to rotate.
    #[default]
    Ball,
    /// Held in its initial direction.
    Fixed,
    /// Held in `direction`, even if its initial direction differs.
    Clamp,
}

/// Cable model.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CableModel {
    /// Rigid elements joined by links that stretch, bend and twist; for loads, drums and breaking.
    #[default]
    Elements,
    /// Mass points joined by springs for stretch and bending, after Loock and Schömer; for the routing of harnesses and
    /// hoses.
    MassPoints,
    /// Static equilibrium in closed form between its two ends, which may move. It is drawn and bodies collide with it,
    /// but it has no mass and does not load its ends; for risers, umbilicals and mooring lines.
    Catenary,
}

/// Segments and floor of a catenary.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Catenary {
    /// Segments from start to end, instead of `length`. A lazy wave has a buoyant segment between two heavy ones.
    #[schemars(with = "Option<Vec<Segment>>")]
    pub segments: Option<Spanned<Vec<Segment>>>,
    /// Height of a floor without friction on which part of it may lie [m]; none unless given.
    pub floor: Option<Number<Length>>,
}

/// A segment of a catenary.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// Unloaded length [m].
    pub length: Number<Size>,
    /// Weight per length less buoyancy, negative if it lifts [N/m]; that of its section in air unless given.
    pub weight: Option<Number<LineWeight>>,
}

/// Parameters of a mass-point cable.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MassPoints {
    /// Distance below which surfaces repel it [m]; a tenth of its diameter unless given.
    pub margin: Option<Number<Size>>,
    /// Air resistance: force per speed and length [N·s/m²]; 0 unless given.
    pub air: Option<Number<LineDamping>>,
    /// Largest number of linearisations per step, a whole number; 10 unless given.
    pub rebuilds: Option<Number<Factor>>,
    /// Conjugate-gradient iterations per linearisation, a whole number; 20 unless given.
    pub iterations: Option<Number<Factor>>,
}

/// Measure of the rotation of one element relative to the next: a word, or the angles with their keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Turning {
    /// A twist and two bends.
    #[default]
    SwingTwist,
    /// The two angles of Servin and Lacoursière.
    Angles(Angles),
}

/// The two angles of Servin and Lacoursière: a bend angle without direction, and a twist between side axes of two
/// elements.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Angles {
    /// Side axes between which the twist is measured; "ordinary" unless given.
    pub twist: Option<TwistAngle>,
    /// Lower bound of sines, between 0 and 1, which limits the gradients where axes become parallel; 1e-3 unless given.
    pub epsilon: Option<Number<Factor>>,
}

/// Twist angle of Servin and Lacoursière.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TwistAngle {
    /// Between the first side axis of one element and the second of the next, a right angle at rest.
    #[default]
    Ordinary,
    /// Between the first side axes of both, which bears more in their experiments.
    Alternative,
}

const TURNINGS: [&str; 2] = ["swing-twist", "angles"];

impl Serialize for Turning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Turning::SwingTwist => serializer.serialize_str(TURNINGS[0]),
            Turning::Angles(angles) if *angles == Angles::default() => serializer.serialize_str(TURNINGS[1]),
            Turning::Angles(angles) => serializer.collect_map([(TURNINGS[1], angles)]),
        }
    }
}

impl<'de> Deserialize<'de> for Turning {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Turning, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Turning;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"swing-twist\", \"angles\" or { angles = { twist = …, epsilon = … } }")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Turning, E> {
                match TURNINGS.iter().position(|word| *word == text) {
                    Some(0) => Ok(Turning::SwingTwist),
                    Some(_) => Ok(Turning::Angles(Angles::default())),
                    None => Err(E::unknown_variant(text, &TURNINGS)),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Turning, A::Error> {
                #[derive(Deserialize)]
                #[serde(deny_unknown_fields)]
                struct Keys {
                    angles: Angles,
                }
                Keys::deserialize(MapAccessDeserializer::new(map)).map(|keys| Turning::Angles(keys.angles))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

// Represents the rotation measure in the schema.
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
#[allow(dead_code, reason = "its form alone is read")]
enum Turns {
    Word(TurningWord),
    Keys(TurningKeys),
}

#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
#[allow(dead_code, reason = "its form alone is read")]
enum TurningWord {
    SwingTwist,
    Angles,
}

/// The angles of Servin and Lacoursière with their keys.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "its form alone is read")]
struct TurningKeys {
    /// The two angles of Servin and Lacoursière.
    angles: Angles,
}

/// Section of a cable. A construction class, or a material with a cross-section, defines all properties; keys given
/// beside it take precedence.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// Construction class of a rope, such as "6x36 IWRC", "1x19 strand", "nylon 3-strand", "HMPE", "chain G80"; needs
    /// `diameter`.
    #[schemars(with = "Option<String>")]
    pub construction: Option<Spanned<String>>,
    /// Tensile strength of the wires of a steel rope [Pa]; 1770e6 unless given.
    pub grade: Option<Number<Modulus>>,
    /// Name of the material of a solid cable.
    #[schemars(with = "Option<String>")]
    pub material: Option<Spanned<String>>,
    /// Outer diameter, for a chain that of its wire [m].
    pub diameter: Option<Number<Size>>,
    /// Load-bearing cross-sectional area [m²]; that of the wires, of the construction or of the diameter unless given.
    pub area: Option<Number<Area>>,
    /// Second moment of area [m⁴]; that of a solid circle of the same area, or the sum over the wires, unless given.
    pub second_moment: Option<Number<SecondMoment>>,
    /// Torsion constant [m⁴]; twice the second moment of area, as for a circle, unless given.
    pub torsion_constant: Option<Number<SecondMoment>>,
    /// Number of wires, which slide on each other, a whole number; needs `wire_diameter`.
    pub wires: Option<Number<Factor>>,
    /// Diameter of a wire [m].
    pub wire_diameter: Option<Number<Size>>,
    /// Young's modulus [Pa]; that of the material unless given.
    pub youngs_modulus: Option<Number<Modulus>>,
    /// Poisson's ratio, above -1 and up to 0.5; that of the material, or 0.3, unless given.
    pub poisson_ratio: Option<Number<Plain>>,
    /// Shear modulus [Pa]; E/2(1 + ν) unless given.
    pub shear_modulus: Option<Number<Modulus>>,
    /// Density of the load-bearing area [kg/m³]; that of the material unless given.
    pub density: Option<Number<Density>>,
    /// Mass per length [kg/m]; that of the construction, or density times area, unless given.
    pub mass_per_length: Option<Number<MassPerLength>>,
    /// Strain under a load, as in data sheets of fibre ropes, instead of `youngs_modulus`.
    pub elongation: Option<Elongation>,
    /// Axial stiffness EA: force per strain [N]; Young's modulus times area unless given.
    pub axial_stiffness: Option<Number<MostForce>>,
    /// Bending stiffness EI: moment per curvature, 0 for none [N·m²]; Young's modulus times second moment of area
    /// unless given.
    pub bending_stiffness: Option<Number<BendStiffness>>,
    /// Torsional stiffness GJ: torque per twist per length, 0 for none [N·m²]; shear modulus times torsion constant
    /// unless given.
    pub torsional_stiffness: Option<Number<BendStiffness>>,
    /// Structural damping; that of the construction class, or none, unless given.
    pub damping: Option<Damping>,
    /// Stiffening under tension; none unless given.
    pub stiffening: Option<Stiffening>,
    /// Tension at which it breaks [N]; that of the construction class, or never, unless given.
    pub breaking_load: Option<Number<Load>>,
    /// Strain at which it breaks, such as "2 %" or 0.02, if reached before the breaking load; never unless given.
    pub breaking_strain: Option<Number<Factor>>,
    /// Bending moment beyond which bending is plastic [N·m]; none unless given.
    pub yield_moment: Option<Number<MostTorque>>,
    /// Hardening: increase of the yield moment per plastic curvature [N·m²]; 0 unless given.
    pub hardening: Option<Number<BendStiffness>>,
    /// Fatigue damage by load cycles; not counted unless given.
    pub fatigue: Option<Fatigue>,
    /// Smallest permissible bend radius, which is reported and not enforced [m]; that of the construction class unless
    /// given.
    pub min_bend_radius: Option<Number<Reach>>,
}

/// A strain under a load.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Elongation {
    /// Strain, such as "3 %" or 0.03.
    pub strain: Number<Factor>,
    /// Load that causes the strain [N].
    pub load: Number<Load>,
}

/// Damping proportional to stiffness, with damping times τ = c/k. A vibration of frequency f has the damping ratio π f
/// τ.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Damping {
    /// Damping ratio ζ of stretch, bending and torsion at `frequency`.
    pub ratio: Option<Number<Coefficient>>,
    /// Frequency f at which `ratio` holds [Hz]: τ = ζ/(π f).
    pub frequency: Option<Number<Frequency>>,
    /// Damping time of stretch, instead of that of `ratio` [s].
    pub stretch: Option<Number<LeastTime>>,
    /// Damping time of bending, instead of that of `ratio` [s].
    pub bend: Option<Number<LeastTime>>,
    /// Damping time of torsion, instead of that of `ratio` [s].
    pub twist: Option<Number<LeastTime>>,
    /// Additional bending damping proportional to the tension T: T l times this for a link of length l [s]; 0 unless
    /// given.
    pub tension: Option<Number<LeastTime>>,
}

/// Stiffening under tension: EA, EI and GJ grow by the factor 1 + T/load at a tension T.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Stiffening {
    /// Tension that doubles the stiffness [N].
    pub load: Number<Load>,
    /// Largest factor, 1 to 1e6; 10 unless given.
    pub max_factor: Option<Number<Factor>>,
}

/// Fatigue by Basquin's law: a cycle of tension range ΔT uses (ΔT/breaking load)^exponent / cycles of the life.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Fatigue {
    /// Cycles to failure at a tension range equal to the breaking load.
    pub cycles: Number<Factor>,
    /// Exponent, 3 to 5 for wire rope in tension; 5 unless given.
    pub exponent: Option<Number<Factor>>,
}

/// The section of a cable: a name, or its keys.
#[derive(Clone, Debug)]
pub enum Made {
    /// The name of an entry of [sections].
    Of(Spanned<String>),
    /// Its keys, and their position in the text.
    Here(Box<Section>, Range<usize>),
}

impl PartialEq for Made {
    /// Compares contents, not positions in the text.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Made::Of(a), Made::Of(b)) => a.get_ref() == b.get_ref(),
            (Made::Here(a, _), Made::Here(b, _)) => a == b,
            _ => false,
        }
    }
}

impl Serialize for Made {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Made::Of(name) => name.serialize(serializer),
            Made::Here(section, _) => section.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Made {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Made, D::Error> {
        struct Reader;
        enum Either {
            Name(String),
            Table(Box<Section>),
        }
        impl<'de> Visitor<'de> for Reader {
            type Value = Either;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a section, or { construction = …, diameter = … }")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Either, E> {
                Ok(Either::Name(text.to_string()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Either, A::Error> {
                Section::deserialize(MapAccessDeserializer::new(map)).map(|s| Either::Table(Box::new(s)))
            }
        }
        impl<'de> Deserialize<'de> for Either {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Either, D::Error> {
                deserializer.deserialize_any(Reader)
            }
        }
        let either = Spanned::<Either>::deserialize(deserializer)?;
        let span = either.span();
        Ok(match either.into_inner() {
            Either::Name(name) => Made::Of(Spanned::new(span, name)),
            Either::Table(section) => Made::Here(section, span),
        })
    }
}

// Represents the section of a cable in the schema.
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
#[allow(dead_code, reason = "its form alone is read")]
pub(super) enum MadeOf {
    Name(String),
    Keys(Box<Section>),
}
