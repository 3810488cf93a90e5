//! The solids a body is made of: plain data, checked once.
//!
//! Every shape lives in its own frame, in metres, with z as the axis of those that have one.
//! A surface is a list of triangles whose corners run counterclockwise seen from outside, so
//! that with o any fixed point
//!
//! ```text
//! volume  V = ⅙ Σ (a − o) · ((b − o) × (c − o))
//! area    A = ½ Σ |(b − a) × (c − a)|
//! closed  ⇔ each edge a→b occurs once, and b→a occurs once
//! solid   ⇔ closed and V > 10⁻⁹ A L        (L the longest side of the bounding box)
//! ```
//!
//! The hull of a point cloud is found on an integer grid: each coordinate becomes
//! round(2⁴⁰ (p − min) / (max − min)), the test "does face abc see p" becomes the sign of
//! det[b − a, c − a, p − a] in 128-bit integers, hence exact, and the faces found become faces
//! of the original points. A hull turns with its points under any affine map, so the grid may
//! stretch each axis by its own factor; the grid moves no point by more than 10⁻¹² of the cloud.

use std::{cmp::Ordering, collections::BTreeMap};

use glam::{DQuat, DVec3};
use thiserror::Error;

/// Below this ratio of thickness (volume / area) to length a solid counts as flat.
const FLAT: f64 = 1e-9;
/// How far the length of a rotation may be from one.
const UNIT: f64 = 1e-9;
/// Cells of the hull's grid along each axis: 3 × 3 determinants stay below 6 · 2¹²⁰.
const CELLS: f64 = (1_u64 << 40) as f64;

/// A solid in its own frame; lengths in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A ball about the origin.
    Sphere {
        /// Radius (m).
        radius: f64,
    },
    /// A cuboid about the origin, its faces along the axes.
    Box {
        /// Half of each side (m).
        half: DVec3,
    },
    /// A cylinder about the origin, axis z.
    Cylinder {
        /// Radius (m).
        radius: f64,
        /// Half of the length along z (m).
        half_length: f64,
    },
    /// A cylinder with a half ball on each end, about the origin, axis z.
    Capsule {
        /// Radius of the cylinder and of the half balls (m).
        radius: f64,
        /// Half of the straight part along z (m).
        half_length: f64,
    },
    /// A cone with its axis z, apex up; the origin is at half height.
    Cone {
        /// Radius of the base (m).
        radius: f64,
        /// Half of the height (m): base at −half_height, apex at +half_height.
        half_height: f64,
    },
    /// The convex hull of points.
    Convex {
        /// At least four points not in one plane (m).
        points: Vec<DVec3>,
    },
    /// The inside of a closed surface; an inward surface within it cuts a cavity.
    Mesh {
        /// Corners (m).
        vertices: Vec<DVec3>,
        /// Corner indices, counterclockwise seen from outside.
        triangles: Vec<[u32; 3]>,
    },
    /// Several shapes as one; where parts overlap, material counts twice.
    Compound {
        /// Origin (m) and attitude of each part in this shape's frame, and the part.
        parts: Vec<(DVec3, DQuat, Shape)>,
    },
}

