//! Magic curve with four parameters, the same in both directions.
//!
//! ```text
//! s = (C_x κ, −C_y tan α),   x = |s|/(c μ F_z)
//! F = μ F_z sin(c atan(x − E (x − atan x)))   along s/|s| + x² σ/|σ|,   σ = (κ, −tan α)
//! ```
//!
//! C_x and C_y are the slopes at zero slip, c is the shape factor and E the curvature factor. Slip is combined by
//! similarity: the magnitude depends on |s| alone. At small slip the force points along s, so that the slopes are those
//! given, and in sliding against the slip velocity. For unequal stiffnesses these differ; the transition is ours.

use glam::DVec2;

use super::model::{
    Contact, Friction, ParameterProblem, Slip, Tire, TireForce, at_least_zero, positive, within,
};

/// A tyre with the same magic curve in both directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeCurve {
    /// Slip stiffness C_x and cornering stiffness C_y [N].
    pub stiffness: DVec2,
    /// Friction.
    pub friction: Friction,
    /// Shape factor c, 1 to 2: the force at infinite slip is sin(cπ/2) of the peak.
    pub shape: f64,
    /// Curvature factor E, at most 1.
    pub curvature: f64,
    /// Relaxation lengths in longitudinal and lateral direction [m].
    pub relaxation: DVec2,
}

impl ShapeCurve {
    /// Checks the parameters.
    pub fn check(&self) -> Result<(), ParameterProblem> {
        positive("slip stiffness", self.stiffness.x)?;
        positive("cornering stiffness", self.stiffness.y)?;
        self.friction.check()?;
        within("shape factor", self.shape, 1.0, 2.0)?;
        within("curvature factor", self.curvature, -100.0, 1.0)?;
        at_least_zero("longitudinal relaxation length", self.relaxation.x)?;
        at_least_zero("lateral relaxation length", self.relaxation.y)
    }
}

impl Tire for ShapeCurve {
    fn force(&self, slip: Slip, contact: &Contact) -> TireForce {
        let peak = self.friction.at(contact) * contact.load;
        if !(peak > 0.0) {
            return TireForce::default();
        }
        let sigma = DVec2::new(slip.kappa, -slip.tan_alpha);
        let s = sigma * self.stiffness;
        let size = s.length();
        let peaks = TireForce { peak_x: peak, peak_y: peak, ..TireForce::default() };
        if !(size > 0.0) {
            return peaks;
        }
        let x = size / (self.shape * peak);
        let angle = libm::atan(x - self.curvature * (x - libm::atan(x)));
        let direction = (s / size + x * x * sigma.normalize()).normalize();
        let force = direction * (peak * libm::sin(self.shape * angle));
        TireForce { fx: force.x, fy: force.y, ..peaks }
    }

    fn slip_stiffness(&self, contact: &Contact) -> DVec2 {
        if contact.load > 0.0 { self.stiffness } else { DVec2::ZERO }
    }

    fn relaxation_length(&self, _contact: &Contact) -> DVec2 {
        self.relaxation
    }
}
