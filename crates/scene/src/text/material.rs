//! Materials as written in the file.

use super::look::Color;
use crate::number::{Coefficient, Density, Given, Modulus, Number, Plain, Share};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use toml::Spanned;

/// A material: a new one, or changes to one of the library. Properties that are omitted are those of the material it
/// starts from.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Name of the material it starts from; the library material of the same name unless given.
    #[schemars(with = "Option<String>")]
    pub like: Option<Spanned<String>>,
    /// Density [kg/m³].
    pub density: Option<Number<Density>>,
    /// Young's modulus, used by cables and not by contacts [Pa]; 0 for materials without stiffness, such as water.
    pub youngs_modulus: Option<Number<Modulus>>,
    /// Poisson's ratio, above -1 and up to 0.5, used by cables and not by contacts.
    pub poisson_ratio: Option<Number<Plain>>,
    /// Coefficient of restitution against itself: rebound speed per approach speed, 0 to 1.
    pub restitution: Option<Number<Share>>,
    /// Dry friction against itself: one coefficient, or { static, kinetic } with kinetic ≤ static.
    pub friction: Option<FrictionSpec>,
    /// Colour, "#rrggbb" or [r, g, b] from 0 to 1; that of the material it starts from, or grey, unless given.
    pub color: Option<Color>,
    /// Roughness for rendering, from 0 (mirror) to 1 (matt); that of the material it starts from, or 0.6, unless given.
    pub roughness: Option<Number<Share>>,
    /// Metalness for rendering, 0 to 1; that of the material it starts from, or 0, unless given.
    pub metalness: Option<Number<Share>>,
}

/// Coefficients of dry friction.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Coefficients {
    /// Coefficient of static friction: largest friction force at rest per normal force.
    #[serde(rename = "static")]
    pub at_rest: Number<Coefficient>,
    /// Coefficient of kinetic friction: friction force in sliding per normal force, at most `static`; `static` unless
    /// given.
    pub kinetic: Option<Number<Coefficient>>,
}

/// Dry friction as written, not yet checked: one coefficient for static and kinetic friction, or both.
#[derive(Clone, Debug, PartialEq)]
pub enum FrictionSpec {
    /// One coefficient for both.
    One(Number<Coefficient>),
    /// One coefficient each.
    Two(Coefficients),
}

impl Serialize for FrictionSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            FrictionSpec::One(number) => number.serialize(serializer),
            FrictionSpec::Two(both) => both.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for FrictionSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<FrictionSpec, D::Error> {
        struct Reader;
        enum Either {
            Given(Given),
            Table(Coefficients),
        }
        impl<'de> Visitor<'de> for Reader {
            type Value = Either;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a coefficient, or { static = …, kinetic = … }")
            }

            fn visit_f64<E: Error>(self, x: f64) -> Result<Either, E> {
                Ok(Either::Given(Given::Number(x)))
            }

            fn visit_i64<E: Error>(self, x: i64) -> Result<Either, E> {
                Ok(Either::Given(Given::Number(x as f64)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Either, E> {
                Ok(Either::Given(Given::Text(text.to_string())))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Either, A::Error> {
                Coefficients::deserialize(MapAccessDeserializer::new(map)).map(Either::Table)
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
            Either::Given(given) => FrictionSpec::One(Number::new(given, span)),
            Either::Table(both) => FrictionSpec::Two(both),
        })
    }
}

impl JsonSchema for FrictionSpec {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Rub".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = Number::<Coefficient>::json_schema(generator);
        let two = generator.subschema_for::<Coefficients>();
        json_schema!({ "anyOf": [one, two] })
    }
}

/// Dry friction between two materials, instead of that of the library or of the combination rule.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Friction {
    /// Names of the two materials, in any order; the same name twice for one against itself.
    #[schemars(with = "[String; 2]")]
    pub between: [Spanned<String>; 2],
    /// Coefficient of static friction: largest friction force at rest per normal force.
    #[serde(rename = "static")]
    pub at_rest: Number<Coefficient>,
    /// Coefficient of kinetic friction: friction force in sliding per normal force, at most `static`; `static` unless
    /// given.
    pub kinetic: Option<Number<Coefficient>>,
}
