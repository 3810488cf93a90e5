//! The state of a ground in words of 64 bits.
//!
//! ```text
//!  count of tiles, fastest flow, account, cursor
//!  per tile   key, planes, flags, datum; active nodes; masses taken off; heights; counts of layers;
//!             per plane: masses, void ratios, stresses borne, kinds;  speeds of flow, if there are any
//! ```

use super::bits::{NODES, Rows, SIDE};
use super::column::LAYERS;
use super::layer::Layer;
use super::quanta::Mass;
use super::state::{Account, TerrainState};
use super::tile::{NEIGHBOURS, Plane, Tile};
use super::values::Masses;
use windlass_engine::prelude::StatePart;
use windlass_engine::words::{SnapshotError, WordReader, WordWriter};

/// Bits of a tile's flags.
const FLOWS: u64 = 1;
const UNCHECKED: u64 = 2;
const PENDING: u64 = 4;

impl StatePart for TerrainState {
    fn write(&self, out: &mut WordWriter<'_>) {
        let Account { outside, edited } = self.account;
        out.integers(&[self.order.len() as u64, self.fastest.to_bits(), outside.0 as u64, edited.0 as u64]);
        out.integers(&[u64::from(self.cursor)]);
        out.end();
        self.sorted().for_each(|tile| write_tile(tile, out));
    }

    fn read(words: &mut WordReader<'_>) -> Result<TerrainState, SnapshotError> {
        let count = words.length(NODES)?;
        let mut state = TerrainState::default();
        state.fastest = finite(words)?;
        let mass = |words: &mut WordReader<'_>| words.integer().map(|word| Mass(word as i64));
        state.account = Account { outside: mass(words)?, edited: mass(words)? };
        state.cursor = words.below(1 << 32)? as u32;
        words.zeros(5)?;
        let mut next = 0;
        for _ in 0..count {
            let tile = read_tile(words)?;
            if u64::from(tile.key) < next {
                return Err(words.damaged(u64::from(tile.key)));
            }
            next = u64::from(tile.key) + 1;
            state.add(tile);
        }
        state.all_changed();
        Ok(state)
    }
}

fn write_tile(tile: &Tile, out: &mut WordWriter<'_>) {
    let flows = if tile.flow.is_empty() { 0 } else { FLOWS };
    let unchecked = if tile.unchecked { UNCHECKED } else { 0 };
    let pending = if tile.pending { PENDING } else { 0 };
    let (key, planes) = (u64::from(tile.key), tile.planes.len() as u64);
    out.integers(&[key, planes, flows | unchecked | pending, tile.datum.to_bits()]);
    let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    let eight = |part: &[u8; 8]| part.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let floats = |out: &mut WordWriter<'_>, values: &[f32]| {
        values.chunks_exact(2).for_each(|two| out.integers(&[pair(two[0].to_bits(), two[1].to_bits())]));
    };
    tile.active.chunks_exact(2).for_each(|two| out.integers(&[pair(two[0], two[1])]));
    (0..NODES).for_each(|at| out.integers(&[tile.cut.get(at).0 as u64]));
    floats(out, &tile.height);
    let bytes = |out: &mut WordWriter<'_>, byte: &dyn Fn(usize) -> u8| {
        (0..NODES / 8).for_each(|k| out.integers(&[eight(&std::array::from_fn(|i| byte(8 * k + i)))]));
    };
    bytes(out, &|at| tile.count.get(at));
    for plane in 0..tile.planes.len() {
        let layers: [Layer; NODES] = std::array::from_fn(|at| tile.layer(plane, at));
        layers.iter().for_each(|layer| out.integers(&[layer.mass.0 as u64]));
        let void_ratios: [f32; NODES] = std::array::from_fn(|at| layers[at].void_ratio as f32);
        floats(out, &void_ratios);
        layers.iter().map(|layer| layer.preconsolidation).for_each(|[top, bottom]| {
            out.integers(&[pair((top as f32).to_bits(), (bottom as f32).to_bits())]);
        });
        bytes(out, &|at| layers[at].soil | u8::from(layers[at].remoulded) << 7);
    }
    floats(out, &tile.flow);
    out.end();
}

