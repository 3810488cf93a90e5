//! Islands of rows → velocities and forces.
//!
//! Each island is one mixed linear complementarity problem, solved by itself; islands run in parallel and results
//! land by index, so they do not depend on the number of threads. Reads Free, Rows, Islands; writes Solution.

pub mod direct;
pub mod problem;
pub mod soften;

use crate::constrain::rows::Rows;
use crate::force::free::Free;
use crate::partition::Islands;
use crate::world::frame::Block;
use crate::world::model::Model;
use crate::world::state::{Mode, State};
use crate::world::twist::Twist;
use direct::Effort;
use glam::DMat3;
use problem::Problem;
use rayon::prelude::*;
use soften::{Beat, soften};

/// Velocities that carry the step, and the force of every row. Written by `solve`.
#[derive(Debug, Default)]
pub struct Solution {
    /// By place; bodies that are not free have their given motion.
    pub twists: Vec<Twist>,
    /// Force of each row [N or N·m].
    pub forces: Vec<f64>,
    /// Where each row's multiplier stands.
    pub modes: Vec<Mode>,
    /// How each island went; same order as the islands.
    pub efforts: Vec<Effort>,
    /// Rows found to depend on others.
    pub redundant: Vec<usize>,
    pub(crate) problems: Vec<Problem>,
    revision: u64,
}

/// Below this many rows altogether islands are solved one after another. A guess, not a measurement: 600 rows are about
/// 0.1 ms of solving (`bench`), well above the cost of handing work to another thread.
const PARALLEL_ROWS: usize = 600;

impl Solution {
    /// Lays out the islands' systems anew if the islands changed.
    pub(crate) fn refresh(&mut self, rows: &Rows, free: &Free, islands: &Islands) {
        if self.revision != islands.revision {
            self.revision = islands.revision;
            self.problems = islands.list.iter().map(|i| Problem::new(i, rows, &free.inertial)).collect();
            self.efforts = vec![Effort::default(); self.problems.len()];
        }
        self.twists.resize(free.inertial.len(), Twist::default());
        self.forces.clear();
        self.forces.resize(rows.rows.len(), 0.0);
        self.modes.clear();
        self.modes.resize(rows.rows.len(), Mode::Between);
    }

    /// Runs something on every island that is awake, in parallel if it is worth it.
    pub(crate) fn run(&mut self, rows: &Rows, state: &State, task: impl Fn(&mut Problem) -> Effort + Sync) {
        let work = |(problem, effort): (&mut Problem, &mut Effort)| {
            *effort = if is_asleep(problem, state) { Effort::default() } else { task(problem) };
        };
        let parallel = self.problems.len() > 1 && rows.rows.len() >= PARALLEL_ROWS;
        if parallel {
            self.problems.par_iter_mut().zip(&mut self.efforts).for_each(work);
        } else {
            self.problems.iter_mut().zip(&mut self.efforts).for_each(work);
        }
    }

    /// Collects the islands' results by index. `kick` turns impulses into forces.
    pub(crate) fn gather(&mut self, rows: &Rows, free: &Free, state: &State, kick: f64) {
        self.twists.copy_from_slice(&free.carried);
        self.redundant.clear();
        for problem in &self.problems {
            if is_asleep(problem, state) {
                // sleepers bear what they bore when they fell asleep
                for group in problem.groups.iter().map(|g| &rows.groups[*g as usize]) {
                    let memory = &state.joints[group.joint as usize];
                    if memory.forces.len() == group.rows.len() {
                        self.forces[group.rows.clone()].copy_from_slice(&memory.forces);
                        self.modes[group.rows.clone()].copy_from_slice(&memory.modes);
                    }
                }
                continue;
            }
            for (i, body) in problem.bodies.iter().enumerate() {
                self.twists[*body as usize] = problem.twist(i);
            }
            for (local, row) in problem.rows.iter().enumerate() {
                self.forces[*row] = problem.lambda[local] / kick;
                self.modes[*row] = problem.modes[local];
            }
            self.redundant.extend(problem.dropped().map(|local| problem.rows[local]));
        }
    }
}

/// Whether an island sleeps: its bodies fall asleep and wake together.
pub(crate) fn is_asleep(problem: &Problem, state: &State) -> bool {
    state.bodies[problem.bodies[0] as usize].asleep
}

/// Takes over where each row's multiplier stood after the last step.
pub(crate) fn warm_start(problem: &mut Problem, rows: &Rows, state: &State) {
    let mut local = 0;
    for group in problem.groups.iter().map(|g| &rows.groups[*g as usize]) {
        let modes = &mut problem.modes[local..local + group.rows.len()];
        local += group.rows.len();
        let memory = &state.joints[group.joint as usize].modes;
        if memory.len() == modes.len() {
            modes.copy_from_slice(memory);
        } else {
            modes.fill(Mode::Between);
        }
    }
}

/// J v of a row for any velocities.
pub fn rate(blocks: &[Block], twist: impl Fn(usize) -> Twist) -> f64 {
    blocks.iter().fold(0.0, |sum, b| {
        let t = twist(b.body as usize);
        sum + b.linear.dot(t.velocity) + b.angular.dot(t.spin)
    })
}

/// J M⁻¹ Jᵀ of a row.
pub fn mobility(blocks: &[Block], free: &Free, inertia: &[DMat3]) -> f64 {
    let mut sum = 0.0;
    for (i, b) in blocks.iter().enumerate().filter(|(_, b)| free.inertial[b.body as usize].free) {
        // a body may stand in a row twice
        let place = b.body as usize;
        let all = blocks.iter().filter(|c| c.body == b.body);
        if blocks[..i].iter().any(|c| c.body == b.body) {
            continue;
        }
        let (linear, angular) =
            all.fold((glam::DVec3::ZERO, glam::DVec3::ZERO), |(l, a), c| (l + c.linear, a + c.angular));
        sum += linear.length_squared() / free.inertial[place].mass;
        if angular != glam::DVec3::ZERO {
            sum += angular.dot(inertia[place].inverse() * angular);
        }
    }
    sum
}

/// Solves the step's velocities.
pub fn solve(model: &Model, state: &State, nouns: (&Free, &Rows, &Islands), kick: f64, out: &mut Solution) {
    let (free, rows, islands) = nouns;
    let beat = Beat { drift: model.settings.dt, kick, bounce_speed: model.settings.bounce_speed };
    out.refresh(rows, free, islands);
    out.run(rows, state, |problem| {
        warm_start(problem, rows, state);
        problem.load(free);
        for local in 0..problem.rows.len() {
            let index = problem.rows[local];
            let blocks = rows.blocks(index);
            let before = |place: usize| {
                let b = &state.bodies[place];
                Twist { velocity: b.velocity, spin: b.spin }
            };
            let mut s = soften(
                &rows.rows[index],
                &beat,
                || rate(blocks, before),
                || mobility(blocks, free, &free.inertia),
            );
            if free.carrying {
                s.rhs -= rate(blocks, |place| free.carried[place]);
            }
            problem.load_row(local, s);
        }
        direct::solve(problem, rows)
    });
    out.gather(rows, free, state, kick);
}
