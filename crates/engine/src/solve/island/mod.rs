//! One island: its problem, the method that solves it, and the fallbacks where a method fails.
//!
//! ready    warm start, masses and momenta, tension stiffness, discretised rows, friction of the last step (`ready.rs`)
//! solve    by its method:
//!
//!   direct      pivoting, with friction bounds that follow the normal forces
//!               → if pivoting stalls: once more with all cable links taut
//!               → descent on the energy of the velocities, then pivoting continues
//!               → the last solution at which pivoting had converged, if its friction bounds are only slightly off
//!               → with joints: as `split`; its solution is accepted
//!               → without: Gauss–Seidel from the forces of the last step, then pivoting from there
//!               → Gauss–Seidel; its solution is accepted
//!   auto        where `method.rs` allows leaving the direct solver: as direct, or the search alone → Gauss–Seidel
//!   iterative   Gauss–Seidel, in substeps if set
//!   split       joints and normals directly, friction by Gauss–Seidel, alternating
//!
//! again    ready and solve, while tensions grow within the step, or an impact with friction gains energy (`rebound.rs`)
//! open     corrects penetrations in islands with joints, by positions only (`overlap.rs`)
//! bounce   two more back-substitutions where a load bounces on its cable
//!
//! The methods are independent of each other: their order is defined in this file only.

mod ready;

use super::direct::energy_descent::{self, Descent};
use super::direct::{self, Search};
use super::gauss_seidel::substeps::{self, InstructionSet, SubstepTrack};
use super::gauss_seidel::{self, GaussSeidel};
use super::held_mobility::HeldMobility;
use super::input::SolveInput;
use super::method::{Method, MethodChoice};
use super::overlap::Overlaps;
use super::problem::{Problem, twist_of};
use super::rebound::Rebounds;
use super::regularize::StepTimes;
use super::shake_rows::{ShakeIteration, ShakeStage, ShakeState};
use super::stats::SolveStats;
use super::tension_stiffness::{self, GeometricStiffness};
use super::vibration::Vibration;
use super::warm_start::ContactMemory;
use crate::body::twist::Twist;
use crate::model::Model;
use crate::model::state::State;
use crate::partition::Island;
use crate::row::rows::Rows;
use crate::settings::{ContactSettings, FrictionModel, Solver};

/// Number of factorisations after which stalled pivoting gets no further descent: a descent takes ten to forty.
const DESCENT_LIMIT: u32 = 240;

/// Number of factorisations after which a step is not repeated because tensions grew.
const AGAIN_LIMIT: u32 = 100;

/// Gauss–Seidel iterations of an island whose contacts pivoting could not solve.
const FALLBACK_SWEEPS: u32 = 200;

/// Convergence of friction between direct solves: it changes by less than this fraction of the largest impulse.
const SETTLED: f64 = 1e-9;

/// Input common to the islands of one step.
#[derive(Clone, Copy, Debug)]
pub struct StepInput<'a> {
    /// Input of the solve.
    pub input: SolveInput<'a>,
    /// The state that the step starts from.
    pub state: &'a State,
    /// Its two durations, and the speed limits of contacts.
    pub times: StepTimes,
    /// Contact settings.
    pub contact: &'a ContactSettings,
    /// Upper bound of the vibration frequency of joints under load, or ∞ if irrelevant [rad/s].
    pub vibration: f64,
    /// Contact points matched with those of the state.
    pub memory: &'a ContactMemory,
}

/// One island with the data of its methods.
#[derive(Debug, Default)]
pub struct IslandSolver {
    /// The problem to be solved.
    pub(crate) problem: Problem,
    /// Its solution method.
    method: Method,
    /// Geometric stiffness of its cables.
    tension: GeometricStiffness,
    /// Geometric stiffness of its other joints.
    vibration: Vibration,
    /// Convergence of its joints in position iterations.
    pub(crate) shake: ShakeState,
    /// Mobility of springs and dampers on rigid joints.
    pub(super) held: HeldMobility,
    /// Penetrations that are corrected by positions only.
    overlaps: Overlaps,
    /// Rebounds that are lowered where friction would gain energy.
    rebounds: Rebounds,
    // workspace of the methods
    sweeper: GaussSeidel,
    track: SubstepTrack,
    descent: Descent,
    /// The velocities by which positions move, six numbers per body; empty if they are those of the solution.
    position_velocity: Vec<f64>,
}

