//! The stages of a step in order of execution: first the engine, then subsystems, then hooks, which may change the
//! results.
//!
//! ```text
//!  begin      inputs over the step                 loads, force      Loads → FreeMotion
//!  collide    Contacts                             constrain         joints, inputs, subsystems, contacts → Rows
//!  partition  Islands                              solve             Solution
//! ```
//!
//! Hooks are user code. A hook may read everything and change the result of the stage: add a force, move a row's bounds
//! (0..0 disables it), change its target. `spook` calls it once per step, and `rows` again in every position iteration;
//! the acceleration-level integrators call `forces`, `contacts` and `rows` at every evaluation, so these should depend
//! only on their arguments.

use crate::collide::{self, CollisionWork};
use crate::constrain;
use crate::constrain::inputs::{InputRamps, command};
use crate::contact::Contacts;
use crate::force::{self, FreeMotion, free_motion};
use crate::load::Loads;
use crate::model::Model;
use crate::model::state::State;
use crate::partition::{self, Islands};
use crate::report::{Clock, Timing};
use crate::row::rows::Rows;
use crate::settings::Integrator;
use crate::solve::{self, Solution, SolveInput};
use crate::subsystem::{SubsystemRows, SubsystemWork};

/// The data between the stages, one item per stage. Rebuilt by each step or evaluation.
#[derive(Debug, Default)]
pub struct Stages {
    /// Inputs over the step; set at its beginning.
    pub inputs: InputRamps,
    /// Written by `force`.
    pub free: FreeMotion,
    /// Written by `collide`.
    pub contacts: Contacts,
    /// Written by `constrain`.
    pub rows: Rows,
    /// Written by `partition`.
    pub islands: Islands,
    /// Written by `solve`.
    pub solution: Solution,
    /// Wall time of each stage; never part of a result.
    pub(crate) timing: Timing,
    clock: Clock,
    collision: CollisionWork,
    /// Buffers of the subsystems.
    pub(crate) subsystems: SubsystemWork,
    /// User code between the stages; not rebuilt, and not part of any state.
    pub(crate) hooks: Vec<Box<dyn Hook>>,
}

impl Stages {
    /// Determines the inputs over the step, and the bodies that are present.
    pub(crate) fn begin(&mut self, model: &Model, state: &State) {
        self.clock = Clock::start();
        self.timing = Timing::default();
        self.inputs.set(model, state);
    }

    /// Continues a step that was solved earlier: the time in between does not count.
    pub(crate) fn resume(&mut self) {
        self.clock = Clock::start();
    }

    /// Explicit forces → wrenches.
    pub(crate) fn loads(&mut self, model: &Model, state: &State) {
        self.free.refresh(model, state);
        force::wrenches(model, state, &mut self.free.wrenches);
        if !model.subsystems.is_empty() {
            self.free.wrenches.begin_subsystems();
            for (kind, part, work) in self.subsystems.with(&model.subsystems, &state.parts) {
                kind.loads(&model.view(state), part, work, &mut self.free.wrenches);
            }
            self.free.wrenches.end_subsystems();
        }
        self.hooks.iter_mut().for_each(|h| h.forces(model, state, &mut self.free.wrenches));
    }

    /// Explicit forces → free momenta.
    pub(crate) fn force(&mut self, model: &Model, state: &State) {
        self.loads(model, state);
        free_motion::free(model, state, model.kick(state), &mut self.free);
        self.timing.force += self.clock.lap();
    }

    /// Poses → contacts.
    pub(crate) fn collide(&mut self, model: &Model, state: &State) {
        collide::collide(model, state, &mut self.collision, &mut self.contacts);
        for (kind, part, work) in self.subsystems.with(&model.subsystems, &state.parts) {
            kind.contacts(&model.view(state), part, work, &mut self.contacts);
        }
        self.hooks.iter_mut().for_each(|h| h.contacts(model, state, &mut self.contacts));
    }

