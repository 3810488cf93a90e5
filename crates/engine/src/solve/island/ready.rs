//! Preparation of an island's problem for a step: start values, masses and momenta, discretised rows.

use super::{IslandSolver, StepInput};
use crate::force::free_motion::{FreeMotion, mobility};
use crate::model::state::State;
use crate::row::rows::Rows;
use crate::row::{RowLaw, rate};
use crate::settings::Solver;
use crate::solve::input::SolveInput;
use crate::solve::regularize::{ImpulseBounds, StepTimes, rebound, regularize, stopping_rate};
use crate::solve::warm_start;
use glam::DVec3;

impl IslandSolver {
    /// Takes over the active set of joint rows from the last step; for iterative methods also the multipliers, as
    /// impulses over `kick`.
    pub(crate) fn warm_start(&mut self, rows: &Rows, state: &State, kick: f64) {
        let iterates = self.method.is_iterative() || self.is_part();
        warm_start::start_joints(&mut self.problem, rows, state, iterates.then_some(kick));
    }

    /// Prepares its problem for the step.
    pub(super) fn ready(&mut self, step: &StepInput<'_>) {
        let StepInput { input, state, times, contact, memory, .. } = step;
        let SolveInput { free, rows, .. } = *input;
        if !self.tension.is_empty() {
            self.tension.update(rows, state, free, times);
        }
        self.load_bodies(free);
        self.position_velocity.clear();
        self.problem.load_contacts(rows, !self.method.is_iterative());
        self.load_rows(state, (free, rows), times);
        let problem = &mut self.problem;
        self.tension.update_rope_rows((rows, free), &problem.numbering.rows, times, &mut problem.rows);
        warm_start::start_ropes(problem, input, state, self.method.solver);
        warm_start::start_contacts(problem, input, (state, memory), self.method.solver, contact.friction);
        self.overlaps.clear();
        // links of cables are compliant
        let jointed = self.problem.numbering.first_contact > 0 && self.tension.is_empty();
        if jointed && !self.method.is_iterative() && !self.is_part() {
            self.overlaps.hold(&mut self.problem, rows, times);
        }
    }

    /// Loads masses and momenta, including the geometric stiffness of cables.
    pub(in crate::solve) fn load_bodies(&mut self, free: &FreeMotion) {
        self.problem.load(free);
        self.tension.stiffen(&mut self.problem.bodies);
    }

    /// The torques of the geometric stiffness of its cables on its bodies, by index [N·m].
    pub(in crate::solve) fn tension_torques(&self, kick: f64) -> impl Iterator<Item = (usize, DVec3)> {
        self.tension.torques(|local| self.problem.twist(local).angular_velocity, kick)
    }

    /// Discretises its rows.
    fn load_rows(&mut self, state: &State, (free, rows): (&FreeMotion, &Rows), times: &StepTimes) {
        let IslandSolver { problem, method, tension, held, rebounds, .. } = self;
        let (mut links, mut local) = (tension.links(), 0);
        held.begin();
        rebounds.clear();
        for own in 0..problem.numbering.groups.len() {
            let number = problem.numbering.groups[own];
            for index in rows.groups[number as usize].rows() {
                let (row, blocks) = (&rows.rows[index], || rows.blocks(index));
                let before = || free.rate_before((row, blocks()), state, times.drift);
                let mut s = regularize(
                    row,
                    times,
                    before,
                    // Gauss–Seidel needs no definite matrix, so that a rigid row needs no compliance
                    || match (method.solver, row.law) {
                        (Solver::Iterative, RowLaw::Rigid | RowLaw::Velocity { .. }) => 0.0,
                        _ => mobility(blocks(), free, &free.inertia),
                    },
                    |all, most| held.find((index, own), &problem.numbering.groups, (rows, free), [all, most]),
                );
                if row.restitution > 0.0 {
                    let (rate, falling) = (before(), rate(blocks(), |place| free.unconstrained(place)));
                    let whole = rebound(row, s.rhs, rate, falling, times);
                    s.rhs = match local < problem.numbering.first_contact {
                        true => whole,
                        false => rebounds.load((local, number), [s.rhs, whole], rate),
                    };
                }
                let carried = if free.carrying { rate(blocks(), |place| free.carried[place]) } else { 0.0 };
                s.rhs -= carried;
                let bounds = ImpulseBounds::of(row, times.kick);
                problem.load_row(local, s, bounds);
                problem.active.links[local] = row.is_link();
                if bounds.is_bounded()
                    && let Some(gap) = rows.gap_to_stop(index)
                {
                    problem.load_stop(local, stopping_rate(gap, times) - carried);
                }
                local += 1;
            }
            // while the rows of a link are in the cache
            if let Some(link) = links.next_if(|link| link.is_of(number)) {
                tension.damp_bends(link, rows, times, &mut problem.rows);
            }
        }
    }
}
