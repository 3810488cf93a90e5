//! The acceleration-level step of Tasora: classical Runge–Kutta on the index-1 equations, then projection.
//!
//! Order 4 on smooth motion; joints are closed to 1e-12 after every step. Contacts use the penalty forces of the
//! adaptive integrator, whose springs are faster than most steps. While any is loaded, the step is divided into parts
//! that are stable for the stiffest,
//!
//! ```text
//! part · λ ≤ 2,   λ from penalty/mod.rs
//! ```
//!
//! as is a step in which a body's damping or a spring or damper of a joint or force is faster (`stiffness.rs`).
//! A part with an impact ends there, so that impulses are applied at contact. Without contacts within
//! reach the step has one part.

use super::correct::{Residual, correct};
use super::runge_kutta::{CLASSICAL, RungeKuttaWork, combined, stages};
use crate::body::BodyState;
use crate::model::Model;
use crate::model::state::State;
use crate::stages::Stages;

/// Length of a part times the rate of its fastest contact. The classical method is stable up to 2.78 along the
/// negative real axis and 2.83 along the imaginary one; the margin is for points that arise within a part, and for
/// rates found from below.
pub(crate) const STABLE: f64 = 2.0;

/// Parts per step at most: otherwise extremely stiff contacts would stall the simulation. 10 t on a plate of 0.1 kg take
/// a third of them at 1/60 s.
pub(crate) const PARTS: f64 = 20_000.0;

/// Advances a state by h into `next`; `now` is consumed. Returns the remaining violation, and how many
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
        let RungeKuttaWork { stiffness, evaluation, .. } = &mut *w;
        let springs = stiffness.fastest((model, now), (rest, STABLE), s, evaluation);
        let quickest =
            springs.map_or(quickest, |springs| (springs.rate * springs.rate + quickest * quickest).sqrt());
        let bearable = STABLE / quickest;
        // up to a surface, but by no less than a thousandth: closer surfaces count as in contact
        let part = bearable.max(h / PARTS).min(w.evaluation.contacts.soonest().max(1e-3 * h));
        // no tiny last part
        let part = if part >= 0.999 * rest { rest } else { part.min(0.5 * rest) };
        forced += usize::from(part > 1.001 * bearable);
        let gap = advance_part(model, (now, next), part, s, w);
        (left.gap, left.rate) = (left.gap.max(gap.gap), left.rate.max(gap.rate));
        rest -= part;
        if rest <= 0.0 || !next.bodies.iter().all(BodyState::is_finite) {
            next.time = end;
            return (left, forced + usize::from(w.evaluation.contacts.is_overloaded()));
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
