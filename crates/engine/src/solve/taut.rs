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

use crate::body::frame::Frame;
use crate::force::free_motion::Free;
use crate::force::free_motion::mobility;
use crate::joint::Kind;
use crate::joint::rope::turning_of;
use crate::math;
use crate::model::Model;
use crate::model::state::State;
use crate::partition::Island;
use crate::row::rows::Rows;
use crate::row::{Law, Role, Row};
use crate::solve::soften::{Beat, ONSET, Softened, blend, soften};
use glam::{DMat3, DVec3};
use std::iter::Peekable;
use std::ops::Range;
use std::slice::Iter;

/// Elastic turn of a link [rad] from which its moment counts as a pull does, and where it counts whole. Moments turn with
/// their links as pulls do; of links that are bent or twisted by little that is little, of links that a step has thrown
/// about it tears a slack rope up: h²M/I of 7 at 1 rad was enough.
const SHARP: [f64; 2] = [0.5, 1.5];

/// The reach over the way of a wave in a step, h √(T/μ). A wave of half the length λ = reach has ω h = π/REACH.
const REACH: f64 = 10.0;

/// A step is solved again if κ has grown by more than this and the term matters.
const GROWTH: f64 = 1.2;

/// Times a step is solved again at most. A cable that snaps taut takes two or three; with one, loads of 1e7 elements fail.
pub(super) const AGAIN: u32 = 4;

/// A body that is held in a line.
#[derive(Clone, Debug)]
struct Member {
    /// Number in the island and place in the world.
    body: u32,
    place: u32,
    /// Length of an element [m]; of what a cable is fast on, 0.
    length: f64,
    /// The element whose neighbourhood it shares: itself, or the one it is fast on.
    near: u32,
    /// Of length one, and shorter for what ropes hold from several sides.
    axis: DVec3,
    /// κ [N·m].
    kappa: f64,
    /// κ h² as far as it is counted in [kg·m²].
    weight: f64,
    /// How far it is counted in.
    part: f64,
    /// ω̄ [rad/s].
    around: DVec3,
}

/// A link.
#[derive(Clone, Debug)]
pub(super) struct Bond {
    group: u32,
    /// First local row.
    local: usize,
    /// Local rows of its twist and bends, and of its bends.
    moments: Range<usize>,
    bends: Range<usize>,
    /// ℓ [m].
    length: f64,
    /// The members it joins, if they are free.
    ends: [Option<u32>; 2],
    /// |F| [N].
    tension: f64,
    /// Its moment as far as it counts as a pull does [N·m].
    moment: f64,
}

/// Something else that holds a body a cable is fast on.
#[derive(Clone, Debug)]
struct Grip {
    group: u32,
    local: usize,
    member: u32,
}

/// A span of a rope.
#[derive(Clone, Debug)]
struct Pull {
    group: u32,
    /// Place of the rope, the span's number and the first of its two rows across.
    joint: usize,
    span: usize,
    across: usize,
    /// Local rows whose forces add up to its tension.
    rows: Range<usize>,
    /// The members at its ends.
    ends: [Option<u32>; 2],
    /// T of the last solve [N].
    tension: f64,
}

