//! Cables modelled as catenaries: the poses of their elements follow from those of their ends.
//!
//! ```text
//!  ends on bodies ─▶ their vertical plane ─▶ catenary (`catenary.rs`) ─▶ nodes ─▶ elements on the chords between them
//!  velocity of an element in a step = (its position for the end points one step ahead − its position now)/h
//! ```
//!
//! Such a cable is visible and can be hit, but it is massless and exerts no force: nothing of it is in the solver. Its
//! elements are bodies of the motion type `Catenary`. Their poses follow from those of the ends alone, so they need no
//! state.

use super::catenary::{CatenaryState, PlanarPoint, hang, length};
use crate::body::BodyState;
use crate::body::frame::Anchor;
use crate::body::twist::Twist;
use crate::math;
use crate::model::Model;
use crate::model::cable::{Cable, Hang};
use crate::model::state::State;
use glam::{DMat3, DQuat, DVec3};

/// The solution of a catenary cable, in the world.
pub(crate) struct Hanging<'a> {
    pub hung: CatenaryState,
    hang: &'a Hang,
    length: f64,
    start: DVec3,
    /// Horizontal, from start to end.
    along: DVec3,
    up: DVec3,
}

impl Hanging<'_> {
    /// The point at a fraction from 0 to 1 of its length: in its plane, and in the world.
    pub fn at(&self, part: f64) -> (PlanarPoint, DVec3) {
        let spot = self.hung.at(&self.hang.pieces, part * self.length);
        (spot, self.start + self.along * spot.x + self.up * spot.z)
    }

    /// Weight per length borne by the line itself, at a fraction from 0 to 1 of its length [N/m].
    pub fn weight(&self, part: f64) -> f64 {
        let (at, [a, b]) = (part * self.length, self.hung.lying);
        if at >= a && at < b {
            return 0.0;
        }
        let mut to = 0.0;
        let piece = self.hang.pieces.iter().find(|p| {
            to += p.length;
            at < to
        });
        piece.or(self.hang.pieces.last()).map_or(0.0, |p| p.weight)
    }

    /// Midpoints and directions of this many elements, from start to end.
    fn elements(&self, count: usize) -> impl Iterator<Item = (DVec3, DVec3)> {
        let mut node = self.start;
        (1..=count).map(move |k| {
            let next = self.at(k as f64 / count as f64).1;
            let (middle, way) = (0.5 * (node + next), (next - node).normalize_or(self.along));
            node = next;
            (middle, way)
        })
    }

    /// Orientation of an element: z along it, y normal to the plane.
    fn orientation(&self, way: DVec3) -> DQuat {
        let y = self.up.cross(self.along);
        math::unit(DQuat::from_mat3(&DMat3::from_cols(y.cross(way), y, way)))
    }
}

/// Opposite to gravity; z without gravity.
fn up(model: &Model) -> DVec3 {
    (-model.settings.gravity).try_normalize().unwrap_or(DVec3::Z)
}

/// Position of an anchor after a time at the present velocity of its body; none if the body was removed.
fn ahead(model: &Model, state: &State, anchor: &Anchor, time: f64) -> Option<DVec3> {
    let body = model.bodies.get(anchor.body)?;
    let arm = anchor.at - body.mass.center;
    let s = &state.bodies[anchor.body.index()];
    if time == 0.0 {
        return Some(s.position + s.orientation * arm);
    }
    if let Some(carried) = body.carried(state.time + time) {
        return Some(carried.position + carried.orientation * arm);
    }
    let turned = math::exp(s.angular_velocity * time) * s.orientation;
    Some(s.position + s.velocity * time + turned * arm)
}

impl Model {
    /// Shape of a cable now, or after a time; none unless it is a catenary whose two end bodies exist.
    pub(crate) fn hanging<'a>(&self, state: &State, cable: &'a Cable, time: f64) -> Option<Hanging<'a>> {
        let hang_of = cable.hang.as_ref()?;
        let end = |k: usize| ahead(self, state, cable.ends[k].anchor()?, time);
        let (start, end, up) = (end(0)?, end(1)?, up(self));
        let way = end - start;
        let (rise, level) = (way.dot(up), way - up * way.dot(up));
        let along = level.try_normalize().unwrap_or_else(|| up.any_orthonormal_vector());
        let floor = hang_of.floor.map(|f| f - start.dot(up));
        let hung = hang(&hang_of.pieces, level.length(), rise, floor);
        Some(Hanging { hung, hang: hang_of, length: length(&hang_of.pieces), start, along, up })
    }

    /// Places the elements of catenaries.
    pub(crate) fn hang(&self, state: &mut State) {
        for (_, cable) in self.cables.iter() {
            let Some(hanging) = self.hanging(state, cable, 0.0) else { continue };
            for (id, (middle, way)) in cable.elements.iter().zip(hanging.elements(cable.elements.len())) {
                let body = &mut state.bodies[id.index()];
                (body.position, body.orientation) = (middle, hanging.orientation(way));
            }
        }
    }

    /// Velocities of the elements of catenaries during a step, written to a list by body index.
    pub(crate) fn swing(&self, state: &State, step: f64, out: &mut [Twist]) {
        for (_, cable) in self.cables.iter() {
            let Some(hanging) = self.hanging(state, cable, step) else { continue };
            for (id, to) in cable.elements.iter().zip(hanging.elements(cable.elements.len())) {
                out[id.index()] = moved(&state.bodies[id.index()], to, step);
            }
        }
    }

    /// Places the elements of catenaries and sets their velocities from the motion of the ends in a step.
    pub(crate) fn hang_and_swing(&self, state: &mut State) {
        self.hang(state);
        let step = self.dt(state);
        for (_, cable) in self.cables.iter() {
            let Some(hanging) = self.hanging(state, cable, step) else { continue };
            for (id, to) in cable.elements.iter().zip(hanging.elements(cable.elements.len())) {
                let body = &mut state.bodies[id.index()];
                let Twist { velocity, angular_velocity: spin } = moved(body, to, step);
                (body.velocity, body.angular_velocity) = (velocity, spin);
            }
        }
    }
}

/// Velocity of an element to another midpoint and direction. Only the rotation across the line counts; that of its
/// plane is irrelevant.
fn moved(body: &BodyState, (middle, way): (DVec3, DVec3), step: f64) -> Twist {
    let turn = DQuat::from_rotation_arc(body.orientation * DVec3::Z, way);
    Twist { velocity: (middle - body.position) / step, angular_velocity: math::log(turn) / step }
}
