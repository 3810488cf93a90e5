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
use crate::shared::SharedList;
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

/// Presses of a run, at most: a run is copied when one of its nodes is pressed, and divided when it is full.
const RUN: usize = 128;

/// Presses in the order of their nodes.
#[derive(Debug, Default)]
struct Run(Vec<Press>);

/// The pressed nodes of a ground.
#[derive(Debug, Default)]
pub struct Presses {
    /// In the order of their nodes; none is empty.
    runs: SharedList<Run>,
}

// Written out so that copying over a state of the same ground copies what has changed, and does not allocate.
impl Clone for Presses {
    fn clone(&self) -> Presses {
        Presses { runs: self.runs.clone() }
    }

    fn clone_from(&mut self, other: &Presses) {
        self.runs.clone_from(&other.runs);
    }
}

impl Clone for Run {
    fn clone(&self) -> Run {
        let mut copy = Run::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Run) {
        self.0.clear();
        self.0.reserve_exact(RUN);
        self.0.extend_from_slice(&other.0);
    }
}

/// Equal presses, however they are divided into runs.
impl PartialEq for Presses {
    fn eq(&self, other: &Presses) -> bool {
        self.iter().eq(other.iter())
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
        let run = &self.runs.get(self.run_of(node))?.0;
        let at = run.binary_search_by_key(&node, |press| press.node).ok()?;
        Some(&run[at])
    }

    /// The run in which a node is, if it is in any, or belongs; there is one.
    fn run_of(&self, node: u64) -> usize {
        let after = self.runs.search(node, |run| run.0[0].node).map_or_else(|after| after, |at| at + 1);
        after.saturating_sub(1)
    }

    /// The press of a node, which is made if it does not exist.
    fn touch(&mut self, node: u64, height: f64) -> &mut Press {
        if self.runs.len() == 0 {
            self.runs.push(Run::default());
        }
        let mut at = if self.runs[0].0.is_empty() { 0 } else { self.run_of(node) };
        let mut place = self.runs[at].0.binary_search_by_key(&node, |press| press.node);
        if place.is_err() && self.runs[at].0.len() == RUN {
            let upper = self.runs.get_mut(at).0.split_off(RUN / 2);
            self.runs.insert(at + 1, Run(upper));
            at = self.run_of(node);
            place = self.runs[at].0.binary_search_by_key(&node, |press| press.node);
        }
        let run = &mut self.runs.get_mut(at).0;
        let place = place.unwrap_or_else(|place| {
            run.insert(place, Press { node, height, ..Press::default() });
            place
        });
        &mut run[place]
    }

    fn iter(&self) -> impl Iterator<Item = &Press> {
        self.runs.iter().flat_map(|run| &run.0)
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
        let press = self.touch(key, height);
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
        out.integers(&[self.iter().count() as u64]);
        out.end();
        for press in self.iter() {
            out.integers(&[press.node]);
            let Press { rut, lowered, compacted, height, .. } = *press;
            out.numbers(&[rut.depth, rut.pressure, lowered, compacted, height]);
        }
        out.end();
    }

    pub(super) fn read(words: &mut WordReader<'_>) -> Result<Presses, SnapshotError> {
        let count = words.length(6)?;
        words.zeros(1)?;
        let mut presses = Presses::default();
        for _ in 0..count {
            let node = words.integer()?;
            let rut = Rut { depth: words.number()?, pressure: words.number()? };
            let (lowered, compacted, height) = (words.number()?, words.number()?, words.number()?);
            *presses.touch(node, height) = Press { node, rut, lowered, compacted, height };
        }
        words.zeros(6 * count)?;
        Ok(presses)
    }
}

fn number(nodes: [usize; 2], [i, j]: [usize; 2]) -> u64 {
    i as u64 + j as u64 * nodes[0] as u64
}
