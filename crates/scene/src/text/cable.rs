//! Cables and what they are made of, as the file has them.
//!
//! A cable is laid between two ends, in world coordinates at the start of the run, and is made of a section: a rope of a
//! class, a material with a form, or stiffnesses that were measured.

use super::contact::Solver;
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

/// A flexible cable: a rope, a wire, a chain, a hose.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Cable {
    /// What it is made of: the name of one of [sections], or its keys here.
    #[schemars(with = "MadeOf")]
    pub section: Made,
    /// Where it starts and how it is held there; loose where its path begins unless given.
    pub start: Option<Hold>,
    /// Where it ends and how it is held there; loose where its path ends unless given.
    pub end: Option<Hold>,
    /// Points of the line along which it lies at the start, from its start to its end, in the world [m]; straight from
    /// start to end, or sagging if it is longer than that, unless given.
    #[schemars(with = "Option<Vec<Numbers<Length>>>")]
    pub path: Option<Spanned<Vec<Numbers<Length>>>>,
    /// Length without load [m]; that of its path unless given.
    pub length: Option<Number<Size>>,
    /// Tension with which it lies along its path at the start, instead of a length [N]; 0 unless given.
    pub tension: Option<Number<MostForce>>,
    /// How many rigid elements, or segments between mass points, stand for it, a whole number; as many as make one 20
    /// diameters long, but 8 to 200, unless given.
    pub elements: Option<Number<Factor>>,
    /// Whether elements are merged where nothing bends and split where it does; `elements` then counts the finest.
    #[schemars(with = "Option<Adaptive>")]
    pub adaptive: Option<Spanned<Adaptive>>,
    /// How it is computed; "elements" unless given.
    pub model: Option<CableModel>,
    /// How mass points are worked at; only with `model = "mass-points"`.
    #[schemars(with = "Option<MassPoints>")]
    pub mass_points: Option<Spanned<MassPoints>>,
    /// What it hangs of and over; only with `model = "catenary"`.
    #[schemars(with = "Option<Catenary>")]
    pub catenary: Option<Spanned<Catenary>>,
    /// How its turning is measured. `"swing-twist"`: A twist and two bends: good in all directions and to any number of turns.
    /// `"angles"`: The two angles of Servin and Lacoursière, to repeat their experiments; "swing-twist" unless given.
    #[schemars(with = "Option<Turns>")]
    pub rotation_measure: Option<Spanned<Turning>>,
    /// Whether it is bent without stress as it lies at the start; false unless given.
    pub stress_free: Option<bool>,
    /// Places along it at which it is cut, from its start [m].
    pub cut: Option<Vec<Number<Reach>>>,
    /// Whether it can be touched; what `settings.collide` says unless given.
    pub collide: Option<bool>,
    /// Name of its surface in `[[contacts]]`; its material unless given.
    #[schemars(with = "Option<String>")]
    pub surface: Option<Spanned<String>>,
    /// Colour it is drawn in; that of its material unless given.
    pub color: Option<Color>,
    /// Who solves it; what `settings.contact.solver` says unless given.
    #[schemars(with = "Option<Solver>")]
    pub solver: Option<Spanned<Solver>>,
}

/// When elements of a cable are merged and split.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Adaptive {
    /// How often elements may be merged two by two, a whole number; 3 unless given.
    pub levels: Option<Number<Factor>>,
    /// Elements that remain at least, a whole number; 1 unless given.
    pub min_elements: Option<Number<Factor>>,
    /// Elements at once at most, a whole number; as many as the finest unless given.
    pub max_elements: Option<Number<Factor>>,
    /// Bend of a link from which its elements are split [rad]; 0.05 rad unless given.
    pub bend: Option<Number<Angle>>,
    /// How far ahead bends are looked at, at their present rates [s]; 0.1 s unless given.
    pub look_ahead: Option<Number<LeastTime>>,
}

/// An end of a cable.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Hold {
    /// Name of the body it is on; it is loose unless given.
    #[schemars(with = "Option<String>")]
    pub body: Option<Spanned<String>>,
    /// Where, in the world at the start [m]; where its path begins or ends unless given.
    pub at: Option<Numbers<Length>>,
    /// How it is held; "ball" unless given.
    #[schemars(with = "Option<Attachment>")]
    pub attachment: Option<Spanned<Attachment>>,
    /// The direction in which a clamp points, from the cable's start to its end, in the world at the start.
    pub direction: Option<Numbers<Plain>>,
}

