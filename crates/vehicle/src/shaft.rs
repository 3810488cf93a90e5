//! A rotating part → its spin relative to a housing, and the Jacobian blocks of the spin.
//!
//! ```text
//! ω = a·(ω_body − ω_housing)        a: axis of the shaft, fixed in the body
//! ```
//!
//! Spins are relative, so the housing gets the reaction of every torque.

use glam::DVec3;
use windlass_engine::prelude::{Anchor, BodyId, BodyState, Frame, JacobianBlock, View};

/// A body that rotates about an axis of its own in a housing: a shaft, or a driven wheel on its suspension.
#[derive(Clone, Debug, PartialEq)]
pub struct Shaft {
    /// Its name within the vehicle.
    pub name: String,
    /// The rotating body.
    pub body: BodyId,
    /// Axis of rotation, unit vector in the axes of the body.
    pub axis: DVec3,
    /// The body in which it rotates.
    pub housing: BodyId,
}

/// A shaft at a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spin {
    /// Axis in the world.
    axis: DVec3,
    /// Body and housing.
    frames: [Frame; 2],
    /// Spin [rad/s].
    pub speed: f64,
}

impl Shaft {
    /// Its spin relative to its housing [rad/s].
    pub fn speed(&self, bodies: &[BodyState]) -> f64 {
        let [body, housing] = [self.body, self.housing].map(|id| &bodies[id.index()]);
        (body.orientation * self.axis).dot(body.angular_velocity - housing.angular_velocity)
    }

    pub(crate) fn spin(&self, view: &View<'_>) -> Spin {
        Spin {
            axis: view.bodies.states[self.body.index()].orientation * self.axis,
            frames: [self.body, self.housing].map(|id| view.bodies.frame(&Anchor::point(id, DVec3::ZERO))),
            speed: self.speed(view.bodies.states),
        }
    }
}

impl Spin {
    /// The blocks of its spin times a factor.
    pub fn blocks(&self, factor: f64) -> [JacobianBlock; 2] {
        let [body, housing] = &self.frames;
        [body.spin(self.axis * factor), housing.spin(self.axis * -factor)]
    }
}
