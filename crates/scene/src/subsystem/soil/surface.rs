//! Grounds and tools of a world as displays show them: surfaces in tiles, loose soil, and what tools meet.

use glam::DVec3;
use windlass_engine::prelude::{BodyId, World};
use windlass_soil::ground::{Ground, Layer, Soil};
use windlass_soil::world::GroundState;
use windlass_soil::{Earthworks, GroundModel};

/// Nodes along a tile.
pub const TILE: usize = 32;

/// What lies at the surface of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceSoil {
    /// Index of its soil in [`GroundSurface::soils`].
    pub soil: u8,
    /// Whether it has failed or was dumped, and not been compacted since.
    pub loose: bool,
    /// Relative density: 0 at the greatest void ratio, 1 at the least.
    pub compaction: f64,
}

/// A particle of loose soil.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LooseParticle {
    /// Its number; no other one of its ground ever has it.
    pub id: u64,
    /// Centre [m].
    pub position: DVec3,
    /// Radius [m].
    pub radius: f64,
    /// Index of its soil.
    pub soil: u16,
}

/// The surface of a ground, and the loose soil on it.
#[derive(Clone, Copy, Debug)]
pub struct GroundSurface<'a> {
    /// Its name.
    pub name: &'a str,
    /// Position of its first node [m].
    pub origin: [f64; 2],
    /// Distance of the nodes [m].
    pub spacing: f64,
    /// Numbers of nodes along x and y.
    pub nodes: [usize; 2],
    model: &'a GroundModel,
    state: &'a GroundState,
}

impl<'a> GroundSurface<'a> {
    /// All grounds of a world.
    pub fn all(world: &'a World) -> Vec<GroundSurface<'a>> {
        let Some((works, state)) = world.subsystem::<Earthworks>() else { return Vec::new() };
        let surface = |(model, state): (&'a GroundModel, &'a GroundState)| {
            let spec = model.terrain.spec();
            let (origin, spacing, nodes) = (spec.origin, spec.spacing, spec.nodes);
            GroundSurface { name: &model.name, origin, spacing, nodes, model, state }
        };
        works.grounds.iter().zip(&state.grounds).map(surface).collect()
    }

    /// Names of its soils, and their densities with their water [kg/m³], in the bank and loose.
    pub fn soils(&self) -> impl Iterator<Item = (&'a str, [f64; 2])> + use<'a> {
        let densities = |soil: &Soil| [soil.void_ratio.bank, soil.void_ratio.loose].map(|e| soil.density(e));
        self.model.terrain.soils().iter().map(move |soil| (soil.name.as_str(), densities(soil)))
    }

    /// Height of a node [m].
    pub fn height(&self, node: [usize; 2]) -> f64 {
        self.state.terrain.height(&self.model.terrain, node)
    }

    /// Height of a node before anything was dug [m].
    pub fn start(&self, node: [usize; 2]) -> f64 {
        self.model.terrain.base(node)
    }

    /// What lies at the surface of a node; none on rock.
    pub fn soil(&self, node: [usize; 2]) -> Option<SurfaceSoil> {
        let layer = self.ground().top(node)?;
        Some(self.seen(&layer))
    }

    /// What lay there before anything was dug; none on rock.
    pub fn first_soil(&self) -> Option<SurfaceSoil> {
        let spec = self.model.terrain.spec();
        let stratum = spec.strata.first()?;
        let soil = &spec.soils[stratum.soil];
        let void_ratio = stratum.void_ratio.unwrap_or(soil.void_ratio.bank);
        Some(SurfaceSoil {
            soil: stratum.soil as u8,
            loose: false,
            compaction: soil.relative_density(void_ratio),
        })
    }

    /// The tiles that are not as at the start, with their numbers along x and y, in a fixed order. The heights of their
    /// 32 × 32 nodes are relative to a height of their own: they serve to find out whether a tile has changed.
    pub fn touched(&self) -> impl Iterator<Item = ([usize; 2], &'a [f32])> + use<'a> {
        self.ground().touched()
    }

    /// The particles of loose soil.
    pub fn particles(&self) -> impl ExactSizeIterator<Item = LooseParticle> + Clone + use<'a> {
        self.state.particles.iter().map(|p| LooseParticle {
            id: p.id,
            position: p.position,
            radius: p.radius,
            soil: p.soil,
        })
    }

    fn ground(&self) -> Ground<'a> {
        Ground::new(&self.model.terrain, &self.state.terrain)
    }

    fn seen(&self, layer: &Layer) -> SurfaceSoil {
        let compaction = self.model.terrain.soil(layer).relative_density(layer.void_ratio);
        SurfaceSoil { soil: layer.soil, loose: layer.remoulded, compaction }
    }
}

/// A tool and what it meets.
#[derive(Clone, Copy, Debug)]
pub struct ToolReading<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its body.
    pub body: BodyId,
    /// The index of its ground in [`GroundSurface::all`].
    pub ground: usize,
    /// Length of its edge [m].
    pub width: f64,
    /// Volume between its face and its end plates [m³]; none without end plates.
    pub capacity: Option<f64>,
    /// Horizontal force that cutting needs, against the direction of cutting [N].
    pub draft: f64,
    /// Force of the ground on it, positive downwards [N].
    pub vertical_force: f64,
    /// Greatest depth of its edge below the surface [m].
    pub depth: f64,
    /// Mass of the loose soil that its body carries [kg].
    pub load: f64,
}

impl<'a> ToolReading<'a> {
    /// All tools of a world.
    pub fn all(world: &'a World) -> Vec<ToolReading<'a>> {
        let Some((works, state)) = world.subsystem::<Earthworks>() else { return Vec::new() };
        let tools = works.tools.iter().zip(&state.tools);
        let reading = |(model, own): (&'a windlass_soil::ToolModel, &'a windlass_soil::world::ToolState)| {
            let tool = &model.tool;
            let width = tool.edge.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            ToolReading {
                name: &model.name,
                body: model.body,
                ground: model.ground,
                width,
                capacity: tool.capacity(),
                draft: -own.force.dot(own.forward),
                vertical_force: -own.force.z,
                depth: own.depth,
                load: state.carried(model.body),
            }
        };
        tools.map(reading).collect()
    }
}
