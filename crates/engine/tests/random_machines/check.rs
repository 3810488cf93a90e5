//! The properties that every machine without a source of energy must have, and how far one is from them.

use super::build;
use super::plan::{Dice, Plan};
use glam::DVec3;
use std::panic::{AssertUnwindSafe, catch_unwind};
use windlass_engine::prelude::*;

/// How long each machine runs [s].
const SECONDS: f64 = 1.0;
/// When the same machine, built in another order, is compared [s].
const COMPARED: f64 = 0.25;
/// Times at which reactions are added up.
const LOOKS: usize = 10;

/// Σ forces − m a over the largest force on any body, and the same of torques. The solver's residual is relative to the largest
/// force of an island, so a light body beside a heavy one is off by more of its own forces.
pub const BALANCE: f64 = 1e-6;
/// Energy gained over the largest kinetic and elastic energy and the range of the potential. The step is of second order: at 1/30 s
/// a fast swing is off by a percent.
pub const GAIN: f64 = 0.02;
/// Energy gained besides [J].
pub const GAIN_FLOOR: f64 = 1e-9;
/// How far apart bodies of the same machine may be, built in two orders [m]: elimination in another order rounds otherwise, and
/// in 0.25 s no swing makes 1e-6 m of that.
pub const ORDER: f64 = 1e-6;
/// The same where rows are redundant: which of them is left out follows the order, and what a step leaves of their gaps differs.
pub const ORDER_REDUNDANT: f64 = 1e-4;
/// A machine is chaotic if a change of gravity in its twelfth digit, 1e-12 m of its way, does a hundredth as much as the order.
const CHAOS: f64 = 100.0;

/// A property that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Panic,
    Fault,
    Balance,
    Energy,
    Supplied,
    Order,
    Restore,
}

/// By how much, and where.
#[derive(Clone, Debug)]
pub struct Failure {
    pub seed: u64,
    pub kind: Kind,
    /// In the units of the bound: 1e-6, 0.02, metres.
    pub off: f64,
    pub note: String,
}

/// What is wrong with the machine of a seed: nothing, if all holds.
pub fn failures(seed: u64) -> Vec<Failure> {
    let mut found = Vec::new();
    let mut tell = |kind, off, note| found.push(Failure { seed, kind, off, note });
    let all = catch_unwind(AssertUnwindSafe(|| {
        let plan = Plan::of(seed);
        run(&plan, &mut tell);
        reordered(&plan, seed, &mut tell);
    }));
    if let Err(panic) = all {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or(panic.downcast_ref::<&str>().map(|t| (*t).to_owned()));
        tell(Kind::Panic, 0.0, text.unwrap_or_default());
    }
    found
}

/// The world of a machine with everything in the order of its plan.
pub fn straight(plan: &Plan) -> World {
    let bodies: Vec<usize> = (0..plan.parts.len()).collect();
    let joints: Vec<usize> = (0..=plan.bonds.len()).collect();
    build::world(plan, &bodies, &joints)
}

/// The same in the order of a seed.
pub fn shuffled(plan: &Plan, seed: u64) -> World {
    let mut dice = Dice::new(!seed);
    let (bodies, joints) = (dice.order(plan.parts.len()), dice.order(plan.bonds.len() + 1));
    build::world(plan, &bodies, &joints)
}

/// Runs a machine: no fault, balance of reactions, no energy from nowhere, and the second half again to the same bits.
fn run(plan: &Plan, tell: &mut impl FnMut(Kind, f64, String)) {
    let mut world = straight(plan);
    let steps = (SECONDS / plan.dt).round() as usize;
    let (mut account, mut worst) = (Account::default(), (0.0, String::new()));
    let mut middle = None;
    for step in 0..steps {
        if step % steps.div_ceil(LOOKS) == 0 {
            let (off, body) = imbalance(&mut world);
            if !(off <= worst.0) {
                worst = (off, format!("step {step}, {body}"));
            }
        }
        if step == steps / 2 {
            middle = Some(world.state().clone());
        }
        let report = world.step();
        if let Some(fault) = &report.fault {
            return tell(Kind::Fault, report.time, fault.to_string());
        }
        account.enter(&report);
    }
    if !(worst.0 <= BALANCE) {
        tell(Kind::Balance, worst.0, worst.1);
    }
    account.close(tell);
    let end = world.state().hash();
    world.restore(middle.unwrap()).unwrap();
    (steps / 2..steps).for_each(|_| drop(world.step()));
    if world.state().hash() != end {
        tell(Kind::Restore, 0.0, "other bits after restoring".into());
    }
}

/// Energies and work along a run.
#[derive(Default)]
struct Account {
    start: Option<Energy>,
    kinetic: f64,
    elastic: f64,
    potential: [f64; 2],
    /// The largest gain [J], and when [s].
    gain: (f64, f64),
    work: Work,
}

impl Account {
    fn enter(&mut self, report: &Report) {
        let now = report.energy;
        let start = *self.start.get_or_insert_with(|| {
            self.potential = [now.potential; 2];
            now
        });
        self.kinetic = self.kinetic.max(now.kinetic);
        self.elastic = self.elastic.max(now.elastic);
        self.potential = [self.potential[0].min(now.potential), self.potential[1].max(now.potential)];
        let gain = now.total() - start.total();
        if !(gain <= self.gain.0) {
            self.gain = (gain, report.time);
        }
        self.work = self.work.plus(report.work.unwrap_or_default());
    }

