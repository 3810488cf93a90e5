//! The state of a ground: the tiles that were touched, and the account of mass that left or entered it.
//!
//! A tile comes into being when a node of it, or next to it, first changes. Ground that nobody has touched has no state
//! and costs nothing. Tiles are compared, written and summed in the order of their keys.

use super::bits::{self, NODES, SIDE};
use super::directory::Directory;
use super::quanta::Mass;
use super::terrain::{SHARES, Terrain};
use super::tile::{Tile, beside, node, place};
use crate::shared::SharedList;

/// Mass that entered or left a ground other than by tools and particles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Mass that fell past the border.
    pub outside: Mass,
    /// Mass that edits added, less what they removed.
    pub edited: Mass,
}

/// Volumes against the start [m³].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Volumes {
    /// Below the original surface.
    pub cut: f64,
    /// Above the original surface.
    pub fill: f64,
}

impl Volumes {
    /// What the ground has more than at the start.
    pub fn change(&self) -> f64 {
        self.fill - self.cut
    }
}

/// What differs from the `Terrain`.
#[derive(Debug, Default)]
pub struct TerrainState {
    /// In the order in which they came into being.
    pub(super) tiles: SharedList<Tile>,
    directory: Directory,
    /// Slots of the tiles, by key.
    pub(super) order: Vec<u32>,
    /// Slots of tiles with active nodes.
    pub(super) active: Vec<u32>,
    /// Slots of tiles that changed since planes were looked for, of tiles where they are to be checked, and the key from
    /// which on the next are.
    unchecked: Vec<u32>,
    pending: Vec<u32>,
    pub(super) cursor: u32,
    /// Whether a tile has changed since `forget_changes`, by slot; and the slots of those that have.
    marks: Vec<bool>,
    changed: Vec<u32>,
    /// Greatest speed of flow in the last step [m/s].
    pub(super) fastest: f64,
    /// Mass that entered or left.
    pub account: Account,
}

impl Clone for TerrainState {
    fn clone(&self) -> TerrainState {
        let mut copy = TerrainState::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &TerrainState) {
        self.tiles.clone_from(&other.tiles);
        self.directory.clone_from(&other.directory);
        self.order.clone_from(&other.order);
        self.active.clone_from(&other.active);
        self.unchecked.clone_from(&other.unchecked);
        self.pending.clone_from(&other.pending);
        self.marks.clone_from(&other.marks);
        self.changed.clone_from(&other.changed);
        (self.fastest, self.account, self.cursor) = (other.fastest, other.account, other.cursor);
    }
}

/// The list of changes is not compared: it is what a reader has not seen yet.
impl PartialEq for TerrainState {
    fn eq(&self, other: &TerrainState) -> bool {
        let sizes = self.order.len() == other.order.len();
        let numbers =
            (self.fastest, self.account, self.cursor) == (other.fastest, other.account, other.cursor);
        sizes && numbers && self.sorted().zip(other.sorted()).all(|(a, b)| a == b)
    }
}

impl TerrainState {
    /// Its tiles, by key.
    pub(super) fn sorted(&self) -> impl Iterator<Item = &Tile> {
        self.order.iter().map(|slot| &self.tiles[*slot as usize])
    }

    /// The slot of a tile, if it exists.
    #[inline]
    pub(super) fn slot(&self, key: u32) -> Option<usize> {
        self.directory.get(key)
    }

    /// The tile of a node, if it exists, and the node's index in it.
    #[inline]
    pub(super) fn tile(&self, terrain: &Terrain, node: [usize; 2]) -> Option<(&Tile, usize)> {
        let (key, at) = place(terrain, node);
        self.slot(key).map(|slot| (&self.tiles[slot], at))
    }

    /// The slot of a tile, which is made if it does not exist.
    pub(super) fn touch(&mut self, terrain: &Terrain, key: u32) -> usize {
        self.slot(key).unwrap_or_else(|| self.add(Tile::new(terrain, key)))
    }

    /// Adds a tile whose key is not there yet.
    pub(super) fn add(&mut self, tile: Tile) -> usize {
        let slot = self.tiles.len();
        let tiles = &self.tiles;
        let rank = self.order.partition_point(|other| tiles[*other as usize].key < tile.key);
        self.order.insert(rank, slot as u32);
        self.directory.insert(tile.key, slot);
        if bits::any(&tile.active) {
            self.active.push(slot as u32);
        }
        if tile.unchecked {
            self.unchecked.push(slot as u32);
        }
        if tile.pending {
            self.pending.push(slot as u32);
        }
        self.tiles.push(tile);
        self.marks.push(false);
        slot
    }

