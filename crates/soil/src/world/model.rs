//! Grounds and tools of a world.

use super::bin::BinModel;
use super::track_model::TrackModel;
use super::wheel_model::WheelModel;
use crate::cutting::{Pose, Tool};
use crate::ground::quanta::Mass;
use crate::ground::{Soil, Terrain};
use crate::particle::{LooseSoil, Particle, Particles};
use glam::DVec3;
use std::sync::Arc;
use windlass_engine::prelude::BodyId;

/// Packing density of spheres: loose soil as a whole has its bulk density if a particle is denser by this factor.
const PACKING: f64 = 0.6;

/// Least friction of particles on ground of the same soil: its surface is not smoother than a layer of particles.
const ROUGH: f64 = 0.7;

/// A ground.
#[derive(Clone, Debug)]
pub struct GroundModel {
    /// Its name.
    pub name: String,
    /// The static body that has its collider; its origin is below or above the middle of the grid, at z = 0.
    pub body: BodyId,
    /// Grid, heights and strata.
    pub terrain: Arc<Terrain>,
    /// Diameter of particles [m].
    pub particle: f64,
    /// Most particles.
    pub budget: usize,
    /// Contact parameters of loose soils, by soil.
    pub loose: Vec<LooseSoil>,
    /// Loose soil at the start.
    pub start: Vec<LooseBox>,
    /// Whether wheels roll on it as on a road.
    pub hard: bool,
}

/// A box of loose soil at the start: particles in a cubic lattice, which settle to about four fifths of its height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LooseBox {
    /// Its middle [m].
    pub middle: DVec3,
    /// Its extent along x, y and z [m].
    pub size: DVec3,
    /// Index of its soil.
    pub soil: u8,
}

/// Distance of the particles of a box of loose soil, over their diameter.
const PITCH: f64 = 1.05;
/// Sizes of particles are spread by this part to both sides, so that they do not form crystals.
const SPREAD: f64 = 0.2;
/// Mean cube of sizes with that spread: 1 + SPREAD².
const MEAN_CUBE: f64 = 1.0 + SPREAD * SPREAD;
/// Fractional part of the golden ratio: its multiples fill the interval from 0 to 1 evenly.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// A tool that cuts a ground.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolModel {
    /// Its name.
    pub name: String,
    /// Its body.
    pub body: BodyId,
    /// Index of its ground.
    pub ground: usize,
    /// Its geometry, in the body's frame.
    pub tool: Tool,
}

impl ToolModel {
    /// Distance of a point from its edge at a pose [m].
    pub(super) fn distance_from_edge(&self, pose: &Pose, point: DVec3) -> f64 {
        let pieces = self.tool.edge.windows(2).map(|pair| {
            let [a, b] = [pose.point(pair[0]), pose.point(pair[1])];
            let along = b - a;
            let part =
                ((point - a).dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            point.distance(a + along * part)
        });
        pieces.fold(f64::INFINITY, f64::min)
    }
}

impl GroundModel {
    /// A ground whose loose soils have the friction angles of the soils.
    pub fn new(name: &str, body: BodyId, terrain: Terrain) -> GroundModel {
        let angle = |soil: &Soil| soil.strength(soil.void_ratio.loose, 0.0, true).friction;
        let law = |soil: &Soil| {
            let law = LooseSoil::with_angle(angle(soil));
            let steel = Some([libm::tan(soil.steel.friction), soil.steel.adhesion]);
            LooseSoil { steel, ground: Some(law.friction.max(ROUGH)), ..law }
        };
        let loose = terrain.soils().iter().map(law).collect();
        let particle = terrain.spacing();
        let terrain = Arc::new(terrain);
        GroundModel {
            name: name.to_string(),
            body,
            terrain,
            particle,
            budget: 5000,
            loose,
            start: Vec::new(),
            hard: false,
        }
    }

    /// Whether a state of one fits the other: the same grid, and columns of the same mass and height. Strengths,
    /// stiffnesses and water may differ.
    pub fn keeps_state_of(&self, other: &GroundModel) -> bool {
        Arc::ptr_eq(&self.terrain, &other.terrain) || self.terrain.has_columns_of(&other.terrain)
    }

    /// Radius of a particle, from its number: ±20 % about a mean with the volume of the nominal diameter [m].
    pub fn radius_of(&self, number: u64) -> f64 {
        let part = (number % 1_000_000) as f64 * GOLDEN;
        let spread = 2.0 * (part - libm::floor(part)) - 1.0;
        0.5 * self.particle * (1.0 + SPREAD * spread) / libm::cbrt(MEAN_CUBE)
    }

    /// Largest radius of a new particle [m].
    pub fn largest_radius(&self) -> f64 {
        0.5 * self.particle * (1.0 + SPREAD)
    }

    /// The particles of the boxes at the start.
    pub(super) fn start(&self) -> Particles {
        let mut particles = Particles::default();
        for part in &self.start {
            let pitch = PITCH * self.particle;
            let counts = part.size.to_array().map(|side| libm::floor(side / pitch + 1e-9).max(1.0) as usize);
            for k in 0..counts.iter().product() {
                let cell = [k % counts[0], k / counts[0] % counts[1], k / counts[0] / counts[1]];
                let at = |axis: usize| (cell[axis] as f64 + 0.5 - 0.5 * counts[axis] as f64) * pitch;
                let radius = self.radius_of(particles.next_id());
                particles.add(Particle {
                    position: part.middle + DVec3::new(at(0), at(1), at(2)),
                    radius,
                    mass: self.mass_of(part.soil, radius),
                    soil: u16::from(part.soil),
                    ..Particle::default()
                });
            }
        }
        particles
    }

    /// Mass of a particle of a soil with a radius, dry.
    pub fn mass_of(&self, soil: u8, radius: f64) -> Mass {
        let soil = &self.terrain.soils()[usize::from(soil)];
        let volume = std::f64::consts::PI / 6.0 * 8.0 * radius * radius * radius;
        let density = soil.dry_density(soil.void_ratio.loose) / PACKING;
        Mass::from_kilograms(density * volume).max(Mass(1))
    }

    /// Volume of a dry mass of a soil as loose soil [m³].
    pub fn loose_volume(&self, mass: Mass, soil: u8) -> f64 {
        let soil = &self.terrain.soils()[usize::from(soil)];
        mass.kilograms() / soil.dry_density(soil.void_ratio.loose)
    }

    /// Weight of a dry mass of a soil with its water, over g [kg].
    pub fn moist(&self, mass: Mass, soil: u8) -> f64 {
        mass.kilograms() * (1.0 + self.terrain.soils()[usize::from(soil)].water)
    }
}

/// All grounds and tools of a world.
#[derive(Clone, Debug, Default)]
pub struct Earthworks {
    /// The grounds.
    pub grounds: Vec<GroundModel>,
    /// The tools.
    pub tools: Vec<ToolModel>,
    /// The bins.
    pub bins: Vec<BinModel>,
    /// Wheels, rollers and plates on soft ground.
    pub wheels: Vec<WheelModel>,
    /// The crawler tracks.
    pub tracks: Vec<TrackModel>,
}
