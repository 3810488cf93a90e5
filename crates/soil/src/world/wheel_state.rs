//! State of a wheel on soft ground.

use crate::wheel::Memory;
use glam::DVec3;
use windlass_engine::prelude::{BoundMode, StatePart};
use windlass_engine::words::{SnapshotError, WordReader, WordWriter};

/// Rows of a contact with soft ground.
pub const CONTACT_ROWS: usize = 5;

/// What a wheel keeps from step to step.
#[derive(Debug, Default, PartialEq)]
pub struct WheelState {
    /// Ground under its contact, and shear displacement of its surface.
    pub memory: Memory,
    /// Whether it travels against its model's direction.
    pub reversed: bool,
    /// Distance that it has moved back from its foremost position [m].
    pub back: f64,
    /// Lowest point at the end of the last step [m].
    pub foot: DVec3,
    /// Direction ahead then.
    pub ahead: DVec3,
    /// Modes of its rows.
    pub modes: [BoundMode; CONTACT_ROWS],
    /// Depth of the lowest point below the original surface [m].
    pub sinkage: f64,
    /// Slip i from −1 to 1: 1 − v/rω while driving, rω/v − 1 while braking.
    pub slip: f64,
    /// Vertical force of the ground [N].
    pub load: f64,
    /// Resistance of the pressure R [N].
    pub resistance: f64,
    /// Force of the ground in the direction of travel, thrust less resistance [N].
    pub drawbar: f64,
    /// Force across, to the left [N].
    pub side: f64,
    /// Torque of the ground against the drive [N·m].
    pub torque: f64,
}

impl Clone for WheelState {
    fn clone(&self) -> WheelState {
        let mut copy = WheelState::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &WheelState) {
        self.memory.clone_from(&other.memory);
        (self.reversed, self.back, self.modes) = (other.reversed, other.back, other.modes);
        (self.foot, self.ahead) = (other.foot, other.ahead);
        self.set_numbers(other.numbers());
    }
}

impl WheelState {
    fn numbers(&self) -> [f64; 7] {
        [self.sinkage, self.slip, self.load, self.resistance, self.drawbar, self.side, self.torque]
    }

    fn set_numbers(&mut self, numbers: [f64; 7]) {
        [self.sinkage, self.slip, self.load, self.resistance, self.drawbar, self.side, self.torque] = numbers;
    }

    /// Leaves the ground: what it knew of it is in the ruts.
    pub(super) fn lift(&mut self) {
        // its buffers stay
        self.clone_from(&WheelState::default());
    }

    /// Whether it knows the ground under it.
    pub(super) fn is_down(&self) -> bool {
        self.memory.ground.spacing() > 0.0
    }

    /// Whether all its numbers are finite.
    pub(super) fn is_sound(&self) -> bool {
        let memory = &self.memory;
        let places =
            memory.ground.iter().map(|(_, place)| place.datum + place.rut.depth + place.rut.pressure);
        let shears = memory.surface.iter().map(|(_, j)| j.x + j.y);
        let own = self.numbers().into_iter().chain([self.back]).chain(self.foot.to_array());
        let own = own.chain(self.ahead.to_array());
        own.chain(places).chain(shears).all(f64::is_finite)
    }
}

impl StatePart for WheelState {
    fn write(&self, out: &mut WordWriter<'_>) {
        self.memory.write(out);
        out.integers(&[u64::from(self.reversed)]);
        self.modes.iter().for_each(|mode| out.integers(&[number(*mode)]));
        out.numbers(&[self.back]);
        out.vector(self.foot);
        out.vector(self.ahead);
        out.numbers(&self.numbers());
        out.end();
    }

    fn read(words: &mut WordReader<'_>) -> Result<WheelState, SnapshotError> {
        let mut state = WheelState { memory: Memory::read(words)?, ..WheelState::default() };
        state.reversed = words.below(2)? == 1;
        for mode in &mut state.modes {
            *mode = mode_of(words.below(4)?);
        }
        state.back = words.number()?;
        (state.foot, state.ahead) = (words.vector()?, words.vector()?);
        let mut numbers = [0.0; 7];
        for number in &mut numbers {
            *number = words.number()?;
        }
        state.set_numbers(numbers);
        words.zeros(1 + CONTACT_ROWS + 1 + 6 + 7)?;
        Ok(state)
    }
}

/// A mode as a number in a state.
pub(super) fn number(mode: BoundMode) -> u64 {
    match mode {
        BoundMode::Between => 0,
        BoundMode::Low => 1,
        BoundMode::High => 2,
        BoundMode::Stop => 3,
    }
}

/// The mode of a number.
pub(super) fn mode_of(number: u64) -> BoundMode {
    match number {
        1 => BoundMode::Low,
        2 => BoundMode::High,
        3 => BoundMode::Stop,
        _ => BoundMode::Between,
    }
}
