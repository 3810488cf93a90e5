//! A shape → its surface as flat faces with normals at their corners.
//!
//! Round shapes are surfaces of revolution about z: `segments` faces around, normals of the analytic surface. Hulls and
//! meshes keep their triangles; at each corner the normals of neighbours that bend less than 40° are blended
//! by the angle at the corner, so that an imported ball looks round and an imported box keeps its edges.
//! Faces are convex and run counterclockwise seen from outside.

use glam::{DQuat, DVec3};
use std::collections::BTreeMap;
use windlass_engine::body::hull::hull;
use windlass_engine::body::points::ShapeError;
use windlass_engine::body::shape::Shape;

/// Cosine of the angle above which an edge between triangles stays sharp.
const SHARP: f64 = 0.766;

/// A surface of flat faces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Corners [m]; a point on an edge may be there several times, with the normal of each side.
    pub positions: Vec<DVec3>,
    /// Unit normals, outward.
    pub normals: Vec<DVec3>,
    /// Convex faces as indices of three or more corners, counterclockwise seen from outside.
    pub faces: Vec<Vec<u32>>,
}

/// A point of a profile: radius and height [m], and the normal outward and upward.
type Station = [f64; 4];

impl Surface {
    /// The surface of a shape in its own frame, with `segments` faces (at least 6) around what is round.
    ///
    /// # Errors
    /// If the shape is not a solid.
    pub fn of(shape: &Shape, segments: usize) -> Result<Surface, ShapeError> {
        shape.check()?;
        let n = segments.max(6);
        Ok(match shape {
            Shape::Sphere { radius } => turned(&arc(*radius, 0.0, -1.0, 1.0, n), n),
            Shape::Box { half } => cuboid(*half),
            Shape::Cylinder { radius, half_length } => rod(*radius, *half_length, n),
            Shape::Capsule { radius, half_length } => {
                let mut profile = arc(*radius, -half_length, -1.0, 0.0, n);
                profile.extend(arc(*radius, *half_length, 0.0, 1.0, n));
                turned(&profile, n)
            }
            Shape::Cone { radius, half_height } => {
                let side = DVec3::new(2.0 * half_height, 0.0, *radius).normalize();
                let profile = [[*radius, -half_height, side.x, side.z], [0.0, *half_height, side.x, side.z]];
                let mut cone = turned(&profile, n);
                cone.add_lid(*radius, -half_height, n, -1.0);
                cone
            }
            Shape::Convex { points } => {
                let (vertices, triangles) = hull(points)?;
                blended(&vertices, &triangles)
            }
            Shape::Mesh { vertices, triangles } => blended(vertices, triangles),
            Shape::Compound { parts } => {
                let mut whole = Surface::default();
                for (at, orientation, part) in parts {
                    whole.add(&Surface::of(part, n)?.moved(*at, *orientation));
                }
                whole
            }
        })
    }

    /// The surface rotated and then translated.
    pub fn moved(mut self, at: DVec3, orientation: DQuat) -> Surface {
        self.positions.iter_mut().for_each(|p| *p = at + orientation * *p);
        self.normals.iter_mut().for_each(|n| *n = orientation * *n);
        self
    }

    /// The faces cut into triangles.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.faces.iter().flat_map(|face| (2..face.len()).map(|i| [face[0], face[i - 1], face[i]]))
    }

    /// Appends another surface.
    fn add(&mut self, other: &Surface) {
        let first = self.positions.len() as u32;
        self.positions.extend(&other.positions);
        self.normals.extend(&other.normals);
        self.faces.extend(other.faces.iter().map(|face| face.iter().map(|i| i + first).collect()));
    }

    /// Adds a flat disc with its normal along z × `side`.
    fn add_lid(&mut self, radius: f64, z: f64, segments: usize, side: f64) {
        let first = self.positions.len() as u32;
        let rim = (0..segments).map(|j| spoke(j as f64, segments, radius, z));
        self.positions.extend(rim);
        self.normals.extend((0..segments).map(|_| DVec3::Z * side));
        let around = first..first + segments as u32;
        self.faces.push(if side > 0.0 { around.collect() } else { around.rev().collect() });
    }
}

/// A cylinder about z with lids.
pub(crate) fn rod(radius: f64, half_length: f64, segments: usize) -> Surface {
    let profile = [[radius, -half_length, 1.0, 0.0], [radius, half_length, 1.0, 0.0]];
    let mut rod = turned(&profile, segments);
    rod.add_lid(radius, -half_length, segments, -1.0);
    rod.add_lid(radius, half_length, segments, 1.0);
    rod
}

