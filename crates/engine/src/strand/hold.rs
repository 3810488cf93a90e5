//! Points held by bodies.
//!
//! A body that is fixed or driven takes its points along: where they are when the step ends is known. A body that is free is
//! asked too: in the system of the strand its point has the mass that the body has there,
//!
//! ```text
//! W⁻¹ (v⁺ − v_a) = κ (F⁺ − F)          W = 1/m + [r]ᵀ I⁻¹ [r]
//! ```
//!
//! v_a being how the point of the body moves in the step, in which F, half of the strand's force of the step before, acts on it
//! already; the body's joints bear it like any other force. What F⁺ is more than F is given to the body at once, as an impulse:
//! stiff strands on light bodies would swing up without bound if all came a step late. Several holds of one body share its mass.
//!
//! Half, because that is the most with which nothing swings up, however stiff the strand is and however much heavier than W⁻¹ joints
//! make the body (eigenvalues of the step of a mass on a spring, for all ratios). A body on joints is then moved out of them
//! by ½ W F h² in each step, and put back by the next.

use super::state::Pull;
use super::{Strand, StrandState, cross_matrix};
use crate::body::BodyState;
use crate::body::frame::Anchor;
use crate::body::twist::Wrench;
use crate::force::free_motion::Inertial;
use crate::math;
use crate::model::Model;
use glam::{DMat3, DVec3};

/// So much of a hold's force acts on its body in the next step as a force.
const KEPT: f64 = 0.5;

/// A hold during a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Held {
    pub point: usize,
    anchor: Anchor,
    /// W and W⁻¹ of a body that is free; none if the body does not ask.
    pub mass: Option<[DMat3; 2]>,
    /// Whether forces move the body, be it awake or asleep.
    free: bool,
    /// v_a: how the point goes in this part of the step [m/s].
    pub carried: DVec3,
    /// F [N]: what acts on the body already.
    pub force: DVec3,
    /// What the impulses so far add to the point's velocity and place.
    faster: DVec3,
    farther: DVec3,
    /// Sum of the impulses [N·s], and each for the time it acts [N·s²].
    impulse: DVec3,
    push: DVec3,
    /// Sum of forces on the body times time [N·s].
    felt: DVec3,
}

/// Where an anchor is on a body in some state.
fn place(model: &Model, anchor: &Anchor, body: &BodyState) -> DVec3 {
    let center = model.bodies.at(anchor.body.index()).map_or(DVec3::ZERO, |b| b.mass.center);
    body.position + body.attitude * (anchor.at - center)
}

/// The holds of a strand when its step begins.
pub(super) fn begin(
    model: &Model,
    strand: &Strand,
    state: &StrandState,
    (bodies, inertial): (&[BodyState], &[Inertial]),
    out: &mut Vec<Held>,
) {
    out.clear();
    for (hold, force) in strand.holds.iter().zip(&state.forces) {
        let (body, inertial) = (&bodies[hold.anchor.body.index()], &inertial[hold.anchor.body.index()]);
        let mass = (inertial.free && !body.asleep).then(|| {
            let arm = cross_matrix(place(model, &hold.anchor, body) - body.position);
            let turning = inertial.inertia(body.attitude).inverse();
            let others = strand.holds.iter().filter(|h| h.anchor.body == hold.anchor.body).count() as f64;
            let straight = DMat3::from_diagonal(DVec3::splat(1.0 / inertial.mass));
            let gives = (straight + arm.transpose() * turning * arm) * others;
            [gives, gives.inverse()]
        });
        out.push(Held {
            point: hold.point,
            anchor: hold.anchor,
            mass,
            free: inertial.free,
            carried: DVec3::ZERO,
            force: if mass.is_some() { *force * KEPT } else { DVec3::ZERO },
            faster: DVec3::ZERO,
            farther: DVec3::ZERO,
            impulse: DVec3::ZERO,
            push: DVec3::ZERO,
            felt: DVec3::ZERO,
        });
    }
}

impl Held {
    /// Where it goes in a part of the step that ends with a body at a place; x is where its point is.
    pub fn aim(&mut self, model: &Model, bodies: &[BodyState], x: DVec3, h: f64) {
        self.farther += self.faster * h;
        let target = place(model, &self.anchor, &bodies[self.anchor.body.index()]) + self.farther;
        self.carried = (target - x) / h;
    }

    /// Takes what a part of the step did: the velocity its point has, what forces on the point were left without answer [N·s],
    /// and for what time they acted. `rest` is what is left of the step, this part included [s].
    pub fn take(&mut self, v: DVec3, unanswered: DVec3, kick: f64, (h, rest): (f64, f64)) {
        match self.mass {
            None => self.felt += unanswered * (h / kick),
            Some([gives, resists]) => {
                let impulse = resists * (v - self.carried);
                self.faster += gives * impulse;
                self.farther += gives * impulse * h;
                self.impulse += impulse;
                self.push += impulse * rest;
                self.felt += self.force * h + impulse * (h / kick);
            }
        }
    }

    /// Ends the step: gives the impulse to the body, and returns the force on it in a step of length h.
    pub fn end(
        &self,
        model: &Model,
        inertial: &[Inertial],
        bodies: &mut [BodyState],
        h: f64,
    ) -> (DVec3, Option<Pull>) {
        let force = self.felt / h;
        let index = self.anchor.body.index();
        let (body, inertial) = (&mut bodies[index], &inertial[index]);
        if self.mass.is_some() {
            let at = place(model, &self.anchor, body);
            strike(body, inertial, at, [self.impulse, self.push]);
        }
        let arm = place(model, &self.anchor, body) - body.position;
        let next = force * KEPT;
        let wrench = Wrench { force: next, torque: arm.cross(next) };
        (force, self.free.then_some(Pull { body: index as u32, wrench }))
    }
}

/// Gives a body an impulse at a point [N·s], and moves it by what the impulse did in the rest of the step: the impulse times the
/// time it acts [N·s²].
pub(super) fn strike(body: &mut BodyState, inertial: &Inertial, at: DVec3, [impulse, push]: [DVec3; 2]) {
    let arm = at - body.position;
    let turn = inertial.spin(body.attitude, arm.cross(push));
    body.velocity += impulse / inertial.mass;
    body.spin += inertial.spin(body.attitude, arm.cross(impulse));
    body.position += push / inertial.mass;
    body.attitude = math::renewed(math::exp(turn) * body.attitude);
}
