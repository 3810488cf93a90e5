//! The bodies that cables and ropes hold in line, found among the rows of an island.

use crate::body::frame::Frame;
use crate::joint::JointKind;
use crate::model::Model;
use crate::model::cable::Cable;
use crate::partition::Island;
use crate::row::Role;
use crate::row::rows::Rows;
use glam::DVec3;
use std::ops::Range;

/// A body held in line by tension.
#[derive(Clone, Debug)]
pub(super) struct HeldBody {
    /// Local number and index in the world.
    pub(super) body: u32,
    pub(super) place: u32,
    /// Length of an element [m]; 0 for a body to which a cable is attached.
    pub(super) length: f64,
    /// The member whose ω̄ it shares: itself, or the element attached to it.
    pub(super) neighbour: u32,
    /// Unit vector; shorter for a body that ropes hold from several sides.
    pub(super) axis: DVec3,
    /// κ [N·m].
    pub(super) kappa: f64,
    /// κ h² times `part` [kg·m²].
    pub(super) weight: f64,
    /// Weight with which κ h² is taken into account, 0 to 1.
    pub(super) part: f64,
    /// ω̄ [rad/s].
    pub(super) mean_spin: DVec3,
}

/// A link of a cable.
#[derive(Clone, Debug)]
pub(in crate::solve) struct LinkForce {
    pub(super) group: u32,
    /// First local row.
    pub(super) local: usize,
    /// Local rows of its twist and bends, and of its bends.
    pub(super) moments: Range<usize>,
    pub(super) bends: Range<usize>,
    /// ℓ [m].
    pub(super) length: f64,
    /// The members it joins, if they are dynamic.
    pub(super) ends: [Option<u32>; 2],
    /// The run it belongs to.
    pub(super) run: Option<u32>,
    /// |F| [N].
    pub(super) tension: f64,
    /// Its moment as far as it is taken into account [N·m].
    pub(super) moment: f64,
}

/// A row of the stretch of a cable: that of a link, or of a rope that feeds it.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub(super) group: u32,
    /// Its local row, the first of the group.
    pub(super) local: usize,
    /// The first of the runs that ropes connect to one line.
    pub(super) line: u32,
    /// ℓ of a link [m].
    pub(super) length: f64,
    /// EA of a rope [N]; none for a link.
    pub(super) rope: Option<f64>,
}

/// Another joint on a body to which a cable is attached.
#[derive(Clone, Debug)]
pub(super) struct OtherJoint {
    pub(super) group: u32,
    pub(super) local: usize,
    pub(super) member: u32,
}

/// A span of a routed rope.
#[derive(Clone, Debug)]
pub(super) struct RopeSpan {
    pub(super) group: u32,
    /// Index of the rope's joint, index of the span and the first of its two transverse rows.
    pub(super) joint: usize,
    pub(super) span: usize,
    pub(super) across: usize,
    /// Local rows whose forces sum to its tension.
    pub(super) rows: Range<usize>,
    /// The members at its ends.
    pub(super) ends: [Option<u32>; 2],
    /// T of the last solve [N].
    pub(super) tension: f64,
}

impl LinkForce {
    /// Whether a group of rows belongs to it.
    pub(in crate::solve) fn is_of(&self, group: u32) -> bool {
        self.group == group
    }
}

impl RopeSpan {
    /// Whether exactly one of its ends holds a member.
    pub(super) fn holds(&self, member: usize) -> bool {
        let [first, last] = self.ends.map(|end| end == Some(member as u32));
        first != last
    }

    /// The frames at its ends and the direction between them; the wrap around pulleys is neglected.
    pub(super) fn line<'a>(&self, rows: &'a Rows) -> (&'a [Frame], DVec3) {
        let frames = &rows.frames[rows.groups[self.group as usize].frames()][self.span..self.span + 2];
        (frames, (frames[1].at - frames[0].at).normalize_or_zero())
    }
}

impl HeldBody {
    /// Whether member k is held by ropes only.
    pub(super) fn is_hung(&self, k: usize) -> bool {
        self.length == 0.0 && self.neighbour == k as u32
    }

    pub(super) fn new(island: &Island, body: usize, length: f64, neighbour: u32) -> HeldBody {
        HeldBody {
            body: body as u32,
            place: island.bodies[body],
            length,
            neighbour,
            axis: DVec3::Z,
            kappa: 0.0,
            weight: 0.0,
            part: 0.0,
            mean_spin: DVec3::ZERO,
        }
    }
}

