//! Rows of joints and contacts: every constraint writes its scalar equations at the present poses.
//!
//! Reads Model, State and Contacts, writes Rows: those of joints in order of their indices, under `spook` the dampers
//! of forces in order of theirs, then those of contacts. Which rows a joint writes depends on the model alone (not on
//! poses), and on whether its bodies are present. So without contacts the topology is constant between edits, breaks
//! and changes of a cable's resolution.

pub mod contact;
pub mod inputs;

use crate::body::frame::Anchor;
use crate::body::twist::Twist;
use crate::joint::axis::Axis;
use crate::model::Model;
use crate::model::state::State;
use crate::row::rows::Rows;
use crate::row::{Compliance, Form, Role, Row, RowSource, SLOWEST, Spring, rate};
use crate::settings::Integrator;

/// Writes the rows of all joints, and under `spook` those of the dampers of forces.
pub fn constrain(model: &Model, state: &State, out: &mut Rows) {
    out.clear();
    out.revision = model.revision;
    // moved out while constraints read frames and write rows
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
        out.open(RowSource::Joint(place as u32), joint.compliance, start..frames.len());
        constraint.rows(&view, out);
        damp(constraint.axes(), (model, state), out);
        out.close();
    }
    out.frames = frames;
    if model.settings.integrator == Integrator::Spook {
        dampers(model, state, out);
    }
}

/// Writes the rows of the dampers of forces; forces without dampers have no group.
fn dampers(model: &Model, state: &State, out: &mut Rows) {
    let bodies = model.bodies_at(state);
    for (place, force) in model.forces.iter() {
        let (rows, frames) = (out.rows.len(), out.frames.len());
        out.open(RowSource::Force(place as u32), Compliance::default(), frames..frames);
        force.law().dampers(&bodies, out);
        out.close();
        if out.rows.len() == rows {
            out.groups.pop();
        }
    }
}

/// The velocities of a body at the instant to which State refers, as `FreeMotion::before` to first order in the lag:
/// its angular velocity changes by −I⁻¹ (ω × L) as it rotates.
fn before(model: &Model, state: &State, place: usize) -> Twist {
    let (b, twist) = (&state.bodies[place], state.twist(place));
    let Some(body) = model.bodies.at(place).filter(|body| body.is_dynamic()) else { return twist };
    // in the body's axes
    let spin = b.orientation.inverse() * b.angular_velocity;
    let turned = body.mass.inertia.inverse() * spin.cross(body.mass.inertia * spin);
    Twist { angular_velocity: b.angular_velocity + b.orientation * turned * state.velocity_lag, ..twist }
}

/// Nonlinear damping is a row of its own, linearised over a step: c = c₂ |q̇| + D(q̇)/q̇ at the initial rate. For c₂ the
/// implicit form is the closed-form solution for a body on which no other force acts, 1/q̇⁺ = 1/q̇ + κ c₂/m.
fn damp(axes: &[Axis], (model, state): (&Model, &State), out: &mut Rows) {
    for (k, axis) in axes.iter().enumerate() {
        let Some(curve) = axis.curve.as_ref().filter(|curve| curve.has_damper()) else { continue };
        let (_, coordinates) = out.written();
        let blocks = out.rates[coordinates.start + k];
        let damping = curve.damping_at(rate(&blocks, |place| before(model, state, place)), SLOWEST);
        let spring = Spring { stiffness: 0.0, damping, form: Form::Implicit };
        let row = Row::hold(out.coordinates[coordinates.start + k]).with_spring(&spring);
        out.push(Row { role: Role::Resist(k as u8), ..row }, &blocks);
    }
}
