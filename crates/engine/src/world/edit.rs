//! Edit: the only writer of Model. A value: it can be kept, sent, undone.
//!
//! `apply` checks everything first; a refused edit changes nothing. It returns the edit that undoes it, exactly:
//! entries come back under their old ids with their old state.

use super::body::{self, Body};
use super::cable::{self, Cable, End, Laying, Side};
use super::frame::{Anchor, Frame};
use super::mass::MassError;
use super::model::{BodyId, CableId, Contacting, ForceId, JointId, Model, Settings, Stepper};
use super::motion::MotionError;
use super::pool::{Pool, Tie};
use super::state::{BodyState, ContactState, JointState, State};
use super::surface::Surfaces;
use crate::constrain::Sight;
use crate::constrain::axis::{Axis, Drive};
use crate::constrain::joint::link::Wear;
use crate::constrain::joint::{Joint, Kind};
use crate::constrain::rows::{Rows, Spring};
use crate::force::Force;
use crate::math;
use crate::strand::{Lead, Strand, StrandId, StrandState};
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
        attitude: DQuat,
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
        attitude: DQuat,
    },
    /// Sets a body's velocity and spin.
    SetVelocity {
        /// The body.
        body: BodyId,
        /// Of the centre of mass [m/s].
        velocity: DVec3,
        /// Angular, world axes [rad/s].
        spin: DVec3,
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
    AddCable(Box<Laying>),
    /// Removes a cable with all its elements and links.
    RemoveCable(CableId),
    /// Cuts (true) or splices (false) a cable at a link. Ends that are to be spliced must meet.
    Cut {
        /// The link.
        link: JointId,
        /// Whether it is cut afterwards.
        cut: bool,
    },
    /// Adds a force.
    AddForce(Box<Force>),
    /// Removes a force.
    RemoveForce(ForceId),
    /// Adds a strand, at rest as it is laid.
    AddStrand(Box<Strand>),
    /// Removes a strand.
    RemoveStrand(StrandId),
    /// Moves the target of a hand that leads a strand.
    MoveStrandTarget {
        /// The strand.
        strand: StrandId,
        /// Number of the lead.
        lead: usize,
        /// Where it leads to [m].
        target: DVec3,
    },
    /// Replaces the hands that lead a strand: grips and lets go.
    SetStrandLeads(StrandId, Vec<Lead>),
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
    /// Puts a removed force back.
    RestoreForce(ForceId, Box<Force>),
    /// Puts a removed strand back.
    RestoreStrand(StrandId, Box<(Strand, StrandState)>),
    /// Puts a strand and where it is back.
    ReplaceStrand(StrandId, Box<(Strand, StrandState)>),
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
    #[error("strand \"{name}\": {problem}")]
    Strand { name: String, problem: String },
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
    #[error("the state is of another model: its {got} strands are not the {strands} of the model")]
    StrandsDoNotFit { strands: usize, got: usize },
}

fn gone<T>(what: &'static str, id: super::slots::Id<T>) -> EditError {
    EditError::Gone { what, id: format!("{id:?}") }
}

/// Whether a body is there, so that something can be done to it.
fn there(model: &Model, state: &State, id: BodyId) -> Result<(), EditError> {
    let body = model.bodies.get(id).ok_or_else(|| gone("body", id))?;
    match state.bodies[id.index()].absent {
        true => Err(EditError::Absent { name: body.name.clone() }),
        false => Ok(()),
    }
}

/// Whether a number may stand in a world: the bound of `BodyState::is_sound`.
fn sound(what: &str, values: &[f64]) -> Result<(), EditError> {
    match values.iter().find(|v| !(v.abs() < 1e10)) {
        Some(value) => Err(EditError::Number { what: what.to_string(), value: *value }),
        None => Ok(()),
    }
}

fn attitude_of(what: &str, q: DQuat) -> Result<DQuat, EditError> {
    let length = q.length();
    if length > 1e-6 && length.is_finite() {
        return Ok(math::unit(q));
    }
    Err(EditError::Attitude { what: what.to_string(), length })
}

