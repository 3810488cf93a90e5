//! Triangles with their neighbours: closed meshes, open surfaces and height fields.
//!
//! A triangle exerts contact forces on its front side only. At a convex edge the contact normal may tilt up to the
//! neighbour's normal. At a flat or concave edge it may not tilt: there the neighbour makes contact, and edges inside a
//! plane have no effect.

use super::bounds::{Bounds, normal_of};
use glam::{DVec2, DVec3};
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A triangle of a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangle {
    pub corners: [DVec3; 3],
    pub normal: DVec3,
    /// How far the contact normal may tilt over each edge, by its cosine and sine; edge k starts at vertex k.
    pub lean: [Lean; 3],
    /// Names of its vertices.
    pub names: [u32; 3],
    /// The region behind it is solid to any depth.
    pub solid: bool,
}

/// An angle between 0 and 90°.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lean {
    pub cos: f64,
    pub sin: f64,
}

const NONE: Lean = Lean { cos: 1.0, sin: 0.0 };
const SQUARE: Lean = Lean { cos: 0.0, sin: 1.0 };

/// Tilts below this count as zero: normals of a finely meshed plane differ by round-off.
const FLAT: f64 = 1e-6;

impl Lean {
    /// Allowed tilt over the edge at `a` between a face and a neighbour with a vertex `far` off the edge.
    fn between(normal: DVec3, neighbour: DVec3, a: DVec3, far: DVec3) -> Lean {
        let (cos, sin) = (normal.dot(neighbour), normal.cross(neighbour).length());
        let concave = normal.dot(far - a) >= 0.0;
        if concave || (sin < FLAT && cos > 0.0) {
            NONE
        } else if cos < 0.0 {
            SQUARE
        } else {
            Lean { cos, sin }
        }
    }
}

impl Triangle {
    /// Whether a contact normal n is admissible at a point of the triangle: its own normal anywhere, at an edge any up
    /// to the tilt allowed, at a vertex if no adjacent vertex (`ring`) extends beyond it along n.
    pub fn allows(&self, n: DVec3, at: DVec3, ring: impl FnOnce(usize, &mut dyn FnMut(DVec3))) -> bool {
        let up = n.dot(self.normal);
        if up > 1.0 - FLAT * FLAT {
            return true;
        }
        // barycentric coordinates: 0 on the edge, 1 at the opposite vertex
        let heights = [0, 1, 2].map(|k| {
            let inward = self.normal.cross(self.side(k));
            inward.dot(at - self.corners[k]) / inward.dot(self.corners[(k + 2) % 3] - self.corners[k])
        });
        if let Some(across) = heights.iter().position(|h| *h > 1.0 - ON) {
            let corner = (across + 2) % 3;
            let mut highest = f64::NEG_INFINITY;
            let from = self.corners[corner];
            ring(corner, &mut |p| highest = highest.max(n.dot((p - from).normalize_or_zero())));
            return highest <= FLAT;
        }
        let Some(edge) = heights.iter().position(|h| *h < ON) else { return false };
        let out = n.dot(self.side(edge).normalize_or_zero().cross(self.normal));
        // angle of (up, out) at most that allowed
        up >= -FLAT && out * self.lean[edge].cos <= up * self.lean[edge].sin + FLAT
    }

    /// The edge that starts at a vertex.
    fn side(&self, k: usize) -> DVec3 {
        self.corners[(k + 1) % 3] - self.corners[k]
    }
}

/// A point this close to an edge or vertex, relative to the triangle, is on it.
const ON: f64 = 1e-6;

/// Triangles in any order, with a tree of their bounding boxes.
#[derive(Debug)]
pub(crate) struct Soup {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// Vertices of the triangles, each once.
    used: Vec<u32>,
    normals: Vec<DVec3>,
    leans: Vec<[Lean; 3]>,
    /// Edges in both directions, in order: the neighbours of each vertex.
    edges: Vec<(u32, u32)>,
    tree: Bvh,
    bounds: Bounds,
}

