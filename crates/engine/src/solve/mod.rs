//! Islands of rows → velocities and forces.
//!
//! Each island is one mixed linear complementarity problem, solved by itself; islands run in parallel and results
//! land by index, so they do not depend on the number of threads. Reads Free, Contacts, Rows, Islands; writes Solution.
//!
//! **Who solves an island under `auto`.** Joints and no contact: the direct solver, always. With up to 600 rows of contacts:
//! the direct solver, and beyond that sweeps in small steps. An island without joints and with more than 60 rows of contacts
//! leaves the direct solver for a step
//!
//!   * if more than a quarter of its points are new or slid in the last step, those that bore nothing not counted: a heap that
//!     falls together, whose every step is another problem, or
//!   * if twelve factorisations have not settled it.
//!
//! If all its points are new, as when a scene begins, it is tried directly for as long as the direct solver searches at all.
//! Both follow from State and the contacts found, so a restored world decides the same.

pub mod closing;
pub mod cone;
mod contact;
mod coupled;
mod descend;
pub mod direct;
mod lanes;
pub mod problem;
pub mod soften;
mod substep;
pub mod sweep;
mod taut;

use crate::body::twist::Twist;
use crate::contact::Contacts;
use crate::force::free_motion::{Free, mobility};
use crate::model::Model;
use crate::model::state::{Grip, State};
use crate::partition::{Island, Islands};
use crate::row::Mode;
use crate::row::rows::Rows;
use crate::row::{Law, rate};
use crate::settings::{Contacting, Solver};
use direct::Effort;
use problem::Problem;
use rayon::prelude::*;
use soften::{Beat, Impulses, soften};
use substep::Machine;
use taut::Taut;

/// Velocities that carry the step, and the force of every row. Written by `solve`.
#[derive(Debug, Default)]
pub struct Solution {
    /// By place; bodies that are not free have their given motion.
    pub twists: Vec<Twist>,
    /// What positions move with, where a step was solved in parts: the mean over them. Empty where none was.
    carried: Vec<Twist>,
    /// Force of each row [N or N·m].
    pub forces: Vec<f64>,
    /// Where each row's multiplier stands.
    pub modes: Vec<Mode>,
    /// What the friction of each row does; `Open` for rows that have none.
    pub grips: Vec<Grip>,
    /// How each island went; same order as the islands.
    pub efforts: Vec<Effort>,
    /// Rows found to depend on others.
    pub redundant: Vec<usize>,
    pub(crate) problems: Vec<Problem>,
    /// By number of the contact point: its place in the state's memory plus one; 0 for a new one.
    pub(crate) recalled: Vec<u32>,
    /// The same, or that of a point near by that is gone.
    inherited: Vec<u32>,
    /// Points and the places in the state's memory of points that are gone, whose forces they take on; by point.
    bequests: Vec<(u32, u32)>,
    /// The revisions of the islands and of the model that the problems are of.
    revision: u64,
    model: u64,
}

/// Below this many rows altogether islands are solved one after another. A guess, not a measurement: 600 rows are about
/// 0.1 ms of solving (`bench`), well above the cost of handing work to another thread.
const PARALLEL_ROWS: usize = 600;

/// Rows of contacts up to which an island is solved directly: a stack of 50 boxes. Beyond that fill makes the factor cost
/// more than linear, and a pile has no use for round-off.
const DIRECT_ROWS: usize = 600;

/// Factorisations after which `auto` leaves the direct solver: ordinary steps take one to five.
const LEAVE: u32 = 12;

/// Rows of contacts up to which an island stays with the direct solver, come what may: five boxes.
const KEPT_ROWS: usize = 60;

impl Solution {
    /// What the position of a body moves with.
    #[inline]
    pub fn carried(&self, place: usize) -> Twist {
        self.carried.get(place).copied().unwrap_or(self.twists[place])
    }

