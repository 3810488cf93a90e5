//! Brakes of wheels and shafts from their texts.

use crate::error::Problems;
use crate::number::{Number, Share};
use crate::text::driveline as text;
use windlass_vehicle::driveline::{AntiLock, Brake, Component, Disc};

/// Specific heat capacity of grey cast iron [J/kg/K] (EN-GJL-250 at 20 to 200 °C).
const CAST_IRON: f64 = 460.0;
/// Time constant with which the disc of a brake cools, unless given [s]: that of a ventilated disc of a car at 100 km/h is 100
/// to 300 s.
const COOLING: f64 = 200.0;

/// The disc or drum of a brake.
pub(super) fn disc(given: &Option<text::Disc>, p: &mut Problems) -> Option<Option<Disc>> {
    let Some(disc) = given else { return Some(None) };
    let (mass, cooling) = (p.number("mass", &disc.mass), p.number_or("cooling", &disc.cooling, COOLING));
    Some(Some(Disc { capacity: mass? * CAST_IRON, cooling: cooling? }))
}

/// The brake of a wheel.
pub(super) fn wheel_brake(
    shaft: usize,
    brake: &crate::text::vehicle::WheelBrake,
    p: &mut Problems,
) -> Option<Component> {
    let torque = p.number("torque", &brake.torque);
    let (parking, lag) = (
        p.number_or("parking", &brake.parking, 0.0),
        p.number_or("time_constant", &brake.time_constant, 0.0),
    );
    let anti_lock = slip_limit("anti_lock", &brake.anti_lock, p)?;
    let disc = disc(&brake.disc, p)?;
    // wheels are the first shafts
    let anti_lock = anti_lock.map(|slip| AntiLock { wheel: shaft, slip });
    Some(Component::Brake(Brake {
        shaft,
        torque: torque?,
        parking: parking?,
        drag: 0.0,
        lag: lag?,
        anti_lock,
        disc,
    }))
}

/// A longitudinal slip at which a control acts.
pub(super) fn slip_limit(key: &str, given: &Option<Number<Share>>, p: &mut Problems) -> Option<Option<f64>> {
    let slip = p.number_given(key, given)?;
    if let (Some(0.0), Some(number)) = (slip, given) {
        p.advise(number.span(), format!("`{key}` at a slip of 0"), "give a slip such as 0.15");
        return None;
    }
    Some(slip)
}
