//! Numbers of a scene file, each with its dimension, its range and its position in the text.
//!
//! A number is in SI units, or text with a unit. It is read without a check and checked on access, so that one pass
//! over a scene finds all bad numbers, and none can be used unchecked: `Problems::number` is the only access. Numbers
//! are stored and written back as they were given; two numbers are equal if they were given in the same form.

use crate::error::Problems;
pub use crate::quantity::*;
use crate::suggestion;
use crate::units::{self, Dimension, Measure, UnitError};
use glam::{DMat3, DQuat, DVec3};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Range, RangeInclusive};
use toml::Spanned;

/// A number of the file, not yet checked.
#[derive(Clone, Debug)]
pub struct Number<Q> {
    given: Given,
    value: Result<f64, UnitError>,
    span: Range<usize>,
    quantity: PhantomData<fn() -> Q>,
}

impl<Q: Quantity> Number<Q> {
    pub(crate) fn new(given: Given, span: Range<usize>) -> Number<Q> {
        let value = match &given {
            Given::Number(x) => Ok(*x),
            Given::Text(text) => units::parse(text, Q::MEASURE),
        };
        Number { given, value, span, quantity: PhantomData }
    }

    /// A number in SI units that is not from a text.
    pub fn si(x: f64) -> Number<Q> {
        Number::new(Given::Number(x), 0..0)
    }

    /// Text with a unit that is not from a file.
    pub fn text(text: impl Into<String>) -> Number<Q> {
        Number::new(Given::Text(text.into()), 0..0)
    }
}

impl<Q> Number<Q> {
    /// Its position in the text.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }
}

impl<Q> PartialEq for Number<Q> {
    fn eq(&self, other: &Self) -> bool {
        self.given == other.given
    }
}

/// A number of the file, not yet checked, whose dimension depends on what it refers to.
#[derive(Clone, Debug, PartialEq)]
pub struct Open(Number<Plain>);

impl Open {
    /// Its position in the text.
    pub fn span(&self) -> Range<usize> {
        self.0.span()
    }
}

impl Open {
    /// The number, or the text that stands for one.
    pub(crate) fn given(&self) -> Result<f64, &str> {
        match &self.0.given {
            Given::Number(x) => Ok(*x),
            Given::Text(text) => Err(text),
        }
    }
}

impl<'de> Deserialize<'de> for Open {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Number::deserialize(deserializer).map(Open)
    }
}

impl Serialize for Open {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl JsonSchema for Open {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Open".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "oneOf": [{ "type": "number" }, { "type": "string" }] })
    }
}

/// A list of numbers of the file, not yet checked: a vector, a quaternion, a matrix row.
#[derive(Clone, Debug)]
pub struct Numbers<Q> {
    list: Vec<Number<Q>>,
    span: Range<usize>,
}

impl<Q: Quantity> Numbers<Q> {
    /// Numbers in SI units that are not from a text.
    pub fn si(list: &[f64]) -> Numbers<Q> {
        Numbers { list: list.iter().map(|x| Number::si(*x)).collect(), span: 0..0 }
    }

    /// The same list with one more number in SI units.
    pub(crate) fn and(mut self, x: f64) -> Numbers<Q> {
        self.list.push(Number::si(x));
        self
    }
}

impl<Q> Numbers<Q> {
    /// Its position in the text.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Number of entries.
    pub fn count(&self) -> usize {
        self.list.len()
    }
}

impl<Q> PartialEq for Numbers<Q> {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

/// An inertia tensor of the file, not yet checked: three moments on the diagonal, or three rows.
#[derive(Clone, Debug)]
pub struct Tensor {
    entries: Vec<Entry>,
    span: Range<usize>,
}

impl Tensor {
    /// Three rows in SI units that are not from a text.
    pub fn si(rows: [[f64; 3]; 3]) -> Tensor {
        Tensor { entries: rows.iter().map(|row| Entry::Row(Numbers::si(row))).collect(), span: 0..0 }
    }

