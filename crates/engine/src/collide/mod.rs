//! Collision detection: pairs of colliders in contact, or possibly within the step, with contact points and distances.
//!
//! Three phases: a tree of bounding boxes finds pairs, a filter drops those that may not collide, the narrow phase
//! computes points. Reads Model and State, writes Contacts. Nothing here depends on earlier steps: pairs are sorted,
//! and points are identified by the features in contact, so a restored state continues bitwise identically.

pub(crate) mod geometry;
pub(crate) mod proximity;
mod swept;

pub(crate) mod bounds;
mod boxes;
pub(crate) mod broad;
mod clip;
mod gjk;
mod impact;
mod mesh;
pub(crate) mod narrow;
mod neighbours;
mod penetration;
mod plane;
pub(crate) mod point;
mod reduce;
mod round;
mod seams;

use crate::contact::{Contact, ContactPair, Contacts};
use crate::model::Model;
use crate::model::state::State;
use bounds::Pose;
use broad::{Broad, Entry};
use geometry::Form;
use narrow::Narrow;
use point::{Raw, Side};
use reduce::Reducer;
use seams::{PairSeams, Seams};
use swept::Moving;

/// Bounds and workspace of the search. Rebuilt from Model and State whenever it is out of date.
#[derive(Debug, Default)]
pub struct CollisionWork {
    broad: Broad,
    narrow: Narrow,
    reducer: Reducer,
    seams: Seams,
}

/// Finds all contacts at the poses of a state, and those that arise within the step.
pub fn collide(model: &Model, state: &State, work: &mut CollisionWork, out: &mut Contacts) {
    let CollisionWork { broad, narrow, reducer, seams } = work;
    let Contacts { pairs, list, triggers } = out;
    pairs.clear();
    list.clear();
    triggers.clear();
    broad.place(model, &state.bodies);
    broad.pair(model, state);
    seams.prepare(model, broad);
    for k in 0..broad.pairs.len() {
        let pair = broad.pairs[k];
        broad.look_between([pair.0 as usize, pair.1 as usize], (model, state));
        let (a, b) = (&broad.entries[pair.0 as usize], &broad.entries[pair.1 as usize]);
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
        let moving = [Moving::new(model, state, a), Moving::new(model, state, b)];
        let mut ground = PairSeams { seams: &mut *seams, entries: &broad.entries, pair: [pair.0, pair.1] };
        let meeting = swept::touch(model, (state, broad), moving, (narrow, &mut ground));
        if narrow.raw.is_empty() {
            continue;
        }
        let whole = |e: &Entry| matches!(*e.form, Form::Convex(_) | Form::Plane);
        reducer.reduce(&mut narrow.raw, !(whole(a) && whole(b)), a.size.min(b.size));
        let area = reducer.area(&narrow.raw) / narrow.raw.len() as f64;
        let from = list.len();
        write(&mut narrow.raw, &a.pose, area, list);
        let touch = model.surfaces.touch(collider(a).surface, collider(b).surface);
        pairs.push(ContactPair { parts, points: from..list.len(), touch, meeting });
    }
}

/// A collider in the frame of the first of its pair.
fn side<'a>(e: &'a Entry, first: &Pose) -> Side<'a> {
    let pose = if e.pose == *first { Pose::IDENTITY } else { first.sees(&e.pose) };
    Side { form: &e.form, pose, number: 0 }
}

/// Transforms points to the world, names them, and sorts them by name.
fn write(raw: &mut [Raw], first: &Pose, area: f64, list: &mut Vec<Contact>) {
    // 31 bits, so that a successor always exists
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
