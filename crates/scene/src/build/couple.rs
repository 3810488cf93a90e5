//! Gears and other couplings: one linear relation between coordinates of other joints.
//!
//! ```text
//!  gear             a − ratio · b                  angles
//!  rack             slider − radius · pinion       displacement, angle
//!  differential     input − (left + right) / 2     angles
//!  linear_coupling  Σ factor · coordinate          any of them
//! ```
//!
//! Each sum keeps its initial value; that of a linear_coupling may be given.

use super::Builder;
use crate::suggestion;
use crate::text::Entry;
use crate::text::joint as text;
use glam::DQuat;
use std::collections::{BTreeMap, BTreeSet};
use toml::Spanned;
use windlass_engine::prelude::{Anchor, JointKind, LinearCoupling, Measure};

/// The joints whose coordinates may be coupled.
pub struct Others<'a> {
    pub entries: &'a [Entry<text::Joint>],
    /// Their indices by name.
    pub places: &'a BTreeMap<&'a str, usize>,
    pub kinds: &'a [Option<JointKind>],
}

/// Maximum number of terms of a linear coupling: all joints in it are solved simultaneously.
const MOST_TERMS: usize = 64;

/// The coordinate of a joint that a gear uses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ties {
    Angular,
    Linear,
}

impl Builder {
    /// Gear, rack, differential or linear coupling of joints defined elsewhere.
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
            let (a, b) = (tied(&j.joints[0], Ties::Angular), tied(&j.joints[1], Ties::Angular));
            let ratio = self.problems.number("ratio", &j.ratio)?;
            if ratio == 0.0 {
                let help = "give the revolutions of the first joint per revolution of the second";
                self.problems.advise(j.ratio.span(), "`ratio` is 0", help);
                return None;
            }
            LinearCoupling::gear(a?, b?, ratio)
        } else if let Some(j) = &joint.rack {
            let (pinion, slider) = (tied(&j.pinion, Ties::Angular), tied(&j.slider, Ties::Linear));
            let radius = self.problems.number("radius", &j.radius)?;
            if radius == 0.0 {
                let help =
                    "give the displacement per radian; negative if the rack moves against the rotation";
                self.problems.advise(j.radius.span(), "`radius` is 0", help);
                return None;
            }
            LinearCoupling::rack(pinion?, slider?, radius)
        } else if let Some(j) = &joint.linear_coupling {
            self.couple(j, others)?
        } else {
            let j = joint.differential.as_ref()?;
            let input = tied(&j.input, Ties::Angular);
            let [left, right] = j.outputs.each_ref().map(|name| tied(name, Ties::Angular));
            LinearCoupling::differential(input?, [left?, right?])
        };
        Some(coupling.into())
    }

    /// Reports a joint that is named twice: it cannot be coupled to itself.
    fn differ(&mut self, names: &[&Spanned<String>], others: &Others<'_>) -> Option<()> {
        let place = |name: &Spanned<String>| self.outward(name.get_ref(), |n| others.places.get(n).copied());
        let places: Vec<_> = names.iter().map(|name| place(name)).collect();
        let twice = |k: &usize| places[*k].is_some() && places[..*k].contains(&places[*k]);
        let Some(twice) = (1..names.len()).find(twice) else { return Some(()) };
        let message =
            format!("joint \"{}\" is coupled to itself", suggestion::shortened(names[twice].get_ref()));
        self.problems.advise(names[twice].span(), message, "name different joints");
        None
    }

    /// A linear combination of coordinates.
    fn couple(&mut self, j: &text::LinearCoupling, others: &Others<'_>) -> Option<LinearCoupling> {
        let (terms, span) = (j.terms.get_ref(), j.terms.span());
        if !(2..=MOST_TERMS).contains(&terms.len()) {
            let message = format!("the number of `terms` is {}", terms.len());
            let help = format!("give 2 to {MOST_TERMS}; to hold a single coordinate use `lock` of its joint");
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
                let help = "leave it out to keep the initial value, or check the positions of the bodies";
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
            self.problems.advise(span, "`factor` is 0", "leave the term out, or give a factor other than 0");
            return None;
        }
        let index = index?;
        let kind = &others.kinds[index];
        if kind.is_none() && !is_coupling(&others.entries[index].value) {
            // the error of that joint has been reported
            return None;
        }
        let (number, span) = term.coordinate.as_ref().map_or((1, name.span()), |c| (*c.get_ref(), c.span()));
        if !taken.insert((index, number)) {
            let message = format!("coordinate {number} of joint \"{}\" is named twice", name.get_ref());
            self.problems.advise(span, message, "add its factors in one term");
            return None;
        }
        let Some((anchors, measure)) = kind.as_ref().and_then(|kind| measured(kind, number)) else {
            let message =
                format!("joint \"{}\" has no coordinate {number} that can be coupled", name.get_ref());
            let help = "give 1 for a hinge, slider, screw or point_on_line; 1 (rotation) or 2 (displacement) for a \
                        cylindrical; 1 to 3 for a planar; 1 to 3 (displacements) for a six_dof; 1 (travel) for a car_wheel";
            self.problems.advise(span, message, help);
            return None;
        };
        Some((anchors, measure, factor))
    }

    /// The index of the joint of a name. Reports an unknown name.
    fn joint_named(&mut self, name: &Spanned<String>, others: &Others<'_>) -> Option<usize> {
        let Others { entries, places, .. } = others;
        let Some(&index) = self.outward(name.get_ref(), |name| places.get(name)) else {
            if !self.problems.wants(&name.span()) {
                self.problems.skip();
                return None;
            }
            let known = entries.iter().map(|e| e.name.as_str()).take(suggestion::MOST);
            let help = suggestion::nearest(name.get_ref(), known).map_or_else(
                || "define it as [joints.NAME]".to_string(),
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
        // the error of that joint has been reported; a gear is none of these kinds
        let anchors = match (&kinds[index], ties) {
            (Some(JointKind::Hinge(j)), Ties::Angular) => Some(j.anchors),
            (Some(JointKind::Screw(j)), Ties::Angular) => Some(j.anchors),
            (Some(JointKind::Cylinder(j)), _) => Some(j.anchors),
            (Some(JointKind::Slider(j)), Ties::Linear) => Some(j.anchors),
            (Some(JointKind::PointOnLine(j)), Ties::Linear) => Some(j.anchors),
            (None, _) if !is_coupling(&entries[index].value) => return None,
            _ => None,
        };
        if anchors.is_none() {
            let help = match ties {
                Ties::Angular => "name a hinge, a cylindrical or a screw",
                Ties::Linear => "name a slider, a cylindrical or a point_on_line",
            };
            let what = if ties == Ties::Angular { "rotation" } else { "displacement" };
            let message = format!("joint \"{}\" has no {what} to couple", name.get_ref());
            self.problems.advise(name.span(), message, help);
        }
        anchors
    }
}

/// Whether a joint couples others.
pub fn is_coupling(joint: &text::Joint) -> bool {
    joint.gear.is_some()
        || joint.rack.is_some()
        || joint.differential.is_some()
        || joint.linear_coupling.is_some()
}

/// The frames between which a coordinate, counted from 1, is measured along or about z; none for those that need
/// more than that.
fn measured(kind: &JointKind, coordinate: i64) -> Option<([Anchor; 2], Measure)> {
    Some(match (kind, coordinate) {
        (JointKind::Hinge(j), 1) => (j.anchors, Measure::Rotation),
        (JointKind::Screw(j), 1) => (j.anchors, Measure::Rotation),
        (JointKind::Slider(j), 1) => (j.anchors, Measure::Displacement),
        (JointKind::PointOnLine(j), 1) => (j.anchors, Measure::Displacement),
        (JointKind::Cylinder(j), 1) => (j.anchors, Measure::Rotation),
        (JointKind::Cylinder(j), 2) => (j.anchors, Measure::Displacement),
        (JointKind::Planar(j), 3) => (j.anchors, Measure::Rotation),
        (JointKind::Planar(j), 1 | 2) => (along(j.anchors, coordinate), Measure::Displacement),
        (JointKind::CarWheel(j), 1) => (j.travel_frames(), Measure::Displacement),
        (JointKind::SixDof(j), 1..=3) => (along(j.anchors, coordinate), Measure::Displacement),
        _ => return None,
    })
}

/// The same frames, the first rotated so that its z is along its former x (1), y (2) or z (3).
fn along([mut base, moved]: [Anchor; 2], axis: i64) -> [Anchor; 2] {
    // 120° about the diagonal takes z to x, 240° takes it to y
    let turn = match axis {
        1 => DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5),
        2 => DQuat::from_xyzw(-0.5, -0.5, -0.5, 0.5),
        _ => DQuat::IDENTITY,
    };
    base.turn *= turn;
    [base, moved]
}
