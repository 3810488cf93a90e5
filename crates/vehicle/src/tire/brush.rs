//! Brush (Fiala) tyre with combined slip.
//!
//! ```text
//! σ = (κ, −tan α)/|1 + κ|          theoretical slip; or σ = (κ, −tan α), practical slip
//! q = (C_x σ_x, C_y σ_y),   x = |q|/3μF_z
//! F = (1 − x)² q + μ F_z x² (3 − 2x) σ/|σ|        for x < 1; else μ F_z σ/|σ|
//! M_z = −t F_y,   t = a (1 − x)³/(3 − 3x + x²)
//! μ = μ₀ − (μ₀ − μ₁) min(1, |σ|)
//! ```
//!
//! a is half of the contact length. The first term of F is the part of the contact that adheres and is deflected by the
//! slip, the second the part that slides, against its velocity. For equal stiffnesses both point along σ, and the sum is
//! μ F_z (1 − (1 − x)³), the brush with parabolic pressure distribution. The resultant never exceeds μ F_z, unlike in
//! implementations that evaluate F_x and F_y separately. The slide starts at x = 1, with κ = 0 at tan α = 3μF_z/C_y.

use glam::DVec2;

use super::model::{
    Contact, Friction, ParameterProblem, Slip, Tire, TireForce, at_least_zero, positive, within,
};

/// Which slip the forces of a brush tyre depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SlipMeasure {
    /// Slip velocity over the speed of the tread through the contact, |1 + κ| |v_x|: the physical brush.
    #[default]
    Theoretical,
    /// Slip velocity over |v_x|.
    Practical,
}

/// A brush tyre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brush {
    /// Slip stiffness C_x and cornering stiffness C_y [N].
    pub stiffness: DVec2,
    /// Friction μ₀ at small slip.
    pub friction: Friction,
    /// μ₁/μ₀: friction at full sliding (|σ| ≥ 1) over that at small slip, 0 to 1.
    pub sliding_ratio: f64,
    /// Half of the contact length [m].
    pub half_length: f64,
    /// Relaxation lengths in longitudinal and lateral direction [m].
    pub relaxation: DVec2,
    /// Which slip the forces depend on.
    pub measure: SlipMeasure,
}

impl Brush {
    /// A tyre of constant friction with theoretical slip.
    pub fn new(stiffness: DVec2, friction: f64, half_length: f64, relaxation: DVec2) -> Brush {
        Brush {
            stiffness,
            friction: Friction::constant(friction),
            sliding_ratio: 1.0,
            half_length,
            relaxation,
            measure: SlipMeasure::Theoretical,
        }
    }

    /// Checks the parameters.
    pub fn check(&self) -> Result<(), ParameterProblem> {
        positive("slip stiffness", self.stiffness.x)?;
        positive("cornering stiffness", self.stiffness.y)?;
        self.friction.check()?;
        within("ratio of sliding friction", self.sliding_ratio, 0.0, 1.0)?;
        at_least_zero("half contact length", self.half_length)?;
        at_least_zero("longitudinal relaxation length", self.relaxation.x)?;
        at_least_zero("lateral relaxation length", self.relaxation.y)
    }
}

impl Tire for Brush {
    fn force(&self, slip: Slip, contact: &Contact) -> TireForce {
        let top = self.friction.at(contact) * contact.load;
        if !(top > 0.0) {
            return TireForce::default();
        }
        let practical = DVec2::new(slip.kappa, -slip.tan_alpha);
        let travel = match self.measure {
            SlipMeasure::Theoretical => (1.0 + slip.kappa).abs(),
            SlipMeasure::Practical => 1.0,
        };
        // a locked wheel has infinite theoretical slip and a finite direction
        let sliding = (practical.length() / travel).min(1.0);
        let limit = top * (1.0 - (1.0 - self.sliding_ratio) * sliding);
        let q = practical * self.stiffness;
        let size = q.length();
        let peaks = TireForce { peak_x: top, peak_y: top, ..TireForce::default() };
        if !(size > 0.0 && limit > 0.0) {
            return peaks;
        }
        let x = (size / (3.0 * limit * travel)).min(1.0);
        let rest = 1.0 - x;
        let adhering = q * (rest * rest / travel);
        let force = if x < 1.0 { adhering } else { DVec2::ZERO }
            // a slip that has decayed to 1e-160 has no direction: its square underflows
            + practical.normalize_or_zero() * (limit * x * x * (3.0 - 2.0 * x));
        let trail = self.half_length * rest * rest * rest / (3.0 - 3.0 * x + x * x);
        // the trail is behind the contact centre as seen in the direction of travel
        let mz = -trail * force.y * direction(contact.speed);
        TireForce { fx: force.x, fy: force.y, mz, ..peaks }
    }

    fn slip_stiffness(&self, contact: &Contact) -> DVec2 {
        if contact.load > 0.0 { self.stiffness } else { DVec2::ZERO }
    }

    fn relaxation_length(&self, _contact: &Contact) -> DVec2 {
        self.relaxation
    }
}

/// 1 if the wheel rolls forward, −1 if it rolls backward, linear in between.
///
/// Below 1 m/s, VXLOW of most tyre property files, moments by the trail fade out. The ramp is ours.
pub(super) fn direction(speed: f64) -> f64 {
    speed.clamp(-1.0, 1.0)
}
