//! A step of the particles: intervals with fixed contact candidates, divided into substeps of two sweeps each.
//!
//! ```text
//!  per substep δ:  v += δ g;  warm start;  soft sweep;  x += δ v;  relaxation sweep at the new positions
//! ```
//!
//! The relaxation removes the velocity that the bias of the soft sweep has added. Geometry is evaluated in every
//! substep, and partners exchange impulses at one shared point, which conserves angular momentum. The speed of a
//! particle is limited to one radius per substep. Particles without contacts follow the parabola of free fall.

use super::contact::{Body, Place, Softness};
use super::gather::{Bulk, Gathered};
use super::grid::Slab;
use super::lanes::{Instructions, Kernel, Machine};
use super::laws::PairLaws;
use super::quad::Quad;
use super::state::{PairMemory, Particles, Touches};
use super::surroundings::{Fault, Outcome, Surroundings};
use super::sweep::{Pass, sweep};
use super::wall::{Pose, Wall, WallImpulse};
use super::wall_contact::{GROUND, WallContact};
use super::walls_near::{Sorted, WallsNear, place};

/// Substeps per step.
const SUBSTEPS: usize = 8;

/// Approach in steps of gravity from which on an impact rebounds: resting contacts do not.
const IMPACT: f64 = 2.0;

/// Memory that steps reuse.
#[derive(Clone, Debug, Default)]
pub struct Work {
    instructions: Instructions,
    laws: PairLaws,
    gathered: Gathered,
    walls: WallsNear,
    poses: Vec<Pose>,
    colours: [Vec<Slab>; 2],
    impulses: Vec<WallImpulse>,
    clamped: usize,
}

/// Lists that the sweeps only read.
struct Fixed<'a> {
    places: &'a [Place],
    walls: &'a [Wall],
    poses: &'a [Pose],
}

/// Applies the impulses of the last substep.
struct Warm(Instructions);

impl Pass for Warm {
    fn sweep(&self, _: &Slab, bodies: &mut [Body], quads: &mut [Quad], walls: &mut [WallContact]) {
        self.0.run(WarmQuads(bodies, quads));
        walls.iter_mut().for_each(|contact| contact.warm(&mut bodies[contact.body as usize]));
    }
}

struct WarmQuads<'a>(&'a mut [Body], &'a [Quad]);

impl Kernel for WarmQuads<'_> {
    #[inline(always)]
    fn run(self, machine: impl Machine) {
        for quad in self.1 {
            quad.warm(machine, self.0);
        }
    }
}

struct Sweep(Instructions, Softness);

impl Pass for Sweep {
    fn sweep(&self, _: &Slab, bodies: &mut [Body], quads: &mut [Quad], walls: &mut [WallContact]) {
        self.0.run(SweepQuads(bodies, quads, &self.1));
        walls.iter_mut().for_each(|contact| contact.sweep(&mut bodies[contact.body as usize], &self.1));
    }
}

struct SweepQuads<'a>(&'a mut [Body], &'a mut [Quad], &'a Softness);

impl Kernel for SweepQuads<'_> {
    #[inline(always)]
    fn run(self, machine: impl Machine) {
        for quad in self.1 {
            quad.sweep(machine, self.0, self.2);
        }
    }
}

/// A sweep that takes the geometry first.
struct PlacedSweep<'a>(Instructions, Fixed<'a>, Softness);

impl Pass for PlacedSweep<'_> {
    fn sweep(&self, slab: &Slab, bodies: &mut [Body], quads: &mut [Quad], walls: &mut [WallContact]) {
        let places = &self.1.places[slab.own.start..slab.reach];
        self.0.run(PlacedSweepQuads(places, SweepQuads(bodies, quads, &self.2)));
        place(walls, places, self.1.walls, self.1.poses);
        walls.iter_mut().for_each(|contact| contact.sweep(&mut bodies[contact.body as usize], &self.2));
    }
}

struct PlacedSweepQuads<'a>(&'a [Place], SweepQuads<'a>);