    /// Records that a tile has changed.
    pub(super) fn mark_changed(&mut self, slot: usize) {
        if !std::mem::replace(&mut self.marks[slot], true) {
            self.changed.push(slot as u32);
        }
        if !self.tiles[slot].unchecked {
            self.tiles.get_mut(slot).unchecked = true;
            self.unchecked.push(slot as u32);
        }
    }

    /// Whether nothing is left to be checked for planes.
    pub(super) fn all_checked(&self) -> bool {
        self.unchecked.is_empty() && self.pending.is_empty()
    }

    /// Nothing is left to be checked for planes.
    pub(super) fn forget_unchecked(&mut self) {
        for slot in self.unchecked.drain(..).chain(self.pending.drain(..)) {
            let tile = self.tiles.get_mut(slot as usize);
            (tile.unchecked, tile.pending) = (false, false);
        }
    }

    /// Has the planes checked in all tiles within a reach [tiles] of those that changed.
    pub(super) fn spread_unchecked(&mut self, terrain: &Terrain, reach: u32) {
        let (along, rows) = (terrain.tiles_along, terrain.nodes()[1].div_ceil(SIDE) as u32);
        let range = |at: u32, count: u32| at.saturating_sub(reach)..(at + reach + 1).min(count);
        while let Some(slot) = self.unchecked.pop() {
            let tile = self.tiles.get_mut(slot as usize);
            tile.unchecked = false;
            let (ti, tj) = (tile.key % along, tile.key / along);
            for key in range(tj, rows).flat_map(|j| range(ti, along).map(move |i| j * along + i)) {
                let Some(near) = self.slot(key) else { continue };
                self.check_again(near);
            }
        }
    }

    /// Has the planes of a tile checked in a further step.
    pub(super) fn check_again(&mut self, slot: usize) {
        if !self.tiles[slot].pending {
            self.tiles.get_mut(slot).pending = true;
            self.pending.push(slot as u32);
        }
    }

    /// Takes the next tiles whose planes are to be checked off the list, round the ground by their keys.
    pub(super) fn next_unchecked(&mut self, most: usize, out: &mut Vec<u32>) {
        let (tiles, cursor) = (&self.tiles, self.cursor);
        self.pending.sort_unstable_by_key(|slot| tiles[*slot as usize].key.wrapping_sub(cursor));
        out.clear();
        out.extend(self.pending.drain(..most.min(self.pending.len())));
        for slot in out.iter() {
            let tile = self.tiles.get_mut(*slot as usize);
            tile.pending = false;
            self.cursor = tile.key + 1;
        }
    }

    /// Activates a node and its neighbours: their slopes are checked in the next step.
    pub fn wake(&mut self, terrain: &Terrain, [i, j]: [usize; 2]) {
        let [nx, ny] = terrain.nodes();
        for j in j.saturating_sub(1)..(j + 2).min(ny) {
            for i in i.saturating_sub(1)..(i + 2).min(nx) {
                let (key, at) = place(terrain, [i, j]);
                let slot = self.touch(terrain, key);
                let tile = self.tiles.get_mut(slot);
                if !bits::any(&tile.active) {
                    self.active.push(slot as u32);
                }
                bits::insert(&mut tile.active, at);
            }
        }
    }

    /// Activates all nodes that were ever changed: their slopes are checked in the next step.
    pub(crate) fn wake_all(&mut self, terrain: &Terrain) {
        for slot in 0..self.tiles.len() {
            let [nx, ny] = terrain.nodes();
            let key = self.tiles[slot].key;
            if !bits::any(&self.tiles[slot].active) {
                self.active.push(slot as u32);
            }
            for at in 0..NODES {
                let [i, j] = node(terrain, key, at);
                if i < nx && j < ny {
                    bits::insert(&mut self.tiles.get_mut(slot).active, at);
                }
            }
            self.mark_changed(slot);
        }
    }

    /// The tiles that have changed since `forget_changes`: their numbers along x and y.
    pub fn changed_tiles(&self, terrain: &Terrain) -> impl Iterator<Item = [usize; 2]> {
        let along = terrain.tiles_along;
        let key = |slot: &u32| self.tiles[*slot as usize].key;
        self.changed.iter().map(move |slot| [(key(slot) % along) as usize, (key(slot) / along) as usize])
    }

    /// Clears the list of changed tiles.
    pub fn forget_changes(&mut self) {
        for slot in self.changed.drain(..) {
            self.marks[slot as usize] = false;
        }
    }

