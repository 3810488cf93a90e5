//! Scene queries of a world: ray and shape casts, overlaps, nearest points.
//!
//! They read Model and State alone and may be used at any time, between steps or before the first. Each prepares the
//! colliders whose boxes are concerned and keeps nothing, so `&World` is enough; many rays in one step are cheaper
//! through [`World::view`], which prepares the colliders once. Triggers are hit like other colliders; exclude them by
//! their groups. A mask of groups selects the colliders queried.

use crate::body::collider::ColliderRef;
use crate::body::shape::Shape;
use crate::collide::bounds::{Bounds, Pose};
use crate::collide::broad::Broad;
use crate::collide::geometry::{Convex, Core, Form};
use crate::collide::narrow::{Narrow, holds, triangle, triangles_near};
use crate::collide::point::Side;
use crate::model::Model;
use crate::slots::BodyId;
use crate::world::World;
use glam::{DQuat, DVec3};

/// Hit of a ray on a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The collider.
    pub part: ColliderRef,
    /// Its body.
    pub body: BodyId,
    /// Position in the world [m].
    pub point: DVec3,
    /// Unit normal of the surface there, against the ray. A ray that starts inside hits at once, with the normal
    /// opposite to it.
    pub normal: DVec3,
    /// Distance from the origin [m].
    pub distance: f64,
}

/// Hit of a moving shape on a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeHit {
    /// The collider.
    pub part: ColliderRef,
    /// Its body.
    pub body: BodyId,
    /// Contact point, world [m].
    pub point: DVec3,
    /// Unit normal, from the collider to the shape.
    pub normal: DVec3,
    /// Fraction of the motion at contact, 0 to 1.
    pub fraction: f64,
}

/// The point of a collider nearest to a given one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The collider.
    pub part: ColliderRef,
    /// Its body.
    pub body: BodyId,
    /// The point of its surface, world [m].
    pub point: DVec3,
    /// How far it is [m]; negative inside.
    pub distance: f64,
}

/// Colliders at their present poses, prepared for queries.
#[derive(Debug)]
pub struct QueryView<'a> {
    model: &'a Model,
    broad: Broad,
}

/// Shapes count as in contact from this distance on [m].
const TOUCH: f64 = 1e-9;
/// Advancement steps of a moving shape at most.
const ROUNDS: usize = 200;

impl World {
    /// Prepares all colliders at their present poses, for many queries.
    pub fn view(&self) -> QueryView<'_> {
        let mut broad = Broad::default();
        broad.place(&self.model, &self.state.bodies);
        broad.tighten();
        QueryView { model: &self.model, broad }
    }

    /// The first collider hit by a ray within a distance [m]; of several at one distance the lowest part.
    pub fn cast_ray(&self, origin: DVec3, direction: DVec3, reach: f64, mask: u32) -> Option<RayHit> {
        self.view().cast_ray(origin, direction, reach, mask)
    }

    /// Every collider hit by a ray within a distance [m], each at its first hit, in order of
    /// distance and part.
    pub fn cast_ray_all(&self, origin: DVec3, direction: DVec3, reach: f64, mask: u32) -> Vec<RayHit> {
        self.view().cast_ray_all(origin, direction, reach, mask)
    }

    /// The first collider hit by a shape that is translated from a pose without rotation. Colliders that it overlaps at
    /// the start are hit at once.
    pub fn cast_shape(
        &self,
        shape: &Shape,
        at: DVec3,
        turn: DQuat,
        motion: DVec3,
        mask: u32,
    ) -> Option<ShapeHit> {
        self.view().cast_shape(shape, at, turn, motion, mask)
    }

    /// The colliders that a shape at a pose touches or overlaps, in order.
    pub fn overlaps(&self, shape: &Shape, at: DVec3, turn: DQuat, mask: u32) -> Vec<ColliderRef> {
        self.view().overlaps(shape, at, turn, mask)
    }

    /// The nearest point of any collider within a distance [m].
    pub fn closest_point(&self, point: DVec3, reach: f64, mask: u32) -> Option<Nearest> {
        self.view().closest_point(point, reach, mask)
    }
}

