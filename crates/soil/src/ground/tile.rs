//! 32 × 32 nodes: what was taken off the strata, the layers on them, heights, active nodes and flow speeds.
//!
//! Layers are planes over the tile, as many as its column with most layers has. A node takes 11 bytes, and 19 more per
//! plane: masses have 48 bits, void ratios, stresses and heights (relative to the tile) are f32.

use super::bits::{NODES, Rows, SIDE};
use super::column::{Column, LAYERS};
use super::layer::Layer;
use super::quanta::Mass;
use super::terrain::Terrain;

/// Neighbours of a node.
pub(crate) const NEIGHBOURS: usize = 8;

/// Masses of 48 bits.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Masses {
    low: Vec<u32>,
    high: Vec<u16>,
}

/// One layer of every node.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Plane {
    pub mass: Masses,
    pub void_ratio: Vec<f32>,
    pub borne: Vec<[f32; 2]>,
    /// Soil in seven bits; the eighth if remoulded.
    pub kind: Vec<u8>,
}

/// A tile.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tile {
    /// Its number, rows first.
    pub key: u32,
    /// Height that those of the nodes refer to [m].
    pub datum: f64,
    /// Mass taken off the strata.
    pub cut: Masses,
    /// Height above the datum [m].
    pub height: Vec<f32>,
    /// Number of layers on the strata.
    pub count: Vec<u8>,
    pub planes: Vec<Plane>,
    /// Nodes whose edges are to be checked.
    pub active: Rows,
    /// Speed of flow over 8 edges per node, over its bound; empty if nothing flows.
    pub flow: Vec<f32>,
    /// Whether it has changed since planes were looked for, and whether they are to be checked in it.
    pub unchecked: bool,
    pub pending: bool,
}

impl Masses {
    fn new() -> Masses {
        Masses { low: vec![0; NODES], high: vec![0; NODES] }
    }

    #[inline]
    pub fn get(&self, at: usize) -> Mass {
        Mass(i64::from(self.low[at]) | i64::from(self.high[at]) << 32)
    }

    #[inline]
    pub fn set(&mut self, at: usize, mass: Mass) {
        debug_assert!((0..1 << 48).contains(&mass.0), "a mass of 48 bits: {}", mass.0);
        self.low[at] = mass.0 as u32;
        self.high[at] = (mass.0 >> 32) as u16;
    }

    fn copy(&mut self, other: &Masses) {
        self.low.clone_from(&other.low);
        self.high.clone_from(&other.high);
    }
}

impl Plane {
    pub(super) fn new() -> Plane {
        Plane {
            mass: Masses::new(),
            void_ratio: vec![0.0; NODES],
            borne: vec![[0.0; 2]; NODES],
            kind: vec![0; NODES],
        }
    }

    #[inline]
    pub fn get(&self, at: usize) -> Layer {
        Layer {
            mass: self.mass.get(at),
            void_ratio: f64::from(self.void_ratio[at]),
            borne: self.borne[at].map(f64::from),
            soil: self.kind[at] & 0x7f,
            remoulded: self.kind[at] >> 7 == 1,
        }
    }

    #[inline]
    pub fn set(&mut self, at: usize, layer: &Layer) {
        self.mass.set(at, layer.mass);
        self.void_ratio[at] = layer.void_ratio as f32;
        self.borne[at] = layer.borne.map(|p| p as f32);
        self.kind[at] = layer.soil | u8::from(layer.remoulded) << 7;
    }
}

impl Clone for Plane {
    fn clone(&self) -> Plane {
        let mut copy = Plane::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Plane) {
        self.mass.copy(&other.mass);
        self.void_ratio.clone_from(&other.void_ratio);
        self.borne.clone_from(&other.borne);
        self.kind.clone_from(&other.kind);
    }
}

impl Clone for Tile {
    fn clone(&self) -> Tile {
        let mut copy = Tile::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Tile) {
        self.cut.copy(&other.cut);
        self.height.clone_from(&other.height);
        self.count.clone_from(&other.count);
        self.planes.clone_from(&other.planes);
        self.flow.clone_from(&other.flow);
        (self.key, self.datum) = (other.key, other.datum);
        (self.active, self.unchecked, self.pending) = (other.active, other.unchecked, other.pending);
    }
}

/// The key of the tile of a node, and the node's index in it.
#[inline]
pub(crate) fn place(terrain: &Terrain, [i, j]: [usize; 2]) -> (u32, usize) {
    let key = (j / SIDE) as u32 * terrain.tiles_along + (i / SIDE) as u32;
    (key, j % SIDE * SIDE + i % SIDE)
}

/// A node by its tile and its index in it; it may lie outside the ground.
#[inline]
pub(crate) fn node(terrain: &Terrain, key: u32, at: usize) -> [usize; 2] {
    let (ti, tj) = (key % terrain.tiles_along, key / terrain.tiles_along);
    [ti as usize * SIDE + at % SIDE, tj as usize * SIDE + at / SIDE]
}

/// The key of a tile beside another, by an index of nine, the own in the middle.
pub(crate) fn beside(terrain: &Terrain, key: u32, index: usize) -> Option<u32> {
    let along = terrain.tiles_along;
    let rows = terrain.nodes()[1].div_ceil(SIDE) as u32;
    let i = (key % along + (index % 3) as u32).checked_sub(1).filter(|i| *i < along)?;
    let j = (key / along + (index / 3) as u32).checked_sub(1).filter(|j| *j < rows)?;
    Some(j * along + i)
}

