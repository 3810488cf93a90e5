//! Sleep: islands at rest are not integrated until their load changes, an awake body touches them, or an input moves
//! them.

use crate::body::twist::Wrench;
use crate::body::{BodyState, MotionType};
use crate::constrain::inputs::InputRamps;
use crate::model::Model;
use crate::model::state::State;
use crate::partition::Islands;
use crate::row::rows::{Group, Rows};
use crate::row::{Role, Row, RowSource};
use crate::settings::Sleep;
use glam::DVec3;

/// Wakes a body.
pub(super) fn rouse(body: &mut BodyState) {
    (body.asleep, body.rest_time) = (false, 0.0);
}

/// The sleeping bodies driven by inputs that move.
pub(super) fn driven<'a>(
    model: &'a Model,
    state: &'a State,
    inputs: &'a InputRamps,
) -> impl Iterator<Item = usize> + 'a {
    let moving = move |(place, _): &(usize, _)| {
        let ramp = &inputs.list[*place];
        ramp.rate != 0.0 || ramp.start != state.inputs[*place].actual
    };
    let known = model.settings.sleep.map_or(0, |_| inputs.list.len());
    let moved = model.inputs.iter().filter(move |(place, _)| *place < known).filter(moving);
    let joints = moved.flat_map(|(_, input)| &input.bindings).filter_map(|b| model.joints.get(b.joint));
    let bodies = joints.flat_map(|joint| joint.constraint().anchors()).map(|anchor| anchor.body.index());
    bodies.filter(|body| state.bodies[*body].asleep || state.bodies[*body].rest_time != 0.0)
}

/// Whether an island must wake: the load of a sleeping body changed, or not all of its bodies sleep.
pub(super) fn is_woken(bodies: &[u32], loads: &[Wrench], state: &State) -> bool {
    let changed = |b: &u32| {
        let s = &state.bodies[*b as usize];
        s.asleep && s.load != loads[*b as usize]
    };
    let asleep = bodies.iter().filter(|b| state.bodies[**b as usize].asleep).count();
    (asleep > 0 && asleep < bodies.len()) || bodies.iter().any(changed)
}

/// Puts islands to sleep that have been at rest long enough.
pub(super) fn update(model: &Model, rows: &Rows, islands: &Islands, loads: &[Wrench], state: &mut State) {
    let Some(Sleep { speed, after }) = model.settings.sleep else { return };
    let h = model.dt(state);
    // clusters of an island share bodies: they stay awake
    for island in islands.list.iter().filter(|island| island.cluster == 0) {
        let restless = island.groups.iter().any(|g| is_moving(model, rows, &rows.groups[*g as usize]));
        let mut rest = f64::INFINITY;
        for body in island.bodies.iter().map(|b| *b as usize) {
            let b = &mut state.bodies[body];
            let still =
                b.velocity.length() < speed && b.angular_velocity.length() < speed && b.load == loads[body];
            b.rest_time = if still { b.rest_time + h } else { 0.0 };
            b.load = loads[body];
            rest = rest.min(b.rest_time);
        }
        let asleep = !restless && rest >= after;
        for body in island.bodies.iter().map(|b| *b as usize) {
            let b = &mut state.bodies[body];
            b.asleep = asleep;
            if asleep {
                (b.velocity, b.angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
            }
        }
    }
}

/// Whether a group of rows may move its bodies by itself: a joint that is driven or attached to a kinematic body, a
/// contact with a kinematic body or a belt.
fn is_moving(model: &Model, rows: &Rows, group: &Group) -> bool {
    let driven = |place: usize| {
        model
            .bodies
            .at(place)
            .is_some_and(|b| matches!(b.kind, MotionType::Kinematic(_) | MotionType::Catenary))
    };
    let held = rows.frames[group.frames()].iter().any(|f| driven(f.body as usize));
    held || match group.owner {
        RowSource::Joint(place) => {
            // a motor commanded by an input shows it in its row
            let turns = |row: &Row| matches!(row.role, Role::Drive(_)) && row.speed != 0.0;
            rows.rows[group.rows()].iter().any(turns)
                || model.joints.at(place as usize).is_some_and(|joint| joint.constraint().is_moving())
        }
        RowSource::Force(_) => {
            group.rows().flat_map(|row| rows.blocks(row)).any(|block| driven(block.body as usize))
        }
        // its inputs and logic may set it in motion at any time
        RowSource::Subsystem(..) => true,
        RowSource::Pair(_) => rows.rows[group.rows()].iter().any(|row| row.speed != 0.0),
    }
}
