//! State ⇄ bytes, and its hash. Exact: what comes back goes on to the bit.
//!
//! Little-endian, in the order of the fields; the first eight bytes name the format. The hash is 64-bit FNV-1a over
//! these bytes with −0 written as 0, so it is the same on every machine.

use super::state::{BodyState, JointState, Mode, State};
use super::twist::Wrench;
use glam::{DQuat, DVec3};
use thiserror::Error;

/// Names the format and its version.
const MAGIC: &[u8; 8] = b"WLSTATE1";

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
        let mut out = Vec::with_capacity(64 + 200 * self.bodies.len());
        out.extend_from_slice(MAGIC);
        put(&mut out, &[self.time, self.lag, self.pace]);
        count(&mut out, self.step as usize);
        count(&mut out, self.bodies.len());
        for b in &self.bodies {
            put(&mut out, &b.numbers());
            put(&mut out, &[b.still]);
            put(&mut out, &b.load.force.to_array());
            put(&mut out, &b.load.torque.to_array());
            put(&mut out, &b.held.to_array());
            out.push(b.asleep as u8);
        }
        count(&mut out, self.joints.len());
        for j in &self.joints {
            out.push(j.broken as u8);
            for list in [&j.forces, &j.coordinates] {
                count(&mut out, list.len());
                put(&mut out, list);
            }
            count(&mut out, j.modes.len());
            out.extend(j.modes.iter().map(|m| *m as u8));
        }
        out
    }

    /// The state of bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<State, SnapshotError> {
        if bytes.get(..8) != Some(MAGIC) {
            return Err(SnapshotError::Foreign);
        }
        let mut r = Reader { bytes, at: 8 };
        let mut state = State { time: r.number()?, lag: r.number()?, pace: r.number()?, ..State::default() };
        state.step = r.integer()?;
        for _ in 0..r.length(23 * 8)? {
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
        self.to_bytes()
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3))
    }
}

fn put(out: &mut Vec<u8>, numbers: &[f64]) {
    for x in numbers {
        // −0 and 0 are one number
        out.extend_from_slice(&(x + 0.0).to_le_bytes());
    }
}

fn count(out: &mut Vec<u8>, n: usize) {
    out.extend_from_slice(&(n as u64).to_le_bytes());
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
