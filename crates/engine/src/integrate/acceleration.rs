//! Accelerations and forces of a state at one instant: the index-1 form of the equations of motion.
//!
//!   [ M  −Jᵀ ] [ a ]   [ f − ω×Iω ]
//!   [ J   0  ] [ λ ] = [ ẇ − J̇ v  ]
//!
//! J̇ v is the central difference of J v along the bodies' own motion, (J₊ v − J₋ v)/2δ, so that no constraint,
//! including user-defined ones, needs its second derivative; at |ω| δ = 1e-5 its relative error is 1e-10. Soft rows are
//! springs and dampers here, open stops have no effect, closed ones push. Bounded speed rows (motors, dry friction)
//! restore their target speed within `horizon`. So does the friction of ropes on pulleys, bounded by the tension T on
//! the incoming side according to the capstan equation (Eytelwein):
//!
//!   −T (1 − e^(−μφ)) ≤ ΔT ≤ T (e^(μφ) − 1)
//!
//! T follows from the stretch and from the friction at the points before. If a rope has friction at several points the
//! system is solved as many times, each time with the friction of the previous solution.

use super::penalty::contact_loop::ContactLoop;
use crate::constrain::{self};
use crate::force::free_motion::{FreeMotion, mobility};
use crate::math;
use crate::model::Model;
use crate::model::state::State;
use crate::partition;
use crate::row::BoundMode;
use crate::row::rate;
use crate::row::rows::{Group, Rows};
use crate::row::{FrictionBound, Row, RowLaw, Spring};
use crate::solve::direct;
use crate::solve::problem::Problem;
use crate::solve::regularize::{ImpulseBounds, LEAST_COMPLIANCE, RegularizedRow};
use crate::stages::Stages;

/// A stop counts as closed up to this gap [m or rad]: far below any tolerance, above round-off.
const TOUCH: f64 = 1e-9;

/// Workspace of an evaluation.
#[derive(Debug, Default)]
pub struct AccelerationWork {
    /// Contacts between internal steps.
    pub(crate) contacts: ContactLoop,
    /// A state at displaced poses, and its rows.
    trial: State,
    moved: Rows,
    /// J̇ v of every row.
    bias: Vec<f64>,
    /// Targets of the rows before a correction.
    pub(crate) wanted: Vec<f64>,
    /// Friction of ropes from the last solve.
    rubbed: Vec<f64>,
}

impl AccelerationWork {
    /// Fraction of an internal step that ends with `next` at which the first impact occurs
    /// (`ContactLoop::first_impact`).
    pub(super) fn first_impact(
        &mut self,
        model: &Model,
        next: &State,
        s: &mut Stages,
        pose: impl Fn(f64, &mut State),
    ) -> Option<f64> {
        self.contacts.first_impact(model, (next, &mut self.trial), s, pose)
    }
}

/// Writes accelerations to `solution.twists`, forces of rows to `solution.forces`. Bounded speed rows (motors, dry
/// friction) reach their target speed within `horizon` [s].
pub fn accelerate(model: &Model, state: &State, horizon: f64, s: &mut Stages, w: &mut AccelerationWork) {
    s.loads(model, state);
    s.free.leave_damping_out();
    w.contacts.push(model, state, s);
    s.constrain_joints(model, state);
    bias(model, state, s, w);
    partition::partition(&s.free.inertial, &s.rows, false, &mut s.islands);
    s.solution.refresh(model, &s.rows, &s.free, &s.islands);

    // bodies: present world inertia, forces less the gyroscopic torque; kinematic ones have their prescribed
    // acceleration
    let free = &mut s.free;
    for (place, inertial) in free.inertial.iter().enumerate().filter(|(_, i)| i.free) {
        let body = &state.bodies[place];
        let inertia = inertial.inertia(body.orientation);
        let wrench = free.wrenches.sums[place];
        free.inertia[place] = inertia;
        free.linear[place] = wrench.force;
        free.angular[place] = wrench.torque - body.angular_velocity.cross(inertia * body.angular_velocity);
    }
    free.accelerate_general(state);
    for (place, body) in model.bodies.iter() {
        if let Some(carried) = body.carried(state.time) {
            free.carried[place] = carried.rate;
        }
    }

    w.rubbed.clear();
    for _ in 1..looks(&s.rows) {
        solve_rows(state, horizon, s, w);
        w.rubbed.clone_from(&s.solution.forces);
    }
    solve_rows(state, horizon, s, w);
    s.free.note_accelerations(state, &s.solution.twists);
}

