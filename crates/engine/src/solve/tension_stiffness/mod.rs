//! Tension → how stiffly the elements of a cable are held in its line.
//!
//! A link pulls an element of length l with T at both ends, and if the element turns out of the line by ϑ the pulls turn it
//! back with κ ϑ, κ = Σ F·r = T l. That vibration, ω² = κ/I = 12 T/(m l), is what breaks steppers that take T's direction from
//! the beginning of the step, however exactly they solve their joints: light elements under heavy loads have ω h ≫ 2. So the
//! turning that the step itself brings is counted in, by what it does to the velocity level:
//!
//!   (I + κ h² P) ω⁺ = L + κ h² P ω̄ + …,      P = 1 − u uᵀ, u the element's axis
//!
//! Stable while κ does not more than double within a step; where it grows by more than a fifth the step is solved
//! again with what came out. Statics are untouched: everything added multiplies velocities.
//! Under compression κ < 0 and the element buckles; taken at the beginning of the step that multiplies its turn by |κ| h²/I,
//! which may be a million. With |κ| in the place of κ it grows by a factor of two or so a step: what was slack
//! stays tame until it snaps taut.
//!
//! ω̄ is the spin of the cable at large, so that what damps is only the turning of elements against their neighbourhood: that
//! of the rigid body which fits their turning across their axes best, within a reach of the element. (Of a straight run it
//! is the spin of its chord.) Taken against the ground instead, a load's swing would lose 18 % in 20 s. The reach is half
//! the length of a wave whose phase turns by a third of a radian in the step: longer waves are resolved and left alone; of a
//! cable that bears a heavy load the whole run moves as one. Bends are damped by d = h T ℓ in addition, which takes out what
//! zigzags.
//!
//! All of it comes in only as the step grows too long to resolve the vibration: for κ h²/I from ¼ to 1 (the explicit limit is 4,
//! which leaves room for tension to grow). Below, a cable is as lively as its material.
//!
//! Bodies a cable is fast on (a light hook above a heavy load) have the same term, from all their joints, and so have bodies
//! that ropes hold: their ω̄ is the turning of the ropes' spans, as the ropes remember it. The sideways pull of a rope itself is
//! a row of its own (`Law::Turning`), which takes the tension of the last solve.

mod members;
mod reach;

use super::jacobian::mobility;
use super::problem::BodyBlocks;
use super::regularize::{Beat, ONSET, Softened, blend, soften};
use crate::constrain::joint::rope::turning_of;
use crate::constrain::rows::{Law, Row, Rows};
use crate::force::free::Free;
use crate::math;
use crate::partition::Island;
use crate::world::model::Model;
use crate::world::state::State;
use glam::{DMat3, DVec3};
use members::{Bond, Found, Pull};
use reach::look_around;
use std::iter::Peekable;
use std::slice::Iter;

/// Elastic turn of a link [rad] from which its moment counts as a pull does, and where it counts whole. Moments turn with
/// their links as pulls do; of links that are bent or twisted by little that is little, of links that a step has thrown
/// about it tears a slack rope up: h²M/I of 7 at 1 rad was enough.
const SHARP: [f64; 2] = [0.5, 1.5];

/// A step is solved again if κ has grown by more than this and the term matters.
const GROWTH: f64 = 1.2;

/// Times a step is solved again at most. A cable that snaps taut takes two or three; with one, loads of 1e7 elements fail.
pub(super) const AGAIN: u32 = 4;

/// The cables of an island.
#[derive(Debug, Default)]
pub struct Taut {
    found: Found,
    /// Forces by local row [N, N·m].
    forces: Vec<f64>,
    /// κ by member, as it came out.
    fresh: Vec<f64>,
    /// Sums of l P and l P ω up to each element.
    sums: Vec<(DMat3, DVec3)>,
}

impl Taut {
    /// Finds the cables among the links of an island.
    pub(super) fn new(model: &Model, rows: &Rows, island: &Island) -> Taut {
        let found = Found::among(model, rows, island);
        let (members, rows) =
            if found.is_empty() { (0, 0) } else { (found.members.len(), rows_of(rows, island)) };
        Taut { fresh: vec![0.0; members], forces: vec![0.0; rows], sums: Vec::new(), found }
    }

    /// Whether there is anything taut at all.
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Takes over the forces of the last step.
    pub(super) fn recall(&mut self, rows: &Rows, state: &State, groups: &[u32]) {
        if self.is_empty() {
            return;
        }
        let mut local = 0;
        for group in groups.iter().map(|g| &rows.groups[*g as usize]) {
            let own = &mut self.forces[local..local + group.rows().len()];
            local += own.len();
            let Some(place) = group.joint() else {
                own.fill(0.0);
                continue;
            };
            match state.joints[place].forces.len() == own.len() {
                true => own.copy_from_slice(&state.joints[place].forces),
                false => own.fill(0.0),
            }
        }
    }

