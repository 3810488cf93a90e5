//! Initial stability and natural periods of a floating body, from its displacement and water plane.
//!
//! Heights are measured from the keel K; B is the centre of buoyancy, G the centre of gravity, M the metacentre:
//!
//! ```text
//! BM_T = I_T/V,  BM_L = I_L/V       GM = KB + BM − KG       GZ = sin φ (GM + ½ BM tan² φ)     (vertical sides)
//! T_heave = 2π √((m + A_33)/(ρ g A_w))       T_roll = 2π √((I_xx + D_xx)/(ρ g V GM_T)),   pitch likewise
//! ```
//!
//! x points ahead, y to port, z up. I_T = ∫(y − y_F)² dA and I_L = ∫(x − x_F)² dA about the centroid F of the water plane.
//! Periods are those of the uncoupled motions, without damping. A body may float with any trim: V, B and the water
//! plane are those of the position at which it is examined. A tank with a free surface lowers GM by ρ_t i_t/(ρ V); a
//! freely hanging load counts at the point it hangs from (boom tip), in G.

use glam::{DMat3, DVec2, DVec3};
use std::f64::consts::PI;
use windlass_engine::body::spatial::SpatialMatrix;

/// A water plane: where the surface cuts a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WaterPlane {
    /// Area A_w [m²].
    pub area: f64,
    /// Centroid F: centre of flotation [m].
    pub centroid: DVec2,
    /// I_T = ∫(y − y_F)² dA [m⁴].
    pub transverse: f64,
    /// I_L = ∫(x − x_F)² dA [m⁴].
    pub longitudinal: f64,
    /// ∫(x − x_F)(y − y_F) dA [m⁴].
    pub product: f64,
}

impl WaterPlane {
    /// From moments about the origin: ∫dA [m²], ∫(x, y) dA [m³], and ∫x² dA, ∫y² dA, ∫xy dA [m⁴].
    pub fn from_moments(area: f64, first: DVec2, second: [f64; 3]) -> WaterPlane {
        if !(area > 0.0) {
            return WaterPlane::default();
        }
        let centroid = first / area;
        WaterPlane {
            area,
            centroid,
            transverse: second[1] - centroid.y * first.y,
            longitudinal: second[0] - centroid.x * first.x,
            product: second[2] - centroid.x * first.y,
        }
    }
}

/// A floating body at the position at which it is examined, in axes with z up and x ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatingBody {
    /// Density ρ of the water [kg/m³].
    pub density: f64,
    /// Gravity g [m/s²].
    pub gravity: f64,
    /// Immersed volume V [m³].
    pub volume: f64,
    /// Centre of buoyancy B [m].
    pub center_of_buoyancy: DVec3,
    /// Water plane, in the same axes.
    pub water_plane: WaterPlane,
    /// Height z of the keel [m].
    pub keel: f64,
    /// Mass with all loads [kg].
    pub mass: f64,
    /// Centre of gravity G [m].
    pub center_of_gravity: DVec3,
    /// Inertia about G [kg·m²].
    pub inertia: DMat3,
    /// Added mass K_F about G [kg, kg·m, kg·m²].
    pub added_mass: SpatialMatrix,
}

/// Stability and natural periods of a floating body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hydrostatics {
    /// Displacement ρ V [kg].
    pub displacement: f64,
    /// ρ V/m − 1: zero for a body that floats freely.
    pub excess_buoyancy: f64,
    /// Centre of buoyancy over the keel, KB [m].
    pub kb: f64,
    /// Centre of gravity over the keel, KG [m].
    pub kg: f64,
    /// Transverse metacentric radius BM_T [m].
    pub bm_transverse: f64,
    /// Longitudinal metacentric radius BM_L [m].
    pub bm_longitudinal: f64,
    /// Transverse metacentric height GM_T [m]; below zero the body capsizes or lolls.
    pub gm_transverse: f64,
    /// Longitudinal metacentric height GM_L [m].
    pub gm_longitudinal: f64,
    /// Natural period of heave [s]; None without a water plane.
    pub heave_period: Option<f64>,
    /// Natural period of roll [s]; None if it is not stable.
    pub roll_period: Option<f64>,
    /// Natural period of pitch [s]; None if it is not stable.
    pub pitch_period: Option<f64>,
}

