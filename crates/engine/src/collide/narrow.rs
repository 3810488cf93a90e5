//! Narrow phase: contact points of two forms at given poses.
//!
//! For two convex pieces the best separating direction n is found first: in closed form, by separating axes for boxes,
//! by `gjk` otherwise. Then the features of both that are extreme along n are clipped against each other (`clip`). The
//! points of their intersection are contact points, with the gap measured along n:
//!
//! ```text
//! gap = m·(p − o) / m·u − rₐ − r_b        p vertex of the clipped incident feature, (o, m) plane of the reference,
//!                                          u = ±n out of the reference, r rounding radii
//! ```
//!
//! All is computed in the frame of the first collider, so the gap keeps its precision far from the origin.

use super::bounds::{Bounds, Pose};
use super::boxes;
use super::clip::{Cutter, Name, Outline};
use super::geometry::{Convex, Core, Form};
use super::gjk::{self, Axis};
use super::mesh::Triangle;
use super::penetration::{PRESS, VAGUE, pressed, snapped};
use super::plane;
use super::point::{Raw, Side, mix};
use super::round;
use glam::DVec3;
use parry3d_f64::query::epa::EPA;

/// Workspace of the narrow phase.
#[derive(Default)]
pub(crate) struct Narrow {
    /// Contact points found.
    pub raw: Vec<Raw>,
    /// Contact points at the start of the step, while later instants are evaluated.
    pub start: Vec<Raw>,
    outlines: [Outline; 2],
    cutter: Cutter,
    epa: EPA,
    near: Vec<u32>,
    near_too: Vec<u32>,
    triangles: Option<Box<[Convex; 2]>>,
}

impl std::fmt::Debug for Narrow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Narrow").field("raw", &self.raw).finish_non_exhaustive()
    }
}

/// The name of a contact point between two pieces, independent of which is the incident one.
fn name_of(name: Name, incident_is_second: bool, salt: u64) -> u64 {
    let side = |second: bool| u64::from(second) + 1;
    let plain = match name {
        Name::Own(v) => mix(side(incident_is_second), u64::from(v)),
        Name::Other(v) => mix(side(!incident_is_second), u64::from(v)),
        Name::Cross(own, other) => {
            let (first, second) = if incident_is_second { (other, own) } else { (own, other) };
            mix(mix(3, first), second)
        }
        Name::Nearest => 4,
    };
    mix(salt, plain)
}

impl Narrow {
    /// Adds the contact points of two forms within a distance.
    pub fn touch(&mut self, a: Side, b: Side, reach: f64) {
        match (a.form, b.form) {
            (Form::Pieces(pieces), _) => self.touch_pieces(pieces, a, b, reach, false),
            (_, Form::Pieces(pieces)) => self.touch_pieces(pieces, b, a, reach, true),
            (Form::Plane, Form::Plane) => {}
            (Form::Plane, other) => plane::touch(&mut self.raw, &a.pose, other, &b, reach, false),
            (other, Form::Plane) => plane::touch(&mut self.raw, &b.pose, other, &a, reach, true),
            (Form::Convex(ca), Form::Convex(cb)) => {
                self.touch_convex((ca, &a.pose), (cb, &b.pose), reach, mix(a.number, b.number));
            }
            (_, Form::Convex(_)) => self.touch_triangles(a, b, reach, false),
            (Form::Convex(_), _) => self.touch_triangles(b, a, reach, true),
            _ => self.touch_surfaces(a, b, reach),
        }
    }

    fn touch_pieces(&mut self, pieces: &[(Pose, Form)], whole: Side, other: Side, reach: f64, swapped: bool) {
        let bounds = other.form.bounds().grown(reach);
        for (k, (pose, form)) in pieces.iter().enumerate() {
            let pose = pose.within(&whole.pose);
            // in the frame of the other, whose box may be infinite
            if !form.bounds().moved(&other.pose.sees(&pose)).meets(&bounds) {
                continue;
            }
            let piece = Side { form, pose, number: mix(whole.number, k as u64 + 1) };
            if swapped { self.touch(other, piece, reach) } else { self.touch(piece, other, reach) }
        }
    }

