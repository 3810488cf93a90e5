//! Dimensionless factors that depend on time, with their time derivatives.
//!
//! ```text
//! constant   f = c
//! ramp       f = a + (b − a)(10 s³ − 15 s⁴ + 6 s⁵),    s = (t − t₀)/(t₁ − t₀) clamped to 0…1
//! sine       f = m + A sin(2πν t + φ)
//! table      piecewise linear, constant before the first and after the last point
//! ```

use std::f64::consts::TAU;

use thiserror::Error;

/// A factor that depends on time.
#[derive(Clone, Debug, PartialEq)]
pub enum TimeFactor {
    /// The same factor at all times.
    Constant(f64),
    /// Smooth transition between two factors.
    Ramp {
        /// Factor up to the start.
        from: f64,
        /// Factor from the end on.
        to: f64,
        /// Start of the transition [s].
        start: f64,
        /// End of the transition [s].
        end: f64,
    },
    /// Harmonic oscillation.
    Sine {
        /// Mean factor.
        mean: f64,
        /// Amplitude of the factor.
        amplitude: f64,
        /// Frequency [Hz].
        frequency: f64,
        /// Phase at t = 0 [rad].
        phase: f64,
    },
    /// Points (time [s], factor) with increasing times, joined by straight lines.
    Table(Vec<(f64, f64)>),
}

/// Why a factor is not a function of time, and how to correct it.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TimeFactorProblem {
    /// A parameter is not finite.
    #[error("the {what} of a time factor is {value}; give a finite number")]
    NotFinite {
        /// The parameter.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A ramp that ends before it starts.
    #[error("a ramp starts at {start} s and ends at {end} s; its end must be later than its start")]
    EmptyRamp {
        /// Start [s].
        start: f64,
        /// End [s].
        end: f64,
    },
    /// A table without points.
    #[error("a table of time factors has no points; give at least one (time, factor)")]
    EmptyTable,
    /// A table whose times do not increase.
    #[error("time {time} s of a table follows {before} s; sort the points so that their times increase")]
    Unsorted {
        /// Time of the point [s].
        time: f64,
        /// Time of the point before it [s].
        before: f64,
    },
}

impl TimeFactor {
    /// Reports the first problem of the parameters, if there is one.
    pub fn check(&self) -> Result<(), TimeFactorProblem> {
        match self {
            TimeFactor::Constant(factor) => finite("constant", *factor),
            TimeFactor::Ramp { from, to, start, end } => {
                for (what, value) in
                    [("first value", from), ("last value", to), ("start", start), ("end", end)]
                {
                    finite(what, *value)?;
                }
                if end > start {
                    Ok(())
                } else {
                    Err(TimeFactorProblem::EmptyRamp { start: *start, end: *end })
                }
            }
            TimeFactor::Sine { mean, amplitude, frequency, phase } => {
                let parameters =
                    [("mean", mean), ("amplitude", amplitude), ("frequency", frequency), ("phase", phase)];
                parameters.into_iter().try_for_each(|(what, value)| finite(what, *value))
            }
            TimeFactor::Table(points) => check_table(points),
        }
    }

    /// The factor at a time [s], and its time derivative [1/s]; at a point of a table, that of the line after it.
    pub fn at(&self, t: f64) -> (f64, f64) {
        match self {
            TimeFactor::Constant(factor) => (*factor, 0.0),
            TimeFactor::Ramp { from, to, start, end } => {
                let (value, rate) = smooth_step(t - start, end - start);
                (from + (to - from) * value, (to - from) * rate)
            }
            TimeFactor::Sine { mean, amplitude, frequency, phase } => {
                let omega = TAU * frequency;
                let (sin, cos) = libm::sincos(omega * t + phase);
                (mean + amplitude * sin, amplitude * omega * cos)
            }
            TimeFactor::Table(points) => interpolated(points, t),
        }
    }
}

