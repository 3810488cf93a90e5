//! Surfaces of triangles as walls. Each triangle has a front, from which its vertices run counterclockwise.
//!
//! Thin plates hold because a triangle acts on centres behind it too, down to two radii, if the particle touched it
//! from the front before. A tree of boxes finds the triangles near a particle.

use super::triangle::{Region, closest};
use glam::DVec3;
use thiserror::Error;

/// Why a surface is not valid.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MeshError {
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} names a vertex beyond the {vertices} there are: give indices from 0")]
    Vertex {
        /// The triangle.
        triangle: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// A triangle has no area.
    #[error("triangle {triangle} has no area: remove it")]
    Area {
        /// The triangle.
        triangle: usize,
    },
    /// There are no triangles.
    #[error("the surface has no triangles: give at least one")]
    Empty,
}

#[derive(Clone, Debug, PartialEq)]
struct Triangle {
    corners: [DVec3; 3],
    normal: DVec3,
    /// Whether no other triangle has the edge that begins at this vertex.
    open: [bool; 3],
}

/// A node of the tree: its box, and its children or its triangles.
#[derive(Clone, Debug, PartialEq)]
struct Node {
    low: DVec3,
    high: DVec3,
    /// First triangle in the order of the tree, and their number; 0 for an inner node.
    first: u32,
    count: u32,
    /// The second child; the first one follows its parent.
    second: u32,
}

/// Triangles per leaf.
const LEAF: usize = 4;

/// A surface of triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    triangles: Vec<Triangle>,
    order: Vec<u32>,
    nodes: Vec<Node>,
}

/// The place of a triangle relative to a centre.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// From the surface to the centre.
    pub normal: DVec3,
    /// Signed distance of the centre from the surface; infinite if the triangle does not act.
    pub distance: f64,
    /// Whether the closest point lies inside the triangle.
    pub face: bool,
}

impl Mesh {
    /// The surface with these vertices and triangles.
    ///
    /// # Errors
    /// Indices out of range, triangles without area, or no triangles.
    pub fn new(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<Mesh, MeshError> {
        if triangles.is_empty() {
            return Err(MeshError::Empty);
        }
        let mut edges: Vec<(u32, u32, u32, u8)> = Vec::new();
        let mut all = Vec::new();
        for (at, triangle) in triangles.iter().enumerate() {
            if triangle.iter().any(|k| *k as usize >= vertices.len()) {
                return Err(MeshError::Vertex { triangle: at, vertices: vertices.len() });
            }
            let corners = triangle.map(|k| vertices[k as usize]);
            let area = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            let normal = area.try_normalize().ok_or(MeshError::Area { triangle: at })?;
            all.push(Triangle { corners, normal, open: [true; 3] });
            for k in 0..3 {
                let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
                edges.push((from.min(to), from.max(to), at as u32, k as u8));
            }
        }
        edges.sort_unstable();
        for pair in edges.windows(2).filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1)) {
            pair.iter().for_each(|edge| all[edge.2 as usize].open[edge.3 as usize] = false);
        }
        let order = (0..triangles.len() as u32).collect();
        let mut mesh = Mesh { triangles: all, order, nodes: Vec::new() };
        mesh.build(0, triangles.len());
        Ok(mesh)
    }

    /// The node over a part of the order, and those under it.
    fn build(&mut self, from: usize, to: usize) {
        let corners = self.order[from..to].iter().flat_map(|k| self.triangles[*k as usize].corners);
        let (low, high) =
            corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), c| (l.min(c), h.max(c)));
        let at = self.nodes.len();
        self.nodes.push(Node { low, high, first: from as u32, count: (to - from) as u32, second: 0 });
        if to - from <= LEAF {
            return;
        }
        let size = high - low;
        let axis = if size.x >= size.y && size.x >= size.z { 0 } else { 1 + usize::from(size.z > size.y) };
        let triangles = &self.triangles;
        let centre = |k: u32| triangles[k as usize].corners.iter().map(|c| c[axis]).sum::<f64>();
        self.order[from..to].sort_unstable_by(|a, b| centre(*a).total_cmp(&centre(*b)).then(a.cmp(b)));
        let middle = from.midpoint(to);
        self.build(from, middle);
        let second = self.nodes.len() as u32;
        self.build(middle, to);
        (self.nodes[at].count, self.nodes[at].second) = (0, second);
    }

    /// Corners of the box around the surface.
    pub(super) fn bounds(&self) -> (DVec3, DVec3) {
        (self.nodes[0].low, self.nodes[0].high)
    }

    /// Calls `found` for the triangles whose boxes come within `reach` of `q`.
    pub(super) fn near(&self, q: DVec3, reach: f64, mut found: impl FnMut(u32)) {
        // the tree halves, so its depth is below the bits of an index
        let (mut stack, mut depth) = ([0_u32; 40], 1);
        while depth > 0 {
            depth -= 1;
            let at = stack[depth] as usize;
            let node = &self.nodes[at];
            let away = (node.low - q).max(q - node.high);
            if away.max_element() > reach {
                continue;
            }
            if node.count == 0 {
                (stack[depth], stack[depth + 1]) = (node.second, at as u32 + 1);
                depth += 2;
            } else {
                let leaf = node.first as usize..(node.first + node.count) as usize;
                self.order[leaf].iter().for_each(|k| found(*k));
            }
        }
    }

    /// Whether two triangles face the same way, within 60 degrees.
    pub(super) fn aligned(&self, a: u32, b: u32) -> bool {
        let normal = |k: u32| self.triangles.get(k as usize).map_or(DVec3::ZERO, |t| t.normal);
        normal(a).dot(normal(b)) > 0.5
    }

    /// Height of `q` over the plane of a triangle.
    pub(super) fn height(&self, triangle: u32, q: DVec3) -> f64 {
        let triangle = &self.triangles[triangle as usize];
        triangle.normal.dot(q - triangle.corners[0])
    }

    /// How a triangle acts on a sphere that is or was in front of it.
    pub(super) fn touch(&self, triangle: u32, q: DVec3, radius: f64) -> Touch {
        let triangle = &self.triangles[triangle as usize];
        let height = triangle.normal.dot(q - triangle.corners[0]);
        let (point, region) = closest(q, triangle.corners);
        let none = Touch { normal: triangle.normal, distance: f64::INFINITY, face: false };
        if region == Region::Face {
            return if height > -2.0 * radius {
                Touch { distance: height, face: true, ..none }
            } else {
                none
            };
        }
        // an edge that two triangles share acts to the front only, a rim also from the side
        let rim = match region {
            Region::Edge(k) => triangle.open[k as usize],
            Region::Vertex(k) => triangle.open[k as usize] || triangle.open[(k as usize + 2) % 3],
            Region::Face => false,
        };
        let away = (q - point).length();
        if away < 1e-9 || (height < 0.0 && !rim) {
            return none;
        }
        Touch { normal: (q - point) / away, distance: away, face: false }
    }
}
