//! Ruts of a ground: the deepest press of its nodes, for every wheel that comes later.
//!
//! ```text
//!  node   datum   height before it was pressed        left   height of its column after the last press
//!         z_u, p_u   deepest press (`wheel/rut.rs`)
//!  change = height − left:  what tools, slips and heaps did since;  datum ← datum + change
//! ```
//!
//! A column that has changed by more than half the depth of its rut is virgin ground again. Only nodes that were pressed
//! are stored, in squares of 16 × 16 nodes in the order of their keys.

use crate::ground::Ground;
use crate::shared::SharedList;
use crate::wheel::{Place, Rut};
use glam::DVec2;
use windlass_engine::words::{SnapshotError, WordReader, WordWriter};

/// Nodes along a square.
const SIDE: usize = 16;
const NODES: usize = SIDE * SIDE;
/// Words of the set of stored nodes of a square.
const MASK: usize = NODES / 64;
/// Change of a column, over the depth of its rut, from which on it is virgin ground.
const CHANGED: f64 = 0.5;
/// Changes below this are none [m]: heights are stored to 1e-7 of the relief of a tile.
const UNCHANGED: f64 = 1e-5;
/// Nodes this close to a border belong to a footprint [m].
const ON: f64 = 1e-9;

/// A pressed node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct RutNode {
    known: bool,
    datum: f64,
    left: f64,
    rut: Rut,
}

#[derive(Debug, Default, PartialEq)]
struct Square {
    key: u64,
    nodes: Vec<RutNode>,
}

impl Clone for Square {
    fn clone(&self) -> Square {
        Square { key: self.key, nodes: self.nodes.clone() }
    }

    fn clone_from(&mut self, other: &Square) {
        self.key = other.key;
        self.nodes.clone_from(&other.nodes);
    }
}

/// The ruts of a ground.
#[derive(Debug, Default, PartialEq)]
pub struct Ruts {
    squares: SharedList<Square>,
}

impl Clone for Ruts {
    fn clone(&self) -> Ruts {
        Ruts { squares: self.squares.clone() }
    }

    fn clone_from(&mut self, other: &Ruts) {
        self.squares.clone_from(&other.squares);
    }
}

/// A piece of a contact seen from above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// Its middle.
    pub at: DVec2,
    /// Unit vector in the direction of travel.
    pub ahead: DVec2,
    /// Half the width across it [m].
    pub half_width: f64,
}

impl Footprint {
    /// Calls with the nodes across the footprint within a reach ahead and behind: node and offset ahead [m].
    pub fn nodes(&self, ground: &Ground<'_>, reach: f64, mut each: impl FnMut([usize; 2], f64)) {
        let spec = ground.terrain.spec();
        let side = self.ahead.perp();
        // a footprint narrower than a column lies on one
        let half = self.half_width.max(0.5 * spec.spacing) + ON;
        let size = self.ahead.abs() * reach + side.abs() * half;
        let range = |k: usize| {
            let place = |at: f64| (at - spec.origin[k]) / spec.spacing;
            let last = (spec.nodes[k] - 1) as f64;
            let (low, high) =
                (libm::ceil(place(self.at[k] - size[k])), libm::floor(place(self.at[k] + size[k])));
            if high < 0.0 || low > last { 0..0 } else { low.max(0.0) as usize..high.min(last) as usize + 1 }
        };
        if !(self.at.is_finite() && self.ahead.is_finite()) {
            return;
        }
        for j in range(1) {
            for i in range(0) {
                let away = DVec2::from(ground.terrain.position([i, j])) - self.at;
                let ahead = away.dot(self.ahead);
                if away.dot(side).abs() <= half && ahead.abs() <= reach {
                    each([i, j], ahead);
                }
            }
        }
    }
}

impl Ruts {
    fn place(ground: &Ground<'_>, [i, j]: [usize; 2]) -> (u64, usize) {
        let along = ground.terrain.nodes()[0].div_ceil(SIDE);
        ((j / SIDE * along + i / SIDE) as u64, j % SIDE * SIDE + i % SIDE)
    }

    fn node(&self, ground: &Ground<'_>, node: [usize; 2]) -> Option<&RutNode> {
        let (key, at) = Ruts::place(ground, node);
        let square = self.squares.search(key, |square| square.key).ok()?;
        Some(&self.squares[square].nodes[at]).filter(|node| node.known)
    }

    fn node_mut(&mut self, ground: &Ground<'_>, node: [usize; 2]) -> &mut RutNode {
        let (key, at) = Ruts::place(ground, node);
        let square = self.squares.search(key, |square| square.key);
        let square = square.unwrap_or_else(|rank| {
            self.squares.insert(rank, Square { key, nodes: vec![RutNode::default(); NODES] });
            rank
        });
        &mut self.squares.get_mut(square).nodes[at]
    }

