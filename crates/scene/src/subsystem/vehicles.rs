//! Vehicles of a scene → bodies and joints of their wheels and shafts, and the subsystem.
//!
//! ```text
//!  text  ──parts──▶  bodies and joints of wheels and shafts, in the scene
//!  built ──plan───▶  wheels, steering, components and signals, by the ids of bodies and inputs
//!  state ──reading─▶ numbers for displays
//! ```

mod brake;
mod driveline;
mod hydraulics;
pub(crate) mod mount;
pub(crate) mod parts;
pub(crate) mod plan;
mod reading;
pub(crate) mod suspension;
mod tire;
mod topology;
mod warning;

pub use reading::{ComponentLook, ComponentReading, VehicleLook, VehicleReading, WheelLook, WheelReading};
pub use warning::VehicleWarning;

use crate::number::{Numbers, Quantity};
use glam::DVec3;

/// Material of tyres.
const TIRE_MATERIAL: &str = "rubber";

/// A vector as numbers of a scene.
fn given<Q: Quantity>(v: DVec3) -> Numbers<Q> {
    Numbers::si(&v.to_array())
}
