//! One round of closing the joints of an island where its step ends; `integrate/close.rs` has the equations and the loop.
//!
//!   r ← r − g(q⁺)/h,     [ M̃  −Jᵀ ; J  Σ ] solved again with the factor at hand
//!
//! Rigid rows without bounds take part; what is soft, bounded or in contact keeps its own equation, and bounds are
//! kept to. **All or nothing**: an island whose gaps do not fall below `CLOSED` goes back to the answer it came with.

use super::direct;
use super::island::is_asleep;
use super::problem::Problem;
use super::stats::Effort;
use crate::constrain::rows::{Law, Rows};
use crate::world::model::{Friction, Solver};
use crate::world::state::State;

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
    /// Takes an island in, if it was solved directly and as a whole.
    pub fn begin(problem: &mut Problem, effort: &Effort, state: &State) {
        let direct =
            matches!(problem.solver, Solver::Auto | Solver::Direct) && problem.numbering.cluster == 0;
        let takes_part = direct && !effort.stalled && !is_asleep(problem, state);
        let Problem { closing, rows, .. } = problem;
        closing.stage = if takes_part { Stage::Open } else { Stage::Done };
        closing.widest = f64::INFINITY;
        closing.before.clear();
        closing.before.extend(rows.iter().map(|s| s.rhs));
    }

    /// One round of an island that is open.
    pub fn go_round(problem: &mut Problem, effort: Effort, round: &Round<'_>) -> Effort {
        let Round { rows, moved, drift, friction, last } = *round;
        let holds = |index: usize| rows.rows[index].law == Law::Rigid && !rows.rows[index].is_bounded();
        let joints = problem.numbering.first_contact;
        let held = problem.numbering.rows[..joints].iter().filter(|index| holds(**index));
        let widest = held.fold(0.0, |m: f64, index| m.max(moved.rows[*index].gap.abs()));
        if widest <= CLOSED {
            problem.closing.stage = Stage::Done;
            return effort;
        }
        // one that is not a number falls neither
        let fails = last || !(widest < problem.closing.widest);
        problem.closing.widest = widest;
        problem.closing.stage = if fails { Stage::Failed } else { Stage::Open };
        for local in 0..joints {
            let index = problem.numbering.rows[local];
            let rhs = &mut problem.rows[local].rhs;
            match fails {
                true => *rhs = problem.closing.before[local],
                false if holds(index) => *rhs -= moved.rows[index].gap / drift,
                false => {}
            }
        }
        let again = match fails {
            true => direct::solve(problem, rows, Some(friction)),
            false => direct::again(problem, rows, friction),
        };
        Effort { factors: effort.factors + again.factors, ..again }
    }
}