    /// Its position in the text.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }
}

impl PartialEq for Tensor {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

/// A moment on the diagonal, or a row.
#[derive(Clone, Debug, PartialEq)]
enum Entry {
    Moment(Number<Inertia>),
    Row(Numbers<Inertia>),
}

/// A number as a TOML value.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    Number(f64),
    Text(String),
}

impl PartialEq for Given {
    /// Compares bits: 0 and −0 differ, and a NaN equals itself.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Given::Number(a), Given::Number(b)) => a.to_bits() == b.to_bits(),
            (Given::Text(a), Given::Text(b)) => a == b,
            _ => false,
        }
    }
}

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Given, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Given;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or text with a unit such as \"25 mm\"")
            }

            fn visit_f64<E: Error>(self, x: f64) -> Result<Given, E> {
                Ok(Given::Number(x))
            }

            fn visit_i64<E: Error>(self, x: i64) -> Result<Given, E> {
                Ok(Given::Number(x as f64))
            }

            fn visit_u64<E: Error>(self, x: u64) -> Result<Given, E> {
                Ok(Given::Number(x as f64))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Given, E> {
                Ok(Given::Text(text.to_string()))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

impl<'de, Q: Quantity> Deserialize<'de> for Number<Q> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = Spanned::<Given>::deserialize(deserializer)?;
        let span = given.span();
        Ok(Number::new(given.into_inner(), span))
    }
}

impl<'de, Q: Quantity> Deserialize<'de> for Numbers<Q> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = Spanned::<Vec<Number<Q>>>::deserialize(deserializer)?;
        Ok(Numbers { span: list.span(), list: list.into_inner() })
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        enum Either {
            Given(Given),
            Row(Vec<Number<Inertia>>),
        }
        impl<'de> Visitor<'de> for Reader {
            type Value = Either;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a moment of inertia, or a row of three")
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

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Either, A::Error> {
                let mut row = Vec::new();
                while let Some(number) = seq.next_element()? {
                    row.push(number);
                }
                Ok(Either::Row(row))
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
            Either::Given(given) => Entry::Moment(Number::new(given, span)),
            Either::Row(list) => Entry::Row(Numbers { list, span }),
        })
    }
}

impl<'de> Deserialize<'de> for Tensor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = Spanned::<Vec<Entry>>::deserialize(deserializer)?;
        Ok(Tensor { span: entries.span(), entries: entries.into_inner() })
    }
}

impl<Q> Serialize for Number<Q> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // 3 is read as 3.0 and written back as 3
        const WHOLE: f64 = 1e15;
        match &self.given {
            Given::Text(text) => serializer.serialize_str(text),
            Given::Number(x)
                if x.trunc() == *x && x.abs() <= WHOLE && x.to_bits() != (-0.0_f64).to_bits() =>
            {
                serializer.serialize_i64(*x as i64)
            }
            Given::Number(x) => serializer.serialize_f64(*x),
        }
    }
}

impl<Q> Serialize for Numbers<Q> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.list)
    }
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Entry::Moment(number) => number.serialize(serializer),
            Entry::Row(numbers) => numbers.serialize(serializer),
        }
    }
}

impl Serialize for Tensor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.entries)
    }
}

/// A number of a quantity: in SI units within its range, or text with a unit.
impl<Q: Quantity> JsonSchema for Number<Q> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let most = largest(Q::DIMENSION);
        let mut number = json_schema!({ "type": "number", "maximum": most });
        match Q::BOUNDS {
            Bounds::Any => number.insert("minimum".to_string(), (-most).into()),
            Bounds::Positive => number.insert("exclusiveMinimum".to_string(), 0.into()),
            Bounds::NotNegative => number.insert("minimum".to_string(), 0.into()),
            Bounds::Share => {
                number.insert("maximum".to_string(), 1.into());
                number.insert("minimum".to_string(), 0.into())
            }
        };
        json_schema!({
            "oneOf": [number, { "type": "string" }],
            "x-unit": Q::MEASURE.to_string(),
            "x-dimension": Q::MEASURE.name(),
        })
    }
}

/// A vector; lists of other lengths use [`List`], [`Two`] and [`Four`].
impl<Q: Quantity> JsonSchema for Numbers<Q> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Numbers".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let number = Number::<Q>::json_schema(generator);
        json_schema!({ "type": "array", "items": number, "minItems": 3, "maxItems": 3 })
    }
}

/// Represents any number of numbers in the schema.
pub type List<Q> = Vec<Number<Q>>;
/// Represents two numbers in the schema.
pub type Two<Q> = [Number<Q>; 2];
/// Represents four numbers in the schema.
pub type Four<Q> = [Number<Q>; 4];

