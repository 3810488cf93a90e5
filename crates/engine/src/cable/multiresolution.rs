//! Elements of several lengths that represent the same cable. The model holds them all, the state which of them are
//! present.
//!
//! ```text
//!  level 0   | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |     element k of level j has the length of 2ʲ finest ones,
//!  level 1   |   0   |   1   |   2   |   3   |     from boundary k 2ʲ to boundary (k + 1) 2ʲ
//!  level 2   |       0       |       1       |
//! ```
//!
//! Present elements cover the cable without gap or overlap, and the levels of neighbours differ by one at most. So each
//! boundary has a link for every pair of levels that may meet there; links with an absent element write no rows. Mass,
//! inertia, shape and stiffness of each body and joint are then constant, and the state alone suffices to continue a
//! run. `cable/remesh` merges and splits.

use crate::joint::{JointKind, Rope};
use crate::model::Configuration;
use crate::model::Model;
use crate::model::cable::{Cable, Pool};
use crate::model::state::State;
use crate::slots::{BodyId, CableId, JointId};

/// An element by its index in the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub level: usize,
    pub number: usize,
}

impl Piece {
    /// The boundary at its start.
    pub fn start(&self) -> usize {
        self.number << self.level
    }

    /// The boundary at its end.
    pub fn end(&self) -> usize {
        (self.number + 1) << self.level
    }

    /// The element that replaces it and its sibling.
    pub fn parent(&self) -> Piece {
        Piece { level: self.level + 1, number: self.number / 2 }
    }

    /// The two elements that replace it; none for the finest.
    pub fn children(&self) -> Option<[Piece; 2]> {
        let level = self.level.checked_sub(1)?;
        Some([0, 1].map(|k| Piece { level, number: 2 * self.number + k }))
    }

    /// Whether it and another are the first and second of a pair.
    pub fn pairs_with(&self, next: &Piece) -> bool {
        self.level == next.level && self.number.is_multiple_of(2) && next.number == self.number + 1
    }
}

impl Pool {
    /// All its bodies.
    pub fn bodies(&self) -> impl DoubleEndedIterator<Item = BodyId> {
        self.elements.iter().flatten().copied()
    }

    /// Whether none of them was removed individually. The resolution of a cable with a hole is frozen.
    pub(crate) fn is_whole(&self, model: &Model) -> bool {
        self.bodies().all(|b| model.bodies.get(b).is_some())
    }

    pub(crate) fn element(&self, piece: Piece) -> BodyId {
        self.elements[piece.level][piece.number]
    }

    /// Whether an element is present.
    fn is_there(&self, state: &State, piece: Piece) -> bool {
        !state.bodies[self.element(piece).index()].inactive
    }

    /// The present elements from start to end; false if the state has a gap, which no step produces.
    pub(crate) fn present(&self, state: &State, out: &mut Vec<Piece>) -> bool {
        out.clear();
        let (mut at, end) = (0, self.elements[0].len());
        while at < end {
            let level = (0..self.elements.len())
                .take_while(|j| at.is_multiple_of(1 << j))
                .find(|j| self.is_there(state, Piece { level: *j, number: at >> j }));
            let Some(level) = level else { return false };
            out.push(Piece { level, number: at >> level });
            at += 1 << level;
        }
        true
    }

    /// Whether a state covers each part of the cable once, with links between neighbours.
    pub(crate) fn is_covered(&self, state: &State) -> bool {
        let mut pieces = Vec::new();
        let covered = self.present(state, &mut pieces);
        let there = self.bodies().filter(|b| !state.bodies[b.index()].inactive).count();
        covered && there == pieces.len() && pieces.windows(2).all(|p| p[0].level.abs_diff(p[1].level) <= 1)
    }

    /// The link between two elements, or between an element and the attachment of an end; none at a free end.
    pub(crate) fn link(&self, before: Option<Piece>, after: Option<Piece>) -> Option<JointId> {
        let boundary = after.map(|p| p.start()).or(before.map(|p| p.end()))?;
        let levels = [before.or(after)?.level as u32, after.or(before)?.level as u32];
        self.ties[boundary].iter().find(|t| t.levels == levels).map(|t| t.link)
    }

    /// The link that stores the memory of a boundary inside an element.
    pub(crate) fn hidden(&self, boundary: usize) -> JointId {
        self.ties[boundary][0].link
    }

    /// The boundary of a link.
    pub(crate) fn boundary(&self, link: JointId) -> Option<usize> {
        self.ties.iter().position(|ties| ties.iter().any(|t| t.link == link))
    }

    /// The active link at a boundary; none inside an element.
    pub(crate) fn link_at(&self, state: &State, boundary: usize) -> Option<JointId> {
        let mut pieces = Vec::new();
        self.present(state, &mut pieces);
        let after = pieces.iter().position(|p| p.start() == boundary);
        let before = pieces.iter().position(|p| p.end() == boundary);
        self.link(before.map(|k| pieces[k]), after.map(|k| pieces[k]))
    }
}

