//! The walls and planes of the ground that a particle may touch within an interval of time.

use super::contact::Place;
use super::grid::Entry;
use super::heights::planes_near;
use super::laws::{LARGEST, PairLaws};
use super::state::{Particle, Particles, WallMemory};
use super::surroundings::Surroundings;
use super::wall::{Pose, Wall, WallShape};
use super::wall_contact::{GROUND, WallContact, drop_covered};
use glam::DVec3;

/// Number of the ground in the memory of contacts.
const GROUND_ID: u64 = u64::MAX;

/// The particles in the order of the cells, and the interval.
#[derive(Clone, Copy)]
pub(super) struct Sorted<'a> {
    pub particles: &'a Particles,
    pub order: &'a [Entry],
    pub places: &'a [Place],
    /// Interval in which the contacts are needed, and the substep [s].
    pub interval: f64,
    pub substep: f64,
    pub laws: &'a PairLaws,
}

impl Sorted<'_> {
    /// Gap over which a particle looks for walls, without their motion [m].
    fn reach(&self, at: usize) -> f64 {
        let particle = &self.particles.all[self.order[at].1 as usize];
        0.15 * particle.radius + particle.velocity.length() * self.interval
    }
}

/// Contacts with walls, and where the memory of each particle begins.
#[derive(Clone, Debug, Default)]
pub(super) struct WallsNear {
    /// The contacts by particle in the order of the cells, wall, feature. `body` counts all particles.
    pub contacts: Vec<WallContact>,
    remembered: Vec<u32>,
}

impl WallsNear {
    /// Finds the contacts. `poses` are those at the beginning of the interval.
    pub fn find(&mut self, sorted: Sorted<'_>, around: &Surroundings<'_>, poses: &[Pose]) {
        self.contacts.clear();
        self.remembered.clear();
        self.remembered.resize(sorted.particles.all.len(), u32::MAX);
        for (at, memory) in sorted.particles.walls.iter().enumerate().rev() {
            self.remembered[memory.particle as usize] = at as u32;
        }
        for (index, (wall, pose)) in around.walls.iter().zip(poses).enumerate() {
            if wall.is_finite() {
                self.wall(&sorted, (index as u32, wall), pose);
            }
        }
        if around.ground.is_some() {
            self.ground(&sorted, around);
        }
        self.contacts.sort_unstable_by_key(|contact| (contact.body, contact.wall, contact.feature));
    }

