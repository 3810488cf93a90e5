//! Workspace: temporary data of a step. Never saved; only caches outlive a step.

use crate::integrate::commit::CommitWork;
use crate::integrate::frame::FrameWork;
use crate::integrate::shake::Shake;
use crate::integrate::start::StartState;
use crate::integrate::substeps::Substeps;
use crate::stages::Stages;

/// Data of the stages and workspace of the integrators.
#[derive(Debug, Default)]
pub struct Workspace {
    /// The data between the stages.
    pub stages: Stages,
    /// Whether these belong to the present state, so that a step only has to be committed.
    pub(crate) solved: bool,
    /// The state from which the velocity-level step is solved.
    pub(crate) start: StartState,
    /// Position iterations.
    pub(crate) shake: Shake,
    /// Stability check, and substeps.
    pub(crate) substeps: Substeps,
    /// Internal steps of the acceleration-level integrators.
    pub(crate) frame: FrameWork,
    /// The next state.
    pub(crate) commit: CommitWork,
}
