//! Removal of contact points on internal edges of ground composed of several pieces.
//!
//! A floor of several boxes has edges where they meet. A body that slides over such a seam is as close to the edge of
//! the next box as to the face below it, and the edge's normal would stop it. The admissible normals of a union of
//! convex pieces at a point p are those of all pieces that contain it:
//!
//! ```text
//! N(p) = ∩ Nₖ(p),   Nₖ(p) = { n : n·(q − p) ≤ 0 for all q of piece k }
//! ```
//!
//! A contact point with normal n on one piece is dropped if another piece contains it, n is not in the cone of that
//! piece, and both have a common face m, in both cones. Without a common face the corner is concave, as of a wall on a
//! floor or of a step, and the point is kept. Pieces are the colliders of one body, or of static bodies.

use super::bounds::{Bounds, Pose};
use super::broad::{Broad, Entry};
use super::geometry::{Convex, Core, Form};
use super::narrow::{triangle, triangles_near};
use super::point::Raw;
use crate::body::MotionType;
use crate::model::Model;
use glam::DVec3;

/// Steps lower than this fraction of the margin count as flush.
const FLUSH: f64 = 0.02;
/// How far a piece extends beyond a plane through the point, relative to its size, if the plane's normal is not in its
/// cone.
const BEYOND: f64 = 1e-6;

/// Which colliders may be parts of one ground, and workspace of the search.
#[derive(Debug, Default)]
pub(crate) struct Seams {
    /// Pairs of entry indices: a collider in contact, and one that may be a part of its ground; in order.
    grounds: Vec<(u32, u32)>,
    /// Whether the body of an entry is static, by index.
    fixed: Vec<bool>,
    flush: f64,
    near: [Vec<u32>; 2],
}

/// The seams at which two colliders may be in contact.
pub(crate) struct PairSeams<'a> {
    pub seams: &'a mut Seams,
    pub entries: &'a [Entry],
    /// Their indices.
    pub pair: [u32; 2],
}

impl PairSeams<'_> {
    /// Drops points on seams. Points are in the frame of the first collider; the second has a pose in it.
    pub fn clean(&mut self, second: &Pose, raw: &mut Vec<Raw>) {
        let [a, b] = self.pair;
        self.seams.clean(self.entries, (a, b), (&Pose::IDENTITY, true), raw);
        self.seams.clean(self.entries, (b, a), (second, false), raw);
    }
}

/// A convex part of a collider.
#[derive(Clone, Copy)]
enum Piece<'a> {
    /// Everything below a plane through the origin of a pose.
    Below(Pose),
    Solid(&'a Convex, Pose),
    Triangle([DVec3; 3], DVec3),
}

impl Seams {
    /// Finds the colliders that may be parts of one ground.
    pub fn prepare(&mut self, model: &Model, broad: &Broad) {
        self.flush = FLUSH * model.settings.contact.margin;
        self.fixed.clear();
        self.grounds.clear();
        let body = |e: &Entry| model.bodies.at(e.part.body as usize);
        let is_fixed = |e: &Entry| body(e).is_some_and(|b| matches!(b.kind, MotionType::Static));
        self.fixed.extend(broad.entries.iter().map(is_fixed));
        let may = |place: u32| {
            let e = &broad.entries[place as usize];
            let parts = body(e).map_or(&[][..], |b| &b.colliders);
            let solid = parts.get(e.part.collider as usize).is_some_and(|c| !c.trigger);
            solid && (self.fixed[place as usize] || parts.len() > 1)
        };
        for (a, b) in &broad.pairs {
            self.grounds.extend([(*a, *b), (*b, *a)].into_iter().filter(|(_, ground)| may(*ground)));
        }
        self.grounds.sort_unstable();
    }

    /// Drops points on seams of a ground.
    fn clean(
        &mut self,
        entries: &[Entry],
        (ground, other): (u32, u32),
        (at, is_first): (&Pose, bool),
        raw: &mut Vec<Raw>,
    ) {
        let own = &entries[ground as usize];
        let first = self.grounds.partition_point(|(x, _)| *x < other);
        let mates = self.grounds[first..].iter().take_while(|(x, _)| *x == other).map(|(_, g)| *g);
        let is_mate = |mate: u32| {
            let together = self.fixed[ground as usize] && self.fixed[mate as usize];
            let same = entries[mate as usize].part.body == own.part.body;
            if mate == ground { matches!(*own.form, Form::Pieces(_)) } else { together || same }
        };
        let [near, near_too] = &mut self.near;
        for mate in mates.filter(|mate| is_mate(*mate)) {
            let mate = &entries[mate as usize];
            let there = own.pose.sees(&mate.pose);
            raw.retain(|p| {
                let out = if is_first { p.normal } else { -p.normal };
                let surface = at.inward(p.at - at.at - out * (0.5 * p.gap));
                let out = at.inward(out);
                let on_seam = |piece: Piece<'_>| {
                    piece.holds(surface, self.flush)
                        && piece.beyond(surface, out) > BEYOND * piece.size()
                        && shares_face(&own.form, piece, surface, self.flush, near_too)
                };
                !any_piece(&mate.form, &there, (surface, self.flush), near, on_seam)
            });
        }
    }
}

