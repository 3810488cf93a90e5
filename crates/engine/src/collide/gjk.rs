//! Distance of two convex cores and its direction, to round-off (Gilbert, Johnson, Keerthi).
//!
//! The points of A − B form a convex set. Its point v nearest to the origin is searched on simplices of up to four
//! of its points. Each iteration adds the support point w of the set towards the origin. v is nearest once w
//! is no nearer: v·v − v·w ≤ 1e-15 v·v, or w is in the simplex already. Overlapping cores are passed to parry's
//! expanding polytope.

use super::bounds::Pose;
use super::geometry::{Convex, Core};
use glam::{DMat3, DVec2, DVec3};
use parry3d_f64::query::epa::EPA;
use parry3d_f64::query::gjk::{CsoPoint, GJKResult, VoronoiSimplex, closest_points};

/// The best separating direction of two cores, in the frame of the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    /// Unit, from the first to the second.
    pub normal: DVec3,
    /// Distance of the cores along it; negative if they overlap.
    pub gap: f64,
    /// The nearest points of the two cores.
    pub points: [DVec3; 2],
}

#[derive(Clone, Copy, Default)]
struct Vertex {
    /// a − b
    w: DVec3,
    a: DVec3,
    b: DVec3,
}

/// Iterations after which curved cores count as converged: their error falls by a constant factor in each.
const ROUNDS: usize = 100;

/// The distance of two cores, if it is positive. Beyond `enough` it is only a lower bound.
pub(crate) fn distance(a: &Convex, b: &Convex, rel: &Pose, enough: f64) -> Option<Axis> {
    let vertex = |d: DVec3| {
        let pa = a.support(d);
        let pb = rel.point(b.support(-rel.inward(d)));
        Vertex { w: pa - pb, a: pa, b: pb }
    };
    let mut simplex = [Vertex::default(); 4];
    simplex[0] = vertex(if rel.at == DVec3::ZERO { DVec3::X } else { rel.at });
    let (mut count, mut weights) = (1, [1.0, 0.0, 0.0, 0.0]);
    let mut v = simplex[0].w;
    let scale = a.size + b.size;
    // whether a plane was found that separates the origin from the set
    let mut apart = false;
    for _ in 0..ROUNDS {
        let near = v.length_squared();
        if near <= (1e-15 * scale) * (1e-15 * scale) {
            return None;
        }
        let new = vertex(-v);
        let along = v.dot(new.w);
        apart |= along > 0.0;
        // farther than required
        if along > 0.0 && along * along > enough * enough * near {
            let normal = -v / near.sqrt();
            return Some(Axis { normal, gap: along / near.sqrt(), points: [new.a, new.b] });
        }
        let again = simplex[..count].iter().any(|s| s.w == new.w);
        if again || near - along <= 1e-15 * near {
            break;
        }
        let mut grown = simplex;
        grown[count] = new;
        let (kept, w) = nearest(&mut grown, count + 1, apart);
        if kept == 4 {
            return None;
        }
        let next = blend(&grown, kept, &w, |s| s.w);
        // no progress beyond round-off
        if !(next.length_squared() < near) {
            break;
        }
        (simplex, count, weights, v) = (grown, kept, w, next);
    }
    let gap = v.length();
    if !apart || gap <= 1e-14 * scale {
        return None;
    }
    let points = [blend(&simplex, count, &weights, |s| s.a), blend(&simplex, count, &weights, |s| s.b)];
    let axis = Axis { normal: -v / gap, gap, points };
    let curved = matches!(a.core, Core::Discs(..)) || matches!(b.core, Core::Discs(..));
    Some(if curved { polished(a, b, rel, axis) } else { axis })
}

