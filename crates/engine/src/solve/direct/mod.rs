//! Direct solver: the mixed linear complementarity problem of one island, by an active set on the sparse factor.
//!
//!   w = J u + ΣΛ − r:    lo < Λ < hi ⇒ w = 0,    Λ = lo ⇒ w ≥ 0,    Λ = hi ⇒ w ≤ 0
//!
//! Two nested loops. The inner one is block principal pivoting (`active_set.rs`) with fixed friction bounds. In the
//! outer one these bounds follow the normal forces to convergence (`friction.rs`); while only bounds change, the factor
//! is kept. The search starts from the active set of the last step, so that a step usually needs one factorisation. A
//! friction cone is no box, so that pivoting with friction may cycle, and a wave along a slack cable changes its links
//! one after the other. The search then stalls, and `solve/island` applies fallbacks. At worst, without friction,
//! the best multipliers seen are clamped to their bounds, cable links may carry compression, and the other rows are
//! solved for them. The residual reports the remaining error.

mod active_set;
pub(super) mod energy_descent;
mod friction;

use super::problem::Problem;
use super::stats::SolveStats;
use crate::row::BoundMode;
use crate::row::rows::Rows;
use crate::settings::FrictionModel;
pub use active_set::settle_for_best;
use active_set::{PATIENCE, link_slack, pivot};
use friction::{cone_residual, move_bounds};

/// Residual beyond which the solution is refined: a thousand times machine precision. A crane with 200 cable elements
/// has 600 to 900 of them in every step, and refinement would cost an eighth of the step.
const REFINE: f64 = 1024.0 * f64::EPSILON;

/// Residual beyond which it is refined repeatedly, as long as each refinement halves it: loads of 10¹⁴ kg on particles
/// of 1 kg.
const ROUGH: f64 = 1e-9;
const REFINEMENTS: u32 = 8;

/// Maximum number of factorisations of an island with friction: ordinary ones take one to five.
const ROUNDS: u32 = 80;

/// Maximum number for an island with cables: a cable that goes slack takes two to five, and a descent solves the
/// remaining cases.
const LINK_ROUNDS: u32 = 12;

/// Maximum number of updates of friction bounds; two or three are usual.
const MOVES: u32 = 60;

/// Residual that is accepted when friction bounds do not converge.
pub const GOOD: f64 = 1e-6;

/// Solves with given friction forces, changing the active set until all conditions hold.
pub fn solve(problem: &mut Problem, rows: &Rows) -> SolveStats {
    problem.friction.forget_answer();
    let stats = Search::new(problem, None).run(problem, rows);
    if stats.stalled {
        settle_for_best(problem, rows);
    }
    finish(problem, rows, stats)
}

/// Solves again after small changes of the right-hand side, with factor and active set of the last solution, which must
/// not have stalled. Factorises only if a row changes its mode.
pub fn resolve(problem: &mut Problem, rows: &Rows, friction: FrictionModel) -> SolveStats {
    problem.friction.forget_answer();
    let stats = Search { stale: false, ..Search::new(problem, Some(friction)) }.run(problem, rows);
    if stats.stalled { stats } else { finish(problem, rows, stats) }
}

/// A search for the active set: pivoting with fixed friction bounds, alternating with bounds that follow the normal
/// forces, until both have converged or pivoting stalls.
#[derive(Debug)]
pub struct Search {
    /// Friction bound; none if friction takes no part.
    friction: Option<FrictionModel>,
    stats: SolveStats,
    /// Number of factorisations after which pivoting stalls.
    limit: u32,
    /// Whether the factor belongs to another matrix.
    stale: bool,
    /// Number of updates of friction bounds.
    moves: u32,
}

impl Search {
    /// Starts from the present active set.
    pub fn new(problem: &Problem, friction: Option<FrictionModel>) -> Search {
        let friction = friction.filter(|_| !problem.friction.cones.is_empty());
        let allowance = match problem.active.bounded.iter().any(|local| problem.active.links[*local]) {
            true => LINK_ROUNDS,
            false => 20 + 2 * problem.active.bounded.len() as u32,
        };
        let limit = if friction.is_some() { allowance.min(ROUNDS) } else { allowance };
        Search { friction, stats: SolveStats::default(), limit, stale: true, moves: 0 }
    }

    /// With a maximum number of factorisations.
    pub fn at_most(self, factors: u32) -> Search {
        Search { limit: self.limit.min(ROUNDS).min(factors), ..self }
    }

    /// With a factor that belongs to another active set (`stale`), or to this one.
    pub fn with_factor(self, stale: bool) -> Search {
        Search { stale, ..self }
    }

    /// With this number of factorisations already spent.
    pub fn after(self, factors: u32) -> Search {
        let stats = SolveStats { factors, ..SolveStats::default() };
        Search { stats, limit: factors + self.limit, ..self }
    }