impl IslandSolver {
    /// Lays out an island, reusing the memory of an old solver. If Gauss–Seidel solves its contacts, or it may leave
    /// the direct solver, the factor is created on demand; otherwise at once.
    pub(super) fn new(model: &Model, rows: &Rows, island: &Island, mut old: IslandSolver) -> IslandSolver {
        old.position_velocity.clear();
        old.overlaps.clear();
        let method = Method::of(model, rows, island);
        let has_contacts = rows.touching_among(&island.groups).any(|g| !g.rows().is_empty());
        let later = method.may_leave || (method.is_iterative() && has_contacts);
        let problem = Problem::new(island, rows, later, old.problem);
        let tension = GeometricStiffness::new(model, rows, island);
        IslandSolver {
            vibration: Vibration::new(model, rows, &problem.numbering, &tension.held(island)),
            problem,
            method,
            tension,
            shake: ShakeState::default(),
            held: old.held.emptied(),
            overlaps: old.overlaps,
            rebounds: old.rebounds,
            sweeper: old.sweeper,
            track: old.track,
            descent: old.descent,
            position_velocity: old.position_velocity,
        }
    }

    /// The same layout for the same island after its rows have moved within Rows. It keeps its method.
    pub(super) fn following(mut self, model: &Model, rows: &Rows, island: &Island) -> IslandSolver {
        self.problem.numbering.follow(island, rows);
        let tension = GeometricStiffness::new(model, rows, island);
        let vibration = Vibration::new(model, rows, &self.problem.numbering, &tension.held(island));
        IslandSolver { tension, vibration, ..self }
    }

    /// Whether it sleeps: its bodies fall asleep and wake together.
    pub(crate) fn is_asleep(&self, state: &State) -> bool {
        state.bodies[self.problem.numbering.bodies[0] as usize].asleep
    }

    /// Whether it is a part of a cluster.
    pub(super) fn is_part(&self) -> bool {
        self.problem.numbering.cluster > 0
    }

    /// Solves its step, unless it is a part of a cluster: these are solved together.
    pub(super) fn advance(&mut self, step: &StepInput<'_>) -> SolveStats {
        let StepInput { input: SolveInput { rows, .. }, state, contact, memory, .. } = *step;
        let (bodies, groups) = (&self.problem.numbering.bodies, &self.problem.numbering.groups);
        let choice = self.method.choose((bodies, groups), &step.input, state, &memory.recalled);
        self.shake.takes_part = false;
        self.tension.recall(rows, state, groups);
        self.rebounds.begin();
        self.warm_start(rows, state, step.input.kick);
        self.ready(step);
        if self.is_part() {
            return SolveStats::default();
        }
        let may_leave = self.method.may_leave && !self.problem.bodies.is_general();
        if may_leave && choice != MethodChoice::Sweep {
            let stats = self.solve_or_leave(step, contact.friction, choice);
            return self.lower_rebounds(step, stats);
        }
        let mut stats = self.solve(step);
        for _ in 0..tension_stiffness::AGAIN {
            if stats.stalled || stats.factors > AGAIN_LIMIT {
                break;
            }
            if !self.tension.has_grown(
                rows,
                &self.problem.active.multipliers,
                &step.times,
                &self.problem.bodies,
            ) {
                break;
            }
            self.ready(step);
            let again = self.solve(step);
            stats = SolveStats { factors: stats.factors + again.factors, ..again };
        }
        let stats = self.lower_rebounds(step, stats);
        let mut stats = self.release_bounce(step, stats);
        if !self.method.is_iterative() && step.vibration.is_finite() {
            let IslandSolver { vibration, problem, .. } = self;
            stats.fastest = vibration.fastest(problem, rows, (state, step.input.kick), step.vibration);
        }
        if !self.overlaps.is_empty() {
            self.open_overlaps(rows, &step.times);
        }
        stats
    }

    /// Solves again with less restitution while an impact with friction gains energy.
    fn lower_rebounds(&mut self, step: &StepInput<'_>, mut stats: SolveStats) -> SolveStats {
        while !stats.stalled && self.gains(step) {
            let again = self.solve(step);
            stats = SolveStats { factors: stats.factors + again.factors, ..again };
        }
        stats
    }

    /// Whether an impact with friction gains energy; its problem is then ready with less restitution.
    pub(super) fn gains(&mut self, step: &StepInput<'_>) -> bool {
        let SolveInput { rows, free, .. } = step.input;
        let gains = self.rebounds.lower(&self.problem, (rows, free), step.state, &step.times);
        if gains {
            self.ready(step);
        }
        gains
    }

    /// Corrects penetrations by the velocities of positions (`overlap.rs`).
    fn open_overlaps(&mut self, rows: &Rows, times: &StepTimes) {
        self.overlaps.begin(&mut self.problem, rows);
        let search = Search::new(&self.problem, None);
        let stats = self.pivot_and_descend(rows, search);
        self.overlaps.end(&mut self.problem, times, &mut self.position_velocity);
        if stats.stalled {
            self.position_velocity.clear();
        }
    }

