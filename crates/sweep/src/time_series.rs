//! The numbers of a quantity at the start and after every step → its measures over the run.
//!
//! ```text
//!  integral = Σ ½ (x_k + x_(k+1)) (t_(k+1) − t_k)        mean = integral / T        rms = √(Σ ½ (x_k² + x_(k+1)²) Δt / T)
//! ```
//!
//! T is the time between instants at which the quantity exists: intervals with an end where it does not are left out.

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// The number after the last step.
    End,
    /// The number before the first step.
    Start,
    /// The least number.
    Min,
    /// The greatest number.
    Max,
    /// The mean over time.
    Mean,
    /// The root of the mean square over time.
    Rms,
    /// The greatest less the least number.
    Range,
    /// The integral over time.
    Integral,
    /// The first time of the least number.
    TimeOfMin,
    /// The first time of the greatest number.
    TimeOfMax,
    /// The first time at which a condition holds.
    First,
}

impl Function {
    /// All of them, with their names.
    pub const NAMED: [(&'static str, Function); 11] = [
        ("end", Function::End),
        ("start", Function::Start),
        ("min", Function::Min),
        ("max", Function::Max),
        ("mean", Function::Mean),
        ("rms", Function::Rms),
        ("range", Function::Range),
        ("integral", Function::Integral),
        ("time_of_min", Function::TimeOfMin),
        ("time_of_max", Function::TimeOfMax),
        ("first", Function::First),
    ];

    /// Whether it needs the numbers of every step.
    pub fn needs_every_step(self) -> bool {
        !matches!(self, Function::End | Function::Start)
    }

    /// The unit of the measure of a quantity.
    pub fn unit(self, of: &str) -> String {
        match self {
            Function::TimeOfMin | Function::TimeOfMax | Function::First => "s".to_string(),
            Function::Integral => match of.strip_suffix("/s") {
                _ if of.is_empty() => "s".to_string(),
                Some(rest) => rest.to_string(),
                None => format!("{of}*s"),
            },
            _ => of.to_string(),
        }
    }
}

/// A comparison with a threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Condition {
    /// Above it.
    Above(f64),
    /// At it or above.
    AtLeast(f64),
    /// Below it.
    Below(f64),
    /// At it or below.
    AtMost(f64),
}

impl Condition {
    fn holds(self, x: f64) -> bool {
        match self {
            Condition::Above(limit) => x > limit,
            Condition::AtLeast(limit) => x >= limit,
            Condition::Below(limit) => x < limit,
            Condition::AtMost(limit) => x <= limit,
        }
    }
}

/// The course of one quantity so far.
#[derive(Clone, Copy, Debug)]
pub struct TimeSeries {
    condition: Option<Condition>,
    last: (f64, f64),
    /// Number and time.
    min: (f64, f64),
    max: (f64, f64),
    integral: f64,
    square: f64,
    covered: f64,
    first: f64,
}

impl TimeSeries {
    /// A course before the start; the condition is that of `first`.
    pub fn new(condition: Option<Condition>) -> TimeSeries {
        let none = (f64::NAN, f64::NAN);
        TimeSeries {
            condition,
            last: none,
            min: none,
            max: none,
            integral: 0.0,
            square: 0.0,
            covered: 0.0,
            first: f64::NAN,
        }
    }

    /// Adds the number of an instant; NaN where there is none.
    pub fn add(&mut self, time: f64, x: f64) {
        let (then, before) = self.last;
        self.last = (time, x);
        if x.is_nan() {
            return;
        }
        // the negations are true at the first number
        if !(x >= self.min.0) {
            self.min = (x, time);
        }
        if !(x <= self.max.0) {
            self.max = (x, time);
        }
        if self.first.is_nan() && self.condition.is_some_and(|condition| condition.holds(x)) {
            self.first = time;
        }
        if !before.is_nan() {
            let h = time - then;
            self.integral += 0.5 * (before + x) * h;
            self.square += 0.5 * (before * before + x * x) * h;
            self.covered += h;
        }
    }

    /// A measure that needs every step; NaN if it does not exist.
    pub fn measure(&self, function: Function) -> f64 {
        match function {
            Function::End | Function::Start => f64::NAN,
            Function::Min => self.min.0,
            Function::Max => self.max.0,
            Function::Range => self.max.0 - self.min.0,
            Function::TimeOfMin => self.min.1,
            Function::TimeOfMax => self.max.1,
            Function::First => self.first,
            _ if self.covered == 0.0 => f64::NAN,
            Function::Mean => self.integral / self.covered,
            Function::Rms => libm::sqrt(self.square / self.covered),
            Function::Integral => self.integral,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(condition: Option<Condition>, f: impl Fn(f64) -> f64) -> TimeSeries {
        let mut course = TimeSeries::new(condition);
        (0..=6000).map(|k| f64::from(k) / 1000.0).for_each(|t| course.add(t, f(t)));
        course
    }

    /// x = sin ω t over whole periods: mean 0, rms 1/√2; the trapezoid rule is spectrally accurate there.
    #[test]
    fn a_sine_has_its_closed_forms() {
        let omega = std::f64::consts::TAU / 2.0;
        let sine = course(Some(Condition::Above(0.5)), |t| libm::sin(omega * t));
        let near = |function, wanted: f64, within: f64| {
            let got = sine.measure(function);
            assert!((got - wanted).abs() < within, "{function:?}: {got}, not {wanted}");
        };
        near(Function::Mean, 0.0, 1e-12);
        near(Function::Rms, libm::sqrt(0.5), 1e-12);
        near(Function::Max, 1.0, 1e-12);
        near(Function::Range, 2.0, 1e-12);
        near(Function::TimeOfMin, 1.5, 1e-9);
        near(Function::TimeOfMax, 0.5, 1e-9);
        // sin(π t) = ½ at t = 1/6, seen at the next instant
        near(Function::First, 0.167, 1e-9);
    }

    #[test]
    fn a_ramp_has_its_integral() {
        let ramp = course(Some(Condition::AtLeast(7.0)), |t| t);
        assert!((ramp.measure(Function::Integral) - 18.0).abs() < 1e-9);
        assert!((ramp.measure(Function::Mean) - 3.0).abs() < 1e-9);
        assert!(ramp.measure(Function::First).is_nan(), "it never gets there");
    }

    #[test]
    fn instants_without_a_number_are_left_out() {
        let gap = course(None, |t| if (2.0..4.0).contains(&t) { f64::NAN } else { 3.0 });
        assert!((gap.measure(Function::Mean) - 3.0).abs() < 1e-12);
        assert!((gap.measure(Function::Integral) - 12.0).abs() < 0.01);
        assert!(TimeSeries::new(None).measure(Function::Mean).is_nan());
    }

    #[test]
    fn integrals_have_their_units() {
        assert_eq!(Function::Integral.unit("m/s"), "m");
        assert_eq!(Function::Integral.unit("N"), "N*s");
        assert_eq!(Function::Integral.unit(""), "s");
        assert_eq!(Function::First.unit("N"), "s");
    }
}
