//! What the next step needs: warm starts, counted turns, breaks, sleep.

use crate::constrain::rows::Rows;
use crate::partition::Islands;
use crate::report::reaction;
use crate::solve::{Solution, rate};
use crate::world::body::Kind;
use crate::world::model::{Model, Sleep};
use crate::world::state::State;
use crate::world::twist::Wrench;
use glam::DVec3;

/// Stores multipliers, modes and coordinates of the joints, these carried ahead by `drift`; breaks those that bore too
/// much. Returns how many broke.
pub fn joints(model: &Model, rows: &Rows, solution: &Solution, drift: f64, state: &mut State) -> usize {
    let mut broken = 0;
    for group in &rows.groups {
        let place = group.joint as usize;
        let joint = model.joints.at(place).expect("rows come from joints");
        let memory = &mut state.joints[place];
        memory.forces.clear();
        memory.forces.extend_from_slice(&solution.forces[group.rows.clone()]);
        memory.modes.clear();
        memory.modes.extend_from_slice(&solution.modes[group.rows.clone()]);
        memory.coordinates.clear();
        // where they will be after the step, so that turns are counted right however fast a shaft turns
        let ahead = |k: usize| {
            let rate = rate(&rows.rates[k], |place| solution.twists[place]);
            rows.coordinates[k] + drift * rate
        };
        memory.coordinates.extend(group.coordinates.clone().map(ahead));
        if let Some(strength) = joint.strength
            && let Some(frame) = rows.frames[group.frames.clone()].last()
        {
            let Wrench { force, torque } = reaction::on(frame, rows, &solution.forces, group);
            if force.length() > strength.force || torque.length() > strength.torque {
                state.joints[place].broken = true;
                broken += 1;
            }
        }
    }
    broken
}

/// Puts islands to sleep that have been still long enough.
pub fn sleep(model: &Model, rows: &Rows, islands: &Islands, loads: &[Wrench], state: &mut State) {
    let Some(Sleep { speed, after }) = model.settings.sleep else { return };
    for island in &islands.list {
        let restless = island.groups.iter().any(|g| is_restless(model, rows.groups[*g as usize].joint));
        let mut rest = f64::INFINITY;
        for body in island.bodies.iter().map(|b| *b as usize) {
            let b = &mut state.bodies[body];
            let still = b.velocity.length() < speed && b.spin.length() < speed && b.load == loads[body];
            b.still = if still { b.still + model.settings.dt } else { 0.0 };
            b.load = loads[body];
            rest = rest.min(b.still);
        }
        let asleep = !restless && rest >= after;
        for body in island.bodies.iter().map(|b| *b as usize) {
            let b = &mut state.bodies[body];
            b.asleep = asleep;
            if asleep {
                (b.velocity, b.spin) = (DVec3::ZERO, DVec3::ZERO);
            }
        }
    }
}

/// Whether a joint may move its bodies by itself: it is driven, or held by a driven body.
fn is_restless(model: &Model, joint: u32) -> bool {
    let joint = model.joints.at(joint as usize).expect("rows come from joints");
    let constraint = joint.constraint();
    let driven = |a: &crate::world::frame::Anchor| {
        model.bodies.get(a.body).is_some_and(|b| matches!(b.kind, Kind::Driven(_)))
    };
    constraint.is_restless() || constraint.anchors().iter().any(driven)
}

/// Wakes islands in which the load of a sleeping body changed.
pub fn wake(model: &Model, islands: &Islands, loads: &[Wrench], state: &mut State) {
    if model.settings.sleep.is_none() {
        return;
    }
    for island in &islands.list {
        let changed = |b: &&u32| {
            let s = &state.bodies[**b as usize];
            s.asleep && s.load != loads[**b as usize]
        };
        if island.bodies.iter().any(|b| changed(&b)) {
            for body in &island.bodies {
                let b = &mut state.bodies[*body as usize];
                (b.asleep, b.still) = (false, 0.0);
            }
        }
    }
}
