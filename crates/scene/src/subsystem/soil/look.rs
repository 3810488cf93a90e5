//! How grounds look in pictures, and what they are like at a position.
//!
//! A soil is recognised by the words of its name, else by its parameters: a name tells the colour, parameters only tell
//! what it may be.

use super::GroundReading;
use glam::DVec3;
use windlass_soil::ground::{Ground, Soil};

/// Words in names, and colours in sRGB: typical for the soil in the bank.
const COLORS: [(&str, [f64; 3]); 12] = [
    ("snow", [0.93, 0.95, 0.97]),
    ("muskeg", [0.24, 0.19, 0.14]),
    ("peat", [0.24, 0.19, 0.14]),
    ("wet_sand", [0.58, 0.48, 0.34]),
    ("sand", [0.76, 0.66, 0.47]),
    ("gravel", [0.56, 0.54, 0.50]),
    ("clay", [0.58, 0.41, 0.29]),
    ("topsoil", [0.31, 0.23, 0.16]),
    ("humus", [0.27, 0.20, 0.14]),
    ("loam", [0.45, 0.34, 0.23]),
    ("rock", [0.50, 0.49, 0.47]),
    ("silt", [0.62, 0.53, 0.40]),
];
/// Colour of rock.
const ROCK: [f64; 3] = [0.44, 0.43, 0.41];
/// Brightness of loose soil over that in the bank: shadows between lumps are part of the picture, crusts are gone.
const LOOSE: f64 = 0.90;

/// Colour of a soil in the bank, sRGB.
pub fn color(soil: &Soil) -> [f64; 3] {
    let name = soil.name.to_lowercase().replace([' ', '-'], "_");
    let word = |found: &str| COLORS.iter().find(|(word, _)| *word == found).map_or(ROCK, |(_, color)| *color);
    if let Some((_, color)) = COLORS.iter().find(|(word, _)| name.contains(word)) {
        return *color;
    }
    let bank = soil.strength(soil.void_ratio.bank, 0.0, false);
    match (soil.density(soil.void_ratio.bank), bank.cohesion) {
        (density, _) if density < 700.0 => word("snow"),
        (_, cohesion) if cohesion >= 8e3 => word("clay"),
        (_, cohesion) if cohesion >= 1e3 => word("loam"),
        _ => word("sand"),
    }
}

/// Loose soil as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parcel {
    /// Its number.
    pub id: u64,
    /// Its centre [m].
    pub at: DVec3,
    /// Its radius [m].
    pub radius: f64,
    /// Index of its soil.
    pub soil: u8,
}

/// Dry masses [kg] and volumes [m³] of a ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ledger {
    /// Mass that was taken off the undisturbed ground.
    pub moved: f64,
    /// Volume below the surface of the start.
    pub cut: f64,
    /// Volume above the surface of the start.
    pub fill: f64,
    /// Number of particles.
    pub particles: usize,
    /// Mass of the particles.
    pub loose: f64,
    /// Mass that fell past the border.
    pub outside: f64,
    /// Mass that edits added, less what they took away.
    pub edited_mass: f64,
}

impl<'a> GroundReading<'a> {
    /// Colours: of each soil in the bank and loose, then of rock.
    pub fn colors(&self) -> Vec<[f64; 3]> {
        let soils = self.model.terrain.soils().iter().map(color);
        soils.flat_map(|color| [color, color.map(|part| LOOSE * part)]).chain([ROCK]).collect()
    }

    /// Height of the surface at a position [m]; beyond the border that of the nearest border point.
    pub fn height_at(&self, x: f64, y: f64) -> f64 {
        Ground::new(&self.model.terrain, &self.state.terrain).surface(x, y).height
    }

    /// Relative density of the soil at the surface at a position: 0 at the greatest void ratio, 1 at the least; none on
    /// rock and beside the ground.
    pub fn compaction_at(&self, x: f64, y: f64) -> Option<f64> {
        let node = self.model.terrain.nearest(x, y)?;
        let layer = Ground::new(&self.model.terrain, &self.state.terrain).top(node)?;
        Some(self.model.terrain.soil(&layer).relative_density(layer.void_ratio))
    }

    /// Its masses and volumes.
    pub fn ledger(&self) -> Ledger {
        let (terrain, state) = (&*self.model.terrain, self.state);
        let volumes = state.terrain.volumes(terrain);
        Ledger {
            moved: state.terrain.taken().kilograms(),
            cut: volumes.cut,
            fill: volumes.fill,
            particles: state.particles.len(),
            loose: state.particles.mass().kilograms(),
            outside: (state.outside + state.terrain.account.outside).kilograms(),
            edited_mass: state.terrain.account.edited.kilograms(),
        }
    }

    /// Index of the colour of the surface at a node.
    pub fn tint(&self, node: [usize; 2]) -> u8 {
        let top = Ground::new(&self.model.terrain, &self.state.terrain).top(node);
        let rock = 2 * self.model.terrain.soils().len() as u8;
        top.map_or(rock, |layer| 2 * layer.soil + u8::from(layer.remoulded))
    }

    /// Loose soil, by increasing number.
    pub fn parcels(&self) -> impl Iterator<Item = Parcel> + use<'a> {
        let parcel = |p: &windlass_soil::particle::Particle| Parcel {
            id: p.id,
            at: p.position,
            radius: p.radius,
            soil: p.soil as u8,
        };
        self.state.particles.iter().map(parcel)
    }
}
