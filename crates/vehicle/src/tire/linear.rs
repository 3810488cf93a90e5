//! Linear tyre: force proportional to slip up to the friction limit.
//!
//! ```text
//! F = min(1, μ F_z/|C s|) (C_κ κ, −C_α tan α)
//! ```
//!
//! A tyre without friction limit has `friction: None`; its stiffnesses do not depend on load, as in the textbook
//! single-track model.

use glam::DVec2;

use super::model::{Contact, Friction, ParameterProblem, Slip, Tire, TireForce, at_least_zero, positive};

/// A linear tyre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linear {
    /// Slip stiffness C_κ [N] and cornering stiffness C_α [N/rad].
    pub stiffness: DVec2,
    /// Friction limit; `None` for a tyre that never slides.
    pub friction: Option<Friction>,
    /// Relaxation lengths in longitudinal and lateral direction [m].
    pub relaxation: DVec2,
}

impl Linear {
    /// Checks the parameters.
    pub fn check(&self) -> Result<(), ParameterProblem> {
        positive("slip stiffness", self.stiffness.x)?;
        positive("cornering stiffness", self.stiffness.y)?;
        at_least_zero("longitudinal relaxation length", self.relaxation.x)?;
        at_least_zero("lateral relaxation length", self.relaxation.y)?;
        self.friction.map_or(Ok(()), |friction| friction.check())
    }
}

impl Tire for Linear {
    fn force(&self, slip: Slip, contact: &Contact) -> TireForce {
        if !(contact.load > 0.0) {
            return TireForce::default();
        }
        let free = DVec2::new(slip.kappa, -slip.tan_alpha) * self.stiffness;
        // without a limit the peak is the force at the largest slip
        let peak = match self.friction {
            Some(friction) => DVec2::splat(friction.at(contact) * contact.load),
            None => self.stiffness * self.max_slip(),
        };
        let force = if self.friction.is_some() { free.clamp_length_max(peak.x) } else { free };
        TireForce { fx: force.x, fy: force.y, peak_x: peak.x, peak_y: peak.y, ..TireForce::default() }
    }

    fn slip_stiffness(&self, contact: &Contact) -> DVec2 {
        if contact.load > 0.0 { self.stiffness } else { DVec2::ZERO }
    }

    fn relaxation_length(&self, _contact: &Contact) -> DVec2 {
        self.relaxation
    }
}
