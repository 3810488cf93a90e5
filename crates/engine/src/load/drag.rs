//! Air drag at the centre of mass.
//!
//!   F = −c |v| v,  c = c_w A        (AERO §3.9; with a density ρ, the usual ½ ρ c_w A)
//!
//! Under `spook` drag consists of three dampers of c |v|, v the velocity before the step: along e = v/|v| on the
//! velocity u after the step, across e on a mean of both, with θ as in `solve/regularize.rs`,
//!
//!   F = −c |v| (e eᵀ + θ (1 − e eᵀ)) u
//!
//! Along e the product |v| u is centred in time; for a body without other loads it equals the closed form
//! 1/u = 1/v + κ c/m. Across e the mean is centred.

use super::{Bodies, ForceLaw, Loads, not_finite};
use crate::body::frame::JacobianBlock;
use crate::row::rows::Rows;
use crate::row::{Form, Row, SLOWEST, Spring};
use crate::slots::BodyId;
use glam::DVec3;

/// Air drag on one body.
#[derive(Clone, Debug, PartialEq)]
pub struct Drag {
    /// The body.
    pub body: BodyId,
    /// c_w, drag coefficient.
    pub factor: f64,
    /// A, cross-sectional area [m²].
    pub area: f64,
    /// ρ [kg/m³]; none for AERO's formula, whose coefficient includes ρ/2.
    pub density: Option<f64>,
}

impl Drag {
    /// c [kg/m].
    fn coefficient(&self) -> f64 {
        self.factor * self.area * self.density.map_or(1.0, |rho| 0.5 * rho)
    }
}

impl ForceLaw for Drag {
    fn apply(&self, bodies: &Bodies<'_>, out: &mut Loads) {
        let v = bodies.body(self.body).velocity;
        out.pull(self.body, v * (-self.coefficient() * v.length()));
    }

    fn explicit(&self, bodies: &Bodies<'_>, out: &mut Loads) {
        // a negative coefficient drives, and is no damper
        if self.coefficient() < 0.0 {
            self.apply(bodies, out);
        }
    }

    fn dampers(&self, bodies: &Bodies<'_>, out: &mut Rows) {
        let c = self.coefficient();
        if c <= 0.0 {
            return;
        }
        let v = bodies.body(self.body).velocity;
        let along = v.try_normalize().unwrap_or(DVec3::X);
        let (across, other) = along.any_orthonormal_pair();
        let damping = c * v.length().max(SLOWEST);
        for (axis, form) in [(along, Form::Implicit), (across, Form::Symmetric), (other, Form::Symmetric)] {
            let row = Row::hold(0.0).with_spring(&Spring { stiffness: 0.0, damping, form });
            let body = self.body.index() as u32;
            out.push(row, &[JacobianBlock { body, linear: axis, angular: DVec3::ZERO }]);
        }
    }

    fn tangent(&self, bodies: &Bodies<'_>, out: &mut Rows) {
        let v = bodies.body(self.body).velocity;
        let along = v.try_normalize().unwrap_or(DVec3::X);
        let (across, other) = along.any_orthonormal_pair();
        let c = self.coefficient() * v.length();
        for (axis, damping) in [(along, 2.0 * c), (across, c), (other, c)] {
            let body = self.body.index() as u32;
            let row = Row::hold(0.0).with_spring(&Spring::new(0.0, damping));
            out.push(row, &[JacobianBlock { body, linear: axis, angular: DVec3::ZERO }]);
        }
    }

    fn bodies(&self) -> Vec<BodyId> {
        vec![self.body]
    }

    fn problem(&self) -> Option<String> {
        not_finite("c_w, area or density of a drag", &[self.factor, self.area, self.density.unwrap_or(0.0)])
    }
}
