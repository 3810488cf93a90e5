//! Triangles → closed mesh: a surface without gaps whose normals point outward.
//!
//! Every edge a → b of a triangle has exactly one partner b → a in another triangle. The divergence theorem then gives
//! volume and centroid as sums over triangles, with o near the mesh:
//!
//! ```text
//! V = ⅙ Σ (a − o)·((b − a) × (c − a))        x_c = o + ¼ Σ v (a + b + c − 3 o) / V,   v the term of V
//! ```
//!
//! Vertices at equal positions are merged first, because STL files repeat them. A mesh whose normals all point inward
//! is turned inside out. A part with inward normals inside another part is a cavity. Self-intersections are not
//! detected; overlapping volume counts twice.

mod mirror;
mod refine;
mod shapes;

use glam::{DMat3, DQuat, DVec3};
use thiserror::Error;

/// Reason why triangles do not form a closed mesh.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MeshProblem {
    /// A solid has at least four faces.
    #[error("the mesh has {count} triangles; a closed mesh has at least 4")]
    TooFewTriangles {
        /// Number of triangles with three different corners.
        count: usize,
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} uses vertex {index}, but there are only {vertices} vertices")]
    IndexOutOfRange {
        /// Triangle, counted from 0.
        triangle: usize,
        /// Index that is too large.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A coordinate is infinite or not a number.
    #[error("vertex {vertex} has a coordinate that is not finite")]
    NotFinite {
        /// Vertex, counted from 0.
        vertex: usize,
    },
    /// An edge belongs to a single triangle.
    #[error("the mesh is open at the edge from {from} to {to}; close the hole")]
    OpenEdge {
        /// First end [m].
        from: DVec3,
        /// Second end [m].
        to: DVec3,
    },
    /// Two neighbouring triangles are oriented differently.
    #[error("triangles at the edge from {from} to {to} have opposite orientations; unify the normals")]
    InconsistentEdge {
        /// First end [m].
        from: DVec3,
        /// Second end [m].
        to: DVec3,
    },
    /// More than two triangles share an edge.
    #[error("{count} triangles share the edge from {from} to {to}; separate the parts that meet there")]
    SharedEdge {
        /// First end [m].
        from: DVec3,
        /// Second end [m].
        to: DVec3,
        /// Number of triangles.
        count: usize,
    },
    /// The surface encloses nothing.
    #[error("the mesh encloses no volume; give the sheet a thickness")]
    NoVolume,
    /// A part with inward normals lies outside of all others, so it is not a cavity.
    #[error("the part of the mesh at {near} has inward normals and lies in no other part; flip its normals")]
    InvertedPart {
        /// A vertex of that part [m].
        near: DVec3,
    },
}

/// A closed triangle mesh with outward normals.
#[derive(Clone, Debug, PartialEq)]
pub struct ClosedMesh {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    flipped: bool,
}

impl ClosedMesh {
    /// Checks the triangles, counterclockwise seen from outside, and merges equal vertices.
    ///
    /// Triangles with two equal corners are removed. If the enclosed volume is negative, all triangles are flipped and
    /// [`ClosedMesh::was_flipped`] reports it.
    pub fn new(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, MeshProblem> {
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&index) = corners.iter().find(|&&i| i as usize >= vertices.len()) {
                return Err(MeshProblem::IndexOutOfRange { triangle, index, vertices: vertices.len() });
            }
        }
        if let Some(vertex) = vertices.iter().position(|v| !v.is_finite()) {
            return Err(MeshProblem::NotFinite { vertex });
        }
        let (vertices, triangles) = welded(vertices, triangles);
        if triangles.len() < 4 {
            return Err(MeshProblem::TooFewTriangles { count: triangles.len() });
        }
        check_edges(&vertices, &triangles)?;

