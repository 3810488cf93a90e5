//! Time of impact: internal steps end where the first rigid points that approach fast come into contact.
//!
//! Before a step the time to the next contact is estimated from the contacts within reach, by continuous collision
//! detection: no thin body is passed. After it, if impacts are impulses and one occurred inside, its instant is found
//! by the step's dense output and the step is repeated up to there. Then `impulses.rs` applies the impulses.

use crate::body::collider::ColliderRef;
use crate::contact::relative;
use crate::contact::surface::is_hard;
use crate::contact::{Contact, ContactPair, Contacts};
use crate::model::Model;
use crate::model::state::State;
use glam::DVec3;

/// Surfaces closer than this are in contact [m].
pub(crate) const NEAR: f64 = 1e-6;

/// Iterations of the search for the instant of an impact; with bisection alone it is then known to 1e-12 of the step.
pub(super) const ROUNDS: usize = 40;

/// Impacts searched for or applied per frame at most; beyond that a squeezed body no longer bounces.
pub(crate) const IMPACTS: usize = 2000;

/// The rigid points that approach faster than the restitution threshold, with their pairs and speeds.
pub(crate) fn hits<'a>(
    model: &Model,
    state: &State,
    contacts: &'a Contacts,
) -> impl Iterator<Item = (&'a ContactPair, &'a Contact, f64)> {
    let slow = model.settings.bounce_speed;
    let points = |pair: &'a ContactPair| contacts.list[pair.points.clone()].iter().map(move |c| (pair, c));
    let hard = contacts.pairs.iter().filter(|p| is_hard(&p.touch));
    let all = hard.flat_map(points).map(|(p, c)| (p, c, -c.normal.dot(relative(&state.bodies, p, c.point))));
    all.filter(move |(_, _, approach)| *approach > slow)
}

/// Time to contact of the first points that approach fast, in free fall [s].
pub(crate) fn soonest(model: &Model, state: &State, contacts: &Contacts) -> f64 {
    let fall = |part: ColliderRef| {
        let body = model.bodies.at(part.body as usize).filter(|b| b.is_dynamic() && b.gravity);
        body.map_or(DVec3::ZERO, |_| model.settings.gravity)
    };
    let times = hits(model, state, contacts).filter(|(_, c, _)| c.gap > NEAR).map(|(pair, c, v)| {
        // half of the contact threshold, so that it is reached
        let (way, a) = (c.gap + 0.5 * NEAR, -c.normal.dot(fall(pair.parts[1]) - fall(pair.parts[0])));
        let root = (v * v + 2.0 * a * way).max(0.0).sqrt();
        2.0 * way / (v + root)
    });
    times.fold(f64::INFINITY, f64::min)
}

/// Pairs that penetrate and still approach fast.
pub(crate) fn left(model: &Model, state: &State, contacts: &Contacts, out: &mut Vec<[ColliderRef; 2]>) {
    out.clear();
    out.extend(hits(model, state, contacts).filter(|(_, c, _)| c.gap < -NEAR).map(|(p, _, _)| p.parts));
}

/// The deepest gap of the impacting points, except for pairs that penetrated before.
pub(super) fn deepest(model: &Model, state: &State, contacts: &Contacts, left: &[[ColliderRef; 2]]) -> f64 {
    let new = hits(model, state, contacts).filter(|(p, _, _)| !left.contains(&p.parts));
    new.map(|(_, c, _)| c.gap).fold(f64::INFINITY, f64::min)
}

/// Next evaluation between two points with gaps of different sign: slightly inside the secant's root.
pub(super) fn aim((from, open): (f64, f64), (to, deep): (f64, f64)) -> f64 {
    let part = if open.is_finite() { (open + 0.5 * NEAR) / (open - deep) } else { 0.5 };
    from + part.clamp(0.05, 0.95) * (to - from)
}
