//! Edit: the only writer of Model. A value: it can be kept, sent, undone.
//!
//! `apply` checks everything first; a refused edit changes nothing. It returns the edit that undoes it, exactly:
//! entries come back under their old ids with their old state.

mod cable;
mod check;
mod input;

use crate::body::Body;
use crate::body::BodyState;
use crate::body::mass::MassError;
use crate::body::motion::MotionError;
use crate::cable::CableSpec;
use crate::contact::surface::Surfaces;
use crate::joint::axis::{Axis, Drive};
use crate::joint::{Joint, JointKind};
use crate::load::{Bodies, Force};
use crate::model::Model;
use crate::model::cable::Cable;
use crate::model::input::{Input, InputState};
use crate::model::state::{ContactState, JointState, State};
use crate::settings::Settings;
use crate::slots::{BodyId, CableId, ForceId, InputId, JointId};
use crate::subsystem::{Refusal, SubsystemEdit, View};
use crate::words::SnapshotError;
use cable::{add_cable, cut_link, remove_cable};
use check::{
    admit, attitude_of, axis_problem, check_body, check_force, check_settings, check_surfaces, frames, sound,
    there,
};
use glam::{DQuat, DVec3};
use thiserror::Error;

/// A change of the model or of what stands in the state.
#[derive(Clone, Debug)]
pub enum Edit {
    /// Adds a body at rest with its frame at a place. A driven body goes where its path begins.
    AddBody {
        /// The body.
        body: Box<Body>,
        /// Origin of its frame [m].
        at: DVec3,
        /// Attitude of its frame.
        orientation: DQuat,
    },
    /// Removes a body with all joints and forces on it.
    RemoveBody(BodyId),
    /// Replaces a body's description; its frame keeps its place in the world.
    SetBody(BodyId, Box<Body>),
    /// Moves a body's frame.
    SetPose {
        /// The body.
        body: BodyId,
        /// Origin of its frame [m].
        at: DVec3,
        /// Attitude of its frame.
        orientation: DQuat,
    },
    /// Sets a body's velocity and spin.
    SetVelocity {
        /// The body.
        body: BodyId,
        /// Of the centre of mass [m/s].
        velocity: DVec3,
        /// Angular, world axes [rad/s].
        angular_velocity: DVec3,
    },
    /// Adds a joint.
    AddJoint(Box<Joint>),
    /// Removes a joint.
    RemoveJoint(JointId),
    /// Replaces a joint; what it remembers starts anew.
    SetJoint(JointId, Box<Joint>),
    /// Changes the drive of a joint's coordinate, keeping what it remembers.
    SetDrive {
        /// The joint.
        joint: JointId,
        /// Number of the coordinate.
        coordinate: usize,
        /// Its new drive.
        drive: Drive,
    },
    /// Moves the target of a grab, keeping what it remembers.
    MoveGrab {
        /// The joint.
        joint: JointId,
        /// The target, in the axes of the body it is on [m].
        at: DVec3,
        /// Its attitude there.
        turn: DQuat,
    },
    /// Lays a cable, with its elements as bodies and its links as joints.
    AddCable(Box<CableSpec>),
    /// Removes a cable with all its elements and links.
    RemoveCable(CableId),
    /// Cuts (true) or splices (false) a cable at a link. Ends that are to be spliced must meet.
    Cut {
        /// The link.
        link: JointId,
        /// Whether it is cut afterwards.
        cut: bool,
    },
    /// Adds an input, at rest.
    AddInput(Box<Input>),
    /// Removes an input: what it commanded is commanded no more.
    RemoveInput(InputId),
    /// Replaces an input; it stands where it stood, as far as its new range allows.
    SetInput(InputId, Box<Input>),
    /// Puts a hand on an input and wants a value inside its range; none lets go. Neither topology nor warm starts change.
    Want {
        /// The input.
        input: InputId,
        /// What is wanted; none lets go: it returns to rest if it does so, or does as its script says.
        value: Option<f64>,
    },
    /// Adds a force.
    AddForce(Box<Force>),
    /// Removes a force.
    RemoveForce(ForceId),
    /// Changes a subsystem.
    Subsystem(SubsystemEdit),
    /// Replaces the settings.
    SetSettings(Settings),
    /// Replaces the table of surfaces.
    SetSurfaces(Box<Surfaces>),
    /// Several edits, in order.
    All(Vec<Edit>),
    /// Puts a removed body back.
    RestoreBody(BodyId, Box<(Body, BodyState, Vec<ContactState>)>),
    /// Puts a body's pose and velocity back.
    RestoreState(BodyId, Box<BodyState>),
    /// Puts a removed joint back.
    RestoreJoint(JointId, Box<(Joint, JointState)>),
    /// Puts a joint and what it remembers back.
    ReplaceJoint(JointId, Box<(Joint, JointState)>),
    /// Puts the list of a removed cable back; its bodies and joints come back by themselves.
    RestoreCable(CableId, Box<Cable>),
    /// Puts a removed input back.
    RestoreInput(InputId, Box<(Input, InputState)>),
    /// Puts an input where it stood.
    PutInput(InputId, InputState),
    /// Puts a removed force back.
    RestoreForce(ForceId, Box<Force>),
}

