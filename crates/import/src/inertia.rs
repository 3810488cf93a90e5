//! Mass of a mesh at density 1, as MJCF understands it.
//!
//! MuJoCo's default mass of a mesh is the sum of pyramids from the centre o of its faces to each triangle, all counted
//! as positive, so that a surface with holes or with inward faces has a mass, too:
//!
//! ```text
//!  v = |n · (m − o)| A / 3     c = Σ v (¾ m + ¼ o) / Σ v       m the centroid of a triangle
//!  w = |n · (m − c)| A / 3     V = Σ w
//!  C = Σ w / 20 (ppᵀ + qqᵀ + rrᵀ + ssᵀ)     p, q, r its vertices from c, s = p + q + r     J = tr(C) 1 − C
//! ```
//!
//! For a closed surface that is star-shaped about o and c this is the volume integral.

use glam::{DMat3, DVec3};
use windlass_engine::prelude::Mass;
use windlass_scene::mesh::Surface;

/// The mass by positive pyramids; none if there is no volume.
pub fn by_pyramids(surface: &Surface) -> Option<Mass> {
    let corners = || surface.triangles.iter().map(|t| t.map(|i| surface.vertices[i as usize]));
    // twice the area, along the normal of the face
    let face = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a);
    let middle = |[a, b, c]: [DVec3; 3]| (a + b + c) / 3.0;
    let area: f64 = corners().map(|t| face(t).length()).sum();
    let origin = corners().map(|t| middle(t) * face(t).length()).sum::<DVec3>() / area;

    let pyramid = |t: [DVec3; 3], top: DVec3| ((middle(t) - top).dot(face(t)) / 6.0).abs();
    let volume: f64 = corners().map(|t| pyramid(t, origin)).sum();
    let first: DVec3 = corners().map(|t| (middle(t) * 0.75 + origin * 0.25) * pyramid(t, origin)).sum();
    let center = first / volume;

    let second = corners().fold(DMat3::ZERO, |sum, t| {
        let [a, b, c] = t.map(|p| p - center);
        let products = [a, b, c, a + b + c].map(|p| DMat3::from_cols(p * p.x, p * p.y, p * p.z));
        sum + products.into_iter().fold(DMat3::ZERO, |s, p| s + p) * (pyramid(t, center) / 20.0)
    });
    let inertia = DMat3::from_diagonal(DVec3::splat(second.diagonal().element_sum())) - second;
    // the volume is that of the pyramids to the centre of mass
    let volume: f64 = corners().map(|t| pyramid(t, center)).sum();
    (volume > 0.0 && center.is_finite() && inertia.is_finite()).then(|| Mass::new(volume, center, inertia))
}