impl QueryView<'_> {
    /// As [`World::cast_ray`].
    pub fn cast_ray(&self, origin: DVec3, direction: DVec3, reach: f64, mask: u32) -> Option<RayHit> {
        self.cast_ray_all(origin, direction, reach, mask).into_iter().next()
    }

    /// As [`World::cast_ray_all`].
    pub fn cast_ray_all(&self, origin: DVec3, direction: DVec3, reach: f64, mask: u32) -> Vec<RayHit> {
        let Some(d) = direction.try_normalize().filter(|_| origin.is_finite()) else { return Vec::new() };
        let mut narrow = Narrow::default();
        let moved = Form::Convex(Convex::sphere(0.0));
        let start = Pose { at: origin, turn: glam::DMat3::IDENTITY };
        let mut hits = Vec::new();
        for k in self.places(mask) {
            let Some(met) = self.meet(k, &moved, &start, d * reach, &mut narrow) else { continue };
            let (distance, along) = (met.fraction * reach, met.normal);
            let normal = if along.dot(d) < 0.0 { along } else { -d };
            hits.push(RayHit {
                part: met.part,
                body: met.body,
                point: origin + d * distance,
                normal,
                distance,
            });
        }
        hits.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.part.cmp(&b.part)));
        hits
    }

    /// As [`World::cast_shape`].
    pub fn cast_shape(
        &self,
        shape: &Shape,
        at: DVec3,
        turn: DQuat,
        motion: DVec3,
        mask: u32,
    ) -> Option<ShapeHit> {
        let moved = Form::of_shape(shape);
        let start = Pose::new(at, turn);
        let mut narrow = Narrow::default();
        let hits = self.places(mask).filter_map(|k| self.meet(k, &moved, &start, motion, &mut narrow));
        hits.min_by(|a, b| a.fraction.total_cmp(&b.fraction).then(a.part.cmp(&b.part)))
    }

    /// As [`World::overlaps`].
    pub fn overlaps(&self, shape: &Shape, at: DVec3, turn: DQuat, mask: u32) -> Vec<ColliderRef> {
        let form = Form::of_shape(shape);
        let pose = Pose::new(at, turn);
        let bounds = form.bounds().moved(&pose);
        let mut narrow = Narrow::default();
        let touches = |k: &usize| {
            let e = &self.broad.entries[*k];
            let near = matches!(*e.form, Form::Plane) || e.bounds.meets(&bounds);
            near && {
                narrow.raw.clear();
                narrow.touch(whole_of(&e.form, Pose::IDENTITY), whole_of(&form, e.pose.sees(&pose)), 0.0);
                !narrow.raw.is_empty()
            }
        };
        let mut parts: Vec<ColliderRef> =
            self.places(mask).filter(touches).map(|k| self.broad.entries[k].part).collect();
        parts.sort_unstable();
        parts
    }

    /// As [`World::closest_point`].
    pub fn closest_point(&self, point: DVec3, reach: f64, mask: u32) -> Option<Nearest> {
        let probe = Form::Convex(Convex::sphere(0.0));
        let pose = Pose { at: point, turn: glam::DMat3::IDENTITY };
        let mut narrow = Narrow::default();
        let mut best: Option<Nearest> = None;
        for k in self.places(mask) {
            let e = &self.broad.entries[k];
            narrow.raw.clear();
            narrow.touch(whole_of(&e.form, Pose::IDENTITY), whole_of(&probe, e.pose.sees(&pose)), reach);
            let nearest = narrow.raw.iter().min_by(|a, b| a.gap.total_cmp(&b.gap));
            let (Some(p), Some(body)) = (nearest, self.model.bodies.id(e.part.body as usize)) else {
                continue;
            };
            if best.is_none_or(|b| p.gap < b.distance) {
                let surface = point - e.pose.turn * p.normal * p.gap;
                best = Some(Nearest { part: e.part, body, point: surface, distance: p.gap });
            }
        }
        best
    }

    /// Indices of the colliders in any of the groups.
    fn places(&self, mask: u32) -> impl Iterator<Item = usize> {
        let groups = move |part: ColliderRef| {
            let body = self.model.bodies.at(part.body as usize);
            body.and_then(|b| b.colliders.get(part.collider as usize)).map_or(0, |c| c.groups)
        };
        let meant = move |k: &usize| {
            let e = &self.broad.entries[*k];
            !e.absent && groups(e.part) & mask != 0
        };
        (0..self.broad.entries.len()).filter(meant)
    }

    /// Hit of a moving form on a collider, by conservative advancement.
    fn meet(
        &self,
        k: usize,
        form: &Form,
        start: &Pose,
        motion: DVec3,
        narrow: &mut Narrow,
    ) -> Option<ShapeHit> {
        let e = &self.broad.entries[k];
        let length = motion.length();
        if !length.is_finite() {
            return None;
        }
        let swept = form.bounds().moved(start);
        let swept = swept.joined(&Bounds { low: swept.low + motion, high: swept.high + motion });
        if !matches!(*e.form, Form::Plane) && !e.bounds.meets(&swept.grown(TOUCH)) {
            return None;
        }
        let is_ray = matches!(form, Form::Convex(Convex { core: Core::Point, radius: 0.0, .. }));
        let answer = match &*e.form {
            Form::Convex(c) if is_ray && c.core == Core::Point => {
                Some(ray_on_ball(c, &e.pose, start.at, motion))
            }
            Form::Soup(_) | Form::Field(_) if is_ray => {
                Some(ray_on_triangles(&e.form, &e.pose, start.at, motion))
            }
            _ => None,
        };
        if let Some(answer) = answer {
            return self.hit(k, answer?);
        }
        let convex = |f: &Form| matches!(f, Form::Convex(_) | Form::Plane);
        let whole = convex(&e.form) && convex(form);
        let (mut done, mut last) = (0.0, None);
        for _ in 0..ROUNDS {
            let pose = Pose { at: start.at + motion * done, turn: start.turn };
            narrow.raw.clear();
            let rest = (1.0 - done) * length + TOUCH;
            narrow.touch(whole_of(&e.form, Pose::IDENTITY), whole_of(form, e.pose.sees(&pose)), rest);
            let (mut free, mut towards) = (f64::INFINITY, None);
            for p in &narrow.raw {
                let normal = e.pose.turn * p.normal;
                let closing = -normal.dot(motion);
                // grazing is no hit; overlap is
                if p.gap <= TOUCH && (closing > 0.0 || p.gap < -TOUCH) {
                    // this close, only the previous direction is precise
                    return self.hit(k, (done, e.pose.point(p.at), last.unwrap_or(normal)));
                }
                // for many pieces the nearest does not bound the arrival of the others
                let closing = if whole { closing } else { length };
                let way = (p.gap / closing).max(0.0);
                if closing > 0.0 && way < free {
                    (free, towards) = (way, Some(normal));
                }
            }
            done += free;
            if !(done <= 1.0) {
                return None;
            }
            last = towards;
        }
        None
    }

    fn hit(&self, k: usize, (fraction, point, normal): (f64, DVec3, DVec3)) -> Option<ShapeHit> {
        let part = self.broad.entries[k].part;
        let body = self.model.bodies.id(part.body as usize)?;
        Some(ShapeHit { part, body, point, normal, fraction })
    }
}

