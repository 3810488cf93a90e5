//! Kinetic, potential and elastic energy of a cable.

use crate::band_matrix::Band;
use crate::cable::MassPointCable;
use crate::state::MassPointState;
use crate::system::System;
use glam::DVec3;
use windlass_engine::energy::Energy;
use windlass_engine::slots::Slots;
use windlass_engine::subsystem::View;

/// Energies of all cables at the stored velocities.
pub(crate) fn of(view: &View<'_>, cables: &Slots<MassPointCable>, states: &[MassPointState]) -> Energy {
    let mut sum = Energy::default();
    for (place, cable) in cables.iter() {
        let s = &states[place];
        add(&mut sum, (view, cable), s, (&s.velocities, &s.velocities, 0.0));
    }
    sum
}

/// Adds the energies of a cable whose velocity is v₀ + part (v₁ − v₀). Plastic work is dissipated, not stored.
pub(super) fn add(
    energy: &mut Energy,
    (view, cable): (&View<'_>, &MassPointCable),
    state: &MassPointState,
    (before, after, part): (&[DVec3], &[DVec3], f64),
) {
    for i in 0..before.len() {
        let v = before[i] + (after[i] - before[i]) * part;
        energy.kinetic += 0.5 * cable.mass(i) * v.length_squared();
    }
    let still = System {
        cable,
        gravity: view.settings.gravity,
        h: 1.0,
        kick: 1.0,
        start: &state.positions,
        before: &state.velocities,
        bends: &state.bends,
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
