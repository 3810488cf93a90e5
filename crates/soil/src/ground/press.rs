//! Compaction of a column under a load on its surface.
//!
//! ```text
//!  stored       Δe = −(λ − κ) ln(p/p_c) where p = own weight + σ(z) exceeds p_c        never below e_min
//!  elastic      Δe = −κ ln(p/p₀): gone when the load is; it is not stored
//! ```
//!
//! Layers are divided where the stress falls off, at half of width + depth, so that the crust below a wheel is not
//! averaged with the soil beneath. The layer keeps p_c as a line over its depth; the same load settles nothing twice.

use super::column::{Column, LAYERS};
use super::compaction::{Line, Load, mean_log_excess};
use super::layer::Layer;
use super::quanta::Mass;
use super::state::TerrainState;
use super::terrain::Terrain;
use super::tile::place;

/// Depth over the width of the patch down to which soil compacts: 2:1 leaves below 4 % of the stress of a square there.
const REACH: f64 = 4.0;

/// Thickness over width of what is not taken from the strata any more at the end of the reach.
const NEGLIGIBLE: f64 = 0.1;

/// Depth over the width of a wheel down to which its sinkage compacts.
const COMPACTED: f64 = 2.0;

/// Approximations of the thickness of a layer under its load; each leaves about a tenth of the error.
const APPROXIMATIONS: usize = 4;

/// Thickness of a layer over width + depth: what is thicker than `THICK` is divided at `DIVIDED`.
const THICK: f64 = 0.75;
const DIVIDED: f64 = 0.5;

impl TerrainState {
    /// Compacts the column of a node by a load on its surface; returns the settlement that stays [m].
    pub fn press(&mut self, terrain: &Terrain, node: [usize; 2], load: &Load) -> f64 {
        if !(load.stress > 0.0 && load.width > 0.0 && load.length > 0.0) {
            return 0.0;
        }
        let share = terrain.share(node);
        let (mut column, cut) = self.divided(terrain, node, load);
        let mut settled = 0.0;
        for_depths(terrain, column.layers_mut(), share, |layer, depth, before, own| {
            // the patch sinks with the surface, so the layer that is compacted is nearer to it
            let (start, mut thickness) = (*layer, before);
            for _ in 0..APPROXIMATIONS {
                *layer = compacted(terrain, &start, own, loaded(own, load, depth - settled, thickness));
                thickness = before * (1.0 + layer.void_ratio) / (1.0 + start.void_ratio);
                if layer.void_ratio == start.void_ratio {
                    break;
                }
            }
            settled += before - thickness;
        });
        if settled > 0.0 {
            let (key, at) = place(terrain, node);
            let slot = self.touch(terrain, key);
            let tile = self.tiles.get_mut(slot);
            tile.cut.set(at, cut);
            tile.set_layers(at, &column);
            self.settle(terrain, slot, node);
        }
        settled
    }

    /// Compacts the column of a node by a settlement at its surface [m], down to twice the width of the load, in
    /// proportion to its stress; returns the part that its layers can give before they reach e_min. They have borne the
    /// stress of the load then.
    pub fn compact(&mut self, terrain: &Terrain, node: [usize; 2], load: &Load, settlement: f64) -> f64 {
        if !(settlement > 0.0 && load.stress > 0.0 && load.width > 0.0 && load.length > 0.0) {
            return 0.0;
        }
        let share = terrain.share(node);
        let (mut column, cut) = self.divided(terrain, node, load);
        // weight of each layer, and the settlement it can give
        let mut shares = [(0.0, 0.0); LAYERS];
        let mut k = column.layers().len();
        for_depths(terrain, column.layers_mut(), share, |layer, depth, thickness, own| {
            k -= 1;
            let middle = depth + 0.5 * thickness;
            if middle < COMPACTED * load.width {
                let least = terrain.soil(layer).void_ratio.least.min(layer.void_ratio);
                let room = thickness * (layer.void_ratio - least) / (1.0 + layer.void_ratio);
                shares[k] = (load.at(middle) / load.stress * thickness, room);
                let stress = loaded(own, load, depth, thickness);
                layer.preconsolidation =
                    [layer.preconsolidation[0].max(stress[0]), layer.preconsolidation[1].max(stress[1])];
            }
        });
        let shares = &mut shares[..column.layers().len()];
        let (mut left, mut given) = (settlement, [0.0; LAYERS]);
        // a layer at its least void ratio leaves the rest to the others
        for _ in 0..LAYERS {
            let sum: f64 = shares.iter().filter(|(_, room)| *room > 0.0).map(|(weight, _)| weight).sum();
            if !(left > 0.0 && sum > 0.0) {
                break;
            }
            let per_weight = left / sum;
            for ((weight, room), given) in
                shares.iter_mut().zip(&mut given).filter(|((_, room), _)| *room > 0.0)
            {
                let part = (per_weight * *weight).min(*room);
                *room -= part;
                *given += part;
                left -= part;
            }
        }
        for (layer, given) in column.layers_mut().iter_mut().zip(given) {
            let thickness = terrain.thickness(layer, share);
            if given > 0.0 {
                let void_ratio = (1.0 + layer.void_ratio) * (1.0 - given / thickness) - 1.0;
                layer.void_ratio = void_ratio.max(terrain.soil(layer).void_ratio.least.min(layer.void_ratio));
                layer.remoulded &= !is_compacted(terrain, layer);
            }
        }
        let (key, at) = place(terrain, node);
        let slot = self.touch(terrain, key);
        let tile = self.tiles.get_mut(slot);
        tile.cut.set(at, cut);
        tile.set_layers(at, &column);
        self.settle(terrain, slot, node);
        settlement - left.max(0.0)
    }

