//! State of loose soil: the particles in the order of their ids, and the contact impulses of the last substep.
//!
//! The impulses start the iteration of the next step. They are indexed by the position of a particle in the list, which
//! removal corrects.

use crate::ground::quanta::Mass;
use glam::DVec3;
use windlass_engine::prelude::StatePart;
use windlass_engine::words::{SnapshotError, WordReader, WordWriter};

/// What a particle touched in the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touches {
    /// The ground at rest.
    pub ground: bool,
    /// A wall with an owner: a tool, a bin, a body.
    pub body: bool,
    /// The ground, or a particle that touches the ground.
    pub supported: bool,
}

/// A parcel of loose soil.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Particle {
    /// Its number; no other particle ever has it.
    pub id: u64,
    /// Centre [m].
    pub position: DVec3,
    /// Velocity [m/s].
    pub velocity: DVec3,
    /// Angular velocity [rad/s].
    pub spin: DVec3,
    /// Radius [m].
    pub radius: f64,
    /// Mass.
    pub mass: Mass,
    /// Index of its soil.
    pub soil: u16,
    /// Time since it was last faster than 0.1 √(g d) [s].
    pub rest: f64,
    /// What it touched in the last step.
    pub touches: Touches,
}

impl Particle {
    /// Whether its numbers are finite and its radius and mass positive.
    pub fn is_sound(&self) -> bool {
        let finite = self.position.is_finite() && self.velocity.is_finite() && self.spin.is_finite();
        finite && self.radius > 0.0 && self.radius.is_finite() && self.mass > Mass::ZERO
    }
}

/// Impulses of a contact in the last substep, on the second of its partners [N s, N m s].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Impulses {
    pub normal: f64,
    pub tangent: DVec3,
    pub rolling: DVec3,
}

impl Impulses {
    pub fn reversed(self) -> Impulses {
        Impulses { normal: self.normal, tangent: -self.tangent, rolling: -self.rolling }
    }

    fn numbers(&self) -> [f64; 7] {
        let ([a, b, c], [d, e, f]) = (self.tangent.to_array(), self.rolling.to_array());
        [self.normal, a, b, c, d, e, f]
    }

    fn read(words: &mut WordReader<'_>) -> Result<Impulses, SnapshotError> {
        Ok(Impulses { normal: words.number()?, tangent: words.vector()?, rolling: words.vector()? })
    }
}

/// Impulses of a pair of particles, by their positions in the list; the first is the lower.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PairMemory {
    pub partners: [u32; 2],
    pub impulses: Impulses,
}

/// Impulses of a particle and a wall.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct WallMemory {
    pub particle: u32,
    pub wall: u64,
    pub feature: u32,
    pub impulses: Impulses,
}

/// Loose soil.
#[derive(Debug, Default, PartialEq)]
pub struct Particles {
    pub(super) all: Vec<Particle>,
    pub(super) next_id: u64,
    /// Length of the substep of the impulses [s].
    pub(super) substep: f64,
    pub(super) pairs: Vec<PairMemory>,
    pub(super) walls: Vec<WallMemory>,
    moved: Scratch,
}

/// Memory of `remove` that is not part of the state.
#[derive(Debug, Default)]
struct Scratch(Vec<u32>);

impl PartialEq for Scratch {
    fn eq(&self, _: &Scratch) -> bool {
        true
    }
}

impl Clone for Particles {
    fn clone(&self) -> Particles {
        let mut copy = Particles::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Particles) {
        self.all.clone_from(&other.all);
        (self.next_id, self.substep) = (other.next_id, other.substep);
        self.pairs.clone_from(&other.pairs);
        self.walls.clone_from(&other.walls);
    }
}

