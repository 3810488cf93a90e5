//! The step of the cables, after the bodies have been advanced.
//!
//! As for bodies, velocities are half a step behind positions: forces act for κ = lag + h/2 and points move for h, so
//! that free fall is reproduced to round-off. The end of the step is found by Newton's method: the system is built
//! again at the points reached until they converge (*rebuilds*):
//!
//! ```text
//! v* = v, x* = x                        the first build, at the points of the start
//! A Δv = κ f − M (v* − v) − κ ∂²E/∂x² (x + h v* − x*)
//! v* ← v* + s Δv,  x* = x + h v*        s = 1, ½, ¼ …: the first that lowers G; after the first build 1 or 0
//! ```
//!
//! Near colliders a fast step is divided into parts. Reads Model, State and the next bodies, writes the next cables,
//! and applies impulses to bodies with attachments.

use crate::attachment::{self, AttachmentState};
use crate::band_matrix::{Band, Factor};
use crate::bending as bend;
use crate::cable::MassPointCable;
use crate::conjugate_gradients::Search;
use crate::contact::{self, CableContacts, Span};
use crate::energy;
use crate::plasticity::{self, Law};
use crate::state::BodyLoad;
use crate::state::MassPointState;
use crate::system::{self, System};
use glam::{DQuat, DVec3};
use windlass_engine::body::BodyState;
use windlass_engine::body::twist::Wrench;
use windlass_engine::energy::Energy;
use windlass_engine::math;
use windlass_engine::slots::Slots;
use windlass_engine::subsystem::{Advance, View};

/// Maximum number of parts of a step.
const PARTS: f64 = 8.0;
/// Maximum displacement of points near colliders in a part, in diameters, as far as the maximum number of parts allows.
const STRIDE: f64 = 2.0;
/// Maximum number of times the reach of contacts is doubled when a point moved farther.
const REACHES: usize = 8;
/// Maximum number of halvings of a Newton step.
const HALVINGS: usize = 12;
/// Factor of the rebuilds of a cable in contact: the active contacts must be found as well.
const TOUCHING: u32 = 4;
/// Number of times friction is updated with the normal forces found.
const FRICTIONS: usize = 2;
/// Required fraction of the decrease predicted by the slope of G (Armijo's rule).
const ARMIJO: f64 = 1e-4;
/// Relative residual at which conjugate gradients stop.
const RESIDUAL: f64 = 1e-10;

/// Input of the search for the end of a part of a step.
#[derive(Debug, Default)]
struct Given {
    start: Vec<DVec3>,
    before: Vec<DVec3>,
    stiff: Vec<f64>,
    turns: Vec<DQuat>,
    held: Vec<AttachmentState>,
    touching: CableContacts,
    damping: Band,
}

impl Given {
    /// The equations of a part of a step of length h, in which forces act for the time `kick`.
    fn system<'a>(
        &'a self,
        cable: &'a MassPointCable,
        gravity: DVec3,
        (h, kick): (f64, f64),
        s: &'a MassPointState,
    ) -> System<'a> {
        System {
            cable,
            gravity,
            h,
            kick,
            start: &self.start,
            before: &self.before,
            bends: &s.bends,
            stiff: &self.stiff,
            turns: &self.turns,
            held: &self.held,
            contacts: &self.touching.contacts,
            damping: &self.damping,
        }
    }
}

/// Workspace of the step of cables.
#[derive(Debug, Default)]
pub struct Work {
    given: Given,
    x: Vec<DVec3>,
    v: Vec<DVec3>,
    trial: [Vec<DVec3>; 2],
    right: Vec<DVec3>,
    rests: Vec<DVec3>,
    clamps: Vec<(usize, DVec3)>,
    /// Whether clamps define the rotation of the cable.
    clamped: bool,
    delta: Vec<DVec3>,
    image: Vec<DVec3>,
    matrix: Band,
    factor: Factor,
    solver: Search,
    from: Vec<BodyState>,
    to: Vec<BodyState>,
    /// Number of times systems were built in the last step.
    pub builds: u32,
    /// Conjugate gradient iterations in the last step.
    pub rounds: u32,
}