/// How an end of a cable is held.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attachment {
    /// On a point about which it turns freely.
    #[default]
    Ball,
    /// Fixed in the direction in which it lies.
    Fixed,
    /// Clamped in the direction `direction`, even if it does not lie so.
    Clamp,
}

/// How a cable is computed.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CableModel {
    /// Rigid elements, joined by links that stretch, bend and twist: for loads, drums, breaking.
    #[default]
    Elements,
    /// Mass points on springs that stretch and bend, after Loock and Schömer: for harnesses and hoses that are routed.
    MassPoints,
    /// In closed form between its two ends, which may move: it is seen and touched, but has no mass and pulls at nothing. For
    /// risers, umbilicals and mooring lines.
    Catenary,
}

/// What a cable is that hangs as a catenary.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Catenary {
    /// Its segments from start to end, instead of `length`: a wave has a buoyant one between two heavy ones.
    #[schemars(with = "Option<Vec<Segment>>")]
    pub segments: Option<Spanned<Vec<Segment>>>,
    /// Height of the floor that part of it may lie on, without friction [m]; none unless given.
    pub floor: Option<Number<Length>>,
}

/// A segment of a catenary.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// Its length without load [m].
    pub length: Number<Size>,
    /// Weight of a metre less its buoyancy, negative if it lifts [N/m]; that of its section in air unless given.
    pub weight: Option<Number<LineWeight>>,
}

/// How a cable of mass points is worked at.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MassPoints {
    /// Distance from which on surfaces push it away [m]; a tenth of its diameter unless given.
    pub margin: Option<Number<Size>>,
    /// Resistance of the air: force per speed of a metre [N·s/m²]; 0 unless given.
    pub air: Option<Number<LineDamping>>,
    /// How often the equations of a step are built at most, a whole number; 10 unless given.
    pub rebuilds: Option<Number<Factor>>,
    /// Rounds of conjugate gradients for each, a whole number; 20 unless given.
    pub iterations: Option<Number<Factor>>,
}

/// How the turning of one element against the next is measured: a word, or the angles with their keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Turning {
    /// A twist and two bends.
    #[default]
    SwingTwist,
    /// The two angles of Servin and Lacoursière.
    Angles(Angles),
}

/// The two angles of Servin and Lacoursière: a bend without direction, and a twist between side axes of two elements.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Angles {
    /// Between which side axes their twist is measured; "ordinary" unless given.
    pub twist: Option<TwistAngle>,
    /// A sine between 0 and 1: those below it are taken for it, where axes are parallel and gradients end; 1e-3 unless given.
    pub epsilon: Option<Number<Factor>>,
}

/// The twist of Servin and Lacoursière.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TwistAngle {
    /// Between the first of one element and the second of the next, a quarter turn at rest.
    #[default]
    Ordinary,
    /// Between the first of both, which in their experiments bears more.
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

// Stands in the schema for how turning is measured.
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

/// The angles of Servin and Lacoursière with keys of their own.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "its form alone is read")]
struct TurningKeys {
    /// The two angles of Servin and Lacoursière.
    angles: Angles,
}

