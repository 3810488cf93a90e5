//! The resolution of cables after a step: two elements that lie straight and still become one, one that bends becomes two.
//!
//! ```text
//!  merge   x = Σ mᵢ xᵢ/M      v = Σ mᵢ vᵢ/M      I ω = Σ Iᵢ ωᵢ + mᵢ rᵢ × (vᵢ − v)      rᵢ = xᵢ − x
//!          along the chord of the outer ends, turned about it by the mean of both
//!  split   x ∓ r,   v ∓ ω × r,   ω from the same sum read backwards
//! ```
//!
//! Mass, length, momentum and angular momentum stay. Stretch, twist and bend are shared by themselves: with the link between
//! two elements of length l goes its gap g, half to each side, while the links there come to stand for l/2 more; of a cable
//! stretched evenly the tension stays. A split does the reverse: what it gives to the link between, of the gaps (twists, bends)
//! x at both sides, is what stores least,
//!
//!   x_between = ½ (x_l/ℓ_l + x_r/ℓ_r) / (1/l + ¼/ℓ_l + ¼/ℓ_r)        ℓ the lengths of the links after the split
//!
//! Two elements at an angle θ have their centre l θ/4 beside the chord of their ends. One in their place would pull the links at
//! its ends aside by that, against all of EA (a rope of 4 J was given 230 J so): its neighbours share the way with it.
//!
//! What energy changes, changes here and is told. Links at a boundary hand over forces, turns, cuts and wear to those that stand
//! for them.
//!
//! How much a link is bent is its elastic bend and how far it will bend in the time `ahead` at its present rate: an amplitude,
//! which does not forget a swing as it passes through the middle. So nothing needs a clock, and a state says all.

use super::RemeshReport;
use super::multiresolution::Piece;
use crate::body::Body;
use crate::body::BodyState;
use crate::body::frame::Frame;
use crate::body::twist::Wrench;
use crate::joint::link::DamageState;
use crate::joint::{Joint, JointKind, Link};
use crate::math;
use crate::model::Model;
use crate::model::cable::Cable;
use crate::model::cable::Pool;
use crate::model::state::{JointState, State};
use crate::row::BoundMode;
use crate::section::Section;
use crate::slots::{BodyId, JointId};
use glam::{DMat3, DQuat, DVec2, DVec3};

/// Merges and wishes for a split in a step and cable at most: a change costs an ordering of its island, however many elements
/// change, and where many do, those that bend most should be looked at again first.
const AT_ONCE: usize = 8;

/// Elements are merged if bends would stay below this part of where they are split again: a half, as a link between elements
/// of twice the length bends twice as far.
const CALM: f64 = 0.5;

/// A pair makes room for an element that is bent so much more.
const ROOM: f64 = 4.0;

/// Kinetic energy that a merge may add, in parts of that of the slowest turning that splits: elements that lie at an angle have
/// a larger inertia about their chord than the one they become, which may not be spun up by it.
const SPIN_UP: f64 = 1e-2;

/// How a link that is there stands. Of one that is cut, or at a free end, all is zero.
#[derive(Clone, Copy, Debug, Default)]
struct Seam {
    /// Elastic bend, its own and what is to come [rad].
    bend: f64,
    /// How fast it is stretched [1/s].
    strain: f64,
    cut: bool,
    /// Whether it keeps a bend.
    kept: bool,
}

/// Work space.
#[derive(Debug, Default)]
pub struct Remeshing {
    /// Elements of the cable in hand that are there, from start to end,
    pieces: Vec<Piece>,
    /// the links before each and after the last,
    seams: Vec<Seam>,
    /// and those that should be split, with how urgent it is.
    wishes: Vec<(f64, Piece)>,
    /// By place of the body: whether something touches it, or other joints and forces hold it.
    touched: Vec<bool>,
    held: Vec<bool>,
    revision: Option<u64>,
}