impl JsonSchema for Tensor {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Tensor".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let moment = Number::<Inertia>::json_schema(generator);
        let row = Numbers::<Inertia>::json_schema(generator);
        json_schema!({
            "type": "array",
            "items": { "anyOf": [moment, row] },
            "minItems": 3,
            "maxItems": 3,
            "x-unit": Inertia::DIMENSION.to_string(),
            "x-dimension": Inertia::DIMENSION.name(),
        })
    }
}

/// Largest number that a scene may have: the engine's watchdog bound, and a higher one for quantities whose dimension
/// includes mass (stiffnesses, forces).
fn largest(dimension: Dimension) -> f64 {
    if dimension.mass == 0 { 1e10 } else { 1e15 }
}

/// The objection to a number as a value of a quantity, if any.
fn objection(x: f64, measure: Measure, bounds: Bounds) -> Option<String> {
    let largest = largest(measure.dimension);
    let is_plain = measure.dimension == Dimension::default();
    let unit = if is_plain { String::new() } else { format!(" {measure}") };
    if !x.is_finite() {
        return Some("give a finite number".to_string());
    }
    if x.abs() > largest {
        return Some(format!("give at most {largest:e}{unit}"));
    }
    match bounds {
        Bounds::Positive if !(x > 0.0) => Some(format!("give more than 0{unit}")),
        Bounds::NotNegative if !(x >= 0.0) => Some(format!("give 0{unit} or more")),
        Bounds::Share if !(0.0..=1.0).contains(&x) => Some("give a number from 0 to 1".to_string()),
        _ => None,
    }
}

impl Problems {
    /// The number of a key, checked.
    pub fn number<Q: Quantity>(&mut self, key: &str, number: &Number<Q>) -> Option<f64> {
        match &number.value {
            Err(e) => {
                self.push(number.span(), format!("`{key}`: {e}"), e.help());
                None
            }
            Ok(x) => match objection(*x, Q::MEASURE, Q::BOUNDS) {
                Some(help) => {
                    self.advise(number.span(), format!("`{key}` is {}", suggestion::exact(*x)), help);
                    None
                }
                None => Some(*x),
            },
        }
    }

    /// The number of a key whose dimension is known by now, checked.
    pub fn open(&mut self, key: &str, number: &Open, dimension: Dimension, bounds: Bounds) -> Option<f64> {
        let value = match &number.0.given {
            Given::Number(x) => Ok(*x),
            Given::Text(text) => units::parse(text, dimension),
        };
        match value {
            Err(e) => {
                self.push(number.span(), format!("`{key}`: {e}"), e.help());
                None
            }
            Ok(x) => match objection(x, dimension.into(), bounds) {
                Some(help) => {
                    self.advise(number.span(), format!("`{key}` is {}", suggestion::exact(x)), help);
                    None
                }
                None => Some(x),
            },
        }
    }

    /// The number of a key, or `other` if the key is absent.
    pub fn number_or<Q: Quantity>(
        &mut self,
        key: &str,
        number: &Option<Number<Q>>,
        other: f64,
    ) -> Option<f64> {
        number.as_ref().map_or(Some(other), |n| self.number(key, n))
    }

    /// The number of a key, if the key is present; the outer `None` if it is wrong.
    pub fn number_given<Q: Quantity>(
        &mut self,
        key: &str,
        number: &Option<Number<Q>>,
    ) -> Option<Option<f64>> {
        number.as_ref().map_or(Some(None), |n| self.number(key, n).map(Some))
    }

    /// The numbers of a key, checked.
    pub fn numbers<Q: Quantity>(&mut self, key: &str, numbers: &Numbers<Q>) -> Option<Vec<f64>> {
        let judged: Vec<_> = numbers.list.iter().map(|n| self.number(key, n)).collect();
        judged.into_iter().collect()
    }

    /// The two numbers of a key, along x and y, checked.
    pub fn pair<Q: Quantity>(&mut self, key: &str, numbers: &Numbers<Q>) -> Option<[f64; 2]> {
        let pair = <[f64; 2]>::try_from(self.numbers(key, numbers)?).ok();
        if pair.is_none() {
            let message = format!("`{key}` has {} numbers", numbers.count());
            self.advise(numbers.span(), message, "give two: [x, y]");
        }
        pair
    }