    /// Joints and inputs → rows, written to `out` instead of the step's own: rows of another instant.
    pub(crate) fn joints(&mut self, model: &Model, state: &State, out: &mut Rows) {
        constrain::constrain(model, state, out);
        command(model, &self.inputs, state.time, out);
        self.change_rows(model, state, out);
    }

    fn without_contacts(&mut self, model: &Model, state: &State, out: &mut Rows) {
        constrain::constrain(model, state, out);
        command(model, &self.inputs, state.time, out);
        if model.settings.integrator == Integrator::Spook {
            let kinds = self.subsystems.with(&model.subsystems, &state.parts);
            for (number, (kind, part, work)) in kinds.enumerate() {
                let mut rows = SubsystemRows::new(out, number as u16);
                kind.rows(&model.view(state), part, self.inputs.means(), work, &mut rows);
            }
        }
    }

    /// Joints, inputs and subsystems → rows.
    pub(crate) fn constrain_joints(&mut self, model: &Model, state: &State) {
        let mut rows = std::mem::take(&mut self.rows);
        self.without_contacts(model, state, &mut rows);
        self.change_rows(model, state, &mut rows);
        self.rows = rows;
    }

    /// Joints, inputs, subsystems and contacts → rows.
    pub(crate) fn constrain(&mut self, model: &Model, state: &State) {
        self.timing.collide += self.clock.lap();
        let mut rows = std::mem::take(&mut self.rows);
        self.without_contacts(model, state, &mut rows);
        constrain::contact::contacts(model, state, &self.contacts, &mut rows);
        self.change_rows(model, state, &mut rows);
        self.rows = rows;
        self.timing.constrain += self.clock.lap();
    }

    fn change_rows(&mut self, model: &Model, state: &State, rows: &mut Rows) {
        for hook in &mut self.hooks {
            hook.rows(model, state, rows);
            // a hook may have made a row soft, or rigid
            (rows.changed, rows.holds) = (true, true);
            rows.widest = rows.widest(0..rows.rows.len());
        }
    }

    /// Rows → islands.
    pub(crate) fn partition(&mut self) {
        partition::partition(&self.free.inertial, &self.rows, true, &mut self.islands);
        self.timing.partition += self.clock.lap();
    }

    /// Islands → velocities and forces.
    pub(crate) fn solve(&mut self, model: &Model, state: &State) {
        let Stages { free, contacts, rows, islands, solution, .. } = self;
        let input = SolveInput { free, contacts, rows, islands, kick: model.kick(state) };
        solve::solve(model, state, &input, solution);
    }

    /// Derives quantities from the solution, and passes it to hooks.
    pub(crate) fn solved(&mut self, model: &Model, state: &State) {
        self.free.note_damping(state, model.kick(state), &self.solution.twists);
        self.free.note_terms(state, model.kick(state), &self.solution.twists);
        self.free.note_dampers(&self.rows, &self.solution.forces);
        self.hooks.iter_mut().for_each(|h| h.solved(model, state, &self.rows, &self.solution));
        self.timing.solve += self.clock.lap();
    }

    /// Adds the time since the end of the last stage to the integrator.
    pub(crate) fn integrated(&mut self) {
        self.timing.integrate += self.clock.lap();
    }
}

/// User code between stages. Every method does nothing by default.
pub trait Hook: std::fmt::Debug + Send + Sync {
    /// After the explicit forces are summed.
    fn forces(&mut self, _model: &Model, _state: &State, _forces: &mut Loads) {}

    /// After contacts are found. Points may be changed or dropped (by shortening a pair's range), and contact
    /// parameters of a pair changed; pairs must stay in order and points in the order of their features.
    fn contacts(&mut self, _model: &Model, _state: &State, _contacts: &mut Contacts) {}

    /// After the rows are written. The number of rows and their bodies must not change.
    fn rows(&mut self, _model: &Model, _state: &State, _rows: &mut Rows) {}

    /// After the solve, before the state changes.
    fn solved(&mut self, _model: &Model, _state: &State, _rows: &Rows, _solution: &Solution) {}
}