/// Simplices of points on a curve degenerate before they converge. From then on each point is projected onto the
/// other core in turn, which cannot increase the distance.
fn polished(a: &Convex, b: &Convex, rel: &Pose, axis: Axis) -> Axis {
    let back = rel.inverse();
    let [mut pa, mut pb] = axis.points;
    for _ in 0..ROUNDS {
        let last = (pa, pb);
        pb = rel.point(project(b, back.point(pa)));
        pa = project(a, pb);
        let moved = (pa - last.0).length_squared() + (pb - last.1).length_squared();
        let size = a.size + b.size;
        if moved <= (1e-15 * size) * (1e-15 * size) {
            break;
        }
    }
    let gap = pa.distance(pb);
    match gap > 0.0 && gap <= axis.gap * (1.0 + 1e-9) {
        true => Axis { normal: (pb - pa) / gap, gap, points: [pa, pb] },
        false => axis,
    }
}

/// The point of a core nearest to a point outside it.
pub(crate) fn project(c: &Convex, p: DVec3) -> DVec3 {
    match c.core {
        Core::Point => DVec3::ZERO,
        Core::Segment(half) => DVec3::new(0.0, 0.0, p.z.clamp(-half, half)),
        Core::Box(half) => p.clamp(-half, half),
        Core::Discs(radii, half) => {
            let across = (p.x * p.x + p.y * p.y).sqrt();
            let (x, y) = if across > 0.0 { (p.x / across, p.y / across) } else { (1.0, 0.0) };
            // in the half-plane through p the core is a quadrilateral: bottom, side, top
            let flat = DVec2::new(across, p.z);
            let corners = [(0.0, -half), (radii[0], -half), (radii[1], half), (0.0, half)].map(DVec2::from);
            let inside = (0..3).all(|k| (corners[k + 1] - corners[k]).perp_dot(flat - corners[k]) >= 0.0);
            let foot = |k: usize| {
                let (from, way) = (corners[k], corners[k + 1] - corners[k]);
                from + way * ((flat - from).dot(way) / way.length_squared()).clamp(0.0, 1.0)
            };
            let feet = [foot(0), foot(1), foot(2)];
            let best = feet
                .into_iter()
                .min_by(|m, n| flat.distance_squared(*m).total_cmp(&flat.distance_squared(*n)));
            let q = if inside { flat } else { best.unwrap_or(flat) };
            DVec3::new(q.x * x, q.x * y, q.y)
        }
        Core::Polyhedron => {
            let point = Pose { at: p, turn: DMat3::IDENTITY };
            distance(c, &Convex::POINT, &point, f64::INFINITY).map_or(p, |axis| axis.points[0])
        }
    }
}

fn blend(simplex: &[Vertex; 4], count: usize, weights: &[f64; 4], of: impl Fn(&Vertex) -> DVec3) -> DVec3 {
    (0..count).fold(DVec3::ZERO, |sum, k| sum + of(&simplex[k]) * weights[k])
}

/// Keeps the vertices of the simplex that span its point nearest to the origin; returns their number and weights.
fn nearest(simplex: &mut [Vertex; 4], count: usize, apart: bool) -> (usize, [f64; 4]) {
    let w = simplex.map(|s| s.w);
    let (mask, weights) = match count {
        2 => on_segment(w, [0, 1]),
        3 => on_triangle(w, [0, 1, 2]),
        _ => on_tetrahedron(w, apart),
    };
    let (mut kept, mut packed) = (0, [0.0; 4]);
    for k in 0..4 {
        if mask >> k & 1 == 1 {
            (simplex[kept], packed[kept]) = (simplex[k], weights[k]);
            kept += 1;
        }
    }
    (kept, packed)
}

/// Vertices used, as bits, and the weight of each.
type Hold = (u32, [f64; 4]);

