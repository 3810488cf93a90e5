//! All wheels on soft ground: contacts, rows, and what they leave in the ground.
//!
//! Wheels are independent of each other within a step; what they leave is laid down one wheel after the other, in the order
//! of the model.

use super::model::Earthworks;
use super::rut_deposit::DepositWork;
use super::state::EarthState;
use super::wheel_model::WheelModel;
use super::wheel_state::WheelState;
use super::wheel_step::WheelWork;
use windlass_engine::prelude::{Advance, Contacts, SubsystemRows, View};

/// Buffers.
#[derive(Debug, Default)]
pub(super) struct WheelsWork {
    wheels: Vec<WheelWork>,
    deposit: DepositWork,
}

impl WheelsWork {
    /// Writes the rows of all wheels, one group each.
    pub fn write(
        &mut self,
        works: &Earthworks,
        (view, state): (&View<'_>, &EarthState),
        item: &mut u16,
        out: &mut SubsystemRows<'_>,
    ) {
        self.wheels.resize_with(works.wheels.len(), WheelWork::default);
        for ((wheel, own), work) in works.wheels.iter().zip(&state.wheels).zip(&mut self.wheels) {
            let ground = (&works.grounds[wheel.ground], &state.grounds[wheel.ground]);
            out.group(*item, |out| wheel.write_rows(view, ground, (own, work), out));
            *item += 1;
        }
    }
}

impl Earthworks {
    /// Takes the contacts of wheels with soft ground over.
    pub(super) fn take_over_contacts_of_wheels(
        &self,
        view: &View<'_>,
        state: &EarthState,
        contacts: &mut Contacts,
    ) {
        for wheel in &self.wheels {
            let ground = (&self.grounds[wheel.ground], &state.grounds[wheel.ground]);
            wheel.take_over(view, ground, contacts);
        }
    }

    /// Advances all wheels over a solved step, and lays down what they leave.
    pub(super) fn roll_wheels(
        &self,
        view: &View<'_>,
        step: &Advance<'_>,
        next: &mut EarthState,
        work: &mut WheelsWork,
    ) {
        work.wheels.resize_with(self.wheels.len(), WheelWork::default);
        for ((wheel, state), own) in self.wheels.iter().zip(&mut next.wheels).zip(&mut work.wheels) {
            let (model, ground) = (&self.grounds[wheel.ground], &mut next.grounds[wheel.ground]);
            let end = &step.bodies[wheel.body.index()];
            wheel.advance(view, (end, &step.rows), (model, ground), (state, own));
            for cell in &own.left {
                work.deposit.leave(wheel, model, ground, cell);
            }
        }
    }

    /// The state of a wheel of a new list: that of the one of its name before.
    pub(super) fn kept_wheel(&self, wheel: &WheelModel, state: &EarthState) -> WheelState {
        let mut known = self.wheels.iter().zip(&state.wheels);
        let same = known.find(|(old, _)| {
            let cells = (old.bearable, old.cell, old.exit) == (wheel.bearable, wheel.cell, wheel.exit);
            old.name == wheel.name && old.shape == wheel.shape && cells
        });
        same.map_or_else(WheelState::default, |(_, state)| state.clone())
    }

    /// Why a wheel cannot be used.
    pub(super) fn problem_of_wheel(&self, wheel: &WheelModel, view: &View<'_>) -> Option<&'static str> {
        if view.bodies.list.get(wheel.body).is_none() {
            return Some("its body does not exist: add bodies before wheels");
        }
        if wheel.ground >= self.grounds.len() {
            return Some("its ground does not exist");
        }
        wheel.problem()
    }
}
