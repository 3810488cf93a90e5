//! Contact points of two outlines by clipping along a normal (Sutherland and Hodgman).
//!
//! The incident outline is clipped by the sides of the reference outline, both projected along the normal. Points are
//! named by their features: a vertex of either outline, or the crossing of two edges. So names persist while the same
//! features are in contact, whichever outline is the reference.

use super::bounds::Pose;
use super::geometry::{Convex, Core};
use glam::DVec3;

/// The features that define a contact point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// A vertex of the incident outline.
    Own(u32),
    /// A vertex of the reference outline.
    Other(u32),
    /// The crossing of an edge of the incident and one of the reference outline.
    Cross(u64, u64),
    /// The nearest points of two cores.
    Nearest,
}

/// A vertex of an outline being clipped, with the edge that starts at it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    pub at: DVec3,
    pub name: Name,
    edge: Edge,
}

#[derive(Clone, Copy, Debug)]
enum Edge {
    Own(u64),
    /// Along the reference's edge that starts at this vertex of it.
    Other(usize),
}

/// The face, edge or vertex of a core that is extreme in a direction.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// Vertices and their names, counterclockwise seen from outside; two for a segment, one for a point.
    pub points: Vec<(DVec3, u32)>,
    /// Outward normal of a face.
    pub normal: DVec3,
}

/// Number of vertices that approximate a rim; a multiple of four.
const RIM: u32 = 16;
/// Tilts and angles below these count as zero: the lowest point of a rim is then undefined, or at a vertex.
const UPRIGHT: f64 = 1e-9;
pub(crate) const AT_CORNER: f64 = 1e-3;

impl Outline {
    /// Takes the feature of a core that is extreme along d (in the outer frame), in the outer frame.
    pub fn take(&mut self, c: &Convex, pose: &Pose, d: DVec3) {
        self.points.clear();
        let d = pose.inward(d);
        match c.core {
            Core::Point => self.points.push((pose.at, 0)),
            Core::Segment(_) => self.take_corners(c, pose, &[0, 1]),
            Core::Discs(radii, half) => self.take_disc(radii, half, pose, d),
            Core::Box(_) | Core::Polyhedron => {
                if let Some(face) = c.face_towards(d) {
                    self.normal = pose.turn * face.normal;
                    self.take_corners(c, pose, c.corners(face));
                }
            }
        }
    }

    fn take_corners(&mut self, c: &Convex, pose: &Pose, corners: &[u32]) {
        let name = |k: u32| c.names.map_or(k, |names| names[k as usize]);
        self.points.extend(corners.iter().map(|k| (pose.point(c.vertices[*k as usize]), name(*k))));
    }

    /// A cap or a generatrix of the side, whichever is more nearly normal to d.
    fn take_disc(&mut self, radii: [f64; 2], half: f64, pose: &Pose, d: DVec3) {
        let across = (d.x * d.x + d.y * d.y).sqrt();
        let side = DVec3::new(2.0 * half, 0.0, radii[0] - radii[1]).normalize();
        let looks = [
            if radii[0] > 0.0 { -d.z } else { f64::NEG_INFINITY },
            if radii[1] > 0.0 { d.z } else { f64::NEG_INFINITY },
        ];
        let sideways = side.x * across + side.z * d.z;
        let low = lowest(d);
        let azimuth = low.unwrap_or((1.0, 0.0));
        let place = |end: usize, (x, y): (f64, f64)| {
            let z = if end == 0 { -half } else { half };
            pose.point(DVec3::new(radii[end] * x, radii[end] * y, z))
        };
        if sideways >= looks[0] && sideways >= looks[1] {
            self.points.push((place(0, azimuth), RIM));
            self.points.push((place(1, azimuth), RIM + 32));
            return;
        }
        let end = usize::from(looks[1] > looks[0]);
        let name = |k: u32| 32 * end as u32 + k;
        self.normal = pose.turn * DVec3::new(0.0, 0.0, if end == 0 { -1.0 } else { 1.0 });
        // the lowest point lies between two vertices of the rim
        for k in 0..RIM {
            let (here, next) = (rim(k), rim((k + 1) % RIM));
            self.points.push((place(end, here), name(k)));
            let Some(low) = low else { continue };
            let (from, to) = (turn(here, low), turn(low, next));
            if from > AT_CORNER && to > AT_CORNER && turn(here, next) > 0.0 && dot(here, low) > 0.0 {
                self.points.push((place(end, low), name(RIM)));
            }
        }
        if end == 0 {
            self.points.reverse();
        }
    }

    /// Whether every vertex is on a rim.
    fn is_rim(&self, c: &Convex) -> bool {
        matches!(c.core, Core::Discs(..)) && self.points.len() > 2
    }
}

