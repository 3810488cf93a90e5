//! Heights above the ground: of a body at the middle of each of its colliders, of tracks and wheels, which sink without
//! colliders of their own.

use crate::visual::reach;
use glam::{DQuat, DVec3};
use windlass_engine::prelude::{Anchor, Body, BodyId, Collider, Frame, Geometry, World};
use windlass_soil::ground::Ground;
use windlass_soil::world::{GroundState, WheelShape};
use windlass_soil::{GroundModel, TrackModel, WheelModel};

/// Heights of the lowest and the highest point of the colliders of a body above a ground that it meets [m]; none beside
/// the ground.
pub(crate) fn clearances(
    world: &World,
    (id, body): (BodyId, &Body),
    (ground, state): (&GroundModel, &GroundState),
) -> Option<[f64; 2]> {
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
        let height = height_below(frame.at, (ground, state))?;
        let [low, high] = [frame.at.z + below - height, frame.at.z + above - height];
        let [l, h] = found.unwrap_or([low, high]);
        found = Some([l.min(low), h.max(high)]);
    }
    found
}

/// Heights of the lower run of a track and of the top of its belt above a ground [m]; none beside the ground.
pub(crate) fn of_track(
    world: &World,
    track: &TrackModel,
    (ground, state): (&GroundModel, &GroundState),
) -> Option<[f64; 2]> {
    let frame = origin(world, track.frame);
    let mut low = f64::INFINITY;
    for point in &track.line {
        let point = frame.at + frame.orientation * *point;
        low = low.min(point.z - height_below(point, (ground, state))?);
    }
    Some([low, low + 2.0 * track.radius])
}

/// Heights of the lowest and the highest point of a wheel above its ground [m]; none beside it, and of a plate.
pub(crate) fn of_wheel(
    world: &World,
    wheel: &WheelModel,
    (ground, state): (&GroundModel, &GroundState),
) -> Option<[f64; 2]> {
    let WheelShape::Round { radius } = wheel.shape else { return None };
    let frame = origin(world, wheel.body);
    let middle = frame.at + frame.orientation * wheel.center;
    let height = middle.z - height_below(middle, (ground, state))?;
    Some([height - radius, height + radius])
}

/// The origin of a body and its axes.
fn origin(world: &World, body: BodyId) -> Frame {
    world.model().frame(world.state(), &Anchor::frame(body, DVec3::ZERO, DQuat::IDENTITY))
}

/// Height of a ground below a point [m]; none beside it.
fn height_below(at: DVec3, (ground, state): (&GroundModel, &GroundState)) -> Option<f64> {
    let spec = ground.terrain.spec();
    let last = |k: usize| spec.origin[k] + (spec.nodes[k] - 1) as f64 * spec.spacing;
    let inside = (0..2).all(|k| at[k] >= spec.origin[k] && at[k] <= last(k));
    inside.then(|| Ground::new(&ground.terrain, &state.terrain).surface(at.x, at.y).height)
}
