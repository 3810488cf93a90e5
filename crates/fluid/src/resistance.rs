//! Drag laws and the velocity before a step → matrix and wrench for the implicit step.
//!
//! Every law is a sum over points of −k (J u − U) with k ≥ 0 from the velocity before the step, J = [1, −[r]×] the map
//! from the velocity u = (v, ω) of the body at its centre of mass to that of the point, and U the velocity of the fluid:
//!
//! ```text
//! C = Σ Jᵀ k J      f = Σ Jᵀ k U + explicit forces      force in the step = f − C u⁺
//! (M + κ C) u⁺ = M u + κ (f + other forces)             κ the time for which forces act
//! ```
//!
//! C is symmetric and positive semidefinite, so drag alone never increases the energy, whatever the step. With u⁺ = u the
//! force is the plain law. As velocities are half a step before and after the force, c |w| w⁺ along w is centred:
//! 1/w⁺ = 1/w + κ c/m is the solution of m ẇ = −c w². Across w, where c |w| has no such symmetry, a share θ is taken
//! implicitly; it makes linear decay exp(−z) of the transverse part to second order:
//!
//! ```text
//! k = c |w| (e eᵀ + θ (1 − e eᵀ))      e = w/|w|      θ = 1/(1 − exp(−z)) − 1/z      z = κ c |w|/m
//! ```
//!
//! | file | content |
//! |---|---|
//! | `facet.rs` | laws per facet of a mesh: pressure and friction, projected area |
//! | `body.rs` | laws for whole bodies: isotropic, per axis, cylinder, linear damping |
//! | `line.rs` | a cylinder through the centre of mass, in its own axes: elements of cables |

mod body;
mod facet;
mod line;

use glam::{DMat3, DVec3};

use windlass_engine::body::spatial::{SpatialMatrix, cross_matrix};
use windlass_engine::math::outer;

pub use body::{AxisDrag, CylinderDrag, ImplicitShare, gauss_points};
pub use facet::{PressureLaw, ProjectedLaw};
pub(crate) use line::{LineAxes, LineMatrix, LineMotion, LineResistance};

/// Motion of a body before the step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Centre of mass [m].
    pub center: DVec3,
    /// Velocity of the centre of mass [m/s].
    pub velocity: DVec3,
    /// Angular velocity [rad/s].
    pub spin: DVec3,
}

impl Motion {
    /// Velocity of a point of the body [m/s].
    pub fn at(&self, point: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(point - self.center)
    }
}

/// Resistance of a body to motion: the fluid exerts (force, torque) − matrix · (v, ω).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resistance {
    /// C, in world axes about the centre of mass [N s/m, N s, N m s].
    pub matrix: SpatialMatrix,
    /// Explicit force, with that of the moving fluid [N].
    pub force: DVec3,
    /// Explicit torque about the centre of mass, with that of the moving fluid [N m].
    pub torque: DVec3,
}

impl Default for Resistance {
    fn default() -> Self {
        Self::ZERO
    }
}

impl Resistance {
    /// No resistance.
    pub const ZERO: Self = Self {
        matrix: SpatialMatrix { linear: DMat3::ZERO, coupling: DMat3::ZERO, angular: DMat3::ZERO },
        force: DVec3::ZERO,
        torque: DVec3::ZERO,
    };

    /// Force [N] and torque about the centre of mass [N m] at a velocity [m/s] and angular velocity [rad/s].
    pub fn wrench_at(&self, velocity: DVec3, spin: DVec3) -> (DVec3, DVec3) {
        let m = &self.matrix;
        (
            self.force - (m.linear * velocity + m.coupling * spin),
            self.torque - (m.coupling.transpose() * velocity + m.angular * spin),
        )
    }

    /// Adds the resistance of another part of the same body.
    pub fn add(&mut self, other: &Self) {
        self.matrix.linear += other.matrix.linear;
        self.matrix.coupling += other.matrix.coupling;
        self.matrix.angular += other.matrix.angular;
        self.force += other.force;
        self.torque += other.torque;
    }