        let mut mesh = Self { vertices, triangles, flipped: false };
        let (low, high) = mesh.bounds();
        let size = (high - low).length();
        let volume = mesh.volume();
        if !(volume.abs() > 1e-14 * size * size * size) {
            return Err(MeshProblem::NoVolume);
        }
        if volume < 0.0 {
            mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
            mesh.flipped = true;
        }
        mesh.check_parts()?;
        Ok(mesh)
    }

    /// Vertices, each used by a triangle [m].
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Triangles as indices of vertices, counterclockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Whether the triangles were given inside out and were flipped.
    pub fn was_flipped(&self) -> bool {
        self.flipped
    }

    /// Enclosed volume [m³].
    pub fn volume(&self) -> f64 {
        self.volume_and_moment().0
    }

    /// Centroid of the enclosed volume [m].
    pub fn centroid(&self) -> DVec3 {
        let (volume, moment) = self.volume_and_moment();
        self.middle() + moment / volume
    }

    /// Lowest and highest coordinates [m].
    pub fn bounds(&self) -> (DVec3, DVec3) {
        bounds_of(self.vertices.iter().copied())
    }

    /// Writes the vertices of the mesh at a pose to `out`, x = R x_local + p [m].
    pub fn place(&self, rotation: &DMat3, position: DVec3, out: &mut Vec<DVec3>) {
        out.clear();
        out.extend(self.vertices.iter().map(|&v| *rotation * v + position));
    }

    /// The same, enlarged about its centroid to a volume [m³]: a mesh inscribed in a round shape lacks some.
    pub fn of_volume(mut self, volume: f64) -> ClosedMesh {
        let (centroid, ratio) = (self.centroid(), libm::cbrt(volume / self.volume()));
        self.vertices.iter_mut().for_each(|v| *v = centroid + (*v - centroid) * ratio);
        self
    }

    /// The same at a pose: rotated, then moved.
    pub fn moved(mut self, rotation: DQuat, position: DVec3) -> ClosedMesh {
        self.vertices.iter_mut().for_each(|v| *v = rotation * *v + position);
        self
    }

    fn middle(&self) -> DVec3 {
        let (low, high) = self.bounds();
        0.5 * (low + high)
    }

    /// Volume, and its first moment about the middle of the bounds.
    fn volume_and_moment(&self) -> (f64, DVec3) {
        let o = self.middle();
        let (mut volume, mut moment) = (0.0, DVec3::ZERO);
        for t in &self.triangles {
            let [a, b, c] = t.map(|i| self.vertices[i as usize] - o);
            let v = a.dot((b - a).cross(c - a)) / 6.0;
            volume += v;
            moment += 0.25 * v * (a + b + c);
        }
        (volume, moment)
    }

    /// Each part of negative volume must lie in the box of a part of positive volume.
    fn check_parts(&self) -> Result<(), MeshProblem> {
        struct Part {
            volume: f64,
            low: DVec3,
            high: DVec3,
            near: DVec3,
        }
        let part_of = parts(self.vertices.len(), &self.triangles);
        let o = self.middle();
        let mut list: Vec<Option<Part>> = Vec::new();
        list.resize_with(self.vertices.len(), || None);
        for t in &self.triangles {
            let corners = t.map(|i| self.vertices[i as usize]);
            let [a, b, c] = corners.map(|x| x - o);
            let part = list[part_of[t[0] as usize]].get_or_insert(Part {
                volume: 0.0,
                low: corners[0],
                high: corners[0],
                near: corners[0],
            });
            part.volume += a.dot((b - a).cross(c - a)) / 6.0;
            for x in corners {
                part.low = part.low.min(x);
                part.high = part.high.max(x);
            }
        }
        let parts: Vec<Part> = list.into_iter().flatten().collect();
        for part in parts.iter().filter(|p| p.volume < 0.0) {
            let size = (part.high - part.low).length();
            let holds = |other: &&Part| {
                other.volume > 0.0 && other.low.cmple(part.low).all() && other.high.cmpge(part.high).all()
            };
            if -part.volume > 1e-14 * size * size * size && !parts.iter().any(|p| holds(&p)) {
                return Err(MeshProblem::InvertedPart { near: part.near });
            }
        }
        Ok(())
    }
}

