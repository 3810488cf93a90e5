//! Attachments: points of a cable held by bodies.
//!
//! A static or kinematic body moves its points: their positions at the end of the step are known. A dynamic body
//! reacts: in the system of the cable its point has the effective mass of the body there,
//!
//! ```text
//! W⁻¹ (v⁺ − v_a) = κ (F⁺ − F)          W = 1/m + [r]ᵀ I⁻¹ [r]
//! ```
//!
//! where v_a is the velocity of the body's point in the step, in which F, half of the cable's force of the step before,
//! acts on it already and is borne by the body's joints like any other force. The difference F⁺ − F is applied to the
//! body at once, as an impulse: stiff cables on light bodies would be unstable if the whole force came a step late.
//! Several attachments of one body share its mass.
//!
//! Half is the largest share that is stable for any stiffness of the cable and any increase of the effective mass
//! beyond W⁻¹ by joints (eigenvalues of the step of a mass on a spring, for all ratios). A body with joints is then
//! displaced out of them by ½ W F h² in each step, and returned by the next.

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

/// Share of an attachment's force that acts on its body as a force in the next step.
const KEPT: f64 = 0.5;

/// An attachment during a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AttachmentState {
    pub point: usize,
    anchor: Anchor,
    /// W and W⁻¹ of a dynamic body; none if the body does not react.
    pub mass: Option<[DMat3; 2]>,
    /// Whether the body is dynamic, awake or asleep.
    free: bool,
    /// v_a: velocity of the point in this part of the step [m/s].
    pub carried: DVec3,
    /// F [N]: the force that acts on the body already.
    pub force: DVec3,
    /// Change of the point's velocity and position by the impulses so far.
    faster: DVec3,
    farther: DVec3,
    /// Sum of the impulses [N·s], and of impulses times the time they act [N·s²].
    impulse: DVec3,
    push: DVec3,
    /// Sum of forces on the body times time [N·s].
    felt: DVec3,
}

/// Position of an anchor on a body in a given state.
fn place(view: &View<'_>, anchor: &Anchor, body: &BodyState) -> DVec3 {
    let center = view.bodies.list.at(anchor.body.index()).map_or(DVec3::ZERO, |b| b.mass.center);
    body.position + body.orientation * (anchor.at - center)
}

/// The attachments of a cable at the beginning of its step.
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
    /// Sets its velocity in a part of the step at whose end the bodies are given; x is the position of its point.
    pub fn aim(&mut self, view: &View<'_>, bodies: &[BodyState], x: DVec3, h: f64) {
        self.farther += self.faster * h;
        let target = place(view, &self.anchor, &bodies[self.anchor.body.index()]) + self.farther;
        self.carried = (target - x) / h;
    }

    /// Accounts for a part of the step: the velocity of its point, the unbalanced forces on the point [N·s],
    /// and the time for which they acted. `rest` is the remainder of the step, this part included [s].
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

    /// Ends the step: applies the impulse to the body, and returns the force on it in a step of length h.
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

/// Applies an impulse to a body at a point [N·s], and displaces the body by its effect in the rest of the step: the
/// impulse times the time it acts [N·s²].
pub(super) fn strike(body: &mut BodyState, inertia: &BodyInertia, at: DVec3, [impulse, push]: [DVec3; 2]) {
    let arm = at - body.position;
    let turn = inertia.spin(body.orientation, arm.cross(push));
    body.velocity += impulse / inertia.mass;
    body.angular_velocity += inertia.spin(body.orientation, arm.cross(impulse));
    body.position += push / inertia.mass;
    body.orientation = math::renewed(math::exp(turn) * body.orientation);
}
