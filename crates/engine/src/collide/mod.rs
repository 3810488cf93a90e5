//! Poses → contacts: which colliders touch or may touch within the step, where, and how far apart.
//!
//! Three phases: a tree of bounds gives pairs, a filter drops those that may not touch, exact geometry gives points.
//! Reads Model and State, writes Contacts. Nothing here depends on earlier steps: pairs are sorted, points have ids
//! made of the features that touch, so a restored state goes on to the bit.

use crate::world::surface::Touch;
use glam::DVec3;
use std::ops::Range;

/// A collider of the world: its body's place and its place in the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// Place of the body in the model.
    pub body: u32,
    /// Place of the collider in its body.
    pub collider: u32,
}

/// A point where two colliders touch, or may within the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Halfway between the two surfaces, world [m].
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
pub struct Pair {
    /// The colliders, the lower first.
    pub parts: [Part; 2],
    /// Its points in [`Contacts::list`], ascending by feature.
    pub points: Range<usize>,
    /// How their surfaces touch.
    pub touch: Touch,
}

/// All contacts of a step. Written by `collide`.
#[derive(Debug, Default)]
pub struct Contacts {
    /// In the order of their parts. A hook may remove points or change them; a pair may have none.
    pub pairs: Vec<Pair>,
    /// The points, pair after pair.
    pub list: Vec<Contact>,
    /// Overlaps in which at least one collider is a trigger, in order.
    pub triggers: Vec<[Part; 2]>,
}
