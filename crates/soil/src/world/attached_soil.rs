//! Soil that moves with a body as a part of it: soil in a bin, soil that a tool has cut and that is no particle yet.
//!
//! Its mass m with the centre at r from the body's, and its inertia I about that centre, are in the equations of the step
//! as rows along three axes and about its principal axes:
//!
//! ```text
//!  λ = m (g − ω×(ω×r)) − m (u_r − v_r)/κ        μ = −ω×Iω − I (ω' − ω)/κ
//! ```
//!
//! The body with its soil moves as one body of both masses, whatever their ratio.

use glam::{DMat3, DVec3};
use windlass_engine::prelude::{
    BodyId, BoundMode, JacobianBlock, Mass, Role, Row, RowLaw, SubsystemRows, View,
};

/// Masses [kg] and moments of inertia [kg·m²] below this are none.
const NOTHING: f64 = 1e-6;

/// Soil that moves with a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AttachedSoil {
    /// Mass with its water [kg].
    pub mass: f64,
    /// Its centre in the body's frame [m].
    pub centre: DVec3,
    /// Its inertia about the centre, in the body's axes [kg·m²].
    pub inertia: DMat3,
}

impl AttachedSoil {
    /// That of parts: masses with their centres, and the sides of the boxes that they fill.
    pub(super) fn sum(parts: impl Iterator<Item = (f64, DVec3, DVec3)> + Clone) -> AttachedSoil {
        let (mut mass, mut moment) = (0.0, DVec3::ZERO);
        for (part, at, _) in parts.clone() {
            mass += part;
            moment += at * part;
        }
        if !(mass > NOTHING) {
            return AttachedSoil::default();
        }
        let centre = moment / mass;
        let mut inertia = DMat3::ZERO;
        for (part, at, sides) in parts {
            let (away, square) = (at - centre, sides * sides / 12.0);
            let second =
                DMat3::from_diagonal(square) + DMat3::from_cols(away * away.x, away * away.y, away * away.z);
            let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
            inertia += (DMat3::from_diagonal(DVec3::splat(trace)) - second) * part;
        }
        AttachedSoil { mass, centre, inertia }
    }

    /// Whether its numbers are finite and its mass is not negative.
    pub(super) fn is_sound(&self) -> bool {
        let columns = [self.inertia.x_axis, self.inertia.y_axis, self.inertia.z_axis, self.centre];
        self.mass >= 0.0 && self.mass.is_finite() && columns.iter().all(|column| column.is_finite())
    }

    /// Writes its rows.
    pub(super) fn rows(&self, id: BodyId, view: &View<'_>, out: &mut SubsystemRows<'_>) {
        let Some(body) = view.bodies.list.get(id).filter(|body| body.is_dynamic()) else { return };
        if !(self.mass > NOTHING) {
            return;
        }
        let state = view.bodies.body(id);
        let (arm, spin) = (state.orientation * (self.centre - body.mass.center), state.angular_velocity);
        let mut push = |linear: DVec3, angular: DVec3, (mass, force): (f64, f64)| {
            let rate = linear.dot(state.velocity) + angular.dot(spin);
            let loss = view.kick / mass;
            let law = RowLaw::Velocity { loss };
            let row = Row { speed: rate + loss * force, law, role: Role::Medium, ..Row::hold(0.0) };
            let block = JacobianBlock { body: id.index() as u32, linear, angular };
            out.push(row, &[block], BoundMode::Between);
        };
        let pull = view.settings.gravity - spin.cross(spin.cross(arm));
        for axis in DVec3::AXES {
            push(axis, arm.cross(axis), (self.mass, self.mass * pull.dot(axis)));
        }
        let (moments, axes) = Mass::new(self.mass, DVec3::ZERO, self.inertia).principal_axes();
        let turn = state.orientation * axes;
        let momentum = turn * (moments * (turn.inverse() * spin));
        let gyroscopic = -spin.cross(momentum);
        for (moment, axis) in moments.to_array().into_iter().zip(DVec3::AXES) {
            if moment > NOTHING {
                let axis = turn * axis;
                push(DVec3::ZERO, axis, (moment, gyroscopic.dot(axis)));
            }
        }
    }
}
