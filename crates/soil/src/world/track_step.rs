//! The end of a step of a crawler track: its belt runs, hard surfaces below it are found, and soil keeps its ruts.
//!
//! A hard surface is found by proximity of a thin bar across the belt, so that plates, kerbs and bodies that move count. Contacts
//! of colliders of the frame that lie on the line are taken over: the track carries there.

use super::model::GroundModel;
use super::presses::{Presses, Pressing};
use super::state::GroundState;
use super::track_model::TrackModel;
use super::track_rows::{BeltPoint, TrackWork, bed, footing, spot};
use super::track_state::{Road, TrackState, covered};
use glam::DVec3;
use windlass_engine::body::collider::Geometry;
use windlass_engine::prelude::{Advance, Anchor, Collider, Contacts, Frame, View};

/// Radius of the bar across the belt [m].
const BAR: f64 = 5e-3;
/// Distance from the belt up to which hard surfaces are looked for, beside its way in a step [m].
const REACH: f64 = 0.05;
/// Least cosine between the normal of a surface and that of the belt: steeper ones are walls.
const STEEP: f64 = 0.5;
/// Depth of a surface below the belt's level at which the belt has passed it [m].
const DEEP: f64 = 0.3;

/// Buffers.
#[derive(Debug, Default)]
pub(super) struct TrackStepWork {
    points: Vec<DVec3>,
}

/// Takes the contacts of a track's frame over that lie on its line.
pub(super) fn take_over(track: &TrackModel, view: &View<'_>, contacts: &mut Contacts) {
    let frame = view.bodies.frame(&Anchor::point(track.frame, DVec3::ZERO));
    let own = track.frame.index() as u32;
    let (up, left) = (track.ahead().cross(track.axle).normalize_or_zero(), track.axle.normalize_or_zero());
    let ahead = left.cross(up);
    let range = |axis: DVec3| {
        let along = track.line.iter().map(|point| point.dot(axis));
        along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    };
    let (length, side, height) = (range(ahead), range(left), range(up));
    for pair in &mut contacts.pairs {
        if !pair.parts.iter().any(|part| part.body == own) {
            continue;
        }
        let towards = if pair.parts[1].body == own { 1.0 } else { -1.0 };
        let mut kept = pair.points.start;
        for k in pair.points.clone() {
            let contact = contacts.list[k];
            let at = frame.orientation.inverse() * (contact.point - frame.at);
            let normal = frame.orientation.inverse() * contact.normal * towards;
            let half = 0.5 * track.width + REACH;
            let within = (length.0 - REACH..=length.1 + REACH).contains(&at.dot(ahead))
                && (side.0 - half..=side.1 + half).contains(&at.dot(left))
                && at.dot(up) < height.1 + REACH;
            if within && normal.dot(up) > STEEP {
                // what is left out counts as no penetration
                contacts.list[k].gap = 0.0;
            } else {
                contacts.list[kept] = contact;
                kept += 1;
            }
        }
        pair.points.end = kept;
    }
}

/// Ends a step.
pub(super) fn advance(
    track: &TrackModel,
    (view, step): (&View<'_>, &mut Advance<'_>),
    (work, buffers): (&TrackWork, &mut TrackStepWork),
    state: &mut TrackState,
    grounds: (&[GroundModel], &mut [GroundState], &mut [Presses]),
) {
    let frame = after(view, step, track);
    let axle = frame.orientation * track.axle.normalize();
    let spin = |id: windlass_engine::prelude::BodyId| step.bodies[id.index()].angular_velocity;
    let speed = track.radius * axle.dot(spin(track.sprocket) - spin(track.frame));
    let middle = frame.at + frame.orientation * track.at(0.5 * track.length()).0;
    let body = &step.bodies[track.frame.index()];
    let velocity = body.velocity + body.angular_velocity.cross(middle - body.position);
    let ahead = frame.orientation * track.ahead();
    work.remember(track, &step.rows, [speed, velocity.dot(ahead)], state);
    state.run(speed * view.dt, track.length());
    leave_ruts(track, &frame, state, grounds);
    look(track, (view, step), (&frame, velocity.length() * view.dt), buffers, state);
}

/// The frame of a track at the end of a step.
fn after(view: &View<'_>, step: &Advance<'_>, track: &TrackModel) -> Frame {
    let own = &step.bodies[track.frame.index()];
    let center = view.bodies.list.get(track.frame).map_or(DVec3::ZERO, |body| body.mass.center);
    let before = view.bodies.frame(&Anchor::point(track.frame, DVec3::ZERO));
    Frame {
        center: own.position,
        at: own.position - own.orientation * center,
        orientation: own.orientation,
        ..before
    }
}

