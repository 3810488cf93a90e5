//! Direction of least penetration of two convex pieces, in closed form where a face or the triangle's normal has it.
//!
//! ```text
//! n = arg max gap(n),      gap(n) = min over both pieces of the distance along n
//! ```
//!
//! over the face normals of both, and for a box that is pressed into a triangle over the common normals of edges too.

use super::bounds::Pose;
use super::geometry::{Convex, Core};
use super::gjk::{self, Axis};
use glam::DVec3;

/// The direction of least penetration of a triangle and a box if it is the triangle's normal, in closed form: no face
/// normal and no common normal of two edges has a smaller one. The expanding polytope finds the same in fifty times the
/// time.
pub(super) fn pressed(a: &Convex, b: &Convex, rel: &Pose, up: DVec3) -> Option<Axis> {
    let Core::Box(_) = b.core else { return None };
    let axis = snapped(a, b, rel, None, true)?;
    let is_pressed = axis.gap < -2.0 * VAGUE * a.size.min(b.size);
    if !(is_pressed && axis.normal.dot(up) > 1.0 - SAME) {
        return None;
    }
    let size = a.size + b.size;
    // a triangle has no face on its back
    if gjk::along(a, b, rel, -up) > axis.gap + 0.5e-9 * size {
        return None;
    }
    let corner = |k: usize| a.vertices[k];
    for edge in [corner(1) - corner(0), corner(2) - corner(1), corner(0) - corner(2)] {
        for axis_of_box in DVec3::AXES {
            let n = edge.cross(rel.turn * axis_of_box);
            let length = n.length();
            // parallel edges have no common normal
            if length > 1e-9 * size {
                let n = n / length;
                let gap = gjk::along(a, b, rel, n).max(gjk::along(a, b, rel, -n));
                if gap > axis.gap + 0.5e-9 * size {
                    return None;
                }
            }
        }
    }
    Some(axis)
}

/// Normals whose cosine is this close to 1 are equal.
const SAME: f64 = 1e-12;
/// Number of faces up to which all are tested where the distance gives no direction.
const FEW: usize = 100;
/// Distances below this, relative to the smaller piece, are too imprecise to give a direction.
pub(super) const VAGUE: f64 = 1e-6;
/// Displacement by which pieces are moved together to find one.
pub(super) const PRESS: f64 = 1e-4;

/// Of a direction and the normals of faces near it (of all, if it is vague), the one with the largest separation of the
/// cores; a face normal unless another direction is better by more than round-off.
pub(super) fn snapped(a: &Convex, b: &Convex, rel: &Pose, found: Option<Axis>, vague: bool) -> Option<Axis> {
    let gap = found.map_or(f64::NEG_INFINITY, |f| f.gap);
    let mut best: Option<(f64, DVec3)> = None;
    let mut attempt = |n: DVec3| {
        let gap = gjk::along(a, b, rel, n);
        if best.is_none_or(|(g, _)| gap > g) {
            best = Some((gap, n));
        }
    };
    let toward = found.map_or(rel.at.normalize_or(DVec3::Z), |f| f.normal);
    let mut of = |c: &Convex, pose: &Pose, sign: f64| {
        if let Core::Discs(..) = c.core {
            let z = pose.turn.z_axis;
            attempt(if z.dot(toward) < 0.0 { -z } else { z });
        }
        if vague && c.faces.len() <= FEW {
            c.faces.iter().for_each(|f| attempt(sign * (pose.turn * f.normal)));
        } else if let Some(f) = c.face_towards(pose.inward(toward * sign)) {
            attempt(sign * (pose.turn * f.normal));
        }
    };
    of(a, &Pose::IDENTITY, 1.0);
    of(b, rel, -1.0);
    match best {
        Some((g, n)) if g >= gap - 1e-9 * (a.size + b.size) => {
            let ends = || [a.support(n), rel.point(b.support(-rel.inward(n)))];
            Some(Axis { normal: n, gap: g, points: found.map_or_else(ends, |f| f.points) })
        }
        _ => found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::narrow::Narrow;
    use glam::{DMat3, DQuat};

    /// Numbers from -1 to 1.
    fn numbers() -> impl FnMut() -> f64 {
        let mut state = 1u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }
    }

    /// What is found in closed form is what the expanding polytope finds, bit for bit, whether a box lies flat or leans.
    #[test]
    fn a_box_pressed_into_a_triangle_has_the_axis_of_the_polytope() {
        let mut next = numbers();
        let mut narrow = Narrow::default();
        let mut triangle = Convex::triangle();
        let mut closed = 0;
        for k in 0..2000 {
            let height = 0.05 * next();
            let corners = [DVec3::ZERO, DVec3::new(0.2, 0.0, height), DVec3::new(0.2, 0.2, height * next())];
            let up = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
            triangle.set_triangle(corners, up, [0, 1, 2]);
            let half = DVec3::new(0.5 + 0.4 * next(), 0.5 + 0.4 * next(), 0.3 + 0.2 * next());
            let b = Convex::cuboid(half);
            // flat on the triangle, or leaning by up to 0.1 rad
            let lean = [0.0, 1e-9, 1e-6, 1e-3, 0.1][k % 5];
            let flat = DQuat::from_rotation_arc(DVec3::Z, up) * DQuat::from_rotation_z(3.0 * next());
            let turn = DQuat::from_rotation_x(lean * next()) * DQuat::from_rotation_y(lean * next()) * flat;
            let depth = libm::pow(10.0, -3.5 + 2.5 * next());
            let aside = DVec3::new(0.7 * next(), 0.7 * next(), 0.0);
            let at = corners[1] + aside + turn * DVec3::Z * (half.z - depth);
            let rel = Pose { at, turn: DMat3::from_quat(turn) };
            let slow = narrow.axis(&triangle, &b, &rel, 0.01);
            if let Some(fast) = pressed(&triangle, &b, &rel, up) {
                let slow = slow.expect("they overlap");
                assert_eq!((fast.normal, fast.gap), (slow.normal, slow.gap), "{k}");
                closed += 1;
            }
        }
        assert!(closed > 100, "{closed} in closed form");
    }
}
