//! Contacts under the steppers that integrate accelerations: what is found at the ends of internal steps, and
//! what the next frame recalls of it.
//!
//! ```text
//! begin    collide; what friction holds, from State
//! push     in every evaluation: collide, penalty forces
//! arrive   after every internal step: collide, forces, what friction holds now; then impulses
//! finish   after the frame: contacts for State, impulses for events
//! ```

use super::friction::{StickPoint, grasp};
use super::time_of_impact::{IMPACTS, NEAR, ROUNDS, aim, deepest};
use super::{impulses, time_of_impact};
use crate::body::collider::ColliderRef;
use crate::body::twist::Wrench;
use crate::contact::Contacts;
use crate::integrate::penalty;
use crate::load::Loads;
use crate::model::Model;
use crate::model::state::{ContactState, State};
use crate::settings::{ImpactLaw, Integrator};
use crate::stages::Stages;

/// The shortest internal step while contacts press, in the time in which the stiffest swings by one radian.
const SHARE: f64 = 0.05;

/// What lies between the internal steps of a frame; rebuilt from State when one begins.
#[derive(Debug, Default)]
pub struct ContactLoop {
    /// Whether anything can be touched at all.
    pub(crate) may_touch: bool,
    /// What friction held when the internal step began.
    pub(crate) grasps: Vec<StickPoint>,
    /// What contacts did at the last evaluation.
    pub(crate) pressed: Vec<ContactState>,
    /// How fast the stiffest contact that presses swings [rad/s].
    swing: f64,
    /// In what time the next points that approach fast will touch [s].
    pub(crate) soonest: f64,
    /// Pairs that overlapped and approached fast when the internal step began: impulses did not part them.
    pub(crate) left: Vec<[ColliderRef; 2]>,
    /// Impulses of the frame, in place of forces [N·s].
    pub(crate) struck: Vec<ContactState>,
    /// How often in the frame an impact was found or impulses were given.
    pub(crate) impacts: usize,
    /// By body: what its points could do along their normals and across, Σ k w and Σ d w each [1/s², 1/s].
    pub(crate) rates: Vec<[f64; 4]>,
    /// Forces that are only looked at.
    aside: Loads,
    /// The contacts of the frame with its impulses as forces, for events.
    pub(crate) noted: Vec<ContactState>,
}

impl ContactLoop {
    /// Finds contacts at a state and recalls what friction holds: to be called before anything is evaluated. Under `spook`
    /// contacts are rows, and nothing is to be done.
    pub(crate) fn begin(&mut self, model: &Model, state: &State, s: &mut Stages) {
        if model.settings.integrator == Integrator::Spook {
            self.may_touch = false;
            return;
        }
        self.may_touch = model.bodies.iter().any(|(_, b)| !b.colliders.is_empty());
        self.struck.clear();
        (self.impacts, self.soonest) = (0, f64::INFINITY);
        s.collide(model, state);
        grasp(model, state, &s.contacts, &state.contacts, &mut self.grasps);
        self.look(model, state, &s.contacts);
        self.foresee(model, state, &s.contacts);
    }

    /// What contacts do at a state, whose contacts are found.
    fn look(&mut self, model: &Model, state: &State, contacts: &Contacts) {
        self.aside.0.clear();
        self.aside.0.resize(state.bodies.len(), Wrench::default());
        self.swing = penalty::press(model, state, contacts, &self.grasps, &mut self.aside, &mut self.pressed);
    }

    /// The shortest internal step while contacts press as they do [s]. Points come and go as bodies tilt, and each time forces
    /// jump: to look for the instant of each would stop the clock.
    pub(crate) fn shortest(&self, asked: f64) -> f64 {
        if self.swing > 0.0 { asked.max(SHARE / self.swing) } else { asked }
    }

    /// In what time the next points that approach fast will touch [s].
    pub(crate) fn soonest(&self) -> f64 {
        self.soonest
    }

