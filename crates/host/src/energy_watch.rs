//! Energy from nothing ends a run: reports of steps → a fault where motion has more energy than it can have come by.
//!
//! ```text
//! available = kinetic and elastic energy at the start + Σ work of loads, drives and prescribed motion
//! fault       where  kinetic > 10 · available + M (1 m/s + recovery)²
//! ```
//!
//! A simulation that is right keeps below `available`. The factor and the last term, M the mass of all bodies, are for joints that
//! start open, overlaps that are pushed apart, and the errors of a long step: what passes them has diverged. Only steps of `spook`
//! report their work; the acceleration-level integrators control their error or are stopped by the engine's own bounds.

use windlass_engine::prelude::{Fault, FaultKind, Report, World};

/// Kinetic energy over what was available at which a run ends.
const FACTOR: f64 = 10.0;

/// A speed that bodies may gain from open joints and rounding [m/s].
const SPEED: f64 = 1.0;

/// The account of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct EnergyWatch {
    /// Energy that motion can have come by so far [J]; none before the first step.
    available: Option<f64>,
}

impl EnergyWatch {
    /// Takes the report of a step into account; returns a fault if motion had too much energy when the step began.
    pub fn check(&mut self, world: &World, report: &Report) -> Option<Box<Fault>> {
        let work = report.work?;
        let energy = report.energy;
        let available = *self.available.get_or_insert(energy.kinetic + energy.elastic);
        self.available = Some(available + work);
        let speed = SPEED + world.model().settings().contact.recovery;
        let bound = || FACTOR * available.max(0.0) + mass(world) * speed * speed;
        // the mass is summed only where it may matter
        if energy.kinetic <= FACTOR * available || energy.kinetic <= bound() {
            return None;
        }
        let (kinetic, available) = (energy.kinetic, available.max(0.0));
        Some(world.fault_of_fastest(FaultKind::EnergyGain { kinetic, available }))
    }
}

/// The mass of all bodies that can move [kg].
fn mass(world: &World) -> f64 {
    world.model().bodies().iter().filter(|(_, body)| body.is_free()).map(|(_, body)| body.mass.mass).sum()
}