    fn close(&self, tell: &mut impl FnMut(Kind, f64, String)) {
        let scale = self.kinetic + self.elastic + self.potential[1] - self.potential[0];
        let (gain, time) = self.gain;
        if !(gain <= GAIN * scale + GAIN_FLOOR) {
            let (kinetic, elastic) = (self.kinetic, self.elastic);
            let note =
                format!("{gain:.2e} J until {time:.3} s; kinetic {kinetic:.2e}, elastic {elastic:.2e}");
            tell(Kind::Energy, gain / scale, note);
        }
        let supplied = self.work.supplied().abs();
        if !(supplied <= 1e-9 * scale + GAIN_FLOOR) {
            tell(Kind::Supplied, supplied / scale, format!("{:?}", self.work));
        }
    }
}

/// The same machine built in another order goes the same way, unless surfaces meet: which touches first is then a matter of rounding.
/// Neither is asked of a machine that is chaotic.
fn reordered(plan: &Plan, seed: u64, tell: &mut impl FnMut(Kind, f64, String)) {
    if plan.touch.is_some() {
        return;
    }
    let [mut one, mut other] = [straight(plan), shuffled(plan, seed)];
    let [redundant, _] = [&mut one, &mut other].map(|world| advance(world, plan.dt));
    let (off, name) = apart(&one, &other);
    let within = if redundant { ORDER_REDUNDANT } else { ORDER };
    if !(off <= within) && !(off <= CHAOS * sensitivity(plan, &one)) {
        tell(Kind::Order, off, if redundant { name + ", redundant rows" } else { name });
    }
}

/// Runs until worlds are compared; whether any rows were redundant.
fn advance(world: &mut World, dt: f64) -> bool {
    let steps = (COMPARED / dt).round() as usize;
    (0..steps).fold(false, |any, _| world.step().redundant > 0 || any)
}

/// How far a machine goes astray under a gravity that differs in its twelfth digit [m].
fn sensitivity(plan: &Plan, one: &World) -> f64 {
    let mut other = straight(plan);
    other.set(|s| s.gravity *= 1.0 + 1e-12).unwrap();
    advance(&mut other, plan.dt);
    apart(one, &other).0
}

/// How far apart the bodies of two worlds are at most [m], and which.
fn apart(one: &World, other: &World) -> (f64, String) {
    let place = |world: &World, name: &str| {
        let id = world.model().body(name).expect("both have the same bodies");
        world.state().bodies[id.index()].position
    };
    let names = one.model().bodies().iter().map(|(_, body)| body.name.clone());
    let apart = names.map(|name| (place(one, &name).distance(place(other, &name)), name));
    apart.max_by(|a, b| a.0.total_cmp(&b.0)).expect("there are bodies")
}

/// Forces and torques on a body.
#[derive(Clone, Copy, Default)]
struct Sum {
    force: DVec3,
    torque: DVec3,
    largest: [f64; 2],
}

impl Sum {
    fn add(&mut self, force: DVec3, torque: DVec3) {
        self.force += force;
        self.torque += torque;
        self.largest = [self.largest[0].max(force.length()), self.largest[1].max(torque.length())];
    }
}

/// What reactions, contacts and loads add up to on each body.
fn sums(
    model: &Model,
    state: &State,
    now: &mut windlass_engine::inspect::instant::Inspection<'_>,
) -> Vec<Sum> {
    let mut sums = vec![Sum::default(); model.bodies().places()];
    for (place, _) in model.joints().iter() {
        let id = model.joints().id(place).unwrap();
        for k in 0..2 {
            let (Some(Wrench { force, torque }), Some((body, at))) = (now.reaction(id, k), now.anchor(id, k))
            else {
                continue;
            };
            let arm = at - state.bodies[body.index()].position;
            sums[body.index()].add(force, torque + arm.cross(force));
        }
    }
    for (place, _) in model.bodies().iter() {
        let id = model.bodies().id(place).unwrap();
        let (contact, load) = (now.contact_load(id), now.load(id).unwrap());
        sums[place].add(contact.force, contact.torque);
        sums[place].add(load.force, load.torque);
        sums[place].add(DVec3::ZERO, now.tension_torque(id));
    }
    sums
}

/// The worst imbalance of any free body over the largest force (torque) on any, and the body's name.
fn imbalance(world: &mut World) -> (f64, String) {
    let (model, state) = (world.model().clone(), world.state().clone());
    let mut now = world.inspect();
    let sums = sums(&model, &state, &mut now);
    let free = |place: usize| model.bodies().at(place).is_some_and(Body::is_dynamic);
    let largest = |k: usize| {
        let of = sums.iter().enumerate().filter(|(place, _)| free(*place)).map(|(_, s)| s.largest[k]);
        of.fold(0.0, f64::max)
    };
    let (force, torque) = (largest(0), largest(1).max(0.1 * largest(0)));
    let mut worst = (0.0, String::new());
    for (place, body) in model.bodies().iter().filter(|(_, body)| body.is_dynamic()) {
        let (instant, sum) = (now.body(model.bodies().id(place).unwrap()).unwrap(), sums[place]);
        let off = (sum.force - instant.acceleration.velocity * body.mass.mass).length() / force;
        let back = state.bodies[place].orientation.inverse();
        let spin = back * instant.twist.angular_velocity;
        let rate = back * instant.acceleration.angular_velocity;
        let change = body.mass.inertia * rate + spin.cross(body.mass.inertia * spin);
        let turned = (back * sum.torque - change).length() / torque;
        if !(off.max(turned) <= worst.0) {
            worst = (off.max(turned), format!("{}: forces {off:.1e}, torques {turned:.1e}", body.name));
        }
    }
    worst
}
