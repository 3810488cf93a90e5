//! SHAKE for `spook`: satisfies the joints at the end of a step, instead of along the tangents at its start (Ryckaert,
//! Ciccotti & Berendsen 1977).
//!
//!   M̃ (u − v) = κ f + J(q)ᵀ Λ,     q⁺ = q ⊕ h u,     g(q⁺, t + h) = 0
//!
//! Points of a rotating body move on arcs, rows along tangents: a step that solves J(q) u = −g/h + w leaves a gap of
//! ½ h² |ω × (ω × r)|, which the next one closes with a dissipative force. That solve is the first Newton iteration for
//! the equations above; further iterations follow here. Each moves the bodies, evaluates the gaps there, and reduces
//! the targets of the rows accordingly (`solve/shake_rows.rs`), with the present factorisation: its J of the start is
//! correct for forces and has an error of O(h ω) for gaps, so that an iteration reduces the error by a factor of about
//! hω.
//!
//! Forces act along J(q) at an instant whose joints are closed, half of them before it and half after. The scheme is
//! symmetric in time and of second order; its energy oscillates by O(h² ω²) without drift. The stabilisation −g/h is
//! kept and acts on the remaining gap, a micrometre. Velocities are still those of the half step, along the
//! chord and not tangent to the arc: `World::inspect` synchronises them as usual, with an error of (h ω)²/6 in r ω.
//!
//! Iterations are made where an island rotates fast enough to need them, or in every step if the settings specify a
//! number. All joints of an island are closed or none: a partially closed one gained a tenth of its drop energy in 10 s
//! with gaps of 1 mm, where the plain step dissipates. A step in which an island rotates too far to converge is halved
//! (`substeps.rs`); if it cannot be halved, the plain step is used and counted.

use super::leapfrog;
use super::remember::coordinates_ahead;
use crate::model::Model;
use crate::model::state::State;
use crate::row::rows::Rows;
use crate::solve::IslandSolver;
use crate::solve::shake_rows::{ShakeIteration, ShakeStage};
use crate::stages::Stages;

/// Iterations at most unless the settings specify a number, and the angle per step [rad] from which they are made:
/// joints would open by ½ 0.01² of their lever arms.
const ROUNDS: u32 = 8;
const ONSET: f64 = 0.01;

/// Gaps below this count as closed [m or rad], if iterations are requested and by default. The next step then corrects
/// at most a hundredth of a millimetre.
const CLOSED: f64 = 1e-6;
const CLOSED_BY_DEFAULT: f64 = 1e-5;

/// Workspace of the position iterations.
#[derive(Debug, Default)]
pub struct Shake {
    /// The state at the end of the step.
    ahead: State,
    /// Its rows.
    moved: Rows,
    /// Number of islands that did not converge in the last step.
    pub(super) failed: usize,
}

impl Shake {
    /// Closes the joints of a solved step.
    pub(crate) fn iterate(&mut self, model: &Model, state: &State, s: &mut Stages) {
        self.failed = 0;
        let (drift, friction) = (model.dt(state), model.settings.contact.friction);
        // unless requested, only where they are needed
        let (rounds, closed, from) = match model.settings.position_iterations {
            Some(rounds) => (rounds, CLOSED, None),
            None => (ROUNDS, CLOSED_BY_DEFAULT, Some(ONSET / drift)),
        };
        if rounds == 0 || !s.rows.holds {
            return;
        }
        let islands = s.solution.islands.iter_mut().zip(&s.solution.stats);
        islands.for_each(|(island, stats)| island.begin_shake(stats, state, from));
        let open = |island: &IslandSolver| island.shake.stage == ShakeStage::Open;
        if !s.solution.islands.iter().any(open) {
            return;
        }
        self.ahead.clone_from(state);
        self.ahead.time = state.time + drift;
        for round in 0..=rounds {
            self.look_ahead(model, state, s);
            let Stages { solution, rows, free, .. } = s;
            let moved = &self.moved;
            if !rows.ends.starts_with(&moved.ends) {
                // a constraint that writes other rows at another pose violates its contract: its gaps cannot be used
                break;
            }
            let kept = 1.0 - drift / model.settings.dt;
            let round = ShakeIteration { rows, moved, drift, kept, closed, friction, last: round == rounds };
            solution.run(rows, state, |island, stats| match open(island) {
                true => island.shake(stats, &round),
                false => stats,
            });
            solution.gather(rows, free, state, model.kick(state));
            if !solution.islands.iter().any(open) {
                break;
            }
        }
        let failed = |island: &&IslandSolver| island.shake.stage == ShakeStage::Failed;
        self.failed = s.solution.islands.iter().filter(failed).count();
    }

    /// The rows of joints at the end of the step.
    fn look_ahead(&mut self, model: &Model, state: &State, s: &mut Stages) {
        let kick = model.kick(state);
        leapfrog::drift(model, state, kick, (&s.free, &s.solution), &[], &mut self.ahead.bodies);
        for group in &s.rows.groups {
            let Some(place) = group.joint() else { break };
            let counted = &mut self.ahead.joints[place].coordinates;
            coordinates_ahead(&s.rows, &s.solution, group, model.dt(state), counted);
        }
        s.joints(model, &self.ahead, &mut self.moved);
    }
}