/// Why a shape is no solid, and what to do about it.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ShapeError {
    /// A length is zero, negative or not a number.
    #[error("`{key}` is {value}: give a positive, finite length in metres")]
    Size {
        /// The field.
        key: &'static str,
        /// What it held (m).
        value: f64,
    },
    /// A list is too short.
    #[error("`{key}` has {count} entries: give at least {least}")]
    TooFew {
        /// The field.
        key: &'static str,
        /// Entries found.
        count: usize,
        /// Entries needed.
        least: usize,
    },
    /// A coordinate is infinite or not a number.
    #[error("`{key}[{index}]` is not finite: give coordinates in metres")]
    NotFinite {
        /// The field.
        key: &'static str,
        /// The entry.
        index: usize,
    },
    /// The solid has no thickness.
    #[error("`{key}` enclose no volume: give them thickness, or use a thin box instead")]
    Flat {
        /// The field.
        key: &'static str,
    },
    /// A triangle names a vertex that does not exist.
    #[error("`triangles[{triangle}]` names vertex {vertex}, but `vertices` has {count}: count from 0")]
    Index {
        /// The triangle.
        triangle: usize,
        /// The index it holds.
        vertex: u32,
        /// Vertices there are.
        count: usize,
    },
    /// A triangle names a vertex twice.
    #[error("`triangles[{triangle}]` names a vertex twice: remove the triangle")]
    Degenerate {
        /// The triangle.
        triangle: usize,
    },
    /// An edge has a triangle on one side only.
    #[error(
        "`triangles` leave a hole at edge {from}→{to}: no triangle has {to}→{from}; \
         close the surface and merge vertices at equal positions"
    )]
    Open {
        /// The vertex the edge leaves.
        from: u32,
        /// The vertex it reaches.
        to: u32,
    },
    /// Two triangles run along an edge in the same direction.
    #[error(
        "`triangles` use edge {from}→{to} more than once: wind neighbours alike, \
         and give each sheet meeting there vertices of its own"
    )]
    Shared {
        /// The vertex the edge leaves.
        from: u32,
        /// The vertex it reaches.
        to: u32,
    },
    /// The surface looks inward.
    #[error("`triangles` enclose {volume} m³: swap two corners of every triangle to turn it outward")]
    InsideOut {
        /// The negative volume (m³).
        volume: f64,
    },
    /// The attitude of a part is no rotation.
    #[error("`parts[{index}]` has an attitude quaternion of length {length}: normalize it")]
    Attitude {
        /// The part.
        index: usize,
        /// Length of the quaternion.
        length: f64,
    },
    /// A part of a compound is at fault.
    #[error("`parts[{index}]`: {source}")]
    Part {
        /// The part.
        index: usize,
        /// What is wrong with it.
        source: Box<ShapeError>,
    },
}

impl Shape {
    /// Whether this is a solid: sizes positive, surfaces closed and looking outward.
    ///
    /// # Errors
    /// Names the first field at fault and its remedy.
    pub fn check(&self) -> Result<(), ShapeError> {
        match self {
            Shape::Sphere { radius } => size("radius", *radius),
            Shape::Box { half } => half.to_array().into_iter().try_for_each(|value| size("half", value)),
            Shape::Cylinder { radius, half_length } | Shape::Capsule { radius, half_length } => {
                size("radius", *radius)?;
                size("half_length", *half_length)
            }
            Shape::Cone { radius, half_height } => {
                size("radius", *radius)?;
                size("half_height", *half_height)
            }
            Shape::Convex { points } => hull(points).map(drop),
            Shape::Mesh { vertices, triangles } => check_mesh(vertices, triangles),
            Shape::Compound { parts } => check_parts(parts),
        }
    }
}

fn size(key: &'static str, value: f64) -> Result<(), ShapeError> {
    if value.is_finite() && value > 0.0 { Ok(()) } else { Err(ShapeError::Size { key, value }) }
}

fn check_points(key: &'static str, points: &[DVec3]) -> Result<(), ShapeError> {
    if points.len() < 4 {
        return Err(ShapeError::TooFew { key, count: points.len(), least: 4 });
    }
    match points.iter().position(|point| !point.is_finite()) {
        Some(index) => Err(ShapeError::NotFinite { key, index }),
        None => Ok(()),
    }
}

fn check_parts(parts: &[(DVec3, DQuat, Shape)]) -> Result<(), ShapeError> {
    if parts.is_empty() {
        return Err(ShapeError::TooFew { key: "parts", count: 0, least: 1 });
    }
    for (index, (at, turn, shape)) in parts.iter().enumerate() {
        if !at.is_finite() {
            return Err(ShapeError::NotFinite { key: "parts", index });
        }
        let length = turn.length();
        let is_unit = (length - 1.0).abs() <= UNIT;
        if !is_unit {
            return Err(ShapeError::Attitude { index, length });
        }
        shape.check().map_err(|source| ShapeError::Part { index, source: Box::new(source) })?;
    }
    Ok(())
}

