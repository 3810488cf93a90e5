//! A rigid body: mass properties and motion type.
//!
//! The origin of a body's own frame is chosen by the user. The state stores the position of its centre of mass
//! and the orientation of that frame.

pub mod collider;
pub mod frame;
pub mod hull;
pub mod inertia;
pub mod mass;
pub mod motion;
pub mod path;
pub mod points;
pub mod shape;
pub mod spatial;
pub mod twist;

use crate::math;
use crate::settings::Solver;
use crate::slots::{Slots, tag};
use collider::Collider;
use frame::{Anchor, FAST_SPIN, Frame};
use glam::{DQuat, DVec3};
use mass::Mass;
use path::Path;
use twist::{Twist, Wrench};

/// Motion type of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum MotionType {
    /// Static: never moves.
    Static,
    /// Kinematic: follows a prescribed motion of its frame, whatever forces act.
    Kinematic(Box<Path>),
    /// Dynamic: moved by forces.
    Dynamic,
    /// An element of a catenary (`cable/catenary_bodies.rs`): its pose follows from the cable's ends, whatever forces
    /// act.
    Catenary,
}

/// Pose and motion of a kinematic body at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KinematicPose {
    /// Centre of mass [m].
    pub position: DVec3,
    /// Orientation of its frame.
    pub orientation: DQuat,
    /// Velocity and angular velocity.
    pub twist: Twist,
    /// Linear and angular acceleration.
    pub rate: Twist,
}

/// Damping of the motion of a dynamic body relative to the world:
///
///   F = −α m v        τ = −β I ω
///
/// With nothing else acting the velocity is v₀ e^(−αt), and the angular momentum L₀ e^(−βt).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Damping {
    /// α [1/s].
    pub linear: f64,
    /// β [1/s].
    pub angular: f64,
}

impl Damping {
    /// Whether it is nonzero.
    pub fn acts(&self) -> bool {
        self.linear > 0.0 || self.angular > 0.0
    }
}

/// A rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Its name in reports and scenes.
    pub name: String,
    /// Motion type.
    pub kind: MotionType,
    /// Mass, centre of mass and inertia. Without effect unless dynamic.
    pub mass: Mass,
    /// Whether gravity acts on it.
    pub gravity: bool,
    /// Damping of its motion. Without effect unless dynamic.
    pub damping: Damping,
    /// Its collision shapes.
    pub colliders: Vec<Collider>,
    /// Solver of its partition; the world's setting if none. If several are given, the most accurate is used.
    pub solver: Option<Solver>,
    /// Bodies of different numbers are solved as different partitions even if a joint connects them; forces between
    /// them are then iterated.
    pub partition: u16,
}

impl Body {
    /// A dynamic body.
    pub fn dynamic(name: impl Into<String>, mass: Mass) -> Body {
        Body { kind: MotionType::Dynamic, mass, gravity: true, ..Body::fixed(name) }
    }

    /// A static body, such as the ground.
    pub fn fixed(name: impl Into<String>) -> Body {
        Body {
            name: name.into(),
            kind: MotionType::Static,
            mass: Mass::point(1.0),
            gravity: false,
            damping: Damping::default(),
            colliders: Vec::new(),
            solver: None,
            partition: 0,
        }
    }

    /// A kinematic body that follows a path.
    pub fn kinematic(name: impl Into<String>, path: Path) -> Body {
        Body { kind: MotionType::Kinematic(Box::new(path)), ..Body::fixed(name) }
    }

    /// The same with a collision shape.
    pub fn with_collider(mut self, collider: Collider) -> Body {
        self.colliders.push(collider);
        self
    }

    /// Pose and motion of the centre of mass of a kinematic body on its path.
    pub fn carried(&self, time: f64) -> Option<KinematicPose> {
        let MotionType::Kinematic(path) = &self.kind else { return None };
        let at = path.at(time);
        let arm = at.orientation * self.mass.center;
        let velocity = at.velocity + at.angular_velocity.cross(arm);
        let acceleration = at.acceleration
            + at.spin_rate.cross(arm)
            + at.angular_velocity.cross(at.angular_velocity.cross(arm));
        Some(KinematicPose {
            position: at.position + arm,
            orientation: at.orientation,
            twist: Twist { velocity, angular_velocity: at.angular_velocity },
            rate: Twist { velocity: acceleration, angular_velocity: at.spin_rate },
        })
    }

