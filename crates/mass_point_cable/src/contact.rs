//! Contacts of the segments of a cable: a repulsion within a margin, and friction.
//!
//! Each segment is a capsule. Where it is near a collider at the beginning of a step, a plane between them is defined
//! that moves with the body and represents the collider until the end of the step. Every collider that can be reached
//! in the step has its planes, and a plane has no thickness, so that there is no tunnelling however fast or thin the
//! objects are. Let g be the distance of the cable's surface from the plane, x the nearest point of the axis and u its
//! displacement along the surface:
//!
//! ```text
//! E = ½ k (δ − g)²  for g < δ          force = k (δ − g) n
//! E = μ N f(|u|),  f′ = s (2 − s),  s = |u|/(h · 10⁻⁴ m/s) up to 1,  N the normal force of the last solution
//! ```
//!
//! Active contacts are determined before each build and are fixed within it (an active set); a build may leave some in
//! tension, which the next releases. The step is solved without friction first, then twice with friction from the
//! normal forces found: during the search normal forces are far too large. δ is the margin. A cable that has come
//! closer than the margin is not thrown back: in each step δ is halfway between its present distance and the margin.
//! Sticking friction creeps, with 10⁻⁴ m/s at its limit.
//!
//! A dynamic body yields: the mobility of its point is added to 1/k, and the impulse is applied at once, like those of
//! attachments. A body with joints is not moved outside of the solver: the force acts in the next step. That is the
//! leapfrog scheme of a spring on a mass, stable while k h²/m < 4; with the compliance h²/m of a dynamic body it is 1
//! at most, and joints increase the effective mass.
//!
//! A plane through the nearest point extends beyond the collider. To keep that effect small, a step in which a
//! cable moves fast near colliders is divided into parts.

use crate::cable::{Attachment, MassPointCable};
use glam::{DMat3, DVec3};
use windlass_engine::body::BodyState;
use windlass_engine::body::collider::Collider;
use windlass_engine::body::inertia::BodyInertia;
use windlass_engine::math::{across, outer};
use windlass_engine::subsystem::{Proximity, View};

/// Creep speed at which sticking friction reaches its limit [m/s]: below what is visible.
const CREEP: f64 = 1e-4;
/// Fraction of the distance to the margin that remains after each step.
const LEFT: f64 = 0.5;
/// Design strain of the contact stiffness: the tension at this strain, with weight and tethers, presses a cable into
/// half its margin.
const STRAIN: f64 = 0.02;

/// A potential contact of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Contact {
    /// The segment, and the weights of its ends in the point.
    pub segment: usize,
    pub share: [f64; 2],
    /// Index of the body.
    pub body: u32,
    /// The plane at the end of the step: surfaces touch at n·x = level.
    normal: DVec3,
    level: f64,
    /// The position to which the body's surface would carry the point of the axis.
    carried: DVec3,
    /// Distance below which it repels [m], and stiffness [N/m].
    from: f64,
    stiffness: f64,
    friction: f64,
    /// Whether it is active: within a build it then acts in both directions, so that forces are linear.
    active: bool,
    /// Normal force for friction [N].
    load: f64,
    /// Displacement u up to which friction grows [m].
    grip: f64,
    /// Displacement of a dynamic body's point in the step per force [m/N]; 0 for others.
    give: f64,
    /// The same along the surface.
    glide: f64,
}

impl Contact {
    fn axis(&self, x: &[DVec3]) -> DVec3 {
        x[self.segment] * self.share[0] + x[self.segment + 1] * self.share[1]
    }

    /// By how much it is closer than its distance of repulsion [m].
    fn depth(&self, axis: DVec3) -> f64 {
        self.from - (self.normal.dot(axis) - self.level)
    }

    /// Sets it active for the next build if it is closer than its distance of repulsion.
    pub fn sense(&mut self, x: &[DVec3]) {
        self.active = self.depth(self.axis(x)) > 0.0;
    }

