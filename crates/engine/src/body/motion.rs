//! Prescribed motions: a scalar function of time with its first two derivatives.
//!
//! ```text
//! constant    x = c
//! ramp        x = x₀ + v t
//! polynomial  x = c₀ + c₁ t + c₂ t² + …
//! sine        x = x̄ + A sin(2πf t + φ)
//! smooth      x = a + (b − a)(10 s³ − 15 s⁴ + 6 s⁵),   s = (t − t₀)/(t₁ − t₀) clamped to 0…1
//! table       x through given points, piecewise linear or by a natural cubic spline
//! accelerate  x = a + v T (s³ − s⁴/2) while s < 1, then at the steady speed v,   s = (t − t₀)/T from 0 on, T = t₁ − t₀
//! sum         x = Σ xᵢ
//! product     x = Π xᵢ
//! blend       x = x₀ + w (x₁ − x₀),   w = 10 s³ − 15 s⁴ + 6 s⁵ as for smooth
//! ```
//!
//! Between two knots of a spline, h apart, with u = t − tᵢ, w = tᵢ₊₁ − t and the second
//! derivatives mᵢ at the knots,
//!
//! ```text
//! x = (mᵢ w³ + mᵢ₊₁ u³)/6h + (xᵢ/h − mᵢ h/6) w + (xᵢ₊₁/h − mᵢ₊₁ h/6) u
//! ```
//!
//! where continuous slopes at the inner knots and m = 0 at both ends determine all mᵢ:
//!
//! ```text
//! hᵢ₋₁ mᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) mᵢ + hᵢ mᵢ₊₁ = 6 ((xᵢ₊₁ − xᵢ)/hᵢ − (xᵢ − xᵢ₋₁)/hᵢ₋₁)
//! ```

use std::f64::consts::TAU;

use thiserror::Error;

/// A scalar function of time. The unit of its value is that of the coordinate it prescribes (m or
/// rad), written "unit" below; time in seconds.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// A constant value (unit).
    Constant(f64),
    /// A constant speed.
    Ramp {
        /// Value at t = 0 (unit).
        start: f64,
        /// Speed (unit/s).
        speed: f64,
    },
    /// c₀ + c₁ t + c₂ t² + …, the coefficient of tⁿ in unit/sⁿ.
    Polynomial(Vec<f64>),
    /// A harmonic oscillation.
    Sine {
        /// Mean value (unit).
        mean: f64,
        /// Amplitude (unit).
        amplitude: f64,
        /// Frequency (Hz).
        frequency: f64,
        /// Phase at t = 0 (rad).
        phase: f64,
    },
    /// From one value to another, at rest and without acceleration at both ends.
    Smooth {
        /// Value up to the start (unit).
        from: f64,
        /// Value from the end on (unit).
        to: f64,
        /// Start time of the motion (s).
        start: f64,
        /// End time of the motion (s).
        end: f64,
    },
    /// From rest to a constant speed, with zero acceleration at both ends of the transition.
    Accelerate {
        /// Value up to the start (unit).
        from: f64,
        /// Speed from the end on (unit/s).
        speed: f64,
        /// Start time of the acceleration (s).
        start: f64,
        /// End time of the acceleration (s).
        end: f64,
    },
    /// Interpolated points.
    Table(Spline),
    /// The sum of these.
    Sum(Vec<Motion>),
    /// The product of these; one has the unit, the others are dimensionless.
    Product(Vec<Motion>),
    /// From following one motion to following another, with continuous value, speed and acceleration.
    Blend {
        /// The one before the start, the one after the end.
        motions: Box<[Motion; 2]>,
        /// Time at which the second gets weight (s).
        start: f64,
        /// Time from which only the second counts (s).
        end: f64,
    },
}

/// Interpolation of a table between its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Piecewise linear: the speed jumps at the points, the acceleration is 0.
    Linear,
    /// Natural cubic spline: value, speed and acceleration continuous.
    Cubic,
}

/// A function through points, constant before the first and after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Spline {
    times: Vec<f64>,
    values: Vec<f64>,
    /// Second derivatives at the points; all 0 for linear interpolation.
    bends: Vec<f64>,
    kind: Interpolation,
}

/// A motion at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Value (unit).
    pub value: f64,
    /// First derivative (unit/s).
    pub speed: f64,
    /// Second derivative (unit/s²).
    pub acceleration: f64,
}

