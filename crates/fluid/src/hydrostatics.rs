//! Hydrostatics of a floating body: the draft at which it floats, stability, natural periods and righting arms.
//!
//! Heights are measured from the keel K; B is the centre of buoyancy, G the centre of gravity, M the metacentre:
//!
//! ```text
//! ρ V(z) = m                        height z at which it floats, by bisection: V decreases with z
//! BM_T = I_T/V,  BM_L = I_L/V       GM = KB + BM − KG
//! T_heave = 2π √((m + A_33)/(ρ g A_w))       T_roll = 2π √((I_xx + D_xx)/(ρ g V GM_T)),   pitch likewise
//! GZ(φ) = y_G − y_B                 after a heel φ about x, at the height at which it floats then
//! ```
//!
//! x points ahead, y to port, z up. I_T = ∫(y − y_F)² dA and I_L = ∫(x − x_F)² dA about the centroid F of the water plane.
//! Periods are those of the uncoupled motions, without damping. Righting arms are those at constant trim, positive where
//! the torque of weight and buoyancy reduces the heel. A freely hanging load counts at the point it hangs from, in G.

use crate::hull::{ClipBuffers, Hull, Pose};
use crate::immersion::Immersion;
use glam::{DMat3, DVec3};
use std::f64::consts::PI;
use windlass_engine::body::spatial::SpatialMatrix;
use windlass_engine::math;

/// Bisections of the height: from metres to round-off.
const BISECTIONS: usize = 60;

/// A body at an orientation, with all it carries.
#[derive(Clone, Copy, Debug)]
pub struct FloatingBody<'a> {
    /// Its hull.
    pub hull: &'a Hull,
    /// Axes of the hull as columns.
    pub axes: DMat3,
    /// Density ρ of the liquid [kg/m³].
    pub density: f64,
    /// Gravity g [m/s²].
    pub gravity: f64,
    /// Mass with all loads [kg].
    pub mass: f64,
    /// G from the reference point of the hull, world axes [m].
    pub center_of_gravity: DVec3,
    /// Inertia about G, world axes [kg·m²].
    pub inertia: DMat3,
    /// Added mass of the immersed hull about its reference point, world axes [kg, kg·m, kg·m²].
    pub added_mass: SpatialMatrix,
}

/// Stability and natural periods of a floating body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hydrostatics {
    /// Height of the reference point of the hull above the surface [m].
    pub height: f64,
    /// Depth of the keel below the surface [m].
    pub draft: f64,
    /// Displacement ρ V [kg].
    pub displacement: f64,
    /// Area of the water plane A_w [m²].
    pub water_plane_area: f64,
    /// B − G, world axes [m]: a horizontal part trims or heels the body.
    pub offset: DVec3,
    /// Centre of buoyancy over the keel, KB [m].
    pub kb: f64,
    /// Centre of gravity over the keel, KG [m].
    pub kg: f64,
    /// Transverse metacentric height GM_T [m]; below zero the body capsizes or lolls.
    pub gm_transverse: f64,
    /// Longitudinal metacentric height GM_L [m].
    pub gm_longitudinal: f64,
    /// Added mass in heave, and added moments of inertia about x and y through G [kg, kg·m²].
    pub added: [f64; 3],
    /// Mass, and moments of inertia about x and y, each with added mass [kg, kg·m²].
    pub inertias: [f64; 3],
    /// Stiffness of heave, roll and pitch [N/m, N·m/rad].
    pub stiffnesses: [f64; 3],
}

