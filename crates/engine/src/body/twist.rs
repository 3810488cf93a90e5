//! Pairs of a linear and an angular vector, world axes: how a body moves, and what pushes it.

use glam::DVec3;

/// A velocity and a spin; or their rates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Of the centre of mass [m/s].
    pub velocity: DVec3,
    /// Angular [rad/s].
    pub angular_velocity: DVec3,
}

/// A force and a torque.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// [N]
    pub force: DVec3,
    /// About the point meant, the centre of mass unless said otherwise [N·m].
    pub torque: DVec3,
}