    /// Two convex pieces.
    fn touch_convex(&mut self, (a, pa): (&Convex, &Pose), (b, pb): (&Convex, &Pose), reach: f64, salt: u64) {
        let rel = pa.sees(pb);
        let from = self.raw.len();
        if !round::touch(&mut self.raw, a, b, &rel, reach, salt)
            && let Some(axis) = self.axis(a, b, &rel, reach)
        {
            self.lay(a, b, &rel, axis, (reach, salt, true));
        }
        place(&mut self.raw[from..], pa);
    }

    /// The best separating direction of two cores, if their surfaces are within a distance.
    pub(super) fn axis(&mut self, a: &Convex, b: &Convex, rel: &Pose, reach: f64) -> Option<Axis> {
        let enough = reach + a.radius + b.radius;
        if let (Core::Box(ha), Core::Box(hb)) = (a.core, b.core) {
            let axis = boxes::axis(ha, hb, rel);
            // the closest features of the boxes may be vertices or edges that none of their axes connects
            return (axis.gap <= enough).then_some(axis);
        }
        let found = gjk::distance(a, b, rel, enough).or_else(|| gjk::overlap(a, b, rel, &mut self.epa));
        let axis = self.refine_axis(a, b, rel, found)?;
        (axis.gap <= enough).then_some(axis)
    }

    /// A direction equal to a face normal up to round-off is replaced by it. Cores that barely touch have a distance
    /// without direction: they are moved together slightly, and the direction is that of their penetration.
    fn refine_axis(&mut self, a: &Convex, b: &Convex, rel: &Pose, found: Option<Axis>) -> Option<Axis> {
        let size = a.size.min(b.size);
        // for overlapping cores the expanding polytope may miss the minimum penetration: face normals are tested too
        let vague = found.is_none_or(|f| f.gap < VAGUE * size);
        let axis = snapped(a, b, rel, found, vague)?;
        if !vague || found.is_none_or(|f| f.gap < -VAGUE * size || axis.gap >= f.gap) {
            return Some(axis);
        }
        let towards = if axis.gap > 1e-12 * size { axis.normal } else { rel.at.normalize_or(DVec3::Z) };
        let pressed = Pose { at: rel.at - towards * (PRESS * size), turn: rel.turn };
        let firm = gjk::overlap(a, b, &pressed, &mut self.epa).map(|f| {
            let points = [f.points[0], f.points[1] + rel.at - pressed.at];
            Axis { gap: gjk::along(a, b, rel, f.normal), points, ..f }
        });
        firm.filter(|f| f.gap >= axis.gap - 1e-9 * size).or(Some(axis))
    }

