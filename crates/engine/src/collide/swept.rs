//! Continuous collision detection: keeps those contact points within reach of the step that are actually hit.
//!
//! Two colliders that are farther apart than the margin are advanced along their present velocities until they are
//! close, each time by no more than their separation allows:
//!
//! ```text
//! Δt = min over points (gap − stop) / (n·(vₐ − v_b) + |ωₐ| rₐ + |ω_b| r_b)        for convex colliders,
//! Δt = (least gap − stop) / (|vₐ − v_b| + |ωₐ| rₐ + |ω_b| r_b)                     for others.
//! ```
//!
//! If they do not come close in the step there is no contact. If they do, the points are those of that instant, and the
//! present gap is extrapolated back from the gap then: a bullet is stopped by the plate it would hit, with the
//! plate's normal, and not by one it would pass.

use super::bounds::Pose;
use super::broad::{Broad, Entry, free_velocity};
use super::geometry::Form;
use super::impact::{self, Outcome};
use super::narrow::Narrow;
use super::point::{Raw, Side};
use super::seams::PairSeams;
use crate::contact::Meeting;
use crate::math;
use crate::model::Model;
use crate::model::state::State;
use glam::{DMat3, DVec3};

/// Instants evaluated before points that are close then count as hit.
const ROUNDS: usize = 100;

/// A moving collider.
#[derive(Clone, Copy)]
pub(crate) struct Moving<'a> {
    entry: &'a Entry,
    center: DVec3,
    velocity: DVec3,
    spin: DVec3,
    /// Bound on the speed of its points about the centre of mass [m/s].
    turning: f64,
    /// Whether it is dynamic.
    free: bool,
}

impl<'a> Moving<'a> {
    pub fn new(model: &Model, state: &State, entry: &'a Entry) -> Moving<'a> {
        let place = entry.part.body as usize;
        let s = &state.bodies[place];
        let body = model.bodies.at(place);
        let velocity = body.map_or(s.velocity, |b| free_velocity(model, b, s));
        let turning =
            if s.angular_velocity == DVec3::ZERO { 0.0 } else { s.angular_velocity.length() * entry.radius };
        let free = body.is_some_and(|b| b.is_dynamic());
        Moving { entry, center: s.position, velocity, spin: s.angular_velocity, turning, free }
    }

    /// Pose of the collider after a time.
    fn after(&self, t: f64) -> Pose {
        let turn = DMat3::from_quat(math::exp(self.spin * t));
        let arm = turn * (self.entry.pose.at - self.center);
        Pose { at: self.center + self.velocity * t + arm, turn: turn * self.entry.pose.turn }
    }

    fn velocity_at(&self, p: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(p - self.center)
    }
}

/// Adds the contact points of two colliders, in the present frame of the first. Returns the time of impact, if the
/// points are those of that instant.
pub(crate) fn touch(
    model: &Model,
    (state, broad): (&State, &Broad),
    pair: [Moving; 2],
    (narrow, seams): (&mut Narrow, &mut PairSeams<'_>),
) -> Option<Meeting> {
    let (h, margin) = (model.settings.dt, model.settings.contact.margin);
    let turning = pair[0].turning + pair[1].turning;
    let speed = (pair[1].velocity - pair[0].velocity).length() + turning;
    let reach = margin + h * speed;
    let first = pair[0].entry.pose;
    let second = first.sees(&pair[1].entry.pose);
    narrow.touch(side(pair[0].entry, Pose::IDENTITY), side(pair[1].entry, second), reach);
    if narrow.raw.is_empty() {
        return None;
    }
    match impact::follow(model, (state, broad), [pair[0].entry, pair[1].entry], (narrow, seams)) {
        Outcome::AsItStands => {}
        Outcome::Misses => {
            narrow.raw.clear();
            return None;
        }
        Outcome::Meets(meeting) => return Some(meeting),
    }
    // a half-space collides with whatever passes it
    let plane = pair.iter().any(|m| matches!(*m.entry.form, Form::Plane));
    let near = |raw: &[Raw], within: f64| raw.iter().any(|p| p.gap <= within);
    if plane || near(&narrow.raw, margin) {
        seams.clean(&second, &mut narrow.raw);
        // before an impact on a non-dynamic body, the force acts where contact will occur: on the dynamic body's own
        // surface
        if pair[0].free != pair[1].free {
            let side = if pair[1].free { 0.5 } else { -0.5 };
            narrow.raw.iter_mut().for_each(|p| p.at += p.normal * (side * p.gap.max(0.0)));
        }
        return None;
    }
    // for many pieces the nearest does not bound the arrival of the others
    let whole = pair.iter().all(|m| matches!(*m.entry.form, Form::Convex(_)));
    let stop = 0.5 * margin;
    let mut t = 0.0;
    let mut poses = [first, pair[1].entry.pose];
    for _ in 0..ROUNDS {
        let relative = poses[0].turn.transpose() * (pair[0].velocity - pair[1].velocity);
        // aim beyond the threshold, so that it is reached
        let wait = narrow.raw.iter().fold(f64::INFINITY, |least: f64, p| {
            let closing = if whole { p.normal.dot(relative) + turning } else { speed };
            least.min(if closing > 0.0 { (p.gap - 0.5 * stop) / closing } else { f64::INFINITY })
        });
        t += wait;
        narrow.raw.clear();
        if !(t <= h) {
            return None;
        }
        poses = [pair[0].after(t), pair[1].after(t)];
        let sides = [side(pair[0].entry, Pose::IDENTITY), side(pair[1].entry, poses[0].sees(&poses[1]))];
        narrow.touch(sides[0], sides[1], margin + (h - t) * speed);
        if narrow.raw.is_empty() || near(&narrow.raw, stop) {
            break;
        }
    }
    seams.clean(&poses[0].sees(&poses[1]), &mut narrow.raw);
    // rows decelerate the approach, not the rotation: the rotation in the rest of the step needs clearance
    let room = (h - t) * turning;
    narrow.raw.iter_mut().for_each(|p| bring_back(p, &pair, &poses, t, room));
    None
}

fn side(entry: &Entry, pose: Pose) -> Side<'_> {
    Side { form: &entry.form, pose, number: 0 }
}

/// Transforms a contact point of a later instant back to the present.
fn bring_back(p: &mut Raw, pair: &[Moving; 2], then: &[Pose; 2], t: f64, room: f64) {
    let normal = then[0].turn * p.normal;
    // moments depend on the point of application: on the surface of the body, with the lever arm it will have then. Of
    // two dynamic bodies it is that of the faster rotating one
    let with = match (pair[0].free, pair[1].free) {
        (true, false) => 0,
        (false, true) => 1,
        _ => usize::from(pair[1].turning >= pair[0].turning),
    };
    let at = then[0].point(p.at) + normal * (p.gap * if with == 1 { 0.5 } else { -0.5 });
    let point = at - pair[with].velocity * t;
    let closing = normal.dot(pair[1].velocity_at(point) - pair[0].velocity_at(point));
    // they were separated, so the contribution of rotation must not repel
    p.gap = (p.gap - t * closing - room).max(0.0);
    let first = &pair[0].entry.pose;
    (p.at, p.normal) = (first.inward(point - first.at), first.inward(normal));
}
