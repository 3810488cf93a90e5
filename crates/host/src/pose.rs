//! Poses of the bodies of a scene.

use glam::{DQuat, DVec3};
use windlass_engine::prelude::BodyId;
use windlass_scene::Built;

/// Origin and orientation of a body's axes; those of the world if the body no longer exists.
pub fn pose(built: &Built, id: BodyId) -> (DVec3, DQuat) {
    let body = built.world.model().bodies().get(id);
    let state = built.world.state().bodies.get(id.index());
    body.zip(state).map_or((DVec3::ZERO, DQuat::IDENTITY), |(body, state)| {
        (state.position - state.orientation * body.mass.center, state.orientation)
    })
}
