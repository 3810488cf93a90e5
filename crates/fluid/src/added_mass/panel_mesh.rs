//! A triangle mesh as panels: edges shared by triangles, normals, centroids; checks that it is a hull.
//!
//! Vertices at the same position are merged. Each edge must be run through in both directions by the triangles beside
//! it, except for edges in a boundary plane: there the mirror image closes the hull. Triangles that lie in a boundary
//! plane (the lid of a clipped hull) are dropped, for no water is behind them.

use super::boundaries::{Boundaries, MAX_TRIANGLES, PanelError};
use glam::DVec3;
use std::collections::BTreeMap;

/// Distance from a plane that counts as none, relative to the size of the mesh.
const IN_PLANE: f64 = 1e-7;
/// Area of a triangle that counts as none, relative to the square of its longest edge.
const NO_AREA: f64 = 1e-9;

/// An edge between two vertices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// Its vertices.
    pub ends: [usize; 2],
    /// Its length [m].
    pub length: f64,
}

/// A triangle with outward normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panel {
    /// Its vertices, counterclockwise from outside.
    pub vertices: [usize; 3],
    /// Its edges, in the same order.
    pub edges: [usize; 3],
    /// In-plane unit normals of the edges, out of the triangle.
    pub edge_normals: [DVec3; 3],
    /// Unit normal out of the body.
    pub normal: DVec3,
    /// Mean of its vertices [m].
    pub centroid: DVec3,
    /// Its area [m²].
    pub area: f64,
}

/// The panels of a hull.
#[derive(Clone, Debug)]
pub(super) struct PanelMesh {
    /// Positions [m].
    pub vertices: Vec<DVec3>,
    /// Edges.
    pub edges: Vec<Edge>,
    /// Triangles.
    pub panels: Vec<Panel>,
    /// Enclosed volume, up to the planes in which the hull is open [m³].
    pub volume: f64,
    /// The hull ends in the water surface.
    pub open_at_surface: bool,
    /// The hull ends in the sea floor.
    pub open_at_floor: bool,
}

impl PanelMesh {
    /// Builds panels from triangles, and checks them.
    pub fn new(
        vertices: &[DVec3],
        triangles: &[[u32; 3]],
        boundaries: &Boundaries,
    ) -> Result<PanelMesh, PanelError> {
        check_numbers(vertices, triangles)?;
        let planes = Planes::new(vertices, triangles, boundaries)?;
        let (points, merged) = merge(vertices);
        let mut mesh = PanelMesh {
            vertices: points,
            edges: Vec::new(),
            panels: Vec::new(),
            volume: 0.0,
            open_at_surface: false,
            open_at_floor: false,
        };
        let mut known = BTreeMap::new();
        let mut balance = Vec::new();
        for (index, t) in triangles.iter().enumerate() {
            let corners = t.map(|v| merged[v as usize]);
            if !planes.hold(corners.map(|v| mesh.vertices[v])) {
                mesh.add(index, corners, &mut known, &mut balance)?;
            }
        }
        if mesh.panels.is_empty() {
            return Err(PanelError::NoTriangles);
        }
        if mesh.panels.len() > MAX_TRIANGLES {
            return Err(PanelError::TooMany { triangles: mesh.panels.len() });
        }
        mesh.check_closed(&balance, &planes)?;
        mesh.volume = mesh.enclosed();
        if !(mesh.volume > 0.0) {
            return Err(PanelError::Inward { volume: mesh.volume });
        }
        Ok(mesh)
    }

