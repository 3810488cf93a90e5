//! Edits of inputs.

use super::{Edit, EditError, gone};
use crate::joint::JointKind;
use crate::joint::axis::Drive;
use crate::model::Model;
use crate::model::input::{Binding, Command, Input, InputState, LARGEST};
use crate::model::state::State;
use crate::slots::InputId;

pub(super) fn add(model: &mut Model, state: &mut State, input: Input) -> Result<Edit, EditError> {
    check(model, &input)?;
    let memory = input.at_rest();
    let id = model.inputs.insert(input);
    state.inputs.resize(model.inputs.places(), InputState::default());
    state.inputs[id.index()] = memory;
    Ok(Edit::RemoveInput(id))
}

pub(super) fn remove(model: &mut Model, state: &mut State, id: InputId) -> Result<Edit, EditError> {
    let input = model.inputs.remove(id).ok_or_else(|| gone("input", id))?;
    let memory = std::mem::take(&mut state.inputs[id.index()]);
    Ok(Edit::RestoreInput(id, Box::new((input, memory))))
}

pub(super) fn restore(
    model: &mut Model,
    state: &mut State,
    id: InputId,
    kept: (Input, InputState),
) -> Result<Edit, EditError> {
    if !model.inputs.restore(id, kept.0) {
        return Err(EditError::Taken { id: format!("input {id:?}") });
    }
    state.inputs[id.index()] = kept.1;
    Ok(Edit::RemoveInput(id))
}

pub(super) fn set(
    model: &mut Model,
    state: &mut State,
    id: InputId,
    input: Input,
) -> Result<Edit, EditError> {
    check(model, &input)?;
    let slot = model.inputs.get_mut(id).ok_or_else(|| gone("input", id))?;
    let s = &mut state.inputs[id.index()];
    let before = *s;
    s.target = s.target.clamp(input.low, input.high);
    s.actual = s.actual.clamp(input.low, input.high);
    let old = std::mem::replace(slot, input);
    Ok(Edit::All(vec![Edit::SetInput(id, Box::new(old)), Edit::PutInput(id, before)]))
}

pub(super) fn set_value(
    model: &mut Model,
    state: &mut State,
    id: InputId,
    value: Option<f64>,
) -> Result<Edit, EditError> {
    let input = model.inputs.get(id).ok_or_else(|| gone("input", id))?;
    let s = &mut state.inputs[id.index()];
    let before = *s;
    match value {
        Some(value) if (input.low..=input.high).contains(&value) => {
            (s.target, s.held) = (value, true);
        }
        Some(value) => {
            let problem = format!("its value is set to {value}: give {} to {}", input.low, input.high);
            return Err(EditError::Input { name: input.name.clone(), problem });
        }
        None => {
            s.held = false;
            if input.returns {
                s.target = input.rest;
            }
        }
    }
    Ok(Edit::PutInput(id, before))
}

pub(super) fn put(
    model: &mut Model,
    state: &mut State,
    id: InputId,
    memory: InputState,
) -> Result<Edit, EditError> {
    model.inputs.get(id).ok_or_else(|| gone("input", id))?;
    if !memory.is_finite() {
        return Err(EditError::StateUnsound);
    }
    let before = std::mem::replace(&mut state.inputs[id.index()], memory);
    Ok(Edit::PutInput(id, before))
}

/// Rejects an invalid input.
fn check(model: &Model, input: &Input) -> Result<(), EditError> {
    let Input { low, high, rest, rate, stop_rate, .. } = *input;
    let refuse = |problem: String| Err(EditError::Input { name: input.name.clone(), problem });
    if !(low < high && low.abs() < LARGEST && high.abs() < LARGEST) {
        return refuse(format!("its range is {low} to {high}: give a low and a higher number"));
    }
    if !(low..=high).contains(&rest) {
        return refuse(format!("it rests at {rest}: give {low} to {high}, its range"));
    }
    for (what, rate) in [("rate", rate), ("rate of stopping", stop_rate)] {
        if !(rate > 0.0) {
            return refuse(format!("its {what} is {rate}: give more than 0, or infinity for none"));
        }
    }
    let points = input.script.points();
    if !points.is_sorted_by(|a, b| a.0 <= b.0) || points.iter().any(|p| !p.0.is_finite()) {
        return refuse("the times of its script are out of order: sort them".to_string());
    }
    if let Some((time, value)) = points.iter().find(|p| !(low..=high).contains(&p.1)) {
        return refuse(format!("its script sets {value} at {time} s: give {low} to {high}"));
    }
    match input.bindings.iter().find_map(|b| binding_problem(model, b)) {
        Some(problem) => refuse(problem),
        None => Ok(()),
    }
}

/// What is wrong with a binding, if anything.
fn binding_problem(model: &Model, binding: &Binding) -> Option<String> {
    let Binding { coordinate, command, factor, .. } = *binding;
    let Some(joint) = model.joints.get(binding.joint) else {
        return Some("a joint it drives was removed: bind it to an existing one".to_string());
    };
    let (name, axes) = (&joint.name, joint.constraint().axes());
    if !factor.is_finite() {
        return Some(format!("its factor for joint \"{name}\" is {factor}: give a finite number"));
    }
    let drive = axes.get(coordinate).filter(|_| coordinate < 256).map(|axis| &axis.drive);
    let lacks = |what: &str| match drive {
        Some(_) => Some(format!("joint \"{name}\" has no {what}: give it one")),
        None => Some(format!("joint \"{name}\" has no coordinate {}: it has {}", coordinate + 1, axes.len())),
    };
    match command {
        Command::Speed if matches!(drive, Some(Drive::Speed { .. })) => None,
        Command::Speed => lacks("motor"),
        Command::Position if matches!(drive, Some(Drive::Position { .. })) => None,
        Command::Position => lacks("servo"),
        Command::Force => match drive {
            Some(Drive::Speed { force, .. } | Drive::Position { force, .. }) => (*force == f64::INFINITY)
                .then(|| {
                    format!("the drive of joint \"{name}\" has no force limit to change: set one, such as 0")
                }),
            _ => lacks("motor or servo"),
        },
        Command::PaidOut => {
            let pays = matches!(&joint.kind, JointKind::Rope(rope) if rope.feed.is_none());
            (!pays).then(|| format!("joint \"{name}\" is not a massless rope to pay out: name one"))
        }
    }
}