fn check_body(body: &Body) -> Result<(), EditError> {
    let center = body.mass.center.to_array();
    sound(&format!("the centre of mass of body \"{}\"", body.name), &center)?;
    for (collider, c) in body.colliders.iter().enumerate() {
        if let Some(problem) = c.problem() {
            return Err(EditError::Collider { name: body.name.clone(), collider, problem });
        }
    }
    match &body.kind {
        body::Kind::Free => {
            body.mass.check().map_err(|source| EditError::Mass { name: body.name.clone(), source })
        }
        body::Kind::Driven(path) => {
            path.check().map_err(|source| EditError::Path { name: body.name.clone(), source })
        }
        body::Kind::Fixed => Ok(()),
    }
}

/// What is wrong with an axis, if anything.
fn axis_problem(axis: &Axis) -> Option<String> {
    let spring = |s: &Spring| {
        (!(s.stiffness >= 0.0 && s.damping >= 0.0 && s.stiffness.is_finite() && s.damping.is_finite())).then(
            || format!("stiffness {} and damping {} must be finite and not negative", s.stiffness, s.damping),
        )
    };
    let force = |f: f64| (!(f >= 0.0)).then(|| format!("the largest force is {f}: give 0 or more"));
    let acting = |s: &Spring| {
        (!s.acts()).then(|| "a spring with neither stiffness nor damping does nothing".to_string())
    };
    let number =
        |what: &str, x: f64| (!x.is_finite()).then(|| format!("{what} is {x}: give a finite number"));
    let drive = match &axis.drive {
        Drive::Free => None,
        Drive::Hold(at) => number("the held value", *at),
        Drive::Speed { speed, force: f, loss } => {
            let loss = (!(*loss >= 0.0)).then(|| format!("the loss is {loss}: give 0 or more"));
            number("the speed", *speed).or(force(*f)).or(loss)
        }
        Drive::Place { target, spring: s, force: f } => {
            number("the target", *target).or(force(*f)).or(spring(s)).or(acting(s))
        }
        Drive::Follow(motion) => motion.check().err().map(|e| e.to_string()),
    };
    let limits = axis.limits.and_then(|l| {
        let order = (!(l.low < l.high)).then(|| format!("the limits {} to {} leave no room", l.low, l.high));
        let bounce = (!(0.0..=1.0).contains(&l.restitution))
            .then(|| format!("restitution is {}: give 0 to 1", l.restitution));
        let both = (l.restitution > 0.0 && l.spring.is_some())
            .then(|| "a stop that gives rebounds by its spring: leave out restitution".to_string());
        let give = l.spring.as_ref().and_then(|s| spring(s).or(acting(s)));
        order.or(bounce).or(both).or(give)
    });
    let own = axis.spring.and_then(|(s, rest)| spring(&s).or(number("the rest value", rest)));
    drive
        .or(limits)
        .or(own)
        .or(force(axis.friction))
        .or((!(axis.viscosity >= 0.0)).then(|| format!("viscosity is {}: give 0 or more", axis.viscosity)))
}

/// What is wrong with a joint as a whole, if anything.
fn joint_problem(joint: &Joint) -> Option<String> {
    let springs = [joint.softness.linear, joint.softness.angular];
    let soft = springs.into_iter().flatten().find(|s| {
        !(s.acts()
            && s.stiffness >= 0.0
            && s.damping >= 0.0
            && s.stiffness.is_finite()
            && s.damping.is_finite())
    });
    if let Some(s) = soft {
        let numbers = format!("softness of {} and {}", s.stiffness, s.damping);
        return Some(format!("{numbers}: give a stiffness above 0, or none for rigid"));
    }
    if joint.strength.is_some_and(|s| !(s.force > 0.0 && s.torque > 0.0)) {
        return Some("its strength must be above 0; give infinity for what never breaks it".to_string());
    }
    match &joint.kind {
        Kind::Grab(grab) => grab.problem(),
        Kind::Coupling(c) if c.anchors.len() != 2 * c.terms.len() || c.terms.is_empty() => {
            let (terms, anchors) = (c.terms.len(), c.anchors.len());
            Some(format!("each of its {terms} terms needs two anchors; it has {anchors}"))
        }
        _ => None,
    }
}

fn check_force(model: &Model, force: &Force) -> Result<(), EditError> {
    for body in force.law().bodies() {
        model.bodies.get(body).ok_or_else(|| gone("body", body))?;
    }
    force.law().problem().map_or(Ok(()), |problem| Err(EditError::Force { problem }))
}