/// What a cable is made of. A rope of a class, or a material with a form, gives everything; what is given beside them
/// stands instead.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// A class of ropes, such as "6x36 IWRC", "1x19 strand", "nylon 3-strand", "HMPE", "chain G80"; needs `diameter`.
    #[schemars(with = "Option<String>")]
    pub construction: Option<Spanned<String>>,
    /// Strength of the wires of a rope of steel [Pa]; 1770e6 unless given.
    pub grade: Option<Number<Modulus>>,
    /// Name of the material of a solid cable.
    #[schemars(with = "Option<String>")]
    pub material: Option<Spanned<String>>,
    /// Outer diameter; of a chain, that of its wire [m].
    pub diameter: Option<Number<Size>>,
    /// Area of the cross-section that bears [m²]; that of the diameter, of the wires or of the rope unless given.
    pub area: Option<Number<Area>>,
    /// Second moment of area [m⁴]; that of a solid round of that area, or the sum of the wires', unless given.
    pub second_moment: Option<Number<SecondMoment>>,
    /// Torsion constant [m⁴]; twice the second moment, as of a round, unless given.
    pub torsion_constant: Option<Number<SecondMoment>>,
    /// How many wires it has that slide on each other, a whole number; needs `wire_diameter`.
    pub wires: Option<Number<Factor>>,
    /// Diameter of a wire [m].
    pub wire_diameter: Option<Number<Size>>,
    /// Young's modulus [Pa]; that of the material unless given.
    pub youngs_modulus: Option<Number<Modulus>>,
    /// Poisson's ratio, above -1 and up to 0.5; that of the material, or 0.3, unless given.
    pub poisson_ratio: Option<Number<Plain>>,
    /// Shear modulus [Pa]; E/2(1 + ν) unless given.
    pub shear_modulus: Option<Number<Modulus>>,
    /// Density of what bears [kg/m³]; that of the material unless given.
    pub density: Option<Number<Density>>,
    /// Mass of a metre [kg/m]; density times area unless given.
    pub mass_per_length: Option<Number<MassPerLength>>,
    /// How far it stretches under a load, as data sheets of fibre ropes say it, instead of `youngs_modulus`.
    pub elongation: Option<Elongation>,
    /// EA: force per strain [N]; Young's modulus times area unless given.
    pub axial_stiffness: Option<Number<MostForce>>,
    /// EI: moment per curvature, 0 for what does not resist [N·m²]; Young's modulus times second moment unless given.
    pub bending_stiffness: Option<Number<BendStiffness>>,
    /// GJ: torque per twist, 0 for what does not resist [N·m²]; shear modulus times torsion constant unless given.
    pub torsional_stiffness: Option<Number<BendStiffness>>,
    /// How its vibrations die out; that of the rope's class, or none, unless given.
    pub damping: Option<Damping>,
    /// How it gets stiffer under load; not at all unless given.
    pub stiffening: Option<Stiffening>,
    /// Tension at which it breaks [N]; that of the rope's class, or never, unless given.
    pub breaking_load: Option<Number<Load>>,
    /// Strain at which it breaks, as "2 %" or 0.02, if that comes before the breaking load; never unless given.
    pub breaking_strain: Option<Number<Factor>>,
    /// Bending moment beyond which a bend stays [N·m]; none unless given.
    pub yield_moment: Option<Number<MostTorque>>,
    /// Rise of the yield moment per plastic curvature [N·m²]; 0 unless given.
    pub hardening: Option<Number<BendStiffness>>,
    /// What load cycles use up of its life; they are not counted unless given.
    pub fatigue: Option<Fatigue>,
    /// Least radius to which it should be bent, which is told, not enforced [m]; that of the rope's class unless given.
    pub min_bend_radius: Option<Number<Reach>>,
}

/// A strain under a load.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Elongation {
    /// The strain, as "3 %" or 0.03.
    pub strain: Number<Factor>,
    /// The load that makes it [N].
    pub load: Number<Load>,
}

/// Damping in proportion to stiffness, with times τ = c/k. A vibration at a frequency f has the damping ratio π f τ.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Damping {
    /// Damping ratio ζ of stretch, bend and twist at `frequency`.
    pub ratio: Option<Number<Coefficient>>,
    /// The frequency at which `ratio` holds [Hz]: τ = ζ/(π f).
    pub frequency: Option<Number<Frequency>>,
    /// Damping time of stretching, over that of `ratio` [s].
    pub stretch: Option<Number<LeastTime>>,
    /// Damping time of bending, over that of `ratio` [s].
    pub bend: Option<Number<LeastTime>>,
    /// Damping time of twisting, over that of `ratio` [s].
    pub twist: Option<Number<LeastTime>>,
    /// Damping of bending in proportion to the tension T: a link of length l has T l times this more of it [s]; 0 unless
    /// given.
    pub tension: Option<Number<LeastTime>>,
}

/// Stiffness that grows with the load: EA, EI and GJ times 1 + T/load at a tension T.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Stiffening {
    /// The tension that doubles the stiffness [N].
    pub load: Number<Load>,
    /// By what factor it grows at most, 1 to 1e6; 10 unless given.
    pub max_factor: Option<Number<Factor>>,
}

/// Basquin's law: a cycle of a tension range ΔT uses up (ΔT/breaking load)^exponent / cycles of the life.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Fatigue {
    /// Cycles to failure at a range of the whole breaking load.
    pub cycles: Number<Factor>,
    /// The exponent, 3 to 5 for wire rope in tension; 5 unless given.
    pub exponent: Option<Number<Factor>>,
}

/// The section of a cable: a name, or its keys.
#[derive(Clone, Debug)]
pub enum Made {
    /// The name of one of [sections].
    Of(Spanned<String>),
    /// Its keys, and where they stand.
    Here(Box<Section>, Range<usize>),
}

impl PartialEq for Made {
    /// By what they say, wherever they stand.
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

// Stands in the schema for what a cable is made of.
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
#[allow(dead_code, reason = "its form alone is read")]
pub(super) enum MadeOf {
    Name(String),
    Keys(Box<Section>),
}
