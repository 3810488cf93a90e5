//! A rigid body: what it weighs and who moves it.
//!
//! A body's own frame is where the user put its origin; the state keeps the pose of its centre of mass
//! with the attitude of that frame.

use super::mass::Mass;
use super::motion::Path;

/// Who moves the body.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Never moves.
    Fixed,
    /// Follows a given motion of its frame, whatever pushes it.
    Driven(Box<Path>),
    /// Moves by the forces on it.
    Free,
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
}

impl Body {
    /// A free body.
    pub fn free(name: impl Into<String>, mass: Mass) -> Body {
        Body { name: name.into(), kind: Kind::Free, mass, gravity: true }
    }

    /// A body that never moves, as the ground.
    pub fn fixed(name: impl Into<String>) -> Body {
        Body { name: name.into(), kind: Kind::Fixed, mass: Mass::point(1.0), gravity: false }
    }

    /// A body that follows a path.
    pub fn driven(name: impl Into<String>, path: Path) -> Body {
        Body { kind: Kind::Driven(Box::new(path)), ..Body::fixed(name) }
    }

    /// Whether forces move it.
    pub fn is_free(&self) -> bool {
        matches!(self.kind, Kind::Free)
    }
}
