//! Pairs of a linear and an angular vector, world axes: motion of a body, and load on it.

use glam::DVec3;

/// A velocity and an angular velocity; or their rates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Velocity of the centre of mass [m/s].
    pub velocity: DVec3,
    /// Angular velocity [rad/s].
    pub angular_velocity: DVec3,
}

impl Twist {
    /// The twist at a fraction of the way to another.
    pub fn lerp(self, other: Twist, part: f64) -> Twist {
        Twist {
            velocity: self.velocity + (other.velocity - self.velocity) * part,
            angular_velocity: self.angular_velocity + (other.angular_velocity - self.angular_velocity) * part,
        }
    }
}

/// A force and a torque.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// [N]
    pub force: DVec3,
    /// About the reference point, the centre of mass unless stated otherwise [N·m].
    pub torque: DVec3,
}
