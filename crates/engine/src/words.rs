//! Numbers ⇄ words of 64 bits: what states are written in and hashed by.
//!
//! Words are little-endian, in stripes of four, so that the hash can be made of them as they come: XXH64 (seed 0) of the bytes.
//! −0 is written as 0, so that equal states have equal words on every machine.

use glam::DVec3;
use thiserror::Error;

/// Words of a stripe. Every group of words is a multiple of it.
pub const STRIPE: usize = 4;

/// Why bytes are not a state.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SnapshotError {
    /// The first bytes are others.
    #[error(
        "not a Windlass state (the first bytes are not \"WLSTATE6\"): was it written by another version?"
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
    /// A part of a subsystem that the model does not have, or not in this version.
    #[error("the state has version {version} of \"{key}\", which this model does not have")]
    Unknown {
        /// The kind of subsystem.
        key: String,
        /// The version of its words.
        version: u32,
    },
}

/// The bits of a number; −0 and 0 are one number.
pub fn bits(x: f64) -> u64 {
    (x + 0.0).to_bits()
}

/// Words on their way into stripes.
pub struct WordWriter<'a> {
    words: [u64; STRIPE],
    filled: usize,
    each: &'a mut dyn FnMut(&[u64]),
}

impl<'a> WordWriter<'a> {
    /// Hands out stripes as they are full.
    pub fn new(each: &'a mut dyn FnMut(&[u64])) -> WordWriter<'a> {
        WordWriter { words: [0; STRIPE], filled: 0, each }
    }

    /// Writes integers.
    pub fn integers(&mut self, integers: &[u64]) {
        for word in integers {
            self.words[self.filled] = *word;
            self.filled += 1;
            if self.filled == STRIPE {
                self.end();
            }
        }
    }

    /// Writes numbers.
    pub fn numbers(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|x| self.integers(&[bits(*x)]));
    }

    /// Writes a vector.
    pub fn vector(&mut self, v: DVec3) {
        self.numbers(&v.to_array());
    }

    /// Ends a list: what is left of its stripe is zero.
    pub fn end(&mut self) {
        if self.filled > 0 {
            (self.each)(&self.words);
            (self.words, self.filled) = ([0; STRIPE], 0);
        }
    }
}

/// The group of a list, filled up with zeros.
#[inline]
pub(crate) fn list<T>(list: &[T], word: impl Fn(&T) -> u64, each: &mut impl FnMut(&[u64])) {
    for part in list.chunks(STRIPE) {
        let mut group = [0; STRIPE];
        group.iter_mut().zip(part).for_each(|(place, x)| *place = word(x));
        each(&group);
    }
}

/// XXH64 of whole stripes of four words, as Collet's specification has it.
pub(crate) struct Hash {
    lanes: [u64; STRIPE],
    words: u64,
}

/// The primes of XXH64.
const P: [u64; 4] =
    [0x9e37_79b1_85eb_ca87, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9, 0x85eb_ca77_c2b2_ae63];

impl Default for Hash {
    fn default() -> Hash {
        Hash { lanes: [P[0].wrapping_add(P[1]), P[1], 0, 0u64.wrapping_sub(P[0])], words: 0 }
    }
}

impl Hash {
    #[inline]
    pub(crate) fn take(&mut self, words: &[u64]) {
        for stripe in words.chunks_exact(STRIPE) {
            for (lane, word) in self.lanes.iter_mut().zip(stripe) {
                *lane = round(*lane, *word);
            }
        }
        self.words += words.len() as u64;
    }

    pub(crate) fn finish(self) -> u64 {
        let turns = [1, 7, 12, 18];
        let sum = self.lanes.iter().zip(turns).map(|(lane, turn)| lane.rotate_left(turn));
        let mut h = sum.fold(0, u64::wrapping_add);
        for lane in self.lanes {
            h = (h ^ round(0, lane)).wrapping_mul(P[0]).wrapping_add(P[3]);
        }
        h = h.wrapping_add(8 * self.words);
        h = (h ^ (h >> 33)).wrapping_mul(P[1]);
        h = (h ^ (h >> 29)).wrapping_mul(P[2]);
        h ^ (h >> 32)
    }
}

#[inline]
fn round(lane: u64, word: u64) -> u64 {
    lane.wrapping_add(word.wrapping_mul(P[1])).rotate_left(31).wrapping_mul(P[0])
}

/// Words on their way back, with the place of what is read.
#[derive(Debug)]
pub struct WordReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> WordReader<'a> {
    /// Reads bytes from a place on.
    pub fn new(bytes: &'a [u8], at: usize) -> WordReader<'a> {
        WordReader { bytes, at }
    }

    /// Where it is [bytes].
    pub fn at(&self) -> usize {
        self.at
    }

    /// How many words are left at most.
    pub(crate) fn room(&self) -> usize {
        (self.bytes.len() - self.at) / 8
    }

    /// A word that no writer writes.
    pub fn damaged(&self, value: u64) -> SnapshotError {
        SnapshotError::Damaged { at: self.at - 8, value }
    }

    /// An integer.
    pub fn integer(&mut self) -> Result<u64, SnapshotError> {
        let word =
            self.bytes.get(self.at..self.at + 8).ok_or(SnapshotError::Short { at: self.bytes.len() })?;
        self.at += 8;
        Ok(u64::from_le_bytes(word.try_into().expect("8 bytes were taken")))
    }

    /// A number.
    pub fn number(&mut self) -> Result<f64, SnapshotError> {
        Ok(f64::from_bits(self.integer()?))
    }

    /// An integer below a bound.
    pub fn below(&mut self, bound: u64) -> Result<u64, SnapshotError> {
        let value = self.integer()?;
        if value < bound { Ok(value) } else { Err(SnapshotError::Damaged { at: self.at - 8, value }) }
    }

    /// A count of things of at least some words, checked against the bytes there are.
    pub fn length(&mut self, words: usize) -> Result<usize, SnapshotError> {
        let n = self.integer()?;
        let room = (self.bytes.len() - self.at) / (8 * words);
        if n > room as u64 { Err(SnapshotError::Short { at: self.bytes.len() }) } else { Ok(n as usize) }
    }

    /// A list of a known length, and the zeros after it.
    pub fn list<T>(
        &mut self,
        length: usize,
        one: impl Fn(&mut Self) -> Result<T, SnapshotError>,
    ) -> Result<Vec<T>, SnapshotError> {
        let list = (0..length).map(|_| one(self)).collect::<Result<_, _>>()?;
        for _ in length..length.next_multiple_of(STRIPE) {
            self.below(1)?;
        }
        Ok(list)
    }

    /// A vector.
    pub fn vector(&mut self) -> Result<DVec3, SnapshotError> {
        Ok(DVec3::new(self.number()?, self.number()?, self.number()?))
    }

    /// The zeros after a list of so many words.
    pub fn zeros(&mut self, words: usize) -> Result<(), SnapshotError> {
        (words..words.next_multiple_of(STRIPE)).try_for_each(|_| self.below(1).map(drop))
    }
}