/// Number of solves for the friction of ropes: the number of friction points, and one more if the stretch does not
/// determine the tension.
fn looks(rows: &Rows) -> usize {
    let stretches = |cone: &FrictionBound| matches!(rows.rows[cone.normal].law, RowLaw::Spring(_));
    let needs = |cone: &FrictionBound| cone.first - cone.normal + usize::from(!stretches(cone));
    rows.cones.iter().filter(|cone| cone.belt).map(needs).max().unwrap_or(1)
}

/// Computes accelerations and forces from the rows.
fn solve_rows(state: &State, horizon: f64, s: &mut Stages, w: &AccelerationWork) {
    let (free, rows, bias, rubbed) = (&s.free, &s.rows, &w.bias, w.rubbed.as_slice());
    s.solution.run(rows, state, |island, _| {
        island.warm_start(rows, state, 1.0);
        let problem = &mut island.problem;
        problem.load(free);
        // no contacts, and the friction of ropes has known bounds: clears what a velocity-level solve left here
        problem.load_contacts(rows, false);
        let mut local = 0;
        for number in 0..problem.numbering.groups.len() {
            let group = &rows.groups[problem.numbering.groups[number] as usize];
            for index in group.rows() {
                let nouns = (state, free, rows, bias.as_slice());
                match belt(index, group, rows) {
                    Some(cone) => {
                        let force = |row: usize| {
                            rubbed.get(row).copied().unwrap_or_else(|| last_force(row, group, state))
                        };
                        load_row(problem, local, &rubbing(cone, rows, state, force), nouns, horizon);
                    }
                    None => load_row(problem, local, &rows.rows[index], nouns, horizon),
                }
                local += 1;
            }
        }
        direct::solve(problem, rows)
    });
    s.solution.gather(rows, free, state, 1.0);
}

/// A known force is a row at its bound.
fn known(force: f64) -> (RegularizedRow, ImpulseBounds) {
    (RegularizedRow::default(), ImpulseBounds::fixed(force))
}

/// Writes one row of the acceleration problem.
fn load_row(
    p: &mut Problem,
    local: usize,
    row: &Row,
    nouns: (&State, &FreeMotion, &Rows, &[f64]),
    horizon: f64,
) {
    let (state, free, rows, bias) = nouns;
    let index = p.numbering.rows[local];
    let blocks = rows.blocks(index);
    let speed = rate(blocks, |place| state.twist(place));
    let carried = if free.carrying { rate(blocks, |place| free.carried[place]) } else { 0.0 };
    let rhs = row.acceleration - bias[index] - carried;
    let mobility = || mobility(blocks, free, &free.inertia);
    let sigma = if row.is_bounded() { LEAST_COMPLIANCE * mobility() } else { 0.0 };
    let active = |rhs: f64| (RegularizedRow { sigma, rhs }, ImpulseBounds::of(row, 1.0));
    let (softened, bounds) = match row.law {
        RowLaw::Spring(spring) => known(spring_force(row, &spring, speed)),
        RowLaw::Velocity { loss } if loss > 0.0 => {
            known(((row.speed - speed) / loss).max(row.lo).min(row.hi))
        }
        RowLaw::Velocity { .. } if row.is_bounded() => active(rhs + (row.speed - speed) / horizon),
        RowLaw::Maxwell { compliance, offset, .. } => {
            known(((row.speed + offset - speed) / compliance).max(row.lo).min(row.hi))
        }
        // steps this short resolve it
        RowLaw::Transverse { .. } => known(0.0),
        RowLaw::Rigid if row.lo == 0.0 && !is_closed(row, speed) => known(0.0),
        RowLaw::Rigid | RowLaw::Velocity { .. } => active(rhs),
    };
    if bounds.is_fixed() {
        p.active.modes[local] = BoundMode::Low;
    }
    p.load_row(local, softened, bounds);
}

