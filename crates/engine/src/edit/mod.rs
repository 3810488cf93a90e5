//! Edit: the only writer of Model. An edit is a value: it can be stored, sent and undone.
//!
//! `apply` checks everything first; a rejected edit changes nothing. It returns the edit that undoes it:
//! entries are restored under their old ids with their old state.

mod body;
mod cable;
mod check;
mod force;
mod input;
mod joint;

use crate::body::mass::MassError;
use crate::body::motion::MotionError;
use crate::body::{Body, BodyState};
use crate::cable::CableSpec;
use crate::contact::surface::Surfaces;
use crate::joint::Joint;
use crate::joint::axis::Drive;
use crate::load::{Bodies, Force};
use crate::model::Model;
use crate::model::cable::Cable;
use crate::model::input::{Input, InputState};
use crate::model::state::{ContactState, JointState, State};
use crate::section::{Section, UnderLoad};
use crate::settings::{Integrator, Settings};
use crate::slots::{BodyId, CableId, ForceId, InputId, JointId};
use crate::subsystem::{Kind, Kinds, Refusal, SubsystemEdit, View};
use crate::words::SnapshotError;
use check::{check_settings, check_surfaces};
use glam::{DQuat, DVec3};
use thiserror::Error;

/// A change of the model or of the state.
#[derive(Clone, Debug)]
pub enum Edit {
    /// Adds a body at rest with its frame at a pose. A kinematic body starts where its path begins.
    AddBody {
        /// The body.
        body: Box<Body>,
        /// Origin of its frame [m].
        at: DVec3,
        /// Orientation of its frame.
        orientation: DQuat,
    },
    /// Removes a body with all joints and forces on it.
    RemoveBody(BodyId),
    /// Replaces a body's description; its frame keeps its pose in the world.
    SetBody(BodyId, Box<Body>),
    /// Moves a body's frame.
    SetPose {
        /// The body.
        body: BodyId,
        /// Origin of its frame [m].
        at: DVec3,
        /// Orientation of its frame.
        orientation: DQuat,
    },
    /// Sets a body's velocity and angular velocity.
    SetVelocity {
        /// The body.
        body: BodyId,
        /// Velocity of the centre of mass [m/s].
        velocity: DVec3,
        /// Angular velocity, world axes [rad/s].
        angular_velocity: DVec3,
    },
    /// Adds a joint.
    AddJoint(Box<Joint>),
    /// Removes a joint.
    RemoveJoint(JointId),
    /// Replaces a joint and resets its memory.
    SetJoint(JointId, Box<Joint>),
    /// Changes the drive of a joint's coordinate and keeps the joint's memory.
    SetDrive {
        /// The joint.
        joint: JointId,
        /// Number of the coordinate.
        coordinate: usize,
        /// Its new drive.
        drive: Drive,
    },
    /// Moves the target of a drag spring and keeps the joint's memory.
    MoveTether {
        /// The joint.
        joint: JointId,
        /// The target, in the axes of its body [m].
        at: DVec3,
        /// Its orientation there.
        turn: DQuat,
    },
    /// Adds a cable, with its elements as bodies and its links as joints.
    AddCable(Box<CableSpec>),
    /// Removes a cable with all its elements and links.
    RemoveCable(CableId),
    /// Gives a running cable another cross-section. Its elements and links keep their unloaded lengths, poses and
    /// memories; tension follows from the new stiffness.
    SetSection {
        /// The cable.
        cable: CableId,
        /// Its cross-section.
        section: Box<Section>,
        /// Dependence of its stiffness and damping on tension.
        under_load: UnderLoad,
    },
    /// Cuts (true) or splices (false) a cable at a link. Ends to be spliced must meet.
    Cut {
        /// The link.
        link: JointId,
        /// Whether it is cut afterwards.
        cut: bool,
    },
    /// Adds an input, at rest.
    AddInput(Box<Input>),
    /// Removes an input and its commands.
    RemoveInput(InputId),
    /// Replaces an input; it keeps its value, clamped to the new range.
    SetInput(InputId, Box<Input>),
    /// Sets an input by hand to a value in its range, or releases it. Neither topology nor warm starts change.
    SetInputValue {
        /// The input.
        input: InputId,
        /// The value; none releases the input: it returns to rest if it is self-centring, or follows its script.
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
    /// Restores a removed body.
    RestoreBody(BodyId, Box<(Body, BodyState, Vec<ContactState>)>),
    /// Restores a body's pose and velocity.
    RestoreState(BodyId, Box<BodyState>),
    /// Restores a removed joint.
    RestoreJoint(JointId, Box<(Joint, JointState)>),
    /// Restores a joint and its memory.
    ReplaceJoint(JointId, Box<(Joint, JointState)>),
    /// Restores the record of a removed cable; its bodies and joints are restored separately.
    RestoreCable(CableId, Box<Cable>),
    /// Restores the record of a cable that is there.
    ReplaceCable(CableId, Box<Cable>),
    /// Restores a removed input.
    RestoreInput(InputId, Box<(Input, InputState)>),
    /// Restores the value of an input.
    PutInput(InputId, InputState),
    /// Restores a removed force.
    RestoreForce(ForceId, Box<Force>),
}

/// Why an edit was rejected. Each message states the remedy.
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
    Orientation { what: String, length: f64 },
    #[error("body \"{name}\" is not dynamic: its velocity follows from its path, or is zero")]
    NotFree { name: String },
    #[error(
        "body \"{name}\" is not present: other elements represent it, which `World::cable_elements` lists"
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
    #[error("the slot of {id} is taken: undo edits in reverse order")]
    Taken { id: String },
    #[error("the state holds numbers that are not finite, or too large: it does not come from a run")]
    StateUnsound,
    #[error(
        "the state is of another model: it has {got_bodies} bodies and {got_joints} joints, the model has {bodies} and {joints}"
    )]
    StateDoesNotFit { bodies: usize, joints: usize, got_bodies: usize, got_joints: usize },
    #[error("the state is of another model: it has other parts of the kind \"{key}\"")]
    PartDoesNotFit { key: &'static str },
    #[error("{key} need the integrator \"spook\": leave settings.integrator out")]
    RequiresSpook { key: &'static str },
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

impl Edit {
    /// Applies it; returns the edit that undoes it.
    pub(crate) fn apply(self, model: &mut Model, state: &mut State) -> Result<Edit, EditError> {
        let rebuilds = self.rebuilds(model);
        let undo = self.apply_one(model, state)?;
        model.revision += u64::from(rebuilds);
        // the attachment of an end may have moved
        model.hang(state);
        // anything may have changed the load of a sleeping body
        if model.settings.sleep.is_some() {
            state.bodies.iter_mut().for_each(|b| (b.asleep, b.rest_time) = (false, 0.0));
        }
        Ok(undo)
    }

    /// Whether data derived from the model must be rebuilt: not for other values of the same drive, nor for inputs.
    fn rebuilds(&self, model: &Model) -> bool {
        match self {
            Edit::SetDrive { joint, coordinate, drive } => {
                let axis = model.joints.get(*joint).and_then(|j| j.constraint().axes().get(*coordinate));
                axis.is_none_or(|axis| !axis.drive.is_like(drive))
            }
            Edit::AddInput(_) | Edit::RemoveInput(_) | Edit::SetInput(..) | Edit::SetInputValue { .. } => {
                false
            }
            Edit::RestoreInput(..) | Edit::PutInput(..) => false,
            Edit::All(edits) => edits.iter().any(|edit| edit.rebuilds(model)),
            _ => true,
        }
    }

    fn apply_one(self, model: &mut Model, state: &mut State) -> Result<Edit, EditError> {
        match self {
            Edit::AddBody { body, at, orientation } => body::add(model, state, *body, at, orientation),
            Edit::RemoveBody(id) => body::remove(model, state, id),
            Edit::RestoreBody(id, kept) => body::restore(model, state, id, *kept),
            Edit::SetBody(id, body) => body::set(model, state, id, *body),
            Edit::SetPose { body, at, orientation } => body::set_pose(model, state, body, at, orientation),
            Edit::SetVelocity { body, velocity, angular_velocity } => {
                body::set_velocity(model, state, body, velocity, angular_velocity)
            }
            Edit::RestoreState(id, old) => body::restore_state(model, state, id, *old),
            Edit::AddJoint(joint) => joint::add(model, state, *joint),
            Edit::RemoveJoint(id) => joint::remove(model, state, id),
            Edit::RestoreJoint(id, kept) => joint::restore(model, state, id, *kept),
            Edit::SetJoint(id, joint) => joint::set(model, state, id, *joint),
            Edit::ReplaceJoint(id, kept) => joint::replace(model, state, id, *kept),
            Edit::SetDrive { joint, coordinate, drive } => joint::set_drive(model, joint, coordinate, drive),
            Edit::MoveTether { joint, at, turn } => joint::move_grab(model, joint, at, turn),
            Edit::AddCable(spec) => cable::add(model, state, &spec),
            Edit::RemoveCable(id) => cable::remove(model, state, id),
            Edit::RestoreCable(id, kept) => cable::restore(model, id, *kept),
            Edit::SetSection { cable, section, under_load } => {
                cable::set_section(model, state, cable, *section, under_load)
            }
            Edit::ReplaceCable(id, kept) => cable::replace(model, id, *kept),
            Edit::Cut { link, cut } => cable::cut_link(model, state, link, cut),
            Edit::AddInput(input) => input::add(model, state, *input),
            Edit::RemoveInput(id) => input::remove(model, state, id),
            Edit::RestoreInput(id, kept) => input::restore(model, state, id, *kept),
            Edit::SetInput(id, input) => input::set(model, state, id, *input),
            Edit::SetInputValue { input, value } => input::set_value(model, state, input, value),
            Edit::PutInput(id, memory) => input::put(model, state, id, memory),
            Edit::AddForce(force) => force::add(model, state, *force),
            Edit::RemoveForce(id) => force::remove(model, id),
            Edit::RestoreForce(id, force) => force::restore(model, id, *force),
            Edit::Subsystem(edit) => subsystem(model, state, edit),
            Edit::SetSettings(settings) => {
                check_settings(&settings)?;
                check_integrator(&settings, &model.subsystems)?;
                state.bodies.iter_mut().for_each(|b| (b.asleep, b.rest_time) = (false, 0.0));
                Ok(Edit::SetSettings(std::mem::replace(&mut model.settings, settings)))
            }
            Edit::SetSurfaces(surfaces) => {
                check_surfaces(&surfaces)?;
                Ok(Edit::SetSurfaces(Box::new(std::mem::replace(&mut model.surfaces, *surfaces))))
            }
            Edit::All(edits) => all(model, state, edits),
        }
    }
}

fn subsystem(model: &mut Model, state: &mut State, edit: SubsystemEdit) -> Result<Edit, EditError> {
    // `Model::view` would borrow the subsystems as well
    let bodies = Bodies { list: &model.bodies, states: &state.bodies, time: state.time };
    let (surfaces, settings) = (&model.surfaces, &model.settings);
    let view = View { bodies, surfaces, settings, dt: model.dt(state), kick: model.kick(state) };
    let undo = model.subsystems.apply(edit, &mut state.parts, &view)?;
    if let Err(error) = check_integrator(&model.settings, &model.subsystems) {
        take_back(model, state, vec![Edit::Subsystem(undo)]);
        return Err(error);
    }
    Ok(Edit::Subsystem(undo))
}

/// Rejects an integrator that cannot solve the rows of a subsystem.
fn check_integrator(settings: &Settings, subsystems: &Kinds) -> Result<(), EditError> {
    let needs = |kind: &&dyn Kind| settings.integrator != Integrator::Spook && kind.requires_spook();
    match subsystems.iter().find(needs) {
        Some(kind) => Err(EditError::RequiresSpook { key: kind.key() }),
        None => Ok(()),
    }
}

/// Undoes edits that were just made, the last first.
fn take_back(model: &mut Model, state: &mut State, mut undo: Vec<Edit>) {
    while let Some(back) = undo.pop() {
        back.apply_one(model, state).expect("what was just done can be undone");
    }
}

/// All or nothing: if one is rejected, those before it are undone.
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