impl Particles {
    /// Adds a particle and returns its id. The fields `id`, `rest` and `touches` are set here.
    pub fn add(&mut self, particle: Particle) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        self.all.push(Particle { id, rest: 0.0, touches: Touches::default(), ..particle });
        id
    }

    /// Removes the particles for which `condition` holds, and calls it once for each, in the order of their ids.
    pub fn remove(&mut self, mut condition: impl FnMut(&Particle) -> bool) {
        let Some(first) = self.all.iter().position(&mut condition) else { return };
        // the positions of the particles after the removal; u32::MAX: removed
        let moved = &mut self.moved.0;
        moved.clear();
        moved.extend(0..first as u32);
        moved.push(u32::MAX);
        let mut kept = first;
        for at in first + 1..self.all.len() {
            if condition(&self.all[at]) {
                moved.push(u32::MAX);
            } else {
                moved.push(kept as u32);
                self.all[kept] = self.all[at];
                kept += 1;
            }
        }
        self.all.truncate(kept);
        self.pairs.retain_mut(|pair| {
            pair.partners = pair.partners.map(|at| moved[at as usize]);
            !pair.partners.contains(&u32::MAX)
        });
        self.walls.retain_mut(|contact| {
            contact.particle = moved[contact.particle as usize];
            contact.particle != u32::MAX
        });
    }

    /// The particles in the order of their ids.
    pub fn iter(&self) -> std::slice::Iter<'_, Particle> {
        self.all.iter()
    }

    /// The same, to be changed. Their ids must not be.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, Particle> {
        self.all.iter_mut()
    }

    /// The id of the next particle that is added.
    pub fn next_id(&self) -> u64 {
        self.next_id
    }

    /// The particle with an id.
    pub fn get(&self, id: u64) -> Option<&Particle> {
        self.all.binary_search_by_key(&id, |p| p.id).ok().map(|at| &self.all[at])
    }

    /// The particle with an id, to change its velocity, mass or position. Its id must not be changed.
    pub fn get_mut(&mut self, id: u64) -> Option<&mut Particle> {
        self.all.binary_search_by_key(&id, |p| p.id).ok().map(|at| &mut self.all[at])
    }

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Mass of all particles.
    pub fn mass(&self) -> Mass {
        self.all.iter().map(|p| p.mass).sum()
    }
}

impl Touches {
    fn word(self) -> u64 {
        u64::from(self.ground) | u64::from(self.body) << 1 | u64::from(self.supported) << 2
    }

    fn of(word: u64) -> Touches {
        Touches { ground: word & 1 != 0, body: word & 2 != 0, supported: word & 4 != 0 }
    }
}

/// Words per particle, pair and contact with a wall.
const WORDS: [usize; 3] = [15, 8, 10];

/// Counts and the length of the substep; then particles, pairs and contacts with walls.
impl StatePart for Particles {
    fn write(&self, out: &mut WordWriter<'_>) {
        out.integers(&[
            self.all.len() as u64,
            self.pairs.len() as u64,
            self.walls.len() as u64,
            self.next_id,
        ]);
        out.numbers(&[self.substep]);
        for p in &self.all {
            out.integers(&[p.id, p.mass.0 as u64, u64::from(p.soil), p.touches.word()]);
            out.numbers(&[p.radius, p.rest]);
            [p.position, p.velocity, p.spin].into_iter().for_each(|v| out.vector(v));
        }
        for pair in &self.pairs {
            out.integers(&[u64::from(pair.partners[0]) << 32 | u64::from(pair.partners[1])]);
            out.numbers(&pair.impulses.numbers());
        }
        for contact in &self.walls {
            let [particle, feature] = [contact.particle, contact.feature].map(u64::from);
            out.integers(&[particle, contact.wall, feature]);
            out.numbers(&contact.impulses.numbers());
        }
        out.end();
    }

    fn read(words: &mut WordReader<'_>) -> Result<Particles, SnapshotError> {
        let counts = [words.length(1)?, words.length(1)?, words.length(1)?];
        let mut read =
            Particles { next_id: words.integer()?, substep: words.number()?, ..Particles::default() };
        for _ in 0..counts[0] {
            let (id, mass) = (words.below(read.next_id)?, Mass(words.integer()? as i64));
            let (soil, touches) = (words.below(1 << 16)? as u16, Touches::of(words.below(8)?));
            let (radius, rest) = (words.number()?, words.number()?);
            let (position, velocity, spin) = (words.vector()?, words.vector()?, words.vector()?);
            if read.all.last().is_some_and(|p| p.id >= id) {
                return Err(words.damaged(id));
            }
            read.all.push(Particle { id, position, velocity, spin, radius, mass, soil, rest, touches });
        }
        let count = counts[0] as u64;
        for _ in 0..counts[1] {
            let word = words.integer()?;
            let partners = [(word >> 32) as u32, word as u32];
            if partners[0] >= partners[1] || u64::from(partners[1]) >= count {
                return Err(words.damaged(word));
            }
            read.pairs.push(PairMemory { partners, impulses: Impulses::read(words)? });
        }
        for _ in 0..counts[2] {
            let (particle, wall) = (words.below(count)? as u32, words.integer()?);
            let feature = words.below(1 << 32)? as u32;
            read.walls.push(WallMemory { particle, wall, feature, impulses: Impulses::read(words)? });
        }
        words.zeros(5 + (0..3).map(|k| counts[k] * WORDS[k]).sum::<usize>())?;
        Ok(read)
    }
}
