//! Feeding of cables over pulleys and onto drums, after a step: ropes absorb elements and release them.
//!
//! ```text
//!  drum ════ lead ════╸├─ b ─┤├─ b+1 ─┤ …      the rope's window ends at element b; the lead is its last span
//!
//!  lead < ¼ l    absorbs b:        the rope ends at b + 1 and is l longer
//!  lead > 1½ l   releases b − 1:   it lies along the lead, before b, and the rope is l shorter
//! ```
//!
//! A shrinking lead is extrapolated over the next step at twice its present rate: otherwise a winch that winds more
//! than an element per step would pull the end of the cable through its pulley. A lead that was pulled through, from
//! rest, counts as negative.
//!
//! Elements keep their length and mass; those in the window are absent and represented by the rope. So total length and
//! mass are conserved to round-off. A released element moves as the lead does: with its end at b's start, along the
//! lead at b's velocity, across it by interpolation between b and the point where the lead leaves its pulley. An
//! absorbed element takes its velocity with it. No other body is changed, so there is no jerk: total momentum and
//! angular momentum change by those of the piece of line that appears or disappears. The new link has the strain of its
//! rope, ε l with ε = T/EA; the rope is l shorter and stretched by ε l less, so that tension and elastic energy are
//! preserved.
//!
//! Twist is a property of the material. Drums and pulleys prevent the rope from rotating about its axis, so an element
//! on a drum keeps its angle: a link that becomes inactive remembers its twist τ, including full turns, and has it
//! again when it becomes active, on either side of a pulley,
//!
//!   q_new = arc(z_near → u) q_near exp(±½ τ z)        + behind the element that is there, − before it
//!
//! So Σ τ over all links of a cable, active or not, changes only by the rotation of its ends.

use super::RemeshReport;
use crate::body::BodyState;
use crate::body::frame::Frame;
use crate::joint::JointKind;
use crate::joint::link::DamageState;
use crate::joint::rope::Rope;
use crate::math;
use crate::model::Model;
use crate::model::cable::Cable;
use crate::model::state::{JointState, State};
use crate::row::BoundMode;
use glam::{DQuat, DVec3};

/// A lead shorter than this fraction of an element absorbs it.
const SHORT: f64 = 0.25;

/// A longer one releases an element. The thresholds are more than one element apart, which prevents chattering.
const LONG: f64 = 1.5;

/// Elements per rope end and step at most.
const AT_ONCE: usize = 64;

/// Updates the windows of all ropes that feed cables.
pub fn feed(model: &Model, state: &mut State, told: &mut RemeshReport) {
    for (place, joint) in model.joints.iter() {
        let JointKind::Rope(rope) = &joint.kind else { continue };
        let Some(feed) = rope.feed else { continue };
        let Some(cable) = model.cables.get(feed.cable) else { continue };
        if state.joints[place].broken || state.joints[place].history.is_empty() {
            continue;
        }
        for side in [0, 1].into_iter().filter(|side| feed.sides[*side]) {
            for _ in 0..AT_ONCE {
                let frames = model.frames(state, place, joint);
                let lead = Lead { model, cable, rope, place, side, frames: &frames };
                if !lead.pass(state, told) {
                    break;
                }
            }
        }
    }
}

/// One end of a rope at a cable.
struct Lead<'a> {
    model: &'a Model,
    cable: &'a Cable,
    rope: &'a Rope,
    place: usize,
    side: usize,
    frames: &'a [Frame],
}

