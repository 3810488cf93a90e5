//! Rejects joints that are far open at the start: these are modelling errors, not to be closed by force in the first
//! steps.
//!
//! A joint placed in the world is closed. One placed by frames, a rod of a given length or a rope may be open by up to
//! the size of its bodies, including the distance to its anchors; beyond that it is rejected. An angle in a linear
//! coupling may be off by 1 rad.

use super::Builder;
use crate::suggestion;
use crate::text::Entry;
use crate::text::joint as text;
use crate::visual::Visual;
use glam::DVec3;
use std::f64::consts::SQRT_2;
use windlass_engine::prelude::{Anchor, Body, Distance, Drive, JointKind, Measure, Shape};

/// The size of a body [m]: twice the extent of its visuals from its origin; without visuals, from its inertia.
/// A static body without visuals has size 0.
pub fn size(body: &Body, look: &Visual) -> f64 {
    let seen = look.solids.iter().map(|solid| solid.at.length() + reach(&solid.shape)).fold(0.0, f64::max);
    if seen > 0.0 || !body.is_dynamic() {
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

/// The position constraint of a joint on its second body.
#[derive(Clone, Copy)]
enum Held {
    Point,
    /// Along z of the first frame.
    Line,
    /// Perpendicular to z of the first frame.
    Plane,
}

impl Builder {
    /// From the first anchor to the second, in the initial configuration.
    pub fn between(&self, anchors: &[Anchor; 2]) -> DVec3 {
        let [a, b] = anchors.map(|anchor| {
            let body = self.body_of(&anchor);
            body.pose.at + body.pose.orientation * anchor.at
        });
        b - a
    }

    /// The permitted opening of a joint: the size of the bodies, including the distance to its anchors.
    fn room(&self, anchors: &[Anchor; 2]) -> f64 {
        anchors.iter().map(|anchor| self.body_of(anchor).size + anchor.at.length()).sum()
    }

    /// The permitted length error of a rod or a rope: the size of the bodies, and a quarter of the distance. The
    /// positions of anchors do not count, since ropes extend far.
    pub fn room_of_length(&self, anchors: &[Anchor; 2]) -> f64 {
        let size: f64 = anchors.iter().map(|anchor| self.body_of(anchor).size).sum();
        size + self.between(anchors).length() / 4.0
    }

    /// The initial value of a sum of coordinates, and its permitted error.
    pub fn sum(&self, terms: &[([Anchor; 2], Measure, f64)]) -> (f64, f64) {
        let (mut sum, mut room) = (0.0, 0.0);
        for (anchors, measure, factor) in terms {
            let [a, b] = anchors.map(|anchor| self.body_of(&anchor).pose.orientation * anchor.turn);
            let (value, off) = match measure {
                Measure::Displacement => ((a * DVec3::Z).dot(self.between(anchors)), self.room(anchors)),
                Measure::Rotation => {
                    let x = a.inverse() * (b * DVec3::X);
                    (libm::atan2(x.y, x.x), 1.0)
                }
            };
            sum += factor * value;
            room += factor.abs() * off;
        }
        (sum, room)
    }

    /// Whether a joint is at least nearly closed; reports one that is not.
    pub fn is_assembled(&mut self, entry: &Entry<text::Joint>, kind: &JointKind) -> bool {
        let Some((gap, room)) = self.gap(kind) else { return true };
        if gap <= room {
            return true;
        }
        let (open, size) = (suggestion::digits(gap), suggestion::digits(room));
        let message = format!(
            "joint \"{}\" is open by {open} m, more than {size} m, the approximate size of its bodies",
            entry.name
        );
        let help = "check the positions of its bodies, and its `frames` or its length";
        self.problems.advise(entry.span.clone(), message, help);
        false
    }

    /// The opening of a joint, and the permitted one; none for kinds that constrain no position.
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
            | JointKind::CarWheel(_)
            | JointKind::Link(_)
            | JointKind::Rope(_)
            | JointKind::LinearCoupling(_)
            | JointKind::Tether(_)
            | JointKind::Custom(_) => {
                return None;
            }
        };
        let way = self.between(&anchors);
        let base = self.body_of(&anchors[0]).pose.orientation;
        let z = base * anchors[0].turn * DVec3::Z;
        let gap = match held {
            Held::Point => way.length(),
            Held::Line => (way - z * z.dot(way)).length(),
            Held::Plane => z.dot(way).abs(),
        };
        Some((gap, self.room(&anchors)))
    }

    /// The difference between the distance and the specified length of a rod, a telescope or a rope.
    fn misfit(&self, j: &Distance) -> f64 {
        let standing = self.between(&j.anchors).length();
        let drive = match &j.axis.drive {
            Drive::Lock(length) => (standing - length).abs(),
            Drive::Prescribed(motion) => (standing - motion.at(0.0).value).abs(),
            _ => 0.0,
        };
        let range = j.axis.limits.map_or(0.0, |l| (standing - l.high).max(l.low - standing));
        drive.max(range)
    }
}
