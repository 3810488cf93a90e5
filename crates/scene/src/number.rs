//! Numbers of a scene file, each with its dimension, its range and its position in the text.
//!
//! A number is in SI units, or text with a unit. It is read without a check and checked on access, so that one pass
//! over a scene finds all bad numbers, and none can be used unchecked: `Problems::number` is the only access. Numbers
//! are stored and written back as they were given; two numbers are equal if they were given in the same form.

mod check;
mod schema;

pub use crate::quantity::*;
use crate::units::{self, UnitError};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
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

/// Represents any number of numbers in the schema.
pub type List<Q> = Vec<Number<Q>>;
/// Represents two numbers in the schema.
pub type Two<Q> = [Number<Q>; 2];
/// Represents four numbers in the schema.
pub type Four<Q> = [Number<Q>; 4];
