//! The matrix of a cable, and its Cholesky factor.
//!
//! A point is coupled to two neighbours on each side by bending, so that the matrix has five diagonals of 3 × 3 blocks.
//! It is factorised as L Lᵀ (Cholesky) from one end to the other without fill-in, in time linear in the number of
//! points. A pivot that is not positive shows that the matrix is not positive definite.

use glam::{DMat3, DVec3};

/// A symmetric matrix of 3 × 3 blocks with five block diagonals. Block (i + k, i) is `below[k − 1][i]`.
#[derive(Clone, Debug, Default)]
pub struct Band {
    /// Blocks (i, i).
    pub diagonal: Vec<DMat3>,
    /// Blocks (i + 1, i) and (i + 2, i).
    pub below: [Vec<DMat3>; 2],
}

impl Band {
    /// Sets it to zero for so many points.
    pub fn clear(&mut self, points: usize) {
        for list in self.below.iter_mut().chain([&mut self.diagonal]) {
            list.clear();
            list.resize(points, DMat3::ZERO);
        }
    }

    /// Adds to block (i, j), and thus to (j, i); i and j at most two apart.
    #[inline]
    pub fn add(&mut self, i: usize, j: usize, block: DMat3) {
        match i.cmp(&j) {
            std::cmp::Ordering::Equal => self.diagonal[i] += block,
            std::cmp::Ordering::Greater => self.below[i - j - 1][j] += block,
            std::cmp::Ordering::Less => self.below[j - i - 1][i] += block.transpose(),
        }
    }

    /// Sets the rows and columns of a point to those of the unit matrix: it does not move.
    pub fn hold(&mut self, i: usize) {
        self.diagonal[i] = DMat3::IDENTITY;
        for k in 1..=2 {
            self.below[k - 1][i] = DMat3::ZERO;
            if i >= k {
                self.below[k - 1][i - k] = DMat3::ZERO;
            }
        }
    }

    /// out = A x.
    pub fn times(&self, x: &[DVec3], out: &mut [DVec3]) {
        for (o, (d, x)) in out.iter_mut().zip(self.diagonal.iter().zip(x)) {
            *o = *d * *x;
        }
        for (k, below) in self.below.iter().enumerate() {
            for i in 0..x.len().saturating_sub(k + 1) {
                let j = i + k + 1;
                out[j] += below[i] * x[i];
                out[i] += below[i].transpose() * x[j];
            }
        }
    }
}

/// L of a matrix, with the inverses of its diagonal blocks.
#[derive(Clone, Debug, Default)]
pub struct Factor {
    inverse: Vec<DMat3>,
    below: [Vec<DMat3>; 2],
}

impl Factor {
    /// Factorises a matrix; false if it is not positive definite.
    pub fn take(&mut self, a: &Band) -> bool {
        self.inverse.clear();
        self.below.iter_mut().for_each(|l| l.clear());
        for i in 0..a.diagonal.len() {
            let mut pivot = a.diagonal[i];
            for k in 1..=2.min(i) {
                let l = self.below[k - 1][i - k];
                pivot -= l * l.transpose();
            }
            let Some(inverse) = inverse_root(&pivot, &a.diagonal[i]) else { return false };
            let mut next = a.below[0][i];
            if i > 0 {
                next -= self.below[1][i - 1] * self.below[0][i - 1].transpose();
            }
            self.below[0].push(next * inverse.transpose());
            self.below[1].push(a.below[1][i] * inverse.transpose());
            self.inverse.push(inverse);
        }
        true
    }

    /// x ← A⁻¹ x.
    pub fn solve(&self, x: &mut [DVec3]) {
        for i in 0..x.len() {
            let mut sum = x[i];
            for k in 1..=2.min(i) {
                sum -= self.below[k - 1][i - k] * x[i - k];
            }
            x[i] = self.inverse[i] * sum;
        }
        for i in (0..x.len()).rev() {
            let mut sum = x[i];
            for k in 1..=2.min(x.len() - 1 - i) {
                sum -= self.below[k - 1][i].transpose() * x[i + k];
            }
            x[i] = self.inverse[i].transpose() * sum;
        }
    }
}

/// L⁻¹ of m = L Lᵀ, lower triangular. None if a pivot is not above the round-off of the matrix that m was computed
/// from.
fn inverse_root(m: &DMat3, from: &DMat3) -> Option<DMat3> {
    let (a, of) = (m.to_cols_array_2d(), from.to_cols_array_2d());
    let root = |pivot: f64, k: usize| (pivot > 1e-15 * of[k][k]).then(|| pivot.sqrt());
    let l00 = root(a[0][0], 0)?;
    let (l10, l20) = (a[0][1] / l00, a[0][2] / l00);
    let l11 = root(a[1][1] - l10 * l10, 1)?;
    let l21 = (a[1][2] - l20 * l10) / l11;
    let l22 = root(a[2][2] - l20 * l20 - l21 * l21, 2)?;
    let (i0, i1, i2) = (1.0 / l00, 1.0 / l11, 1.0 / l22);
    let below = -l10 * i0 * i1;
    let first = DVec3::new(i0, below, -(l20 * i0 + l21 * below) * i2);
    Some(DMat3::from_cols(first, DVec3::new(0.0, i1, -l21 * i1 * i2), DVec3::new(0.0, 0.0, i2)))
}
