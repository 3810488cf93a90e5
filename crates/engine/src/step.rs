//! One step = solve + commit, once or in substeps. The only file that knows the order of the stages.

use crate::integrate::{commit, frame};
use crate::model::Model;
use crate::model::state::State;
use crate::report::Report;
use crate::settings::Integrator;
use crate::workspace::Workspace;

/// Advances a state by one step of `settings.dt`. A step whose result would not be finite, or beyond 1e10, is rejected:
/// the state is unchanged and a fault is reported.
pub fn step(model: &Model, state: &mut State, ws: &mut Workspace) -> Report {
    match model.settings.integrator {
        Integrator::Spook => loop {
            match ws.solved {
                true => ws.stages.resume(),
                false => solve(model, state, ws),
            }
            ws.solved = false;
            let h = ws.substeps.begin(model, state, &ws.start);
            let part = commit::step(model, state, (&mut ws.stages, &ws.start, &ws.shake), &mut ws.commit);
            if let Some(report) = ws.substeps.advance(model, state, (h, part), &mut ws.commit.events) {
                return report;
            }
        },
        // the stages run inside each evaluation
        Integrator::Projected | Integrator::DormandPrince(_) => {
            frame::advance(model, state, &mut ws.stages, &mut ws.frame);
            commit::frame(model, state, (&mut ws.stages, &mut ws.frame), &mut ws.commit)
        }
    }
}

/// force → collide → constrain → partition → solve at the positions of a state. Reads State, writes the workspace.
/// `World::inspect` is this call only; a step that follows it commits the same solution.
pub fn solve(model: &Model, state: &State, ws: &mut Workspace) {
    let Workspace { stages, start, shake, substeps, .. } = ws;
    start.reset(); //                                                  State, or a copy in which
    loop {
        stages.begin(model, start.of(state)); //                       inputs over the step
        start.begin(model, state, &stages.inputs); //                  … bodies driven by inputs are awake
        stages.force(model, start.of(state)); //                       FreeMotion
        stages.collide(model, start.of(state)); //                     Contacts
        start.strike(model, state, stages); //                         … sequential impacts, if enabled
        stages.constrain(model, start.of(state)); //                   Rows
        stages.partition(); //                                         Islands
        start.wake(model, state, (&stages.islands, &stages.free)); //  … sleeping bodies whose load changed are awake
        stages.solve(model, start.of(state)); //                       Solution
        shake.iterate(model, start.of(state), stages); //              position iterations, if enabled
        if substeps.fits(model, state, start, (stages, shake)) {
            break;
        } //                                                           … the step is shorter
    }
    stages.solved(model, start.of(state));
    ws.solved = true;
}
