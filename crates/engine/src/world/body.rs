//! A rigid body: what it weighs and who moves it.
//!
//! A body's own frame is where the user put its origin; the state keeps the pose of its centre of mass
//! with the attitude of that frame.

use super::collider::Collider;
use super::mass::Mass;
use super::model::Solver;
use super::motion::Path;
use super::twist::Twist;
use glam::{DQuat, DVec3};

/// Who moves the body.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Never moves.
    Fixed,
    /// Follows a given motion of its frame, whatever pushes it.
    Driven(Box<Path>),
    /// Moves by the forces on it.
    Free,
    /// An element of a catenary (`hang.rs`): hangs as the ends of that have it, whatever pushes it.
    Hung,
}

/// A driven body at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carried {
    /// Centre of mass [m].
    pub position: DVec3,
    /// Attitude of its frame.
    pub attitude: DQuat,
    /// Velocity and spin.
    pub twist: Twist,
    /// Their rates.
    pub rate: Twist,
}

/// A rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Its name in reports and scenes.
    pub name: String,
    /// Who moves it.
    pub kind: Kind,
    /// Mass, centre of mass and inertia. Of no effect unless free.
    pub mass: Mass,
    /// Whether gravity pulls it.
    pub gravity: bool,
    /// What of it can be touched.
    pub colliders: Vec<Collider>,
    /// Who solves its partition; the world's setting if none. Of several the most exact is taken.
    pub solver: Option<Solver>,
    /// Bodies of different numbers are solved as different partitions even if something joins them; forces between
    /// them are then iterated.
    pub partition: u16,
}

impl Body {
    /// A free body.
    pub fn free(name: impl Into<String>, mass: Mass) -> Body {
        Body { kind: Kind::Free, mass, gravity: true, ..Body::fixed(name) }
    }

    /// A body that never moves, as the ground.
    pub fn fixed(name: impl Into<String>) -> Body {
        Body {
            name: name.into(),
            kind: Kind::Fixed,
            mass: Mass::point(1.0),
            gravity: false,
            colliders: Vec::new(),
            solver: None,
            partition: 0,
        }
    }

    /// A body that follows a path.
    pub fn driven(name: impl Into<String>, path: Path) -> Body {
        Body { kind: Kind::Driven(Box::new(path)), ..Body::fixed(name) }
    }

    /// The same with something to touch.
    pub fn touchable(mut self, collider: Collider) -> Body {
        self.colliders.push(collider);
        self
    }

    /// Where the path of a driven body has its centre of mass, and how that moves.
    pub fn carried(&self, time: f64) -> Option<Carried> {
        let Kind::Driven(path) = &self.kind else { return None };
        let at = path.at(time);
        let arm = at.attitude * self.mass.center;
        let velocity = at.velocity + at.spin.cross(arm);
        let acceleration = at.acceleration + at.spin_rate.cross(arm) + at.spin.cross(at.spin.cross(arm));
        Some(Carried {
            position: at.position + arm,
            attitude: at.attitude,
            twist: Twist { velocity, spin: at.spin },
            rate: Twist { velocity: acceleration, spin: at.spin_rate },
        })
    }

    /// Whether forces move it.
    pub fn is_free(&self) -> bool {
        matches!(self.kind, Kind::Free)
    }
}
