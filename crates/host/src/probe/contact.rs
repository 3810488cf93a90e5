//! Contacts of the last step → force, torque, number of points and friction mode of a body, or between two bodies.
//!
//! Forces are the means over the last step, as the state keeps them; before the first step there are none. Their
//! normals are those the step found, so they are read before anything else collides again.

use glam::DVec3;
use windlass_engine::prelude::{BodyId, ColliderRef, Contact, ContactMode, ContactState, World};

/// Quantities of contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactQuantity {
    /// The total force.
    Force,
    /// Along the normals.
    Normal,
    /// Along the surfaces.
    Friction,
    /// About the centre of mass of the body.
    Torque,
    /// Points that carry load.
    Points,
    /// 0 open, 1 stick, 2 slip. One sticking point keeps the bodies from sliding, whatever the others do.
    Mode,
}

/// The contacts of a body; only those with another body, if one is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactsOf {
    pub on: BodyId,
    pub from: Option<BodyId>,
}

impl ContactQuantity {
    /// Its numbers, a single one first; none before the first step, or if a loaded point no longer exists and with it
    /// its normal.
    pub fn of(self, contacts_of: ContactsOf, world: &World) -> Option<[f64; 4]> {
        if world.state().step == 0 {
            return None;
        }
        let vector = |v: DVec3| [v.x, v.y, v.z, f64::NAN];
        let single = |x: f64| [x, f64::NAN, f64::NAN, f64::NAN];
        let points = || contacts_of.points(world);
        Some(match self {
            ContactQuantity::Force => vector(points().map(|(c, sign)| sign * c.force).sum()),
            ContactQuantity::Normal => vector(normal_part(world, points())?),
            ContactQuantity::Friction => {
                let all: DVec3 = points().map(|(c, sign)| sign * c.force).sum();
                vector(all - normal_part(world, points())?)
            }
            ContactQuantity::Torque => {
                let center = world.state().bodies[contacts_of.on.index()].position;
                let of = |c: &ContactState| c.torque + (c.point - center).cross(c.force);
                vector(points().map(|(c, sign)| sign * of(c)).sum())
            }
            ContactQuantity::Points => single(points().count() as f64),
            ContactQuantity::Mode => single(grip(points().map(|(c, _)| c.grip))),
        })
    }
}

impl ContactsOf {
    /// The points that carry load, each with the sign of its force on the body.
    fn points<'a>(self, world: &'a World) -> impl Iterator<Item = (&'a ContactState, f64)> + 'a {
        let on = self.on.index() as u32;
        let from = self.from.map(|id| id.index() as u32);
        pressing(world).filter_map(move |c| {
            let (other, sign) = match c.parts.map(|p| p.body) {
                [other, second] if second == on => (other, 1.0),
                [first, other] if first == on => (other, -1.0),
                _ => return None,
            };
            from.is_none_or(|from| from == other).then_some((c, sign))
        })
    }
}

/// The points of a world that carried load in the last step.
pub fn pressing(world: &World) -> impl Iterator<Item = &ContactState> {
    world.state().contacts.iter().filter(|c| c.force != DVec3::ZERO)
}

fn grip(points: impl Iterator<Item = ContactMode>) -> f64 {
    let rank = |grip: ContactMode| match grip {
        ContactMode::Open => 0,
        ContactMode::Slip => 1,
        ContactMode::Stick => 2,
    };
    match points.max_by_key(|grip| rank(*grip)) {
        None | Some(ContactMode::Open) => 0.0,
        Some(ContactMode::Stick) => 1.0,
        Some(ContactMode::Slip) => 2.0,
    }
}

/// Σ n (n · F)
fn normal_part<'a>(world: &World, points: impl Iterator<Item = (&'a ContactState, f64)>) -> Option<DVec3> {
    let mut sum = DVec3::ZERO;
    for (point, sign) in points {
        let normal = found(world, point.parts, point.feature)?.normal;
        sum += sign * normal * normal.dot(point.force);
    }
    Some(sum)
}

/// The contact that the last step found at a point.
fn found(world: &World, parts: [ColliderRef; 2], feature: u32) -> Option<&Contact> {
    let contacts = &world.stages().contacts;
    let pair = contacts.pairs.binary_search_by_key(&parts, |pair| pair.parts).ok()?;
    let points = &contacts.list[contacts.pairs[pair].points.clone()];
    Some(&points[points.binary_search_by_key(&feature, |contact| contact.feature).ok()?])
}
