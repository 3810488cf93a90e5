//! Contacts → explicit forces: how surfaces push under the steppers that integrate accelerations (AERO §3.6–3.8).
//!
//!   spring     F = k γ while approaching, e² k γ while separating: what rebounds has e of its speed
//!   penalty    F = k γ + d v, never pulling: what is slow settles
//!
//! γ is the overlap, v the speed of approach, k = m (2π · frequency)² of the two masses in series unless the material
//! says. Here e is the ratio of speeds, as everywhere in Windlass; AERO's law has the ratio of stiffnesses, e².
//!
//! Forces are continuous, or error control would find each kink: the spring goes from one branch to the other
//! over ± `bounce_speed`, and damping grows over the first overlap. Friction is in `grip.rs`.
//!
//! It stands here and not in `force`, since it reads what `collide` writes.

pub(crate) mod contact_loop;
mod friction;
pub(crate) mod impulses;
pub(crate) mod time_of_impact;

use super::sequential_impacts::mobility;
use crate::body::collider::Part;
use crate::constrain::contact::bedding;
use crate::contact::surface::Touch;
use crate::contact::{Contact, Contacts, Pair, relative};
use crate::load::Wrenches;
use crate::model::Model;
use crate::model::state::{ContactState, State};
use crate::settings::{Aero, Collision};
use crate::workspace::Scratch;
use friction::{Grasp, friction};
use glam::DVec3;
use std::f64::consts::TAU;

/// How a contact point pushes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Law {
    /// k [N/m].
    pub stiffness: f64,
    /// d against the approach [N·s/m].
    damping: f64,
    /// d against sliding [N·s/m].
    pub drag: f64,
    /// Stiffness while separating over that while approaching.
    rebound: f64,
    /// Overlap at which damping is whole [m].
    shallow: f64,
    /// The speed over which the branches go over into each other [m/s].
    pub slow: f64,
    /// The damper resists faster approaches no more than this one [m/s]: they are impulses' business.
    fastest: f64,
}

impl Law {
    pub fn of(model: &Model, pair: &Pair, contact: &Contact) -> Law {
        let slow = model.settings.bounce_speed.max(1e-6);
        let aero: &Aero = &model.settings.contact.aero;
        let mass = mass_in_series(model, pair.parts);
        let own = pair.touch.spring.or_else(|| bedding(&pair.touch, contact));
        let stiffness = own.map_or(mass * (TAU * aero.frequency) * (TAU * aero.frequency), |s| s.stiffness);
        let damping = own.map_or(2.0 * aero.damping * (stiffness * mass).sqrt(), |s| s.damping);
        let e = pair.touch.restitution;
        let shallow = slow * (mass / stiffness).sqrt();
        let law =
            Law { stiffness, damping, drag: damping, rebound: 1.0, shallow, slow, fastest: f64::INFINITY };
        match aero.collision {
            _ if own.is_some() => law,
            Collision::Spring => Law { damping: 0.0, rebound: e * e, ..law },
            Collision::Impulse => Law { fastest: slow, ..law },
        }
    }

    /// Spring and damper of friction at an overlap [N/m, N·s/m].
    fn rubbing(&self, model: &Model, touch: &Touch, depth: f64) -> (f64, f64) {
        let creep = model.settings.contact.aero.creep;
        match creep > 0.0 {
            _ if touch.stick == 0.0 => (0.0, 0.0),
            true => (0.0, touch.stick * self.stiffness * depth.max(0.0) / creep),
            false => (self.stiffness, self.drag),
        }
    }

    /// The normal force at an overlap and a speed of approach.
    fn normal(&self, depth: f64, approach: f64) -> f64 {
        let x = (0.5 - 0.5 * approach / self.slow).clamp(0.0, 1.0);
        let branch = 1.0 - (1.0 - self.rebound) * x * x * (3.0 - 2.0 * x);
        let damped = self.damping * approach.min(self.fastest) * (depth / self.shallow).min(1.0);
        (branch * self.stiffness * depth + damped).max(0.0)
    }
}

/// m₁ m₂ / (m₁ + m₂) of the two bodies; of one that is free its mass.
fn mass_in_series(model: &Model, parts: [Part; 2]) -> f64 {
    let mobility = |part: Part| {
        let body = model.bodies.at(part.body as usize).filter(|b| b.is_free());
        body.map_or(0.0, |b| 1.0 / b.mass.mass)
    };
    1.0 / parts.map(mobility).iter().sum::<f64>().max(1e-300)
}

