//! Edits of joints.

use super::check::{admit, axis_problem, frames, sound, there, unit_orientation};
use super::{Edit, EditError, gone};
use crate::joint::axis::{Axis, Drive};
use crate::joint::{Joint, JointKind};
use crate::model::Model;
use crate::model::state::{JointState, State};
use crate::slots::JointId;
use glam::{DQuat, DVec3};

pub(super) fn add(model: &mut Model, state: &mut State, mut joint: Joint) -> Result<Edit, EditError> {
    joint.constraint().anchors().iter().try_for_each(|a| there(model, state, a.body))?;
    let memory = admit(model, state, &mut joint, &[])?;
    let id = model.joints.insert(joint);
    state.joints.resize(model.joints.places(), JointState::default());
    state.joints[id.index()] = memory;
    Ok(Edit::RemoveJoint(id))
}

pub(super) fn remove(model: &mut Model, state: &mut State, id: JointId) -> Result<Edit, EditError> {
    let joint = model.joints.remove(id).ok_or_else(|| gone("joint", id))?;
    let memory = std::mem::take(&mut state.joints[id.index()]);
    Ok(Edit::RestoreJoint(id, Box::new((joint, memory))))
}

pub(super) fn restore(
    model: &mut Model,
    state: &mut State,
    id: JointId,
    kept: (Joint, JointState),
) -> Result<Edit, EditError> {
    frames(model, state, &kept.0.name, kept.0.constraint().anchors())?;
    if !model.joints.restore(id, kept.0) {
        return Err(EditError::Taken { id: format!("joint {id:?}") });
    }
    state.joints[id.index()] = kept.1;
    Ok(Edit::RemoveJoint(id))
}

pub(super) fn set(
    model: &mut Model,
    state: &mut State,
    id: JointId,
    mut joint: Joint,
) -> Result<Edit, EditError> {
    let known = model.joints.get(id).ok_or_else(|| gone("joint", id))?;
    // turn counts are kept, except those of a rope with another route
    let counted: &[f64] = match (&known.kind, &joint.kind) {
        (JointKind::Rope(old), JointKind::Rope(new)) if !new.counts_as(old) => &[],
        _ => &state.joints[id.index()].coordinates,
    };
    let mut memory = admit(model, state, &mut joint, counted)?;
    // what was wound onto drums stays there
    if let (JointKind::Rope(old), JointKind::Rope(new)) = (&known.kind, &joint.kind)
        && new.is_wound()
        && new.counts_as(old)
    {
        memory.history.clone_from(&state.joints[id.index()].history);
    }
    replace(model, state, id, (joint, memory))
}

pub(super) fn replace(
    model: &mut Model,
    state: &mut State,
    id: JointId,
    kept: (Joint, JointState),
) -> Result<Edit, EditError> {
    frames(model, state, &kept.0.name, kept.0.constraint().anchors())?;
    let slot = model.joints.get_mut(id).ok_or_else(|| gone("joint", id))?;
    let joint = std::mem::replace(slot, kept.0);
    let memory = std::mem::replace(&mut state.joints[id.index()], kept.1);
    Ok(Edit::ReplaceJoint(id, Box::new((joint, memory))))
}

pub(super) fn set_drive(
    model: &mut Model,
    id: JointId,
    coordinate: usize,
    drive: Drive,
) -> Result<Edit, EditError> {
    let joint = model.joints.get_mut(id).ok_or_else(|| gone("joint", id))?;
    let (name, count) = (joint.name.clone(), joint.axes_mut().len());
    let Some(axis) = joint.axes_mut().get_mut(coordinate) else {
        return Err(EditError::Coordinate { name, count, asked: coordinate });
    };
    if let Some(problem) = axis_problem(&Axis::driven(drive.clone())) {
        return Err(EditError::Joint { name, problem });
    }
    let drive = std::mem::replace(&mut axis.drive, drive);
    Ok(Edit::SetDrive { joint: id, coordinate, drive })
}

pub(super) fn move_grab(model: &mut Model, id: JointId, at: DVec3, turn: DQuat) -> Result<Edit, EditError> {
    let joint = model.joints.get_mut(id).ok_or_else(|| gone("joint", id))?;
    sound(&format!("the target of joint \"{}\"", joint.name), &at.to_array())?;
    let turn = unit_orientation(&format!("the target of joint \"{}\"", joint.name), turn)?;
    let JointKind::Tether(grab) = &mut joint.kind else {
        let problem = "only a drag spring has a target to move".to_string();
        return Err(EditError::Joint { name: joint.name.clone(), problem });
    };
    let target = &mut grab.anchors[0];
    let (at, turn) = (std::mem::replace(&mut target.at, at), std::mem::replace(&mut target.turn, turn));
    Ok(Edit::MoveTether { joint: id, at, turn })
}
