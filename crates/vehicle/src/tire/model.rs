//! What all tyre models have in common: from slip and contact to forces.
//!
//! ```text
//! κ = v_sx/|v_x|        v_sx = ω R_e − v_x       κ > 0 drives, κ = −1 is a locked wheel
//! tan α = v_y/|v_x|     v_sy = −v_y              F_y < 0 for tan α > 0
//! ```
//!
//! v is the velocity of the contact point in the road plane, v_s the velocity at which the tyre is dragged over the
//! road, and x points along the wheel. Forces act on the wheel at the contact point. Moments are about the axes of the
//! contact: M_x overturning, M_y rolling resistance (negative if the wheel rolls forward), M_z aligning.
//!
//! A model promises
//!
//! ```text
//! (κ − κ₀) F_x − (tan α − tan α₀) F_y ≥ 0
//! ```
//!
//! with (κ₀, tan α₀) its [`Tire::neutral_slip`], which is 0 unless the tyre has conicity, ply steer or camber. The
//! constraint equations of `patch.rs` stay stable if a model breaks the promise, but the tyre may then gain energy.

use glam::DVec2;
use thiserror::Error;

/// Slip of a tyre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slip {
    /// Longitudinal slip κ.
    pub kappa: f64,
    /// Tangent of the slip angle.
    pub tan_alpha: f64,
}

/// The conditions in which a tyre touches the road.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Vertical load; 0 or less for a wheel in the air [N].
    pub load: f64,
    /// Camber angle, positive if the wheel's spin axis points upward on its left side [rad].
    pub camber: f64,
    /// Inflation pressure; `None` for the pressure the model was built for [Pa].
    pub pressure: Option<f64>,
    /// Forward velocity v_x of the contact point, negative if the wheel rolls backward [m/s].
    pub speed: f64,
    /// Friction of this road over that on which the tyre was measured.
    pub friction: f64,
}

impl Contact {
    /// An upright wheel on the reference road at nominal pressure.
    pub fn upright(load: f64, speed: f64) -> Contact {
        Contact { load, camber: 0.0, pressure: None, speed, friction: 1.0 }
    }
}

/// Forces and moments of a tyre, and the largest forces it can transmit in these conditions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireForce {
    /// Longitudinal force [N].
    pub fx: f64,
    /// Lateral force, positive to the left [N].
    pub fy: f64,
    /// Overturning moment [N·m].
    pub mx: f64,
    /// Rolling resistance moment [N·m].
    pub my: f64,
    /// Aligning moment [N·m].
    pub mz: f64,
    /// Peak of |F_x| without lateral slip [N].
    pub peak_x: f64,
    /// Peak of |F_y| without longitudinal slip [N].
    pub peak_y: f64,
}

/// A tyre model without memory.
pub trait Tire {
    /// Forces and moments at a slip. Zero for a load of 0 or less.
    fn force(&self, slip: Slip, contact: &Contact) -> TireForce;

    /// Slopes ∂F_x/∂κ and −∂F_y/∂tan α where the forces vanish, both at least 0 [N].
    fn slip_stiffness(&self, contact: &Contact) -> DVec2;

    /// Relaxation lengths in longitudinal and lateral direction; 0 if the model has none [m].
    fn relaxation_length(&self, contact: &Contact) -> DVec2;

    /// Bound of the rolling resistance moment at the speed of the contact and a longitudinal force [N·m]: |M_y|, but without
    /// fading out at low speed, since it also holds a wheel at rest. Unless given, |M_y| at zero slip.
    fn rolling_moment(&self, contact: &Contact, _fx: f64) -> f64 {
        self.force(Slip::default(), contact).my.abs()
    }

    /// κ at which F_x vanishes for the given tan α, and tan α at which F_y vanishes for the given κ.
    fn neutral_slip(&self, _slip: Slip, _contact: &Contact) -> Slip {
        Slip::default()
    }

    /// Largest slip at which the model is evaluated.
    fn max_slip(&self) -> f64 {
        MAX_SLIP
    }
}

/// Largest slip of models that do not specify one; KPUMAX of most tyre property files.
pub const MAX_SLIP: f64 = 1.5;

