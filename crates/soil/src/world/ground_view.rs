//! A ground as tools and particles see it: heights, layers, and the weight of loose soil that lies on it.

use super::model::GroundModel;
use super::state::GroundState;
use crate::cutting::{CuttingSoil, Strata, Surface};
use crate::ground::{Ground, TerrainState};
use crate::particle::{Heights, Particles};
use glam::{DVec2, DVec3};

/// A ground as tools and particles see it.
#[derive(Clone, Copy, Debug)]
pub struct GroundView<'a> {
    ground: Ground<'a>,
    surcharge: &'a Surcharge,
}

/// Weight per area of particles on the columns of a ground.
#[derive(Debug, Default)]
pub struct Surcharge {
    /// Number of a node and pressure on it [Pa], by node.
    nodes: Vec<(u64, f64)>,
}

/// A weight on a ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weight {
    pub at: DVec2,
    /// [N]
    pub force: f64,
}

impl Surcharge {
    /// That of the particles that lie on the ground and touch no body, and of more weights.
    pub(super) fn update(&mut self, model: &GroundModel, particles: &Particles, more: &[Weight]) {
        self.nodes.clear();
        let terrain = &model.terrain;
        for p in particles.iter().filter(|p| p.touches.supported && !p.touches.body) {
            if let Some(node) = terrain.nearest(p.position.x, p.position.y) {
                let weight = model.moist(p.mass, p.soil as u8) * terrain.spec().gravity;
                self.nodes.push((key(terrain.nodes(), node), weight / terrain.area(node)));
            }
        }
        for weight in more {
            if let Some(node) = terrain.nearest(weight.at.x, weight.at.y) {
                self.nodes.push((key(terrain.nodes(), node), weight.force / terrain.area(node)));
            }
        }
        // a stable sort would allocate; this one has one result for one order of particles
        self.nodes.sort_unstable_by_key(|(node, _)| *node);
        self.nodes.dedup_by(|next, sum| {
            let same = next.0 == sum.0;
            if same {
                sum.1 += next.1;
            }
            same
        });
    }

    fn at(&self, node: u64) -> f64 {
        self.nodes.binary_search_by_key(&node, |(node, _)| *node).map_or(0.0, |k| self.nodes[k].1)
    }
}

fn key(nodes: [usize; 2], [i, j]: [usize; 2]) -> u64 {
    i as u64 + j as u64 * nodes[0] as u64
}

impl<'a> GroundView<'a> {
    /// A ground with what lies on it.
    pub fn new(model: &'a GroundModel, state: &'a GroundState, surcharge: &'a Surcharge) -> GroundView<'a> {
        GroundView { ground: Ground::new(&model.terrain, &state.terrain), surcharge }
    }

    /// The same of the columns alone.
    pub(super) fn of(
        model: &'a GroundModel,
        terrain: &'a TerrainState,
        surcharge: &'a Surcharge,
    ) -> GroundView<'a> {
        GroundView { ground: Ground::new(&model.terrain, terrain), surcharge }
    }

    /// The node next to a point; beyond the border the nearest one on it.
    fn node(&self, x: f64, y: f64) -> [usize; 2] {
        let spec = self.ground.terrain.spec();
        let place = |at: f64, k: usize| {
            let u = libm::floor((at - spec.origin[k]) / spec.spacing + 0.5);
            u.clamp(0.0, (spec.nodes[k] - 1) as f64) as usize
        };
        [place(x, 0), place(y, 1)]
    }
}

impl Surface for GroundView<'_> {
    fn spacing(&self) -> f64 {
        self.ground.terrain.spacing()
    }

    fn height(&self, x: f64, y: f64) -> f64 {
        self.ground.surface(x, y).height
    }

    fn strata(&self, x: f64, y: f64, strata: &mut Strata) {
        let (node, terrain) = (self.node(x, y), self.ground.terrain);
        let share = terrain.share(node);
        let (mut bottom, mut stress) = (self.ground.height(node), 0.0);
        for layer in self.ground.layers(node) {
            let thickness = terrain.thickness(&layer, share);
            let weight = terrain.unit_weight(&layer);
            let soil = terrain.soil(&layer);
            let strength = terrain.strength(&layer, stress + 0.5 * weight * thickness);
            bottom -= thickness;
            stress += weight * thickness;
            strata.push(
                bottom,
                CuttingSoil {
                    density: soil.density(layer.void_ratio),
                    friction: strength.friction,
                    cohesion: strength.cohesion,
                    tool_friction: soil.steel.friction.min(strength.friction),
                    adhesion: soil.steel.adhesion,
                },
            );
        }
    }

    fn surcharge(&self, x: f64, y: f64) -> f64 {
        self.surcharge.at(key(self.ground.terrain.nodes(), self.node(x, y)))
    }
}

impl Heights for GroundView<'_> {
    fn height(&self, x: f64, y: f64) -> f64 {
        self.ground.surface(x, y).height
    }

    fn normal(&self, x: f64, y: f64) -> DVec3 {
        self.ground.surface(x, y).normal.into()
    }
}
