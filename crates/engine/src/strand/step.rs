//! The step of the strands, after the bodies have been moved.
//!
//! Like those of bodies, velocities stand half a step behind positions: forces act for κ = lag + h/2, points move for h, so
//! free fall is exact. The end of the step is searched for by Newton's method, i.e. the system is built again at the points reached
//! until they stay (*rebuilds*):
//!
//! ```text
//! v* = v, x* = x                        the first build, at the points of the start
//! A Δv = κ f − M (v* − v) − κ ∂²E/∂x² (x + h v* − x*)
//! v* ← v* + s Δv,  x* = x + h v*        s = 1, ½, ¼ …: as much as lowers G; after the first build 1 or 0
//! ```
//!
//! Near colliders a fast step is done in parts. Reads Model, State and the bodies ahead, writes strands ahead, and gives impulses
//! to bodies that hold points.

use super::band::{Band, Factor};
use super::gradient::Search;
use super::hold::{self, Held};
use super::set::{self, Law};
use super::system::{self, System};
use super::touch::{Span, Touching};
use super::{Pull, Strand, StrandState, bend};
use crate::body::BodyState;
use crate::body::twist::Wrench;
use crate::force::free_motion::Inertial;
use crate::math;
use crate::model::Model;
use crate::model::state::State;
use crate::report::Energy;
use glam::{DQuat, DVec3};

/// Parts of a step at most.
const PARTS: f64 = 8.0;
/// In a part points near colliders move by no more than so many diameters, as far as that many parts go.
const STRIDE: f64 = 2.0;
/// How often the reach of contacts is doubled when a point went farther.
const REACHES: usize = 8;
/// Steps of Newton's are halved so often at most.
const HALVINGS: usize = 12;
/// Where it touches a strand is given so many times its rebuilds: who touches must be found out as well.
const TOUCHING: u32 = 4;
/// How often friction is reckoned anew with the normal forces found.
const FRICTIONS: usize = 2;
/// Of the decrease that the slope of G promises, so much is asked for (Armijo's rule).
const ARMIJO: f64 = 1e-4;
/// Conjugate gradients go on until their residual is this part of what it was.
const RESIDUAL: f64 = 1e-10;

/// What the search for the end of a part of a step goes by.
#[derive(Debug, Default)]
struct Given {
    start: Vec<DVec3>,
    before: Vec<DVec3>,
    stiff: Vec<f64>,
    turns: Vec<DQuat>,
    held: Vec<Held>,
    touching: Touching,
    damping: Band,
}

impl Given {
    /// The equations of a part of a step of length h, in which forces act for the time `kick`.
    fn system<'a>(
        &'a self,
        strand: &'a Strand,
        gravity: DVec3,
        (h, kick): (f64, f64),
        s: &'a StrandState,
    ) -> System<'a> {
        System {
            strand,
            gravity,
            h,
            kick,
            start: &self.start,
            before: &self.before,
            sets: &s.sets,
            stiff: &self.stiff,
            turns: &self.turns,
            held: &self.held,
            contacts: &self.touching.contacts,
            damping: &self.damping,
        }
    }
}

/// Memory of the step of strands.
#[derive(Debug, Default)]
pub struct Work {
    given: Given,
    x: Vec<DVec3>,
    v: Vec<DVec3>,
    trial: [Vec<DVec3>; 2],
    right: Vec<DVec3>,
    rests: Vec<DVec3>,
    clamps: Vec<(usize, DVec3)>,
    /// Whether clamps say how the strand turns.
    clamped: bool,
    delta: Vec<DVec3>,
    image: Vec<DVec3>,
    matrix: Band,
    factor: Factor,
    solver: Search,
    from: State,
    to: Vec<BodyState>,
    /// Which bodies are held by joints.
    bound: Vec<bool>,
    /// How often systems were built in the last step, and rounds of conjugate gradients.
    pub builds: u32,
    /// Rounds of conjugate gradients in the last step.
    pub rounds: u32,
}