/// Merges vertices at equal positions and drops unused vertices and triangles with two equal corners.
///
/// Vertices keep the order of their first occurrence; −0 equals 0. All indices must be in range.
pub fn welded(vertices: &[DVec3], triangles: &[[u32; 3]]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    // −0 + 0 = +0, so equal coordinates have equal bits
    let key = |i: u32| vertices[i as usize].to_array().map(|x| (x + 0.0).to_bits());
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    order.sort_unstable_by_key(|&i| (key(i), i));
    let mut first = vec![0u32; vertices.len()];
    for (k, &i) in order.iter().enumerate() {
        let same = k > 0 && key(order[k - 1]) == key(i);
        first[i as usize] = if same { first[order[k - 1] as usize] } else { i };
    }
    let kept: Vec<[u32; 3]> = triangles
        .iter()
        .map(|t| t.map(|i| first[i as usize]))
        .filter(|[a, b, c]| a != b && b != c && c != a)
        .collect();

    // renumber what is used
    let mut used = vec![false; vertices.len()];
    kept.iter().flatten().for_each(|&i| used[i as usize] = true);
    let mut number = vec![0u32; vertices.len()];
    let mut out = Vec::new();
    for i in (0..vertices.len()).filter(|&i| used[i]) {
        number[i] = out.len() as u32;
        out.push(vertices[i]);
    }
    (out, kept.iter().map(|t| t.map(|i| number[i as usize])).collect())
}

/// Every edge must occur once in each direction.
fn check_edges(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), MeshProblem> {
    let mut edges: Vec<(u32, u32, bool)> = Vec::with_capacity(3 * triangles.len());
    for &[a, b, c] in triangles {
        edges.extend([(a, b), (b, c), (c, a)].map(|(i, j)| (i.min(j), i.max(j), i < j)));
    }
    edges.sort_unstable();
    for group in edges.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1)) {
        let (from, to) = (vertices[group[0].0 as usize], vertices[group[0].1 as usize]);
        match group {
            [_] => return Err(MeshProblem::OpenEdge { from, to }),
            [(.., false), (.., true)] => {}
            [_, _] => return Err(MeshProblem::InconsistentEdge { from, to }),
            _ => return Err(MeshProblem::SharedEdge { from, to, count: group.len() }),
        }
    }
    Ok(())
}

/// For each vertex the lowest vertex that triangles connect it with.
fn parts(vertices: usize, triangles: &[[u32; 3]]) -> Vec<usize> {
    fn root(parent: &mut [usize], mut i: usize) -> usize {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    }
    let mut parent: Vec<usize> = (0..vertices).collect();
    for t in triangles {
        for k in 1..3 {
            let a = root(&mut parent, t[0] as usize);
            let b = root(&mut parent, t[k] as usize);
            parent[a.max(b)] = a.min(b);
        }
    }
    (0..vertices).map(|i| root(&mut parent, i)).collect()
}