fn check_surfaces(surfaces: &Surfaces) -> Result<(), EditError> {
    let wrong = surfaces.pairs().find_map(|(pair, touch)| Some((pair, touch.problem()?)));
    wrong.map_or(Ok(()), |((a, b), problem)| {
        let [a, b] = [a, b].map(|s| surfaces.name(s).to_owned());
        Err(EditError::Surface { a, b, problem })
    })
}

/// What gravity adds to a free body's velocity in the time by which velocities trail: a velocity of now less
/// this is one of then.
fn fall(model: &Model, state: &State, body: &Body) -> DVec3 {
    if body.gravity && body.is_free() { model.settings.gravity * state.lag } else { DVec3::ZERO }
}

fn check_settings(s: &Settings) -> Result<(), EditError> {
    let bad = |key, value, remedy| Err(EditError::Setting { key, value, remedy });
    if !(1e-7..=0.2).contains(&s.dt) {
        return bad("dt", s.dt, "give a step between 1e-7 and 0.2 s");
    }
    if let Stepper::DormandPrince(a) = s.stepper {
        // accelerations are good to 1e-10 (integrate/acceleration.rs): asking for more would only shorten steps
        if !(1e-11..=0.1).contains(&a.tolerance) {
            return bad("tolerance", a.tolerance, "give 1e-11 to 0.1");
        }
        if !(a.shortest > 0.0 && a.shortest <= a.longest && a.longest.is_finite()) {
            return bad("shortest", a.shortest, "give 0 < shortest ≤ longest");
        }
    }
    if let Some(sleep) = s.sleep
        && !(sleep.speed > 0.0 && sleep.after > 0.0)
    {
        return bad("sleep", sleep.speed, "give a speed and a time above 0");
    }
    if !(s.bounce_speed >= 0.0) {
        return bad("bounce_speed", s.bounce_speed, "give 0 or more");
    }
    let c = &s.contact;
    if !(c.margin >= 0.0 && c.margin < 1e3) {
        return bad("contact.margin", c.margin, "give 0 or more metres");
    }
    if !(c.recovery > 0.0) {
        return bad("contact.recovery", c.recovery, "give a speed above 0");
    }
    if !Contacting::SWEEPS.contains(&c.sweeps) {
        return bad("contact.sweeps", f64::from(c.sweeps), "give 1 to 100000");
    }
    if !Contacting::SUBSTEPS.contains(&c.substeps) {
        return bad("contact.substeps", f64::from(c.substeps), "give 1 to 1000");
    }
    let aero = &c.aero;
    if !(0.1..=1e5).contains(&aero.frequency) {
        return bad("contact.aero.frequency", aero.frequency, "give 0.1 to 100000 Hz");
    }
    if !(0.0..=100.0).contains(&aero.damping) {
        return bad("contact.aero.damping", aero.damping, "give a damping ratio of 0 to 100");
    }
    if !(aero.creep >= 0.0 && aero.creep.is_finite()) {
        return bad("contact.aero.creep", aero.creep, "give a speed of 0 or more");
    }
    if !(0.0..=1.0).contains(&aero.gravity_noise) {
        return bad("contact.aero.gravity_noise", aero.gravity_noise, "give a part of gravity, 0 to 1");
    }
    sound("gravity", &s.gravity.to_array())
}

/// The world frames of a constraint's anchors, checked.
fn frames(model: &Model, state: &State, name: &str, anchors: &[Anchor]) -> Result<Vec<Frame>, EditError> {
    for anchor in anchors {
        model.bodies.get(anchor.body).ok_or_else(|| gone("body", anchor.body))?;
        sound(&format!("an anchor of joint \"{name}\""), &anchor.at.to_array())?;
        attitude_of(&format!("the turn of an anchor of joint \"{name}\""), anchor.turn)?;
    }
    Ok(anchors.iter().map(|a| model.frame(state, a)).collect())
}

