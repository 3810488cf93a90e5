//! Soil in bins and particles: what comes to rest in a bin becomes its soil, what flows over a rim becomes particles.
//!
//! A particle is at rest if it was slower than 0.1 √(g d) for 0.25 s relative to the body of the bin, and lies on the
//! soil or on the floor. One whose centre has got below the surface is taken at once. The soil of a cell is a wall in the
//! shape of a box for the particles that are left.

use super::attached_soil::AttachedSoil;
use super::bin::{BinModel, BinState, OUTWARD, SIDES, TOP};
use super::free_space::FreeSpace;
use super::model::GroundModel;
use crate::ground::quanta::Mass;
use crate::particle::{Carrier, Carriers, Particle, Particles, Wall, WallShape};
use glam::DVec3;
use windlass_engine::prelude::{BodyState, View};

/// Time at rest after which a particle becomes soil of the bin [s].
const REST: f64 = 0.25;
/// Height of the centre of a particle that lies on the surface, over its radius, at most.
const LIES: f64 = 1.6;
/// Most particles that become soil of a cell in a step, so that the surface does not jump.
const PER_CELL: u8 = 2;
/// Friction of particles on the soil of a bin: as on ground.
const ROUGH: f64 = 0.7;
/// Speed at which soil leaves over a rim [m/s].
const OVER: f64 = 0.5;
/// Numbers of walls: beyond those of bodies.
const WALLS: u64 = 1 << 48;
/// Heights of soil below this are no wall [m].
const THIN: f64 = 1e-3;

/// Buffers.
#[derive(Debug, Default)]
pub(super) struct ExchangeWork {
    taken: Vec<u8>,
    room: FreeSpace,
}

/// A bin at the end of a step.
#[derive(Clone, Copy)]
pub(super) struct Held<'a> {
    pub model: &'a BinModel,
    pub ground: &'a GroundModel,
    pub view: &'a View<'a>,
    pub body: &'a BodyState,
}