/// Lowest and highest coordinates of points; zero for none.
pub(crate) fn bounds_of(points: impl Iterator<Item = DVec3>) -> (DVec3, DVec3) {
    points
        .fold(None, |box_, p| match box_ {
            None => Some((p, p)),
            Some((low, high)) => Some((p.min(low), p.max(high))),
        })
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soup(mesh: &ClosedMesh) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let v: Vec<DVec3> = mesh.triangles().iter().flatten().map(|&i| mesh.vertices()[i as usize]).collect();
        let t = (0..mesh.triangles().len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        (v, t)
    }

    #[test]
    fn triangles_of_an_stl_file_are_welded() {
        let cube = ClosedMesh::cuboid(DVec3::new(2.0, 1.0, 0.5));
        let (mut v, t) = soup(&cube);
        v.push(DVec3::splat(7.0)); // used by no triangle
        let mesh = ClosedMesh::new(&v, &t).unwrap();
        assert_eq!(mesh.vertices().len(), 8);
        assert!((mesh.volume() - 1.0).abs() < 1e-15);
        assert!(!mesh.was_flipped());
        assert_eq!(mesh.bounds(), (DVec3::new(-1.0, -0.5, -0.25), DVec3::new(1.0, 0.5, 0.25)));
    }

    #[test]
    fn signed_zeros_are_equal_and_slivers_vanish() {
        // a tetrahedron whose corner at the origin is given as 0 and as −0, with a sliver between
        let v = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(-0.0, 0.0, -0.0)];
        let t = [[0, 2, 1], [4, 1, 3], [1, 2, 3], [0, 3, 2], [0, 4, 1]];
        let mesh = ClosedMesh::new(&v, &t).unwrap();
        assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (4, 4));
        assert!((mesh.volume() - 1.0 / 6.0).abs() < 1e-16);
        assert!((mesh.centroid() - DVec3::splat(0.25)).length() < 1e-15);
    }

    #[test]
    fn flat_triangles_are_allowed() {
        // face 0-2-1 split at the middle of an edge, closed by a triangle of no area
        let v = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, 0.5 * DVec3::X];
        let t = [[0, 2, 4], [4, 2, 1], [0, 4, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
        assert!((ClosedMesh::new(&v, &t).unwrap().volume() - 1.0 / 6.0).abs() < 1e-16);
    }

    #[test]
    fn faulty_meshes_are_rejected() {
        let cube = ClosedMesh::cuboid(DVec3::ONE);
        let (v, t) = (cube.vertices().to_vec(), cube.triangles().to_vec());
        let problem = |v: &[DVec3], t: &[[u32; 3]]| ClosedMesh::new(v, t).unwrap_err();
        assert_eq!(problem(&v, &t[..3]), MeshProblem::TooFewTriangles { count: 3 });
        assert!(matches!(problem(&v, &t[..11]), MeshProblem::OpenEdge { .. }));
        let mut bad = t.clone();
        bad[5].swap(0, 1);
        assert!(matches!(problem(&v, &bad), MeshProblem::InconsistentEdge { .. }));
        bad[5][0] = 8;
        assert_eq!(problem(&v, &bad), MeshProblem::IndexOutOfRange { triangle: 5, index: 8, vertices: 8 });
        let mut wild = v.clone();
        wild[3].y = f64::NAN;
        assert_eq!(problem(&wild, &t), MeshProblem::NotFinite { vertex: 3 });
        let flat: Vec<DVec3> = v.iter().map(|p| DVec3::new(p.x, p.y, 0.1 * p.x)).collect();
        assert!(matches!(problem(&flat, &t), MeshProblem::NoVolume | MeshProblem::SharedEdge { .. }));
        // two cubes that share one edge
        let mut two = soup(&cube);
        let n = two.0.len() as u32;
        two.0.extend(soup(&cube).0.iter().map(|p| *p + DVec3::new(1.0, 1.0, 0.0)));
        two.1.extend((0..12).map(|i| [n + 3 * i, n + 3 * i + 1, n + 3 * i + 2]));
        assert!(matches!(problem(&two.0, &two.1), MeshProblem::SharedEdge { count: 4, .. }));
    }

    /// A cube of 4 m, and one of 1 m at a place, each with its orientation.
    fn pair(outer_flipped: bool, inner_flipped: bool, at: DVec3) -> Result<ClosedMesh, MeshProblem> {
        let cube = ClosedMesh::cuboid(DVec3::ONE);
        let turn = |t: &[u32; 3], flip: bool, n: u32| {
            let t = t.map(|i| i + n);
            if flip { [t[0], t[2], t[1]] } else { t }
        };
        let mut v: Vec<DVec3> = cube.vertices().iter().map(|p| 4.0 * *p).collect();
        v.extend(cube.vertices().iter().map(|p| *p + at));
        let mut t: Vec<[u32; 3]> = cube.triangles().iter().map(|t| turn(t, outer_flipped, 0)).collect();
        t.extend(cube.triangles().iter().map(|t| turn(t, inner_flipped, 8)));
        ClosedMesh::new(&v, &t)
    }

    #[test]
    fn inward_normals_are_flipped_or_form_a_cavity() {
        let far = 9.0 * DVec3::X;
        let cavity = pair(false, true, DVec3::ZERO).unwrap();
        assert!((cavity.volume() - 63.0).abs() < 1e-12 && !cavity.was_flipped());
        let inverted = pair(true, false, DVec3::ZERO).unwrap();
        assert!((inverted.volume() - 63.0).abs() < 1e-12 && inverted.was_flipped());
        let both = pair(true, true, far).unwrap();
        assert!((both.volume() - 65.0).abs() < 1e-12 && both.was_flipped());
        assert!(matches!(pair(false, true, far), Err(MeshProblem::InvertedPart { .. })));
    }
}
