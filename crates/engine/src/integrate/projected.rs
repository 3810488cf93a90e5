//! The acceleration-level step of Tasora: classical Runge–Kutta on the index-1 equations, then exact correction.
//!
//! Order 4 on smooth motion; joints closed to 1e-12 after every step. Contacts push as under the adaptive
//! stepper, and their springs are faster than most steps: while any presses, the step is cut into parts that
//! are stable for the stiffest,
//!
//! ```text
//! part · λ ≤ 2,   λ from penalty.rs
//! ```
//!
//! as is one in which a body's damping is faster,
//! and one in which surfaces meet ends there, so that impulses find them at the surface. Without contacts in
//! reach the step is one.

use super::correct::{Residual, correct};
use super::runge_kutta::{CLASSICAL, RungeKuttaWork, combined, stages};
use crate::body::BodyState;
use crate::model::Model;
use crate::model::state::State;
use crate::stages::Stages;

/// Length of a part times the rate of its fastest contact. The classical method is stable up to 2.78 along the
/// negative axis and 2.83 along the imaginary one; the rest is for points that come within a part.
const STABLE: f64 = 2.0;

/// Most parts of a step, or what is asked to be hard without measure would stop the clock.
const PARTS: f64 = 2000.0;

/// Advances a state by h into `next`; `now` is used up. Returns what the corrections left open, and how many
/// parts were too long for their contacts.
pub fn advance(
    model: &Model,
    (now, next): (&mut State, &mut State),
    h: f64,
    s: &mut Stages,
    w: &mut RungeKuttaWork,
) -> (Residual, usize) {
    let (mut left, mut forced) = (Residual::default(), 0);
    let (end, mut rest) = (now.time + h, h);
    w.evaluation.contacts.begin(model, now, s);
    loop {
        let quickest = w.evaluation.contacts.quickest(model, now, rest, s).max(s.free.fastest_decay());
        let bearable = STABLE / quickest;
        // to a surface, but not by less than a thousandth: what is that near is as good as met
        let part = bearable.max(h / PARTS).min(w.evaluation.contacts.soonest().max(1e-3 * h));
        // do not leave a sliver
        let part = if part >= 0.999 * rest { rest } else { part.min(0.5 * rest) };
        forced += usize::from(part > 1.001 * bearable);
        let gap = advance_part(model, (now, next), part, s, w);
        (left.gap, left.rate) = (left.gap.max(gap.gap), left.rate.max(gap.rate));
        rest -= part;
        if rest <= 0.0 || !next.bodies.iter().all(BodyState::is_finite) {
            next.time = end;
            return (left, forced);
        }
        std::mem::swap(now, next);
    }
}

/// One part into `next`.
fn advance_part(
    model: &Model,
    (now, next): (&State, &mut State),
    h: f64,
    s: &mut Stages,
    w: &mut RungeKuttaWork,
) -> Residual {
    stages(&CLASSICAL, (model, now), h, s, w);
    next.clone_from(now);
    for (place, b) in next.bodies.iter_mut().enumerate() {
        b.set_numbers(&combined(b.numbers(), h, &w.flows, CLASSICAL.b, place));
    }
    next.time += h;
    model.prescribe(next);
    let left = correct(model, next, model.settings.bounce_speed, s, &mut w.evaluation.wanted);
    w.evaluation.contacts.arrive(model, next, s);
    left
}
