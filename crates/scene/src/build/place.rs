//! Poses and positions of joints: from the frame of a group to the world, and to anchors in bodies.

use super::{Builder, Placed};
use crate::error::Problems;
use crate::number::{Length, Numbers, Plain};
use crate::text::Group;
use crate::text::body::Rotation;
use crate::text::joint::{Frame, Pair};
use glam::{DMat3, DQuat, DVec3};
use std::ops::Range;
use toml::Spanned;
use windlass_engine::math;
use windlass_engine::prelude::{Anchor, Motion, Path, PathRotation};

/// A position and an orientation in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    pub at: DVec3,
    pub orientation: DQuat,
}

impl Pose {
    /// A frame with a given z axis; its x axis follows a hint, if there is one.
    pub fn along(at: DVec3, z: DVec3, hint: Option<DVec3>) -> Pose {
        let across = hint.map(|x| x - z * z.dot(x)).filter(|x| x.length() > 1e-9);
        let orientation = match across {
            Some(x) => {
                let x = x.normalize();
                DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z))
            }
            None => math::facing(z),
        };
        Pose { at, orientation: math::unit(orientation) }
    }

    /// This frame of the world as an anchor of a body.
    pub fn on(&self, body: &Placed) -> Anchor {
        let back = body.pose.orientation.inverse();
        Anchor::frame(body.id, back * (self.at - body.pose.at), math::unit(back * self.orientation))
    }
}

/// Transforms from the frame of a group to the world. For the scene itself it is the identity, bitwise.
impl Group {
    /// Whether this is the scene itself.
    fn is_scene(&self) -> bool {
        self.name.is_empty()
    }

    /// A point.
    pub(super) fn point(&self, at: DVec3) -> DVec3 {
        if self.is_scene() { at } else { self.at + self.orientation * at }
    }

    /// A vector.
    pub(super) fn vector(&self, v: DVec3) -> DVec3 {
        if self.is_scene() { v } else { self.orientation * v }
    }

    /// A frame.
    pub(super) fn pose(&self, pose: Pose) -> Pose {
        if self.is_scene() {
            return pose;
        }
        Pose { at: self.point(pose.at), orientation: math::unit(self.orientation * pose.orientation) }
    }

    /// A path p = p₀ + R (x, y, z), whose components are sums of motions; its axis and orientation are rotated too.
    pub(super) fn path(&self, path: Path) -> Path {
        if self.is_scene() {
            return path;
        }
        let row = |k: usize| {
            let turned = |j: usize| path.position[j].scaled((self.orientation * DVec3::AXES[j])[k]);
            Motion::Sum(vec![Motion::Constant(self.at[k]), turned(0), turned(1), turned(2)])
        };
        let turned_axis = |rotation: PathRotation| PathRotation {
            axis: self.vector(rotation.axis).normalize(),
            ..rotation
        };
        Path {
            position: [row(0), row(1), row(2)],
            rotations: path.rotations.into_iter().map(turned_axis).collect(),
            orientation: math::unit(self.orientation * path.orientation),
        }
    }
}

impl Problems {
    /// An orientation given as a quaternion, as an axis and angle, or not at all.
    pub fn orientation(
        &mut self,
        quaternion: &Option<Numbers<Plain>>,
        turn: &Option<Rotation>,
    ) -> Option<DQuat> {
        match (quaternion, turn) {
            (None, None) => Some(DQuat::IDENTITY),
            (Some(q), None) => self.quaternion("orientation", q),
            (None, Some(turn)) => {
                let (axis, angle) = (self.direction("axis", &turn.axis), self.number("angle", &turn.angle));
                Some(math::turn(axis?, angle?))
            }
            (Some(q), Some(_)) => {
                self.advise(q.span(), "both `orientation` and `rotation` are given", "leave one of them out");
                None
            }
        }
    }
}

/// The placement keys of a joint, as specified in the file.
pub struct Placement<'a> {
    pub bodies: &'a Pair,
    pub at: &'a Option<Numbers<Length>>,
    pub axis: &'a Option<Numbers<Plain>>,
    pub x_axis: &'a Option<Numbers<Plain>>,
    pub frames: &'a Option<Spanned<[Frame; 2]>>,
}

