//! One island: its problem, the method that solves it, and what is done where a method fails.
//!
//! ready    warm start, masses and momenta, tension stiffness, rows discretised, friction as it was
//! solve    by its method:
//!
//!   direct      pivoting, bounds of friction following the normal forces
//!               → where pivoting stalls, once more with all links of cables taut
//!               → descent on the energy of the velocities, then pivoting goes on
//!               → the last answer at which pivoting had settled, if its bounds of friction are only a little off
//!               → with joints: as `split`; its answer stands
//!               → without: Gauss–Seidel from the forces of the last step, then pivoting from there
//!               → Gauss–Seidel; its answer stands
//!   auto        where `method.rs` lets it leave the direct solver: as direct, or the search alone → Gauss–Seidel
//!   iterative   Gauss–Seidel, in substeps where the settings ask for them
//!   split       joints and normals directly, friction by Gauss–Seidel, in turn
//!
//! again    ready and solve, while tensions grow within the step
//! open     overlaps in islands with joints, by positions alone (`overlap.rs`)
//! bounce   two back-substitutions more where a load bounces on its cable
//!
//! No method knows another: this file alone has the order in which they follow each other.

use super::direct::energy_descent::{self, Descent};
use super::direct::{self, Search};
use super::gauss_seidel::substeps::{self, InstructionSet, SubstepTrack};
use super::gauss_seidel::{self, GaussSeidel};
use super::input::SolveInput;
use super::method::{Method, MethodChoice};
use super::overlap::Overlaps;
use super::problem::{Problem, twist_of};
use super::regularize::{ImpulseBounds, StepTimes, regularize, stopping_rate};
use super::shake_rows::{ShakeIteration, ShakeStage, ShakeState};
use super::stats::SolveStats;
use super::tension_stiffness::{self, GeometricStiffness};
use super::vibration::Vibration;
use super::warm_start::{self, ContactMemory};
use crate::body::twist::Twist;
use crate::force::free_motion::FreeMotion;
use crate::force::free_motion::mobility;
use crate::model::Model;
use crate::model::state::State;
use crate::partition::Island;
use crate::row::RowLaw;
use crate::row::rate;
use crate::row::rows::Rows;
use crate::settings::{ContactSettings, FrictionModel, Solver};
use glam::DVec3;

/// Factorisations after which pivoting that stalls is not helped by a descent once more: a descent takes ten to forty.
const DESCENT_LIMIT: u32 = 240;

/// Factorisations after which a step is not repeated for tensions that grew.
const AGAIN_LIMIT: u32 = 100;

/// Sweeps of an island whose contacts pivoting could not settle.
const FALLBACK_SWEEPS: u32 = 200;

/// Friction between direct solves has settled when it moves by less than this part of the largest impulse.
const SETTLED: f64 = 1e-9;

/// What the islands of one step have in common.
#[derive(Clone, Copy, Debug)]
pub struct StepInput<'a> {
    /// What the solve reads.
    pub input: SolveInput<'a>,
    /// The state that the step starts from.
    pub state: &'a State,
    /// Its two durations, and the speed limits of contacts.
    pub times: StepTimes,
    /// How contacts are solved.
    pub contact: &'a ContactSettings,
    /// How fast joints under load may vibrate, or ∞ if that does not matter [rad/s].
    pub vibration: f64,
    /// Contact points found again in the state's memory.
    pub memory: &'a ContactMemory,
}

/// One island with all that its methods work on.
#[derive(Debug, Default)]
pub struct IslandSolver {
    /// What is solved.
    pub(crate) problem: Problem,
    /// Who solves it.
    method: Method,
    /// Stiffness of its cables by their tension.
    tension: GeometricStiffness,
    /// Stiffness of its other joints by theirs.
    vibration: Vibration,
    /// How far its joints are closed where the step ends.
    pub(crate) shake: ShakeState,
    /// Overlaps that are opened by positions alone.
    overlaps: Overlaps,
    // work space of the methods
    sweeper: GaussSeidel,
    track: SubstepTrack,
    descent: Descent,
    /// The velocities that positions move with, six numbers per body; empty if they are those of the solution.
    position_velocity: Vec<f64>,
}