    /// The original surface and the deepest press of a node.
    pub fn at_node(&self, ground: &Ground<'_>, node: [usize; 2]) -> Place {
        let height = ground.height(node);
        let known = self.node(ground, node).and_then(|known| known.followed(height));
        known.map_or(Place { datum: height, rut: Rut::default() }, |known| Place {
            datum: known.datum,
            rut: known.rut,
        })
    }

    /// The ground under a footprint: the mean across it, between nodes along it.
    pub fn under(&self, ground: &Ground<'_>, footprint: &Footprint) -> Place {
        let reach = ground.terrain.spacing();
        let mut sum = Place::default();
        let mut whole = 0.0;
        footprint.nodes(ground, reach, |node, ahead| {
            let weight = 1.0 - ahead.abs() / reach;
            let place = self.at_node(ground, node);
            whole += weight;
            sum.datum += weight * place.datum;
            sum.rut.depth += weight * place.rut.depth;
            sum.rut.pressure += weight * place.rut.pressure;
        });
        if whole > ON {
            let rut = Rut { depth: sum.rut.depth / whole, pressure: sum.rut.pressure / whole };
            return Place { datum: sum.datum / whole, rut };
        }
        Place { datum: ground.surface(footprint.at.x, footprint.at.y).height, rut: Rut::default() }
    }

    /// Begins to change a node: stores its original surface unless it is known.
    pub fn begin(&mut self, ground: &Ground<'_>, node: [usize; 2]) {
        let height = ground.height(node);
        let own = self.node_mut(ground, node);
        let followed = if own.known { own.followed(height) } else { None };
        let fresh = RutNode { known: true, datum: height, left: height, rut: Rut::default() };
        *own = followed.unwrap_or(fresh);
    }

    /// Ends a change of a node: its column has been lowered by a press.
    pub fn end(&mut self, ground: &Ground<'_>, node: [usize; 2], rut: Rut) {
        let height = ground.height(node);
        let own = self.node_mut(ground, node);
        own.left = height;
        own.rut = rut;
    }

    /// Number of pressed nodes.
    pub fn count(&self) -> usize {
        self.squares
            .iter()
            .map(|square| square.nodes.iter().filter(|node| node.rut.depth > 0.0).count())
            .sum()
    }

    /// Writes the squares: key and set of nodes, then four numbers per node.
    pub(super) fn write(&self, out: &mut WordWriter<'_>) {
        out.integers(&[self.squares.len() as u64]);
        out.end();
        for square in self.squares.iter() {
            let mut mask = [0; MASK];
            for (at, _) in square.nodes.iter().enumerate().filter(|(_, node)| node.known) {
                mask[at / 64] |= 1 << (at % 64);
            }
            out.integers(&[square.key]);
            out.end();
            out.integers(&mask);
            for node in square.nodes.iter().filter(|node| node.known) {
                out.numbers(&[node.datum, node.left, node.rut.depth, node.rut.pressure]);
            }
        }
    }

    /// Reads what `write` wrote.
    pub(super) fn read(words: &mut WordReader<'_>) -> Result<Ruts, SnapshotError> {
        let count = words.length(4 + MASK)?;
        words.zeros(1)?;
        let mut ruts = Ruts::default();
        for rank in 0..count {
            let key = words.integer()?;
            if rank > 0 && ruts.squares[rank - 1].key >= key {
                return Err(words.damaged(key));
            }
            words.zeros(1)?;
            let mut mask = [0; MASK];
            for word in &mut mask {
                *word = words.integer()?;
            }
            let mut nodes = vec![RutNode::default(); NODES];
            let stored = |at: usize| (mask[at / 64] >> (at % 64)) & 1 == 1;
            for (_, node) in nodes.iter_mut().enumerate().filter(|(at, _)| stored(*at)) {
                let (datum, left) = (words.number()?, words.number()?);
                let rut = Rut { depth: words.number()?, pressure: words.number()? };
                *node = RutNode { known: true, datum, left, rut };
            }
            ruts.squares.push(Square { key, nodes });
        }
        Ok(ruts)
    }

    /// Whether all numbers are finite.
    pub(super) fn is_sound(&self) -> bool {
        let sound = |node: &RutNode| {
            node.datum.is_finite()
                && node.left.is_finite()
                && node.rut.depth.is_finite()
                && node.rut.pressure.is_finite()
        };
        self.squares.iter().all(|square| square.nodes.iter().all(sound))
    }
}

impl RutNode {
    /// The same with the changes of its column since the last press; none if they are too large.
    fn followed(&self, height: f64) -> Option<RutNode> {
        let change = height - self.left;
        let most = (CHANGED * self.rut.depth).max(UNCHANGED);
        (change.abs() <= most).then_some(RutNode { datum: self.datum + change, left: height, ..*self })
    }
}