/// Why a motion is not a function of time, and how to correct it.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MotionError {
    /// A number is infinite or not a number.
    #[error("`{key}` is {value}: give a finite number")]
    NotFinite {
        /// The field.
        key: &'static str,
        /// Its value.
        value: f64,
    },
    /// A list is empty.
    #[error("`{key}` is empty: give at least one entry, or use a constant motion of 0")]
    Empty {
        /// The field.
        key: &'static str,
    },
    /// A motion ends before it starts.
    #[error("`end` is {end} s but `start` is {start} s: give a later `end`")]
    Backwards {
        /// Time it starts (s).
        start: f64,
        /// Time it ends (s).
        end: f64,
    },
    /// A table has fewer than two points.
    #[error("`times` has {count} entries: give at least 2, or use a constant motion")]
    TooFew {
        /// Entries found.
        count: usize,
    },
    /// A table does not have one value per time.
    #[error("`times` has {times} entries but `values` has {values}: give one value per time")]
    Lengths {
        /// Entries of `times`.
        times: usize,
        /// Entries of `values`.
        values: usize,
    },
    /// Times do not increase.
    #[error("`times[{index}]` is {time} s, not later than the entry before: sort the times and drop repeats")]
    Unsorted {
        /// The entry.
        index: usize,
        /// Its time (s).
        time: f64,
    },
    /// An axis or orientation does not have unit length.
    #[error("`{key}` has length {length}: normalize it")]
    NotUnit {
        /// The field.
        key: &'static str,
        /// Its length.
        length: f64,
    },
}

impl Motion {
    /// This motion times a factor.
    #[must_use]
    pub fn scaled(&self, f: f64) -> Motion {
        match self {
            Motion::Constant(x) => Motion::Constant(f * x),
            Motion::Ramp { start, speed } => Motion::Ramp { start: f * start, speed: f * speed },
            Motion::Polynomial(list) => Motion::Polynomial(list.iter().map(|c| f * c).collect()),
            Motion::Sine { mean, amplitude, frequency, phase } => Motion::Sine {
                mean: f * mean,
                amplitude: f * amplitude,
                frequency: *frequency,
                phase: *phase,
            },
            Motion::Smooth { from, to, start, end } => {
                Motion::Smooth { from: f * from, to: f * to, start: *start, end: *end }
            }
            Motion::Accelerate { from, speed, start, end } => {
                Motion::Accelerate { from: f * from, speed: f * speed, start: *start, end: *end }
            }
            Motion::Table(spline) => {
                let values = spline.values().iter().map(|v| f * v).collect();
                let table = Spline::new(spline.times().to_vec(), values, spline.kind());
                Motion::Table(table.expect("it has the points of a table, times a finite factor"))
            }
            Motion::Sum(terms) => Motion::Sum(terms.iter().map(|t| t.scaled(f)).collect()),
            Motion::Product(factors) => {
                Motion::Product(std::iter::once(Motion::Constant(f)).chain(factors.iter().cloned()).collect())
            }
            Motion::Blend { motions, start, end } => {
                let [from, to] = motions.each_ref().map(|motion| motion.scaled(f));
                Motion::Blend { motions: Box::new([from, to]), start: *start, end: *end }
            }
        }
    }

    /// Value and derivatives at time `t` (s).
    #[must_use]
    pub fn at(&self, t: f64) -> Sample {
        match self {
            Motion::Constant(value) => Sample { value: *value, ..Sample::default() },
            Motion::Ramp { start, speed } => {
                Sample { value: start + speed * t, speed: *speed, acceleration: 0.0 }
            }
            Motion::Polynomial(coefficients) => polynomial(coefficients, t),
            Motion::Sine { mean, amplitude, frequency, phase } => {
                let rate = TAU * frequency;
                let (sin, cos) = libm::sincos(rate * t + phase);
                Sample {
                    value: mean + amplitude * sin,
                    speed: amplitude * rate * cos,
                    acceleration: -amplitude * rate * rate * sin,
                }
            }
            Motion::Smooth { from, to, start, end } => between([*start, *end], t, *from, *to),
            Motion::Accelerate { from, speed, start, end } => accelerate([*start, *end], t, *from, *speed),
            Motion::Table(spline) => spline.at(t),
            Motion::Sum(terms) => terms.iter().fold(Sample::default(), |sum, term| sum.plus(term.at(t))),
            Motion::Product(factors) => {
                let one = Sample { value: 1.0, ..Sample::default() };
                factors.iter().fold(one, |product, factor| product.times(factor.at(t)))
            }
            Motion::Blend { motions, start, end } => {
                let [before, after] = [motions[0].at(t), motions[1].at(t)];
                let weight = between([*start, *end], t, 0.0, 1.0);
                before.plus(weight.times(after.minus(before)))
            }
        }
    }