/// Direction of a vertex of a rim; every fourth is along an axis.
pub(crate) fn rim(k: u32) -> (f64, f64) {
    // cos 22.5°, cos 45°, sin 22.5°
    let (c, d, s) = (0.923_879_532_511_286_7, std::f64::consts::FRAC_1_SQRT_2, 0.382_683_432_365_089_8);
    let (x, y) = [(1.0, 0.0), (c, s), (d, d), (s, c)][(k % 4) as usize];
    match k / 4 {
        0 => (x, y),
        1 => (-y, x),
        2 => (-x, -y),
        _ => (y, -x),
    }
}

/// The direction in which the rim of a disc about z is extreme along d, if it is unique.
pub(crate) fn lowest(d: DVec3) -> Option<(f64, f64)> {
    let across = (d.x * d.x + d.y * d.y).sqrt();
    (across > UPRIGHT).then(|| (d.x / across, d.y / across))
}

fn turn(a: (f64, f64), b: (f64, f64)) -> f64 {
    a.0 * b.1 - a.1 * b.0
}

fn dot(a: (f64, f64), b: (f64, f64)) -> f64 {
    a.0 * b.0 + a.1 * b.1
}

fn edge_name(a: u32, b: u32) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

/// Workspace of clipping.
#[derive(Debug, Default)]
pub(crate) struct Cutter {
    ring: Vec<Corner>,
    next: Vec<Corner>,
}

impl Cutter {
    /// Clips the incident outline by the sides of the reference one, projected along `up` (out of the reference).
    /// Vertices outside by less than `slack` are kept unchanged, so that equal faces on each other do not flicker.
    pub fn cut(
        &mut self,
        incident: &Outline,
        c: &Convex,
        reference: &Outline,
        up: DVec3,
        slack: f64,
    ) -> &[Corner] {
        self.start(incident);
        for k in 0..reference.points.len() {
            let (from, to) = (reference.points[k].0, reference.points[(k + 1) % reference.points.len()].0);
            let inward = up.cross(to - from);
            let length = inward.length();
            if length > 0.0 {
                self.cut_side(reference, k, from, inward / length, slack);
            }
        }
        self.thin_rim(incident, c);
        &self.ring
    }

    fn start(&mut self, incident: &Outline) {
        self.ring.clear();
        let n = incident.points.len();
        for (k, (at, name)) in incident.points.iter().enumerate() {
            let edge = Edge::Own(edge_name(*name, incident.points[(k + 1) % n].1));
            self.ring.push(Corner { at: *at, name: Name::Own(*name), edge });
        }
    }

    fn cut_side(&mut self, reference: &Outline, k: usize, from: DVec3, inward: DVec3, slack: f64) {
        self.next.clear();
        let n = self.ring.len();
        let height = |c: &Corner| (c.at - from).dot(inward);
        for i in 0..n {
            let (a, b) = (self.ring[i], self.ring[(i + 1) % n]);
            let (ha, hb) = (height(&a), height(&b));
            let (ina, inb) = (ha >= -slack, hb >= -slack);
            if ina {
                self.next.push(a);
            }
            // a segment is not a ring: its return edge is skipped
            if ina == inb || (n == 2 && i == 1) {
                continue;
            }
            let at = a.at + (b.at - a.at) * (ha / (ha - hb));
            let name = crossing(a.edge, reference, k);
            // on leaving, the ring continues along the reference's side; on entering, along its own edge
            let edge = if ina { Edge::Other(k) } else { a.edge };
            self.next.push(Corner { at, name, edge });
        }
        std::mem::swap(&mut self.ring, &mut self.next);
    }

    /// Reduces a whole rim to four points and the lowest.
    fn thin_rim(&mut self, incident: &Outline, c: &Convex) {
        let whole = self.ring.len() == incident.points.len()
            && self.ring.iter().all(|p| matches!(p.name, Name::Own(_)));
        if whole && incident.is_rim(c) {
            self.ring.retain(|p| matches!(p.name, Name::Own(k) if k % 4 == 0));
        }
    }
}

fn crossing(edge: Edge, reference: &Outline, k: usize) -> Name {
    let n = reference.points.len();
    let name = |k: usize| reference.points[k % n].1;
    match edge {
        Edge::Own(own) => Name::Cross(own, edge_name(name(k), name(k + 1))),
        // two sides of the reference meet at one of its vertices
        Edge::Other(j) if (j + 1) % n == k => Name::Other(name(k)),
        Edge::Other(j) if (k + 1) % n == j => Name::Other(name(j)),
        Edge::Other(j) => Name::Cross(u64::from(name(j)), edge_name(name(k), name(k + 1))),
    }
}
