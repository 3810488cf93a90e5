//! Dry friction at rest: the angle by which a row has given → a target rate that takes it back.
//!
//! A row with bounds has a small compliance Σ (`regularize.rs` of the engine). With a target rate of 0 it would creep under
//! a constant torque, by Σ λ: a parked vehicle by a micrometre per hour. With the angle θ since it holds,
//!
//! ```text
//! ω⁺ + Σ λ = −θ/h,    θ⁺ = θ + h ω⁺    ⇒    ω⁺ = 0 for θ = −h Σ λ
//! ```
//!
//! so that it gives by h Σ λ once. A row that slips has θ = 0.

use windlass_engine::prelude::BoundMode;

/// What dry friction has stopped is slower [rad/s]: it gives by 1e-8 of its speed in free fall per step.
const HELD: f64 = 1e-4;

/// θ⁺ of a row with a mode and a rate after a step h.
pub(crate) fn given(before: f64, h: f64, mode: BoundMode, rate: f64) -> f64 {
    let holds = mode == BoundMode::Between && rate.abs() < HELD;
    if holds { before + h * rate } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A compliance that gives by 1e-9 per step: after the first step nothing moves, and a slip forgets.
    #[test]
    fn a_row_gives_once() {
        let (h, give) = (0.01, 1e-9);
        let mut angle: f64 = 0.0;
        for step in 0..5 {
            let rate = -angle / h + give / h;
            let expected: f64 = if step == 0 { give / h } else { 0.0 };
            assert!((rate - expected).abs() < 1e-12, "{rate}");
            angle = given(angle, h, BoundMode::Between, rate);
        }
        assert!((angle - give).abs() < 1e-18);
        assert_eq!(given(angle, h, BoundMode::High, 0.0), 0.0);
        assert_eq!(given(angle, h, BoundMode::Between, 0.1), 0.0);
    }
}
