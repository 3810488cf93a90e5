//! The rows of an island in one SHAKE iteration; the equations and the loop are in `integrate/shake.rs`.
//!
//!   r ← r − g(q⁺)/h,     [ M̃  −Jᵀ ; J  Σ ] solved again with the present factor
//!
//! Rigid rows of joints without bounds take part; soft, bounded and contact rows and those of subsystems keep their
//! equations, and bounds hold. **All or nothing**: an island whose violations do not fall below `closed` returns to its initial solution.

use super::problem::Problem;
use crate::row::RowLaw;
use crate::row::rows::Rows;
use crate::settings::FrictionModel;

/// State of an island in the position iterations of a step.
#[derive(Clone, Debug, Default)]
pub struct ShakeState {
    /// Its stage.
    pub stage: ShakeStage,
    /// Whether it took part in the last step.
    pub takes_part: bool,
    /// Largest violation in the last iteration.
    widest: f64,
    /// Right-hand sides before the first iteration, by local row.
    before: Vec<f64>,
}

/// Stage of an island.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShakeStage {
    /// It takes no part, or has converged.
    #[default]
    Done,
    /// It has violations.
    Open,
    /// It did not converge and has returned to its initial solution.
    Failed,
}

/// Input of an iteration.
#[derive(Clone, Copy, Debug)]
pub struct ShakeIteration<'a> {
    /// The rows of the step.
    pub rows: &'a Rows,
    /// The rows of joints at the end of the step.
    pub moved: &'a Rows,
    /// h [s].
    pub drift: f64,
    /// The fraction of its violation that a joint keeps in a substep, 1 − h/dt.
    pub kept: f64,
    /// Tolerance of violations [m or rad].
    pub closed: f64,
    /// Friction bound.
    pub friction: FrictionModel,
    /// Whether it is the last iteration.
    pub last: bool,
}

impl ShakeState {
    /// Prepares an island, or excludes it.
    pub fn begin(&mut self, problem: &Problem, takes_part: bool) {
        self.takes_part = takes_part;
        self.stage = if takes_part { ShakeStage::Open } else { ShakeStage::Done };
        self.widest = f64::INFINITY;
        self.before.clear();
        self.before.extend(problem.rows.iter().map(|s| s.rhs));
    }

    /// Corrects the right-hand sides of an open island by its violations at the end of the step, or restores them if
    /// the violations do not decrease.
    pub fn write_rows(&mut self, problem: &mut Problem, iteration: &ShakeIteration<'_>) -> ShakeStage {
        let ShakeIteration { rows, moved, drift, kept, closed, last, .. } = *iteration;
        let left = |index: usize| moved.rows[index].gap - kept * rows.rows[index].gap;
        let holds = |index: usize| {
            let row = &rows.rows[index];
            index < moved.rows.len() && row.law == RowLaw::Rigid && !row.is_bounded()
        };
        let joints = problem.numbering.first_contact;
        let held = problem.numbering.rows[..joints].iter().filter(|index| holds(**index));
        let widest = held.fold(0.0, |m: f64, index| m.max(left(*index).abs()));
        if widest <= closed {
            self.stage = ShakeStage::Done;
            return self.stage;
        }
        // NaN does not decrease either
        let fails = last || !(widest < self.widest);
        self.widest = widest;
        self.stage = if fails { ShakeStage::Failed } else { ShakeStage::Open };
        for local in 0..joints {
            let index = problem.numbering.rows[local];
            let rhs = &mut problem.rows[local].rhs;
            match fails {
                true => *rhs = self.before[local],
                false if holds(index) => *rhs -= left(index) / drift,
                false => {}
            }
        }
        self.stage
    }
}
