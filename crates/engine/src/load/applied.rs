//! A constant force or torque over a time interval: in world axes, in body axes, or toward another point.

use super::{Bodies, ForceLaw, Loads, not_finite};
use crate::body::frame::Anchor;
use crate::slots::BodyId;
use glam::DVec3;

/// Direction and magnitude of an applied force or torque.
#[derive(Clone, Debug, PartialEq)]
pub enum Direction {
    /// A vector in world axes [N or N·m].
    World(DVec3),
    /// A vector in the body's axes [N or N·m].
    Body(DVec3),
    /// A magnitude [N], always toward a point of another body; negative pushes away. For forces only.
    Toward(Anchor, f64),
}

/// A constant force at a point, or a torque.
#[derive(Clone, Debug, PartialEq)]
pub struct Applied {
    /// Point of application; for a torque only the body matters.
    pub at: Anchor,
    /// Force, if given.
    pub force: Option<Direction>,
    /// Torque, if given.
    pub torque: Option<Direction>,
    /// Start time [s].
    pub from: f64,
    /// End time [s].
    pub until: f64,
}

impl Applied {
    /// A force at all times.
    pub fn force(at: Anchor, force: Direction) -> Applied {
        Applied { at, force: Some(force), torque: None, from: f64::NEG_INFINITY, until: f64::INFINITY }
    }

    /// A torque at all times.
    pub fn torque(body: BodyId, torque: Direction) -> Applied {
        let at = Anchor::point(body, DVec3::ZERO);
        Applied { force: None, torque: Some(torque), ..Applied::force(at, Direction::World(DVec3::ZERO)) }
    }

    /// The same, from one time to another.
    pub fn during(self, from: f64, until: f64) -> Applied {
        Applied { from, until, ..self }
    }
}

/// The vector of a direction, for an anchor at a point.
fn vector(direction: &Direction, from: DVec3, at: &Anchor, bodies: &Bodies<'_>) -> DVec3 {
    match direction {
        Direction::World(v) => *v,
        Direction::Body(v) => bodies.body(at.body).orientation * *v,
        Direction::Toward(point, size) => (bodies.frame(point).at - from).normalize_or_zero() * *size,
    }
}

impl ForceLaw for Applied {
    fn apply(&self, bodies: &Bodies<'_>, out: &mut Loads) {
        if bodies.time < self.from || bodies.time >= self.until {
            return;
        }
        let frame = bodies.frame(&self.at);
        if let Some(force) = &self.force {
            out.push(&frame, vector(force, frame.at, &self.at, bodies));
        }
        if let Some(torque) = &self.torque {
            out.spin(self.at.body, vector(torque, frame.at, &self.at, bodies));
        }
    }

    fn bodies(&self) -> Vec<BodyId> {
        let targets = [&self.force, &self.torque].into_iter().flatten().filter_map(|d| match d {
            Direction::Toward(anchor, _) => Some(anchor.body),
            _ => None,
        });
        std::iter::once(self.at.body).chain(targets).collect()
    }

    fn problem(&self) -> Option<String> {
        let direction = |d: &Option<Direction>| match d {
            Some(Direction::World(v) | Direction::Body(v)) => not_finite("an applied vector", &v.to_array()),
            Some(Direction::Toward(_, size)) => not_finite("the magnitude of an applied force", &[*size]),
            None => None,
        };
        let point = not_finite("the point of application of a force", &self.at.at.to_array());
        point.or(direction(&self.force)).or(direction(&self.torque))
    }
}
