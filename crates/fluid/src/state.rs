//! State of bodies and elements of cables in fluids: what the momentum that they carry refers to.

use glam::DVec3;
use windlass_engine::prelude::{StatePart, Twist};
use windlass_engine::words::{SnapshotError, WordReader, WordWriter};

/// Of a memory.
const NUMBERS: usize = 16;

/// What a body in a fluid has from the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    /// Factor of its added mass, for an element of a cable the displaced mass [kg]; −1 before the first step.
    pub amount: f64,
    /// Velocity of the fluid [m/s].
    pub stream: DVec3,
    /// Centre of the immersed volume that has this velocity, body axes from the centre of mass [m].
    pub center: DVec3,
    /// Force of constraints on it [N].
    pub constraint_force: DVec3,
    /// Solved velocities relative to the stored ones.
    pub shift: Twist,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory {
            amount: -1.0,
            stream: DVec3::ZERO,
            center: DVec3::ZERO,
            constraint_force: DVec3::ZERO,
            shift: Twist::default(),
        }
    }
}

impl Memory {
    fn numbers(&self) -> [f64; NUMBERS] {
        let Twist { velocity, angular_velocity } = self.shift;
        let mut numbers = [self.amount; NUMBERS];
        let vectors = [self.stream, self.center, self.constraint_force, velocity, angular_velocity];
        for (place, vector) in numbers[1..].chunks_exact_mut(3).zip(vectors) {
            vector.write_to_slice(place);
        }
        numbers
    }

    /// Whether its numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.numbers().iter().all(|x| x.is_finite())
    }
}

/// The memories of all bodies in fluids, in the order of their list; then those of the elements of cables, in theirs.
#[derive(Debug, Default, PartialEq)]
pub struct FluidState(pub Vec<Memory>);

impl Clone for FluidState {
    fn clone(&self) -> FluidState {
        FluidState(self.0.clone())
    }

    fn clone_from(&mut self, other: &FluidState) {
        self.0.clone_from(&other.0);
    }
}

/// Number of bodies and elements; then 16 numbers each.
impl StatePart for FluidState {
    fn write(&self, out: &mut WordWriter<'_>) {
        out.integers(&[self.0.len() as u64]);
        out.end();
        for memory in &self.0 {
            out.numbers(&memory.numbers());
        }
        out.end();
    }

    fn read(words: &mut WordReader<'_>) -> Result<FluidState, SnapshotError> {
        let count = words.length(NUMBERS)?;
        words.zeros(1)?;
        let mut all = Vec::new();
        for _ in 0..count {
            let amount = words.number()?;
            let (stream, center, constraint_force) = (words.vector()?, words.vector()?, words.vector()?);
            let shift = Twist { velocity: words.vector()?, angular_velocity: words.vector()? };
            all.push(Memory { amount, stream, center, constraint_force, shift });
        }
        words.zeros(NUMBERS * count)?;
        Ok(FluidState(all))
    }
}
