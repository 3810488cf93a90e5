//! Symmetric 6 × 6 matrices of a body: generalised mass, added mass, resistance to motion.
//!
//! ```text
//!  [ P ]   [ A   B ] [ v ]
//!  [ L ] = [ Bᵀ  D ] [ ω ]        about the centre of mass
//! ```

use super::twist::Twist;
use crate::math;
use glam::{DMat3, DVec3};
use std::ops::{Add, Mul};

/// A symmetric 6 × 6 matrix that acts on a velocity and an angular velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpatialMatrix {
    /// A: force by velocity.
    pub linear: DMat3,
    /// B: force by angular velocity; its transpose is torque by velocity.
    pub coupling: DMat3,
    /// D: torque by angular velocity.
    pub angular: DMat3,
}

impl Default for SpatialMatrix {
    /// Zero, unlike the identity that is the default of `DMat3`.
    fn default() -> SpatialMatrix {
        SpatialMatrix::ZERO
    }
}

impl SpatialMatrix {
    /// All zero.
    pub const ZERO: SpatialMatrix =
        SpatialMatrix { linear: DMat3::ZERO, coupling: DMat3::ZERO, angular: DMat3::ZERO };

    /// That of a rigid body.
    pub fn rigid(mass: f64, inertia: DMat3) -> SpatialMatrix {
        let linear = DMat3::from_diagonal(DVec3::splat(mass));
        SpatialMatrix { linear, coupling: DMat3::ZERO, angular: inertia }
    }

    /// Six numbers on its diagonal.
    pub fn diagonal(linear: DVec3, angular: DVec3) -> SpatialMatrix {
        let [linear, angular] = [linear, angular].map(DMat3::from_diagonal);
        SpatialMatrix { linear, coupling: DMat3::ZERO, angular }
    }

    /// Jᵀ k J of a symmetric 3 × 3 matrix k that acts at a point, J = [1, −[r]×] with r the point from the reference
    /// point.
    pub fn at_point(k: DMat3, r: DVec3) -> SpatialMatrix {
        let coupling = k * cross_matrix(-r);
        SpatialMatrix { linear: k, coupling, angular: cross_matrix(r) * coupling }
    }

    /// The same quantity in other axes: R K Rᵀ.
    pub fn rotated(&self, r: &DMat3) -> SpatialMatrix {
        let coupling = *r * self.coupling * r.transpose();
        SpatialMatrix {
            linear: math::rotated(r, &self.linear),
            coupling,
            angular: math::rotated(r, &self.angular),
        }
    }

    /// The same quantity about another point, given the vector from it to the present reference point.
    pub fn moved(&self, r: DVec3) -> SpatialMatrix {
        // velocity of the present point: v − [r]× ω
        let cross = cross_matrix(r);
        let coupling = self.coupling - self.linear * cross;
        let mixed = cross * self.coupling;
        let angular = self.angular + mixed + mixed.transpose() - cross * self.linear * cross;
        SpatialMatrix { linear: self.linear, coupling, angular }
    }

    /// K u, as a linear and an angular vector.
    #[inline]
    pub fn apply(&self, u: Twist) -> (DVec3, DVec3) {
        let Twist { velocity: v, angular_velocity: w } = u;
        (self.linear * v + self.coupling * w, self.coupling.transpose() * v + self.angular * w)
    }

    /// K⁻¹ p of a positive definite matrix.
    pub fn inverse_times(&self, (p, l): (DVec3, DVec3)) -> Twist {
        // eliminate the velocity: S = D − Bᵀ A⁻¹ B
        let inverse = self.linear.inverse();
        let carried = inverse * self.coupling;
        let schur = self.angular - self.coupling.transpose() * carried;
        let angular_velocity = schur.inverse() * (l - carried.transpose() * p);
        Twist { velocity: inverse * p - carried * angular_velocity, angular_velocity }
    }

