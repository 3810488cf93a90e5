//! Contacts that may close within an interval T.
//!
//! A pair is kept if its gap is below the margins of its partners, 0.15 d̄ + T(|v_a − v̄| + |v_b − v̄|), with v̄ the
//! mean velocity: a load that moves as a whole needs no wider search. The first part leaves room for velocities that
//! change. Cells are as wide as the widest pair that can be kept. Multipliers of the last substep are found by the
//! pair.

use super::batches::Batches;
use super::contact::{Body, Pair, Place};
use super::grid::{Entry, Runs, Slab, key, slabs};
use super::lanes::Four;
use super::laws::PairLaws;
use super::quad::Quad;
use super::state::{Impulses, Particle, Particles};
use glam::DVec3;

/// Margin of a particle in diameters.
const MARGIN: f64 = 0.075;

/// Farthest motion in one interval, in diameters: of two particles towards each other, or of one.
const WIDEST: f64 = 1.0;

/// Speeds of the particles relative to their mean, and sizes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bulk {
    mean: DVec3,
    /// Greatest speed relative to the mean, and greatest speed.
    fastest: f64,
    speed: f64,
    largest: f64,
}

impl Bulk {
    pub fn of(particles: &[Particle]) -> Bulk {
        let sound = || particles.iter().filter(|p| p.is_sound());
        let mut bulk = Bulk::default();
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for particle in sound() {
            sum += particle.velocity;
            count += 1.0;
            bulk.speed = bulk.speed.max(particle.velocity.length());
            bulk.largest = bulk.largest.max(particle.radius);
        }
        bulk.mean = if count > 0.0 { sum / count } else { sum };
        bulk.fastest = sound().map(|p| (p.velocity - bulk.mean).length()).fold(0.0, f64::max);
        bulk
    }

    /// In how many intervals, up to `most`, a step should be cut so that the margins stay small: a power of two.
    pub fn intervals(&self, step: f64, most: usize) -> usize {
        let mut count = 1;
        let travel = self.speed.max(2.0 * self.fastest) * step;
        while count < most && travel > WIDEST * 2.0 * self.largest * count as f64 {
            count *= 2;
        }
        count
    }

    fn cell(&self, interval: f64) -> f64 {
        2.0 * self.largest * (1.0 + 2.0 * MARGIN) + 2.0 * interval * self.fastest
    }

    fn margin(&self, particle: &Particle, interval: f64) -> f64 {
        2.0 * MARGIN * particle.radius + interval * (particle.velocity - self.mean).length()
    }
}

/// Particles in the order of their cells, and the pairs among them.
#[derive(Clone, Debug, Default)]
pub(super) struct Gathered {
    pub order: Vec<Entry>,
    pub places: Vec<Place>,
    pub bodies: Vec<Body>,
    /// Centres, and radii with margins: particles are apart if their distance is more than the sum.
    spots: Vec<Four>,
    soils: Vec<u16>,
    /// Whether a particle has contacts.
    pub busy: Vec<bool>,
    pub quads: Vec<Quad>,
    /// Normal velocities of the pairs after an impact, by quad.
    pub rebounds: Vec<Four>,
    pub slabs: Vec<Slab>,
    remembered: Remembered,
    batches: Batches,
    /// Particles near one.
    near: Vec<u32>,
}

/// Pairs of the last substep by their first partner.
#[derive(Clone, Debug, Default)]
struct Remembered {
    /// Where the entries of each particle begin in `entries`.
    starts: Vec<u32>,
    entries: Vec<u32>,
}

