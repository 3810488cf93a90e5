//! Colours and cameras as written in the file.

use crate::number::{Angle, Length, Number, Numbers, Plain, Share, Size};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use toml::Spanned;

/// A colour as written, not yet checked: "#rrggbb", or red, green and blue from 0 to 1.
#[derive(Clone, Debug)]
pub struct Color {
    given: Shade,
    span: Range<usize>,
}

/// A colour as a TOML value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shade {
    Text(String),
    List(Vec<Number<Share>>),
}

impl Color {
    /// A colour that is not from a text: red, green and blue from 0 to 1.
    pub fn rgb(rgb: [f64; 3]) -> Color {
        Color { given: Shade::List(rgb.map(Number::si).to_vec()), span: 0..0 }
    }

    /// Its position in the text.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    pub(crate) fn given(&self) -> &Shade {
        &self.given
    }
}

impl PartialEq for Color {
    fn eq(&self, other: &Self) -> bool {
        self.given == other.given
    }
}

impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.given {
            Shade::Text(text) => serializer.serialize_str(text),
            Shade::List(list) => serializer.collect_seq(list),
        }
    }
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
        let shade = Spanned::<Shade>::deserialize(deserializer)?;
        Ok(Color { span: shade.span(), given: shade.into_inner() })
    }
}

impl<'de> Deserialize<'de> for Shade {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shade, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Shade;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a colour such as \"#c0392b\" or [0.75, 0.22, 0.17]")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Shade, E> {
                Ok(Shade::Text(text.to_string()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Shade, A::Error> {
                let mut list = Vec::new();
                while let Some(number) = seq.next_element()? {
                    list.push(number);
                }
                Ok(Shade::List(list))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

impl JsonSchema for Color {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Color".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let list = Numbers::<Share>::json_schema(generator);
        json_schema!({
            "anyOf": [{ "type": "string", "pattern": "^#[0-9a-fA-F]{6}$" }, list],
            "x-dimension": "a colour",
        })
    }
}

/// A camera.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// Position in the world, or, unless `follow`, relative to the body named by `on` [m].
    pub position: Numbers<Length>,
    /// Point at the centre of the picture, in the world, or in the axes of the body named by `on` [m]; 0 unless given.
    pub target: Option<Numbers<Length>>,
    /// Up direction of the picture, in the axes of `position`; z unless given.
    pub up: Option<Numbers<Plain>>,
    /// Vertical field of view [rad]; "40 deg" unless given.
    pub angle: Option<Number<Angle>>,
    /// Name of the body to which it is fixed, or which it follows; none unless given.
    #[schemars(with = "Option<String>")]
    pub on: Option<Spanned<String>>,
    /// Whether it keeps its position in the world and rotates to follow the body named by `on`; false unless given.
    pub follow: Option<bool>,
    /// Whether it moves with the body named by `on` and turns with its heading only, as a chase camera does: `position`
    /// and `target` are relative to the body, ahead along its x axis made square to `up`; false unless given.
    pub heading: Option<bool>,
    /// Stereo view, one picture per eye; a single view unless given.
    pub stereo: Option<Stereo>,
}

/// Stereo view: two eyes, side by side.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Stereo {
    /// Distance between the eyes [m]; "65 mm" unless given.
    pub eyes: Option<Number<Size>>,
    /// Distance at which both pictures coincide (zero parallax) [m]; that of the target unless given.
    pub convergence: Option<Number<Size>>,
}
