//! What bounds the water around panels, and why a mesh has no added mass.

use glam::DVec3;

/// Triangles of a mesh at most: the cost grows with their cube.
pub const MAX_TRIANGLES: usize = 1500;
/// Images of images between a water surface and a sea floor, to either side.
pub const REFLECTIONS: i32 = 4;

/// What the flow does at the water surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfaceCondition {
    /// Zero pressure impulse, image of opposite sign: impacts, waves much shorter than the body.
    Free,
    /// No flow through it, image of the same sign: slow motions, waves much longer than the body.
    Rigid,
}

/// A level water surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Its height z [m].
    pub level: f64,
    /// What the flow does there.
    pub condition: SurfaceCondition,
}

/// Level planes that bound the water. The default is an unbounded fluid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Boundaries {
    /// The water surface.
    pub surface: Option<Surface>,
    /// Height z of the sea floor [m].
    pub floor: Option<f64>,
}

/// Why a mesh has no added mass.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PanelError {
    /// More triangles than [`MAX_TRIANGLES`].
    #[error(
        "{triangles} triangles are more than panels can be computed for ({MAX_TRIANGLES}): decimate the hull, or give \
         its added mass as a matrix"
    )]
    TooMany {
        /// Triangles in the water.
        triangles: usize,
    },
    /// Nothing is in the water.
    #[error("the hull has no triangles in the water: lower it, or leave its added mass out")]
    NoTriangles,
    /// An index without a vertex.
    #[error(
        "triangle {triangle} refers to vertex {vertex} of {vertices}: correct its indices, which count from 0"
    )]
    NoVertex {
        /// Triangle, from 0.
        triangle: usize,
        /// The index.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} is not finite: correct its coordinates")]
    NotFinite {
        /// Vertex, from 0.
        vertex: u32,
    },
    /// The corners of a triangle are in one line.
    #[error("triangle {triangle} has no area: remove it, or merge its vertices")]
    NoArea {
        /// Triangle, from 0.
        triangle: usize,
    },
    /// The hull has a hole that no boundary plane closes.
    #[error(
        "the hull is not closed: {edges} edges have no second triangle, the first from ({}, {}, {}) to ({}, {}, {}); \
         close the hole, or let it end in the water surface",
        from.x, from.y, from.z, to.x, to.y, to.z
    )]
    Open {
        /// Edges with one triangle.
        edges: usize,
        /// Start of the first of them [m].
        from: DVec3,
        /// End of the first of them [m].
        to: DVec3,
    },
    /// Normals point inwards.
    #[error(
        "the volume of the hull is {volume} m³: reverse its triangles, their normals must point outwards"
    )]
    Inward {
        /// Signed volume [m³].
        volume: f64,
    },
    /// The hull is partly above the water.
    #[error("the hull reaches up to z = {height} m, through the water surface at {level} m: clip it there")]
    ThroughSurface {
        /// Its highest point [m].
        height: f64,
        /// The water surface [m].
        level: f64,
    },
    /// The hull is partly below the sea floor.
    #[error(
        "the hull reaches down to z = {height} m, through the sea floor at {level} m: raise it, or clip it there"
    )]
    ThroughFloor {
        /// Its lowest point [m].
        height: f64,
        /// The sea floor [m].
        level: f64,
    },
    /// There is no water between surface and floor.
    #[error("the sea floor at {floor} m is not below the water surface at {surface} m: exchange them")]
    NoDepth {
        /// The water surface [m].
        surface: f64,
        /// The sea floor [m].
        floor: f64,
    },
    /// Source strengths cannot be found.
    #[error("the flow around the hull has no solution: look for triangles that coincide or intersect")]
    Singular,
    /// A motion has negative energy.
    #[error(
        "a motion has negative added mass, {share:.3} of the largest: look for triangles that intersect, and divide \
         those that are longer than the hull is thick"
    )]
    Negative {
        /// Its eigenvalue over the largest.
        share: f64,
    },
}
