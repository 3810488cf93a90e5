//! Time of impact of two approaching convex colliders within the step, and their contact points at that instant.
//!
//! Each body moves under gravity alone, with the velocity u that leapfrog gives it for the step. A body that rests on
//! another or has joints keeps its velocity, g = 0. A body that does not rebound moves along the chord, without the
//! last term, so that it stays where it makes contact:
//!
//! ```text
//! x(t) = x + t u + ½ t (t − h) g,   R(t) = exp(t ω) R,   u = v + κ g
//! Δt   = min over points gap / (n·(uₐ − u_b) + |ωₐ| rₐ + |ω_b| r_b + ½ h |gₐ − g_b|)
//!        r radius of the core, without its rounding
//! ```
//!
//! Δt never passes the impact (conservative advancement). If the normal is the same at the start of the step and at the
//! impact, and one body is not dynamic, this is not needed: the row of the start is correct. Nor is it for slow
//! approaches, in which the normal hardly changes. A pair whose row would act, but that passes in the step without
//! impact, has no contact.

use super::bounds::Pose;
use super::broad::{Broad, Entry};
use super::geometry::{Convex, Core, Form};
use super::narrow::Narrow;
use super::point::{Raw, Side};
use super::seams::PairSeams;
use crate::contact::Meeting;
use crate::contact::surface::{ContactParameters, is_hard};
use crate::math;
use crate::model::Model;
use crate::model::state::{ContactState, State};
use crate::settings::Integrator;
use glam::{DMat3, DVec3};

/// Instants evaluated at most.
const ROUNDS: usize = 100;
/// Surfaces closer than this are in contact, relative to their sizes: if one is rounded or both are boxes, and
/// otherwise, where the distance has no direction below 1e-6.
const MET: [f64; 2] = [1e-11, 4e-6];
/// Approach at a smaller fraction of the relative speed counts as sliding.
const GLANCING: f64 = 1e-6;
/// Normals closer than this are equal.
const SAME: f64 = 1e-6;

/// Motion of a body in the step without constraints.
#[derive(Clone, Copy)]
struct FreePath {
    center: DVec3,
    velocity: DVec3,
    spin: DVec3,
    gravity: DVec3,
    h: f64,
}

impl FreePath {
    fn of(model: &Model, (state, broad): (&State, &Broad), place: usize) -> FreePath {
        let (s, h) = (&state.bodies[place], model.dt(state));
        let path = FreePath {
            center: s.position,
            velocity: s.velocity,
            spin: s.angular_velocity,
            gravity: DVec3::ZERO,
            h,
        };
        let Some(body) = model.bodies.at(place) else { return path };
        if let Some(ahead) = body.carried(state.time + h) {
            let velocity = (ahead.position - s.position) / h;
            return FreePath { velocity, ..path };
        }
        if !(body.is_dynamic() && body.gravity) || s.asleep || is_held(state, broad, place as u32) {
            return path;
        }
        let gravity = model.settings.gravity;
        FreePath { velocity: s.velocity + gravity * model.kick(state), gravity, ..path }
    }

    /// Position of the centre of mass after a time.
    fn center_after(&self, t: f64) -> DVec3 {
        self.center + self.velocity * t + self.gravity * (0.5 * t * (t - self.h))
    }

    fn after(&self, pose: &Pose, t: f64) -> Pose {
        let turn = DMat3::from_quat(math::exp(self.spin * t));
        Pose { at: self.center_after(t) + turn * (pose.at - self.center), turn: turn * pose.turn }
    }

    fn velocity_at(&self, p: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(p - self.center)
    }
}

/// Whether a body has joints, or carried contact forces in the last step.
fn is_held(state: &State, broad: &Broad, place: u32) -> bool {
    let bears = |c: &ContactState| c.blow < 1.0 && c.force != DVec3::ZERO;
    let contacts = state.contacts.iter().filter(|c| c.parts.iter().any(|part| part.body == place));
    broad.has_joint(place) || contacts.into_iter().any(bears)
}

