//! Added mass of a floating body over its immersion: from none over that afloat to that deep in the fluid.
//!
//! With σ the mass of liquid that it displaces over its volume, ρ the density of the liquid, σ₀ the value of σ afloat,
//! and motions n_i in which both matrices are diagonal, K_w = Σ w_i n_i n_iᵀ afloat and K⁰ = Σ d_i n_i n_iᵀ deep:
//!
//! ```text
//! K(σ) = Σ k_i(σ) n_i n_iᵀ       k_i = ρ w_i σ/σ₀                               σ ≤ σ₀
//!                                k_i = ρ (w_i + (d_i − w_i)(σ − σ₀)/(ρ − σ₀))   σ₀ ≤ σ ≤ ρ
//!                                k_i = σ d_i                                    ρ ≤ σ
//! ```
//!
//! Each k_i that grows does so at constant momentum of the body, and each that shrinks at constant velocity. As a hull
//! submerges most of them grow, and some shrink: the roll of a box, which has no surface to turn about when deep.

use super::definite::per_length;
use crate::dense::symmetric_eigen;
use glam::{DMat3, DVec3};
use windlass_engine::body::spatial::SpatialMatrix;
use windlass_engine::math::outer;

/// Eigenvalue that counts as zero, relative to the largest.
const NONE: f64 = 1e-12;
/// Part of the liquid's density above which a body is no longer a floating hull: from here on K_w becomes the part σ₀/ρ of
/// K⁰, so that bodies a little lighter and a little heavier than the liquid have the same added mass.
const NEUTRAL: f64 = 0.9;

/// A motion and its added mass per density.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Motion {
    /// n: linear and angular momentum.
    linear: DVec3,
    angular: DVec3,
    /// w and d.
    afloat: f64,
    deep: f64,
}

/// Added mass of a body that floats, over its immersion.
#[derive(Clone, Debug, PartialEq)]
pub struct AfloatAddedMass {
    motions: [Motion; 6],
    deep: SpatialMatrix,
    /// σ₀ and ρ [kg/m³].
    amount: f64,
    density: f64,
}

