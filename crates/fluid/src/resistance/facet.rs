//! Drag, lift and friction of the facets of a mesh.
//!
//! With w the velocity of the facet's centre against the fluid, n its outward normal, c = n·w and A its area:
//!
//! ```text
//! pressure law    −½ρ C_p c² n A  (c > 0)     +½ρ C_s c² n A  (c < 0)     −½ρ C_f |w_t| w_t A
//! projected law   −½ρ C_d c w A   (c > 0)     −½ρ C_l c |w| (n − (c/w²) w) A  (c > 0)
//! ```
//!
//! Only faces that meet the flow count for drag and lift: then Σ c A is the frontal area of a convex body times the
//! speed, and the front and back of a thin plate do not cancel. Bodies that shade themselves are overestimated. Lift does
//! no work on w and is explicit; the rest is implicit. The flow is taken at the centre of the facet, so facets of a body
//! that turns should be short.

use glam::DVec3;

use super::{Motion, Resistance};
use crate::clip::Facet;

/// Pressure across faces that meet the flow, suction behind, and friction along all faces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PressureLaw {
    /// Density of the fluid [kg/m³].
    pub density: f64,
    /// C_p, on the frontal area.
    pub pressure: f64,
    /// C_s, on the area behind.
    pub suction: f64,
    /// C_f, on the wet area.
    pub friction: f64,
}

/// Drag along and lift across the velocity of faces that meet the flow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProjectedLaw {
    /// Density of the fluid [kg/m³].
    pub density: f64,
    /// C_d, on the frontal area.
    pub drag: f64,
    /// C_l, on the frontal area.
    pub lift: f64,
}

impl Resistance {
    /// Adds the pressure law of a facet in a flow [m/s].
    #[inline]
    pub fn add_pressure(&mut self, motion: &Motion, facet: &Facet, law: &PressureLaw, flow: DVec3) {
        let (arm, n) = (facet.center - motion.center, facet.normal);
        let w = motion.velocity + motion.spin.cross(arm) - flow;
        let c = n.dot(w);
        let half = 0.5 * law.density * facet.area;
        let across = half * c.abs() * if c > 0.0 { law.pressure } else { law.suction };
        // k (1 − n nᵀ) of friction and k n nᵀ of pressure
        let along = half * law.friction * (w - c * n).length();
        if along > 0.0 {
            self.add_isotropic(arm, along, flow);
        }
        if across != along {
            self.add_along(arm, n, across - along, flow);
        }
    }

