//! Convex hull of a point cloud by quickhull with integer predicates.
//!
//! The points are mapped to an integer grid: each coordinate becomes round(2⁴⁰ (p − min) / (max − min)).
//! The test "does face abc see p" becomes the sign of det[b − a, c − a, p − a] in 128-bit integers, free of round-off.
//! The faces found become faces of the original points. Convex hulls commute with affine maps, so the grid
//! may scale each axis by its own factor. The grid displaces no point by more than 10⁻¹² of the cloud's extent.

use super::points::{ShapeError, bounds, check_points, check_thick};
use glam::DVec3;
use std::{cmp::Ordering, collections::BTreeMap};

/// Cells of the hull's grid along each axis: 3 × 3 determinants stay below 6 · 2¹²⁰.
const CELLS: f64 = (1_u64 << 40) as f64;

/// The convex hull of `points` (m): the points on it, and its triangles counterclockwise seen from outside.
///
/// # Errors
/// Fewer than four points, points in one plane, or coordinates that are not finite.
pub fn hull(points: &[DVec3]) -> Result<(Vec<DVec3>, Vec<[u32; 3]>), ShapeError> {
    check_points("points", points)?;
    let mut hull = Hull::start(points).ok_or(ShapeError::Flat { key: "points" })?;
    hull.grow();
    let (vertices, triangles) = hull.surface(points);
    check_thick("points", &vertices, &triangles)?;
    Ok((vertices, triangles))
}

/// A point on the hull's grid.
type Cell = [i64; 3];

fn difference(a: Cell, b: Cell) -> [i128; 3] {
    [0, 1, 2].map(|axis| i128::from(a[axis] - b[axis]))
}

fn cross(a: [i128; 3], b: [i128; 3]) -> [i128; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [i128; 3], b: [i128; 3]) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A triangle of the growing hull, and the points outside that are assigned to it.
struct Face {
    corners: [usize; 3],
    outside: Vec<usize>,
}

/// Quickhull on the grid. A point outside is assigned to one face that sees it. A point inside the hull stays inside,
/// and a point that saw a removed face sees one of the new ones or is inside; so each point is tested only against the
/// faces that replace its own.
struct Hull {
    cells: Vec<Cell>,
    /// Every face ever created; removed ones are `None`.
    faces: Vec<Option<Face>>,
    /// The face on the left of each directed edge.
    beside: BTreeMap<(usize, usize), usize>,
}

impl Hull {
    /// The initial tetrahedron, with each other point assigned to a face that sees it; `None` if all
    /// points are coplanar.
    fn start(points: &[DVec3]) -> Option<Hull> {
        let mut hull = Hull { cells: cells(points), faces: Vec::new(), beside: BTreeMap::new() };
        let [a, b, c, d] = hull.tetrahedron()?;
        let faces = [[a, b, c], [b, a, d], [c, b, d], [a, c, d]].map(|corners| hull.add_face(corners));
        hull.share_out((0..points.len()).collect(), &faces);
        Some(hull)
    }

    /// Four points far apart, the last below the face of the first three: two at the extremes, one
    /// far from their line, one far from the plane.
    fn tetrahedron(&self) -> Option<[usize; 4]> {
        let all = 0..self.cells.len();
        let reach = |from: usize, to: usize| difference(self.cells[to], self.cells[from]);
        let a = all.clone().min_by_key(|&i| self.cells[i])?;
        let b = all.clone().max_by_key(|&i| dot(reach(a, i), reach(a, i)))?;
        let spread = |i: usize| {
            let normal = cross(reach(a, b), reach(a, i)).map(|component| component as f64);
            DVec3::from_array(normal).length_squared()
        };
        let c = all.clone().max_by(|&i, &j| spread(i).total_cmp(&spread(j)))?;
        let d = all.max_by_key(|&i| self.height([a, b, c], i).abs())?;
        match self.height([a, b, c], d).cmp(&0) {
            Ordering::Less => Some([a, b, c, d]),
            Ordering::Equal => None,
            Ordering::Greater => Some([a, c, b, d]),
        }
    }

    /// Six times the signed volume of the tetrahedron over a face: positive if the face sees the point.
    fn height(&self, [a, b, c]: [usize; 3], point: usize) -> i128 {
        let [a, b, c, point] = [a, b, c, point].map(|i| self.cells[i]);
        dot(cross(difference(b, a), difference(c, a)), difference(point, a))
    }

    fn add_face(&mut self, corners: [usize; 3]) -> usize {
        let index = self.faces.len();
        for edge in edges(corners) {
            self.beside.insert(edge, index);
        }
        self.faces.push(Some(Face { corners, outside: Vec::new() }));
        index
    }

    /// Assigns each point to the first of `faces` that sees it; points that none sees are inside.
    fn share_out(&mut self, points: Vec<usize>, faces: &[usize]) {
        for point in points {
            let seen_by = faces.iter().copied().find(|&face| self.sees(face, point));
            if let Some(face) = seen_by.and_then(|face| self.faces[face].as_mut()) {
                face.outside.push(point);
            }
        }
    }

