//! Start values of multipliers: the forces of the last step, matched with State; new contacts by whether
//! they approach.

use super::input::SolveInput;
use super::problem::{ConeState, Problem, STILL};
use crate::constrain::contact::rows_of;
use crate::contact::{Contact, Contacts};
use crate::force::free_motion::mobility;
use crate::model::state::{ContactMode, ContactState, State};
use crate::row::BoundMode;
use crate::row::rate;
use crate::row::rows::Rows;
use crate::settings::{FrictionModel, Solver};
use glam::DVec3;
use std::ops::Range;

/// Contact points of this step matched with those of the last one.
#[derive(Debug, Default)]
pub struct ContactMemory {
    /// By contact point: its index in the state's contacts plus one; 0 for a new point.
    pub(crate) recalled: Vec<u32>,
    /// The same, or that of the nearest point that has vanished.
    inherited: Vec<u32>,
    /// Points, and the indices in the state's contacts of vanished points whose forces they take over; by point.
    transfers: Vec<(u32, u32)>,
}

impl ContactMemory {
    /// Finds each contact point in the state by its feature. For Gauss–Seidel, whose result depends on its
    /// start, a new point of a known pair inherits from the nearest vanished one.
    pub(super) fn recall(&mut self, state: &State, contacts: &Contacts) {
        self.recalled.clear();
        self.recalled.resize(contacts.list.len(), 0);
        self.inherited.clear();
        self.inherited.resize(contacts.list.len(), 0);
        self.transfers.clear();
        let mut rest = state.contacts.as_slice();
        for pair in &contacts.pairs {
            let before = rest.iter().take_while(|m| m.parts < pair.parts).count();
            rest = &rest[before..];
            let known = &rest[..rest.iter().take_while(|m| m.parts == pair.parts).count()];
            let first = (state.contacts.len() - rest.len()) as u32 + 1;
            rest = &rest[known.len()..];
            if !known.is_empty() {
                let points = pair.points.clone();
                let list = &contacts.list[points.clone()];
                recall_pair(known, first, list, &mut self.recalled[points.clone()]);
                self.inherited[points.clone()].copy_from_slice(&self.recalled[points.clone()]);
                inherit(known, first, list, &mut self.inherited[points.clone()]);
                self.note_transfers(known, first, contacts, points);
            }
        }
    }

    /// Forces of vanished points that no point has inherited are moved to the nearest existing point; otherwise corners
    /// that merge would lose their load.
    fn note_transfers(
        &mut self,
        known: &[ContactState],
        first: u32,
        contacts: &Contacts,
        points: Range<usize>,
    ) {
        let (list, from) = (&contacts.list[points.clone()], self.transfers.len());
        for (j, gone) in known.iter().enumerate() {
            let place = first + j as u32;
            if gone.force == DVec3::ZERO || self.inherited[points.clone()].contains(&place) {
                continue;
            }
            let apart = |k: &usize| list[*k].point.distance_squared(gone.point);
            let nearest = (0..list.len()).min_by(|a, b| apart(a).total_cmp(&apart(b)));
            self.transfers.extend(nearest.map(|k| ((points.start + k) as u32, place - 1)));
        }
        self.transfers[from..].sort_unstable();
    }
}

/// Finds the points of one pair, whose stored contacts begin at index `first` less one.
fn recall_pair(known: &[ContactState], first: u32, points: &[Contact], recalled: &mut [u32]) {
    for (point, place) in points.iter().zip(&mut *recalled) {
        let same = known.iter().position(|m| m.feature == point.feature);
        *place = same.map_or(0, |k| first + k as u32);
    }
}

/// Assigns the nearest vanished point to points without a match.
fn inherit(known: &[ContactState], first: u32, points: &[Contact], recalled: &mut [u32]) {
    for k in 0..points.len() {
        if recalled[k] != 0 {
            continue;
        }
        let taken = |place: u32| recalled.contains(&place);
        let free = (0..known.len()).filter(|j| !taken(first + *j as u32));
        let apart = |j: &usize| known[*j].point.distance_squared(points[k].point);
        recalled[k] = free.min_by(|a, b| apart(a).total_cmp(&apart(b))).map_or(0, |j| first + j as u32);
    }
}

