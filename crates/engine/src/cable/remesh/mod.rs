//! Adaptive resolution of cables, after a step: two straight elements at rest are merged, one that bends is split.
//!
//! ```text
//!  merge   x = Σ mᵢ xᵢ/M      v = Σ mᵢ vᵢ/M      I ω = Σ Iᵢ ωᵢ + mᵢ rᵢ × (vᵢ − v)      rᵢ = xᵢ − x
//!          along the chord of the outer ends, rotated about it by the mean of both
//!  split   x ∓ r,   v ∓ ω × r,   ω from the inverse of the same sum
//! ```
//!
//! Mass, length, momentum and angular momentum are conserved. Stretch, twist and bend redistribute: the gap g of the
//! link between two elements of length l is divided equally between the adjacent links, whose lengths grow by l/2 each;
//! in a uniformly stretched cable the tension is preserved. A split does the reverse: the new link takes from the gaps
//! (twists, bends) x at both sides the amount that minimises the elastic energy,
//!
//!   x_between = ½ (x_l/ℓ_l + x_r/ℓ_r) / (1/l + ¼/ℓ_l + ¼/ℓ_r)        ℓ the lengths of the links after the split
//!
//! Two elements at an angle θ have their centre l θ/4 beside the chord of their ends. A merged element in their place
//! would displace the adjacent links laterally by that, against the full EA (a rope of 4 J gained 230 J this way): its
//! neighbours share the offset.
//!
//! Elements at a slack link overlap, and a merged one would push its neighbours away: none are merged there.
//!
//! The change of energy is reported. Links at a boundary transfer forces, turn counts, cuts and fatigue to the links
//! that replace them.
//!
//! The bend of a link counts as its elastic bend plus its bending rate times the time `ahead`: an amplitude, which does
//! not vanish when an oscillation passes its equilibrium. So no timers are needed, and the state is complete.

mod merge;

use super::RemeshReport;
use super::multiresolution::Piece;
use crate::body::BodyState;
use crate::body::frame::Frame;
use crate::joint::link::DamageState;
use crate::joint::{Joint, JointKind, Link};
use crate::model::Model;
use crate::model::cable::Cable;
use crate::model::cable::Pool;
use crate::model::state::{JointState, State};
use crate::row::BoundMode;
use crate::slots::JointId;
use glam::{DVec2, DVec3};

/// Merges and split requests per step and cable at most. A change costs a new ordering of the island, however many
/// elements change; where many do, the most bent ones should be reconsidered first.
const AT_ONCE: usize = 8;

/// Elements are merged if bends would stay below this fraction of the split threshold: a half, as a link between
/// elements of twice the length bends twice as far.
const CALM: f64 = 0.5;

/// A pair is merged to make room for an element that is bent more by this factor.
const ROOM: f64 = 4.0;

/// State of an active link. All is zero for a cut one and at a free end.
#[derive(Clone, Copy, Debug, Default)]
struct Seam {
    /// Elastic bend, present and expected [rad].
    bend: f64,
    /// Strain rate [1/s].
    strain: f64,
    cut: bool,
    /// Whether it carries no tension.
    slack: bool,
    /// Whether it has a plastic bend.
    kept: bool,
}

/// Workspace.
#[derive(Debug, Default)]
pub struct Remeshing {
    /// Present elements of the current cable, from start to end.
    pieces: Vec<Piece>,
    /// The links before each and after the last.
    seams: Vec<Seam>,
    /// Elements to be split, with their urgency.
    wishes: Vec<(f64, Piece)>,
    /// By body index: whether it is in contact, or held by other joints and forces.
    touched: Vec<bool>,
    held: Vec<bool>,
    revision: Option<u64>,
}

/// Updates the resolution of all cables.
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

/// Places absent finest elements along the present ones that represent them: visuals, probes and recordings of a cable
/// use its finest elements, whatever its resolution.
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
    /// Marks the bodies in contact, and those held by more than their cable.
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

/// The current cable.
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

    /// Sleeping cables are not changed.
    fn is_asleep(&self) -> bool {
        self.work.pieces.iter().any(|p| self.state.bodies[self.pool.element(*p).index()].asleep)
    }

    /// Finds the present elements and the state of their links.
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
        let strain = (vb - va).length() / link.length;
        let slack = memory.modes.first().is_some_and(|mode| *mode != BoundMode::Between);
        let mut seam = Seam { strain, kept, slack, ..Seam::default() };
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

    /// Whether there is a cut inside an element.
    fn hides_a_cut(&self, piece: Piece) -> bool {
        (piece.start() + 1..piece.end()).any(|b| self.state.joints[self.pool.hidden(b).index()].broken)
    }

    /// Lists the elements to be split, the most urgent first.
    fn wish(&mut self) {
        let mut wishes = std::mem::take(&mut self.work.wishes);
        wishes.clear();
        for (k, piece) in self.work.pieces.iter().enumerate().filter(|(_, p)| p.level > 0) {
            let next = [k.checked_sub(1), Some(k + 1)];
            // the shorter of two has already been split
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

    /// Splits an element, its longer neighbours first; returns whether it could.
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

    /// Merges the least bent pair, if its bends stay below a limit; returns whether there was one.
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

    /// Bend of links after merging the elements before and after link k; none if they may not be merged.
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
        if !next_fit || busy || seams[1].cut || seams[1].kept || seams.iter().any(|seam| seam.slack) {
            return None;
        }
        let outer = seams[0].bend.max(seams[2].bend);
        Some((outer + 0.5 * seams[1].bend).max(seams[1].bend).max(self.pool.rule.ahead * seams[1].strain))
    }
}

/// Whether a link has rotational rows: not at an end that rotates freely.
fn turns(link: &Link) -> bool {
    link.elements == [true, true] || link.twist.is_some() || link.bend.is_some()
}
