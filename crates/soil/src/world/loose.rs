//! Loose soil over a step: particles move among bodies as walls; those at rest on the ground become ground again.

use super::ground_view::{GroundView, Surcharge};
use super::model::GroundModel;
use super::soil_load::Share;
use super::state::GroundState;
use crate::ground::quanta::Mass;
use crate::particle::{Carrier, Carriers, Outcome, Particle, Surroundings, Wall, Work};
use glam::DVec3;

/// Time for which a particle has to be at rest before it becomes ground [s].
const REST: f64 = 0.25;
/// The same while the particles are near their budget [s].
const HURRIED: f64 = 0.05;
/// Share of the budget from which on it is hurried.
const NEAR_BUDGET: f64 = 0.9;
/// Most particles that become ground at a node in a step, so that the surface does not jump.
const PER_NODE: usize = 2;
/// Depth below the lowest border at which a particle is outside [m].
const FALLEN: f64 = 20.0;

/// Buffers.
#[derive(Debug, Default)]
pub(super) struct LooseWork {
    pub kernel: Work,
    pub surcharge: Surcharge,
    pub carriers: Carriers,
    /// What bodies carry, by body.
    pub shares: Vec<Share>,
    /// Times at rest before the step.
    pub rests: Vec<f64>,
    /// Nodes at which particles were deposited in this step.
    used: Vec<[usize; 2]>,
    settled: Vec<Particle>,
}

/// Moves the particles of a ground among walls.
pub(super) fn advance<'w>(
    model: &GroundModel,
    state: &mut GroundState,
    (walls, gravity, time): (&[Wall], DVec3, f64),
    (kernel, surcharge): (&'w mut Work, &Surcharge),
) -> Outcome<'w> {
    let GroundState { terrain, particles, .. } = state;
    let sight = GroundView::of(model, terrain, surcharge);
    let around =
        Surroundings { walls, ground: Some(&sight), ground_friction: ROUGH, soils: &model.loose, gravity };
    particles.step(&around, time, kernel)
}

/// Friction on ground of particles whose soil has none of its own.
const ROUGH: f64 = 0.7;

/// Finds what carries the particles, and the mass that each body carries.
pub(super) fn share(
    (carriers, shares): (&mut Carriers, &mut Vec<Share>),
    (model, state): (&GroundModel, &GroundState),
    walls: &[Wall],
) {
    carriers.find(&state.particles, walls);
    shares.clear();
    for ((p, carrier), direct) in state.particles.iter().zip(carriers.iter()).zip(carriers.touching()) {
        let Carrier::Body(body) = carrier else { continue };
        let at = shares.binary_search_by_key(&body, |share| share.body).unwrap_or_else(|at| {
            shares.insert(at, Share { body, ..Share::default() });
            at
        });
        let mass = model.moist(p.mass, p.soil as u8);
        shares[at].mass += mass;
        shares[at].volume += model.loose_volume(p.mass, p.soil as u8);
        shares[at].moment += p.position * mass;
        shares[at].direct += if direct { mass } else { 0.0 };
    }
    for share in shares {
        share.leans = carriers.leans(share.body);
    }
}

/// Greatest force of a wedge of soil that fails before a body, over its weight: the least over all planes is 3.7 at an
/// angle of friction of 40 degrees and 27 degrees on the body.
const PASSIVE: f64 = 4.0;

/// Most that soil pushes a body of a speed with over a time [N]: if it leans on ground, what it needs to fail, and what
/// takes the particles that touch the body along. A few particles between a blade and the ground would otherwise hold
/// any drive, and throw the blade back.
pub(super) fn most_push(
    carriers: &mut Carriers,
    (model, state): (&GroundModel, &GroundState),
    walls: &[Wall],
    (body, speed, time): (u32, f64, f64),
) -> f64 {
    if !carriers.look_beside(&state.particles, walls, body) {
        return f64::INFINITY;
    }
    let (mut weight, mut momentum) = (0.0, 0.0);
    for (p, [beside, touches]) in state.particles.iter().zip(carriers.beside()) {
        let mass = model.moist(p.mass, p.soil as u8);
        weight += if beside { mass * model.terrain.spec().gravity } else { 0.0 };
        momentum += if touches { mass * speed } else { 0.0 };
    }
    PASSIVE * weight + momentum / time
}

