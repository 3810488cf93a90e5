//! Pressure–sinkage law and unloading of a soil under wheels, plates and tracks.
//!
//! ```text
//! Reece   p = (c k_c' + γ b k_φ') (z/b)ⁿ        c, γ of the soil in the bank
//! ```
//!
//! The virgin curve is measured on ground as found, and contains the compaction below the plate. It must not depend on
//! what the ground becomes under it: with the void ratio after the press, which rises γ and may rise c, the curve would
//! pass above the deepest press (z_u, p_u) that it has led to, and count the compaction twice. The shear strength is that
//! of the layer as it is.

use crate::ground::Soil;
use crate::ground::soil::Sinkage;
use crate::wheel::{SinkageLaw, Unloading};

/// The law of a soil; none if it has no constants of sinkage.
pub(super) fn law(soil: &Soil, gravity: f64) -> Option<SinkageLaw> {
    Some(match soil.sinkage? {
        Sinkage::Bekker { exponent, cohesive, frictional } => {
            SinkageLaw::Bekker { cohesive, frictional, exponent }
        }
        Sinkage::Reece { exponent, cohesive, frictional } => SinkageLaw::Reece {
            cohesive,
            frictional,
            exponent,
            cohesion: soil.strength(soil.void_ratio.bank, 0.0, false).cohesion,
            unit_weight: soil.density(soil.void_ratio.bank) * gravity,
        },
        Sinkage::Muskeg { peat, mat } => SinkageLaw::Muskeg { peat, mat },
        Sinkage::Snow { pressure, depth } => {
            SinkageLaw::Snow { pressure: [pressure, 0.0], depth: [depth, 0.0] }
        }
    })
}

/// Stiffness of unloading of a soil.
pub(super) fn unloading(soil: &Soil) -> Unloading {
    let measured = |[constant, per_depth]: [f64; 2]| Unloading::Measured { constant, per_depth };
    soil.unloading.map_or_else(Unloading::default, measured)
}
