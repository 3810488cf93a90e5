//! Joints and contacts → rows: every constraint writes its scalar equations at the present poses.
//!
//! Reads Model, State and Contacts, writes Rows: those of joints in the order of their places, then those of contacts.
//! Which rows a joint writes depends on the model alone (not on poses), and on whether its bodies are there; so without contacts
//! topology is constant between edits, breaks and changes of a cable's resolution.

pub mod contact;
pub mod inputs;

use crate::body::frame::Anchor;
use crate::model::Model;
use crate::model::state::State;
use crate::row::RowSource;
use crate::row::rows::Rows;

/// Writes the rows of all joints.
pub fn constrain(model: &Model, state: &State, out: &mut Rows) {
    out.clear();
    out.revision = model.revision;
    // taken out while constraints read frames and write rows
    let mut frames = std::mem::take(&mut out.frames);
    for (place, joint) in model.joints.iter() {
        let memory = &state.joints[place];
        let constraint = joint.constraint();
        let absent = |a: &Anchor| state.bodies[a.body.index()].inactive;
        let moved = model.moved_grips(state, place, joint);
        let anchors = moved.as_deref().unwrap_or(constraint.anchors());
        if memory.broken || anchors.iter().any(absent) {
            continue;
        }
        let start = frames.len();
        frames.extend(anchors.iter().map(|a| model.frame(state, a)));
        let view = memory.view(&frames[start..], state.time);
        out.open(RowSource::Joint(place as u32), joint.softness, start..frames.len());
        constraint.rows(&view, out);
        out.close();
    }
    out.frames = frames;
}