/// The friction of a rope that owns this row; none for other rows.
fn belt<'r>(index: usize, group: &Group, rows: &'r Rows) -> Option<&'r FrictionBound> {
    rows.cones[group.cones()].iter().find(|cone| cone.belt && cone.first == index)
}

/// Force of a row of a joint in the last step.
fn last_force(index: usize, group: &Group, state: &State) -> f64 {
    let memory = group.joint().and_then(|place| state.joints[place].forces.get(index - group.rows().start));
    memory.copied().unwrap_or(0.0)
}

/// A rope that slips no faster than this sticks [m/s], as for contacts.
const CREEP: f64 = 1e-5;

/// The friction row of a rope on a pulley, with the bounds from its tension; `force` returns the forces of rows.
fn rubbing(cone: &FrictionBound, rows: &Rows, state: &State, force: impl Fn(usize) -> f64) -> Row {
    let speed = |row: usize| rate(rows.blocks(row), |place| state.twist(place));
    let run = &rows.rows[cone.normal];
    let pull = match run.law {
        RowLaw::Spring(spring) => spring_force(run, &spring, speed(cone.normal)),
        _ => force(cone.normal),
    };
    let before: f64 = (cone.normal + 1..cone.first).map(force).sum();
    let row = rows.rows[cone.first];
    let slips = (speed(cone.first) - row.speed).abs() > CREEP;
    let (pull, kappa) = ((pull + before).max(0.0), if slips { cone.slide } else { cone.stick });
    // κ is 2 tanh(μφ/2)
    Row { lo: -kappa * pull / (1.0 + 0.5 * kappa), hi: kappa * pull / (1.0 - 0.5 * kappa), ..row }
}

/// Whether a stop pushes: it is in contact and not separating.
fn is_closed(row: &Row, speed: f64) -> bool {
    row.gap <= TOUCH && speed - row.speed <= TOUCH
}

/// −k g − c (ġ − w), inside the row's bounds.
fn spring_force(row: &Row, spring: &Spring, rate: f64) -> f64 {
    if row.is_open() {
        return 0.0;
    }
    (-spring.stiffness * row.gap - spring.damping * (rate - row.speed)).max(row.lo).min(row.hi)
}

/// J̇ v of every row, into `w.bias`.
fn bias(model: &Model, state: &State, s: &Stages, w: &mut AccelerationWork) {
    let fastest = state.bodies.iter().fold(1.0, |m: f64, b| m.max(b.angular_velocity.length()));
    let delta = 1e-5 / fastest;
    w.bias.clear();
    w.bias.resize(s.rows.rows.len(), 0.0);
    w.trial.clone_from(state);
    for side in [1.0, -1.0] {
        for (b, from) in w.trial.bodies.iter_mut().zip(&state.bodies) {
            b.position = from.position + from.velocity * (side * delta);
            b.orientation = math::exp(from.angular_velocity * (side * delta)) * from.orientation;
        }
        // time is constant: explicit time dependence is in the row's own speed and acceleration
        constrain::constrain(model, &w.trial, &mut w.moved);
        // a constraint that writes other rows at another pose violates its contract: there is no difference to form
        if w.moved.ends != s.rows.ends {
            w.bias.fill(0.0);
            return;
        }
        for (index, bias) in w.bias.iter_mut().enumerate() {
            *bias += side * rate(w.moved.blocks(index), |place| state.twist(place));
        }
    }
    w.bias.iter_mut().for_each(|b| *b /= 2.0 * delta);
}
