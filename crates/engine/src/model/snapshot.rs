//! State ⇄ bytes, and its hash. Exact: what comes back goes on to the bit.
//!
//! The bytes are little-endian words of 64 bits in groups of a multiple of four, so that the hash can be made of them
//! as they come: it is XXH64 (seed 0) of the bytes. −0 is written as 0, so it is the same on every machine.
//!
//! ```text
//!  head    "WLSTATE6", time, lag, pace, step, number of bodies, of joints, of contacts, of strands, of inputs, 0, 0
//!  body    x y z, quaternion x y z w, v (3), ω (3), still, load: force (3), torque (3), held (3), asleep + 2 absent
//!  joint   broken + 2³² numbers of history, number of forces, of coordinates, of modes; then forces, coordinates,
//!          modes, history, each list filled up with zeros
//!  contact first part, second part (body + 2³² collider), feature + 2³² grip (3: sticks on the brink)
//!          + 2³⁴ blow (in parts of 2⁻²⁹),
//!          point (3), force (3), torque (3)
//!  strand  lag, number of points, of sets, of forces, of pulls, 0, 0, 0; then a list each, filled up with zeros:
//!          points x (3) v (3), sets rest (3) spent, forces (3), pulls body force (3) torque (3)
//!  input   wanted, actual, 1 if a hand is on it, 0
//! ```

use super::input::InputState;
use super::state::{BLOW_PARTS, ContactState, Grip, JointState, State};
use crate::body::BodyState;
use crate::body::collider::Part;
use crate::body::twist::Wrench;
use crate::row::Mode;
use crate::strand::{Pull, Set, StrandState};
use glam::{DQuat, DVec3};
use thiserror::Error;

/// Names the format and its version.
const MAGIC: &[u8; 8] = b"WLSTATE6";
/// Words of the head.
const HEAD: usize = 12;
/// Words of a body.
const BODY: usize = 24;
/// The grip of a contact that holds with all that friction bears.
const BRINK: u32 = 3;
/// Words of a contact.
const CONTACT: usize = 12;
/// Words of a group are a multiple of this.
const STRIPE: usize = 4;

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
}

impl State {
    /// The state as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(8 * (HEAD + (BODY + 12) * self.bodies.len()));
        self.groups(|words| words.iter().for_each(|w| out.extend_from_slice(&w.to_le_bytes())));
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
        let (bodies, joints, contacts) = (r.length(BODY)?, r.length(STRIPE)?, r.length(CONTACT)?);
        let strands = r.length(2 * STRIPE)?;
        let inputs = r.length(STRIPE)?;
        for _ in 0..2 {
            r.below(1)?;
        }
        for _ in 0..bodies {
            state.bodies.push(r.body()?);
        }
        for _ in 0..joints {
            state.joints.push(r.joint()?);
        }
        for _ in 0..contacts {
            state.contacts.push(r.contact()?);
        }
        for _ in 0..strands {
            state.strands.push(r.strand()?);
        }
        for _ in 0..inputs {
            state.inputs.push(r.input()?);
        }
        if r.at != bytes.len() {
            return Err(SnapshotError::Damaged { at: r.at, value: u64::from(bytes[r.at]) });
        }
        Ok(state)
    }

    /// A number that differs, for all practical purposes, whenever any bit of the state differs.
    pub fn hash(&self) -> u64 {
        let mut hash = Hash::default();
        self.groups(|words| hash.take(words));
        hash.finish()
    }

    /// Hands out all words, group by group.
    #[inline]
    fn groups(&self, mut each: impl FnMut(&[u64])) {
        let [time, lag, pace] = [self.time, self.lag, self.pace].map(bits);
        let counts = [self.bodies.len(), self.joints.len(), self.contacts.len()].map(|n| n as u64);
        each(&[u64::from_le_bytes(*MAGIC), time, lag, pace, self.step, counts[0], counts[1], counts[2]]);
        each(&[self.strands.len() as u64, self.inputs.len() as u64, 0, 0]);
        for b in &self.bodies {
            each(&words(b));
        }
        for j in &self.joints {
            let counts = [j.forces.len(), j.coordinates.len(), j.modes.len()].map(|n| n as u64);
            let first = u64::from(j.broken) | (j.history.len() as u64) << 32;
            each(&[first, counts[0], counts[1], counts[2]]);
            list(&j.forces, |x| bits(*x), &mut each);
            list(&j.coordinates, |x| bits(*x), &mut each);
            list(&j.modes, |m| *m as u64, &mut each);
            list(&j.history, |x| bits(*x), &mut each);
        }
        for c in &self.contacts {
            each(&contact_words(c));
        }
        for s in &self.strands {
            strand_groups(s, &mut each);
        }
        for i in &self.inputs {
            each(&[bits(i.wanted), bits(i.actual), u64::from(i.held), 0]);
        }
    }
}

