//! The cable of the paper's experiments: 10 m long, square, 1e-2 m² thick, of rubber, nylon or steel.

use crate::Trouble;
use glam::DVec3;
use windlass_engine::prelude::*;

/// L [m].
pub(super) const LENGTH: f64 = 10.0;
/// A [m²].
pub(super) const AREA: f64 = 1e-2;
/// σ.
pub(super) const POISSON: f64 = 0.3;
/// Names and Young's moduli [N/m²] (§VII-A).
pub(super) const MATERIALS: [(&str, f64); 3] = [("rubber", 2e7), ("nylon", 2e9), ("steel", 2e11)];
/// Numbers of elements.
pub(super) const ELEMENTS: [usize; 4] = [3, 6, 12, 24];
/// Steel's density [kg/m³]; the paper gives none, and states of rest do not depend on it.
pub(super) const DENSITY: f64 = 7800.0;
/// The step [s].
pub(super) const STEP: f64 = 1.0 / 60.0;

/// I_A = A²/12 [m⁴].
pub(super) fn second_moment() -> f64 {
    AREA * AREA / 12.0
}

/// The section. Torsion has the paper's stiffness Y I_A / 2(1 + σ); that of a real square is 1.69 times as much.
pub(super) fn section(young: f64) -> Section {
    let side = AREA.sqrt();
    let stuff = SectionMaterial { young, poisson: POISSON, density: DENSITY };
    Section {
        twist: young * second_moment() / (2.0 * (1.0 + POISSON)),
        ..Section::rectangle(side, side, stuff)
    }
}

/// A world without gravity, and its ground.
pub(super) fn weightless() -> Result<(World, BodyId), Trouble> {
    under(DVec3::ZERO)
}

/// A world under a gravity, and its ground.
pub(super) fn under(gravity: DVec3) -> Result<(World, BodyId), Trouble> {
    let mut world = World::default();
    world.set(|s| (s.dt, s.gravity) = (STEP, gravity)).map_err(Trouble::from)?;
    let ground = Body::fixed("ground");
    let ground = world.add_body(ground, DVec3::ZERO, glam::DQuat::IDENTITY).map_err(Trouble::from)?;
    Ok((world, ground))
}
