//! Pipes: control points of the text become a smooth curve, capsules as collision shapes, and a closed tube for visual
//! and mass.
//!
//! ```text
//!  curve      C(u) = Σ Bᵢ(u) Pᵢ       clamped cubic B-spline: ends at the first and last point, tangent to the polygon
//!  chords     halved until none deviates from the curve by more than a fraction of the radius
//!  tube       rings of n vertices perpendicular to the chords, with radius r √(2π/(n sin 2π/n)): the area of a circle
//! ```

use super::Builder;
use crate::number::{Length, Number, Numbers, Size};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use toml::Spanned;
use windlass_engine::prelude::{Geometry, Shape};

/// Maximum number of control points.
const MOST_POINTS: usize = 200;
/// Maximum number of halvings between two knots, so that a pipe has at most 6400 capsules.
const DEEPEST: u32 = 5;
/// Maximum deviation of a capsule from the curve, as a fraction of the radius: not visible, and negligible for rolling
/// bodies.
const ROUGHNESS: f64 = 0.02;
/// Vertices of a ring.
const SIDES: usize = 16;

/// A pipe: its visual and mass, and its collision shapes with positions in the pipe's frame.
pub(super) struct Pipe {
    pub tube: Geometry,
    pub capsules: Vec<(Shape, DVec3, DQuat)>,
}

impl Builder {
    /// A checked pipe.
    pub(super) fn pipe(
        &mut self,
        points: &Spanned<Vec<Numbers<Length>>>,
        radius: &Number<Size>,
    ) -> Option<Pipe> {
        let p = &mut self.problems;
        let count = points.get_ref().len();
        if !(2..=MOST_POINTS).contains(&count) {
            let help = format!("give 2 to {MOST_POINTS}: [[x, y, z], [x, y, z]]");
            p.advise(points.span(), format!("`points` has {count} entries"), help);
            return None;
        }
        let controls: Vec<_> = points.get_ref().iter().map(|n| p.vector("points", n)).collect();
        let (controls, radius) =
            (controls.into_iter().collect::<Option<Vec<_>>>(), p.number("radius", radius));
        let (controls, radius) = (controls?, radius?);
        let line = chords(&controls, ROUGHNESS * radius);
        if line.len() < 2 {
            p.advise(points.span(), "`points` has no length", "give different points");
            return None;
        }
        let tube = tube(&line, radius);
        if let Err(e) = tube.check() {
            p.push(points.span(), e.to_string(), Some("bend it less sharply, or make it thinner".to_owned()));
            return None;
        }
        let capsule = |ends: &[DVec3]| {
            let way = ends[1] - ends[0];
            let shape = Shape::Capsule { radius, half_length: 0.5 * way.length() };
            let turn = DQuat::from_rotation_arc(DVec3::Z, way.normalize_or(DVec3::Z));
            (shape, 0.5 * (ends[0] + ends[1]), turn)
        };
        let capsules = line.windows(2).map(capsule).collect();
        Some(Pipe { tube: Geometry::Solid(tube), capsules })
    }
}

/// Points along the curve, with at most the given deviation between them; no two in a row are equal.
fn chords(controls: &[DVec3], error: f64) -> Vec<DVec3> {
    let spline = Spline::new(controls);
    let mut points = vec![controls[0]];
    for span in 0..spline.spans() {
        let (from, to) = (span as f64, (span + 1) as f64);
        halve(&spline, [from, to], [spline.at(from), spline.at(to)], (error, DEEPEST), &mut points);
    }
    points.dedup_by(|a, b| a.distance(*b) <= 1e-9 * error);
    points
}

/// Adds points after the first of an interval up to its last.
fn halve(
    spline: &Spline<'_>,
    [from, to]: [f64; 2],
    ends: [DVec3; 2],
    (error, left): (f64, u32),
    out: &mut Vec<DVec3>,
) {
    let way = (ends[1] - ends[0]).normalize_or_zero();
    let off = |part: f64| {
        let arm = spline.at(from + part * (to - from)) - ends[0];
        (arm - way * arm.dot(way)).length()
    };
    if left == 0 || [0.25, 0.5, 0.75].into_iter().all(|part| off(part) <= error) {
        out.push(ends[1]);
        return;
    }
    let middle = 0.5 * (from + to);
    let at = spline.at(middle);
    halve(spline, [from, middle], [ends[0], at], (error, left - 1), out);
    halve(spline, [middle, to], [at, ends[1]], (error, left - 1), out);
}

/// A clamped B-spline with knots at whole numbers.
struct Spline<'a> {
    controls: &'a [DVec3],
    degree: usize,
}

