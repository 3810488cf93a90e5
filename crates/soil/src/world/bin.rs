//! A bin: soil at rest in the axes of a body, such as a truck bed, a skip or a hopper.
//!
//! Its floor is a grid of cells. A cell holds masses in whole quanta by soil, all of it loose and mixed:
//!
//! ```text
//!  height of a cell   h = Σ m (1 + e_loose)/(ρ_s A)
//! ```
//!
//! Mass, centre and inertia of the soil are those of its cells as boxes; the body carries them (`attached_soil.rs`). What has
//! flowed over a rim and is not a particle yet is carried at that rim.

use super::attached_soil::AttachedSoil;
use crate::ground::Soil;
use crate::ground::quanta::Mass;
use glam::{DVec2, DVec3};
use thiserror::Error;
use windlass_engine::prelude::{BodyId, BodyState, View};

/// Most cells along a side.
const MOST: f64 = 200.0;

/// Sides of a bin: towards +x, −x, +y, −y of the body; and its top, through which a bin that is turned over empties.
pub(super) const SIDES: usize = 5;
/// The top.
pub(super) const TOP: usize = 4;

/// A bin.
#[derive(Clone, Debug, PartialEq)]
pub struct BinModel {
    /// Its name.
    pub name: String,
    /// Its body.
    pub body: BodyId,
    /// Index of the ground whose loose soil it holds.
    pub ground: usize,
    /// Middle of its floor, in the body's frame [m].
    pub middle: DVec3,
    /// Extent along x and y [m].
    pub size: DVec2,
    /// Height of its walls above the floor [m].
    pub height: f64,
    /// Heights of the rims above the floor, by side [m]; those of its walls, or 0 for an open side.
    pub rims: [f64; 4],
    /// Numbers of cells along x and y.
    pub cells: [usize; 2],
}

/// State of a bin.
#[derive(Debug, Default, PartialEq)]
pub struct BinState {
    /// Mass by cell and soil, the soil running fastest.
    pub cells: Vec<Mass>,
    /// What has flowed over the rims, by side and soil.
    pub over: Vec<Mass>,
    /// Gravity less acceleration in the body's axes, averaged over about 0.1 s [m/s²].
    pub pull: DVec3,
    /// What weighs on the body in the next step.
    pub carried: AttachedSoil,
}

/// What is wrong with a bin.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BinError {
    /// A dimension that is not above 0.
    #[error("{0} of the bin is {1} m: give one above 0")]
    NotPositive(&'static str, f64),
    /// Cells that are larger than the bin.
    #[error("the bin has cells of {spacing} m, but is {side} m wide: give a spacing of at most its size")]
    Coarse {
        /// Spacing [m].
        spacing: f64,
        /// Shorter side [m].
        side: f64,
    },
    /// Too many cells.
    #[error("the bin has {0} cells along a side: give a spacing with at most {MOST}")]
    Fine(f64),
}

impl Clone for BinState {
    fn clone(&self) -> BinState {
        let mut copy = BinState::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &BinState) {
        self.cells.clone_from(&other.cells);
        self.over.clone_from(&other.over);
        (self.pull, self.carried) = (other.pull, other.carried);
    }
}

impl BinModel {
    /// A bin with rims of the same height all around, and cells of about a spacing.
    ///
    /// # Errors
    /// Dimensions that are not above 0, cells that are larger than the bin, more than 200 along a side.
    pub fn new(
        (name, body, ground): (&str, BodyId, usize),
        (middle, size, height): (DVec3, DVec2, f64),
        spacing: f64,
    ) -> Result<BinModel, BinError> {
        let dimensions =
            [("the length", size.x), ("the width", size.y), ("the height", height), ("the spacing", spacing)];
        if let Some((what, value)) =
            dimensions.into_iter().find(|(_, value)| !(*value > 0.0 && value.is_finite()))
        {
            return Err(BinError::NotPositive(what, value));
        }
        let side = size.min_element();
        if spacing > side {
            return Err(BinError::Coarse { spacing, side });
        }
        let counts = [size.x, size.y].map(|side| libm::round(side / spacing).max(1.0));
        if let Some(count) = counts.into_iter().find(|count| *count > MOST) {
            return Err(BinError::Fine(count));
        }
        let cells = counts.map(|count| count as usize);
        Ok(BinModel { name: name.to_string(), body, ground, middle, size, height, rims: [height; 4], cells })
    }

    /// Number of cells.
    pub fn count(&self) -> usize {
        self.cells[0] * self.cells[1]
    }

    /// Sides of a cell [m].
    pub fn cell(&self) -> DVec2 {
        self.size / DVec2::new(self.cells[0] as f64, self.cells[1] as f64)
    }

    /// Area of a cell [m²].
    pub fn area(&self) -> f64 {
        self.cell().x * self.cell().y
    }

