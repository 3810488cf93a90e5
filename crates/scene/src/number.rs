//! Numbers of a scene file: each knows its dimension, its range and where it stands in the text.
//!
//! A number is SI, or text with a unit. It is read without judgement and judged when it is asked for, so that one
//! run over a scene finds all bad numbers, and none can be used unchecked: `Problems::number` is the only way in.

use crate::error::Problems;
use crate::units::{self, Dimension, UnitError, dimension};
use glam::{DMat3, DQuat, DVec3};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use toml::Spanned;

/// Which numbers a quantity may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// Any finite one.
    Any,
    /// Above 0.
    Positive,
    /// 0 or more.
    NotNegative,
    /// 0 to 1.
    Share,
}

/// What a number stands for: its dimension and its range.
pub trait Quantity {
    /// Its dimension.
    const DIMENSION: Dimension;
    /// Its range.
    const BOUNDS: Bounds;
}

/// Declares quantities: name, powers of m kg s rad, range.
macro_rules! quantities {
    ($($(#[$doc:meta])* $name:ident($m:literal, $kg:literal, $s:literal, $rad:literal) $bounds:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {}
        impl Quantity for $name {
            const DIMENSION: Dimension = dimension($m, $kg, $s, $rad);
            const BOUNDS: Bounds = Bounds::$bounds;
        }
    )*};
}

quantities! {
    /// A number without unit.
    Plain(0, 0, 0, 0) Any;
    /// A number without unit above 0.
    Factor(0, 0, 0, 0) Positive;
    /// A number from 0 to 1.
    Share(0, 0, 0, 0) Share;
    /// A length [m].
    Length(1, 0, 0, 0) Any;
    /// A length above 0 [m].
    Size(1, 0, 0, 0) Positive;
    /// A distance of 0 or more [m].
    Reach(1, 0, 0, 0) NotNegative;
    /// An area above 0 [m²].
    Area(2, 0, 0, 0) Positive;
    /// A speed [m/s].
    Speed(1, 0, -1, 0) Any;
    /// A speed of 0 or more [m/s].
    LeastSpeed(1, 0, -1, 0) NotNegative;
    /// An acceleration [m/s²].
    Acceleration(1, 0, -2, 0) Any;
    /// An angle [rad].
    Angle(0, 0, 0, 1) Any;
    /// An angular speed [rad/s].
    Spin(0, 0, -1, 1) Any;
    /// A frequency [Hz].
    Frequency(0, 0, -1, 0) Any;
    /// A time [s].
    Time(0, 0, 1, 0) Any;
    /// A duration above 0 [s].
    Duration(0, 0, 1, 0) Positive;
    /// A mass above 0 [kg].
    Mass(0, 1, 0, 0) Positive;
    /// A density above 0 [kg/m³].
    Density(-3, 1, 0, 0) Positive;
    /// A moment or product of inertia [kg·m²].
    Inertia(2, 1, 0, 0) Any;
    /// A force [N].
    Force(1, 1, -2, 0) Any;
    /// A largest force [N].
    MostForce(1, 1, -2, 0) NotNegative;
    /// A torque [N·m].
    Torque(2, 1, -2, 0) Any;
    /// A largest torque [N·m].
    MostTorque(2, 1, -2, 0) NotNegative;
    /// A stiffness [N/m].
    Stiffness(0, 1, -2, 0) NotNegative;
    /// A damping [N·s/m].
    Damping(0, 1, -1, 0) NotNegative;
    /// A stiffness against turning [N·m/rad].
    TurnStiffness(2, 1, -2, -1) NotNegative;
    /// A damping of turning [N·m·s/rad].
    TurnDamping(2, 1, -1, -1) NotNegative;
    /// A slip per force [(m/s)/N].
    Slip(0, -1, 1, 0) NotNegative;
    /// A slip per torque [(rad/s)/(N·m)].
    TurnSlip(-2, -1, 1, 1) NotNegative;
}

/// What a joint's coordinate is measured in: a way or a turn.
pub trait Coordinate: Clone + fmt::Debug {
    /// [m or rad]
    type Value: Quantity + Clone + fmt::Debug;
    /// [m/s or rad/s]
    type Speed: Quantity + Clone + fmt::Debug;
    /// [N or N·m]
    type Force: Quantity + Clone + fmt::Debug;
    /// [N/m or N·m/rad]
    type Stiffness: Quantity + Clone + fmt::Debug;
    /// [N·s/m or N·m·s/rad]
    type Damping: Quantity + Clone + fmt::Debug;
    /// [(m/s)/N or (rad/s)/(N·m)]
    type Loss: Quantity + Clone + fmt::Debug;
}

/// A way [m].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {}

/// A turn [rad].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {}

impl Coordinate for Way {
    type Value = Length;
    type Speed = Speed;
    type Force = MostForce;
    type Stiffness = Stiffness;
    type Damping = Damping;
    type Loss = Slip;
}

impl Coordinate for Turn {
    type Value = Angle;
    type Speed = Spin;
    type Force = MostTorque;
    type Stiffness = TurnStiffness;
    type Damping = TurnDamping;
    type Loss = TurnSlip;
}

/// A number of the file, not yet judged.
#[derive(Clone, Debug)]
pub struct Number<Q> {
    value: Result<f64, UnitError>,
    span: Range<usize>,
    quantity: PhantomData<fn() -> Q>,
}

impl<Q: Quantity> Number<Q> {
    fn new(raw: Raw, span: Range<usize>) -> Number<Q> {
        let value = match raw {
            Raw::Number(x) => Ok(x),
            Raw::Text(text) => units::parse(&text, Q::DIMENSION),
        };
        Number { value, span, quantity: PhantomData }
    }

    /// Where it stands in the text.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }
}

/// A list of numbers of the file, not yet judged: a vector, a quaternion, a matrix row.
#[derive(Clone, Debug)]
pub struct Numbers<Q> {
    list: Vec<Number<Q>>,
    span: Range<usize>,
}

impl<Q> Numbers<Q> {
    /// Where it stands in the text.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// How many numbers.
    pub fn count(&self) -> usize {
        self.list.len()
    }
}

/// A moment of inertia of the file, not yet judged: three principal moments, or three rows.
#[derive(Clone, Debug)]
pub struct Tensor {
    entries: Vec<Entry>,
    span: Range<usize>,
}

impl Tensor {
    /// Where it stands in the text.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }
}

/// A principal moment, or a row.
#[derive(Clone, Debug)]
enum Entry {
    Moment(Number<Inertia>),
    Row(Numbers<Inertia>),
}

/// A number as TOML has it.
enum Raw {
    Number(f64),
    Text(String),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Raw, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Raw;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or text with a unit such as \"25 mm\"")
            }

            fn visit_f64<E: Error>(self, x: f64) -> Result<Raw, E> {
                Ok(Raw::Number(x))
            }

            fn visit_i64<E: Error>(self, x: i64) -> Result<Raw, E> {
                Ok(Raw::Number(x as f64))
            }

            fn visit_u64<E: Error>(self, x: u64) -> Result<Raw, E> {
                Ok(Raw::Number(x as f64))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Raw, E> {
                Ok(Raw::Text(text.to_string()))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

impl<'de, Q: Quantity> Deserialize<'de> for Number<Q> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Spanned::<Raw>::deserialize(deserializer)?;
        let span = raw.span();
        Ok(Number::new(raw.into_inner(), span))
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
            Raw(Raw),
            Row(Vec<Number<Inertia>>),
        }
        impl<'de> Visitor<'de> for Reader {
            type Value = Either;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a moment of inertia, or a row of three")
            }

            fn visit_f64<E: Error>(self, x: f64) -> Result<Either, E> {
                Ok(Either::Raw(Raw::Number(x)))
            }

            fn visit_i64<E: Error>(self, x: i64) -> Result<Either, E> {
                Ok(Either::Raw(Raw::Number(x as f64)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Either, E> {
                Ok(Either::Raw(Raw::Text(text.to_string())))
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
            Either::Raw(raw) => Entry::Moment(Number::new(raw, span)),
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

/// Largest number that may stand in a scene: the engine's watchdog bound; quantities with a mass in them
/// (stiffnesses, forces) reach further.
fn largest(dimension: Dimension) -> f64 {
    if dimension.mass == 0 { 1e10 } else { 1e15 }
}

/// What is wrong with a number as a quantity, if anything.
fn objection(x: f64, dimension: Dimension, bounds: Bounds) -> Option<String> {
    let largest = largest(dimension);
    let unit = if dimension == Dimension::default() { String::new() } else { format!(" {dimension}") };
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
    /// The number of a key, judged.
    pub fn number<Q: Quantity>(&mut self, key: &str, number: &Number<Q>) -> Option<f64> {
        match &number.value {
            Err(e) => {
                self.push(number.span(), format!("`{key}`: {e}"), e.help());
                None
            }
            Ok(x) => match objection(*x, Q::DIMENSION, Q::BOUNDS) {
                Some(help) => {
                    self.advise(number.span(), format!("`{key}` is {x}"), help);
                    None
                }
                None => Some(*x),
            },
        }
    }

    /// The number of a key, or another if the key is absent.
    pub fn number_or<Q: Quantity>(
        &mut self,
        key: &str,
        number: &Option<Number<Q>>,
        other: f64,
    ) -> Option<f64> {
        number.as_ref().map_or(Some(other), |n| self.number(key, n))
    }

    /// The numbers of a key, judged.
    pub fn numbers<Q: Quantity>(&mut self, key: &str, numbers: &Numbers<Q>) -> Option<Vec<f64>> {
        let judged: Vec<_> = numbers.list.iter().map(|n| self.number(key, n)).collect();
        judged.into_iter().collect()
    }

    /// The vector of a key, judged.
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

    /// The direction of a key, of length one.
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
                "give four: [w, x, y, z], or use `turn = { axis, angle }` instead",
            );
            return None;
        }
        let q = self.numbers(key, numbers)?;
        let q = DQuat::from_xyzw(q[1], q[2], q[3], q[0]);
        if !(q.length() > 1e-6) {
            self.advise(numbers.span(), format!("`{key}` has length 0"), "[1, 0, 0, 0] is no turn at all");
            return None;
        }
        Some(windlass_engine::math::unit(q))
    }

    /// The tensor of a key: principal moments on the diagonal, or three rows.
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
            // rows and columns are the same: it is symmetric, which the engine checks
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
