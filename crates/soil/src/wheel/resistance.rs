//! Resistances beside compaction.
//!
//! ```text
//! bulldozing     R_b = b (ρ g z² Nγ + c z Nc)       passive wedge before an upright face of the sinkage's depth
//! slip sinkage   z (1 + i)/(1 − i/2)                (Lyasko 2010)
//! ```

use crate::cutting::CuttingSoil;
use crate::cutting::wedge::LevelCut;
use std::f64::consts::FRAC_PI_2;

/// Force to push the soil before a wheel or track ahead [N]; matters for sinkages above a tenth of the diameter.
pub fn bulldozing(width: f64, sinkage: f64, soil: &CuttingSoil, gravity: f64) -> f64 {
    let cut = LevelCut { rake: FRAC_PI_2, depth: sinkage, gravity, ..LevelCut::default() };
    cut.failure(soil).map_or(0.0, |failure| width * failure.draft.max(0.0))
}

/// Sinkage with the additional sinkage of a slipping wheel or track [m].
pub fn slip_sinkage(sinkage: f64, slip: f64) -> f64 {
    let i = slip.abs().min(1.0);
    sinkage * (1.0 + i) / (1.0 - 0.5 * i)
}
