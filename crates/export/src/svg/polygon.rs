//! Convex flat polygons, and the parts of them on one side of a plane.

use glam::DVec3;

/// A convex flat polygon in the world.
#[derive(Clone, Debug)]
pub struct Polygon {
    /// Corners [m], counterclockwise seen from the front.
    pub corners: Vec<DVec3>,
    /// Whether the side from each corner to the next is an edge to be drawn.
    pub drawn: Vec<bool>,
    /// Unit normal.
    pub normal: DVec3,
    /// Which paint it has.
    pub paint: usize,
}

/// The part of a polygon where a linear function is positive, if any.
pub fn cut(polygon: &Polygon, height: impl Fn(DVec3) -> f64) -> Option<Polygon> {
    let (mut corners, mut drawn) = (Vec::new(), Vec::new());
    let count = polygon.corners.len();
    for i in 0..count {
        let [a, b] = [polygon.corners[i], polygon.corners[(i + 1) % count]];
        let [u, v] = [height(a), height(b)];
        if u >= 0.0 {
            corners.push(a);
            drawn.push(polygon.drawn[i]);
        }
        if (u >= 0.0) != (v >= 0.0) {
            corners.push(a + (b - a) * (u / (u - v)));
            // leaving, the next side runs along the cut; entering, along the old side
            drawn.push(u < 0.0 && polygon.drawn[i]);
        }
    }
    (corners.len() >= 3).then_some(Polygon { corners, drawn, ..*polygon })
}
