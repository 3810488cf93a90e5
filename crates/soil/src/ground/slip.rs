//! Slips: failure of slopes over a step.
//!
//! Cohesive soil fails on planes (`plane.rs`) and is remoulded above them. Soil without cohesion flows over edges
//! (`edge.rs`), in one sweep over the active nodes, or in up to four when something flows faster than a cell per step.
//! Only active nodes are visited: ground at rest costs nothing. Soil does not flow from, to or over nodes that a tool
//! holds; they stay active, so that they slip once nothing holds them.

use super::bits::{self, NODES, SIDE};
use super::edge::{SlopeTable, Sweep};
use super::plane::{PlaneWork, find_failures};
use super::quanta::Mass;
use super::state::TerrainState;
use super::sweep::{Context, NONE, Outflow, apply};
use super::terrain::Terrain;
use super::tile::{NEIGHBOURS, Tile, beside, node};
use rayon::prelude::*;

/// Sweeps of a step, at most.
const SWEEPS: f64 = 4.0;

/// Tiles from which on threads are used: below, waking them takes longer than the work.
const PARALLEL: usize = 8;

/// Buffers.
#[derive(Debug, Default)]
pub struct SlipWork {
    slopes: SlopeTable,
    batch: Vec<Outflow>,
    /// Tiles that are taken out of the state for a sweep.
    tiles: Vec<Tile>,
    /// Index in the batch by slot.
    index: Vec<u32>,
    /// Slots and keys of the tiles of a sweep.
    slots: Vec<(u32, u32)>,
    /// Speeds of flow of tiles in which nothing flows: zeros.
    spare: Vec<Vec<f32>>,
    planes: PlaneWork,
    /// Nodes that are held in the next step.
    held: Vec<[usize; 2]>,
}

impl SlipWork {
    /// Holds a node in the next step: it is a wall.
    pub fn hold(&mut self, node: [usize; 2]) {
        self.held.push(node);
    }
}

/// What a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SlipReport {
    /// Sweeps.
    pub sweeps: usize,
    /// Active nodes, summed over the sweeps.
    pub visited: usize,
    /// Tiles visited, summed over the sweeps.
    pub tiles: usize,
    /// Mass that moved to a neighbour, summed over the sweeps.
    pub moved: Mass,
    /// Columns that were remoulded above a failing plane.
    pub failed: usize,
}

impl TerrainState {
    /// Lets slopes fail and flow over a step [s].
    pub fn slip(&mut self, terrain: &Terrain, step: f64, work: &mut SlipWork) -> SlipReport {
        let mut report = SlipReport::default();
        for node in &work.held {
            self.wake(terrain, *node);
        }
        find_failures(terrain, self, &mut work.planes);
        for failure in &work.planes.failures {
            report.failed += self.remould_above(terrain, failure);
        }
        if self.active.is_empty() || !(step > 0.0) {
            self.fastest = 0.0;
            work.held.clear();
            return report;
        }
        work.slopes.update(terrain);
        let spacing = terrain.spacing();
        let count = (self.fastest * step / spacing).ceil().clamp(1.0, SWEEPS);
        let sweep = Sweep {
            spacing,
            time: step / count,
            gravity: terrain.spec().gravity,
            fastest: SWEEPS * spacing / step,
        };
        self.fastest = 0.0;
        for _ in 0..count as usize {
            report.sweeps += 1;
            self.sweep(terrain, sweep, work, &mut report);
        }
        work.held.clear();
        report
    }

    fn sweep(&mut self, terrain: &Terrain, sweep: Sweep, work: &mut SlipWork, report: &mut SlipReport) {
        self.gather(terrain, work);
        let count = work.slots.len();
        report.tiles += count;
        let context = Context { terrain, slopes: &work.slopes, sweep, held: &work.held };
        let tiles = &self.tiles;
        let slots = &work.slots;
        let compute = |outflow: &mut Outflow| {
            let tile =
                |k: usize| slots.get(outflow.around[k] as usize).map(|(_, slot)| &tiles[*slot as usize]);
            let around = std::array::from_fn(tile);
            outflow.compute(&context, &tiles[outflow.slot], around);
        };
        let active = |outflow: &&mut Outflow| bits::any(&tiles[outflow.slot].active);
        if count >= PARALLEL {
            work.batch[..count].par_iter_mut().filter(active).for_each(compute);
        } else {
            work.batch[..count].iter_mut().filter(active).for_each(compute);
        }
        for outflow in &work.batch[..count] {
            report.visited += bits::count(&self.tiles[outflow.slot].active);
            report.moved += outflow.moved;
            self.fastest = self.fastest.max(outflow.fastest);
            work.tiles.push(std::mem::take(self.tiles.get_mut(outflow.slot)));
        }
        let batch = &work.batch[..count];
        let change = |(own, tile): (usize, &mut Tile)| {
            let changed = apply(terrain, batch, own, tile);
            // until the sets of all tiles are known
            tile.active = changed;
        };
        if count >= PARALLEL {
            work.tiles.par_iter_mut().enumerate().for_each(change);
        } else {
            work.tiles.iter_mut().enumerate().for_each(change);
        }
        self.finish(terrain, work);
    }

