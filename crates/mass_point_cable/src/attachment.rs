//! Points held by bodies.
//!
//! A body that is fixed or driven takes its points along: where they are when the step ends is known. A body that is free is
//! asked too: in the system of the cable its point has the mass that the body has there,
//!
//! ```text
//! W⁻¹ (v⁺ − v_a) = κ (F⁺ − F)          W = 1/m + [r]ᵀ I⁻¹ [r]
//! ```
//!
//! v_a being how the point of the body moves in the step, in which F, half of the cable's force of the step before, acts on it
//! already; the body's joints bear it like any other force. What F⁺ is more than F is given to the body at once, as an impulse:
//! stiff cables on light bodies would swing up without bound if all came a step late. Several attachments of one body share its mass.
//!
//! Half, because that is the most with which nothing swings up, however stiff the cable is and however much heavier than W⁻¹ joints
//! make the body (eigenvalues of the step of a mass on a spring, for all ratios). A body on joints is then moved out of them
//! by ½ W F h² in each step, and put back by the next.

use crate::bending::cross_matrix;
use crate::cable::MassPointCable;
use crate::state::BodyLoad;
use crate::state::MassPointState;
use glam::{DMat3, DVec3};
use windlass_engine::body::BodyState;
use windlass_engine::body::frame::Anchor;
use windlass_engine::body::inertia::BodyInertia;
use windlass_engine::body::twist::Wrench;
use windlass_engine::math;
use windlass_engine::subsystem::View;

/// So much of a hold's force acts on its body in the next step as a force.
const KEPT: f64 = 0.5;

/// A hold during a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AttachmentState {
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
fn place(view: &View<'_>, anchor: &Anchor, body: &BodyState) -> DVec3 {
    let center = view.bodies.list.at(anchor.body.index()).map_or(DVec3::ZERO, |b| b.mass.center);
    body.position + body.orientation * (anchor.at - center)
}

/// The attachments of a cable when its step begins.
pub(super) fn begin(
    view: &View<'_>,
    cable: &MassPointCable,
    state: &MassPointState,
    (bodies, inertia): (&[BodyState], &[BodyInertia]),
    out: &mut Vec<AttachmentState>,
) {
    out.clear();
    for (hold, force) in cable.attachments.iter().zip(&state.forces) {
        let (body, inertia) = (&bodies[hold.anchor.body.index()], &inertia[hold.anchor.body.index()]);
        let mass = (inertia.free && !body.asleep).then(|| {
            let arm = cross_matrix(place(view, &hold.anchor, body) - body.position);
            let turning = inertia.inertia(body.orientation).inverse();
            let others =
                cable.attachments.iter().filter(|h| h.anchor.body == hold.anchor.body).count() as f64;
            let straight = DMat3::from_diagonal(DVec3::splat(1.0 / inertia.mass));
            let gives = (straight + arm.transpose() * turning * arm) * others;
            [gives, gives.inverse()]
        });
        out.push(AttachmentState {
            point: hold.point,
            anchor: hold.anchor,
            mass,
            free: inertia.free,
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

impl AttachmentState {
    /// Where it goes in a part of the step that ends with a body at a place; x is where its point is.
    pub fn aim(&mut self, view: &View<'_>, bodies: &[BodyState], x: DVec3, h: f64) {
        self.farther += self.faster * h;
        let target = place(view, &self.anchor, &bodies[self.anchor.body.index()]) + self.farther;
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
        view: &View<'_>,
        inertia: &[BodyInertia],
        bodies: &mut [BodyState],
        h: f64,
    ) -> (DVec3, Option<BodyLoad>) {
        let force = self.felt / h;
        let index = self.anchor.body.index();
        let (body, inertia) = (&mut bodies[index], &inertia[index]);
        if self.mass.is_some() {
            let at = place(view, &self.anchor, body);
            strike(body, inertia, at, [self.impulse, self.push]);
        }
        let arm = place(view, &self.anchor, body) - body.position;
        let next = force * KEPT;
        let wrench = Wrench { force: next, torque: arm.cross(next) };
        (force, self.free.then_some(BodyLoad { body: index as u32, wrench }))
    }
}

/// Gives a body an impulse at a point [N·s], and moves it by what the impulse did in the rest of the step: the impulse times the
/// time it acts [N·s²].
pub(super) fn strike(body: &mut BodyState, inertia: &BodyInertia, at: DVec3, [impulse, push]: [DVec3; 2]) {
    let arm = at - body.position;
    let turn = inertia.spin(body.orientation, arm.cross(push));
    body.velocity += impulse / inertia.mass;
    body.angular_velocity += inertia.spin(body.orientation, arm.cross(impulse));
    body.position += push / inertia.mass;
    body.orientation = math::renewed(math::exp(turn) * body.orientation);
}
