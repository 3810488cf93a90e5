//! Gears and the like: coordinates of other joints → one linear relation between them.
//!
//! ```text
//!  gear          a − ratio · b                  turns
//!  rack          slider − radius · pinion       way, turn
//!  differential  input − (left + right) / 2     turns
//!  couple        Σ factor · coordinate          any of them
//! ```
//!
//! All of them stay what they are at the start; that of a couple may be given.

use super::Builder;
use crate::suggestion;
use crate::text::Entry;
use crate::text::joint as text;
use glam::DQuat;
use std::collections::{BTreeMap, BTreeSet};
use toml::Spanned;
use windlass_engine::prelude::{Anchor, JointKind, LinearCoupling, Measure};

/// The joints that gears may tie.
pub struct Others<'a> {
    pub entries: &'a [Entry<text::Joint>],
    /// Their numbers by name.
    pub places: &'a BTreeMap<&'a str, usize>,
    pub kinds: &'a [Option<JointKind>],
}

/// Most terms of a sum of coordinates: what it ties is solved for at once.
const MOST_TERMS: usize = 64;

/// Which coordinate of a joint a gear takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ties {
    Turn,
    Way,
}

impl Builder {
    /// Gear, rack, differential or any sum: ties coordinates of joints made before.
    pub fn coupling(&mut self, entry: &Entry<text::Joint>, others: &Others<'_>) -> Option<JointKind> {
        let joint = &entry.value;
        self.enter(entry);
        if let Some(gear) = &joint.gear {
            self.differ(&[&gear.joints[0], &gear.joints[1]], others)?;
        }
        if let Some(j) = &joint.differential {
            self.differ(&[&j.input, &j.outputs[0], &j.outputs[1]], others)?;
        }
        let mut tied = |name: &Spanned<String>, ties: Ties| self.tied(name, ties, others);
        let coupling = if let Some(j) = &joint.gear {
            let (a, b) = (tied(&j.joints[0], Ties::Turn), tied(&j.joints[1], Ties::Turn));
            let ratio = self.problems.number("ratio", &j.ratio)?;
            if ratio == 0.0 {
                let help = "give turns of the first per turn of the second";
                self.problems.advise(j.ratio.span(), "`ratio` is 0", help);
                return None;
            }
            LinearCoupling::gear(a?, b?, ratio)
        } else if let Some(j) = &joint.rack {
            let (pinion, slider) = (tied(&j.pinion, Ties::Turn), tied(&j.slider, Ties::Way));
            let radius = self.problems.number("radius", &j.radius)?;
            if radius == 0.0 {
                let help = "give the way per radian; negative if the rack moves against the turn";
                self.problems.advise(j.radius.span(), "`radius` is 0", help);
                return None;
            }
            LinearCoupling::rack(pinion?, slider?, radius)
        } else if let Some(j) = &joint.linear_coupling {
            self.couple(j, others)?
        } else {
            let j = joint.differential.as_ref()?;
            let input = tied(&j.input, Ties::Turn);
            let [left, right] = j.outputs.each_ref().map(|name| tied(name, Ties::Turn));
            LinearCoupling::differential(input?, [left?, right?])
        };
        Some(coupling.into())
    }

    /// Tells a joint that is named twice: it cannot be tied to itself.
    fn differ(&mut self, names: &[&Spanned<String>], others: &Others<'_>) -> Option<()> {
        let place = |name: &Spanned<String>| self.outward(name.get_ref(), |n| others.places.get(n).copied());
        let places: Vec<_> = names.iter().map(|name| place(name)).collect();
        let twice = |k: &usize| places[*k].is_some() && places[..*k].contains(&places[*k]);
        let Some(twice) = (1..names.len()).find(twice) else { return Some(()) };
        let message =
            format!("joint \"{}\" is tied to itself", suggestion::shortened(names[twice].get_ref()));
        self.problems.advise(names[twice].span(), message, "name joints that differ");
        None
    }

    /// Any sum of coordinates.
    fn couple(&mut self, j: &text::Couple, others: &Others<'_>) -> Option<LinearCoupling> {
        let (terms, span) = (j.terms.get_ref(), j.terms.span());
        if !(2..=MOST_TERMS).contains(&terms.len()) {
            let message = format!("the number of `terms` is {}", terms.len());
            let help = format!("give 2 to {MOST_TERMS}; a joint's own `lock` holds one coordinate");
            self.problems.advise(span, message, help);
            return None;
        }
        let mut taken = BTreeSet::new();
        let measured: Vec<_> = terms.iter().map(|term| self.term(term, others, &mut taken)).collect();
        let offset = j.offset.as_ref().map(|n| (self.problems.number("offset", n), n.span()));
        let measured: Vec<_> = measured.into_iter().collect::<Option<_>>()?;
        let mut coupling = LinearCoupling::of(&measured);
        if let Some((offset, span)) = offset {
            coupling.phase = Some(offset?);
            let (sum, room) = self.sum(&measured);
            if (sum - offset?).abs() > room {
                let message = format!("`offset` is {}, but the terms add up to {sum} at the start", offset?);
                let help = "leave it out to tie them as they stand, or look at where the bodies are";
                self.problems.advise(span, message, help);
                return None;
            }
        }
        Some(coupling)
    }

