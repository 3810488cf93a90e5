//! Checks of numbers: values in SI units within the range of their quantity, or errors with a remedy.

use super::{Entry, Given, Number, Numbers, Open, Tensor};
use crate::error::Problems;
use crate::quantity::*;
use crate::suggestion;
use crate::units::{self, Dimension, Measure};
use glam::{DMat3, DQuat, DVec3};
use std::ops::RangeInclusive;

/// Largest number that a scene may have: the engine's watchdog bound, and a higher one for quantities whose dimension
/// includes mass (stiffnesses, forces).
pub(super) fn largest(dimension: Dimension) -> f64 {
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