fn whole_of(form: &Form, pose: Pose) -> Side<'_> {
    Side { form, pose, number: 0 }
}

/// Hit of a ray on a sphere: fraction, point, normal.
fn ray_on_ball(c: &Convex, pose: &Pose, origin: DVec3, motion: DVec3) -> Option<(f64, DVec3, DVec3)> {
    let from = origin - pose.at;
    let (a, b, q) = (motion.length_squared(), from.dot(motion), from.length_squared() - c.radius * c.radius);
    if q <= 0.0 {
        return Some((0.0, origin, -motion.normalize_or_zero()));
    }
    let root = b * b - a * q;
    if !(root >= 0.0 && b < 0.0) {
        return None;
    }
    // the nearer of the two roots, written without cancellation
    let s = q / (-b + root.sqrt());
    let point = origin + motion * s;
    (s <= 1.0).then(|| (s, point, (point - pose.at) / c.radius))
}

/// The same for triangles, each from its front side.
fn ray_on_triangles(form: &Form, pose: &Pose, origin: DVec3, motion: DVec3) -> Option<(f64, DVec3, DVec3)> {
    let (from, way) = (pose.inward(origin - pose.at), pose.inward(motion));
    let mut near = Vec::new();
    triangles_near(form, &Bounds::of([from, from + way]), &mut near);
    let mut best: Option<(f64, DVec3)> = None;
    for t in near.into_iter().filter_map(|k| triangle(form, k)) {
        let closing = -way.dot(t.normal);
        let s = (from - t.corners[0]).dot(t.normal) / closing;
        if closing > 0.0
            && (0.0..=1.0).contains(&s)
            && best.is_none_or(|b| s < b.0)
            && holds(&t, from + way * s)
        {
            best = Some((s, t.normal));
        }
    }
    best.map(|(s, normal)| (s, origin + motion * s, pose.turn * normal))
}