impl Soup {
    pub fn new(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Soup {
        let merged = merged(vertices);
        let same = |t: &[u32; 3]| t.map(|v| merged[v as usize]);
        let triangles: Vec<[u32; 3]> =
            triangles.iter().map(same).filter(|t| normal_of(vertices, *t) != DVec3::ZERO).collect();
        let normals: Vec<DVec3> = triangles.iter().map(|t| normal_of(vertices, *t)).collect();
        let sides = |t: &[u32; 3]| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
        let beside: BTreeMap<(u32, u32), usize> =
            triangles.iter().enumerate().flat_map(|(k, t)| sides(t).map(|side| (side, k))).collect();
        let v = |i: u32| vertices[i as usize];
        let lean = |k: usize, (a, b): (u32, u32)| {
            let Some(&n) = beside.get(&(b, a)) else { return SQUARE };
            let far = triangles[n].into_iter().find(|c| *c != a && *c != b).unwrap_or(a);
            Lean::between(normals[k], normals[n], v(a), v(far))
        };
        let leans = (0..triangles.len()).map(|k| sides(&triangles[k]).map(|s| lean(k, s))).collect();
        let bound = |t: &[u32; 3]| Bounds::of(t.map(v)).to_parry();
        let boxes: Vec<Aabb> = triangles.iter().map(bound).collect();
        let bounds = Bounds::of(triangles.iter().flatten().map(|i| v(*i)));
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        let used: BTreeSet<u32> = triangles.iter().flatten().copied().collect();
        let used = used.into_iter().collect();
        let edges: BTreeSet<(u32, u32)> =
            triangles.iter().flat_map(sides).flat_map(|(a, b)| [(a, b), (b, a)]).collect();
        let edges = edges.into_iter().collect();
        Soup { vertices: vertices.to_vec(), triangles, used, normals, leans, edges, tree, bounds }
    }

    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    pub fn triangle(&self, k: usize) -> Triangle {
        let names = self.triangles[k];
        Triangle {
            corners: names.map(|v| self.vertices[v as usize]),
            normal: self.normals[k],
            lean: self.leans[k],
            names,
            solid: false,
        }
    }

    /// The neighbours of a vertex.
    pub fn ring(&self, name: u32, each: &mut dyn FnMut(DVec3)) {
        let from = self.edges.partition_point(|e| e.0 < name);
        let around = self.edges[from..].iter().take_while(|e| e.0 == name);
        around.for_each(|e| each(self.vertices[e.1 as usize]));
    }

    /// Every vertex, with its name.
    pub fn corners(&self, mut each: impl FnMut(u32, DVec3)) {
        self.used.iter().for_each(|k| each(*k, self.vertices[*k as usize]));
    }

    /// Lists the triangles whose boxes intersect a box, unordered.
    pub fn near(&self, bounds: &Bounds, out: &mut Vec<u32>) {
        out.extend(self.tree.intersect_aabb(&bounds.to_parry()));
    }
}

/// For each vertex the first one at the same position.
fn merged(vertices: &[DVec3]) -> Vec<u32> {
    let mut first = BTreeMap::new();
    // adding zero maps −0 to 0
    let key = |v: &DVec3| (*v + DVec3::ZERO).to_array().map(f64::to_bits);
    vertices.iter().enumerate().map(|(i, v)| *first.entry(key(v)).or_insert(i as u32)).collect()
}

/// Heights over a grid. Each cell is two triangles, divided from its low corner to its high one. Of ground that changes
/// it has a window: the part that one collider may touch.
#[derive(Debug)]
pub(crate) struct Field {
    /// Those of the window, x running fastest.
    heights: Vec<f64>,
    /// First node of the window, and its numbers of nodes.
    first: [usize; 2],
    window: [usize; 2],
    /// Numbers of nodes of the whole grid.
    nodes: [usize; 2],
    spacing: [f64; 2],
    bounds: Bounds,
}

/// Ground that changes is between this height and its negative [m].
const HIGHEST: f64 = 1e4;

impl Field {
    pub fn new(heights: Vec<f64>, columns: usize, spacing: [f64; 2]) -> Field {
        let nodes = [columns, heights.len() / columns.max(1)];
        let mut field =
            Field { heights, first: [0, 0], window: nodes, nodes, spacing, bounds: Bounds::of([]) };
        let all = (0..nodes[1]).flat_map(|j| (0..nodes[0]).map(move |i| (i, j)));
        let Bounds { low, high } = Bounds::of(all.map(|(i, j)| field.point(i, j)));
        // solid below, to a depth equal to its width
        field.bounds = Bounds { low: low - DVec3::Z * (high - low).max_element(), high };
        field
    }

    /// Ground of which no part is known yet.
    pub fn changing(nodes: [usize; 2], spacing: f64) -> Field {
        let half = DVec2::new(nodes[0] as f64 - 1.0, nodes[1] as f64 - 1.0) * (0.5 * spacing);
        let bounds = Bounds { low: (-half).extend(-HIGHEST), high: half.extend(HIGHEST) };
        Field { heights: Vec::new(), first: [0, 0], window: [0, 0], nodes, spacing: [spacing; 2], bounds }
    }

    /// Moves the window to a box, with one cell more on each side; `fill` has the heights of a first node and of
    /// numbers of nodes.
    pub fn look(&mut self, bounds: &Bounds, fill: impl FnOnce([usize; 2], [usize; 2], &mut Vec<f64>)) {
        let range = |k: usize| {
            let cells = self.cells(bounds.low[k], bounds.high[k], k, [0, self.nodes[k]]);
            if cells.is_empty() {
                return [0, 0];
            }
            let from = cells.start.saturating_sub(1);
            [from, (cells.end + 2).min(self.nodes[k]) - from]
        };
        let [[i, wide], [j, deep]] = [range(0), range(1)];
        (self.first, self.window) = ([i, j], if wide * deep == 0 { [0, 0] } else { [wide, deep] });
        self.heights.clear();
        if self.window != [0, 0] {
            fill(self.first, self.window, &mut self.heights);
        }
        self.heights.resize(self.window[0] * self.window[1], -HIGHEST);
    }

    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// A node of the window, by its numbers in the whole grid.
    fn point(&self, i: usize, j: usize) -> DVec3 {
        let at = |k: usize, n: usize, s: f64| (k as f64 - 0.5 * (n as f64 - 1.0)) * s;
        let height = self.heights[i - self.first[0] + (j - self.first[1]) * self.window[0]];
        DVec3::new(at(i, self.nodes[0], self.spacing[0]), at(j, self.nodes[1], self.spacing[1]), height)
    }

