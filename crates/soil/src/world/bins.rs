//! All bins of a world over a step.

use super::bin_exchange::{ExchangeWork, Held};
use super::bin_flow::FlowWork;
use super::loose::LooseWork;
use super::model::Earthworks;
use super::state::EarthState;
use crate::ground::Ground;
use crate::particle::Wall;
use glam::DVec3;
use windlass_engine::prelude::{Advance, View};

/// Buffers.
#[derive(Debug, Default)]
pub(super) struct BinWork {
    flow: FlowWork,
    exchange: ExchangeWork,
}

type Step<'a, 'b> = (&'a View<'a>, &'a Advance<'b>);

/// The bin of a number at the end of the step.
fn held<'a>(works: &'a Earthworks, (view, step): (&'a View<'a>, &'a Advance<'_>), number: usize) -> Held<'a> {
    let model = &works.bins[number];
    Held { model, ground: &works.grounds[model.ground], view, body: &step.bodies[model.body.index()] }
}

/// Lets the soil of all bins flow as they tilt and accelerate.
pub(super) fn tilt(
    works: &Earthworks,
    (view, step): Step<'_, '_>,
    next: &mut EarthState,
    work: &mut BinWork,
) {
    for (model, state) in works.bins.iter().zip(&mut next.bins) {
        if state.cells.is_empty() {
            continue;
        }
        let [before, after] = [view.bodies.body(model.body), &step.bodies[model.body.index()]];
        let velocities = [before, after].map(|body| model.world(view, body, DVec3::ZERO).1);
        let pull = view.settings.gravity - (velocities[1] - velocities[0]) / view.dt;
        state.tilt(after.orientation.inverse() * pull, view.dt);
        let ground = &works.grounds[model.ground];
        let soils = ground.terrain.soils();
        let densest = (0..soils.len()).map(|soil| ground.mass_of(soil as u8, ground.largest_radius())).max();
        let side = model.cells[0].max(model.cells[1]) as i64;
        let mut room = densest.unwrap_or_default();
        room.0 *= side;
        state.flow(model, soils, room, view.dt, &mut work.flow);
    }
}

/// Adds the soil of bins to the walls.
pub(super) fn add_walls(
    works: &Earthworks,
    (view, step): Step<'_, '_>,
    next: &EarthState,
    walls: &mut Vec<Wall>,
) {
    for (number, state) in next.bins.iter().enumerate() {
        let before = view.bodies.body(works.bins[number].body);
        held(works, (view, step), number).add_walls(number, state, before, walls);
    }
}

/// Makes particles of what flows over rims, and weighs what is left.
pub(super) fn spill(
    works: &Earthworks,
    (view, step): Step<'_, '_>,
    (next, walls): (&mut EarthState, &[Wall]),
    work: &mut BinWork,
) {
    for (number, state) in next.bins.iter_mut().enumerate() {
        let held = held(works, (view, step), number);
        let ground = &mut next.grounds[held.model.ground];
        let terrain = Ground::new(&held.ground.terrain, &ground.terrain);
        let surface = |p: DVec3| terrain.surface(p.x, p.y).height;
        held.spill(state, (&mut ground.particles, walls), surface, &mut work.exchange);
        state.carried = held.weigh(state);
    }
}

/// Takes the particles of a ground that have come to rest in bins.
pub(super) fn deposit(
    works: &Earthworks,
    (view, step): Step<'_, '_>,
    (ground, next): (usize, &mut EarthState),
    (walls, own, work): (&[Wall], &mut LooseWork, &mut BinWork),
) {
    let particles = &mut next.grounds[ground].particles;
    let gravity = works.grounds[ground].terrain.spec().gravity;
    let all = (0..works.bins.len()).filter(|number| works.bins[*number].ground == ground);
    for number in all.clone() {
        held(works, (view, step), number).measure_rest(particles, &own.rests, gravity);
    }
    for number in all {
        let before = particles.len();
        let carriers = (&mut *particles, &own.carriers);
        held(works, (view, step), number).deposit(&mut next.bins[number], carriers, &mut work.exchange);
        if particles.len() < before {
            // the carriers are by position in the list
            own.carriers.find(particles, walls);
        }
    }
}
