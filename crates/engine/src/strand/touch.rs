//! What the segments of a strand touch: a repulsion within a margin, and friction.
//!
//! Each segment is a capsule. Where it is near to a collider when a step begins, a plane is put between them which goes along
//! with the body; until the step ends the plane stands for the collider. Every collider that can be reached in the step has its
//! planes, and a plane has no thickness to be jumped over: so nothing is passed through, however fast or thin. With g the
//! distance of the strand's skin from the plane, x the point of the axis that is nearest and u its way over the surface:
//!
//! ```text
//! E = ½ k (δ − g)²  for g < δ          force = k (δ − g) n
//! E = μ N f(|u|),  f′ = s (2 − s),  s = |u|/(h · 10⁻⁴ m/s) up to 1,  N the normal force at the last rebuild
//! ```
//!
//! δ is the margin. What has come closer than that is not thrown back: in each step δ is only halfway from where it is to the
//! margin. Friction that holds creeps, with 10⁻⁴ m/s at its limit.
//!
//! A plane through the nearest point is a wall even where the collider has ended; so that this is not felt, a step in which a
//! strand moves fast near colliders is done in parts.

use super::{Strand, outer};
use crate::collide::Part;
use crate::collide::probe::Probe;
use crate::force::free::Inertial;
use crate::world::model::Model;
use crate::world::state::{BodyState, State};
use crate::world::twist::Wrench;
use glam::{DMat3, DVec3};

/// Speed at which friction that holds gives all it can [m/s]: below what is seen.
const CREEP: f64 = 1e-4;
/// Of the way back to the margin so much is left in each step.
const LEFT: f64 = 0.5;
/// A strand strained by this much presses no closer than its margin.
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
    /// Where the body would carry the point of the axis.
    carried: DVec3,
    /// From this distance on it pushes [m], and how hard [N/m].
    from: f64,
    stiffness: f64,
    friction: f64,
    /// Normal force at the last rebuild [N].
    load: f64,
    /// u up to which friction grows [m].
    grip: f64,
}

impl Contact {
    fn axis(&self, x: &[DVec3]) -> DVec3 {
        x[self.segment] * self.share[0] + x[self.segment + 1] * self.share[1]
    }

    /// By how much it is closer than the distance it keeps [m]; 0 if it is not.
    fn depth(&self, axis: DVec3) -> f64 {
        (self.from - (self.normal.dot(axis) - self.level)).max(0.0)
    }

    fn slip(&self, axis: DVec3) -> DVec3 {
        let u = axis - self.carried;
        u - self.normal * self.normal.dot(u)
    }

    /// Takes the normal force of the present for friction.
    pub fn press(&mut self, x: &[DVec3]) {
        self.load = self.stiffness * self.depth(self.axis(x));
    }

    /// E [J].
    pub fn energy(&self, x: &[DVec3]) -> f64 {
        let axis = self.axis(x);
        let (depth, u, grip) = (self.depth(axis), self.slip(axis).length(), self.grip);
        let way = if u < grip { u * u / grip * (1.0 - u / (3.0 * grip)) } else { u - grip / 3.0 };
        0.5 * self.stiffness * depth * depth + self.friction * self.load * way
    }

    /// Force on the axis [N], and −∂force/∂x.
    pub fn push(&self, x: &[DVec3]) -> (DVec3, DMat3) {
        let axis = self.axis(x);
        let (depth, u) = (self.depth(axis), self.slip(axis));
        let n = self.normal;
        let mut force = n * (self.stiffness * depth);
        let mut matrix = if depth > 0.0 { outer(n, n) * self.stiffness } else { DMat3::ZERO };
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

    /// What the body feels of a force on the strand, about its centre.
    pub fn on_body(&self, x: &[DVec3], center: DVec3) -> Wrench {
        let axis = self.axis(x);
        let force = -self.push(x).0;
        let at = axis - self.normal * (self.normal.dot(axis) - self.level);
        Wrench { force, torque: (at - center).cross(force) }
    }
}

/// Memory of the search for contacts.
#[derive(Debug, Default)]
pub(super) struct Touching {
    pub contacts: Vec<Contact>,
    probe: Probe,
}

/// A part of a step: bodies when it begins and when it ends, and its length.
#[derive(Clone, Copy)]
pub(super) struct Span<'a> {
    pub model: &'a Model,
    pub from: &'a State,
    pub to: &'a [BodyState],
    pub inertial: &'a [Inertial],
    pub h: f64,
}