    /// Volume up to its lowest rim [m³]. An open side counts as high as its walls: soil lies in a bed that is open at the
    /// back as high as its sides are.
    pub fn capacity(&self) -> f64 {
        let rims = self.rims.iter().map(|rim| if *rim > 0.0 { *rim } else { self.height });
        self.size.x * self.size.y * rims.fold(f64::INFINITY, f64::min)
    }

    /// Middle of a cell relative to that of the floor [m].
    pub fn place(&self, at: usize) -> DVec2 {
        let (i, j) = (at % self.cells[0], at / self.cells[0]);
        (DVec2::new(i as f64, j as f64) + 0.5) * self.cell() - 0.5 * self.size
    }

    /// The cell at a point relative to the middle of the floor; none beside the bin.
    pub(super) fn cell_at(&self, q: DVec3) -> Option<usize> {
        let at = (q.truncate() + 0.5 * self.size) / self.cell();
        let inside = at.x >= 0.0 && at.y >= 0.0 && at.x < self.cells[0] as f64 && at.y < self.cells[1] as f64;
        inside.then(|| at.x as usize + at.y as usize * self.cells[0])
    }

    /// Whether a cell is at a side; all are at the top.
    pub(super) fn is_at(&self, side: usize, at: usize) -> bool {
        let (i, j) = (at % self.cells[0], at / self.cells[0]);
        [i + 1 == self.cells[0], i == 0, j + 1 == self.cells[1], j == 0, true][side]
    }

    /// A point of the world in the bin's axes, from the middle of its floor.
    pub(super) fn local(&self, view: &View<'_>, state: &BodyState, point: DVec3) -> DVec3 {
        let centre = view.bodies.list.get(self.body).map_or(DVec3::ZERO, |body| body.mass.center);
        state.orientation.inverse() * (point - state.position) + centre - self.middle
    }

    /// A point of the bin in the world, and its velocity.
    pub(super) fn world(&self, view: &View<'_>, state: &BodyState, q: DVec3) -> (DVec3, DVec3) {
        let centre = view.bodies.list.get(self.body).map_or(DVec3::ZERO, |body| body.mass.center);
        let arm = state.orientation * (q + self.middle - centre);
        (state.position + arm, state.velocity + state.angular_velocity.cross(arm))
    }

    /// Height of a quantum of a soil in a cell [m].
    pub(super) fn per_quantum(&self, soil: &Soil) -> f64 {
        (1.0 + soil.void_ratio.loose) / (soil.grain_density * self.area() * Mass::PER_KILOGRAM)
    }

    /// Height of the soil in a cell [m].
    pub fn height(&self, state: &BinState, soils: &[Soil], at: usize) -> f64 {
        let own = state.cells.get(at * soils.len()..(at + 1) * soils.len()).unwrap_or_default();
        own.iter().zip(soils).map(|(mass, soil)| mass.0 as f64 * self.per_quantum(soil)).sum()
    }

    /// Volume of the soil in it [m³].
    pub fn volume(&self, state: &BinState, soils: &[Soil]) -> f64 {
        let sum: f64 = (0..self.count()).map(|at| self.height(state, soils, at)).sum();
        let over = state.over.iter().zip(soils.iter().cycle());
        (sum + over.map(|(mass, soil)| mass.0 as f64 * self.per_quantum(soil)).sum::<f64>()) * self.area()
    }

    /// Middle of a rim, from the middle of the floor.
    pub(super) fn rim(&self, side: usize) -> DVec3 {
        let highest = self.rims.iter().copied().fold(0.0, f64::max);
        let [x, y] = OUTWARD[side];
        DVec3::new(
            0.5 * x * self.size.x,
            0.5 * y * self.size.y,
            self.rims.get(side).copied().unwrap_or(highest),
        )
    }
}

/// Directions out of the sides.
pub(super) const OUTWARD: [[f64; 2]; SIDES] = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0], [0.0, 0.0]];

impl BinState {
    /// Mass in it.
    pub fn mass(&self) -> Mass {
        self.cells.iter().chain(&self.over).copied().sum()
    }

    /// Whether it belongs to a model, with a number of soils.
    pub(super) fn fits(&self, model: &BinModel, soils: usize) -> bool {
        let sizes = (self.cells.len(), self.over.len());
        let none = sizes == (0, 0);
        let masses = self.cells.iter().chain(&self.over).all(|mass| *mass >= Mass::ZERO);
        masses
            && (none || sizes == (model.count() * soils, SIDES * soils))
            && self.pull.is_finite()
            && self.carried.is_sound()
    }

    /// Makes room for the masses of a model.
    pub(super) fn open(&mut self, model: &BinModel, soils: usize) {
        self.cells.resize(model.count() * soils, Mass::ZERO);
        self.over.resize(SIDES * soils, Mass::ZERO);
    }
}