impl Lead<'_> {
    /// Absorbs or releases an element if a threshold is passed; returns whether it did.
    fn pass(&self, state: &mut State, told: &mut RemeshReport) -> bool {
        let memory = &state.joints[self.place];
        let Some(window) = self.rope.window(&memory.history) else { return false };
        let geometry = self.rope.geometry(&memory.view(self.frames, state.time));
        let number = if self.side == 0 { 0 } else { geometry.spans.len() - 1 };
        let span = &geometry.spans[number];
        // the element next to the lead, and the one beyond it
        let (next, beyond) = match self.side {
            0 => (window[0].checked_sub(1), window[0].checked_sub(2)),
            _ => (Some(window[1]), Some(window[1] + 1)),
        };
        let there = |k: Option<usize>| {
            let id = self.cable.elements.get(k?)?;
            (self.model.bodies.get(*id).is_some() && !state.bodies[id.index()].inactive).then_some(id.index())
        };
        let Some(near) = there(next).filter(|near| !state.bodies[*near].asleep) else { return false };
        let carrier = &self.frames[if self.side == 0 { 1 } else { self.frames.len() - 2 }];
        let grip = speed(state, carrier, span.ends[1 - self.side]);
        // the shorter of the lead now and after a step in which its rate may double
        let end = &self.frames[if self.side == 0 { 0 } else { self.frames.len() - 1 }];
        let away = if self.side == 0 { -span.along } else { span.along };
        let (rate, dt) = (speed(state, end, end.at) - grip, self.model.dt(state));
        let lies = state.bodies[near].orientation * if self.side == 0 { -DVec3::Z } else { DVec3::Z };
        // pulled through within the step, from rest by more than the lead
        let is_through = away.dot(lies) < 0.0 && dt * rate.length() > span.length;
        let shortest = match is_through {
            true => -span.length,
            false => span.length + 2.0 * dt * away.dot(rate).min(0.0),
        };
        if shortest < SHORT * self.cable.element
            && there(beyond).is_some()
            && self.joined(state, next, beyond)
        {
            told.taken += 1;
            told.energy -= self.element_energy(state, near);
            state.bodies[near].inactive = true;
            self.shift(state, true);
            true
        } else if shortest > LONG * self.cable.element && window[1] > window[0] {
            let tension = self.rope.tensions(&state.joints[self.place].forces)[number];
            let along = span.along;
            let element = if self.side == 0 { window[0] } else { window[1] - 1 };
            told.given += 1;
            self.let_out(state, (element, near), (along, tension), (span.length, grip));
            told.energy +=
                self.cable.elements.get(element).map_or(0.0, |id| self.element_energy(state, id.index()));
            self.shift(state, false);
            true
        } else {
            false
        }
    }

    /// Kinetic and gravitational energy of an element [J].
    fn element_energy(&self, state: &State, place: usize) -> f64 {
        let (Some(body), at) = (self.model.bodies.at(place), &state.bodies[place]) else { return 0.0 };
        body.kinetic_energy(at) + body.potential_energy(self.model.settings.gravity, at)
    }

    /// Whether two elements are connected.
    fn joined(&self, state: &State, a: Option<usize>, b: Option<usize>) -> bool {
        let link = a.max(b).and_then(|k| self.cable.link_before(k));
        link.is_some_and(|id| self.model.joints.get(id).is_some() && !state.joints[id.index()].broken)
    }

    /// Moves the end of the window by one element.
    fn shift(&self, state: &mut State, taken: bool) {
        let out = if self.side == 0 { 1.0 } else { -1.0 };
        state.joints[self.place].history[1 + self.side] += if taken { -out } else { out };
    }

    /// Places an element along the lead, next to its neighbour.
    fn let_out(
        &self,
        state: &mut State,
        (element, near): (usize, usize),
        (along, tension): (DVec3, f64),
        (lead, grip): (f64, DVec3),
    ) {
        let (id, length) = (self.cable.elements[element], self.cable.element);
        let end = &self.frames[if self.side == 0 { 0 } else { self.frames.len() - 1 }];
        // away from the neighbour, up the lead
        let up = if self.side == 0 { along } else { -along };
        let stretch = tension * length / self.cable.section.stretch;
        let link = self.cable.link_before(if self.side == 0 { element } else { element + 1 });
        // an element that was never released has no twist
        let twist = link.and_then(|id| state.joints[id.index()].coordinates.first().copied()).unwrap_or(0.0);
        let turn = math::turn(DVec3::Z, if self.side == 0 { twist } else { -twist });
        let lies = state.bodies[near].orientation;
        let orientation = math::unit(DQuat::from_rotation_arc(lies * DVec3::Z, along) * lies * turn);
        let (tip, spin) = (speed(state, end, end.at), state.bodies[near].angular_velocity);
        let across = |v: DVec3| v - along * along.dot(v);
        let slope = across(grip - tip) / lead;
        let middle = stretch + 0.5 * length;
        let mut body = BodyState::at(end.at + up * middle, orientation);
        body.velocity = tip + slope * middle;
        body.angular_velocity = up.cross(slope) + along * along.dot(spin);
        state.bodies[id.index()] = body;
        if let Some(place) = link.map(|id| id.index()) {
            let forces = self.forces_of(place, tension, twist);
            let memory = &mut state.joints[place];
            let worn = DamageState::between(&memory.history, [&[], &[]]);
            *memory = JointState {
                broken: memory.broken,
                modes: vec![BoundMode::Between; forces.len()],
                coordinates: if forces.len() > 3 { vec![twist] } else { Vec::new() },
                forces,
                history: worn,
            };
        }
    }

    /// Constraint forces of a link that is straight, tensioned and twisted.
    fn forces_of(&self, place: usize, tension: f64, twist: f64) -> Vec<f64> {
        let mut forces = vec![-tension, 0.0, 0.0];
        if let Some(JointKind::Link(link)) = self.model.joints.at(place).map(|joint| &joint.kind) {
            forces.extend(link.twist.map(|spring| -spring.stiffness * twist));
            forces.extend(link.bend.iter().flat_map(|_| [0.0; 2]));
        }
        forces
    }
}

/// The velocity of a point of a frame's body.
fn speed(state: &State, frame: &Frame, at: DVec3) -> DVec3 {
    let twist = state.twist(frame.body as usize);
    twist.velocity + twist.angular_velocity.cross(at - frame.center)
}
