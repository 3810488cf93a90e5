//! What a step of particles depends on, and what it reports.

use super::heights::Heights;
use super::laws::LooseSoil;
use super::wall::{Wall, WallImpulse};
use glam::DVec3;
use thiserror::Error;

/// What surrounds the particles.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// Walls, in an order that is the same for equal worlds. Walls with numbers that are not finite are left out.
    pub walls: &'a [Wall],
    /// The ground at rest.
    pub ground: Option<&'a dyn Heights>,
    /// Coefficient of friction of particles on the ground.
    pub ground_friction: f64,
    /// The soils, by index.
    pub soils: &'a [LooseSoil],
    /// Gravity [m/s²].
    pub gravity: DVec3,
}

/// Invalid input that a step leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// A particle that neither moves nor has contacts.
    #[error(
        "particle {0} has a position, velocity, radius or mass that is not finite or not positive: remove it"
    )]
    Particle(u64),
    /// A wall without contacts.
    #[error("wall {0} has a pose, velocity or friction that is not finite: it has no contacts")]
    Wall(u64),
}

/// What a step reports.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// Impulses on the owners of walls, in the order of the owners; fixed walls and the ground first.
    pub impulses: &'a [WallImpulse],
    /// How often the speed of a particle was limited to one radius per substep.
    pub clamped: usize,
    /// The first fault.
    pub fault: Option<Fault>,
}
