//! Kinetic, potential and elastic energy of a strand.

use super::band::Band;
use super::system::System;
use super::{Strand, StrandState};
use crate::model::Model;
use crate::model::state::State;
use crate::report::Energy;
use glam::DVec3;

/// Energies of all strands of a state, velocities as they stand.
pub(crate) fn of(model: &Model, state: &State) -> Energy {
    let mut sum = Energy::default();
    for (place, strand) in model.strands.iter() {
        let s = &state.strands[place];
        add(&mut sum, (model, strand), s, (&s.velocities, &s.velocities, 0.0));
    }
    sum
}

/// Adds the energies of a strand whose velocity is v₀ + part (v₁ − v₀). What bends have kept is spent, not stored.
pub(super) fn add(
    energy: &mut Energy,
    (model, strand): (&Model, &Strand),
    state: &StrandState,
    (before, after, part): (&[DVec3], &[DVec3], f64),
) {
    for i in 0..before.len() {
        let v = before[i] + (after[i] - before[i]) * part;
        energy.kinetic += 0.5 * strand.mass(i) * v.length_squared();
    }
    let still = System {
        strand,
        gravity: model.settings.gravity,
        h: 1.0,
        kick: 1.0,
        start: &state.positions,
        before: &state.velocities,
        sets: &state.sets,
        stiff: &[],
        turns: &[],
        held: &[],
        contacts: &[],
        damping: &Band::default(),
    };
    let (elastic, weight) = still.stored(&state.positions);
    energy.elastic += elastic;
    energy.potential += weight;
}
