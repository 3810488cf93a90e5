//! Rows → islands: groups of dynamic bodies that no row connects to another group.
//!
//! Static and kinematic bodies do not connect. Islands are numbered by their lowest body and rows keep their order
//! inside an island, so that the numbering depends only on the rows. Islands are rebuilt when an edit, a break or a
//! contact that starts or ends changes the set of rows. Reads Rows, writes Islands.
//!
//! Bodies may have partition numbers (`Body::partition`). An island with several numbers is divided into parts, one per
//! number, which are solved separately and exchange forces (`solve/clusters.rs`). A group of rows between two numbers
//! belongs to the lower one: that part then contains the bodies at both ends.

use crate::body::inertia::BodyInertia;
use crate::row::RowSource;
use crate::row::rows::{Group, Rows};
use std::collections::BTreeMap;

/// One island, or a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Island {
    /// Indices of its bodies, ascending.
    pub bodies: Vec<u32>,
    /// Indices of its groups of rows, ascending.
    pub groups: Vec<u32>,
    /// Parts of one island have the same number, counted from 1; 0 for a whole island.
    pub cluster: u32,
}

/// All islands. Written by `partition`.
#[derive(Clone, Debug, Default)]
pub struct Islands {
    /// Ordered by lowest body. Groups of rows without a dynamic body are in none.
    pub list: Vec<Island>,
    /// Counts rebuilds, so that derived data are known to be outdated.
    pub revision: u64,
    signature: Signature,
    parent: Vec<u32>,
}

/// Not an island.
const NONE: u32 = u32::MAX;

/// Groups the bodies; does nothing if model, joints and contacts are unchanged. Only a velocity-level solve `cuts`
/// islands into parts; accelerations are solved as a whole.
pub fn partition(bodies: &[BodyInertia], rows: &Rows, cuts: bool, out: &mut Islands) {
    if out.revision > 0 && out.signature.cuts == cuts && out.signature.fits(bodies, rows) {
        return;
    }
    out.signature.take(bodies, rows);
    out.signature.cuts = cuts;
    out.revision += 1;

    // connect the dynamic bodies of each group
    out.parent.clear();
    out.parent.extend(0..bodies.len() as u32);
    for group in &rows.groups {
        let mut first = None;
        for body in bodies_of(rows, group.rows()).filter(|b| bodies[*b as usize].free) {
            match first {
                None => first = Some(body),
                Some(first) => join(&mut out.parent, first, body),
            }
        }
    }

    // number the islands by their lowest body, which is their root
    out.list.clear();
    let mut island_of = vec![NONE; bodies.len()];
    for place in (0..bodies.len()).filter(|p| bodies[*p].free) {
        let root = find(&mut out.parent, place as u32) as usize;
        if island_of[root] == NONE {
            island_of[root] = out.list.len() as u32;
            out.list.push(Island::default());
        }
        island_of[place] = island_of[root];
        out.list[island_of[root] as usize].bodies.push(place as u32);
    }
    for (index, group) in rows.groups.iter().enumerate() {
        let body = bodies_of(rows, group.rows()).find(|b| bodies[*b as usize].free);
        if let Some(body) = body {
            out.list[island_of[body as usize] as usize].groups.push(index as u32);
        }
    }
    if cuts {
        cut(bodies, rows, &mut out.list);
    }
}

/// Divides islands whose bodies have several partition numbers into parts.
fn cut(bodies: &[BodyInertia], rows: &Rows, list: &mut Vec<Island>) {
    let number = |body: &u32| bodies[*body as usize].partition;
    let is_mixed = |island: &Island| island.bodies.iter().any(|b| number(b) != number(&island.bodies[0]));
    if !list.iter().any(is_mixed) {
        return;
    }
    let mut clusters = 0;
    for island in std::mem::take(list) {
        if !is_mixed(&island) {
            list.push(island);
            continue;
        }
        clusters += 1;
        let mut parts = BTreeMap::<u16, Island>::new();
        for body in &island.bodies {
            parts.entry(number(body)).or_default().bodies.push(*body);
        }
        for group in &island.groups {
            let range = rows.groups[*group as usize].rows();
            let free = || bodies_of(rows, range.clone()).filter(|b| bodies[*b as usize].free);
            let lowest = free().map(|b| number(&b)).min().unwrap_or(0);
            let part = parts.entry(lowest).or_default();
            part.groups.push(*group);
            part.bodies.extend(free());
        }
        for mut part in parts.into_values() {
            part.bodies.sort_unstable();
            part.bodies.dedup();
            list.push(Island { cluster: clusters, ..part });
        }
    }
}

fn bodies_of(rows: &Rows, range: std::ops::Range<usize>) -> impl DoubleEndedIterator<Item = u32> {
    let start = if range.is_empty() { 0 } else { rows.range(range.start).start };
    let end = if range.is_empty() { 0 } else { rows.range(range.end - 1).end };
    rows.blocks[start..end].iter().map(|b| b.body)
}

/// The root of a body: the lowest body connected to it.
fn find(parent: &mut [u32], mut body: u32) -> u32 {
    while parent[body as usize] != body {
        let up = parent[parent[body as usize] as usize];
        parent[body as usize] = up;
        body = up;
    }
    body
}

fn join(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (find(parent, a), find(parent, b));
    parent[a.max(b) as usize] = a.min(b);
}

/// What determines the grouping: the model, the unbroken joints, the pairs in contact, and their numbers of rows. The
/// bodies in a joint's rows depend on the model alone; a pair of colliders has two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Signature {
    revision: u64,
    cuts: bool,
    groups: Vec<Key>,
    counts: [usize; 3],
}

/// Identity of a group for a layout: a joint, a force, an item of a subsystem with its first and last body, or a pair
/// of bodies with a number of contact rows. A pair's own number is irrelevant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    owner: RowSource,
    bodies: [u32; 2],
    rows: usize,
}

impl Key {
    pub fn of(rows: &Rows, group: &Group) -> Key {
        match group.owner {
            RowSource::Joint(_) | RowSource::Force(_) => Key { owner: group.owner, bodies: [0; 2], rows: 0 },
            RowSource::Subsystem(..) => {
                let bodies = || bodies_of(rows, group.rows());
                let ends = [bodies().next(), bodies().next_back()].map(|body| body.unwrap_or(NONE));
                Key { owner: group.owner, bodies: ends, rows: group.rows().len() }
            }
            RowSource::Pair(_) => {
                let frames = &rows.frames[group.frames()];
                Key {
                    owner: RowSource::Pair(0),
                    bodies: [frames[0].body, frames[1].body],
                    rows: group.rows().len(),
                }
            }
        }
    }
}

impl Signature {
    fn counts(bodies: &[BodyInertia], rows: &Rows) -> [usize; 3] {
        [bodies.len(), rows.rows.len(), rows.blocks.len()]
    }

    fn fits(&self, bodies: &[BodyInertia], rows: &Rows) -> bool {
        self.revision == rows.revision
            && self.counts == Signature::counts(bodies, rows)
            && self.groups.len() == rows.groups.len()
            && self.groups.iter().zip(&rows.groups).all(|(last, group)| *last == Key::of(rows, group))
    }

    fn take(&mut self, bodies: &[BodyInertia], rows: &Rows) {
        (self.revision, self.counts) = (rows.revision, Signature::counts(bodies, rows));
        self.groups.clear();
        self.groups.extend(rows.groups.iter().map(|g| Key::of(rows, g)));
    }
}
