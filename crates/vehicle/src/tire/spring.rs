//! Vertical force of tyre models that describe slip only.
//!
//! ```text
//! F_z = k₀ (1 + q (p/p₀ − 1)) ρ + c ρ̇ ≥ 0
//! R_e = R₀ − e ρ          e ≈ ⅓ for radial tyres
//! ```
//!
//! q ≈ 0.7–0.8 for car tyres; the figure was not checked against a source.

use super::model::{ParameterProblem, Vertical, VerticalState, at_least_zero, positive, within};

/// Linear vertical spring and damper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VerticalSpring {
    /// Free radius R₀ [m].
    pub radius: f64,
    /// Stiffness k₀ at nominal pressure [N/m].
    pub stiffness: f64,
    /// Damping [N·s/m].
    pub damping: f64,
    /// Share e of the deflection by which the effective radius is less than the free radius, 0 to 1.
    pub rolling_share: f64,
    /// Nominal pressure p₀ [Pa].
    pub pressure: f64,
    /// Share q of the stiffness that is proportional to pressure, 0 to 1.
    pub pressure_share: f64,
}

impl VerticalSpring {
    /// Checks the parameters.
    pub fn check(&self) -> Result<(), ParameterProblem> {
        positive("radius", self.radius)?;
        positive("vertical stiffness", self.stiffness)?;
        at_least_zero("vertical damping", self.damping)?;
        within("share of the deflection in the rolling radius", self.rolling_share, 0.0, 1.0)?;
        positive("nominal pressure", self.pressure)?;
        within("share of the stiffness that depends on pressure", self.pressure_share, 0.0, 1.0)
    }

    fn at_pressure(&self, state: &VerticalState) -> f64 {
        let ratio = state.pressure.map_or(0.0, |pressure| pressure / self.pressure - 1.0);
        self.stiffness * (1.0 + self.pressure_share * ratio).max(0.1)
    }
}

impl Vertical for VerticalSpring {
    fn free_radius(&self, _spin: f64) -> f64 {
        self.radius
    }

    fn spring_force(&self, deflection: f64, state: &VerticalState) -> f64 {
        self.at_pressure(state) * deflection.max(0.0)
    }

    fn stiffness(&self, _deflection: f64, state: &VerticalState) -> f64 {
        self.at_pressure(state)
    }

    fn damping(&self) -> f64 {
        self.damping
    }

    fn effective_radius(&self, load: f64, state: &VerticalState) -> f64 {
        self.radius - self.rolling_share * load.max(0.0) / self.at_pressure(state)
    }
}