    /// Clips the features that are extreme along the axis and adds the contact points.
    fn lay(
        &mut self,
        a: &Convex,
        b: &Convex,
        rel: &Pose,
        axis: Axis,
        (reach, salt, nearest): (f64, u64, bool),
    ) {
        let n = axis.normal;
        let from = self.raw.len();
        let size = a.size + b.size;
        let [oa, ob] = &mut self.outlines;
        oa.take(a, &Pose::IDENTITY, n);
        ob.take(b, rel, -n);
        let looks = [oa.normal.dot(n), -ob.normal.dot(n)];
        let flat = [oa.points.len() > 2, ob.points.len() > 2];
        // the feature more nearly normal to the axis is the reference; of equal ones the first
        let first = flat[0] && !(flat[1] && looks[1] > looks[0] + 1e-9);
        let (incident, reference, ci, up) = if first { (ob, oa, b, n) } else { (oa, ob, a, -n) };
        let look = reference.normal.dot(up);
        // a feature seen edge-on has no height
        if (flat[0] || flat[1]) && look > 0.1 {
            let (inner, outer) = if first { (b.radius, a.radius) } else { (a.radius, b.radius) };
            let o = reference.points[0].0;
            for corner in self.cutter.cut(incident, ci, reference, up, 1e-8 * size) {
                let gap = reference.normal.dot(corner.at - o) / look - inner - outer;
                if gap <= reach {
                    let at = corner.at - up * (inner + 0.5 * gap);
                    self.raw.push(Raw { at, normal: n, gap, name: name_of(corner.name, first, salt) });
                }
            }
        }
        if let (&[p, q], &[r, s]) = (&*self.outlines[0].points, &*self.outlines[1].points) {
            let skins = [a.radius, b.radius];
            lay_lines(&mut self.raw, [p.0, q.0], [r.0, s.0], n, skins, (reach, salt));
        }
        // no point within the distance: the nearest points themselves
        let gap = axis.gap - a.radius - b.radius;
        let found = self.raw[from..].iter().any(|p| p.gap <= gap + 1e-9 * size);
        if found || !nearest {
            return;
        }
        self.lay_nearest(a, b, rel, axis, (reach, salt));
    }

    fn lay_nearest(&mut self, a: &Convex, b: &Convex, rel: &Pose, axis: Axis, (reach, salt): (f64, u64)) {
        // the separating axis of boxes that are closest at vertices is not the direction of their distance
        let boxes = matches!((a.core, b.core), (Core::Box(_), Core::Box(_)));
        let axis = match boxes && axis.gap > 0.0 {
            true => gjk::distance(a, b, rel, reach).unwrap_or(axis),
            false => axis,
        };
        let gap = axis.gap - a.radius - b.radius;
        if gap > reach {
            return;
        }
        let n = axis.normal;
        let ends = [axis.points[0] + n * a.radius, axis.points[1] - n * b.radius];
        let of = |c: &Convex| c.names.into_iter().flatten().fold(0, |m, v| mix(m, u64::from(v)));
        let name = name_of(Name::Nearest, false, mix(salt, of(a) ^ of(b).rotate_left(1)));
        self.raw.push(Raw { at: 0.5 * (ends[0] + ends[1]), normal: n, gap, name });
    }

    /// Triangles of the first against a convex second.
    fn touch_triangles(&mut self, a: Side, b: Side, reach: f64, swapped: bool) {
        let Form::Convex(cb) = b.form else { return };
        let rel = a.pose.sees(&b.pose);
        let bounds = cb.bounds().moved(&rel).grown(reach);
        let mut near = std::mem::take(&mut self.near);
        triangles_near(a.form, &bounds, &mut near);
        let mut pair =
            self.triangles.take().unwrap_or_else(|| Box::new([Convex::triangle(), Convex::triangle()]));
        let from = self.raw.len();
        for k in &near {
            let Some(triangle) = triangle(a.form, *k) else { continue };
            pair[0].set_triangle(triangle.corners, triangle.normal, triangle.names);
            let salt = mix(a.number, b.number);
            self.touch_triangle((&triangle, &pair[0], a.form), (cb, None), &rel, (reach, salt));
        }
        self.drop_detours(from);
        let found = &mut self.raw[from..];
        place(found, &a.pose);
        if swapped {
            found.iter_mut().for_each(|p| p.normal = -p.normal);
        }
        (self.near, self.triangles) = (near, Some(pair));
    }

