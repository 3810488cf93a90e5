//! Friction under the acceleration-level integrators.
//!
//!   F = f − k s − d vₜ,  at most μ times the normal force
//!   f force held at the start of the internal step, s displacement since
//!
//! μ falls from its static to its kinetic value over the first `bounce_speed` of sliding. A spring acts towards the
//! point where the surfaces began to stick, so that a body on a slope stays at rest. AERO's own static friction (§3.8),
//! −vₜ μ F / creep, lets it creep and needs shorter steps the less it creeps; it is used if `creep` is given.
//!
//! The spring forces are recovered from the contact forces in State, less those of the dampers;
//! no other memory is needed.

use super::law::{Law, points};
use crate::body::collider::ColliderRef;
use crate::constrain::contact::SurfaceMotion;
use crate::contact::relative;
use crate::contact::surface::ContactParameters;
use crate::contact::{Contact, ContactPair, Contacts};
use crate::model::Model;
use crate::model::state::{ContactMode, ContactState, State};
use glam::DVec3;

/// A sticking or sliding point at the start of the internal step.
#[derive(Clone, Copy, Debug)]
pub struct StickPoint {
    pub(crate) key: ([ColliderRef; 2], u32),
    /// Force of the friction spring [N], on the second body.
    held: DVec3,
    /// The point in each body's axes, from its centre of mass [m].
    seats: [DVec3; 2],
    /// Time [s].
    since: f64,
}

/// Friction held by the points remembered in `memory` at a state, whose contacts are given.
pub(crate) fn grasp(
    model: &Model,
    state: &State,
    contacts: &Contacts,
    memory: &[ContactState],
    out: &mut Vec<StickPoint>,
) {
    out.clear();
    let mut known = memory.iter().peekable();
    for (pair, contact) in points(contacts) {
        let key = (pair.parts, contact.feature);
        while known.next_if(|m| m.key() < key).is_some() {}
        let Some(last) = known.next_if(|m| m.key() == key && m.grip != ContactMode::Open) else { continue };
        let across = |v: DVec3| v - contact.normal * contact.normal.dot(v);
        // the spring of a sliding point is at its bound; that of a sticking point has the force less the damper's
        let damped = match last.grip {
            ContactMode::Stick => {
                across(sliding(model, state, pair, contact)) * Law::of(model, pair, contact).drag
            }
            _ => DVec3::ZERO,
        };
        let seats = pair.parts.map(|part| {
            let b = &state.bodies[part.body as usize];
            b.orientation.inverse() * (contact.point - b.position)
        });
        let held = across(last.force) + damped;
        out.push(StickPoint { key, held, seats, since: state.time });
    }
}

/// The friction force on the second body, and its mode.
pub(crate) fn friction(
    model: &Model,
    state: &State,
    (pair, contact): (&ContactPair, &Contact),
    law: &Law,
    normal: f64,
    grasp: Option<&StickPoint>,
) -> (DVec3, ContactMode) {
    let ContactParameters { stick, slide, .. } = pair.touch;
    if normal == 0.0 || stick == 0.0 {
        return (DVec3::ZERO, if normal == 0.0 { ContactMode::Open } else { ContactMode::Slip });
    }
    let across = |v: DVec3| v - contact.normal * contact.normal.dot(v);
    let speed = across(sliding(model, state, pair, contact));
    let creep = model.settings.contact.penalty.creep;
    if creep > 0.0 {
        let v = speed.length();
        return if v <= creep {
            (-speed * (stick * normal / creep), ContactMode::Stick)
        } else {
            (-speed * (slide * normal / v), ContactMode::Slip)
        };
    }
    let held = grasp.map_or(DVec3::ZERO, |g| {
        let [a, b] = [0, 1].map(|k| {
            let body = &state.bodies[pair.parts[k].body as usize];
            body.position + body.orientation * g.seats[k]
        });
        let ran = SurfaceMotion::of(model, state, pair).belt * (state.time - g.since);
        across(g.held - (b - a + ran) * law.slope)
    });
    let wanted = held - speed * law.drag;
    // slow sliding counts as sticking, otherwise nothing laid down on a slope would ever stick
    let x = (speed.length() / law.slow).min(1.0);
    let (size, most) = (wanted.length(), normal * (stick - (stick - slide) * x * x * (3.0 - 2.0 * x)));
    if size <= most { (wanted, ContactMode::Stick) } else { (wanted * (most / size), ContactMode::Slip) }
}

/// The same for the surfaces, which may have a velocity.
fn sliding(model: &Model, state: &State, pair: &ContactPair, contact: &Contact) -> DVec3 {
    relative(&state.bodies, pair, contact.point) + SurfaceMotion::of(model, state, pair).belt
}