    /// A term of a sum: the frames it is measured between, what is measured, and the factor.
    fn term(
        &mut self,
        term: &text::Term,
        others: &Others<'_>,
        taken: &mut BTreeSet<(usize, i64)>,
    ) -> Option<([Anchor; 2], Measure, f64)> {
        let name = &term.joint;
        let index = self.joint_named(name, others);
        let factor = self.problems.number_or("factor", &term.factor, 1.0)?;
        if factor == 0.0 {
            let span = term.factor.as_ref().map_or(name.span(), |n| n.span());
            self.problems.advise(span, "`factor` is 0", "leave the term out, or give a factor");
            return None;
        }
        let index = index?;
        let kind = &others.kinds[index];
        if kind.is_none() && !is_coupling(&others.entries[index].value) {
            // what is wrong with that joint has been told
            return None;
        }
        let (number, span) = term.coordinate.as_ref().map_or((1, name.span()), |c| (*c.get_ref(), c.span()));
        if !taken.insert((index, number)) {
            let message = format!("coordinate {number} of joint \"{}\" is there twice", name.get_ref());
            self.problems.advise(span, message, "add up its factors in one term");
            return None;
        }
        let Some((anchors, measure)) = kind.as_ref().and_then(|kind| measured(kind, number)) else {
            let message = format!("joint \"{}\" has no coordinate {number} to tie", name.get_ref());
            let help = "those are: 1 of a hinge, slider, screw or point_on_line; 1 (turn) and 2 (way) of a \
                        cylinder; 1 to 3 of a planar; 1 to 3 (ways) of a six";
            self.problems.advise(span, message, help);
            return None;
        };
        Some((anchors, measure, factor))
    }

    /// The number of the joint of a name. Tells if there is none.
    fn joint_named(&mut self, name: &Spanned<String>, others: &Others<'_>) -> Option<usize> {
        let Others { entries, places, .. } = others;
        let Some(&index) = self.outward(name.get_ref(), |name| places.get(name)) else {
            if !self.problems.wants(&name.span()) {
                self.problems.skip();
                return None;
            }
            let known = entries.iter().map(|e| e.name.as_str()).take(suggestion::MOST);
            let help = suggestion::nearest(name.get_ref(), known).map_or_else(
                || "write [joints.NAME] for it".to_string(),
                |n| format!("did you mean \"{n}\"?"),
            );
            let message = format!("no joint \"{}\"", suggestion::shortened(name.get_ref()));
            self.problems.advise(name.span(), message, help);
            return None;
        };
        Some(index)
    }

    /// The frames of the joint that a gear names.
    fn tied(&mut self, name: &Spanned<String>, ties: Ties, others: &Others<'_>) -> Option<[Anchor; 2]> {
        let index = self.joint_named(name, others)?;
        let Others { entries, kinds, .. } = others;
        // what is wrong with that joint has been told; a gear is none of these kinds
        let anchors = match (&kinds[index], ties) {
            (Some(JointKind::Hinge(j)), Ties::Turn) => Some(j.anchors),
            (Some(JointKind::Screw(j)), Ties::Turn) => Some(j.anchors),
            (Some(JointKind::Cylinder(j)), _) => Some(j.anchors),
            (Some(JointKind::Slider(j)), Ties::Way) => Some(j.anchors),
            (Some(JointKind::PointOnLine(j)), Ties::Way) => Some(j.anchors),
            (None, _) if !is_coupling(&entries[index].value) => return None,
            _ => None,
        };
        if anchors.is_none() {
            let help = match ties {
                Ties::Turn => "name a hinge, a cylinder or a screw",
                Ties::Way => "name a slider, a cylinder or a point_on_line",
            };
            let what = if ties == Ties::Turn { "turn" } else { "way" };
            let message = format!("joint \"{}\" has no {what} to tie", name.get_ref());
            self.problems.advise(name.span(), message, help);
        }
        anchors
    }
}

/// Whether a joint ties others.
pub fn is_coupling(joint: &text::Joint) -> bool {
    joint.gear.is_some()
        || joint.rack.is_some()
        || joint.differential.is_some()
        || joint.linear_coupling.is_some()
}

/// The frames between which a coordinate, counted from 1, is measured along or about z; none of those that need
/// more than that.
fn measured(kind: &JointKind, coordinate: i64) -> Option<([Anchor; 2], Measure)> {
    Some(match (kind, coordinate) {
        (JointKind::Hinge(j), 1) => (j.anchors, Measure::Turn),
        (JointKind::Screw(j), 1) => (j.anchors, Measure::Turn),
        (JointKind::Slider(j), 1) => (j.anchors, Measure::Way),
        (JointKind::PointOnLine(j), 1) => (j.anchors, Measure::Way),
        (JointKind::Cylinder(j), 1) => (j.anchors, Measure::Turn),
        (JointKind::Cylinder(j), 2) => (j.anchors, Measure::Way),
        (JointKind::Planar(j), 3) => (j.anchors, Measure::Turn),
        (JointKind::Planar(j), 1 | 2) => (along(j.anchors, coordinate), Measure::Way),
        (JointKind::SixDof(j), 1..=3) => (along(j.anchors, coordinate), Measure::Way),
        _ => return None,
    })
}

/// The same frames, the first turned so that its z is what was its x (1), y (2) or z (3).
fn along([mut base, moved]: [Anchor; 2], axis: i64) -> [Anchor; 2] {
    // a third of a turn about the diagonal takes z to x, two thirds take it to y
    let turn = match axis {
        1 => DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5),
        2 => DQuat::from_xyzw(-0.5, -0.5, -0.5, 0.5),
        _ => DQuat::IDENTITY,
    };
    base.turn *= turn;
    [base, moved]
}
