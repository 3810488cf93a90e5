//! Drag of whole bodies: isotropic, per axis, cylinder, linear damping.
//!
//! ```text
//! isotropic    −c |w| w,  c = ½ρ C A                     at a point, with the share θ across w
//! per axis     −½ρ C_i A_i |w_i| w_i,  −D_i |ω_i| ω_i    along the axes of the body
//! cylinder     −½ρ C_n D ℓ |w_n| w_n − ½ρ C_t π D ℓ |w_t| w_t    at two Gauss points of the wet part of length ℓ
//! damping      −D (u − (U, 0))                           a given matrix
//! ```
//!
//! The tangential coefficient of a cylinder is on its circumference π D, as in MoorDyn and OrcaFlex.

use glam::{DMat3, DVec3};

use super::{Motion, Resistance};
use windlass_engine::body::spatial::SpatialMatrix;
use windlass_engine::math::outer;

/// What the implicit share across the velocity depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImplicitShare {
    /// κ, the time for which forces act in the step [s].
    pub time: f64,
    /// Smallest mass of the body in any direction, with added mass [kg].
    pub mass: f64,
}

impl ImplicitShare {
    /// θ = 1/(1 − exp(−z)) − 1/z with z = κ k/m, for a damping k ≥ 0 [N s/m]; ½ for small z, 1 for large.
    pub fn of(&self, k: f64) -> f64 {
        let z = self.time * k / self.mass;
        if z < 1e-3 { 0.5 + z / 12.0 * (1.0 - z * z / 60.0) } else { -1.0 / libm::expm1(-z) - 1.0 / z }
    }
}

/// Quadratic drag along and about the axes of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AxisDrag {
    /// ½ρ C_i A_i along each axis [kg/m].
    pub linear: DVec3,
    /// D_i about each axis [kg m²].
    pub angular: DVec3,
}

/// Drag of a straight piece of a cylinder or cable.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CylinderDrag {
    /// Density of the fluid [kg/m³].
    pub density: f64,
    /// Diameter for drag [m].
    pub diameter: f64,
    /// C_n, on diameter times length.
    pub normal: f64,
    /// C_t, on circumference times length.
    pub tangential: f64,
}

/// The two Gauss points between the ends of the wet part of a cylinder [m].
pub fn gauss_points(ends: [DVec3; 2]) -> [DVec3; 2] {
    let middle = 0.5 * (ends[0] + ends[1]);
    let offset = 0.5 / 3f64.sqrt() * (ends[1] - ends[0]);
    [middle - offset, middle + offset]
}

impl Resistance {
    /// Adds −c |w| w at a point [m], c = ½ρ C A [kg/m], in a flow [m/s].
    pub fn add_quadratic(
        &mut self,
        motion: &Motion,
        point: DVec3,
        c: f64,
        share: &ImplicitShare,
        flow: DVec3,
    ) {
        let arm = point - motion.center;
        let w = motion.at(point) - flow;
        let speed = w.length();
        if !(speed > 0.0) {
            return;
        }
        // c |w| (θ 1 + (1 − θ) e eᵀ); the explicit rest across w vanishes, as w has no part there
        let k = c * speed;
        let theta = share.of(k);
        self.add_isotropic(arm, theta * k, flow);
        self.add_along(arm, w / speed, (1.0 - theta) * k, flow);
    }

    /// Adds the drag per axis at a point [m], with the axes of the body as columns, in a flow [m/s].
    pub fn add_axes(&mut self, motion: &Motion, point: DVec3, axes: &DMat3, drag: &AxisDrag, flow: DVec3) {
        let arm = point - motion.center;
        let w = motion.at(point) - flow;
        for i in 0..3 {
            let axis = axes.col(i);
            self.add_along(arm, axis, drag.linear[i] * axis.dot(w).abs(), flow);
            let k = drag.angular[i] * axis.dot(motion.spin).abs();
            self.matrix.angular += outer(axis, k * axis);
        }
    }

    /// Adds a linear damping matrix in world axes about the centre of mass, in a flow [m/s] without rotation.
    pub fn add_damping(&mut self, damping: &SpatialMatrix, flow: DVec3) {
        self.matrix.linear += damping.linear;
        self.matrix.coupling += damping.coupling;
        self.matrix.angular += damping.angular;
        self.force += damping.linear * flow;
        self.torque += damping.coupling.transpose() * flow;
    }
}

