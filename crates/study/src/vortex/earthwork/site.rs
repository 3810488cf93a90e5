//! Grounds of one soil and blades on sliders → worlds.

use super::{GRAVITY, STEP};
use crate::lab::step;
use crate::{Trouble, lab};
use glam::{DMat3, DQuat, DVec3, dvec3};
use libm::{cos, round, sin};
use std::f64::consts::FRAC_PI_2;
use windlass_engine::body::collider::Geometry;
use windlass_engine::prelude::*;
use windlass_soil::cutting::Tool;
use windlass_soil::ground::strength::{Strength, StrengthLaw};
use windlass_soil::ground::{Heights, Soil, Stratum, Terrain, TerrainSpec};
use windlass_soil::{EarthEdit, Earthworks, GroundModel, ToolModel};

/// A soil by friction angle φ and angle with steel δ [degrees], cohesion [Pa] and density in the bank [kg/m³].
pub fn soil([friction, steel]: [f64; 2], cohesion: f64, density: f64) -> Result<Soil, Trouble> {
    let mut soil = Soil::named("dry_sand").map_err(Trouble::from)?;
    soil.strength = StrengthLaw::Constant(Strength::new(friction, cohesion));
    (soil.steel.friction, soil.steel.adhesion) = (steel.to_radians(), 0.0);
    soil.water = 0.0;
    soil.grain_density = density * (1.0 + soil.void_ratio.bank);
    Ok(soil)
}

/// A ground of some nodes around the origin, with heights by place.
pub fn terrain(
    soil: Soil,
    (nodes, spacing): ([usize; 2], f64),
    strata: Vec<Stratum>,
    height: impl Fn(f64, f64) -> f64,
) -> Result<Terrain, Trouble> {
    let origin = nodes.map(|n| -0.5 * spacing * (n - 1) as f64);
    let at = |k: usize, axis: usize| origin[axis] + spacing * k as f64;
    let values = (0..nodes[0] * nodes[1]).map(|k| height(at(k % nodes[0], 0), at(k / nodes[0], 1)));
    let heights = Heights::Grid { origin, spacing: [spacing; 2], nodes, values: values.collect() };
    let spec = TerrainSpec { origin, spacing, nodes, heights, strata, soils: vec![soil], gravity: GRAVITY };
    Terrain::new(spec).map_err(Trouble::from)
}

/// A blade on a slider along x, driven at a speed.
pub struct Rig {
    world: World,
    joint: JointId,
}

impl Rig {
    /// A blade of a width and a rake [degrees], 2 m high, with the middle of its edge at a point of a ground.
    pub fn new(terrain: Terrain, (width, rake): (f64, f64), at: DVec3, speed: f64) -> Result<Rig, Trouble> {
        let (nodes, spacing) = (terrain.nodes(), terrain.spacing());
        let mut world = World::default();
        let set = |settings: &mut Settings| (settings.dt, settings.gravity) = (STEP, -GRAVITY * DVec3::Z);
        world.set(set).map_err(Trouble::from)?;
        let ground = Body::fixed("ground").with_collider(Collider::of(Geometry::Ground { nodes, spacing }));
        let ground = lab::add(&mut world, ground, DVec3::ZERO)?;
        let mass = Mass::new(500.0, DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(200.0)));
        let body = lab::add(&mut world, Body::dynamic("blade", mass), at)?;
        let turn = DQuat::from_rotation_y(FRAC_PI_2);
        let anchors = [Anchor::frame(ground, at, turn), Anchor::frame(body, DVec3::ZERO, turn)];
        let axis = Axis::driven(Drive::motor(speed, f64::INFINITY));
        let joint = world.add_joint(Joint::new("slider", Slider { anchors, axis })).map_err(Trouble::from)?;
        let rake = rake.to_radians();
        let edge = [-0.5, 0.5].map(|side| dvec3(0.0, side * width, 0.0)).to_vec();
        let tool =
            Tool { end_plates: Some(0.0), ..Tool::blade(edge, dvec3(-cos(rake), 0.0, sin(rake)), 2.0, 0.0) };
        let mut model = GroundModel::new("site", ground, terrain);
        // without particles
        model.budget = 0;
        let tools = vec![ToolModel { name: "blade".to_string(), body, ground: 0, tool }];
        let edit = EarthEdit::Set(Earthworks { grounds: vec![model], tools, ..Earthworks::default() }, None);
        world.edit_subsystem::<Earthworks>(edit).map_err(Trouble::from)?;
        Ok(Rig { world, joint })
    }

    /// Mean draft over some time [N], and mean moment of the soil about the upright axis through the middle [N·m].
    pub fn mean(&mut self, time: f64) -> Result<[f64; 2], Trouble> {
        let steps = round(time / STEP).max(1.0) as usize;
        let mut sum = [0.0; 2];
        for _ in 0..steps {
            step(&mut self.world)?;
            let force = self.world.subsystem::<Earthworks>().map_or(DVec3::ZERO, |(_, s)| s.tools[0].force);
            let reaction = self.world.reaction(self.joint, 1).map_or(DVec3::ZERO, |r| r.torque);
            // the slider balances the moment
            (sum[0], sum[1]) = (sum[0] - force.x, sum[1] - reaction.z);
        }
        Ok(sum.map(|sum| sum / steps as f64))
    }
}