/// Initialises the contacts of a problem: known ones from their forces of the last step, new ones by whether they
/// approach.
pub(super) fn start_contacts(
    problem: &mut Problem,
    input: &SolveInput<'_>,
    (state, memory): (&State, &ContactMemory),
    solver: Solver,
    friction: FrictionModel,
) {
    let ContactMemory { recalled, inherited, transfers } = memory;
    let sweeps = solver == Solver::Iterative;
    let recalled = if sweeps { inherited } else { recalled };
    let kick = input.kick;
    let (rows, contacts) = (input.rows, input.contacts);
    let mut local = problem.numbering.first_contact;
    let groups = std::mem::take(&mut problem.numbering.groups);
    for group in rows.touching_among(&groups) {
        let Some(number) = group.pair() else { continue };
        let pair = &contacts.pairs[number];
        let each = rows_of(&pair.touch);
        // cones of the group are in the order of its points
        let mut cones = rows.cones[group.cones()].iter().peekable();
        for (k, point) in pair.points.clone().enumerate() {
            let normal = local + k * each;
            let memory = recalled[point].checked_sub(1).map(|place| &state.contacts[place as usize]);
            let along = contacts.list[point].normal;
            let pressed = match memory {
                Some(m) => m.force.dot(along).max(0.0) * kick,
                None => 0.0,
            };
            let presses = memory.map_or_else(|| approaches(problem, input, normal), |_| pressed > 0.0);
            problem.active.multipliers[normal] = pressed;
            problem.active.modes[normal] = if presses { BoundMode::Between } else { BoundMode::Low };
            let to_local = |row: usize| row + local - group.rows().start;
            while let Some(cone) = cones.next_if(|c| to_local(c.normal) == normal) {
                let first = to_local(cone.first);
                let grip = match memory {
                    // a contact on the verge of sliding converges fastest as a sliding one
                    Some(m) if presses && m.brink => ContactMode::Slip,
                    Some(m) if presses => m.grip,
                    // a new contact has no bound yet: it starts without friction
                    _ => ContactMode::Open,
                };
                let sigma = (first..first + cone.count).map(|l| problem.rows[l].sigma).fold(0.0, f64::max);
                let base = cone.base * kick;
                let one = ConeState {
                    normal,
                    first,
                    count: cone.count,
                    friction: cone.stick,
                    base,
                    grip,
                    pressed: pressed + base,
                    rest: f64::NAN,
                    slip_before: 0.0,
                    sigma,
                    turned: (1.0, 0.0),
                    belt: false,
                };
                let parts = if friction == FrictionModel::Cone { 1 } else { cone.count };
                for part in 0..parts {
                    let one = ConeState { first: first + part, count: cone.count / parts, ..one };
                    for row in one.first..one.first + one.count {
                        problem.active.multipliers[row] =
                            memory.map_or(0.0, |m| force_along(input, problem.numbering.rows[row], m)) * kick;
                    }
                    add_cone(problem, input, (state, solver), one, cone.slide);
                }
            }
            if sweeps {
                let from = transfers.partition_point(|b| b.0 < point as u32);
                for (_, place) in transfers[from..].iter().take_while(|b| b.0 == point as u32) {
                    transfer(problem, input, normal..normal + each, &state.contacts[*place as usize]);
                }
            }
        }
        local += group.rows().len();
    }
    problem.numbering.groups = groups;
}

/// Initialises the friction of ropes: as in the last step, or none.
pub(super) fn start_ropes(problem: &mut Problem, input: &SolveInput<'_>, state: &State, solver: Solver) {
    let SolveInput { rows, kick, .. } = *input;
    let mut local = 0;
    for index in 0..problem.numbering.groups.len() {
        let group = &rows.groups[problem.numbering.groups[index] as usize];
        let Some(place) = group.joint() else { break };
        let (memory, to_local) = (&state.joints[place], |row: usize| row + local - group.rows().start);
        for cone in &rows.cones[group.cones()] {
            let (normal, first) = (to_local(cone.normal), to_local(cone.first));
            let known = |row: usize| memory.forces.get(row - group.rows().start).map_or(0.0, |f| f * kick);
            let mut one = ConeState {
                normal,
                first,
                count: 1,
                friction: cone.stick,
                base: 0.0,
                grip: ContactMode::Open,
                pressed: 0.0,
                rest: f64::NAN,
                slip_before: 0.0,
                sigma: problem.rows[first].sigma,
                turned: (1.0, 0.0),
                belt: true,
            };
            (cone.normal..cone.first + 1)
                .for_each(|row| problem.active.multipliers[to_local(row)] = known(row));
            one.pressed = one.pressing(&problem.active.multipliers);
            if one.pressed > 0.0 {
                let mode = memory.modes.get(cone.first - group.rows().start);
                one.grip =
                    if mode == Some(&BoundMode::Between) { ContactMode::Stick } else { ContactMode::Slip };
            }
            add_cone(problem, input, (state, solver), one, cone.slide);
        }
        local += group.rows().len();
    }
}

/// Adds the force of a vanished point to the rows of another.
fn transfer(problem: &mut Problem, input: &SolveInput<'_>, rows: Range<usize>, gone: &ContactState) {
    for local in rows {
        let block = input.rows.blocks(problem.numbering.rows[local])[1];
        problem.active.multipliers[local] += gone.force.dot(block.linear) * input.kick;
    }
}

/// Fraction of the largest speed by which a gap may fail to close and still counts as closing: bodies that fall
/// together in contact must start in contact, otherwise a stack is found box by box. Well above round-off, far below
/// any motion.
const TOUCHES: f64 = 1e-9;

