//! Detection of divergence: reports of steps → a fault if the kinetic energy exceeds what was available,
//! or if a joint has separated.
//!
//! ```text
//! available = kinetic and elastic energy at the start + potential energy lost + Σ max(0, work of loads and drives)
//! fault       if  kinetic > 10 · available + M (1 m/s + max_depenetration_speed)²
//!             if  the gap of a rigid joint exceeds the size of its bodies, and twice the gap at the start
//! ```
//!
//! A fast light body may pass the surface of a liquid in one step, deeper than its energy allows. A rise of the potential
//! energy beyond what is available is therefore left out of the potential energy lost.
//!
//! A correct simulation stays below `available`. The factor and the last term, M the mass of all bodies, allow for
//! joints that start open, penetrations that are resolved, and the errors of a long step; a run that exceeds them has
//! diverged. Only steps of `spook` report their work; the acceleration-level integrators control their error or are
//! stopped by the engine's own bounds.

use windlass_engine::prelude::{Fault, FaultKind, Report, World};

/// Ratio of kinetic to available energy at which a run ends.
const FACTOR: f64 = 10.0;

/// A speed that bodies may gain from open joints and round-off [m/s].
const SPEED: f64 = 1.0;

/// Gaps below this are not examined one by one [m or rad].
const NARROW: f64 = 0.01;

/// Values at the start of a run.
#[derive(Clone, Copy, Debug)]
struct Start {
    /// Energy available to the motion so far, without potential energy [J].
    available: f64,
    /// Potential energy [J].
    potential: f64,
    /// The same in the last report [J].
    last: f64,
    /// Largest gap [m or rad].
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
            last: energy.potential,
            gap: report.gap,
        });
        let rise = energy.potential - std::mem::replace(&mut start.last, energy.potential);
        if start.available + start.potential < energy.potential {
            start.potential += rise.max(0.0);
        }
        let available = (start.available + start.potential - energy.potential).max(0.0);
        if let Some(work) = report.work {
            start.available += work.supplied().max(0.0) + work.subsystems.max(0.0) + work.remeshing.max(0.0);
            let speed = SPEED + world.model().settings().contact.recovery;
            let bound = || FACTOR * available + mass(world) * speed * speed;
            // the mass is summed only if it may matter
            if energy.kinetic > FACTOR * available && energy.kinetic > bound() {
                let kind = FaultKind::EnergyGain { kinetic: energy.kinetic, available };
                return Some(world.fault_of_fastest(kind));
            }
        }
        (report.gap > NARROW.max(2.0 * start.gap)).then(|| world.fault_of_parted_joint()).flatten()
    }
}

/// The mass of all dynamic bodies [kg].
fn mass(world: &World) -> f64 {
    world.model().bodies().iter().filter(|(_, body)| body.is_dynamic()).map(|(_, body)| body.mass.mass).sum()
}