fn check_mesh(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), ShapeError> {
    check_points("vertices", vertices)?;
    if triangles.len() < 4 {
        return Err(ShapeError::TooFew { key: "triangles", count: triangles.len(), least: 4 });
    }
    check_corners(vertices.len(), triangles)?;
    check_closed(triangles)?;
    let volume = check_thick("triangles", vertices, triangles)?;
    if volume > 0.0 { Ok(()) } else { Err(ShapeError::InsideOut { volume }) }
}

fn check_corners(count: usize, triangles: &[[u32; 3]]) -> Result<(), ShapeError> {
    for (triangle, &[a, b, c]) in triangles.iter().enumerate() {
        for vertex in [a, b, c] {
            if vertex as usize >= count {
                return Err(ShapeError::Index { triangle, vertex, count });
            }
        }
        if a == b || b == c || c == a {
            return Err(ShapeError::Degenerate { triangle });
        }
    }
    Ok(())
}

/// Each directed edge occurs once, and so does its opposite.
fn check_closed(triangles: &[[u32; 3]]) -> Result<(), ShapeError> {
    let mut edges: Vec<(u32, u32)> =
        triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
    edges.sort_unstable();
    if let Some(pair) = edges.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(ShapeError::Shared { from: pair[0].0, to: pair[0].1 });
    }
    match edges.iter().find(|&&(from, to)| edges.binary_search(&(to, from)).is_err()) {
        Some(&(from, to)) => Err(ShapeError::Open { from, to }),
        None => Ok(()),
    }
}

/// The signed volume (m³) of a closed surface, or `Flat` where |V| ≤ 10⁻⁹ A L.
fn check_thick(key: &'static str, vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<f64, ShapeError> {
    let (min, max) = bounds(vertices);
    let length = (max - min).max_element();
    let origin = vertices[triangles[0][0] as usize];
    let (mut volume, mut area) = (0.0, 0.0);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|index| vertices[index as usize] - origin);
        volume += a.dot(b.cross(c)) / 6.0;
        area += (b - a).cross(c - a).length() / 2.0;
    }
    // A NaN volume (of overflowing coordinates) counts as flat.
    if volume.abs() > FLAT * area * length { Ok(volume) } else { Err(ShapeError::Flat { key }) }
}

fn bounds(points: &[DVec3]) -> (DVec3, DVec3) {
    points.iter().fold((points[0], points[0]), |(min, max), &point| (min.min(point), max.max(point)))
}

/// The convex hull of `points` (m): the points on it, and its triangles counterclockwise seen
/// from outside.
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

/// A triangle of the growing hull, and points it sees that no hull holds yet.
struct Face {
    corners: [usize; 3],
    outside: Vec<usize>,
}

/// Quickhull on the grid. A point outside is kept by one face that sees it; once a point is in
/// the hull it stays there, and a point that saw a removed face sees one of the new ones or is
/// inside, so each point need only look at the faces that replace its own.
struct Hull {
    cells: Vec<Cell>,
    /// Every face ever made; removed ones are `None`.
    faces: Vec<Option<Face>>,
    /// The face on the left of each directed edge.
    beside: BTreeMap<(usize, usize), usize>,
}

impl Hull {
    /// A first tetrahedron, with each other point given to a face that sees it; `None` when all
    /// points share a plane.
    fn start(points: &[DVec3]) -> Option<Hull> {
        let mut hull = Hull { cells: cells(points), faces: Vec::new(), beside: BTreeMap::new() };
        let [a, b, c, d] = hull.tetrahedron()?;
        let faces = [[a, b, c], [b, a, d], [c, b, d], [a, c, d]].map(|corners| hull.add_face(corners));
        hull.share_out((0..points.len()).collect(), &faces);
        Some(hull)
    }