/// Advances all cables by a step into `ahead`, a copy of their present states. Returns the energies of the cables at
/// the beginning of the step and at its end.
pub(crate) fn advance(
    view: &View<'_>,
    step: &mut Advance<'_>,
    cables: &Slots<MassPointCable>,
    (now, ahead): (&[MassPointState], &mut [MassPointState]),
    work: &mut Work,
) -> [Energy; 2] {
    let mut energies = [Energy::default(); 2];
    (work.builds, work.rounds) = (0, 0);
    for (place, cable) in cables.iter() {
        let old = &now[place];
        work.one(view, cable, step, &mut ahead[place]);
        let new = &ahead[place];
        // velocities of an instant are interpolated between those before and after it, or extrapolated
        let (dt, passed) = (view.dt, old.lag + view.dt - new.lag);
        let velocities = |part: f64| (&old.velocities[..], &new.velocities[..], part);
        energy::add(&mut energies[0], (view, cable), old, velocities(old.lag / passed));
        energy::add(&mut energies[1], (view, cable), new, velocities((old.lag + dt) / passed));
    }
    energies
}

impl Work {
    /// Advances one cable.
    fn one(
        &mut self,
        view: &View<'_>,
        cable: &MassPointCable,
        step: &mut Advance<'_>,
        s: &mut MassPointState,
    ) {
        let dt = view.dt;
        attachment::begin(view, cable, s, (step.bodies, step.inertia), &mut self.given.held);
        self.given.stiff.clear();
        self.given.stiff.extend((1..cable.segments()).map(|i| cable.bending(i)));
        s.loads.clear();
        self.from.clear();
        self.from.extend_from_slice(view.bodies.states);
        let speed = s.velocities.iter().fold(0.0, |m: f64, v| m.max(v.length()));
        let speed = speed + dt * view.settings.gravity.length();
        let Advance { proximity, .. } = step;
        let reach = cable.margin + 2.0 * speed * dt;
        let others = contact::look(cable, &s.positions, (&self.from, dt), *proximity, reach);
        let parts = others.map_or(1.0, |others| {
            ((speed + others) * dt / (STRIDE * cable.properties.diameter)).ceil().clamp(1.0, PARTS)
        });
        let h = dt / parts;
        for part in 0..parts as usize {
            let rest = dt - part as f64 * h;
            between(view.bodies.states, step.bodies, (part + 1) as f64 / parts, &mut self.to);
            self.part((view, cable), step, (h, rest), s);
            self.from.clone_from(&self.to);
        }
        s.forces.clear();
        for held in &self.given.held {
            let (force, pull) = held.end(view, step.inertia, step.bodies, dt);
            s.forces.push(force);
            pull.into_iter().for_each(|p| add(&mut s.loads, p));
        }
    }