    /// Adds the projected law of a facet in a flow [m/s].
    #[inline]
    pub fn add_projected(&mut self, motion: &Motion, facet: &Facet, law: &ProjectedLaw, flow: DVec3) {
        let (arm, n) = (facet.center - motion.center, facet.normal);
        let w = motion.velocity + motion.spin.cross(arm) - flow;
        let c = n.dot(w);
        if !(c > 0.0) {
            return;
        }
        let half = 0.5 * law.density * facet.area * c;
        self.add_isotropic(arm, half * law.drag, flow);
        if law.lift != 0.0 {
            let speed = w.length(); // not 0, as c is not
            self.add_force(arm, -half * law.lift * (speed * n - c / speed * w));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check_matrix, check_plain, motion, vector};
    use super::*;
    use crate::clip::{Hull, each_part};
    use crate::mesh::ClosedMesh;
    use glam::DMat3;
    use proptest::prelude::*;
    use std::f64::consts::PI;

    /// All facets of a mesh deep under water.
    fn facets(mesh: &ClosedMesh, turn: &DMat3) -> Vec<Facet> {
        let (mut positions, mut out) = (Vec::new(), Vec::new());
        mesh.place(turn, DVec3::ZERO, &mut positions);
        let depths = vec![1.0; positions.len()];
        let hull = Hull { positions: &positions, depths: &depths, triangles: mesh.triangles() };
        each_part(&hull, |f| out.push(f));
        out
    }

    proptest! {
        #[test]
        fn laws_are_met_at_the_velocity_before_the_step(
            m in motion(), center in vector(2.0), normal in vector(1.0), flow in vector(3.0), probe in vector(1.0),
        ) {
            prop_assume!(normal.length() > 0.1);
            let facet = Facet { center, normal: normal.normalize(), area: 0.3, wet: true, triangle: 0 };
            let (w, n) = (m.at(center) - flow, facet.normal);
            let c = n.dot(w);
            let (half, t) = (0.5 * 1000.0 * 0.3, w - c * n);

            let law = PressureLaw { density: 1000.0, pressure: 1.2, suction: 0.4, friction: 0.02 };
            let mut r = Resistance::ZERO;
            r.add_pressure(&m, &facet, &law, flow);
            let normal = if c > 0.0 { -1.2 * c * c } else { 0.4 * c * c };
            check_plain(&r, &m, &[(center, half * (normal * n - 0.02 * t.length() * t))]);
            check_matrix(&r, probe, flow);

            let law = ProjectedLaw { density: 1000.0, drag: 0.8, lift: 0.5 };
            let mut r = Resistance::ZERO;
            r.add_projected(&m, &facet, &law, flow);
            let lift = w.length() * (n - c / w.length_squared() * w);
            let force = if c > 0.0 { -half * c * (0.8 * w + 0.5 * lift) } else { DVec3::ZERO };
            prop_assert!(lift.dot(w).abs() < 1e-12 * w.length_squared() * w.length());
            check_plain(&r, &m, &[(center, force)]);
            check_matrix(&r, probe, flow);
        }
    }

    #[test]
    fn nothing_moves_nothing_acts() {
        let facet = Facet { center: DVec3::X, normal: DVec3::X, area: 1.0, wet: true, triangle: 0 };
        let mut r = Resistance::ZERO;
        let law = PressureLaw { density: 1e3, pressure: 1.0, suction: 1.0, friction: 1.0 };
        r.add_pressure(&Motion::default(), &facet, &law, DVec3::ZERO);
        r.add_projected(
            &Motion::default(),
            &facet,
            &ProjectedLaw { density: 1e3, drag: 1.0, lift: 1.0 },
            DVec3::ZERO,
        );
        assert_eq!(r, Resistance::ZERO);
    }

    #[test]
    fn fl34_frontal_area_and_lift() {
        // along an axis of the mesh it lacks 0.507 %
        let ahead = DVec3::new(0.6, 0.64, 0.48);
        let sphere = facets(&ClosedMesh::icosphere(1.0, 3), &DMat3::IDENTITY);
        let front: f64 = sphere.iter().map(|f| f.area * f.normal.dot(ahead).max(0.0)).sum();
        assert!((front / PI - 1.0).abs() < 0.005, "{front}");

        let law = ProjectedLaw { density: 1000.0, drag: 0.47, lift: 1.0 };
        let m = Motion { velocity: 2.0 * ahead, ..Motion::default() };
        let mut r = Resistance::ZERO;
        for f in facets(&ClosedMesh::icosphere(0.1, 3), &DMat3::IDENTITY) {
            r.add_projected(&m, &f, &law, DVec3::ZERO);
        }
        let (force, _) = r.wrench_at(m.velocity, m.spin);
        assert!((force.dot(ahead) / -29.530971 - 1.0).abs() < 0.005);
        assert!(force.reject_from(ahead).length() < 1e-3 * 29.5);

        // plate 1 × 1 m, 30° to a flow of 1 m/s
        let plate = ClosedMesh::cuboid(DVec3::new(1.0, 1.0, 1e-4));
        let law = ProjectedLaw { density: 1000.0, drag: 0.0, lift: 1.0 };
        let m = Motion { velocity: DVec3::X, ..Motion::default() };
        let mut r = Resistance::ZERO;
        for f in facets(&plate, &DMat3::from_rotation_y(30f64.to_radians())) {
            r.add_projected(&m, &f, &law, DVec3::ZERO);
        }
        assert!((r.force.z.abs() / 216.50635 - 1.0).abs() < 1e-3, "{}", r.force);
    }

    /// Steps of the leapfrog with κ = h/2 in the first.
    fn steps(h: f64, time: f64) -> impl Iterator<Item = f64> {
        (0..(time / h).round() as usize).map(move |i| if i == 0 { 0.5 * h } else { h })
    }

    #[test]
    fn fl12_gliding_plate() {
        let angle = 30f64.to_radians();
        let turn = DMat3::from_rotation_y(angle);
        let plate = facets(&ClosedMesh::cuboid(DVec3::new(1.0, 1.0, 0.02)), &turn);
        let law = PressureLaw { density: 1000.0, pressure: 1.2, suction: 0.0, friction: 0.02 };
        let (mass, weight) = (2700.0 * 0.02, -1700.0 * 0.02 * 9.81 * DVec3::Z);
        for h in [1.0 / 60.0, 1e-3] {
            let mut m = Motion::default();
            for kappa in steps(h, 20.0) {
                let mut r = Resistance::ZERO;
                plate.iter().for_each(|f| r.add_pressure(&m, f, &law, DVec3::ZERO));
                let a = mass * DMat3::IDENTITY + kappa * r.matrix.linear;
                m.velocity = a.inverse() * (mass * m.velocity + kappa * (weight + r.force));
            }
            let local = turn.transpose() * m.velocity;
            assert!((local.z / -0.69282619 - 1.0).abs() < 1e-3, "{local}");
            assert!((local.x.abs() / 2.2681105 - 1.0).abs() < 1e-3, "{local}");
            let slope = libm::atan2(-m.velocity.z, m.velocity.x.abs()).to_degrees();
            assert!((slope - 46.986027).abs() < 0.2, "{slope}");
        }
    }

    #[test]
    fn fl23_spinning_plate() {
        let plate = facets(&ClosedMesh::cuboid(DVec3::new(1.0, 0.4, 1e-3)).refined(0.07), &DMat3::IDENTITY);
        let law = PressureLaw { density: 1000.0, pressure: 1.2, suction: 0.0, friction: 0.0 };
        for h in [1.0 / 60.0, 1e-3] {
            for (time, exact) in [(0.1, 2.1052632), (1.0, 0.25974026)] {
                let mut m = Motion { spin: 10.0 * DVec3::Y, ..Motion::default() };
                // the pose does not matter for the drag of a body that turns about one axis
                let mut kappas: Vec<f64> = steps(h, time).collect();
                kappas.push(0.5 * h); // the velocity at the end of the last step
                for kappa in kappas {
                    let mut r = Resistance::ZERO;
                    plate.iter().for_each(|f| r.add_pressure(&m, f, &law, DVec3::ZERO));
                    let inertia = 2.0 * DMat3::IDENTITY + kappa * r.matrix.angular;
                    m.spin = inertia.inverse() * (2.0 * m.spin + kappa * r.torque);
                }
                assert!((m.spin.y / exact - 1.0).abs() < 0.02, "{h} {time} {}", m.spin);
            }
        }
    }
}
