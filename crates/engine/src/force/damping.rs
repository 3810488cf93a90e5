//! Damping of bodies, F = −α m v and τ = −β L, unconditionally stable and in closed form for a free body.
//!
//! Under `spook` its implicitness is chosen so that the decay of a free body is the closed-form one. With z = α κ
//! and s = z/(1 − e^(−z)),
//!
//! ```text
//! m (u − v) = κ f + Jᵀ Λ − m ((s − 1)(u − v) + z v)        ⇔        s m u = (s − z) m v + κ f + Jᵀ Λ
//! ```
//!
//! so the solvers see a body with s times the mass. Without forces u = e^(−z) v, under a constant force f the velocity
//! tends to f/(α m), and at rest damping exerts no force. For short steps s → 1 + z/2, the trapezoidal rule. Angular
//! momenta decay alike.
//!
//! The acceleration-level integrators treat it as an explicit force; `projected` reduces its step where stability
//! requires it.

use super::midpoint::{self, LANES};
use crate::body::BodyState;
use crate::body::inertia::BodyInertia;
use crate::body::twist::{Twist, Wrench};
use crate::load::Loads;
use crate::model::Model;
use crate::model::state::State;
use glam::{DMat3, DVec3};

/// A dynamic body with damping.
#[derive(Clone, Copy, Debug)]
pub struct DampedBody {
    /// Its index.
    pub place: u32,
    /// Its mass [kg].
    pub mass: f64,
    /// α and β [1/s].
    pub rates: [f64; 2],
    /// Whether its inertia is taken at the present orientation (`free_motion.rs`).
    pub present: bool,
    /// Damping force and torque in the solved step.
    pub wrench: Wrench,
}

/// A body before constraints act: momenta, and the inertia for its rotation.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeBody {
    pub linear: DVec3,
    pub angular: DVec3,
    pub inertia: DMat3,
}

/// z/(1 − e^(−z)).
fn growth(z: f64) -> f64 {
    if z > 0.0 { -z / libm::expm1(-z) } else { 1.0 }
}

impl DampedBody {
    /// Motion without constraints under a load. `kick` is κ; damping increases `inertial`.
    pub(super) fn free(
        &self,
        body: &BodyState,
        load: &Wrench,
        (h, kick): (f64, f64),
        inertial: &mut BodyInertia,
    ) -> FreeBody {
        let z = self.rates.map(|rate| rate * kick);
        let s = z.map(growth);
        (inertial.mass, inertial.growth) = (s[0] * self.mass, s);
        let now = inertial.inertia(body.orientation);
        let before = now * body.angular_velocity;
        let angular = (s[1] - z[1]) * before + kick * load.torque;
        let inertia = match self.present {
            true => now,
            false => {
                let body = midpoint::Body {
                    orientation: body.orientation,
                    axes: inertial.axes,
                    moments: inertial.moments,
                    spin: body.angular_velocity,
                    impulse: angular / s[1] - before,
                    expected: kick / s[1] * body.constraint_torque,
                };
                midpoint::ahead(&[body; LANES], h)[0].1
            }
        };
        let linear = (s[0] - z[0]) * self.mass * body.velocity + kick * load.force;
        FreeBody { linear, angular, inertia: s[1] * inertia }
    }

    /// Stores the damping force of a step that takes the body to a velocity. `inertia` is that of the step.
    pub(super) fn note(
        &mut self,
        body: &BodyState,
        after: &Twist,
        kick: f64,
        (inertial, inertia): (&BodyInertia, &DMat3),
    ) {
        let part = |which: usize, before: DVec3, after: DVec3| {
            let (s, z) = (inertial.growth[which], self.rates[which] * kick);
            -((s - 1.0) * (after - before) + z * before) / kick
        };
        let momenta = [
            inertial.inertia(body.orientation) * body.angular_velocity,
            *inertia * after.angular_velocity / inertial.growth[1],
        ];
        self.wrench = Wrench {
            force: self.mass * part(0, body.velocity, after.velocity),
            torque: part(1, momenta[0], momenta[1]),
        };
    }
}

/// Damping as an explicit force at a state.
pub(super) fn explicit(model: &Model, state: &State, out: &mut Loads) {
    for (place, body) in model.bodies.iter().filter(|(_, b)| b.damping.acts() && b.is_dynamic()) {
        let s = &state.bodies[place];
        let momentum = s.orientation * (body.mass.inertia * (s.orientation.inverse() * s.angular_velocity));
        let force = s.velocity * (-body.damping.linear * body.mass.mass);
        out.add(place, Wrench { force, torque: momentum * -body.damping.angular });
    }
}
