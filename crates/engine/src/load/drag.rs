//! Air drag at the centre of mass.
//!
//!   F = −c_w A |v| v        (AERO §3.9; with a density ρ given, the usual −½ ρ c_w A |v| v)

use super::{Bodies, ForceLaw, Loads, not_finite};
use crate::slots::BodyId;

/// Air drag on one body.
#[derive(Clone, Debug, PartialEq)]
pub struct Drag {
    /// The body.
    pub body: BodyId,
    /// c_w, shape factor.
    pub factor: f64,
    /// A, area across the flow [m²].
    pub area: f64,
    /// ρ [kg/m³]; none for AERO's formula, whose factor has ρ/2 in it.
    pub density: Option<f64>,
}

impl ForceLaw for Drag {
    fn apply(&self, bodies: &Bodies<'_>, out: &mut Loads) {
        let v = bodies.body(self.body).velocity;
        let factor = self.factor * self.area * self.density.map_or(1.0, |rho| 0.5 * rho);
        out.pull(self.body, v * (-factor * v.length()));
    }

    fn bodies(&self) -> Vec<BodyId> {
        vec![self.body]
    }

    fn problem(&self) -> Option<String> {
        not_finite("c_w, area or density of a drag", &[self.factor, self.area, self.density.unwrap_or(0.0)])
    }
}
