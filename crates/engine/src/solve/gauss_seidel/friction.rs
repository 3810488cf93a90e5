//! Friction cones in Gauss–Seidel iterations.
//!
//!   |λₜ| ≤ μ (λₙ + base),   λₜ ← λₜ · min(1, bound/|λₜ|)

use super::row::{BodyPair, SweepRow};
use crate::model::state::ContactMode;
use crate::row::BoundMode;
use crate::solve::problem::Problem;
use crate::solve::regularize::ImpulseBounds;

/// Friction of one or two contact rows, bounded by a normal force.
#[derive(Clone, Copy, Debug)]
pub(super) struct SweepFriction {
    /// Contact row of the normal force.
    pub(super) normal: u32,
    /// First contact row bounded by it, and their number.
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) friction: f64,
    pub(super) base: f64,
}
impl SweepFriction {
    /// Bound of the friction impulse.
    #[inline(always)]
    pub(super) fn bound(&self, contact_rows: &[SweepRow]) -> f64 {
        self.friction * (contact_rows[self.normal as usize].lambda + self.base).max(0.0)
    }

    /// The rows it bounds.
    #[inline(always)]
    pub(super) fn own<'a>(&self, contact_rows: &'a mut [SweepRow]) -> &'a mut [SweepRow] {
        &mut contact_rows[self.first as usize..][..self.count as usize]
    }

    /// Multipliers that solve its rows alone, projected onto a bound.
    #[inline(always)]
    pub(super) fn wanted(&self, contact_rows: &[SweepRow], both: &BodyPair, bound: f64) -> [f64; 2] {
        let mut wanted = [0.0; 2];
        let own = &contact_rows[self.first as usize..][..self.count as usize];
        for (k, row) in own.iter().enumerate() {
            wanted[k] = row.lambda + row.step(both);
        }
        project_radially(wanted, bound)
    }

    /// Solves its rows together for their multipliers, projected onto the bound.
    #[inline(always)]
    pub(super) fn relax(&self, contact_rows: &mut [SweepRow], both: &mut BodyPair) {
        let bound = self.bound(contact_rows);
        if bound == 0.0 && self.own(contact_rows).iter().all(|row| row.lambda == 0.0) {
            return;
        }
        let drawn = self.wanted(contact_rows, both, bound);
        let contact_rows = self.own(contact_rows);
        for (k, row) in contact_rows.iter_mut().enumerate() {
            row.change_to(both, drawn[k], drawn[k] - row.lambda);
        }
    }
}

/// Shortens a vector to a length if it is longer.
#[inline(always)]
pub(super) fn project_radially([x, y]: [f64; 2], bound: f64) -> [f64; 2] {
    let square = x * x + y * y;
    if square > bound * bound {
        let part = ratio_to(bound, square);
        return [x * part, y * part];
    }
    [x, y]
}

/// Ratio of a length to another, given by its square. Not inlined: otherwise the compiler makes sticking contacts wait
/// for it.
#[cold]
#[inline(never)]
pub(super) fn ratio_to(length: f64, square: f64) -> f64 {
    length / square.sqrt()
}

/// Sets the mode of each bounded row and of each cone from the multipliers.
pub(super) fn name_modes(problem: &mut Problem) {
    for local in &problem.active.bounded {
        let ImpulseBounds { lo, hi } = problem.active.bounds[*local];
        problem.active.modes[*local] = match problem.active.multipliers[*local] {
            l if l <= lo => BoundMode::Low,
            l if l >= hi => BoundMode::High,
            _ => BoundMode::Between,
        };
    }
    name_grips(problem);
}

/// Sets the mode of each cone from the multipliers.
pub(super) fn name_grips(problem: &mut Problem) {
    for cone in &mut problem.friction.cones {
        let pressed = cone.pressing(&problem.active.multipliers);
        let own = &problem.active.multipliers[cone.first..cone.first + cone.count];
        let (square, bound) =
            (own.iter().fold(0.0, |s, l| s + l * l), cone.friction * pressed * (1.0 - 1e-9));
        cone.grip = match pressed > 0.0 {
            false => ContactMode::Open,
            true if square < bound * bound => ContactMode::Stick,
            true => ContactMode::Slip,
        };
    }
}
