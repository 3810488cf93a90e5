//! 32 × 32 nodes: what was taken off the strata, the layers on them, heights, active nodes and flow speeds.
//!
//! Layers are planes over the tile, as many as its column with most layers has. Heights (relative to the tile), void
//! ratios and stresses are f32. What is equal in all nodes is stored once (`values.rs`): a node takes 7 bytes, and 3 to
//! 20 per plane.

use super::bits::{NODES, Rows, SIDE};
use super::column::{Column, LAYERS};
use super::layer::Layer;
use super::quanta::Mass;
use super::terrain::Terrain;
use super::values::{Masses, Values};

/// Neighbours of a node.
pub(crate) const NEIGHBOURS: usize = 8;

/// One layer of every node that has so many; in the others its numbers mean nothing.
#[derive(Debug)]
pub(crate) struct Plane {
    mass: Masses,
    /// Bits of numbers, so that equal ones have equal bits.
    void_ratio: Values<u32>,
    preconsolidation: Values<[u32; 2]>,
    /// Soil in seven bits; the eighth if remoulded.
    kind: Values<u8>,
}

/// A tile.
#[derive(Debug, Default)]
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
    pub count: Values<u8>,
    pub planes: Vec<Plane>,
    /// Nodes whose edges are to be checked.
    pub active: Rows,
    /// Speed of flow over 8 edges per node, over its bound; empty if nothing flows.
    pub flow: Vec<f32>,
    /// Whether it has changed since planes were looked for, and whether they are to be checked in it.
    pub unchecked: bool,
    pub pending: bool,
}

impl Plane {
    /// Every node with the kind of a layer, without mass.
    pub(super) fn of(layer: &Layer) -> Plane {
        Plane {
            mass: Masses::default(),
            void_ratio: Values::all((layer.void_ratio as f32).to_bits()),
            preconsolidation: Values::all(layer.preconsolidation.map(|p| (p as f32).to_bits())),
            kind: Values::all(kind(layer)),
        }
    }

    #[inline]
    fn get(&self, at: usize) -> Layer {
        let kind = self.kind.get(at);
        Layer {
            mass: self.mass.get(at),
            void_ratio: number(self.void_ratio.get(at)),
            preconsolidation: self.preconsolidation.get(at).map(number),
            soil: kind & 0x7f,
            remoulded: kind >> 7 == 1,
        }
    }

    #[inline]
    pub(super) fn set(&mut self, at: usize, layer: &Layer) {
        self.mass.set(at, layer.mass);
        self.void_ratio.set(at, (layer.void_ratio as f32).to_bits());
        self.preconsolidation.set(at, layer.preconsolidation.map(|p| (p as f32).to_bits()));
        self.kind.set(at, kind(layer));
    }

    /// Memory of its buffers [bytes].
    fn bytes(&self) -> usize {
        let others = self.void_ratio.bytes() + self.preconsolidation.bytes() + self.kind.bytes();
        size_of::<Plane>() + self.mass.bytes() + others
    }
}

fn number(bits: u32) -> f64 {
    f64::from(f32::from_bits(bits))
}

fn kind(layer: &Layer) -> u8 {
    layer.soil | u8::from(layer.remoulded) << 7
}

impl Clone for Plane {
    fn clone(&self) -> Plane {
        let Plane { mass, void_ratio, preconsolidation, kind } = self;
        Plane {
            mass: mass.clone(),
            void_ratio: void_ratio.clone(),
            preconsolidation: preconsolidation.clone(),
            kind: kind.clone(),
        }
    }

    fn clone_from(&mut self, other: &Plane) {
        self.mass.clone_from(&other.mass);
        self.void_ratio.clone_from(&other.void_ratio);
        self.preconsolidation.clone_from(&other.preconsolidation);
        self.kind.clone_from(&other.kind);
    }
}

/// Equal numbers, however they are stored.
impl PartialEq for Tile {
    fn eq(&self, other: &Tile) -> bool {
        let numbers = |tile: &Tile| (tile.key, tile.datum, tile.active, tile.unchecked, tile.pending);
        let sizes = |tile: &Tile| tile.planes.len();
        let column =
            |at: usize| self.cut.get(at) == other.cut.get(at) && self.layers(at).eq(other.layers(at));
        let speeds = (&self.height, &self.flow) == (&other.height, &other.flow);
        numbers(self) == numbers(other) && sizes(self) == sizes(other) && speeds && (0..NODES).all(column)
    }
}