    /// Takes over the impulses of a solve; whether tensions have grown so much that it should be done again.
    pub(super) fn learn(&mut self, rows: &Rows, lambda: &[f64], beat: &Beat, bodies: &BodyBlocks) -> bool {
        if self.is_empty() {
            return false;
        }
        let Beat { kick, drift: h, .. } = *beat;
        self.forces.iter_mut().zip(lambda).for_each(|(force, l)| *force = l / kick);
        // without a link that pulls harder nothing is held harder
        let pulls_harder = |bond: &Bond| {
            let force = DVec3::from_slice(&self.forces[bond.local..]).length_squared();
            force > GROWTH * GROWTH * bond.tension * bond.tension
        };
        let hauls_harder = |pull: &Pull| {
            let tension: f64 = self.forces[pull.rows.clone()].iter().sum();
            tension > GROWTH * pull.tension
        };
        if !self.found.bonds.iter().any(pulls_harder) && !self.found.pulls.iter().any(hauls_harder) {
            return false;
        }
        let mut fresh = std::mem::take(&mut self.fresh);
        self.sum_up(rows, &mut fresh);
        let grown = self.found.members.iter().zip(&fresh).any(|(m, kappa)| {
            let across = across(&bodies.rigid()[m.body as usize].inertia, m.axis) - m.weight;
            *kappa > GROWTH * m.kappa && kick * h * kappa > ONSET[1] * across
        });
        self.fresh = fresh;
        grown
    }

