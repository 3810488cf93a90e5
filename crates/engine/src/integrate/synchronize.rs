//! Synchronises lagging velocities with the positions, by the accelerations found there,
//!
//!   v = v₋ + lag · a,    ω = ω₋ + lag · (α + I⁻¹ (ω × Iω))      (ω in State represents angular momentum)
//!
//! and makes velocities that violate the constraints, as at a start or after an edit, consistent by an impulse.

use super::acceleration::{AccelerationWork, accelerate};
use super::correct::velocities;
use crate::model::Model;
use crate::model::state::State;
use crate::row::{Row, RowLaw, rate};
use crate::stages::Stages;

/// Advances velocities to the present instant, if they lag.
pub(super) fn synchronize(model: &Model, state: &mut State, s: &mut Stages, w: &mut AccelerationWork) {
    if state.velocity_lag != 0.0 {
        bring_up(model, state, s, w);
        state.velocity_lag = 0.0;
    }
}

/// Tolerance of the rates of rows [m/s, rad/s]; corrections leave a thousandth of it.
const FITS: f64 = 1e-9;

/// Applies the impulse required by joints and drives without a force limit, if velocities violate one: a motor that
/// starts from rest has its speed from the first instant on, not from the end of its first frame.
pub(super) fn meet_constraints(model: &Model, state: &mut State, s: &mut Stages, w: &mut AccelerationWork) {
    s.constrain_joints(model, state);
    let rows = &s.rows;
    let demands =
        |row: &Row| !row.is_bounded() && matches!(row.law, RowLaw::Rigid | RowLaw::Velocity { loss: 0.0 });
    let off = |index: usize| (rate(rows.blocks(index), |p| state.twist(p)) - rows.rows[index].speed).abs();
    if (0..rows.rows.len()).any(|index| demands(&rows.rows[index]) && off(index) > FITS) {
        w.contacts.begin(model, state, s);
        accelerate(model, state, model.settings.dt, s, w);
        velocities(state, f64::INFINITY, s, &mut w.wanted);
    }
}

/// Solves accelerations, advances lagging velocities with them, and solves again.
pub(crate) fn bring_up(model: &Model, state: &mut State, s: &mut Stages, w: &mut AccelerationWork) {
    w.contacts.begin(model, state, s);
    accelerate(model, state, model.settings.dt, s, w);
    if state.velocity_lag == 0.0 {
        return;
    }
    // elements of cables keep theirs: the step does not resolve their motion between two instants
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