    /// Adds a triangle and its edges; `balance` counts directions in which edges are run through.
    fn add(
        &mut self,
        index: usize,
        corners: [usize; 3],
        known: &mut BTreeMap<(usize, usize), usize>,
        balance: &mut Vec<i32>,
    ) -> Result<(), PanelError> {
        let p = corners.map(|v| self.vertices[v]);
        let cross = (p[1] - p[0]).cross(p[2] - p[0]);
        let area = 0.5 * cross.length();
        let longest = (0..3).map(|k| (p[(k + 1) % 3] - p[k]).length_squared()).fold(0.0, f64::max);
        if !(area > NO_AREA * longest) {
            return Err(PanelError::NoArea { triangle: index });
        }
        let normal = cross / (2.0 * area);
        let (mut edges, mut edge_normals) = ([0; 3], [DVec3::ZERO; 3]);
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            let length = (self.vertices[b] - self.vertices[a]).length();
            edge_normals[k] = ((self.vertices[b] - self.vertices[a]) / length).cross(normal);
            edges[k] = *known.entry((a.min(b), a.max(b))).or_insert_with(|| {
                self.edges.push(Edge { ends: [a, b], length });
                balance.push(0);
                self.edges.len() - 1
            });
            balance[edges[k]] += if a < b { 1 } else { -1 };
        }
        let centroid = (p[0] + p[1] + p[2]) / 3.0;
        self.panels.push(Panel { vertices: corners, edges, edge_normals, normal, centroid, area });
        Ok(())
    }

    /// Refuses edges with one triangle only, unless they lie in a boundary plane.
    fn check_closed(&mut self, balance: &[i32], planes: &Planes) -> Result<(), PanelError> {
        let open = balance.iter().zip(&self.edges).filter(|(b, _)| **b != 0);
        let mut outside = open.clone().filter_map(|(_, e)| {
            let ends = e.ends.map(|v| self.vertices[v]);
            (!planes.at_surface(&ends) && !planes.at_floor(&ends)).then_some(ends)
        });
        if let Some([from, to]) = outside.next() {
            return Err(PanelError::Open { edges: 1 + outside.count(), from, to });
        }
        let ends = |e: &Edge| e.ends.map(|v| self.vertices[v]);
        let (surface, floor) = open.fold((false, false), |(s, f), (_, e)| {
            (s || planes.at_surface(&ends(e)), f || planes.at_floor(&ends(e)))
        });
        (self.open_at_surface, self.open_at_floor) = (surface, floor);
        Ok(())
    }

    /// ½ ∫ (x n_x + y n_y) dA: the volume, to which level lids do not contribute.
    fn enclosed(&self) -> f64 {
        let origin = self.vertices[0];
        let part = |p: &Panel| {
            let r = p.centroid - origin;
            0.5 * p.area * (r.x * p.normal.x + r.y * p.normal.y)
        };
        self.panels.iter().map(part).sum()
    }
}

/// Level planes that bound the water, and what counts as lying in them.
struct Planes {
    surface: Option<f64>,
    floor: Option<f64>,
    tolerance: f64,
}

impl Planes {
    /// Refuses a mesh that reaches through a plane.
    fn new(
        vertices: &[DVec3],
        triangles: &[[u32; 3]],
        boundaries: &Boundaries,
    ) -> Result<Planes, PanelError> {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for v in triangles.iter().flatten() {
            let p = vertices[*v as usize];
            (low, high) = (low.min(p), high.max(p));
        }
        let tolerance = IN_PLANE * (high - low).length();
        let (surface, floor) = (boundaries.surface.map(|s| s.level), boundaries.floor);
        if let Some(level) = surface.filter(|&s| high.z > s + tolerance) {
            return Err(PanelError::ThroughSurface { height: high.z, level });
        }
        if let Some(level) = floor.filter(|&f| low.z < f - tolerance) {
            return Err(PanelError::ThroughFloor { height: low.z, level });
        }
        if let (Some(surface), Some(floor)) = (surface, floor)
            && !(surface > floor)
        {
            return Err(PanelError::NoDepth { surface, floor });
        }
        Ok(Planes { surface, floor, tolerance })
    }

    fn at_surface(&self, points: &[DVec3]) -> bool {
        self.surface.is_some_and(|s| points.iter().all(|p| (p.z - s).abs() <= self.tolerance))
    }

    fn at_floor(&self, points: &[DVec3]) -> bool {
        self.floor.is_some_and(|f| points.iter().all(|p| (p.z - f).abs() <= self.tolerance))
    }

    /// True if a triangle lies in one of the planes.
    fn hold(&self, triangle: [DVec3; 3]) -> bool {
        self.at_surface(&triangle) || self.at_floor(&triangle)
    }
}

/// Refuses indices without a vertex and vertices that are not finite.
fn check_numbers(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), PanelError> {
    for (triangle, t) in triangles.iter().enumerate() {
        for &v in t {
            match vertices.get(v as usize) {
                None => return Err(PanelError::NoVertex { triangle, vertex: v, vertices: vertices.len() }),
                Some(p) if !p.is_finite() => return Err(PanelError::NotFinite { vertex: v }),
                Some(_) => {}
            }
        }
    }
    Ok(())
}

/// Vertices without repetitions, and the index of each given vertex among them.
fn merge(vertices: &[DVec3]) -> (Vec<DVec3>, Vec<usize>) {
    let (mut points, mut known) = (Vec::new(), BTreeMap::new());
    let index = |p: &DVec3| {
        // 0 and −0 are one position
        let key = (*p + DVec3::ZERO).to_array().map(f64::to_bits);
        *known.entry(key).or_insert_with(|| {
            points.push(*p);
            points.len() - 1
        })
    };
    let merged = vertices.iter().map(index).collect();
    (points, merged)
}
