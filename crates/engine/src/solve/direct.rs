//! The mixed linear complementarity problem of one island, by an active set on the sparse factor.
//!
//!   w = J u + ΣΛ − r:    lo < Λ < hi ⇒ w = 0,    Λ = lo ⇒ w ≥ 0,    Λ = hi ⇒ w ≤ 0
//!
//! Block principal pivoting (Júdice & Pires 1994): every row on the wrong side changes sides at once, as long as
//! the number of wrong rows falls; after a few rounds without progress only the lowest wrong row changes (Murty),
//! which cannot cycle. It starts from the modes of the last step, so a step usually needs one factorisation.
//! Friction settles in the same rounds (`solve/cone.rs`): its bounds follow the normal forces of the last one. A round in
//! which nothing but bounds moved needs no new factor.
//! If the search is cut off, the best multipliers seen are clamped into their bounds, the unbounded rows are solved
//! exactly for them, and the residual says what is left: always finite, always inside the bounds.

use super::cone::Moved;
use super::problem::Problem;
use crate::constrain::rows::Rows;
use crate::world::model::Friction;
use crate::world::state::Mode;

/// How an island's solve went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Factorisations done.
    pub factors: u32,
    /// Whether the search was cut off.
    pub stalled: bool,
    /// Largest violation of w, relative to the largest speed in the island, constrained or not.
    pub residual: f64,
}

/// Rounds of block pivoting without progress before single pivoting (Júdice & Pires suggest 10).
const PATIENCE: u32 = 10;

/// Multipliers and rates are compared with bounds and zero up to this part of the largest in the island.
const SLACK: f64 = 1e-11;

/// Beyond this residual the solution is refined once.
const REFINE: f64 = 1e-13;

/// Factorisations spent on friction before it is left as it stands: ordinary contacts take one to five.
const ROUNDS: u32 = 60;

/// Rounds in which nothing but the bounds of friction moved, before they count as settled: normal forces that depend on
/// friction so strongly (a jamming rod) have no fixed point to wait for.
const DRIFTS: u32 = 60;

/// Solves at the modes given, changing them until all conditions hold. Without a way of friction, friction forces are as
/// given.
pub fn solve(problem: &mut Problem, rows: &Rows, mut friction: Option<Friction>) -> Effort {
    let mut effort = Effort::default();
    let allowance = 20 + 2 * problem.bounded.len() as u32;
    let mut limit = if problem.cones.is_empty() { allowance } else { allowance.min(ROUNDS) };
    let (mut fewest, mut patience, mut least) = (usize::MAX, PATIENCE, f64::INFINITY);
    let (mut stale, mut drifts) = (true, 0);
    loop {
        if stale {
            problem.solve(rows);
            effort.factors += 1;
        } else {
            problem.back_solve(rows);
        }
        if problem.bounded.is_empty() {
            break;
        }
        let (wrong, amount) = judge(problem, rows);
        if amount < least && (friction.is_none() || problem.cones.is_empty()) {
            least = amount;
            let Problem { best, lambda, .. } = problem;
            best.copy_from_slice(lambda);
        }
        if effort.factors >= limit {
            effort.stalled = true;
            if friction.take().is_some() && !problem.cones.is_empty() {
                // friction will not settle: it stays as it is, inside its bounds, and the rest is solved for it
                problem.freeze_cones();
                (limit, fewest, patience, stale) = (limit + allowance, usize::MAX, PATIENCE, true);
                continue;
            }
            settle(problem, rows);
            break;
        }
        // all wrong rows at once while that helps, else the lowest alone
        let one = patience == 0;
        if wrong > 0 {
            turn(problem, one);
        }
        let moved = match friction {
            Some(friction) if wrong == 0 || !one => problem.settle_cones(rows, friction, one),
            _ => Moved::default(),
        };
        let flips = wrong + moved.flips;
        if flips == 0 {
            drifts += 1;
            if !moved.drifts || drifts > DRIFTS {
                break;
            }
        } else if flips < fewest {
            (fewest, patience) = (flips, PATIENCE);
        } else {
            patience = patience.saturating_sub(1);
        }
        stale = wrong > 0 || moved.stale;
    }
    effort.residual = residual(problem, rows, effort.stalled);
    if effort.residual > REFINE && !effort.stalled {
        problem.refine(rows);
        effort.residual = residual(problem, rows, effort.stalled);
    }
    if !problem.cones.is_empty() {
        effort.residual = effort.residual.max(problem.cone_residual(rows));
    }
    effort
}

