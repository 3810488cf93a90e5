//! Soils, grounds and tools of a world with values derived from them.
//!
//! ```text
//!  K_p = tan²(45° + φ/2)        passive earth pressure coefficient
//!  H   = (4c/γ) tan(45° + φ/2)  height of an upright cut that stands, by planes through the toe
//! ```

use schemars::JsonSchema;
use serde::Serialize;
use std::f64::consts::FRAC_PI_4;
use windlass_engine::prelude::World;
use windlass_soil::ground::TerrainState;
use windlass_soil::world::{EarthState, GroundState};
use windlass_soil::{Earthworks, GroundModel};

/// Soils, grounds and tools of a world.
#[derive(Clone, Debug, Default, JsonSchema, PartialEq, Serialize)]
pub struct EarthworkProperties {
    /// Soils of the grounds, each with the values it has there.
    pub soils: Vec<SoilProperties>,
    /// The grounds.
    pub grounds: Vec<GroundProperties>,
    /// The tools.
    pub tools: Vec<ToolProperties>,
}

/// A soil in a ground.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct SoilProperties {
    /// Its name.
    pub name: String,
    /// The ground.
    pub ground: String,
    /// Moist density in the bank [kg/m³].
    pub density: f64,
    /// Void ratio: in the bank, loose, least.
    pub void_ratio: [f64; 3],
    /// Loose volume over volume in the bank.
    pub swell: f64,
    /// Angle of internal friction in the bank [rad].
    pub friction: f64,
    /// Cohesion in the bank [Pa].
    pub cohesion: f64,
    /// Angle of friction on steel [rad].
    pub steel_friction: f64,
    /// Coefficient of passive earth pressure K_p.
    pub passive_pressure: f64,
    /// Height of an upright cut that stands [m].
    pub upright_cut: f64,
    /// Coefficient of friction μ of its particles.
    pub particle_friction: f64,
    /// Coefficient of rolling friction μ_r of its particles.
    pub particle_rolling: f64,
    /// Dry mass of a particle [kg].
    pub particle_mass: f64,
}

/// A ground.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct GroundProperties {
    /// Its name.
    pub name: String,
    /// Extent along x and y [m].
    pub size: [f64; 2],
    /// Distance of its nodes [m].
    pub spacing: f64,
    /// Numbers of nodes along x and y.
    pub nodes: [usize; 2],
    /// Layers from the surface down: soil and thickness [m].
    pub layers: Vec<(String, f64)>,
    /// Dry mass, with loose soil [kg].
    pub mass: f64,
    /// Tiles of 32 × 32 nodes that differ from the start.
    pub tiles: usize,
    /// Memory of these tiles [bytes].
    pub memory: usize,
    /// Memory of a tile with one layer of dumped soil [bytes].
    pub memory_per_tile: usize,
    /// Diameter of particles [m].
    pub particle: f64,
    /// Most particles.
    pub particles: usize,
}

/// A tool.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct ToolProperties {
    /// Its name.
    pub name: String,
    /// Its body.
    pub body: String,
    /// Its ground.
    pub ground: String,
    /// Length of its edge [m].
    pub edge: f64,
    /// Cells of the ground along its edge.
    pub cells: f64,
    /// Length of its face [m].
    pub height: f64,
    /// Number of teeth.
    pub teeth: u32,
}

impl EarthworkProperties {
    /// Those of a world.
    pub fn of(world: &World) -> EarthworkProperties {
        let Some((works, state)) = world.subsystem::<Earthworks>() else {
            return EarthworkProperties::default();
        };
        let EarthState { grounds, .. } = state;
        let body = |id| world.model().bodies().get(id).map_or_else(String::new, |body| body.name.clone());
        EarthworkProperties {
            soils: works.grounds.iter().flat_map(soils).collect(),
            grounds: works.grounds.iter().zip(grounds).map(|(model, state)| ground(model, state)).collect(),
            tools: works
                .tools
                .iter()
                .map(|tool| {
                    let ground = &works.grounds[tool.ground];
                    ToolProperties {
                        name: tool.name.clone(),
                        body: body(tool.body),
                        ground: ground.name.clone(),
                        edge: tool.tool.length(),
                        cells: tool.tool.length() / ground.terrain.spacing(),
                        height: tool.tool.height,
                        teeth: tool.tool.teeth.map_or(0, |teeth| teeth.count),
                    }
                })
                .collect(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.grounds.is_empty()
    }
}

fn soils(model: &GroundModel) -> impl Iterator<Item = SoilProperties> {
    let terrain = &model.terrain;
    terrain.soils().iter().enumerate().map(|(k, soil)| {
        let e = soil.void_ratio;
        let bank = soil.strength(e.bank, 0.0, false);
        let density = soil.density(e.bank);
        let tangent = libm::tan(FRAC_PI_4 + 0.5 * bank.friction);
        SoilProperties {
            name: soil.name.clone(),
            ground: model.name.clone(),
            density,
            void_ratio: [e.bank, e.loose, e.least],
            swell: soil.swell(),
            friction: bank.friction,
            cohesion: bank.cohesion,
            steel_friction: soil.steel.friction,
            passive_pressure: tangent * tangent,
            upright_cut: bank.critical_height(density * terrain.spec().gravity),
            particle_friction: model.loose.get(k).map_or(0.0, |loose| loose.friction),
            particle_rolling: model.loose.get(k).map_or(0.0, |loose| loose.rolling),
            particle_mass: model.mass_of(k as u8, 0.5 * model.particle).kilograms(),
        }
    })
}

fn ground(model: &GroundModel, state: &GroundState) -> GroundProperties {
    let terrain = &model.terrain;
    let spec = terrain.spec();
    GroundProperties {
        name: model.name.clone(),
        size: spec.nodes.map(|n| (n - 1) as f64 * spec.spacing),
        spacing: spec.spacing,
        nodes: spec.nodes,
        layers: spec
            .strata
            .iter()
            .map(|stratum| (spec.soils[stratum.soil].name.clone(), stratum.thickness))
            .collect(),
        mass: (state.terrain.mass(terrain) + state.particles.mass()).kilograms(),
        tiles: state.terrain.tiles(),
        memory: state.terrain.bytes(),
        memory_per_tile: TerrainState::bytes_per_tile(),
        particle: model.particle,
        particles: model.budget,
    }
}
