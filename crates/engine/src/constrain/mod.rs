//! Joints and contacts → rows: every constraint writes its scalar equations at the present poses.
//!
//! Reads Model, State and Contacts, writes Rows: those of joints in the order of their places, then those of contacts.
//! Which rows a joint writes depends on the model alone (not on poses), and on whether its bodies are there; so without contacts
//! topology is constant between edits, breaks and changes of a cable's resolution.

pub mod axis;
pub mod command;
pub mod contact;
pub mod joint;
pub(crate) mod parts;
pub mod path;
pub mod rows;

use crate::world::frame::{Anchor, Frame};
use crate::world::model::Model;
use crate::world::state::State;
use axis::Axis;
use rows::{Owner, Rows};
use std::f64::consts::TAU;

/// Something that must hold between bodies.
///
/// Plain data and a pure function: no multipliers, no pointers to bodies, no step length.
/// Implement it to add a constraint of your own (`examples/extend.rs`).
pub trait Constraint: std::fmt::Debug + Send + Sync {
    /// Where it grips bodies.
    fn anchors(&self) -> &[Anchor];

    /// Appends its scalar equations, linearised at the anchors' present frames. The number of rows and the
    /// bodies in them must not depend on the poses.
    fn rows(&self, sight: &Sight<'_>, out: &mut Rows);

    /// What acts along its coordinates, in the order in which `rows` tells them.
    fn axes(&self) -> &[Axis] {
        &[]
    }

    /// Changes what it remembers of what was done to it, after a step that left its rows with forces.
    fn remember(&self, _sight: &Sight<'_>, _forces: &[f64], _history: &mut Vec<f64>) {}

    /// Whether it may set resting bodies in motion by itself.
    fn is_restless(&self) -> bool {
        self.axes().iter().any(Axis::is_restless)
    }
}

/// What a constraint sees.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// Its anchors in the world, in order.
    pub frames: &'a [Frame],
    /// Its coordinates at the last step; empty at the first.
    pub last: &'a [f64],
    /// What it remembers of what was done to it; empty at first.
    pub history: &'a [f64],
    /// Time [s].
    pub time: f64,
}

impl Sight<'_> {
    /// The value of angle number k that is nearest to its last one: turns are counted.
    pub fn unwound(&self, k: usize, angle: f64) -> f64 {
        angle + TAU * self.turns(k, angle)
    }

    /// How many whole turns that is.
    pub fn turns(&self, k: usize, angle: f64) -> f64 {
        self.last.get(k).map_or(0.0, |last| ((last - angle) / TAU).round())
    }
}

/// Writes the rows of all joints.
pub fn constrain(model: &Model, state: &State, out: &mut Rows) {
    out.clear();
    out.revision = model.revision;
    // taken out while constraints read frames and write rows
    let mut frames = std::mem::take(&mut out.frames);
    for (place, joint) in model.joints.iter() {
        let memory = &state.joints[place];
        let constraint = joint.constraint();
        let absent = |a: &Anchor| state.bodies[a.body.index()].absent;
        let moved = model.moved_grips(state, place, joint);
        let anchors = moved.as_deref().unwrap_or(constraint.anchors());
        if memory.broken || anchors.iter().any(absent) {
            continue;
        }
        let start = frames.len();
        frames.extend(anchors.iter().map(|a| model.frame(state, a)));
        let sight = memory.sight(&frames[start..], state.time);
        out.open(Owner::Joint(place as u32), joint.softness, start..frames.len());
        constraint.rows(&sight, out);
        out.close();
    }
    out.frames = frames;
}