    /// κ of every member, from the present forces; also what they say of links and ropes and the axes of what cables are fast on.
    fn sum_up(&mut self, rows: &Rows, kappa: &mut [f64]) {
        kappa.fill(0.0);
        let mut sharp = false;
        for bond in &mut self.found.bonds {
            let force = DVec3::from_slice(&self.forces[bond.local..]);
            bond.tension = force.length();
            let group = &rows.groups[bond.group as usize];
            let frames = &rows.frames[group.frames()];
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let Some(member) = bond.ends[side].map(|m| m as usize) else { continue };
                let arm = frames[side].at - frames[side].center;
                kappa[member] += sign * force.dot(arm);
                // what a cable is fast on is held along the arm of its pull
                if self.found.members[member].length == 0.0 {
                    self.found.members[member].axis = arm.normalize_or_zero();
                }
            }
            let own = group.rows().start + 3..group.rows().end;
            let turn = rows.rows[own].iter().map(|row| row.gap * row.gap).sum::<f64>();
            // hardly any link is bent that much
            bond.moment = 0.0;
            if turn > SHARP[0] * SHARP[0] {
                let squares = self.forces[bond.moments.clone()].iter().map(|m| m * m).sum::<f64>();
                bond.moment = blend(turn.sqrt(), SHARP) * squares.sqrt();
                sharp = true;
            }
        }
        kappa.iter_mut().for_each(|k| *k = k.abs());
        for bond in self.found.bonds.iter().filter(|_| sharp) {
            bond.ends.iter().flatten().for_each(|member| kappa[*member as usize] += bond.moment);
        }
        for grip in &self.found.grips {
            let group = &rows.groups[grip.group as usize];
            let place = self.found.members[grip.member as usize].place;
            let Some(frame) = rows.frames[group.frames()].iter().find(|f| f.body == place) else {
                continue;
            };
            let mut force = DVec3::ZERO;
            for (k, row) in group.rows().enumerate() {
                let own = rows.blocks(row).iter().filter(|b| b.body == place);
                force += own.map(|b| b.linear).sum::<DVec3>() * self.forces[grip.local + k];
            }
            kappa[grip.member as usize] += force.dot(frame.at - frame.center).abs();
        }
        for pull in &mut self.found.pulls {
            pull.tension = self.forces[pull.rows.clone()].iter().sum();
            let (frames, along) = pull.line(rows);
            for (end, frame) in pull.ends.iter().zip(frames) {
                if let Some(member) = end {
                    kappa[*member as usize] += pull.tension * along.dot(frame.at - frame.center).abs();
                }
            }
        }
    }

    /// Finds what every member is held with, from the present forces.
    pub(super) fn weigh(&mut self, rows: &Rows, state: &State, free: &Free, beat: &Beat) {
        let mut fresh = std::mem::take(&mut self.fresh);
        self.sum_up(rows, &mut fresh);
        self.hang(rows, state);
        for (m, kappa) in self.found.members.iter_mut().zip(&fresh) {
            m.kappa = *kappa;
            if m.length > 0.0 {
                m.axis = state.bodies[m.place as usize].attitude * DVec3::Z;
            }
            let whole = beat.kick * beat.drift * m.kappa;
            let ratio = whole / across(&free.inertia[m.place as usize], m.axis);
            m.part = blend(ratio, ONSET);
            m.weight = m.part * whole;
        }
        self.fresh = fresh;
        look_around(&mut self.found, &mut self.sums, (state, free), beat.drift);
    }

    /// Axis and ω̄ of what only ropes hold: along their pulls, whichever way, and how these have been turning.
    fn hang(&mut self, rows: &Rows, state: &State) {
        for (k, m) in self.found.members.iter_mut().enumerate().filter(|(k, m)| m.is_hung(*k)) {
            let (mut all, mut turning, mut pulls) = (1e-300, DVec3::ZERO, DMat3::ZERO);
            for pull in self.found.pulls.iter().filter(|pull| pull.holds(k)) {
                let (_, along) = pull.line(rows);
                all += pull.tension;
                pulls += math::outer(along * pull.tension, along);
                turning +=
                    along.cross(turning_of(&state.joints[pull.joint].history, pull.span)) * pull.tension;
            }
            (m.axis, m.around) = (principal(pulls * (1.0 / all)), turning / all);
        }
    }

    /// Counts the turning of pulls in: I + κh²P, L + κh²P ω̄.
    pub(super) fn stiffen(&self, bodies: &mut BodyBlocks) {
        for m in self.found.members.iter().filter(|m| m.weight > 0.0) {
            let along = m.axis * m.weight;
            let inertia = DMat3::from_diagonal(DVec3::splat(m.weight)) - math::outer(along, m.axis);
            let turning = m.around * m.weight - along * m.axis.dot(m.around);
            bodies.add_angular(m.body as usize, inertia, turning);
        }
    }

    /// Lets the rows across ropes know of tensions that have grown since they were written.
    pub(super) fn turn_pulls(
        &self,
        (rows, free): (&Rows, &Free),
        numbers: &[usize],
        beat: &Beat,
        softened: &mut [Softened],
    ) {
        for pull in &self.found.pulls {
            for local in pull.across..pull.across + 2 {
                let row = &rows.rows[numbers[local]];
                let (frames, _) = pull.line(rows);
                let stiffness = pull.tension / frames[0].at.distance(frames[1].at).max(1e-3);
                if matches!(row.law, Law::Turning { stiffness: known } if stiffness > GROWTH * known) {
                    let row = Row { law: Law::Turning { stiffness }, ..*row };
                    let mobility = || mobility(rows.blocks(numbers[local]), free, &free.inertia);
                    softened[local].sigma = soften(&row, beat, || 0.0, || 0.0, mobility).sigma;
                }
            }
        }
    }

    /// Its links, in the order of their groups.
    pub(super) fn bonds(&self) -> Peekable<Iter<'_, Bond>> {
        self.found.bonds.iter().peekable()
    }

    /// Damps the bends of a link by its tension.
    pub(super) fn damp_bends(&self, bond: &Bond, rows: &Rows, beat: &Beat, softened: &mut [Softened]) {
        let parts = bond.ends.iter().flatten().map(|m| self.found.members[*m as usize].part);
        let more = parts.fold(0.0, f64::max) * beat.drift * bond.tension * bond.length;
        let first = rows.groups[bond.group as usize].rows().start;
        for local in bond.bends.clone().filter(|_| more > 0.0) {
            let row = &rows.rows[first + local - bond.local];
            let Law::Soft(spring) = row.law else { continue };
            let after = beat.drift * spring.stiffness + spring.damping + more;
            let (s, sigma) = (&mut softened[local], 1.0 / (beat.kick * after));
            // r = w − k g κΣ: only the last part changes
            s.rhs += spring.stiffness * row.gap * beat.kick * (s.sigma - sigma);
            s.sigma = sigma;
        }
    }
}

/// How many rows an island has.
fn rows_of(rows: &Rows, island: &Island) -> usize {
    island.groups.iter().map(|g| rows.groups[*g as usize].rows().len()).sum()
}

/// The axis u of Σ T u uᵀ / Σ T that has most of it, as long as the root of its share: 1 − u uᵀ then holds what pulls from all
/// sides about every axis, and what hangs in a line about none of its own.
fn principal(pulls: DMat3) -> DVec3 {
    let columns = [pulls.x_axis, pulls.y_axis, pulls.z_axis];
    let longest = columns
        .into_iter()
        .fold(DVec3::ZERO, |a, b| if b.length_squared() > a.length_squared() { b } else { a });
    // squared eight times, the largest is alone to 1e-3 where it leads by 3 %; where none leads any axis will do
    let mut power = pulls;
    for _ in 0..8 {
        let size = power.x_axis.x + power.y_axis.y + power.z_axis.z;
        power = power * power * (1.0 / (size * size).max(1e-300));
    }
    let axis = (power * longest).normalize_or_zero();
    axis * axis.dot(pulls * axis).max(0.0).sqrt()
}

/// Mean inertia across an axis.
fn across(inertia: &DMat3, axis: DVec3) -> f64 {
    let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
    0.5 * (trace - axis.dot(*inertia * axis))
}