impl Kernel for PlacedSweepQuads<'_> {
    #[inline(always)]
    fn run(self, machine: impl Machine) {
        let SweepQuads(bodies, quads, softness) = self.1;
        for quad in quads {
            quad.place(machine, self.0);
            quad.sweep(machine, bodies, softness);
        }
    }
}

impl Particles {
    /// Advances the particles by a step. Walls have their poses of its end.
    pub fn step<'w>(&mut self, around: &Surroundings<'_>, dt: f64, work: &'w mut Work) -> Outcome<'w> {
        let fault = self.fault(around);
        work.begin(around);
        if !(dt > 0.0 && dt.is_finite() && around.gravity.is_finite()) {
            return work.outcome(fault);
        }
        let substep = dt / SUBSTEPS as f64;
        self.rescale(substep);
        work.clamped += self.clamp(substep);
        let intervals = Bulk::of(&self.all).intervals(dt, SUBSTEPS);
        let count = SUBSTEPS / intervals;
        for interval in 0..intervals {
            let left = SUBSTEPS - interval * count;
            work.gather(self, around, [count as f64 * substep, substep, left as f64 * substep]);
            for passed in 1..=count {
                work.substep(around, substep, (left - passed) as f64 * substep);
            }
            work.finish(self, around, count as f64 * substep);
        }
        self.age(around.gravity.length(), dt);
        work.outcome(fault)
    }

    /// The first particle or wall that takes no part in the step.
    fn fault(&self, around: &Surroundings<'_>) -> Option<Fault> {
        let particle = self.all.iter().find(|p| !p.is_sound()).map(|p| Fault::Particle(p.id));
        particle.or_else(|| around.walls.iter().find(|w| !w.is_finite()).map(|w| Fault::Wall(w.id)))
    }

    /// Adapts the impulses of the last step to the length of the substep.
    fn rescale(&mut self, substep: f64) {
        if self.substep > 0.0 && self.substep != substep {
            let ratio = substep / self.substep;
            let impulses = self.pairs.iter_mut().map(|p| &mut p.impulses);
            for impulses in impulses.chain(self.walls.iter_mut().map(|w| &mut w.impulses)) {
                impulses.normal *= ratio;
                impulses.tangent *= ratio;
                impulses.rolling *= ratio;
            }
        }
        self.substep = substep;
    }

    /// Slows particles down to one radius per substep, and counts them.
    fn clamp(&mut self, substep: f64) -> usize {
        let mut count = 0;
        for particle in self.all.iter_mut().filter(|p| p.is_sound()) {
            let limit = particle.radius / substep;
            let speed = particle.velocity.length();
            if speed > limit {
                // in two factors: the square of a huge speed overflows
                let scale = particle.velocity.abs().max_element();
                particle.velocity = (particle.velocity / scale).normalize_or_zero() * limit;
                count += 1;
            }
            let turning = particle.spin.abs().max_element() * particle.radius;
            if turning > limit {
                particle.spin *= limit / turning;
                count += 1;
            }
        }
        count
    }

    /// Updates the times at rest.
    fn age(&mut self, gravity: f64, dt: f64) {
        for particle in &mut self.all {
            let limit = 0.1 * (gravity * 2.0 * particle.radius).sqrt();
            particle.rest = if particle.velocity.length() < limit { particle.rest + dt } else { 0.0 };
        }
    }
}

impl Work {
    fn begin(&mut self, around: &Surroundings<'_>) {
        self.laws.set(around.soils);
        self.clamped = 0;
        self.impulses.clear();
        let owners = around.walls.iter().map(|wall| wall.owner);
        self.impulses.extend(owners.map(|owner| WallImpulse { owner, ..WallImpulse::default() }));
        self.impulses.push(WallImpulse::default());
        self.impulses.sort_unstable_by_key(|impulse| impulse.owner);
        self.impulses.dedup_by_key(|impulse| impulse.owner);
    }