/// The bits of a number; −0 and 0 are one number.
fn bits(x: f64) -> u64 {
    (x + 0.0).to_bits()
}

/// The group of a body.
#[inline]
fn words(b: &BodyState) -> [u64; BODY] {
    let (x, q, v, w) = (b.position, b.attitude, b.velocity, b.spin);
    let (f, t, h) = (b.load.force, b.load.torque, b.held);
    // the flags take their place as a number of the same bits
    [
        x.x,
        x.y,
        x.z,
        q.x,
        q.y,
        q.z,
        q.w,
        v.x,
        v.y,
        v.z,
        w.x,
        w.y,
        w.z,
        b.still,
        f.x,
        f.y,
        f.z,
        t.x,
        t.y,
        t.z,
        h.x,
        h.y,
        h.z,
        f64::from_bits(u64::from(b.asleep) | u64::from(b.absent) << 1),
    ]
    .map(bits)
}

/// The group of a contact.
fn contact_words(c: &ContactState) -> [u64; CONTACT] {
    let both = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    let [a, b] = c.parts.map(|part| both(part.body, part.collider));
    let grip = if c.brink { BRINK } else { c.grip as u32 };
    let name = both(c.feature, grip | ((c.blow * BLOW_PARTS) as u32) << 2);
    let [p, f, t] = [c.point, c.force, c.torque].map(|v| v.to_array().map(bits));
    [a, b, name, p[0], p[1], p[2], f[0], f[1], f[2], t[0], t[1], t[2]]
}

/// The groups of a strand.
fn strand_groups(s: &StrandState, each: &mut impl FnMut(&[u64])) {
    let counts = [s.positions.len(), s.sets.len(), s.forces.len(), s.pulls.len()].map(|n| n as u64);
    each(&[bits(s.lag), counts[0], counts[1], counts[2], counts[3], 0, 0, 0]);
    let mut row = Row { words: [0; STRIPE], filled: 0, each };
    for (x, v) in s.positions.iter().zip(&s.velocities) {
        row.take(&[x.x, x.y, x.z, v.x, v.y, v.z].map(bits));
    }
    row.fill();
    for set in &s.sets {
        row.take(&[set.rest.x, set.rest.y, set.rest.z, set.spent].map(bits));
    }
    row.fill();
    for f in &s.forces {
        row.take(&f.to_array().map(bits));
    }
    row.fill();
    for p in &s.pulls {
        let (f, t) = (p.wrench.force, p.wrench.torque);
        row.take(&[u64::from(p.body)]);
        row.take(&[f.x, f.y, f.z, t.x, t.y, t.z].map(bits));
    }
    row.fill();
}

/// Words on their way into stripes.
struct Row<'a, F: FnMut(&[u64])> {
    words: [u64; STRIPE],
    filled: usize,
    each: &'a mut F,
}

impl<F: FnMut(&[u64])> Row<'_, F> {
    fn take(&mut self, words: &[u64]) {
        for word in words {
            self.words[self.filled] = *word;
            self.filled += 1;
            if self.filled == STRIPE {
                (self.each)(&self.words);
                (self.words, self.filled) = ([0; STRIPE], 0);
            }
        }
    }

    /// Ends a list: what is left of its stripe is zero.
    fn fill(&mut self) {
        if self.filled > 0 {
            (self.each)(&self.words);
            (self.words, self.filled) = ([0; STRIPE], 0);
        }
    }
}

/// The group of a list, filled up with zeros.
#[inline]
fn list<T>(list: &[T], word: impl Fn(&T) -> u64, each: &mut impl FnMut(&[u64])) {
    for part in list.chunks(STRIPE) {
        let mut group = [0; STRIPE];
        group.iter_mut().zip(part).for_each(|(place, x)| *place = word(x));
        each(&group);
    }
}

/// XXH64 of whole stripes of four words, as Collet's specification has it.
struct Hash {
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
    fn take(&mut self, words: &[u64]) {
        for stripe in words.chunks_exact(STRIPE) {
            for (lane, word) in self.lanes.iter_mut().zip(stripe) {
                *lane = round(*lane, *word);
            }
        }
        self.words += words.len() as u64;
    }

