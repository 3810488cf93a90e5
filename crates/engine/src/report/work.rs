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
//!          + κ Σ ½ (T²/EA) w        elastic rope that is paid out: w is less than 0
//!  damping   κ Σ F·ū_f              damping of bodies
//!          + κ Σ F_c s̄              dampers of soft rows and of forces, F_c as in `solve/regularize.rs`
//!  friction  κ Σ λ s̄                rows with bounds on both sides
//!  contact   κ Σ λ s̄                rigid rows with a bound on one side: surfaces, stops
//!  subsystems                       their forces without a potential, as they report it
//!          + κ Σ λ J ū_f            rows of a medium
//!  friction, remeshing              of rope on drums and sheaves: `joint/wound.rs`
//! ```
//!
//! The work of rigid joints, and that of soft rows beyond their spring and the damping of their material, are not listed:
//! they are part of the numerical error, as are the transverse rows of ropes, whose target rates are those of the spans
//! themselves. ΔE is the difference between two instants;
//! the work at an instant is divided between both sides of it. The balance is of second order, as the step is.

use crate::body::twist::{Twist, Wrench};
use crate::force::free_motion::{FreeMotion, mobility};
use crate::joint::JointKind;
use crate::load::Loads;
use crate::model::Model;
use crate::model::state::State;
use crate::row::rows::Rows;
use crate::row::{BoundMode, Role, Row, RowLaw, Spring, rate};
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
    /// By dampers, and by the material of cables.
    pub damping: f64,
    /// By friction in contacts and joints, and by slip of rope on drums.
    pub friction: f64,
    /// By surfaces and stops.
    pub contact: f64,
    /// By the forces of subsystems that have no potential: drag, waves and currents, entry into a liquid, soil.
    pub subsystems: f64,
    /// By changes of the resolution of cables, by elements that are released or taken in, and by the elastic energy that
    /// rope takes onto drums and brings back.
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
    for (index, row) in rows.rows.iter().enumerate() {
        let (force, loss) = (solution.forces[index], Loss::of(row));
        let impulse = time * force;
        // the target of a transverse row is the span's own rotation, which nobody drives
        let is_driven = !matches!(row.law, RowLaw::Transverse { .. });
        let moves = free.carrying || (is_driven && (row.speed != 0.0 || row.acceleration != 0.0));
        let is_limited = matches!(loss, Loss::BoundedDamper(..));
        if (impulse == 0.0 && !is_limited) || (loss == Loss::None && !moves) {
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
        let wanted = if is_driven { row.speed + row.acceleration * ahead } else { 0.0 };
        let prescribed = if free.carrying { rate(blocks, carried) } else { 0.0 };
        work.drives += impulse * (wanted - prescribed);
        if loss == Loss::None {
            continue;
        }
        let rates =
            [rate(blocks, before), rate(blocks, |place| solution.twists[place])].map(|rate| rate - wanted);
        let slip = rates[0] + (rates[1] - rates[0]) * part;
        match loss {
            // at its limit, a spring and its damper exchange energy
            Loss::BoundedDamper(_, elastic) if force <= row.lo || force >= row.hi => {
                work.damping += time * (force - elastic) * slip;
            }
            Loss::Damper(spring) | Loss::BoundedDamper(spring, _) => {
                let mobility =
                    solution.held_mobility(index).unwrap_or_else(|| mobility(blocks, free, &free.inertia));
                work.damping += time * damper_force(&spring, times, mobility, rates) * slip;
            }
            Loss::Link(spring) if solution.modes[index] == BoundMode::Between => {
                work.damping -= time * spring.damping * rates[1] * slip;
            }
            Loss::Friction => work.friction += impulse * slip,
            Loss::Contact => work.contact += impulse * slip,
            Loss::Link(_) | Loss::Motor | Loss::Medium | Loss::None => {}
        }
    }
    add_fed_ropes(model, state, rows, (time, ahead), &mut work);
    work
}

/// Adds the work of feeding elastic ropes: that of `paid_out` beyond its force, and what drums and sheaves take from the
/// rope and give to it.
fn add_fed_ropes(model: &Model, state: &State, rows: &Rows, (time, ahead): (f64, f64), work: &mut Work) {
    for group in &rows.groups {
        let Some(place) = group.joint() else { break };
        let Some(JointKind::Rope(rope)) = model.joints.at(place).map(|joint| &joint.kind) else { continue };
        let Some(row) = rows.rows[group.rows()].first() else { continue };
        if let RowLaw::Spring(Spring { stiffness, .. }) = row.law {
            let wanted = row.speed + row.acceleration * ahead;
            work.drives += time * wanted * row.stored() * stiffness / rope.stiffness;
        }
        if rope.is_wound() {
            let frames = &rows.frames[group.frames()];
            let wound = rope.geometry(&state.joints[place].view(frames, state.time)).wound;
            work.remeshing += wound.carried;
            work.friction += wound.slipped;
        }
    }
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
    /// The same with a force limit, where its force other than this spring force is dissipative [N or N·m].
    BoundedDamper(Spring, f64),
    /// A taut link of a cable; it loses nothing while it is slack.
    Link(Spring),
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
            // the material's part of the damping of a link acts on the rate after the step
            RowLaw::Spring(spring) if row.is_link() => Loss::Link(spring),
            RowLaw::Spring(spring) if row.is_bounded() => {
                Loss::BoundedDamper(spring, (-spring.stiffness * row.gap).clamp(row.lo, row.hi))
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