/// What the vertical force of a tyre depends on besides its deflection.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VerticalState {
    /// Angular velocity of the wheel [rad/s].
    pub spin: f64,
    /// Inflation pressure; `None` for nominal pressure [Pa].
    pub pressure: Option<f64>,
    /// Camber angle [rad].
    pub camber: f64,
    /// Longitudinal force [N].
    pub fx: f64,
    /// Lateral force [N].
    pub fy: f64,
}

/// The law of a tyre's vertical force.
pub trait Vertical {
    /// Radius of the spinning wheel without load [m].
    fn free_radius(&self, spin: f64) -> f64;

    /// Force of a deflection of 0 or more without damping [N].
    fn spring_force(&self, deflection: f64, state: &VerticalState) -> f64;

    /// Stiffness at a deflection [N/m].
    fn stiffness(&self, deflection: f64, state: &VerticalState) -> f64;

    /// Damping [N·s/m].
    fn damping(&self) -> f64;

    /// Effective rolling radius at a load [m].
    fn effective_radius(&self, load: f64, state: &VerticalState) -> f64;

    /// Vertical force of a deflection and its rate, never negative [N].
    fn load(&self, deflection: f64, rate: f64, state: &VerticalState) -> f64 {
        if deflection > 0.0 {
            (self.spring_force(deflection, state) + self.damping() * rate).max(0.0)
        } else {
            0.0
        }
    }
}

/// Friction that decreases with load: μ = μ₀ − q (F_z/F_z0 − 1), at least a tenth of μ₀.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// Coefficient of friction μ₀ at the reference load.
    pub coefficient: f64,
    /// Decrease q of the coefficient over one reference load.
    pub load_sensitivity: f64,
    /// Reference load F_z0 [N].
    pub reference_load: f64,
}

impl Friction {
    /// Friction that does not depend on load.
    pub fn constant(coefficient: f64) -> Friction {
        Friction { coefficient, load_sensitivity: 0.0, reference_load: 1.0 }
    }

    /// Coefficient of friction in a contact, with the friction of the road.
    pub fn at(&self, contact: &Contact) -> f64 {
        let slope = self.load_sensitivity * (contact.load / self.reference_load - 1.0);
        (self.coefficient - slope).max(0.1 * self.coefficient) * contact.friction.max(0.0)
    }

    pub(super) fn check(&self) -> Result<(), ParameterProblem> {
        positive("coefficient of friction", self.coefficient)?;
        at_least_zero("load sensitivity of the friction", self.load_sensitivity)?;
        positive("reference load of the friction", self.reference_load)
    }
}

/// Why a tyre cannot be built, and how to correct it.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum ParameterProblem {
    /// A parameter is not positive and finite.
    #[error("the {what} of the tyre is {value}; give a positive number")]
    NotPositive {
        /// The parameter.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A parameter is negative or not finite.
    #[error("the {what} of the tyre is {value}; give 0 or more")]
    Negative {
        /// The parameter.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A parameter is out of its range.
    #[error("the {what} of the tyre is {value}; give {low} to {high}")]
    Range {
        /// The parameter.
        what: &'static str,
        /// Its value.
        value: f64,
        /// Smallest permitted value.
        low: f64,
        /// Largest permitted value.
        high: f64,
    },
}

pub(super) fn positive(what: &'static str, value: f64) -> Result<(), ParameterProblem> {
    if value > 0.0 && value.is_finite() { Ok(()) } else { Err(ParameterProblem::NotPositive { what, value }) }
}

pub(super) fn at_least_zero(what: &'static str, value: f64) -> Result<(), ParameterProblem> {
    if (0.0..f64::INFINITY).contains(&value) {
        Ok(())
    } else {
        Err(ParameterProblem::Negative { what, value })
    }
}

pub(super) fn within(what: &'static str, value: f64, low: f64, high: f64) -> Result<(), ParameterProblem> {
    if (low..=high).contains(&value) {
        Ok(())
    } else {
        Err(ParameterProblem::Range { what, value, low, high })
    }
}