    /// Its columns.
    pub fn columns(&self) -> [[f64; 6]; 6] {
        let column = |a: DVec3, b: DVec3| [a.x, a.y, a.z, b.x, b.y, b.z];
        let upper = self.coupling.transpose();
        let k = |k: usize| column(self.linear.col(k), upper.col(k));
        let l = |k: usize| column(self.coupling.col(k), self.angular.col(k));
        [k(0), k(1), k(2), l(0), l(1), l(2)]
    }

    /// Whether all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.linear.is_finite() && self.coupling.is_finite() && self.angular.is_finite()
    }
}

impl Add for SpatialMatrix {
    type Output = SpatialMatrix;

    fn add(self, o: SpatialMatrix) -> SpatialMatrix {
        SpatialMatrix {
            linear: self.linear + o.linear,
            coupling: self.coupling + o.coupling,
            angular: self.angular + o.angular,
        }
    }
}

impl Mul<f64> for SpatialMatrix {
    type Output = SpatialMatrix;

    fn mul(self, f: f64) -> SpatialMatrix {
        SpatialMatrix { linear: self.linear * f, coupling: self.coupling * f, angular: self.angular * f }
    }
}

/// [r]×, so that [r]× u = r × u.
pub fn cross_matrix(r: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, r.z, -r.y), DVec3::new(-r.z, 0.0, r.x), DVec3::new(r.y, -r.x, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> SpatialMatrix {
        let points = [(1.0, DVec3::new(0.3, -0.2, 0.5)), (2.0, DVec3::new(-0.4, 0.1, 0.2)), (0.5, DVec3::Y)];
        points.into_iter().fold(SpatialMatrix::rigid(0.3, DMat3::IDENTITY * 0.1), |sum, (k, r)| {
            let n = (r + DVec3::X).normalize();
            sum + SpatialMatrix::at_point(math::outer(n, n) * k, r)
        })
    }

    fn close(a: (DVec3, DVec3), b: (DVec3, DVec3)) -> bool {
        (a.0 - b.0).length() + (a.1 - b.1).length() < 1e-12
    }

    #[test]
    fn a_resistance_at_a_point_resists_the_velocity_of_that_point() {
        let (k, r) = (DMat3::from_diagonal(DVec3::new(1.0, 2.0, 3.0)), DVec3::new(0.3, -0.7, 0.2));
        let u = Twist { velocity: DVec3::new(1.0, 0.5, -2.0), angular_velocity: DVec3::new(0.2, -1.0, 0.4) };
        let force = k * (u.velocity + u.angular_velocity.cross(r));
        assert!(close(SpatialMatrix::at_point(k, r).apply(u), (force, r.cross(force))));
    }

    #[test]
    fn a_matrix_times_its_inverse_is_the_identity() {
        let u = Twist { velocity: DVec3::new(1.0, 0.5, -2.0), angular_velocity: DVec3::new(0.2, -1.0, 0.4) };
        let back = some().inverse_times(some().apply(u));
        assert!(
            (back.velocity - u.velocity).length() + (back.angular_velocity - u.angular_velocity).length()
                < 1e-12
        );
        let columns = some().columns();
        for (i, column) in columns.iter().enumerate() {
            (0..6)
                .for_each(|k| assert!((column[k] - columns[k][i]).abs() < 1e-14, "not symmetric at {i} {k}"));
        }
    }

    #[test]
    fn moving_the_reference_point_keeps_the_energy() {
        let r = DVec3::new(0.4, -0.3, 0.8);
        let u = Twist { velocity: DVec3::new(1.0, 0.5, -2.0), angular_velocity: DVec3::new(0.2, -1.0, 0.4) };
        let there = Twist { velocity: u.velocity + u.angular_velocity.cross(r), ..u };
        let energy = |k: SpatialMatrix, u: Twist| {
            let (p, l) = k.apply(u);
            p.dot(u.velocity) + l.dot(u.angular_velocity)
        };
        assert!((energy(some(), there) - energy(some().moved(r), u)).abs() < 1e-12);
    }
}
