//! Joints that are closed where a step of `spook` ends, not where it would end along tangents: SHAKE (Ryckaert, Ciccotti &
//! Berendsen 1977).
//!
//!   M̃ (u − v) = κ f + J(q)ᵀ Λ,     q⁺ = q ⊕ h u,     g(q⁺, t + h) = 0
//!
//! Points of a body that turns move on arcs, rows along tangents: a step that solves J(q) u = −g/h + w leaves a gap of
//! ½ h² |ω × (ω × r)|, which the next one closes with a force that takes energy. That solve is the first round of Newton's
//! iteration for the equations above; the rounds here go on with it. Each moves the bodies, finds the gaps there, and asks
//! the rows for as much less (`solve/shake_rows.rs`), with the factor at hand: its J of the start is the right one for forces
//! and wrong by O(h ω) for gaps, so that a round gains a factor of about 1/hω.
//!
//! Forces act along J(q) at an instant whose joints are closed, half of them before it and half after: the scheme is
//! symmetric in time and of second order; its energy swings by O(h² ω²) and has no drift. The stabilisation −g/h stays and
//! sees what the rounds left, a micrometre. Velocities are still those of the half step, square to the chord and not to
//! the arc: `World::inspect` brings them up as ever, and misses r ω by (h ω)²/6.
//!
//! They are made where an island turns fast enough for them to count, or in every step if the settings ask for a number of rounds. All
//! of an island's joints are closed or none: one that was closed half-way gained a tenth of its
//! drop in 10 s with gaps of 1 mm, where the plain step loses. A step in which an island turns too far to be closed is halved
//! (`substeps.rs`); if it cannot be, it goes back to the plain step and is counted.

use super::leapfrog;
use super::remember::coordinates_ahead;
use crate::model::Model;
use crate::model::state::State;
use crate::row::rows::Rows;
use crate::solve::IslandSolver;
use crate::solve::shake_rows::{ShakeIteration, ShakeStage};
use crate::stages::Stages;

/// Rounds at most unless the settings say how many, and the turn in a step [rad] from which they are made: joints would open by ½ 0.01²
/// of their arms.
const ROUNDS: u32 = 8;
const ONSET: f64 = 0.01;

/// Gaps below this are closed [m or rad], where rounds are asked for and where they are not. The next step has a hundredth of a
/// millimetre to close.
const CLOSED: f64 = 1e-6;
const CLOSED_BY_DEFAULT: f64 = 1e-5;

/// Work space of the position iterations.
#[derive(Debug, Default)]
pub struct Shake {
    /// The state where the step would end.
    ahead: State,
    /// Its rows.
    moved: Rows,
    /// How many islands could not be closed in the last step.
    pub(super) failed: usize,
}

impl Shake {
    /// Closes the joints of a solved step.
    pub(crate) fn iterate(&mut self, model: &Model, state: &State, s: &mut Stages) {
        self.failed = 0;
        let (drift, friction) = (model.dt(state), model.settings.contact.friction);
        // unless they are asked for, where they count
        let (rounds, closed, from) = match model.settings.rounds {
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
                // a constraint that writes other rows at another pose breaks its promise: its gaps mean nothing
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

    /// The rows of joints where the step would end.
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