impl Held<'_> {
    /// What the soil in it adds to its body.
    pub fn weigh(&self, state: &BinState) -> AttachedSoil {
        let (model, ground) = (self.model, self.ground);
        let soils = ground.terrain.soils();
        if state.cells.is_empty() {
            return AttachedSoil::default();
        }
        let cell = model.cell();
        let moist = |masses: &[Mass]| {
            masses.iter().enumerate().map(|(soil, mass)| ground.moist(*mass, soil as u8)).sum::<f64>()
        };
        let cells = (0..model.count()).map(|at| {
            let masses = &state.cells[at * soils.len()..(at + 1) * soils.len()];
            let height = model.height(state, soils, at);
            let middle = model.middle + model.place(at).extend(0.5 * height);
            (moist(masses), middle, cell.extend(height))
        });
        let over = (0..SIDES).map(|side| {
            let masses = &state.over[side * soils.len()..(side + 1) * soils.len()];
            (moist(masses), model.middle + model.rim(side), DVec3::ZERO)
        });
        AttachedSoil::sum(cells.chain(over))
    }

    /// Adds its soil to the walls.
    pub fn add_walls(&self, number: usize, state: &BinState, before: &BodyState, walls: &mut Vec<Wall>) {
        let (soils, cell) = (self.ground.terrain.soils(), self.model.cell());
        if state.cells.is_empty() {
            return;
        }
        for at in 0..self.model.count() {
            let height = self.model.height(state, soils, at);
            if height < THIN {
                continue;
            }
            let middle = self.model.place(at).extend(0.5 * height);
            walls.push(Wall {
                id: WALLS | (number as u64) << 20 | at as u64,
                shape: WallShape::Box(0.5 * cell.extend(height)),
                position: self.model.world(self.view, self.body, middle).0,
                rotation: self.body.orientation,
                owner: Some(self.model.body.index() as u32),
                origin: self.body.position,
                velocity: (self.body.position - before.position) / self.view.dt,
                spin: self.body.angular_velocity,
                friction: ROUGH,
                adhesion: 0.0,
                is_steel: false,
            });
        }
    }

    /// Measures how long particles have been at rest in the bin. `rests` are their times before the step, by position in
    /// the list.
    pub fn measure_rest(&self, particles: &mut Particles, rests: &[f64], gravity: f64) {
        for (p, before) in particles.iter_mut().zip(rests) {
            let q = self.model.local(self.view, self.body, p.position);
            if self.model.cell_at(q).is_some() && q.z > -p.radius {
                let own = self.model.world(self.view, self.body, q).1;
                let limit = 0.01 * gravity * 2.0 * p.radius;
                let rests = p.velocity.distance_squared(own) < limit;
                p.rest = if rests { before + self.view.dt } else { 0.0 };
            }
        }
    }

    /// Takes the particles that have come to rest.
    pub fn deposit(
        &self,
        state: &mut BinState,
        (particles, carriers): (&mut Particles, &Carriers),
        work: &mut ExchangeWork,
    ) {
        let soils = self.ground.terrain.soils();
        let owner = Carrier::Body(self.model.body.index() as u32);
        work.taken.clear();
        work.taken.resize(self.model.count(), 0);
        let mut carriers = carriers.iter();
        particles.remove(|p| {
            let carrier = carriers.next().unwrap_or_default();
            let q = self.model.local(self.view, self.body, p.position);
            let Some(at) = self.model.cell_at(q).filter(|_| q.z > -p.radius) else { return false };
            if carrier != owner || work.taken[at] >= PER_CELL {
                return false;
            }
            let height = self.model.height(state, soils, at);
            let sunk = height > THIN && q.z < height;
            let rests = p.rest >= REST && q.z - height < LIES * p.radius;
            if !(sunk || rests) {
                return false;
            }
            work.taken[at] += 1;
            state.open(self.model, soils.len());
            self.lay(state, q, p);
            true
        });
    }

    /// Lays the mass of a particle on the cells around it, in whole quanta by the distances of their middles.
    fn lay(&self, state: &mut BinState, q: DVec3, p: &Particle) {
        let (soils, model) = (self.ground.terrain.soils().len(), self.model);
        let at = (q.truncate() + 0.5 * model.size) / model.cell() - 0.5;
        let place = |u: f64, count: usize| {
            let last = (count - 1) as f64;
            let low = libm::floor(u.clamp(0.0, last)).min((last - 1.0).max(0.0));
            let next = (low as usize + 1).min(count - 1);
            ([low as usize, next], (u.clamp(0.0, last) - low).clamp(0.0, 1.0))
        };
        let ((i, u), (j, v)) = (place(at.x, model.cells[0]), place(at.y, model.cells[1]));
        let weights = [(1.0 - u) * (1.0 - v), u * (1.0 - v), (1.0 - u) * v];
        let mut rest = p.mass;
        for (k, weight) in weights.into_iter().enumerate() {
            let part = Mass((p.mass.0 as f64 * weight) as i64);
            state.cells[(i[k % 2] + j[k / 2] * model.cells[0]) * soils + usize::from(p.soil)] += part;
            rest -= part;
        }
        state.cells[(i[1] + j[1] * model.cells[0]) * soils + usize::from(p.soil)] += rest;
    }

    /// Makes particles of what has flowed over the rims, where there is room.
    pub fn spill(
        &self,
        state: &mut BinState,
        (particles, walls): (&mut Particles, &[Wall]),
        surface: impl Fn(DVec3) -> f64,
        work: &mut ExchangeWork,
    ) {
        let soils = self.ground.terrain.soils();
        if state.over.iter().all(|mass| *mass == Mass::ZERO) {
            return;
        }
        let largest = self.ground.largest_radius();
        let reach = self.model.size.length() + self.model.rim(TOP).z + 4.0 * largest;
        let middle = self.model.world(self.view, self.body, DVec3::ZERO).0;
        work.room.look(particles, walls, (middle - reach, middle + reach));
        for side in 0..SIDES {
            for soil in 0..soils.len() {
                loop {
                    let radius = self.ground.radius_of(particles.next_id());
                    let mass = self.ground.mass_of(soil as u8, radius);
                    if state.over[side * soils.len() + soil] < mass || particles.len() >= self.ground.budget {
                        break;
                    }
                    let count = self.model.count();
                    let first = particles.next_id() as usize;
                    // neighbours in turn, far enough from each other
                    let cells = (0..count).map(|k| (first + k) * SPREAD % count);
                    let born = cells
                        .filter(|at| self.model.is_at(side, *at))
                        .flat_map(|at| (0..LEVELS).map(move |level| (at, level)))
                        .filter_map(|(at, level)| self.over_rim(state, side, (at, level), radius))
                        .find(|(p, _)| {
                            surface(*p) + 0.5 * radius < p.z && work.room.is_free(walls, *p, radius)
                        });
                    let Some((position, velocity)) = born else { break };
                    let soil_index = soil as u16;
                    particles.add(Particle {
                        position,
                        velocity,
                        radius,
                        mass,
                        soil: soil_index,
                        ..Particle::default()
                    });
                    work.room.add(position, radius);
                    state.over[side * soils.len() + soil] -= mass;
                }
            }
        }
    }

    /// Where soil of a cell appears beyond a rim, and its velocity; higher levels only where the soil is as deep.
    fn over_rim(
        &self,
        state: &BinState,
        side: usize,
        (at, level): (usize, usize),
        radius: f64,
    ) -> Option<(DVec3, DVec3)> {
        let [x, y] = OUTWARD[side];
        let (cell, height) =
            (self.model.place(at), self.model.height(state, self.ground.terrain.soils(), at));
        let up = (2 * level) as f64 * 1.05 * radius;
        let rim = self.model.rim(side).z;
        if level > 0 && (side == TOP || height < rim + up) {
            return None;
        }
        let q = if side == TOP {
            cell.extend(height.max(rim) + 1.05 * radius)
        } else {
            let out =
                |d: f64, own: f64, size: f64| if d == 0.0 { own } else { d * (0.5 * size + 1.05 * radius) };
            let [px, py] = [out(x, cell.x, self.model.size.x), out(y, cell.y, self.model.size.y)];
            DVec3::new(px, py, rim + 1.05 * radius + up)
        };
        let (position, velocity) = self.model.world(self.view, self.body, q);
        let outward = if side == TOP { DVec3::Z } else { DVec3::new(x, y, 0.0) };
        Some((position, velocity + self.body.orientation * outward * OVER))
    }
}

/// Particles above each other that a rim may release.
const LEVELS: usize = 3;
/// Stride over the cells in the search for room: a prime beyond all numbers of cells, so that it meets all of them.
const SPREAD: usize = 40_009;
