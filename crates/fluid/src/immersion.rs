//! What of a body is under water: volume, centre of buoyancy, water plane.
//!
//! The water plane is the part of the surface that the body cuts out. It makes the hydrostatic stiffness
//!
//! ```text
//! K_w = ρ g ∫ j jᵀ dA,     j = (0, 0, 1;  y − y_c, −(x − x_c), 0)
//! ```
//!
//! which is symmetric and positive semidefinite. The stiffness by the shift of the volume's centre is not part of it.

use glam::{DMat3, DVec2, DVec3};

use windlass_engine::body::spatial::SpatialMatrix;

/// Area of the water plane with its first and second moments about a vertical line through a given point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WaterPlane {
    /// Area [m²].
    pub area: f64,
    /// First moments ∫ (x, y) dA [m³].
    pub first: DVec2,
    /// Second moment ∫ x² dA [m⁴].
    pub xx: f64,
    /// Second moment ∫ x y dA [m⁴].
    pub xy: f64,
    /// Second moment ∫ y² dA [m⁴].
    pub yy: f64,
}

impl WaterPlane {
    /// Hydrostatic stiffness K_w about the point, for a specific weight ρ g [N/m³]; it acts on (displacement, rotation).
    pub fn stiffness(&self, specific_weight: f64) -> SpatialMatrix {
        let (x, y) = (self.first.x, self.first.y);
        SpatialMatrix {
            linear: specific_weight * DMat3::from_diagonal(DVec3::new(0.0, 0.0, self.area)),
            coupling: specific_weight
                * DMat3::from_cols(DVec3::new(0.0, 0.0, y), DVec3::new(0.0, 0.0, -x), DVec3::ZERO),
            angular: specific_weight
                * DMat3::from_cols(
                    DVec3::new(self.yy, -self.xy, 0.0),
                    DVec3::new(-self.xy, self.xx, 0.0),
                    DVec3::ZERO,
                ),
        }
    }

    /// Adds the water plane of another part, about the same line.
    pub fn add(&mut self, other: &WaterPlane) {
        self.area += other.area;
        self.first += other.first;
        self.xx += other.xx;
        self.xy += other.xy;
        self.yy += other.yy;
    }

    /// Centroid from the vertical line [m]; zero without area.
    pub fn centroid(&self) -> DVec2 {
        if self.area > 0.0 { self.first / self.area } else { DVec2::ZERO }
    }

    /// Adds the triangle between the line of reference and an edge p → q of the water line, counterclockwise seen from above.
    #[inline]
    pub(crate) fn add_edge(&mut self, p: DVec2, q: DVec2) {
        let cross = p.perp_dot(q);
        let sum = p + q;
        self.area += 0.5 * cross;
        self.first += cross / 6.0 * sum;
        self.xx += cross / 12.0 * (p.x * p.x + q.x * q.x + p.x * q.x);
        self.xy += cross / 24.0 * (p.x * p.y + q.x * q.y + sum.x * sum.y);
        self.yy += cross / 12.0 * (p.y * p.y + q.y * q.y + p.y * q.y);
    }
}

/// Immersed part of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Immersion {
    /// Immersed volume [m³].
    pub volume: f64,
    /// Centre of buoyancy: the centroid of the immersed volume [m].
    pub center: DVec3,
    /// Depth of the deepest point [m].
    pub draft: f64,
    /// Wet surface area [m²].
    pub wet_area: f64,
    /// Water plane, with moments about the given point.
    pub water_plane: WaterPlane,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygon_edges_sum_to_moments_of_a_rectangle() {
        let (x0, x1, y0, y1) = (1.0, 3.0, -0.5, 0.7);
        let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(|(x, y)| DVec2::new(x, y));
        let mut plane = WaterPlane::default();
        for i in 0..4 {
            plane.add_edge(corners[i], corners[(i + 1) % 4]);
        }
        let power = |a: f64, b: f64, n: i32| (b.powi(n) - a.powi(n)) / f64::from(n);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-14, "{a} {b}");
        near(plane.area, 2.0 * 1.2);
        near(plane.first.x, power(x0, x1, 2) * 1.2);
        near(plane.first.y, power(y0, y1, 2) * 2.0);
        near(plane.xx, power(x0, x1, 3) * 1.2);
        near(plane.xy, power(x0, x1, 2) * power(y0, y1, 2));
        near(plane.yy, power(y0, y1, 3) * 2.0);
        near(plane.centroid().x, 2.0);
    }

    #[test]
    fn stiffness_is_the_integral_of_j_j() {
        // two patches of unit area at two points
        let points = [DVec2::new(1.0, 2.0), DVec2::new(-0.5, 0.3)];
        let mut plane = WaterPlane::default();
        for p in points {
            plane.area += 1.0;
            plane.first += p;
            plane.xx += p.x * p.x;
            plane.xy += p.x * p.y;
            plane.yy += p.y * p.y;
        }
        let k = plane.stiffness(10.0);
        let (v, w) = (DVec3::new(0.3, -1.0, 2.0), DVec3::new(0.7, 0.2, -0.4));
        let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
        for p in points {
            let rate = v.z + p.y * w.x - p.x * w.y;
            force += 10.0 * rate * DVec3::Z;
            torque += 10.0 * rate * DVec3::new(p.y, -p.x, 0.0);
        }
        assert!((k.linear * v + k.coupling * w - force).length() < 1e-13);
        assert!((k.coupling.transpose() * v + k.angular * w - torque).length() < 1e-13);
    }
}
