//! A simulation that has diverged ends as a fault: reports of steps → a fault where motion has more energy than it can have come by,
//! or where a joint has come apart.
//!
//! ```text
//! available = kinetic and elastic energy at the start + potential energy lost + Σ max(0, work of loads and drives)
//! fault       where  kinetic > 10 · available + M (1 m/s + recovery)²
//!             where  a rigid joint is open by more than its bodies are large, and by twice as much as at the start
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

/// Gaps below this are not looked at one by one [m or rad].
const NARROW: f64 = 0.01;

/// What a run began with.
#[derive(Clone, Copy, Debug)]
struct Start {
    /// Energy that motion can have come by so far, but for potential energy [J].
    available: f64,
    /// Potential energy [J].
    potential: f64,
    /// Widest gap [m or rad].
    gap: f64,
}

/// Watches the steps of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Watch(Option<Start>);

impl Watch {
    /// Takes the report of a step into account; returns a fault if the simulation had diverged when the step began.
    pub fn check(&mut self, world: &World, report: &Report) -> Option<Box<Fault>> {
        let energy = report.energy;
        let start = self.0.get_or_insert(Start {
            available: energy.kinetic + energy.elastic,
            potential: energy.potential,
            gap: report.gap,
        });
        let available = (start.available + start.potential - energy.potential).max(0.0);
        if let Some(work) = report.work {
            start.available += work.supplied().max(0.0) + work.remeshing.max(0.0);
            let speed = SPEED + world.model().settings().contact.recovery;
            let bound = || FACTOR * available + mass(world) * speed * speed;
            // the mass is summed only where it may matter
            if energy.kinetic > FACTOR * available && energy.kinetic > bound() {
                let kind = FaultKind::EnergyGain { kinetic: energy.kinetic, available };
                return Some(world.fault_of_fastest(kind));
            }
        }
        (report.gap > NARROW.max(2.0 * start.gap)).then(|| world.fault_of_parted_joint()).flatten()
    }
}

/// The mass of all bodies that can move [kg].
fn mass(world: &World) -> f64 {
    world.model().bodies().iter().filter(|(_, body)| body.is_free()).map(|(_, body)| body.mass.mass).sum()
}