/// The placement keys that a joint requires.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// None: defaults are the second body's origin and the world's axes.
    Nothing,
    /// `at`.
    Point,
    /// `axis`.
    Axis,
    /// `at` and `axis`.
    PointAndAxis,
}

impl Builder {
    /// Both bodies of a joint; every unknown name is reported.
    pub fn pair(&mut self, names: &Pair) -> Option<[Placed; 2]> {
        let (a, b) = (self.find(&names[0]), self.find(&names[1]));
        let (a, b) = (a?, b?);
        if a.id == b.id {
            let message = format!("the joint connects body \"{}\" to itself", names[1].get_ref());
            self.problems.advise(names[1].span(), message, "name two different bodies");
            return None;
        }
        Some([a, b])
    }

    /// The anchors of a joint that is placed by a point and an axis, or by frames.
    pub fn anchors(
        &mut self,
        joint: Range<usize>,
        place: &Placement<'_>,
        needs: Needs,
    ) -> Option<[Anchor; 2]> {
        let bodies = self.pair(place.bodies);
        if let Some(frames) = place.frames {
            let given = [place.at.as_ref().map(Numbers::span), place.axis.as_ref().map(Numbers::span)];
            return self.framed(bodies, frames, given.into_iter().flatten().next());
        }
        let p = &mut self.problems;
        let mut missing = |key: &str, what: &str| {
            p.advise(joint.clone(), format!("the joint has no `{key}`"), format!("give {what}, or `frames`"));
        };
        if place.at.is_none() && matches!(needs, Needs::Point | Needs::PointAndAxis) {
            missing("at", "a point in the world, `at = [x, y, z]`");
            return None;
        }
        if place.axis.is_none() && matches!(needs, Needs::Axis | Needs::PointAndAxis) {
            missing("axis", "a direction in the world, `axis = [x, y, z]`");
            return None;
        }
        let at = place.at.as_ref().map(|n| p.vector("at", n));
        let z = place.axis.as_ref().map_or(Some(DVec3::Z), |n| p.direction("axis", n));
        let x = place.x_axis.as_ref().map(|n| p.direction("x_axis", n));
        let (bodies, group) = (bodies?, self.group.clone());
        let at = match at {
            Some(at) => group.point(at?),
            None => bodies[1].pose.at,
        };
        let pose = Pose::along(at, group.vector(z?), x.flatten().map(|x| group.vector(x)));
        Some(bodies.map(|b| pose.on(&b)))
    }

    /// The anchors of a joint placed by frames; other placement keys are rejected.
    pub fn framed(
        &mut self,
        bodies: Option<[Placed; 2]>,
        frames: &Spanned<[Frame; 2]>,
        given_too: Option<Range<usize>>,
    ) -> Option<[Anchor; 2]> {
        if let Some(span) = given_too {
            let help = "`frames` already place the joint, in the axes of its bodies: leave this out";
            self.problems.advise(span, "the joint has two placements", help);
        }
        let frames = frames.get_ref().each_ref().map(|frame| self.frame(frame));
        let [a, b] = frames;
        let (bodies, a, b) = (bodies?, a?, b?);
        Some([
            Anchor::frame(bodies[0].id, a.at, a.orientation),
            Anchor::frame(bodies[1].id, b.at, b.orientation),
        ])
    }

    fn frame(&mut self, frame: &Frame) -> Option<Pose> {
        let p = &mut self.problems;
        let (at, orientation) =
            (p.vector_or_zero("at", &frame.at), p.orientation(&frame.orientation, &frame.rotation));
        Some(Pose { at: at?, orientation: orientation? })
    }

    /// A point of a body, given in the world or in the frame of the group.
    pub fn point(&mut self, body: Placed, key: &str, at: &Numbers<Length>) -> Option<Anchor> {
        let at = self.group.point(self.problems.vector(key, at)?);
        Some(Anchor::point(body.id, Pose { at, orientation: DQuat::IDENTITY }.on(&body).at))
    }
}
