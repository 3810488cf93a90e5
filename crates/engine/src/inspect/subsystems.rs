//! Queries of subsystems: quantities by their paths, energies, drawings.

use crate::energy::Energy;
use crate::model::Model;
use crate::model::state::State;
use crate::subsystem::{Drawing, Kind, Quantity};
use crate::world::World;

/// Identifies a quantity of a subsystem in a model that is not edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuantityId {
    kind: usize,
    number: usize,
}

impl World {
    /// The quantities of all subsystems with the keys of their kinds, in a fixed order.
    pub fn quantities(&self) -> Vec<(&'static str, QuantityId, Quantity)> {
        let kinds = self.model.subsystems.iter().enumerate();
        let of = |(kind, subsystem): (usize, &dyn Kind)| {
            let (key, all) = (subsystem.key(), subsystem.quantities());
            let named = all.into_iter().enumerate();
            named
                .map(move |(number, quantity)| (key, QuantityId { kind, number }, quantity))
                .collect::<Vec<_>>()
        };
        kinds.flat_map(of).collect()
    }

    /// The present value of a quantity; NaN if it was removed.
    pub fn read_quantity(&self, id: QuantityId) -> f64 {
        let view = self.model.view(&self.state);
        let kind = self.model.subsystems.iter().zip(&self.state.parts).nth(id.kind);
        kind.map_or(f64::NAN, |(kind, part)| kind.read(&view, part, id.number))
    }

    /// Visuals of all subsystems.
    pub fn drawings(&self) -> Vec<Drawing> {
        let view = self.model.view(&self.state);
        let kinds = self.model.subsystems.iter().zip(&self.state.parts);
        kinds.flat_map(|(kind, part)| kind.drawings(&view, part)).collect()
    }
}

/// Energies of all kinds at a state, with the stored velocities.
pub(crate) fn energy(model: &Model, state: &State) -> Energy {
    let view = model.view(state);
    let energies = model.subsystems.iter().zip(&state.parts).map(|(kind, part)| kind.energy(&view, part));
    energies.fold(Energy::default(), Energy::plus)
}