/// Advances all strands by a step into `ahead`. `bodies` are those ahead. Returns the energies of the strands at the instant at
/// which the step began and at the one at which it ended.
pub(crate) fn advance(
    model: &Model,
    state: &State,
    inertial: &[Inertial],
    bodies: &mut [BodyState],
    ahead: &mut Vec<StrandState>,
    work: &mut Work,
) -> [Energy; 2] {
    ahead.clone_from(&state.strands);
    let mut energies = [Energy::default(); 2];
    (work.builds, work.rounds) = (0, 0);
    if model.strands.iter().next().is_some() {
        work.bind(model, state);
    }
    for (place, strand) in model.strands.iter() {
        let old = &state.strands[place];
        work.one(model, strand, (state, inertial), bodies, &mut ahead[place]);
        let new = &ahead[place];
        // velocities of an instant lie between those before and after it, or go on as they went
        let (dt, passed) = (model.settings.dt, old.lag + model.settings.dt - new.lag);
        let velocities = |part: f64| (&old.velocities[..], &new.velocities[..], part);
        super::energy::add(&mut energies[0], (model, strand), old, velocities(old.lag / passed));
        super::energy::add(&mut energies[1], (model, strand), new, velocities((old.lag + dt) / passed));
    }
    energies
}

impl Work {
    /// Notes which bodies are held by joints, and which are joined.
    fn bind(&mut self, model: &Model, state: &State) {
        self.given.touching.begin(model, state);
        self.bound.clear();
        self.bound.resize(state.bodies.len(), false);
        let whole = |place: usize| !state.joints.get(place).is_some_and(|j| j.broken);
        for (_, joint) in model.joints.iter().filter(|(place, _)| whole(*place)) {
            joint.constraint().anchors().iter().for_each(|a| self.bound[a.body.index()] = true);
        }
    }

    /// Advances one strand.
    fn one(
        &mut self,
        model: &Model,
        strand: &Strand,
        (state, inertial): (&State, &[Inertial]),
        bodies: &mut [BodyState],
        s: &mut StrandState,
    ) {
        let dt = model.settings.dt;
        hold::begin(model, strand, s, (bodies, inertial), &mut self.given.held);
        self.given.stiff.clear();
        self.given.stiff.extend((1..strand.segments()).map(|i| strand.bending(i)));
        s.pulls.clear();
        self.from.bodies.clone_from(&state.bodies);
        let speed = s.velocities.iter().fold(0.0, |m: f64, v| m.max(v.length()));
        let speed = speed + dt * model.settings.gravity.length();
        let bound = &self.bound;
        let span = Span { model, from: &self.from, to: bodies, inertial, bound, h: dt, kick: dt };
        let others = self.given.touching.look(strand, &s.positions, &span, strand.margin + 2.0 * speed * dt);
        let parts = others.map_or(1.0, |others| {
            ((speed + others) * dt / (STRIDE * strand.cord.diameter)).ceil().clamp(1.0, PARTS)
        });
        let h = dt / parts;
        for part in 0..parts as usize {
            let rest = dt - part as f64 * h;
            between(&state.bodies, bodies, (part + 1) as f64 / parts, &mut self.to);
            self.part((model, strand, inertial), bodies, (h, rest), s);
            self.from.bodies.clone_from(&self.to);
        }
        s.forces.clear();
        for held in &self.given.held {
            let (force, pull) = held.end(model, inertial, bodies, dt);
            s.forces.push(force);
            pull.into_iter().for_each(|p| add(&mut s.pulls, p));
        }
    }