/// The step 10 s³ − 15 s⁴ + 6 s⁵ with s = t/duration clamped to 0…1, and its time derivative [1/s]; 1 if the duration is 0.
pub fn smooth_step(t: f64, duration: f64) -> (f64, f64) {
    if t >= duration || duration == 0.0 {
        (1.0, 0.0)
    } else if t <= 0.0 {
        (0.0, 0.0)
    } else {
        let s = t / duration;
        let rate = 30.0 * s * s * (1.0 - s) * (1.0 - s) / duration;
        (s * s * s * (10.0 - s * (15.0 - 6.0 * s)), rate)
    }
}

fn interpolated(points: &[(f64, f64)], t: f64) -> (f64, f64) {
    let after = points.partition_point(|&(time, _)| time <= t);
    if after == 0 || after == points.len() {
        return (points[after.saturating_sub(1)].1, 0.0);
    }
    let ((t0, f0), (t1, f1)) = (points[after - 1], points[after]);
    let rate = (f1 - f0) / (t1 - t0);
    (f0 + rate * (t - t0), rate)
}

fn check_table(points: &[(f64, f64)]) -> Result<(), TimeFactorProblem> {
    for &(time, factor) in points {
        finite("time", time)?;
        finite("table", factor)?;
    }
    if points.is_empty() {
        return Err(TimeFactorProblem::EmptyTable);
    }
    match points.windows(2).find(|pair| pair[1].0 <= pair[0].0) {
        Some(pair) => Err(TimeFactorProblem::Unsorted { time: pair[1].0, before: pair[0].0 }),
        None => Ok(()),
    }
}

fn finite(what: &'static str, value: f64) -> Result<(), TimeFactorProblem> {
    if value.is_finite() { Ok(()) } else { Err(TimeFactorProblem::NotFinite { what, value }) }
}

#[cfg(test)]
mod tests {
    use super::{TimeFactor, TimeFactorProblem, smooth_step};

    fn all() -> [TimeFactor; 4] {
        [
            TimeFactor::Constant(0.7),
            TimeFactor::Ramp { from: 0.2, to: 1.5, start: 1.0, end: 4.0 },
            TimeFactor::Sine { mean: 1.0, amplitude: 0.4, frequency: 0.3, phase: 0.8 },
            TimeFactor::Table(vec![(0.0, 1.0), (2.0, 0.5), (5.0, 2.0)]),
        ]
    }

    #[test]
    fn derivatives_are_those_of_the_values() {
        let h = 1e-6;
        for factor in all() {
            factor.check().unwrap();
            for i in 0..80 {
                let t = -1.03 + 0.1 * i as f64;
                let difference = (factor.at(t + h).0 - factor.at(t - h).0) / (2.0 * h);
                assert!((factor.at(t).1 - difference).abs() < 1e-8, "{factor:?} at {t}");
            }
        }
    }

    #[test]
    fn ends() {
        let [_, ramp, _, table] = all();
        assert_eq!((ramp.at(0.0), ramp.at(9.0)), ((0.2, 0.0), (1.5, 0.0)));
        assert_eq!((table.at(-1.0), table.at(2.0), table.at(9.0)), ((1.0, 0.0), (0.5, 0.5), (2.0, 0.0)));
        assert_eq!((smooth_step(-1.0, 0.0), smooth_step(-1.0, 2.0)), ((1.0, 0.0), (0.0, 0.0)));
    }

    #[test]
    fn problems_are_reported() {
        let table = TimeFactor::Table(vec![(0.0, 1.0), (0.0, 2.0)]);
        assert_eq!(table.check(), Err(TimeFactorProblem::Unsorted { time: 0.0, before: 0.0 }));
        assert_eq!(TimeFactor::Table(vec![]).check(), Err(TimeFactorProblem::EmptyTable));
        let ramp = TimeFactor::Ramp { from: 0.0, to: 1.0, start: 2.0, end: 2.0 };
        assert!(ramp.check().unwrap_err().to_string().contains("starts at 2 s and ends at 2 s"));
        assert!(TimeFactor::Constant(f64::NAN).check().is_err());
    }
}