    /// Whether the window has a node.
    fn has(&self, i: i64, j: i64) -> bool {
        let within = |at: i64, k: usize| {
            let first = self.first[k] as i64;
            (first..first + self.window[k] as i64).contains(&at)
        };
        within(i, 0) && within(j, 1)
    }

    /// Nodes of a triangle, if it is in the window: the lower right half of a cell, or the upper left one.
    fn places(&self, i: i64, j: i64, upper: bool) -> Option<[(usize, usize); 3]> {
        let inside = self.has(i, j) && self.has(i + 1, j + 1);
        let (i, j) = (i as usize, j as usize);
        inside.then(|| match upper {
            false => [(i, j), (i + 1, j), (i + 1, j + 1)],
            true => [(i, j), (i + 1, j + 1), (i, j + 1)],
        })
    }

    /// A triangle: 2 × cell, plus 1 for the upper left half.
    pub fn triangle(&self, k: usize) -> Triangle {
        let (cell, upper) = (k / 2, k % 2 == 1);
        let across = self.nodes[0] - 1;
        let (i, j) = ((cell % across) as i64, (cell / across) as i64);
        let places = self.places(i, j, upper).unwrap_or([(self.first[0], self.first[1]); 3]);
        let corners = places.map(|(i, j)| self.point(i, j));
        let normal = normal_of(&corners, [0, 1, 2]);
        // across edges 0, 1, 2
        let beside = match upper {
            false => [(i, j - 1, true), (i + 1, j, true), (i, j, true)],
            true => [(i, j, false), (i, j + 1, false), (i - 1, j, false)],
        };
        let lean = |edge: usize| {
            let Some(other) = self.places(beside[edge].0, beside[edge].1, beside[edge].2) else {
                return SQUARE;
            };
            let (a, b) = (places[edge], places[(edge + 1) % 3]);
            let far = other.into_iter().find(|p| *p != a && *p != b).unwrap_or(a);
            let other = other.map(|(i, j)| self.point(i, j));
            Lean::between(normal, normal_of(&other, [0, 1, 2]), corners[edge], self.point(far.0, far.1))
        };
        let lean = [lean(0), lean(1), lean(2)];
        let names = places.map(|(i, j)| (i + j * self.nodes[0]) as u32);
        Triangle { corners, normal, lean, names, solid: true }
    }

    /// The neighbours of a vertex.
    pub fn ring(&self, name: u32, each: &mut dyn FnMut(DVec3)) {
        let (i, j) = (name as i64 % self.nodes[0] as i64, name as i64 / self.nodes[0] as i64);
        for (di, dj) in [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)] {
            let (i, j) = (i + di, j + dj);
            if self.has(i, j) {
                each(self.point(i as usize, j as usize));
            }
        }
    }

    /// Every vertex of the window, with its name.
    pub fn corners(&self, mut each: impl FnMut(u32, DVec3)) {
        for j in self.first[1]..self.first[1] + self.window[1] {
            for i in self.first[0]..self.first[0] + self.window[0] {
                each((i + j * self.nodes[0]) as u32, self.point(i, j));
            }
        }
    }

    /// The cells along an axis that a range of coordinates intersects, among those between two nodes.
    fn cells(&self, low: f64, high: f64, axis: usize, [first, end]: [usize; 2]) -> Range<usize> {
        let shift = 0.5 * (self.nodes[axis] as f64 - 1.0);
        if end < first + 2 {
            return 0..0;
        }
        let (first, last) = (first as f64, end as f64 - 2.0);
        let s = self.spacing[axis];
        let (from, to) = ((low / s + shift).floor(), (high / s + shift).floor());
        // casting clamps; a range outside the grid is empty
        if to < first || from > last { 0..0 } else { from.max(first) as usize..to.min(last) as usize + 1 }
    }

    /// Lists the triangles that intersect a box, or lie above it, in order.
    pub fn near(&self, bounds: &Bounds, out: &mut Vec<u32>) {
        let cells = |k: usize| {
            let known = [self.first[k], self.first[k] + self.window[k]];
            self.cells(bounds.low[k], bounds.high[k], k, known)
        };
        let across = cells(0);
        for j in cells(1) {
            for i in across.clone() {
                let at = i - self.first[0] + (j - self.first[1]) * self.window[0];
                let h = [at, at + 1, at + self.window[0], at + self.window[0] + 1].map(|k| self.heights[k]);
                if h.iter().any(|h| *h >= bounds.low.z) {
                    let cell = (i + j * (self.nodes[0] - 1)) as u32;
                    out.extend([2 * cell, 2 * cell + 1]);
                }
            }
        }
    }
}