    /// Whether all numbers are finite, lists filled and times in order.
    ///
    /// # Errors
    /// Names the first invalid field and its remedy.
    pub fn check(&self) -> Result<(), MotionError> {
        match self {
            Motion::Constant(value) => finite(&[("value", *value)]),
            Motion::Ramp { start, speed } => finite(&[("start", *start), ("speed", *speed)]),
            Motion::Polynomial(coefficients) => {
                filled("polynomial", coefficients)?;
                coefficients.iter().try_for_each(|&value| finite(&[("polynomial", value)]))
            }
            Motion::Sine { mean, amplitude, frequency, phase } => finite(&[
                ("mean", *mean),
                ("amplitude", *amplitude),
                ("frequency", *frequency),
                ("phase", *phase),
            ]),
            Motion::Smooth { from, to, start, end } => {
                finite(&[("from", *from), ("to", *to)])?;
                forward(*start, *end)
            }
            Motion::Accelerate { from, speed, start, end } => {
                finite(&[("from", *from), ("speed", *speed)])?;
                forward(*start, *end)
            }
            Motion::Table(_) => Ok(()), // Spline::new has checked it.
            Motion::Sum(terms) => {
                filled("sum", terms)?;
                terms.iter().try_for_each(Motion::check)
            }
            Motion::Product(factors) => {
                filled("product", factors)?;
                factors.iter().try_for_each(Motion::check)
            }
            Motion::Blend { motions, start, end } => {
                motions.iter().try_for_each(Motion::check)?;
                forward(*start, *end)
            }
        }
    }
}

impl Sample {
    fn plus(self, other: Sample) -> Sample {
        Sample {
            value: self.value + other.value,
            speed: self.speed + other.speed,
            acceleration: self.acceleration + other.acceleration,
        }
    }

    fn minus(self, other: Sample) -> Sample {
        Sample {
            value: self.value - other.value,
            speed: self.speed - other.speed,
            acceleration: self.acceleration - other.acceleration,
        }
    }

    /// The product rule, twice.
    fn times(self, other: Sample) -> Sample {
        Sample {
            value: self.value * other.value,
            speed: self.speed * other.value + self.value * other.speed,
            acceleration: self.acceleration * other.value
                + 2.0 * self.speed * other.speed
                + self.value * other.acceleration,
        }
    }
}

impl Spline {
    /// A function through `values` (unit) at increasing `times` (s), at least two of each.
    ///
    /// # Errors
    /// Too few points, lists of different length, times not increasing, numbers not finite.
    pub fn new(times: Vec<f64>, values: Vec<f64>, kind: Interpolation) -> Result<Spline, MotionError> {
        if times.len() != values.len() {
            return Err(MotionError::Lengths { times: times.len(), values: values.len() });
        }
        if times.len() < 2 {
            return Err(MotionError::TooFew { count: times.len() });
        }
        times.iter().try_for_each(|&time| finite(&[("times", time)]))?;
        values.iter().try_for_each(|&value| finite(&[("values", value)]))?;
        if let Some(earlier) = times.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(MotionError::Unsorted { index: earlier + 1, time: times[earlier + 1] });
        }
        let bends = match kind {
            Interpolation::Linear => vec![0.0; times.len()],
            Interpolation::Cubic => natural_bends(&times, &values),
        };
        Ok(Spline { times, values, bends, kind })
    }

    /// The times of the points (s).
    #[must_use]
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The values at the points (unit).
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// How the points are interpolated.
    #[must_use]
    pub fn kind(&self) -> Interpolation {
        self.kind
    }

    /// Value and derivatives at time `t` (s). Before the first and after the last point the
    /// value is constant and the derivatives are 0; on a point they are those of the later piece, on
    /// the last point those of the last piece.
    #[must_use]
    pub fn at(&self, t: f64) -> Sample {
        let last = self.times.len() - 1;
        if t < self.times[0] {
            return Sample { value: self.values[0], ..Sample::default() };
        }
        if t > self.times[last] {
            return Sample { value: self.values[last], ..Sample::default() };
        }
        let next = self.times.partition_point(|&time| time <= t).clamp(1, last);
        self.piece(next - 1, t)
    }

    /// Value and derivatives on the piece from point `i` to the next.
    fn piece(&self, i: usize, t: f64) -> Sample {
        let h = self.times[i + 1] - self.times[i];
        let (u, w) = (t - self.times[i], self.times[i + 1] - t);
        let (m0, m1) = (self.bends[i], self.bends[i + 1]);
        let c0 = self.values[i] / h - m0 * h / 6.0;
        let c1 = self.values[i + 1] / h - m1 * h / 6.0;
        Sample {
            value: (m0 * w * w * w + m1 * u * u * u) / (6.0 * h) + c0 * w + c1 * u,
            speed: (m1 * u * u - m0 * w * w) / (2.0 * h) + c1 - c0,
            acceleration: (m0 * w + m1 * u) / h,
        }
    }
}