    /// Triangles against triangles.
    fn touch_surfaces(&mut self, a: Side, b: Side, reach: f64) {
        let rel = a.pose.sees(&b.pose);
        let back = rel.inverse();
        let (mut near, mut too) = (std::mem::take(&mut self.near), std::mem::take(&mut self.near_too));
        let mut pair =
            self.triangles.take().unwrap_or_else(|| Box::new([Convex::triangle(), Convex::triangle()]));
        triangles_near(a.form, &b.form.bounds().moved(&rel).grown(reach), &mut near);
        let from = self.raw.len();
        for k in &near {
            let Some(ta) = triangle(a.form, *k) else { continue };
            pair[0].set_triangle(ta.corners, ta.normal, ta.names);
            let bounds = Bounds::of(ta.corners).moved(&back).grown(reach);
            triangles_near(b.form, &bounds, &mut too);
            for j in &too {
                let Some(tb) = triangle(b.form, *j) else { continue };
                pair[1].set_triangle(tb.corners, tb.normal, tb.names);
                let salt = mix(a.number, b.number);
                let [ca, cb] = &*pair;
                self.touch_triangle((&ta, ca, a.form), (cb, Some((&tb, b.form))), &rel, (reach, salt));
            }
        }
        self.drop_detours(from);
        place(&mut self.raw[from..], &a.pose);
        (self.near, self.near_too, self.triangles) = (near, too, Some(pair));
    }

    /// Near a convex edge a point deep behind one face has a shorter way out through the next face. Drops points that
    /// have, closer than twice their depth, another with a different normal and at most half the depth.
    fn drop_detours(&mut self, from: usize) {
        // within this angle of the first, no two normals differ by as much
        let Some(first) = self.raw.get(from).map(|p| p.normal) else { return };
        if self.raw[from..].iter().all(|p| p.normal.dot(first) > HALF_DETOUR) {
            return;
        }
        let mut k = from;
        while k < self.raw.len() {
            let p = self.raw[k];
            let better = |q: &Raw| {
                let beside = q.at.distance_squared(p.at) < 4.0 * p.gap * p.gap;
                q.gap < 0.0 && q.gap > 0.5 * p.gap && beside && q.normal.dot(p.normal) < 0.9
            };
            if p.gap < 0.0 && self.raw[from..].iter().any(better) {
                self.raw.remove(k);
            } else {
                k += 1;
            }
        }
    }

    /// Adds the contact points of a triangle with a box that is pressed into it along its normal, as most boxes on a
    /// surface are; returns whether it is.
    fn lay_pressed(
        &mut self,
        (a, b): (&Convex, &Convex),
        rel: &Pose,
        up: DVec3,
        (reach, salt): (f64, u64),
    ) -> bool {
        let Some(axis) = pressed(a, b, rel, up) else { return false };
        let from = self.raw.len();
        self.lay(a, b, rel, axis, (reach, salt, false));
        // otherwise the box is lowest beside the triangle, and the nearest points count
        let met = self.raw[from..].iter().any(|p| p.gap <= axis.gap + 1e-9 * (a.size + b.size));
        if !met {
            self.raw.truncate(from);
        }
        met
    }

    /// A triangle against a convex piece, which may be a triangle of another surface.
    fn touch_triangle(
        &mut self,
        (triangle, a, form): (&Triangle, &Convex, &Form),
        (b, other): (&Convex, Option<(&Triangle, &Form)>),
        rel: &Pose,
        (reach, salt): (f64, u64),
    ) {
        let up = triangle.normal;
        let enough = reach + b.radius;
        let front = gjk::along(a, b, rel, up);
        let back = gjk::along(a, b, rel, -up);
        // no contact from behind
        if front > enough || (!triangle.solid && back > 0.0) {
            return;
        }
        let before = triangle.solid || back <= front;
        let allows = |axis: &Axis| {
            let [at, there] = axis.points;
            let beyond = |(t, form): (&Triangle, &Form)| {
                let there = rel.inward(there - rel.at);
                t.allows(rel.inward(-axis.normal), there, |corner, each| ring(form, t.names[corner], each))
            };
            triangle.allows(axis.normal, at, |corner, each| ring(form, triangle.names[corner], each))
                && other.is_none_or(beyond)
        };
        // over its interior the contact normal is its own
        let lowest = rel.point(b.support(rel.inward(-up)));
        let flat = Axis { normal: up, gap: front, points: [lowest - up * front, lowest] };
        let inside = other.is_none() && before && holds(triangle, lowest);
        if !inside && other.is_none() && self.lay_pressed((a, b), rel, up, (reach, salt)) {
            return;
        }
        let found = if inside { None } else { self.axis(a, b, rel, reach) };
        // a piece that separates sooner backwards is behind, or in contact with the triangles beyond an edge
        if !triangle.solid && found.is_some_and(|axis| axis.normal.dot(up) < -1e-3) {
            return;
        }
        match found.filter(allows) {
            Some(axis) => self.lay(a, b, rel, axis, (reach, salt, true)),
            None if before && (other.is_none() || allows(&flat)) => {
                self.lay(a, b, rel, flat, (reach, salt, inside))
            }
            None => {}
        }
    }
}

