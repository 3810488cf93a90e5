//! Stresses on the edge and on buried plates of a tool.
//!
//! ```text
//! edge       q_u = c Nc + q Nq + ½ ρ g t Nγ                                    strip of width t (Vesić 1973)
//!            Nq = e^(π tan φ) tan²(45° + φ/2)    Nc = (Nq − 1) cot φ    Nγ = 2 (Nq + 1) tan φ
//! plates     τ = c_a + K₀ σ_v tan δ              K₀ = 1 − sin φ (Jaky 1944)
//! ```

use super::soil::CuttingSoil;
use std::f64::consts::{FRAC_PI_4, PI};

/// Below this tan φ, Nc is its limit for φ = 0, within 1e-8 of the formula.
const SMOOTH: f64 = 1e-9;
/// Largest angle of friction [rad]: 60°, above every soil; keeps the factors finite.
const STEEPEST: f64 = PI / 3.0;

/// Factors of the bearing capacity of a strip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BearingFactors {
    /// Nc of cohesion.
    pub cohesion: f64,
    /// Nq of surcharge.
    pub surcharge: f64,
    /// Nγ of weight.
    pub weight: f64,
}

impl BearingFactors {
    /// Factors for an angle of internal friction of at most 60° [rad].
    pub fn new(friction: f64) -> Self {
        let friction = friction.clamp(0.0, STEEPEST);
        let tan = libm::tan(friction);
        let half = libm::tan(FRAC_PI_4 + 0.5 * friction);
        let surcharge = libm::exp(PI * tan) * half * half;
        let cohesion = if tan > SMOOTH { (surcharge - 1.0) / tan } else { 2.0 + PI };
        Self { cohesion, surcharge, weight: 2.0 * (surcharge + 1.0) * tan }
    }
}

/// Bearing capacity under a strip of some thickness, with a vertical stress beside it [Pa].
pub fn capacity(soil: &CuttingSoil, thickness: f64, overburden: f64, gravity: f64) -> f64 {
    let n = BearingFactors::new(soil.friction);
    soil.cohesion * n.cohesion
        + overburden * n.surcharge
        + 0.5 * soil.density * gravity * thickness * n.weight
}

/// Shear stress on a buried plate that slides, at a vertical stress in the ground [Pa].
pub fn plate_friction(soil: &CuttingSoil, vertical_stress: f64) -> f64 {
    let at_rest = 1.0 - libm::sin(soil.friction);
    soil.adhesion + at_rest * vertical_stress.max(0.0) * libm::tan(soil.tool_friction)
}