    /// Four points far apart, the last below the face of the first three: two at the ends, one
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

    /// Six times the volume of the tetrahedron over a face: positive where the face sees the point.
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

    /// Give each point to the first of `faces` that sees it; points none sees are inside.
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

    /// Take in the farthest point of each face until no face sees any. New faces come last.
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

    /// Replace all faces that see `point`, of which `face` is one, by the cone from their rim.
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

    /// The original points that are corners, and the faces numbered by them.
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

/// Points on the grid, each axis stretched to its full range; an axis without range becomes 0.
fn cells(points: &[DVec3]) -> Vec<Cell> {
    let (min, max) = bounds(points);
    let cell = |share: f64| (share * CELLS).round() as i64;
    points.iter().map(|&point| ((point - min) / (max - min)).to_array().map(cell)).collect()
}

#[cfg(test)]
mod tests {
    use glam::dvec3;
    use proptest::prelude::*;

    use super::*;

    fn cube_corners() -> Vec<DVec3> {
        (0..8)
            .map(|i| dvec3((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2 & 1) as f64) * 2.0 - DVec3::ONE)
            .collect()
    }

    fn tetrahedron() -> (Vec<DVec3>, Vec<[u32; 3]>) {
        (vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z], vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    }

    fn mesh(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<(), ShapeError> {
        Shape::Mesh { vertices, triangles }.check()
    }

    /// The volume of a hull, after checking that it is closed and no face sees a point.
    fn checked_volume(points: &[DVec3]) -> f64 {
        let mut grid = Hull::start(points).unwrap();
        grid.grow();
        for face in 0..grid.faces.len() {
            assert!((0..points.len()).all(|point| !grid.sees(face, point)));
        }
        let (vertices, triangles) = hull(points).unwrap();
        check_closed(&triangles).unwrap();
        assert_eq!(vertices.len() * 2, triangles.len() + 4);
        check_thick("points", &vertices, &triangles).unwrap()
    }

    #[test]
    fn sizes_must_be_positive_and_finite() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let shapes = [
                Shape::Sphere { radius: bad },
                Shape::Box { half: dvec3(1.0, bad, 1.0) },
                Shape::Cylinder { radius: bad, half_length: 1.0 },
                Shape::Cylinder { radius: 1.0, half_length: bad },
                Shape::Capsule { radius: 1.0, half_length: bad },
                Shape::Cone { radius: 1.0, half_height: bad },
            ];
            for shape in shapes {
                assert!(matches!(shape.check(), Err(ShapeError::Size { .. })), "{shape:?}");
            }
        }
        assert!(Shape::Sphere { radius: 1.0 }.check().is_ok());
        let error = Shape::Sphere { radius: -1.0 }.check().unwrap_err();
        assert_eq!(error.to_string(), "`radius` is -1: give a positive, finite length in metres");
    }

