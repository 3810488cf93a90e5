//! Drag and inertia of a straight line through the centre of mass of a body, in axes p, q and t along the line.
//!
//! A point at s t moves with (v_p + s ω_q, v_q − s ω_p, v_t). Terms at points are 2 × 2 matrices k across the line and
//! numbers along it, so that sums need three moments of k only:
//!
//! ```text
//!  Kₙ = Σ k sⁿ        [ K₀ + Σ k_t t tᵀ   −K₁ [t]×      ]
//!                     [ [t]× K₁           −[t]× K₂ [t]× ]        [t]× p = q,  [t]× q = −p
//! ```
//!
//! The law is that of `Resistance::add_cylinder`. Both Gauss points have the share θ of their mean damping.

use super::{CylinderDrag, ImplicitShare, Motion, Resistance};
use glam::{DMat3, DVec3};
use std::f64::consts::PI;
use windlass_engine::body::spatial::SpatialMatrix;
use windlass_engine::math::outer;

/// Products of the axes of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineAxes {
    /// p, q and t as columns.
    axes: DMat3,
    pp: DMat3,
    pq: DMat3,
    qq: DMat3,
}

/// A symmetric matrix of a body whose terms lie on a line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LineMatrix {
    /// K₀, K₁ and K₂: entries pp, pq and qq of each.
    pub across: [[f64; 3]; 3],
    /// Along t.
    pub along: f64,
}

/// Motion of a body in the axes of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineMotion {
    velocity: DVec3,
    spin: DVec3,
}

/// Resistance of a line in its own axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LineResistance {
    pub matrix: LineMatrix,
    /// Explicit force and torque, with those of the moving fluid.
    force: DVec3,
    torque: DVec3,
}

impl LineAxes {
    /// Of axes p, q and t as columns.
    pub fn new(axes: DMat3) -> LineAxes {
        let (p, q) = (axes.x_axis, axes.y_axis);
        LineAxes { axes, pp: outer(p, p), pq: outer(p, q), qq: outer(q, q) }
    }

    /// A vector in these axes.
    pub fn local(&self, v: DVec3) -> DVec3 {
        DVec3::new(self.axes.x_axis.dot(v), self.axes.y_axis.dot(v), self.axes.z_axis.dot(v))
    }

    /// The motion of a body in these axes.
    pub fn motion(&self, motion: &Motion) -> LineMotion {
        LineMotion { velocity: self.local(motion.velocity), spin: self.local(motion.spin) }
    }

    /// A matrix in world axes.
    #[inline]
    pub fn matrix(&self, matrix: &LineMatrix) -> SpatialMatrix {
        let LineAxes { axes, pp, pq, qq } = self;
        let ([[a, b, c], [d, e, f], [g, h, i]], qp) = (matrix.across, pq.transpose());
        let (both, t) = (*pq + qp, axes.z_axis);
        SpatialMatrix {
            linear: *pp * a + both * b + *qq * c + outer(t, t * matrix.along),
            coupling: *pq * d + (*qq - *pp) * e - qp * f,
            angular: *qq * g - both * h + *pp * i,
        }
    }
}

impl LineResistance {
    /// Adds the drag of a wet part between two positions along the line [m], in the flows at its Gauss points in the axes
    /// of the line [m/s].
    pub fn add(
        &mut self,
        motion: &LineMotion,
        span: [f64; 2],
        drag: &CylinderDrag,
        share: &ImplicitShare,
        flows: [DVec3; 2],
    ) {
        let LineMotion { velocity, spin } = *motion;
        let length = span[1] - span[0];
        let half = 0.5 * drag.density * drag.diameter * length;
        let (middle, offset) = (0.5 * (span[0] + span[1]), 0.5 / 3f64.sqrt() * length);
        let points = [middle - offset, middle + offset];
        let w =
            [0, 1].map(|i| velocity + DVec3::new(points[i] * spin.y, -points[i] * spin.x, 0.0) - flows[i]);
        let speeds = w.map(|w| (w.x * w.x + w.y * w.y).sqrt());
        // both points slow the same mass
        let theta = share.of(0.5 * half * drag.normal * (speeds[0] + speeds[1]));
        let LineMatrix { across, along } = &mut self.matrix;
        for i in 0..2 {
            let (s, w, flow) = (points[i], w[i], flows[i]);
            let k = 0.5 * half * drag.normal;
            // k |w| (e eᵀ + θ (1 − e eᵀ)); e eᵀ |w| = w wᵀ/|w|
            let even = k * theta * speeds[i];
            let rest = if speeds[i] > 0.0 { k * (1.0 - theta) / speeds[i] } else { 0.0 };
            let [a, b, c] = [rest * w.x * w.x + even, rest * w.x * w.y, rest * w.y * w.y + even];
            for (sum, power) in across.iter_mut().zip([1.0, s, s * s]) {
                *sum = [sum[0] + a * power, sum[1] + b * power, sum[2] + c * power];
            }
            let k_t = 0.5 * half * drag.tangential * PI * w.z.abs();
            *along += k_t;
            let push = DVec3::new(a * flow.x + b * flow.y, b * flow.x + c * flow.y, k_t * flow.z);
            self.force += push;
            self.torque += DVec3::new(-s * push.y, s * push.x, 0.0);
        }
    }

    /// In world axes.
    #[inline]
    pub fn resistance(&self, axes: &LineAxes) -> Resistance {
        Resistance {
            matrix: axes.matrix(&self.matrix),
            force: axes.axes * self.force,
            torque: axes.axes * self.torque,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check_matrix, motion, vector};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_line_is_a_cylinder_through_the_centre_of_mass(
            m in motion(), flow in vector(3.0), probe in vector(1.0), turn in vector(2.0),
        ) {
            prop_assume!(turn.length() > 0.1);
            let axes = LineAxes::new(DMat3::from_axis_angle(turn.normalize(), turn.length()));
            let drag = CylinderDrag { density: 1025.0, diameter: 0.05, normal: 1.2, tangential: 0.01 };
            let (t, span) = (axes.axes.z_axis, [-0.3, 0.7]);
            // without an explicit rest, where both shares are 1
            let share = ImplicitShare { time: 1.0 / 60.0, mass: 1e-12 };
            for flows in [[flow, flow + probe], [flow; 2]] {
                let (mut cylinder, mut line) = (Resistance::ZERO, LineResistance::default());
                cylinder.add_cylinder(&m, span.map(|s| m.center + t * s), &drag, &share, flows);
                line.add(&axes.motion(&m), span, &drag, &share, flows.map(|flow| axes.local(flow)));
                let line = line.resistance(&axes);
                let linear = &cylinder.matrix.linear;
                let size = 1.0 + cylinder.force.length() + linear.x_axis.length() + linear.y_axis.length();
                prop_assert!((line.force - cylinder.force).length() < 1e-11 * size);
                prop_assert!((line.torque - cylinder.torque).length() < 1e-11 * size);
                prop_assert!(line.matrix.linear.abs_diff_eq(*linear, 1e-11 * size));
                prop_assert!(line.matrix.coupling.abs_diff_eq(cylinder.matrix.coupling, 1e-11 * size));
                prop_assert!(line.matrix.angular.abs_diff_eq(cylinder.matrix.angular, 1e-11 * size));
                check_matrix(&line, probe, flow);
            }
        }
    }
}