/// Brings the resolution of all cables up to date.
pub fn adapt(model: &Model, state: &mut State, work: &mut Remeshing) -> RemeshReport {
    let mut told = RemeshReport::default();
    if model.cables.iter().all(|(_, cable)| cable.pool.is_none()) {
        return told;
    }
    work.note(model, state);
    for (_, cable) in model.cables.iter() {
        if let Some(pool) = &cable.pool {
            Mesh { model, state, cable, pool, work, told: &mut told }.adapt();
        }
    }
    follow(model, state, work);
    told
}

/// Lays the finest elements that are not there along those that stand for them: pictures, probes and recordings of a cable
/// go by its finest elements, whatever its resolution.
pub fn follow(model: &Model, state: &mut State, work: &mut Remeshing) {
    for (_, cable) in model.cables.iter() {
        let Some(pool) = cable.pool.as_ref().filter(|pool| pool.is_whole(model)) else { continue };
        pool.present(state, &mut work.pieces);
        for piece in work.pieces.iter().filter(|p| p.level > 0) {
            let s = state.bodies[pool.element(*piece).index()];
            let (along, middle) = (s.orientation * DVec3::Z, 0.5 * (piece.start() + piece.end()) as f64);
            for number in piece.start()..piece.end() {
                let arm = along * ((number as f64 + 0.5 - middle) * cable.element);
                let own = &mut state.bodies[pool.elements[0][number].index()];
                *own = BodyState { inactive: true, ..BodyState::at(s.position + arm, s.orientation) };
                (own.velocity, own.angular_velocity) =
                    (s.velocity + s.angular_velocity.cross(arm), s.angular_velocity);
            }
        }
    }
}

impl Remeshing {
    /// Notes which bodies are touched, and which are held by more than their cable.
    fn note(&mut self, model: &Model, state: &State) {
        self.touched.clear();
        self.touched.resize(model.bodies.places(), false);
        for part in state.contacts.iter().flat_map(|c| c.parts) {
            self.touched[part.body as usize] = true;
        }
        if self.revision == Some(model.revision) {
            return;
        }
        self.revision = Some(model.revision);
        self.held.clear();
        self.held.resize(model.bodies.places(), false);
        let mut own = vec![false; model.joints.places()];
        let pools = model.cables.iter().filter_map(|(_, cable)| cable.pool.as_ref());
        pools.flat_map(|pool| pool.ties.iter().flatten()).for_each(|tie| own[tie.link.index()] = true);
        for (_, joint) in model.joints.iter().filter(|(place, _)| !own[*place]) {
            joint.constraint().anchors().iter().for_each(|a| self.held[a.body.index()] = true);
        }
        for (_, force) in model.forces.iter() {
            force.law().bodies().iter().for_each(|b| self.held[b.index()] = true);
        }
        for body in model.subsystems.iter().flat_map(|kind| kind.bodies()) {
            self.held[body.index()] = true;
        }
    }
}

/// A cable in hand.
struct Mesh<'a> {
    model: &'a Model,
    state: &'a mut State,
    cable: &'a Cable,
    pool: &'a Pool,
    work: &'a mut Remeshing,
    told: &'a mut RemeshReport,
}

