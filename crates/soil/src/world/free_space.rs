//! Where there is room for a new particle: apart from others, and outside bodies.

use crate::particle::{Particles, Wall};
use glam::DVec3;

/// Least distance of a new particle from others, over the sum of their radii; the overlap is let out slowly.
const APART: f64 = 0.8;
/// Least distance of its centre from walls, over its radius.
const OUTSIDE: f64 = 0.9;

/// Particles and walls in a neighbourhood.
#[derive(Debug, Default)]
pub(super) struct FreeSpace {
    spheres: Vec<(DVec3, f64)>,
    walls: Vec<u32>,
}

impl FreeSpace {
    /// Takes what lies in a box.
    pub fn look(&mut self, particles: &Particles, walls: &[Wall], (low, high): (DVec3, DVec3)) {
        self.spheres.clear();
        self.walls.clear();
        let near = |p: DVec3, r: f64| p.cmpge(low - r).all() && p.cmple(high + r).all();
        let spheres = particles.iter().filter(|p| near(p.position, p.radius));
        self.spheres.extend(spheres.map(|p| (p.position, p.radius)));
        let (middle, reach) = (0.5 * (low + high), 0.5 * (high - low).length());
        let walls = walls.iter().enumerate().filter(|(_, wall)| wall.reaches(middle, reach));
        self.walls.extend(walls.map(|(k, _)| k as u32));
    }

    /// Whether a particle fits.
    pub fn is_free(&self, walls: &[Wall], at: DVec3, radius: f64) -> bool {
        let clear = |(other, r): &(DVec3, f64)| {
            let least = APART * (radius + r);
            other.distance_squared(at) > least * least
        };
        let outside = |k: &u32| walls[*k as usize].distance(at, radius) > OUTSIDE * radius;
        at.is_finite() && self.spheres.iter().all(clear) && self.walls.iter().all(outside)
    }

    /// A particle has been added.
    pub fn add(&mut self, at: DVec3, radius: f64) {
        self.spheres.push((at, radius));
    }
}
