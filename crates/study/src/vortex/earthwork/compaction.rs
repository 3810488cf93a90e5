//! Figure 24: layers that settle under a load, and loads that pass again.
//!
//! ```text
//!  e = e₀ − κ ln(p_c/p) − λ ln(p'/p_c)        Δt = t₀ (e₀ − e)/(1 + e₀),  p at mid-layer
//! ```

use super::{GRAVITY, site};
use crate::{Ask, StudyContext, Table, Trouble};
use libm::log;
use windlass_soil::ground::compaction::{Compression, Load};
use windlass_soil::ground::{Stratum, TerrainState};

/// λ, κ, void ratio, thickness of a layer [m] and their number.
const LAYERS: [f64; 5] = [0.08, 0.008, 0.80, 0.05, 40.0];
/// Pressure [Pa].
const LOAD: f64 = 50e3;

/// Settlement of the layers with a preload over their own weight [m].
fn closed(preload: f64, grains: f64) -> f64 {
    let [lambda, kappa, e, thickness, count] = LAYERS;
    let weight = grains / (1.0 + e) * GRAVITY;
    let layer = |k: usize| {
        let own = weight * (k as f64 + 0.5) * thickness;
        let (borne, now) = (preload * own, own + LOAD);
        let less = if now <= borne {
            kappa * log(now / own)
        } else {
            kappa * log(borne / own) + lambda * log(now / borne)
        };
        thickness * less / (1.0 + e)
    };
    (0..count as usize).map(layer).sum()
}

/// Settlement.
pub fn layers(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let [lambda, kappa, e, thickness, count] = LAYERS;
    let caption = "2 m of soil in 40 layers under 50 kPa all over: settlement that stays with what comes back [m], after a second load in \
                   parts of the first (Figure 24)";
    let mut table = Table::comparison(caption, "closed form");
    for preload in [1.0, 2.0, 4.0] {
        let mut soil = site::soil([33.0, 22.0], 0.0, 1500.0)?;
        soil.grain_density = 2650.0;
        soil.compression = Compression { lambda, kappa };
        (soil.void_ratio.least, soil.void_ratio.bank) = (0.2, 0.79);
        (soil.void_ratio.loose, soil.void_ratio.greatest) = (0.90, 0.90);
        let stratum =
            Stratum { void_ratio: Some(e), overconsolidation: preload, ..Stratum::new(0, thickness) };
        let terrain = site::terrain(soil, ([5, 5], 0.2), vec![stratum; count as usize], |_, _| 0.0)?;
        let (mut state, load) = (TerrainState::default(), Load::everywhere(LOAD));
        let back = state.elastic_settlement(&terrain, [2, 2], &load);
        let stays = state.press(&terrain, [2, 2], &load);
        let name = format!("preload of {preload} times the own weight");
        table.compare(&name, stays + back, closed(preload, 2650.0), Ask::Part(0.01));
        let again = state.press(&terrain, [2, 2], &load);
        table.compare(&format!("{name}: second load over the first"), again / stays, 0.0, Ask::Apart(1e-3));
    }
    context.table(table);
    Ok(())
}
