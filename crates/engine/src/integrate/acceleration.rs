//! State → accelerations and forces at one instant: the index-1 form of the equations of motion.
//!
//!   [ M  −Jᵀ ] [ a ]   [ f − ω×Iω ]
//!   [ J   0  ] [ λ ] = [ ẇ − J̇ v  ]
//!
//! J̇ v is the central difference of J v along the bodies' own motion, (J₊ v − J₋ v)/2δ, so that no constraint, a
//! user's included, needs to know its second derivative; at |ω| δ = 1e-5 its relative error is 1e-10.
//! Soft rows are springs and dampers here, open stops do nothing, closed ones push; bounded speed rows (motors,
//! dry friction) want their speed back within `horizon`. So do ropes that rub on what they run over, with the pull T before it
//! for a bound, Eytelwein's law:
//!
//!   −T (1 − e^(−μφ)) ≤ ΔT ≤ T (e^(μφ) − 1)
//!
//! T is what the stretch tells, and the friction before it: where a rope rubs at several points all is solved as many times, each
//! with the friction that the last has found. `World::inspect` after a step of `spook` takes friction as that step found it.

use super::penalty::contact_loop::ContactLoop;
use crate::constrain::{self};
use crate::force::free_motion::{Free, mobility};
use crate::math;
use crate::model::Model;
use crate::model::state::State;
use crate::partition;
use crate::row::Mode;
use crate::row::rate;
use crate::row::rows::{Group, Rows};
use crate::row::{Cone, Form, Law, Row, Spring};
use crate::settings::Stepper;
use crate::solve::direct;
use crate::solve::problem::Problem;
use crate::solve::regularize::{ImpulseBounds, LEAST_COMPLIANCE, RegularizedRow, is_symmetric};
use crate::stages::Stages;

/// How accelerations are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// In what time bounded speed rows reach their speed [s].
    pub horizon: f64,
    /// Springs too stiff for this step count as rigid [s]; 0 for none.
    pub coarse: f64,
}

/// A stop counts as closed up to this gap [m or rad]: far below any tolerance, above round-off.
const TOUCH: f64 = 1e-9;

/// Work space of an evaluation.
#[derive(Debug, Default)]
pub struct AccelerationWork {
    /// Contacts between internal steps.
    pub(crate) contacts: ContactLoop,
    /// A state at other poses, and its rows.
    trial: State,
    moved: Rows,
    /// J̇ v of every row.
    bias: Vec<f64>,
    /// What rows wanted before a correction.
    pub(crate) wanted: Vec<f64>,
    /// Friction of ropes as the last solve found it.
    rubbed: Vec<f64>,
}

