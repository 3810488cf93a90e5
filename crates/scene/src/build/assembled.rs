//! Joints that stand far open are a slip of the pen, not a thing to pull together in the first steps.
//!
//! A joint given in the world is closed. One given by frames, a rod of a given length or a rope may stand open by as
//! much as its bodies are large, counted to where it grips them; beyond that it is refused. A turn in a sum of
//! coordinates may be off by 1 rad.

use super::Builder;
use crate::suggestion;
use crate::text::Entry;
use crate::text::joint as text;
use crate::visual::Look;
use glam::DVec3;
use std::f64::consts::SQRT_2;
use windlass_engine::prelude::{Anchor, Body, Distance, Drive, JointKind, Measure, Shape};

/// How large a body is [m]: twice the reach of what is seen of it from its origin; where nothing is seen, of its inertia.
/// What is fixed and not seen has no size.
pub fn size(body: &Body, look: &Look) -> f64 {
    let seen = look.solids.iter().map(|solid| solid.at.length() + reach(&solid.shape)).fold(0.0, f64::max);
    if seen > 0.0 || !body.is_free() {
        return 2.0 * seen;
    }
    2.0 * (body.mass.center.length() + SQRT_2 * body.mass.radius_of_gyration())
}

/// The distance of the farthest point of a shape from its origin [m].
fn reach(shape: &Shape) -> f64 {
    let farthest = |points: &[DVec3]| points.iter().map(|p| p.length()).fold(0.0, f64::max);
    match shape {
        Shape::Sphere { radius } => *radius,
        Shape::Box { half } => half.length(),
        Shape::Cylinder { radius, half_length } => DVec3::new(*radius, 0.0, *half_length).length(),
        Shape::Capsule { radius, half_length } => radius + half_length,
        Shape::Cone { radius, half_height } => DVec3::new(*radius, 0.0, *half_height).length(),
        Shape::Convex { points } => farthest(points),
        Shape::Mesh { vertices, .. } => farthest(vertices),
        Shape::Compound { parts } => {
            parts.iter().map(|(at, _, part)| at.length() + reach(part)).fold(0.0, f64::max)
        }
    }
}

/// Where a joint holds a point of its second body.
#[derive(Clone, Copy)]
enum Held {
    Point,
    /// Along z of the first frame.
    Line,
    /// Square to z of the first frame.
    Plane,
}

impl Builder {
    /// From the first anchor to the second, as the bodies stand at the start.
    pub fn between(&self, anchors: &[Anchor; 2]) -> DVec3 {
        let [a, b] = anchors.map(|anchor| {
            let body = self.body_of(&anchor);
            body.pose.at + body.pose.attitude * anchor.at
        });
        b - a
    }

    /// How far a joint may stand open: the size of the bodies, to where they are gripped.
    fn room(&self, anchors: &[Anchor; 2]) -> f64 {
        anchors.iter().map(|anchor| self.body_of(anchor).size + anchor.at.length()).sum()
    }

    /// How far a rod or a rope may be from its length: the size of the bodies, and a quarter of where it stands. Where
    /// it grips does not count, since ropes go far.
    pub fn room_of_length(&self, anchors: &[Anchor; 2]) -> f64 {
        let size: f64 = anchors.iter().map(|anchor| self.body_of(anchor).size).sum();
        size + self.between(anchors).length() / 4.0
    }

    /// What terms add up to as the bodies stand at the start, and how far off that may be.
    pub fn sum(&self, terms: &[([Anchor; 2], Measure, f64)]) -> (f64, f64) {
        let (mut sum, mut room) = (0.0, 0.0);
        for (anchors, measure, factor) in terms {
            let [a, b] = anchors.map(|anchor| self.body_of(&anchor).pose.attitude * anchor.turn);
            let (value, off) = match measure {
                Measure::Way => ((a * DVec3::Z).dot(self.between(anchors)), self.room(anchors)),
                Measure::Turn => {
                    let x = a.inverse() * (b * DVec3::X);
                    (libm::atan2(x.y, x.x), 1.0)
                }
            };
            sum += factor * value;
            room += factor.abs() * off;
        }
        (sum, room)
    }

    /// Whether a joint is at least nearly closed; tells if it is not.
    pub fn is_assembled(&mut self, entry: &Entry<text::Joint>, kind: &JointKind) -> bool {
        let Some((gap, room)) = self.gap(kind) else { return true };
        if gap <= room {
            return true;
        }
        let (open, size) = (suggestion::digits(gap), suggestion::digits(room));
        let message = format!(
            "joint \"{}\" stands open by {open} m, more than {size} m, which is about the size of its bodies",
            entry.name
        );
        let help = "look at where its bodies are, and at its `frames` or its length";
        self.problems.advise(entry.span.clone(), message, help);
        false
    }

    /// How far a joint stands open, and how far it may; none for kinds that hold no place.
    fn gap(&self, kind: &JointKind) -> Option<(f64, f64)> {
        let (anchors, held) = match kind {
            JointKind::Ball(j) => (j.anchors, Held::Point),
            JointKind::Hinge(j) => (j.anchors, Held::Point),
            JointKind::Weld(j) => (j.anchors, Held::Point),
            JointKind::Universal(j) => (j.anchors, Held::Point),
            JointKind::ConstantVelocity(j) => (j.anchors, Held::Point),
            JointKind::Slider(j) => (j.anchors, Held::Line),
            JointKind::Cylinder(j) => (j.anchors, Held::Line),
            JointKind::Screw(j) => (j.anchors, Held::Line),
            JointKind::PointOnLine(j) => (j.anchors, Held::Line),
            JointKind::PointOnPlane(j) => (j.anchors, Held::Plane),
            JointKind::Planar(j) => (j.anchors, Held::Plane),
            JointKind::Distance(j) => return Some((self.misfit(j), self.room_of_length(&j.anchors))),
            JointKind::SixDof(_)
            | JointKind::Link(_)
            | JointKind::Rope(_)
            | JointKind::LinearCoupling(_)
            | JointKind::Tether(_)
            | JointKind::Custom(_) => {
                return None;
            }
        };
        let way = self.between(&anchors);
        let base = self.body_of(&anchors[0]).pose.attitude;
        let z = base * anchors[0].turn * DVec3::Z;
        let gap = match held {
            Held::Point => way.length(),
            Held::Line => (way - z * z.dot(way)).length(),
            Held::Plane => z.dot(way).abs(),
        };
        Some((gap, self.room(&anchors)))
    }

    /// How far a rod, a telescope or a rope is from the length it wants.
    fn misfit(&self, j: &Distance) -> f64 {
        let standing = self.between(&j.anchors).length();
        let drive = match &j.axis.drive {
            Drive::Hold(length) => (standing - length).abs(),
            Drive::Follow(motion) => (standing - motion.at(0.0).value).abs(),
            _ => 0.0,
        };
        let range = j.axis.limits.map_or(0.0, |l| (standing - l.high).max(l.low - standing));
        drive.max(range)
    }
}
