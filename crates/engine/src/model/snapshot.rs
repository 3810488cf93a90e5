//! State ⇄ bytes, and its hash. Lossless: a restored state continues bit for bit.
//!
//! The bytes are little-endian words of 64 bits in groups of a multiple of four, so that the hash can be computed
//! incrementally: it is XXH64 (seed 0) of the bytes. −0 is written as 0, so that the hash is the same on every machine.
//!
//! ```text
//!  head    "WLSTATE6", time, lag, pace, step, number of bodies, of joints, of contacts, of parts, of inputs, 0, 0
//!  body    x y z, quaternion x y z w, v (3), ω (3), still, load: force (3), torque (3), held (3), asleep + 2 absent
//!  joint   broken + 2³² numbers of history, number of forces, of coordinates, of modes; then forces, coordinates,
//!          modes, history, each list padded with zeros
//!  contact first part, second part (body + 2³² collider), feature + 2³² friction mode (3: sticking at the limit)
//!          + 2³⁴ impact share (in units of 2⁻²⁹),
//!          point (3), force (3), torque (3)
//!  part    the key of a subsystem in 16 bytes, version of its words, their number; then its words
//!  input   target, actual, 1 if held by a user, 0; or with an action of controllers 1, or 2 if it sets the input,
//!          and then value set, correction, lower limit, upper limit
//! ```

use super::input::{InputAction, InputState};
use super::state::{BLOW_PARTS, ContactMode, ContactState, JointState, State};
use crate::body::BodyState;
use crate::body::collider::ColliderRef;
use crate::body::twist::Wrench;
use crate::row::BoundMode;
use crate::subsystem::Part as StatePart;
use crate::words::{Hash, STRIPE, SnapshotError, WordReader, bits, list};
use glam::DQuat;

/// Identifies the format and its version.
const MAGIC: &[u8; 8] = b"WLSTATE6";
/// Words of the head.
const HEAD: usize = 12;
/// Words of a body.
const BODY: usize = 24;
/// Friction mode of a contact that sticks at the friction limit.
const BRINK: u32 = 3;
/// Words of a contact.
const CONTACT: usize = 12;
impl State {
    /// The state as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(8 * (HEAD + (BODY + 12) * self.bodies.len()));
        self.groups(|words| words.iter().for_each(|w| out.extend_from_slice(&w.to_le_bytes())));
        out
    }

    /// The state from bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<State, SnapshotError> {
        if bytes.get(..8) != Some(MAGIC) {
            return Err(SnapshotError::Foreign);
        }
        let mut r = WordReader::new(bytes, 8);
        let mut state = State {
            time: r.number()?,
            velocity_lag: r.number()?,
            next_internal_step: r.number()?,
            ..State::default()
        };
        state.step = r.integer()?;
        let (bodies, joints, contacts) = (r.length(BODY)?, r.length(STRIPE)?, r.length(CONTACT)?);
        let parts = r.length(STRIPE)?;
        let inputs = r.length(STRIPE)?;
        for _ in 0..2 {
            r.below(1)?;
        }
        for _ in 0..bodies {
            state.bodies.push(body(&mut r)?);
        }
        for _ in 0..joints {
            state.joints.push(joint(&mut r)?);
        }
        for _ in 0..contacts {
            state.contacts.push(contact(&mut r)?);
        }
        for _ in 0..parts {
            state.parts.push(StatePart::read(&mut r)?);
        }
        for _ in 0..inputs {
            state.inputs.push(input(&mut r)?);
        }
        if r.at() != bytes.len() {
            return Err(SnapshotError::Damaged { at: r.at(), value: u64::from(bytes[r.at()]) });
        }
        Ok(state)
    }

    /// A 64-bit hash that differs, for all practical purposes, whenever any bit of the state differs.
    pub fn hash(&self) -> u64 {
        let mut hash = Hash::default();
        self.groups(|words| hash.take(words));
        hash.finish()
    }

    /// Passes all words to `each`, group by group.
    #[inline]
    fn groups(&self, mut each: impl FnMut(&[u64])) {
        let [time, lag, pace] = [self.time, self.velocity_lag, self.next_internal_step].map(bits);
        let counts = [self.bodies.len(), self.joints.len(), self.contacts.len()].map(|n| n as u64);
        each(&[u64::from_le_bytes(*MAGIC), time, lag, pace, self.step, counts[0], counts[1], counts[2]]);
        each(&[self.parts.len() as u64, self.inputs.len() as u64, 0, 0]);
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
        for part in &self.parts {
            part.words(&mut each);
        }
        for i in &self.inputs {
            let action = i.action;
            let kind = if action == InputAction::default() { 0 } else { 1 + u64::from(action.set.is_some()) };
            each(&[bits(i.target), bits(i.actual), u64::from(i.held), kind]);
            if kind > 0 {
                each(&[action.set.unwrap_or(0.0), action.add, action.low, action.high].map(bits));
            }
        }
    }
}