impl AccelerationWork {
    /// After what part of an internal step that ends with `next` the first impact falls (`ContactLoop::first_impact`).
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

/// Accelerations into `solution.twists`, forces of rows into `solution.forces`.
pub fn accelerate(model: &Model, state: &State, manner: Manner, s: &mut Stages, w: &mut AccelerationWork) {
    s.loads(model, state);
    match model.settings.stepper {
        Stepper::Spook => as_before(state, s),
        Stepper::Projected | Stepper::DormandPrince(_) => w.contacts.push(model, state, s),
    }
    s.constrain_joints(model, state);
    bias(model, state, s, w);
    partition::partition(&s.free.inertial, &s.rows, false, &mut s.islands);
    s.solution.refresh(model, &s.rows, &s.free, &s.islands);

    // bodies: world inertia now, forces less the gyroscopic torque; driven ones accelerate as told
    let free = &mut s.free;
    for (place, inertial) in free.inertial.iter().enumerate().filter(|(_, i)| i.free) {
        let body = &state.bodies[place];
        let inertia = inertial.inertia(body.attitude);
        let wrench = free.wrenches.0[place];
        free.inertia[place] = inertia;
        free.linear[place] = wrench.force;
        free.angular[place] = wrench.torque - body.spin.cross(inertia * body.spin);
    }
    for (place, body) in model.bodies.iter() {
        if let Some(carried) = body.carried(state.time) {
            free.carried[place] = carried.rate;
        }
    }

    let found = model.settings.stepper == Stepper::Spook;
    let looks = if found { 1 } else { looks(&s.rows) };
    w.rubbed.clear();
    for _ in 1..looks {
        solve_rows(state, manner, found, s, w);
        w.rubbed.clone_from(&s.solution.forces);
    }
    solve_rows(state, manner, found, s, w);
}

/// How often friction of ropes is solved for: as many times as one rubs, and once more if it does not tell its pull by its stretch.
fn looks(rows: &Rows) -> usize {
    let stretches = |cone: &Cone| matches!(rows.rows[cone.normal].law, Law::Soft(_));
    let needs = |cone: &Cone| cone.first - cone.normal + usize::from(!stretches(cone));
    rows.cones.iter().filter(|cone| cone.belt).map(needs).max().unwrap_or(1)
}

/// Rows → accelerations and forces. `found`: ropes rub as they did in the last step.
fn solve_rows(state: &State, manner: Manner, found: bool, s: &mut Stages, w: &AccelerationWork) {
    let (free, rows, bias, rubbed) = (&s.free, &s.rows, &w.bias, w.rubbed.as_slice());
    s.solution.run(rows, state, |island, _| {
        island.warm_start(rows, state, 1.0);
        let problem = &mut island.problem;
        problem.load(free);
        let mut local = 0;
        for number in 0..problem.numbering.groups.len() {
            let group = &rows.groups[problem.numbering.groups[number] as usize];
            for index in group.rows() {
                let nouns = (state, free, rows, bias.as_slice());
                match belt(index, group, rows) {
                    Some(_) if found => {
                        problem.active.modes[local] = Mode::Low;
                        let (softened, bounds) = known(last_force(index, group, state));
                        problem.load_row(local, softened, bounds);
                    }
                    Some(cone) => {
                        let force = |row: usize| {
                            rubbed.get(row).copied().unwrap_or_else(|| last_force(row, group, state))
                        };
                        load_row(problem, local, &rubbing(cone, rows, state, force), nouns, manner);
                    }
                    None => load_row(problem, local, &rows.rows[index], nouns, manner),
                }
                local += 1;
            }
        }
        direct::solve(problem, rows)
    });
    s.solution.gather(rows, free, state, 1.0);
}

/// Contacts push as they did in the last step, but for blows, which are over; about centres as they were then, since where a body
/// touches goes along with it.
fn as_before(state: &State, s: &mut Stages) {
    // trailing velocities are half a step behind and brought positions here
    let since = 2.0 * state.lag;
    for contact in &state.contacts {
        let lasts = 1.0 - contact.blow;
        for (part, sign) in contact.parts.iter().zip([-1.0, 1.0]) {
            let place = part.body as usize;
            let body = &state.bodies[place];
            let arm = contact.point - (body.position - since * body.velocity);
            let wrench = &mut s.free.wrenches.0[place];
            wrench.force += sign * lasts * contact.force;
            wrench.torque += sign * lasts * (contact.torque + arm.cross(contact.force));
        }
    }
}

/// A known force is a row that stands at a bound.
fn known(force: f64) -> (RegularizedRow, ImpulseBounds) {
    (RegularizedRow::default(), ImpulseBounds::fixed(force))
}

/// Writes one row of the acceleration problem.
fn load_row(p: &mut Problem, local: usize, row: &Row, nouns: (&State, &Free, &Rows, &[f64]), manner: Manner) {
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
        Law::Soft(spring) => {
            let stiff = manner.coarse > 0.0
                && !row.is_bounded()
                && spring.stiffness > 0.0
                && !resolves(&spring, manner.coarse, mobility);
            if stiff { active(rhs) } else { known(spring_force(row, &spring, speed)) }
        }
        Law::Speed { loss } if loss > 0.0 => known(((row.speed - speed) / loss).max(row.lo).min(row.hi)),
        Law::Speed { .. } if row.is_bounded() => active(rhs + (row.speed - speed) / manner.horizon),
        // steps that short resolve it
        Law::Turning { .. } => known(0.0),
        Law::Rigid if row.lo == 0.0 && !is_closed(row, speed, p.active.modes[local], manner.coarse) => {
            known(0.0)
        }
        Law::Rigid | Law::Speed { .. } => active(rhs),
    };
    if bounds.is_fixed() {
        p.active.modes[local] = Mode::Low;
    }
    p.load_row(local, softened, bounds);
}

