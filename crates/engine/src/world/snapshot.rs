//! State ⇄ bytes, and its hash. Exact: what comes back goes on to the bit.
//!
//! Little-endian, in the order of the fields; the first eight bytes name the format. The hash is XXH3 (64 bits, seed 0)
//! over these bytes with −0 written as 0, so it is the same on every machine. XXH3 because recordings hash every step:
//! a hash byte by byte took half as long as a step.

use super::state::{BodyState, JointState, Mode, State};
use super::twist::Wrench;
use glam::{DQuat, DVec3};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

/// Names the format and its version.
const MAGIC: &[u8; 8] = b"WLSTATE1";
/// Bytes of a body: 23 numbers and a flag.
const BODY: usize = 23 * 8 + 1;

/// Why bytes are not a state.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SnapshotError {
    /// The first bytes are others.
    #[error(
        "not a Windlass state (the first eight bytes are not \"WLSTATE1\"): was it written by another version?"
    )]
    Foreign,
    /// The bytes end early.
    #[error("the state ends at byte {at}, where more was announced: the file is cut off")]
    Short {
        /// Where the bytes ended.
        at: usize,
    },
    /// A number that cannot be.
    #[error("byte {at} of the state is {value}, which no writer writes: the file is damaged")]
    Damaged {
        /// Where it is.
        at: usize,
        /// What was found.
        value: u64,
    },
}

impl State {
    /// The state as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write_bytes(&mut out);
        out
    }

    /// Makes `out` the state's bytes, in the memory it has: for those who write often.
    pub fn write_bytes(&self, out: &mut Vec<u8>) {
        out.resize(self.size(), 0);
        let mut pen = Pen { rest: out };
        pen.bytes(MAGIC);
        pen.numbers(&[self.time, self.lag, self.pace]);
        pen.integer(self.step);
        pen.integer(self.bodies.len() as u64);
        for b in &self.bodies {
            pen.numbers(&b.numbers());
            pen.numbers(&[b.still]);
            pen.numbers(&b.load.force.to_array());
            pen.numbers(&b.load.torque.to_array());
            pen.numbers(&b.held.to_array());
            pen.bytes(&[b.asleep as u8]);
        }
        pen.integer(self.joints.len() as u64);
        for j in &self.joints {
            pen.bytes(&[j.broken as u8]);
            for list in [&j.forces, &j.coordinates] {
                pen.integer(list.len() as u64);
                pen.numbers(list);
            }
            pen.integer(j.modes.len() as u64);
            j.modes.iter().for_each(|m| pen.bytes(&[*m as u8]));
        }
    }

    /// How many bytes it takes.
    fn size(&self) -> usize {
        let joint = |j: &JointState| 25 + 8 * (j.forces.len() + j.coordinates.len()) + j.modes.len();
        56 + BODY * self.bodies.len() + self.joints.iter().map(joint).sum::<usize>()
    }

    /// The state of bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<State, SnapshotError> {
        if bytes.get(..8) != Some(MAGIC) {
            return Err(SnapshotError::Foreign);
        }
        let mut r = Reader { bytes, at: 8 };
        let mut state = State { time: r.number()?, lag: r.number()?, pace: r.number()?, ..State::default() };
        state.step = r.integer()?;
        for _ in 0..r.length(BODY)? {
            state.bodies.push(r.body()?);
        }
        for _ in 0..r.length(1)? {
            let broken = r.flag(1)? == 1;
            let forces = r.numbers()?;
            let coordinates = r.numbers()?;
            let length = r.length(1)?;
            let modes = (0..length).map(|_| r.mode()).collect::<Result<_, _>>()?;
            state.joints.push(JointState { broken, forces, modes, coordinates });
        }
        if r.at != bytes.len() {
            return Err(SnapshotError::Damaged { at: r.at, value: u64::from(bytes[r.at]) });
        }
        Ok(state)
    }

    /// A number that differs, for all practical purposes, whenever any bit of the state differs.
    pub fn hash(&self) -> u64 {
        hash(&self.to_bytes())
    }
}

/// The hash of the state that these bytes are.
pub fn hash(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// Writes into memory of the right size.
struct Pen<'a> {
    rest: &'a mut [u8],
}

impl Pen<'_> {
    fn take(&mut self, size: usize) -> &mut [u8] {
        let (head, rest) = std::mem::take(&mut self.rest).split_at_mut(size);
        self.rest = rest;
        head
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.take(bytes.len()).copy_from_slice(bytes);
    }

    fn integer(&mut self, n: u64) {
        self.bytes(&n.to_le_bytes());
    }

    fn numbers(&mut self, numbers: &[f64]) {
        for (place, x) in self.take(8 * numbers.len()).chunks_exact_mut(8).zip(numbers) {
            // −0 and 0 are one number
            place.copy_from_slice(&(x + 0.0).to_le_bytes());
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], SnapshotError> {
        let slice =
            self.bytes.get(self.at..self.at + N).ok_or(SnapshotError::Short { at: self.bytes.len() })?;
        self.at += N;
        Ok(slice.try_into().expect("N bytes were taken"))
    }

    fn integer(&mut self) -> Result<u64, SnapshotError> {
        Ok(u64::from_le_bytes(self.take()?))
    }

    fn number(&mut self) -> Result<f64, SnapshotError> {
        Ok(f64::from_le_bytes(self.take()?))
    }

    /// A count of things of at least `size` bytes, checked against the bytes there are.
    fn length(&mut self, size: usize) -> Result<usize, SnapshotError> {
        let n = self.integer()?;
        let room = (self.bytes.len() - self.at) / size;
        if n > room as u64 { Err(SnapshotError::Short { at: self.bytes.len() }) } else { Ok(n as usize) }
    }

    fn numbers(&mut self) -> Result<Vec<f64>, SnapshotError> {
        let length = self.length(8)?;
        (0..length).map(|_| self.number()).collect()
    }

    fn flag(&mut self, largest: u8) -> Result<u8, SnapshotError> {
        let [b] = self.take()?;
        if b > largest { Err(SnapshotError::Damaged { at: self.at - 1, value: b.into() }) } else { Ok(b) }
    }

    fn mode(&mut self) -> Result<Mode, SnapshotError> {
        Ok([Mode::Between, Mode::Low, Mode::High][self.flag(2)? as usize])
    }

    fn vector(&mut self) -> Result<DVec3, SnapshotError> {
        Ok(DVec3::new(self.number()?, self.number()?, self.number()?))
    }

    fn body(&mut self) -> Result<BodyState, SnapshotError> {
        let position = self.vector()?;
        let q = [self.number()?, self.number()?, self.number()?, self.number()?];
        Ok(BodyState {
            position,
            attitude: DQuat::from_array(q),
            velocity: self.vector()?,
            spin: self.vector()?,
            still: self.number()?,
            load: Wrench { force: self.vector()?, torque: self.vector()? },
            held: self.vector()?,
            asleep: self.flag(1)? == 1,
        })
    }
}
