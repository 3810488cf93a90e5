//! Materials as the file has them.

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
    pub youngs_modulus: Option<Number<Modulus>>,
    /// Poisson's ratio, above -1 and up to 0.5.
    pub poisson_ratio: Option<Number<Plain>>,
    /// Rebound speed per approach speed against itself, 0 to 1.
    pub restitution: Option<Number<Share>>,
    /// Dry friction against itself: one coefficient, or { static, kinetic }.
    pub friction: Option<Rub>,
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

/// Dry friction of the file, not yet judged: one coefficient at rest and in sliding, or both.
#[derive(Clone, Debug, PartialEq)]
pub enum Rub {
    /// One for both.
    One(Number<Coefficient>),
    /// One each.
    Two(Coefficients),
}

impl Serialize for Rub {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Rub::One(number) => number.serialize(serializer),
            Rub::Two(both) => both.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Rub {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rub, D::Error> {
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
            Either::Given(given) => Rub::One(Number::new(given, span)),
            Either::Table(both) => Rub::Two(both),
        })
    }
}

impl JsonSchema for Rub {
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
