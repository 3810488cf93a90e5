//! Wrenches → the momentum each body has before constraints act, and the inertia it turns with.
//!
//!   p = m v + κ f        L = I ω + κ τ        Ĩ = R_½ I R_½ᵀ,  R_½ = exp(h ω_½ / 2) R,  Ĩ ω_½ = L
//!
//! Kick and drift: forces act for κ (half a step at the start, a step afterwards: leapfrog), positions move for h.
//! The angular momentum L is carried in world axes and only turned into a spin at the midpoint attitude, which
//! keeps |L| to round-off and energy to 1e-3 (formulation.md A; an explicit −ω×Iω gains energy without bound).

use super::Wrenches;
use crate::math;
use crate::world::body::Kind;
use crate::world::model::Model;
use crate::world::state::{BodyState, State};
use crate::world::twist::{Twist, Wrench};
use glam::{DMat3, DVec3};

/// How a body resists, derived once from the model.
#[derive(Clone, Copy, Debug)]
pub struct Inertial {
    /// Whether forces move it.
    pub free: bool,
    /// [kg]
    pub mass: f64,
    /// About the centre of mass, body axes [kg·m²].
    pub inertia: DMat3,
    /// Its inverse.
    pub inverse: DMat3,
}

/// What bodies would do without constraints. Written by `force`.
#[derive(Clone, Debug, Default)]
pub struct Free {
    /// By place; rebuilt when the model changes.
    pub inertial: Vec<Inertial>,
    /// Sum of explicit forces, by place.
    pub wrenches: Wrenches,
    /// m v + κ f, by place.
    pub linear: Vec<DVec3>,
    /// I ω + κ τ in world axes, by place.
    pub angular: Vec<DVec3>,
    /// Inertia in world axes at the midpoint, by place.
    pub inertia: Vec<DMat3>,
    /// How bodies that are not free move during the step, by place.
    pub carried: Vec<Twist>,
    /// Whether any of them is driven at all.
    pub carrying: bool,
    revision: Option<u64>,
}

impl Free {
    /// Brings what depends on the model alone up to date.
    pub(crate) fn refresh(&mut self, model: &Model) {
        if self.revision == Some(model.revision) {
            return;
        }
        self.revision = Some(model.revision);
        let nothing = Inertial { free: false, mass: 0.0, inertia: DMat3::ZERO, inverse: DMat3::ZERO };
        self.inertial.clear();
        self.inertial.resize(model.bodies.places(), nothing);
        for (place, body) in model.bodies.iter().filter(|(_, b)| b.is_free()) {
            let inertia = body.mass.inertia;
            self.inertial[place] =
                Inertial { free: true, mass: body.mass.mass, inertia, inverse: inertia.inverse() };
        }
        self.linear.resize(model.bodies.places(), DVec3::ZERO);
        self.angular.resize(model.bodies.places(), DVec3::ZERO);
        self.inertia.resize(model.bodies.places(), DMat3::ZERO);
        self.carried.clear();
        self.carried.resize(model.bodies.places(), Twist::default());
        self.carrying = model.bodies.iter().any(|(_, b)| matches!(b.kind, Kind::Driven(_)));
    }
}

/// Fills in momenta and midpoint inertias from the wrenches. `kick` is κ.
pub fn free(model: &Model, state: &State, kick: f64, out: &mut Free) {
    let h = model.settings.dt;
    for (place, inertial) in out.inertial.iter().enumerate().filter(|(_, i)| i.free) {
        let body = &state.bodies[place];
        let Wrench { force, torque } = out.wrenches.0[place];
        let q = body.attitude;
        let angular = q * (inertial.inertia * (q.inverse() * body.spin)) + kick * torque;
        out.linear[place] = inertial.mass * body.velocity + kick * force;
        out.angular[place] = angular;
        out.inertia[place] = midpoint(inertial, body, angular, h);
    }
    for (place, body) in model.bodies.iter() {
        if let Some(ahead) = body.carried(state.time + h) {
            let now = &state.bodies[place];
            out.carried[place] = Twist {
                velocity: (ahead.position - now.position) / h,
                spin: math::log(ahead.attitude * now.attitude.inverse()) / h,
            };
        }
    }
}

/// The inertia at the attitude half a step ahead, by fixed-point iteration on the spin.
fn midpoint(inertial: &Inertial, body: &BodyState, angular: DVec3, h: f64) -> DMat3 {
    let (mut spin, mut half) = (body.spin, body.attitude);
    // contracts by h|ω|/2 a round; 12 rounds reach round-off up to a turn every ten steps
    for _ in 0..12 {
        half = math::exp(spin * (0.5 * h)) * body.attitude;
        let next = half * (inertial.inverse * (half.inverse() * angular));
        let change = (next - spin).length_squared();
        spin = next;
        // 1e-8 of a radian: a hundredth of what energy drifts by itself in 30 s of tumbling (MB10)
        if change * h * h < 1e-16 {
            break;
        }
    }
    math::rotated(&DMat3::from_quat(half), &inertial.inertia)
}
