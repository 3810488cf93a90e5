//! Standard shapes → closed meshes inscribed in them, centred at the origin.
//!
//! All vertices lie on the shape, so an inscribed mesh lacks some volume: (2π/sides)²/6 of a cylinder, 0.9 % of a
//! sphere of 1280 triangles. For buoyancy use the closed forms of `primitive.rs`. Sizes must be positive.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use glam::DVec3;

use super::ClosedMesh;

impl ClosedMesh {
    /// A box with its edges along the axes, 12 triangles; `size` are the lengths of its edges [m].
    pub fn cuboid(size: DVec3) -> Self {
        let sign = |bit: u32| if bit == 0 { -0.5 } else { 0.5 };
        let corner = |i: u32| size * DVec3::new(sign(i & 4), sign(i & 2), sign(i & 1));
        let faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
        let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        Self { vertices: (0..8).map(corner).collect(), triangles, flipped: false }
    }

    /// A cylinder along z with `sides` (at least 3) plane sides; radius and half length in [m].
    pub fn cylinder(radius: f64, half_length: f64, sides: u32) -> Self {
        lathe(half_length, &[(radius, -half_length), (radius, half_length)], sides)
    }

    /// A capsule along z, a cylinder with two half spheres; radius and half length of the cylinder in [m].
    pub fn capsule(radius: f64, half_length: f64, sides: u32) -> Self {
        let rings = (sides / 4).max(1);
        let ring = |i: u32| {
            let (s, c) = libm::sincos(0.5 * PI * f64::from(i) / f64::from(rings));
            (radius * c, radius * s)
        };
        let below = (0..rings).rev().map(ring).map(|(r, z)| (r, -half_length - z));
        let above = (0..rings).map(ring).map(|(r, z)| (r, half_length + z));
        let skip = usize::from(!(half_length > 0.0)); // one equator, not two
        let profile: Vec<(f64, f64)> = below.chain(above.skip(skip)).collect();
        lathe(half_length.max(0.0) + radius, &profile, sides)
    }

    /// A sphere of 20 · 4ⁿ triangles, n `subdivisions` (at most 7) of an icosahedron; radius in [m].
    pub fn icosphere(radius: f64, subdivisions: u32) -> Self {
        let g = 0.5 * (1.0 + 5f64.sqrt());
        let mut vertices = Vec::new();
        for s in [-1.0, 1.0] {
            for t in [-g, g] {
                vertices.extend([DVec3::new(0.0, s, t), DVec3::new(s, t, 0.0), DVec3::new(t, 0.0, s)]);
            }
        }
        let mut triangles = icosahedron(&vertices);
        vertices.iter_mut().for_each(|v| *v = v.normalize());
        for _ in 0..subdivisions.min(7) {
            let mut middles = BTreeMap::new();
            let mut finer = Vec::with_capacity(4 * triangles.len());
            for &[a, b, c] in &triangles {
                let [d, e, f] = [(a, b), (b, c), (c, a)].map(|(i, j): (u32, u32)| {
                    *middles.entry((i.min(j), i.max(j))).or_insert_with(|| {
                        vertices.push((vertices[i as usize] + vertices[j as usize]).normalize());
                        vertices.len() as u32 - 1
                    })
                });
                finer.extend([[a, d, f], [b, e, d], [c, f, e], [d, e, f]]);
            }
            triangles = finer;
        }
        vertices.iter_mut().for_each(|v| *v *= radius);
        Self { vertices, triangles, flipped: false }
    }
}

/// Triangles of the twelve corners of an icosahedron with edges of length 2.
fn icosahedron(corners: &[DVec3]) -> Vec<[u32; 3]> {
    let near = |i: usize, j: usize| corners[i].distance_squared(corners[j]) < 4.5;
    let mut triangles = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if near(i, j) && near(j, k) && near(k, i) {
                    let outward = corners[i].dot(corners[j].cross(corners[k])) > 0.0;
                    let [a, b, c] = [i as u32, j as u32, k as u32];
                    triangles.push(if outward { [a, b, c] } else { [a, c, b] });
                }
            }
        }
    }
    triangles
}

/// A surface of revolution about z: rings (radius, height) from below to above between two poles at ±`pole`.
fn lathe(pole: f64, rings: &[(f64, f64)], sides: u32) -> ClosedMesh {
    let sides = sides.max(3);
    let mut vertices = vec![DVec3::new(0.0, 0.0, -pole), DVec3::new(0.0, 0.0, pole)];
    for &(radius, height) in rings {
        for i in 0..sides {
            let (s, c) = libm::sincos(2.0 * PI * f64::from(i) / f64::from(sides));
            vertices.push(DVec3::new(radius * c, radius * s, height));
        }
    }
    let at = |ring: u32, i: u32| 2 + ring * sides + i % sides;
    let last = rings.len() as u32 - 1;
    let mut triangles = Vec::new();
    for i in 0..sides {
        triangles.push([0, at(0, i + 1), at(0, i)]);
        for ring in 0..last {
            let (a, b, c, d) = (at(ring, i), at(ring, i + 1), at(ring + 1, i + 1), at(ring + 1, i));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
        triangles.push([1, at(last, i), at(last, i + 1)]);
    }
    ClosedMesh { vertices, triangles, flipped: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mesh: &ClosedMesh, volume: f64, lacks: f64) {
        let again = ClosedMesh::new(mesh.vertices(), mesh.triangles()).unwrap();
        assert!(!again.was_flipped());
        assert_eq!(again.vertices().len(), mesh.vertices().len());
        let off = 1.0 - mesh.volume() / volume;
        assert!(off > -1e-14 && off < lacks, "{off}");
        assert!(mesh.centroid().length() < 1e-15);
    }

    #[test]
    fn shapes_are_closed_and_have_their_volume() {
        let (r, l) = (0.3, 0.8);
        check(&ClosedMesh::cuboid(DVec3::new(2.0, 1.0, 0.5)), 1.0, 1e-15);
        check(&ClosedMesh::cylinder(r, l, 64), 2.0 * PI * r * r * l, 0.0017);
        check(&ClosedMesh::icosphere(r, 3), 4.0 / 3.0 * PI * r * r * r, 0.0095);
        check(&ClosedMesh::capsule(r, l, 64), PI * r * r * (2.0 * l + 4.0 / 3.0 * r), 0.003);
        check(&ClosedMesh::capsule(r, 0.0, 64), PI * r * r * 4.0 / 3.0 * r, 0.005);
        assert_eq!(ClosedMesh::icosphere(1.0, 3).triangles().len(), 1280);
    }
}
