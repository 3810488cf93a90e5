//! A tool on a ground: slices over its edge, in at most eight groups for constraint equations.
//!
//! The wrenches of a group are the sums over its slices, about the origin of the tool, so that force and moment are
//! those of the slices. A constraint equation for a group has the Jacobian (F/|F|, M/|F|) and the bound |F|.

use glam::{DVec2, DVec3};
use windlass_engine::prelude::Wrench;

use super::ray::Ray;
use super::slice::{self, Cutter, Piece, Slice};
use super::soil::{Strata, Surface};
use super::tool::{Pose, Tool};

/// Most groups of a tool.
pub const MAX_GROUPS: usize = 8;
/// Most slices of a tool; the slices of a longer edge are wider than a cell.
pub const MAX_SLICES: usize = 64;
/// A piece of edge steeper than this does not cut: horizontal part of its length.
const STEEP: f64 = 0.05;
/// Slack in the number of slices [cells].
const ROUNDING: f64 = 1e-9;

/// Forces on neighbouring slices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Group {
    /// First slice and the one after the last.
    pub slices: (usize, usize),
    /// Width across the direction of cutting [m].
    pub width: f64,
    /// Wedges and adhesion at failure, on the tool.
    pub cutting: Wrench,
    /// Bearing capacity of the edge, on the tool.
    pub bearing: Wrench,
    /// Adhesion that resists pulling the face off the soil [N].
    pub pull: f64,
    /// Friction on the back of the face [N].
    pub back: f64,
}

/// Friction on an end plate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EndPlate {
    /// Middle of the buried part [m].
    pub point: DVec3,
    /// Largest force, against the direction of sliding [N].
    pub bound: f64,
}

/// Results of a tool, with buffers that are used again.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Slices in the ground, from right to left.
    pub slices: Vec<Slice>,
    /// Groups of them.
    pub groups: Vec<Group>,
    /// Right and left end plate.
    pub end_plates: [EndPlate; 2],
    ray: Ray,
    strata: Strata,
}

impl Work {
    /// Sum of the cutting forces and moments of all groups.
    pub fn total(&self) -> Wrench {
        self.groups.iter().fold(Wrench::default(), |sum, group| plus(sum, group.cutting))
    }
}

impl Tool {
    /// Slices a tool at a pose on a ground. Results are in `work`; it is empty if the tool is above ground.
    pub fn cut(&self, pose: &Pose, ground: &impl Surface, gravity: f64, work: &mut Work) {
        work.slices.clear();
        work.groups.clear();
        let cutter = Cutter { tool: self, pose, ground, gravity };
        let empty = Pose { fill: None, ..*pose };
        let empty = Cutter { pose: &empty, ..cutter };
        let length = self.length();
        let cell = ground.spacing().max(length / MAX_SLICES as f64);
        for (i, pair) in self.edge.windows(2).enumerate() {
            let segment = Segment {
                from: pose.point(pair[0]),
                to: pose.point(pair[1]),
                ends: (i == 0, i + 2 == self.edge.len()),
                teeth_per_metre: self.teeth.map_or(0.0, |teeth| f64::from(teeth.count) / length),
            };
            segment.slices([&cutter, &empty], cell, work);
        }
        group(pose.position, work);
        work.end_plates = self.end_plates.map_or_else(Default::default, |plate| {
            [self.edge.first(), self.edge.last()].map(|end| {
                let end = end.map_or(pose.position, |&end| pose.point(end));
                cutter.end_plate(end, plate, &mut work.strata)
            })
        });
    }
}

/// A straight part of the edge in the world.
struct Segment {
    from: DVec3,
    to: DVec3,
    /// Whether the edge of the tool begins or ends here.
    ends: (bool, bool),
    teeth_per_metre: f64,
}

