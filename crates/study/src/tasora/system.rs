//! The linear system of a step without its sparsity.
//!
//!   [ M  Jᵀ ] [ u  ]   [ p + h Jₛᵀ λₛ ]
//!   [ J  0  ] [ −Λ ] = [      r       ]        n = 6 · bodies + equations
//!
//! J has the rigid, unbounded rows: the paper's constraints. The forces of springs, stops and contacts (s) in the step
//! are on the right side, so that the solution is the engine's own in any case.

use glam::DVec3;
use windlass_engine::prelude::World;
use windlass_engine::row::{Row, RowLaw};

/// A symmetric matrix, row by row, and a right side.
#[derive(Clone, Debug)]
pub struct System {
    /// Bodies that are free.
    pub bodies: usize,
    /// Order of the matrix.
    pub n: usize,
    pub a: Vec<f64>,
    pub b: Vec<f64>,
    /// First row of each body, by index.
    pub entry: Vec<Option<usize>>,
}

/// Whether a row is an equation.
pub fn is_equation(row: &Row) -> bool {
    matches!(row.law, RowLaw::Rigid) && !row.is_bounded()
}

impl System {
    /// That of the last step (or of the last look) at a world.
    pub fn of(world: &World) -> System {
        let s = world.stages();
        let mut bodies = 0;
        let number = |free: bool| {
            bodies += usize::from(free);
            free.then(|| 6 * (bodies - 1))
        };
        let entry: Vec<Option<usize>> = s.free.inertial.iter().map(|i| i.free).map(number).collect();
        let n = 6 * bodies + s.rows.rows.iter().filter(|row| is_equation(row)).count();
        let mut system = System { bodies, n, a: vec![0.0; n * n], b: vec![0.0; n], entry };
        system.masses(world);
        system.rows(world);
        system
    }

    fn masses(&mut self, world: &World) {
        let free = &world.stages().free;
        for (place, at) in self.entry.clone().into_iter().enumerate().filter_map(|(p, at)| Some((p, at?))) {
            for i in 0..3 {
                self.a[(at + i) * self.n + at + i] = free.inertial[place].mass;
                for j in 0..3 {
                    self.a[(at + 3 + i) * self.n + at + 3 + j] = free.inertia[place].col(j)[i];
                }
                self.b[at + i] = free.linear[place][i];
                self.b[at + 3 + i] = free.angular[place][i];
            }
        }
    }

    fn rows(&mut self, world: &World) {
        let (s, h) = (world.stages(), world.model().settings().dt);
        let mut at = 6 * self.bodies;
        for (index, row) in s.rows.rows.iter().enumerate() {
            let blocks = s.rows.blocks(index).iter().filter_map(|b| Some((b, self.entry[b.body as usize]?)));
            let parts = |linear: DVec3, angular: DVec3| {
                linear.to_array().into_iter().chain(angular.to_array()).enumerate()
            };
            for (block, to) in blocks {
                for (k, value) in parts(block.linear, block.angular) {
                    if is_equation(row) {
                        self.a[at * self.n + to + k] += value;
                        self.a[(to + k) * self.n + at] += value;
                    } else {
                        self.b[to + k] += h * value * s.solution.forces[index];
                    }
                }
            }
            if is_equation(row) {
                self.b[at] = row.speed - row.gap / h;
                at += 1;
            }
        }
    }

    /// Largest difference between velocities of a solution and those of the engine [m/s, rad/s].
    pub fn apart(&self, x: &[f64], world: &World) -> f64 {
        let twists = &world.stages().solution.twists;
        let pairs = self.entry.iter().zip(twists).filter_map(|(at, twist)| Some(((*at)?, twist)));
        let off = pairs.map(|(at, t)| {
            let own = DVec3::from_slice(&x[at..]) - t.velocity;
            own.abs()
                .max_element()
                .max((DVec3::from_slice(&x[at + 3..]) - t.angular_velocity).abs().max_element())
        });
        off.fold(0.0, f64::max)
    }
}