impl Touching {
    /// The colliders in question for a step; returns how fast they can be [m/s], none if nothing can be touched.
    pub fn look(&mut self, strand: &Strand, x: &[DVec3], part: &Span, reach: f64) -> Option<f64> {
        let wanted = |c: &crate::world::collider::Collider| {
            !c.trigger && c.groups & strand.mask != 0 && strand.groups & c.mask != 0
        };
        if strand.mask == 0 {
            return None;
        }
        let reach = reach + 0.5 * strand.cord.diameter;
        self.probe.look((part.model, part.from), x, (reach, part.h), wanted)
    }

    /// Finds the contacts of a part of a step within reach [m].
    pub fn find(&mut self, strand: &Strand, x: &[DVec3], part: &Span, reach: f64) {
        self.contacts.clear();
        let radius = 0.5 * strand.cord.diameter;
        let stiffness = stiffness(strand, part.model.settings.gravity);
        let contacts = &mut self.contacts;
        for segment in 0..strand.segments() {
            if strand.clamps(segment) {
                continue;
            }
            let ends = [x[segment], x[segment + 1]];
            // what a body holds comes out of it
            let spared = |p: Part| {
                let near = |h: &super::Hold| h.point == segment || h.point == segment + 1;
                strand.holds.iter().any(|h| near(h) && h.anchor.body.index() == p.body as usize)
            };
            self.probe.touch(ends, radius, reach, spared, |near| {
                let along = ends[1] - ends[0];
                let s = ((near.point - ends[0]).dot(along) / along.length_squared()).clamp(0.0, 1.0);
                let collider = part
                    .model
                    .bodies
                    .at(near.part.body as usize)
                    .and_then(|b| b.colliders.get(near.part.collider as usize));
                let Some(collider) = collider else { return };
                let friction = part.model.surfaces.touch(strand.surface, collider.surface).slide;
                let body = near.part.body;
                let (from, to) = (&part.from.bodies[body as usize], &part.to[body as usize]);
                let turn = to.attitude * from.attitude.inverse();
                let carry = |p: DVec3| to.position + turn * (p - from.position);
                let normal = turn * near.normal;
                let surface = carry(near.point - near.normal * (0.5 * near.gap));
                let axis = ends[0] + along * s;
                let recovery = part.model.settings.contact.recovery * part.h;
                let keep = if near.gap < strand.margin {
                    near.gap + (LEFT * (strand.margin - near.gap)).min(recovery)
                } else {
                    strand.margin
                };
                let give = mobility(&part.inertial[body as usize], to, surface, normal) * part.h * part.h;
                contacts.push(Contact {
                    segment,
                    share: [1.0 - s, s],
                    body,
                    normal,
                    level: normal.dot(surface) + radius,
                    carried: carry(axis),
                    from: keep,
                    // a body that is free feels it only in the next step: it must not be pushed harder than its mass bears
                    stiffness: 1.0 / (1.0 / stiffness + give),
                    friction,
                    load: 0.0,
                    grip: CREEP * part.h,
                });
            });
        }
    }
}

/// How hard surfaces push a strand [N/m]: what can pull it stays outside of half of its margin.
fn stiffness(strand: &Strand, gravity: DVec3) -> f64 {
    let hands: f64 = strand.leads.iter().map(|l| l.force).sum();
    let weight = strand.cord.mass * strand.length * gravity.length();
    2.0 * (STRAIN * strand.cord.stretch + hands + weight) / strand.margin
}

/// How a free body's point gives along a direction [1/kg]; 0 for others.
fn mobility(inertial: &Inertial, body: &BodyState, at: DVec3, n: DVec3) -> f64 {
    if !inertial.free || body.asleep {
        return 0.0;
    }
    let moment = (at - body.position).cross(n);
    1.0 / inertial.mass + moment.dot(inertial.spin(body.attitude, moment))
}