/// The cables of an island.
#[derive(Debug, Default)]
pub struct Taut {
    members: Vec<Member>,
    /// Runs of elements one after another.
    runs: Vec<Range<usize>>,
    bonds: Vec<Bond>,
    grips: Vec<Grip>,
    pulls: Vec<Pull>,
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
        let mut taut = Taut::default();
        let mut local = 0;
        // by number in the island: length if it is an element, the next element, whether one comes before
        let n = island.bodies.len();
        let (mut length, mut next, mut follows) = (vec![0.0; n], vec![None; n], vec![false; n]);
        let mut held = Vec::new();
        for number in &island.groups {
            let group = &rows.groups[*number as usize];
            let first = local;
            local += group.rows().len();
            let joint = group.joint().and_then(|place| model.joints.at(place));
            let Some(Kind::Link(link)) = joint.map(|j| &j.kind) else { continue };
            let ends = link.anchors.map(|a| island.bodies.binary_search(&a.body.index).ok());
            for (side, body) in ends.into_iter().enumerate() {
                let Some(body) = body else { continue };
                match link.elements[side] {
                    true => length[body] = 2.0 * link.anchors[side].at.length(),
                    // fast on a free body: it shares the neighbourhood of the element at the other side
                    false => held.push((body, ends[1 - side])),
                }
            }
            if let ([Some(a), Some(b)], [true, true]) = (ends, link.elements) {
                (next[a], follows[b]) = (Some(b), true);
            }
            let bend = |k: &usize| rows.rows[*k].role == Role::Bend;
            let bends = group.rows().find(bend).map_or(0..0, |k| {
                let from = first + k - group.rows().start;
                from..from + group.rows().filter(bend).count()
            });
            let ends = ends.map(|e| e.map(|e| e as u32));
            let moments = first + 3..first + group.rows().len();
            taut.bonds.push(Bond {
                group: *number,
                local: first,
                moments,
                bends,
                length: link.length,
                ends,
                tension: 0.0,
                moment: 0.0,
            });
        }
        let elements = taut.line_up(island, (&length, &next, &follows), &held);
        taut.find_pulls(model, rows, island, elements);
        if !taut.is_empty() {
            taut.find_grips(model, rows, island);
            taut.fresh = vec![0.0; taut.members.len()];
            taut.forces = vec![0.0; rows_of(rows, island)];
        }
        taut
    }

    /// Puts the elements in order, run after run, then what cables are fast on; bonds then name members.
    fn line_up(
        &mut self,
        island: &Island,
        (length, next, follows): (&[f64], &[Option<usize>], &[bool]),
        held: &[(usize, Option<usize>)],
    ) -> Vec<Option<u32>> {
        let mut member_of = vec![None; length.len()];
        // from every start; then rings, which have none
        let starts = (0..length.len()).filter(|b| !follows[*b]).chain(0..length.len());
        for start in starts.filter(|b| length[*b] > 0.0) {
            let (from, mut at) = (self.members.len(), Some(start));
            while let Some(body) = at.filter(|b| member_of[*b].is_none()) {
                member_of[body] = Some(self.members.len() as u32);
                self.members.push(Member::new(island, body, length[body], self.members.len() as u32));
                at = next[body];
            }
            if self.members.len() > from {
                self.runs.push(from..self.members.len());
            }
        }
        for (body, element) in held {
            if let Some(near) = element.and_then(|e| member_of[e]).filter(|_| member_of[*body].is_none()) {
                member_of[*body] = Some(self.members.len() as u32);
                self.members.push(Member::new(island, *body, 0.0, near));
            }
        }
        for bond in &mut self.bonds {
            bond.ends = bond.ends.map(|end| member_of[end? as usize]);
        }
        member_of
    }

    /// The spans of ropes; the free bodies they hold become members, if they are not yet.
    fn find_pulls(&mut self, model: &Model, rows: &Rows, island: &Island, mut member_of: Vec<Option<u32>>) {
        let mut local = 0;
        for number in &island.groups {
            let group = &rows.groups[*number as usize];
            let first = local;
            local += group.rows().len();
            let Some(place) = group.joint() else { break };
            let Some(Kind::Rope(rope)) = model.joints.at(place).map(|j| &j.kind) else { continue };
            let ends: Vec<Option<u32>> = rows.frames[group.frames()]
                .iter()
                .map(|frame| {
                    let body = island.bodies.binary_search(&frame.body).ok()?;
                    let members = self.members.len() as u32;
                    Some(*member_of[body].get_or_insert_with(|| {
                        self.members.push(Member::new(island, body, 0.0, members));
                        members
                    }))
                })
                .collect();
            let tensions = rope.tension_rows();
            let across = first + group.rows().len() - 2 * tensions.len();
            for (span, own) in tensions.into_iter().enumerate() {
                self.pulls.push(Pull {
                    group: *number,
                    joint: place,
                    span,
                    across: across + 2 * span,
                    rows: first + own.start..first + own.end,
                    ends: [ends[span], ends[span + 1]],
                    tension: 0.0,
                });
            }
        }
    }

    /// What else holds the bodies that cables are fast on.
    fn find_grips(&mut self, model: &Model, rows: &Rows, island: &Island) {
        let ends = self.members.iter().enumerate().filter(|(_, m)| m.length == 0.0);
        let ends: Vec<(u32, u32)> = ends.map(|(k, m)| (m.place, k as u32)).collect();
        let mut local = 0;
        for number in island.groups.iter().filter(|_| !ends.is_empty()) {
            let group = &rows.groups[*number as usize];
            let first = local;
            local += group.rows().len();
            let Some(place) = group.joint() else { break };
            if matches!(model.joints.at(place).map(|j| &j.kind), Some(Kind::Link(_) | Kind::Rope(_))) {
                continue;
            }
            for frame in &rows.frames[group.frames()] {
                for (_, member) in ends.iter().filter(|(body, _)| *body == frame.body) {
                    self.grips.push(Grip { group: *number, local: first, member: *member });
                }
            }
        }
    }

    /// Whether there is anything taut at all.
    pub(super) fn is_empty(&self) -> bool {
        self.bonds.is_empty() && self.pulls.is_empty()
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
    pub(super) fn learn(
        &mut self,
        rows: &Rows,
        lambda: &[f64],
        beat: &Beat,
        masses: &[(f64, DMat3)],
    ) -> bool {
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
        if !self.bonds.iter().any(pulls_harder) && !self.pulls.iter().any(hauls_harder) {
            return false;
        }
        let mut fresh = std::mem::take(&mut self.fresh);
        self.sum_up(rows, &mut fresh);
        let grown = self.members.iter().zip(&fresh).any(|(m, kappa)| {
            let across = across(&masses[m.body as usize].1, m.axis) - m.weight;
            *kappa > GROWTH * m.kappa && kick * h * kappa > ONSET[1] * across
        });
        self.fresh = fresh;
        grown
    }

    /// κ of every member, from the present forces; also what they say of links and ropes and the axes of what cables are fast on.
    fn sum_up(&mut self, rows: &Rows, kappa: &mut [f64]) {
        kappa.fill(0.0);
        let mut sharp = false;
        for bond in &mut self.bonds {
            let force = DVec3::from_slice(&self.forces[bond.local..]);
            bond.tension = force.length();
            let group = &rows.groups[bond.group as usize];
            let frames = &rows.frames[group.frames()];
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let Some(member) = bond.ends[side].map(|m| m as usize) else { continue };
                let arm = frames[side].at - frames[side].center;
                kappa[member] += sign * force.dot(arm);
                // what a cable is fast on is held along the arm of its pull
                if self.members[member].length == 0.0 {
                    self.members[member].axis = arm.normalize_or_zero();
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
        for bond in self.bonds.iter().filter(|_| sharp) {
            bond.ends.iter().flatten().for_each(|member| kappa[*member as usize] += bond.moment);
        }
        for grip in &self.grips {
            let group = &rows.groups[grip.group as usize];
            let place = self.members[grip.member as usize].place;
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
        for pull in &mut self.pulls {
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
        for (m, kappa) in self.members.iter_mut().zip(&fresh) {
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
        self.look_around(state, free, beat.drift);
    }

    /// ω̄ of every member.
    fn look_around(&mut self, state: &State, free: &Free, h: f64) {
        for run in 0..self.runs.len() {
            let run = self.runs[run].clone();
            self.sums.clear();
            self.sums.push((DMat3::ZERO, DVec3::ZERO));
            let (mut across, mut spins) = (DMat3::ZERO, DVec3::ZERO);
            for m in &self.members[run.clone()] {
                let (along, spin) = (m.axis * m.length, state.bodies[m.place as usize].spin);
                across += DMat3::from_diagonal(DVec3::splat(m.length)) - math::outer(along, m.axis);
                spins += m.length * spin - along * m.axis.dot(spin);
                self.sums.push((across, spins));
            }
            let mut last = (0, 0, DVec3::ZERO);
            for (k, m) in self.members[run.clone()].iter_mut().enumerate() {
                // half the reach to each side; T/μ = κ/m
                let wave = (m.kappa / free.inertial[m.place as usize].mass).sqrt();
                let side = 0.5 * REACH * h * wave / m.length;
                // beyond 1e6 elements it is the whole run in any case
                let side = side.min(1e6) as usize;
                let (from, to) = (k.saturating_sub(side), (k + side + 1).min(run.len()));
                // of a taut cable every element sees the whole run
                if (from, to) != (last.0, last.1) {
                    let (far, near) = (self.sums[to], self.sums[from]);
                    last = (from, to, best_fit(far.0 - near.0, far.1 - near.1));
                }
                m.around = last.2;
            }
        }
        for k in 0..self.members.len() {
            if self.members[k].length == 0.0 {
                self.members[k].around = self.members[self.members[k].near as usize].around;
            }
        }
    }

    /// Axis and ω̄ of what only ropes hold: along their pulls, whichever way, and how these have been turning.
    fn hang(&mut self, rows: &Rows, state: &State) {
        for (k, m) in self.members.iter_mut().enumerate().filter(|(k, m)| m.is_hung(*k)) {
            let (mut all, mut turning, mut pulls) = (1e-300, DVec3::ZERO, DMat3::ZERO);
            for pull in self.pulls.iter().filter(|pull| pull.holds(k)) {
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
    pub(super) fn stiffen(&self, masses: &mut [(f64, DMat3)], momentum: &mut [f64]) {
        for m in self.members.iter().filter(|m| m.weight > 0.0) {
            let body = m.body as usize;
            let along = m.axis * m.weight;
            masses[body].1 += DMat3::from_diagonal(DVec3::splat(m.weight)) - math::outer(along, m.axis);
            let own = &mut momentum[6 * body + 3..6 * body + 6];
            let turning = m.around * m.weight - along * m.axis.dot(m.around);
            (DVec3::from_slice(own) + turning).write_to_slice(own);
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
        for pull in &self.pulls {
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
        self.bonds.iter().peekable()
    }

    /// Damps the bends of a link by its tension.
    pub(super) fn damp_bends(&self, bond: &Bond, rows: &Rows, beat: &Beat, softened: &mut [Softened]) {
        let parts = bond.ends.iter().flatten().map(|m| self.members[*m as usize].part);
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

impl Bond {
    /// Whether a group of rows is its.
    pub(super) fn is_of(&self, group: u32) -> bool {
        self.group == group
    }
}

impl Pull {
    /// Whether it holds a member with one of its ends.
    fn holds(&self, member: usize) -> bool {
        let [first, last] = self.ends.map(|end| end == Some(member as u32));
        first != last
    }

    /// The frames at its ends and the direction from one to the other, as good as it must be here.
    fn line<'a>(&self, rows: &'a Rows) -> (&'a [Frame], DVec3) {
        let frames = &rows.frames[rows.groups[self.group as usize].frames()][self.span..self.span + 2];
        (frames, (frames[1].at - frames[0].at).normalize_or_zero())
    }
}

/// How many rows an island has.
fn rows_of(rows: &Rows, island: &Island) -> usize {
    island.groups.iter().map(|g| rows.groups[*g as usize].rows().len()).sum()
}

impl Member {
    /// Whether only ropes hold it, as member number k.
    fn is_hung(&self, k: usize) -> bool {
        self.length == 0.0 && self.near == k as u32
    }

    fn new(island: &Island, body: usize, length: f64, near: u32) -> Member {
        Member {
            body: body as u32,
            place: island.bodies[body],
            length,
            near,
            axis: DVec3::Z,
            kappa: 0.0,
            weight: 0.0,
            part: 0.0,
            around: DVec3::ZERO,
        }
    }
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

/// ω̄ of Σ l P ω̄ = Σ l P ω. About the axis of a straight run it is left open, and nobody asks.
fn best_fit(across: DMat3, spins: DVec3) -> DVec3 {
    let size = across.x_axis.x + across.y_axis.y + across.z_axis.z;
    (across + DMat3::IDENTITY * (1e-6 * size)).inverse() * spins
}

/// Mean inertia across an axis.
fn across(inertia: &DMat3, axis: DVec3) -> f64 {
    let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
    0.5 * (trace - axis.dot(*inertia * axis))
}
