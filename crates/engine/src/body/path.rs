//! Prescribed pose of a kinematic body, composed of motions.
//!
//! A kinematic body follows p(t) = (x, y, z) and q(t) = rot(n, θ(t)) q₀, so that
//!
//! ```text
//! v = ṗ        ω = n θ̇        a = p̈        α = n θ̈
//! ```

use super::motion::{Motion, MotionError};
use glam::{DQuat, DVec3};

/// Tolerance of the unit length of an axis or orientation.
const UNIT: f64 = 1e-9;

/// The pose of a kinematic body: a moving point, and a rotation about an axis fixed in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// World coordinates x, y and z of the body's origin (m).
    pub position: [Motion; 3],
    /// Axis of rotation, of unit length, in world axes.
    pub axis: DVec3,
    /// Angle of rotation about the axis (rad).
    pub angle: Motion,
    /// Orientation at angle 0.
    pub orientation: DQuat,
}

/// A path at one time, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathSample {
    /// Position of the body's origin (m).
    pub position: DVec3,
    /// Orientation.
    pub orientation: DQuat,
    /// Velocity of the body's origin (m/s).
    pub velocity: DVec3,
    /// Angular velocity (rad/s).
    pub angular_velocity: DVec3,
    /// Acceleration of the body's origin (m/s²).
    pub acceleration: DVec3,
    /// Angular acceleration (rad/s²).
    pub spin_rate: DVec3,
}

impl Path {
    /// Pose, velocities and accelerations at time `t` (s).
    #[must_use]
    pub fn at(&self, t: f64) -> PathSample {
        let [x, y, z] = [0, 1, 2].map(|axis| self.position[axis].at(t));
        let angle = self.angle.at(t);
        let turn = DQuat::from_axis_angle(self.axis, angle.value);
        PathSample {
            position: DVec3::new(x.value, y.value, z.value),
            orientation: (turn * self.orientation).normalize(),
            velocity: DVec3::new(x.speed, y.speed, z.speed),
            angular_velocity: self.axis * angle.speed,
            acceleration: DVec3::new(x.acceleration, y.acceleration, z.acceleration),
            spin_rate: self.axis * angle.acceleration,
        }
    }

    /// Whether every motion is valid, and axis and orientation have unit length.
    ///
    /// # Errors
    /// Names the first invalid field and its remedy.
    pub fn check(&self) -> Result<(), MotionError> {
        self.position.iter().try_for_each(Motion::check)?;
        self.angle.check()?;
        unit("axis", self.axis.length())?;
        unit("orientation", self.orientation.length())
    }
}

fn unit(key: &'static str, length: f64) -> Result<(), MotionError> {
    if (length - 1.0).abs() <= UNIT { Ok(()) } else { Err(MotionError::NotUnit { key, length }) }
}
