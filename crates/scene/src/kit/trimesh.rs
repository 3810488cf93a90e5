//! Closed triangle meshes from bars, blocks, solids of revolution, prisms and swept circles.
//!
//! Faces are counterclockwise seen from outside. A mesh may consist of several closed parts that overlap.

use glam::{DQuat, DVec2, DVec3};
use std::f64::consts::TAU;
use windlass_engine::prelude::Shape;

/// A triangle mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trimesh {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// Corners of a block, by bits: x, y, z.
const FACES: [[u32; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

impl Trimesh {
    /// As a shape.
    pub fn shape(self) -> Shape {
        Shape::Mesh { vertices: self.vertices, triangles: self.triangles }
    }

    /// The number of its vertices.
    pub fn vertices(&self) -> usize {
        self.vertices.len()
    }

    /// Moves everything that was added since a number of vertices.
    pub fn place_from(&mut self, first: usize, at: DVec3, orientation: DQuat) {
        self.vertices[first..].iter_mut().for_each(|v| *v = at + orientation * *v);
    }

    /// Appends a mesh at a pose.
    pub fn add(&mut self, other: &Trimesh, at: DVec3, orientation: DQuat) {
        let first = self.vertices.len();
        self.vertices.extend(&other.vertices);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|k| k + first as u32)));
        self.place_from(first, at, orientation);
    }

    fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.triangles.extend([[a, b, c], [a, c, d]]);
    }

    /// A block with edges along the axes.
    pub fn block(&mut self, center: DVec3, size: DVec3) {
        let first = self.vertices.len() as u32;
        for corner in 0..8 {
            let sign = |bit: u32| if corner >> bit & 1 == 1 { 0.5 } else { -0.5 };
            self.vertices.push(center + size * DVec3::new(sign(0), sign(1), sign(2)));
        }
        FACES.into_iter().for_each(|face| self.quad(face.map(|k| first + k)));
    }

    /// A round bar between two points.
    pub fn bar(&mut self, from: DVec3, to: DVec3, radius: f64, sides: u32) {
        self.sweep(&[(from, radius), (to, radius)], sides);
    }

    /// A bar of square section between two points.
    pub fn square_bar(&mut self, from: DVec3, to: DVec3, width: f64) {
        let first = self.vertices.len();
        self.block(DVec3::ZERO, DVec3::new(width, width, from.distance(to)));
        let turn = DQuat::from_rotation_arc(DVec3::Z, (to - from).normalize_or(DVec3::Z));
        self.place_from(first, 0.5 * (from + to), turn);
    }

    /// A circle swept along points, with its radius at each; the ends are closed.
    pub fn sweep(&mut self, path: &[(DVec3, f64)], sides: u32) {
        let first = self.vertices.len() as u32;
        let count = path.len();
        let mut across = DVec3::ZERO;
        for (k, (at, radius)) in path.iter().enumerate() {
            let along = (path[(k + 1).min(count - 1)].0 - path[k.saturating_sub(1)].0).normalize_or(DVec3::Z);
            // the frame turns with the path, without twist
            across = (across - along * across.dot(along)).normalize_or(along.any_orthonormal_vector());
            let other = along.cross(across);
            for side in 0..sides {
                let (sin, cos) = libm::sincos(TAU * f64::from(side) / f64::from(sides));
                self.vertices.push(*at + *radius * (across * cos + other * sin));
            }
        }
        self.rings(first, count as u32, sides, false);
        for (k, (at, _)) in [(0, path[0]), (count as u32 - 1, path[count - 1])] {
            let middle = self.vertices.len() as u32;
            self.vertices.push(at);
            for side in 0..sides {
                let [a, b] = [side, (side + 1) % sides].map(|s| first + k * sides + s);
                self.triangles.push(if k == 0 { [middle, b, a] } else { [middle, a, b] });
            }
        }
    }

    /// Quads between successive rings of vertices.
    fn rings(&mut self, first: u32, count: u32, sides: u32, closed: bool) {
        let last = if closed { count } else { count - 1 };
        for ring in 0..last {
            for side in 0..sides {
                let vertex = |ring: u32, side: u32| first + (ring % count) * sides + side % sides;
                self.quad([
                    vertex(ring, side),
                    vertex(ring, side + 1),
                    vertex(ring + 1, side + 1),
                    vertex(ring + 1, side),
                ]);
            }
        }
    }

    /// A ring about z whose section is a closed outline of points [r, z], counterclockwise with r to the right.
    pub fn ring(&mut self, outline: &[[f64; 2]], sides: u32) {
        let first = self.vertices.len() as u32;
        for [radius, z] in outline.iter().rev() {
            for side in 0..sides {
                let (sin, cos) = libm::sincos(TAU * f64::from(side) / f64::from(sides));
                self.vertices.push(DVec3::new(radius * cos, radius * sin, *z));
            }
        }
        // reversed, the rings go round the section so that the faces look outwards
        let count = outline.len() as u32;
        let from = self.triangles.len();
        self.rings(first, count, sides, true);
        if self.volume_of(from) < 0.0 {
            self.triangles[from..].iter_mut().for_each(|t| t.swap(1, 2));
        }
    }

    /// A prism about z between two heights; its outline, counterclockwise, is seen completely from the origin.
    pub fn prism(&mut self, outline: &[DVec2], [low, high]: [f64; 2]) {
        let (first, count) = (self.vertices.len() as u32, outline.len() as u32);
        for z in [low, high] {
            self.vertices.extend(outline.iter().map(|p| p.extend(z)));
        }
        self.rings(first, 2, count, false);
        for (ring, z) in [(0, low), (1, high)] {
            let middle = self.vertices.len() as u32;
            self.vertices.push(DVec3::Z * z);
            for k in 0..count {
                let [a, b] = [k, (k + 1) % count].map(|k| first + ring * count + k);
                self.triangles.push(if ring == 0 { [middle, b, a] } else { [middle, a, b] });
            }
        }
    }

    /// Volume enclosed by the triangles from a place on [m³].
    fn volume_of(&self, first: usize) -> f64 {
        let vertex = |k: u32| self.vertices[k as usize];
        let part = |[a, b, c]: &[u32; 3]| vertex(*a).dot(vertex(*b).cross(vertex(*c))) / 6.0;
        self.triangles[first..].iter().map(part).sum()
    }

    /// Volume enclosed [m³]; parts that overlap count twice.
    #[cfg(test)]
    pub fn volume(&self) -> f64 {
        self.volume_of(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::f64::consts::PI;

    /// Each edge has a twin in the other direction.
    pub fn is_closed(mesh: &Trimesh) -> bool {
        let mut edges: BTreeMap<(u32, u32), i32> = BTreeMap::new();
        for [a, b, c] in &mesh.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *edges.entry((*from.min(to), *from.max(to))).or_default() += if from < to { 1 } else { -1 };
            }
        }
        edges.values().all(|sum| *sum == 0)
    }

    #[test]
    fn solids_are_closed_and_have_their_volume() {
        let n = 400;
        let polygon = 0.5 * f64::from(n) * libm::sin(TAU / f64::from(n)) / PI;
        let circle: Vec<DVec2> =
            (0..n).map(|k| DVec2::from_angle(TAU * f64::from(k) / f64::from(n)) * 0.5).collect();
        type Make = Box<dyn Fn(&mut Trimesh)>;
        let cases: [(Make, f64); 6] = [
            (Box::new(|m| m.block(DVec3::ONE, DVec3::new(1.0, 2.0, 3.0))), 6.0),
            (Box::new(|m| m.square_bar(DVec3::X, DVec3::new(1.0, 3.0, 4.0), 0.2)), 0.2),
            (Box::new(move |m| m.bar(DVec3::ONE, DVec3::new(1.0, 4.0, 5.0), 0.1, n)), 0.05 * PI * polygon),
            (
                Box::new(move |m| m.ring(&[[1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0]], n)),
                3.0 * PI * polygon,
            ),
            (
                Box::new(move |m| m.ring(&[[1.0, 1.0], [2.0, 1.0], [2.0, 0.0], [1.0, 0.0]], n)),
                3.0 * PI * polygon,
            ),
            (Box::new(move |m| m.prism(&circle, [1.0, 3.0])), 0.5 * PI * polygon),
        ];
        for (k, (make, volume)) in cases.iter().enumerate() {
            let mut mesh = Trimesh::default();
            make(&mut mesh);
            assert!(is_closed(&mesh), "case {k}");
            assert!((mesh.volume() / volume - 1.0).abs() < 1e-9, "case {k}: {} {volume}", mesh.volume());
        }
    }
}
