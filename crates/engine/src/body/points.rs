//! Validity checks of shapes bounded by points, and their errors.

use glam::DVec3;
use thiserror::Error;

/// Below this ratio of thickness (volume / area) to length a solid counts as flat.
const FLAT: f64 = 1e-9;

/// Why a shape is not a solid, and how to correct it.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ShapeError {
    /// A length is zero, negative or not a number.
    #[error("`{key}` is {value}: give a positive, finite length in metres")]
    Size {
        /// The field.
        key: &'static str,
        /// Its value (m).
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
        /// Number of vertices.
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
        /// The start vertex of the edge.
        from: u32,
        /// Its end vertex.
        to: u32,
    },
    /// Two triangles use an edge in the same direction.
    #[error(
        "`triangles` use edge {from}→{to} more than once: wind neighbours alike, \
         and give each sheet meeting there vertices of its own"
    )]
    Shared {
        /// The start vertex of the edge.
        from: u32,
        /// Its end vertex.
        to: u32,
    },
    /// The surface is oriented inward.
    #[error("`triangles` enclose {volume} m³: swap two corners of every triangle to orient it outward")]
    InsideOut {
        /// The negative volume (m³).
        volume: f64,
    },
    /// The orientation of a part is not a unit quaternion.
    #[error("`parts[{index}]` has an orientation quaternion of length {length}: normalize it")]
    Orientation {
        /// The part.
        index: usize,
        /// Length of the quaternion.
        length: f64,
    },
    /// A part of a compound is invalid.
    #[error("`parts[{index}]`: {source}")]
    Part {
        /// The part.
        index: usize,
        /// What is wrong with it.
        source: Box<ShapeError>,
    },
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
    // A NaN volume (from overflowing coordinates) counts as flat.
    if volume.abs() > FLAT * area * length { Ok(volume) } else { Err(ShapeError::Flat { key }) }
}

pub(super) fn bounds(points: &[DVec3]) -> (DVec3, DVec3) {
    points.iter().fold((points[0], points[0]), |(min, max), &point| (min.min(point), max.max(point)))
}
