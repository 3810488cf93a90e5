//! The six-degree-of-freedom joint: every coordinate of b relative to a, each free, locked, limited, sprung or driven.
//!
//!   displacements   x_a · d, y_a · d, z_a · d
//!   angles          R = Rx(α) Ry(β) Rz(γ): about x_a, about the normal of x_a and z_b, about z_b (Cardan angles)
//!
//! With e₁ = x_a, e₃ = z_b, e₂ = e₃×e₁/cos β the relative angular velocity is α̇e₁ + β̇e₂ + γ̇e₃; the rows are the dual
//! basis. Singular at β = ±90°, where e₁ and e₃ coincide.

use super::axis::Axis;
use super::axis::Drive;
use super::constraint::{Constraint, ConstraintView};
use crate::body::frame::Anchor;
use crate::row::equations as parts;
use crate::row::rows::Rows;
use glam::{DMat3, DVec3};

/// The six-degree-of-freedom joint.
#[derive(Clone, Debug, PartialEq)]
pub struct SixDof {
    /// Base and follower.
    pub anchors: [Anchor; 2],
    /// Displacements along the base's x, y, z [m], then the Cardan angles about x, y, z [rad].
    pub axes: [Axis; 6],
}

impl SixDof {
    /// All coordinates free.
    pub fn free(anchors: [Anchor; 2]) -> SixDof {
        SixDof { anchors, axes: Default::default() }
    }

    /// All coordinates locked at zero.
    pub fn held(anchors: [Anchor; 2]) -> SixDof {
        SixDof { anchors, axes: [(); 6].map(|()| Axis::driven(Drive::Lock(0.0))) }
    }
}

/// The Cardan angles of a relative orientation, and their Jacobians in the base's axes.
pub(super) fn cardan(r: &DMat3) -> ([f64; 3], [DVec3; 3]) {
    // r = Rx(α) Ry(β) Rz(γ); its third column is (sin β, −sin α cos β, cos α cos β)
    let z = r.z_axis;
    let cos = (z.y * z.y + z.z * z.z).sqrt();
    let angles = [libm::atan2(-z.y, z.z), libm::atan2(z.x, cos), libm::atan2(-r.y_axis.x, r.x_axis.x)];
    // the dual basis is singular here: bound cos β below by 1e-6
    let cos = cos.max(1e-6);
    let e2 = DVec3::new(0.0, z.z, -z.y) / cos;
    let dual = [e2.cross(z) / cos, e2, DVec3::X.cross(e2) / cos];
    (angles, dual)
}

impl Constraint for SixDof {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows) {
        let (a, b) = (&view.frames[0], &view.frames[1]);
        for (k, n) in [a.x(), a.y(), a.z()].into_iter().enumerate() {
            let (way, blocks) = parts::offset(a, n, b);
            self.axes[k].rows(k as u8, way, &blocks, view.now(), out);
        }
        let (angles, dual) = cardan(&DMat3::from_quat(a.orientation.inverse() * b.orientation));
        for (k, (angle, row)) in angles.into_iter().zip(dual).enumerate() {
            let (k, turn) = (k + 3, a.orientation * row);
            let blocks = [a.spin(-turn), b.spin(turn)];
            self.axes[k].rows(k as u8, view.unwound(k, angle), &blocks, view.now(), out);
        }
    }

    fn axes(&self) -> &[Axis] {
        &self.axes
    }
}
