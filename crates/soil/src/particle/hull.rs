//! Convex hulls as walls: planes for centres inside, visible triangles for centres outside.
//!
//! The closest point of a convex hull to a point outside lies on a triangle whose plane has the point in front.

use super::triangle::closest;
use glam::DVec3;
use windlass_engine::body::hull::hull;
use windlass_engine::body::points::ShapeError;

/// A convex hull.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// Outward normal of each triangle, and its distance from the origin.
    planes: Vec<(DVec3, f64)>,
}

impl Hull {
    /// The hull of points.
    ///
    /// # Errors
    /// Fewer than four points, points in one plane, or coordinates that are not finite.
    pub fn new(points: &[DVec3]) -> Result<Hull, ShapeError> {
        let (vertices, triangles) = hull(points)?;
        let planes = triangles.iter().map(|triangle| {
            let [a, b, c] = triangle.map(|k| vertices[k as usize]);
            let normal = (b - a).cross(c - a).normalize_or_zero();
            (normal, normal.dot(a))
        });
        Ok(Hull { planes: planes.collect(), vertices, triangles })
    }

    /// Normal and signed distance of the surface at `q`, and the triangle. A centre inside leaves through the face
    /// `through` if that is a triangle, else through the nearest.
    pub(super) fn nearest(&self, q: DVec3, through: u32) -> (DVec3, f64, u32) {
        let mut nearest = (DVec3::Z, f64::INFINITY, u32::MAX);
        let mut shallowest = (f64::NEG_INFINITY, 0);
        for (at, (triangle, (normal, distance))) in self.triangles.iter().zip(&self.planes).enumerate() {
            let height = normal.dot(q) - distance;
            if height > shallowest.0 {
                shallowest = (height, at);
            }
            if height > 0.0 {
                let (point, _) = closest(q, triangle.map(|k| self.vertices[k as usize]));
                let away = (q - point).length();
                if away < nearest.1 {
                    nearest = (if away > 1e-9 { (q - point) / away } else { *normal }, away, at as u32);
                }
            }
        }
        if nearest.2 != u32::MAX {
            return nearest;
        }
        let face = if (through as usize) < self.planes.len() { through as usize } else { shallowest.1 };
        let (normal, distance) = self.planes[face];
        (normal, normal.dot(q) - distance, face as u32)
    }

    /// The vertices.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }
}