/// Marks wrong rows in `residue` (their next mode) and returns how many and how wrong.
fn judge(problem: &mut Problem, rows: &Rows) -> (usize, f64) {
    let push = problem.lambda.iter().fold(0.0, |m: f64, l| m.max(l.abs()));
    let mut mark = std::mem::take(&mut problem.residue);
    mark.fill(0.0);
    let speed = problem.scale();
    let (slack_push, slack_speed) = (SLACK * push, SLACK * speed);
    let (mut wrong, mut amount) = (0, 0.0);
    problem.each_residual(rows, |local, w| {
        if problem.rubs[local] {
            return;
        }
        let (s, lambda) = (&problem.softened[local], problem.lambda[local]);
        let excess = match problem.modes[local] {
            Mode::Between if lambda < s.lo - slack_push => (s.lo - lambda) / (push + 1e-300),
            Mode::Between if lambda > s.hi + slack_push => (lambda - s.hi) / (push + 1e-300),
            Mode::Low if w < -slack_speed && s.hi > s.lo => -w / speed,
            Mode::High if w > slack_speed && s.hi > s.lo => w / speed,
            _ => return,
        };
        mark[local] = 1.0;
        wrong += 1;
        amount += excess;
    });
    problem.residue = mark;
    (wrong, amount)
}

/// Moves the marked rows to their other mode: all of them, or the lowest.
fn turn(problem: &mut Problem, single: bool) {
    for local in &problem.bounded {
        if problem.residue[*local] == 0.0 {
            continue;
        }
        let s = &problem.softened[*local];
        problem.modes[*local] = match problem.modes[*local] {
            Mode::Between if problem.lambda[*local] < s.lo => Mode::Low,
            Mode::Between => Mode::High,
            Mode::Low | Mode::High => Mode::Between,
        };
        if single {
            return;
        }
    }
}

/// The way out: bounded rows keep the best multipliers seen, clamped; the rest is solved exactly.
fn settle(problem: &mut Problem, rows: &Rows) {
    for local in problem.bounded.iter().filter(|local| !problem.rubs[**local]) {
        let s = &mut problem.softened[*local];
        let kept = problem.best[*local].max(s.lo).min(s.hi);
        (s.lo, s.hi) = (kept, kept);
        (problem.modes[*local], problem.best[*local]) = (Mode::Low, kept);
    }
    problem.solve(rows);
}

/// Largest |w| of rows between their bounds, largest w on the wrong side of rows at a bound; relative.
fn residual(problem: &mut Problem, rows: &Rows, stalled: bool) -> f64 {
    let (mut largest, scale) = (0.0f64, problem.scale());
    // dropped rows are reported apart
    let mut skip = std::mem::take(&mut problem.residue);
    let any = problem.dropped().next().is_some();
    if any {
        skip.fill(0.0);
        problem.dropped().for_each(|local| skip[local] = 1.0);
    }
    problem.each_residual(rows, |local, w| {
        let bad = match problem.modes[local] {
            _ if problem.rubs[local] || (any && skip[local] != 0.0) => 0.0,
            // a force given outright leaves its row free; after a stall bounds were closed by us, and it counts
            _ if !stalled && problem.softened[local].lo == problem.softened[local].hi => 0.0,
            Mode::Between => w.abs(),
            Mode::Low => (-w).max(0.0),
            Mode::High => w.max(0.0),
        };
        largest = largest.max(bad);
    });
    problem.residue = skip;
    largest / scale
}