impl IslandSolver {
    /// Lays out an island, in the memory of a solver that is no more. One with contacts that Gauss–Seidel solves, or that may
    /// leave the direct solver, gets a factor when it is asked for; others at once.
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
            overlaps: old.overlaps,
            sweeper: old.sweeper,
            track: old.track,
            descent: old.descent,
            position_velocity: old.position_velocity,
        }
    }

    /// The same layout for the same island, whose rows have moved within Rows. It keeps its method.
    pub(super) fn following(mut self, model: &Model, rows: &Rows, island: &Island) -> IslandSolver {
        self.problem.numbering.follow(island, rows);
        let tension = GeometricStiffness::new(model, rows, island);
        let vibration = Vibration::new(model, rows, &self.problem.numbering, &tension.held(island));
        IslandSolver { tension, vibration, ..self }
    }

    /// Whether it sleeps: its bodies fall asleep and wake together.
    pub(super) fn is_asleep(&self, state: &State) -> bool {
        state.bodies[self.problem.numbering.bodies[0] as usize].asleep
    }

    /// Whether it is a part of a cluster.
    pub(super) fn is_part(&self) -> bool {
        self.problem.numbering.cluster > 0
    }

    /// Takes over the mode of each joint row from the last step; for methods that iterate also its multiplier, as an impulse over
    /// `kick`.
    pub(crate) fn warm_start(&mut self, rows: &Rows, state: &State, kick: f64) {
        let iterates = self.method.is_iterative() || self.is_part();
        warm_start::start_joints(&mut self.problem, rows, state, iterates.then_some(kick));
    }

    /// Solves its step, unless it is a part of a cluster: parts wait for each other.
    pub(super) fn advance(&mut self, step: &StepInput<'_>) -> SolveStats {
        let StepInput { input: SolveInput { rows, .. }, state, contact, memory, .. } = *step;
        let groups = &self.problem.numbering.groups;
        let choice = self.method.choose(groups, &step.input, state, &memory.recalled);
        self.shake.takes_part = false;
        self.tension.recall(rows, state, groups);
        self.warm_start(rows, state, step.input.kick);
        self.ready(step);
        if self.is_part() {
            return SolveStats::default();
        }
        if self.method.may_leave && choice != MethodChoice::Sweep {
            return self.solve_or_leave(step, contact.friction, choice);
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

    /// Opens overlaps by the velocities that positions move with (`overlap.rs`).
    fn open_overlaps(&mut self, rows: &Rows, times: &StepTimes) {
        self.overlaps.begin(&mut self.problem, rows);
        let search = Search::new(&self.problem, None);
        let stats = self.pivot_and_descend(rows, search);
        self.overlaps.end(&mut self.problem, times, &mut self.position_velocity);
        if stats.stalled {
            self.position_velocity.clear();
        }
    }

    /// Solves again with the stretch of cables damped against its mean, where that counts (`tension_stiffness/bounce.rs`).
    fn release_bounce(&mut self, step: &StepInput<'_>, mut stats: SolveStats) -> SolveStats {
        let (rows, friction) = (step.input.rows, step.contact.friction);
        let direct = matches!(self.method.solver, Solver::Auto | Solver::Direct);
        let has_contacts = self.problem.numbering.first_contact < self.problem.numbering.rows.len();
        if self.tension.is_empty() || !direct || has_contacts || stats.stalled {
            return stats;
        }
        self.tension.start_rates(rows, step.state, &step.times);
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

    /// Makes its problem ready for the step.
    fn ready(&mut self, step: &StepInput<'_>) {
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
        // links of cables give way
        let jointed = self.problem.numbering.first_contact > 0 && self.tension.is_empty();
        if jointed && !self.method.is_iterative() && !self.is_part() {
            self.overlaps.hold(&mut self.problem, rows, times);
        }
    }

    /// Takes over masses and momenta, with the stiffness that tension gives cables.
    pub(super) fn load_bodies(&mut self, free: &FreeMotion) {
        self.problem.load(free);
        self.tension.stiffen(&mut self.problem.bodies);
    }

    /// The torques that the stiffness of its cables put on its bodies, by place [N·m].
    pub(super) fn tension_torques(&self, kick: f64) -> impl Iterator<Item = (usize, DVec3)> {
        self.tension.torques(|local| self.problem.twist(local).angular_velocity, kick)
    }

    /// Discretises its rows.
    fn load_rows(&mut self, state: &State, (free, rows): (&FreeMotion, &Rows), times: &StepTimes) {
        let IslandSolver { problem, method, tension, .. } = self;
        let (mut links, mut local) = (tension.links(), 0);
        for number in 0..problem.numbering.groups.len() {
            let number = problem.numbering.groups[number];
            for index in rows.groups[number as usize].rows() {
                let (row, blocks) = (&rows.rows[index], || rows.blocks(index));
                let mut s = regularize(
                    row,
                    times,
                    || free.rate_before((row, blocks()), state, times.drift),
                    || rate(blocks(), |place| free.unconstrained(place)),
                    // Gauss–Seidel needs no definite matrix, so a rigid row needs no compliance
                    || match (method.solver, row.law) {
                        (Solver::Iterative, RowLaw::Rigid | RowLaw::Velocity { .. }) => 0.0,
                        _ => mobility(blocks(), free, &free.inertia),
                    },
                );
                if free.carrying {
                    s.rhs -= rate(blocks(), |place| free.carried[place]);
                }
                let bounds = ImpulseBounds::of(row, times.kick);
                problem.load_row(local, s, bounds);
                problem.active.links[local] = row.is_link();
                if bounds.is_bounded()
                    && let Some(gap) = rows.gap_to_stop(index)
                {
                    problem.load_stop(local, stopping_rate(gap, times));
                }
                local += 1;
            }
            // while the rows of a link are in the cache
            if let Some(link) = links.next_if(|link| link.is_of(number)) {
                tension.damp_bends(link, rows, times, &mut problem.rows);
            }
        }
    }

    /// Solves its problem, which is ready, by its method.
    pub(super) fn solve(&mut self, step: &StepInput<'_>) -> SolveStats {
        let SolveInput { free, rows, .. } = step.input;
        let ContactSettings { sweeps, substeps, friction, .. } = *step.contact;
        match self.method.solver {
            // parts that exchange forces do so over the whole step
            Solver::Iterative if substeps < 2 || self.is_part() => {
                gauss_seidel::solve(&mut self.problem, &mut self.sweeper, rows, sweeps)
            }
            Solver::Iterative => {
                let work = (&mut self.sweeper, &mut self.track, &mut self.position_velocity);
                let counts = (substeps, (sweeps / substeps).max(1));
                substeps::solve(
                    &mut self.problem,
                    work,
                    (rows, free),
                    &step.times,
                    counts,
                    InstructionSet::detect(),
                )
            }
            Solver::Split => self.split(rows, sweeps),
            Solver::Auto | Solver::Direct => self.solve_directly(rows, friction),
        }
    }

    /// The direct solver, with all its fallbacks or the search alone; if it stalls, Gauss–Seidel.
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

    /// The direct search alone, with a number of factorisations at most.
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
            // what Gauss–Seidel would start from
            self.problem.active.keep();
        }
        self.problem.friction.forget_answer();
        let search = Search::new(&self.problem, Some(friction));
        let mut stats = self.pivot_and_descend(rows, search);
        if stats.stalled && has_friction {
            if let Some(stats) = direct::settle_for_kept(&mut self.problem, rows, stats) {
                return stats;
            }
            self.problem.active.recall();
            // sweeps do not converge on stiff joints
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
                // axes have been rotated since: sweeps put that right
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

    /// Searches to the end, with a descent wherever pivoting stalls.
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

    /// Joints and normals directly and friction by Gauss–Seidel in turn, until friction settles or for a number of rounds. The direct
    /// solve is the last, so that velocities are those of the forces.
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

    /// Joints and normals with friction forces as given. `stale`: whether the factor is of another active set.
    fn solve_given_friction(&mut self, rows: &Rows, stale: bool) -> SolveStats {
        self.problem.friction.forget_answer();
        let search = Search::new(&self.problem, None).with_factor(stale);
        let stats = self.pivot_and_descend(rows, search);
        if stats.stalled {
            direct::settle_for_best(&mut self.problem, rows);
        }
        direct::finish(&mut self.problem, rows, stats)
    }

    /// Prepares it for position iterations, in which it takes part if it was solved directly and as a whole; unless they were asked
    /// for, only if its joints turn faster than `from` and it has no cables.
    pub(crate) fn begin_shake(&mut self, stats: &SolveStats, state: &State, from: Option<f64>) {
        let direct = matches!(self.method.solver, Solver::Auto | Solver::Direct) && !self.is_part();
        let wanted = match from {
            Some(from) => self.tension.is_empty() && stats.turning.calls_for_rounds(from),
            None => true,
        };
        let settled = !stats.stalled && self.overlaps.is_empty();
        self.shake.begin(&self.problem, wanted && direct && settled && !self.is_asleep(state));
    }

    /// One position iteration of an island that is open.
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

    /// What the position of a body moves with, if that is another velocity than the solution's.
    pub(super) fn position_velocity(&self, local: usize) -> Option<Twist> {
        Some(twist_of(self.position_velocity.get(6 * local..6 * local + 6)?))
    }

    /// Whether positions move with other velocities than the solution's.
    pub(super) fn has_position_velocity(&self) -> bool {
        !self.position_velocity.is_empty()
    }

    /// Lets positions move with the velocities of the solution.
    pub(super) fn clear_position_velocity(&mut self) {
        self.position_velocity.clear();
    }
}
