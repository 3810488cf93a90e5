//! Edits of forces.

use super::check::{check_force, there};
use super::{Edit, EditError, gone};
use crate::load::Force;
use crate::model::Model;
use crate::model::state::State;
use crate::slots::ForceId;

pub(super) fn add(model: &mut Model, state: &State, force: Force) -> Result<Edit, EditError> {
    check_force(model, &force)?;
    force.law().bodies().into_iter().try_for_each(|b| there(model, state, b))?;
    Ok(Edit::RemoveForce(model.forces.insert(force)))
}

pub(super) fn remove(model: &mut Model, id: ForceId) -> Result<Edit, EditError> {
    let force = model.forces.remove(id).ok_or_else(|| gone("force", id))?;
    Ok(Edit::RestoreForce(id, Box::new(force)))
}

pub(super) fn restore(model: &mut Model, id: ForceId, force: Force) -> Result<Edit, EditError> {
    check_force(model, &force)?;
    match model.forces.restore(id, force) {
        true => Ok(Edit::RemoveForce(id)),
        false => Err(EditError::Taken { id: format!("force {id:?}") }),
    }
}
