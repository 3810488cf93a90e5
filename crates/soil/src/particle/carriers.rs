//! What carries each particle: the ground, or a body, by the fewest contacts between them.
//!
//! Particles that touch the ground or a body are carried by it. Those that touch a carried one are carried by the same,
//! and so on. Between equals the ground comes first, then the body of the lower index, then the particle of the lower
//! number. A particle that touches nothing is not carried.

use super::state::Particles;
use super::wall::Wall;

/// What carries a particle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Carrier {
    /// The ground, or a fixed wall.
    Ground,
    /// A body, by index.
    Body(u32),
    /// Nothing: it flies.
    #[default]
    Nothing,
}

/// The carriers of particles, and buffers.
#[derive(Clone, Debug, Default)]
pub struct Carriers {
    /// By the position of a particle in the list.
    all: Vec<Carrier>,
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    /// Whether a particle touches what carries it.
    touching: Vec<bool>,
    /// Bodies whose soil touches soil that the ground carries, ascending.
    leaning: Vec<u32>,
    /// Particles whose carrier is known, in the order in which it was found.
    queue: Vec<u32>,
    /// Groups of particles that touch each other: the number of each particle's, and how many there are.
    groups: Vec<u32>,
    count: usize,
    /// Groups that touch the body that was looked at last, and particles that do.
    beside: Vec<bool>,
    touches: Vec<bool>,
}

impl Carriers {
    /// Finds the carriers after a step. The walls are those of the step, ascending by their numbers.
    pub fn find(&mut self, particles: &Particles, walls: &[Wall]) {
        let count = particles.all.len();
        self.all.clear();
        self.all.resize(count, Carrier::Nothing);
        for memory in &particles.walls {
            let wall = walls.binary_search_by_key(&memory.wall, |wall| wall.id);
            let owner = wall.ok().and_then(|at| walls[at].owner);
            let carrier = owner.map_or(Carrier::Ground, Carrier::Body);
            let own = &mut self.all[memory.particle as usize];
            *own = carrier.min(*own);
        }
        self.connect(particles);
        self.number_groups();
        self.queue.clear();
        self.queue.extend((0..count as u32).filter(|at| self.all[*at as usize] != Carrier::Nothing));
        let by_carrier = |at: &u32| (self.all[*at as usize], *at);
        self.queue.sort_unstable_by_key(by_carrier);
        self.touching.clear();
        self.touching.extend(self.all.iter().map(|carrier| *carrier != Carrier::Nothing));
        let mut next = 0;
        while next < self.queue.len() {
            let at = self.queue[next] as usize;
            next += 1;
            for k in self.starts[at]..self.starts[at + 1] {
                let other = self.neighbours[k as usize];
                if self.all[other as usize] == Carrier::Nothing {
                    self.all[other as usize] = self.all[at];
                    self.queue.push(other);
                }
            }
        }
        self.leaning.clear();
        for pair in &particles.pairs {
            let mut pair = pair.partners.map(|at| self.all[at as usize]);
            pair.sort_unstable();
            if let [Carrier::Ground, Carrier::Body(body)] = pair {
                self.leaning.push(body);
            }
        }
        self.leaning.sort_unstable();
        self.leaning.dedup();
    }

    /// Numbers the groups of particles that touch each other.
    fn number_groups(&mut self) {
        self.groups.clear();
        self.groups.resize(self.all.len(), u32::MAX);
        self.count = 0;
        for first in 0..self.groups.len() {
            if self.groups[first] != u32::MAX {
                continue;
            }
            let number = self.count as u32;
            self.count += 1;
            self.groups[first] = number;
            self.queue.clear();
            self.queue.push(first as u32);
            while let Some(at) = self.queue.pop() {
                let own = self.starts[at as usize] as usize..self.starts[at as usize + 1] as usize;
                for other in &self.neighbours[own] {
                    if self.groups[*other as usize] == u32::MAX {
                        self.groups[*other as usize] = number;
                        self.queue.push(*other);
                    }
                }
            }
        }
    }

    /// Looks for the groups that touch a body; returns whether they lean on the ground.
    pub fn look_beside(&mut self, particles: &Particles, walls: &[Wall], body: u32) -> bool {
        self.beside.clear();
        self.beside.resize(self.count, false);
        self.touches.clear();
        self.touches.resize(self.all.len(), false);
        for memory in &particles.walls {
            let wall = walls.binary_search_by_key(&memory.wall, |wall| wall.id);
            if wall.is_ok_and(|at| walls[at].owner == Some(body)) {
                self.touches[memory.particle as usize] = true;
                self.beside[self.groups[memory.particle as usize] as usize] = true;
            }
        }
        let mut all = self.all.iter().zip(&self.groups);
        all.any(|(carrier, group)| *carrier == Carrier::Ground && self.beside[*group as usize])
    }

    /// Whether each particle is in a group that touches the body that was looked at last, and whether it touches it.
    pub fn beside(&self) -> impl Iterator<Item = [bool; 2]> {
        self.groups.iter().zip(&self.touches).map(|(group, touches)| [self.beside[*group as usize], *touches])
    }

    /// The particles that each one touches.
    fn connect(&mut self, particles: &Particles) {
        let count = particles.all.len();
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        let ends =
            || particles.pairs.iter().flat_map(|pair| [pair.partners, [pair.partners[1], pair.partners[0]]]);
        ends().for_each(|[at, _]| self.starts[at as usize] += 1);
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.neighbours.clear();
        self.neighbours.resize(2 * particles.pairs.len(), 0);
        for [at, other] in ends() {
            let start = &mut self.starts[at as usize];
            *start -= 1;
            self.neighbours[*start as usize] = other;
        }
    }

    /// The carriers, in the order of the particles.
    pub fn iter(&self) -> impl Iterator<Item = Carrier> {
        self.all.iter().copied()
    }

    /// Whether each particle touches what carries it.
    pub fn touching(&self) -> impl Iterator<Item = bool> {
        self.touching.iter().copied()
    }

    /// Whether soil that a body carries touches soil that the ground carries.
    pub fn leans(&self, body: u32) -> bool {
        self.leaning.binary_search(&body).is_ok()
    }
}