/// What a body carries.
pub(super) fn share_of(shares: &[Share], body: u32) -> Option<&Share> {
    shares.binary_search_by_key(&body, |share| share.body).ok().map(|at| &shares[at])
}

/// Lets particles at rest become ground, and takes those that fell past the border out. Next to a wall that may move
/// they stay particles: ground that rises would push it.
pub(super) fn deposit(
    model: &GroundModel,
    state: &mut GroundState,
    (walls, may_move): (&[Wall], impl Fn(u32) -> bool),
    work: &mut LooseWork,
) {
    let GroundState { terrain, particles, outside, .. } = state;
    let ground = &*model.terrain;
    let hurried = particles.len() as f64 > NEAR_BUDGET * model.budget as f64;
    let rest = if hurried { HURRIED } else { REST };
    let LooseWork { used, settled, .. } = work;
    used.clear();
    settled.clear();
    let spec = ground.spec();
    let low = |k: usize| spec.origin[k];
    let high = |k: usize| spec.origin[k] + (spec.nodes[k] - 1) as f64 * spec.spacing;
    let within = |p: DVec3| (0..2).all(|k| p[k] >= low(k) && p[k] <= high(k));
    let floor = ground.base([0, 0]) - FALLEN;
    let beside = |p: &Particle| {
        let reach = p.radius + spec.spacing;
        let near = |wall: &Wall| wall.owner.is_some_and(&may_move) && wall.reaches(p.position, reach);
        walls.iter().any(|wall| near(wall) && wall.distance(p.position, reach) < reach)
    };
    particles.remove(|p| {
        let inside = within(p.position);
        if !inside && p.position.z < floor || !p.position.is_finite() {
            *outside += p.mass;
            return true;
        }
        let ready = p.rest >= rest && p.touches.ground && !p.touches.body && inside;
        let node = ground.nearest(p.position.x, p.position.y).filter(|_| ready && !beside(p));
        let Some(node) = node.filter(|node| used.iter().filter(|other| *other == node).count() < PER_NODE)
        else {
            return false;
        };
        used.push(node);
        settled.push(*p);
        true
    });
    for p in settled.iter() {
        let void_ratio = ground.soils()[usize::from(p.soil)].void_ratio.loose;
        for (node, mass) in shares(model, p) {
            terrain.put(ground, node, mass, void_ratio, p.soil as u8);
        }
    }
}

/// The four nodes around a particle, with whole quanta of its mass by their distances; their sum is its mass.
fn shares(model: &GroundModel, p: &Particle) -> [([usize; 2], Mass); 4] {
    let spec = model.terrain.spec();
    let place = |k: usize| {
        let last = (spec.nodes[k] - 1) as f64;
        let u = ((p.position[k] - spec.origin[k]) / spec.spacing).clamp(0.0, last);
        let low = libm::floor(u).min(last - 1.0);
        (low as usize, u - low)
    };
    let ((i, u), (j, v)) = (place(0), place(1));
    let weights = [(1.0 - u) * (1.0 - v), u * (1.0 - v), (1.0 - u) * v, u * v];
    let nodes = [[i, j], [i + 1, j], [i, j + 1], [i + 1, j + 1]];
    let mut all: [([usize; 2], Mass); 4] =
        std::array::from_fn(|k| (nodes[k], Mass((p.mass.0 as f64 * weights[k]) as i64)));
    let rest = p.mass - all.iter().map(|(_, mass)| *mass).sum::<Mass>();
    let most = (0..4).max_by(|a, b| weights[*a].total_cmp(&weights[*b]).then(b.cmp(a))).unwrap_or(0);
    all[most].1 += rest;
    all
}