    /// Solves again with the stretch of cables damped relative to its mean, where that matters
    /// (`tension_stiffness/bounce.rs`).
    fn release_bounce(&mut self, step: &StepInput<'_>, mut stats: SolveStats) -> SolveStats {
        let (rows, friction) = (step.input.rows, step.contact.friction);
        let direct = matches!(self.method.solver, Solver::Auto | Solver::Direct);
        let has_contacts = self.problem.numbering.first_contact < self.problem.numbering.rows.len();
        if self.tension.is_empty() || !direct || has_contacts || stats.stalled {
            return stats;
        }
        self.tension.start_rates((rows, step.input.free), step.state, &step.times);
        if !self.tension.second_rates(&mut self.problem, rows, &step.times) {
            return stats;
        }
        let mut is_last = false;
        loop {
            let again = direct::resolve(&mut self.problem, rows, friction);
            let factors = stats.factors + again.factors;
            stats = SolveStats { factors, ..again };
            if again.stalled {
                self.tension.forget_rates(&mut self.problem, rows, &step.times);
                let again = self.solve_directly(rows, friction);
                return SolveStats { factors: factors + again.factors, ..again };
            }
            if is_last || !self.tension.last_rates(&mut self.problem, rows, &step.times) {
                return stats;
            }
            is_last = true;
        }
    }

    /// Solves its problem, which must be ready, by its method.
    pub(super) fn solve(&mut self, step: &StepInput<'_>) -> SolveStats {
        let SolveInput { free, rows, .. } = step.input;
        let ContactSettings { solver_iterations: sweeps, substeps, friction, .. } = *step.contact;
        match self.method.solver {
            // parts that exchange forces do so over the whole step
            Solver::Iterative if substeps < 2 || self.is_part() => {
                gauss_seidel::solve(&mut self.problem, &mut self.sweeper, rows, sweeps)
            }
            Solver::Iterative => {
                let work = (&mut self.sweeper, &mut self.track, &mut self.position_velocity);
                let counts = (substeps, (sweeps / substeps).max(1));
                let part_of = |local: usize| self.rebounds.part_of(local);
                substeps::solve(
                    &mut self.problem,
                    work,
                    (rows, free, &part_of),
                    &step.times,
                    counts,
                    InstructionSet::detect(),
                )
            }
            Solver::Split => self.split(rows, sweeps),
            Solver::Auto | Solver::Direct => self.solve_directly(rows, friction),
        }
    }

    /// The direct solver, with all its fallbacks or the search alone; Gauss–Seidel if it stalls.
    fn solve_or_leave(
        &mut self,
        step: &StepInput<'_>,
        friction: FrictionModel,
        choice: MethodChoice,
    ) -> SolveStats {
        let rows = step.input.rows;
        let found = match choice {
            MethodChoice::Try(most) => self.search(rows, friction, most),
            _ => self.solve_directly(rows, friction),
        };
        if !found.stalled {
            return found;
        }
        self.method.solver = Solver::Iterative;
        self.warm_start(rows, step.state, step.input.kick);
        self.ready(step);
        SolveStats { factors: found.factors, ..self.solve(step) }
    }

    /// The direct search alone, with a maximum number of factorisations.
    fn search(&mut self, rows: &Rows, friction: FrictionModel, most: u32) -> SolveStats {
        let problem = &mut self.problem;
        problem.friction.forget_answer();
        let found = Search::new(problem, Some(friction)).at_most(most).run(problem, rows);
        if found.stalled { found } else { direct::finish(problem, rows, found) }
    }

    /// The direct solver with its fallbacks.
    fn solve_directly(&mut self, rows: &Rows, friction: FrictionModel) -> SolveStats {
        let has_friction = !self.problem.friction.cones.is_empty();
        if has_friction {
            // the start of Gauss–Seidel
            self.problem.active.keep();
        }
        self.problem.friction.forget_answer();
        let search = Search::new(&self.problem, Some(friction));
        let mut stats = self.pivot_and_descend(rows, search);
        // Gauss–Seidel supports rigid blocks only
        if stats.stalled && has_friction && !self.problem.bodies.is_general() {
            if let Some(stats) = direct::settle_for_kept(&mut self.problem, rows, stats) {
                return stats;
            }
            self.problem.active.recall();
            // Gauss–Seidel does not converge on stiff joints
            if self.problem.numbering.first_contact > 0 {
                let split = self.split(rows, FALLBACK_SWEEPS);
                let stalled = split.residual >= direct::GOOD;
                return SolveStats { stalled, factors: stats.factors + split.factors, ..split };
            }
            gauss_seidel::solve(&mut self.problem, &mut self.sweeper, rows, FALLBACK_SWEEPS);
            self.problem.active.keep();
            self.problem.adopt_friction();
            let search = Search::new(&self.problem, Some(friction)).after(stats.factors);
            stats = self.pivot_and_descend(rows, search);
            if stats.stalled {
                self.problem.active.recall();
                // axes have been rotated since: the iterations correct that
                let swept = gauss_seidel::solve(&mut self.problem, &mut self.sweeper, rows, FALLBACK_SWEEPS);
                return SolveStats {
                    stalled: swept.residual >= direct::GOOD,
                    factors: stats.factors,
                    ..swept
                };
            }
        } else if stats.stalled {
            direct::settle_for_best(&mut self.problem, rows);
        }
        direct::finish(&mut self.problem, rows, stats)
    }

