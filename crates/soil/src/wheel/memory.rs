//! State of a contact: ruts of the ground under it and shear displacement of its surface.

use glam::DVec2;
use windlass_engine::prelude::StatePart;
use windlass_engine::words::{SnapshotError, WordReader, WordWriter};

use super::rut::Rut;
use super::strip::Strip;

/// A cell of ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Height of the original surface above the reference level [m].
    pub datum: f64,
    /// Deepest press so far.
    pub rut: Rut,
}

impl Place {
    /// The ground between the middles of two cells.
    pub fn lerp(&self, other: &Self, part: f64) -> Self {
        let between = |a: f64, b: f64| a + (b - a) * part;
        Self {
            datum: between(self.datum, other.datum),
            rut: Rut {
                depth: between(self.rut.depth, other.rut.depth),
                pressure: between(self.rut.pressure, other.rut.pressure),
            },
        }
    }
}

/// Memory of one contact.
#[derive(Debug, Default, PartialEq)]
pub struct Memory {
    /// Cells of the ground, at rest.
    pub ground: Strip<Place>,
    /// Shear displacement of cells of the surface, which run with it [m].
    pub surface: Strip<DVec2>,
}

impl Clone for Memory {
    fn clone(&self) -> Self {
        Self { ground: self.ground.clone(), surface: self.surface.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        self.ground.clone_from(&other.ground);
        self.surface.clone_from(&other.surface);
    }
}

/// Both strips: spacing, origin, number of the first cell, count; then three or two numbers per cell.
impl StatePart for Memory {
    fn write(&self, out: &mut WordWriter<'_>) {
        self.ground.write(out, |place| [place.datum, place.rut.depth, place.rut.pressure]);
        self.surface.write(out, |j| [j.x, j.y]);
    }

    fn read(words: &mut WordReader<'_>) -> Result<Self, SnapshotError> {
        let ground =
            Strip::read(words, |[datum, depth, pressure]| Place { datum, rut: Rut { depth, pressure } })?;
        Ok(Self { ground, surface: Strip::read(words, |[x, y]| DVec2::new(x, y))? })
    }
}
