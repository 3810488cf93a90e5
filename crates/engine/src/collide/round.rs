//! Contacts between spheres and capsules, and of spheres with boxes, in closed form.

use super::bounds::Pose;
use super::geometry::{Convex, Core};
use super::point::{Raw, mix};
use glam::DVec3;

/// Segments at less than this angle (its sine) make line contact.
const ALONG: f64 = 0.1;
/// Below this sine their nearest points are undefined.
const PARALLEL: f64 = 1e-6;

/// Adds the points of two pieces if there is a closed form for them; returns whether there is.
pub(crate) fn touch(raw: &mut Vec<Raw>, a: &Convex, b: &Convex, rel: &Pose, reach: f64, salt: u64) -> bool {
    let mut add = |pa: DVec3, pb: DVec3, name: u64| {
        let apart = pb - pa;
        let distance = apart.length();
        // coincident centres are separated in an arbitrary direction
        let normal = if distance > 0.0 { apart / distance } else { DVec3::Z };
        let gap = distance - a.radius - b.radius;
        if gap <= reach {
            let at = 0.5 * (pa + normal * a.radius + pb - normal * b.radius);
            raw.push(Raw { at, normal, gap, name: mix(salt, name) });
        }
    };
    match (a.core, b.core) {
        (Core::Point, Core::Point) => add(DVec3::ZERO, rel.at, 0),
        (Core::Point, Core::Segment(half)) => {
            let s = (-rel.at).dot(rel.turn.z_axis).clamp(-half, half);
            add(DVec3::ZERO, rel.at + rel.turn.z_axis * s, 0);
        }
        (Core::Segment(half), Core::Point) => add(DVec3::Z * rel.at.z.clamp(-half, half), rel.at, 0),
        (Core::Segment(ha), Core::Segment(hb)) => segments(ha, hb, rel, &mut add),
        (Core::Point, Core::Box(half)) => {
            let back = rel.inverse();
            if let Some(p) = outside_box(half, back.at) {
                add(DVec3::ZERO, rel.point(p), 0);
            } else {
                return false;
            }
        }
        (Core::Box(half), Core::Point) => match outside_box(half, rel.at) {
            Some(p) => add(p, rel.at, 0),
            None => return false,
        },
        _ => return false,
    }
    true
}

/// The point of a box nearest to one well outside it.
fn outside_box(half: DVec3, p: DVec3) -> Option<DVec3> {
    let nearest = p.clamp(-half, half);
    (nearest.distance(p) > 1e-9 * half.max_element()).then_some(nearest)
}

/// Two segments: their nearest points, and if they are nearly parallel, the ends of their common stretch.
fn segments(ha: f64, hb: f64, rel: &Pose, add: &mut impl FnMut(DVec3, DVec3, u64)) {
    let (d, e) = (DVec3::Z, rel.turn.z_axis);
    let cos = d.dot(e);
    let sin = d.cross(e).length();
    let on_a = |s: f64| d * s;
    let on_b = |s: f64| rel.at + e * s;
    let foot_a = |p: DVec3| p.dot(d).clamp(-ha, ha);
    let foot_b = |p: DVec3| (p - rel.at).dot(e).clamp(-hb, hb);
    let mut ends = [f64::NAN; 2];
    if sin < ALONG {
        // B's ends along A
        let (low, high) = (rel.at.z - hb * cos.abs(), rel.at.z + hb * cos.abs());
        let (from, to) = (low.max(-ha), high.min(ha));
        if to - from > 1e-3 * (ha + hb) {
            ends = [from, to];
            for (k, s) in ends.into_iter().enumerate() {
                let pb = on_b(foot_b(on_a(s)));
                add(on_a(foot_a(pb)), pb, 1 + k as u64);
            }
        }
    }
    let shared = !ends[0].is_nan();
    if shared && sin < PARALLEL {
        return;
    }
    // the nearest points of the lines, clamped to the segments
    let along = rel.at.dot(d) - rel.at.dot(e) * cos;
    let s = if sin > 1e-9 { along / (sin * sin) } else { 0.0 };
    let t = foot_b(on_a(s.clamp(-ha, ha)));
    let s = foot_a(on_b(t));
    let t = foot_b(on_a(s));
    let near_an_end = ends.into_iter().any(|end| (s - end).abs() < 1e-2 * (ha + hb));
    if !shared || !near_an_end {
        add(on_a(s), on_b(t), 0);
    }
}
