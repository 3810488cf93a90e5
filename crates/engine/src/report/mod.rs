//! What a step says of itself: faults, energies, how well it was solved, how long each stage took.

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
    /// Adds another step's.
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

/// Measures laps. Where there is no clock all laps are 0.
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

/// What a step says of itself.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Time reached [s].
    pub time: f64,
    /// Steps taken so far.
    pub step: u64,
    /// Why the step was not taken, if it was not. The state is then the last good one.
    pub fault: Option<Box<Fault>>,
    /// Energies: under `spook` of the instant at which the step began, else of that at which it ended.
    pub energy: Energy,
    /// Work done in the step; none under the acceleration-level integrators, and with subsystems.
    pub work: Option<Work>,
    /// Islands solved.
    pub islands: usize,
    /// Rows solved.
    pub rows: usize,
    /// Factorisations done in the island that needed most.
    pub factors: u32,
    /// Largest violation of the rows' conditions, relative to the largest speed.
    pub residual: f64,
    /// Islands whose search for the active set was cut off; their answer is feasible but not exact.
    pub stalled: usize,
    /// Rows that depend on others. `World::redundant` names their joints.
    pub redundant: usize,
    /// Joints that broke in this step.
    pub broken: usize,
    /// How the resolution of cables changed.
    pub resolution: RemeshReport,
    /// Internal steps at the shortest length although the error was too large (adaptive stepper), or the contacts
    /// were too stiff for it (`projected`): soften them, or shorten the step. Islands whose joints did not close in the rounds
    /// allowed (`spook`): shorten the step.
    pub forced: usize,
    /// Largest gap [m or rad] of a rigid, unbounded row: under `spook` when the step began, else after its correction.
    pub gap: f64,
    /// Points of contact, touching or about to.
    pub contacts: usize,
    /// Deepest overlap of two surfaces [m]: under `spook` when the step began, else when it ended.
    pub overlap: f64,
    /// Substeps in which the step was taken (`spook`).
    pub substeps: u32,
    /// What a step should not exceed, where as many substeps as allowed were too few.
    pub too_long: Option<StepLimit>,
    /// Wall time.
    pub timing: Timing,
}

/// What bounds the length of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLimit {
    /// The longest step that is stable [s]; ∞ if nothing bounds it.
    pub longest: f64,
    /// The place of the body that would be thrown about first, if one is known.
    pub body: Option<usize>,
}

impl StepLimit {
    /// No bound.
    pub const NONE: StepLimit = StepLimit { longest: f64::INFINITY, body: None };
}
