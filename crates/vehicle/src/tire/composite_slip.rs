//! Composite slip (Allen, Rosenthal, Szostak: STI tyre model) with the contact length eliminated.
//!
//! ```text
//! σ = π/(4μ₀F_z) √(C_α² tan²α + C_s² (S/(1−S))²)            S = −κ in braking
//! f = (C₁σ³ + C₂σ² + (4/π)σ)/(C₁σ³ + C₃σ² + C₄σ + 1)
//! μ = μ₀ (1 − K_μ √(sin²α + S² cos²α)),   C_s' = C_s + (C_α − C_s) √(sin²α + S² cos²α)
//! F_x = −μF_z f C_s' S/N,  F_y = −μF_z f C_α tan α/N,  N = √(C_α² tan²α + C_s'² S²)
//! C_α = A₀ + A₁F_z − (A₁/A₂)F_z²
//! ```
//!
//! A driving wheel has S = −κ/(1+κ), so that S/(1−S) is odd in the exchange of driving and braking, and S stays
//! between −1 and 1; a wheel that turns backward counts as locked. The constants C₁ to C₄ were not checked against the
//! report: see [`SHAPE`].

use std::f64::consts::{FRAC_PI_4, PI};

use glam::DVec2;

use super::model::{
    Contact, Friction, ParameterProblem, Slip, Tire, TireForce, at_least_zero, positive, within,
};

/// C₁ to C₄ of the saturation function. Unverified: quoted from memory of the report of Allen, Rosenthal and Szostak
/// (1988), consistent with the limits of small and large slip only.
pub const SHAPE: [f64; 4] = [1.0, 0.34, 0.57, 0.32];

/// A tyre with composite slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompositeSlip {
    /// A₀ [N/rad], A₁ [1/rad] and A₂ [N] of the cornering stiffness; A₂ infinite for a stiffness linear in load.
    pub cornering: [f64; 3],
    /// Slip stiffness C_s [N].
    pub slip_stiffness: f64,
    /// Friction μ₀ at small slip.
    pub friction: Friction,
    /// Decrease K_μ of the friction with slip, 0 to 1.
    pub friction_decay: f64,
    /// C₁ to C₄ of the saturation function.
    pub shape: [f64; 4],
    /// Relaxation lengths in longitudinal and lateral direction [m].
    pub relaxation: DVec2,
}

impl CompositeSlip {
    /// Checks the parameters.
    pub fn check(&self) -> Result<(), ParameterProblem> {
        positive("cornering stiffness at zero load", self.cornering[0])?;
        at_least_zero("increase of the cornering stiffness with load", self.cornering[1])?;
        if !(self.cornering[2] > 0.0) {
            return Err(ParameterProblem::NotPositive {
                what: "load A2 of the cornering stiffness",
                value: self.cornering[2],
            });
        }
        positive("slip stiffness", self.slip_stiffness)?;
        self.friction.check()?;
        within("decrease of the friction with slip", self.friction_decay, 0.0, 1.0)?;
        for value in self.shape {
            at_least_zero("shape constant", value)?;
        }
        at_least_zero("longitudinal relaxation length", self.relaxation.x)?;
        at_least_zero("lateral relaxation length", self.relaxation.y)
    }

    /// Cornering stiffness at a load, at least a tenth of A₀ [N/rad].
    fn cornering_stiffness(&self, load: f64) -> f64 {
        let [a0, a1, a2] = self.cornering;
        (a0 + a1 * load * (1.0 - load / a2)).max(0.1 * a0)
    }

    /// f at a composite slip, which may be infinite.
    fn saturation(&self, sigma: f64) -> f64 {
        let [c1, c2, c3, c4] = self.shape;
        if sigma > 1e6 {
            return 1.0;
        }
        let top = sigma * (sigma * (c1 * sigma + c2) + 4.0 / PI);
        top / (sigma * (sigma * (c1 * sigma + c3) + c4) + 1.0)
    }
}

impl Tire for CompositeSlip {
    fn force(&self, slip: Slip, contact: &Contact) -> TireForce {
        let mu = self.friction.at(contact);
        let top = mu * contact.load;
        if !(top > 0.0) {
            return TireForce::default();
        }
        let peaks = TireForce { peak_x: top, peak_y: top, ..TireForce::default() };
        // braking slip S and S/(1 − S)
        let kappa = slip.kappa.max(-1.0);
        let (s, ratio) =
            if kappa > 0.0 { (-kappa / (1.0 + kappa), -kappa) } else { (-kappa, -kappa / (1.0 + kappa)) };
        let tan = slip.tan_alpha;
        let lateral = self.cornering_stiffness(contact.load);
        let sigma = FRAC_PI_4 / top * libm::hypot(lateral * tan, self.slip_stiffness * ratio);
        let cos2 = 1.0 / (1.0 + tan * tan);
        let total = (1.0 - cos2 + s * s * cos2).sqrt();
        let longitudinal = self.slip_stiffness + (lateral - self.slip_stiffness) * total;
        let norm = libm::hypot(lateral * tan, longitudinal * s);
        if !(norm > 0.0) {
            return peaks;
        }
        let size = top * (1.0 - self.friction_decay * total) * self.saturation(sigma) / norm;
        TireForce { fx: -size * longitudinal * s, fy: -size * lateral * tan, ..peaks }
    }

    fn slip_stiffness(&self, contact: &Contact) -> DVec2 {
        if contact.load > 0.0 {
            DVec2::new(self.slip_stiffness, self.cornering_stiffness(contact.load))
        } else {
            DVec2::ZERO
        }
    }

    fn relaxation_length(&self, _contact: &Contact) -> DVec2 {
        self.relaxation
    }
}
