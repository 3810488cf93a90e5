//! Tyre on soft ground: rigid while the ground yields first, flat where the tyre does (Wong 2008).
//!
//! ```text
//! rigid   p_i + p_c ≥ p(z of the rigid wheel)
//! flat    l = W/(b (p_i + p_c))      p(z) = p_i + p_c      R = b ∫₀ᶻ p dz
//! ```

use super::rigid::RigidWheel;
use super::rut::{Rut, SoftSoil};

/// A tyre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticTire {
    /// The undeformed tyre.
    pub wheel: RigidWheel,
    /// Inflation pressure p_i [Pa].
    pub inflation: f64,
    /// Pressure that the carcass carries by its stiffness, p_c [Pa].
    pub carcass: f64,
}

/// Contact of a towed tyre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TireContact {
    /// Length of the flat part [m]; zero if the tyre acts as a rigid wheel.
    pub flat: f64,
    /// Sinkage [m].
    pub sinkage: f64,
    /// Resistance of compaction [N].
    pub resistance: f64,
}

impl ElasticTire {
    /// Contact on virgin ground under a load [N]; nothing if the tyre would sink by more than 0.9 radii.
    pub fn at_load(&self, soil: &SoftSoil, load: f64) -> Option<TireContact> {
        let bearable = self.inflation + self.carcass;
        let rigid = self.wheel.at_load(soil, &Rut::default(), load, None);
        let peak = rigid.map_or(f64::INFINITY, |rigid| soil.curve.pressure(rigid.sinkage));
        if bearable >= peak {
            let rigid = rigid?;
            return Some(TireContact { flat: 0.0, sinkage: rigid.sinkage, resistance: rigid.resistance });
        }
        let flat = load / (self.wheel.width * bearable);
        let sinkage = soil.curve.sinkage(bearable);
        let resistance = self.wheel.width * soil.curve.work(sinkage);
        (sinkage < self.wheel.radius).then_some(TireContact { flat, sinkage, resistance })
    }
}