/// Checks a joint against the world, settles what it left open, and returns what it first remembers.
fn admit(model: &Model, state: &State, joint: &mut Joint, last: &[f64]) -> Result<JointState, EditError> {
    let problem = |problem: String| EditError::Joint { name: joint.name.clone(), problem };
    let frames = frames(model, state, &joint.name, joint.constraint().anchors())?;
    for (k, axis) in joint.constraint().axes().iter().enumerate() {
        if let Some(p) = axis_problem(axis) {
            return Err(problem(format!("coordinate {k}: {p}")));
        }
    }
    if let [a, b] = joint.constraint().anchors()
        && a.body == b.body
    {
        return Err(problem("both anchors are on the same body".to_string()));
    }
    if let Some(p) = joint_problem(joint) {
        return Err(problem(p));
    }
    let sight = Sight { frames: &frames, last, history: &[], time: state.time };
    joint.settle(model, &sight);
    let rows = Rows::of(joint.constraint(), joint.softness, &sight);
    let gaps = rows.rows.iter().all(|r| r.gap.is_finite() && r.lo <= r.hi);
    if !gaps || rows.blocks.iter().any(|b| !(b.linear.is_finite() && b.angular.is_finite())) {
        return Err(EditError::Joint {
            name: joint.name.clone(),
            problem: "its equations are not defined at this pose".to_string(),
        });
    }
    Ok(JointState { coordinates: rows.coordinates, ..JointState::default() })
}

impl Edit {
    /// Applies it; returns the edit that undoes it.
    pub(crate) fn apply(self, model: &mut Model, state: &mut State) -> Result<Edit, EditError> {
        let undo = self.apply_one(model, state)?;
        model.revision += 1;
        // anything may have changed what holds a sleeper
        if model.settings.sleep.is_some() {
            state.bodies.iter_mut().for_each(|b| (b.asleep, b.still) = (false, 0.0));
        }
        Ok(undo)
    }

    fn apply_one(self, model: &mut Model, state: &mut State) -> Result<Edit, EditError> {
        match self {
            Edit::AddBody { body, at, attitude } => add_body(model, state, *body, at, attitude),
            Edit::RemoveBody(id) => remove_body(model, state, id),
            Edit::SetBody(id, body) => {
                check_body(&body)?;
                let slot = model.bodies.get_mut(id).ok_or_else(|| gone("body", id))?;
                let before = state.bodies[id.index()];
                let old = std::mem::replace(slot, *body);
                // the frame stays and goes on as it went, and with it all anchors; the centre of mass moves in it
                let s = &mut state.bodies[id.index()];
                let moved = s.attitude * (slot.mass.center - old.mass.center);
                s.position += moved;
                s.velocity += s.spin.cross(moved);
                let back = Edit::RestoreState(id, Box::new(before));
                Ok(Edit::All(vec![Edit::SetBody(id, Box::new(old)), back]))
            }
            Edit::SetPose { body: id, at, attitude } => {
                there(model, state, id)?;
                let body = model.bodies.get(id).ok_or_else(|| gone("body", id))?;
                sound(&format!("the position of body \"{}\"", body.name), &at.to_array())?;
                let attitude = attitude_of(&format!("the attitude of body \"{}\"", body.name), attitude)?;
                let s = &mut state.bodies[id.index()];
                let old = *s;
                (s.position, s.attitude) = (at + attitude * body.mass.center, attitude);
                Ok(Edit::RestoreState(id, Box::new(old)))
            }
            Edit::SetVelocity { body: id, velocity, spin } => {
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
                (s.velocity, s.spin) = (velocity - fallen, spin);
                Ok(Edit::RestoreState(id, Box::new(old)))
            }
            Edit::RestoreState(id, old) => {
                model.bodies.get(id).ok_or_else(|| gone("body", id))?;
                let now = std::mem::replace(&mut state.bodies[id.index()], *old);
                Ok(Edit::RestoreState(id, Box::new(now)))
            }
            Edit::RestoreBody(id, kept) => restore_body(model, state, id, *kept),
            Edit::SetSettings(settings) => {
                check_settings(&settings)?;
                state.bodies.iter_mut().for_each(|b| (b.asleep, b.still) = (false, 0.0));
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
                let Kind::Grab(grab) = &mut joint.kind else {
                    let problem = "only a grab has a target to move".to_string();
                    return Err(EditError::Joint { name: joint.name.clone(), problem });
                };
                let target = &mut grab.anchors[0];
                let (at, turn) =
                    (std::mem::replace(&mut target.at, at), std::mem::replace(&mut target.turn, turn));
                Ok(Edit::MoveGrab { joint: id, at, turn })
            }
            strand => strand.apply_strand(model, state),
        }
    }
}

