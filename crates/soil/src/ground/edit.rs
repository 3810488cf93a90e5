//! Digging and dumping. Mass is moved in whole quanta; what is taken is returned, what is put must have been taken.

use super::column::Column;
use super::layer::Layer;
use super::quanta::Mass;
use super::state::TerrainState;
use super::terrain::Terrain;
use super::tile::place;

/// Mass of a layer, at most: 48 bits are stored.
const GREATEST: i64 = 1 << 47;

impl TerrainState {
    /// Takes the soil of a column above a height [m]; appends its layers from the top down and returns their mass.
    /// The rest of the column is higher by less than a quantum.
    pub fn take_above(
        &mut self,
        terrain: &Terrain,
        node: [usize; 2],
        height: f64,
        removed: &mut Vec<Layer>,
    ) -> Mass {
        if !(self.height(terrain, node) > height) {
            return Mass::ZERO;
        }
        let (key, at) = place(terrain, node);
        let slot = self.touch(terrain, key);
        let (tile, share) = (self.tiles.get_mut(slot), terrain.share(node));
        let mut total = Mass::ZERO;
        let mut above = tile.computed_height(terrain, at) - height;
        while above > 0.0 {
            let Some(top) = tile.top(terrain, at) else { break };
            let thickness = terrain.thickness(&top, share);
            let mass = part_of(&top, above / thickness);
            if mass > Mass::ZERO {
                tile.take(at, mass);
                removed.push(top.divided(mass)[0]);
                total += mass;
            }
            above = if mass == top.mass { above - thickness } else { 0.0 };
        }
        self.settle(terrain, slot, node);
        total
    }

    /// Lays dumped soil on a column.
    pub fn put(&mut self, terrain: &Terrain, node: [usize; 2], mass: Mass, void_ratio: f64, soil: u8) {
        self.lay(terrain, node, Layer::dumped(mass, void_ratio, soil));
    }

    /// Lays a layer on a column. What a column cannot count (10⁸ kg) goes to the account; a layer without mass or of an
    /// unknown soil is ignored.
    pub fn lay(&mut self, terrain: &Terrain, node: [usize; 2], layer: Layer) {
        if layer.mass <= Mass::ZERO || usize::from(layer.soil) >= terrain.soils().len() {
            return;
        }
        let (key, at) = place(terrain, node);
        let slot = self.touch(terrain, key);
        let tile = self.tiles.get_mut(slot);
        let held = tile.layers(at).map(|layer| layer.mass).sum::<Mass>();
        if (layer.mass + held).0 >= GREATEST {
            self.account.outside += layer.mass;
            return;
        }
        tile.put(terrain, at, layer);
        self.settle(terrain, slot, node);
    }

    /// Remoulds the soil of a column above a height [m]; returns whether there was any that was not.
    pub(super) fn remould(&mut self, terrain: &Terrain, node: [usize; 2], height: f64) -> bool {
        let (key, at) = place(terrain, node);
        let slot = self.touch(terrain, key);
        let share = terrain.share(node);
        let grains = |soil: u8| terrain.soils()[usize::from(soil)].grain_density;
        let tile = self.tiles.get_mut(slot);
        let (before, mut cut) = (Column::new(tile.layers(at)), tile.cut.get(at));
        let mut above = tile.computed_height(terrain, at) - height;
        let mut column = Column::new(std::iter::empty());
        let mut changed = false;
        let mut remoulded = |layer: &Layer| {
            changed |= !layer.remoulded;
            Layer { remoulded: true, ..*layer }
        };
        for layer in before.layers().iter().rev() {
            let thickness = terrain.thickness(layer, share);
            let [upper, lower] = layer.divided(part_of(layer, above / thickness));
            for (part, is_above) in [(upper, true), (lower, false)] {
                if part.mass > Mass::ZERO {
                    column.insert(0, if is_above { remoulded(&part) } else { part }, grains);
                }
            }
            above -= thickness;
        }
        while above > 0.0 {
            let Some(stratum) = terrain.uppermost(share, cut) else { break };
            let thickness = terrain.thickness(&stratum, share);
            let mass = part_of(&stratum, above / thickness);
            if mass > Mass::ZERO {
                column.insert(0, remoulded(&stratum.divided(mass)[0]), grains);
                cut += mass;
            }
            above = if mass == stratum.mass { above - thickness } else { 0.0 };
        }
        if changed {
            tile.cut.set(at, cut);
            tile.set_layers(at, &column);
            self.settle(terrain, slot, node);
        }
        changed
    }

    /// What follows from a change of a column: its height, and its neighbours to be checked.
    pub(super) fn settle(&mut self, terrain: &Terrain, slot: usize, node: [usize; 2]) {
        let (_, at) = place(terrain, node);
        self.tiles.get_mut(slot).refresh(terrain, at);
        self.mark_changed(slot);
        self.wake(terrain, node);
    }
}

/// The mass of a part of a layer, rounded down.
fn part_of(layer: &Layer, part: f64) -> Mass {
    if part >= 1.0 { layer.mass } else { Mass((layer.mass.0 as f64 * part.max(0.0)) as i64) }
}