    fn slip(&self, axis: DVec3) -> DVec3 {
        let u = axis - self.carried;
        u - self.normal * self.normal.dot(u)
    }

    /// Takes the present normal force for friction.
    pub fn press(&mut self, x: &[DVec3], h: f64) {
        self.load = self.stiffness * self.depth(self.axis(x)).max(0.0);
        // friction must not hold a light body more stiffly than its mass allows
        self.grip = (CREEP * h).max(2.0 * self.friction * self.load * self.glide);
    }

    /// Normal force for friction [N].
    pub fn load(&self) -> f64 {
        self.load
    }

    /// Whether it has friction.
    pub fn has_friction(&self) -> bool {
        self.friction > 0.0
    }

    /// E [J].
    pub fn energy(&self, x: &[DVec3]) -> f64 {
        let axis = self.axis(x);
        let depth = if self.active { self.depth(axis) } else { 0.0 };
        let (u, grip) = (self.slip(axis).length(), self.grip);
        let way = if u < grip { u * u / grip * (1.0 - u / (3.0 * grip)) } else { u - grip / 3.0 };
        0.5 * self.stiffness * depth * depth + self.friction * self.load * way
    }

    /// Force on the axis [N], and −∂force/∂x.
    pub fn push(&self, x: &[DVec3]) -> (DVec3, DMat3) {
        let axis = self.axis(x);
        let depth = if self.active { self.depth(axis) } else { 0.0 };
        let (u, n) = (self.slip(axis), self.normal);
        let mut force = n * (self.stiffness * depth);
        let mut matrix = if self.active { outer(n, n) * self.stiffness } else { DMat3::ZERO };
        let (most, length) = (self.friction * self.load, u.length());
        if most > 0.0 {
            let s = length / self.grip;
            // f′/|u| and f″
            let (ratio, second) = if s < 1.0 {
                ((2.0 - s) / self.grip, 2.0 * (1.0 - s) / self.grip)
            } else {
                (1.0 / length, 0.0)
            };
            let along = u.normalize_or_zero();
            let square = DMat3::IDENTITY - outer(n, n);
            force -= u * (most * ratio);
            matrix += square * (most * ratio) + outer(along, along) * (most * (second - ratio));
        }
        (force, matrix)
    }

    /// The force on the body, and its point of application on the surface.
    pub fn on_body(&self, x: &[DVec3]) -> (DVec3, DVec3) {
        let axis = self.axis(x);
        (-self.push(x).0, axis - self.normal * (self.normal.dot(axis) - self.level))
    }
}

/// Workspace of contact detection.
#[derive(Debug, Default)]
pub(super) struct CableContacts {
    pub contacts: Vec<Contact>,
}

/// A part of a step: bodies at its beginning and at its end, and its length.
#[derive(Clone, Copy)]
pub(super) struct Span<'a> {
    pub view: &'a View<'a>,
    pub from: &'a [BodyState],
    pub to: &'a [BodyState],
    pub inertia: &'a [BodyInertia],
    /// Whether joints are attached to a body, by index.
    pub jointed: &'a [bool],
    pub h: f64,
    pub kick: f64,
}

