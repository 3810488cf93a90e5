//! Loads: forces on bodies. A force law reads poses and velocities and adds wrenches.
//!
//! Under `spook` velocities trail positions by half a step, so that an explicit force computed from them is of first
//! order only. Laws that resist motion therefore write rows: a damper on velocities before and after the step, of
//! second order and unconditionally stable.

mod applied;
mod drag;
mod spring;
mod term;

pub use applied::{Applied, Direction};
pub use drag::Drag;
pub use spring::ForceSpring;
pub use term::{AddedMass, BodyTerm, SolvedTerm};

use crate::body::frame::{Anchor, Frame};
use crate::body::twist::Wrench;
use crate::body::{Body, BodyState, frame_of};
use crate::row::rows::Rows;
use crate::slots::{BodyId, Slots, tag};
use glam::DVec3;
use std::sync::Arc;

/// The bodies, as input of force laws.
#[derive(Clone, Copy, Debug)]
pub struct Bodies<'a> {
    /// The bodies of the model.
    pub list: &'a Slots<Body, tag::Body>,
    /// Their poses and velocities.
    pub states: &'a [BodyState],
    /// Time [s].
    pub time: f64,
}

impl Bodies<'_> {
    /// An anchor in world coordinates.
    pub fn frame(&self, anchor: &Anchor) -> Frame {
        frame_of(self.list, self.states, anchor, 0.0)
    }

    /// Pose and velocity of a body.
    pub fn body(&self, body: BodyId) -> &BodyState {
        &self.states[body.index()]
    }

    /// Velocity of the material point of the body at a frame's origin [m/s].
    pub fn velocity(&self, frame: &Frame) -> DVec3 {
        let body = &self.states[frame.body as usize];
        body.velocity + body.angular_velocity.cross(frame.at - body.position)
    }
}

/// Accumulates forces on bodies, and terms of their equations that depend on the result of the step.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    /// By index.
    pub(crate) sums: Vec<Wrench>,
    /// In the order of the bodies, one per body at most.
    pub(crate) terms: Vec<BodyTerm>,
    /// The part of the sums that is due to subsystems, by index; empty without them.
    pub(crate) of_subsystems: Vec<Wrench>,
}

impl Loads {
    /// Removes all, and makes room for so many bodies.
    pub fn clear(&mut self, bodies: usize) {
        self.terms.clear();
        self.of_subsystems.clear();
        self.sums.clear();
        self.sums.resize(bodies, Wrench::default());
    }

    /// Adds a force at a frame's origin.
    pub fn push(&mut self, frame: &Frame, force: DVec3) {
        let sum = &mut self.sums[frame.body as usize];
        sum.force += force;
        sum.torque += (frame.at - frame.center).cross(force);
    }

    /// Adds a torque on a body.
    pub fn spin(&mut self, body: BodyId, torque: DVec3) {
        if let Some(sum) = self.sums.get_mut(body.index()) {
            sum.torque += torque;
        }
    }

    /// Adds a force at the centre of mass.
    pub fn pull(&mut self, body: BodyId, force: DVec3) {
        if let Some(sum) = self.sums.get_mut(body.index()) {
            sum.force += force;
        }
    }

    /// Adds a force at the centre of mass and a torque to a body, by index.
    pub fn add(&mut self, place: usize, wrench: Wrench) {
        if let Some(sum) = self.sums.get_mut(place) {
            sum.force += wrench.force;
            sum.torque += wrench.torque;
        }
    }

    /// Adds a term to the equations of a body.
    #[inline]
    pub fn term(&mut self, term: BodyTerm) {
        if term.place >= self.sums.len() {
            return;
        }
        // most come in the order of the bodies
        if self.terms.last().is_none_or(|last| last.place < term.place) {
            self.terms.push(term);
            return;
        }
        match self.terms.binary_search_by_key(&term.place, |t| t.place) {
            Ok(at) => self.terms[at].add(&term),
            Err(at) => self.terms.insert(at, term),
        }
    }

    /// Starts to record what subsystems add.
    pub(crate) fn begin_subsystems(&mut self) {
        self.of_subsystems.clone_from(&self.sums);
    }

    /// Records what they have added.
    pub(crate) fn end_subsystems(&mut self) {
        for (part, sum) in self.of_subsystems.iter_mut().zip(&self.sums) {
            *part = Wrench { force: sum.force - part.force, torque: sum.torque - part.torque };
        }
    }

    /// The sum on each body, by index.
    pub fn all(&self) -> &[Wrench] {
        &self.sums
    }
}

/// A force law. Implement it to add your own.
pub trait ForceLaw: std::fmt::Debug + Send + Sync {
    /// Adds its forces at the given state.
    fn apply(&self, bodies: &Bodies<'_>, out: &mut Loads);

    /// Adds the forces that stay explicit under `spook`: all that `dampers` does not write.
    fn explicit(&self, bodies: &Bodies<'_>, out: &mut Loads) {
        self.apply(bodies, out);
    }

    /// Writes its dampers as rows, which `spook` solves with those of joints. The number of rows may depend on
    /// parameters, but not on poses and velocities; each must be soft and unbounded.
    fn dampers(&self, _bodies: &Bodies<'_>, _out: &mut Rows) {}

    /// Writes rows with the springs and dampers to which it is equivalent for small motions about a state. They tell
    /// explicit integrators how short a step must be, and apply no force.
    fn tangent(&self, bodies: &Bodies<'_>, out: &mut Rows) {
        self.dampers(bodies, out);
    }

    /// Its potential energy [J], if it has one.
    fn potential(&self, _bodies: &Bodies<'_>) -> f64 {
        0.0
    }

    /// Adds the forces that derive from its potential. The rest is external work.
    fn conservative(&self, _bodies: &Bodies<'_>, _out: &mut Loads) {}

    /// The bodies it reads or loads: it is removed with any of them.
    fn bodies(&self) -> Vec<BodyId>;

    /// Describes an invalid parameter, if any; called when the force is added.
    fn problem(&self) -> Option<String> {
        None
    }
}

/// A force of the model.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each variant is documented at its type")]
pub enum Force {
    Applied(Applied),
    Spring(ForceSpring),
    Drag(Drag),
    /// A user-defined force from outside the crate.
    Custom(Arc<dyn ForceLaw>),
}

impl Force {
    /// The law of its type; the only `match` over types.
    pub fn law(&self) -> &dyn ForceLaw {
        match self {
            Force::Applied(f) => f,
            Force::Spring(f) => f,
            Force::Drag(f) => f,
            Force::Custom(f) => f.as_ref(),
        }
    }
}

/// Reports a number that is not finite.
fn not_finite(what: &str, values: &[f64]) -> Option<String> {
    let bad = values.iter().find(|v| !v.is_finite())?;
    Some(format!("{what} is {bad}: give finite numbers"))
}
