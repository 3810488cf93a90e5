//! A frame of the acceleration-level integrators: State → internal steps → the state at its end, not yet committed.

use super::correct::Residual;
use super::dormand_prince::{self, Dense};
use super::projected;
use super::runge_kutta::RungeKuttaWork;
use super::synchronize::{meet_constraints, synchronize};
use crate::model::Model;
use crate::model::state::State;
use crate::settings::Integrator;
use crate::stages::Stages;

/// Workspace of a frame.
#[derive(Debug, Default)]
pub struct FrameWork {
    start: State,
    /// The state at the end of the frame.
    pub(super) ahead: State,
    /// Remaining violation after corrections.
    pub(super) left: Residual,
    /// Internal steps that were longer than their error or their contacts allow.
    pub(super) forced: usize,
    /// The last internal step of `dormand-prince`, for interpolation.
    pub(crate) dense: Dense,
    /// Workspace of internal steps.
    pub(crate) internal: RungeKuttaWork,
}

/// Advances a state by one frame into the workspace.
pub(crate) fn advance(model: &Model, state: &State, s: &mut Stages, work: &mut FrameWork) {
    s.begin(model, state);
    let FrameWork { start, ahead, left, forced, dense, internal } = work;
    start.clone_from(state);
    synchronize(model, start, s, &mut internal.evaluation);
    meet_constraints(model, start, s, &mut internal.evaluation);
    (*left, *forced) = match model.settings.integrator {
        Integrator::DormandPrince(rule) => {
            let outcome = dormand_prince::advance(model, (start, ahead), rule, s, (internal, dense));
            (outcome.left, outcome.forced)
        }
        _ => projected::advance(model, (start, ahead), model.settings.dt, s, internal),
    };
    s.solved(model, ahead);
}
