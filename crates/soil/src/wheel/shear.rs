//! Shear stress of soil against shear displacement j, as a part of the strength τ_m = c + p tan φ.
//!
//! ```text
//! exponential   1 − e^(−x)                                           x = j/K     (Janosi and Hanamoto 1961)
//! peak          x e^(1−x)                                            x = j/K_ω   mats of plants, no residual (Wong)
//! hump          K_r (1 + B e^(1−x))(1 − e^(−x))                      x = j/K_ω,  B = 1/(K_r (1 − 1/e)) − 1 (Wong)
//! ```
//!
//! K_r is the residual strength as a part of that at j = K_ω. j is a vector; its direction is that of the stress.

use crate::ground::Soil;
use crate::ground::soil::Shear;
use std::f64::consts::E;

/// Shear displacement law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShearLaw {
    /// Rises to the strength and stays there.
    Exponential {
        /// K [m]
        modulus: f64,
    },
    /// Rises to the strength at K_ω and falls to nothing.
    Peak {
        /// K_ω [m]
        at: f64,
    },
    /// Rises over a hump and falls to a residual strength.
    Hump {
        /// K_ω [m]
        at: f64,
        /// K_r
        residual: f64,
    },
}

/// Strength c + p tan φ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strength {
    /// c [Pa]
    pub cohesion: f64,
    /// tan φ
    pub tan_friction: f64,
}

impl Strength {
    /// From cohesion [Pa] and angle of friction [rad].
    pub fn new(cohesion: f64, friction: f64) -> Self {
        Self { cohesion, tan_friction: libm::tan(friction) }
    }

    /// Largest shear stress under a pressure [Pa]; zero without pressure.
    pub fn limit(&self, pressure: f64) -> f64 {
        if pressure > 0.0 { self.cohesion + pressure * self.tan_friction } else { 0.0 }
    }
}

impl ShearLaw {
    /// That of a soil.
    pub fn of(soil: &Soil) -> ShearLaw {
        match soil.shear {
            None => Self::Exponential { modulus: soil.shear_displacement },
            Some(Shear::Peak { at }) => Self::Peak { at },
            Some(Shear::Hump { at, residual }) => Self::Hump { at, residual },
        }
    }

    /// Displacement in which j is measured, K or K_ω [m].
    pub fn scale(&self) -> f64 {
        match *self {
            Self::Exponential { modulus: scale }
            | Self::Peak { at: scale }
            | Self::Hump { at: scale, .. } => scale,
        }
    }

    /// τ/τ_m at a displacement of size j.
    pub fn ratio(&self, j: f64) -> f64 {
        let x = j.max(0.0) / self.scale();
        let rising = -libm::expm1(-x);
        match *self {
            Self::Exponential { .. } => rising,
            Self::Peak { .. } => x * libm::exp(1.0 - x),
            Self::Hump { residual, .. } => residual * (1.0 + hump(residual) * libm::exp(-x)) * rising,
        }
    }

    /// d(τ/τ_m)/dj [1/m]; below zero beyond a peak.
    pub fn slope(&self, j: f64) -> f64 {
        let (x, scale) = (j.max(0.0) / self.scale(), self.scale());
        let y = libm::exp(-x);
        match *self {
            Self::Exponential { .. } => y / scale,
            Self::Peak { .. } => (1.0 - x) * E * y / scale,
            Self::Hump { residual, .. } => residual * y * (1.0 + hump(residual) * (2.0 * y - 1.0)) / scale,
        }
    }

    /// (τ/τ_m)/j [1/m], which is the slope at j = 0: the secant stiffness of a constraint equation.
    pub fn secant(&self, j: f64) -> f64 {
        if j > 1e-9 * self.scale() { self.ratio(j) / j } else { self.slope(0.0) }
    }

    /// Displacement and value of the largest τ/τ_m; an infinite displacement if it rises for ever.
    pub fn peak(&self) -> (f64, f64) {
        match *self {
            Self::Exponential { .. } => (f64::INFINITY, 1.0),
            Self::Peak { at } => (at, 1.0),
            Self::Hump { at, residual } => {
                let b = hump(residual);
                if b > 1.0 {
                    let j = -at * libm::log(0.5 * (1.0 - 1.0 / b));
                    (j, self.ratio(j))
                } else {
                    (f64::INFINITY, residual)
                }
            }
        }
    }

    /// Mean of τ/τ_m for displacements that grow evenly from 0 to j: a track with even pressure at slip i has j = i L.
    pub fn mean(&self, j: f64) -> f64 {
        let x = j.max(0.0) / self.scale();
        if x < SMALL {
            return 0.5 * self.slope(0.0) * x * self.scale();
        }
        let rising = -libm::expm1(-x);
        match *self {
            Self::Exponential { .. } => 1.0 - rising / x,
            Self::Peak { .. } => E * (rising - x * libm::exp(-x)) / x,
            Self::Hump { residual, .. } => {
                residual * (x - rising + hump(residual) * 0.5 * rising * rising) / x
            }
        }
    }
}

/// Below this x the mean is that of the tangent, within 1e-6 of its value.
const SMALL: f64 = 1e-6;

/// B e of the hump.
fn hump(residual: f64) -> f64 {
    E * (1.0 / (residual * (1.0 - 1.0 / E)) - 1.0)
}