fn on_segment(w: [DVec3; 4], [i, j]: [usize; 2]) -> Hold {
    let d = w[j] - w[i];
    let (t, length) = (-w[i].dot(d), d.length_squared());
    let mut weights = [0.0; 4];
    if t <= 0.0 {
        weights[i] = 1.0;
        (1 << i, weights)
    } else if t >= length {
        weights[j] = 1.0;
        (1 << j, weights)
    } else {
        // the smaller weight is measured from its own end, to avoid cancellation
        let s = t / length;
        (weights[i], weights[j]) = (1.0 - s, s);
        (1 << i | 1 << j, weights)
    }
}

fn on_triangle(w: [DVec3; 4], [i, j, k]: [usize; 3]) -> Hold {
    let (a, b, c) = (w[i], w[j], w[k]);
    let n = (b - a).cross(c - a);
    let nn = n.length_squared();
    // twice the areas of the triangles of the origin's projection with the edges
    let areas = [b.cross(c).dot(n), c.cross(a).dot(n), a.cross(b).dot(n)];
    if nn > 0.0 && areas.iter().all(|x| *x >= 0.0) {
        let mut weights = [0.0; 4];
        (weights[i], weights[j], weights[k]) = (areas[0] / nn, areas[1] / nn, areas[2] / nn);
        return (1 << i | 1 << j | 1 << k, weights);
    }
    best([on_segment(w, [i, j]), on_segment(w, [j, k]), on_segment(w, [i, k])], &w)
}

/// `apart` states that the origin is known to be outside, whatever the test of a flat tetrahedron yields.
fn on_tetrahedron(w: [DVec3; 4], apart: bool) -> Hold {
    let faces = [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]];
    let outside = faces.map(|[i, j, k, other]| {
        let n = (w[j] - w[i]).cross(w[k] - w[i]);
        let (origin, inner) = (-w[i].dot(n), (w[other] - w[i]).dot(n));
        // a flat tetrahedron has no interior
        apart || origin * inner <= 0.0
    });
    if outside.iter().all(|o| !o) {
        return (15, [0.25; 4]);
    }
    let hold = |f: usize| match outside[f] {
        true => on_triangle(w, [faces[f][0], faces[f][1], faces[f][2]]),
        false => (0, [f64::INFINITY; 4]),
    };
    best([hold(0), hold(1), hold(2), hold(3)], &w)
}

/// The nearest of several candidates; of equal ones the first.
fn best<const N: usize>(holds: [Hold; N], w: &[DVec3; 4]) -> Hold {
    let far = |h: &Hold| match h.0 {
        0 => f64::INFINITY,
        _ => (0..4).fold(DVec3::ZERO, |sum, k| sum + w[k] * h.1[k]).length_squared(),
    };
    holds.into_iter().min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or((1, [1.0, 0.0, 0.0, 0.0]))
}

/// The minimum translation that separates two overlapping cores.
pub(crate) fn overlap(a: &Convex, b: &Convex, rel: &Pose, epa: &mut EPA) -> Option<Axis> {
    let pose = rel.to_parry();
    let mut simplex = VoronoiSimplex::new();
    let towards = if rel.at == DVec3::ZERO { DVec3::X } else { rel.at.normalize() };
    simplex.reset(CsoPoint::from_shapes(&pose, a, b, towards));
    let (pa, pb, normal) = match closest_points(&pose, a, b, f64::MAX, true, &mut simplex) {
        GJKResult::ClosestPoints(pa, pb, normal) => (pa, pb, normal),
        GJKResult::Intersection => epa.closest_points(&pose, a, b, &simplex)?,
        _ => return None,
    };
    // flat cores that barely overlap may have no normal
    let sound = (normal.length_squared() - 1.0).abs() < 1e-9;
    sound.then(|| Axis { normal, gap: along(a, b, rel, normal), points: [pa, pb] })
}

/// Separation of two cores along a unit direction: at most their distance, which it attains for the best direction.
pub(crate) fn along(a: &Convex, b: &Convex, rel: &Pose, n: DVec3) -> f64 {
    let far = b.support(-rel.inward(n));
    rel.point(far).dot(n) - a.support(n).dot(n)
}