/// Why an edit was refused. Each says what to do.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum EditError {
    #[error("body \"{name}\": {source}")]
    Mass { name: String, source: MassError },
    #[error("body \"{name}\": its path is not usable: {source}")]
    Path { name: String, source: MotionError },
    #[error("{what} is {value}: give a finite number below 1e10")]
    Number { what: String, value: f64 },
    #[error("{what} has length {length}: give a quaternion that is not zero")]
    Attitude { what: String, length: f64 },
    #[error("body \"{name}\" is not free: its velocity is given by its path, or zero")]
    NotFree { name: String },
    #[error(
        "body \"{name}\" is not there at present: others stand for it, which `World::cable_elements` names"
    )]
    Absent { name: String },
    #[error("surfaces \"{a}\" and \"{b}\": {problem}")]
    Surface { a: String, b: String, problem: String },
    #[error("body \"{name}\", collider {collider}: {problem}")]
    Collider { name: String, collider: usize, problem: String },
    #[error("cable \"{name}\": {problem}")]
    Cable { name: String, problem: String },
    #[error("force: {problem}")]
    Force { problem: String },
    #[error("no such {what} ({id}): it was removed, or belongs to another world")]
    Gone { what: &'static str, id: String },
    #[error("joint \"{name}\": {problem}")]
    Joint { name: String, problem: String },
    #[error("joint \"{name}\" has {count} coordinates, so there is no number {asked}")]
    Coordinate { name: String, count: usize, asked: usize },
    #[error("input \"{name}\": {problem}")]
    Input { name: String, problem: String },
    #[error(transparent)]
    Subsystem(#[from] Refusal),
    #[error("setting {key} = {value}: {remedy}")]
    Setting { key: &'static str, value: f64, remedy: &'static str },
    #[error("the place of {id} is taken: undo edits in the reverse order of their making")]
    Taken { id: String },
    #[error("the state holds numbers that are not finite, or too large: it does not come from a run")]
    StateUnsound,
    #[error(
        "the state is of another model: it has {got_bodies} bodies and {got_joints} joints, the model has {bodies} and {joints}"
    )]
    StateDoesNotFit { bodies: usize, joints: usize, got_bodies: usize, got_joints: usize },
    #[error("the state is of another model: it has other things of the kind \"{key}\"")]
    PartDoesNotFit { key: &'static str },
    #[error("the state is of another model: it has parts of {got} subsystems, the model has {parts}")]
    PartsDoNotFit { parts: usize, got: usize },
    #[error(transparent)]
    PartUnreadable(#[from] SnapshotError),
    #[error("the state is of another model: it has {got} inputs, the model has {inputs}")]
    InputsDoNotFit { inputs: usize, got: usize },
}

fn gone<T>(what: &'static str, id: crate::slots::Id<T>) -> EditError {
    EditError::Gone { what, id: format!("{id:?}") }
}

/// What gravity adds to a free body's velocity in the time by which velocities trail: a velocity of now less
/// this is one of then.
fn fall(model: &Model, state: &State, body: &Body) -> DVec3 {
    if body.gravity && body.is_free() { model.settings.gravity * state.velocity_lag } else { DVec3::ZERO }
}

impl Edit {
    /// Applies it; returns the edit that undoes it.
    pub(crate) fn apply(self, model: &mut Model, state: &mut State) -> Result<Edit, EditError> {
        let rebuilds = self.rebuilds(model);
        let undo = self.apply_one(model, state)?;
        model.revision += u64::from(rebuilds);
        // an end may have moved
        model.hang(state);
        // anything may have changed what holds a sleeper
        if model.settings.sleep.is_some() {
            state.bodies.iter_mut().for_each(|b| (b.asleep, b.rest_time) = (false, 0.0));
        }
        Ok(undo)
    }

    /// Whether what is derived from the model must be built anew: not for other numbers of the same drive, nor for inputs.
    fn rebuilds(&self, model: &Model) -> bool {
        match self {
            Edit::SetDrive { joint, coordinate, drive } => {
                let axis = model.joints.get(*joint).and_then(|j| j.constraint().axes().get(*coordinate));
                axis.is_none_or(|axis| !axis.drive.is_like(drive))
            }
            Edit::AddInput(_) | Edit::RemoveInput(_) | Edit::SetInput(..) | Edit::Want { .. } => false,
            Edit::RestoreInput(..) | Edit::PutInput(..) => false,
            Edit::All(edits) => edits.iter().any(|edit| edit.rebuilds(model)),
            _ => true,
        }
    }

    /// Edits of a body that is there.
    fn apply_body(self, model: &mut Model, state: &mut State) -> Result<Edit, EditError> {
        match self {
            Edit::SetBody(id, body) => {
                check_body(&body)?;
                let slot = model.bodies.get_mut(id).ok_or_else(|| gone("body", id))?;
                let before = state.bodies[id.index()];
                let old = std::mem::replace(slot, *body);
                // the frame stays and goes on as it went, and with it all anchors; the centre of mass moves in it
                let s = &mut state.bodies[id.index()];
                let moved = s.orientation * (slot.mass.center - old.mass.center);
                s.position += moved;
                s.velocity += s.angular_velocity.cross(moved);
                let back = Edit::RestoreState(id, Box::new(before));
                Ok(Edit::All(vec![Edit::SetBody(id, Box::new(old)), back]))
            }
            Edit::SetPose { body: id, at, orientation: attitude } => {
                there(model, state, id)?;
                let body = model.bodies.get(id).ok_or_else(|| gone("body", id))?;
                sound(&format!("the position of body \"{}\"", body.name), &at.to_array())?;
                let attitude = attitude_of(&format!("the attitude of body \"{}\"", body.name), attitude)?;
                let s = &mut state.bodies[id.index()];
                let old = *s;
                (s.position, s.orientation) = (at + attitude * body.mass.center, attitude);
                Ok(Edit::RestoreState(id, Box::new(old)))
            }
            Edit::SetVelocity { body: id, velocity, angular_velocity: spin } => {
                there(model, state, id)?;
                let body = model.bodies.get(id).ok_or_else(|| gone("body", id))?;
                if !body.is_free() {
                    return Err(EditError::NotFree { name: body.name.clone() });
                }
                sound(&format!("the velocity of body \"{}\"", body.name), &velocity.to_array())?;
                sound(&format!("the spin of body \"{}\"", body.name), &spin.to_array())?;
                let fallen = fall(model, state, body);
                let s = &mut state.bodies[id.index()];
                let old = *s;
                (s.velocity, s.angular_velocity) = (velocity - fallen, spin);
                Ok(Edit::RestoreState(id, Box::new(old)))
            }
            Edit::RestoreState(id, old) => {
                model.bodies.get(id).ok_or_else(|| gone("body", id))?;
                let now = std::mem::replace(&mut state.bodies[id.index()], *old);
                Ok(Edit::RestoreState(id, Box::new(now)))
            }
            other => other.apply_one(model, state),
        }
    }

    fn apply_one(self, model: &mut Model, state: &mut State) -> Result<Edit, EditError> {
        match self {
            Edit::AddBody { body, at, orientation: attitude } => add_body(model, state, *body, at, attitude),
            Edit::RemoveBody(id) => remove_body(model, state, id),
            body @ (Edit::SetBody(..)
            | Edit::SetPose { .. }
            | Edit::SetVelocity { .. }
            | Edit::RestoreState(..)) => body.apply_body(model, state),
            Edit::RestoreBody(id, kept) => restore_body(model, state, id, *kept),
            Edit::SetSettings(settings) => {
                check_settings(&settings)?;
                state.bodies.iter_mut().for_each(|b| (b.asleep, b.rest_time) = (false, 0.0));
                Ok(Edit::SetSettings(std::mem::replace(&mut model.settings, settings)))
            }
            Edit::SetSurfaces(surfaces) => {
                check_surfaces(&surfaces)?;
                Ok(Edit::SetSurfaces(Box::new(std::mem::replace(&mut model.surfaces, *surfaces))))
            }
            Edit::AddForce(force) => {
                check_force(model, &force)?;
                force.law().bodies().into_iter().try_for_each(|b| there(model, state, b))?;
                Ok(Edit::RemoveForce(model.forces.insert(*force)))
            }
            Edit::RemoveForce(id) => {
                let force = model.forces.remove(id).ok_or_else(|| gone("force", id))?;
                Ok(Edit::RestoreForce(id, Box::new(force)))
            }
            Edit::RestoreForce(id, force) => {
                check_force(model, &force)?;
                match model.forces.restore(id, *force) {
                    true => Ok(Edit::RemoveForce(id)),
                    false => Err(EditError::Taken { id: format!("force {id:?}") }),
                }
            }
            Edit::AddCable(laying) => add_cable(model, state, &laying),
            Edit::RemoveCable(id) => remove_cable(model, state, id),
            Edit::RestoreCable(id, kept) => match model.cables.restore(id, *kept) {
                true => Ok(Edit::RemoveCable(id)),
                false => Err(EditError::Taken { id: format!("cable {id:?}") }),
            },
            Edit::Cut { link, cut } => cut_link(model, state, link, cut),
            Edit::All(edits) => all(model, state, edits),
            input @ (Edit::AddInput(_) | Edit::RemoveInput(_) | Edit::SetInput(..)) => {
                input.apply_input(model, state)
            }
            input @ (Edit::Want { .. } | Edit::RestoreInput(..) | Edit::PutInput(..)) => {
                input.apply_input(model, state)
            }
            joint => joint.apply_joint(model, state),
        }
    }

    fn apply_joint(self, model: &mut Model, state: &mut State) -> Result<Edit, EditError> {
        match self {
            Edit::AddJoint(mut joint) => {
                joint.constraint().anchors().iter().try_for_each(|a| there(model, state, a.body))?;
                let memory = admit(model, state, &mut joint, &[])?;
                let id = model.joints.insert(*joint);
                state.joints.resize(model.joints.places(), JointState::default());
                state.joints[id.index()] = memory;
                Ok(Edit::RemoveJoint(id))
            }
            Edit::RemoveJoint(id) => {
                let joint = model.joints.remove(id).ok_or_else(|| gone("joint", id))?;
                let memory = std::mem::take(&mut state.joints[id.index()]);
                Ok(Edit::RestoreJoint(id, Box::new((joint, memory))))
            }
            Edit::SetJoint(id, mut joint) => {
                model.joints.get(id).ok_or_else(|| gone("joint", id))?;
                // counted turns stay counted
                let memory = admit(model, state, &mut joint, &state.joints[id.index()].coordinates)?;
                Edit::ReplaceJoint(id, Box::new((*joint, memory))).apply_joint(model, state)
            }
            Edit::ReplaceJoint(id, kept) => {
                frames(model, state, &kept.0.name, kept.0.constraint().anchors())?;
                let slot = model.joints.get_mut(id).ok_or_else(|| gone("joint", id))?;
                let joint = std::mem::replace(slot, kept.0);
                let memory = std::mem::replace(&mut state.joints[id.index()], kept.1);
                Ok(Edit::ReplaceJoint(id, Box::new((joint, memory))))
            }
            Edit::RestoreJoint(id, kept) => {
                frames(model, state, &kept.0.name, kept.0.constraint().anchors())?;
                if !model.joints.restore(id, kept.0) {
                    return Err(EditError::Taken { id: format!("joint {id:?}") });
                }
                state.joints[id.index()] = kept.1;
                Ok(Edit::RemoveJoint(id))
            }
            Edit::SetDrive { joint: id, coordinate, drive } => {
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
            Edit::MoveGrab { joint: id, at, turn } => {
                let joint = model.joints.get_mut(id).ok_or_else(|| gone("joint", id))?;
                sound(&format!("the target of joint \"{}\"", joint.name), &at.to_array())?;
                let turn = attitude_of(&format!("the target of joint \"{}\"", joint.name), turn)?;
                let JointKind::Grab(grab) = &mut joint.kind else {
                    let problem = "only a grab has a target to move".to_string();
                    return Err(EditError::Joint { name: joint.name.clone(), problem });
                };
                let target = &mut grab.anchors[0];
                let (at, turn) =
                    (std::mem::replace(&mut target.at, at), std::mem::replace(&mut target.turn, turn));
                Ok(Edit::MoveGrab { joint: id, at, turn })
            }
            Edit::Subsystem(edit) => {
                let (subsystems, parts) = (&mut model.subsystems, &mut state.parts);
                let bodies = Bodies { list: &model.bodies, states: &state.bodies, time: state.time };
                let view = View { bodies, surfaces: &model.surfaces, settings: &model.settings };
                Ok(Edit::Subsystem(subsystems.apply(edit, parts, &view)?))
            }
            _ => unreachable!("all other edits are in apply_one"),
        }
    }
}

fn add_body(
    model: &mut Model,
    state: &mut State,
    body: Body,
    at: DVec3,
    attitude: DQuat,
) -> Result<Edit, EditError> {
    check_body(&body)?;
    sound(&format!("the position of body \"{}\"", body.name), &at.to_array())?;
    let attitude = attitude_of(&format!("the attitude of body \"{}\"", body.name), attitude)?;
    let mut start = BodyState::at(at + attitude * body.mass.center, attitude);
    start.velocity = -fall(model, state, &body);
    let id = model.bodies.insert(body);
    state.bodies.resize(model.bodies.places(), BodyState::default());
    state.bodies[id.index()] = start;
    model.carry_one(id.index(), state);
    Ok(Edit::RemoveBody(id))
}

fn remove_body(model: &mut Model, state: &mut State, id: BodyId) -> Result<Edit, EditError> {
    model.bodies.get(id).ok_or_else(|| gone("body", id))?;
    let mut undo = Vec::new();
    // forces and joints first: what grips a body goes with it
    let forces: Vec<_> = model.forces.iter().filter(|(_, f)| f.law().bodies().contains(&id)).collect();
    let forces: Vec<_> = forces.iter().filter_map(|(i, _)| model.forces.id(*i)).collect();
    let grips = |j: &Joint| j.constraint().anchors().iter().any(|a| a.body == id);
    let joints: Vec<_> =
        model.joints.iter().filter(|(_, j)| grips(j)).filter_map(|(i, _)| model.joints.id(i)).collect();
    for force in forces {
        undo.push(Edit::RemoveForce(force).apply_one(model, state)?);
    }
    for joint in joints {
        undo.push(Edit::RemoveJoint(joint).apply_one(model, state)?);
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

fn restore_body(
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

/// Undoes edits that were just made, the last first.
fn take_back(model: &mut Model, state: &mut State, mut undo: Vec<Edit>) {
    while let Some(back) = undo.pop() {
        back.apply_one(model, state).expect("what was just done can be undone");
    }
}

/// All or nothing: if one is refused, those before it are undone.
fn all(model: &mut Model, state: &mut State, edits: Vec<Edit>) -> Result<Edit, EditError> {
    let mut undo: Vec<Edit> = Vec::new();
    for edit in edits {
        match edit.apply_one(model, state) {
            Ok(back) => undo.push(back),
            Err(refusal) => {
                take_back(model, state, undo);
                return Err(refusal);
            }
        }
    }
    undo.reverse();
    Ok(Edit::All(undo))
}