/// The bodies of an island that cables and ropes hold, and these cables and ropes.
#[derive(Debug, Default)]
pub(super) struct HeldBodies {
    pub(super) members: Vec<HeldBody>,
    /// Runs of consecutive elements.
    pub(super) runs: Vec<Range<usize>>,
    pub(super) links: Vec<LinkForce>,
    /// Of lines between two bodies.
    pub(super) stretches: Vec<Stretch>,
    pub(super) others: Vec<OtherJoint>,
    pub(super) spans: Vec<RopeSpan>,
}

impl HeldBodies {
    /// Finds the cables and ropes among the rows of an island.
    pub(super) fn among(model: &Model, rows: &Rows, island: &Island) -> HeldBodies {
        let mut found = HeldBodies::default();
        let mut local = 0;
        // by local body: length if it is an element, the next element, whether it has a predecessor
        let n = island.bodies.len();
        let (mut length, mut next, mut follows) = (vec![0.0; n], vec![None; n], vec![false; n]);
        let mut held = Vec::new();
        for number in &island.groups {
            let group = &rows.groups[*number as usize];
            let first = local;
            local += group.rows().len();
            let joint = group.joint().and_then(|place| model.joints.at(place));
            let Some(JointKind::Link(link)) = joint.map(|j| &j.kind) else { continue };
            let ends = link.anchors.map(|a| island.bodies.binary_search(&a.body.index).ok());
            for (side, body) in ends.into_iter().enumerate() {
                let Some(body) = body else { continue };
                match link.elements[side] {
                    true => length[body] = 2.0 * link.anchors[side].at.length(),
                    // attached to a dynamic body, which shares ω̄ of the element at the other end
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
            found.links.push(LinkForce {
                group: *number,
                local: first,
                moments,
                bends,
                length: link.length,
                ends,
                run: None,
                tension: 0.0,
                moment: 0.0,
            });
        }
        let elements = found.order_elements(island, (&length, &next, &follows), &held);
        found
            .find_stretches(model, rows, island, |body| elements[island.bodies.binary_search(&body).ok()?]);
        found.find_spans(model, rows, island, elements);
        if !found.is_empty() {
            found.find_others(model, rows, island);
        }
        found
    }

    /// Orders the elements run by run, followed by the bodies to which cables are attached; the ends of links then
    /// refer to members.
    fn order_elements(
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
                self.members.push(HeldBody::new(island, body, length[body], self.members.len() as u32));
                at = next[body];
            }
            if self.members.len() > from {
                self.runs.push(from..self.members.len());
            }
        }
        for (body, element) in held {
            if let Some(neighbour) = element.and_then(|e| member_of[e]).filter(|_| member_of[*body].is_none())
            {
                member_of[*body] = Some(self.members.len() as u32);
                self.members.push(HeldBody::new(island, *body, 0.0, neighbour));
            }
        }
        for link in &mut self.links {
            link.ends = link.ends.map(|end| member_of[end? as usize]);
            let own = |run: &Range<usize>| link.ends.iter().flatten().any(|m| run.contains(&(*m as usize)));
            link.run = self.runs.iter().position(own).map(|run| run as u32);
        }
        member_of
    }

