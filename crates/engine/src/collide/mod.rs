//! Poses → contacts: which colliders touch or may touch within the step, where, and how far apart.
//!
//! Three phases: a tree of bounds gives pairs, a filter drops those that may not touch, exact geometry gives points.
//! Reads Model and State, writes Contacts. Nothing here depends on earlier steps: pairs are sorted, points have ids
//! made of the features that touch, so a restored state goes on to the bit.

mod boxes;
mod broad;
mod clip;
mod gjk;
mod mesh;
mod narrow;
mod plane;
pub(crate) mod probe;
pub mod query;
mod reduce;
mod round;
mod shape;
mod sweep;

use crate::world::model::Model;
use crate::world::state::State;
use crate::world::surface::Touch;
use broad::{Broad, Entry};
use glam::DVec3;
use narrow::{Narrow, Raw, Side};
use reduce::Reducer;
use shape::{Form, Pose};
use std::ops::Range;
use sweep::Moving;

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

    // rebuilt from Model and State whenever it does not fit them
    broad: Broad,
    narrow: Narrow,
    reducer: Reducer,
}

impl Contacts {
    /// The deepest overlap [m]; 0 if there is none.
    pub fn deepest(&self) -> f64 {
        self.list.iter().fold(0.0, |m: f64, c| m.max(-c.gap))
    }
}

/// Finds all contacts at the poses of a state, and those that come about within the step.
pub fn collide(model: &Model, state: &State, out: &mut Contacts) {
    let Contacts { pairs, list, triggers, broad, narrow, reducer } = out;
    pairs.clear();
    list.clear();
    triggers.clear();
    broad.place(model, state);
    broad.pair(model, state);
    for (a, b) in &broad.pairs {
        let (a, b) = (&broad.entries[*a as usize], &broad.entries[*b as usize]);
        let collider = |e: &Entry| {
            &model.bodies.at(e.part.body as usize).expect("paired").colliders[e.part.collider as usize]
        };
        let parts = [a.part, b.part];
        narrow.raw.clear();
        if collider(a).trigger || collider(b).trigger {
            narrow.touch(side(a, &a.pose), side(b, &a.pose), 0.0);
            if !narrow.raw.is_empty() {
                triggers.push(parts);
            }
            continue;
        }
        sweep::touch(model, [Moving::new(model, state, a), Moving::new(model, state, b)], narrow);
        if narrow.raw.is_empty() {
            continue;
        }
        let whole = |e: &Entry| matches!(*e.form, Form::Convex(_) | Form::Plane);
        reducer.reduce(&mut narrow.raw, !(whole(a) && whole(b)), a.size.min(b.size));
        let area = reducer.area(&narrow.raw) / narrow.raw.len() as f64;
        let from = list.len();
        write(&mut narrow.raw, &a.pose, area, list);
        let touch = model.surfaces.touch(collider(a).surface, collider(b).surface);
        pairs.push(Pair { parts, points: from..list.len(), touch });
    }
}

/// A collider in the frame of the first of its pair.
fn side<'a>(e: &'a Entry, first: &Pose) -> Side<'a> {
    let pose = if e.pose == *first { Pose::IDENTITY } else { first.sees(&e.pose) };
    Side { form: &e.form, pose, number: 0 }
}

/// Carries points into the world, names them, and puts them in the order of their names.
fn write(raw: &mut [Raw], first: &Pose, area: f64, list: &mut Vec<Contact>) {
    // 31 bits, so that there is always a next one
    let short = |name: u64| ((name ^ name >> 32) & 0x7fff_ffff) as u32;
    raw.sort_by_key(|p| (short(p.name), p.name));
    let mut last = None;
    for p in raw {
        let feature = last.map_or(short(p.name), |l: u32| short(p.name).max(l + 1));
        last = Some(feature);
        let (point, normal) = (first.point(p.at), first.turn * p.normal);
        list.push(Contact { point, normal, gap: p.gap, feature, area });
    }
}
