//! Terms of a body's equations of motion that depend on its velocity after the step.
//!
//! ```text
//!  (K + H + κ C) u = p + κ f + q + Jᵀ Λ
//!  K = M + K_F   own and added mass      H u − q   resists a change of velocity      C   resistance
//! ```
//!
//! K is carried on: its momentum is that of the body and the fluid around it. H and C act in this step only. The
//! acceleration-level integrators use (K + H) u̇ = f − C u + ….

use crate::body::spatial::SpatialMatrix;
use crate::body::twist::{Twist, Wrench};
use glam::DVec3;

/// Terms of one body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyTerm {
    /// Index of the body.
    pub place: usize,
    /// Added mass whose momentum is carried on.
    pub added: Option<AddedMass>,
    /// H: world axes, about the centre of mass [kg, kg·m, kg·m²].
    pub inertia: SpatialMatrix,
    /// q: linear and angular [N·s, N·m·s].
    pub momentum: (DVec3, DVec3),
    /// C: world axes, about the centre of mass [N·s/m, N·s, N·m·s].
    pub resistance: SpatialMatrix,
    /// Velocity solved by the last step, relative to the stored one: they differ where added mass or inertia rotates.
    pub shift: Twist,
}

/// Added mass of a body, K_F: the inertia of the fluid that it sets in motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AddedMass {
    /// K_F in body axes, about the centre of mass [kg, kg·m, kg·m²].
    pub matrix: SpatialMatrix,
    /// The fraction of it that moved with the body before the step: below 1 while the body enters the fluid.
    pub carried: f64,
    /// Velocity of the fluid in the step, and the same before its particles were accelerated over κ [m/s].
    pub stream: [DVec3; 2],
    /// Acceleration of a particle of the fluid, for the acceleration-level integrators [m/s²].
    pub stream_rate: DVec3,
    /// Force of constraints in the last step [N].
    pub constraint_force: DVec3,
}

/// A body with terms after the solve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolvedTerm {
    /// Index of the body.
    pub place: u32,
    /// Its velocities after the kick, with which it drifts.
    pub twist: Twist,
    /// Its velocities at the instant of the positions.
    pub instant: Twist,
    /// The same after it has shared its momentum with the fluid that joins it in the step: energies are those of these
    /// velocities, since the fluid that joins had not moved with it before.
    pub joined: Twist,
    /// Its accelerations at that instant.
    pub acceleration: Twist,
    /// Force and torque of all constraints.
    pub constraint: Wrench,
    /// Force and torque of its terms: those that are not among the explicit loads.
    pub wrench: Wrench,
}

impl BodyTerm {
    /// Adds another term of the same body. Its added mass replaces that of this one.
    pub(super) fn add(&mut self, other: &BodyTerm) {
        self.added = other.added.or(self.added);
        self.inertia += other.inertia;
        self.momentum = (self.momentum.0 + other.momentum.0, self.momentum.1 + other.momentum.1);
        self.resistance += other.resistance;
        self.shift = if other.added.is_some() { other.shift } else { self.shift };
    }
}