impl AfloatAddedMass {
    /// From the matrices afloat and deep, per density, body axes about the centre of mass; σ₀ and ρ, with 0 < σ₀ < ρ;
    /// and a length of the body [m].
    pub fn new(
        [afloat, deep]: [SpatialMatrix; 2],
        [amount, density]: [f64; 2],
        length: f64,
    ) -> AfloatAddedMass {
        let part = amount / density;
        let blend = ((part - NEUTRAL) / (1.0 - NEUTRAL)).clamp(0.0, 1.0);
        let afloat = afloat * (1.0 - blend) + deep * (part * blend);
        // K_w + K⁰ = U Λ Uᵀ; in the coordinates √Λ Uᵀ their sum is 1, and the motions of both are those of K_w
        let (values, u) = symmetric_eigen(per_length(&(afloat + deep), length));
        let least = NONE * values.iter().copied().fold(0.0, f64::max);
        let root = values.map(|value| if value > least { value.sqrt() } else { 0.0 });
        let own = per_length(&afloat, length);
        let entry = |i: usize, j: usize| {
            let pairs = (0..36).map(|k| (k / 6, k % 6));
            let sum: f64 = pairs.map(|(a, b)| u[a][i] * own[a][b] * u[b][j]).sum();
            if root[i] > 0.0 && root[j] > 0.0 { sum / (root[i] * root[j]) } else { 0.0 }
        };
        let (parts, q) = symmetric_eigen(std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j))));
        let motions = std::array::from_fn(|k| {
            let n: [f64; 6] = std::array::from_fn(|a| (0..6).map(|i| u[a][i] * root[i] * q[i][k]).sum());
            let [x, y, z, rx, ry, rz] = n;
            let afloat = parts[k].clamp(0.0, 1.0);
            let angular = DVec3::new(rx, ry, rz) * length;
            Motion { linear: DVec3::new(x, y, z), angular, afloat, deep: 1.0 - afloat }
        });
        AfloatAddedMass { motions, deep, amount, density }
    }

    /// That deep in the fluid, per density.
    pub fn deep(&self) -> SpatialMatrix {
        self.deep
    }

    /// K at the immersion at which it floats.
    pub fn afloat(&self) -> SpatialMatrix {
        self.at(self.amount)
    }

    /// k of a motion.
    fn weight(&self, motion: &Motion, amount: f64) -> f64 {
        let Motion { afloat, deep, .. } = *motion;
        match () {
            () if amount <= self.amount => self.density * afloat * (amount / self.amount),
            () if amount < self.density => {
                let part = (amount - self.amount) / (self.density - self.amount);
                self.density * (afloat + (deep - afloat) * part)
            }
            () => deep * amount,
        }
    }

    fn sum(&self, weight: impl Fn(&Motion) -> f64) -> SpatialMatrix {
        let mut sum = SpatialMatrix::ZERO;
        for motion in &self.motions {
            let (k, Motion { linear, angular, .. }) = (weight(motion), *motion);
            if k != 0.0 {
                // rows of the coupling by the linear part, columns by the angular one
                let coupling = DMat3::from_cols(linear * angular.x, linear * angular.y, linear * angular.z);
                let matrix = SpatialMatrix {
                    linear: outer(linear, linear),
                    coupling,
                    angular: outer(angular, angular),
                };
                sum += matrix * k;
            }
        }
        sum
    }

    /// K at an immersion [kg, kg·m, kg·m²].
    pub fn at(&self, amount: f64) -> SpatialMatrix {
        match amount >= self.density * (1.0 - NONE) {
            true => self.deep * amount,
            false => self.sum(|motion| self.weight(motion, amount)),
        }
    }

    /// What joins the body while its immersion changes, and what leaves it.
    pub fn change(&self, [before, now]: [f64; 2]) -> [SpatialMatrix; 2] {
        let gain = |motion: &Motion| self.weight(motion, now) - self.weight(motion, before);
        match before == now {
            true => [SpatialMatrix::ZERO; 2],
            false => [self.sum(|motion| gain(motion).max(0.0)), self.sum(|motion| (-gain(motion)).max(0.0))],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::definite::is_positive_semidefinite;
    use super::*;

    /// Positive definite, with coupling.
    fn some(seed: f64) -> SpatialMatrix {
        let points = (1..=7).map(|k| {
            let at = |m: f64| libm::sin(seed * m * f64::from(k));
            let r = DVec3::new(at(1.0), at(2.3), at(3.1));
            let n = DVec3::new(at(4.7), at(5.9), at(6.1));
            SpatialMatrix::at_point(outer(n, n), r)
        });
        points.fold(SpatialMatrix::ZERO, |sum, one| sum + one)
    }

    fn off(a: SpatialMatrix, b: SpatialMatrix) -> f64 {
        let (a, b) = (a.to_rows(), b.to_rows());
        let entries = (0..36).map(|k| (a[k / 6][k % 6] - b[k / 6][k % 6]).abs());
        entries.fold(0.0, f64::max) / b.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()))
    }

    #[test]
    fn it_grows_over_that_afloat_to_that_deep() {
        // the last has motions without added mass, the same in both
        let round = |k: f64| SpatialMatrix::from_diagonal(DVec3::new(1.0, 1.0, k), DVec3::new(2.0, k, 0.0));
        for (afloat, deep) in [(some(1.0), some(2.0)), (some(3.0) * 0.1, some(3.0)), (round(3.0), round(0.5))]
        {
            let all = AfloatAddedMass::new([afloat, deep], [300.0, 1000.0], 2.0);
            assert!(off(all.afloat(), afloat * 1000.0) < 1e-12, "{}", off(all.afloat(), afloat * 1000.0));
            assert!(off(all.at(75.0), afloat * 250.0) < 1e-12);
            assert_eq!(all.at(1000.0), deep * 1000.0);
            assert!(off(all.at(1000.0 - 1e-7), deep * 1000.0) < 1e-9, "it is continuous");
            assert!(off(all.at(650.0), (afloat + deep) * 500.0) < 1e-12);
            assert_eq!(all.at(1200.0), deep * 1200.0);
            for pair in [[0.0, 200.0], [200.0, 700.0], [900.0, 350.0], [0.0, 1000.0], [1100.0, 900.0]] {
                let [joining, leaving] = all.change(pair);
                let [before, now] = pair.map(|amount| all.at(amount));
                assert!(off(before + joining + leaving * -1.0, now) < 1e-12, "{pair:?}");
                for part in [joining, leaving, before + leaving * -1.0] {
                    assert!(is_positive_semidefinite(&part, 2.0, 1e-12), "{pair:?}: {part:?}");
                }
            }
            assert_eq!(all.change([400.0, 400.0]), [SpatialMatrix::ZERO; 2]);
        }
        // a body almost as dense as the liquid: in proportion to what is immersed
        let all = AfloatAddedMass::new([some(1.0), some(2.0)], [1000.0, 1000.0 + 1e-9], 1.0);
        assert!(off(all.at(400.0), some(2.0) * 400.0) < 1e-9);
    }
}
