//! Contacts: the points where two colliders touch, or may within the step. Written by `collide`.

pub mod surface;

use crate::body::BodyState;
use crate::body::collider::ColliderRef;
use glam::DVec3;
use std::ops::Range;
use surface::ContactParameters;

/// A point where two colliders touch, or may within the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Halfway between the two surfaces, world [m]; before a blow, where the skin of a body will be touched.
    pub point: DVec3,
    /// Unit normal, from the first collider to the second.
    pub normal: DVec3,
    /// Distance of the surfaces along it [m]; negative where they overlap.
    pub gap: f64,
    /// Names the point among those of its pair, the same from step to step while the same features touch.
    pub feature: u32,
    /// Its share of the area of the patch [m²]; zero for a contact of points or lines.
    pub area: f64,
}

/// Two colliders and the points where they touch.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactPair {
    /// The colliders, the lower first.
    pub parts: [ColliderRef; 2],
    /// Its points in [`Contacts::list`], ascending by feature.
    pub points: Range<usize>,
    /// How their surfaces touch.
    pub touch: ContactParameters,
    /// When they meet within the step, if points, normals and gaps are those of that instant.
    pub meeting: Option<Meeting>,
}

impl ContactPair {
    /// The time until they meet [s]; 0 if their points are those of now.
    pub fn delay(&self) -> f64 {
        self.meeting.map_or(0.0, |m| m.delay)
    }
}

/// An instant within the step at which two bodies meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The time until then [s].
    pub delay: f64,
    /// Where their centres of mass are then [m].
    pub centers: [DVec3; 2],
    /// Acceleration of the second against the first until then [m/s²].
    pub acceleration: DVec3,
}

/// All contacts of a step. Written by `collide`.
#[derive(Debug, Default)]
pub struct Contacts {
    /// In the order of their parts. A hook may remove points or change them; a pair may have none.
    pub pairs: Vec<ContactPair>,
    /// The points, pair after pair.
    pub list: Vec<Contact>,
    /// Overlaps in which at least one collider is a trigger, in order.
    pub triggers: Vec<[ColliderRef; 2]>,
}

impl Contacts {
    /// The deepest overlap [m]; 0 if there is none.
    pub fn deepest(&self) -> f64 {
        self.list.iter().fold(0.0, |m: f64, c| m.max(-c.gap))
    }
}

/// Velocity of the second body's material against the first's, at a point.
#[inline]
pub(crate) fn relative(bodies: &[BodyState], pair: &ContactPair, point: DVec3) -> DVec3 {
    let [a, b] = &pair.parts;
    let velocity = |part: &ColliderRef| {
        let body = &bodies[part.body as usize];
        body.velocity + body.angular_velocity.cross(point - body.position - body.velocity * pair.delay())
    };
    velocity(b) - velocity(a)
}
