//! Ground that a contact leaves behind: its nodes remember their deepest press, their columns are compacted or heave.
//!
//! ```text
//!  column      sinks by Δz, the sinkage that stays beyond that of its earlier ruts; by b/Δx of it under a narrow wheel
//!  compaction  Σ Δt = Δz over the layers down to 2b, until e_min           (`ground/press.rs`)
//!  heave       what does not fit goes to the columns within a width of the wheel on both sides, in whole quanta
//! ```

use super::model::GroundModel;
use super::ruts::Footprint;
use super::state::GroundState;
use super::wheel_model::WheelModel;
use super::wheel_step::LeftCell;
use crate::ground::compaction::Load;
use crate::ground::quanta::Mass;
use crate::ground::{Ground, Layer, TerrainState};
use glam::DVec2;

/// Sinkage below this is none [m].
const NOTHING: f64 = 1e-6;
/// Nodes this far from the middle of a cell, over its length, have its depth: neighbouring cells overlap, so that none is
/// missed in a turn.
const OWN: f64 = 0.75;

/// Columns on each side of a track that heave, at most; they lie within its width.
const MOST_RIMS: usize = 8;

/// Buffers.
#[derive(Debug, Default)]
pub(super) struct DepositWork {
    nodes: Vec<[usize; 2]>,
    /// Columns beside the track.
    rims: Vec<[usize; 2]>,
    heaved: Vec<Layer>,
}

impl DepositWork {
    /// Leaves a cell of a wheel's contact in its ground.
    pub fn leave(
        &mut self,
        wheel: &WheelModel,
        model: &GroundModel,
        state: &mut GroundState,
        cell: &LeftCell,
    ) {
        let terrain = &*model.terrain;
        let pressed = cell.place.rut;
        if !(pressed.depth > 0.0) {
            return;
        }
        let Some(soil) = wheel.soil(terrain, &state.terrain, cell.at.extend(0.0)) else { return };
        let footprint = Footprint { at: cell.at, ahead: cell.ahead, half_width: 0.5 * wheel.width };
        let GroundState { terrain: columns, ruts, .. } = state;
        self.nodes.clear();
        footprint.nodes(&Ground::new(terrain, columns), OWN * cell.length, |node, _| self.nodes.push(node));
        let load = Load { stress: pressed.pressure, width: wheel.width, length: wheel.reach() };
        let narrow = (wheel.width / terrain.spacing()).min(1.0);
        for k in 0..self.nodes.len() {
            let node = self.nodes[k];
            let before = ruts.at_node(&Ground::new(terrain, columns), node).rut;
            let deeper = soil.surface(&pressed) - soil.surface(&before);
            if pressed.depth > before.depth && deeper > NOTHING {
                ruts.begin(&Ground::new(terrain, columns), node);
                let down = deeper * narrow * cell.steepness;
                self.lower(model, columns, (node, down), (&load, &footprint));
                ruts.end(&Ground::new(terrain, columns), node, pressed);
            }
        }
    }

    /// Lowers a column: compacts it, and moves what does not fit beside the track.
    fn lower(
        &mut self,
        model: &GroundModel,
        columns: &mut TerrainState,
        (node, down): ([usize; 2], f64),
        (load, footprint): (&Load, &Footprint),
    ) {
        let terrain = &*model.terrain;
        let rest = down - columns.compact(terrain, node, load, down);
        if !(rest > NOTHING) {
            return;
        }
        // across the track, level with the node
        let middle = DVec2::from(terrain.position(node));
        let along = (middle - footprint.at).dot(footprint.ahead);
        let at = footprint.at + footprint.ahead * along;
        let spacing = terrain.spacing();
        let count = (wheel_width(footprint) / spacing).ceil().clamp(1.0, MOST_RIMS as f64) as usize;
        self.rims.clear();
        for k in 1..=count {
            let away = footprint.ahead.perp() * (footprint.half_width + k as f64 * spacing);
            let rims = [at + away, at - away].map(|at| terrain.nearest(at.x, at.y));
            self.rims.extend(rims.into_iter().flatten().filter(|rim| *rim != node));
        }
        if self.rims.is_empty() {
            return;
        }
        self.heaved.clear();
        let height = columns.height(terrain, node) - rest;
        columns.take_above(terrain, node, height, &mut self.heaved);
        for layer in &self.heaved {
            let (whole, parts) = (layer.mass.0, self.rims.len() as i64);
            for (k, rim) in self.rims.iter().enumerate() {
                // whole quanta, the first ones more
                let mass = Mass(whole / parts + i64::from((k as i64) < whole % parts));
                if mass > Mass::ZERO {
                    columns.lay(terrain, *rim, Layer { mass, preconsolidation: [0.0; 2], ..*layer });
                }
            }
        }
    }
}

/// Width of a footprint [m].
fn wheel_width(footprint: &Footprint) -> f64 {
    2.0 * footprint.half_width
}