/// The places of all elements.
fn spots<'a>(
    track: &'a TrackModel,
    frame: &'a Frame,
    state: &'a TrackState,
) -> impl Iterator<Item = BeltPoint> + 'a {
    let (spacing, line) = (state.belt.spacing(), track.length());
    state.belt.iter().map(move |(offset, _)| spot(track, frame, covered(spacing, offset, line)))
}

/// Presses the nodes below elements that bear on soil.
fn leave_ruts(
    track: &TrackModel,
    frame: &Frame,
    state: &TrackState,
    (models, grounds, presses): (&[GroundModel], &mut [GroundState], &mut [Presses]),
) {
    let sides = [track.width.min(track.length()), track.width.max(track.length())];
    for ((model, ground), presses) in models.iter().zip(grounds).zip(presses) {
        for (spot, (_, element)) in spots(track, frame, state).zip(state.belt.iter()) {
            if !(element.pressure > 0.0 && spot.length > 0.0) {
                continue;
            }
            let Some(bed) = bed(track, &footing(model, &ground.terrain, presses), &spot) else { continue };
            let terrain = &*model.terrain;
            let reach = 0.5 * (spot.length + track.width);
            let spec = terrain.spec();
            let range = |at: f64, k: usize| {
                let low = libm::ceil((at - reach - spec.origin[k]) / spec.spacing).max(0.0);
                let high = libm::floor((at + reach - spec.origin[k]) / spec.spacing);
                low as usize..((high + 1.0).clamp(0.0, spec.nodes[k] as f64) as usize)
            };
            for j in range(spot.point.y, 1) {
                for i in range(spot.point.x, 0) {
                    let [x, y] = terrain.position([i, j]);
                    let away = DVec3::new(x - spot.point.x, y - spot.point.y, 0.0);
                    // the point of the belt above the node
                    let away = away - DVec3::Z * (away.dot(spot.normal) / spot.normal.z);
                    let inside = away.dot(spot.along).abs() <= 0.5 * spot.length
                        && away.dot(spot.left).abs() <= 0.5 * track.width;
                    if !inside {
                        continue;
                    }
                    let place = footing(model, &ground.terrain, presses).node([i, j]);
                    let sinkage = place.datum - spot.point.z - away.z;
                    if sinkage > place.rut.depth {
                        let pressing = Pressing { soil: &bed.soil, sinkage, sides };
                        presses.leave((model, &mut ground.terrain), [i, j], &pressing);
                    }
                }
            }
        }
    }
}

/// Finds hard surfaces below the elements.
fn look(
    track: &TrackModel,
    (view, step): (&View<'_>, &mut Advance<'_>),
    (frame, way): (&Frame, f64),
    buffers: &mut TrackStepWork,
    state: &mut TrackState,
) {
    let half = (0.5 * track.width - BAR).max(0.25 * track.width);
    buffers.points.clear();
    for spot in spots(track, frame, state) {
        buffers.points.extend([-half, half].map(|side| spot.point + spot.left * side + spot.normal * BAR));
    }
    let reach = REACH + 2.0 * way;
    let wanted = |collider: &Collider| {
        !collider.trigger && collider.groups != 0 && !matches!(&*collider.geometry, Geometry::Ground { .. })
    };
    let found = step.proximity.look(step.bodies, &buffers.points, (reach + DEEP, 0.0), &wanted).is_some();
    state.looked = true;
    let holders = [track.frame, track.sprocket].map(|body| body.index() as u32);
    let (spacing, line) = (state.belt.spacing(), track.length());
    for (number, (offset, element)) in state.belt.iter_mut().enumerate() {
        element.road = None;
        if !found {
            continue;
        }
        let normal = spot(track, frame, covered(spacing, offset, line)).normal;
        let ends = [buffers.points[2 * number], buffers.points[2 * number + 1]];
        let (mut deepest, mut sum): (Option<Road>, (f64, f64)) = (None, (0.0, 0.0));
        step.proximity.touch(ends, (BAR, reach), &holders, &mut |near| {
            if near.normal.dot(normal) < STEEP {
                return;
            }
            let collider = view.bodies.list.at(near.part.body as usize);
            let collider = collider.and_then(|body| body.colliders.get(near.part.collider as usize));
            let surface = collider.map_or(0, |collider| collider.surface);
            let road = Road { body: near.part.body, surface, normal: near.normal, gap: near.gap };
            let same =
                deepest.is_some_and(|other| other.body == road.body && other.normal.dot(road.normal) > 0.99);
            match deepest {
                _ if same => sum = (sum.0 + near.gap, sum.1 + 1.0),
                Some(other) if other.gap <= near.gap => {}
                _ => (deepest, sum) = (Some(road), (near.gap, 1.0)),
            }
        });
        element.road = deepest.map(|road| Road { gap: sum.0 / sum.1, ..road });
    }
}
