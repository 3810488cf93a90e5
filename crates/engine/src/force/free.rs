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
        // constraints will turn it too, much as they did last time
        out.inertia[place] = midpoint(inertial, body, angular + kick * body.held, h);
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

/// The inertia at the attitude half a step ahead: with w the spin and ℓ the momentum in the body's axes,
///
///   I w = exp(−φ) ℓ =: m,  φ = h w/2        by Newton:  [ I − (h/2) [m]× (1 − [φ]×/2) ] Δw = m − I w
///
/// (a turn about w leaves w alone, so w is the same in both attitudes). A plain iteration diverges for slender
/// bodies: it amplifies by (h|ω|)²/8 times the ratio of the moments.
fn midpoint(inertial: &Inertial, body: &BodyState, angular: DVec3, h: f64) -> DMat3 {
    let (half, back) = (0.5 * h, body.attitude.inverse());
    let (momentum, mut w) = (back * angular, back * body.spin);
    for _ in 0..12 {
        let phi = w * half;
        let m = math::exp(-phi) * momentum;
        let change = solved(&slope(&inertial.inertia, m, phi, half), m - inertial.inertia * w);
        if !change.is_finite() {
            break;
        }
        w += change;
        // the iteration is all but quadratic: 1e-4 of a radian now leaves 1e-8
        if change.length_squared() * h * h < 1e-8 {
            break;
        }
    }
    math::rotated(&DMat3::from_quat(body.attitude * math::exp(w * half)), &inertial.inertia)
}

/// I − (h/2) [m]× + (h/4) (φ mᵀ − (m·φ) 1), the last being [m]×[φ]×.
fn slope(inertia: &DMat3, m: DVec3, phi: DVec3, half: f64) -> DMat3 {
    let (a, b) = (m * half, m * (0.5 * half));
    let d = b.dot(phi);
    let x = inertia.x_axis + phi * b.x - DVec3::new(d, a.z, -a.y);
    let y = inertia.y_axis + phi * b.y - DVec3::new(-a.z, d, a.x);
    let z = inertia.z_axis + phi * b.z - DVec3::new(a.y, -a.x, d);
    DMat3::from_cols(x, y, z)
}

/// A⁻¹ b by Cramer's rule.
fn solved(a: &DMat3, b: DVec3) -> DVec3 {
    let (yz, zx, xy) = (a.y_axis.cross(a.z_axis), a.z_axis.cross(a.x_axis), a.x_axis.cross(a.y_axis));
    DVec3::new(b.dot(yz), b.dot(zx), b.dot(xy)) / a.x_axis.dot(yz)
}
