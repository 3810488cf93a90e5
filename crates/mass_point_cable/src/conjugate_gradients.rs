//! Preconditioned conjugate gradients: A x = b for a positive definite A.
//!
//! The preconditioner is the factor of the matrix itself, so that one iteration converges up to round-off and a second
//! removes that; with a diagonal preconditioner a stiff chain of n points needs about n iterations, because a force
//! propagates from a point to its neighbours in each.

use crate::band_matrix::{Band, Factor};
use glam::DVec3;

/// Workspace of the iterations.
#[derive(Clone, Debug, Default)]
pub struct Search {
    rest: Vec<DVec3>,
    better: Vec<DVec3>,
    along: Vec<DVec3>,
    image: Vec<DVec3>,
}

impl Search {
    /// Improves x until √(rᵀ P r) is below `tolerance` of that for x = 0, or for `limit` iterations. Returns their
    /// number.
    pub fn solve(
        &mut self,
        (a, preconditioner): (&Band, &Factor),
        b: &[DVec3],
        x: &mut [DVec3],
        tolerance: f64,
        limit: u32,
    ) -> u32 {
        let zero = |list: &mut Vec<DVec3>| {
            list.clear();
            list.resize(b.len(), DVec3::ZERO);
        };
        [&mut self.rest, &mut self.better, &mut self.along, &mut self.image].into_iter().for_each(zero);
        self.better.copy_from_slice(b);
        preconditioner.solve(&mut self.better);
        let enough = tolerance * tolerance * dot(b, &self.better);
        a.times(x, &mut self.image);
        self.rest.iter_mut().zip(b.iter().zip(&self.image)).for_each(|(r, (b, i))| *r = *b - *i);
        let mut size = self.precondition(preconditioner);
        self.along.copy_from_slice(&self.better);
        for round in 0..limit {
            if !(size > enough) {
                return round;
            }
            a.times(&self.along, &mut self.image);
            let bow = dot(&self.along, &self.image);
            if !(bow > 0.0) {
                return round;
            }
            let step = size / bow;
            for i in 0..b.len() {
                x[i] += self.along[i] * step;
                self.rest[i] -= self.image[i] * step;
            }
            let next = self.precondition(preconditioner);
            let keep = next / size;
            self.along.iter_mut().zip(&self.better).for_each(|(d, z)| *d = *z + *d * keep);
            size = next;
        }
        limit
    }

    /// better = P rest; returns restᵀ P rest.
    fn precondition(&mut self, preconditioner: &Factor) -> f64 {
        self.better.copy_from_slice(&self.rest);
        preconditioner.solve(&mut self.better);
        dot(&self.rest, &self.better)
    }
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}
