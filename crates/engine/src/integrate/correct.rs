//! Back onto the constraints, by the same factor that gave the accelerations (Tasora, after Blajer).
//!
//!   [ M  −Jᵀ ] [ Δx ]   [  0 ]            [ M  −Jᵀ ] [ Δv ]   [    0    ]
//!   [ J   0  ] [ τ  ] = [ −g ]  repeated,  [ J   0  ] [ μ  ] = [ w − J v ]
//!
//! The correction is square to the constraints in the mass metric, so it does not touch free motion. The factor is
//! that of a nearby pose: Newton's iteration with a frozen matrix, which gains several digits a round.

use crate::constrain::rows::{Law, Row};
use crate::math;
use crate::solve::rate;
use crate::solve::soften::Softened;
use crate::world::hook;
use crate::world::model::Model;
use crate::world::scratch::Scratch;
use crate::world::state::{Mode, State};
use crate::world::twist::Twist;

/// Gaps [m, rad] and rates below this are zero.
const CLOSED: f64 = 1e-12;

/// Rounds of Newton's iteration; two or three are usual, more only when assembling.
const ROUNDS: usize = 12;

/// What a correction could not close: the largest gap and the largest rate left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Leftover {
    /// [m or rad]
    pub gap: f64,
    /// [m/s or rad/s]
    pub rate: f64,
}

/// Corrects positions, then velocities, of a state whose accelerations have just been solved nearby.
pub fn correct(model: &Model, state: &mut State, bounce_speed: f64, s: &mut Scratch) -> Leftover {
    hook::rows(model, state, s);
    close_stops(state, s);
    let gap = positions(model, state, s);
    let rate = velocities(state, bounce_speed, s);
    Leftover { gap, rate }
}

/// Whether the row's gap must vanish.
fn holds(row: &Row) -> bool {
    matches!(row.law, Law::Rigid)
}

/// Stops that the step ran into join the system, which is then factored anew.
fn close_stops(state: &State, s: &mut Scratch) {
    let rows = &s.rows;
    for problem in &mut s.solution.problems {
        let mut hit = false;
        for local in 0..problem.rows.len() {
            let index = problem.rows[local];
            let row = &rows.rows[index];
            let approaching = || rate(rows.blocks(index), |p| state.twist(p)) < 0.0;
            if holds(row) && row.lo == 0.0 && row.gap < 0.0 && approaching() {
                hit |= problem.modes[local] != Mode::Between;
                problem.modes[local] = Mode::Between;
            }
        }
        if hit {
            problem.factorise(rows);
        }
    }
}

/// Newton's iteration on the gaps. Returns the largest left.
pub(crate) fn positions(model: &Model, state: &mut State, s: &mut Scratch) -> f64 {
    let mut largest = f64::INFINITY;
    for _ in 0..ROUNDS {
        let rows = &s.rows;
        let mut worst: f64 = 0.0;
        for problem in &mut s.solution.problems {
            problem.momentum.fill(0.0);
            for local in 0..problem.rows.len() {
                let row = &rows.rows[problem.rows[local]];
                let on = problem.modes[local] == Mode::Between;
                let rhs = if on && holds(row) { -row.gap } else { 0.0 };
                worst = worst.max(rhs.abs());
                problem.softened[local] = Softened { rhs, ..Softened::default() };
            }
        }
        // redundant rows may keep a rounding-sized gap: stop when it no longer falls
        if worst <= CLOSED || worst >= 0.5 * largest {
            return worst.min(largest);
        }
        largest = worst;
        for problem in &mut s.solution.problems {
            problem.back_solve(rows);
            for (local, body) in problem.bodies.iter().enumerate() {
                let Twist { velocity, spin } = problem.twist(local);
                let b = &mut state.bodies[*body as usize];
                b.position += velocity;
                b.attitude = math::unit(math::exp(spin) * b.attitude);
            }
        }
        hook::rows(model, state, s);
    }
    largest
}

/// The same for rates. Returns the largest left.
pub(crate) fn velocities(state: &mut State, bounce_speed: f64, s: &mut Scratch) -> f64 {
    let rows = &s.rows;
    // what each row wants is decided before the first correction changes the rates
    s.bias.clear();
    s.bias.extend((0..rows.rows.len()).map(|index| {
        let row = &rows.rows[index];
        let back = -row.restitution * rate(rows.blocks(index), |p| state.twist(p));
        if row.lo == 0.0 && back > bounce_speed { back } else { row.speed }
    }));
    let mut largest = f64::INFINITY;
    for _ in 0..ROUNDS {
        let mut worst: f64 = 0.0;
        for problem in &mut s.solution.problems {
            problem.momentum.fill(0.0);
            for local in 0..problem.rows.len() {
                let index = problem.rows[local];
                let row = &rows.rows[index];
                let on = problem.modes[local] == Mode::Between && (holds(row) || !row.is_bounded());
                let rhs = if on { s.bias[index] - rate(rows.blocks(index), |p| state.twist(p)) } else { 0.0 };
                worst = worst.max(rhs.abs());
                problem.softened[local] = Softened { rhs, ..Softened::default() };
            }
        }
        if worst <= CLOSED || worst >= 0.5 * largest {
            return worst.min(largest);
        }
        largest = worst;
        for problem in &mut s.solution.problems {
            problem.back_solve(rows);
            for (local, body) in problem.bodies.iter().enumerate() {
                let Twist { velocity, spin } = problem.twist(local);
                let b = &mut state.bodies[*body as usize];
                b.velocity += velocity;
                b.spin += spin;
            }
        }
    }
    largest
}
