//! Bins of a world as pictures and displays show them: heights of the soil in them, and that soil as lumps.
//!
//! A cell of a bin is drawn as one lump at its surface, about as wide as the cell. Below it, where a cell is at a side, lie
//! further ones, so that soil behind an open side is seen too. They only show where soil is: its mass is that of the cells.

use super::look::Parcel;
use glam::{DQuat, DVec3};
use windlass_engine::prelude::{Anchor, BodyId, Frame, World};
use windlass_soil::world::BinState;
use windlass_soil::{BinModel, Earthworks, GroundModel};

/// Radius of a lump over the longer side of its cell: neighbours overlap.
const RADIUS: f64 = 0.55;
/// Heights of soil below this are not drawn [m].
const THIN: f64 = 1e-3;
/// Numbers of lumps: beyond those of particles.
const LUMPS: u64 = 1 << 48;

/// A bin of a world.
#[derive(Clone, Copy, Debug)]
pub struct BinReading<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its body.
    pub body: BodyId,
    /// Index of its ground in [`super::GroundReading::all`].
    pub ground: usize,
    /// Numbers of its cells along x and y of the body.
    pub cells: [usize; 2],
    number: usize,
    frame: Frame,
    model: &'a BinModel,
    state: &'a BinState,
    site: &'a GroundModel,
}

impl<'a> BinReading<'a> {
    /// All bins of a world.
    pub fn all(world: &'a World) -> Vec<BinReading<'a>> {
        let Some((works, state)) = world.subsystem::<Earthworks>() else { return Vec::new() };
        let reading = |(number, (model, state)): (usize, (&'a BinModel, &'a BinState))| BinReading {
            name: &model.name,
            body: model.body,
            ground: model.ground,
            cells: model.cells,
            number,
            frame: world
                .model()
                .frame(world.state(), &Anchor::frame(model.body, DVec3::ZERO, DQuat::IDENTITY)),
            model,
            state,
            site: &works.grounds[model.ground],
        };
        works.bins.iter().zip(&state.bins).enumerate().map(reading).collect()
    }

    /// Height of the soil in a cell above the floor [m].
    pub fn height(&self, [i, j]: [usize; 2]) -> f64 {
        self.model.height(self.state, self.site.terrain.soils(), i + j * self.cells[0])
    }

    /// The soil in it as lumps, by increasing number.
    pub fn parcels(&self) -> impl Iterator<Item = Parcel> + use<'a> {
        let own = *self;
        (0..own.model.count()).flat_map(move |at| own.parcels_of(at))
    }

    /// The lumps of a cell from its surface down.
    fn parcels_of(&self, at: usize) -> impl Iterator<Item = Parcel> + use<'a> {
        let own = *self;
        let [i, j] = [at % own.cells[0], at / own.cells[0]];
        let height = own.height([i, j]);
        let radius = (RADIUS * own.model.cell().max_element()).min(0.5 * height);
        let is_side = i == 0 || j == 0 || i + 1 == own.cells[0] || j + 1 == own.cells[1];
        let levels = match (height > THIN, is_side) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => (0.5 * height / radius).ceil().min(255.0) as u64,
        };
        let soil = own.soil(at);
        (0..levels).map(move |level| {
            let z = (height - (2 * level + 1) as f64 * radius).max(radius);
            let at_body = own.model.middle + own.model.place(at).extend(z);
            Parcel {
                id: LUMPS | (own.number as u64) << 32 | (at as u64) << 8 | level,
                at: own.frame.at + own.frame.orientation * at_body,
                radius,
                soil,
            }
        })
    }

    /// Index of the soil of which a cell holds most.
    fn soil(&self, at: usize) -> u8 {
        let count = self.site.terrain.soils().len();
        let masses = self.state.cells.get(at * count..(at + 1) * count).unwrap_or_default();
        let most = masses.iter().enumerate().max_by_key(|(_, mass)| **mass);
        most.map_or(0, |(soil, _)| soil as u8)
    }
}