impl Remembered {
    fn set(&mut self, particles: &Particles) {
        self.starts.clear();
        self.starts.resize(particles.all.len() + 1, 0);
        for pair in &particles.pairs {
            self.starts[pair.partners[0] as usize] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.entries.clear();
        self.entries.resize(particles.pairs.len(), 0);
        // from the last to the first, so that each start ends at its beginning
        for (at, pair) in particles.pairs.iter().enumerate().rev() {
            let start = &mut self.starts[pair.partners[0] as usize];
            *start -= 1;
            self.entries[*start as usize] = at as u32;
        }
    }

    /// Impulses of two particles on the second.
    fn impulses(&self, particles: &Particles, a: u32, b: u32) -> Impulses {
        let (low, high) = (a.min(b), a.max(b));
        let [from, to] = [low, low + 1].map(|k| self.starts[k as usize] as usize);
        let entries = self.entries[from..to].iter().map(|k| &particles.pairs[*k as usize]);
        let found = entries.into_iter().find(|pair| pair.partners[1] == high);
        found.map_or_else(
            Impulses::default,
            |pair| if a < b { pair.impulses } else { pair.impulses.reversed() },
        )
    }
}

impl Gathered {
    /// Sorts the particles and finds the pairs for an interval of substeps.
    pub fn fill(&mut self, particles: &Particles, laws: &PairLaws, [interval, substep]: [f64; 2]) {
        self.remembered.set(particles);
        let bulk = Bulk::of(&particles.all);
        let per_cell = 1.0 / bulk.cell(interval);
        self.order.clear();
        let sound = particles.all.iter().enumerate().filter(|(_, p)| p.is_sound());
        self.order.extend(sound.map(|(index, p)| (key(p.position, per_cell), index as u32)));
        self.order.sort_unstable();
        slabs(&self.order, &mut self.slabs);
        self.places.clear();
        self.bodies.clear();
        self.spots.clear();
        self.soils.clear();
        for particle in self.order.iter().map(|entry| &particles.all[entry.1 as usize]) {
            let radius = particle.radius;
            self.places.push(Place::new(particle.position, radius));
            let linear = (particle.velocity, 1.0 / particle.mass.kilograms());
            self.bodies.push(Body::new(linear, (particle.spin * radius, 1.0 / radius)));
            self.soils.push(particle.soil);
            let reach = radius + bulk.margin(particle, interval);
            self.spots.push(particle.position.extend(reach).to_array());
        }
        self.busy.clear();
        self.busy.resize(self.order.len(), false);
        self.find_pairs(particles, laws, substep);
    }

    fn find_pairs(&mut self, particles: &Particles, laws: &PairLaws, substep: f64) {
        let mut runs = Runs::default();
        let mut slabs = std::mem::take(&mut self.slabs);
        self.quads.clear();
        self.rebounds.clear();
        for slab in &mut slabs {
            slab.quads.start = self.quads.len();
            self.batches.begin(slab.reach - slab.own.start);
            for at in slab.own.clone() {
                let Gathered { order, spots, near, .. } = self;
                let [x, y, z, reach] = spots[at];
                near.clear();
                // most neighbours are too far away: nothing but this test is done for them
                runs.above(
                    order,
                    at,
                    #[inline(always)]
                    |other| {
                        let [u, v, w, further] = spots[other];
                        let (dx, dy, dz, sum) = (u - x, v - y, w - z, reach + further);
                        if dx * dx + dy * dy + dz * dz < sum * sum {
                            near.push(other as u32);
                        }
                    },
                );
                for k in 0..self.near.len() {
                    let other = self.near[k] as usize;
                    self.add_pair(particles, laws, (at, other, slab.own.start), substep);
                }
            }
            slab.quads.end = self.quads.len();
        }
        self.slabs = slabs;
    }

    /// Adds the pair of two particles by their places in the order, of a slab that begins at a third.
    fn add_pair(
        &mut self,
        particles: &Particles,
        laws: &PairLaws,
        (at, other, start): (usize, usize, usize),
        substep: f64,
    ) {
        let Gathered { order, places, bodies, soils, busy, quads, rebounds, remembered, batches, .. } = self;
        let (a, b) = (order[at].1, order[other].1);
        let law = laws.of(soils[at], soils[other]);
        let mut pair = pair_of([&bodies[at], &bodies[other]], [places[at].radius(), places[other].radius()]);
        pair.impulses = remembered.impulses(particles, a, b);
        pair.place(&places[at], &places[other]);
        (pair.a, pair.b) = ((at - start) as u32, (other - start) as u32);
        pair.friction = law.friction as f32;
        let radius = 2.0 / (bodies[at].inverse_radius() + bodies[other].inverse_radius());
        pair.rolling = (law.rolling * radius) as f32;
        let area = std::f64::consts::PI * radius * radius;
        pair.pull = (law.adhesion * area * substep) as f32;
        let approach = pair.normal.dot(bodies[at].velocity() - bodies[other].velocity());
        let (quad, lane) = batches.add(&pair, quads);
        rebounds.resize(quads.len(), Four::default());
        rebounds[quad][lane] = law.restitution * approach.max(0.0);
        (busy[at], busy[other]) = (true, true);
    }
}

/// A pair with what follows from masses and radii.
fn pair_of([a, b]: [&Body; 2], [r, s]: [f64; 2]) -> Pair {
    let mass = 1.0 / (a.inverse_mass() + b.inverse_mass());
    let turning = |body: &Body| 2.5 * body.inverse_mass() * body.inverse_radius() * body.inverse_radius();
    Pair {
        a: 0,
        b: 0,
        normal: DVec3::Z,
        gap: 0.0,
        mass,
        impulses: Impulses::default(),
        inertia: (1.0 / ((turning(a) + turning(b)) * mass)) as f32,
        friction: 0.0,
        rolling: 0.0,
        pull: 0.0,
        per_span: (1.0 / (r + s)) as f32,
    }
}
