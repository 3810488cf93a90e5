//! What a rope does: its tension span by span, where it lies, how much of it is slack.
//!
//! Forces are those of the last step, the way that of the present instant.

use crate::constrain::joint::Kind;
use crate::constrain::joint::rope::{Course, Few, Rope};
use crate::math;
use crate::world::World;
use crate::world::frame::Frame;
use crate::world::model::JointId;
use glam::DVec3;

/// A rope as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RopeReading {
    /// Of each span [N].
    pub tensions: Vec<f64>,
    /// By point: the angle by which the rope lies on it [rad]. Below 0 it has left its pulley.
    pub wraps: Vec<f64>,
    /// Of each run: its way from fast point to fast point [m].
    pub lengths: Vec<f64>,
    /// Of each run: rope beyond its way [m]; below 0 it is stretched.
    pub slack: Vec<f64>,
    /// Turns on the drums at its start and end; 0 where there is none.
    pub wound: [f64; 2],
    /// Whether it broke.
    pub broken: bool,
}

/// A turn of this angle of a drawn rope has a point of its own [rad].
const CORNER: f64 = 0.1;

impl World {
    /// What a rope does; none for what is gone or is no rope.
    pub fn rope(&self, id: JointId) -> Option<RopeReading> {
        let (rope, course, _) = self.course(id)?;
        let memory = &self.state.joints[id.index()];
        let runs = 0..course.runs.len();
        let row = |run| rope.gap(run, &course, self.state.time);
        Some(RopeReading {
            tensions: rope.tensions(&memory.forces).to_vec(),
            slack: runs.map(row).collect(),
            wound: [0, rope.vias.len() - 1]
                .map(|k| rope.vias[k].wound(rope.winding_angle(k, &memory.coordinates))),
            wraps: course.wraps.to_vec(),
            lengths: course.free.to_vec(),
            broken: memory.broken,
        })
    }

    /// The line of a rope from end to end, turns about pulleys as arcs; nothing for what is gone, broken or no rope.
    pub fn rope_line(&self, id: JointId) -> Vec<DVec3> {
        self.rope_path(id).into_iter().map(|(point, _)| point).collect()
    }

    /// The same, each point with the number of its span; what lies on a pulley is of the span before it.
    pub fn rope_path(&self, id: JointId) -> Vec<(DVec3, usize)> {
        let Some((rope, course, frames)) = self.course(id) else { return Vec::new() };
        if self.state.joints[id.index()].broken {
            return Vec::new();
        }
        let mut path = Vec::new();
        for (k, (via, frame)) in rope.vias.iter().zip(&frames).enumerate() {
            let before = k.checked_sub(1).map(|k| (course.spans[k], k));
            path.extend(before.map(|(span, number)| (span.ends[1], number)));
            if let (Some((before, number)), Some(after)) = (before, course.spans.get(k)) {
                let turn = if via.radius > 0.0 {
                    round(before.normals[1], after.normals[0], frame, via.side)
                } else {
                    0.0
                };
                let parts = (turn / CORNER).abs().ceil() as u32;
                path.extend((1..parts).map(|i| {
                    let angle = via.side * turn * f64::from(i) / f64::from(parts);
                    (frame.at + math::turn(frame.z(), angle) * before.normals[1] * via.radius, number)
                }));
            }
            path.extend(course.spans.get(k).map(|span| (span.ends[0], k)));
        }
        path
    }

    fn course(&self, id: JointId) -> Option<(&Rope, Course, Few<Frame>)> {
        let joint = self.model.joints.get(id)?;
        let Kind::Rope(rope) = &joint.kind else { return None };
        let frames = self.model.frames(&self.state, id.index(), joint);
        let course = rope.course(&self.state.joints[id.index()].sight(&frames, self.state.time));
        Some((rope, course, frames))
    }
}

/// The angle from one normal to another in the sense of travel, less whole turns [rad].
fn round(from: DVec3, to: DVec3, frame: &Frame, side: f64) -> f64 {
    let angle = libm::atan2(from.cross(to).dot(frame.z()), from.dot(to));
    (side * angle).rem_euclid(std::f64::consts::TAU)
}
