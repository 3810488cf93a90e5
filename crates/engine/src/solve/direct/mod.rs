//! The mixed linear complementarity problem of one island, by an active set on the sparse factor.
//!
//!   w = J u + ΣΛ − r:    lo < Λ < hi ⇒ w = 0,    Λ = lo ⇒ w ≥ 0,    Λ = hi ⇒ w ≤ 0
//!
//! Block principal pivoting (Júdice & Pires 1994): every row on the wrong side changes sides at once, as long as the
//! number of wrong rows falls; after a few rounds without progress only the lowest wrong row changes (Murty), which
//! cannot cycle. It starts from the modes of the last step, so a step usually needs one factorisation. Friction takes
//! part with fixed bounds, which then follow the normal forces until they settle (`solve/direct/friction.rs`); while nothing but
//! bounds moves the factor stays. A cone is no box, so that pivoting may cycle: if the search is cut off, sides are found
//! downhill (`solve/direct/energy_descent.rs`). Where that ends nowhere either, contacts are swept (`solve/gauss_seidel`) from the forces of
//! the last step, which tells most rows their side, and the search begins again from there; if that fails too, the
//! swept answer stands. Without contacts, the best multipliers seen are clamped into their bounds and the unbounded
//! rows are solved exactly for them. The residual says what is left: always finite, always inside the bounds.

mod active_set;
pub(super) mod energy_descent;
mod friction;

use super::problem::Problem;
use super::stats::Effort;
use crate::constrain::rows::Rows;
use crate::world::model::Friction;
use crate::world::state::Mode;
use active_set::{PATIENCE, pivot};
use friction::{cone_residual, move_bounds};

/// Beyond this residual the solution is refined: a thousand roundings. A crane with 200 elements of cable leaves 600 to 900
/// of them in every step, and refining costs it an eighth of the step.
const REFINE: f64 = 1024.0 * f64::EPSILON;

/// Beyond this it is refined again, as long as each time halves what is left: loads of 10¹⁴ kg on particles of 1 kg.
const ROUGH: f64 = 1e-9;
const REFINEMENTS: u32 = 8;

/// Factorisations spent on an island with friction: ordinary ones take one to five.
const ROUNDS: u32 = 80;

/// Times bounds of friction move before they count as settled; two or three are usual.
const MOVES: u32 = 60;

/// A residual that will do when bounds of friction do not settle.
const GOOD: f64 = 1e-6;

/// Solves with friction forces as given, changing the active set until all conditions hold.
pub fn solve(problem: &mut Problem, rows: &Rows) -> Effort {
    problem.friction.forget_answer();
    let effort = Search::new(problem, None).run(problem, rows);
    finish(problem, rows, effort)
}

/// Solves again after right sides have changed a little: with the factor and the active set of the last answer, which must not
/// have stalled. Factors only if a row changes sides.
pub fn resolve(problem: &mut Problem, rows: &Rows, friction: Friction) -> Effort {
    problem.friction.forget_answer();
    let effort = Search { stale: false, ..Search::new(problem, Some(friction)) }.run(problem, rows);
    if effort.stalled { effort } else { finish(problem, rows, effort) }
}

/// A search for the active set: pivoting with the bounds of friction fixed, and bounds that follow the normal forces, in turn
/// until both have settled or pivoting stalls.
#[derive(Debug)]
pub struct Search {
    /// How friction is bounded; none if it takes no part.
    friction: Option<Friction>,
    effort: Effort,
    /// Factorisations after which pivoting stalls.
    limit: u32,
    /// Whether the factor is of another matrix.
    stale: bool,
    /// Times bounds of friction have moved.
    moves: u32,
}

impl Search {
    /// From the present active set.
    pub fn new(problem: &Problem, friction: Option<Friction>) -> Search {
        let friction = friction.filter(|_| !problem.friction.cones.is_empty());
        let allowance = 20 + 2 * problem.active.bounded.len() as u32;
        let limit = if friction.is_some() { allowance.min(ROUNDS) } else { allowance };
        Search { friction, effort: Effort::default(), limit, stale: true, moves: 0 }
    }

    /// With no more factorisations than these.
    pub fn at_most(self, factors: u32) -> Search {
        Search { limit: self.limit.min(ROUNDS).min(factors), ..self }
    }