impl Edit {
    fn apply_strand(self, model: &mut Model, state: &mut State) -> Result<Edit, EditError> {
        match self {
            Edit::AddStrand(strand) => {
                check_strand(model, &strand)?;
                check_grips(model, state, &strand)?;
                strand.holds.iter().try_for_each(|h| there(model, state, h.anchor.body))?;
                let memory = StrandState::of(&strand);
                let id = model.strands.insert(*strand);
                state.strands.resize(model.strands.places(), StrandState::default());
                state.strands[id.index()] = memory;
                Ok(Edit::RemoveStrand(id))
            }
            Edit::RemoveStrand(id) => {
                let strand = model.strands.remove(id).ok_or_else(|| gone("strand", id))?;
                let memory = std::mem::take(&mut state.strands[id.index()]);
                Ok(Edit::RestoreStrand(id, Box::new((strand, memory))))
            }
            Edit::RestoreStrand(id, kept) => {
                check_strand(model, &kept.0)?;
                if !model.strands.restore(id, kept.0) {
                    return Err(EditError::Taken { id: format!("strand {id:?}") });
                }
                state.strands[id.index()] = kept.1;
                Ok(Edit::RemoveStrand(id))
            }
            Edit::ReplaceStrand(id, kept) => {
                check_strand(model, &kept.0)?;
                let slot = model.strands.get_mut(id).ok_or_else(|| gone("strand", id))?;
                let strand = std::mem::replace(slot, kept.0);
                let memory = std::mem::replace(&mut state.strands[id.index()], kept.1);
                Ok(Edit::ReplaceStrand(id, Box::new((strand, memory))))
            }
            Edit::MoveStrandTarget { strand: id, lead, target } => {
                let strand = model.strands.get_mut(id).ok_or_else(|| gone("strand", id))?;
                sound(&format!("a target of strand \"{}\"", strand.name), &target.to_array())?;
                let (name, count) = (&strand.name, strand.leads.len());
                let Some(led) = strand.leads.get_mut(lead) else {
                    let problem = format!("it has {count} leads, so there is no number {lead}");
                    return Err(EditError::Strand { name: name.clone(), problem });
                };
                let target = std::mem::replace(&mut led.target, target);
                Ok(Edit::MoveStrandTarget { strand: id, lead, target })
            }
            Edit::SetStrandLeads(id, leads) => {
                let strand = model.strands.get_mut(id).ok_or_else(|| gone("strand", id))?;
                let count = strand.points.len();
                if let Some(problem) = leads.iter().find_map(|l| l.problem(count)) {
                    return Err(EditError::Strand { name: strand.name.clone(), problem });
                }
                Ok(Edit::SetStrandLeads(id, std::mem::replace(&mut strand.leads, leads)))
            }
            _ => unreachable!("all other edits are in apply_one and apply_joint"),
        }
    }
}

fn check_strand(model: &Model, strand: &Strand) -> Result<(), EditError> {
    if let Some(problem) = strand.problem() {
        return Err(EditError::Strand { name: strand.name.clone(), problem });
    }
    for hold in &strand.holds {
        model.bodies.get(hold.anchor.body).ok_or_else(|| gone("body", hold.anchor.body))?;
        sound(&format!("a hold of strand \"{}\"", strand.name), &hold.anchor.at.to_array())?;
    }
    Ok(())
}

/// Points that are held must be where they are held, or the first step would tear at them.
fn check_grips(model: &Model, state: &State, strand: &Strand) -> Result<(), EditError> {
    for hold in &strand.holds {
        let away = model.frame(state, &hold.anchor).at.distance(strand.points[hold.point]);
        if !(away <= 1e-3 * strand.pitch()) {
            let problem = format!("point {} is {away} m from where it is held: lay it there", hold.point);
            return Err(EditError::Strand { name: strand.name.clone(), problem });
        }
    }
    Ok(())
}

