//! Mesh → double body: its part below z = 0 with the mirror image of that part, a closed mesh.

use std::collections::BTreeMap;

use glam::DVec3;

use super::{ClosedMesh, MeshProblem};

/// Vertices nearer to the plane than this part of the draft are moved into it, so that cut triangles are no needles.
const NEAR: f64 = 0.05;

impl ClosedMesh {
    /// The part below z = 0 and its mirror image. Vertices in the plane have z = 0.
    pub fn doubled_below(&self) -> Result<Self, MeshProblem> {
        let (low, _) = self.bounds();
        let near = NEAR * -low.z;
        let mut below = Below {
            vertices: self
                .vertices
                .iter()
                .map(|v| if v.z.abs() < near { v.with_z(0.0) } else { *v })
                .collect(),
            triangles: Vec::new(),
            crossings: BTreeMap::new(),
        };
        self.triangles.iter().for_each(|t| below.add(*t));
        let Below { mut vertices, mut triangles, .. } = below;
        // vertices in the plane are their own images
        let (own, count) = (vertices.len() as u32, triangles.len());
        vertices.extend_from_within(..);
        vertices[own as usize..].iter_mut().for_each(|v| v.z = -v.z);
        triangles.extend_from_within(..);
        triangles[count..].iter_mut().for_each(|t| *t = [t[0] + own, t[2] + own, t[1] + own]);
        ClosedMesh::new(&vertices, &triangles)
    }
}

/// The part of a mesh below z = 0, open in that plane.
struct Below {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// Vertices where edges meet the plane, by the ends of the edge.
    crossings: BTreeMap<(u32, u32), u32>,
}

impl Below {
    /// Adds the part of a triangle below the plane.
    fn add(&mut self, t: [u32; 3]) {
        let heights = t.map(|i| self.vertices[i as usize].z);
        if heights.iter().all(|z| *z >= 0.0) {
            return;
        }
        let mut corners = Vec::with_capacity(4);
        for k in 0..3 {
            let next = (k + 1) % 3;
            if heights[k] <= 0.0 {
                corners.push(t[k]);
            }
            if heights[k] * heights[next] < 0.0 {
                corners.push(self.crossing(t[k], t[next]));
            }
        }
        match corners[..] {
            [a, b, c] => self.triangles.push([a, b, c]),
            [a, b, c, d] => {
                let x = |i: u32| self.vertices[i as usize];
                let halves = match x(a).distance_squared(x(c)) <= x(b).distance_squared(x(d)) {
                    true => [[a, b, c], [a, c, d]],
                    false => [[a, b, d], [b, c, d]],
                };
                self.triangles.extend(halves);
            }
            _ => {}
        }
    }

    /// The vertex where an edge meets the plane: the same for both of its triangles.
    fn crossing(&mut self, i: u32, j: u32) -> u32 {
        let (i, j) = (i.min(j), i.max(j));
        let vertices = &mut self.vertices;
        *self.crossings.entry((i, j)).or_insert_with(|| {
            let (a, b) = (vertices[i as usize], vertices[j as usize]);
            let point = a + a.z / (a.z - b.z) * (b - a);
            vertices.push(point.with_z(0.0));
            vertices.len() as u32 - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    #[test]
    fn double_bodies_have_twice_the_immersed_volume() {
        let size = DVec3::new(4.0, 2.0, 1.0);
        let up = |mesh: ClosedMesh, z: f64| mesh.moved(DQuat::IDENTITY, DVec3::Z * z);
        let double = up(ClosedMesh::cuboid(size), 0.2).doubled_below().expect("a double body");
        assert!((double.volume() - 2.0 * 8.0 * 0.3).abs() < 1e-12, "{}", double.volume());
        assert_eq!(double.bounds(), (DVec3::new(-2.0, -1.0, -0.3), DVec3::new(2.0, 1.0, 0.3)));
        // half of a sphere, cut through its equator, and a heeled box, whose volume is the same by symmetry
        let ball = ClosedMesh::icosphere(1.0, 2);
        let double = ball.moved(DQuat::from_rotation_x(0.3), DVec3::ZERO);
        let volume = double.volume();
        let found = double.doubled_below().expect("a double body").volume();
        assert!((found / volume - 1.0).abs() < 2e-3, "{found} {volume}");
        let heeled = ClosedMesh::cuboid(size).moved(DQuat::from_rotation_x(0.2), DVec3::ZERO);
        let found = heeled.doubled_below().expect("a double body").volume();
        assert!((found - 8.0).abs() < 1e-12, "{found}");
        // a vertex just above the plane is moved into it
        let found = up(ClosedMesh::cuboid(size), -0.49).doubled_below().expect("a double body");
        assert!((found.volume() - 2.0 * 8.0 * 0.99).abs() < 1e-12 && found.bounds().1.z == 0.99);
        assert!(up(ClosedMesh::cuboid(size), 0.6).doubled_below().is_err(), "it is dry");
    }
}
