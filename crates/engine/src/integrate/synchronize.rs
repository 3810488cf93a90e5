//! Velocities that trail positions → velocities of the instant of the positions, with the accelerations found there,
//!
//!   v = v₋ + lag · a,    ω = ω₋ + lag · (α + I⁻¹ (ω × Iω))      (the spin in State carries angular momentum)

use super::acceleration::{AccelerationWork, accelerate};
use crate::model::Model;
use crate::model::state::State;
use crate::stages::Stages;

/// Brings velocities to the present instant, if they trail.
pub(super) fn synchronize(model: &Model, state: &mut State, s: &mut Stages, w: &mut AccelerationWork) {
    if state.velocity_lag != 0.0 {
        bring_up(model, state, s, w);
        state.velocity_lag = 0.0;
    }
}

/// Solves accelerations, brings trailing velocities up with them, and solves again.
pub(crate) fn bring_up(model: &Model, state: &mut State, s: &mut Stages, w: &mut AccelerationWork) {
    w.contacts.begin(model, state, s);
    accelerate(model, state, model.settings.dt, s, w);
    if state.velocity_lag == 0.0 {
        return;
    }
    // elements of cables keep theirs: what they do between two instants the step does not resolve
    for place in s.free.movable.iter().map(|place| *place as usize) {
        let (inertial, b) = (&s.free.inertial[place], &mut state.bodies[place]);
        let a = s.solution.twists[place];
        b.velocity += state.velocity_lag * a.velocity;
        let momentum = inertial.inertia(b.orientation) * b.angular_velocity;
        let gyration = inertial.spin(b.orientation, b.angular_velocity.cross(momentum));
        b.angular_velocity += state.velocity_lag * (a.angular_velocity + gyration);
    }
    model.prescribe(state);
    accelerate(model, state, model.settings.dt, s, w);
}
