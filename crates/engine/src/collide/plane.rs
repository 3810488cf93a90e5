//! Contacts of a half-space with any form: the vertices within a distance of it.
//!
//! For cylinders and cones these are the lowest point of each rim and, when they stand, four fixed points of the
//! rim as well; for a capsule its ends. So a cylinder stands on four points and lies on two.

use super::bounds::Pose;
use super::clip::{lowest, rim};
use super::geometry::{Convex, Core, Form};
use super::point::{Raw, Side, mix};
use glam::DVec3;

/// Adds the points of a form on a half-space. `second` states that the half-space is the second of the pair.
pub(crate) fn touch(raw: &mut Vec<Raw>, plane: &Pose, form: &Form, side: &Side, reach: f64, second: bool) {
    let up = plane.turn.z_axis;
    let normal = if second { -up } else { up };
    let mut add = |p: DVec3, radius: f64, name: u64| {
        let gap = (p - plane.at).dot(up) - radius;
        if gap <= reach {
            let at = p - up * (radius + 0.5 * gap);
            raw.push(Raw { at, normal, gap, name: mix(side.number, name) });
        }
    };
    match form {
        Form::Convex(c) => convex(c, &side.pose, up, &mut add),
        Form::Soup(soup) => soup.corners(|name, p| add(side.pose.point(p), 0.0, u64::from(name))),
        Form::Field(field) => field.corners(|name, p| add(side.pose.point(p), 0.0, u64::from(name))),
        Form::Plane | Form::Pieces(_) => {}
    }
}

fn convex(c: &Convex, pose: &Pose, up: DVec3, add: &mut impl FnMut(DVec3, f64, u64)) {
    let Core::Discs(radii, half) = c.core else {
        for (k, v) in c.vertices.iter().enumerate() {
            add(pose.point(*v), c.radius, k as u64);
        }
        return;
    };
    let down = pose.inward(-up);
    for end in [0, 1] {
        let z = if end == 0 { -half } else { half };
        let name = 8 * end as u64;
        let at = |(x, y): (f64, f64)| pose.point(DVec3::new(radii[end] * x, radii[end] * y, z));
        if radii[end] == 0.0 {
            add(at((0.0, 0.0)), 0.0, name);
            continue;
        }
        // it stands on this end, at less than 60° from upright
        let stands = down.z * z > 0.5 * half;
        if stands {
            (0..4).for_each(|k| add(at(rim(4 * k)), 0.0, name + u64::from(k)));
        }
        if let Some(azimuth) = lowest(down)
            && !(stands && (0..4).any(|k| near(rim(4 * k), azimuth)))
        {
            add(at(azimuth), 0.0, name + 4);
        }
    }
}

/// Whether two directions are nearly equal.
fn near(a: (f64, f64), b: (f64, f64)) -> bool {
    a.0 * b.0 + a.1 * b.1 > 0.0 && (a.0 * b.1 - a.1 * b.0).abs() < super::clip::AT_CORNER
}
