//! Projection onto the constraints, with the factorisation of the accelerations (Tasora, after Blajer).
//!
//!   [ M  −Jᵀ ] [ Δx ]   [  0 ]            [ M  −Jᵀ ] [ Δv ]   [    0    ]
//!   [ J   0  ] [ τ  ] = [ −g ]  repeated,  [ J   0  ] [ μ  ] = [ w − J v ]
//!
//! The correction is orthogonal to the constraints in the mass metric, so it does not affect free motion. The
//! factorisation is that of a nearby pose: Newton's iteration with a frozen matrix, which gains several digits per
//! iteration.

use crate::body::twist::Twist;
use crate::math;
use crate::model::Model;
use crate::model::state::State;
use crate::row::BoundMode;
use crate::row::rate;
use crate::row::rows::Rows;
use crate::row::{Row, RowLaw};
use crate::solve::Solution;
use crate::solve::problem::Problem;
use crate::solve::regularize::RegularizedRow;
use crate::stages::Stages;

/// Violations [m, rad] and rates below this count as zero.
const CLOSED: f64 = 1e-12;

/// Newton iterations at most; two or three are usual, more only when assembling.
const ROUNDS: usize = 12;

/// Remaining violation after a correction: the largest gap and the largest rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residual {
    /// [m or rad]
    pub gap: f64,
    /// [m/s or rad/s]
    pub rate: f64,
}

/// Corrects positions, then velocities, of a state whose accelerations have just been solved nearby.
pub fn correct(
    model: &Model,
    state: &mut State,
    bounce_speed: f64,
    s: &mut Stages,
    wanted: &mut Vec<f64>,
) -> Residual {
    s.constrain_joints(model, state);
    close_stops(state, s);
    let gap = positions(model, state, s);
    let rate = velocities(state, bounce_speed, s, wanted);
    Residual { gap, rate }
}

/// Whether the row's gap must vanish.
fn holds(row: &Row) -> bool {
    matches!(row.law, RowLaw::Rigid)
}

/// Adds the stops reached in the step to the system, which is then factored again.
fn close_stops(state: &State, s: &mut Stages) {
    let rows = &s.rows;
    for problem in s.solution.problems_mut() {
        let mut hit = false;
        for local in 0..problem.numbering.rows.len() {
            let index = problem.numbering.rows[local];
            let row = &rows.rows[index];
            let approaching = || rate(rows.blocks(index), |p| state.twist(p)) < 0.0;
            if holds(row) && row.lo == 0.0 && row.gap < 0.0 && approaching() {
                hit |= problem.active.modes[local] != BoundMode::Between;
                problem.active.modes[local] = BoundMode::Between;
            }
        }
        if hit {
            problem.factorise(rows);
        }
    }
}

/// Newton's iteration on the gaps. Returns the largest remaining one.
pub(crate) fn positions(model: &Model, state: &mut State, s: &mut Stages) -> f64 {
    let mut largest = f64::INFINITY;
    for _ in 0..ROUNDS {
        let gap = |rows: &Rows, index: usize| {
            let row = &rows.rows[index];
            if holds(row) { -row.gap } else { 0.0 }
        };
        let (worst, solved) = round(s, largest, gap);
        largest = largest.min(worst);
        if !solved {
            break;
        }
        for (body, Twist { velocity, angular_velocity: spin }) in moves(&s.solution) {
            let b = &mut state.bodies[body];
            b.position += velocity;
            b.orientation = math::unit(math::exp(spin) * b.orientation);
        }
        s.constrain_joints(model, state);
    }
    largest
}

/// The same for rates. Returns the largest remaining one.
pub(crate) fn velocities(state: &mut State, bounce_speed: f64, s: &mut Stages, wanted: &mut Vec<f64>) -> f64 {
    // the target of each row is determined before the first correction changes the rates
    wanted.clear();
    wanted.extend((0..s.rows.rows.len()).map(|index| {
        let row = &s.rows.rows[index];
        let back = -row.restitution * rate(s.rows.blocks(index), |p| state.twist(p));
        if row.lo == 0.0 && back > bounce_speed { back } else { row.speed }
    }));
    let mut largest = f64::INFINITY;
    for _ in 0..ROUNDS {
        let slip = |rows: &Rows, index: usize| {
            let row = &rows.rows[index];
            let counts = holds(row) || !row.is_bounded();
            if counts { wanted[index] - rate(rows.blocks(index), |p| state.twist(p)) } else { 0.0 }
        };
        let (worst, solved) = round(s, largest, slip);
        largest = largest.min(worst);
        if !solved {
            break;
        }
        for (body, Twist { velocity, angular_velocity: spin }) in moves(&s.solution) {
            let b = &mut state.bodies[body];
            b.velocity += velocity;
            b.angular_velocity += spin;
        }
    }
    largest
}

/// One Newton iteration: the largest residual of the rows in the system, and whether it was solved for. It is not if
/// all are closed, or if it no longer decreases: redundant rows may keep a residual at round-off level.
fn round(s: &mut Stages, last: f64, asked: impl Fn(&Rows, usize) -> f64) -> (f64, bool) {
    let (rows, mut worst) = (&s.rows, 0.0f64);
    for problem in s.solution.problems_mut() {
        problem.bodies.momentum.fill(0.0);
        problem.active.release_bounds();
        for local in 0..problem.numbering.rows.len() {
            let on = problem.active.modes[local].holds();
            let rhs = if on { asked(rows, problem.numbering.rows[local]) } else { 0.0 };
            worst = worst.max(rhs.abs());
            problem.rows[local] = RegularizedRow { sigma: 0.0, rhs };
        }
    }
    let goes_on = worst > CLOSED && worst < 0.5 * last;
    if goes_on {
        s.solution.problems_mut().for_each(|p| p.back_solve(rows));
    }
    (worst, goes_on)
}

/// Corrections of the solution, by body index.
fn moves(solution: &Solution) -> impl Iterator<Item = (usize, Twist)> {
    let of = |p: &Problem, local: usize| (p.numbering.bodies[local] as usize, p.twist(local));
    solution.problems().flat_map(move |p| (0..p.numbering.bodies.len()).map(move |local| of(p, local)))
}