/// Whether a form has a common face with a piece at a point.
fn shares_face(form: &Form, piece: Piece<'_>, p: DVec3, flush: f64, near: &mut Vec<u32>) -> bool {
    let mut shared = false;
    piece.each_face(|m| {
        let below = |own: Piece<'_>| own.beyond(p, m) > flush;
        shared |= piece.beyond(p, m) <= flush && !any_piece(form, &Pose::IDENTITY, (p, flush), near, below);
    });
    shared
}

/// Whether a predicate holds for any convex piece of a form at a pose; of surfaces, for the triangles near a point.
fn any_piece(
    form: &Form,
    pose: &Pose,
    (p, flush): (DVec3, f64),
    near: &mut Vec<u32>,
    mut holds: impl FnMut(Piece<'_>) -> bool,
) -> bool {
    match form {
        Form::Plane => holds(Piece::Below(*pose)),
        Form::Convex(c) => holds(Piece::Solid(c, *pose)),
        Form::Pieces(pieces) => pieces.iter().any(|(within, form)| match form {
            Form::Convex(c) => holds(Piece::Solid(c, within.within(pose))),
            _ => false,
        }),
        Form::Soup(_) | Form::Field(_) => {
            let at = pose.inward(p - pose.at);
            triangles_near(form, &Bounds::of([at]).grown(flush), near);
            near.iter().filter_map(|k| triangle(form, *k)).any(|t| {
                let piece = Piece::Triangle(t.corners.map(|c| pose.point(c)), pose.turn * t.normal);
                piece.holds(p, flush) && holds(piece)
            })
        }
    }
}

impl Piece<'_> {
    /// Whether it contains a point or is closer to it than a distance.
    fn holds(&self, p: DVec3, within: f64) -> bool {
        match self {
            Piece::Below(pose) => pose.turn.z_axis.dot(p - pose.at) <= within,
            Piece::Solid(c, pose) => solid_holds(c, pose.inward(p - pose.at), within + c.radius),
            Piece::Triangle(corners, normal) => {
                let inside = |k: usize| {
                    let side = corners[(k + 1) % 3] - corners[k];
                    normal.cross(side).dot(p - corners[k]) >= -within * side.length()
                };
                normal.dot(p - corners[0]).abs() <= within && (0..3).all(inside)
            }
        }
    }

    /// How far it extends beyond a plane through a point [m].
    fn beyond(&self, p: DVec3, normal: DVec3) -> f64 {
        match self {
            Piece::Below(pose) if (normal - pose.turn.z_axis).length() < BEYOND => normal.dot(pose.at - p),
            Piece::Below(_) => f64::INFINITY,
            Piece::Solid(c, pose) => normal.dot(pose.point(c.support(pose.inward(normal))) - p) + c.radius,
            Piece::Triangle(corners, _) => corners.iter().fold(f64::MIN, |m, c| m.max(normal.dot(*c - p))),
        }
    }

    fn size(&self) -> f64 {
        match self {
            Piece::Below(_) => 1.0,
            Piece::Solid(c, _) => c.size,
            Piece::Triangle([a, b, c], _) => a.distance(*b).max(a.distance(*c)),
        }
    }

    fn each_face(&self, mut each: impl FnMut(DVec3)) {
        match self {
            Piece::Below(pose) => each(pose.turn.z_axis),
            Piece::Solid(c, pose) => {
                c.faces.iter().for_each(|f| each(pose.turn * f.normal));
                if let Core::Discs(..) = c.core {
                    [pose.turn.z_axis, -pose.turn.z_axis].into_iter().for_each(each);
                }
            }
            Piece::Triangle(_, normal) => each(*normal),
        }
    }
}

/// Whether the core of a convex piece contains a point in its frame or is closer to it than a distance.
fn solid_holds(c: &Convex, p: DVec3, within: f64) -> bool {
    match c.core {
        Core::Point => p.length() <= within,
        Core::Segment(half) => p.distance(DVec3::Z * p.z.clamp(-half, half)) <= within,
        Core::Box(half) => (p.abs() - half).max_element() <= within,
        Core::Discs(radii, half) => {
            let part = ((p.z + half) / (2.0 * half)).clamp(0.0, 1.0);
            let radius = radii[0] + (radii[1] - radii[0]) * part;
            p.z.abs() <= half + within && p.truncate().length() <= radius + within
        }
        Core::Polyhedron => c.faces.iter().all(|f| {
            let corner = c.vertices[c.corners(f)[0] as usize];
            f.normal.dot(p - corner) <= within
        }),
    }
}
