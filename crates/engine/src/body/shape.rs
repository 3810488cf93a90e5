//! The solids a body is made of: plain data, checked once.
//!
//! Every shape lives in its own frame, in metres, with z as the axis of those that have one. A surface is a list of
//! triangles whose corners run counterclockwise seen from outside, so that with o any fixed point
//!
//! ```text
//! volume  V = ⅙ Σ (a − o) · ((b − o) × (c − o))
//! area    A = ½ Σ |(b − a) × (c − a)|
//! closed  ⇔ each edge a→b occurs once, and b→a occurs once
//! solid   ⇔ closed and V > 10⁻⁹ A L        (L the longest side of the bounding box)
//! ```

use super::hull::hull;

use glam::{DQuat, DVec3};
use thiserror::Error;

/// Below this ratio of thickness (volume / area) to length a solid counts as flat.
const FLAT: f64 = 1e-9;
/// How far the length of a rotation may be from one.
const UNIT: f64 = 1e-9;
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

pub(super) fn check_points(key: &'static str, points: &[DVec3]) -> Result<(), ShapeError> {
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
pub(super) fn check_thick(
    key: &'static str,
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
) -> Result<f64, ShapeError> {
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

pub(super) fn bounds(points: &[DVec3]) -> (DVec3, DVec3) {
    points.iter().fold((points[0], points[0]), |(min, max), &point| (min.min(point), max.max(point)))
}
