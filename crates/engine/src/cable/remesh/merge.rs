//! Merging of two elements into one, and splitting of one into two; equations in the head of this folder.

use super::{Mesh, turns};
use crate::body::Body;
use crate::body::BodyState;
use crate::body::twist::Wrench;
use crate::cable::multiresolution::Piece;
use crate::joint::link::DamageState;
use crate::math;
use crate::model::state::JointState;
use crate::row::BoundMode;
use crate::section::Section;
use crate::slots::{BodyId, JointId};
use glam::{DMat3, DQuat, DVec3};

/// Kinetic energy that a merge may add, relative to that of the slowest rotation that triggers a split. Two elements at
/// an angle have a larger inertia about their chord than the merged element, which must not be spun up by the
/// difference.
const SPIN_UP: f64 = 1e-2;

impl Mesh<'_> {
    /// Length of an element [m].
    fn length(&self, piece: Piece) -> f64 {
        self.cable.element * (1 << piece.level) as f64
    }

    fn body(&self, id: BodyId) -> &Body {
        self.model.bodies.at(id.index()).expect("a cable that is whole has all its elements")
    }

    /// State of an element.
    fn is(&self, piece: Piece) -> &BodyState {
        &self.state.bodies[self.pool.element(piece).index()]
    }

    fn mass(&self, piece: Piece) -> f64 {
        self.body(self.pool.element(piece)).mass.mass
    }

    fn kinetic(&self, piece: Piece, s: &BodyState) -> f64 {
        self.body(self.pool.element(piece)).kinetic_energy(s)
    }

    /// Angular momentum about a moving point, in axes that move with it.
    fn turning(&self, piece: Piece, s: &BodyState, about: &BodyState) -> DVec3 {
        let own = inertia(self.body(self.pool.element(piece)), s) * s.angular_velocity;
        own + (s.position - about.position).cross(s.velocity - about.velocity) * self.mass(piece)
    }

    /// Whether merging the elements before and after link k would not spin them up.
    pub(super) fn stays_slow(&self, k: usize) -> bool {
        let Merge { pair, one, next } = self.merged(k);
        let before = pair.iter().chain(next.iter().flatten().map(|(p, _)| p));
        let before: f64 = before.map(|p| self.kinetic(*p, self.is(*p))).sum();
        let after: f64 = next.iter().flatten().map(|(p, s)| self.kinetic(*p, s)).sum();
        let after = after + self.kinetic(pair[0].parent(), &one);
        let rate = self.pool.rule.bend / self.pool.rule.ahead;
        let across = self.body(self.pool.element(pair[0])).mass.inertia.x_axis.x;
        after - before <= SPIN_UP * 0.5 * across * rate * rate
    }

    /// The merged state of the elements before and after link k.
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
        let orientation = math::unit(DQuat::from_rotation_arc(along, chord) * turned);
        let mut one = BodyState::at(0.5 * (a.position + b.position), orientation);
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

    /// Moves the merged element to where the outer ends were, `off` from the centre, and the neighbours back
    /// accordingly, each rotated about its far end. So no link is displaced laterally, and the common centre of mass is
    /// preserved.
    fn give_way(&self, k: usize, one: &mut BodyState, off: DVec3) -> [Option<(Piece, BodyState)>; 2] {
        let next = [self.before(k - 1), self.work.pieces.get(k + 1).copied()];
        let cut = [self.work.seams[k - 1].cut, self.work.seams[k + 1].cut];
        let ends = [self.pool.ties.first(), self.pool.ties.last()].map(|t| t.is_some_and(|t| !t.is_empty()));
        let may_move = |p: &Piece| !self.is_held(*p) && !self.is_touched(*p);
        let moves = [0, 1].map(|side| next[side].filter(|p| !cut[side] && may_move(p)));
        // the attachment of an end cannot move
        let fast =
            [0, 1].map(|side| !cut[side] && moves[side].is_none() && (next[side].is_some() || ends[side]));
        let mass = 2.0 * self.mass(self.work.pieces[k]);
        let others: f64 = moves.iter().flatten().map(|p| self.mass(*p)).sum();
        // t: displacement of the centre, e: of its second end beyond that, d: of the neighbours' centres;
        // t ∓ e = off where attached, t ∓ e − 2 d = off at a neighbour, M t + Σ m d = 0
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
    pub(super) fn merge(&mut self, k: usize) {
        let Merge { pair, one, next } = self.merged(k);
        let parent = pair[0].parent();
        let (before, after) = (self.before(k - 1), self.work.pieces.get(k + 1).copied());
        let old = [self.pool.link(before, Some(pair[0])), self.pool.link(Some(pair[1]), after)];
        let new = [self.pool.link(before, Some(parent)), self.pool.link(Some(parent), after)];
        let Some(inner) = self.pool.link(Some(pair[0]), Some(pair[1])) else { return };
        // the links at the far ends of the neighbours rotate with them
        let beyond = |k: usize| self.work.pieces.get(k).copied();
        let first = before.and_then(|p| self.pool.link(k.checked_sub(3).and_then(beyond), Some(p)));
        let last = after.and_then(|p| self.pool.link(Some(p), beyond(k + 2)));
        let around: Vec<Piece> = [before, after].into_iter().flatten().collect();
        let energy = self.energy(&[&pair, &around[..]].concat(), &[first, old[0], Some(inner), old[1], last]);
        let twist = self.state.joints[inner.index()].coordinates.first().copied().unwrap_or(0.0);
        for (from, to) in old.into_iter().zip(new) {
            self.hand_over(from, to, 0.5 * twist);
        }
        // the fatigue memory of the link between is kept until the link becomes active again
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

    /// Removes an element from the active set.
    fn leave(&mut self, piece: Piece) {
        let s = &mut self.state.bodies[self.pool.element(piece).index()];
        *s = BodyState { inactive: true, ..BodyState::at(s.position, s.orientation) };
    }

    /// Splits the k-th present element.
    pub(super) fn split(&mut self, k: usize) {
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

    /// Deformation that a split transfers to the new link from the links at both sides.
    fn share(&self, piece: Piece, old: [Option<JointId>; 2], new: [Option<JointId>; 2]) -> Share {
        let axis = self.state.bodies[self.pool.element(piece).index()].orientation * DVec3::Z;
        let mut sum = Share::default();
        // Σ 1/ℓ of the links with axial stiffness, and of those with rotational stiffness
        let (mut pull, mut turn) = (0.0, 0.0);
        for (old, new) in old.into_iter().zip(new) {
            let (Some(old), Some(new)) = (old, new) else { continue };
            let memory = &self.state.joints[old.index()];
            let (Some((link, frames)), Some((then, _))) = (self.link(old), self.link(new)) else { continue };
            if memory.broken {
                continue;
            }
            // a slack link stores no energy
            sum.gap += (frames[1].at - frames[0].at).dot(axis).max(0.0) / then.length;
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
        let gap = part(pull) * sum.gap;
        // the outer ends of halves at an angle φ are φ l/4 off the line, where the links restore them
        let Section { stretch, bend, .. } = self.cable.section;
        let aside = stretch * length * length / 16.0 * pull;
        let bent = 0.5 * bend / (bend * (1.0 / length + 0.25 * turn) + aside);
        Share { gap, twist: part(turn) * sum.twist, bend: bent * sum.bend }
    }

    /// States of the two halves of an element.
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

    /// Forces and memory of a link that becomes active between two others.
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
            // an end that rotates freely has axial forces only
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

    /// Transfers forces and memory between two links at the same boundary, rotated with the element.
    fn hand_over(&mut self, from: Option<JointId>, to: Option<JointId>, turn: f64) {
        if let (Some(from), Some(to)) = (from, to) {
            let mut memory = std::mem::take(&mut self.state.joints[from.index()]);
            if let Some(twist) = memory.coordinates.first_mut() {
                *twist += turn;
            }
            self.state.joints[to.index()] = memory;
        }
    }

    /// Energy of some elements and links [J].
    fn energy(&self, pieces: &[Piece], links: &[Option<JointId>]) -> f64 {
        let moving = pieces.iter().map(|p| {
            let id = self.pool.element(*p);
            let (body, s) = (self.body(id), &self.state.bodies[id.index()]);
            body.kinetic_energy(s) + body.potential_energy(self.model.settings.gravity, s)
        });
        let stored = links.iter().flatten().filter_map(|id| {
            let memory = &self.state.joints[id.index()];
            let (link, frames) = self.link(*id).filter(|_| !memory.broken)?;
            Some(link.energy(&frames, &memory.coordinates, DamageState::of(&memory.history).set))
        });
        moving.sum::<f64>() + stored.sum::<f64>()
    }
}

/// Two elements merged into one.
struct Merge {
    pair: [Piece; 2],
    one: BodyState,
    /// New states of its neighbours.
    next: [Option<(Piece, BodyState)>; 2],
}

/// Deformation transferred to the new link by a split: axial gap [m], twist and bend [rad].
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    gap: f64,
    twist: f64,
    bend: DVec3,
}

/// Inertia in world axes.
fn inertia(body: &Body, s: &BodyState) -> DMat3 {
    math::rotated(&DMat3::from_quat(s.orientation), &body.mass.inertia)
}

/// Inertia of a unit mass at an offset.
fn point_inertia(r: DVec3) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(r.length_squared())) - DMat3::from_cols(r * r.x, r * r.y, r * r.z)
}