    /// Advances it by a part of the step of length h, in which bodies go from `self.from` to `self.to`.
    fn part(
        &mut self,
        (model, strand, inertial): (&Model, &Strand, &[Inertial]),
        bodies: &mut [BodyState],
        (h, rest): (f64, f64),
        s: &mut StrandState,
    ) {
        let kick = s.lag + 0.5 * h;
        self.given.start.clone_from(&s.positions);
        self.given.before.clone_from(&s.velocities);
        for held in &mut self.given.held {
            held.aim(model, &self.to, s.positions[held.point], h);
        }
        system::damping(strand, &s.positions, &mut self.given.damping);
        self.clamp(strand);
        let gravity = model.settings.gravity;
        let speed = s.velocities.iter().fold(0.0, |m: f64, v| m.max(v.length()));
        let mut reach = strand.margin + strand.cord.diameter + 2.0 * h * (speed + kick * gravity.length());
        for _ in 0..REACHES {
            let bound = &self.bound;
            let span = Span { model, from: &self.from, to: &self.to, inertial, bound, h, kick };
            let near = self.given.touching.look(strand, &self.given.start, &span, reach).is_some();
            if near {
                self.given.touching.find(strand, &self.given.start, &span, reach);
            } else {
                self.given.touching.contacts.clear();
            }
            self.settle(strand, gravity, (h, kick), s);
            let farthest =
                self.x.iter().zip(&self.given.start).fold(0.0, |m: f64, (x, s)| m.max(x.distance(*s)));
            // what was out of reach may have been passed: look farther
            if !(farthest > reach) || strand.mask == 0 {
                break;
            }
            reach = 2.0 * farthest;
        }
        self.finish((model, strand, inertial), bodies, (h, kick, rest), s);
    }

    /// Notes how clamps turn in this part of the step.
    fn clamp(&mut self, strand: &Strand) {
        self.clamps.clear();
        for hold in strand.holds.iter().filter(|h| h.point < strand.segments() && strand.clamps(h.point)) {
            let body = hold.anchor.body.index();
            let turn = self.to[body].attitude * self.from.bodies[body].attitude.inverse();
            self.clamps.push((hold.point, math::log(turn)));
        }
        self.clamps.sort_unstable_by_key(|(segment, _)| *segment);
        let joints = strand.segments().saturating_sub(1);
        self.clamped = set::turns_of_clamps(&self.clamps, joints, &mut self.given.turns);
    }

    /// How the strand has turned as a whole up to the present points, if it has bends to carry along.
    fn turn(&mut self, strand: &Strand, s: &StrandState) {
        if !self.clamped {
            self.given.turns.clear();
            if s.sets.iter().any(|s| s.rest != DVec3::ZERO) {
                let turn = set::turn(&self.given.start, &self.x, |i| strand.mass(i));
                self.given.turns.resize(s.sets.len(), turn);
            }
        }
    }

    /// Searches for the points and velocities at the end of a part of the step: without friction, then with that of the normal
    /// forces found.
    fn settle(&mut self, strand: &Strand, gravity: DVec3, (h, kick): (f64, f64), s: &StrandState) {
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
        self.search(strand, gravity, (h, kick), s, true);
        for _ in 0..FRICTIONS {
            let mut any = false;
            for c in self.given.touching.contacts.iter_mut().filter(|c| c.rubs()) {
                c.press(&self.x, h);
                any |= c.load() > 0.0;
            }
            if !any {
                break;
            }
            self.search(strand, gravity, (h, kick), s, false);
        }
    }

