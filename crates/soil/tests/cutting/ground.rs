//! Grounds of known shape, blades, and comparisons.

use glam::{DMat3, DVec3};
use windlass_engine::prelude::Twist;
use windlass_soil::cutting::wedge::{Failure, LevelCut};
use windlass_soil::cutting::{CuttingSoil, Pose, Strata, Surface, Tool, Work};

pub const G: f64 = 9.81;

/// A soil from φ and δ in degrees, ρ, c and c_a.
pub fn soil(friction: f64, tool_friction: f64, density: f64, cohesion: f64, adhesion: f64) -> CuttingSoil {
    CuttingSoil {
        density,
        friction: friction.to_radians(),
        cohesion,
        tool_friction: tool_friction.to_radians(),
        adhesion,
    }
}

/// A ground of one soil under a function of x and y.
pub struct Shape<F> {
    pub height: F,
    pub soil: CuttingSoil,
    pub spacing: f64,
    pub surcharge: f64,
}

impl<F: Fn(f64, f64) -> f64> Shape<F> {
    pub fn new(soil: CuttingSoil, spacing: f64, height: F) -> Self {
        Self { height, soil, spacing, surcharge: 0.0 }
    }
}

impl<F: Fn(f64, f64) -> f64> Surface for Shape<F> {
    fn spacing(&self) -> f64 {
        self.spacing
    }
    fn height(&self, x: f64, y: f64) -> f64 {
        (self.height)(x, y)
    }
    fn strata(&self, _x: f64, _y: f64, strata: &mut Strata) {
        strata.push(f64::NEG_INFINITY, self.soil);
    }
    fn surcharge(&self, _x: f64, _y: f64) -> f64 {
        self.surcharge
    }
}

/// A blade across x with its edge at the origin, which cuts towards +x.
pub fn blade(width: f64, rake: f64, height: f64) -> Tool {
    let (sin, cos) = libm::sincos(rake.to_radians());
    let edge = vec![DVec3::new(0.0, -0.5 * width, 0.0), DVec3::new(0.0, 0.5 * width, 0.0)];
    Tool { end_plates: Some(0.0), ..Tool::blade(edge, DVec3::new(-cos, 0.0, sin), height, 0.02) }
}

/// A tool at a point, moving along x.
pub fn at(position: DVec3, speed: f64) -> Pose {
    let motion = Twist { velocity: DVec3::X * speed, angular_velocity: DVec3::ZERO };
    Pose { position, axes: DMat3::IDENTITY, motion, fill: None }
}

/// Work of a tool at a pose.
pub fn cut(tool: &Tool, pose: &Pose, ground: &impl Surface) -> Work {
    let mut work = Work::default();
    tool.check().unwrap();
    tool.cut(pose, ground, G, &mut work);
    work
}

/// Failure on level ground.
pub fn level(rake: f64, depth: f64, soil: &CuttingSoil) -> Failure {
    LevelCut { rake: rake.to_radians(), depth, gravity: G, ..LevelCut::default() }.failure(soil).unwrap()
}

/// Fails unless a value is within a part of the reference.
#[track_caller]
pub fn near(name: &str, found: f64, reference: f64, part: f64) {
    within(name, found, reference, part * reference.abs());
}

/// Fails unless a value is within a distance of the reference.
#[track_caller]
pub fn within(name: &str, found: f64, reference: f64, distance: f64) {
    assert!((found - reference).abs() <= distance, "{name}: {found} instead of {reference} ± {distance:e}");
}