impl FloatingBody<'_> {
    /// Its immersion with the reference point of the hull at a height above the surface [m].
    fn immersion(&self, height: f64, buffers: &mut ClipBuffers) -> Immersion {
        self.hull.under_plane(Pose { center: DVec3::Z * height, axes: self.axes }, 0.0, buffers)
    }

    /// Height of the reference point above the surface at which it floats [m]; none if it sinks.
    pub fn floating_height(&self) -> Option<f64> {
        if !(self.density * self.hull.volume() > self.mass && self.mass > 0.0) {
            return None;
        }
        let [low, high] = self.hull.reach(Pose { center: DVec3::ZERO, axes: self.axes });
        let (mut under, mut over) = (-high, -low);
        let mut buffers = ClipBuffers::default();
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (under + over);
            match self.density * self.immersion(middle, &mut buffers).volume > self.mass {
                true => under = middle,
                false => over = middle,
            }
        }
        Some(0.5 * (under + over))
    }

    /// Stability and periods with the reference point of the hull at a height [m]; none if it displaces nothing.
    pub fn hydrostatics(&self, height: f64) -> Option<Hydrostatics> {
        let immersion = self.immersion(height, &mut ClipBuffers::default());
        let (volume, plane) = (immersion.volume, immersion.water_plane);
        if !(volume > 0.0) {
            return None;
        }
        let first = plane.centroid();
        let transverse = plane.yy - plane.area * first.y * first.y;
        let longitudinal = plane.xx - plane.area * first.x * first.x;
        let gravity_center = DVec3::Z * height + self.center_of_gravity;
        let offset = immersion.center - gravity_center;
        let keel = -immersion.draft;
        let gm = [transverse, longitudinal].map(|second| offset.z + second / volume);
        let weight = self.density * self.gravity * volume;
        let (linear, angular) = self.added_mass.moved(-self.center_of_gravity).diagonal();
        Some(Hydrostatics {
            height,
            draft: immersion.draft,
            displacement: self.density * volume,
            water_plane_area: plane.area,
            offset,
            kb: immersion.center.z - keel,
            kg: gravity_center.z - keel,
            gm_transverse: gm[0],
            gm_longitudinal: gm[1],
            added: [linear.z, angular.x, angular.y],
            inertias: [
                self.mass + linear.z,
                self.inertia.x_axis.x + angular.x,
                self.inertia.y_axis.y + angular.y,
            ],
            stiffnesses: [self.density * self.gravity * plane.area, weight * gm[0], weight * gm[1]],
        })
    }

    /// Righting arm GZ at a heel about x [m, rad]; none if it sinks.
    pub fn righting_arm(&self, heel: f64) -> Option<f64> {
        let turn = math::turn(DVec3::X, heel);
        let axes = DMat3::from_quat(turn) * self.axes;
        let heeled = FloatingBody { axes, center_of_gravity: turn * self.center_of_gravity, ..*self };
        let height = heeled.floating_height()?;
        let immersion = heeled.immersion(height, &mut ClipBuffers::default());
        Some(heeled.center_of_gravity.y - immersion.center.y)
    }
}

impl Hydrostatics {
    /// Natural periods of heave, roll and pitch [s]; none where it is not stable.
    pub fn periods(&self) -> [Option<f64>; 3] {
        [0, 1, 2].map(|k| {
            let (mass, stiffness) = (self.inertias[k], self.stiffnesses[k]);
            (stiffness > 0.0).then(|| 2.0 * PI * (mass / stiffness).sqrt())
        })
    }

    /// Critical damping of heave, roll and pitch, 2 √(k m) [N·s/m, N·m·s]; 0 where it is not stable.
    pub fn critical_damping(&self) -> [f64; 3] {
        [0, 1, 2].map(|k| 2.0 * (self.inertias[k] * self.stiffnesses[k].max(0.0)).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hull::{HullPart, HullShape};
    use glam::DQuat;

    const SEA: f64 = 1025.0;

    fn cuboid(size: DVec3) -> Hull {
        let (position, orientation, shape) = (DVec3::ZERO, DQuat::IDENTITY, HullShape::Cuboid(size));
        Hull::new(vec![HullPart { position, orientation, shape }]).expect("a solid")
    }

    /// A box that floats upright with G above the keel, uniform but for that.
    fn barge(hull: &Hull, size: DVec3, mass: f64, kg: f64) -> FloatingBody<'_> {
        let s = size * size;
        FloatingBody {
            hull,
            axes: DMat3::IDENTITY,
            density: SEA,
            gravity: 9.81,
            mass,
            center_of_gravity: DVec3::Z * (kg - 0.5 * size.z),
            inertia: DMat3::from_diagonal(DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y) * (mass / 12.0)),
            added_mass: SpatialMatrix::ZERO,
        }
    }

    /// sin φ (GM + ½ BM tan² φ): vertical sides, while deck and bilge do not cross the water line.
    fn wall_sided(gm: f64, bm: f64, angle: f64) -> f64 {
        libm::sin(angle) * (gm + 0.5 * bm * libm::tan(angle) * libm::tan(angle))
    }

