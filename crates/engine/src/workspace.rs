//! Workspace: what a step is worked out in. Never saved; nothing in it outlives a step but caches.

use crate::integrate::commit::CommitWork;
use crate::integrate::frame::FrameWork;
use crate::integrate::shake::Shake;
use crate::integrate::start::StartState;
use crate::integrate::substeps::Substeps;
use crate::stages::Stages;

/// Nouns of the stages and work space of the integrators.
#[derive(Debug, Default)]
pub struct Workspace {
    /// The nouns between the stages.
    pub stages: Stages,
    /// Whether they are those of the present state, so that a step has only to be committed.
    pub(crate) solved: bool,
    /// What the velocity-level step is solved from.
    pub(crate) start: StartState,
    /// Position iterations.
    pub(crate) shake: Shake,
    /// Whether a step fits, or is taken in substeps.
    pub(crate) substeps: Substeps,
    /// Internal steps of the acceleration-level integrators.
    pub(crate) frame: FrameWork,
    /// What becomes State.
    pub(crate) commit: CommitWork,
}
