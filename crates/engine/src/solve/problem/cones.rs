//! Friction of an island's contacts and ropes: the state of each cone, and the axes of its rows.
//!
//!   open     λₜ = 0
//!   stick    Jₜ u = rₜ,                              |λₜ| ≤ μ λₙ
//!   slip     λ₁ = −μ λₙ along the slip s = Jₜ u − rₜ,   λ₂ = −(μ λₙ/|s|) s₂ across it
//!
//! A sliding contact has its first axis along the slip. The direct solver rotates these axes and therefore has its own
//! copies of the Jacobian blocks of contacts; Gauss–Seidel reads them in place.

use super::active_set::ActiveSet;
use super::numbering::Numbering;
use super::reuse::refilled;
use crate::body::frame::JacobianBlock;
use crate::model::state::ContactMode;
use crate::row::BoundMode;
use crate::row::rows::Rows;
use crate::solve::regularize::{ImpulseBounds, RegularizedRow};

/// A slip opposed to its friction that is slower than this fraction of the largest speed counts as zero.
pub const STILL: f64 = 1e-9;

/// Friction of one or two local rows.
#[derive(Clone, Copy, Debug)]
pub struct ConeState {
    /// Local row of the normal force.
    pub normal: usize,
    /// First local row bounded by it.
    pub first: usize,
    /// One row, or two along perpendicular axes.
    pub count: usize,
    /// Coefficient: the static one if it did not slide before the step, otherwise the kinetic one. A step thus has a
    /// single law, and corners of a box that share their load unevenly do not change to kinetic friction one after the
    /// other.
    pub friction: f64,
    /// Compressive impulse in addition to the normal one.
    pub base: f64,
    /// Open, sticking or sliding.
    pub grip: ContactMode,
    /// The normal impulse that bounds it.
    pub pressed: f64,
    /// Error of that in the last iteration; NaN initially.
    pub rest: f64,
    /// Its slip before the step [m/s or rad/s].
    pub slip_before: f64,
    /// Least Σ of its rows: their compliance while sticking.
    pub sigma: f64,
    /// Rotation of its axes so far: cosine and sine.
    pub turned: (f64, f64),
    /// Whether it belongs to a rope: its normal force is the mean of the tensions on both sides.
    pub belt: bool,
}

impl ConeState {
    /// Its normal impulse, from the impulses of all rows.
    pub fn pressing(&self, multipliers: &[f64]) -> f64 {
        let normal = match self.belt {
            false => multipliers[self.normal],
            true => multipliers[self.normal..self.first].iter().sum::<f64>() + 0.5 * multipliers[self.first],
        };
        (normal + self.base).max(0.0)
    }

    /// Magnitude of its friction impulse.
    pub fn held(&self, multipliers: &[f64]) -> f64 {
        let second = if self.count == 2 { multipliers[self.first + 1] } else { 0.0 };
        libm::hypot(multipliers[self.first], second)
    }

    /// The impulses of its two rows along the original axes of its rows.
    pub fn unturned(&self, multipliers: &[f64]) -> [f64; 2] {
        let (c, s) = self.turned;
        let (a, b) = (multipliers[self.first], multipliers[self.first + 1]);
        [a * c - b * s, a * s + b * c]
    }
}

/// A stored solution.
#[derive(Debug, Default)]
pub(super) struct KeptAnswer {
    pub(super) multipliers: Vec<f64>,
    pub(super) x: Vec<f64>,
    pub(super) cones: Vec<ConeState>,
    pub(super) modes: Vec<BoundMode>,
}

/// Friction of an island.
#[derive(Debug, Default)]
pub struct FrictionCones {
    /// Those of ropes first, then those of contacts in the order of their rows.
    pub cones: Vec<ConeState>,
    /// Whether a local row belongs to a cone.
    pub is_friction: Vec<bool>,
    /// The last relaxation of their bounds.
    pub relaxation: f64,
    /// Copies of the blocks of contact rows, two each; none if Gauss–Seidel solves the island.
    owned: Vec<JacobianBlock>,
    pub(super) kept: KeptAnswer,
}

impl FrictionCones {
    /// For so many rows, reusing the memory of others.
    pub(super) fn new(rows: usize, old: FrictionCones) -> FrictionCones {
        FrictionCones {
            cones: old.cones,
            is_friction: refilled(old.is_friction, rows, false),
            relaxation: 1.0,
            owned: old.owned,
            kept: KeptAnswer::default(),
        }
    }

    /// Removes all cones; copies the blocks of contact rows if their axes may be rotated.
    pub(super) fn clear(&mut self, numbering: &Numbering, rows: &Rows, rotates: bool) {
        self.cones.clear();
        self.is_friction.fill(false);
        self.relaxation = 1.0;
        self.owned.clear();
        if rotates {
            for row in &numbering.rows[numbering.first_contact..] {
                self.owned.extend_from_slice(rows.blocks(*row));
            }
        }
    }

