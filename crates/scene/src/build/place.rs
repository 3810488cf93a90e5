//! Poses and where joints grip: places in the world → anchors in bodies.

use super::{Builder, Placed};
use crate::error::Problems;
use crate::number::{Length, Numbers, Plain};
use crate::text::body::Rotation;
use crate::text::joint::{Frame, Pair};
use glam::{DMat3, DQuat, DVec3};
use std::ops::Range;
use toml::Spanned;
use windlass_engine::math;
use windlass_engine::prelude::Anchor;

/// An origin and an attitude in the world.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    pub at: DVec3,
    pub attitude: DQuat,
}

impl Pose {
    /// A frame whose z axis is given; its x axis follows a hint, if there is one.
    pub fn along(at: DVec3, z: DVec3, hint: Option<DVec3>) -> Pose {
        let across = hint.map(|x| x - z * z.dot(x)).filter(|x| x.length() > 1e-9);
        let attitude = match across {
            Some(x) => {
                let x = x.normalize();
                DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z))
            }
            None => math::facing(z),
        };
        Pose { at, attitude: math::unit(attitude) }
    }

    /// This place of the world as an anchor of a body.
    pub fn on(&self, body: &Placed) -> Anchor {
        let back = body.pose.attitude.inverse();
        Anchor::frame(body.id, back * (self.at - body.pose.at), math::unit(back * self.attitude))
    }
}

impl Problems {
    /// An attitude given as a quaternion, as a turn, or not at all.
    pub fn attitude(
        &mut self,
        quaternion: &Option<Numbers<Plain>>,
        turn: &Option<Rotation>,
    ) -> Option<DQuat> {
        match (quaternion, turn) {
            (None, None) => Some(DQuat::IDENTITY),
            (Some(q), None) => self.quaternion("attitude", q),
            (None, Some(turn)) => {
                let (axis, angle) = (self.direction("axis", &turn.axis), self.number("angle", &turn.angle));
                Some(math::turn(axis?, angle?))
            }
            (Some(q), Some(_)) => {
                self.advise(q.span(), "both `attitude` and `turn` are given", "leave one of them out");
                None
            }
        }
    }
}

/// The keys that place a joint, as the file has them.
pub struct Placement<'a> {
    pub bodies: &'a Pair,
    pub at: &'a Option<Numbers<Length>>,
    pub axis: &'a Option<Numbers<Plain>>,
    pub x_axis: &'a Option<Numbers<Plain>>,
    pub frames: &'a Option<Spanned<[Frame; 2]>>,
}

/// Which keys a joint cannot do without.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Neither: the second body's origin and the world's axes stand in.
    Nothing,
    /// `at`.
    Point,
    /// `axis`.
    Axis,
    /// `at` and `axis`.
    PointAndAxis,
}

impl Builder {
    /// Both bodies of a joint; all unknown names are told.
    pub fn pair(&mut self, names: &Pair) -> Option<[Placed; 2]> {
        let (a, b) = (self.find(&names[0]), self.find(&names[1]));
        Some([a?, b?])
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
        let bodies = bodies?;
        let pose = Pose::along(at.unwrap_or(Some(bodies[1].pose.at))?, z?, x.flatten());
        Some(bodies.map(|b| pose.on(&b)))
    }

    /// The anchors of a joint given by frames; nothing else may place it.
    pub fn framed(
        &mut self,
        bodies: Option<[Placed; 2]>,
        frames: &Spanned<[Frame; 2]>,
        given_too: Option<Range<usize>>,
    ) -> Option<[Anchor; 2]> {
        if let Some(span) = given_too {
            let help = "`frames` place the joint in the axes of its bodies: leave this out";
            self.problems.advise(span, "the joint is placed twice", help);
        }
        let frames = frames.get_ref().each_ref().map(|frame| self.frame(frame));
        let [a, b] = frames;
        let (bodies, a, b) = (bodies?, a?, b?);
        Some([Anchor::frame(bodies[0].id, a.at, a.attitude), Anchor::frame(bodies[1].id, b.at, b.attitude)])
    }

    fn frame(&mut self, frame: &Frame) -> Option<Pose> {
        let p = &mut self.problems;
        let (at, attitude) = (p.vector_or_zero("at", &frame.at), p.attitude(&frame.attitude, &frame.turn));
        Some(Pose { at: at?, attitude: attitude? })
    }

    /// A point of a body, given in the world.
    pub fn point(&mut self, body: Placed, key: &str, at: &Numbers<Length>) -> Option<Anchor> {
        let at = self.problems.vector(key, at)?;
        Some(Anchor::point(body.id, Pose { at, attitude: DQuat::IDENTITY }.on(&body).at))
    }
}