    /// The fastest rate of contacts within a time [1/s] (`penalty::quickest`).
    pub(crate) fn quickest(&mut self, model: &Model, state: &State, within: f64, s: &mut Stages) -> f64 {
        s.loads(model, state);
        penalty::quickest(model, state, within, (&s.contacts, &s.free), &mut self.rates)
    }

    /// Adds the forces of contacts to the explicit ones of an evaluation.
    pub(crate) fn push(&mut self, model: &Model, state: &State, s: &mut Stages) {
        if self.may_touch {
            s.collide(model, state);
            let (contacts, out) = (&s.contacts, &mut s.free.wrenches);
            penalty::press(model, state, contacts, &self.grasps, out, &mut self.pressed);
        }
    }

    /// After an internal step: what friction holds now, then impulses. Returns whether any was given.
    pub(crate) fn arrive(&mut self, model: &Model, state: &mut State, s: &mut Stages) -> bool {
        if !self.may_touch {
            return false;
        }
        s.collide(model, state);
        self.look(model, state, &s.contacts);
        grasp(model, state, &s.contacts, &self.pressed, &mut self.grasps);
        let struck = impulses::strike(model, state, s, (&mut self.impacts, &mut self.struck));
        if struck {
            self.look(model, state, &s.contacts);
        }
        self.foresee(model, state, &s.contacts);
        struck
    }

    /// When the next touch comes, and what approaches in spite of impulses.
    fn foresee(&mut self, model: &Model, state: &State, contacts: &Contacts) {
        self.soonest = time_of_impact::soonest(model, state, contacts);
        time_of_impact::left(model, state, contacts, &mut self.left);
    }

    /// After what part of an internal step that ends with `next` the first impact falls, if it falls well before its end. `pose`
    /// writes the state after a part of it into `probe`.
    pub(crate) fn first_impact(
        &mut self,
        model: &Model,
        (next, probe): (&State, &mut State),
        s: &mut Stages,
        pose: impl Fn(f64, &mut State),
    ) -> Option<f64> {
        let by_impulse = model.settings.contact.aero.collision == ImpactLaw::Impulse;
        if !by_impulse || self.impacts >= IMPACTS || !self.may_touch {
            return None;
        }
        let left = &self.left;
        let mut gap_at = |state: &State| {
            s.collide(model, state);
            deepest(model, state, &s.contacts, left)
        };
        let (mut from, mut to) = ((0.0, f64::INFINITY), (1.0, gap_at(next)));
        for _ in 0..ROUNDS {
            if to.1 >= -NEAR {
                break;
            }
            let part = aim(from, to);
            pose(part, probe);
            let gap = gap_at(probe);
            *(if gap < 0.0 { &mut to } else { &mut from }) = (part, gap);
        }
        self.impacts += usize::from(to.0 < 1.0);
        (to.0 < 1.0).then_some(to.0)
    }

    /// What the next frame recalls, into `kept`, and what events are made of, into `noted`.
    pub(crate) fn finish(&mut self, dt: f64, contacts: &Contacts, kept: &mut Vec<ContactState>) {
        kept.clear();
        self.noted.clear();
        let mut struck = self.struck.iter().map(|c| ContactState { force: c.force / dt, ..*c }).peekable();
        for point in &self.pressed {
            // what was struck and no longer presses is recalled as open
            while let Some(left) = struck.next_if(|c| c.key() < point.key()) {
                kept.push(left);
                self.noted.push(left);
            }
            let blow = struck.next_if(|c| c.key() == point.key()).map(|c| c.force);
            kept.push(*point);
            self.noted.push(ContactState { force: point.force + blow.unwrap_or_default(), ..*point });
        }
        for left in struck {
            kept.push(left);
            self.noted.push(left);
        }
        for parts in &contacts.triggers {
            let overlap = ContactState { parts: *parts, feature: u32::MAX, ..ContactState::default() };
            kept.push(overlap);
            self.noted.push(overlap);
        }
        kept.sort_unstable_by_key(ContactState::key);
        self.noted.sort_unstable_by_key(ContactState::key);
    }
}