    /// The blocks of a local row.
    #[inline]
    pub(super) fn blocks<'a>(
        &'a self,
        numbering: &Numbering,
        rows: &'a Rows,
        local: usize,
    ) -> &'a [JacobianBlock] {
        if local < numbering.first_contact || self.owned.is_empty() {
            rows.blocks(numbering.rows[local])
        } else {
            let at = 2 * (local - numbering.first_contact);
            &self.owned[at..at + 2]
        }
    }

    /// The blocks of rows that have two each, from a local row on.
    #[inline]
    pub(super) fn blocks_from<'a>(
        &'a self,
        numbering: &Numbering,
        rows: &'a Rows,
        local: usize,
    ) -> &'a [[JacobianBlock; 2]] {
        let blocks = if local < numbering.first_contact || self.owned.is_empty() {
            &rows.blocks[rows.range(numbering.rows[local]).start..]
        } else {
            &self.owned[2 * (local - numbering.first_contact)..]
        };
        blocks.as_chunks().0
    }

    /// Sets the bound of a sliding cone.
    pub(super) fn press(&mut self, number: usize, normal: f64, active: &mut ActiveSet) {
        let cone = &mut self.cones[number];
        cone.pressed = normal;
        active.bounds[cone.first] = ImpulseBounds::symmetric(cone.friction * normal);
    }

    /// Sets the state of a cone. A sliding one slips in the direction opposite to the impulse of its rows.
    pub(super) fn set_grip(
        &mut self,
        number: usize,
        grip: ContactMode,
        (active, rows): (&mut ActiveSet, &mut [RegularizedRow]),
        first_contact: usize,
    ) {
        let cone = self.cones[number];
        let (first, end) = (cone.first, cone.first + cone.count);
        self.cones[number].grip = grip;
        for local in first..end {
            active.modes[local] = if grip == ContactMode::Open { BoundMode::Low } else { BoundMode::Between };
            (active.bounds[local], rows[local].sigma) = (ImpulseBounds::fixed(0.0), cone.sigma);
        }
        if grip == ContactMode::Slip {
            if cone.count == 2 {
                let (x, y) = (-active.multipliers[first], -active.multipliers[first + 1]);
                let size = libm::hypot(x, y);
                if size > 0.0 {
                    self.turn_axes(number, (x / size, y / size), (active, rows), first_contact);
                }
                active.modes[first] = BoundMode::Low;
            } else {
                active.modes[first] =
                    if active.multipliers[first] > 0.0 { BoundMode::High } else { BoundMode::Low };
            }
            self.press(number, cone.pressed, active);
            self.cones[number].rest = f64::NAN;
        }
    }

    /// Rotates the two axes of a cone so that the first points along (c, s) of the old ones.
    pub(super) fn turn_axes(
        &mut self,
        number: usize,
        (c, s): (f64, f64),
        (active, rows): (&mut ActiveSet, &mut [RegularizedRow]),
        first_contact: usize,
    ) {
        let first = self.cones[number].first;
        let at = 2 * (first - first_contact);
        for k in 0..2 {
            let (a, b) = (self.owned[at + k], self.owned[at + 2 + k]);
            self.owned[at + k].linear = a.linear * c + b.linear * s;
            self.owned[at + k].angular = a.angular * c + b.angular * s;
            self.owned[at + 2 + k].linear = b.linear * c - a.linear * s;
            self.owned[at + 2 + k].angular = b.angular * c - a.angular * s;
        }
        let (a, b) = (rows[first].rhs, rows[first + 1].rhs);
        (rows[first].rhs, rows[first + 1].rhs) = (a * c + b * s, b * c - a * s);
        let multipliers = &mut active.multipliers;
        let (a, b) = (multipliers[first], multipliers[first + 1]);
        (multipliers[first], multipliers[first + 1]) = (a * c + b * s, b * c - a * s);
        let (tc, ts) = self.cones[number].turned;
        self.cones[number].turned = (tc * c - ts * s, ts * c + tc * s);
    }

    /// Fixes friction at its present value, clamped to its bounds.
    pub(super) fn freeze(&mut self, active: &mut ActiveSet) {
        for cone in &self.cones {
            let bound = cone.friction * cone.pressing(&active.multipliers);
            let held = cone.held(&active.multipliers);
            let part = if held > bound { bound / held } else { 1.0 };
            for local in cone.first..cone.first + cone.count {
                active.modes[local] = BoundMode::Low;
                active.bounds[local] = ImpulseBounds::fixed(part * active.multipliers[local]);
            }
        }
    }

    /// Sets the compliance of the cones' rows to the minimum, as Gauss–Seidel needs it. The bounds of ropes are
    /// unchanged.
    pub(super) fn stiffen(&self, active: &mut ActiveSet, rows: &mut [RegularizedRow]) {
        for cone in &self.cones {
            let own = &mut rows[cone.first..cone.first + cone.count];
            own.iter_mut().for_each(|s| s.sigma = cone.sigma);
            if cone.belt {
                active.bounds[cone.first] = ImpulseBounds::symmetric(cone.friction * cone.pressed);
            }
        }
    }

    /// Velocities of the stored solution, if any.
    pub fn kept_velocities(&self) -> Option<&[f64]> {
        (!self.kept.x.is_empty()).then_some(&*self.kept.x)
    }

    /// Discards the stored solution.
    pub fn forget_answer(&mut self) {
        self.kept.x.clear();
    }
}