    /// Lists all tiles as changed: for readers that know nothing yet.
    pub(super) fn all_changed(&mut self) {
        self.changed.clear();
        self.changed.extend(0..self.tiles.len() as u32);
        self.marks.fill(true);
    }

    /// Whether it is a state of a ground: of its tiles and its soils.
    pub fn fits(&self, terrain: &Terrain) -> bool {
        let [ni, nj] = terrain.nodes().map(|n| n.div_ceil(SIDE));
        let soils = terrain.soils().len() as u8;
        let known = |tile: &Tile| (0..NODES).all(|at| tile.layers(at).all(|layer| layer.soil < soils));
        self.tiles.iter().all(|tile| (tile.key as usize) < ni * nj && known(tile))
    }

    /// Number of tiles.
    pub fn tiles(&self) -> usize {
        self.tiles.len()
    }

    /// Number of tiles that it has in common with a copy: those that neither has changed since.
    pub fn tiles_in_common(&self, copy: &TerrainState) -> usize {
        self.tiles.common(&copy.tiles)
    }

    /// Number of active nodes.
    pub fn active_nodes(&self) -> usize {
        self.active.iter().map(|slot| bits::count(&self.tiles[*slot as usize].active)).sum()
    }

    /// Memory of the tiles [bytes].
    pub fn bytes(&self) -> usize {
        self.tiles.iter().map(Tile::bytes).sum()
    }

    /// Mass that was taken off the strata, wherever it is now.
    pub fn taken(&self) -> Mass {
        self.tiles.iter().map(|tile| (0..NODES).map(|at| tile.cut.get(at)).sum::<Mass>()).sum()
    }

    /// Memory of a tile with one layer of dumped soil [bytes].
    pub fn bytes_per_tile() -> usize {
        Tile::bytes_when_worked()
    }

    /// Dry mass of the ground.
    pub fn mass(&self, terrain: &Terrain) -> Mass {
        let node = |tile: &Tile, at: usize| {
            let layers: Mass = tile.layers(at).map(|layer| layer.mass).sum();
            layers - tile.cut.get(at)
        };
        let tile = |tile: &Tile| (0..NODES).map(|at| node(tile, at)).sum::<Mass>();
        terrain.mass() + self.tiles.iter().map(tile).sum()
    }

    /// Volumes against the start.
    pub fn volumes(&self, terrain: &Terrain) -> Volumes {
        let square = terrain.spacing() * terrain.spacing();
        let [nx, ny] = terrain.nodes();
        let mut volumes = Volumes::default();
        for tile in self.sorted() {
            for at in 0..NODES {
                let [i, j] = node(terrain, tile.key, at);
                if i < nx && j < ny {
                    let rise = tile.computed_height(terrain, at) - terrain.base([i, j]);
                    let volume = rise * SHARES[terrain.share([i, j])] * square;
                    if rise > 0.0 { volumes.fill += volume } else { volumes.cut -= volume }
                }
            }
        }
        volumes
    }

    /// Lowest and highest node of a tile [m], and of the nodes that follow it: the bounds of its 32 × 32 cells.
    pub fn bounds(&self, terrain: &Terrain, [ti, tj]: [usize; 2]) -> [f64; 2] {
        let [nx, ny] = terrain.nodes();
        let mut bounds = [f64::INFINITY, f64::NEG_INFINITY];
        let mut add = |height: f64| bounds = [bounds[0].min(height), bounds[1].max(height)];
        let (i0, j0) = (ti * SIDE, tj * SIDE);
        let (i1, j1) = ((i0 + SIDE + 1).min(nx), (j0 + SIDE + 1).min(ny));
        let key = tj as u32 * terrain.tiles_along + ti as u32;
        let own = self.slot(key).map(|slot| &self.tiles[slot]);
        for j in j0..j1 {
            for i in i0..i1 {
                match own {
                    Some(tile) if i < i0 + SIDE && j < j0 + SIDE => {
                        add(tile.height(j % SIDE * SIDE + i % SIDE));
                    }
                    _ => add(self.height(terrain, [i, j])),
                }
            }
        }
        bounds
    }

    /// Height of a node [m].
    #[inline]
    pub fn height(&self, terrain: &Terrain, node: [usize; 2]) -> f64 {
        self.tile(terrain, node).map_or_else(|| terrain.base(node), |(tile, at)| tile.height(at))
    }

    /// The slots of the nine tiles around one, the own in the middle.
    pub(super) fn around(&self, terrain: &Terrain, key: u32) -> [Option<usize>; 9] {
        std::array::from_fn(|k| beside(terrain, key, k).and_then(|key| self.slot(key)))
    }
}
