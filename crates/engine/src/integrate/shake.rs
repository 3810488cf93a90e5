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
//! It must be asked for, and close all of an island's joints or none: one that was closed half-way gained a tenth of its
//! drop in 10 s with gaps of 1 mm, where the plain step loses. An island that turns too far in a step to be closed goes
//! back to the plain step and is counted.

use super::leapfrog as spook;
use crate::model::Model;
use crate::model::state::State;
use crate::solve::IslandSolver;
use crate::solve::shake_rows::{ShakeIteration, ShakeStage};
use crate::stages as hook;
use crate::workspace::Scratch;

/// Closes the joints of a solved step. Returns how many islands could not be closed.
pub fn close(model: &Model, state: &mut State, kick: f64, s: &mut Scratch) -> usize {
    let (drift, rounds, friction) =
        (model.settings.dt, model.settings.rounds, model.settings.contact.friction);
    if rounds == 0 || !s.rows.holds {
        return 0;
    }
    let islands = s.solution.islands.iter_mut().zip(&s.solution.stats);
    islands.for_each(|(island, effort)| island.begin_shake(effort, state));
    let open = |island: &IslandSolver| island.shake.stage == ShakeStage::Open;
    for round in 0..=rounds {
        look_ahead(model, state, kick, s);
        let Scratch { solution, rows, moved, free, .. } = s;
        if !rows.ends.starts_with(&moved.ends) {
            // a constraint that writes other rows at another pose breaks its promise: its gaps mean nothing
            break;
        }
        let round = ShakeIteration { rows, moved, drift, friction, last: round == rounds };
        solution.run(rows, state, |island, effort| match open(island) {
            true => island.shake(effort, &round),
            false => effort,
        });
        solution.gather(rows, free, state, kick);
        if !solution.islands.iter().any(open) {
            break;
        }
    }
    s.solution.islands.iter().filter(|island| island.shake.stage == ShakeStage::Failed).count()
}

/// The rows of joints where the step would end, into `s.moved`.
fn look_ahead(model: &Model, state: &mut State, kick: f64, s: &mut Scratch) {
    let now = state.time;
    spook::drift(model, state, kick, (&s.free, &s.solution), &mut s.next);
    std::mem::swap(&mut state.bodies, &mut s.next);
    std::mem::swap(&mut s.rows, &mut s.moved);
    state.time = now + model.settings.dt;
    hook::rows(model, state, s);
    state.time = now;
    std::mem::swap(&mut s.rows, &mut s.moved);
    std::mem::swap(&mut state.bodies, &mut s.next);
}
