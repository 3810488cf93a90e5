//! Heights of a body above the ground, at the middle of each of its colliders.

use crate::visual::reach;
use glam::DVec3;
use windlass_engine::prelude::{Anchor, Body, BodyId, Collider, Geometry, World};
use windlass_soil::GroundModel;
use windlass_soil::ground::Ground;
use windlass_soil::world::GroundState;

/// Heights of the lowest and the highest point of the colliders of a body above a ground that it meets [m]; none beside
/// the ground.
pub(crate) fn clearances(
    world: &World,
    (id, body): (BodyId, &Body),
    (ground, state): (&GroundModel, &GroundState),
) -> Option<[f64; 2]> {
    let spec = ground.terrain.spec();
    let last = |k: usize| spec.origin[k] + (spec.nodes[k] - 1) as f64 * spec.spacing;
    let surface = world.model().bodies().get(ground.body)?.colliders.first()?;
    let meets = |c: &&Collider| !c.trigger && c.meets(surface);
    let mut found: Option<[f64; 2]> = None;
    for collider in body.colliders.iter().filter(meets) {
        let frame = world.model().frame(world.state(), &Anchor::frame(id, collider.at, collider.turn));
        let up = frame.orientation.inverse() * DVec3::Z;
        let [below, above] = match &*collider.geometry {
            Geometry::Solid(shape) => [-reach(shape, -up), reach(shape, up)],
            Geometry::Surface { vertices, .. } => {
                let heights = || vertices.iter().map(|v| v.dot(up));
                [heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max)]
            }
            _ => continue,
        };
        let at = frame.at;
        if !((0..2).all(|k| at[k] >= spec.origin[k] && at[k] <= last(k))) {
            return None;
        }
        let height = Ground::new(&ground.terrain, &state.terrain).surface(at.x, at.y).height;
        let [low, high] = [at.z + below - height, at.z + above - height];
        let [l, h] = found.unwrap_or([low, high]);
        found = Some([l.min(low), h.max(high)]);
    }
    found
}