    /// ½ m v² + ½ ω·Iω in a state [J].
    pub fn kinetic_energy(&self, state: &BodyState) -> f64 {
        let spin = state.orientation.inverse() * state.angular_velocity;
        0.5 * (self.mass.mass * state.velocity.length_squared() + spin.dot(self.mass.inertia * spin))
    }

    /// −m g·x in a state [J].
    pub fn potential_energy(&self, gravity: DVec3, state: &BodyState) -> f64 {
        if self.gravity { -self.mass.mass * gravity.dot(state.position) } else { 0.0 }
    }

    /// Whether it is dynamic.
    pub fn is_dynamic(&self) -> bool {
        matches!(self.kind, MotionType::Dynamic)
    }
}

/// Pose and velocity of one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Centre of mass in the world [m].
    pub position: DVec3,
    /// Orientation of the body's axes; a unit quaternion.
    pub orientation: DQuat,
    /// Velocity of the centre of mass [m/s].
    pub velocity: DVec3,
    /// Angular velocity in world axes [rad/s].
    pub angular_velocity: DVec3,
    /// How long it has been at rest [s].
    pub rest_time: f64,
    /// Whether it sleeps: it is not integrated until its island is woken.
    pub asleep: bool,
    /// Whether it is absent: an element of a cable represented by others (`cable/multiresolution.rs`). It neither moves
    /// nor collides, and joints attached to it exert no force.
    pub inactive: bool,
    /// The explicit forces on it in the last step; a change wakes the body.
    pub load: Wrench,
    /// The constraint torque on it in the last step [N·m], from which the next step predicts its midpoint orientation.
    pub constraint_torque: DVec3,
}

impl BodyState {
    /// At rest at a position and orientation.
    pub fn at(position: DVec3, orientation: DQuat) -> BodyState {
        BodyState {
            position,
            orientation,
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            rest_time: 0.0,
            asleep: false,
            inactive: false,
            load: Wrench::default(),
            constraint_torque: DVec3::ZERO,
        }
    }

    /// Pose and velocity as plain numbers: x, q (x, y, z, w), v, ω.
    pub fn numbers(&self) -> [f64; 13] {
        let (x, q, v, w) = (self.position, self.orientation, self.velocity, self.angular_velocity);
        [x.x, x.y, x.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z]
    }

    /// Sets pose and velocity from numbers and normalises the quaternion.
    pub fn set_numbers(&mut self, n: &[f64; 13]) {
        self.position = DVec3::from_slice(&n[0..]);
        self.orientation = math::unit(DQuat::from_slice(&n[3..]));
        self.velocity = DVec3::from_slice(&n[7..]);
        self.angular_velocity = DVec3::from_slice(&n[10..]);
    }

    /// Whether every number is finite and no larger than 1e10 (beyond any machine; MuJoCo's watchdog bound).
    pub fn is_finite(&self) -> bool {
        // a maximum would pass over NaN
        let small = |v: DVec3| v.abs().cmplt(DVec3::splat(1e10)).all();
        small(self.position)
            && small(self.velocity)
            && small(self.angular_velocity)
            && self.orientation.is_finite()
    }
}

/// An anchor in world coordinates, for a step. Its body must exist.
///
/// Always inlined: a frame that is returned and then copied into a list suffers a store-forwarding stall.
#[inline(always)]
pub(crate) fn frame_of(
    bodies: &Slots<Body, tag::Body>,
    states: &[BodyState],
    anchor: &Anchor,
    dt: f64,
) -> Frame {
    let body = bodies.at(anchor.body.index()).expect("an anchor's body goes only with its joints");
    let s = &states[anchor.body.index()];
    Frame {
        body: anchor.body.index,
        center: s.position,
        at: s.position + s.orientation * (anchor.at - body.mass.center),
        orientation: s.orientation * anchor.turn,
        free: body.is_dynamic(),
        spins: dt * dt * s.angular_velocity.length_squared() > FAST_SPIN * FAST_SPIN,
    }
}

impl Default for BodyState {
    fn default() -> Self {
        BodyState::at(DVec3::ZERO, DQuat::IDENTITY)
    }
}