    /// Finds the stretches of lines that begin and end at a body, directly or by ropes that feed them. Lines whose
    /// resolution changes are left out.
    fn find_stretches(
        &mut self,
        model: &Model,
        rows: &Rows,
        island: &Island,
        member_of: impl Fn(u32) -> Option<u32>,
    ) {
        let mut hangs = vec![(0, true); self.runs.len()];
        for link in &self.links {
            let group = &rows.groups[link.group as usize];
            let Some(place) = group.joint() else { continue };
            let is_end = matches!(&model.joints.at(place).map(|j| &j.kind),
                Some(JointKind::Link(link)) if link.elements != [true; 2]);
            let changes = |cable: &Cable| cable.pool.is_some() && cable.has_link(place);
            let Some((ends, stays)) = link.run.map(|run| &mut hangs[run as usize]) else { continue };
            *ends += i32::from(is_end);
            *stays &= !model.cables.iter().any(|(_, cable)| changes(cable));
        }
        let (mut line, mut ropes): (Vec<usize>, _) = ((0..self.runs.len()).collect(), Vec::new());
        let mut local = 0;
        for number in &island.groups {
            let group = &rows.groups[*number as usize];
            let first = local;
            local += group.rows().len();
            let Some(place) = group.joint() else { break };
            let Some(JointKind::Rope(rope)) = model.joints.at(place).map(|j| &j.kind) else { continue };
            let Some(feed) = rope.feed else { continue };
            let frames = &rows.frames[group.frames()];
            let ends =
                [frames.first(), frames.last()].into_iter().zip(feed.sides).filter(|(_, feeds)| *feeds);
            let members = ends.filter_map(|(frame, _)| member_of(frame?.body));
            let run_of = |m: u32| self.runs.iter().position(|run| run.contains(&(m as usize)));
            let own: Vec<usize> = members.filter_map(run_of).collect();
            own.iter().for_each(|run| hangs[*run].0 += 1);
            // sheaves without slip keep the tensions on both sides apart
            if rope.lengths.len() > 1 {
                continue;
            }
            if let [a, b] = own[..] {
                let (kept, gone) = (line[a].min(line[b]), line[a].max(line[b]));
                line.iter_mut().filter(|line| **line == gone).for_each(|line| *line = kept);
            }
            ropes.extend(own.first().map(|run| (*number, first, *run, rope.stiffness)));
        }
        let whole = |of: usize| (0..hangs.len()).all(|run| line[run] != of || hangs[run] == (2, true));
        let whole: Vec<bool> = (0..hangs.len()).map(whole).collect();
        let line_of = |run: usize| whole[line[run]].then_some(line[run] as u32);
        let links = self.links.iter().filter_map(|link| {
            let line = line_of(link.run? as usize)?;
            Some(Stretch { group: link.group, local: link.local, line, length: link.length, rope: None })
        });
        let ropes = ropes.into_iter().filter_map(|(group, local, run, stiffness)| {
            Some(Stretch { group, local, line: line_of(run)?, length: 0.0, rope: Some(stiffness) })
        });
        self.stretches = links.chain(ropes).collect();
    }

    /// Finds the spans of ropes; the dynamic bodies they hold become members unless they are already.
    fn find_spans(&mut self, model: &Model, rows: &Rows, island: &Island, mut member_of: Vec<Option<u32>>) {
        let mut local = 0;
        for number in &island.groups {
            let group = &rows.groups[*number as usize];
            let first = local;
            local += group.rows().len();
            let Some(place) = group.joint() else { break };
            let Some(JointKind::Rope(rope)) = model.joints.at(place).map(|j| &j.kind) else { continue };
            let ends: Vec<Option<u32>> = rows.frames[group.frames()]
                .iter()
                .map(|frame| {
                    let body = island.bodies.binary_search(&frame.body).ok()?;
                    let members = self.members.len() as u32;
                    Some(*member_of[body].get_or_insert_with(|| {
                        self.members.push(HeldBody::new(island, body, 0.0, members));
                        members
                    }))
                })
                .collect();
            let tensions = rope.tension_rows();
            let across = first + group.rows().len() - 2 * tensions.len();
            for (span, own) in tensions.into_iter().enumerate() {
                self.spans.push(RopeSpan {
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

    /// Finds the other joints on bodies to which cables are attached.
    fn find_others(&mut self, model: &Model, rows: &Rows, island: &Island) {
        let ends = self.members.iter().enumerate().filter(|(_, m)| m.length == 0.0);
        let ends: Vec<(u32, u32)> = ends.map(|(k, m)| (m.place, k as u32)).collect();
        let mut local = 0;
        for number in island.groups.iter().filter(|_| !ends.is_empty()) {
            let group = &rows.groups[*number as usize];
            let first = local;
            local += group.rows().len();
            let Some(place) = group.joint() else { break };
            if matches!(
                model.joints.at(place).map(|j| &j.kind),
                Some(JointKind::Link(_) | JointKind::Rope(_))
            ) {
                continue;
            }
            for frame in &rows.frames[group.frames()] {
                for (_, member) in ends.iter().filter(|(body, _)| *body == frame.body) {
                    self.others.push(OtherJoint { group: *number, local: first, member: *member });
                }
            }
        }
    }

    /// Whether there are neither cables nor ropes.
    pub(super) fn is_empty(&self) -> bool {
        self.links.is_empty() && self.spans.is_empty()
    }
}
