//! Quantities of bodies in fluids.

use glam::DVec3;
use windlass_engine::prelude::{BodyId, World};
use windlass_scene::FluidReading;

/// Quantities of a body in fluids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FluidQuantity {
    Volume,
    Draft,
    Center,
    Buoyancy,
    Drag,
    AddedMass,
    AddedMassForce,
}

impl FluidQuantity {
    /// Its numbers, a single one first; none for a body outside of fluids.
    pub fn of(self, body: BodyId, world: &World) -> Option<[f64; 4]> {
        let reading = FluidReading::of(world, body)?;
        let vector = |v: DVec3| [v.x, v.y, v.z, f64::NAN];
        let single = |x: f64| [x, f64::NAN, f64::NAN, f64::NAN];
        Some(match self {
            FluidQuantity::Volume => single(reading.volume),
            FluidQuantity::Draft => single(reading.draft),
            FluidQuantity::Center => vector(reading.center),
            FluidQuantity::Buoyancy => vector(reading.buoyancy),
            FluidQuantity::Drag => vector(reading.drag),
            FluidQuantity::AddedMass => single(reading.added_mass),
            FluidQuantity::AddedMassForce => vector(reading.added_mass_force),
        })
    }
}
