//! Checks magnitudes that a scene would reject, so that the error has its position in the model.
//!
//! A scene accepts lengths, angles and speeds up to 1e10, and quantities with a mass in their unit up to 1e15.
//! Limits beyond that mean no limit, by convention of such models for joints that rotate without end.

use crate::error::{ImportError, Place};
use crate::machine::{Acts, Coordinate, Drive, Form, LoopKind, Machine};
use crate::notes::{NoteKind, Notes};

/// Maximum length, angle or speed.
const FARTHEST: f64 = 1e10;
/// Maximum distance of a link, or of a point on it: their sum must be in range, too.
const NEAR_ENOUGH: f64 = FARTHEST / 4.0;
/// Maximum mass, force or stiffness.
const HEAVIEST: f64 = 1e15;

/// Removes limits that mean no limit, and rejects numbers that are too large for a scene.
pub fn check(machine: &mut Machine, notes: &mut Notes) -> Result<(), ImportError> {
    for link in &mut machine.links {
        for c in &mut link.coordinates {
            coordinate(c, notes)?;
        }
        for solid in &link.solids {
            bounded(
                &solid.place,
                solid.pose.at.to_array().into_iter().chain(sizes(&solid.form)),
                NEAR_ENOUGH,
            )?;
        }
    }
    for (link, pose) in machine.links.iter().zip(machine.at_start()) {
        bounded(&link.place, pose.at.to_array(), NEAR_ENOUGH)?;
    }
    for tie in &machine.ties {
        match &tie.kind {
            LoopKind::Ball(spots) | LoopKind::Weld(spots) => {
                bounded(&tie.place, spots.iter().flat_map(|s| s.pose.at.to_array()), NEAR_ENOUGH)?;
            }
            LoopKind::Gear { ratio, .. } => bounded(&tie.place, [*ratio, 1.0 / ratio], FARTHEST)?,
            LoopKind::Distance { ends, low, high, spring, friction } => {
                let lengths = [*low, *high, spring.and_then(|s| s.2)];
                bounded(&tie.place, lengths.into_iter().flatten(), FARTHEST)?;
                bounded(&tie.place, ends.iter().flat_map(|s| s.pose.at.to_array()), NEAR_ENOUGH)?;
                let (k, c, _) = spring.unwrap_or_default();
                bounded(&tie.place, [k, c, *friction], HEAVIEST)?;
            }
        }
    }
    bounded_gravity(machine)
}

/// Rejects masses that are too large for a scene, after links have been merged.
pub fn masses(machine: &Machine) -> Result<(), ImportError> {
    for link in &machine.links {
        if let Some(mass) = &link.mass {
            bounded(&link.place, mass.inertia.to_cols_array().into_iter().chain([mass.mass]), HEAVIEST)?;
            bounded(&link.place, mass.center.to_array(), NEAR_ENOUGH)?;
        }
    }
    Ok(())
}

fn bounded_gravity(machine: &Machine) -> Result<(), ImportError> {
    match (machine.gravity, machine.links.first()) {
        (Some(gravity), Some(link)) => bounded(&link.place, gravity.to_array(), FARTHEST),
        _ => Ok(()),
    }
}

fn bounded(place: &Place, numbers: impl IntoIterator<Item = f64>, most: f64) -> Result<(), ImportError> {
    match numbers.into_iter().find(|x| !(x.abs() <= most)) {
        Some(x) => {
            let help = format!("give numbers up to {most:e} in SI units");
            Err(ImportError::at(place, format!("the value here is {x:e}"), help))
        }
        None => Ok(()),
    }
}

fn coordinate(c: &mut Coordinate, notes: &mut Notes) -> Result<(), ImportError> {
    let place = c.place.clone();
    bounded(&place, c.at.to_array().into_iter().chain([c.start, c.zero]), NEAR_ENOUGH)?;
    let Acts { low, high, spring, viscosity, friction, drive, armature } = &mut c.acts;
    for end in [low, high] {
        if end.is_some_and(|x| x.abs() >= FARTHEST) {
            notes.count(NoteKind::Info, &place, "a limit beyond 1e10 is treated as no limit");
            *end = None;
        }
    }
    let (stiffness, rest) = spring.unwrap_or_default();
    bounded(&place, [stiffness, *viscosity, *friction, *armature], HEAVIEST)?;
    bounded(&place, [rest], FARTHEST)?;
    match drive {
        Some(Drive::Lock(at)) => bounded(&place, [*at], FARTHEST),
        Some(Drive::Servo { target, stiffness, damping, force }) => {
            bounded(&place, [*target], FARTHEST)?;
            bounded(&place, [*stiffness, *damping, force.unwrap_or(0.0)], HEAVIEST)
        }
        Some(Drive::Motor { speed, loss, force }) => {
            bounded(&place, [*speed], FARTHEST)?;
            bounded(&place, [*loss, force.unwrap_or(0.0)], HEAVIEST)
        }
        None => Ok(()),
    }
}

fn sizes(form: &Form) -> Vec<f64> {
    match form {
        Form::Box(size) | Form::Ellipsoid(size) => size.to_array().to_vec(),
        Form::Sphere(size) | Form::Mesh { scale: size, .. } => vec![*size],
        Form::Cylinder(radius, length) | Form::Capsule(radius, length) => vec![*radius, *length],
        Form::Plane(size) => size.iter().flatten().copied().collect(),
        Form::Terrain { rows, size } => rows.iter().flatten().chain(size).copied().collect(),
    }
}