impl Spline<'_> {
    /// Cubic; of lower degree for fewer points.
    fn new(controls: &[DVec3]) -> Spline<'_> {
        Spline { controls, degree: 3.min(controls.len() - 1) }
    }

    /// The number of intervals between knots.
    fn spans(&self) -> usize {
        self.controls.len() - self.degree
    }

    /// The point at a parameter from 0 to the number of intervals, by de Boor's algorithm.
    fn at(&self, u: f64) -> DVec3 {
        let (d, last) = (self.degree, self.spans());
        let span = (u as usize).min(last - 1);
        let knot = |k: usize| k.saturating_sub(d).min(last) as f64;
        let mut points: [DVec3; 4] = std::array::from_fn(|k| self.controls[(span + k).min(span + d)]);
        for round in 1..=d {
            for k in (round..=d).rev() {
                let (low, high) = (knot(span + k), knot(span + k + 1 + d - round));
                let part = (u - low) / (high - low);
                points[k] = points[k - 1] * (1.0 - part) + points[k] * part;
            }
        }
        points[d]
    }
}

/// A closed tube about a polyline.
fn tube(line: &[DVec3], radius: f64) -> Shape {
    let corners = SIDES as f64;
    let radius = radius * (TAU / (corners * libm::sin(TAU / corners))).sqrt();
    let last = line.len() - 1;
    let way = |k: usize| (line[k + 1] - line[k]).normalize_or(DVec3::Z);
    let mut side = way(0).any_orthonormal_vector();
    let mut vertices = Vec::with_capacity(line.len() * SIDES + 2);
    for (k, at) in line.iter().enumerate() {
        let (before, after) = (way(k.saturating_sub(1)), way(k.min(last - 1)));
        // where two chords meet, the ring is in the bisecting plane
        let along = (before + after).normalize_or(after);
        side = (side - along * side.dot(along)).normalize_or(along.any_orthonormal_vector());
        let other = along.cross(side);
        vertices.extend((0..SIDES).map(|j| {
            let (sin, cos) = libm::sincos(TAU * j as f64 / corners);
            *at + (side * cos + other * sin) * radius
        }));
    }
    let corner = |ring: usize, j: usize| (ring * SIDES + j % SIDES) as u32;
    let mut triangles = Vec::with_capacity(2 * line.len() * SIDES);
    for ring in 0..last {
        for j in 0..SIDES {
            let [a, b] = [corner(ring, j), corner(ring, j + 1)];
            let [c, d] = [corner(ring + 1, j), corner(ring + 1, j + 1)];
            triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    // end caps
    let first = vertices.len() as u32;
    vertices.extend([line[0], line[last]]);
    for j in 0..SIDES {
        triangles.push([first, corner(0, j + 1), corner(0, j)]);
        triangles.push([first + 1, corner(last, j), corner(last, j + 1)]);
    }
    Shape::Mesh { vertices, triangles }
}

#[cfg(test)]
mod tests {
    use super::*;
    use windlass_engine::prelude::Mass;

    /// The curve ends at the end points, tangent to the polygon; in the middle of seven evenly spaced points it follows
    /// the uniform basis.
    #[test]
    fn a_spline_is_clamped_and_cubic() {
        let controls: Vec<DVec3> = [0.0, 1.0, 0.0, 2.0, 5.0, -1.0, 3.0]
            .iter()
            .enumerate()
            .map(|(k, y)| DVec3::new(k as f64, *y, 0.0))
            .collect();
        let spline = Spline::new(&controls);
        assert_eq!(spline.spans(), 4);
        assert_eq!((spline.at(0.0), spline.at(4.0)), (controls[0], controls[6]));
        let start = (spline.at(1e-6) - spline.at(0.0)).normalize();
        assert!(start.distance((controls[1] - controls[0]).normalize()) < 1e-5);
        // inside, the uniform basis: (P₂ + 4 P₃ + P₄)/6
        let middle = (controls[2] + controls[3] * 4.0 + controls[4]) / 6.0;
        assert!(spline.at(2.0).distance(middle) < 1e-12);
        // two points give a straight line, three a parabola
        assert_eq!(Spline::new(&controls[..2]).at(0.25), DVec3::new(0.25, 0.25, 0.0));
        assert_eq!(Spline::new(&controls[..3]).at(0.5), DVec3::new(1.0, 0.5, 0.0));
    }

    /// The volume of the mesh is the cross-section times the length of the curve.
    #[test]
    fn a_tube_has_its_volume() {
        let controls = [DVec3::ZERO, DVec3::X * 2.0, DVec3::new(3.0, 2.0, 0.0), DVec3::new(3.0, 2.0, 4.0)];
        let line = chords(&controls, 0.001);
        let length: f64 = line.windows(2).map(|p| p[0].distance(p[1])).sum();
        let shape = tube(&line, 0.05);
        shape.check().expect("closed, inside in");
        let mass = Mass::of(&shape, 1000.0).expect("a solid").mass;
        let round = 1000.0 * std::f64::consts::PI * 0.05 * 0.05 * length;
        assert!((mass / round - 1.0).abs() < 5e-3, "{mass} {round}");
    }
}