/// The friction of a rope whose row this is; none for other rows.
fn belt<'r>(index: usize, group: &Group, rows: &'r Rows) -> Option<&'r Cone> {
    rows.cones[group.cones()].iter().find(|cone| cone.belt && cone.first == index)
}

/// What a row of a joint bore in the last step.
fn last_force(index: usize, group: &Group, state: &State) -> f64 {
    let memory = group.joint().and_then(|place| state.joints[place].forces.get(index - group.rows().start));
    memory.copied().unwrap_or(0.0)
}

/// A rope that slips no faster sticks [m/s]: as contacts do.
const CREEP: f64 = 1e-5;

/// The row by which a rope rubs on what it runs over, with the bounds that its pull leaves it; `force` is what rows bear.
fn rubbing(cone: &Cone, rows: &Rows, state: &State, force: impl Fn(usize) -> f64) -> Row {
    let speed = |row: usize| rate(rows.blocks(row), |place| state.twist(place));
    let run = &rows.rows[cone.normal];
    let pull = match run.law {
        Law::Soft(spring) => spring_force(run, &spring, speed(cone.normal)),
        _ => force(cone.normal),
    };
    let before: f64 = (cone.normal + 1..cone.first).map(force).sum();
    let row = rows.rows[cone.first];
    let slips = (speed(cone.first) - row.speed).abs() > CREEP;
    let (pull, kappa) = ((pull + before).max(0.0), if slips { cone.slide } else { cone.stick });
    // κ is 2 tanh(μφ/2)
    Row { lo: -kappa * pull / (1.0 + 0.5 * kappa), hi: kappa * pull / (1.0 - 0.5 * kappa), ..row }
}

/// Whether a velocity-level step of length `coarse` resolves the vibration of a spring, so that its gap tells its force.
fn resolves(spring: &Spring, coarse: f64, mobility: impl Fn() -> f64) -> bool {
    match spring.form {
        Form::Stabilised => is_symmetric(&Spring { form: Form::Auto, ..*spring }, coarse, mobility),
        _ => is_symmetric(spring, coarse, mobility),
    }
}

/// Whether a stop pushes: it touches and is not being left. A velocity-level step of length `coarse` closes stops only up
/// to what a body falls in it; there the last solve knows, `mode`, as long as the gap is of that size.
fn is_closed(row: &Row, speed: f64, mode: Mode, coarse: f64) -> bool {
    let leaving = speed - row.speed;
    if coarse > 0.0 {
        // 10 m/s² is the fall meant
        return mode == Mode::Between && row.gap <= coarse * (leaving.abs() + 10.0 * coarse);
    }
    row.gap <= TOUCH && leaving <= TOUCH
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
    let fastest = state.bodies.iter().fold(1.0, |m: f64, b| m.max(b.spin.length()));
    let delta = 1e-5 / fastest;
    w.bias.clear();
    w.bias.resize(s.rows.rows.len(), 0.0);
    w.trial.clone_from(state);
    for side in [1.0, -1.0] {
        for (b, from) in w.trial.bodies.iter_mut().zip(&state.bodies) {
            b.position = from.position + from.velocity * (side * delta);
            b.attitude = math::exp(from.spin * (side * delta)) * from.attitude;
        }
        // time stands still: what depends on time is in the row's own speed and acceleration
        constrain::constrain(model, &w.trial, &mut w.moved);
        // a constraint that writes other rows at another pose breaks its promise: there is no difference to take
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
