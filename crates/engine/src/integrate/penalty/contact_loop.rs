//! Contacts under the acceleration-level integrators: contacts at the ends of internal steps, and
//! the memory of them for the next frame.
//!
//! ```text
//! begin    collide; friction forces held, from State
//! push     in every evaluation: collide, penalty forces
//! arrive   after every internal step: collide, forces, friction forces held; then impulses
//! finish   after the frame: contacts for State, impulses for events
//! ```

use super::friction::{StickPoint, grasp};
use super::time_of_impact::{IMPACTS, NEAR, ROUNDS, aim, deepest};
use super::{Pressed, impulses, time_of_impact};
use crate::body::collider::ColliderRef;
use crate::body::twist::Wrench;
use crate::contact::Contacts;
use crate::integrate::penalty;
use crate::load::Loads;
use crate::model::Model;
use crate::model::state::{ContactState, State};
use crate::settings::{ImpactLaw, Integrator};
use crate::stages::Stages;

/// The shortest internal step while contacts are loaded, relative to 1/ω of the stiffest.
const SHARE: f64 = 0.05;

/// Data carried between the internal steps of a frame; rebuilt from State when one begins.
#[derive(Debug, Default)]
pub struct ContactLoop {
    /// Whether anything can collide at all.
    pub(crate) may_touch: bool,
    /// Friction held at the start of the internal step.
    pub(crate) grasps: Vec<StickPoint>,
    /// Contact forces at the last evaluation.
    pub(crate) pressed: Vec<ContactState>,
    /// What the loaded contacts demand of the step.
    demand: Pressed,
    /// Time to the next fast contact [s].
    pub(crate) soonest: f64,
    /// Pairs that penetrated and approached fast at the start of the internal step: impulses did not separate them.
    pub(crate) left: Vec<[ColliderRef; 2]>,
    /// Impulses of the frame, in place of forces [N·s].
    pub(crate) struck: Vec<ContactState>,
    /// Number of impacts found or impulses applied in the frame.
    pub(crate) impacts: usize,
    /// By body: rates of its points along their normals and tangents, Σ k w and Σ d w each [1/s², 1/s].
    pub(crate) rates: Vec<[f64; 4]>,
    /// Forces that are evaluated but not applied.
    aside: Loads,
    /// The contacts of the frame with its impulses as forces, for events.
    pub(crate) noted: Vec<ContactState>,
}

impl ContactLoop {
    /// Finds contacts at a state and restores the friction held; to be called before any evaluation. Under `spook`
    /// contacts are rows, and this does nothing.
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

    /// Evaluates contacts already found at a state.
    fn look(&mut self, model: &Model, state: &State, contacts: &Contacts) {
        self.aside.sums.clear();
        self.aside.sums.resize(state.bodies.len(), Wrench::default());
        self.demand =
            penalty::press(model, state, contacts, &self.grasps, &mut self.aside, &mut self.pressed);
    }

    /// The shortest internal step under the present contact loads [s]. Contact points appear and disappear as bodies
    /// tilt, and each time forces jump: locating the instant of each would stall the simulation.
    pub(crate) fn shortest(&self, asked: f64) -> f64 {
        if self.demand.swing > 0.0 { asked.max(SHARE / self.demand.swing) } else { asked }
    }

    /// Whether a contact carries more than its law is made for: it then yields more than it should.
    pub(crate) fn is_overloaded(&self) -> bool {
        self.demand.is_overloaded
    }

    /// Time to the next fast contact [s].
    pub(crate) fn soonest(&self) -> f64 {
        self.soonest
    }

    /// The fastest rate of contacts within a time [1/s] (`penalty::quickest`).
    pub(crate) fn quickest(&mut self, model: &Model, state: &State, within: f64, s: &mut Stages) -> f64 {
        s.loads(model, state);
        penalty::quickest(model, state, within, (&s.contacts, &s.free), &mut self.rates)
    }

    /// Adds the contact forces to the explicit ones of an evaluation.
    pub(crate) fn push(&mut self, model: &Model, state: &State, s: &mut Stages) {
        if self.may_touch {
            s.collide(model, state);
            let (contacts, out) = (&s.contacts, &mut s.free.wrenches);
            penalty::press(model, state, contacts, &self.grasps, out, &mut self.pressed);
        }
    }

    /// After an internal step: updates the friction held, then applies impulses. Returns whether any was applied.
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

    /// Estimates the time to the next contact, and finds pairs that approach in spite of impulses.
    fn foresee(&mut self, model: &Model, state: &State, contacts: &Contacts) {
        self.soonest = time_of_impact::soonest(model, state, contacts);
        time_of_impact::left(model, state, contacts, &mut self.left);
    }

    /// Fraction of an internal step that ends with `next` at which the first impact occurs, if well before its end.
    /// `pose` writes the state after a fraction of it to `probe`.
    pub(crate) fn first_impact(
        &mut self,
        model: &Model,
        (next, probe): (&State, &mut State),
        s: &mut Stages,
        pose: impl Fn(f64, &mut State),
    ) -> Option<f64> {
        let by_impulse = model.settings.contact.penalty.collision == ImpactLaw::Impulse;
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

    /// Memory for the next frame, into `kept`, and data for events, into `noted`.
    pub(crate) fn finish(&mut self, dt: f64, contacts: &Contacts, kept: &mut Vec<ContactState>) {
        kept.clear();
        self.noted.clear();
        let mut struck = self.struck.iter().map(|c| ContactState { force: c.force / dt, ..*c }).peekable();
        for point in &self.pressed {
            // a point with an impulse that is no longer loaded is remembered as open
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