    #[test]
    fn fl04_heave_and_fl05_roll_of_a_barge() {
        let size = DVec3::new(20.0, 8.0, 3.0);
        let hull = cuboid(size);
        let mut body = barge(&hull, size, 246e3, 1.5);
        let height = body.floating_height().expect("it floats");
        assert!(height.abs() < 1e-12, "half immersed: {height}");
        let dry = body.hydrostatics(height).expect("afloat");
        assert!((dry.periods()[0].expect("stable") - 2.4569199).abs() < 1e-7);
        body.added_mass =
            SpatialMatrix::from_diagonal(DVec3::new(0.0, 0.0, 5.3e5), DVec3::new(1.15e6, 0.0, 0.0));
        let h = body.hydrostatics(height).expect("afloat");
        let [heave, roll, pitch] = h.periods().map(|period| period.expect("stable"));
        assert!((heave - 4.3636941).abs() < 1e-7 && (roll - 3.9282971).abs() < 1e-7, "{heave} {roll}");
        assert!((h.gm_transverse - 2.8055556).abs() < 1e-7 && (h.kb - 0.75).abs() < 1e-9);
        assert!((pitch - 2.0 * PI * (409.0 / 12.0 / (9.81 * h.gm_longitudinal)).sqrt()).abs() < 1e-9);
        assert!((h.displacement - 246e3).abs() < 1e-6 && (h.draft - 1.5).abs() < 1e-12);
        let heave = 2.0 * (h.inertias[0] * SEA * 9.81 * 160.0).sqrt();
        assert!((h.critical_damping()[0] / heave - 1.0).abs() < 1e-12);
        assert!(FloatingBody { mass: 1e6, ..body }.floating_height().is_none(), "it sinks");
    }

    #[test]
    fn righting_arms_of_a_box_are_wall_sided() {
        let size = DVec3::new(20.0, 8.0, 3.0);
        let hull = cuboid(size);
        let body = barge(&hull, size, 246e3, 2.2);
        let h = body.hydrostatics(body.floating_height().expect("it floats")).expect("afloat");
        let bm = 64.0 / 12.0 / 1.5;
        for degrees in [-15.0_f64, -3.0, 0.0, 5.0, 10.0, 20.0] {
            let heel = degrees.to_radians();
            let arm = body.righting_arm(heel).expect("it floats");
            assert!((arm - wall_sided(h.gm_transverse, bm, heel)).abs() < 1e-9, "{degrees}°: {arm}");
        }
        // capsized it floats as well as upright, with G above B by as much as below
        let capsized = body.righting_arm(PI).expect("it floats");
        assert!(capsized.abs() < 1e-9, "{capsized}");
    }

    #[test]
    fn fl06_a_square_log_lolls_at_19_degrees() {
        let size = DVec3::new(4.0, 1.0, 1.0);
        let hull = cuboid(size);
        let log = barge(&hull, size, 0.23 * SEA * 4.0, 0.5);
        let h = log.hydrostatics(log.floating_height().expect("it floats")).expect("afloat");
        assert!(h.gm_transverse < 0.0 && h.periods()[1].is_none() && h.critical_damping()[1] == 0.0);
        let arm = |degrees: f64| log.righting_arm(degrees.to_radians()).expect("it floats");
        assert!(arm(19.486).abs() < 1e-5 && arm(15.0) < 0.0 && arm(25.0) > 0.0);
    }

    #[test]
    fn fl25_crane_barge_heels_to_the_side_of_its_load() {
        // 600 t with G 1 m above the middle, 40 t at the tip 23 m above it and 18 m to port
        let size = DVec3::new(40.0, 15.0, 4.0);
        let hull = cuboid(size);
        let mut body = barge(&hull, size, 640e3, (600.0 * 3.0 + 40.0 * 25.0) / 640.0);
        body.center_of_gravity.y = 40.0 * 18.0 / 640.0;
        let arm = |degrees: f64| body.righting_arm(degrees.to_radians()).expect("it floats");
        assert!(arm(-4.5236955).abs() < 1e-6 && arm(0.0) > 0.0, "{}", arm(-4.5236955));
    }
}
