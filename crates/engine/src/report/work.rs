//! Solution of a step → the work done on dynamic bodies in it, by cause. The change of energy is then balanced:
//!
//!   ΔE = loads + drives + damping + friction + contact + subsystems + remeshing + numerical error
//!
//! Forces act for κ about the instant at which the step begins, while velocities go from v to u. Let ū = ½ (v + u),
//! with index f for dynamic bodies and c for bodies with prescribed motion, and s̄ = J ū − w the rate of a row relative
//! to its target rate w:
//!
//! ```text
//!  loads     κ Σ F·ū_f              explicit forces without a potential
//!  drives    κ Σ λ J ū_f            motors
//!          + κ Σ λ (w − J ū_c)      other rows: moving targets, prescribed motion
//!  damping   κ Σ F·ū_f              damping of bodies
//!          + κ Σ F_c s̄              dampers of soft rows and of forces, F_c as in `solve/regularize.rs`
//!  friction  κ Σ λ s̄                rows with bounds on both sides
//!  contact   κ Σ λ s̄                rigid rows with a bound on one side: surfaces, stops
//!  subsystems                       their forces without a potential, as they report it
//!          + κ Σ λ J ū_f            rows of a medium
//! ```
//!
//! How the work of an impact is divided between its normal impulse and its friction depends on the course of the impact,
//! which a step does not resolve. Friction opposes the slip at any time, so that its work is not positive: where the mean
//! slip above makes it so because the slip reverses, the work of that friction is part of `contact`.
//!
//! The work of rigid joints, that of soft rows beyond their spring and damper, and the axial damping of cables, most of
//! which is numerical, are not listed: they are part of the numerical error. ΔE is the difference between two instants;
//! the work at an instant is divided between both sides of it. The balance is of second order, as the step is.

use crate::body::twist::{Twist, Wrench};
use crate::force::free_motion::{FreeMotion, mobility};
use crate::load::Loads;
use crate::model::Model;
use crate::model::state::State;
use crate::row::rows::{Group, Rows};
use crate::row::{Role, Row, RowLaw, Spring, rate};
use crate::solve::Solution;
use crate::solve::regularize::damper_force;
use crate::subsystem::{SolvedStep, SubsystemWork};
use glam::DVec3;

/// Work done on dynamic bodies [J]; negative where energy is removed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// By explicit forces without a potential.
    pub loads: f64,
    /// By motors, moving targets, winches and bodies with prescribed motion.
    pub drives: f64,
    /// By dampers.
    pub damping: f64,
    /// By friction in contacts and joints.
    pub friction: f64,
    /// By surfaces and stops.
    pub contact: f64,
    /// By the forces of subsystems that have no potential: drag, waves and currents, entry into a liquid, soil.
    pub subsystems: f64,
    /// By changes of the resolution of cables, and by elements that are released or taken in.
    pub remeshing: f64,
}

impl Work {
    /// The sum.
    pub fn total(&self) -> f64 {
        self.supplied() + self.damping + self.friction + self.contact + self.subsystems + self.remeshing
    }

    /// External work: loads and drives.
    pub fn supplied(&self) -> f64 {
        self.loads + self.drives
    }

    /// The sum of two.
    pub fn plus(self, other: Work) -> Work {
        Work {
            loads: self.loads + other.loads,
            drives: self.drives + other.drives,
            damping: self.damping + other.damping,
            friction: self.friction + other.friction,
            contact: self.contact + other.contact,
            subsystems: self.subsystems + other.subsystems,
            remeshing: self.remeshing + other.remeshing,
        }
    }
}

/// A part of a step's kick: velocities at the fraction `part` between v and u, for a time [s].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval {
    part: f64,
    time: f64,
}

impl Interval {
    /// The whole kick.
    pub(crate) fn whole(model: &Model, state: &State) -> Interval {
        Interval { part: 0.5, time: model.kick(state) }
    }

    /// The part before the instant.
    pub(crate) fn before(model: &Model, state: &State) -> Interval {
        let lag = state.velocity_lag;
        Interval { part: 0.5 * lag / model.kick(state), time: lag }
    }
}