    /// Adds an explicit force [N] at an arm from the centre of mass [m].
    #[inline]
    pub fn add_force(&mut self, arm: DVec3, force: DVec3) {
        self.force += force;
        self.torque += arm.cross(force);
    }

    /// Adds −k n nᵀ (w⁺ − U) at an arm from the centre of mass [m]; k ≥ 0 [N s/m], n a unit vector, U the flow [m/s].
    #[inline]
    pub fn add_along(&mut self, arm: DVec3, n: DVec3, k: f64, flow: DVec3) {
        let turn = arm.cross(n);
        let (kn, kt) = (k * n, k * turn);
        self.matrix.linear += outer(n, kn);
        self.matrix.coupling += outer(n, kt);
        self.matrix.angular += outer(turn, kt);
        let push = n.dot(flow);
        self.force += push * kn;
        self.torque += push * kt;
    }

    /// Adds −k (w⁺ − U) at an arm from the centre of mass [m]; k ≥ 0 [N s/m] in all directions, U the flow [m/s].
    #[inline]
    pub fn add_isotropic(&mut self, arm: DVec3, k: f64, flow: DVec3) {
        let kr = k * arm;
        self.matrix.linear += DMat3::from_diagonal(DVec3::splat(k));
        self.matrix.coupling -= cross_matrix(kr);
        self.matrix.angular += DMat3::from_diagonal(DVec3::splat(kr.dot(arm))) - outer(arm, kr);
        self.add_force(arm, k * flow);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    pub fn vector(range: f64) -> impl Strategy<Value = DVec3> {
        [-range..range, -range..range, -range..range].prop_map(DVec3::from_array)
    }

    pub fn motion() -> impl Strategy<Value = Motion> {
        (vector(2.0), vector(3.0), vector(4.0)).prop_map(|(center, velocity, spin)| Motion {
            center,
            velocity,
            spin,
        })
    }

    /// C is symmetric and u C u ≥ 0.
    pub fn check_matrix(r: &Resistance, v: DVec3, w: DVec3) {
        let m = &r.matrix;
        let size = m.linear.x_axis.length() + m.linear.y_axis.length() + m.linear.z_axis.length();
        let size = size + m.angular.x_axis.length() + m.angular.y_axis.length() + m.angular.z_axis.length();
        for b in [m.linear, m.angular] {
            assert!((b - b.transpose()).abs_diff_eq(DMat3::ZERO, 1e-14 * size));
        }
        let power = v.dot(m.linear * v) + 2.0 * v.dot(m.coupling * w) + w.dot(m.angular * w);
        assert!(power >= -1e-13 * size * (v.length_squared() + w.length_squared()), "{power}");
    }

    /// The force at the velocity before the step is that of the plain law.
    pub fn check_plain(r: &Resistance, motion: &Motion, forces: &[(DVec3, DVec3)]) {
        let (mut force, mut torque, mut size) = (DVec3::ZERO, DVec3::ZERO, 1e-9);
        for &(point, f) in forces {
            force += f;
            torque += (point - motion.center).cross(f);
            size += f.length() * (1.0 + (point - motion.center).length());
        }
        // terms that cancel where the fluid moves with the body
        size += r.force.length() + r.torque.length();
        let (f, t) = r.wrench_at(motion.velocity, motion.spin);
        assert!((f - force).length() < 1e-12 * size, "{f} {force}");
        assert!((t - torque).length() < 1e-12 * size, "{t} {torque}");
    }

    proptest! {
        #[test]
        fn points_are_j_k_j(m in motion(), arm in vector(1.0), n in vector(1.0), flow in vector(2.0)) {
            prop_assume!(n.length() > 0.1);
            let n = n.normalize();
            let point = m.center + arm;
            let w = m.at(point) - flow;
            let mut r = Resistance::ZERO;
            r.add_along(arm, n, 3.0, flow);
            check_plain(&r, &m, &[(point, -3.0 * n.dot(w) * n)]);
            check_matrix(&r, m.velocity, flow);
            let mut r = Resistance::ZERO;
            r.add_isotropic(arm, 3.0, flow);
            check_plain(&r, &m, &[(point, -3.0 * w)]);
            check_matrix(&r, m.velocity, flow);
        }
    }
}
