//! Block principal pivoting (Júdice & Pires 1994).
//!
//! All rows that violate their condition change their mode at once, as long as the number of such rows decreases; after
//! some iterations without progress only the lowest of them changes (Murty), which cannot cycle.
//!
//! A row with a stop beyond its upper bound has a third branch: at Λ > hi, J u + Σ (Λ − hi) is the rate of the stop.

use super::friction::{ConeChanges, GRAIN, update_cones};
use crate::row::BoundMode;
use crate::row::rows::Rows;
use crate::solve::problem::{Problem, STILL};
use crate::solve::regularize::ImpulseBounds;
use crate::solve::stats::SolveStats;

/// Iterations of block pivoting without progress before single pivoting (Júdice & Pires suggest 10).
pub(super) const PATIENCE: u32 = 10;

/// Tolerance of multipliers and rates relative to the largest in the island.
const SLACK: f64 = 1e-11;

/// Tolerance of the axial rows of cable links, which are unbounded in tension: this fraction of the largest impulse
/// plus the impulse of this speed [m/s]. In a slack cable they carry nothing, and round-off under a load of 1e9
/// elements is larger.
const LINK_PUSH: f64 = 1e-6;
const LINK_SPEED: f64 = 1e-9;

/// Tolerance of the impulse of a link's axial row, from its Σ and the largest impulse.
pub(super) fn link_slack(sigma: f64, push: f64) -> f64 {
    LINK_PUSH * push + LINK_SPEED / sigma
}

/// Pivots until all rows and, if friction takes part, all cones satisfy their conditions, with fixed friction bounds.
pub(super) fn pivot(
    problem: &mut Problem,
    rows: &Rows,
    has_friction: bool,
    mut stale: bool,
    (mut stats, limit): (SolveStats, u32),
) -> SolveStats {
    let (mut fewest, mut patience, mut least) = (usize::MAX, PATIENCE, f64::INFINITY);
    loop {
        if stale {
            problem.solve(rows);
            stats.factors += 1;
        } else {
            problem.back_solve(rows);
        }
        if problem.active.bounded.is_empty() {
            return stats;
        }
        let (wrong, amount) = judge(problem, rows);
        if wrong > 0 && amount < least && !has_friction {
            least = amount;
            problem.active.keep();
        }
        // all violated rows at once while that helps, otherwise the lowest only
        let one = patience == 0;
        let moved = if has_friction && (wrong == 0 || !one) {
            update_cones(problem, rows, one)
        } else {
            ConeChanges::default()
        };
        let flips = wrong + moved.flips;
        if flips == 0 && !moved.has_rotated {
            return stats;
        }
        if stats.factors >= limit {
            return SolveStats { stalled: true, ..stats };
        }
        if wrong > 0 {
            flip(problem, rows, one);
        }
        if flips == 0 {
            // only axes have rotated
        } else if flips < fewest {
            (fewest, patience) = (flips, PATIENCE);
        } else {
            patience = patience.saturating_sub(1);
        }
        stale = true;
    }
}

/// Marks the rows that violate their condition; returns their number and the sum of their relative violations.
pub(super) fn judge(problem: &mut Problem, rows: &Rows) -> (usize, f64) {
    // a taut cable
    if problem.active.bounded.iter().all(|local| problem.active.is_taut(*local)) {
        return (0, 0.0);
    }
    let push = problem.active.largest(0.0);
    problem.active.marked.fill(false);
    let speed = problem.scale();
    let (mut wrong, mut amount) = (0, 0.0);
    for k in 0..problem.active.bounded.len() {
        let local = problem.active.bounded[k];
        if problem.friction.is_friction[local] {
            continue;
        }
        let (bounds, lambda) = (problem.active.bounds[local], problem.active.multipliers[local]);
        let touches = local >= problem.numbering.first_contact;
        let mut slack_push = push * if touches { GRAIN } else { SLACK };
        let mut slack_speed = speed * if touches { STILL } else { SLACK };
        if problem.active.links[local] {
            let sigma = problem.rows[local].sigma;
            slack_push = link_slack(sigma, push);
            slack_speed = sigma * slack_push;
        }
        let w = || problem.violation(rows, local);
        let beyond =
            || problem.active.stop(local).map_or(0.0, |rate| (rate - problem.rate_of(rows, local)).max(0.0));
        let excess = match problem.active.modes[local] {
            BoundMode::Between if lambda < bounds.lo - slack_push => (bounds.lo - lambda) / (push + 1e-300),
            BoundMode::Between if lambda > bounds.hi + slack_push => (lambda - bounds.hi) / (push + 1e-300),
            BoundMode::Stop if lambda < bounds.hi - slack_push => (bounds.hi - lambda) / (push + 1e-300),
            BoundMode::Low if bounds.hi > bounds.lo && w() < -slack_speed => -w() / speed,
            BoundMode::High if bounds.hi > bounds.lo && w() > slack_speed => w() / speed,
            BoundMode::High if beyond() > slack_speed => beyond() / speed,
            _ => continue,
        };
        problem.active.marked[local] = true;
        wrong += 1;
        amount += excess;
    }
    (wrong, amount)
}

/// Moves the marked rows to their other mode: all of them, or the lowest only.
fn flip(problem: &mut Problem, rows: &Rows, single: bool) {
    for k in 0..problem.active.bounded.len() {
        let local = problem.active.bounded[k];
        if !problem.active.marked[local] {
            continue;
        }
        let below = problem.active.multipliers[local] < problem.active.bounds[local].lo;
        problem.active.modes[local] = match (problem.active.modes[local], problem.active.stop(local)) {
            (_, Some(_)) => problem.mode_at(local, problem.rate_of(rows, local)),
            (BoundMode::Between, None) if below => BoundMode::Low,
            (BoundMode::Between, None) => BoundMode::High,
            (BoundMode::Low | BoundMode::High | BoundMode::Stop, None) => BoundMode::Between,
        };
        if single {
            return;
        }
    }
}

/// Last resort without friction: bounded rows keep the best multipliers seen, clamped; the others are solved for them.
/// Links of cables may then carry compression.
pub fn settle_for_best(problem: &mut Problem, rows: &Rows) {
    problem.tighten_links();
    for local in problem.active.bounded.iter().filter(|local| !problem.friction.is_friction[**local]) {
        let ImpulseBounds { lo, hi } = problem.active.bounds[*local];
        if problem.active.links[*local] {
            problem.active.bounds[*local] = ImpulseBounds::ANY;
            continue;
        }
        let kept = problem.active.best[*local].max(lo).min(hi);
        problem.active.bounds[*local] = ImpulseBounds::fixed(kept);
        (problem.active.modes[*local], problem.active.best[*local]) = (BoundMode::Low, kept);
    }
    problem.solve(rows);
}