    #[test]
    fn a_tetrahedron_is_a_mesh_and_its_faults_are_named() {
        let (vertices, triangles) = tetrahedron();
        assert_eq!(mesh(vertices.clone(), triangles.clone()), Ok(()));

        let mut doubled = triangles.clone();
        doubled.push([1, 2, 3]);
        assert_eq!(mesh(vertices.clone(), doubled), Err(ShapeError::Shared { from: 1, to: 2 }));

        let mut five = vertices.clone();
        five.push(DVec3::ONE);
        let torn = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 4]];
        assert_eq!(mesh(five, torn), Err(ShapeError::Open { from: 1, to: 3 }));

        let inward = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        assert!(matches!(mesh(vertices.clone(), inward), Err(ShapeError::InsideOut { .. })));

        let mut wild = triangles.clone();
        wild[3][2] = 7;
        let error = ShapeError::Index { triangle: 3, vertex: 7, count: 4 };
        assert_eq!(mesh(vertices.clone(), wild), Err(error));

        let mut twice = triangles.clone();
        twice[1] = [1, 1, 3];
        assert_eq!(mesh(vertices.clone(), twice), Err(ShapeError::Degenerate { triangle: 1 }));

        let flat = vertices.iter().map(|v| dvec3(v.x, v.y, v.x / 3.0 + v.y / 7.0)).collect();
        assert_eq!(mesh(flat, triangles.clone()), Err(ShapeError::Flat { key: "triangles" }));

        let mut lost = vertices.clone();
        lost[2].y = f64::NAN;
        assert_eq!(mesh(lost, triangles), Err(ShapeError::NotFinite { key: "vertices", index: 2 }));
        assert!(matches!(mesh(vertices, vec![]), Err(ShapeError::TooFew { key: "triangles", .. })));
    }

    #[test]
    fn a_compound_names_the_part_at_fault() {
        let ball = Shape::Sphere { radius: 1.0 };
        let check = |parts| Shape::Compound { parts }.check();
        assert!(matches!(check(vec![]), Err(ShapeError::TooFew { key: "parts", .. })));
        assert!(check(vec![(DVec3::X, DQuat::IDENTITY, ball.clone())]).is_ok());

        let inner = vec![(DVec3::ZERO, DQuat::IDENTITY, Shape::Sphere { radius: 0.0 })];
        let parts = vec![
            (DVec3::ZERO, DQuat::IDENTITY, ball.clone()),
            (DVec3::ZERO, DQuat::IDENTITY, Shape::Compound { parts: inner }),
        ];
        assert_eq!(
            check(parts).unwrap_err().to_string(),
            "`parts[1]`: `parts[0]`: `radius` is 0: give a positive, finite length in metres"
        );
        let long = DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0);
        let error = ShapeError::Attitude { index: 0, length: 2.0 };
        assert_eq!(check(vec![(DVec3::ZERO, long, ball.clone())]), Err(error));
        let lost = DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0);
        assert!(matches!(check(vec![(DVec3::ZERO, lost, ball.clone())]), Err(ShapeError::Attitude { .. })));
        let nowhere = vec![(DVec3::INFINITY, DQuat::IDENTITY, ball)];
        assert_eq!(check(nowhere), Err(ShapeError::NotFinite { key: "parts", index: 0 }));
    }

    #[test]
    fn points_must_span_a_volume() {
        let check = |points| Shape::Convex { points }.check();
        let flat = ShapeError::Flat { key: "points" };
        assert!(matches!(check(vec![DVec3::X; 3]), Err(ShapeError::TooFew { count: 3, least: 4, .. })));
        assert_eq!(check(vec![DVec3::X; 9]), Err(flat.clone()));
        assert_eq!(check((0..9).map(|i| DVec3::ONE * f64::from(i)).collect()), Err(flat.clone()));
        assert_eq!(check(vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X + DVec3::Y]), Err(flat.clone()));
        let turn = DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize();
        let sheet = |z: f64| cube_corners().iter().map(|p| turn * dvec3(p.x, p.y, p.z * z)).collect();
        assert_eq!(check(sheet(0.0)), Err(flat.clone()));
        assert_eq!(check(sheet(1e-6)), Ok(()));
        assert_eq!(check(vec![dvec3(1e308, 0.0, 0.0), -DVec3::X * 1e308, DVec3::Y, DVec3::Z]), Err(flat));
        let lost = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z * f64::NAN];
        assert_eq!(check(lost), Err(ShapeError::NotFinite { key: "points", index: 3 }));
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

    #[test]
    fn hull_of_a_dense_sphere_keeps_every_point() {
        let count = 3000;
        let sphere: Vec<DVec3> = (0..count)
            .map(|i| {
                let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(count);
                let (sin, cos) = libm::sincos(2.399_963 * f64::from(i));
                let radius = (1.0 - z * z).sqrt();
                dvec3(radius * cos, radius * sin, z)
            })
            .collect();
        let (vertices, triangles) = hull(&sphere).unwrap();
        assert_eq!((vertices.len(), triangles.len()), (3000, 2 * 3000 - 4));
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