    fn sees(&self, face: usize, point: usize) -> bool {
        self.faces[face].as_ref().is_some_and(|face| self.height(face.corners, point) > 0)
    }

    /// Adds the farthest point of each face until no face sees any. New faces come last.
    fn grow(&mut self) {
        let mut next = 0;
        while next < self.faces.len() {
            if let Some(point) = self.farthest(next) {
                self.take_in(point, next);
            }
            next += 1;
        }
    }

    fn farthest(&self, face: usize) -> Option<usize> {
        let face = self.faces[face].as_ref()?;
        face.outside.iter().copied().max_by_key(|&point| self.height(face.corners, point))
    }

    /// Replaces all faces that see `point`, of which `face` is one, by the cone over their horizon.
    fn take_in(&mut self, point: usize, face: usize) {
        let mut rim = Vec::new();
        let mut orphans = Vec::new();
        let mut waiting = vec![face];
        while let Some(index) = waiting.pop() {
            let Some(seen) = self.faces[index].take() else { continue };
            orphans.extend(seen.outside);
            for (from, to) in edges(seen.corners) {
                let across = self.beside[&(to, from)];
                if self.sees(across, point) {
                    waiting.push(across);
                } else if self.faces[across].is_some() {
                    rim.push((from, to));
                }
            }
        }
        let cone: Vec<usize> = rim.into_iter().map(|(from, to)| self.add_face([from, to, point])).collect();
        self.share_out(orphans, &cone);
    }

    /// The original points that are vertices, and the faces indexed by them.
    fn surface(&self, points: &[DVec3]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let corners: Vec<[usize; 3]> = self.faces.iter().flatten().map(|face| face.corners).collect();
        let mut used: Vec<usize> = corners.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let number = |point: usize| used.partition_point(|&earlier| earlier < point) as u32;
        let triangles = corners.iter().map(|corners| corners.map(number)).collect();
        (used.iter().map(|&point| points[point]).collect(), triangles)
    }
}

fn edges([a, b, c]: [usize; 3]) -> [(usize, usize); 3] {
    [(a, b), (b, c), (c, a)]
}

/// Points on the grid, each axis scaled to its full range; an axis of zero extent becomes 0.
fn cells(points: &[DVec3]) -> Vec<Cell> {
    let (min, max) = bounds(points);
    let cell = |share: f64| (share * CELLS).round() as i64;
    points.iter().map(|&point| ((point - min) / (max - min)).to_array().map(cell)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::shape::Shape;
    use glam::{DQuat, dvec3};
    use proptest::prelude::*;

    /// The volume of a hull, after checking that it is closed and that no face sees a point.
    fn checked_volume(points: &[DVec3]) -> f64 {
        let mut grid = Hull::start(points).unwrap();
        grid.grow();
        for face in 0..grid.faces.len() {
            assert!((0..points.len()).all(|point| !grid.sees(face, point)));
        }
        let (vertices, triangles) = hull(points).unwrap();
        Shape::Mesh { vertices: vertices.clone(), triangles: triangles.clone() }.check().unwrap();
        assert_eq!(vertices.len() * 2, triangles.len() + 4);
        check_thick("points", &vertices, &triangles).unwrap()
    }

    #[test]
    fn hull_of_a_filled_lattice_is_the_cube() {
        for side in [2, 3, 5, 8] {
            let step = |i: i32| f64::from(i) / f64::from(side - 1);
            let lattice: Vec<DVec3> = (0..side * side * side)
                .map(|i| dvec3(step(i % side), step(i / side % side), step(i / side / side)))
                .collect();
            assert!((checked_volume(&lattice) - 1.0).abs() < 1e-14);
            let turn = DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize();
            let turned: Vec<DVec3> = lattice.iter().map(|&p| turn * p).collect();
            assert!((checked_volume(&turned) - 1.0).abs() < 1e-11);
            let plate: Vec<DVec3> = lattice.iter().map(|&p| turn * dvec3(p.x, p.y, p.z * 1e-4)).collect();
            assert!((checked_volume(&plate) * 1e4 - 1.0).abs() < 1e-7);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn hull_holds_random_points(
            coordinates in prop::collection::vec((0..6_i32, 0..6_i32, 0..6_i32), 20..80),
            noise in prop::sample::select(vec![0.0, 1e-13, 1e-9, 1e-3, 1.0]),
            seed in 0.0..1.0_f64,
        ) {
            let wiggle = |i: usize| noise * libm::sin(1e4 * (i as f64 + seed));
            let points: Vec<DVec3> = coordinates
                .iter()
                .enumerate()
                .map(|(i, &(x, y, z))| {
                    let lattice = dvec3(f64::from(x), f64::from(y), f64::from(z));
                    lattice + dvec3(wiggle(3 * i), wiggle(3 * i + 1), wiggle(3 * i + 2))
                })
                .collect();
            prop_assert!(checked_volume(&points) > 1.0);
        }
    }
}
