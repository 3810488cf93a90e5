//! Subsystems at the end of a step, after the bodies have been advanced.

use crate::body::BodyState;
use crate::collide::proximity::{ModelProximity, Probe};
use crate::energy::Energy;
use crate::model::Model;
use crate::model::state::State;
use crate::stages::Stages;
use crate::subsystem::{Advance, Part, SolvedRows};

/// Workspace for advancing subsystems.
#[derive(Debug, Default)]
pub(crate) struct SubsystemsAhead {
    probe: Probe,
    jointed: Vec<bool>,
}

impl SubsystemsAhead {
    /// Advances the parts of all kinds, which are copies of the state's. `bodies` are those at the end of the step.
    /// Returns the energies of all kinds at its start and at its end.
    pub fn advance(
        &mut self,
        (model, state): (&Model, &State),
        stages: &mut Stages,
        bodies: &mut [BodyState],
        parts: &mut [Part],
    ) -> [Energy; 2] {
        let mut sum = [Energy::default(); 2];
        if model.subsystems.is_empty() {
            return sum;
        }
        self.note_jointed(model, state);
        self.probe.join(model, state);
        let Stages { free, rows, solution, inputs, subsystems, .. } = stages;
        let (inertia, terms) = (&free.inertial, free.solved_terms.as_slice());
        let (forces, modes, twists) = (&solution.forces, &solution.modes, &solution.twists);
        let rows = SolvedRows { rows, forces, modes, twists };
        for (kind, parts, work) in subsystems.with(&model.subsystems, state.parts.iter().zip(parts)) {
            let mut proximity = ModelProximity { probe: &mut self.probe, model, state };
            let jointed = &self.jointed;
            let mut step = Advance {
                bodies,
                inertia,
                terms,
                jointed,
                rows,
                inputs: inputs.means(),
                proximity: &mut proximity,
            };
            let energies = kind.advance(&model.view(state), &mut step, parts, work);
            sum = [sum[0].plus(energies[0]), sum[1].plus(energies[1])];
        }
        sum
    }

    /// Marks the bodies that have joints.
    fn note_jointed(&mut self, model: &Model, state: &State) {
        self.jointed.clear();
        self.jointed.resize(state.bodies.len(), false);
        let whole = |place: usize| !state.joints.get(place).is_some_and(|j| j.broken);
        for (_, joint) in model.joints.iter().filter(|(place, _)| whole(*place)) {
            joint.constraint().anchors().iter().for_each(|a| self.jointed[a.body.index()] = true);
        }
    }
}