/// Two nearly parallel edges make contact at the ends of their common stretch.
fn lay_lines(
    raw: &mut Vec<Raw>,
    a: [DVec3; 2],
    b: [DVec3; 2],
    n: DVec3,
    skins: [f64; 2],
    (reach, salt): (f64, u64),
) {
    let (da, db) = (a[1] - a[0], b[1] - b[0]);
    let (la, lb) = (da.length(), db.length());
    if !(da.cross(db).length() < NEARLY_ALONG * la * lb) {
        return;
    }
    let d = da / la;
    // coordinates of B's ends along A, and the common stretch
    let at = [(b[0] - a[0]).dot(d), (b[1] - a[0]).dot(d)];
    let (from, to) = (at[0].min(at[1]).max(0.0), at[0].max(at[1]).min(la));
    if !(to - from > 1e-3 * (la + lb)) {
        return;
    }
    for (k, s) in [from, to].into_iter().enumerate() {
        let pa = a[0] + d * s;
        let pb = b[0] + db * ((s - at[0]) / (at[1] - at[0]));
        let gap = (pb - pa).dot(n) - skins[0] - skins[1];
        if gap <= reach {
            let at = 0.5 * (pa + n * skins[0] + pb - n * skins[1]);
            raw.push(Raw { at, normal: n, gap, name: mix(salt, 5 + k as u64) });
        }
    }
}

/// Edges at less than this angle (its sine) count as parallel.
const NEARLY_ALONG: f64 = 1e-2;

/// Whether a point projects into a triangle.
pub(crate) fn holds(t: &Triangle, p: DVec3) -> bool {
    (0..3).all(|k| {
        let (a, b) = (t.corners[k], t.corners[(k + 1) % 3]);
        t.normal.cross(b - a).dot(p - a) >= 0.0
    })
}

/// The neighbours of a vertex of a form.
fn ring(form: &Form, name: u32, each: &mut dyn FnMut(DVec3)) {
    match form {
        Form::Soup(soup) => soup.ring(name, each),
        Form::Field(field) => field.ring(name, each),
        _ => {}
    }
}

pub(crate) fn triangle(form: &Form, k: u32) -> Option<Triangle> {
    match form {
        Form::Soup(soup) => Some(soup.triangle(k as usize)),
        Form::Field(field) => Some(field.triangle(k as usize)),
        _ => None,
    }
}

/// The triangles of a form that intersect a box, in order.
pub(crate) fn triangles_near(form: &Form, bounds: &Bounds, out: &mut Vec<u32>) {
    out.clear();
    match form {
        Form::Soup(soup) => soup.near(bounds, out),
        Form::Field(field) => field.near(bounds, out),
        _ => {}
    }
    out.sort_unstable();
}

/// Transforms points from a piece's frame to the collider's.
fn place(points: &mut [Raw], pose: &Pose) {
    if *pose == Pose::IDENTITY {
        return;
    }
    for p in points {
        (p.at, p.normal) = (pose.point(p.at), pose.turn * p.normal);
    }
}

/// Cosine of half the angle between the normals of a point and of its detour, 0.9, with a margin.
const HALF_DETOUR: f64 = 0.976;
