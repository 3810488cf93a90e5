//! Where the numbers of an island go in the sparse system. Depends on its topology alone.
//!
//! Bodies are the primal nodes of the factor; the rows of a joint on the same bodies go, six at a time, into dual nodes of
//! width 1, 3, 5 or 6. Which block of which row goes where is found once per topology (`places`), so assembling is one
//! pass over the blocks.

use super::numbering::Numbering;
use super::reuse::refilled;
use crate::row::rows::Rows;
use std::ops::Range;
use windlass_sparse::{EdgeIx, Factor, Half, NodeIx, Pattern};

/// Where a block of a row belongs.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) enum Place {
    /// Its body is not free: what it does is known.
    Known,
    /// In the factor: where the first of its six numbers goes, how far apart they are, the first entry of its body.
    Unknown { first: u32, stride: u32, body: u32 },
}

impl Place {
    /// The first entry of its body, if that is unknown.
    pub(in crate::solve) fn body(self) -> Option<usize> {
        match self {
            Place::Known => None,
            Place::Unknown { body, .. } => Some(body as usize),
        }
    }

    /// The six numbers of its body in a vector; nothing of a known one.
    #[inline]
    pub(super) fn of(self, x: &[f64]) -> [f64; 6] {
        self.body().and_then(|body| x[body..].first_chunk().copied()).unwrap_or_default()
    }
}

/// A dual node: some rows of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dual {
    pub(super) node: NodeIx,
    pub(super) width: usize,
    /// First local row and how many.
    pub(super) first: usize,
    pub(super) count: usize,
    /// Where its edges end in [`KktLayout::edges`]; they begin where the last node's ended.
    pub(super) edges: usize,
    /// Where the two blocks of its first row belong, if all its rows have two, of the same two bodies in the same order:
    /// nearly all joints'.
    pub(super) ends: Option<[Place; 2]>,
    /// Whether it closes a loop.
    pub(super) loops: bool,
}

fn width_for(count: usize) -> usize {
    match count {
        1 => 1,
        2 | 3 => 3,
        4 | 5 => 5,
        _ => 6,
    }
}

/// The first of some rows that act on the same free bodies. A node may be eliminated with one of its bodies while the others are
/// still to come; a row that does not act on that one would have no mobility then and count as redundant.
fn alike(rows: &Rows, bodies: &[u32], range: Range<usize>) -> Range<usize> {
    let all = |row: usize| rows.blocks(row).iter().map(|block| block.body);
    let free = |row: usize| all(row).filter(|body| bodies.binary_search(body).is_ok());
    let within = |a: usize, b: usize| free(a).all(|body| free(b).any(|other| other == body));
    // the rows of most joints have the same blocks
    let same = |a: usize, b: usize| all(a).eq(all(b)) || (within(a, b) && within(b, a));
    let first = range.start;
    let other = (first + 1..range.end).find(|row| !same(first, *row));
    first..other.unwrap_or(range.end)
}

/// Where an island's numbers go.
#[derive(Debug, Default)]
pub struct KktLayout {
    pub(super) duals: Vec<Dual>,
    pub(super) edges: Vec<EdgeIx>,
    places: Vec<Place>,
    /// Where each local row's places begin.
    starts: Vec<usize>,
    /// Where each local row's entry is in the vector of unknowns.
    pub(super) entries: Vec<usize>,
}