fn finite(fields: &[(&'static str, f64)]) -> Result<(), MotionError> {
    match fields.iter().find(|(_, value)| !value.is_finite()) {
        Some(&(key, value)) => Err(MotionError::NotFinite { key, value }),
        None => Ok(()),
    }
}

/// Whether a motion ends after its start.
fn forward(start: f64, end: f64) -> Result<(), MotionError> {
    finite(&[("start", start), ("end", end)])?;
    if start < end { Ok(()) } else { Err(MotionError::Backwards { start, end }) }
}

fn filled<T>(key: &'static str, list: &[T]) -> Result<(), MotionError> {
    if list.is_empty() { Err(MotionError::Empty { key }) } else { Ok(()) }
}

/// Horner's scheme for the value and both derivatives.
fn polynomial(coefficients: &[f64], t: f64) -> Sample {
    let (mut value, mut speed, mut half) = (0.0, 0.0, 0.0);
    for coefficient in coefficients.iter().rev() {
        half = half * t + speed;
        speed = speed * t + value;
        value = value * t + coefficient;
    }
    Sample { value, speed, acceleration: 2.0 * half }
}

/// From one value before the first of two times to another after the second, by the quintic.
fn between([start, end]: [f64; 2], t: f64, from: f64, to: f64) -> Sample {
    if t <= start {
        Sample { value: from, ..Sample::default() }
    } else if t >= end {
        Sample { value: to, ..Sample::default() }
    } else {
        smooth((t - start) / (end - start), end - start, from, to)
    }
}

/// From rest before the first of two times to a steady speed after the second: the speed is a smooth step
/// 3 s² − 2 s³.
fn accelerate([start, end]: [f64; 2], t: f64, from: f64, speed: f64) -> Sample {
    let duration = end - start;
    let s = (t - start) / duration;
    if s <= 0.0 {
        Sample { value: from, ..Sample::default() }
    } else if s >= 1.0 {
        Sample { value: from + speed * (t - start - 0.5 * duration), speed, acceleration: 0.0 }
    } else {
        Sample {
            value: from + speed * duration * s * s * s * (1.0 - 0.5 * s),
            speed: speed * s * s * (3.0 - 2.0 * s),
            acceleration: speed / duration * 6.0 * s * (1.0 - s),
        }
    }
}

/// The quintic at fraction `s` of a `duration` (s).
fn smooth(s: f64, duration: f64, from: f64, to: f64) -> Sample {
    let rest = 1.0 - s;
    let stretch = to - from;
    Sample {
        value: from + stretch * s * s * s * (10.0 - s * (15.0 - 6.0 * s)),
        speed: stretch / duration * 30.0 * s * s * rest * rest,
        acceleration: stretch / (duration * duration) * 60.0 * s * rest * (1.0 - 2.0 * s),
    }
}

/// Second derivatives of the natural cubic spline: the tridiagonal system of the module head,
/// forward elimination, then back substitution.
fn natural_bends(times: &[f64], values: &[f64]) -> Vec<f64> {
    let count = times.len();
    let step = |i: usize| times[i + 1] - times[i];
    let slope = |i: usize| (values[i + 1] - values[i]) / step(i);
    let mut ratios = vec![0.0; count];
    let mut bends = vec![0.0; count];
    for i in 1..count - 1 {
        let pivot = 2.0 * (step(i - 1) + step(i)) - step(i - 1) * ratios[i - 1];
        ratios[i] = step(i) / pivot;
        bends[i] = (6.0 * (slope(i) - slope(i - 1)) - step(i - 1) * bends[i - 1]) / pivot;
    }
    for i in (1..count - 1).rev() {
        bends[i] -= ratios[i] * bends[i + 1];
    }
    bends
}