/// A moving convex collider.
struct Flight<'a> {
    entry: &'a Entry,
    convex: &'a Convex,
    path: FreePath,
    /// Whether it is dynamic.
    free: bool,
}

impl<'a> Flight<'a> {
    fn of(model: &Model, held: (&State, &Broad), entry: &'a Entry) -> Option<Flight<'a>> {
        let Form::Convex(convex) = &*entry.form else { return None };
        let place = entry.part.body as usize;
        let free = model.bodies.at(place).is_some_and(|b| b.is_dynamic());
        Some(Flight { entry, convex, path: FreePath::of(model, held, place), free })
    }

    /// Bound on the speed of points of its core about the centre of mass [m/s]: rotation does not move a rounding.
    fn turning(&self) -> f64 {
        let offset = (self.entry.pose.at - self.path.center).length();
        let reach = match self.convex.core {
            Core::Point => offset,
            Core::Segment(half) => offset + half,
            _ => self.entry.radius,
        };
        self.path.spin.length() * if reach > 1e-12 * self.convex.size { reach } else { 0.0 }
    }
}

/// Result for a pair in the step.
pub(crate) enum Outcome {
    /// The contact points of the start are valid.
    AsItStands,
    /// It passes without impact.
    Misses,
    /// It collides; the points are those of that instant.
    Meets(Meeting),
}

/// Advances a pair whose contact points of the start are in `narrow`; afterwards these are the points of the outcome,
/// in the present frame of the first.
pub(crate) fn follow(
    model: &Model,
    (state, broad): (&State, &Broad),
    pair: [&Entry; 2],
    (narrow, seams): (&mut Narrow, &mut PairSeams<'_>),
) -> Outcome {
    let settings = &model.settings;
    let untouched = narrow.raw.iter().all(|p| p.gap > 0.0);
    if settings.integrator != Integrator::Spook || settings.contact.serial || !untouched {
        return Outcome::AsItStands;
    }
    if pair.iter().any(|e| e.element) {
        return Outcome::AsItStands;
    }
    let Some(approach) = approach(state, pair, &narrow.raw, settings.bounce_speed) else {
        return Outcome::AsItStands;
    };
    let touch = touch(model, pair);
    if !is_hard(&touch) {
        return Outcome::AsItStands;
    }
    let flights = pair.map(|entry| Flight::of(model, (state, broad), entry));
    let [Some(mut a), Some(mut b)] = flights else { return Outcome::AsItStands };
    if touch.restitution * approach <= settings.bounce_speed {
        (a.path.gravity, b.path.gravity) = (DVec3::ZERO, DVec3::ZERO);
    }
    let nearest = nearest(&narrow.raw);
    std::mem::swap(&mut narrow.raw, &mut narrow.start);
    let outcome = match advance(model, [&a, &b], nearest, (narrow, seams)) {
        Search::Meets(_) if narrow.raw.is_empty() => Outcome::Misses,
        Search::Meets(t) => {
            let turned = narrow.raw.iter().any(|p| p.normal.distance(nearest.normal) > SAME);
            let centers = [a.path.center_after(t), b.path.center_after(t)];
            let meeting = Meeting { delay: t, centers, acceleration: b.path.gravity - a.path.gravity };
            if turned || (a.free && b.free) { Outcome::Meets(meeting) } else { Outcome::AsItStands }
        }
        Search::Passes if narrow.start.iter().any(|p| acts([&a, &b], p)) => Outcome::Misses,
        Search::Passes | Search::Unclear => Outcome::AsItStands,
    };
    if let Outcome::AsItStands = outcome {
        std::mem::swap(&mut narrow.raw, &mut narrow.start);
    }
    outcome
}

/// Contact parameters of a pair.
fn touch(model: &Model, pair: [&Entry; 2]) -> ContactParameters {
    let surface = |e: &Entry| {
        let body = model.bodies.at(e.part.body as usize);
        body.and_then(|b| b.colliders.get(e.part.collider as usize)).map_or(0, |c| c.surface)
    };
    model.surfaces.touch(surface(pair[0]), surface(pair[1]))
}

fn nearest(raw: &[Raw]) -> Raw {
    raw.iter().copied().reduce(|best, p| if p.gap < best.gap { p } else { best }).expect("has points")
}

/// Approach speed of the surfaces [m/s], if they move faster than a threshold.
fn approach(state: &State, [a, b]: [&Entry; 2], raw: &[Raw], slow: f64) -> Option<f64> {
    let velocity = |e: &Entry, p: DVec3| {
        let s = &state.bodies[e.part.body as usize];
        s.velocity + s.angular_velocity.cross(p - s.position)
    };
    let approaches = raw.iter().filter_map(|p| {
        let (at, normal) = (a.pose.point(p.at), a.pose.turn * p.normal);
        let relative = velocity(a, at) - velocity(b, at);
        let (approach, speed) = (normal.dot(relative), relative.length());
        (approach > slow || (approach > GLANCING * speed && speed > slow)).then_some(approach)
    });
    approaches.reduce(f64::max)
}

/// Whether the row of a contact point of the start would decelerate the bodies.
fn acts([a, b]: [&Flight; 2], p: &Raw) -> bool {
    let (at, normal) = (a.entry.pose.point(p.at), a.entry.pose.turn * p.normal);
    p.gap < a.path.h * normal.dot(a.path.velocity_at(at) - b.path.velocity_at(at))
}

enum Search {
    Meets(f64),
    Passes,
    Unclear,
}

/// Advances to the impact. Then `narrow` holds the points of that instant, in the present frame of the first.
fn advance(
    model: &Model,
    [a, b]: [&Flight; 2],
    mut nearest: Raw,
    (narrow, seams): (&mut Narrow, &mut PairSeams<'_>),
) -> Search {
    let (h, first) = (a.path.h, a.entry.pose);
    let relative = a.path.velocity - b.path.velocity;
    let more = a.turning() + b.turning() + 0.5 * h * (a.path.gravity - b.path.gravity).length();
    let reach = model.settings.contact.margin + h * (relative.length() + more);
    let boxes = matches!((a.convex.core, b.convex.core), (Core::Box(_), Core::Box(_)));
    let sharp = !boxes && a.convex.radius + b.convex.radius == 0.0;
    let met = MET[usize::from(sharp)] * (a.convex.size + b.convex.size);
    let (mut t, mut pose) = (0.0, first);
    for _ in 0..ROUNDS {
        let closing = (pose.turn * nearest.normal).dot(relative) + more;
        // aim beyond the threshold, so that it is reached
        t += if closing > 0.0 { (nearest.gap - 0.5 * met) / closing } else { f64::INFINITY };
        if !(t < h) {
            return Search::Passes;
        }
        pose = a.path.after(&first, t);
        let other = b.path.after(&b.entry.pose, t);
        narrow.raw.clear();
        let sides = [(a, Pose::IDENTITY), (b, pose.sees(&other))];
        let [one, two] = sides.map(|(f, pose)| Side { form: &f.entry.form, pose, number: 0 });
        narrow.touch(one, two, reach);
        if narrow.raw.is_empty() {
            return Search::Unclear;
        }
        nearest = self::nearest(&narrow.raw);
        if nearest.gap <= met {
            seams.clean(&pose.sees(&other), &mut narrow.raw);
            for p in &mut narrow.raw {
                let (at, normal) = (pose.point(p.at), pose.turn * p.normal);
                (p.at, p.normal) = (first.inward(at - first.at), first.inward(normal));
                p.gap = p.gap.max(0.0);
            }
            return Search::Meets(t);
        }
    }
    Search::Unclear
}
