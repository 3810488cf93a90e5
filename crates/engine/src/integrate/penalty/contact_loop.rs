//! Contacts under the steppers that integrate accelerations: what is found at the ends of internal steps, and
//! what the next frame recalls of it.
//!
//! ```text
//! begin    collide; what friction holds, from State
//! push     in every evaluation: collide, penalty forces
//! arrive   after every internal step: collide, forces, what friction holds now; then impulses
//! finish   after the frame: contacts for State, impulses for events
//! ```

use super::friction::{Grasp, grasp};
use super::{impulses as strike, time_of_impact as impact};
use crate::body::collider::Part;
use crate::body::twist::Wrench;
use crate::integrate::penalty;
use crate::load::Wrenches;
use crate::model::Model;
use crate::model::state::{ContactState, State};
use crate::settings::Stepper;
use crate::stages as hook;
use crate::workspace::Scratch;

/// The shortest internal step while contacts press, in the time in which the stiffest swings by one radian.
const SHARE: f64 = 0.05;

/// What lies between the internal steps of a frame; rebuilt from State when one begins.
#[derive(Debug, Default)]
pub struct Touching {
    /// Whether anything can be touched at all.
    pub(crate) may_touch: bool,
    /// What friction held when the internal step began.
    pub(crate) grasps: Vec<Grasp>,
    /// What contacts did at the last evaluation.
    pub(crate) pressed: Vec<ContactState>,
    /// How fast the stiffest contact that presses swings [rad/s].
    swing: f64,
    /// In what time the next points that approach fast will touch [s].
    pub(crate) soonest: f64,
    /// Pairs that overlapped and approached fast when the internal step began: impulses did not part them.
    pub(crate) left: Vec<[Part; 2]>,
    /// Impulses of the frame, in place of forces [N·s].
    pub(crate) struck: Vec<ContactState>,
    /// How often in the frame an impact was found or impulses were given.
    pub(crate) impacts: usize,
    /// By body: what its points could do along their normals and across, Σ k w and Σ d w each [1/s², 1/s].
    pub(crate) rates: Vec<[f64; 4]>,
    /// Forces that are only looked at.
    aside: Wrenches,
    /// The contacts of the frame with its impulses as forces, for events.
    pub(crate) noted: Vec<ContactState>,
}

/// Finds contacts at a state and recalls what friction holds: to be called before anything is evaluated.
/// Nothing to do for `spook`, whose contacts are rows.
pub(crate) fn begin(model: &Model, state: &State, s: &mut Scratch) {
    if model.settings.stepper == Stepper::Spook {
        return;
    }
    s.touching.may_touch = model.bodies.iter().any(|(_, b)| !b.colliders.is_empty());
    s.touching.struck.clear();
    (s.touching.impacts, s.touching.soonest) = (0, f64::INFINITY);
    hook::contacts(model, state, s);
    let Scratch { touching: t, contacts, .. } = s;
    grasp(model, state, contacts, &state.contacts, &mut t.grasps);
    look(model, state, s);
    foresee(model, state, s);
}

/// What contacts do at a state, whose contacts are found.
fn look(model: &Model, state: &State, s: &mut Scratch) {
    let Scratch { touching: t, contacts, .. } = s;
    t.aside.0.clear();
    t.aside.0.resize(state.bodies.len(), Wrench::default());
    t.swing = penalty::press(model, state, contacts, &t.grasps, &mut t.aside, &mut t.pressed);
}

/// The shortest internal step while contacts press as they do [s]. Points come and go as bodies tilt, and
/// each time forces jump: to look for the instant of each would stop the clock.
pub(crate) fn shortest(s: &Scratch, asked: f64) -> f64 {
    if s.touching.swing > 0.0 { asked.max(SHARE / s.touching.swing) } else { asked }
}

/// Adds the forces of contacts to the explicit ones of an evaluation.
pub(crate) fn push(model: &Model, state: &State, s: &mut Scratch) {
    if s.touching.may_touch {
        hook::contacts(model, state, s);
        let Scratch { touching: t, contacts, free, .. } = s;
        penalty::press(model, state, contacts, &t.grasps, &mut free.wrenches, &mut t.pressed);
    }
}

/// After an internal step: what friction holds now, then impulses. Returns whether any was given.
pub(crate) fn arrive(model: &Model, state: &mut State, s: &mut Scratch) -> bool {
    if !s.touching.may_touch {
        return false;
    }
    hook::contacts(model, state, s);
    look(model, state, s);
    let Scratch { touching: t, contacts, .. } = s;
    grasp(model, state, contacts, &t.pressed, &mut t.grasps);
    let struck = strike::strike(model, state, s);
    if struck {
        look(model, state, s);
    }
    foresee(model, state, s);
    struck
}

/// When the next touch comes, and what approaches in spite of impulses.
fn foresee(model: &Model, state: &State, s: &mut Scratch) {
    s.touching.soonest = impact::soonest(model, state, &s.contacts);
    impact::left(model, state, &s.contacts, &mut s.touching.left);
}

/// What the next frame recalls, into `s.next_contacts`, and what events are made of, into `noted`.
pub(crate) fn finish(dt: f64, s: &mut Scratch) {
    let Scratch { touching: t, contacts, next_contacts: kept, .. } = s;
    kept.clear();
    t.noted.clear();
    let mut struck = t.struck.iter().map(|c| ContactState { force: c.force / dt, ..*c }).peekable();
    for point in &t.pressed {
        // what was struck and no longer presses is recalled as open
        while let Some(left) = struck.next_if(|c| c.key() < point.key()) {
            kept.push(left);
            t.noted.push(left);
        }
        let blow = struck.next_if(|c| c.key() == point.key()).map(|c| c.force);
        kept.push(*point);
        t.noted.push(ContactState { force: point.force + blow.unwrap_or_default(), ..*point });
    }
    for left in struck {
        kept.push(left);
        t.noted.push(left);
    }
    for parts in &contacts.triggers {
        let overlap = ContactState { parts: *parts, feature: u32::MAX, ..ContactState::default() };
        kept.push(overlap);
        t.noted.push(overlap);
    }
    kept.sort_unstable_by_key(ContactState::key);
    t.noted.sort_unstable_by_key(ContactState::key);
}
