//! Rows → islands: groups of free bodies that no row connects to another group.
//!
//! Fixed and driven bodies do not connect. Islands are numbered by their lowest body and rows keep their order
//! inside an island, so the numbering depends on nothing but the model. Rebuilt only when rows change bodies.
//! Reads Rows, writes Islands.

use crate::constrain::rows::Rows;
use crate::force::free::Inertial;

/// One group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Island {
    /// Places of its bodies, ascending.
    pub bodies: Vec<u32>,
    /// Indices of its groups of rows, ascending.
    pub groups: Vec<u32>,
}

/// All groups. Written by `partition`.
#[derive(Clone, Debug, Default)]
pub struct Islands {
    /// In the order of their lowest body. Groups of rows that touch no free body are in none.
    pub list: Vec<Island>,
    /// Counts rebuilds, so that what is derived from islands knows when to be rebuilt.
    pub revision: u64,
    signature: Vec<u32>,
    parent: Vec<u32>,
}

/// Not an island.
const NONE: u32 = u32::MAX;

/// Groups the bodies; does nothing if the rows touch the same bodies as last time.
pub fn partition(bodies: &[Inertial], rows: &Rows, out: &mut Islands) {
    if out.is_current(bodies, rows) {
        return;
    }
    out.sign(bodies, rows);
    out.revision += 1;

    // join the free bodies of each joint
    out.parent.clear();
    out.parent.extend(0..bodies.len() as u32);
    for group in &rows.groups {
        let mut first = None;
        for body in bodies_of(rows, group.rows.clone()).filter(|b| bodies[*b as usize].free) {
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
        let body = bodies_of(rows, group.rows.clone()).find(|b| bodies[*b as usize].free);
        if let Some(body) = body {
            out.list[island_of[body as usize] as usize].groups.push(index as u32);
        }
    }
}

fn bodies_of(rows: &Rows, range: std::ops::Range<usize>) -> impl Iterator<Item = u32> {
    let start = if range.is_empty() { 0 } else { rows.range(range.start).start };
    let end = if range.is_empty() { 0 } else { rows.range(range.end - 1).end };
    rows.blocks[start..end].iter().map(|b| b.body)
}

/// The root of a body: the lowest body joined with it.
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

impl Islands {
    /// The numbers that decide the grouping: which bodies are free, rows per group, bodies per row.
    fn signs<'a>(bodies: &'a [Inertial], rows: &'a Rows) -> impl Iterator<Item = u32> + 'a {
        let free = bodies.iter().map(|b| b.free as u32);
        let groups = rows.groups.iter().flat_map(|g| [g.joint, g.rows.len() as u32]);
        free.chain(groups).chain(rows.ends.iter().copied()).chain(rows.blocks.iter().map(|b| b.body))
    }

    fn is_current(&self, bodies: &[Inertial], rows: &Rows) -> bool {
        let count = bodies.len() + 2 * rows.groups.len() + rows.ends.len() + rows.blocks.len();
        self.revision > 0
            && self.signature.len() == count
            && Self::signs(bodies, rows).zip(&self.signature).all(|(a, b)| a == *b)
    }

    fn sign(&mut self, bodies: &[Inertial], rows: &Rows) {
        self.signature.clear();
        self.signature.extend(Self::signs(bodies, rows));
    }
}
