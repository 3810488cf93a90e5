//! Meshes for tests: spheres from an octahedron or icosahedron, boxes and cylinders with cells that are finer near edges.

use glam::DVec3;
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// Vertices and triangles.
pub(crate) type Mesh = (Vec<DVec3>, Vec<[u32; 3]>);

/// A unit sphere of 20 · 4^levels triangles.
pub(crate) fn icosphere(levels: u32) -> Mesh {
    let t = 0.5 * (1.0 + 5.0_f64.sqrt());
    let corners = [
        [-1.0, t, 0.0],
        [1.0, t, 0.0],
        [-1.0, -t, 0.0],
        [1.0, -t, 0.0],
        [0.0, -1.0, t],
        [0.0, 1.0, t],
        [0.0, -1.0, -t],
        [0.0, 1.0, -t],
        [t, 0.0, -1.0],
        [t, 0.0, 1.0],
        [-t, 0.0, -1.0],
        [-t, 0.0, 1.0],
    ];
    let faces = [
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    refine(corners.map(|c| DVec3::from(c).normalize()).to_vec(), faces.to_vec(), levels)
}

/// The lower half of a unit sphere, open at z = 0, of 4 · 4^levels triangles.
pub(crate) fn hemisphere(levels: u32) -> Mesh {
    let corners = vec![DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y, -DVec3::Z];
    refine(corners, vec![[0, 4, 1], [1, 4, 2], [2, 4, 3], [3, 4, 0]], levels)
}

fn refine(mut v: Vec<DVec3>, mut f: Vec<[u32; 3]>, levels: u32) -> Mesh {
    for _ in 0..levels {
        let (mut known, mut finer) = (BTreeMap::new(), Vec::new());
        let mut middle = |a: u32, b: u32| {
            *known.entry((a.min(b), a.max(b))).or_insert_with(|| {
                v.push((v[a as usize] + v[b as usize]).normalize());
                v.len() as u32 - 1
            })
        };
        for [a, b, c] in f {
            let (d, e, g) = (middle(a, b), middle(b, c), middle(c, a));
            finer.extend([[a, d, g], [b, e, d], [c, g, e], [d, e, g]]);
        }
        f = finer;
    }
    (v, f)
}

/// A position 0 … 1 of `i` of `cells`, denser near both ends.
fn graded(i: usize, cells: usize) -> f64 {
    0.5 - 0.5 * libm::cos(PI * i as f64 / cells as f64)
}

/// A box about the origin with so many cells along its axes, finer near its edges; faces do not share vertices.
pub(crate) fn graded_box(size: DVec3, cells: [usize; 3]) -> Mesh {
    let (mut v, mut f) = (Vec::new(), Vec::new());
    for axis in 0..3 {
        let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [0.0, 1.0] {
            let (base, m) = (v.len(), cells[c] + 1);
            for i in 0..=cells[b] {
                for j in 0..=cells[c] {
                    let mut p = DVec3::ZERO;
                    p[axis] = (side - 0.5) * size[axis];
                    p[b] = (graded(i, cells[b]) - 0.5) * size[b];
                    p[c] = (graded(j, cells[c]) - 0.5) * size[c];
                    v.push(p);
                }
            }
            for i in 0..cells[b] {
                for j in 0..cells[c] {
                    let at = |i: usize, j: usize| (base + i * m + j) as u32;
                    let mut q = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                    if side == 0.0 {
                        q.reverse();
                    }
                    f.extend([[q[0], q[1], q[2]], [q[0], q[2], q[3]]]);
                }
            }
        }
    }
    (v, f)
}

/// A body of revolution about z from a profile of (radius, z) that starts and ends on the axis, upwards.
pub(crate) fn revolution(profile: &[(f64, f64)], around: usize) -> Mesh {
    let inner = &profile[1..profile.len() - 1];
    let mut v = vec![DVec3::Z * profile[0].1];
    for (k, &(r, z)) in inner.iter().enumerate() {
        for i in 0..around {
            let angle = 2.0 * PI * (i as f64 + 0.5 * (k % 2) as f64) / around as f64;
            v.push(DVec3::new(r * libm::cos(angle), r * libm::sin(angle), z));
        }
    }
    v.push(DVec3::Z * profile[profile.len() - 1].1);
    let (mut f, last) = (Vec::new(), v.len() as u32 - 1);
    let at = |k: usize, i: usize| (1 + k * around + i % around) as u32;
    for i in 0..around {
        f.push([0, at(0, i + 1), at(0, i)]);
        for k in 0..inner.len() - 1 {
            // rings are staggered by half a cell in turn
            let (a, b, c, d) = (at(k, i), at(k, i + 1), at(k + 1, i), at(k + 1, i + 1));
            match k % 2 == 0 {
                true => f.extend([[a, b, c], [b, d, c]]),
                false => f.extend([[a, b, d], [a, d, c]]),
            }
        }
        f.push([last, at(inner.len() - 1, i), at(inner.len() - 1, i + 1)]);
    }
    (v, f)
}

/// A cylinder about z with so many cells along radius, length and circumference, finer near its edges.
pub(crate) fn cylinder(radius: f64, half_length: f64, cells: [usize; 3]) -> Mesh {
    let [across, along, around] = cells;
    let out = |i: usize| radius * libm::sin(0.5 * PI * i as f64 / across as f64);
    let mut profile: Vec<_> = (0..=across).map(|i| (out(i), -half_length)).collect();
    profile.extend((1..along).map(|i| (radius, half_length * (2.0 * graded(i, along) - 1.0))));
    profile.extend((0..=across).rev().map(|i| (out(i), half_length)));
    revolution(&profile, around)
}