impl Segment {
    /// Slices of the tool as it is. Where its fill makes no wedge fail, its face cuts.
    fn slices<S: Surface>(&self, [cutter, empty]: [&Cutter<S>; 2], cell: f64, work: &mut Work) {
        let along = self.to - self.from;
        let level = DVec2::new(along.x, along.y);
        let width = level.length();
        if !(cell > 0.0 && width > STEEP * along.length()) {
            return;
        }
        let plate = (cutter.pose.axes * cutter.tool.face).normalize_or_zero();
        let fill = cutter.pose.fill.map(|fill| fill.normalize_or_zero());
        let count = ((width / cell - ROUNDING).ceil() as usize).clamp(1, MAX_SLICES);
        for i in 0..count {
            let piece = Piece {
                middle: self.from + along * ((i as f64 + 0.5) / count as f64),
                forward: DVec2::new(level.y, -level.x) / width,
                width: width / count as f64,
                face: fill.unwrap_or(plate),
                plate,
                ends: u8::from(i == 0 && self.ends.0) + u8::from(i + 1 == count && self.ends.1),
                teeth_per_metre: self.teeth_per_metre * along.length() / width,
            };
            let slice = cutter.slice(&piece, &mut work.ray);
            let fails = slice.is_some_and(|slice| slice.bound > 0.0);
            work.slices.extend(match fill.is_some() && !fails {
                true => empty.slice(&Piece { face: plate, ..piece }, &mut work.ray),
                false => slice,
            });
        }
    }
}

impl<S: Surface> Cutter<'_, S> {
    /// Friction on the outer side of an end plate: a rectangle behind the end of the edge, buried to the surface.
    fn end_plate(&self, end: DVec3, length: f64, strata: &mut Strata) -> EndPlate {
        let depth = (self.ground.height(end.x, end.y) - end.z).min(self.tool.height);
        strata.clear();
        self.ground.strata(end.x, end.y, strata);
        if !(depth > 0.0) {
            return EndPlate { point: end, bound: 0.0 };
        }
        let stress = slice::end_plate(strata.at(end.z), depth, self.gravity);
        EndPlate { point: end + DVec3::Z * (0.5 * depth), bound: stress * depth * length }
    }
}

/// Sums the slices by groups of about the same number.
fn group(origin: DVec3, work: &mut Work) {
    let count = work.slices.len();
    let groups = count.min(MAX_GROUPS);
    for k in 0..groups {
        let slices = (k * count / groups, (k + 1) * count / groups);
        let mut group = Group { slices, ..Group::default() };
        for slice in &work.slices[slices.0..slices.1] {
            group.width += slice.width;
            group.cutting = plus(group.cutting, at(slice.point - origin, slice.force));
            group.bearing = plus(group.bearing, at(slice.edge - origin, slice.face * slice.bearing));
            group.pull += slice.adhesion;
            group.back += slice.back;
        }
        work.groups.push(group);
    }
}

fn at(arm: DVec3, force: DVec3) -> Wrench {
    Wrench { force, torque: arm.cross(force) }
}

fn plus(a: Wrench, b: Wrench) -> Wrench {
    Wrench { force: a.force + b.force, torque: a.torque + b.torque }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cutting::soil::CuttingSoil;
    use glam::DMat3;
    use windlass_engine::prelude::Twist;

    /// Ground that falls by a slope, in two layers.
    struct Slope(f64);

    impl Surface for Slope {
        fn spacing(&self) -> f64 {
            0.1
        }
        fn height(&self, x: f64, _y: f64) -> f64 {
            self.0 * x
        }
        fn strata(&self, _x: f64, _y: f64, strata: &mut Strata) {
            let soil =
                CuttingSoil { density: 1700.0, friction: 0.5, tool_friction: 0.3, ..CuttingSoil::default() };
            strata.push(-0.1, soil);
            strata.push(-9.0, CuttingSoil { cohesion: 5e3, ..soil });
        }
    }

    #[test]
    fn a_warm_work_keeps_its_buffers() {
        let tool = Tool::blade(vec![DVec3::ZERO, DVec3::Y], DVec3::new(-0.5, 0.0, 0.9), 1.0, 0.02);
        let pose = |z: f64| Pose {
            position: DVec3::Z * z,
            axes: DMat3::IDENTITY,
            motion: Twist::default(),
            fill: None,
        };
        let mut work = Work::default();
        tool.cut(&pose(-0.5), &Slope(0.3), 9.81, &mut work);
        let buffers = |work: &Work| {
            let sizes = [work.slices.capacity(), work.groups.capacity(), work.ray.stations.capacity()];
            (sizes, work.ray.strata.capacity(), work.slices.as_ptr(), work.ray.stations.as_ptr())
        };
        let warm = buffers(&work);
        for z in [-0.4, -0.05, 0.2, -0.3] {
            tool.cut(&pose(z), &Slope(-0.1), 9.81, &mut work);
        }
        assert_eq!(buffers(&work), warm);
    }
}