    /// Lays out the systems of the islands that changed.
    pub(crate) fn refresh(&mut self, model: &Model, rows: &Rows, free: &Free, islands: &Islands) {
        if self.revision != islands.revision {
            self.revision = islands.revision;
            let same = std::mem::replace(&mut self.model, model.revision) == model.revision;
            let mut laid = std::mem::take(&mut self.problems).into_iter().peekable();
            let lay_out = |island: &Island| {
                let taut = Taut::new(model, rows, island);
                // islands come in the order of their lowest body
                while laid.next_if(|p| p.bodies[0] < island.bodies[0]).is_some() {}
                match laid.next_if(|p| p.bodies[0] == island.bodies[0]) {
                    Some(old) if same && old.fits(island, rows) => old.moved_to(island, rows, taut),
                    old => {
                        let solver = solver_of(model, rows, island);
                        Problem::new(island, rows, solver, taut, old.unwrap_or_default())
                    }
                }
            };
            self.problems = islands.list.iter().map(lay_out).collect();
            self.efforts = vec![Effort::default(); self.problems.len()];
        }
        self.twists.resize(free.inertial.len(), Twist::default());
        self.forces.clear();
        self.forces.resize(rows.rows.len(), 0.0);
        self.modes.clear();
        self.modes.resize(rows.rows.len(), Mode::Between);
        self.grips.clear();
        self.grips.resize(rows.rows.len(), Grip::Open);
    }

    /// Runs something on every island that is awake, in parallel if it is worth it; it is told how the last went.
    pub(crate) fn run(
        &mut self,
        rows: &Rows,
        state: &State,
        task: impl Fn(&mut Problem, Effort) -> Effort + Sync,
    ) {
        let work = |(problem, effort): (&mut Problem, &mut Effort)| {
            *effort = if is_asleep(problem, state) { Effort::default() } else { task(problem, *effort) };
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
        self.carried.clear();
        if self.problems.iter().any(|problem| problem.carries) {
            self.carried.extend_from_slice(&free.carried);
        }
        self.redundant.clear();
        for problem in &self.problems {
            if is_asleep(problem, state) {
                // sleepers bear what they bore when they fell asleep
                for group in problem.groups.iter().map(|g| &rows.groups[*g as usize]) {
                    // a sleeping contact keeps what it had in `keep`
                    let Some(place) = group.joint() else { break };
                    let memory = &state.joints[place];
                    if memory.forces.len() == group.rows().len() {
                        self.forces[group.rows()].copy_from_slice(&memory.forces);
                        self.modes[group.rows()].copy_from_slice(&memory.modes);
                    }
                }
                continue;
            }
            for (i, body) in problem.bodies.iter().enumerate() {
                self.twists[*body as usize] = problem.twist(i);
                if let Some(carried) = self.carried.get_mut(*body as usize) {
                    *carried = problem.carried(i);
                }
            }
            let per_impulse = 1.0 / kick;
            for (local, row) in problem.rows.iter().enumerate() {
                self.forces[*row] = problem.lambda[local] * per_impulse;
                self.modes[*row] = problem.modes[local];
            }
            for cone in &problem.cones {
                let rows = problem.rows[cone.first]..problem.rows[cone.first] + cone.count;
                self.grips[rows].fill(cone.grip);
            }
            for cone in problem.cones.iter().filter(|c| c.count == 2) {
                let [a, b] = problem.unturned(cone);
                let first = problem.rows[cone.first];
                (self.forces[first], self.forces[first + 1]) = (a / kick, b / kick);
            }
            self.redundant.extend(problem.dropped().map(|local| problem.rows[local]));
        }
    }
}

/// Who solves an island: the most exact its bodies ask for, else the world's setting; and whether it may leave the direct
/// solver. The rule is in the module's head.
fn solver_of(model: &Model, rows: &Rows, island: &Island) -> (Solver, bool) {
    let exactness = |s: &Solver| match s {
        Solver::Direct => 3,
        Solver::Split => 2,
        Solver::Iterative => 1,
        Solver::Auto => 0,
    };
    let asked =
        island.bodies.iter().filter_map(|b| model.bodies.at(*b as usize)?.solver).max_by_key(exactness);
    match asked.unwrap_or(model.settings.contact.solver) {
        Solver::Auto => {
            let groups = rows.touching_among(&island.groups);
            let loose = island.cluster == 0 && groups.clone().count() == island.groups.len();
            let touching: usize = groups.map(|g| g.rows().len()).sum();
            let direct = touching <= DIRECT_ROWS;
            let leaves = direct && loose && touching > KEPT_ROWS && model.settings.contact.substeps > 1;
            (if direct { Solver::Direct } else { Solver::Iterative }, leaves)
        }
        given => (given, false),
    }
}

/// Whether `auto` sweeps an island, tries it directly for a while, or as long as the direct solver itself would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Sweep,
    Try,
    Keep,
}

