//! Mesh → mesh with shorter edges and the same surface.
//!
//! Every edge longer than the limit is split at its middle, in both of its triangles, until none is left. A triangle
//! with one, two or three split edges becomes two, three or four triangles.

use std::collections::BTreeMap;

use glam::DVec3;

use super::ClosedMesh;

/// Refinement stops at this number of triangles.
const MOST_TRIANGLES: usize = 1_000_000;

impl ClosedMesh {
    /// Splits triangles until no edge is longer than `longest_edge` [m] or the mesh has a million triangles.
    ///
    /// Drag laws evaluate the flow at the centre of a triangle; split triangles longer than ¼ of a body that turns.
    /// The mesh is returned unchanged if the length is not positive.
    pub fn refined(&self, longest_edge: f64) -> Self {
        let mut mesh = self.clone();
        if longest_edge > 0.0 {
            while mesh.triangles.len() < MOST_TRIANGLES && mesh.split_edges(longest_edge) {}
        }
        mesh
    }

    /// Splits all edges that are too long once; false if there were none.
    fn split_edges(&mut self, longest: f64) -> bool {
        let vertices = &mut self.vertices;
        let mut middles: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        let mut finer = Vec::with_capacity(2 * self.triangles.len());
        for &t in &self.triangles {
            let middle = [0, 1, 2].map(|k| {
                let (i, j) = (t[k].min(t[(k + 1) % 3]), t[k].max(t[(k + 1) % 3]));
                let (a, b) = (vertices[i as usize], vertices[j as usize]);
                (a.distance_squared(b) > longest * longest).then(|| {
                    *middles.entry((i, j)).or_insert_with(|| {
                        vertices.push(0.5 * (a + b));
                        vertices.len() as u32 - 1
                    })
                })
            });
            split(vertices, t, middle, &mut finer);
        }
        self.triangles = finer;
        !middles.is_empty()
    }
}

/// Splits a triangle at the middles of its edges 0–1, 1–2, 2–0, where given.
fn split(vertices: &[DVec3], t: [u32; 3], middle: [Option<u32>; 3], out: &mut Vec<[u32; 3]>) {
    let turned = |k: usize| [t[k], t[(k + 1) % 3], t[(k + 2) % 3]];
    match middle {
        [None, None, None] => out.push(t),
        [Some(d), Some(e), Some(f)] => {
            out.extend([[t[0], d, f], [t[1], e, d], [t[2], f, e], [d, e, f]]);
        }
        _ if middle.iter().flatten().count() == 1 => {
            let k = middle.iter().position(Option::is_some).unwrap_or(0);
            let ([a, b, c], m) = (turned(k), middle[k].unwrap_or(t[k]));
            out.extend([[a, m, c], [m, b, c]]);
        }
        _ => {
            // edges a–b and b–c are split; the rest is cut along its shorter diagonal
            let k = (middle.iter().position(Option::is_none).unwrap_or(0) + 1) % 3;
            let [a, b, c] = turned(k);
            let (d, e) = (middle[k].unwrap_or(a), middle[(k + 1) % 3].unwrap_or(b));
            let x = |i: u32| vertices[i as usize];
            out.push([d, b, e]);
            if x(a).distance_squared(x(e)) <= x(d).distance_squared(x(c)) {
                out.extend([[a, d, e], [a, e, c]]);
            } else {
                out.extend([[a, d, c], [d, e, c]]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn longest(mesh: &ClosedMesh) -> f64 {
        let x = |i: u32| mesh.vertices()[i as usize];
        let edges = mesh.triangles().iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
        edges.map(|(i, j)| x(i).distance(x(j))).fold(0.0, f64::max)
    }

    #[test]
    fn edges_get_short_and_the_surface_stays() {
        for mesh in [ClosedMesh::cuboid(DVec3::new(4.0, 0.5, 0.02)), ClosedMesh::cylinder(0.1, 1.0, 12)] {
            for limit in [1.0, 0.31, 0.1] {
                let finer = mesh.refined(limit);
                assert!(longest(&finer) <= limit);
                let again = ClosedMesh::new(finer.vertices(), finer.triangles()).unwrap();
                assert_eq!(again.vertices().len(), finer.vertices().len());
                let off = finer.volume() / mesh.volume() - 1.0;
                assert!(off.abs() < 1e-12, "{off}");
                assert!(finer.triangles().len() < 40_000);
            }
        }
        let cube = ClosedMesh::cuboid(DVec3::ONE);
        assert_eq!(cube.refined(2.0), cube);
        assert_eq!(cube.refined(0.0), cube);
        assert_eq!(cube.refined(f64::NAN), cube);
    }
}