    /// Statistics so far.
    pub fn stats(&self) -> SolveStats {
        self.stats
    }

    /// Whether pivoting was stopped early.
    pub fn is_stuck(&self) -> bool {
        self.stats.stalled
    }

    /// Pivots with the present friction bounds.
    pub fn pivot(&mut self, problem: &mut Problem, rows: &Rows) {
        let has_friction = self.friction.is_some();
        self.stats = pivot(problem, rows, has_friction, self.stale, (self.stats, self.limit));
    }

    /// Continues from another active set after pivoting was stopped.
    pub fn go_on(&mut self) {
        self.stats.stalled = false;
        self.limit = self.stats.factors + LINK_ROUNDS;
        self.stale = true;
    }

    /// Takes over an active set for the present bounds that was found otherwise, and pivots from there.
    pub fn adopt(&mut self, stats: SolveStats) {
        self.stats = stats;
        self.limit = stats.factors + PATIENCE;
    }

    /// Lets bounds follow the normal forces; returns whether the search continues.
    pub fn move_bounds(&mut self, problem: &mut Problem, rows: &Rows) -> bool {
        let Some(friction) = self.friction.filter(|_| !self.stats.stalled) else { return false };
        problem.keep_answer();
        if self.moves == MOVES {
            self.stats.stalled = cone_residual(problem, rows) > GOOD;
            return false;
        }
        let (moved, changed) = move_bounds(problem, rows, friction);
        (self.stale, self.moves) = (changed, self.moves + 1);
        moved
    }

    /// Searches to the end.
    pub fn run(mut self, problem: &mut Problem, rows: &Rows) -> SolveStats {
        loop {
            self.pivot(problem, rows);
            if !self.move_bounds(problem, rows) {
                return self.stats;
            }
        }
    }
}

/// Returns to the last solution at which pivoting had converged, if its friction bounds are only slightly off.
pub fn settle_for_kept(problem: &mut Problem, rows: &Rows, stats: SolveStats) -> Option<SolveStats> {
    if !problem.take_answer() {
        return None;
    }
    let residual = residual(problem, rows, false).max(cone_residual(problem, rows));
    (residual < GOOD).then_some(SolveStats { residual, stalled: false, ..stats })
}

/// Refines a solution if its residual requires it, and reports the remaining residual.
pub fn finish(problem: &mut Problem, rows: &Rows, mut stats: SolveStats) -> SolveStats {
    stats.residual = residual(problem, rows, stats.stalled);
    let mut limit = REFINE;
    for _ in 0..REFINEMENTS {
        if stats.residual <= limit || stats.stalled {
            break;
        }
        problem.refine(rows);
        let before = std::mem::replace(&mut stats.residual, residual(problem, rows, stats.stalled));
        // again only if the residual is still large and this helped
        limit = if stats.residual < 0.5 * before { ROUGH } else { f64::INFINITY };
    }
    if !problem.friction.cones.is_empty() {
        stats.residual = stats.residual.max(cone_residual(problem, rows));
    }
    stats
}

/// Largest |w| of rows between their bounds, and largest w of the wrong sign of rows at a bound, relative to the
/// largest speed or to the row's own right-hand side.
fn residual(problem: &mut Problem, rows: &Rows, stalled: bool) -> f64 {
    let (mut largest, scale) = (0.0f64, problem.scale());
    // redundant rows are reported separately
    let Problem { kkt, active, .. } = &mut *problem;
    let any = kkt.dropped().next().is_some();
    if any {
        active.marked.fill(false);
        kkt.dropped().for_each(|local| active.marked[local] = true);
    }
    let problem = &*problem;
    // without rows at bounds, friction and dropped rows, every row is an equation
    let holds = |local: &usize| problem.active.is_taut(*local);
    let plain = problem.active.bounded.iter().all(holds) && problem.friction.cones.is_empty() && !any;
    let push = problem.active.largest(0.0);
    problem.each_residual(rows, |local, s, w| {
        let bad = match problem.active.modes[local] {
            _ if plain => w.abs(),
            _ if problem.friction.is_friction[local] || (any && problem.active.marked[local]) => 0.0,
            // a row with a given force is exempt; after a stall the force was fixed by this search, and it counts
            _ if !stalled && problem.active.bounds[local].is_fixed() => 0.0,
            BoundMode::Between | BoundMode::Stop => w.abs(),
            BoundMode::Low => (-w).max(0.0),
            BoundMode::High if problem.active.links[local] => {
                (w - s.sigma * link_slack(s.sigma, push)).max(0.0)
            }
            BoundMode::High => w.max(0.0),
        };
        // a right-hand side beyond all speeds (a wound-up spring at rest) is its own scale
        let size = scale.max(s.rhs.abs());
        if bad > largest * size {
            largest = bad / size;
        }
    });
    largest
}