/// Chooses the solver of an island that may leave the direct one.
fn choose(problem: &mut Problem, nouns: &Nouns<'_>, state: &State, recalled: &[u32]) -> Way {
    if !problem.leaves {
        return Way::Keep;
    }
    let way = way_of(problem, nouns, state, recalled);
    problem.solver = if way == Way::Sweep { Solver::Iterative } else { Solver::Direct };
    way
}

/// The way for such an island.
fn way_of(problem: &Problem, nouns: &Nouns<'_>, state: &State, recalled: &[u32]) -> Way {
    let (mut all, mut restless, mut known) = (0, 0, false);
    let pairs = problem.groups.iter().filter_map(|g| nouns.rows.groups[*g as usize].pair());
    for pair in pairs.map(|number| &nouns.contacts.pairs[number]) {
        for place in &recalled[pair.points.clone()] {
            let grip = place.checked_sub(1).map(|place| state.contacts[place as usize].grip);
            known |= grip.is_some();
            all += usize::from(grip != Some(Grip::Open));
            restless += usize::from(grip.is_none() || (grip == Some(Grip::Slip) && pair.touch.stick > 0.0));
        }
    }
    match known {
        false => Way::Keep,
        true if 4 * restless > all => Way::Sweep,
        true => Way::Try,
    }
}

/// Whether an island sleeps: its bodies fall asleep and wake together.
pub(crate) fn is_asleep(problem: &Problem, state: &State) -> bool {
    state.bodies[problem.bodies[0] as usize].asleep
}

/// Takes over where each row's multiplier stood after the last step; for what iterates its value too, as an impulse of
/// `kick`.
pub(crate) fn warm_start(problem: &mut Problem, rows: &Rows, state: &State, kick: f64) {
    let mut local = 0;
    for group in problem.groups.iter().map(|g| &rows.groups[*g as usize]) {
        let own = local..local + group.rows().len();
        local = own.end;
        let Some(place) = group.joint() else { break };
        let memory = &state.joints[place];
        let known = memory.modes.len() == own.len();
        if problem.solver == Solver::Iterative || problem.cluster > 0 {
            let force = |k: usize| if known { memory.forces[k] } else { 0.0 };
            problem.lambda[own.clone()].iter_mut().enumerate().for_each(|(k, l)| *l = kick * force(k));
        }
        if known {
            problem.modes[own].copy_from_slice(&memory.modes);
        } else {
            problem.modes[own].fill(Mode::Between);
        }
    }
}

/// What a velocity solve reads.
#[derive(Clone, Copy, Debug)]
pub struct Nouns<'a> {
    /// Momenta and inertias.
    pub free: &'a Free,
    /// Points of contact, whose rows are in `rows`.
    pub contacts: &'a Contacts,
    /// Rows.
    pub rows: &'a Rows,
    /// Islands.
    pub islands: &'a Islands,
    /// κ: how long forces act [s].
    pub kick: f64,
}

/// Discretises the rows of a problem.
fn load_rows(problem: &mut Problem, state: &State, (free, rows): (&Free, &Rows), beat: &Beat) {
    let taut = std::mem::take(&mut problem.taut);
    let (mut bonds, mut local) = (taut.bonds(), 0);
    let before = |place: usize| {
        let b = &state.bodies[place];
        Twist { velocity: b.velocity, spin: b.spin }
    };
    for number in 0..problem.groups.len() {
        let number = problem.groups[number];
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
            taut.damp_bends(bond, rows, beat, &mut problem.softened);
        }
    }
    problem.taut = taut;
}

