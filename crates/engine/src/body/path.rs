//! Prescribed pose of a kinematic body, composed of motions.
//!
//! A kinematic body follows p(t) = (x, y, z) and q(t) = rot(n₁, θ₁(t)) rot(n₂, θ₂(t)) … q₀. From the last rotation to the
//! first, with R = rot(n, θ) and ω', α' those of the rotations after it,
//!
//! ```text
//! v = ṗ        ω = n θ̇ + R ω'        a = p̈        α = n θ̈ + R α' + n θ̇ × R ω'
//! ```

use super::motion::{Motion, MotionError};
use glam::{DQuat, DVec3};

/// Tolerance of the unit length of an axis or orientation.
const UNIT: f64 = 1e-9;

/// The pose of a kinematic body: a moving point, and rotations, each about an axis that the ones before it carry along.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// World coordinates x, y and z of the body's origin (m).
    pub position: [Motion; 3],
    /// Rotations, the first about an axis fixed in the world.
    pub rotations: Vec<PathRotation>,
    /// Orientation while all angles are 0.
    pub orientation: DQuat,
}

/// A rotation about an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct PathRotation {
    /// Axis, of unit length, in world axes while the angles of the rotations before it are 0.
    pub axis: DVec3,
    /// Angle (rad).
    pub angle: Motion,
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
        let (mut orientation, mut spin, mut spin_rate) = (self.orientation, DVec3::ZERO, DVec3::ZERO);
        for PathRotation { axis, angle } in self.rotations.iter().rev() {
            let angle = angle.at(t);
            let turn = DQuat::from_axis_angle(*axis, angle.value);
            let (own, inner) = (*axis * angle.speed, turn * spin);
            spin_rate = *axis * angle.acceleration + turn * spin_rate + own.cross(inner);
            spin = own + inner;
            orientation = turn * orientation;
        }
        PathSample {
            position: DVec3::new(x.value, y.value, z.value),
            orientation: orientation.normalize(),
            velocity: DVec3::new(x.speed, y.speed, z.speed),
            angular_velocity: spin,
            acceleration: DVec3::new(x.acceleration, y.acceleration, z.acceleration),
            spin_rate,
        }
    }

    /// Whether every motion is valid, and axes and orientation have unit length.
    ///
    /// # Errors
    /// Names the first invalid field and its remedy.
    pub fn check(&self) -> Result<(), MotionError> {
        self.position.iter().try_for_each(Motion::check)?;
        for PathRotation { axis, angle } in &self.rotations {
            angle.check()?;
            unit("axis", axis.length())?;
        }
        unit("orientation", self.orientation.length())
    }
}

fn unit(key: &'static str, length: f64) -> Result<(), MotionError> {
    if (length - 1.0).abs() <= UNIT { Ok(()) } else { Err(MotionError::NotUnit { key, length }) }
}