impl CableContacts {
    /// Finds the contacts of a part of a step within reach [m].
    pub fn find(
        &mut self,
        cable: &MassPointCable,
        x: &[DVec3],
        part: &Span<'_>,
        proximity: &mut dyn Proximity,
        reach: f64,
    ) {
        self.contacts.clear();
        let radius = 0.5 * cable.properties.diameter;
        let stiffness = stiffness(cable, part.view.settings.gravity);
        let dt = part.view.dt;
        let contacts = &mut self.contacts;
        for segment in 0..cable.segments() {
            if cable.clamps(segment) {
                continue;
            }
            let ends = [x[segment], x[segment + 1]];
            let near = |h: &&Attachment| h.point == segment || h.point == segment + 1;
            // at most one body per end
            let (mut holders, mut count) = ([0; 2], 0);
            for hold in cable.attachments.iter().filter(near).take(2) {
                holders[count] = hold.anchor.body.index() as u32;
                count += 1;
            }
            proximity.touch(ends, (radius, reach), &holders[..count], &mut |near| {
                let along = ends[1] - ends[0];
                let s = ((near.point - ends[0]).dot(along) / along.length_squared()).clamp(0.0, 1.0);
                let collider = part
                    .view
                    .bodies
                    .list
                    .at(near.part.body as usize)
                    .and_then(|b| b.colliders.get(near.part.collider as usize));
                let Some(collider) = collider else { return };
                let friction = part.view.surfaces.touch(cable.surface, collider.surface).slide;
                let body = near.part.body;
                let (from, to) = (&part.from[body as usize], &part.to[body as usize]);
                let turn = to.orientation * from.orientation.inverse();
                let carry = |p: DVec3| to.position + turn * (p - from.position);
                let normal = turn * near.normal;
                let surface = carry(near.point - near.normal * (0.5 * near.gap));
                let axis = ends[0] + along * s;
                let recovery = part.view.settings.contact.recovery * part.h;
                let keep = if near.gap < cable.margin {
                    near.gap + (LEFT * (cable.margin - near.gap)).min(recovery)
                } else {
                    cable.margin
                };
                let bound = part.jointed[body as usize];
                // a body with joints receives the force over the whole next step
                let time = if bound { dt * dt } else { part.h * part.kick };
                let along = |n| mobility(&part.inertia[body as usize], to, surface, n) * time;
                let (u, v) = across(normal);
                contacts.push(Contact {
                    segment,
                    share: [1.0 - s, s],
                    body,
                    normal,
                    level: normal.dot(surface) + radius,
                    // with the surface, not about the body's centre as far as the axis: a cable does not spin
                    carried: axis + surface - (near.point - near.normal * (0.5 * near.gap)),
                    from: keep,
                    stiffness,
                    friction,
                    active: false,
                    load: 0.0,
                    grip: CREEP * part.h,
                    give: along(normal),
                    // an upper bound for any direction along the surface
                    glide: along(u) + along(v),
                });
            });
        }
        // contacts of one body share its mass
        for k in 0..self.contacts.len() {
            let body = self.contacts[k].body;
            let others = self.contacts.iter().filter(|c| c.body == body).count() as f64;
            let c = &mut self.contacts[k];
            if c.give > 0.0 {
                c.give *= others;
                c.glide *= others;
                c.stiffness = 1.0 / (1.0 / stiffness + c.give);
            }
        }
    }
}

/// Finds the relevant colliders for a part of a step of length h that begins with bodies as given; returns an upper
/// bound of their speed [m/s], none if there are no colliders.
pub(super) fn look(
    cable: &MassPointCable,
    x: &[DVec3],
    (bodies, h): (&[BodyState], f64),
    proximity: &mut dyn Proximity,
    reach: f64,
) -> Option<f64> {
    if cable.mask == 0 {
        return None;
    }
    let wanted = |c: &Collider| !c.trigger && c.groups & cable.mask != 0 && cable.groups & c.mask != 0;
    proximity.look(bodies, x, (reach + 0.5 * cable.properties.diameter, h), &wanted)
}

/// Contact stiffness of a cable [N/m]: the forces expected on it compress at most half of its margin.
fn stiffness(cable: &MassPointCable, gravity: DVec3) -> f64 {
    let hands: f64 = cable.tethers.iter().map(|l| l.force).sum();
    let weight = cable.properties.mass * cable.length * gravity.length();
    2.0 * (STRAIN * cable.properties.stretch + hands + weight) / cable.margin
}

/// Mobility of a dynamic body's point along a direction [1/kg]; 0 for others.
fn mobility(inertia: &BodyInertia, body: &BodyState, at: DVec3, n: DVec3) -> f64 {
    if !inertia.free || body.asleep {
        return 0.0;
    }
    let moment = (at - body.position).cross(n);
    1.0 / inertia.mass + moment.dot(inertia.spin(body.orientation, moment))
}