/// Solves the step's velocities.
pub fn solve(model: &Model, state: &State, nouns: &Nouns<'_>, out: &mut Solution) {
    let Nouns { free, contacts, rows, islands, kick } = *nouns;
    let settings = &model.settings;
    let beat = Beat {
        drift: settings.dt,
        kick,
        bounce_speed: settings.bounce_speed,
        recovery: settings.contact.recovery,
    };
    out.refresh(model, rows, free, islands);
    out.recall(state, contacts);
    let (recalled, inherited) = (std::mem::take(&mut out.recalled), std::mem::take(&mut out.inherited));
    let bequests = std::mem::take(&mut out.bequests);
    let ready = |problem: &mut Problem| {
        warm_start(problem, rows, state, kick);
        problem.load(free);
        problem.load_contacts(rows);
        if !problem.taut.is_empty() {
            problem.taut.weigh(rows, state, free, &beat);
            problem.stiffen();
        }
        load_rows(problem, state, (free, rows), &beat);
        problem.taut.turn_pulls((rows, free), &problem.rows, &beat, &mut problem.softened);
        contact::start_ropes(problem, nouns, state);
        contact::start(problem, nouns, state, (&recalled, &inherited, &bequests), settings.contact.friction);
    };
    let task = |problem: &mut Problem| match problem.solver {
        Solver::Iterative => {
            let Contacting { sweeps, substeps, .. } = settings.contact;
            match substeps {
                // parts that exchange forces do so over the whole step
                _ if substeps < 2 || problem.cluster > 0 => sweep::solve(problem, rows, sweeps),
                parts => {
                    let counts = (parts, (sweeps / parts).max(1));
                    substep::solve(problem, (rows, free), &beat, counts, Machine::detect())
                }
            }
        }
        Solver::Split => sweep::split(problem, rows, settings.contact.sweeps),
        Solver::Auto | Solver::Direct => direct::solve(problem, rows, Some(settings.contact.friction)),
    };
    out.run(rows, state, |problem, _| {
        let way = choose(problem, nouns, state, &recalled);
        problem.taut.recall(rows, state, &problem.groups);
        ready(problem);
        // parts of an island wait for each other
        if problem.cluster > 0 {
            return Effort::default();
        }
        if problem.leaves && way != Way::Sweep {
            let most = if way == Way::Try { LEAVE } else { u32::MAX };
            let effort = direct::attempt(problem, rows, settings.contact.friction, most);
            if !effort.stalled {
                return effort;
            }
            problem.solver = Solver::Iterative;
            ready(problem);
            return Effort { factors: effort.factors, ..task(problem) };
        }
        let mut effort = task(problem);
        for _ in 0..taut::AGAIN {
            if !problem.learn(rows, &beat) {
                break;
            }
            ready(problem);
            let again = task(problem);
            effort = Effort { factors: effort.factors + again.factors, ..again };
        }
        effort
    });
    coupled::solve(out, (free, rows), settings.contact.sweeps, task);
    (out.recalled, out.inherited, out.bequests) = (recalled, inherited, bequests);
    out.gather(rows, free, state, kick);
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use glam::{DQuat, DVec3};

    /// A pendulum, a box that stands, and a ball that falls on the floor beside them.
    fn world() -> World {
        let mut world = World::default();
        let floor = Body::fixed("floor").touchable(Collider::of(Geometry::HalfSpace));
        let floor = world.add_body(floor, DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let mut put = |name: &str, shape: Shape, at: DVec3| {
            let mass = Mass::of_total(&shape, 1.0).unwrap();
            let body = Body::free(name, mass).touchable(Collider::new(shape));
            world.add_body(body, at, DQuat::IDENTITY).unwrap()
        };
        let bob = put("bob", Shape::Sphere { radius: 0.1 }, DVec3::new(-3.0, 0.0, 2.0));
        put("box", Shape::Box { half: DVec3::splat(0.5) }, DVec3::new(0.0, 0.0, 0.5));
        put("ball", Shape::Sphere { radius: 0.2 }, DVec3::new(3.0, 0.0, 0.5));
        let anchors = [Anchor::point(floor, DVec3::new(-4.0, 0.0, 2.0)), Anchor::point(bob, -DVec3::X)];
        world.add_joint(Joint::new("pendulum", Ball { anchors })).unwrap();
        world
    }

    /// Where the numbers of the islands' systems are.
    fn systems(world: &World) -> Vec<*const f64> {
        world.scratch.solution.problems.iter().map(|problem| problem.x.as_ptr()).collect()
    }

    #[test]
    fn a_contact_lays_out_its_own_island_anew_and_no_other() {
        let mut world = world();
        world.step();
        let (before, revision) = (systems(&world), world.scratch.islands.revision);
        while world.scratch.islands.revision == revision {
            assert!(world.state().time < 1.0, "the ball never came down");
            world.step();
        }
        let after = systems(&world);
        assert_eq!(after.len(), 3);
        assert_eq!(before[..2], after[..2]);
        // what was kept goes on as what is laid out anew
        let mut fresh = self::world();
        fresh.restore(world.state().clone()).unwrap();
        for _ in 0..60 {
            world.step();
            fresh.step();
            assert_eq!(world.state(), fresh.state());
        }
    }

    #[test]
    fn looking_between_steps_lays_out_nothing_anew() {
        let mut world = world();
        let mut look = || {
            world.step();
            let steps = systems(&world);
            world.inspect();
            (steps, systems(&world), world.scratch.islands.revision)
        };
        assert_eq!(look(), look());
    }
}
