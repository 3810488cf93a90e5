//! The bodies that cables and ropes hold in a line, found among the rows of an island.

use crate::constrain::joint::Kind;
use crate::constrain::rows::{Role, Rows};
use crate::partition::Island;
use crate::world::frame::Frame;
use crate::world::model::Model;
use glam::DVec3;
use std::ops::Range;

/// A body that is held in a line.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// Number in the island and place in the world.
    pub(super) body: u32,
    pub(super) place: u32,
    /// Length of an element [m]; of what a cable is fast on, 0.
    pub(super) length: f64,
    /// The element whose neighbourhood it shares: itself, or the one it is fast on.
    pub(super) near: u32,
    /// Of length one, and shorter for what ropes hold from several sides.
    pub(super) axis: DVec3,
    /// κ [N·m].
    pub(super) kappa: f64,
    /// κ h² as far as it is counted in [kg·m²].
    pub(super) weight: f64,
    /// How far it is counted in.
    pub(super) part: f64,
    /// ω̄ [rad/s].
    pub(super) around: DVec3,
}

/// A link.
#[derive(Clone, Debug)]
pub(in crate::solve) struct Bond {
    pub(super) group: u32,
    /// First local row.
    pub(super) local: usize,
    /// Local rows of its twist and bends, and of its bends.
    pub(super) moments: Range<usize>,
    pub(super) bends: Range<usize>,
    /// ℓ [m].
    pub(super) length: f64,
    /// The members it joins, if they are free.
    pub(super) ends: [Option<u32>; 2],
    /// |F| [N].
    pub(super) tension: f64,
    /// Its moment as far as it counts as a pull does [N·m].
    pub(super) moment: f64,
}

/// Something else that holds a body a cable is fast on.
#[derive(Clone, Debug)]
pub(super) struct Grip {
    pub(super) group: u32,
    pub(super) local: usize,
    pub(super) member: u32,
}

/// A span of a rope.
#[derive(Clone, Debug)]
pub(super) struct Pull {
    pub(super) group: u32,
    /// Place of the rope, the span's number and the first of its two rows across.
    pub(super) joint: usize,
    pub(super) span: usize,
    pub(super) across: usize,
    /// Local rows whose forces add up to its tension.
    pub(super) rows: Range<usize>,
    /// The members at its ends.
    pub(super) ends: [Option<u32>; 2],
    /// T of the last solve [N].
    pub(super) tension: f64,
}

impl Bond {
    /// Whether a group of rows is its.
    pub(in crate::solve) fn is_of(&self, group: u32) -> bool {
        self.group == group
    }
}

impl Pull {
    /// Whether it holds a member with one of its ends.
    pub(super) fn holds(&self, member: usize) -> bool {
        let [first, last] = self.ends.map(|end| end == Some(member as u32));
        first != last
    }

    /// The frames at its ends and the direction from one to the other, as good as it must be here.
    pub(super) fn line<'a>(&self, rows: &'a Rows) -> (&'a [Frame], DVec3) {
        let frames = &rows.frames[rows.groups[self.group as usize].frames()][self.span..self.span + 2];
        (frames, (frames[1].at - frames[0].at).normalize_or_zero())
    }
}

impl Member {
    /// Whether only ropes hold it, as member number k.
    pub(super) fn is_hung(&self, k: usize) -> bool {
        self.length == 0.0 && self.near == k as u32
    }

    pub(super) fn new(island: &Island, body: usize, length: f64, near: u32) -> Member {
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

/// What cables and ropes hold in an island.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) members: Vec<Member>,
    /// Runs of elements one after another.
    pub(super) runs: Vec<Range<usize>>,
    pub(super) bonds: Vec<Bond>,
    pub(super) grips: Vec<Grip>,
    pub(super) pulls: Vec<Pull>,
}

impl Found {
    /// Finds the cables and ropes among the rows of an island.
    pub(super) fn among(model: &Model, rows: &Rows, island: &Island) -> Found {
        let mut found = Found::default();
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
            found.bonds.push(Bond {
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
        let elements = found.line_up(island, (&length, &next, &follows), &held);
        found.find_pulls(model, rows, island, elements);
        if !found.is_empty() {
            found.find_grips(model, rows, island);
        }
        found
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
}