#[cfg(test)]
impl Resistance {
    /// The plain form of `line.rs`: adds the drag of a cylinder between the ends of its wet part [m], in the flows at its [`gauss_points`] [m/s].
    pub fn add_cylinder(
        &mut self,
        motion: &Motion,
        ends: [DVec3; 2],
        drag: &CylinderDrag,
        share: &ImplicitShare,
        flows: [DVec3; 2],
    ) {
        let length = (ends[1] - ends[0]).length();
        if !(length > 0.0) {
            return;
        }
        let t = (ends[1] - ends[0]) / length;
        let half = 0.5 * drag.density * drag.diameter * length;
        for (point, flow) in gauss_points(ends).into_iter().zip(flows) {
            let arm = point - motion.center;
            let w = motion.at(point) - flow;
            let along = t.dot(w);
            let normal = w - along * t;
            let speed = normal.length();
            self.add_along(arm, t, 0.5 * half * drag.tangential * std::f64::consts::PI * along.abs(), flow);
            if speed > 0.0 {
                // both points slow the same mass
                let k = half * drag.normal * speed;
                let theta = share.of(k);
                let e = normal / speed;
                self.add_along(arm, e, 0.5 * k, flow);
                self.add_along(arm, t.cross(e), 0.5 * theta * k, flow);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check_matrix, check_plain, motion, vector};
    use super::*;
    use proptest::prelude::*;

    const SHARE: ImplicitShare = ImplicitShare { time: 1.0 / 60.0, mass: 3.0 };

    proptest! {
        #[test]
        fn laws_are_met_at_the_velocity_before_the_step(
            m in motion(), point in vector(2.0), flow in vector(3.0), probe in vector(1.0), turn in vector(2.0),
        ) {
            let w = m.at(point) - flow;
            let mut r = Resistance::ZERO;
            r.add_quadratic(&m, point, 7.0, &SHARE, flow);
            check_plain(&r, &m, &[(point, -7.0 * w.length() * w)]);
            check_matrix(&r, probe, turn);

            prop_assume!(turn.length() > 0.1);
            let axes = DMat3::from_axis_angle(turn.normalize(), turn.length());
            let drag = AxisDrag { linear: 1000.0 * DVec3::new(0.1, 0.2, 0.3), angular: DVec3::ZERO };
            let mut r = Resistance::ZERO;
            r.add_axes(&m, point, &axes, &drag, flow);
            let local = axes.transpose() * w;
            let force = -1000.0 * DVec3::new(0.1, 0.2, 0.3) * local.abs() * local;
            check_plain(&r, &m, &[(point, axes * force)]);
            check_matrix(&r, probe, turn);
            let drag = AxisDrag { linear: DVec3::ZERO, angular: DVec3::new(1.0, 2.0, 3.0) };
            let mut r = Resistance::ZERO;
            r.add_axes(&m, point, &axes, &drag, flow);
            let local = axes.transpose() * m.spin;
            let torque = axes * (DVec3::new(-1.0, -2.0, -3.0) * local.abs() * local);
            prop_assert!((r.wrench_at(m.velocity, m.spin).1 - torque).length() < 1e-11);

            let ends = [point, point + turn];
            let drag = CylinderDrag { density: 1025.0, diameter: 0.05, normal: 1.2, tangential: 0.01 };
            let flows = [flow, flow + probe];
            let mut r = Resistance::ZERO;
            r.add_cylinder(&m, ends, &drag, &SHARE, flows);
            let (t, points) = (turn.normalize(), gauss_points(ends));
            let forces = [0, 1].map(|i| {
                let w = m.at(points[i]) - flows[i];
                let (along, normal) = (t.dot(w) * t, w - t.dot(w) * t);
                let scale = -0.5 * 1025.0 * 0.05 * 0.5 * turn.length();
                (points[i], scale * (1.2 * normal.length() * normal + 0.01 * std::f64::consts::PI * along.length() * along))
            });
            check_plain(&r, &m, &forces);
            check_matrix(&r, probe, flow);
        }

        #[test]
        fn damping_acts_on_the_velocity_against_the_fluid(m in motion(), flow in vector(3.0)) {
            let b = DMat3::from_cols_array(&[1.0, 2.0, 0.5, -1.0, 0.3, 0.2, 0.0, 4.0, 0.1]);
            let d = SpatialMatrix { linear: 9.0 * DMat3::IDENTITY, coupling: b, angular: 40.0 * DMat3::IDENTITY };
            let mut r = Resistance::ZERO;
            r.add_damping(&d, flow);
            let v = m.velocity - flow;
            let (f, t) = r.wrench_at(m.velocity, m.spin);
            prop_assert!((f + 9.0 * v + b * m.spin).length() < 1e-12);
            prop_assert!((t + b.transpose() * v + 40.0 * m.spin).length() < 1e-12);
        }
    }

    #[test]
    fn share_is_smooth_and_between_a_half_and_one() {
        let theta = |z: f64| ImplicitShare { time: 1.0, mass: 1.0 }.of(z);
        assert_eq!(theta(0.0), 0.5);
        assert!((theta(1e-3 * (1.0 - 1e-15)) - theta(1e-3)).abs() < 1e-12);
        assert!((theta(1.0) - 1.0 / (std::f64::consts::E - 1.0)).abs() < 1e-15); // 1/(1 − 1/e) − 1
        assert_eq!((theta(1e300), theta(f64::INFINITY)), (1.0, 1.0));
        let mut last = 0.5;
        for i in 1..200 {
            let next = theta(0.1 * f64::from(i));
            assert!(next > last && next < 1.0);
            last = next;
        }
    }

    /// Velocity after a step of a body of mass m under drag and gravity.
    fn advance(m: &mut Motion, mass: f64, kappa: f64, r: &Resistance, weight: DVec3) {
        let a = mass * DMat3::IDENTITY + kappa * r.matrix.linear;
        m.velocity = a.inverse() * (mass * m.velocity + kappa * (weight + r.force));
    }

    #[test]
    fn fl29_quadratic_drag_follows_the_exact_solution() {
        let (mass, c, h) = (1e-3, 0.5 * 1000.0 * 0.011, 1.0 / 60.0);
        let mut m = Motion { velocity: 50.0 * DVec3::X, ..Motion::default() };
        let mut time = 0.0;
        for i in 0..1000 {
            let kappa = if i == 0 { 0.5 * h } else { h };
            let mut r = Resistance::ZERO;
            r.add_quadratic(&m, DVec3::ZERO, c, &ImplicitShare { time: kappa, mass }, DVec3::ZERO);
            advance(&mut m, mass, kappa, &r, DVec3::ZERO);
            time += kappa;
            let exact = 1.0 / (1.0 / 50.0 + c * time / mass);
            assert!((m.velocity.x / exact - 1.0).abs() < 1e-12, "{i} {}", m.velocity.x / exact - 1.0);
            match i {
                0 => assert!((m.velocity.x / 0.021808665 - 1.0).abs() < 3e-8),
                9 => assert!((m.velocity.x / 0.001148299 - 1.0).abs() < 3e-7),
                _ => {}
            }
        }
    }

    /// A body of 1 kg falls through a cross flow with c = 0.8 kg/m.
    struct CrossFlow {
        velocity: DVec3,
        flow: DVec3,
        drag: fn(&mut Resistance, &Motion, &ImplicitShare, DVec3),
    }

    impl CrossFlow {
        /// Position after 1 s by Runge–Kutta with a short step.
        fn reference(&self) -> DVec3 {
            let slope = |v: DVec3| -9.81 * DVec3::Z - 0.8 * (v - self.flow).length() * (v - self.flow);
            let (mut x, mut v, h) = (DVec3::ZERO, self.velocity, 1e-3);
            for _ in 0..1000 {
                let a = slope(v);
                let b = slope(v + 0.5 * h * a);
                let c = slope(v + 0.5 * h * b);
                let d = slope(v + h * c);
                x += h * v + h * h / 6.0 * (a + b + c);
                v += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
            }
            x
        }

        /// Distance from the reference after 1 s of n steps.
        fn error(&self, n: usize) -> f64 {
            let h = 1.0 / n as f64;
            let mut m = Motion { velocity: self.velocity, ..Motion::default() };
            let mut x = DVec3::ZERO;
            for i in 0..n {
                let kappa = if i == 0 { 0.5 * h } else { h };
                let mut r = Resistance::ZERO;
                (self.drag)(&mut r, &m, &ImplicitShare { time: kappa, mass: 1.0 }, self.flow);
                advance(&mut m, 1.0, kappa, &r, -9.81 * DVec3::Z);
                x += h * m.velocity;
            }
            (x - self.reference()).length()
        }
    }

    #[test]
    fn cross_flow_on_a_sphere_is_of_second_order() {
        let case = CrossFlow {
            velocity: DVec3::new(4.0, -3.0, 2.0),
            flow: DVec3::new(1.5, 0.5, 0.0),
            drag: |r, m, share, flow| r.add_quadratic(m, DVec3::ZERO, 0.8, share, flow),
        };
        for (n, error) in [(30, 0.0010), (60, 0.00027), (120, 0.00007)] {
            let e = case.error(n);
            assert!((e / error - 1.0).abs() < 0.1, "{n} {e}");
        }
    }

    #[test]
    fn cross_flow_on_a_cylinder_is_of_second_order() {
        let case = CrossFlow {
            velocity: DVec3::new(4.0, 0.0, 2.0),
            flow: DVec3::new(-1.5, 0.0, 0.5),
            drag: |r, m, share, flow| {
                // ½ρ C_n D ℓ = 0.8
                let drag = CylinderDrag { density: 1000.0, diameter: 1e-3, normal: 0.8, tangential: 0.01 };
                r.add_cylinder(m, [-DVec3::Y, DVec3::Y], &drag, share, [flow; 2]);
            },
        };
        let errors = [30, 60, 120].map(|n| case.error(n));
        assert!(errors[0] < 2e-3 && errors[0] > 3.5 * errors[1] && errors[1] > 3.5 * errors[2], "{errors:?}");
    }
}
