//! The acceleration-level step of Tasora: classical Runge–Kutta on the index-1 equations, then exact
//! correction.
//!
//! Order 4 on smooth motion; joints closed to 1e-12 after every step. Contacts push as under the adaptive
//! stepper, but impacts are not looked for inside the step, and their springs need a step well below 1/(2π ·
//! frequency).

use super::acceleration::Manner;
use super::correct::{Leftover, correct};
use super::runge_kutta::{CLASSICAL, combined, stages};
use super::touching;
use crate::world::model::Model;
use crate::world::scratch::Scratch;
use crate::world::state::State;

/// Advances a copy of the state by h into `next`.
pub fn advance(model: &Model, state: &State, h: f64, s: &mut Scratch, next: &mut State) -> Leftover {
    touching::begin(model, state, s);
    stages(&CLASSICAL, model, state, h, Manner { horizon: h, coarse: 0.0 }, s);
    next.clone_from(state);
    for (place, b) in next.bodies.iter_mut().enumerate() {
        b.set_numbers(&combined(b.numbers(), h, &s.stages, CLASSICAL.b, place));
    }
    next.time += h;
    model.carry(next);
    let left = correct(model, next, model.settings.bounce_speed, s);
    touching::arrive(model, next, s);
    left
}