    /// Newton's method, from the points of the start if `first`.
    fn search(
        &mut self,
        strand: &Strand,
        gravity: DVec3,
        (h, kick): (f64, f64),
        s: &StrandState,
        first: bool,
    ) {
        let count = self.given.start.len();
        let touches = !self.given.touching.contacts.is_empty();
        // friction is reckoned with forces of the last solution: more digits would be lost in that
        let loose = if touches { 100.0 } else { 1.0 };
        let enough = loose * strand.effort.tolerance * strand.pitch() / h;
        for round in 0..strand.effort.rebuilds * if touches { TOUCHING } else { 1 } {
            let first = first && round == 0;
            self.turn(strand, s);
            self.given.touching.contacts.iter_mut().for_each(|c| c.sense(&self.x));
            let system = self.given.system(strand, gravity, (h, kick), s);
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
                self.solver.solve(nouns, &self.right, &mut self.delta, RESIDUAL, strand.effort.iterations);
            self.builds += 1;
            if first {
                // the points of the start are not yet those of the velocities: from now on they are
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

    /// Takes the points reached over, and what bodies and bends keep of them.
    fn finish(
        &mut self,
        (model, strand, inertial): (&Model, &Strand, &[Inertial]),
        bodies: &mut [BodyState],
        (h, kick, rest): (f64, f64, f64),
        s: &mut StrandState,
    ) {
        self.turn(strand, s);
        self.given.touching.contacts.iter_mut().for_each(|c| c.sense(&self.x));
        let system = self.given.system(strand, model.settings.gravity, (h, kick), s);
        system.rest(&self.x, &self.v, &mut self.right);
        self.rests.clear();
        self.rests.extend((1..strand.segments()).map(|i| system.carried(&self.x, i)));
        for held in &mut self.given.held {
            held.take(self.v[held.point], self.right[held.point], kick, (h, rest));
        }
        for c in &self.given.touching.contacts {
            let (place, inertial) = (c.body as usize, &inertial[c.body as usize]);
            let (force, at) = c.on_body(&self.x);
            if !inertial.free || force == DVec3::ZERO {
                continue;
            }
            let body = &mut bodies[place];
            if body.asleep || self.bound[place] {
                // the next step feels it, with the joints; who sleeps may wake
                let force = force * (h / model.settings.dt);
                let wrench = Wrench { force, torque: (at - body.position).cross(force) };
                add(&mut s.pulls, Pull { body: c.body, wrench });
            } else {
                hold::strike(body, inertial, at, [force * kick, force * (kick * rest)]);
            }
        }
        for (i, (set, rest)) in s.sets.iter_mut().zip(&self.rests).enumerate() {
            set.rest = *rest;
            if strand.yields.is_some() {
                let (x, point) = (&self.x, i + 1);
                let law = Law::of(strand.bending(point), strand.cord.bend, strand.yields, set);
                law.keep(bend::bend(x[point + 1] - x[point], x[point] - x[point - 1]), set);
            }
        }
        s.positions.clone_from(&self.x);
        s.velocities.clone_from(&self.v);
        s.lag = 0.5 * h;
    }
}

/// How much of a step of Newton's to go: the first of 1, ½, ¼ … that lowers G by a part of what the slope promises; 0 if there
/// is none.
fn line(
    system: &System,
    (x, v): (&[DVec3], &[DVec3]),
    delta: &[DVec3],
    (slope, halvings): (f64, usize),
    ([x_there, v_there], image): (&mut [Vec<DVec3>; 2], &mut [DVec3]),
) -> f64 {
    let now = system.merit(x, v, image);
    // below the digits of G there is nothing to compare
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

/// Adds a pull to those of its body.
fn add(pulls: &mut Vec<Pull>, pull: Pull) {
    // a pull of nothing is none
    if pull.wrench.force == DVec3::ZERO {
        return;
    }
    match pulls.iter_mut().find(|p| p.body == pull.body) {
        Some(p) => {
            p.wrench.force += pull.wrench.force;
            p.wrench.torque += pull.wrench.torque;
        }
        None => pulls.push(pull),
    }
}

/// Bodies on their way from one step to the next.
fn between(from: &[BodyState], to: &[BodyState], part: f64, out: &mut Vec<BodyState>) {
    out.clear();
    out.extend_from_slice(to);
    if part < 1.0 {
        for (b, from) in out.iter_mut().zip(from) {
            b.position = from.position.lerp(b.position, part);
            let turn = math::log(b.attitude * from.attitude.inverse());
            b.attitude = math::renewed(math::exp(turn * part) * from.attitude);
        }
    }
}
