//! Contacts: points at which two colliders are in contact, or may be within the step. Written by `collide`.

pub mod surface;

use crate::body::BodyState;
use crate::body::collider::ColliderRef;
use glam::DVec3;
use std::ops::Range;
use surface::ContactParameters;

/// A point at which two colliders are in contact, or may be within the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Midway between the two surfaces, world [m]; before an impact, the future contact point on the surface of a body.
    pub point: DVec3,
    /// Unit normal, from the first collider to the second.
    pub normal: DVec3,
    /// Distance of the surfaces along it [m]; negative for penetration.
    pub gap: f64,
    /// Identifies the point within its pair; constant from step to step while the same features are in contact.
    pub feature: u32,
    /// Its share of the area of the patch [m²]; zero for point and line contacts.
    pub area: f64,
}

/// Two colliders and their contact points.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactPair {
    /// The colliders, the lower first.
    pub parts: [ColliderRef; 2],
    /// Its points in [`Contacts::list`], ascending by feature.
    pub points: Range<usize>,
    /// Contact parameters of their surfaces.
    pub touch: ContactParameters,
    /// Time of impact within the step, if points, normals and gaps are those of that instant.
    pub meeting: Option<Meeting>,
}

impl ContactPair {
    /// The time until impact [s]; 0 if the points are those of the present.
    pub fn delay(&self) -> f64 {
        self.meeting.map_or(0.0, |m| m.delay)
    }
}

/// An impact of two bodies within the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The time until then [s].
    pub delay: f64,
    /// Positions of their centres of mass then [m].
    pub centers: [DVec3; 2],
    /// Acceleration of the second relative to the first until then [m/s²].
    pub acceleration: DVec3,
}

/// All contacts of a step. Written by `collide`.
#[derive(Debug, Default)]
pub struct Contacts {
    /// In order of their parts. A hook may remove points or change them; a pair may have none.
    pub pairs: Vec<ContactPair>,
    /// The points, pair after pair.
    pub list: Vec<Contact>,
    /// Overlaps in which at least one collider is a trigger, in order.
    pub triggers: Vec<[ColliderRef; 2]>,
}

impl Contacts {
    /// The largest penetration [m]; 0 if there is none.
    pub fn deepest(&self) -> f64 {
        self.list.iter().fold(0.0, |m: f64, c| m.max(-c.gap))
    }
}

/// Velocity of the second body's material relative to the first's, at a point.
#[inline]
pub(crate) fn relative(bodies: &[BodyState], pair: &ContactPair, point: DVec3) -> DVec3 {
    let [a, b] = &pair.parts;
    let velocity = |part: &ColliderRef| {
        let body = &bodies[part.body as usize];
        body.velocity + body.angular_velocity.cross(point - body.position - body.velocity * pair.delay())
    };
    velocity(b) - velocity(a)
}