    /// Searches to the end, with a descent whenever pivoting stalls.
    fn pivot_and_descend(&mut self, rows: &Rows, mut search: Search) -> SolveStats {
        let IslandSolver { problem, descent, .. } = self;
        loop {
            search.pivot(problem, rows);
            if search.is_stuck() && problem.tighten_links() {
                search.go_on();
                search.pivot(problem, rows);
            }
            if search.is_stuck() && search.stats().factors < DESCENT_LIMIT {
                search.adopt(energy_descent::descend(problem, descent, rows, search.stats()));
            }
            if !search.move_bounds(problem, rows) {
                return search.stats();
            }
        }
    }

    /// Joints and normals directly and friction by Gauss–Seidel, alternating until friction converges or for a number
    /// of iterations. The direct solve is last, so that velocities are consistent with forces.
    fn split(&mut self, rows: &Rows, rounds: u32) -> SolveStats {
        self.sweeper.compile(&self.problem, rows);
        self.problem.freeze_friction();
        let mut stats = self.solve_given_friction(rows, true);
        for _ in 0..rounds.max(2) {
            let moved = self.sweeper.sweep_friction(&mut self.problem);
            self.problem.freeze_friction();
            let part = self.solve_given_friction(rows, stats.stalled);
            stats = SolveStats { factors: stats.factors + part.factors, ..part };
            if moved <= SETTLED {
                break;
            }
        }
        stats.residual = self.sweeper.judge(&mut self.problem);
        stats
    }

    /// Joints and normals with given friction forces. `stale`: whether the factor belongs to another active set.
    fn solve_given_friction(&mut self, rows: &Rows, stale: bool) -> SolveStats {
        self.problem.friction.forget_answer();
        let search = Search::new(&self.problem, None).with_factor(stale);
        let stats = self.pivot_and_descend(rows, search);
        if stats.stalled {
            direct::settle_for_best(&mut self.problem, rows);
        }
        direct::finish(&mut self.problem, rows, stats)
    }

    /// Prepares position iterations. The island takes part if it was solved directly and as a whole; by default only
    /// if its joints rotate faster than `from` and it has no cables.
    pub(crate) fn begin_shake(&mut self, stats: &SolveStats, state: &State, from: Option<f64>) {
        let direct = matches!(self.method.solver, Solver::Auto | Solver::Direct) && !self.is_part();
        let wanted = match from {
            Some(from) => stats.turning.calls_for_rounds(from),
            None => true,
        };
        let settled = !stats.stalled && self.overlaps.is_empty();
        self.shake.begin(&self.problem, wanted && direct && settled && !self.is_asleep(state));
    }

    /// One position iteration of an island that has not converged.
    pub(crate) fn shake(&mut self, stats: SolveStats, iteration: &ShakeIteration<'_>) -> SolveStats {
        let again = match self.shake.write_rows(&mut self.problem, iteration) {
            ShakeStage::Done => return stats,
            ShakeStage::Open => direct::resolve(&mut self.problem, iteration.rows, iteration.friction),
            ShakeStage::Failed => self.solve_directly(iteration.rows, iteration.friction),
        };
        SolveStats {
            factors: stats.factors + again.factors,
            stalled: again.stalled,
            residual: again.residual,
            ..stats
        }
    }

    /// The velocity by which the position of a body moves, if it differs from that of the solution.
    pub(super) fn position_velocity(&self, local: usize) -> Option<Twist> {
        Some(twist_of(self.position_velocity.get(6 * local..6 * local + 6)?))
    }

    /// Whether positions move by velocities other than those of the solution.
    pub(super) fn has_position_velocity(&self) -> bool {
        !self.position_velocity.is_empty()
    }

    /// Lets positions move with the velocities of the solution.
    pub(super) fn clear_position_velocity(&mut self) {
        self.position_velocity.clear();
    }
}