impl Hydrostatics {
    /// Examines a body; None if it displaces nothing.
    pub fn new(body: &FloatingBody) -> Option<Hydrostatics> {
        if !(body.volume > 0.0) {
            return None;
        }
        let plane = &body.water_plane;
        let (kb, kg) = (body.center_of_buoyancy.z - body.keel, body.center_of_gravity.z - body.keel);
        let (bm_transverse, bm_longitudinal) =
            (plane.transverse / body.volume, plane.longitudinal / body.volume);
        let (gm_transverse, gm_longitudinal) = (kb + bm_transverse - kg, kb + bm_longitudinal - kg);
        let specific = body.density * body.gravity;
        let (linear, angular) = body.added_mass.diagonal();
        let period =
            |mass: f64, stiffness: f64| (stiffness > 0.0).then(|| 2.0 * PI * (mass / stiffness).sqrt());
        Some(Hydrostatics {
            displacement: body.density * body.volume,
            excess_buoyancy: body.density * body.volume / body.mass - 1.0,
            kb,
            kg,
            bm_transverse,
            bm_longitudinal,
            gm_transverse,
            gm_longitudinal,
            heave_period: period(body.mass + linear.z, specific * plane.area),
            roll_period: period(body.inertia.x_axis.x + angular.x, specific * body.volume * gm_transverse),
            pitch_period: period(body.inertia.y_axis.y + angular.y, specific * body.volume * gm_longitudinal),
        })
    }

    /// Righting arm GZ [m] at a heel [rad], for vertical sides, while deck and bilge do not cross the water line.
    pub fn righting_arm(&self, heel: f64) -> f64 {
        wall_sided(self.gm_transverse, self.bm_transverse, heel)
    }

    /// Righting arm [m] at a trim [rad], under the same conditions.
    pub fn righting_arm_trim(&self, trim: f64) -> f64 {
        wall_sided(self.gm_longitudinal, self.bm_longitudinal, trim)
    }

    /// Heel [rad] at rest with G `offset` [m] to one side, positive towards that side (an offset to port is a negative
    /// rotation about x), under the same conditions; the angle of loll if GM < 0.
    pub fn heel_at_rest(&self, offset: f64) -> f64 {
        rest_angle(self.gm_transverse, self.bm_transverse, offset)
    }

    /// Trim [rad] at rest with G `offset` [m] ahead of B, bow down, under the same conditions.
    pub fn trim_at_rest(&self, offset: f64) -> f64 {
        rest_angle(self.gm_longitudinal, self.bm_longitudinal, offset)
    }

    /// Loss of GM [m] by a tank with a free surface of second moment i_t [m⁴], filled with a liquid of `density` [kg/m³].
    pub fn free_surface_loss(&self, density: f64, second_moment: f64) -> f64 {
        density * second_moment / self.displacement
    }
}

/// sin φ (GM + ½ BM tan² φ).
fn wall_sided(gm: f64, bm: f64, angle: f64) -> f64 {
    let tan = libm::tan(angle);
    libm::sin(angle) * (gm + 0.5 * bm * tan * tan)
}