    fn finish(self) -> u64 {
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

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn integer(&mut self) -> Result<u64, SnapshotError> {
        let word =
            self.bytes.get(self.at..self.at + 8).ok_or(SnapshotError::Short { at: self.bytes.len() })?;
        self.at += 8;
        Ok(u64::from_le_bytes(word.try_into().expect("8 bytes were taken")))
    }

    fn number(&mut self) -> Result<f64, SnapshotError> {
        Ok(f64::from_bits(self.integer()?))
    }

    /// An integer below a bound.
    fn below(&mut self, bound: u64) -> Result<u64, SnapshotError> {
        let value = self.integer()?;
        if value < bound { Ok(value) } else { Err(SnapshotError::Damaged { at: self.at - 8, value }) }
    }

    /// A count of things of at least some words, checked against the bytes there are.
    fn length(&mut self, words: usize) -> Result<usize, SnapshotError> {
        let n = self.integer()?;
        let room = (self.bytes.len() - self.at) / (8 * words);
        if n > room as u64 { Err(SnapshotError::Short { at: self.bytes.len() }) } else { Ok(n as usize) }
    }

    /// A list of a known length, and the zeros after it.
    fn list<T>(
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

    fn mode(&mut self) -> Result<Mode, SnapshotError> {
        Ok([Mode::Between, Mode::Low, Mode::High][self.below(3)? as usize])
    }

    fn vector(&mut self) -> Result<DVec3, SnapshotError> {
        Ok(DVec3::new(self.number()?, self.number()?, self.number()?))
    }

    fn body(&mut self) -> Result<BodyState, SnapshotError> {
        let position = self.vector()?;
        let q = [self.number()?, self.number()?, self.number()?, self.number()?];
        let mut body = BodyState {
            position,
            attitude: DQuat::from_array(q),
            velocity: self.vector()?,
            spin: self.vector()?,
            still: self.number()?,
            load: Wrench { force: self.vector()?, torque: self.vector()? },
            held: self.vector()?,
            ..BodyState::default()
        };
        let flags = self.below(4)?;
        (body.asleep, body.absent) = (flags & 1 == 1, flags & 2 == 2);
        Ok(body)
    }

    fn part(&mut self) -> Result<Part, SnapshotError> {
        let word = self.integer()?;
        Ok(Part { body: word as u32, collider: (word >> 32) as u32 })
    }

    fn contact(&mut self) -> Result<ContactState, SnapshotError> {
        let parts = [self.part()?, self.part()?];
        let name = self.below((4 * BLOW_PARTS as u64 + 4) << 32)?;
        let grip = (name >> 32) as u32 & 3;
        Ok(ContactState {
            parts,
            feature: name as u32,
            grip: [Grip::Open, Grip::Stick, Grip::Slip, Grip::Stick][grip as usize],
            brink: grip == BRINK,
            blow: (name >> 34) as f64 / BLOW_PARTS,
            point: self.vector()?,
            force: self.vector()?,
            torque: self.vector()?,
        })
    }

    fn joint(&mut self) -> Result<JointState, SnapshotError> {
        let first = self.integer()?;
        let (broken, history) = (first & 0xffff_ffff, (first >> 32) as usize);
        if broken > 1 || history > self.bytes.len() / 8 {
            return Err(SnapshotError::Damaged { at: self.at - 8, value: first });
        }
        let [forces, coordinates, modes] = [self.length(1)?, self.length(1)?, self.length(1)?];
        Ok(JointState {
            broken: broken == 1,
            forces: self.list(forces, Self::number)?,
            coordinates: self.list(coordinates, Self::number)?,
            modes: self.list(modes, Self::mode)?,
            history: self.list(history, Self::number)?,
        })
    }

    fn input(&mut self) -> Result<InputState, SnapshotError> {
        let input = InputState { wanted: self.number()?, actual: self.number()?, held: self.below(2)? == 1 };
        self.below(1)?;
        Ok(input)
    }

    /// The zeros after a list of so many words.
    fn zeros(&mut self, words: usize) -> Result<(), SnapshotError> {
        (words..words.next_multiple_of(STRIPE)).try_for_each(|_| self.below(1).map(drop))
    }

    fn strand(&mut self) -> Result<StrandState, SnapshotError> {
        let mut s = StrandState { lag: self.number()?, ..StrandState::default() };
        let counts = [self.length(6)?, self.length(4)?, self.length(3)?, self.length(7)?];
        for _ in 0..3 {
            self.below(1)?;
        }
        for _ in 0..counts[0] {
            s.positions.push(self.vector()?);
            s.velocities.push(self.vector()?);
        }
        self.zeros(6 * counts[0])?;
        for _ in 0..counts[1] {
            s.sets.push(Set { rest: self.vector()?, spent: self.number()? });
        }
        for _ in 0..counts[2] {
            s.forces.push(self.vector()?);
        }
        self.zeros(3 * counts[2])?;
        for _ in 0..counts[3] {
            let body = self.below(1 << 32)? as u32;
            s.pulls.push(Pull { body, wrench: Wrench { force: self.vector()?, torque: self.vector()? } });
        }
        self.zeros(7 * counts[3])?;
        Ok(s)
    }
}
