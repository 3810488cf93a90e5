//! Penalty contact forces of the acceleration-level integrators (AERO §3.6–3.8).
//!
//!   spring     F = k γ while approaching, e² k γ while separating: the rebound speed is e times the approach speed
//!   penalty    F = k γ + d v, never tensile: slow contacts settle
//!
//! γ is the penetration, v the approach speed, k = m (2π · frequency)² of the two masses in series unless the material
//! specifies it; under loads far above the weight of the two it hardens (`law.rs`). Here e is the ratio of speeds, as everywhere in Windlass; AERO's law has the ratio of stiffnesses, e².
//!
//! Forces are continuous, otherwise error control would resolve each kink: the spring is blended from one branch to the
//! other over ± `bounce_speed`, and damping grows over the first penetration. Friction is in `friction.rs`.
//!
//! It is here and not in `force`, since it reads the output of `collide`.

pub(crate) mod contact_loop;
mod friction;
pub(crate) mod impulses;
mod law;
mod simultaneous;
pub(crate) mod struck;
pub(crate) mod time_of_impact;

use super::sequential_impacts::mobility;
use crate::contact::{Contacts, relative};
use crate::force::FreeMotion;
use crate::load::Loads;
use crate::model::Model;
use crate::model::state::{ContactState, State};
use friction::{StickPoint, friction};
use glam::DVec3;
use law::{Law, points};

/// What the contacts at a state demand of the step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pressed {
    /// Angular frequency of the stiffest [rad/s].
    pub swing: f64,
    /// Whether one is beyond the range in which its spring hardens.
    pub is_overloaded: bool,
}

/// Adds the forces of all contacts, and writes the state of each.
pub(crate) fn press(
    model: &Model,
    state: &State,
    contacts: &Contacts,
    grasps: &[StickPoint],
    wrenches: &mut Loads,
    out: &mut Vec<ContactState>,
) -> Pressed {
    out.clear();
    let mut pressed = Pressed::default();
    let mut grasps = grasps.iter().peekable();
    for (pair, contact) in points(contacts).filter(|(_, c)| c.gap < 0.0) {
        let key = (pair.parts, contact.feature);
        while grasps.next_if(|g| g.key < key).is_some() {}
        let grasp = grasps.next_if(|g| g.key == key);
        let law = Law::of(model, pair, contact);
        pressed.swing = pressed.swing.max(law.swing());
        pressed.is_overloaded |= law.is_overloaded(-contact.gap);
        let approach = -contact.normal.dot(relative(&state.bodies, pair, contact.point));
        let normal = law.normal(-contact.gap, approach);
        let (rub, grip) = friction(model, state, (pair, contact), &law, normal, grasp);
        let force = contact.normal * normal + rub;
        for (part, sign) in pair.parts.iter().zip([-1.0, 1.0]) {
            let place = part.body as usize;
            let wrench = &mut wrenches.sums[place];
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
    pressed
}

/// Acceleration of an unconstrained body by explicit loads [m/s²].
fn free_acceleration(free: &FreeMotion, place: usize) -> f64 {
    let inertial = &free.inertial[place];
    if inertial.free { free.wrenches.all()[place].force.length() / inertial.mass } else { 0.0 }
}

/// Bound on the rate at which a free body could oscillate on, or be damped by, the points loaded now or within a time
/// [1/s]; 0 if there are none. It is that of all points of a body together, each with its mobility w:
///
/// ```text
/// K = Σ k w,   D = Σ d w,   λ = √K, or D/2 + √(D²/4 − K) if overdamped
/// ```
///
/// along the normals and, for the springs of friction, along the tangents.
pub(crate) fn quickest(
    model: &Model,
    state: &State,
    within: f64,
    (contacts, free): (&Contacts, &FreeMotion),
    sums: &mut Vec<[f64; 4]>,
) -> f64 {
    sums.clear();
    sums.resize(state.bodies.len(), [0.0; 4]);
    for (pair, contact) in points(contacts) {
        let approach = -contact.normal.dot(relative(&state.bodies, pair, contact.point));
        // a body at rest just above a surface has no speed yet, but will fall onto it
        let pulled: f64 = pair.parts.iter().map(|part| free_acceleration(free, part.body as usize)).sum();
        if contact.gap > within * (approach.max(0.0) + 0.5 * within * pulled) {
            continue;
        }
        let law = Law::of(model, pair, contact);
        let [a, b] = pair.parts.map(|part| {
            let arm = contact.point - state.bodies[part.body as usize].position;
            mobility(state, free, part, arm)
        });
        let yields = a + b;
        let along = contact.normal.dot(yields * contact.normal);
        // the mean of both tangential directions
        let trace = yields.x_axis.x + yields.y_axis.y + yields.z_axis.z;
        let across = 0.5 * (trace - along);
        let (spring, drag) = law.rubbing(model, &pair.touch, -contact.gap);
        let parts = [law.slope * along, law.damping * along, spring * across, drag * across];
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