/// The angle of largest size at which GZ = offset cos φ: t = tan φ with GM t + ½ BM t³ = offset.
fn rest_angle(gm: f64, bm: f64, offset: f64) -> f64 {
    let (side, size) = (if offset < 0.0 { -1.0 } else { 1.0 }, offset.abs());
    if !(bm > 0.0) {
        return side * libm::atan2(size, gm);
    }
    if size == 0.0 && gm >= 0.0 {
        return 0.0;
    }
    // from the right of the largest root, where the cubic grows and is convex, Newton's method descends to it
    let mut t = libm::cbrt(2.0 * size / bm) + (2.0 * gm.abs() / bm).sqrt();
    for _ in 0..100 {
        let slope = gm + 1.5 * bm * t * t;
        let next = t - ((gm + 0.5 * bm * t * t) * t - size) / slope;
        if !(next < t) {
            break;
        }
        t = next;
    }
    side * libm::atan(t)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEA: f64 = 1025.0;

    /// A box that floats upright with its middle at the origin, and its water plane.
    fn barge(sides: DVec3, mass: f64, kg: f64) -> FloatingBody {
        let draft = mass / (SEA * sides.x * sides.y);
        let keel = -0.5 * sides.z;
        let area = sides.x * sides.y;
        let second = [area * sides.x * sides.x / 12.0, area * sides.y * sides.y / 12.0, 0.0];
        let s = sides * sides;
        FloatingBody {
            density: SEA,
            gravity: 9.81,
            volume: area * draft,
            center_of_buoyancy: DVec3::Z * (keel + 0.5 * draft),
            water_plane: WaterPlane::from_moments(area, DVec2::ZERO, second),
            keel,
            mass,
            center_of_gravity: DVec3::Z * (keel + kg),
            inertia: DMat3::from_diagonal(DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y) * (mass / 12.0)),
            added_mass: SpatialMatrix::ZERO,
        }
    }

    #[test]
    fn fl04_heave_and_fl05_roll_of_a_barge() {
        let mut body = barge(DVec3::new(20.0, 8.0, 3.0), 246e3, 1.5);
        let dry = Hydrostatics::new(&body).expect("afloat");
        assert!((dry.heave_period.expect("stable") - 2.4569199).abs() < 1e-7);
        body.added_mass =
            SpatialMatrix::from_diagonal(DVec3::new(0.0, 0.0, 5.3e5), DVec3::new(1.15e6, 0.0, 0.0));
        let h = Hydrostatics::new(&body).expect("afloat");
        assert!((h.heave_period.expect("stable") - 4.3636941).abs() < 1e-7);
        assert!((h.gm_transverse - 2.8055556).abs() < 1e-7 && (h.kb - 0.75).abs() < 1e-12);
        assert!((h.roll_period.expect("stable") - 3.9282971).abs() < 1e-7);
        assert!((h.bm_longitudinal - 400.0 / 18.0).abs() < 1e-12 && h.excess_buoyancy.abs() < 1e-15);
        let pitch = 2.0 * PI * (409.0 / 12.0 / (9.81 * h.gm_longitudinal)).sqrt();
        assert!((h.pitch_period.expect("stable") - pitch).abs() < 1e-12);
        assert!((h.displacement - 246e3).abs() < 1e-6);
        assert!((h.free_surface_loss(1000.0, 24.6) - 0.1).abs() < 1e-12);
        assert!(Hydrostatics::new(&FloatingBody { volume: 0.0, ..body }).is_none());
    }

    #[test]
    fn fl25_crane_barge_heels_and_trims() {
        // 600 t with G 1 m above the middle, 40 t at the tip 23 m above it and 18 m out
        let kg = (600.0 * 3.0 + 40.0 * 25.0) / 640.0;
        let offset = 40.0 * 18.0 / 640.0;
        let h = Hydrostatics::new(&barge(DVec3::new(40.0, 15.0, 4.0), 640e3, kg)).expect("afloat");
        assert!((h.heel_at_rest(-offset).to_degrees() + 4.5236955).abs() < 1e-6);
        assert!((h.trim_at_rest(offset).to_degrees() - 0.51865374).abs() < 1e-6);
        let heel = h.heel_at_rest(offset);
        assert!((h.righting_arm(heel) - offset * libm::cos(heel)).abs() < 1e-12);
        let trim = h.trim_at_rest(offset);
        assert!((h.righting_arm_trim(trim) - offset * libm::cos(trim)).abs() < 1e-12);
    }

    #[test]
    fn fl06_a_square_log_lolls() {
        // density 230 of 1000: GM < 0 upright, at rest at 19.486°
        let mut log = barge(DVec3::new(4.0, 1.0, 1.0), 0.23 * SEA * 4.0, 0.5);
        let h = Hydrostatics::new(&log).expect("afloat");
        assert!(h.gm_transverse < 0.0 && h.roll_period.is_none());
        assert!((h.heel_at_rest(0.0).to_degrees() - 19.486).abs() < 1e-3);
        // fully immersed: GM = BG
        log.water_plane = WaterPlane::from_moments(0.0, DVec2::ZERO, [0.0; 3]);
        let h = Hydrostatics::new(&log).expect("immersed");
        assert!(h.heave_period.is_none() && (h.gm_transverse - (h.kb - h.kg)).abs() < 1e-15);
    }

    #[test]
    fn moments_about_the_centroid() {
        // a 4 × 2 rectangle with its centroid at (3, −1)
        let (area, at) = (8.0, DVec2::new(3.0, -1.0));
        let second = [8.0 * 16.0 / 12.0 + 72.0, 8.0 * 4.0 / 12.0 + 8.0, -24.0];
        let plane = WaterPlane::from_moments(area, at * area, second);
        assert!((plane.centroid - at).length() < 1e-15 && plane.product.abs() < 1e-12);
        assert!(
            (plane.longitudinal - 32.0 / 3.0).abs() < 1e-12 && (plane.transverse - 8.0 / 3.0).abs() < 1e-12
        );
    }
}
