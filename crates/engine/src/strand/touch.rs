//! What the segments of a strand touch: a repulsion within a margin, and friction.
//!
//! Each segment is a capsule. Where it is near to a collider when a step begins, a plane is put between them which goes along
//! with the body; until the step ends the plane stands for the collider. Every collider that can be reached in the step has its
//! planes, and a plane has no thickness to be jumped over: so nothing is passed through, however fast or thin. With g the
//! distance of the strand's skin from the plane, x the point of the axis that is nearest and u its way over the surface:
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
//! holds is. One that joints hold is not moved behind their back: the next step has the push among its forces. That is the
//! leapfrog of a spring on a mass, stable while k h²/m < 4; with the give of a free body, h²/m, it is 1 at most, and joints make
//! bodies heavier.
//!
//! A plane through the nearest point is a wall even where the collider has ended; so that this is not felt, a step in which a
//! strand moves fast near colliders is done in parts.

use super::Strand;
use crate::body::BodyState;
use crate::collide::proximity::Probe;
use crate::force::free_motion::Inertial;
use crate::math::{across, outer};
use crate::model::Model;
use crate::model::state::State;
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
    pub fn rubs(&self) -> bool {
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
    /// Which bodies are held by joints.
    pub bound: &'a [bool],
    pub h: f64,
    pub kick: f64,
}

impl Touching {
    /// Notes which bodies are joined when a step begins.
    pub fn begin(&mut self, model: &Model, state: &State) {
        self.probe.join(model, state);
    }

    /// The colliders in question for a step; returns how fast they can be [m/s], none if nothing can be touched.
    pub fn look(&mut self, strand: &Strand, x: &[DVec3], part: &Span, reach: f64) -> Option<f64> {
        let wanted = |c: &crate::body::collider::Collider| {
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
        let dt = part.model.settings.dt;
        let contacts = &mut self.contacts;
        for segment in 0..strand.segments() {
            if strand.clamps(segment) {
                continue;
            }
            let ends = [x[segment], x[segment + 1]];
            let near = |h: &&super::Hold| h.point == segment || h.point == segment + 1;
            let holders = strand.holds.iter().filter(near).map(|h| h.anchor.body.index() as u32);
            self.probe.touch(ends, radius, reach, holders, |near| {
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
                let bound = part.bound[body as usize];
                // what joints hold feels its push in the next step, as long as that is
                let time = if bound { dt * dt } else { part.h * part.kick };
                let along = |n| mobility(&part.inertial[body as usize], to, surface, n) * time;
                let (u, v) = across(normal);
                contacts.push(Contact {
                    segment,
                    share: [1.0 - s, s],
                    body,
                    normal,
                    level: normal.dot(surface) + radius,
                    // with the surface, not about the body's centre as far as the axis: a strand does not spin
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
