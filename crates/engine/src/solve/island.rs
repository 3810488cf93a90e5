//! One island: whether it sleeps, and its rows discretised.

use super::jacobian::{mobility, rate};
use super::problem::Problem;
use super::regularize::{Beat, Impulses, soften};
use crate::constrain::rows::{Law, Rows};
use crate::force::free::Free;
use crate::world::model::Solver;
use crate::world::state::State;
use crate::world::twist::Twist;

/// Whether an island sleeps: its bodies fall asleep and wake together.
pub(crate) fn is_asleep(problem: &Problem, state: &State) -> bool {
    state.bodies[problem.numbering.bodies[0] as usize].asleep
}

/// Discretises the rows of a problem.
pub(super) fn load_rows(problem: &mut Problem, state: &State, (free, rows): (&Free, &Rows), beat: &Beat) {
    let taut = std::mem::take(&mut problem.taut);
    let (mut bonds, mut local) = (taut.bonds(), 0);
    let before = |place: usize| {
        let b = &state.bodies[place];
        Twist { velocity: b.velocity, spin: b.spin }
    };
    for number in 0..problem.numbering.groups.len() {
        let number = problem.numbering.groups[number];
        for index in rows.groups[number as usize].rows() {
            let (row, blocks) = (&rows.rows[index], || rows.blocks(index));
            let mut s = soften(
                row,
                beat,
                || rate(blocks(), before),
                || rate(blocks(), |place| free.unconstrained(place)),
                // sweeps need no definite matrix, so a hard row need not give
                || match (problem.solver, row.law) {
                    (Solver::Iterative, Law::Rigid | Law::Speed { .. }) => 0.0,
                    _ => mobility(blocks(), free, &free.inertia),
                },
            );
            if free.carrying {
                s.rhs -= rate(blocks(), |place| free.carried[place]);
            }
            problem.load_row(local, s, Impulses::of(row, beat.kick));
            local += 1;
        }
        // while the rows of a link are at hand
        if let Some(bond) = bonds.next_if(|bond| bond.is_of(number)) {
            taut.damp_bends(bond, rows, beat, &mut problem.rows);
        }
    }
    problem.taut = taut;
}
