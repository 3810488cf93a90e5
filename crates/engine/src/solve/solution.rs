//! The result of this stage: velocities and forces of all islands, by index.

use super::island::IslandSolver;
use super::problem::{Indeterminate, Problem};
use super::stats::SolveStats;
use super::warm_start::ContactMemory;
use crate::body::twist::Twist;
use crate::force::free_motion::FreeMotion;
use crate::model::Model;
use crate::model::state::{ContactMode, State};
use crate::partition::{Island, Islands};
use crate::row::BoundMode;
use crate::row::rows::Rows;
use glam::DVec3;
use rayon::prelude::*;

/// Velocities of the step and the force of every row. Written by `solve`.
#[derive(Debug, Default)]
pub struct Solution {
    /// By body; static and kinematic bodies have their prescribed motion.
    pub twists: Vec<Twist>,
    /// Velocities by which positions move, where an island was solved in substeps: the mean over them. Empty if none
    /// was.
    carried: Vec<Twist>,
    /// Force of each row [N or N·m].
    pub forces: Vec<f64>,
    /// Whether each row's multiplier is at a bound.
    pub modes: Vec<BoundMode>,
    /// State of the friction that each row belongs to; `Open` for rows without friction.
    pub grips: Vec<ContactMode>,
    /// Statistics of each island, in the order of the islands.
    pub stats: Vec<SolveStats>,
    /// Rows found to be redundant.
    pub redundant: Vec<usize>,
    /// Row and mobility of the springs and dampers whose mobility is not that of free bodies, in order.
    held: Vec<(usize, f64)>,
    /// The solvers, in the same order.
    pub(crate) islands: Vec<IslandSolver>,
    /// Contact points matched with those of the state.
    pub(crate) memory: ContactMemory,
    /// The revisions of islands and model for which the solvers were laid out.
    revision: u64,
    model: u64,
}

/// Total number of rows below which islands are solved one after another. An estimate, not measured: 600 rows take
/// about 0.1 ms (`bench`), well above the overhead of another thread.
const PARALLEL_ROWS: usize = 600;

impl Solution {
    /// Velocity by which the position of a body moves.
    #[inline]
    pub fn carried(&self, place: usize) -> Twist {
        self.carried.get(place).copied().unwrap_or(self.twists[place])
    }

    /// The mobility by which a soft row was discretised, if it is not that of free bodies.
    pub fn held_mobility(&self, row: usize) -> Option<f64> {
        let found = self.held.binary_search_by_key(&row, |(row, _)| *row).ok()?;
        Some(self.held[found].1)
    }

    /// The torque on a body from the geometric stiffness of the cables and ropes attached to it, of a solve over a kick
    /// [N·m].
    pub fn tension_torque(&self, state: &State, place: usize, kick: f64) -> DVec3 {
        let awake = self.islands.iter().filter(|island| !island.is_asleep(state));
        let mut torques = awake.flat_map(|island| island.tension_torques(kick));
        torques.find(|(held, _)| *held == place).map_or(DVec3::ZERO, |(_, torque)| torque)
    }

    /// Rows whose forces are statically indeterminate: rigid bodies do not determine how the load is distributed among
    /// them. Of islands without a factor of this solve, such as sleeping ones, only dropped rows count.
    pub fn indeterminate(&self, rows: &Rows) -> Indeterminate {
        let mut found = Indeterminate::default();
        for (problem, stats) in self.problems().zip(&self.stats) {
            problem.indeterminate(rows, stats.factors > 0, &mut found);
        }
        found
    }

    /// Rows that the factors of all islands dropped as redundant, including those of sleeping islands.
    pub fn dropped(&self) -> impl Iterator<Item = usize> {
        self.problems().flat_map(|problem| problem.kkt.dropped().map(|local| problem.numbering.rows[local]))
    }

