//! One round of closing the joints of an island where its step ends; `integrate/close.rs` has the equations and the loop.
//!
//!   r ← r − g(q⁺)/h,     [ M̃  −Jᵀ ; J  Σ ] solved again with the factor at hand
//!
//! Rigid rows without bounds take part; what is soft, bounded or in contact keeps its own equation, and bounds are
//! kept to. **All or nothing**: an island whose gaps do not fall below `CLOSED` goes back to the answer it came with.

use super::problem::Problem;
use crate::constrain::rows::{Law, Rows};
use crate::world::model::Friction;

/// Gaps below this are closed [m or rad].
const CLOSED: f64 = 1e-6;

/// How far an island has come.
#[derive(Clone, Debug, Default)]
pub struct Closing {
    /// Where it stands.
    pub stage: Stage,
    /// The widest gap of the last round.
    widest: f64,
    /// The right sides before the first, by local row.
    before: Vec<f64>,
}

/// Where an island stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// It takes no part, or is closed.
    #[default]
    Done,
    /// It has gaps.
    Open,
    /// It could not be closed and is as it was.
    Failed,
}

/// What a round reads.
#[derive(Clone, Copy, Debug)]
pub struct Round<'a> {
    /// The rows of the step.
    pub rows: &'a Rows,
    /// Those of joints where it would end.
    pub moved: &'a Rows,
    /// h [s].
    pub drift: f64,
    /// How friction is bounded.
    pub friction: Friction,
    /// Whether there is no other after it.
    pub last: bool,
}

impl Closing {
    /// Takes an island in or leaves it out.
    pub fn begin(&mut self, problem: &Problem, takes_part: bool) {
        self.stage = if takes_part { Stage::Open } else { Stage::Done };
        self.widest = f64::INFINITY;
        self.before.clear();
        self.before.extend(problem.rows.iter().map(|s| s.rhs));
    }

    /// Changes the right sides of an island that is open by the gaps it would have, or puts them back if these do not fall.
    pub fn write_rows(&mut self, problem: &mut Problem, round: &Round<'_>) -> Stage {
        let Round { rows, moved, drift, last, .. } = *round;
        let holds = |index: usize| rows.rows[index].law == Law::Rigid && !rows.rows[index].is_bounded();
        let joints = problem.numbering.first_contact;
        let held = problem.numbering.rows[..joints].iter().filter(|index| holds(**index));
        let widest = held.fold(0.0, |m: f64, index| m.max(moved.rows[*index].gap.abs()));
        if widest <= CLOSED {
            self.stage = Stage::Done;
            return self.stage;
        }
        // one that is not a number falls neither
        let fails = last || !(widest < self.widest);
        self.widest = widest;
        self.stage = if fails { Stage::Failed } else { Stage::Open };
        for local in 0..joints {
            let index = problem.numbering.rows[local];
            let rhs = &mut problem.rows[local].rhs;
            match fails {
                true => *rhs = self.before[local],
                false if holds(index) => *rhs -= moved.rows[index].gap / drift,
                false => {}
            }
        }
        self.stage
    }
}