    /// The whole number of a key in a range, or `other` if the key is absent.
    pub fn whole_or<Q: Quantity>(
        &mut self,
        key: &str,
        number: &Option<Number<Q>>,
        range: RangeInclusive<u32>,
        other: u32,
    ) -> Option<u32> {
        number.as_ref().map_or(Some(other), |number| self.whole(key, number, range))
    }

    /// The whole number of a key in a range.
    pub fn whole<Q: Quantity>(
        &mut self,
        key: &str,
        number: &Number<Q>,
        range: RangeInclusive<u32>,
    ) -> Option<u32> {
        let x = self.number(key, number)?;
        if x.fract() == 0.0 && (f64::from(*range.start())..=f64::from(*range.end())).contains(&x) {
            return Some(x as u32);
        }
        let help = format!("give a whole number from {} to {}", range.start(), range.end());
        self.advise(number.span(), format!("`{key}` is {x}"), help);
        None
    }

    /// The vector of a key, checked.
    pub fn vector<Q: Quantity>(&mut self, key: &str, numbers: &Numbers<Q>) -> Option<DVec3> {
        if numbers.count() != 3 {
            let message = format!("`{key}` has {} numbers", numbers.count());
            self.advise(numbers.span(), message, "give three: [x, y, z]");
            return None;
        }
        Some(DVec3::from_slice(&self.numbers(key, numbers)?))
    }

    /// The vector of a key, or 0 if the key is absent.
    pub fn vector_or_zero<Q: Quantity>(&mut self, key: &str, numbers: &Option<Numbers<Q>>) -> Option<DVec3> {
        numbers.as_ref().map_or(Some(DVec3::ZERO), |n| self.vector(key, n))
    }

    /// The direction of a key, as a unit vector.
    pub fn direction(&mut self, key: &str, numbers: &Numbers<Plain>) -> Option<DVec3> {
        let vector = self.vector(key, numbers)?;
        // scaled first, so that tiny and huge vectors keep their direction
        let scaled = vector / vector.abs().max_element();
        if !(vector.abs().max_element() > 1e-9 && scaled.is_finite()) {
            self.advise(numbers.span(), format!("`{key}` has no direction"), "give a vector that is not 0");
            return None;
        }
        Some(scaled.normalize())
    }

    /// The unit quaternion of a key, given as [w, x, y, z].
    pub fn quaternion(&mut self, key: &str, numbers: &Numbers<Plain>) -> Option<DQuat> {
        if numbers.count() != 4 {
            let message = format!("`{key}` has {} numbers", numbers.count());
            self.advise(
                numbers.span(),
                message,
                "give four: [w, x, y, z], or use `rotation = { axis, angle }` instead",
            );
            return None;
        }
        let q = self.numbers(key, numbers)?;
        let q = DQuat::from_xyzw(q[1], q[2], q[3], q[0]);
        if !(q.length() > 1e-6) {
            self.advise(numbers.span(), format!("`{key}` has length 0"), "[1, 0, 0, 0] is the identity");
            return None;
        }
        Some(windlass_engine::math::unit(q))
    }

    /// The inertia tensor of a key: moments on the diagonal, or three rows.
    pub fn tensor(&mut self, key: &str, tensor: &Tensor) -> Option<DMat3> {
        let mut moments = Vec::new();
        let mut rows = Vec::new();
        for entry in &tensor.entries {
            match entry {
                Entry::Moment(number) => moments.push(self.number(key, number)),
                Entry::Row(numbers) => rows.push(self.vector(key, numbers)),
            }
        }
        match (&moments[..], &rows[..]) {
            (&[x, y, z], &[]) => Some(DMat3::from_diagonal(DVec3::new(x?, y?, z?))),
            // rows equal columns: the tensor is symmetric, which the engine checks
            (&[], &[x, y, z]) => Some(DMat3::from_cols(x?, y?, z?).transpose()),
            _ => {
                let help = "give three moments [Ixx, Iyy, Izz], or three rows of three";
                self.advise(
                    tensor.span.clone(),
                    format!("`{key}` has {} entries", tensor.entries.len()),
                    help,
                );
                None
            }
        }
    }
}
