//! Ground that remembers: plastic loading along the virgin curve, elastic unloading and reloading (Wong 2008).
//!
//! ```text
//! z ≥ z_u:  p(z) virgin, (z_u, p_u) ← (z, p)         z < z_u:  p = max(0, p_u − k_u (z_u − z))
//! k_u = k_0 + A_u z_u, at least the virgin slope at z_u and p_u/z_u: no press gives back more than it took
//! ```
//!
//! A pass leaves the surface at z_u − p_u/k_u. The next one presses it elastically up to p_u and then along the virgin
//! curve.

use super::shear::{ShearLaw, Strength};
use super::sinkage::{FIRST_SLOPE, SinkageCurve};

/// Stiffness of unloading where none was measured, in p_u/z_u: a tenth of the sinkage comes back.
const USUAL_RATIO: f64 = 10.0;

/// Deepest press of a place so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rut {
    /// z_u from the original surface [m]; zero for virgin ground.
    pub depth: f64,
    /// p_u [Pa]
    pub pressure: f64,
}

/// Stiffness of unloading and reloading k_u.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unloading {
    /// k_u = k_0 + A_u z_u.
    Measured {
        /// k_0 [Pa/m]
        constant: f64,
        /// A_u [Pa/m²]
        per_depth: f64,
    },
    /// k_u in units of p_u/z_u.
    Ratio(f64),
}

impl Default for Unloading {
    fn default() -> Self {
        Self::Ratio(USUAL_RATIO)
    }
}

/// Soft ground under a contact of given size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftSoil {
    /// Virgin curve.
    pub curve: SinkageCurve,
    /// Elastic part.
    pub unloading: Unloading,
    /// Shear strength of the soil.
    pub strength: Strength,
    /// Strength of the contact, if it may be less: rubber on soil.
    pub contact: Option<Strength>,
    /// Shear displacement law.
    pub shear: ShearLaw,
}

impl SoftSoil {
    /// k_u [Pa/m]; zero for virgin ground.
    pub fn unloading_stiffness(&self, rut: &Rut) -> f64 {
        if !(rut.depth > 0.0) {
            return 0.0;
        }
        let stiffness = match self.unloading {
            Unloading::Measured { constant, per_depth } => constant + per_depth * rut.depth,
            Unloading::Ratio(ratio) => ratio * rut.pressure / rut.depth,
        };
        stiffness.max(self.curve.derivative(rut.depth, rut.pressure)).max(rut.pressure / rut.depth)
    }

    /// Pressure at a sinkage [Pa].
    pub fn pressure(&self, sinkage: f64, rut: &Rut) -> f64 {
        if sinkage >= rut.depth {
            self.curve.pressure(sinkage)
        } else {
            (rut.pressure - self.unloading_stiffness(rut) * (rut.depth - sinkage)).max(0.0)
        }
    }

    /// Slopes dp/dz while sinking and while rising [Pa/m] at a sinkage with its pressure; zero where there is no
    /// contact.
    pub fn slopes(&self, sinkage: f64, pressure: f64, rut: &Rut) -> (f64, f64) {
        if !(pressure > 0.0) {
            return (0.0, 0.0);
        }
        if sinkage < rut.depth {
            let unloading = self.unloading_stiffness(rut);
            return (unloading, unloading);
        }
        let unloading = self.unloading_stiffness(&Rut { depth: sinkage, pressure });
        let sinking = if sinkage < FIRST_SLOPE {
            self.curve.slope(sinkage)
        } else {
            self.curve.derivative(sinkage, pressure)
        };
        (sinking, unloading)
    }

    /// The ground after a press down to a sinkage.
    pub fn pressed(&self, sinkage: f64, rut: &Rut) -> Rut {
        if sinkage > rut.depth {
            Rut { depth: sinkage, pressure: self.curve.pressure(sinkage) }
        } else {
            *rut
        }
    }

    /// Sinkage of the unloaded surface [m]. A rut that was pressed with no force does not come back.
    pub fn surface(&self, rut: &Rut) -> f64 {
        match rut.pressure > 0.0 {
            true if rut.depth > 0.0 => rut.depth - rut.pressure / self.unloading_stiffness(rut),
            _ => rut.depth.max(0.0),
        }
    }

    /// Sinkage under a pressure [m].
    pub fn sinkage(&self, pressure: f64, rut: &Rut) -> f64 {
        if pressure >= rut.pressure {
            self.curve.sinkage(pressure).max(rut.depth)
        } else {
            rut.depth - (rut.pressure - pressure.max(0.0)) / self.unloading_stiffness(rut)
        }
    }

    /// Largest shear stress under a pressure, τ_m: that of the soil or of the contact, whichever is less [Pa].
    pub fn shear_limit(&self, pressure: f64) -> f64 {
        let soil = self.strength.limit(pressure);
        self.contact.map_or(soil, |contact| soil.min(contact.limit(pressure)))
    }
}