impl Clone for Tile {
    fn clone(&self) -> Tile {
        let mut copy = Tile::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Tile) {
        self.cut.clone_from(&other.cut);
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
        Tile { key, height: vec![0.0; NODES], ..Tile::default() }
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
        self.planes[..usize::from(self.count.get(at))].iter().map(move |plane| plane.get(at))
    }

    /// The uppermost layer of a node; none on rock.
    #[inline]
    pub fn top(&self, terrain: &Terrain, at: usize) -> Option<Layer> {
        match self.count.get(at) {
            0 => terrain.uppermost(terrain.share(node(terrain, self.key, at)), self.cut.get(at)),
            n => Some(self.planes[usize::from(n) - 1].get(at)),
        }
    }

    /// The layer of a node in a plane; an empty one above its uppermost.
    pub fn layer(&self, plane: usize, at: usize) -> Layer {
        if plane < usize::from(self.count.get(at)) { self.planes[plane].get(at) } else { Layer::default() }
    }

    /// Kind, void ratio and mass of the uppermost layer on the strata, if it was dumped or has failed, and has borne
    /// nothing.
    #[inline]
    pub fn loose_top(&self, at: usize) -> Option<(u8, f32, Mass)> {
        let plane = &self.planes[usize::from(self.count.get(at)).checked_sub(1)?];
        let kind = plane.kind.get(at);
        let loose = kind >> 7 == 1 && plane.preconsolidation.get(at) == [0; 2];
        loose.then(|| (kind & 0x7f, f32::from_bits(plane.void_ratio.get(at)), plane.mass.get(at)))
    }

    /// Takes a mass off the uppermost layer, which has at least as much.
    pub fn take(&mut self, at: usize, mass: Mass) {
        let Some(k) = usize::from(self.count.get(at)).checked_sub(1) else {
            self.cut.set(at, self.cut.get(at) + mass);
            return;
        };
        let plane = &mut self.planes[k];
        let all = plane.mass.get(at);
        if all == mass {
            self.count.set(at, k as u8);
        } else if plane.preconsolidation.get(at) == [0; 2] {
            plane.mass.set(at, all - mass);
        } else {
            let [_, left] = plane.get(at).divided(mass);
            plane.set(at, &left);
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
        let count = usize::from(self.count.get(at));
        let grains = |soil: u8| terrain.soils()[usize::from(soil)].grain_density;
        let top = count.checked_sub(1).map(|k| self.planes[k].get(at));
        match top {
            Some(top) if top.is_like(&layer) => {
                self.planes[count - 1].set(at, &Layer::joined(&layer, &top, grains));
            }
            _ if count < LAYERS => {
                self.grow(count + 1, &layer);
                self.planes[count].set(at, &layer);
                self.count.set(at, count as u8 + 1);
            }
            _ => {
                let mut column = Column::new(self.layers(at));
                column.put(layer, grains);
                self.set_layers(at, &column);
            }
        }
    }

    /// Lays on a node what was dumped.
    #[inline]
    pub fn put_loose(&mut self, terrain: &Terrain, at: usize, (soil, void_ratio, mass): (u8, f32, Mass)) {
        match self.loose_top(at) {
            // of one kind: masses add
            Some((kind, other, before)) if (kind, other.to_bits()) == (soil, void_ratio.to_bits()) => {
                let top = usize::from(self.count.get(at)) - 1;
                self.planes[top].mass.set(at, before + mass);
            }
            _ => self.put(terrain, at, Layer::dumped(mass, f64::from(void_ratio), soil)),
        }
    }

    /// Replaces the layers of a node.
    pub fn set_layers(&mut self, at: usize, column: &Column) {
        let layers = column.layers();
        for (k, layer) in layers.iter().enumerate() {
            self.grow(k + 1, layer);
            self.planes[k].set(at, layer);
        }
        self.count.set(at, layers.len() as u8);
    }

    /// Makes planes up to a number; new ones are of the kind of a layer.
    pub(super) fn grow(&mut self, planes: usize, layer: &Layer) {
        while self.planes.len() < planes {
            self.planes.push(Plane::of(layer));
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
        let planes: usize = self.planes.iter().map(Plane::bytes).sum();
        let floats = self.height.capacity() + self.flow.capacity();
        size_of::<Tile>() + self.cut.bytes() + self.count.bytes() + planes + floats * size_of::<f32>()
    }

    /// Memory of the buffers of a tile of which soil was taken and on which soil was dumped, without flow [bytes].
    pub fn bytes_when_worked() -> usize {
        // a mass of seven bytes taken off and one of a layer, a height, the number of layers
        size_of::<Tile>() + size_of::<Plane>() + NODES * (7 + 7 + 4 + 1)
    }
}
