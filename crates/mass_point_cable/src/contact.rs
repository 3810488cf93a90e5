//! What the segments of a cable touch: a repulsion within a margin, and friction.
//!
//! Each segment is a capsule. Where it is near to a collider when a step begins, a plane is put between them which goes along
//! with the body; until the step ends the plane stands for the collider. Every collider that can be reached in the step has its
//! planes, and a plane has no thickness to be jumped over: so nothing is passed through, however fast or thin. With g the
//! distance of the cable's skin from the plane, x the point of the axis that is nearest and u its way over the surface:
//!
//! ```text
//! E = ½ k (δ − g)²  for g < δ          force = k (δ − g) n
//! E = μ N f(|u|),  f′ = s (2 − s),  s = |u|/(h · 10⁻⁴ m/s) up to 1,  N the normal force of the last solution
//! ```
//!
//! Who touches is decided before each build and not within it (an active set); so a build may leave some that pull, which the
//! next lets go. The step is solved without friction first, then with that of the normal forces found, twice; while it is searched for normal
//! forces are far too large. δ is the margin. What has come closer than that is not thrown back: in each step δ is only halfway from where it is to the
//! margin. Friction that holds creeps, with 10⁻⁴ m/s at its limit.
//!
//! A body that is free gives way: 1/k has the mobility of its point added to it, and the impulse is given to it at once, as that of
//! attachments is. One that joints hold is not moved behind their back: the next step has the push among its forces. That is the
//! leapfrog of a spring on a mass, stable while k h²/m < 4; with the give of a free body, h²/m, it is 1 at most, and joints make
//! bodies heavier.
//!
//! A plane through the nearest point is a wall even where the collider has ended; so that this is not felt, a step in which a
//! cable moves fast near colliders is done in parts.

use crate::cable::{Attachment, MassPointCable};
use glam::{DMat3, DVec3};
use windlass_engine::body::BodyState;
use windlass_engine::body::collider::Collider;
use windlass_engine::body::inertia::BodyInertia;
use windlass_engine::math::{across, outer};
use windlass_engine::subsystem::{Proximity, View};

/// Speed at which friction that holds gives all it can [m/s]: below what is seen.
const CREEP: f64 = 1e-4;
/// Of the way back to the margin so much is left in each step.
const LEFT: f64 = 0.5;
/// A cable strained by this much presses no closer than its margin.
const STRAIN: f64 = 0.02;

/// A place where a segment may be pushed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Contact {
    /// The segment, and the shares of its ends in the point.
    pub segment: usize,
    pub share: [f64; 2],
    /// Place of the body.
    pub body: u32,
    /// The plane when the step ends: n·x = level is where skins touch.
    normal: DVec3,
    level: f64,
    /// Where the body's surface would carry the point of the axis.
    carried: DVec3,
    /// From this distance on it pushes [m], and how hard [N/m].
    from: f64,
    stiffness: f64,
    friction: f64,
    /// Whether it counts as touching: within a build it then pushes or pulls, so that forces stay linear there.
    active: bool,
    /// Normal force that friction is reckoned with [N].
    load: f64,
    /// u up to which friction grows [m].
    grip: f64,
    /// How far a free body's point goes in the step under a force [m/N]; 0 for others.
    give: f64,
    /// The same over the surface.
    glide: f64,
}

impl Contact {
    fn axis(&self, x: &[DVec3]) -> DVec3 {
        x[self.segment] * self.share[0] + x[self.segment + 1] * self.share[1]
    }

    /// By how much it is closer than the distance it keeps [m].
    fn depth(&self, axis: DVec3) -> f64 {
        self.from - (self.normal.dot(axis) - self.level)
    }

    /// Takes it as touching, for the next build, if it is closer than the distance it keeps.
    pub fn sense(&mut self, x: &[DVec3]) {
        self.active = self.depth(self.axis(x)) > 0.0;
    }

    fn slip(&self, axis: DVec3) -> DVec3 {
        let u = axis - self.carried;
        u - self.normal * self.normal.dot(u)
    }

    /// Takes the normal force of the present for friction.
    pub fn press(&mut self, x: &[DVec3], h: f64) {
        self.load = self.stiffness * self.depth(self.axis(x)).max(0.0);
        // friction must not hold a light body firmer than its mass lets it
        self.grip = (CREEP * h).max(2.0 * self.friction * self.load * self.glide);
    }

    /// Normal force that friction is reckoned with [N].
    pub fn load(&self) -> f64 {
        self.load
    }

    /// Whether it rubs.
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

    /// The force on the body, and where on its surface it acts.
    pub fn on_body(&self, x: &[DVec3]) -> (DVec3, DVec3) {
        let axis = self.axis(x);
        (-self.push(x).0, axis - self.normal * (self.normal.dot(axis) - self.level))
    }
}

/// Memory of the search for contacts.
#[derive(Debug, Default)]
pub(super) struct CableContacts {
    pub contacts: Vec<Contact>,
}

/// A part of a step: bodies when it begins and when it ends, and its length.
#[derive(Clone, Copy)]
pub(super) struct Span<'a> {
    pub view: &'a View<'a>,
    pub from: &'a [BodyState],
    pub to: &'a [BodyState],
    pub inertia: &'a [BodyInertia],
    /// Which bodies are held by joints.
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
            // one body for each end at most
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
                // what joints hold feels its push in the next step, as long as that is
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
                    // at most: that of any direction over the surface
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

/// The colliders in question for a part of a step of length h that begins with bodies as given; returns how fast they can be
/// [m/s], none if nothing can be touched.
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

/// How hard surfaces push a cable [N/m]: what can pull it stays outside of half of its margin.
fn stiffness(cable: &MassPointCable, gravity: DVec3) -> f64 {
    let hands: f64 = cable.tethers.iter().map(|l| l.force).sum();
    let weight = cable.properties.mass * cable.length * gravity.length();
    2.0 * (STRAIN * cable.properties.stretch + hands + weight) / cable.margin
}

/// How a free body's point gives along a direction [1/kg]; 0 for others.
fn mobility(inertia: &BodyInertia, body: &BodyState, at: DVec3, n: DVec3) -> f64 {
    if !inertia.free || body.asleep {
        return 0.0;
    }
    let moment = (at - body.position).cross(n);
    1.0 / inertia.mass + moment.dot(inertia.spin(body.orientation, moment))
}
