//! The velocity-level step: positions drift for h with the solved velocities.
//!
//!   x⁺ = x + h u      q⁺ = exp(h ω_½) q      L⁺ = Ĩ ω_½      ω⁺ = R⁺ I⁻¹ R⁺ᵀ L⁺      (slender bodies: `force/free_motion.rs`)
//!
//! Where surfaces overlap positions move with velocities that part them, which are not kept.
//! Second order at the step's own instants: velocities stand half a step behind positions (leapfrog), which
//! `State::velocity_lag` records. Free flight is exact: z(t) = v₀ t − ½ g t² to round-off at every step.

use crate::body::BodyState;
use crate::body::twist::Twist;
use crate::force::free_motion::FreeMotion;
use crate::model::Model;
use crate::model::state::State;
use crate::solve::Solution;

/// Where the bodies are after the step, into `next`.
pub fn drift(
    model: &Model,
    state: &State,
    kick: f64,
    nouns: (&FreeMotion, &Solution),
    next: &mut Vec<BodyState>,
) {
    let (free, solution) = nouns;
    let h = model.dt(state);
    next.clear();
    next.extend(state.bodies.iter().enumerate().map(|(place, body)| {
        let mut body = *body;
        let Twist { velocity, angular_velocity: spin } = solution.twists[place];
        let inertial = &free.inertial[place];
        if body.asleep || (!inertial.free && free.carried[place] == Twist::default()) {
            (body.velocity, body.angular_velocity) = (velocity, spin);
            return body;
        }
        let carried = solution.carried(place);
        body.position += carried.velocity * h;
        body.orientation = inertial.turned(body.orientation, carried.angular_velocity, h);
        body.velocity = velocity;
        body.angular_velocity = spin;
        if inertial.free {
            // carry the angular momentum, not the spin, to the new attitude
            let momentum = free.inertia[place] * spin;
            body.constraint_torque = (momentum - free.angular[place]) / kick;
            body.angular_velocity = inertial.spin(body.orientation, momentum / inertial.growth[1]);
        }
        body
    }));
}