/// Takes a body out of all strands: what it held is loose. Returns what puts it back.
fn let_go(model: &mut Model, state: &mut State, body: BodyId) -> Vec<Edit> {
    let mut undo = Vec::new();
    for place in 0..model.strands.places() {
        let Some(id) = model.strands.id(place) else { continue };
        let (Some(strand), s) = (model.strands.get_mut(id), &mut state.strands[place]) else { continue };
        let pulled = s.pulls.iter().any(|p| p.body as usize == body.index());
        if !pulled && strand.holds.iter().all(|h| h.anchor.body != body) {
            continue;
        }
        undo.push(Edit::ReplaceStrand(id, Box::new((strand.clone(), s.clone()))));
        let stays: Vec<bool> = strand.holds.iter().map(|h| h.anchor.body != body).collect();
        let mut kept = stays.iter();
        strand.holds.retain(|_| *kept.next().expect("one for each hold"));
        let mut kept = stays.iter();
        s.forces.retain(|_| *kept.next().expect("one for each hold"));
        s.pulls.retain(|p| p.body as usize != body.index());
    }
    undo
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
    undo.extend(let_go(model, state, id));
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

/// Lays a cable: all of it, or nothing.
fn add_cable(model: &mut Model, state: &mut State, laying: &Laying) -> Result<Edit, EditError> {
    let refused = |problem: String| EditError::Cable { name: laying.name.clone(), problem };
    if let Some(problem) = laying.problem() {
        return Err(refused(problem));
    }
    for anchor in laying.ends.iter().filter_map(|end| end.anchor()) {
        there(model, state, anchor.body)?;
    }
    let mut undo = Vec::new();
    match lay_cable(model, state, laying, &mut undo) {
        Ok(cable) => Ok(Edit::RemoveCable(model.cables.insert(cable))),
        Err(refusal) => {
            take_back(model, state, undo);
            Err(refusal)
        }
    }
}

/// Adds the elements and links of a cable, of all lengths they may have, keeping what undoes each.
fn lay_cable(
    model: &mut Model,
    state: &mut State,
    laying: &Laying,
    undo: &mut Vec<Edit>,
) -> Result<Cable, EditError> {
    let refused = || EditError::Cable { name: laying.name.clone(), problem: "its line has no length".into() };
    let n = laying.elements;
    let (deepest, shown) = laying.adaptive.map_or((0, 0), |rule| (rule.levels as usize, rule.laid(n)));
    // what is there at first lies right; elements of other lengths wait beside it
    let l = laying.lay(n >> shown).ok_or_else(refused)?.element / (1 << shown) as f64;
    let mut elements = Vec::with_capacity(deepest + 1);
    let mut lies = [DQuat::IDENTITY; 2];
    for level in 0..=deepest {
        let laid = laying.lay(n >> level).ok_or_else(refused)?;
        let length = l * (1 << level) as f64;
        if level == shown {
            lies = [laid.poses[0].1, laid.poses[laid.poses.len() - 1].1];
        }
        let mut own = Vec::with_capacity(laid.poses.len());
        for (number, (at, attitude)) in laid.poses.into_iter().enumerate() {
            let name = match level {
                0 => format!("{}[{number}]", laying.name),
                _ => format!("{}[{}..{}]", laying.name, number << level, (number + 1) << level),
            };
            let back = add_body(model, state, laying.element(name, length), at, attitude)?;
            let Edit::RemoveBody(id) = back else { unreachable!("adding a body is undone by removing it") };
            own.push(id);
            undo.push(back);
        }
        elements.push(own);
    }
    let grips = [0, 1].map(|k| cable::end_frame(model, state, &laying.ends[k], lies[k]));
    let mut ties = vec![Vec::new(); n + 1];
    // pairs of one level, and of one with the next
    let pairs = (0..=deepest).map(|j| [j, j]);
    let mixed = (1..=deepest).flat_map(|j| [[j - 1, j], [j, j - 1]]);
    for levels in pairs.chain(mixed) {
        for boundary in (0..=n).step_by(1 << levels[0].max(levels[1])) {
            let place = Place { boundary, levels, shown, element: l };
            if let Some(link) = tie(model, state, laying, (&elements, &grips), place, undo)? {
                ties[boundary].push(Tie { levels: levels.map(|j| j as u32), link });
            }
        }
    }
    for (level, own) in elements.iter().enumerate().filter(|(level, _)| *level != shown) {
        debug_assert_eq!(own.len(), n >> level);
        own.iter().for_each(|b| state.bodies[b.index()].absent = true);
    }
    let links = ties.iter().flat_map(|t| t.iter().filter(|t| t.levels == [0, 0])).map(|t| t.link).collect();
    let pool = laying.adaptive.map(|rule| Pool { rule, elements: elements.clone(), ties });
    let (name, section, ends) = (laying.name.clone(), laying.section, laying.ends);
    Ok(Cable { name, section, ends, element: l, elements: elements.swap_remove(0), links, pool })
}

/// Where a link goes.
struct Place {
    boundary: usize,
    levels: [usize; 2],
    /// The level that is there at first.
    shown: usize,
    /// Length of the finest element [m].
    element: f64,
}

/// Adds the link of two levels at a boundary of a cable; nothing at a free end, or for two levels at an end.
fn tie(
    model: &mut Model,
    state: &mut State,
    laying: &Laying,
    (elements, grips): (&[Vec<BodyId>], &[Option<Anchor>; 2]),
    place: Place,
    undo: &mut Vec<Edit>,
) -> Result<Option<JointId>, EditError> {
    let Place { boundary, levels, .. } = place;
    let half = levels.map(|j| 0.5 * place.element * (1 << j) as f64);
    let before = |j: usize| Anchor::point(elements[j][(boundary >> j) - 1], DVec3::Z * half[0]);
    let after = |j: usize| Anchor::point(elements[j][boundary >> j], DVec3::Z * -half[1]);
    let at_end = boundary == 0 || boundary == laying.elements;
    let (anchors, length, side) = match (at_end, boundary, grips) {
        (false, ..) => ([before(levels[0]), after(levels[1])], half[0] + half[1], Side::Within),
        (true, ..) if levels[0] != levels[1] => return Ok(None),
        (true, 0, [Some(grip), _]) => ([*grip, after(levels[1])], half[1], Side::Start),
        (true, 1.., [_, Some(grip)]) => ([before(levels[0]), *grip], half[0], Side::End),
        _ => return Ok(None),
    };
    let name = match levels {
        [0, 0] => {
            let number = boundary - usize::from(laying.ends[0] == End::Free);
            format!("{}.link[{number}]", laying.name)
        }
        [a, b] => format!("{}.link[{boundary}:{a},{b}]", laying.name),
    };
    let joint = laying.link(name, anchors, length, side);
    let back = Edit::AddJoint(Box::new(joint)).apply_joint(model, state)?;
    let Edit::RemoveJoint(id) = back else { unreachable!("adding a joint is undone by removing it") };
    undo.push(back);
    if laying.shaped
        && levels == [place.shown; 2]
        && let Some(Kind::Link(link)) = model.joints.get(id).map(|j| &j.kind)
    {
        let frames = link.anchors.map(|a| model.frame(state, &a));
        state.joints[id.index()].history = Wear::shaped(link.turned(&frames, &[]).1).numbers().to_vec();
    }
    Ok(Some(id))
}

fn remove_cable(model: &mut Model, state: &mut State, id: CableId) -> Result<Edit, EditError> {
    let cable = model.cables.remove(id).ok_or_else(|| gone("cable", id))?;
    let mut undo = vec![Edit::RestoreCable(id, Box::new(cable.clone()))];
    // what else was joined to it goes too; the last first, so that places are freed in the order they were taken
    for element in cable.bodies().rev() {
        if model.bodies.get(element).is_some() {
            undo.push(remove_body(model, state, element)?);
        }
    }
    undo.reverse();
    Ok(Edit::All(undo))
}

/// Cuts a link or joins its ends again. Where the link of another length stands for it, that one; inside an element the cut is
/// noted, and the next step splits the element there.
fn cut_link(model: &mut Model, state: &mut State, id: JointId, cut: bool) -> Result<Edit, EditError> {
    let id = model.link_now(state, id);
    let joint = model.joints.get(id).ok_or_else(|| gone("joint", id))?;
    let refused = |problem: String| EditError::Joint { name: joint.name.clone(), problem };
    let Kind::Link(link) = &joint.kind else {
        return Err(refused("it is no link of a cable, so it cannot be cut".to_string()));
    };
    let there = !link.anchors.iter().any(|a| state.bodies[a.body.index()].absent);
    if !cut && there && state.joints[id.index()].broken {
        let [a, b] = link.anchors.map(|anchor| model.frame(state, &anchor).at);
        let (gap, most) = (a.distance(b), 0.5 * model.finest(id).unwrap_or(link.length));
        if gap > most {
            let remedy = "bring them nearer, by a grab for example";
            return Err(refused(format!(
                "its ends are {gap:.3} m apart, to be spliced {most:.3} m at most: {remedy}"
            )));
        }
    }
    let memory = &mut state.joints[id.index()];
    let was = std::mem::replace(&mut memory.broken, cut);
    Ok(Edit::Cut { link: id, cut: was })
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