    /// What a particle remembers.
    fn memory<'a>(&self, particles: &'a Particles, particle: u32) -> impl Iterator<Item = &'a WallMemory> {
        let from = (self.remembered[particle as usize] as usize).min(particles.walls.len());
        particles.walls[from..].iter().take_while(move |memory| memory.particle == particle)
    }

    fn wall(&mut self, sorted: &Sorted<'_>, (index, wall): (u32, &Wall), pose: &Pose) {
        let travel = wall.speed() * sorted.interval;
        let bounds = wall.shape.bounds().map(|bounds| pose.bounds(bounds));
        for (at, place) in sorted.places.iter().enumerate() {
            let reach = place.radius() + sorted.reach(at) + travel;
            if let Some((low, high)) = bounds {
                let away = (low - place.centre()).max(place.centre() - high);
                if away.max_element() > reach {
                    continue;
                }
            }
            let particle = sorted.order[at].1;
            let q = pose.local(place.centre());
            if let WallShape::Mesh(mesh) = &wall.shape {
                // thin plates hold centres down to two radii behind the front
                mesh.near(q, reach.max(2.0 * place.radius()), |triangle| {
                    let own = |m: &&WallMemory| m.wall == wall.id && m.feature == triangle;
                    let old = self.memory(sorted.particles, particle).find(own).copied();
                    let alike = |m: &WallMemory| m.wall == wall.id && mesh.aligned(m.feature, triangle);
                    let in_front =
                        mesh.height(triangle, q) >= 0.0 || self.memory(sorted.particles, particle).any(alike);
                    if in_front && mesh.height(triangle, q) < reach {
                        self.add(sorted, (at, index, triangle), wall, old);
                    }
                });
            } else {
                let old = self.memory(sorted.particles, particle).find(|m| m.wall == wall.id).copied();
                let through = old.map_or(u32::MAX, |memory| memory.feature);
                if wall.shape.nearest(q, through).1 < reach {
                    self.add(sorted, (at, index, through), wall, old);
                }
            }
        }
    }

    fn add(
        &mut self,
        sorted: &Sorted<'_>,
        (at, index, feature): (usize, u32, u32),
        wall: &Wall,
        old: Option<WallMemory>,
    ) {
        let soil = sorted.particles.all[sorted.order[at].1 as usize].soil;
        let own = sorted.laws.of(soil, soil).steel.filter(|_| wall.is_steel);
        let [friction, adhesion] = own.unwrap_or([wall.friction, wall.adhesion.max(0.0)]);
        let contact = WallContact {
            wall: index,
            feature,
            spin: wall.spin,
            friction,
            pull: adhesion,
            ..WallContact::default()
        };
        self.push(sorted, at, contact, old);
    }

    fn ground(&mut self, sorted: &Sorted<'_>, around: &Surroundings<'_>) {
        let Some(ground) = around.ground else { return };
        for (at, place) in sorted.places.iter().enumerate() {
            planes_near(ground, place.centre(), (place.radius(), sorted.reach(at)), |number, plane| {
                let own = |m: &&WallMemory| m.wall == GROUND_ID && m.feature == number;
                let old = self.memory(sorted.particles, sorted.order[at].1).find(own).copied();
                let soil = sorted.particles.all[sorted.order[at].1 as usize].soil;
                let friction = sorted.laws.of(soil, soil).ground.unwrap_or(around.ground_friction);
                let friction = friction.clamp(0.0, LARGEST);
                let contact =
                    WallContact { wall: GROUND, feature: number, plane, friction, ..WallContact::default() };
                self.push(sorted, at, contact, old);
            });
        }
    }

    /// Adds a contact with what follows from the particle. The adhesion [Pa] is in `pull`.
    fn push(&mut self, sorted: &Sorted<'_>, at: usize, contact: WallContact, old: Option<WallMemory>) {
        let particle: &Particle = &sorted.particles.all[sorted.order[at].1 as usize];
        let (law, radius) = (sorted.laws.of(particle.soil, particle.soil), particle.radius);
        self.contacts.push(WallContact {
            body: at as u32,
            mass: particle.mass.kilograms(),
            radius,
            impulses: old.map_or_else(Default::default, |memory| memory.impulses),
            // a smooth wall resists rolling no more than sliding
            rolling: law.rolling.min(contact.friction),
            rebound: law.restitution,
            pull: contact.pull * std::f64::consts::PI * radius * radius * sorted.substep,
            given: DVec3::ZERO,
            ..contact
        });
    }

    /// The contacts to remember.
    pub fn remember(&self, order: &[Entry], walls: &[Wall], memory: &mut Vec<WallMemory>) {
        memory.clear();
        memory.extend(self.contacts.iter().filter(|contact| contact.gap < 0.1 * contact.radius).map(
            |contact| WallMemory {
                particle: order[contact.body as usize].1,
                wall: walls.get(contact.wall as usize).map_or(GROUND_ID, |wall| wall.id),
                feature: contact.feature,
                impulses: contact.impulses,
            },
        ));
    }
}

/// Takes gaps and normals of contacts from the poses. The contacts of a particle stand together.
pub(super) fn place(contacts: &mut [WallContact], places: &[Place], walls: &[Wall], poses: &[Pose]) {
    contacts.iter_mut().for_each(|contact| contact.place(&places[contact.body as usize], walls, poses));
    let is_mesh = |contact: &WallContact| {
        walls.get(contact.wall as usize).is_some_and(|wall| matches!(wall.shape, WallShape::Mesh(_)))
    };
    for group in contacts.chunk_by_mut(|a, b| (a.body, a.wall) == (b.body, b.wall)) {
        if group.len() > 1 && is_mesh(&group[0]) {
            drop_covered(group);
        }
    }
}
