//! The report of a step: faults, energies, quality of the solution, wall time of the stages.

mod energy;
pub mod event;
pub mod fault;
pub(crate) mod instant;
pub mod reaction;
pub(crate) mod work;

pub use crate::cable::RemeshReport;
pub use crate::cable::curve::{CableGeometry, CurvePoint, Fixing, Sampling, Tube};
pub use crate::cable::reading::{Catenary, Reading};
pub use crate::cable::rope_reading::{RopeChange, RopeEvent, RopeReading, RopeWatch};
pub use crate::energy::Energy;
pub use event::{Event, Phase};
pub use fault::{Fault, FaultKind};
pub use work::Work;

use std::time::{Duration, Instant};

/// Wall time of the stages, in the order of the step. Never part of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// State → free momenta.
    pub force: Duration,
    /// Poses → contacts.
    pub collide: Duration,
    /// Joints and contacts → rows.
    pub constrain: Duration,
    /// Rows → islands.
    pub partition: Duration,
    /// Islands → velocities and forces.
    pub solve: Duration,
    /// Solution → State.
    pub integrate: Duration,
}

impl Timing {
    /// Adds the times of another step.
    pub(crate) fn add(&mut self, other: &Timing) {
        self.force += other.force;
        self.collide += other.collide;
        self.constrain += other.constrain;
        self.partition += other.partition;
        self.solve += other.solve;
        self.integrate += other.integrate;
    }

    /// All stages together.
    pub fn total(&self) -> Duration {
        self.force + self.collide + self.constrain + self.partition + self.solve + self.integrate
    }
}

/// Measures lap times. Without a clock on the platform all laps are 0.
#[derive(Debug, Default)]
pub(crate) struct Clock(Option<Instant>);

impl Clock {
    pub(crate) fn start() -> Clock {
        Clock(if cfg!(target_family = "wasm") { None } else { Some(Instant::now()) })
    }

    pub(crate) fn lap(&mut self) -> Duration {
        let Some(last) = self.0 else { return Duration::ZERO };
        let now = Instant::now();
        self.0 = Some(now);
        now - last
    }
}

/// The report of a step.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Time reached [s].
    pub time: f64,
    /// Steps taken so far.
    pub step: u64,
    /// Why the step was rejected, if it was. The state is then the last valid one.
    pub fault: Option<Box<Fault>>,
    /// Energies: under `spook` at the instant the step began, otherwise at its end.
    pub energy: Energy,
    /// Work done in the step; none under the acceleration-level integrators, and with subsystems.
    pub work: Option<Work>,
    /// Islands solved.
    pub islands: usize,
    /// Rows solved.
    pub rows: usize,
    /// Number of factorisations in the island that needed most.
    pub factors: u32,
    /// Largest violation of the rows' conditions, relative to the largest speed.
    pub residual: f64,
    /// Islands whose search for the active set was stopped early; their solution is feasible but not converged.
    pub stalled: usize,
    /// Redundant rows. `World::redundant` names their joints.
    pub redundant: usize,
    /// Joints that broke in this step.
    pub broken: usize,
    /// Changes of the resolution of cables.
    pub resolution: RemeshReport,
    /// Internal steps taken at the minimum length although the error was too large (adaptive integrator) or the
    /// contacts were too stiff for it (`projected`): soften them, or shorten the step. Under `spook`, islands whose
    /// joints did not converge in the allowed iterations: shorten the step.
    pub forced: usize,
    /// Largest violation [m or rad] of a rigid, unbounded row: under `spook` at the start of the step, otherwise after
    /// its correction.
    pub gap: f64,
    /// Contact points, closed or close to contact.
    pub contacts: usize,
    /// Largest penetration of two surfaces [m]: under `spook` at the start of the step, otherwise at its end.
    pub penetration: f64,
    /// Number of substeps (`spook`).
    pub substeps: u32,
    /// Bound of the step length, if the allowed number of substeps was too small.
    pub too_long: Option<StepLimit>,
    /// Wall time.
    pub timing: Timing,
}

/// Stability bound of the step length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLimit {
    /// The longest stable step [s]; ∞ if unbounded.
    pub longest: f64,
    /// The index of the body that would become unstable first, if known.
    pub body: Option<usize>,
}

impl StepLimit {
    /// No bound.
    pub const NONE: StepLimit = StepLimit { longest: f64::INFINITY, body: None };
}
