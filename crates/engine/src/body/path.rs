//! The pose of a driven body, made of motions.
//!
//! A driven body follows p(t) = (x, y, z) and q(t) = rot(n, θ(t)) q₀, so that
//!
//! ```text
//! v = ṗ        ω = n θ̇        a = p̈        α = n θ̈
//! ```

use super::motion::{Motion, MotionError};
use glam::{DQuat, DVec3};

/// How far the length of an axis or attitude may be from one.
const UNIT: f64 = 1e-9;

/// The pose of a driven body: a point that moves, and a turn about an axis fixed in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// World coordinates x, y and z of the body's origin (m).
    pub position: [Motion; 3],
    /// Axis of the turn, of length one, in world axes.
    pub axis: DVec3,
    /// Angle turned about the axis (rad).
    pub angle: Motion,
    /// Attitude at angle 0.
    pub orientation: DQuat,
}

/// A path at one time, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathSample {
    /// Position of the body's origin (m).
    pub position: DVec3,
    /// Attitude.
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

    /// Whether every motion is sound, and axis and attitude are of length one.
    ///
    /// # Errors
    /// Names the first field at fault and its remedy.
    pub fn check(&self) -> Result<(), MotionError> {
        self.position.iter().try_for_each(Motion::check)?;
        self.angle.check()?;
        unit("axis", self.axis.length())?;
        unit("attitude", self.orientation.length())
    }
}

fn unit(key: &'static str, length: f64) -> Result<(), MotionError> {
    if (length - 1.0).abs() <= UNIT { Ok(()) } else { Err(MotionError::NotUnit { key, length }) }
}