impl Mesh<'_> {
    fn adapt(&mut self) {
        if !self.pool.is_whole(self.model) || !self.look() || self.is_asleep() {
            return;
        }
        let calm = CALM * self.pool.rule.bend;
        for _ in 0..AT_ONCE {
            if !self.coarsen(calm) {
                break;
            }
        }
        self.wish();
        for k in 0..self.work.wishes.len().min(AT_ONCE) {
            let (urgency, piece) = self.work.wishes[k];
            self.refine(piece, urgency);
        }
    }

    /// Sleepers stay as they are.
    fn is_asleep(&self) -> bool {
        self.work.pieces.iter().any(|p| self.state.bodies[self.pool.element(*p).index()].asleep)
    }

    /// Finds the elements that are there and how their links stand.
    fn look(&mut self) -> bool {
        let mut pieces = std::mem::take(&mut self.work.pieces);
        let covered = self.pool.present(self.state, &mut pieces);
        self.work.pieces = pieces;
        self.work.seams.clear();
        for k in 0..=self.work.pieces.len() {
            let seam = self.seam(self.before(k), self.work.pieces.get(k).copied());
            self.work.seams.push(seam);
        }
        covered
    }

    fn before(&self, k: usize) -> Option<Piece> {
        k.checked_sub(1).map(|k| self.work.pieces[k])
    }

    fn seam(&self, before: Option<Piece>, after: Option<Piece>) -> Seam {
        let Some(id) = self.pool.link(before, after) else { return Seam::default() };
        let memory = &self.state.joints[id.index()];
        let kept = DamageState::of(&memory.history).set != DVec2::ZERO;
        let Some((link, frames)) = self.link(id).filter(|_| !memory.broken) else {
            return Seam { cut: true, kept, ..Seam::default() };
        };
        let [a, b] = frames.map(|f| self.state.twist(f.body as usize));
        let [va, vb] = [(a, &frames[0]), (b, &frames[1])]
            .map(|(twist, f)| twist.velocity + twist.angular_velocity.cross(f.at - f.center));
        let mut seam = Seam { strain: (vb - va).length() / link.length, kept, ..Seam::default() };
        if turns(link) {
            let side = frames[usize::from(!link.elements[0])].z();
            let spin = b.angular_velocity - a.angular_velocity;
            let across = (spin - side * side.dot(spin)).length();
            let (_, bend) = self.turned(link, &frames, memory);
            seam.bend = bend.length() + self.pool.rule.ahead * across;
        }
        seam
    }

    /// A link and its frames.
    fn link(&self, id: JointId) -> Option<(&Link, [Frame; 2])> {
        let Some(Joint { kind: JointKind::Link(link), .. }) = self.model.joints.get(id) else { return None };
        Some((link, link.anchors.map(|a| self.model.frame(self.state, &a))))
    }

    /// Twist and elastic bend of a link [rad], the bend in world axes.
    fn turned(&self, link: &Link, frames: &[Frame; 2], memory: &JointState) -> (f64, DVec3) {
        let (twist, bend) = link.turned(frames, &memory.coordinates);
        let bend = bend - DamageState::of(&memory.history).set;
        (twist, frames[0].orientation * bend.extend(0.0))
    }

    fn is_touched(&self, piece: Piece) -> bool {
        self.work.touched[self.pool.element(piece).index()]
    }

    fn is_held(&self, piece: Piece) -> bool {
        self.work.held[self.pool.element(piece).index()]
    }

    /// Whether a cut is noted inside an element.
    fn hides_a_cut(&self, piece: Piece) -> bool {
        (piece.start() + 1..piece.end()).any(|b| self.state.joints[self.pool.hidden(b).index()].broken)
    }

    /// Lists the elements that should be split, the most urgent first.
    fn wish(&mut self) {
        let mut wishes = std::mem::take(&mut self.work.wishes);
        wishes.clear();
        for (k, piece) in self.work.pieces.iter().enumerate().filter(|(_, p)| p.level > 0) {
            let next = [k.checked_sub(1), Some(k + 1)];
            // the shorter of two has done its part
            let counts = |side: usize| {
                let other = next[side].and_then(|n| self.work.pieces.get(n));
                other.is_none_or(|other| other.level <= piece.level)
            };
            let bend = |side: usize| if counts(side) { self.work.seams[k + side].bend } else { 0.0 };
            let bend = bend(0).max(bend(1));
            let must = self.is_touched(*piece) || self.hides_a_cut(*piece);
            if must || bend > self.pool.rule.bend {
                wishes.push((if must { f64::INFINITY } else { bend }, *piece));
            }
        }
        wishes.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.start().cmp(&b.1.start())));
        self.work.wishes = wishes;
    }

    /// Splits an element, its longer neighbours first; whether it could.
    fn refine(&mut self, piece: Piece, urgency: f64) -> bool {
        if piece.level == 0 || self.is_held(piece) {
            return false;
        }
        for side in 0..2 {
            let Some(k) = self.place(piece) else { return false };
            let other = if side == 0 { self.before(k) } else { self.work.pieces.get(k + 1).copied() };
            if let Some(other) = other.filter(|other| other.level > piece.level)
                && !self.refine(other, urgency)
            {
                return false;
            }
        }
        let room = (urgency / ROOM).min(self.pool.rule.bend);
        if self.work.pieces.len() >= self.pool.rule.most && !self.coarsen(room) {
            return false;
        }
        match self.place(piece) {
            Some(k) => self.split(k),
            None => return false,
        }
        self.look()
    }

    fn place(&self, piece: Piece) -> Option<usize> {
        let k = self.work.pieces.partition_point(|p| p.start() < piece.start());
        (self.work.pieces.get(k) == Some(&piece)).then_some(k)
    }

    /// Merges the least bent pair, if its bends stay below a limit; whether there was one.
    fn coarsen(&mut self, limit: f64) -> bool {
        if self.work.pieces.len() <= self.pool.rule.fewest {
            return false;
        }
        let rated = (1..self.work.pieces.len()).filter_map(|k| Some((self.bend_of_pair(k)?, k)));
        let below = rated.filter(|(bend, _)| *bend < limit);
        let mut best: Option<(f64, usize)> = None;
        for (bend, k) in below {
            if best.is_none_or(|(least, _)| bend < least) && self.stays_slow(k) {
                best = Some((bend, k));
            }
        }
        let Some((_, k)) = best else { return false };
        self.merge(k);
        self.look()
    }

    /// How far links would be bent if the elements before and after link k were one; nothing if they may not.
    fn bend_of_pair(&self, k: usize) -> Option<f64> {
        let pieces = &self.work.pieces;
        let (a, b) = (pieces[k - 1], pieces[k]);
        let longest = self.pool.rule.levels as usize;
        if !a.pairs_with(&b) || a.level == longest {
            return None;
        }
        let seams = &self.work.seams[k - 1..k + 2];
        let fits = |other: Option<&Piece>| other.is_none_or(|other| other.level >= a.level);
        let next_fit = fits(self.before(k - 1).as_ref()) && fits(pieces.get(k + 1));
        let busy = [a, b].iter().any(|p| self.is_touched(*p) || self.is_held(*p) || self.hides_a_cut(*p));
        if !next_fit || busy || seams[1].cut || seams[1].kept {
            return None;
        }
        let outer = seams[0].bend.max(seams[2].bend);
        Some((outer + 0.5 * seams[1].bend).max(seams[1].bend).max(self.pool.rule.ahead * seams[1].strain))
    }

    /// Length of an element [m].
    fn length(&self, piece: Piece) -> f64 {
        self.cable.element * (1 << piece.level) as f64
    }

    fn body(&self, id: BodyId) -> &Body {
        self.model.bodies.at(id.index()).expect("a cable that is whole has all its elements")
    }

    /// How an element is.
    fn is(&self, piece: Piece) -> &BodyState {
        &self.state.bodies[self.pool.element(piece).index()]
    }

    fn mass(&self, piece: Piece) -> f64 {
        self.body(self.pool.element(piece)).mass.mass
    }

    fn kinetic(&self, piece: Piece, s: &BodyState) -> f64 {
        let inertia = inertia(self.body(self.pool.element(piece)), s);
        0.5 * (self.mass(piece) * s.velocity.length_squared()
            + s.angular_velocity.dot(inertia * s.angular_velocity))
    }

    /// Angular momentum about a point, in axes that move with it.
    fn turning(&self, piece: Piece, s: &BodyState, about: &BodyState) -> DVec3 {
        let own = inertia(self.body(self.pool.element(piece)), s) * s.angular_velocity;
        own + (s.position - about.position).cross(s.velocity - about.velocity) * self.mass(piece)
    }

    /// Whether the elements before and after link k would not be spun up by becoming one.
    fn stays_slow(&self, k: usize) -> bool {
        let Merge { pair, one, next } = self.merged(k);
        let before = pair.iter().chain(next.iter().flatten().map(|(p, _)| p));
        let before: f64 = before.map(|p| self.kinetic(*p, self.is(*p))).sum();
        let after: f64 = next.iter().flatten().map(|(p, s)| self.kinetic(*p, s)).sum();
        let after = after + self.kinetic(pair[0].parent(), &one);
        let rate = self.pool.rule.bend / self.pool.rule.ahead;
        let across = self.body(self.pool.element(pair[0])).mass.inertia.x_axis.x;
        after - before <= SPIN_UP * 0.5 * across * rate * rate
    }

    /// The elements before and after link k as one.
    fn merged(&self, k: usize) -> Merge {
        let pair = [self.work.pieces[k - 1], self.work.pieces[k]];
        let [a, b] = pair.map(|p| self.is(p));
        let half = DVec3::Z * (0.5 * self.length(pair[0]));
        let [start, end] = [a.position - a.orientation * half, b.position + b.orientation * half];
        let inner = self.pool.link(Some(pair[0]), Some(pair[1])).and_then(|id| Some((id, self.link(id)?)));
        let twist = inner
            .map_or(0.0, |(id, (link, frames))| self.turned(link, &frames, &self.state.joints[id.index()]).0);
        let turned = a.orientation * math::turn(DVec3::Z, 0.5 * twist);
        let along = turned * DVec3::Z;
        let chord = (end - start).normalize_or(along);
        let attitude = math::unit(DQuat::from_rotation_arc(along, chord) * turned);
        let mut one = BodyState::at(0.5 * (a.position + b.position), attitude);
        one.velocity = 0.5 * (a.velocity + b.velocity);
        one.rest_time = a.rest_time.min(b.rest_time);
        one.load = Wrench { force: a.load.force + b.load.force, torque: a.load.torque + b.load.torque };
        let center = one;
        let off = 0.5 * (start + end) - one.position;
        let next = self.give_way(k, &mut one, off - chord * chord.dot(off));
        let momentum = pair.iter().fold(DVec3::ZERO, |sum, p| sum + self.turning(*p, self.is(*p), &center));
        let momentum = next.iter().flatten().fold(momentum, |sum, (p, s)| {
            sum + self.turning(*p, self.is(*p), &center) - self.turning(*p, s, &center)
        });
        one.angular_velocity =
            inertia(self.body(self.pool.element(pair[0].parent())), &one).inverse() * momentum;
        Merge { pair, one, next }
    }

    /// Puts what the elements before and after link k became where their outer ends were, `off` from their centre, and the
    /// neighbours back by as much, each turned about its far end: no link is pulled sideways, and the common centre stays.
    fn give_way(&self, k: usize, one: &mut BodyState, off: DVec3) -> [Option<(Piece, BodyState)>; 2] {
        let next = [self.before(k - 1), self.work.pieces.get(k + 1).copied()];
        let cut = [self.work.seams[k - 1].cut, self.work.seams[k + 1].cut];
        let ends = [self.pool.ties.first(), self.pool.ties.last()].map(|t| t.is_some_and(|t| !t.is_empty()));
        let may_move = |p: &Piece| !self.is_held(*p) && !self.is_touched(*p);
        let moves = [0, 1].map(|side| next[side].filter(|p| !cut[side] && may_move(p)));
        // what an end is fast on stays where it is
        let fast =
            [0, 1].map(|side| !cut[side] && moves[side].is_none() && (next[side].is_some() || ends[side]));
        let mass = 2.0 * self.mass(self.work.pieces[k]);
        let others: f64 = moves.iter().flatten().map(|p| self.mass(*p)).sum();
        // t of the centre, e of its second end beyond that, d of the neighbours' centres:
        // t ∓ e = off where it is fast, t ∓ e − 2 d = off at a neighbour, M t + Σ m d = 0
        let (end, back) = match fast {
            [true, true] => return [None; 2],
            [false, false] => {
                let t = off * (0.5 * others / (mass + 0.5 * others));
                (DVec3::ZERO, 0.5 * (t - off))
            }
            [start, _] => {
                let t = off * (others / (mass + others));
                (if start { t - off } else { off - t }, t - off)
            }
        };
        if others == 0.0 && fast == [false, false] {
            return [None; 2];
        }
        let mut moved = DVec3::ZERO;
        let next = [0, 1].map(|side| {
            let piece = moves[side]?;
            let mut s = *self.is(piece);
            let arm =
                s.orientation * DVec3::Z * (0.5 * self.length(piece)) * if side == 0 { 1.0 } else { -1.0 };
            let turn = math::exp(arm.cross(back) / arm.length_squared());
            let step = turn * arm - arm;
            (s.position, s.orientation) = (s.position + step, math::unit(turn * s.orientation));
            moved += step * self.mass(piece);
            Some((piece, s))
        });
        let arm = one.orientation * DVec3::Z * self.length(self.work.pieces[k]);
        one.orientation = math::unit(math::exp(arm.cross(end) / arm.length_squared()) * one.orientation);
        one.position -= moved / mass;
        next
    }

    /// Merges the elements before and after link k.
    fn merge(&mut self, k: usize) {
        let Merge { pair, one, next } = self.merged(k);
        let parent = pair[0].parent();
        let (before, after) = (self.before(k - 1), self.work.pieces.get(k + 1).copied());
        let old = [self.pool.link(before, Some(pair[0])), self.pool.link(Some(pair[1]), after)];
        let new = [self.pool.link(before, Some(parent)), self.pool.link(Some(parent), after)];
        let Some(inner) = self.pool.link(Some(pair[0]), Some(pair[1])) else { return };
        // the links at the far ends of the neighbours turn with them
        let beyond = |k: usize| self.work.pieces.get(k).copied();
        let first = before.and_then(|p| self.pool.link(k.checked_sub(3).and_then(beyond), Some(p)));
        let last = after.and_then(|p| self.pool.link(Some(p), beyond(k + 2)));
        let around: Vec<Piece> = [before, after].into_iter().flatten().collect();
        let energy = self.energy(&[&pair, &around[..]].concat(), &[first, old[0], Some(inner), old[1], last]);
        let twist = self.state.joints[inner.index()].coordinates.first().copied().unwrap_or(0.0);
        for (from, to) in old.into_iter().zip(new) {
            self.hand_over(from, to, 0.5 * twist);
        }
        // what the link between remembers of its wear waits until it comes to light again
        let memory = std::mem::take(&mut self.state.joints[inner.index()]);
        self.state.joints[self.pool.hidden(pair[0].end()).index()].history = memory.history;
        self.state.bodies[self.pool.element(parent).index()] = one;
        for (piece, s) in next.into_iter().flatten() {
            self.state.bodies[self.pool.element(piece).index()] = s;
        }
        pair.iter().for_each(|p| self.leave(*p));
        self.told.merged += 1;
        self.told.energy +=
            self.energy(&[&[parent], &around[..]].concat(), &[first, new[0], new[1], last]) - energy;
    }

    /// Takes an element out of the world.
    fn leave(&mut self, piece: Piece) {
        let s = &mut self.state.bodies[self.pool.element(piece).index()];
        *s = BodyState { inactive: true, ..BodyState::at(s.position, s.orientation) };
    }

    /// Splits element number k of those that are there.
    fn split(&mut self, k: usize) {
        let piece = self.work.pieces[k];
        let Some(children) = piece.children() else { return };
        let (before, after) = (self.before(k), self.work.pieces.get(k + 1).copied());
        let old = [self.pool.link(before, Some(piece)), self.pool.link(Some(piece), after)];
        let new = [self.pool.link(before, Some(children[0])), self.pool.link(Some(children[1]), after)];
        let Some(inner) = self.pool.link(Some(children[0]), Some(children[1])) else { return };
        let energy = self.energy(&[piece], &old);
        let share = self.share(piece, old, new);
        let kept = std::mem::take(&mut self.state.joints[self.pool.hidden(children[0].end()).index()]);
        let bears = self.between(inner, old, share.twist, kept);
        let pair = self.halves(piece, children, &share);
        for (from, to) in old.into_iter().zip(new) {
            self.hand_over(from, to, -0.5 * share.twist);
        }
        self.state.joints[inner.index()] = bears;
        let parent = self.pool.element(piece).index();
        for (child, s) in children.iter().zip(pair) {
            let place = self.pool.element(*child).index();
            self.state.bodies[place] = s;
            self.work.touched[place] = self.work.touched[parent];
        }
        self.leave(piece);
        self.told.split += 1;
        self.told.energy += self.energy(&children, &[new[0], Some(inner), new[1]]) - energy;
    }

    /// What a split gives to the link between, of what the links at both sides bear.
    fn share(&self, piece: Piece, old: [Option<JointId>; 2], new: [Option<JointId>; 2]) -> Share {
        let axis = self.state.bodies[self.pool.element(piece).index()].orientation * DVec3::Z;
        let mut sum = Share::default();
        // Σ 1/ℓ of the links that pull, and of those that turn
        let (mut pull, mut turn) = (0.0, 0.0);
        for (old, new) in old.into_iter().zip(new) {
            let (Some(old), Some(new)) = (old, new) else { continue };
            let memory = &self.state.joints[old.index()];
            let (Some((link, frames)), Some((then, _))) = (self.link(old), self.link(new)) else { continue };
            if memory.broken {
                continue;
            }
            sum.gap += (frames[1].at - frames[0].at).dot(axis) / then.length;
            pull += 1.0 / then.length;
            if turns(link) {
                let (twist, bend) = self.turned(link, &frames, memory);
                sum.twist += twist / then.length;
                sum.bend += (bend - axis * axis.dot(bend)) / then.length;
                turn += 1.0 / then.length;
            }
        }
        let length = 0.5 * self.length(piece);
        let part = |sum: f64| 0.5 / (1.0 / length + 0.25 * sum);
        // an element that is squeezed flat has no more to give than half of itself
        let gap = (part(pull) * sum.gap).max(-0.5 * length);
        // halves at an angle φ have their outer ends φ l/4 off the line, where the links pull them back
        let Section { stretch, bend, .. } = self.cable.section;
        let aside = stretch * length * length / 16.0 * pull;
        let bent = 0.5 * bend / (bend * (1.0 / length + 0.25 * turn) + aside);
        Share { gap, twist: part(turn) * sum.twist, bend: bent * sum.bend }
    }

    /// The two halves of an element.
    fn halves(&self, piece: Piece, children: [Piece; 2], share: &Share) -> [BodyState; 2] {
        let id = self.pool.element(piece);
        let s = &self.state.bodies[id.index()];
        let mut pair = [-0.5, 0.5].map(|part| {
            let bent = math::exp(share.bend * part) * s.orientation;
            BodyState::at(s.position, math::unit(bent * math::turn(DVec3::Z, part * share.twist)))
        });
        let length = 0.5 * self.length(piece);
        let arm =
            (pair[0].orientation * DVec3::Z + pair[1].orientation * DVec3::Z) * (0.25 * (length + share.gap));
        let mut all = DMat3::ZERO;
        for (child, one) in children.iter().zip(&pair) {
            let body = self.body(self.pool.element(*child));
            all += inertia(body, one) + point_inertia(arm) * body.mass.mass;
        }
        let spin = all.inverse() * (inertia(self.body(id), s) * s.angular_velocity);
        for (one, sign) in pair.iter_mut().zip([-1.0, 1.0]) {
            one.position = s.position + arm * sign;
            one.velocity = s.velocity + spin.cross(arm * sign);
            (one.angular_velocity, one.rest_time) = (spin, s.rest_time);
            one.load = Wrench { force: 0.5 * s.load.force, torque: 0.5 * s.load.torque };
        }
        pair
    }

    /// What a link that comes to light between two bears and remembers.
    fn between(
        &self,
        inner: JointId,
        outer: [Option<JointId>; 2],
        twist: f64,
        kept: JointState,
    ) -> JointState {
        let Some((link, _)) = self.link(inner) else { return kept };
        let outer = outer.map(|id| id.map(|id| &self.state.joints[id.index()]));
        let count = 3 + usize::from(link.twist.is_some()) + 2 * usize::from(link.bend.is_some());
        let mut forces = vec![0.0; count];
        for memory in outer.iter().flatten() {
            // an end that turns freely has pulls alone
            forces.iter_mut().zip(&memory.forces).for_each(|(sum, f)| *sum += 0.5 * f);
        }
        let worn = outer.map(|memory| memory.map_or(&[][..], |m| &m.history));
        let history = DamageState::between(&kept.history, worn);
        JointState {
            broken: kept.broken,
            forces,
            modes: vec![BoundMode::Between; count],
            coordinates: if count > 3 { vec![twist] } else { Vec::new() },
            history,
        }
    }

    /// A link that stands for another at its boundary takes over what that bore and remembers, turned by what its element is.
    fn hand_over(&mut self, from: Option<JointId>, to: Option<JointId>, turn: f64) {
        if let (Some(from), Some(to)) = (from, to) {
            let mut memory = std::mem::take(&mut self.state.joints[from.index()]);
            if let Some(twist) = memory.coordinates.first_mut() {
                *twist += turn;
            }
            self.state.joints[to.index()] = memory;
        }
    }

    /// Of some elements and links [J].
    fn energy(&self, pieces: &[Piece], links: &[Option<JointId>]) -> f64 {
        let moving = pieces.iter().map(|p| {
            let id = self.pool.element(*p);
            let (body, s) = (self.body(id), &self.state.bodies[id.index()]);
            let height = if body.gravity { self.model.settings.gravity.dot(s.position) } else { 0.0 };
            self.kinetic(*p, s) - body.mass.mass * height
        });
        let stored = links.iter().flatten().filter_map(|id| {
            let memory = &self.state.joints[id.index()];
            let (link, frames) = self.link(*id).filter(|_| !memory.broken)?;
            Some(link.energy(&frames, &memory.coordinates, DamageState::of(&memory.history).set))
        });
        moving.sum::<f64>() + stored.sum::<f64>()
    }
}

/// Two elements as one.
struct Merge {
    pair: [Piece; 2],
    one: BodyState,
    /// How its neighbours are then.
    next: [Option<(Piece, BodyState)>; 2],
}

/// What a split gives to the link between: gap along the element [m], twist and bend [rad].
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    gap: f64,
    twist: f64,
    bend: DVec3,
}

/// Whether turning means anything to a link: not at an end that turns freely.
fn turns(link: &Link) -> bool {
    link.elements == [true, true] || link.twist.is_some() || link.bend.is_some()
}

/// Inertia in world axes.
fn inertia(body: &Body, s: &BodyState) -> DMat3 {
    math::rotated(&DMat3::from_quat(s.orientation), &body.mass.inertia)
}

/// Inertia of a unit mass at a distance.
fn point_inertia(r: DVec3) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(r.length_squared())) - DMat3::from_cols(r * r.x, r * r.y, r * r.z)
}
