//! Solids of which a body is made: plain data, checked once.
//!
//! Every shape has its own frame, in metres, with z as the axis of those that have one. A surface is a list of
//! triangles whose vertices run counterclockwise seen from outside, so that with o any fixed point
//!
//! ```text
//! volume  V = ⅙ Σ (a − o) · ((b − o) × (c − o))
//! area    A = ½ Σ |(b − a) × (c − a)|
//! closed  ⇔ each edge a→b occurs once, and b→a occurs once
//! solid   ⇔ closed and V > 10⁻⁹ A L        (L the longest side of the bounding box)
//! ```

use super::hull::hull;
use super::points::{ShapeError, check_points, check_thick};

use glam::{DQuat, DVec3};

/// Tolerance of the unit length of a quaternion.
const UNIT: f64 = 1e-9;
/// A solid in its own frame; lengths in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A sphere about the origin.
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
    /// A cylinder with a hemisphere at each end, about the origin, axis z.
    Capsule {
        /// Radius of the cylinder and of the hemispheres (m).
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
    /// The interior of a closed surface; an inward-oriented surface within it is a cavity.
    Mesh {
        /// Vertices (m).
        vertices: Vec<DVec3>,
        /// Vertex indices, counterclockwise seen from outside.
        triangles: Vec<[u32; 3]>,
    },
    /// Several shapes as one; where parts overlap, mass counts twice.
    Compound {
        /// Origin (m) and orientation of each part in this shape's frame, and the part.
        parts: Vec<(DVec3, DQuat, Shape)>,
    },
}

impl Shape {
    /// Whether this is a solid: sizes positive, surfaces closed and oriented outward.
    ///
    /// # Errors
    /// Names the first invalid field and its remedy.
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
            return Err(ShapeError::Orientation { index, length });
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