/// The work of a solved step in an interval.
pub(crate) fn done(
    model: &Model,
    state: &State,
    Interval { part, time }: Interval,
    (free, rows, solution): (&FreeMotion, &Rows, &Solution),
    conservative: &mut Loads,
) -> Work {
    let times = (model.dt(state), model.kick(state));
    let before = |place: usize| free.before(state, times.0, place);
    let mean = |place: usize| {
        let (v, u) = (before(place), solution.twists[place]);
        v.lerp(u, part)
    };
    let mut work = of_loads(model, state, (free, time), mean, conservative);
    let is_free = |place: usize| free.inertial[place].free;
    let moved = |place: usize| if is_free(place) { mean(place) } else { Twist::default() };
    let carried = |place: usize| if is_free(place) { Twist::default() } else { mean(place) };
    let ahead = part * times.1 - state.velocity_lag;
    let after = |place: usize| solution.twists[place];
    let (mut pairs, mut is_struck, mut is_reversed) = (rows.touching().iter().peekable(), false, false);
    for (index, row) in rows.rows.iter().enumerate() {
        let impulse = time * solution.forces[index];
        if row.role != Role::Friction {
            if let Some(pair) = pairs.next_if(|pair| pair.rows().start == index) {
                is_struck = is_hit((rows, solution), pair, model.settings.bounce_speed, before);
            }
            is_reversed = is_struck
                && row.role == Role::Normal
                && impulse > 0.0
                && reverses(rows, solution, index, (before, after));
        }
        let loss = match Loss::of(row) {
            Loss::Friction if is_reversed => Loss::Contact,
            loss => loss,
        };
        let moves = free.carrying || row.speed != 0.0 || row.acceleration != 0.0;
        if impulse == 0.0 || (loss == Loss::None && !moves) {
            continue;
        }
        let blocks = rows.blocks(index);
        if loss == Loss::Motor {
            work.drives += impulse * rate(blocks, moved);
            continue;
        }
        if loss == Loss::Medium {
            work.subsystems += impulse * rate(blocks, moved);
            continue;
        }
        let wanted = row.speed + row.acceleration * ahead;
        let prescribed = if free.carrying { rate(blocks, carried) } else { 0.0 };
        work.drives += impulse * (wanted - prescribed);
        if loss == Loss::None {
            continue;
        }
        let rates = [rate(blocks, before), rate(blocks, after)].map(|rate| rate - wanted);
        let slip = rates[0] + (rates[1] - rates[0]) * part;
        match loss {
            Loss::Damper(spring) => {
                let mobility =
                    solution.held_mobility(index).unwrap_or_else(|| mobility(blocks, free, &free.inertia));
                work.damping += time * damper_force(&spring, times, mobility, rates) * slip;
            }
            Loss::BoundedDamper(elastic) => work.damping += (impulse - time * elastic) * slip,
            Loss::Friction => work.friction += impulse * slip,
            Loss::Contact => work.contact += impulse * slip,
            Loss::Motor | Loss::Medium | Loss::None => {}
        }
    }
    work
}

/// Whether surfaces of a pair stop each other faster than a speed.
fn is_hit(
    (rows, solution): (&Rows, &Solution),
    pair: &Group,
    slow: f64,
    before: impl Fn(usize) -> Twist,
) -> bool {
    pair.rows().any(|index| {
        let row = &rows.rows[index];
        let is_loaded = row.role == Role::Normal && solution.forces[index] > 0.0;
        is_loaded && row.speed - rate(rows.blocks(index), &before) > slow
    })
}

/// Whether the friction that belongs to a normal row would do positive work over the whole kick.
fn reverses(
    rows: &Rows,
    solution: &Solution,
    normal: usize,
    (before, after): (impl Fn(usize) -> Twist, impl Fn(usize) -> Twist),
) -> bool {
    let own = (normal + 1..rows.rows.len()).take_while(|index| rows.rows[*index].role == Role::Friction);
    let power = own.fold(0.0, |sum, index| {
        let blocks = rows.blocks(index);
        let slips = rate(blocks, &before) + rate(blocks, &after) - 2.0 * rows.rows[index].speed;
        sum + solution.forces[index] * slips
    });
    power > 0.0
}

