//! Numbers ⇄ words of 64 bits: serialisation and hashing of states.
//!
//! Words are little-endian, in stripes of four, so that the hash can be computed incrementally: XXH64 (seed 0) of the
//! bytes. −0 is written as 0, so that equal states have equal words on every machine.

use glam::DVec3;
use thiserror::Error;

/// Words of a stripe. Every group of words is a multiple of it.
pub const STRIPE: usize = 4;

/// Why bytes are not a valid state.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SnapshotError {
    /// The first bytes differ.
    #[error(
        "not a Windlass state (the first bytes are not \"WLSTATE6\"): was it written by another version?"
    )]
    Foreign,
    /// The bytes end early.
    #[error("the state ends at byte {at}, before its announced length: the file is truncated")]
    Short {
        /// Where the bytes ended.
        at: usize,
    },
    /// An invalid number.
    #[error("the value {value} at byte {at} of the state is invalid: the file is damaged")]
    Damaged {
        /// Its position.
        at: usize,
        /// The value found.
        value: u64,
    },
    /// A part of a subsystem that the model does not have, or not in this version.
    #[error("the state has version {version} of \"{key}\", which this model does not have")]
    Unknown {
        /// The key of the subsystem.
        key: String,
        /// The version of its words.
        version: u32,
    },
}

/// The bits of a number; −0 and 0 are the same.
pub fn bits(x: f64) -> u64 {
    (x + 0.0).to_bits()
}

/// Writes words in stripes.
pub struct WordWriter<'a> {
    words: [u64; STRIPE],
    filled: usize,
    each: &'a mut dyn FnMut(&[u64]),
}

impl<'a> WordWriter<'a> {
    /// Passes stripes to `each` as they are full.
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

    /// Ends a list: pads its stripe with zeros.
    pub fn end(&mut self) {
        if self.filled > 0 {
            (self.each)(&self.words);
            (self.words, self.filled) = ([0; STRIPE], 0);
        }
    }
}

/// The group of a list, padded with zeros.
#[inline]
pub(crate) fn list<T>(list: &[T], word: impl Fn(&T) -> u64, each: &mut impl FnMut(&[u64])) {
    for part in list.chunks(STRIPE) {
        let mut group = [0; STRIPE];
        group.iter_mut().zip(part).for_each(|(place, x)| *place = word(x));
        each(&group);
    }
}

/// XXH64 of whole stripes of four words, after Collet's specification.
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

/// Reads words and keeps track of the position.
#[derive(Debug)]
pub struct WordReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> WordReader<'a> {
    /// Reads bytes from a position on.
    pub fn new(bytes: &'a [u8], at: usize) -> WordReader<'a> {
        WordReader { bytes, at }
    }

    /// Its position [bytes].
    pub fn at(&self) -> usize {
        self.at
    }

    /// Upper bound of the number of words left.
    pub(crate) fn room(&self) -> usize {
        (self.bytes.len() - self.at) / 8
    }

    /// The error for a word that no writer writes.
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

    /// A count of items of at least `words` words each, checked against the bytes left.
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
