//! State: what steps change. Plain data: copy it, hash it, write it, and a run goes on to the bit.
//!
//! Under `spook` velocities trail positions by `lag` (half a step once running): positions at t,
//! velocities at t − lag, as in the leapfrog scheme. `World::inspect` brings both to the same instant.
//!
//! Written by `integrate` (each step) and by `Edit` (when entries come and go), by nothing else.

use super::frame::Frame;
use super::input::InputState;
use super::twist::{Twist, Wrench};
use crate::collide::Part;
use crate::constrain::Sight;
use crate::math;
use crate::strand::StrandState;
use glam::{DQuat, DVec3};

/// Pose and velocity of one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Centre of mass in the world [m].
    pub position: DVec3,
    /// Attitude of the body's axes; a unit quaternion.
    pub attitude: DQuat,
    /// Velocity of the centre of mass [m/s].
    pub velocity: DVec3,
    /// Angular velocity in world axes [rad/s].
    pub spin: DVec3,
    /// How long it has been still [s].
    pub still: f64,
    /// Whether it sleeps: it is not stepped until something wakes its island.
    pub asleep: bool,
    /// Whether it is not there at all: an element of a cable that others stand for (`world/pool.rs`). It neither moves nor
    /// touches, and joints that grip it hold nothing.
    pub absent: bool,
    /// The explicit forces on it in the last step; a change wakes it.
    pub load: Wrench,
    /// The torque of constraints on it in the last step [N·m]: the next predicts its midpoint attitude with it.
    pub held: DVec3,
}

impl BodyState {
    /// At rest at a place.
    pub fn at(position: DVec3, attitude: DQuat) -> BodyState {
        BodyState {
            position,
            attitude,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            still: 0.0,
            asleep: false,
            absent: false,
            load: Wrench::default(),
            held: DVec3::ZERO,
        }
    }

    /// Pose and velocity as plain numbers: x, q (x, y, z, w), v, ω.
    pub fn numbers(&self) -> [f64; 13] {
        let (x, q, v, w) = (self.position, self.attitude, self.velocity, self.spin);
        [x.x, x.y, x.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z]
    }

    /// Takes numbers over, the quaternion made unit.
    pub fn set_numbers(&mut self, n: &[f64; 13]) {
        self.position = DVec3::from_slice(&n[0..]);
        self.attitude = math::unit(DQuat::from_slice(&n[3..]));
        self.velocity = DVec3::from_slice(&n[7..]);
        self.spin = DVec3::from_slice(&n[10..]);
    }

    /// Whether every number is finite and no larger than 1e10 (beyond any machine; MuJoCo's watchdog bound).
    pub fn is_sound(&self) -> bool {
        // a maximum would pass over NaN
        let small = |v: DVec3| v.abs().cmplt(DVec3::splat(1e10)).all();
        small(self.position) && small(self.velocity) && small(self.spin) && self.attitude.is_finite()
    }
}

impl Default for BodyState {
    fn default() -> Self {
        BodyState::at(DVec3::ZERO, DQuat::IDENTITY)
    }
}

/// Where a bounded row's multiplier stood after the last solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Between its bounds: the row's equation holds.
    #[default]
    Between,
    /// At the lower bound.
    Low,
    /// At the upper bound.
    High,
}

/// What the next step must know of a joint.
#[derive(Debug, Default, PartialEq)]
pub struct JointState {
    /// It broke: it writes no rows any more.
    pub broken: bool,
    /// Last multiplier of each row, as force [N] or torque [N·m].
    pub forces: Vec<f64>,
    /// Last place of each multiplier against its bounds.
    pub modes: Vec<Mode>,
    /// Last value of each coordinate [m or rad], turns counted.
    pub coordinates: Vec<f64>,
    /// What was done to it, in numbers of its own.
    pub history: Vec<f64>,
}

impl JointState {
    /// What its constraint sees at frames and a time.
    pub fn sight<'a>(&'a self, frames: &'a [Frame], time: f64) -> Sight<'a> {
        Sight { frames, last: &self.coordinates, history: &self.history, time }
    }
}

/// What a contact's friction did in the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grip {
    /// The surfaces did not press.
    #[default]
    Open,
    /// It held: the surfaces slid by less than 1e-5 m/s.
    Stick,
    /// It slid.
    Slip,
}

/// A blow is a whole number of such parts of a force: what a snapshot has room for.
pub(crate) const BLOW_PARTS: f64 = (1u64 << 29) as f64;

/// What the next step must know of a contact point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactState {
    /// Its colliders, the lower first.
    pub parts: [Part; 2],
    /// Its name among the points of the pair.
    pub feature: u32,
    /// What its friction did.
    pub grip: Grip,
    /// Where it was [m].
    pub point: DVec3,
    /// Force on the second body [N].
    pub force: DVec3,
    /// Torque on the second body about the point [N·m].
    pub torque: DVec3,
    /// Whether it held with all that friction bears: the next search for forces starts as if it slid.
    pub brink: bool,
    /// What part of its force was a blow and is over, 0 to 1.
    pub blow: f64,
}

impl ContactState {
    /// In what order contacts are kept.
    pub fn key(&self) -> ([Part; 2], u32) {
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
    pub lag: f64,
    /// The internal step an adaptive stepper will try next [s]; 0 before its first.
    pub pace: f64,
    /// By place in the model.
    pub bodies: Vec<BodyState>,
    /// By place in the model.
    pub joints: Vec<JointState>,
    /// The contact points of the last step, ascending by key.
    pub contacts: Vec<ContactState>,
    /// By place in the model.
    pub strands: Vec<StrandState>,
    /// By place in the model.
    pub inputs: Vec<InputState>,
}

impl State {
    /// Velocity and spin of a body.
    #[inline]
    pub fn twist(&self, place: usize) -> Twist {
        let b = &self.bodies[place];
        Twist { velocity: b.velocity, spin: b.spin }
    }
}

// Written out because a derived `clone_from` throws the old memory away: copying a state over another of the same
// model must not allocate.
impl Clone for State {
    fn clone(&self) -> State {
        let mut copy = State::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &State) {
        (self.time, self.step, self.lag, self.pace) = (other.time, other.step, other.lag, other.pace);
        self.bodies.clone_from(&other.bodies);
        self.joints.clone_from(&other.joints);
        self.contacts.clone_from(&other.contacts);
        self.strands.clone_from(&other.strands);
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