/// The work of subsystems in an interval of a solved step; none if one does not account for its work.
pub(crate) fn of_subsystems(
    model: &Model,
    state: &State,
    Interval { part, time }: Interval,
    (free, solution): (&FreeMotion, &Solution),
    work: &SubsystemWork,
) -> Option<f64> {
    let h = model.dt(state);
    let velocities = |place: usize| [free.before(state, h, place), solution.twists[place]];
    let (view, terms) = (model.view(state), free.solved_terms.as_slice());
    let step = SolvedStep { view, terms, velocities: &velocities, part, time };
    work.done(&model.subsystems, &state.parts, &step)
}

/// Work of explicit forces without a potential, and of the damping of bodies.
fn of_loads(
    model: &Model,
    state: &State,
    (free, time): (&FreeMotion, f64),
    mean: impl Fn(usize) -> Twist,
    conservative: &mut Loads,
) -> Work {
    let mut work = Work::default();
    let places = free.movable.iter().chain(&free.elements).map(|place| *place as usize);
    let has_forces = model.forces.iter().next().is_some();
    if has_forces {
        conservative.sums.clear();
        conservative.sums.resize(state.bodies.len(), Wrench::default());
        let bodies = model.bodies_at(state);
        model.forces.iter().for_each(|(_, f)| f.law().conservative(&bodies, conservative));
    }
    for place in places {
        let (all, inertial) = (free.wrenches.all()[place], &free.inertial[place]);
        let stored = if has_forces { conservative.all()[place] } else { Wrench::default() };
        let gravity = if inertial.gravity { model.settings.gravity } else { DVec3::ZERO };
        let reported = free.wrenches.of_subsystems.get(place).copied().unwrap_or_default();
        let others = Wrench {
            force: all.force - reported.force - stored.force - gravity * inertial.own_mass(),
            torque: all.torque - reported.torque - stored.torque,
        };
        if others != Wrench::default() {
            let velocity = mean(place);
            work.loads += time * others.force.dot(velocity.velocity);
            work.loads += time * others.torque.dot(velocity.angular_velocity);
        }
    }
    for damped in &free.damped {
        let velocity = mean(damped.place as usize);
        work.damping += time * damped.wrench.force.dot(velocity.velocity);
        work.damping += time * damped.wrench.torque.dot(velocity.angular_velocity);
    }
    work
}

/// How a row dissipates or supplies energy.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Loss {
    /// Not at all.
    None,
    /// A motor: all its work is external.
    Motor,
    /// A spring and damper.
    Damper(Spring),
    /// A spring and damper with a force limit: its force other than this spring force is dissipative [N or N·m].
    BoundedDamper(f64),
    Friction,
    Contact,
    /// All its work is that of a medium.
    Medium,
}

impl Loss {
    fn of(row: &Row) -> Loss {
        let one_sided = row.lo == 0.0 || row.role == Role::Normal;
        match row.law {
            _ if row.role == Role::Medium => Loss::Medium,
            RowLaw::Spring(Spring { damping, .. }) if damping == 0.0 || row.is_open() => Loss::None,
            // the axial damping of cables is numerical
            RowLaw::Spring(_) if row.is_link() => Loss::None,
            RowLaw::Spring(Spring { stiffness, .. }) if row.is_bounded() => {
                Loss::BoundedDamper((-stiffness * row.gap).clamp(row.lo, row.hi))
            }
            RowLaw::Spring(spring) => Loss::Damper(spring),
            RowLaw::Transverse { .. } => Loss::None,
            RowLaw::Velocity { .. } if matches!(row.role, Role::Drive(_)) => Loss::Motor,
            RowLaw::Velocity { .. } | RowLaw::Maxwell { .. } => Loss::Friction,
            RowLaw::Rigid if one_sided => Loss::Contact,
            RowLaw::Rigid if row.is_bounded() => Loss::Friction,
            RowLaw::Rigid => Loss::None,
        }
    }
}
