//! Sequential impacts for `spook`: impulses of impacts in the step are applied before it is solved.
//!
//! The rows of a step determine their rebounds simultaneously, each from the speeds before any impact. A ball that
//! hits a row of touching ones then comes back, and all of them move. Here the fastest impact is resolved first and
//! the next sees its impulse, at most 2k for k points (as in `penalty/impulses.rs`), so only the last ball departs.
//! Joints are ignored here: the solve that follows enforces them.

use super::penalty::impulses::impulse;
use super::penalty::struck::note;
use super::remember::part_beyond;
use crate::body::collider::ColliderRef;
use crate::contact::relative;
use crate::contact::surface::ContactParameters;
use crate::contact::surface::is_hard;
use crate::contact::{Contact, ContactPair, Contacts};
use crate::force::free_motion::FreeMotion;
use crate::model::Model;
use crate::model::state::{ContactState, State};
use glam::{DMat3, DVec3};

/// An imminent impact of a contact point.
struct Hit<'a> {
    pair: &'a ContactPair,
    contact: &'a Contact,
    /// Speed of approach [m/s].
    approach: f64,
    /// Its rate without constraints [m/s²].
    falling: f64,
}

/// Applies impulses to imminent impacts of the step, and records them [N·s]. Returns whether any was applied.
pub fn strike(
    model: &Model,
    state: &mut State,
    (contacts, free, kick): (&Contacts, &FreeMotion, f64),
    out: &mut Vec<ContactState>,
) -> bool {
    out.clear();
    let count: usize = bouncing(contacts).map(|p| p.points.len()).sum();
    for _ in 0..2 * count {
        let all = bouncing(contacts).flat_map(|pair| hits(model, state, contacts, free, pair));
        let fastest = all.reduce(|best, hit| if hit.approach > best.approach { hit } else { best });
        let Some(Hit { pair, contact, approach, falling }) = fastest else { break };
        // reversed at the present position, with the speed it has there after the rebound; forces will
        // still act for the kick
        let (e, gained) = (pair.touch.restitution, 2.0 * falling * contact.gap.max(0.0));
        let speed = (e * e * (approach * approach + gained) - gained).max(0.0).sqrt();
        let touch = ContactParameters { restitution: (speed + kick * falling) / approach, ..pair.touch };
        let arms = pair.parts.map(|part| contact.point - state.bodies[part.body as usize].position);
        let yields = [0, 1].map(|k| mobility(state, free, pair.parts[k], arms[k]));
        let velocity = relative(&state.bodies, pair, contact.point);
        let p = impulse(yields[0] + yields[1], velocity, contact.normal, &touch);
        for ((part, arm), sign) in pair.parts.iter().zip(arms).zip([-1.0, 1.0]) {
            let body = &mut state.bodies[part.body as usize];
            if let Some(change) = free.response(part.body as usize, body.orientation, (sign * p, arm)) {
                body.velocity += change.velocity;
                body.angular_velocity += change.angular_velocity;
            }
        }
        note(pair, contact, p, out);
    }
    !out.is_empty()
}

/// The pairs that rebound.
fn bouncing(contacts: &Contacts) -> impl Iterator<Item = &ContactPair> {
    contacts.pairs.iter().filter(|p| is_hard(&p.touch) && p.touch.restitution > 0.0)
}

/// The points of a pair that will collide in the step and rebound fast enough.
fn hits<'a>(
    model: &Model,
    state: &State,
    contacts: &'a Contacts,
    free: &FreeMotion,
    pair: &'a ContactPair,
) -> impl Iterator<Item = Hit<'a>> {
    let push = |part: ColliderRef| {
        let inertial = &free.inertial[part.body as usize];
        if inertial.free {
            free.wrenches.all()[part.body as usize].force / inertial.own_mass()
        } else {
            DVec3::ZERO
        }
    };
    let push = push(pair.parts[1]) - push(pair.parts[0]);
    let (h, slow) = (model.dt(state), model.settings.bounce_speed);
    contacts.list[pair.points.clone()].iter().filter_map(move |contact| {
        let approach = -contact.normal.dot(relative(&state.bodies, pair, contact.point));
        let falling = -contact.normal.dot(push);
        let meets = contact.gap < h * approach.max(approach + h * falling);
        let hit = meets && pair.touch.restitution * approach > slow;
        hit.then_some(Hit { pair, contact, approach, falling })
    })
}

/// Response of the velocity of a body's point to an impulse there: 1/m + [r]ᵀ I⁻¹ [r].
pub(super) fn mobility(state: &State, free: &FreeMotion, part: ColliderRef, arm: DVec3) -> DMat3 {
    let place = part.body as usize;
    let column = |axis: DVec3| {
        let change = free.response(place, state.bodies[place].orientation, (axis, arm)).unwrap_or_default();
        change.velocity + change.angular_velocity.cross(arm)
    };
    DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z))
}

/// Adds impulses to the stored contact forces; both are sorted alike.
pub fn add(struck: &[ContactState], kick: f64, kept: &mut [ContactState]) {
    for blow in struck {
        if let Ok(place) = kept.binary_search_by_key(&blow.key(), ContactState::key) {
            let kept = &mut kept[place];
            let bore = (1.0 - kept.blow) * kept.force.length();
            kept.force += blow.force / kick;
            kept.blow = part_beyond(bore, kept.force.length());
        }
    }
}
