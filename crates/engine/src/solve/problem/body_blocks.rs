//! The bodies of an island: mass matrix M̃ and right-hand side p of their block of the system.
//!
//!   M̃ = diag(m 1, I),   I the inertia half a step ahead, plus the geometric stiffness of cables
//!
//! The blocks of rigid bodies are a mass and an inertia. An island in which a body has added mass, resistance or other
//! terms of `load/term.rs` has general 6 × 6 blocks as well; its rigid blocks are then the nearest ones, for estimates.
//! Other modules use only products with M̃.

use super::reuse::refilled;
use crate::body::frame::JacobianBlock;
use crate::body::spatial::SpatialMatrix;
use crate::body::twist::Twist;
use crate::force::free_motion::FreeMotion;
use glam::{DMat3, DVec3};

/// Mass and inertia of a rigid body [kg, kg·m²].
#[derive(Clone, Copy, Debug, Default)]
pub struct RigidBlock {
    /// Mass.
    pub mass: f64,
    /// Inertia in world axes about the centre of mass.
    pub inertia: DMat3,
}

/// Masses and momenta of an island's bodies.
#[derive(Debug, Default)]
pub struct BodyBlocks {
    /// By local body.
    blocks: Vec<RigidBlock>,
    /// By local body; empty if all blocks are rigid.
    general: Vec<SpatialMatrix>,
    /// Right-hand side of the bodies, 6 per body.
    pub momentum: Vec<f64>,
    /// Largest speed that the bodies would have without constraints: the scale of rates.
    pub speed_scale: f64,
}

impl BodyBlocks {
    /// For so many bodies, reusing the memory of others.
    pub(super) fn new(bodies: usize, old: BodyBlocks) -> BodyBlocks {
        BodyBlocks {
            blocks: refilled(old.blocks, bodies, RigidBlock { mass: 0.0, inertia: DMat3::ZERO }),
            general: refilled(old.general, 0, SpatialMatrix::ZERO),
            momentum: refilled(old.momentum, 6 * bodies, 0.0),
            speed_scale: 0.0,
        }
    }

    /// Loads masses and momenta of the bodies at these indices.
    pub(super) fn load(&mut self, places: &[u32], free: &FreeMotion) {
        self.speed_scale = 1e-300;
        for (i, body) in places.iter().enumerate() {
            let body = *body as usize;
            let inertial = &free.inertial[body];
            // for the angular velocity the magnitude of I suffices: a third of its trace
            let size = inertial.moments.element_sum();
            let speed = free.linear[body].abs().max_element() / inertial.mass;
            let spin = 3.0 * free.angular[body].abs().max_element() / size;
            self.speed_scale = self.speed_scale.max(speed).max(spin);
            self.blocks[i] = RigidBlock { mass: free.inertial[body].mass, inertia: free.inertia[body] };
            free.linear[body].write_to_slice(&mut self.momentum[6 * i..]);
            free.angular[body].write_to_slice(&mut self.momentum[6 * i + 3..]);
        }
        self.load_general(places, free);
    }

    /// Loads general blocks, if a body has one.
    fn load_general(&mut self, places: &[u32], free: &FreeMotion) {
        self.general.clear();
        if places.iter().all(|body| free.general(*body as usize).is_none()) {
            return;
        }
        for (i, body) in places.iter().enumerate() {
            let RigidBlock { mass, inertia } = self.blocks[i];
            let general = match free.general(*body as usize) {
                Some(general) => general.matrix,
                None => SpatialMatrix::rigid(mass, inertia),
            };
            let linear = general.linear;
            let mass = (linear.x_axis.x + linear.y_axis.y + linear.z_axis.z) / 3.0;
            self.blocks[i] = RigidBlock { mass, inertia: general.angular };
            self.general.push(general);
        }
    }

    /// Whether its blocks are general.
    pub fn is_general(&self) -> bool {
        !self.general.is_empty()
    }

    /// Adds an angular term to the block of a body and to its right-hand side.
    pub fn add_angular(&mut self, i: usize, inertia: DMat3, momentum: DVec3) {
        self.blocks[i].inertia += inertia;
        if let Some(general) = self.general.get_mut(i) {
            general.angular += inertia;
        }
        let own = &mut self.momentum[6 * i + 3..6 * i + 6];
        (DVec3::from_slice(own) + momentum).write_to_slice(own);
    }

    /// Writes the block of a body as columns.
    #[inline]
    pub(super) fn write(&self, i: usize, d: &mut [[f64; 6]; 6]) {
        if let Some(general) = self.general.get(i) {
            *d = general.to_rows();
            return;
        }
        let RigidBlock { mass, inertia } = &self.blocks[i];
        for k in 0..3 {
            let [x, y, z] = inertia.col(k).to_array();
            d[k] = [0.0; 6];
            d[k][k] = *mass;
            d[k + 3] = [0.0, 0.0, 0.0, x, y, z];
        }
    }

    /// M̃ u of a body, as linear and angular momentum.
    #[inline]
    pub fn apply(&self, i: usize, u: Twist) -> (DVec3, DVec3) {
        if let Some(general) = self.general.get(i) {
            return general.apply(u);
        }
        let RigidBlock { mass, inertia } = &self.blocks[i];
        (u.velocity * *mass, *inertia * u.angular_velocity)
    }

    /// Adds J M̃⁻¹ Jᵀ of a row's block on a body to a sum of mobilities.
    pub fn mobility(&self, i: usize, block: &JacobianBlock, sum: f64) -> f64 {
        if let Some(general) = self.general.get(i) {
            let moved = general.inverse_times((block.linear, block.angular));
            return sum + block.linear.dot(moved.velocity) + block.angular.dot(moved.angular_velocity);
        }
        let RigidBlock { mass, inertia } = &self.blocks[i];
        sum + block.linear.length_squared() / mass + block.angular.dot(inertia.inverse() * block.angular)
    }

    /// M̃⁻¹ p of a body, p given as linear and angular momentum.
    pub fn inverse_times(&self, i: usize, (linear, angular): (DVec3, DVec3)) -> Twist {
        if let Some(general) = self.general.get(i) {
            return general.inverse_times((linear, angular));
        }
        let RigidBlock { mass, inertia } = &self.blocks[i];
        Twist { velocity: linear / *mass, angular_velocity: inertia.inverse() * angular }
    }

    /// dᵀ (M̃ u − p) and dᵀ M̃ d of velocities u and a change d of them.
    pub fn slope(&self, u: &[f64], d: &[f64]) -> [f64; 2] {
        let mut slope = [0.0; 2];
        for i in 0..self.blocks.len() {
            let (at, change) = (twist_of(&u[6 * i..]), twist_of(&d[6 * i..]));
            let ((p, l), (dp, dl)) = (self.apply(i, at), self.apply(i, change));
            let p = p - DVec3::from_slice(&self.momentum[6 * i..]);
            let l = l - DVec3::from_slice(&self.momentum[6 * i + 3..]);
            slope[0] += change.velocity.dot(p) + change.angular_velocity.dot(l);
            slope[1] += change.velocity.dot(dp) + change.angular_velocity.dot(dl);
        }
        slope
    }

    /// The rigid blocks: for a method that supports no others, and for estimates.
    #[inline]
    pub fn rigid(&self) -> &[RigidBlock] {
        &self.blocks
    }
}

/// Six numbers as a velocity and an angular velocity.
pub(in crate::solve) fn twist_of(x: &[f64]) -> Twist {
    Twist { velocity: DVec3::from_slice(x), angular_velocity: DVec3::from_slice(&x[3..]) }
}
