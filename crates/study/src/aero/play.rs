//! Shared by the studies of AERO: its integrators and collision methods, and access to bodies by name.

use crate::Trouble;
use crate::lab::add;
use glam::DVec3;
use windlass_engine::prelude::*;

pub const GRAVITY: f64 = 9.81;

/// How time is advanced and what surfaces do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// In real time: velocities, contacts as rows.
    Spook,
    /// The same with impacts one after another.
    SpookSerial,
    /// Accelerations at a fixed step, impacts one after another.
    Projected,
    /// AERO's Dormand–Prince with its analytical collisions: impacts one after another.
    Impulses,
    /// AERO's Dormand–Prince with its springs, of a frequency [Hz].
    Springs(f64),
}

impl Way {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Way::Spook => "spook",
            Way::SpookSerial => "spook, serial impacts",
            Way::Projected => "projected",
            Way::Impulses => "dormand-prince, impulses",
            Way::Springs(_) => "dormand-prince, springs",
        }
    }

    /// Sets a world to it.
    pub fn choose(self, world: &mut World) -> Result<(), Trouble> {
        let adaptive = Integrator::DormandPrince(Adaptive { tolerance: 1e-7, ..Adaptive::default() });
        let change = |s: &mut Settings| {
            s.integrator = match self {
                Way::Spook | Way::SpookSerial => Integrator::Spook,
                Way::Projected => Integrator::Projected,
                Way::Impulses | Way::Springs(_) => adaptive,
            };
            s.contact.serial = self == Way::SpookSerial;
            if let Way::Springs(frequency) = self {
                (s.contact.penalty.collision, s.contact.penalty.frequency) = (ImpactLaw::Spring, frequency);
            }
        };
        world.set(change).map_err(Trouble::from)
    }
}

/// A body of a name.
///
/// # Errors
/// If there is none.
pub fn body(world: &World, name: &str) -> Result<BodyId, Trouble> {
    world.model().body(name).ok_or_else(|| Trouble::Failed(format!("no body \"{name}\"")))
}

/// A world in which all surfaces are alike, with a floor if requested.
pub fn touching(way: Way, touch: ContactParameters, floor: bool) -> Result<World, Trouble> {
    let mut world = World::default();
    way.choose(&mut world)?;
    let mut surfaces = Surfaces::default();
    surfaces.set(0, 0, touch);
    world.edit(Edit::SetSurfaces(Box::new(surfaces))).map_err(Trouble::from)?;
    if floor {
        add(&mut world, Body::fixed("floor").with_collider(Collider::of(Geometry::HalfSpace)), DVec3::ZERO)?;
    }
    Ok(world)
}

/// Adds a solid with a mass and a collision shape.
pub fn solid(world: &mut World, shape: Shape, mass: f64, at: DVec3) -> Result<BodyId, Trouble> {
    let total = Mass::of_total(&shape, mass).map_err(Trouble::from)?;
    add(world, Body::dynamic("solid", total).with_collider(Collider::new(shape)), at)
}

/// Peaks of a path, each by a parabola through three samples.
pub fn peaks(path: &[(f64, f64)]) -> Vec<f64> {
    let peak = |w: &[(f64, f64)]| {
        let [a, b, c] = [w[0].1, w[1].1, w[2].1];
        let (slope, bend) = (0.5 * (c - a), a - 2.0 * b + c);
        (b > a && b >= c).then(|| b - 0.5 * slope * slope / bend)
    };
    path.windows(3).filter_map(peak).collect()
}
