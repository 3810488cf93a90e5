//! Symmetric 6 × 6 matrices of a body: generalised mass, added mass, resistance to motion.
//!
//! ```text
//!  [ P ]   [ A   B ] [ v ]
//!  [ L ] = [ Bᵀ  D ] [ ω ]        about the centre of mass
//! ```

use super::twist::Twist;
use crate::math;
use glam::{DMat3, DVec3};
use std::ops::{Add, AddAssign, Mul};
use thiserror::Error;

/// Asymmetry that [`SpatialMatrix::from_rows`] accepts, relative to the geometric mean of the diagonal entries.
const ASYMMETRY: f64 = 1e-6;

/// Why numbers are not a matrix of a body.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum MatrixError {
    /// An entry is NaN or infinite.
    #[error("entry ({row}, {column}) of the 6 × 6 matrix is not finite")]
    NotFinite {
        /// Row, from 1.
        row: usize,
        /// Column, from 1.
        column: usize,
    },
    /// Two entries that mirror each other differ.
    #[error(
        "entries ({row}, {column}) = {upper} and ({column}, {row}) = {lower} of the 6 × 6 matrix differ: it must be \
         symmetric; give the mean of both if they differ by rounding"
    )]
    NotSymmetric {
        /// Row, from 1.
        row: usize,
        /// Column, from 1.
        column: usize,
        /// Entry above the diagonal.
        upper: f64,
        /// Entry below the diagonal.
        lower: f64,
    },
}

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
    pub fn from_diagonal(linear: DVec3, angular: DVec3) -> SpatialMatrix {
        let [linear, angular] = [linear, angular].map(DMat3::from_diagonal);
        SpatialMatrix { linear, coupling: DMat3::ZERO, angular }
    }

    /// The matrix of six rows, linear part first; differences by rounding are averaged.
    pub fn from_rows(rows: [[f64; 6]; 6]) -> Result<SpatialMatrix, MatrixError> {
        let finite = |i: usize, j: usize| match rows[i][j].is_finite() {
            true => Ok(()),
            false => Err(MatrixError::NotFinite { row: i + 1, column: j + 1 }),
        };
        for i in 0..6 {
            for j in i..6 {
                finite(i, j)?;
                finite(j, i)?;
                let (upper, lower) = (rows[i][j], rows[j][i]);
                let scale = (rows[i][i] * rows[j][j]).abs().sqrt().max(upper.abs()).max(lower.abs());
                if (upper - lower).abs() > ASYMMETRY * scale {
                    return Err(MatrixError::NotSymmetric { row: i + 1, column: j + 1, upper, lower });
                }
            }
        }
        Ok(SpatialMatrix::symmetric_part(&rows))
    }

    /// ½ (K + Kᵀ) of six rows, linear part first.
    pub fn symmetric_part(rows: &[[f64; 6]; 6]) -> SpatialMatrix {
        let mean = |i: usize, j: usize| 0.5 * (rows[i][j] + rows[j][i]);
        let block = |top: usize, left: usize| {
            let column = |j: usize| DVec3::new(mean(top, j), mean(top + 1, j), mean(top + 2, j));
            DMat3::from_cols(column(left), column(left + 1), column(left + 2))
        };
        SpatialMatrix { linear: block(0, 0), coupling: block(0, 3), angular: block(3, 3) }
    }

    /// Its six rows, linear part first.
    pub fn to_rows(&self) -> [[f64; 6]; 6] {
        let (a, b, d) = (&self.linear, &self.coupling, &self.angular);
        std::array::from_fn(|i| {
            std::array::from_fn(|j| match (i < 3, j < 3) {
                (true, true) => a.col(j)[i],
                (true, false) => b.col(j - 3)[i],
                (false, true) => b.col(i - 3)[j],
                (false, false) => d.col(j - 3)[i - 3],
            })
        })
    }

    /// Its diagonal.
    pub fn diagonal(&self) -> (DVec3, DVec3) {
        let of = |m: &DMat3| DVec3::new(m.x_axis.x, m.y_axis.y, m.z_axis.z);
        (of(&self.linear), of(&self.angular))
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

    /// ½ uᵀ K u.
    pub fn energy(&self, u: Twist) -> f64 {
        let (p, l) = self.apply(u);
        0.5 * (p.dot(u.velocity) + l.dot(u.angular_velocity))
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

impl AddAssign for SpatialMatrix {
    fn add_assign(&mut self, other: SpatialMatrix) {
        *self = *self + other;
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
        let columns = some().to_rows();
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

    #[test]
    fn rows_are_checked() {
        let mut rows = SpatialMatrix::from_diagonal(DVec3::ONE, DVec3::splat(2.0)).to_rows();
        rows[0][4] = 0.5;
        let error = SpatialMatrix::from_rows(rows).expect_err("not symmetric");
        assert!(error.to_string().contains("(1, 5) = 0.5 and (5, 1) = 0"), "{error}");
        rows[4][0] = f64::NAN;
        assert_eq!(SpatialMatrix::from_rows(rows), Err(MatrixError::NotFinite { row: 5, column: 1 }));
    }
}