/// The point j segments around at a radius and height.
fn spoke(j: f64, segments: usize, radius: f64, z: f64) -> DVec3 {
    let (sin, cos) = libm::sincos(std::f64::consts::TAU * (j / segments as f64));
    DVec3::new(radius * cos, radius * sin, z)
}

/// Part of a circle about height `z`, from `low` to `high` in units of 90° from the equator.
fn arc(radius: f64, z: f64, low: f64, high: f64, n: usize) -> Vec<Station> {
    // as fine from pole to pole as around
    let steps = (((high - low) * n as f64 / 4.0).ceil() as usize).max(2);
    let at = |i: usize| {
        let quarters = low + (high - low) * i as f64 / steps as f64;
        let (sin, cos) = libm::sincos(quarters * std::f64::consts::FRAC_PI_2);
        // the poles are on the axis bitwise
        let cos = if cos < 1e-9 { 0.0 } else { cos };
        [radius * cos, z + radius * sin, cos, sin]
    };
    (0..=steps).map(at).collect()
}

/// A profile from low to high turned about z, without lids.
fn turned(profile: &[Station], segments: usize) -> Surface {
    let mut surface = Surface::default();
    for &[radius, z, out, up] in profile {
        // a point on the axis has the normal of the middle of each face around it
        let offset = if radius == 0.0 { 0.5 } else { 0.0 };
        for j in 0..segments {
            surface.positions.push(spoke(j as f64, segments, radius, z));
            surface.normals.push(spoke(j as f64 + offset, segments, out, up));
        }
    }
    let n = segments as u32;
    for (ring, pair) in profile.windows(2).enumerate() {
        for j in 0..n {
            let [low, high] = [ring as u32 * n, (ring as u32 + 1) * n];
            let next = (j + 1) % n;
            let mut face = vec![low + j, low + next, high + next, high + j];
            if pair[0][0] == 0.0 {
                face.remove(1);
            } else if pair[1][0] == 0.0 {
                face.remove(2);
            }
            surface.faces.push(face);
        }
    }
    surface
}

fn cuboid(half: DVec3) -> Surface {
    let mut surface = Surface::default();
    for axis in 0..3 {
        for side in [1.0, -1.0] {
            let [normal, a, b] = [0, 1, 2].map(|i| DVec3::AXES[(axis + i) % 3]);
            let first = surface.positions.len() as u32;
            for (u, v) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
                surface.positions.push(half * (normal * side + a * u * side + b * v));
                surface.normals.push(normal * side);
            }
            surface.faces.push((first..first + 4).collect());
        }
    }
    surface
}

