//! Start state of a velocity-level step: State itself, or a copy of it in which bodies were woken and sequential
//! impacts applied. So the solve only reads State; changes reach State with the commit of the step.

use super::{sequential_impacts, sleep, step_change};
use crate::constrain::inputs::InputRamps;
use crate::force::{FreeMotion, free_motion};
use crate::model::Model;
use crate::model::state::{ContactState, State};
use crate::partition::Islands;
use crate::stages::Stages;

/// The state from which a step starts.
#[derive(Debug, Default)]
pub struct StartState {
    copy: State,
    differs: bool,
    /// Whether velocities were matched to a change of the length of the step.
    is_matched: bool,
    /// Impulses of sequential impacts, in place of forces [N·s].
    pub(super) struck: Vec<ContactState>,
}

impl StartState {
    /// The state to read.
    pub(crate) fn of<'a>(&'a self, state: &'a State) -> &'a State {
        if self.differs { &self.copy } else { state }
    }

    /// Whether it is a copy.
    pub(crate) fn is_copy(&self) -> bool {
        self.differs
    }

    /// The copy to be changed.
    fn changed(&mut self, state: &State) -> &mut State {
        if !self.differs {
            self.copy.clone_from(state);
            self.differs = true;
        }
        &mut self.copy
    }

    /// Starts with the state itself.
    pub(crate) fn reset(&mut self) {
        (self.differs, self.is_matched) = (false, false);
    }

    /// Requests a shorter step.
    pub(super) fn shorten(&mut self, state: &State, h: f64) {
        self.copy.clone_from(state);
        self.copy.next_internal_step = h;
        (self.differs, self.is_matched) = (true, false);
    }

    /// Matches velocities to a change of the length of the step once. Returns whether any changed.
    pub(super) fn match_step(&mut self, model: &Model, state: &State, s: &Stages) -> bool {
        if std::mem::replace(&mut self.is_matched, true) {
            return false;
        }
        let changes = step_change::changes(model, self.of(state), s);
        if changes.is_empty() || !self.struck.is_empty() {
            return false;
        }
        let bodies = &mut self.changed(state).bodies;
        for (place, change) in changes {
            bodies[place].velocity += change.velocity;
            bodies[place].angular_velocity += change.angular_velocity;
        }
        true
    }

    /// Wakes the bodies driven by inputs that move.
    pub(crate) fn begin(&mut self, model: &Model, state: &State, inputs: &InputRamps) {
        self.struck.clear();
        for body in sleep::driven(model, state, inputs) {
            sleep::rouse(&mut self.changed(state).bodies[body]);
        }
    }

    /// Applies sequential impacts, if the settings request them.
    pub(crate) fn strike(&mut self, model: &Model, state: &State, s: &mut Stages) {
        if !model.settings.contact.serial {
            return;
        }
        let (kick, differed) = (model.kick(self.of(state)), self.differs);
        let mut struck = std::mem::take(&mut self.struck);
        let copy = self.changed(state);
        if sequential_impacts::strike(model, copy, (&s.contacts, &s.free, kick), &mut struck) {
            free_motion::free(model, copy, kick, &mut s.free);
        } else {
            self.differs = differed;
        }
        self.struck = struck;
    }

    /// Wakes islands in which the load of a sleeping body changed, or an awake body touches a sleeping one.
    pub(crate) fn wake(&mut self, model: &Model, state: &State, (islands, free): (&Islands, &FreeMotion)) {
        if model.settings.sleep.is_none() {
            return;
        }
        for island in &islands.list {
            if sleep::is_woken(&island.bodies, free.wrenches.all(), self.of(state)) {
                let bodies = &mut self.changed(state).bodies;
                island.bodies.iter().for_each(|b| sleep::rouse(&mut bodies[*b as usize]));
            }
        }
    }
}