fn read_tile(words: &mut WordReader<'_>) -> Result<Tile, SnapshotError> {
    let mut tile = Tile::blank(words.below(u64::from(u32::MAX))? as u32);
    let planes = words.below(LAYERS as u64 + 1)?;
    let flags = words.below(8)?;
    (tile.unchecked, tile.pending) = (flags & UNCHECKED != 0, flags & PENDING != 0);
    tile.datum = finite(words)?;
    for k in 0..SIDE / 2 {
        let word = words.integer()?;
        let active: &mut Rows = &mut tile.active;
        (active[2 * k], active[2 * k + 1]) = (word as u32, (word >> 32) as u32);
    }
    read_masses(words, &mut tile.cut)?;
    read_floats(words, &mut tile.height)?;
    let mut bytes = [0; NODES];
    read_bytes(words, &mut bytes, planes as u8)?;
    bytes.iter().enumerate().for_each(|(at, count)| tile.count.set(at, *count));
    for k in 0..planes as usize {
        read_plane(words, &mut tile, k)?;
    }
    if flags & FLOWS != 0 {
        tile.flow = vec![0.0; NEIGHBOURS * NODES];
        read_floats(words, &mut tile.flow)?;
    }
    Ok(tile)
}

/// Reads the next plane of a tile whose numbers of layers are known.
fn read_plane(words: &mut WordReader<'_>, tile: &mut Tile, k: usize) -> Result<(), SnapshotError> {
    let mut layers = [Layer::default(); NODES];
    for layer in &mut layers {
        layer.mass = Mass(words.below(1 << 48)? as i64);
    }
    let mut void_ratios = [0.0; NODES];
    read_floats(words, &mut void_ratios)?;
    for (layer, void_ratio) in layers.iter_mut().zip(void_ratios) {
        layer.void_ratio = f64::from(void_ratio);
        layer.preconsolidation = read_pair(words)?.map(f64::from);
    }
    let mut kinds = [0; NODES];
    read_bytes(words, &mut kinds, u8::MAX)?;
    for (layer, kind) in layers.iter_mut().zip(kinds) {
        (layer.soil, layer.remoulded) = (kind & 0x7f, kind >> 7 == 1);
    }
    let lies = |at: &usize| usize::from(tile.count.get(*at)) > k;
    let first = (0..NODES).find(lies).unwrap_or(0);
    let mut plane = Plane::of(&layers[first]);
    (0..NODES).filter(lies).for_each(|at| plane.set(at, &layers[at]));
    tile.planes.push(plane);
    Ok(())
}

fn finite(words: &mut WordReader<'_>) -> Result<f64, SnapshotError> {
    let number = words.number()?;
    if number.is_finite() { Ok(number) } else { Err(words.damaged(number.to_bits())) }
}

fn read_masses(words: &mut WordReader<'_>, masses: &mut Masses) -> Result<(), SnapshotError> {
    for at in 0..NODES {
        masses.set(at, Mass(words.below(1 << 48)? as i64));
    }
    Ok(())
}

fn read_pair(words: &mut WordReader<'_>) -> Result<[f32; 2], SnapshotError> {
    let word = words.integer()?;
    let pair = [f32::from_bits(word as u32), f32::from_bits((word >> 32) as u32)];
    if pair.iter().all(|x| x.is_finite()) { Ok(pair) } else { Err(words.damaged(word)) }
}

fn read_floats(words: &mut WordReader<'_>, values: &mut [f32]) -> Result<(), SnapshotError> {
    for two in values.chunks_exact_mut(2) {
        two.copy_from_slice(&read_pair(words)?);
    }
    Ok(())
}

fn read_bytes(words: &mut WordReader<'_>, bytes: &mut [u8], most: u8) -> Result<(), SnapshotError> {
    for part in bytes.chunks_exact_mut(8) {
        let word = words.integer()?;
        part.copy_from_slice(&word.to_le_bytes());
        if part.iter().any(|byte| *byte > most) {
            return Err(words.damaged(word));
        }
    }
    Ok(())
}