    fn outcome(&self, fault: Option<Fault>) -> Outcome<'_> {
        Outcome { impulses: &self.impulses, clamped: self.clamped, fault }
    }

    fn set_poses(&mut self, walls: &[Wall], before_end: f64) {
        self.poses.clear();
        self.poses.extend(walls.iter().map(|wall| wall.pose_before(before_end)));
    }

    /// Finds the contacts of an interval of substeps, at a time before the end of the step.
    fn gather(
        &mut self,
        particles: &Particles,
        around: &Surroundings<'_>,
        [interval, substep, left]: [f64; 3],
    ) {
        self.set_poses(around.walls, left);
        self.gathered.fill(particles, &self.laws, [interval, substep]);
        let Gathered { order, places, bodies, slabs, busy, .. } = &mut self.gathered;
        let sorted = Sorted { particles, order, places, interval, substep, laws: &self.laws };
        self.walls.find(sorted, around, &self.poses);
        place(&mut self.walls.contacts, places, around.walls, &self.poses);
        let mut at = 0;
        self.colours.iter_mut().for_each(Vec::clear);
        for slab in slabs {
            let from = at;
            while at < self.walls.contacts.len() && (self.walls.contacts[at].body as usize) < slab.own.end {
                let contact = &mut self.walls.contacts[at];
                let body = contact.body as usize;
                let approach = -contact.normal.dot(bodies[body].velocity() - contact.velocity);
                contact.rebound *= approach.max(0.0);
                busy[body] = true;
                contact.body -= slab.own.start as u32;
                at += 1;
            }
            slab.walls = from..at;
            self.colours[(slab.number % 2) as usize].push(slab.clone());
        }
    }

    fn substep(&mut self, around: &Surroundings<'_>, substep: f64, before_end: f64) {
        let fall = around.gravity * substep;
        let busy = |(_, busy): &(&mut Body, &bool)| **busy;
        let bodies = self.gathered.bodies.iter_mut().zip(&self.gathered.busy).filter(busy);
        bodies.for_each(|(body, _)| body.set_velocity(body.velocity() + fall));
        self.sweep(&Warm(self.instructions));
        self.sweep(&Sweep(self.instructions, Softness::soft(substep)));
        let Gathered { places, bodies, busy, .. } = &mut self.gathered;
        for ((place, body), _) in places.iter_mut().zip(bodies).zip(busy).filter(|(_, busy)| **busy) {
            let limit = place.radius() / substep;
            let square = body.velocity().length_squared();
            if square > limit * limit {
                body.set_velocity(body.velocity() * (limit / square.sqrt()));
                self.clamped += 1;
            }
            place.travel(body.velocity() * substep);
        }
        self.set_poses(around.walls, before_end);
        let Gathered { places, bodies, quads, .. } = &mut self.gathered;
        let fixed = Fixed { places, walls: around.walls, poses: &self.poses };
        let lists = (quads.as_mut_slice(), self.walls.contacts.as_mut_slice());
        sweep(&self.colours, bodies, lists, &PlacedSweep(self.instructions, fixed, Softness::hard(substep)));
    }

    fn sweep(&mut self, pass: &impl Pass) {
        let lists = (self.gathered.quads.as_mut_slice(), self.walls.contacts.as_mut_slice());
        sweep(&self.colours, &mut self.gathered.bodies, lists, pass);
    }

    /// Writes the particles and impulses back, and adds what walls received.
    fn finish(&mut self, particles: &mut Particles, around: &Surroundings<'_>, interval: f64) {
        self.bounce(IMPACT * around.gravity.length() * interval);
        let Gathered { order, places, bodies, busy, .. } = &self.gathered;
        for (at, (_, index)) in order.iter().enumerate() {
            let particle = &mut particles.all[*index as usize];
            if busy[at] {
                particle.position = places[at].centre();
                particle.velocity = bodies[at].velocity();
                particle.spin = bodies[at].spin() * bodies[at].inverse_radius();
            } else {
                let before = particle.velocity;
                particle.velocity += around.gravity * interval;
                particle.position += (before + particle.velocity) * (0.5 * interval);
            }
            particle.touches = Touches::default();
        }
        self.touch(particles, around.walls);
        self.remember(particles, around.walls);
        self.account(around.walls);
    }

    /// Restitution of the contacts that closed faster than `least`.
    fn bounce(&mut self, least: f64) {
        let Gathered { quads, bodies, rebounds, slabs, .. } = &mut self.gathered;
        for slab in slabs {
            let bodies = &mut bodies[slab.own.start..slab.reach];
            let own = quads[slab.quads.clone()].iter().zip(&rebounds[slab.quads.clone()]);
            let impacts = own.filter(|(_, rebounds)| rebounds.iter().any(|rebound| *rebound > 0.5 * least));
            for (pair, rebound) in impacts.flat_map(|(quad, rebounds)| quad.pairs().zip(rebounds)) {
                let (a, b) = (pair.a as usize, pair.b as usize);
                let push = pair.bounce([&bodies[a], &bodies[b]], *rebound);
                let Some(push) = push.filter(|_| *rebound > 0.5 * least) else { continue };
                let [before, after] = [a, b].map(|k| bodies[k].velocity());
                let [u, v] = [a, b].map(|k| push * bodies[k].inverse_mass());
                bodies[a].set_velocity(before - u);
                bodies[b].set_velocity(after + v);
            }
            for contact in
                self.walls.contacts[slab.walls.clone()].iter_mut().filter(|c| c.rebound > 0.5 * least)
            {
                contact.bounce(&mut bodies[contact.body as usize]);
            }
        }
    }

    /// What particles touch.
    fn touch(&mut self, particles: &mut Particles, walls: &[Wall]) {
        let Gathered { order, quads, slabs, .. } = &self.gathered;
        for slab in slabs {
            let contacts = &mut self.walls.contacts[slab.walls.clone()];
            for contact in contacts {
                contact.body += slab.own.start as u32;
                if contact.impulses.normal > 0.0 || contact.gap < 0.0 {
                    let touches = &mut particles.all[order[contact.body as usize].1 as usize].touches;
                    if contact.wall == GROUND {
                        (touches.ground, touches.supported) = (true, true);
                    } else if walls[contact.wall as usize].owner.is_some() {
                        touches.body = true;
                    }
                }
            }
        }
        for slab in slabs {
            let pairs = quads[slab.quads.clone()].iter().flat_map(Quad::pairs);
            for pair in pairs.filter(|pair| pair.impulses.normal > 0.0) {
                let [a, b] = [pair.a, pair.b].map(|k| order[slab.own.start + k as usize].1 as usize);
                let grounds = [particles.all[a].touches.ground, particles.all[b].touches.ground];
                particles.all[a].touches.supported |= grounds[1];
                particles.all[b].touches.supported |= grounds[0];
            }
        }
    }

    fn remember(&mut self, particles: &mut Particles, walls: &[Wall]) {
        let Gathered { order, quads, slabs, .. } = &self.gathered;
        particles.pairs.clear();
        for slab in slabs {
            let own = quads[slab.quads.clone()].iter().flat_map(Quad::pairs);
            particles.pairs.extend(own.filter(|pair| pair.impulses.normal != 0.0 || pair.pull > 0.0).map(
                |pair| {
                    let [a, b] = [pair.a, pair.b].map(|k| order[slab.own.start + k as usize].1);
                    let impulses = if a < b { pair.impulses } else { pair.impulses.reversed() };
                    PairMemory { partners: [a.min(b), a.max(b)], impulses }
                },
            ));
        }
        self.walls.remember(order, walls, &mut particles.walls);
    }

    fn account(&mut self, walls: &[Wall]) {
        for contact in &self.walls.contacts {
            let owner = walls.get(contact.wall as usize).and_then(|wall| wall.owner);
            if let Ok(at) = self.impulses.binary_search_by_key(&owner, |impulse| impulse.owner) {
                self.impulses[at].impulse += contact.given;
                self.impulses[at].moment += contact.moment;
            }
        }
    }

    /// Number of pairs that were candidates in the last interval.
    pub fn candidates(&self) -> usize {
        self.gathered.quads.iter().map(|quad| quad.count as usize).sum()
    }
}
