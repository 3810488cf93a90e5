//! A heavy elastic rod between two clamps one above the other, in a plane: Kirchhoff's equations, solved by shooting.
//!
//! ```text
//!  x' = sin θ,  z' = −cos θ,  θ'' = −(n_x cos θ + n_z sin θ),   n_z = n_z(0) + w s        s = 0 … 1 from the top
//!  x(0) = z(0) = θ(0) = 0,    x(1) = 0,  z(1) = −d,  θ(1) = 0    for  θ'(0), n_x, n_z(0)
//! ```
//!
//! Lengths are parts of the rod's, forces parts of EI/L²; w = (weight per length) L³/EI. The rod keeps its length.
//! Nothing of it is the engine's: it is what slack cables are compared with.

use std::f64::consts::PI;

/// Steps of Runge and Kutta's method along the rod: its error is 1e-9.
const PARTS: usize = 400;
/// Steps from a rod that is hardly bent to the one that is asked for.
const STAGES: usize = 60;

/// A rod at rest.
#[derive(Clone, Debug)]
pub(super) struct Rod {
    /// θ'(0), n_x, n_z(0).
    shot: [f64; 3],
    weight: f64,
}

impl Rod {
    /// Of a distance of its clamps, in parts of its length, and a weight; none if the method does not find it.
    pub(super) fn new(distance: f64, weight: f64) -> Option<Rod> {
        // first the one that buckles: θ = a sin 2πs under n_z = 4π², shortened by a²/4
        let begin: f64 = 0.99;
        let mut rod = Rod { shot: [2.0 * PI * 2.0 * (1.0 - begin).sqrt(), 0.0, 4.0 * PI * PI], weight: 0.0 };
        for k in 0..=STAGES {
            let part = k as f64 / STAGES as f64;
            rod.aim(begin + part * (distance - begin))?;
        }
        for k in 0..=STAGES {
            rod.weight = weight * k as f64 / STAGES as f64;
            rod.aim(distance)?;
        }
        Some(rod)
    }

    /// Newton's method with differences.
    fn aim(&mut self, distance: f64) -> Option<()> {
        let miss = |shot: [f64; 3]| {
            let [x, z, angle, _] = Rod { shot, weight: self.weight }.end();
            [x, z + distance, angle]
        };
        for _ in 0..40 {
            let off = miss(self.shot);
            if off.iter().all(|x| x.abs() < 1e-10) {
                return Some(());
            }
            let mut slopes = [[0.0; 3]; 3];
            for k in 0..3 {
                let mut other = self.shot;
                let by = 1e-6 * (1.0 + other[k].abs());
                other[k] += by;
                let there = miss(other);
                (0..3).for_each(|i| slopes[k][i] = (there[i] - off[i]) / by);
            }
            let columns = glam::DMat3::from_cols_array_2d(&slopes);
            let by = columns.inverse() * glam::DVec3::from_array(off);
            (0..3).for_each(|k| self.shot[k] -= by[k]);
        }
        None
    }

    fn end(&self) -> [f64; 4] {
        self.along().last().copied().unwrap_or_default()
    }

    /// x, z, θ, θ' at equal steps from the top.
    pub(super) fn along(&self) -> Vec<[f64; 4]> {
        let mut at = [0.0, 0.0, 0.0, self.shot[0]];
        let mut line = vec![at];
        let h = 1.0 / PARTS as f64;
        for k in 0..PARTS {
            let s = k as f64 * h;
            let moved = |by: [f64; 4], f: f64| std::array::from_fn(|i| at[i] + f * by[i]);
            let a = self.rate(s, at);
            let b = self.rate(s + 0.5 * h, moved(a, 0.5 * h));
            let c = self.rate(s + 0.5 * h, moved(b, 0.5 * h));
            let d = self.rate(s + h, moved(c, h));
            at = std::array::from_fn(|i| at[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
            line.push(at);
        }
        line
    }

    fn rate(&self, s: f64, [_, _, angle, bend]: [f64; 4]) -> [f64; 4] {
        let (sin, cos) = libm::sincos(angle);
        let [_, across, up] = self.shot;
        [sin, -cos, bend, -(across * cos + (up + self.weight * s) * sin)]
    }

    /// How far it bulges.
    pub(super) fn bulge(&self) -> f64 {
        self.along().iter().map(|p| p[0]).fold(0.0, f64::max)
    }

    /// Force with which it pulls its lower clamp upwards, in units of EI/L².
    pub(super) fn lifts(&self) -> f64 {
        -(self.shot[2] + self.weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without weight it is Euler's elastica between clamps: four quarter waves, d = 2E/K − 1, bulge k/K, P = (4K)²,
    /// with the complete integrals of modulus k = 1/√2: K = 1.8540746773, E = 1.3506438810.
    #[test]
    fn without_weight_it_is_the_elastica() {
        let (first, second) = (1.854_074_677_301_372, 1.350_643_881_047_675);
        let rod = Rod::new(2.0 * second / first - 1.0, 0.0).expect("a rod");
        assert!((rod.bulge() - libm::sqrt(0.5) / first).abs() < 1e-5, "{}", rod.bulge());
        assert!((rod.lifts() + 16.0 * first * first).abs() < 1e-6, "{}", rod.lifts());
    }

    /// Virtual work: what its clamp bears is the slope of its bending energy and height by their distance.
    #[test]
    fn with_weight_its_force_is_the_slope_of_its_energy() {
        let energy = |distance: f64| {
            let rod = Rod::new(distance, 50.0).expect("a rod");
            let line = rod.along();
            let of = |p: &[f64; 4]| 0.5 * p[3] * p[3] + rod.weight * p[1];
            let inner: f64 = line[1..PARTS].iter().map(of).sum();
            (inner + 0.5 * (of(&line[0]) + of(&line[PARTS]))) / PARTS as f64
        };
        let (distance, by) = (0.8, 1e-3);
        let slope = (energy(distance + by) - energy(distance - by)) / (2.0 * by);
        let rod = Rod::new(distance, 50.0).expect("a rod");
        assert!((slope - rod.lifts()).abs() < 1e-2, "{slope} {}", rod.lifts());
    }
}
