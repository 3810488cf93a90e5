//! Edits of bodies.

use super::check::{check_body, sound, there, unit_orientation};
use super::{Edit, EditError, force, gone, joint};
use crate::body::{Body, BodyState};
use crate::joint::Joint;
use crate::model::Model;
use crate::model::state::{ContactState, State};
use crate::slots::BodyId;
use glam::{DQuat, DVec3};

/// Change of a dynamic body's velocity by gravity during the lag of velocities: the present velocity less
/// this is the lagging one.
fn fall(model: &Model, state: &State, body: &Body) -> DVec3 {
    if body.gravity && body.is_dynamic() { model.settings.gravity * state.velocity_lag } else { DVec3::ZERO }
}

pub(super) fn add(
    model: &mut Model,
    state: &mut State,
    body: Body,
    at: DVec3,
    orientation: DQuat,
) -> Result<Edit, EditError> {
    check_body(&body)?;
    sound(&format!("the position of body \"{}\"", body.name), &at.to_array())?;
    let orientation = unit_orientation(&format!("the orientation of body \"{}\"", body.name), orientation)?;
    let mut start = BodyState::at(at + orientation * body.mass.center, orientation);
    start.velocity = -fall(model, state, &body);
    let id = model.bodies.insert(body);
    state.bodies.resize(model.bodies.places(), BodyState::default());
    state.bodies[id.index()] = start;
    model.prescribe_one(id.index(), state);
    Ok(Edit::RemoveBody(id))
}

pub(super) fn remove(model: &mut Model, state: &mut State, id: BodyId) -> Result<Edit, EditError> {
    model.bodies.get(id).ok_or_else(|| gone("body", id))?;
    let mut undo = Vec::new();
    // forces and joints first: those attached to a body are removed with it
    let forces: Vec<_> = model.forces.iter().filter(|(_, f)| f.law().bodies().contains(&id)).collect();
    let forces: Vec<_> = forces.iter().filter_map(|(i, _)| model.forces.id(*i)).collect();
    let grips = |j: &Joint| j.constraint().anchors().iter().any(|a| a.body == id);
    let joints: Vec<_> =
        model.joints.iter().filter(|(_, j)| grips(j)).filter_map(|(i, _)| model.joints.id(i)).collect();
    for id in forces {
        undo.push(force::remove(model, id)?);
    }
    for id in joints {
        undo.push(joint::remove(model, state, id)?);
    }
    let let_go = model.subsystems.body_removed(id, &mut state.parts);
    undo.extend(let_go.into_iter().map(Edit::Subsystem));
    let body = model.bodies.remove(id).ok_or_else(|| gone("body", id))?;
    let kept = std::mem::take(&mut state.bodies[id.index()]);
    let touches = |c: &mut ContactState| c.parts.iter().any(|p| p.body as usize == id.index());
    let contacts = state.contacts.extract_if(.., touches).collect();
    undo.push(Edit::RestoreBody(id, Box::new((body, kept, contacts))));
    undo.reverse();
    Ok(if undo.len() == 1 { undo.remove(0) } else { Edit::All(undo) })
}

pub(super) fn restore(
    model: &mut Model,
    state: &mut State,
    id: BodyId,
    kept: (Body, BodyState, Vec<ContactState>),
) -> Result<Edit, EditError> {
    if !model.bodies.restore(id, kept.0) {
        return Err(EditError::Taken { id: format!("body {id:?}") });
    }
    state.bodies[id.index()] = kept.1;
    state.contacts.extend(kept.2);
    state.contacts.sort_by_key(ContactState::key);
    Ok(Edit::RemoveBody(id))
}

pub(super) fn set(model: &mut Model, state: &mut State, id: BodyId, body: Body) -> Result<Edit, EditError> {
    check_body(&body)?;
    let slot = model.bodies.get_mut(id).ok_or_else(|| gone("body", id))?;
    let before = state.bodies[id.index()];
    let old = std::mem::replace(slot, body);
    // the frame keeps its pose and velocity, and with it all anchors; the centre of mass moves in it
    let s = &mut state.bodies[id.index()];
    let moved = s.orientation * (slot.mass.center - old.mass.center);
    s.position += moved;
    s.velocity += s.angular_velocity.cross(moved);
    let back = Edit::RestoreState(id, Box::new(before));
    Ok(Edit::All(vec![Edit::SetBody(id, Box::new(old)), back]))
}

pub(super) fn set_pose(
    model: &mut Model,
    state: &mut State,
    id: BodyId,
    at: DVec3,
    orientation: DQuat,
) -> Result<Edit, EditError> {
    there(model, state, id)?;
    let body = model.bodies.get(id).ok_or_else(|| gone("body", id))?;
    sound(&format!("the position of body \"{}\"", body.name), &at.to_array())?;
    let orientation = unit_orientation(&format!("the orientation of body \"{}\"", body.name), orientation)?;
    let s = &mut state.bodies[id.index()];
    let old = *s;
    (s.position, s.orientation) = (at + orientation * body.mass.center, orientation);
    Ok(Edit::RestoreState(id, Box::new(old)))
}

pub(super) fn set_velocity(
    model: &mut Model,
    state: &mut State,
    id: BodyId,
    velocity: DVec3,
    spin: DVec3,
) -> Result<Edit, EditError> {
    there(model, state, id)?;
    let body = model.bodies.get(id).ok_or_else(|| gone("body", id))?;
    if !body.is_dynamic() {
        return Err(EditError::NotFree { name: body.name.clone() });
    }
    sound(&format!("the velocity of body \"{}\"", body.name), &velocity.to_array())?;
    sound(&format!("the angular velocity of body \"{}\"", body.name), &spin.to_array())?;
    let fallen = fall(model, state, body);
    let s = &mut state.bodies[id.index()];
    let old = *s;
    (s.velocity, s.angular_velocity) = (velocity - fallen, spin);
    Ok(Edit::RestoreState(id, Box::new(old)))
}

pub(super) fn restore_state(
    model: &mut Model,
    state: &mut State,
    id: BodyId,
    old: BodyState,
) -> Result<Edit, EditError> {
    model.bodies.get(id).ok_or_else(|| gone("body", id))?;
    let now = std::mem::replace(&mut state.bodies[id.index()], old);
    Ok(Edit::RestoreState(id, Box::new(now)))
}
