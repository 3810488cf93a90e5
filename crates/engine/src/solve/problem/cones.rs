//! Friction of an island's contacts and ropes: the state of each cone, and the axes of its rows.
//!
//!   open     λₜ = 0
//!   stick    Jₜ u = rₜ,                              |λₜ| ≤ μ λₙ
//!   slip     λ₁ = −μ λₙ along the slip s = Jₜ u − rₜ,   λ₂ = −(μ λₙ/|s|) s₂ across it
//!
//! A sliding contact has its first axis along the slip. The direct solver rotates these axes, so the island has its own
//! copies of the Jacobian blocks of contacts then; Gauss–Seidel reads them where they are.

use super::active_set::ActiveSet;
use super::numbering::Numbering;
use super::reuse::refilled;
use crate::body::frame::JacobianBlock;
use crate::model::state::ContactMode;
use crate::row::BoundMode;
use crate::row::rows::Rows;
use crate::solve::regularize::{ImpulseBounds, RegularizedRow};

/// A slip against its friction that is slower than this part of the largest speed is none.
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
    /// Coefficient: the static one if it did not slide before the step, else the kinetic one. So a step has one law, and
    /// corners of a box that share their load unevenly do not drop to kinetic friction one after the other.
    pub friction: f64,
    /// Impulse that presses beside the normal one.
    pub base: f64,
    /// Open, sticking or sliding.
    pub grip: ContactMode,
    /// The normal impulse that bounds it.
    pub pressed: f64,
    /// By how much that was wrong in the last iteration; not a number at first.
    pub rest: f64,
    /// Its slip before the step [m/s or rad/s].
    pub slip_before: f64,
    /// Least Σ of its rows: their compliance while they stick.
    pub sigma: f64,
    /// How far its axes have been rotated: cosine and sine.
    pub turned: (f64, f64),
    /// Whether it is a rope's: the mean of the tensions on both sides presses it.
    pub belt: bool,
}

impl ConeState {
    /// What presses, of the impulses of all rows.
    pub fn pressing(&self, multipliers: &[f64]) -> f64 {
        let normal = match self.belt {
            false => multipliers[self.normal],
            true => multipliers[self.normal..self.first].iter().sum::<f64>() + 0.5 * multipliers[self.first],
        };
        (normal + self.base).max(0.0)
    }

    /// Size of its friction impulse.
    pub fn held(&self, multipliers: &[f64]) -> f64 {
        let second = if self.count == 2 { multipliers[self.first + 1] } else { 0.0 };
        libm::hypot(multipliers[self.first], second)
    }

    /// The impulses of its two rows along the axes in which its rows were written.
    pub fn unturned(&self, multipliers: &[f64]) -> [f64; 2] {
        let (c, s) = self.turned;
        let (a, b) = (multipliers[self.first], multipliers[self.first + 1]);
        [a * c - b * s, a * s + b * c]
    }
}

/// An answer to return to.
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
    /// Copies of the blocks of contact rows, two each; none if Gauss–Seidel has the island.
    owned: Vec<JacobianBlock>,
    pub(super) kept: KeptAnswer,
}

impl FrictionCones {
    /// For so many rows, in the memory of others.
    pub(super) fn new(rows: usize, old: FrictionCones) -> FrictionCones {
        FrictionCones {
            cones: old.cones,
            is_friction: refilled(old.is_friction, rows, false),
            relaxation: 1.0,
            owned: old.owned,
            kept: KeptAnswer::default(),
        }
    }

    /// Forgets all friction; copies the blocks of contact rows if their axes may be rotated.
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

    /// Gives a sliding cone its bound.
    pub(super) fn press(&mut self, number: usize, normal: f64, active: &mut ActiveSet) {
        let cone = &mut self.cones[number];
        cone.pressed = normal;
        active.bounds[cone.first] = ImpulseBounds::symmetric(cone.friction * normal);
    }

    /// Puts a cone into a state. A sliding one slips against the impulse its rows have.
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

    /// Fixes friction as it is, drawn back inside its bounds.
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

    /// Gives the cones' rows their least compliance, as Gauss–Seidel wants them. It leaves the bounds of ropes as they were.
    pub(super) fn stiffen(&self, active: &mut ActiveSet, rows: &mut [RegularizedRow]) {
        for cone in &self.cones {
            let own = &mut rows[cone.first..cone.first + cone.count];
            own.iter_mut().for_each(|s| s.sigma = cone.sigma);
            if cone.belt {
                active.bounds[cone.first] = ImpulseBounds::symmetric(cone.friction * cone.pressed);
            }
        }
    }

    /// Velocities of the answer kept, if there is one.
    pub fn kept_velocities(&self) -> Option<&[f64]> {
        (!self.kept.x.is_empty()).then_some(&*self.kept.x)
    }

    /// Forgets the answer kept.
    pub fn forget_answer(&mut self) {
        self.kept.x.clear();
    }
}