    /// After so many factorisations have been spent.
    pub fn after(self, factors: u32) -> Search {
        let effort = Effort { factors, ..Effort::default() };
        Search { effort, limit: factors + self.limit, ..self }
    }

    /// How it has gone so far.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Whether pivoting with friction was cut off.
    pub fn is_stuck_in_friction(&self) -> bool {
        self.effort.stalled && self.friction.is_some()
    }

    /// Pivots with the bounds of friction as they are.
    pub fn pivot(&mut self, problem: &mut Problem, rows: &Rows) {
        let has_friction = self.friction.is_some();
        self.effort = pivot(problem, rows, has_friction, self.stale, (self.effort, self.limit));
    }

    /// Takes over an active set for the present bounds that was found in another way, and pivots for a while from there.
    pub fn adopt(&mut self, effort: Effort) {
        self.effort = effort;
        self.limit = effort.factors + PATIENCE;
    }

    /// Lets bounds follow the normal forces; whether there is more to do.
    pub fn move_bounds(&mut self, problem: &mut Problem, rows: &Rows) -> bool {
        let Some(friction) = self.friction.filter(|_| !self.effort.stalled) else { return false };
        problem.keep_answer();
        if self.moves == MOVES {
            self.effort.stalled = cone_residual(problem, rows) > GOOD;
            return false;
        }
        let (moved, changed) = move_bounds(problem, rows, friction);
        (self.stale, self.moves) = (changed, self.moves + 1);
        moved
    }

    /// Searches to the end.
    pub fn run(mut self, problem: &mut Problem, rows: &Rows) -> Effort {
        loop {
            self.pivot(problem, rows);
            if !self.move_bounds(problem, rows) {
                return self.effort;
            }
        }
    }
}

/// Returns to the last answer at which pivoting had settled, if there is one whose bounds of friction are only a little off.
pub fn settle_for_kept(problem: &mut Problem, rows: &Rows, effort: Effort) -> Option<Effort> {
    if !problem.take_answer() {
        return None;
    }
    let residual = residual(problem, rows, false).max(cone_residual(problem, rows));
    (residual < GOOD).then_some(Effort { residual, ..effort })
}

/// Refines an answer if it needs it, and says how good it is.
pub fn finish(problem: &mut Problem, rows: &Rows, mut effort: Effort) -> Effort {
    effort.residual = residual(problem, rows, effort.stalled);
    let mut limit = REFINE;
    for _ in 0..REFINEMENTS {
        if effort.residual <= limit || effort.stalled {
            break;
        }
        problem.refine(rows);
        let before = std::mem::replace(&mut effort.residual, residual(problem, rows, effort.stalled));
        // again only if it is still coarse and this helped
        limit = if effort.residual < 0.5 * before { ROUGH } else { f64::INFINITY };
    }
    if !problem.friction.cones.is_empty() {
        effort.residual = effort.residual.max(cone_residual(problem, rows));
    }
    effort
}

/// Largest |w| of rows between their bounds, largest w on the wrong side of rows at a bound; relative to the largest speed
/// or the row's own right side.
fn residual(problem: &mut Problem, rows: &Rows, stalled: bool) -> f64 {
    let (mut largest, scale) = (0.0f64, problem.scale());
    // dropped rows are reported apart
    let Problem { kkt, active, .. } = &mut *problem;
    let any = kkt.dropped().next().is_some();
    if any {
        active.marked.fill(false);
        kkt.dropped().for_each(|local| active.marked[local] = true);
    }
    let problem = &*problem;
    // without bounds, friction and dropped rows every row must simply hold
    let plain = problem.active.bounded.is_empty() && problem.friction.cones.is_empty() && !any;
    problem.each_residual(rows, |local, s, w| {
        let bad = match problem.active.modes[local] {
            _ if plain => w.abs(),
            _ if problem.friction.is_friction[local] || (any && problem.active.marked[local]) => 0.0,
            // a force given outright leaves its row free; after a stall bounds were closed by us, and it counts
            _ if !stalled && problem.active.bounds[local].is_only() => 0.0,
            Mode::Between => w.abs(),
            Mode::Low => (-w).max(0.0),
            Mode::High => w.max(0.0),
        };
        // a row that asks for more than bodies do (a wound-up spring at rest) is measured by what it asks
        let size = scale.max(s.rhs.abs());
        if bad > largest * size {
            largest = bad / size;
        }
    });
    largest
}