    /// Settlement of the column of a node under a load that returns when the load is taken off [m].
    pub fn elastic_settlement(&self, terrain: &Terrain, node: [usize; 2], load: &Load) -> f64 {
        let mut settled = 0.0;
        let (mut column, _) = self.divided(terrain, node, load);
        for_depths(terrain, column.layers_mut(), terrain.share(node), |layer, depth, thickness, own| {
            let kappa = terrain.soil(layer).compression.kappa;
            let change = kappa * mean_log_excess(loaded(own, load, depth, thickness), own);
            settled += thickness * change / (1.0 + layer.void_ratio);
        });
        settled
    }

    /// The layers of a column as far down as a load compacts, divided for it, and the mass then taken off the strata.
    fn divided(&self, terrain: &Terrain, node: [usize; 2], load: &Load) -> (Column, Mass) {
        let share = terrain.share(node);
        let grains = |soil: u8| terrain.soils()[usize::from(soil)].grain_density;
        let tile = self.tile(terrain, node);
        let mut cut = tile.map_or(Mass::ZERO, |(tile, at)| tile.cut.get(at));
        let mut column = Column::new(tile.into_iter().flat_map(|(tile, at)| tile.layers(at)));
        let (mut depth, mut k) = (0.0, column.layers().len());
        while k > 0 {
            let layer = column.layers()[k - 1];
            let mut thickness = terrain.thickness(&layer, share);
            if !column.is_full() && depth < REACH * load.width && thickness > THICK * (load.width + depth) {
                let [above, below] = upper_part(&layer, DIVIDED * (load.width + depth) / thickness);
                column.layers_mut()[k - 1] = below;
                column.insert(k, above, grains);
                (thickness, k) = (terrain.thickness(&above, share), k + 1);
            }
            (depth, k) = (depth + thickness, k - 1);
        }
        while depth < REACH * load.width && !(column.is_full() && load.width.is_finite()) {
            let Some(stratum) = terrain.uppermost(share, cut) else { break };
            let thickness = terrain.thickness(&stratum, share);
            let (rest, fine) = (REACH * load.width - depth, DIVIDED * (load.width + depth));
            if rest < NEGLIGIBLE * load.width {
                break;
            }
            let thick = thickness > THICK * (load.width + depth);
            let part = if thick { fine.min(rest) } else { rest } / thickness;
            let [above, _] = upper_part(&stratum, part);
            cut += above.mass;
            depth += terrain.thickness(&above, share);
            column.insert(0, above, grains);
        }
        (column, cut)
    }
}

/// Divides a layer at a part of its thickness; both have mass unless the layer has a single quantum.
fn upper_part(layer: &Layer, part: f64) -> [Layer; 2] {
    let mass = Mass((layer.mass.0 as f64 * part.min(1.0)) as i64).max(Mass(1)).min(layer.mass);
    layer.divided(mass)
}

/// Calls with each layer from the top down, its depth, its thickness and its own weight over it.
fn for_depths(
    terrain: &Terrain,
    layers: &mut [Layer],
    share: usize,
    mut each: impl FnMut(&mut Layer, f64, f64, Line),
) {
    let (mut depth, mut weight) = (0.0, 0.0);
    for layer in layers.iter_mut().rev() {
        let thickness = terrain.thickness(layer, share);
        let own = [weight, weight + terrain.unit_weight(layer) * thickness];
        each(layer, depth, thickness, own);
        (depth, weight) = (depth + thickness, own[1]);
    }
}

/// Stress over a layer: its own weight and the load.
fn loaded(own: Line, load: &Load, depth: f64, thickness: f64) -> Line {
    [own[0] + load.at(depth), own[1] + load.at(depth + thickness)]
}

/// A layer compacted by a stress over its depth.
fn compacted(terrain: &Terrain, start: &Layer, own: Line, stress: Line) -> Layer {
    let mut layer = *start;
    let soil = terrain.soil(start);
    let preconsolidation = [layer.preconsolidation[0].max(own[0]), layer.preconsolidation[1].max(own[1])];
    let plastic = soil.compression.lambda - soil.compression.kappa;
    let mean = mean_log_excess(stress, preconsolidation);
    if mean <= 0.0 {
        return layer;
    }
    let least = soil.void_ratio.least.min(layer.void_ratio);
    layer.void_ratio = (layer.void_ratio - plastic * mean).max(least);
    layer.preconsolidation = [preconsolidation[0].max(stress[0]), preconsolidation[1].max(stress[1])];
    layer.remoulded &= !is_compacted(terrain, &layer);
    layer
}

/// Halfway from loose to bank, soil counts as compacted.
fn is_compacted(terrain: &Terrain, layer: &Layer) -> bool {
    let e = terrain.soil(layer).void_ratio;
    layer.void_ratio <= 0.5 * (e.loose + e.bank)
}
