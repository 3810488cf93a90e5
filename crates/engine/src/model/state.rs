//! State: what steps change. Plain data that can be copied, hashed and written; a restored run continues bit for bit.
//!
//! Under `spook` velocities trail positions by `lag` (half a step once running): positions at t,
//! velocities at t − lag, as in the leapfrog scheme. `World::inspect` advances velocities to the instant of the
//! positions.
//!
//! Written by `integrate` (each step) and by `Edit` (when entries are added or removed) only.

use super::input::InputState;
use crate::body::BodyState;
use crate::body::collider::ColliderRef;
use crate::body::frame::Frame;
use crate::body::twist::Twist;
use crate::joint::constraint::ConstraintView;
use crate::row::BoundMode;
use crate::subsystem::{Part as SubsystemPart, Subsystem};
use glam::DVec3;

/// State of a joint.
#[derive(Debug, Default, PartialEq)]
pub struct JointState {
    /// Broken: it writes no rows any more.
    pub broken: bool,
    /// Last multiplier of each row, as force [N] or torque [N·m].
    pub forces: Vec<f64>,
    /// Last active-set status of each row.
    pub modes: Vec<BoundMode>,
    /// Last value of each coordinate [m or rad], unwrapped.
    pub coordinates: Vec<f64>,
    /// History variables of its constraint.
    pub history: Vec<f64>,
}

impl JointState {
    /// The input of its constraint at given frames and time.
    pub fn view<'a>(&'a self, frames: &'a [Frame], time: f64) -> ConstraintView<'a> {
        ConstraintView { frames, last: &self.coordinates, history: &self.history, time }
    }
}

/// Friction mode of a contact in the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactMode {
    /// No normal force.
    #[default]
    Open,
    /// Sticking: the sliding speed was below 1e-5 m/s.
    Stick,
    /// Sliding.
    Slip,
}

/// Resolution of `ContactState::blow`: the number of units that a snapshot can store.
pub(crate) const BLOW_PARTS: f64 = (1u64 << 29) as f64;

/// State of a contact point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactState {
    /// Its colliders, the lower first.
    pub parts: [ColliderRef; 2],
    /// Its identifier among the points of the pair.
    pub feature: u32,
    /// Its friction mode.
    pub grip: ContactMode,
    /// Its position [m].
    pub point: DVec3,
    /// Force on the second body [N].
    pub force: DVec3,
    /// Torque on the second body about the point [N·m].
    pub torque: DVec3,
    /// Whether it stuck at the friction limit: the next search for forces starts from sliding.
    pub brink: bool,
    /// Share of its force that was due to an impact, 0 to 1.
    pub blow: f64,
}

impl ContactState {
    /// The sort key of contacts.
    pub fn key(&self) -> ([ColliderRef; 2], u32) {
        (self.parts, self.feature)
    }
}

/// Everything that changes while a simulation runs.
#[derive(Debug, Default, PartialEq)]
pub struct State {
    /// Simulated time [s].
    pub time: f64,
    /// Steps taken.
    pub step: u64,
    /// By how much velocities trail positions [s].
    pub velocity_lag: f64,
    /// The internal step that an adaptive integrator tries next [s]; 0 before its first.
    pub next_internal_step: f64,
    /// By index in the model.
    pub bodies: Vec<BodyState>,
    /// By index in the model.
    pub joints: Vec<JointState>,
    /// The contact points of the last step, ascending by key.
    pub contacts: Vec<ContactState>,
    /// One part per subsystem of the model, in the order of their keys.
    pub parts: Vec<SubsystemPart>,
    /// By index in the model.
    pub inputs: Vec<InputState>,
}

impl State {
    /// Velocity and angular velocity of a body.
    #[inline]
    pub fn twist(&self, place: usize) -> Twist {
        let b = &self.bodies[place];
        Twist { velocity: b.velocity, angular_velocity: b.angular_velocity }
    }

    /// The state of a subsystem, if the model has it.
    pub fn part<S: Subsystem>(&self) -> Option<&S::State> {
        self.parts.iter().find_map(SubsystemPart::get::<S>)
    }

    /// The same, mutable.
    pub fn part_mut<S: Subsystem>(&mut self) -> Option<&mut S::State> {
        self.parts.iter_mut().find_map(SubsystemPart::get_mut::<S>)
    }
}

// Written out because a derived `clone_from` drops the old buffers: copying a state over another of the same
// model must not allocate.
impl Clone for State {
    fn clone(&self) -> State {
        let mut copy = State::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &State) {
        (self.time, self.step, self.velocity_lag, self.next_internal_step) =
            (other.time, other.step, other.velocity_lag, other.next_internal_step);
        self.bodies.clone_from(&other.bodies);
        self.joints.clone_from(&other.joints);
        self.contacts.clone_from(&other.contacts);
        self.parts.clone_from(&other.parts);
        self.inputs.clone_from(&other.inputs);
    }
}

impl Clone for JointState {
    fn clone(&self) -> JointState {
        let mut copy = JointState::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &JointState) {
        self.broken = other.broken;
        self.forces.clone_from(&other.forces);
        self.modes.clone_from(&other.modes);
        self.coordinates.clone_from(&other.coordinates);
        self.history.clone_from(&other.history);
    }
}