    /// Advances it by a part of the step of length h, in which bodies move from `self.from` to `self.to`.
    fn part(
        &mut self,
        (view, cable): (&View<'_>, &MassPointCable),
        step: &mut Advance<'_>,
        (h, rest): (f64, f64),
        s: &mut MassPointState,
    ) {
        let kick = s.lag + 0.5 * h;
        self.given.start.clone_from(&s.positions);
        self.given.before.clone_from(&s.velocities);
        for held in &mut self.given.held {
            held.aim(view, &self.to, s.positions[held.point], h);
        }
        system::damping(cable, &s.positions, &mut self.given.damping);
        self.clamp(cable);
        let gravity = view.settings.gravity;
        let speed = s.velocities.iter().fold(0.0, |m: f64, v| m.max(v.length()));
        let mut reach =
            cable.margin + cable.properties.diameter + 2.0 * h * (speed + kick * gravity.length());
        for _ in 0..REACHES {
            let Advance { inertia, jointed, proximity, .. } = step;
            let start = &self.given.start;
            if contact::look(cable, start, (&self.from, h), *proximity, reach).is_some() {
                let span = Span { view, from: &self.from, to: &self.to, inertia, jointed, h, kick };
                self.given.touching.find(cable, start, &span, *proximity, reach);
            } else {
                self.given.touching.contacts.clear();
            }
            self.settle(cable, gravity, (h, kick), s);
            let farthest =
                self.x.iter().zip(&self.given.start).fold(0.0, |m: f64, (x, s)| m.max(x.distance(*s)));
            // objects out of reach may have been passed: search farther
            if !(farthest > reach) || cable.mask == 0 {
                break;
            }
            reach = 2.0 * farthest;
        }
        self.finish((view, cable), step, (h, kick, rest), s);
    }

    /// Determines the rotation of clamps in this part of the step.
    fn clamp(&mut self, cable: &MassPointCable) {
        self.clamps.clear();
        for hold in cable.attachments.iter().filter(|h| h.point < cable.segments() && cable.clamps(h.point)) {
            let body = hold.anchor.body.index();
            let turn = self.to[body].orientation * self.from[body].orientation.inverse();
            self.clamps.push((hold.point, math::log(turn)));
        }
        self.clamps.sort_unstable_by_key(|(segment, _)| *segment);
        let joints = cable.segments().saturating_sub(1);
        self.clamped = plasticity::turns_of_clamps(&self.clamps, joints, &mut self.given.turns);
    }

    /// Determines the rotation of the cable as a whole up to the present points, if it has bends to transport.
    fn turn(&mut self, cable: &MassPointCable, s: &MassPointState) {
        if !self.clamped {
            self.given.turns.clear();
            if s.bends.iter().any(|s| s.rest != DVec3::ZERO) {
                let turn = plasticity::turn(&self.given.start, &self.x, |i| cable.mass(i));
                self.given.turns.resize(s.bends.len(), turn);
            }
        }
    }

    /// Finds the points and velocities at the end of a part of the step: without friction, then with friction from the
    /// normal forces found.
    fn settle(&mut self, cable: &MassPointCable, gravity: DVec3, (h, kick): (f64, f64), s: &MassPointState) {
        let count = self.given.start.len();
        for list in self.trial.iter_mut().chain([&mut self.right, &mut self.delta]) {
            list.resize(count, DVec3::ZERO);
        }
        self.image.resize(2 * count, DVec3::ZERO);
        self.x.clone_from(&self.given.start);
        self.v.clone_from(&self.given.before);
        for held in self.given.held.iter().filter(|h| h.mass.is_none()) {
            self.v[held.point] = held.carried;
            self.x[held.point] = self.given.start[held.point] + held.carried * h;
        }
        self.search(cable, gravity, (h, kick), s, true);
        for _ in 0..FRICTIONS {
            let mut any = false;
            for c in self.given.touching.contacts.iter_mut().filter(|c| c.has_friction()) {
                c.press(&self.x, h);
                any |= c.load() > 0.0;
            }
            if !any {
                break;
            }
            self.search(cable, gravity, (h, kick), s, false);
        }
    }

    /// Newton's method, starting from the initial points if `first`.
    fn search(
        &mut self,
        cable: &MassPointCable,
        gravity: DVec3,
        (h, kick): (f64, f64),
        s: &MassPointState,
        first: bool,
    ) {
        let count = self.given.start.len();
        let touches = !self.given.touching.contacts.is_empty();
        // friction uses the forces of the last solution: a tighter tolerance would be useless
        let loose = if touches { 100.0 } else { 1.0 };
        let enough = loose * cable.limits.tolerance * cable.pitch() / h;
        for round in 0..cable.limits.rebuilds * if touches { TOUCHING } else { 1 } {
            let first = first && round == 0;
            self.turn(cable, s);
            self.given.touching.contacts.iter_mut().for_each(|c| c.sense(&self.x));
            let system = self.given.system(cable, gravity, (h, kick), s);
            for positive in [false, true] {
                system.rest(&self.x, &self.v, &mut self.right);
                let ahead = first.then_some((&mut self.right[..], &mut self.image[..]));
                system.build(&self.x, &self.v, positive, &mut self.matrix, ahead);
                if self.factor.take(&self.matrix) {
                    break;
                }
            }
            for held in self.given.held.iter().filter(|h| h.mass.is_none()) {
                self.right[held.point] = DVec3::ZERO;
            }
            self.delta.fill(DVec3::ZERO);
            let nouns = (&self.matrix, &self.factor);
            self.rounds +=
                self.solver.solve(nouns, &self.right, &mut self.delta, RESIDUAL, cable.limits.iterations);
            self.builds += 1;
            if first {
                // the initial points do not belong to the velocities yet: from now on they do
                for i in 0..count {
                    self.x[i] = self.given.start[i] + self.v[i] * h;
                }
            }
            let slope = if first { 0.0 } else { dot(&self.right, &self.delta) };
            let halvings = if first { 1 } else { HALVINGS };
            let memory = (&mut self.trial, &mut self.image[..count]);
            let part = line(&system, (&self.x, &self.v), &self.delta, (slope, halvings), memory);
            let moved = part * self.delta.iter().fold(0.0, |m: f64, d| m.max(d.length()));
            for i in 0..count {
                self.v[i] += self.delta[i] * part;
                self.x[i] = self.given.start[i] + self.v[i] * h;
            }
            if !(moved > enough) && !first {
                break;
            }
        }
    }

    /// Commits the points reached, the loads on bodies and the plastic bends.
    fn finish(
        &mut self,
        (view, cable): (&View<'_>, &MassPointCable),
        step: &mut Advance<'_>,
        (h, kick, rest): (f64, f64, f64),
        s: &mut MassPointState,
    ) {
        self.turn(cable, s);
        self.given.touching.contacts.iter_mut().for_each(|c| c.sense(&self.x));
        let system = self.given.system(cable, view.settings.gravity, (h, kick), s);
        system.rest(&self.x, &self.v, &mut self.right);
        self.rests.clear();
        self.rests.extend((1..cable.segments()).map(|i| system.carried(&self.x, i)));
        for held in &mut self.given.held {
            held.take(self.v[held.point], self.right[held.point], kick, (h, rest));
        }
        for c in &self.given.touching.contacts {
            let (place, inertia) = (c.body as usize, &step.inertia[c.body as usize]);
            let (force, at) = c.on_body(&self.x);
            if !inertia.free || force == DVec3::ZERO {
                continue;
            }
            let body = &mut step.bodies[place];
            if body.asleep || step.jointed[place] {
                // it acts in the next step, together with the joints; a sleeping body may wake
                let force = force * (h / view.dt);
                let wrench = Wrench { force, torque: (at - body.position).cross(force) };
                add(&mut s.loads, BodyLoad { body: c.body, wrench });
            } else {
                attachment::strike(body, inertia, at, [force * kick, force * (kick * rest)]);
            }
        }
        for (i, (set, rest)) in s.bends.iter_mut().zip(&self.rests).enumerate() {
            set.rest = *rest;
            if cable.yields.is_some() {
                let (x, point) = (&self.x, i + 1);
                let law = Law::of(cable.bending(point), cable.properties.bend, cable.yields, set);
                law.keep(bend::bend(x[point + 1] - x[point], x[point] - x[point - 1]), set);
            }
        }
        s.positions.clone_from(&self.x);
        s.velocities.clone_from(&self.v);
        s.lag = 0.5 * h;
    }
}

/// Length of a Newton step: the first of 1, ½, ¼ … that lowers G by a fraction of the decrease predicted by the slope;
/// 0 if there is none.
fn line(
    system: &System,
    (x, v): (&[DVec3], &[DVec3]),
    delta: &[DVec3],
    (slope, halvings): (f64, usize),
    ([x_there, v_there], image): (&mut [Vec<DVec3>; 2], &mut [DVec3]),
) -> f64 {
    let now = system.merit(x, v, image);
    // below the round-off of G there is nothing to compare
    let noise = 1e-13 * now.abs();
    let mut part = 1.0;
    for _ in 0..halvings {
        for i in 0..x.len() {
            v_there[i] = v[i] + delta[i] * part;
            x_there[i] = system.start[i] + v_there[i] * system.h;
        }
        if system.merit(x_there, v_there, image) <= now - ARMIJO * part * slope + noise {
            return part;
        }
        part *= 0.5;
    }
    0.0
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

/// Adds a load to those of its body.
fn add(loads: &mut Vec<BodyLoad>, pull: BodyLoad) {
    // ignore zero loads
    if pull.wrench.force == DVec3::ZERO {
        return;
    }
    match loads.iter_mut().find(|p| p.body == pull.body) {
        Some(p) => {
            p.wrench.force += pull.wrench.force;
            p.wrench.torque += pull.wrench.torque;
        }
        None => loads.push(pull),
    }
}

/// Bodies interpolated between two states.
fn between(from: &[BodyState], to: &[BodyState], part: f64, out: &mut Vec<BodyState>) {
    out.clear();
    out.extend_from_slice(to);
    if part < 1.0 {
        for (b, from) in out.iter_mut().zip(from) {
            b.position = from.position.lerp(b.position, part);
            let turn = math::log(b.orientation * from.orientation.inverse());
            b.orientation = math::renewed(math::exp(turn * part) * from.orientation);
        }
    }
}