    /// Collects the tiles of a sweep: those with active nodes, and those next to active nodes.
    fn gather(&mut self, terrain: &Terrain, work: &mut SlipWork) {
        work.slots.clear();
        for k in 0..self.active.len() {
            let slot = self.active[k] as usize;
            let (key, touched) = (self.tiles[slot].key, bits::touched(&self.tiles[slot].active));
            for side in (0..9).filter(|side| touched[*side]) {
                if let Some(key) = beside(terrain, key, side) {
                    work.slots.push((key, self.touch(terrain, key) as u32));
                }
            }
        }
        work.slots.sort_unstable();
        work.slots.dedup();
        work.index.resize(self.tiles.len(), NONE);
        if work.batch.len() < work.slots.len() {
            work.batch.resize_with(work.slots.len(), Outflow::default);
        }
        for (k, (key, slot)) in work.slots.iter().enumerate() {
            work.index[*slot as usize] = k as u32;
            work.batch[k].begin(*slot as usize, *key);
            if bits::any(&self.tiles[*slot as usize].active) {
                let mut spare = || work.spare.pop().unwrap_or_else(|| vec![0.0; NEIGHBOURS * NODES]);
                let flow = std::mem::take(&mut self.tiles.get_mut(*slot as usize).flow);
                work.batch[k].flow = if flow.is_empty() { spare() } else { flow };
            }
        }
        for outflow in &mut work.batch[..work.slots.len()] {
            for (side, slot) in self.around(terrain, outflow.key).into_iter().enumerate() {
                outflow.around[side] = slot.map_or(NONE, |slot| work.index[slot]);
            }
        }
    }

    /// Returns the tiles with their new active nodes.
    fn finish(&mut self, terrain: &Terrain, work: &mut SlipWork) {
        let count = work.slots.len();
        for (outflow, tile) in work.batch.iter_mut().zip(&work.tiles) {
            outflow.changed = tile.active;
        }
        for k in 0..count {
            let around = work.batch[k].around;
            let changed = |side: usize| work.batch[..count].get(around[side] as usize).map(|o| &o.changed);
            let near = bits::dilated(&bits::framed(changed));
            let outflow = &mut work.batch[k];
            let tile = &mut work.tiles[k];
            tile.active = near;
            for (row, moving) in tile.active.iter_mut().zip(outflow.moving) {
                *row |= moving;
            }
            clip(terrain, tile);
            let flow = std::mem::take(&mut outflow.flow);
            if bits::any(&outflow.moving) {
                tile.flow = flow;
            } else if !flow.is_empty() {
                work.spare.push(flow);
            }
        }
        self.active.clear();
        for (tile, (_, slot)) in work.tiles.drain(..).zip(&work.slots) {
            *self.tiles.get_mut(*slot as usize) = tile;
        }
        for (outflow, (_, slot)) in work.batch.iter().zip(&work.slots) {
            work.index[*slot as usize] = NONE;
            if bits::any(&self.tiles[*slot as usize].active) {
                self.active.push(*slot);
            }
            if bits::any(&outflow.changed) {
                self.mark_changed(*slot as usize);
            }
        }
    }
}

/// Removes the nodes outside the ground from the active ones.
fn clip(terrain: &Terrain, tile: &mut Tile) {
    let [nx, ny] = terrain.nodes();
    let [i0, j0] = node(terrain, tile.key, 0);
    let mask = if nx - i0 >= SIDE { u32::MAX } else { (1 << (nx - i0)) - 1 };
    for (j, row) in tile.active.iter_mut().enumerate() {
        *row &= if j0 + j < ny { mask } else { 0 };
    }
}