    /// The islands' problems.
    pub(crate) fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.islands.iter().map(|island| &island.problem)
    }

    /// The same, mutable.
    pub(crate) fn problems_mut(&mut self) -> impl Iterator<Item = &mut Problem> {
        self.islands.iter_mut().map(|island| &mut island.problem)
    }

    /// Lays out the systems of the islands that changed.
    pub(crate) fn refresh(&mut self, model: &Model, rows: &Rows, free: &FreeMotion, islands: &Islands) {
        if self.revision != islands.revision {
            self.revision = islands.revision;
            let same = std::mem::replace(&mut self.model, model.revision) == model.revision;
            let mut laid = std::mem::take(&mut self.islands).into_iter().peekable();
            let lay_out = |island: &Island| {
                let lowest = |solver: &IslandSolver| solver.problem.numbering.bodies[0];
                // islands come in the order of their lowest body
                while laid.next_if(|old| lowest(old) < island.bodies[0]).is_some() {}
                match laid.next_if(|old| lowest(old) == island.bodies[0]) {
                    Some(old) if same && old.problem.numbering.fits(island, rows) => {
                        old.following(model, rows, island)
                    }
                    old => IslandSolver::new(model, rows, island, old.unwrap_or_default()),
                }
            };
            self.islands = islands.list.iter().map(lay_out).collect();
            self.stats = vec![SolveStats::default(); self.islands.len()];
        }
        self.twists.resize(free.inertial.len(), Twist::default());
        self.forces.clear();
        self.forces.resize(rows.rows.len(), 0.0);
        self.modes.clear();
        self.modes.resize(rows.rows.len(), BoundMode::Between);
        self.grips.clear();
        self.grips.resize(rows.rows.len(), ContactMode::Open);
    }

    /// Runs a task on every island that is awake, in parallel if worthwhile; the task gets the island's last
    /// statistics.
    pub(crate) fn run(
        &mut self,
        rows: &Rows,
        state: &State,
        task: impl Fn(&mut IslandSolver, SolveStats) -> SolveStats + Sync,
    ) {
        let work = |(island, stats): (&mut IslandSolver, &mut SolveStats)| {
            *stats = if island.is_asleep(state) { SolveStats::default() } else { task(island, *stats) };
        };
        let parallel = self.islands.len() > 1 && rows.rows.len() >= PARALLEL_ROWS;
        if parallel {
            self.islands.par_iter_mut().zip(&mut self.stats).for_each(work);
        } else {
            self.islands.iter_mut().zip(&mut self.stats).for_each(work);
        }
    }

    /// Collects the islands' results by index. `kick` converts impulses into forces.
    pub(crate) fn gather(&mut self, rows: &Rows, free: &FreeMotion, state: &State, kick: f64) {
        self.twists.copy_from_slice(&free.carried);
        self.carried.clear();
        if self.islands.iter().any(IslandSolver::has_position_velocity) {
            self.carried.extend_from_slice(&free.carried);
        }
        self.redundant.clear();
        self.held.clear();
        for island in &self.islands {
            let problem = &island.problem;
            if island.is_asleep(state) {
                // a sleeping island keeps the forces it had when it fell asleep
                for group in problem.numbering.groups.iter().map(|g| &rows.groups[*g as usize]) {
                    // `integrate/commit.rs` does it for contacts
                    let Some(place) = group.joint() else { break };
                    let memory = &state.joints[place];
                    if memory.forces.len() == group.rows().len() {
                        self.forces[group.rows()].copy_from_slice(&memory.forces);
                        self.modes[group.rows()].copy_from_slice(&memory.modes);
                    }
                }
                continue;
            }
            self.held.extend_from_slice(island.held.found());
            for (i, body) in problem.numbering.bodies.iter().enumerate() {
                let twist = problem.twist(i);
                self.twists[*body as usize] = twist;
                if let Some(carried) = self.carried.get_mut(*body as usize) {
                    *carried = island.position_velocity(i).unwrap_or(twist);
                }
            }
            let per_impulse = 1.0 / kick;
            for (local, row) in problem.numbering.rows.iter().enumerate() {
                self.forces[*row] = problem.active.multipliers[local] * per_impulse;
                self.modes[*row] = problem.active.modes[local];
            }
            for cone in &problem.friction.cones {
                let rows =
                    problem.numbering.rows[cone.first]..problem.numbering.rows[cone.first] + cone.count;
                self.grips[rows].fill(cone.grip);
            }
            for cone in problem.friction.cones.iter().filter(|c| c.count == 2) {
                let [a, b] = cone.unturned(&problem.active.multipliers);
                let first = problem.numbering.rows[cone.first];
                (self.forces[first], self.forces[first + 1]) = (a / kick, b / kick);
            }
            self.redundant.extend(problem.kkt.dropped().map(|local| problem.numbering.rows[local]));
        }
        self.held.sort_unstable_by_key(|(row, _)| *row);
    }
}
