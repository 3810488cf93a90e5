//! Velocities that trail positions → velocities of the instant of the positions, with the accelerations found there,
//!
//!   v = v₋ + lag · a,    ω = ω₋ + lag · (α + I⁻¹ (ω × Iω))      (the spin in State carries angular momentum)

use super::acceleration::{AccelerationWork, accelerate};
use crate::model::Model;
use crate::model::state::State;
use crate::stages::Stages;

/// Brings velocities to the present instant, if they trail.
pub(super) fn synchronize(model: &Model, state: &mut State, s: &mut Stages, w: &mut AccelerationWork) {
    if state.lag != 0.0 {
        bring_up(model, state, s, w);
        state.lag = 0.0;
    }
}

/// Solves accelerations, brings trailing velocities up with them, and solves again.
pub(crate) fn bring_up(model: &Model, state: &mut State, s: &mut Stages, w: &mut AccelerationWork) {
    w.contacts.begin(model, state, s);
    accelerate(model, state, model.settings.dt, s, w);
    if state.lag == 0.0 {
        return;
    }
    // elements of cables keep theirs: what they do between two instants the step does not resolve
    for place in s.free.movable.iter().map(|place| *place as usize) {
        let (inertial, b) = (&s.free.inertial[place], &mut state.bodies[place]);
        let a = s.solution.twists[place];
        b.velocity += state.lag * a.velocity;
        let momentum = inertial.inertia(b.attitude) * b.spin;
        let gyration = inertial.spin(b.attitude, b.spin.cross(momentum));
        b.spin += state.lag * (a.spin + gyration);
    }
    model.carry(state);
    accelerate(model, state, model.settings.dt, s, w);
}
