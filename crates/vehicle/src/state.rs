//! State of vehicles: memories of components, pumps and valves, commands of steering, wheels, and modes of rows.

use crate::driveline::Memory;
use crate::hydraulics::{PumpState, Section, SectionState};
use crate::steered::{Steering, SteeringState};
use crate::vehicle::Vehicle;
use crate::wheel::{WheelState, mode_number, mode_of};
use windlass_engine::prelude::{BoundMode, StatePart};
use windlass_engine::words::{SnapshotError, WordReader, WordWriter};

/// State of one vehicle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VehicleState {
    /// Memories of the components.
    pub components: Vec<Memory>,
    /// The pumps of the circuits.
    pub pumps: Vec<PumpState>,
    /// The sections of all circuits, in their order.
    pub sections: Vec<SectionState>,
    /// The wheels.
    pub wheels: Vec<WheelState>,
    /// Modes of the rows of components, circuits and steering at the end of the last step.
    pub modes: Vec<BoundMode>,
    /// The steering.
    pub steering: SteeringState,
    /// Distance driven [m].
    pub odometer: f64,
}

impl VehicleState {
    /// That of a vehicle at the start.
    pub fn new(vehicle: &Vehicle) -> VehicleState {
        VehicleState {
            components: vehicle.components.iter().map(|(_, c)| c.initial()).collect(),
            pumps: vec![PumpState::default(); vehicle.circuits.len()],
            sections: vehicle.sections().map(Section::initial).collect(),
            wheels: vec![WheelState::default(); vehicle.wheels.len()],
            modes: vec![BoundMode::default(); vehicle.row_count()],
            steering: vehicle.steering.as_ref().map_or_else(SteeringState::default, Steering::initial),
            odometer: 0.0,
        }
    }

    /// Whether it belongs to a vehicle.
    pub fn fits(&self, vehicle: &Vehicle) -> bool {
        self.components.len() == vehicle.components.len()
            && self.pumps.len() == vehicle.circuits.len()
            && self.sections.len() == vehicle.sections().count()
            && self.wheels.len() == vehicle.wheels.len()
            && self.modes.len() == vehicle.row_count()
    }

    /// Whether all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        let components = self.components.iter().flat_map(Memory::numbers);
        let wheels = self.wheels.iter().flat_map(WheelState::numbers);
        let pumps = self.pumps.iter().flat_map(PumpState::numbers);
        let sections = self.sections.iter().flat_map(SectionState::numbers);
        let SteeringState { command, weights: [crab, pivot] } = self.steering;
        let more = [command, crab, pivot, self.odometer].into_iter();
        components.chain(pumps).chain(sections).chain(wheels).chain(more).all(f64::is_finite)
    }
}

/// States of all vehicles, in the order of the list.
#[derive(Debug, Default, PartialEq)]
pub struct VehiclesState(pub Vec<VehicleState>);

// Written out so that copying over a state of the same vehicles does not allocate.
impl Clone for VehiclesState {
    fn clone(&self) -> VehiclesState {
        VehiclesState(self.0.clone())
    }

    fn clone_from(&mut self, other: &VehiclesState) {
        self.0.resize_with(other.0.len(), VehicleState::default);
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            own.components.clone_from(&other.components);
            own.pumps.clone_from(&other.pumps);
            own.sections.clone_from(&other.sections);
            own.wheels.clone_from(&other.wheels);
            own.modes.clone_from(&other.modes);
            (own.steering, own.odometer) = (other.steering, other.odometer);
        }
    }
}

/// Number of vehicles; of each the numbers of components, pumps, sections, wheels and modes, four numbers, and the items.
impl StatePart for VehiclesState {
    fn write(&self, out: &mut WordWriter<'_>) {
        out.integers(&[self.0.len() as u64]);
        out.end();
        for vehicle in &self.0 {
            let counts = [
                vehicle.components.len(),
                vehicle.pumps.len(),
                vehicle.sections.len(),
                vehicle.wheels.len(),
                vehicle.modes.len(),
            ];
            out.integers(&counts.map(|count| count as u64));
            out.end();
            let SteeringState { command, weights: [crab, pivot] } = vehicle.steering;
            out.numbers(&[command, crab, pivot, vehicle.odometer]);
            vehicle.components.iter().for_each(|memory| out.numbers(&memory.numbers()));
            vehicle.pumps.iter().for_each(|pump| out.numbers(&pump.numbers()));
            vehicle.sections.iter().for_each(|section| out.numbers(&section.numbers()));
            vehicle.wheels.iter().for_each(|wheel| out.numbers(&wheel.numbers()));
            vehicle.modes.iter().for_each(|mode| out.numbers(&[mode_number(*mode)]));
            out.end();
        }
    }

    fn read(words: &mut WordReader<'_>) -> Result<VehiclesState, SnapshotError> {
        // a vehicle without items has five counts and four numbers
        let count = words.length(9)?;
        words.zeros(1)?;
        let mut all = Vec::new();
        for _ in 0..count {
            let components = words.length(Memory::NUMBERS)?;
            let pumps = words.length(PumpState::NUMBERS)?;
            let sections = words.length(SectionState::NUMBERS)?;
            let wheels = words.length(WheelState::NUMBERS)?;
            let modes = words.length(1)?;
            words.zeros(5)?;
            let [command, crab, pivot, odometer] = numbers(words)?;
            let steering = SteeringState { command, weights: [crab, pivot] };
            let mut vehicle = VehicleState { steering, odometer, ..VehicleState::default() };
            for _ in 0..components {
                vehicle.components.push(Memory::from_numbers(numbers(words)?));
            }
            for _ in 0..pumps {
                vehicle.pumps.push(PumpState::from_numbers(numbers(words)?));
            }
            for _ in 0..sections {
                vehicle.sections.push(SectionState::from_numbers(numbers(words)?));
            }
            for _ in 0..wheels {
                vehicle.wheels.push(WheelState::from_numbers(numbers(words)?));
            }
            for _ in 0..modes {
                vehicle.modes.push(mode_of(words.number()?));
            }
            let hydraulics = pumps * PumpState::NUMBERS + sections * SectionState::NUMBERS;
            let others = components * Memory::NUMBERS + wheels * WheelState::NUMBERS + modes;
            words.zeros(4 + hydraulics + others)?;
            all.push(vehicle);
        }
        Ok(VehiclesState(all))
    }
}

fn numbers<const N: usize>(words: &mut WordReader<'_>) -> Result<[f64; N], SnapshotError> {
    let mut numbers = [0.0; N];
    for number in &mut numbers {
        *number = words.number()?;
    }
    Ok(numbers)
}