/// Triangles with normals blended over smooth edges.
fn blended(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Surface {
    let flat: Vec<DVec3> = triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|i| vertices[i as usize]);
            (b - a).cross(c - a).normalize_or_zero()
        })
        .collect();
    // triangles at each vertex, with their angle there
    let mut around: Vec<Vec<(usize, f64)>> = vec![Vec::new(); vertices.len()];
    for (t, corners) in triangles.iter().enumerate() {
        for i in 0..3 {
            let [a, b, c] = [i, i + 1, i + 2].map(|j| vertices[corners[j % 3] as usize]);
            let [u, v] = [b - a, c - a].map(DVec3::normalize_or_zero);
            around[corners[i] as usize].push((t, libm::acos(u.dot(v).clamp(-1.0, 1.0))));
        }
    }
    let mut surface = Surface::default();
    let mut known = BTreeMap::new();
    for (t, corners) in triangles.iter().enumerate() {
        let face = corners.map(|vertex| {
            let beside =
                around[vertex as usize].iter().filter(|(other, _)| flat[*other].dot(flat[t]) > SHARP);
            let sum: DVec3 = beside.map(|(other, angle)| flat[*other] * *angle).sum();
            // a degenerate triangle takes any direction
            let normal = sum.try_normalize().or(flat[t].try_normalize()).unwrap_or(DVec3::Z);
            *known.entry((vertex, normal.to_array().map(f64::to_bits))).or_insert_with(|| {
                surface.positions.push(vertices[vertex as usize]);
                surface.normals.push(normal);
                surface.positions.len() as u32 - 1
            })
        });
        surface.faces.push(face.to_vec());
    }
    surface
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn volume(surface: &Surface) -> f64 {
        let six = |t: [u32; 3]| {
            let [a, b, c] = t.map(|i| surface.positions[i as usize]);
            a.dot(b.cross(c))
        };
        surface.triangles().map(six).sum::<f64>() / 6.0
    }

    /// Faces look outward where their normals do, normals are unit, and every edge has two sides.
    fn checked(shape: &Shape, segments: usize) -> Surface {
        let surface = Surface::of(shape, segments).unwrap();
        let bits = |i: u32| surface.positions[i as usize].to_array().map(|x| (x + 0.0).to_bits());
        let mut edges: BTreeMap<_, i32> = BTreeMap::new();
        for face in &surface.faces {
            let [a, b, c] = [0, 1, 2].map(|i| surface.positions[face[i] as usize]);
            let normal = (b - a).cross(c - b).normalize();
            for (i, &corner) in face.iter().enumerate() {
                assert!((surface.normals[corner as usize].length() - 1.0).abs() < 1e-9);
                assert!(surface.normals[corner as usize].dot(normal) > 0.5, "{shape:?}");
                let [from, to] = [bits(corner), bits(face[(i + 1) % face.len()])];
                *edges.entry((from.min(to), from.max(to))).or_default() += if from < to { 1 } else { -1 };
            }
        }
        assert!(edges.values().all(|&count| count == 0), "{shape:?} is open");
        surface
    }

    #[test]
    fn round_shapes_are_closed_and_come_close_to_their_volume() {
        let (radius, half) = (0.7, 1.2);
        let exact = [
            (Shape::Sphere { radius }, 4.0 / 3.0 * PI * radius.powi(3)),
            (Shape::Cylinder { radius, half_length: half }, PI * radius * radius * 2.0 * half),
            (Shape::Cone { radius, half_height: half }, PI * radius * radius * 2.0 * half / 3.0),
            (
                Shape::Capsule { radius, half_length: half },
                PI * radius * radius * (2.0 * half + 4.0 / 3.0 * radius),
            ),
        ];
        for (shape, volume_of) in exact {
            let ratio = |n| volume(&checked(&shape, n)) / volume_of;
            // the error of inscribed faces falls with the square of their number
            assert!(ratio(32) < 1.0 && ratio(32) > 0.97, "{shape:?} {}", ratio(32));
            assert!((1.0 - ratio(64)) * 3.5 < 1.0 - ratio(32), "{shape:?}");
        }
    }

    #[test]
    fn boxes_hulls_meshes_and_compounds_have_their_volume() {
        let cuboid = Shape::Box { half: DVec3::new(1.0, 2.0, 3.0) };
        assert!((volume(&checked(&cuboid, 8)) - 48.0).abs() < 1e-12);
        let points = Surface::of(&cuboid, 8).unwrap().positions;
        assert!((volume(&checked(&Shape::Convex { points }, 8)) - 48.0).abs() < 1e-9);
        let orientation = DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8);
        let parts =
            vec![(DVec3::X * 9.0, orientation, cuboid.clone()), (DVec3::ZERO, DQuat::IDENTITY, cuboid)];
        assert!((volume(&Surface::of(&Shape::Compound { parts }, 8).unwrap()) - 96.0).abs() < 1e-9);
    }

    #[test]
    fn blending_rounds_a_ball_and_keeps_the_edges_of_a_box() {
        let merged = |surface: &Surface| hull(&surface.positions).unwrap();
        let (vertices, triangles) = merged(&Surface::of(&Shape::Sphere { radius: 1.0 }, 24).unwrap());
        let ball = checked(&Shape::Mesh { vertices: vertices.clone(), triangles }, 8);
        assert_eq!(ball.positions.len(), vertices.len());
        assert!(ball.positions.iter().zip(&ball.normals).all(|(p, n)| p.dot(*n) > 0.999));
        let (vertices, triangles) = merged(&cuboid(DVec3::ONE));
        assert_eq!(blended(&vertices, &triangles).positions.len(), 24);
    }

    #[test]
    fn what_is_no_solid_is_refused() {
        assert!(Surface::of(&Shape::Sphere { radius: f64::NAN }, 8).is_err());
        assert!(Surface::of(&Shape::Convex { points: vec![DVec3::ZERO; 9] }, 8).is_err());
    }
}