/// Whether a new point would close in this step under the unconstrained motion of the bodies.
fn approaches(problem: &Problem, input: &SolveInput<'_>, normal: usize) -> bool {
    let falling = rate(problem.blocks(input.rows, normal), |place| input.free.unconstrained(place));
    // the rate of prescribed bodies has been subtracted from the right-hand side
    let carried = rate(problem.blocks(input.rows, normal), |place| input.free.carried[place]);
    falling - carried < problem.rows[normal].rhs + TOUCHES * problem.bodies.speed_scale
}

/// A contact slides if its slip was faster than this fraction of the largest speed in its island: creep is slower.
const SLIDES: f64 = 1e-6;

/// Gauss–Seidel leaves a residual slip in contacts at rest. There a contact slides if it was faster than this fraction
/// of the speed that its own friction stops in a step. Of 0.05, 0.1, 0.2 and 0.3, tested with boxes and stacks of three
/// on slopes, the first two release some that had come to rest, and the last starts sliding late.
const UNSWEPT: f64 = 0.2;

/// Force of a point along a row of its friction in the last step [N or N·m].
fn force_along(input: &SolveInput<'_>, row: usize, memory: &ContactState) -> f64 {
    let block = input.rows.blocks(row)[1];
    let slides = block.linear != DVec3::ZERO;
    if slides { memory.force.dot(block.linear) } else { memory.torque.dot(block.angular) }
}

/// Adds a cone in its initial state. A sliding one starts along the slip of the last step; Gauss–Seidel starts from its
/// force.
fn add_cone(
    problem: &mut Problem,
    input: &SolveInput<'_>,
    (state, solver): (&State, Solver),
    cone: ConeState,
    kinetic: f64,
) {
    let number = problem.friction.cones.len();
    problem.friction.is_friction[cone.first..cone.first + cone.count].fill(true);
    let mut back = [0.0; 2];
    for (k, back) in back[..cone.count].iter_mut().enumerate() {
        let index = problem.numbering.rows[cone.first + k];
        let rate = rate(input.rows.blocks(index), |place| state.twist(place));
        // the force opposes the slip
        *back = input.rows.rows[index].speed - rate;
    }
    let was = (back[0] * back[0] + back[1] * back[1]).sqrt();
    let swept = matches!(solver, Solver::Iterative | Solver::Split);
    let mut still = SLIDES * problem.bodies.speed_scale;
    if swept && kinetic != cone.friction {
        let blocks = input.rows.blocks(problem.numbering.rows[cone.first]);
        let mobility = mobility(blocks, input.free, &input.free.inertia);
        still = still.max(UNSWEPT * mobility * cone.friction * cone.pressed);
    }
    let friction = if was > still { kinetic } else { cone.friction };
    problem.friction.cones.push(ConeState { slip_before: was, friction, ..cone });
    if swept {
        return;
    }
    if cone.grip == ContactMode::Slip {
        problem.active.multipliers[cone.first..cone.first + cone.count].copy_from_slice(&back[..cone.count]);
        let grip =
            if was > STILL * problem.bodies.speed_scale { ContactMode::Slip } else { ContactMode::Stick };
        problem.set_grip(number, grip);
        // with the friction of its normal force in the last step
        if grip == ContactMode::Slip {
            let bounds = problem.active.bounds[cone.first];
            problem.active.multipliers[cone.first..cone.first + cone.count].fill(0.0);
            problem.active.multipliers[cone.first] =
                if problem.active.modes[cone.first] == BoundMode::High { bounds.hi } else { bounds.lo };
        }
    } else {
        problem.set_grip(number, cone.grip);
    }
}

/// Takes over the mode of each joint row from the last step; with `kick` also its multiplier, as an impulse over that
/// time. Rows of subsystems start in the modes that these remember, those of dampers between their bounds.
pub(super) fn start_joints(problem: &mut Problem, rows: &Rows, state: &State, kick: Option<f64>) {
    let mut local = 0;
    let Problem { numbering, active, .. } = problem;
    for group in numbering.groups.iter().map(|g| &rows.groups[*g as usize]) {
        let own = local..local + group.rows().len();
        local = own.end;
        if group.pair().is_some() {
            break;
        }
        let Some(place) = group.joint() else {
            for (local, row) in own.zip(group.rows()) {
                active.modes[local] = rows.initial_mode(row);
                if kick.is_some() {
                    active.multipliers[local] = 0.0;
                }
            }
            continue;
        };
        let memory = &state.joints[place];
        let known = memory.modes.len() == own.len();
        if let Some(kick) = kick {
            let force = |k: usize| if known { memory.forces[k] } else { 0.0 };
            let multipliers = active.multipliers[own.clone()].iter_mut().enumerate();
            multipliers.for_each(|(k, l)| *l = kick * force(k));
        }
        if known {
            active.modes[own].copy_from_slice(&memory.modes);
        } else {
            active.modes[own].fill(BoundMode::Between);
        }
    }
}