/// The group of a body.
#[inline]
fn words(b: &BodyState) -> [u64; BODY] {
    let (x, q, v, w) = (b.position, b.orientation, b.velocity, b.angular_velocity);
    let (f, t, h) = (b.load.force, b.load.torque, b.constraint_torque);
    // the flags are stored as the number of the same bits
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
        b.rest_time,
        f.x,
        f.y,
        f.z,
        t.x,
        t.y,
        t.z,
        h.x,
        h.y,
        h.z,
        f64::from_bits(u64::from(b.asleep) | u64::from(b.inactive) << 1),
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

fn mode(r: &mut WordReader<'_>) -> Result<BoundMode, SnapshotError> {
    Ok([BoundMode::Between, BoundMode::Low, BoundMode::High, BoundMode::Stop][r.below(4)? as usize])
}

fn body(r: &mut WordReader<'_>) -> Result<BodyState, SnapshotError> {
    let position = r.vector()?;
    let q = [r.number()?, r.number()?, r.number()?, r.number()?];
    let mut body = BodyState {
        position,
        orientation: DQuat::from_array(q),
        velocity: r.vector()?,
        angular_velocity: r.vector()?,
        rest_time: r.number()?,
        load: Wrench { force: r.vector()?, torque: r.vector()? },
        constraint_torque: r.vector()?,
        ..BodyState::default()
    };
    let flags = r.below(4)?;
    (body.asleep, body.inactive) = (flags & 1 == 1, flags & 2 == 2);
    Ok(body)
}

fn part(r: &mut WordReader<'_>) -> Result<ColliderRef, SnapshotError> {
    let word = r.integer()?;
    Ok(ColliderRef { body: word as u32, collider: (word >> 32) as u32 })
}

fn contact(r: &mut WordReader<'_>) -> Result<ContactState, SnapshotError> {
    let parts = [part(r)?, part(r)?];
    let name = r.below((4 * BLOW_PARTS as u64 + 4) << 32)?;
    let grip = (name >> 32) as u32 & 3;
    Ok(ContactState {
        parts,
        feature: name as u32,
        grip: [ContactMode::Open, ContactMode::Stick, ContactMode::Slip, ContactMode::Stick][grip as usize],
        brink: grip == BRINK,
        blow: (name >> 34) as f64 / BLOW_PARTS,
        point: r.vector()?,
        force: r.vector()?,
        torque: r.vector()?,
    })
}

fn joint(r: &mut WordReader<'_>) -> Result<JointState, SnapshotError> {
    let first = r.integer()?;
    let (broken, history) = (first & 0xffff_ffff, (first >> 32) as usize);
    if broken > 1 || history > r.room() {
        return Err(r.damaged(first));
    }
    let [forces, coordinates, modes] = [r.length(1)?, r.length(1)?, r.length(1)?];
    Ok(JointState {
        broken: broken == 1,
        forces: r.list(forces, WordReader::number)?,
        coordinates: r.list(coordinates, WordReader::number)?,
        modes: r.list(modes, mode)?,
        history: r.list(history, WordReader::number)?,
    })
}

fn input(r: &mut WordReader<'_>) -> Result<InputState, SnapshotError> {
    let (target, actual, held) = (r.number()?, r.number()?, r.below(2)? == 1);
    let kind = r.below(3)?;
    let mut action = InputAction::default();
    if kind > 0 {
        action =
            InputAction { set: Some(r.number()?), add: r.number()?, low: r.number()?, high: r.number()? };
        action.set = action.set.filter(|_| kind == 2);
    }
    Ok(InputState { target, actual, held, action })
}