impl Cable {
    /// All its bodies, present or not.
    pub(crate) fn bodies(&self) -> impl DoubleEndedIterator<Item = BodyId> {
        let coarse = self.pool.iter().flat_map(|pool| pool.elements[1..].iter().flatten());
        self.elements.iter().chain(coarse).copied()
    }

    /// Whether the joint at an index is one of its links.
    pub(crate) fn has_link(&self, place: usize) -> bool {
        let ties = self.pool.iter().flat_map(|pool| pool.ties.iter().flatten().map(|tie| &tie.link));
        self.links.iter().chain(ties).any(|link| link.index() == place)
    }

    /// The present elements from start to end.
    pub fn elements_now(&self, state: &State) -> Vec<BodyId> {
        let Some(pool) = &self.pool else { return self.elements.clone() };
        let mut pieces = Vec::new();
        pool.present(state, &mut pieces);
        pieces.into_iter().map(|p| pool.element(p)).collect()
    }

    /// The active links from start to end, each with its unstretched arc length [m].
    pub fn links_now(&self, state: &State) -> Vec<(f64, JointId)> {
        let Some(pool) = &self.pool else {
            let there = |k: usize| self.elements.get(k).is_none_or(|id| !state.bodies[id.index()].inactive);
            let all = self.links.iter().enumerate().map(|(number, id)| (self.after(number), *id));
            let kept = all.filter(|(k, _)| there(*k) && k.checked_sub(1).is_none_or(there));
            return kept.map(|(k, id)| (k as f64 * self.element, id)).collect();
        };
        let mut pieces = Vec::new();
        pool.present(state, &mut pieces);
        let seam = |k: usize| {
            let (before, after) = (k.checked_sub(1).map(|k| pieces[k]), pieces.get(k).copied());
            let boundary = after.map_or(self.elements.len(), |p| p.start());
            Some((boundary as f64 * self.element, pool.link(before, after)?))
        };
        (0..=pieces.len()).filter_map(seam).collect()
    }
}

impl Model {
    /// The link that now represents a link of an adaptive cable: the active one at its boundary, or the
    /// one that stores its memory.
    pub(crate) fn link_now(&self, state: &State, link: JointId) -> JointId {
        let find = |(_, cable): (usize, &Cable)| {
            let pool = cable.pool.as_ref()?;
            let boundary = pool.boundary(link)?;
            Some(pool.link_at(state, boundary).unwrap_or(pool.hidden(boundary)))
        };
        self.cables.iter().find_map(find).unwrap_or(link)
    }

    /// Length of the finest link at the boundary of a link of an adaptive cable [m].
    pub(crate) fn finest(&self, link: JointId) -> Option<f64> {
        let mut pools = self.cables.iter().filter_map(|(_, c)| c.pool.as_ref());
        let finest = pools.find_map(|pool| Some(pool.hidden(pool.boundary(link)?)))?;
        match &self.joints.get(finest)?.kind {
            JointKind::Link(link) => Some(link.length),
            _ => None,
        }
    }

    /// Whether a state covers each part of each cable once, except those represented by ropes, and all other bodies are
    /// present.
    pub(crate) fn is_covered(&self, state: &State) -> bool {
        let is_absent = |b: &BodyId| state.bodies[b.index()].inactive;
        let hidden = |c: &Cable| c.bodies().filter(is_absent).count();
        let pools = self.cables.iter().filter_map(|(_, c)| c.pool.as_ref());
        let absent = state.bodies.iter().filter(|b| b.inactive).count();
        pools.into_iter().all(|p| p.is_covered(state) || !p.is_whole(self))
            && self.cables.iter().map(|(_, c)| hidden(c)).sum::<usize>() == absent
            && self.joints.iter().all(|(place, joint)| match &joint.kind {
                JointKind::Rope(rope) => self.stands(rope, &state.joints[place].history, is_absent),
                _ => true,
            })
    }

    /// Whether the elements that a rope represents are absent, and those at its ends are present.
    fn stands(&self, rope: &Rope, history: &[f64], is_absent: impl Fn(&BodyId) -> bool) -> bool {
        let Some((feed, [from, to])) = rope.feed.zip(rope.window(history)) else { return true };
        let Some(cable) = self.cables.get(feed.cable) else { return true };
        let there = |k: usize| cable.elements.get(k).is_some_and(|b| !is_absent(b));
        let held = |side: usize, k: Option<usize>| !feed.sides[side] || k.is_some_and(there);
        let within = cable.elements.get(from..to).is_some_and(|own| own.iter().all(&is_absent));
        within && held(0, from.checked_sub(1)) && held(1, Some(to))
    }
}

impl Configuration<'_> {
    /// The present elements of a cable from start to end; empty for a removed cable.
    pub fn cable_elements(&self, cable: CableId) -> Vec<BodyId> {
        self.model.cables.get(cable).map_or_else(Vec::new, |c| c.elements_now(self.state))
    }
}