/// Adds the forces of all contacts, and writes what each does. Returns how fast the stiffest swings [rad/s].
pub(crate) fn press(
    model: &Model,
    state: &State,
    contacts: &Contacts,
    grasps: &[Grasp],
    wrenches: &mut Wrenches,
    out: &mut Vec<ContactState>,
) -> f64 {
    out.clear();
    let mut fastest: f64 = 0.0;
    let mut grasps = grasps.iter().peekable();
    for (pair, contact) in points(contacts).filter(|(_, c)| c.gap < 0.0) {
        let key = (pair.parts, contact.feature);
        while grasps.next_if(|g| g.key < key).is_some() {}
        let grasp = grasps.next_if(|g| g.key == key);
        let law = Law::of(model, pair, contact);
        fastest = fastest.max(law.slow / law.shallow);
        let approach = -contact.normal.dot(relative(&state.bodies, pair, contact.point));
        let normal = law.normal(-contact.gap, approach);
        let (rub, grip) = friction(model, state, (pair, contact), &law, normal, grasp);
        let force = contact.normal * normal + rub;
        for (part, sign) in pair.parts.iter().zip([-1.0, 1.0]) {
            let place = part.body as usize;
            let wrench = &mut wrenches.0[place];
            wrench.force += sign * force;
            wrench.torque += (contact.point - state.bodies[place].position).cross(sign * force);
        }
        let (parts, feature, point) = (pair.parts, contact.feature, contact.point);
        out.push(ContactState {
            parts,
            feature,
            grip,
            point,
            force,
            torque: DVec3::ZERO,
            brink: false,
            blow: 0.0,
        });
    }
    fastest
}

/// The fastest rate at which a free body could swing on, or be damped by, the points that press or will within a time
/// [1/s]; 0 if there are none. No more than what all points of a body do together, each with its mobility w:
///
/// ```text
/// K = Σ k w,   D = Σ d w,   λ = √K, or D/2 + √(D²/4 − K) if overdamped
/// ```
///
/// along the normals and, as friction's springs, across them.
pub(crate) fn quickest(model: &Model, state: &State, within: f64, s: &mut Scratch) -> f64 {
    s.free.refresh(model, state);
    let Scratch { touching, contacts, free, .. } = s;
    let sums = &mut touching.rates;
    sums.clear();
    sums.resize(state.bodies.len(), [0.0; 4]);
    for (pair, contact) in points(contacts) {
        let approach = -contact.normal.dot(relative(&state.bodies, pair, contact.point));
        if contact.gap > (within * approach).max(0.0) {
            continue;
        }
        let law = Law::of(model, pair, contact);
        let [a, b] = pair.parts.map(|part| {
            let arm = contact.point - state.bodies[part.body as usize].position;
            mobility(state, free, part, arm)
        });
        let yields = a + b;
        let along = contact.normal.dot(yields * contact.normal);
        // the mean of both directions across
        let trace = yields.x_axis.x + yields.y_axis.y + yields.z_axis.z;
        let across = 0.5 * (trace - along);
        let (spring, drag) = law.rubbing(model, &pair.touch, -contact.gap);
        let parts = [law.stiffness * along, law.damping * along, spring * across, drag * across];
        for part in pair.parts {
            let place = part.body as usize;
            if free.inertial[place].free {
                sums[place].iter_mut().zip(parts).for_each(|(sum, x)| *sum += x);
            }
        }
    }
    let rate = |k: f64, d: f64| {
        let rest = 0.25 * d * d - k;
        if rest > 0.0 { 0.5 * d + rest.sqrt() } else { k.sqrt() }
    };
    sums.iter().map(|[k, d, kt, dt]| rate(*k, *d).max(rate(*kt, *dt))).fold(0.0, f64::max)
}

/// The points with their pairs, in order.
pub(crate) fn points(contacts: &Contacts) -> impl Iterator<Item = (&Pair, &Contact)> {
    contacts.pairs.iter().flat_map(|pair| contacts.list[pair.points.clone()].iter().map(move |c| (pair, c)))
}
