//! Contact reduction: keeps the corners of the patch and the deepest point, without duplicates.
//!
//! A body on finely meshed ground makes contact with each triangle below it. Of points with the same normal only the
//! vertices of their convex hull and the deepest matter. If there are still too many, the deepest is kept, and then
//! repeatedly the one farthest from those kept.

use super::point::Raw;
use glam::{DVec2, DVec3};

/// Points kept per pair.
pub(crate) const MOST: usize = 8;
/// Normals closer than this (distance of unit vectors) count as equal.
const SAME_WAY: f64 = 1e-4;
/// Patches thinner than this, relative to their length, are lines.
const SAME_PLACE: f64 = 1e-5;
/// Points closer than this, relative to the smaller collider, are merged: two boxes rotated against each other by
/// a tiny angle have two points at each corner, which would appear and disappear.
const ONE_PLACE: f64 = 1e-3;

/// Workspace of the reduction.
#[derive(Debug, Default)]
pub(crate) struct Reducer {
    flat: Vec<(DVec2, usize)>,
    hull: Vec<usize>,
    keep: Vec<bool>,
    taken: Vec<bool>,
    out: Vec<Raw>,
}

impl Reducer {
    /// Drops redundant points. Points of one convex pair are vertices already, those of others (`many`) may not be.
    /// Points that are close to each other relative to a size are merged.
    pub fn reduce(&mut self, points: &mut Vec<Raw>, many: bool, size: f64) {
        if many && points.len() > 1 {
            self.keep_corners(points, size);
        }
        merge(points, ONE_PLACE * size);
        if points.len() > MOST {
            self.keep_spread(points);
        }
    }

    /// Keeps, of each set of points with the same normal, the hull vertices and the deepest.
    fn keep_corners(&mut self, points: &mut Vec<Raw>, size: f64) {
        self.keep.clear();
        self.keep.resize(points.len(), false);
        self.taken.clear();
        self.taken.resize(points.len(), false);
        for first in 0..points.len() {
            if self.taken[first] {
                continue;
            }
            let normal = points[first].normal;
            let (x, y) = crate::math::across(normal);
            self.flat.clear();
            for (k, p) in points.iter().enumerate().skip(first) {
                if !self.taken[k] && p.normal.distance_squared(normal) < SAME_WAY * SAME_WAY {
                    self.taken[k] = true;
                    let at = p.at - points[first].at;
                    self.flat.push((DVec2::new(at.dot(x), at.dot(y)), k));
                }
            }
            hull(&mut self.flat, &mut self.hull);
            self.hull.iter().for_each(|k| self.keep[*k] = true);
            // an interior point counts if it is deeper than the vertices by more than round-off
            let gap = |k: &usize| points[*k].gap;
            let corners = self.hull.iter().map(gap).fold(f64::INFINITY, f64::min);
            let deepest = self.flat.iter().map(|f| f.1).min_by(|a, b| gap(a).total_cmp(&gap(b)));
            let counts = |k: &usize| gap(k) < corners - 1e-9 * size;
            deepest.filter(counts).into_iter().for_each(|k| self.keep[k] = true);
        }
        let mut keep = self.keep.iter();
        points.retain(|_| keep.next().copied().unwrap_or(false));
    }

    /// Keeps the deepest point, then repeatedly the one farthest from those kept.
    fn keep_spread(&mut self, points: &mut Vec<Raw>) {
        self.out.clear();
        let first = (0..points.len()).min_by(|a, b| points[*a].gap.total_cmp(&points[*b].gap)).unwrap_or(0);
        self.out.push(points.swap_remove(first));
        while self.out.len() < MOST && !points.is_empty() {
            let apart =
                |p: &Raw| self.out.iter().fold(f64::INFINITY, |m, o| m.min(p.at.distance_squared(o.at)));
            let mut best = (f64::NEG_INFINITY, 0);
            for (k, p) in points.iter().enumerate() {
                let far = apart(p);
                if far > best.0 {
                    best = (far, k);
                }
            }
            self.out.push(points.swap_remove(best.1));
        }
        points.clear();
        points.extend_from_slice(&self.out);
    }

    /// The area of the patch that points span, projected along the normal of the first.
    pub fn area(&mut self, points: &[Raw]) -> f64 {
        let Some(first) = points.first().filter(|_| points.len() > 2) else { return 0.0 };
        let (x, y) = crate::math::across(first.normal);
        self.flat.clear();
        self.flat.extend(points.iter().enumerate().map(|(k, p)| {
            let at = p.at - first.at;
            (DVec2::new(at.dot(x), at.dot(y)), k)
        }));
        hull(&mut self.flat, &mut self.hull);
        let at = |k: usize| {
            let at: DVec3 = points[self.hull[k % self.hull.len()]].at - first.at;
            DVec2::new(at.dot(x), at.dot(y))
        };
        0.5 * (0..self.hull.len()).fold(0.0, |sum, k| sum + at(k).perp_dot(at(k + 1)))
    }
}

/// Of points at one position with the same normal, keeps the deepest under the lowest name.
fn merge(points: &mut Vec<Raw>, near: f64) {
    let mut k = 0;
    while k < points.len() {
        let p = points[k];
        let same = |o: &Raw| {
            o.at.distance(p.at) <= near && o.normal.distance_squared(p.normal) < SAME_WAY * SAME_WAY
        };
        let other = (0..k).find(|j| same(&points[*j]));
        match other {
            Some(j) => {
                let name = p.name.min(points[j].name);
                if p.gap < points[j].gap {
                    points[j] = p;
                }
                points[j].name = name;
                points.remove(k);
            }
            None => k += 1,
        }
    }
}

/// The vertices of the convex hull of points in a plane, counterclockwise (Andrew's chain). Points on its
/// sides are not vertices.
fn hull(points: &mut [(DVec2, usize)], out: &mut Vec<usize>) {
    points.sort_unstable_by(|a, b| a.0.x.total_cmp(&b.0.x).then(a.0.y.total_cmp(&b.0.y)).then(a.1.cmp(&b.1)));
    out.clear();
    let n = points.len();
    if n < 3 {
        out.extend(points.iter().map(|p| p.1));
        return;
    }
    // `out` first holds indices into `points`
    let spread = points.iter().fold(0.0, |m: f64, p| m.max(p.0.distance_squared(points[0].0)));
    let turns = |a: usize, b: usize, c: usize| {
        (points[b].0 - points[a].0).perp_dot(points[c].0 - points[a].0) > SAME_PLACE * spread
    };
    for (start, k) in (0..n).map(|k| (0, k)).chain((0..n - 1).rev().map(|k| (1, k))) {
        // the lower chain ends with the last point; the upper one must not remove it
        let least = if start == 0 { 1 } else { out.iter().position(|p| *p == n - 1).map_or(1, |p| p + 1) };
        while out.len() > least && !turns(out[out.len() - 2], out[out.len() - 1], k) {
            out.pop();
        }
        out.push(k);
    }
    out.pop();
    out.iter_mut().for_each(|k| *k = points[*k].1);
}