impl KktLayout {
    /// Into a factor: up to six rows on the same bodies become a dual node, with an edge to each of their free bodies.
    pub(super) fn new(numbering: &Numbering, rows: &Rows) -> (KktLayout, Factor) {
        let Numbering { bodies, groups, first_contact, .. } = numbering;
        let mut pattern = Pattern::default();
        for _ in bodies {
            pattern.node(Half::Primal, 6);
        }
        let (mut duals, mut all_edges, mut count) = (Vec::new(), Vec::new(), 0);
        let (mut found, mut starts) = (Vec::new(), Vec::new());
        for group in groups.iter().map(|g| &rows.groups[*g as usize]) {
            let mut start = group.rows().start;
            while start < group.rows().end {
                let chunk = alike(rows, bodies, start..group.rows().end.min(start + 6));
                start = chunk.end;
                let width = width_for(chunk.len());
                let node = pattern.node(Half::Dual, width);
                let mut edges: Vec<(u32, EdgeIx)> = Vec::new();
                for (row, index) in chunk.clone().enumerate() {
                    starts.push(found.len());
                    for block in rows.blocks(index) {
                        let Ok(body) = bodies.binary_search(&block.body) else {
                            found.push(None);
                            continue;
                        };
                        let known = edges.iter().find(|(b, _)| *b == block.body).map(|(_, e)| *e);
                        let edge = known.unwrap_or_else(|| {
                            let edge = pattern.edge(node, NodeIx(body as u32));
                            edges.push((block.body, edge));
                            edge
                        });
                        found.push(Some((edge, row, 6 * body as u32)));
                    }
                }
                all_edges.extend(edges.iter().map(|(_, edge)| *edge));
                let (first, edges) = (count, all_edges.len());
                duals.push(Dual { node, width, first, count: chunk.len(), edges, ends: None, loops: false });
                count += chunk.len();
            }
        }
        let mut factor = Factor::new(&pattern);
        // rows of contacts always give a little: none depends on others
        let first_touching = duals.iter().find(|d| d.first >= *first_contact).map(|d| d.node);
        factor.trust(|node| first_touching.is_some_and(|first| node >= first));
        let place = |place: Option<(EdgeIx, usize, u32)>| match place {
            None => Place::Known,
            Some((edge, row, body)) => {
                let [first, second] = [0, 1].map(|column| factor.element(edge, row, column) as u32);
                Place::Unknown { first, stride: second - first, body }
            }
        };
        let places: Vec<Place> = found.into_iter().map(place).collect();
        for dual in &mut duals {
            dual.loops = factor.closes_loop(dual.node);
            let blocks_of = |row: usize| places_of(&places, &starts, dual.first + row);
            let bodies_of = |row: usize| blocks_of(row).iter().map(|place| place.body());
            if let [a, b] = *blocks_of(0)
                && a.body() != b.body()
                && (0..dual.count).all(|row| bodies_of(row).eq([a.body(), b.body()]))
            {
                dual.ends = Some([a, b]);
            }
        }
        let entries =
            duals.iter().flat_map(|d| (0..d.count).map(|row| factor.offset(d.node) + row)).collect();
        (KktLayout { duals, edges: all_edges, places, starts, entries }, factor)
    }

    /// Without a factor: Gauss–Seidel needs the bodies of each row and no more. Uses the memory of another.
    pub(super) fn flat(numbering: &Numbering, rows: &Rows, old: KktLayout) -> KktLayout {
        let Numbering { bodies, groups, .. } = numbering;
        let (mut places, mut starts) = (refilled(old.places, 0, Place::Known), refilled(old.starts, 0, 0));
        let place = |body: u32| match bodies.binary_search(&body) {
            Ok(body) => Place::Unknown { first: 0, stride: 0, body: 6 * body as u32 },
            Err(_) => Place::Known,
        };
        for group in groups.iter().map(|g| &rows.groups[*g as usize]) {
            // the rows of a contact have the same two bodies
            let both = group.pair().map(|_| {
                let blocks = rows.blocks(group.rows().start);
                [place(blocks[0].body), place(blocks[1].body)]
            });
            for index in group.rows() {
                starts.push(places.len());
                match both {
                    Some(both) => places.extend(both),
                    None => places.extend(rows.blocks(index).iter().map(|block| place(block.body))),
                }
            }
        }
        KktLayout { places, starts, ..KktLayout::default() }
    }

    /// Where a local row's blocks belong.
    pub(in crate::solve) fn places(&self, local: usize) -> &[Place] {
        places_of(&self.places, &self.starts, local)
    }

    /// The same and those of all rows after it: shorter, where blocks say how many there are.
    #[inline]
    pub(super) fn places_from(&self, local: usize) -> &[Place] {
        &self.places[self.starts[local]..]
    }
}

/// Where a local row's blocks belong.
fn places_of<'a>(places: &'a [Place], starts: &[usize], local: usize) -> &'a [Place] {
    let end = starts.get(local + 1).copied().unwrap_or(places.len());
    &places[starts[local]..end]
}
