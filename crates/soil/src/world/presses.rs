//! Ruts: how deep and with which pressure nodes of a ground were pressed, beside the heights of the columns.
//!
//! ```text
//! original surface  d = height + lowered          sinkage  z = d − height of the belt
//! z ≥ z_u: p(z) virgin, (z_u, p_u) ← (z, p)       z < z_u: p = p_u − k_u (z_u − z)          (`wheel/rut.rs`)
//! ```
//!
//! A column is compacted so that its surface lies at the unloaded depth z_u − p_u/k_u, as far as its void ratio allows. A
//! record ends where the height is changed by something else, such as digging or a slip.

use super::model::GroundModel;
use crate::ground::compaction::Load;
use crate::ground::{Ground, TerrainState};
use crate::wheel::{Place, Rut, SoftSoil};
use windlass_engine::words::{SnapshotError, WordReader, WordWriter};

/// Change of a height by something else from which on a record is void [m].
const MOVED: f64 = 0.02;
/// Growth of a pressure, over itself, from which on a column is compacted further.
const FURTHER: f64 = 0.01;

/// A node that was pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Press {
    /// Its number, in the order of the grid.
    pub node: u64,
    /// Deepest sinkage and its pressure.
    pub rut: Rut,
    /// How far the column was compacted [m], with which pressure [Pa], and its height afterwards [m].
    pub lowered: f64,
    /// Pressure for which it was compacted last [Pa].
    pub compacted: f64,
    /// Its height after that [m].
    pub height: f64,
}

/// The pressed nodes of a ground.
#[derive(Debug, Default, PartialEq)]
pub struct Presses {
    /// In the order of their numbers.
    list: Vec<Press>,
}

// Written out so that copying over a state of the same ground does not allocate.
impl Clone for Presses {
    fn clone(&self) -> Presses {
        Presses { list: self.list.clone() }
    }

    fn clone_from(&mut self, other: &Presses) {
        self.list.clone_from(&other.list);
    }
}

/// A ground with its ruts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footing<'a> {
    pub ground: Ground<'a>,
    pub presses: &'a Presses,
}

/// How a node is pressed.
pub(super) struct Pressing<'a> {
    pub soil: &'a SoftSoil,
    /// Sinkage below the original surface [m].
    pub sinkage: f64,
    /// Shorter and longer side of what presses [m].
    pub sides: [f64; 2],
}

impl Footing<'_> {
    /// The original surface and the rut of a node.
    pub fn node(&self, node: [usize; 2]) -> Place {
        let height = self.ground.height(node);
        match self.presses.find(number(self.ground.terrain.nodes(), node)) {
            Some(press) if (height - press.height).abs() < MOVED => {
                Place { datum: height + press.lowered, rut: press.rut }
            }
            _ => Place { datum: height, rut: Rut::default() },
        }
    }

    /// The same at a point, between nodes; none beyond the border.
    pub fn at(&self, x: f64, y: f64) -> Option<Place> {
        let spec = self.ground.terrain.spec();
        let place = |at: f64, k: usize| {
            let last = (spec.nodes[k] - 1) as f64;
            let u = (at - spec.origin[k]) / spec.spacing;
            let low = libm::floor(u).clamp(0.0, last - 1.0);
            (u >= 0.0 && u <= last).then_some((low as usize, u - low))
        };
        let ((i, u), (j, v)) = (place(x, 0)?, place(y, 1)?);
        let side = |j: usize| self.node([i, j]).lerp(&self.node([i + 1, j]), u);
        Some(side(j).lerp(&side(j + 1), v))
    }
}

impl Presses {
    fn find(&self, node: u64) -> Option<&Press> {
        let at = self.list.binary_search_by_key(&node, |press| press.node).ok()?;
        Some(&self.list[at])
    }

    /// Leaves a press at a node: its rut is remembered, and its column compacted.
    pub(super) fn leave(
        &mut self,
        (model, state): (&GroundModel, &mut TerrainState),
        node: [usize; 2],
        pressing: &Pressing<'_>,
    ) {
        let terrain = &*model.terrain;
        let height = state.height(terrain, node);
        let key = number(terrain.nodes(), node);
        let at = match self.list.binary_search_by_key(&key, |press| press.node) {
            Ok(at) => at,
            Err(at) => {
                self.list.insert(at, Press { node: key, height, ..Press::default() });
                at
            }
        };
        let press = &mut self.list[at];
        if (height - press.height).abs() >= MOVED {
            *press = Press { node: key, height, ..Press::default() };
        }
        press.rut = pressing.soil.pressed(pressing.sinkage, &press.rut);
        let pressure = press.rut.pressure;
        if pressure > (1.0 + FURTHER) * press.compacted {
            let deeper = pressing.soil.surface(&press.rut) - press.lowered;
            let [width, length] = pressing.sides;
            let load = Load { stress: pressure, width, length };
            if deeper > 0.0 {
                state.compact(terrain, node, &load, deeper);
                press.lowered += height - state.height(terrain, node);
            }
            press.compacted = pressure;
        }
        press.height = state.height(terrain, node);
    }

    pub(super) fn write(&self, out: &mut WordWriter<'_>) {
        out.integers(&[self.list.len() as u64]);
        out.end();
        for press in &self.list {
            out.integers(&[press.node]);
            let Press { rut, lowered, compacted, height, .. } = *press;
            out.numbers(&[rut.depth, rut.pressure, lowered, compacted, height]);
        }
        out.end();
    }

    pub(super) fn read(words: &mut WordReader<'_>) -> Result<Presses, SnapshotError> {
        let count = words.length(6)?;
        words.zeros(1)?;
        let mut list = Vec::with_capacity(count);
        for _ in 0..count {
            let node = words.integer()?;
            let rut = Rut { depth: words.number()?, pressure: words.number()? };
            let (lowered, compacted, height) = (words.number()?, words.number()?, words.number()?);
            list.push(Press { node, rut, lowered, compacted, height });
        }
        words.zeros(6 * count)?;
        Ok(Presses { list })
    }
}

fn number(nodes: [usize; 2], [i, j]: [usize; 2]) -> u64 {
    i as u64 + j as u64 * nodes[0] as u64
}
