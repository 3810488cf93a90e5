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
pub(super) mod friction;

use super::gauss_seidel as sweep;
use super::problem::Problem;
use super::stats::Effort;
use crate::constrain::rows::Rows;
use crate::world::model::Friction;
use crate::world::state::Mode;
use active_set::{PATIENCE, pivot};
use energy_descent::descend;
use friction::{cone_residual, move_bounds};

/// Beyond this residual the solution is refined: a thousand roundings. A crane with 200 elements of cable leaves 600 to 900
/// of them in every step, and refining costs it an eighth of the step.
const REFINE: f64 = 1024.0 * f64::EPSILON;

/// Beyond this it is refined again, as long as each time halves what is left: loads of 10¹⁴ kg on particles of 1 kg.
const ROUGH: f64 = 1e-9;
const REFINEMENTS: u32 = 8;

/// Factorisations spent on the contacts of an island before sweeps take over: ordinary ones take one to five.
const ROUNDS: u32 = 80;

/// Factorisations after which an island that pivoting could not settle is not led downhill once more: a descent takes
/// ten to forty.
const DOWNHILL: u32 = 240;

/// Times bounds of friction move before they count as settled; two or three are usual.
const MOVES: u32 = 60;

/// A residual that will do when bounds of friction do not settle.
const GOOD: f64 = 1e-6;

/// Sweeps of an island whose contacts pivoting could not settle, before it is tried again from there.
const SWEEPS: u32 = 200;

/// Solves at the modes given, changing them until all conditions hold. Without a way of friction, friction
/// forces are as given.
pub fn solve(problem: &mut Problem, rows: &Rows, friction: Option<Friction>) -> Effort {
    let mut effort = Effort::default();
    let rubs = friction.is_some() && !problem.friction.cones.is_empty();
    if rubs {
        // what sweeps would start from
        problem.active.keep();
    }
    problem.friction.forget_answer();
    let most = rounds(problem, rubs);
    effort = settle_friction(problem, rows, friction, (true, true), (effort, most));
    if effort.stalled && problem.take_answer() {
        // pivoting had settled at bounds a little off: good enough, and told
        effort.residual = residual(problem, rows, false).max(cone_residual(problem, rows));
        if effort.residual < GOOD {
            return effort;
        }
    }
    if effort.stalled && rubs {
        problem.active.recall();
        sweep::solve(problem, rows, SWEEPS);
        problem.active.keep();
        problem.adopt_friction();
        let fresh = Effort { factors: effort.factors, ..Effort::default() };
        effort = settle_friction(problem, rows, friction, (true, true), (fresh, most));
        if effort.stalled {
            problem.active.recall();
            // axes have turned since: sweeps put that right
            return Effort { stalled: true, factors: effort.factors, ..sweep::solve(problem, rows, SWEEPS) };
        }
    }
    judge_answer(problem, rows, effort)
}

/// The same with so many factorisations at most, and no way out: if they do not do, it has stalled and there is no answer.
pub fn attempt(problem: &mut Problem, rows: &Rows, friction: Friction, most: u32) -> Effort {
    problem.friction.forget_answer();
    let most = rounds(problem, true).min(most);
    let effort = settle_friction(problem, rows, Some(friction), (true, false), (Effort::default(), most));
    if effort.stalled { effort } else { judge_answer(problem, rows, effort) }
}

/// Solves again after right sides have changed a little: with the factor and the sides of the last answer, which must not have
/// stalled. Factors only if a row changes sides.
pub fn again(problem: &mut Problem, rows: &Rows, friction: Friction) -> Effort {
    problem.friction.forget_answer();
    let most = rounds(problem, !problem.friction.cones.is_empty());
    let effort = settle_friction(problem, rows, Some(friction), (false, false), (Effort::default(), most));
    if effort.stalled { effort } else { judge_answer(problem, rows, effort) }
}

/// Refines an answer if it needs it, and says how good it is.
fn judge_answer(problem: &mut Problem, rows: &Rows, mut effort: Effort) -> Effort {
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

/// Pivots and lets the bounds of friction follow, until both have settled or pivoting stalls. `stale` says whether the factor is of
/// other rows, `down` whether sides that pivoting does not find are looked for downhill.
fn settle_friction(
    problem: &mut Problem,
    rows: &Rows,
    friction: Option<Friction>,
    (mut stale, down): (bool, bool),
    (mut effort, most): (Effort, u32),
) -> Effort {
    let rubs = friction.is_some() && !problem.friction.cones.is_empty();
    let mut moves = 0;
    let mut limit = effort.factors + most;
    loop {
        effort = pivot(problem, rows, rubs, stale, (effort, limit));
        if effort.stalled && rubs && down && effort.factors < DOWNHILL {
            effort = descend(problem, rows, effort);
            limit = effort.factors + PATIENCE;
        }
        if rubs && !effort.stalled {
            problem.keep_answer();
        }
        let Some(friction) = friction.filter(|_| rubs && !effort.stalled) else { break };
        if moves == MOVES {
            effort.stalled = cone_residual(problem, rows) > GOOD;
            break;
        }
        let (moved, changed) = move_bounds(problem, rows, friction);
        if !moved {
            break;
        }
        (stale, moves) = (changed, moves + 1);
    }
    effort
}

/// Factorisations a search may take.
fn rounds(problem: &Problem, rubs: bool) -> u32 {
    let allowance = 20 + 2 * problem.active.bounded.len() as u32;
    if rubs { allowance.min(ROUNDS) } else { allowance }
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
