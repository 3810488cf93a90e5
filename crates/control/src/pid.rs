//! PID controllers: e = setpoint − measurement → u = kp e + I + kd d, within limits.
//!
//! ```text
//!  I ← I + ki h ½(e₋ + e)          trapezoidal rule
//!  d = (e − e_f) / T               e_f: the error behind a first-order low-pass filter of time constant T
//!  d = (e − e₋) / h                for T = 0
//! ```
//!
//! Anti-windup by clamping: the integral moves u as far as to a limit and not beyond it. I is kept in units of the
//! output, so that a change of ki does not make it jump.

use crate::expression::Expression;
use crate::filter::first_order;

/// A PID controller.
#[derive(Clone, Debug, PartialEq)]
pub struct Pid {
    /// The controlled quantity.
    pub measurement: Expression,
    /// Its target.
    pub setpoint: Expression,
    /// Proportional, integral [1/s] and derivative [s] gains.
    pub gains: [f64; 3],
    /// Limits of the output; infinite for none.
    pub limits: [f64; 2],
    /// Time constant of the filter of the derivative [s]; 0 for none.
    pub derivative_filter: f64,
}

impl Pid {
    /// Its output for an error after a time h. `memory` is the integral, the last error and the filtered error.
    pub(crate) fn advance(&self, e: f64, h: f64, running: bool, memory: &mut [f64; 3]) -> f64 {
        if !running {
            *memory = [0.0, e, e];
            return self.limited(self.gains[0] * e);
        }
        let [kp, ki, kd] = self.gains;
        let [integral, last, filtered] = *memory;
        let filtered = first_order(filtered, [last, e], h, self.derivative_filter);
        let slope = match self.derivative_filter > 0.0 {
            true => (e - filtered) / self.derivative_filter,
            false => (e - last) / h,
        };
        let rest = kp * e + kd * slope;
        let increment = ki * h * 0.5 * (last + e);
        let free = rest + integral + increment;
        let limited = self.limited(free);
        let integral = match (free - limited) * increment > 0.0 {
            true => integral + (limited - rest - integral).clamp(increment.min(0.0), increment.max(0.0)),
            false => integral + increment,
        };
        *memory = [integral, e, filtered];
        self.limited(rest + integral)
    }

    fn limited(&self, u: f64) -> f64 {
        if u.is_nan() { u } else { u.clamp(self.limits[0], self.limits[1]) }
    }
}