impl Tile {
    /// Empty buffers of all nodes.
    pub(super) fn blank(key: u32) -> Tile {
        Tile { key, cut: Masses::new(), height: vec![0.0; NODES], count: vec![0; NODES], ..Tile::default() }
    }

    /// Undisturbed ground.
    pub fn new(terrain: &Terrain, key: u32) -> Tile {
        let mut tile = Tile::blank(key);
        let [nx, ny] = terrain.nodes();
        tile.datum = terrain.base(node(terrain, key, 0));
        for at in 0..NODES {
            let [i, j] = node(terrain, key, at);
            if i < nx && j < ny {
                tile.height[at] = (terrain.base([i, j]) - tile.datum) as f32;
            }
        }
        tile
    }

    /// Height of a node [m].
    #[inline]
    pub fn height(&self, at: usize) -> f64 {
        self.datum + f64::from(self.height[at])
    }

    /// The layers of a node on the strata, the lowest first.
    #[inline]
    pub fn layers(&self, at: usize) -> impl DoubleEndedIterator<Item = Layer> + '_ {
        self.planes[..usize::from(self.count[at])].iter().map(move |plane| plane.get(at))
    }

    /// The uppermost layer of a node; none on rock.
    #[inline]
    pub fn top(&self, terrain: &Terrain, at: usize) -> Option<Layer> {
        match self.count[at] {
            0 => terrain.uppermost(terrain.share(node(terrain, self.key, at)), self.cut.get(at)),
            n => Some(self.planes[usize::from(n) - 1].get(at)),
        }
    }

    /// Takes a mass off the uppermost layer, which has at least as much.
    pub fn take(&mut self, at: usize, mass: Mass) {
        let Some(k) = usize::from(self.count[at]).checked_sub(1) else {
            self.cut.set(at, self.cut.get(at) + mass);
            return;
        };
        let [_, left] = self.planes[k].get(at).divided(mass);
        if left.mass == Mass::ZERO {
            self.count[at] -= 1;
            self.planes[k].set(at, &Layer::default());
        } else {
            self.planes[k].set(at, &left);
        }
    }

    /// Takes a mass off the uppermost layers, which have at least as much.
    pub fn take_through(&mut self, terrain: &Terrain, at: usize, mass: Mass) {
        let mut left = mass;
        while left > Mass::ZERO {
            let Some(top) = self.top(terrain, at) else { break };
            let part = left.min(top.mass);
            self.take(at, part);
            left -= part;
        }
    }

    /// Lays a layer on a node.
    pub fn put(&mut self, terrain: &Terrain, at: usize, layer: Layer) {
        let count = usize::from(self.count[at]);
        let grains = |soil: u8| terrain.soils()[usize::from(soil)].grain_density;
        let top = count.checked_sub(1).map(|k| self.planes[k].get(at));
        match top {
            Some(top) if top.is_like(&layer) => {
                self.planes[count - 1].set(at, &Layer::joined(&layer, &top, grains));
            }
            _ if count < LAYERS => {
                self.grow(count + 1);
                self.planes[count].set(at, &layer);
                self.count[at] += 1;
            }
            _ => {
                let mut column = Column::new(self.layers(at));
                column.put(layer, grains);
                self.set_layers(at, &column);
            }
        }
    }

    /// Replaces the layers of a node.
    pub fn set_layers(&mut self, at: usize, column: &Column) {
        let (layers, before) = (column.layers(), usize::from(self.count[at]));
        self.grow(layers.len());
        for (plane, layer) in self.planes.iter_mut().zip(layers) {
            plane.set(at, layer);
        }
        for plane in self.planes[..before].iter_mut().skip(layers.len()) {
            plane.set(at, &Layer::default());
        }
        self.count[at] = layers.len() as u8;
    }

    fn grow(&mut self, planes: usize) {
        while self.planes.len() < planes {
            self.planes.push(Plane::new());
        }
    }

    /// Height of a node from its layers [m].
    pub fn computed_height(&self, terrain: &Terrain, at: usize) -> f64 {
        let node = node(terrain, self.key, at);
        let share = terrain.share(node);
        let strata = terrain.base(node) - terrain.depth(share, self.cut.get(at));
        self.layers(at).fold(strata, |height, layer| height + terrain.thickness(&layer, share))
    }

    /// Stores the height of a node whose layers have changed.
    #[inline]
    pub fn refresh(&mut self, terrain: &Terrain, at: usize) {
        self.height[at] = (self.computed_height(terrain, at) - self.datum) as f32;
    }

    /// Memory of its buffers [bytes].
    pub fn bytes(&self) -> usize {
        Tile::bytes_of(self.planes.len()) + 4 * self.flow.capacity()
    }

    /// Memory of the buffers of a tile with a number of layers at most, without flow [bytes].
    pub fn bytes_of(layers: usize) -> usize {
        let plane = NODES * (4 + 2 + 4 + 8 + 1);
        size_of::<Tile>() + NODES * (4 + 2 + 4 + 1) + layers * plane
    }
}
