//! Low-pass filters: closed-form solutions over a step for a signal that is linear in between.
//!
//! ```text
//!  first order    T ẏ + y = u
//!  second order   T² ÿ + 2 ζ T ẏ + y = u
//! ```
//!
//! So a constant or a ramp is filtered to round-off, however long the step. y = y_p + e with the particular solution
//! y_p = u − 2ζT u̇ and the free decay e.

use crate::expression::Expression;

/// A low-pass filter.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// The signal.
    pub of: Expression,
    /// Time constant T [s].
    pub time_constant: f64,
    /// Damping ratio ζ of a filter of second order; none for one of first order.
    pub damping: Option<f64>,
    /// Value at the start; that of the signal unless given.
    pub initial: Option<f64>,
}

impl Filter {
    /// Its output for a signal after a time h. `memory` is the output, its rate and the last signal.
    pub(crate) fn advance(&self, u: f64, h: f64, running: bool, memory: &mut [f64; 3]) -> f64 {
        let [y, rate, last] = *memory;
        *memory = match self.damping {
            _ if !running => [self.initial.unwrap_or(u), 0.0, u],
            None => [first_order(y, [last, u], h, self.time_constant), 0.0, u],
            Some(damping) => {
                let [y, rate] = second_order([y, rate], [last, u], h, (self.time_constant, damping));
                [y, rate, u]
            }
        };
        memory[0]
    }
}

/// T ẏ + y = u over a time h in which u changes linearly; for T = 0 it is u.
pub(crate) fn first_order(y: f64, [before, after]: [f64; 2], h: f64, time_constant: f64) -> f64 {
    if !(time_constant > 0.0) {
        return after;
    }
    let z = h / time_constant;
    let decay = libm::exp(-z);
    // mean of the decay over the step
    let mean = -libm::expm1(-z) / z;
    decay * y + (mean - decay) * before + (1.0 - mean) * after
}

/// T² ÿ + 2 ζ T ẏ + y = u over a time h in which u changes linearly: y and ẏ.
fn second_order(
    [y, rate]: [f64; 2],
    [before, after]: [f64; 2],
    h: f64,
    (t, damping): (f64, f64),
) -> [f64; 2] {
    let slope = (after - before) / h;
    let offset = 2.0 * damping * t * slope;
    let (e, v) = (y - (before - offset), rate - slope);
    let w = 1.0 / t;
    let squared = 1.0 - damping * damping;
    let split = w * libm::sqrt(squared.abs());
    // e^(−ζωh) times cosine and sine/ω_d, of real or imaginary argument
    let (cosine, sine) = if squared.abs() < CRITICAL {
        let decay = libm::exp(-damping * w * h);
        (decay, decay * h)
    } else if squared > 0.0 {
        let decay = libm::exp(-damping * w * h);
        (decay * libm::cos(split * h), decay * libm::sin(split * h) / split)
    } else {
        let [slow, fast] = [split - damping * w, -split - damping * w].map(|root| libm::exp(root * h));
        (0.5 * (slow + fast), 0.5 * (slow - fast) / split)
    };
    let e_after = e * cosine + (v + damping * w * e) * sine;
    let v_after = v * cosine - (w * w * e + damping * w * v) * sine;
    [after - offset + e_after, slope + v_after]
}

/// |1 − ζ²| below which the damping is taken as critical: the relative error of the solution is of this order.
const CRITICAL: f64 = 1e-12;
