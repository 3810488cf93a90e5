//! Slopes that fail from the start: those of the heights of the model.
//!
//! ```text
//!  slides   Δh > L tan(φ + 0.3°) over an edge (`edge.rs`), or a plane through a toe fails (`plane.rs`)
//!  stands   wherever the steepest gradient of the heights is below the least of these slopes
//! ```
//!
//! All nodes are looked at once, when a state is made. Only tiles with a slope that fails come into being, so that ground
//! which stands stays without a state.

use super::edge::{LENGTHS, STEPS, SlopeTable};
use super::plane::{Limits, failing_toes};
use super::quanta::Mass;
use super::state::TerrainState;
use super::terrain::Terrain;
use super::tile::place;

/// Neighbours that are looked at from a node: the opposite ones look back.
const HALF: usize = STEPS.len() / 2;

impl TerrainState {
    /// The state of a ground that nothing has touched: empty, but for slopes that do not stand.
    pub fn at_start(terrain: &Terrain) -> TerrainState {
        let mut state = TerrainState::default();
        state.wake_slopes(terrain);
        state
    }

    /// Activates the nodes that soil flows from at the heights of the model, and has the planes checked that fail there.
    pub(crate) fn wake_slopes(&mut self, terrain: &Terrain) {
        let heights = &terrain.spec().heights;
        let Some(top) = terrain.uppermost(0, Mass::ZERO) else { return };
        let steepest = heights.steepest();
        let mut slopes = SlopeTable::default();
        slopes.update(terrain);
        let flows = slopes.get(terrain, &top).filter(|slopes| slopes.start < steepest);
        if let Some(slopes) = flows {
            self.wake_edges(terrain, slopes.start);
        }
        let limits = Limits::new(terrain);
        let limits = limits.filter(|limits| limits.may_fail(steepest, heights.range()));
        if let Some(limits) = limits {
            for toe in failing_toes(terrain, self, &limits) {
                let slot = self.touch(terrain, place(terrain, toe).0);
                self.check_again(slot);
            }
        }
    }

    /// Activates the nodes from which an edge falls more steeply than a slope.
    fn wake_edges(&mut self, terrain: &Terrain, slope: f64) {
        let [nx, ny] = terrain.nodes();
        let row = |j: usize, out: &mut Vec<f64>| {
            out.clear();
            out.extend((0..nx).map(|i| terrain.base([i, j])));
        };
        let [mut own, mut next] = [Vec::new(), Vec::new()];
        row(0, &mut next);
        for j in 0..ny {
            std::mem::swap(&mut own, &mut next);
            if j + 1 < ny {
                row(j + 1, &mut next);
            }
            for i in 0..nx {
                for (step, length) in STEPS.iter().zip(LENGTHS).take(HALF) {
                    let Some(at) = i.checked_add_signed(step[0]).filter(|at| *at < nx) else { continue };
                    let other = match step[1] {
                        0 => own[at],
                        _ if j + 1 < ny => next[at],
                        _ => continue,
                    };
                    let fall = own[i] - other;
                    if fall.abs() > length * terrain.spacing() * slope {
                        let upper = if fall > 0.0 { [i, j] } else { [at, j + step[1] as usize] };
                        self.wake(terrain, upper);
                    }
                }
            }
        }
    }
}
