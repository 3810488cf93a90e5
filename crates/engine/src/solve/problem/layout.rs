//! Layout of an island in the sparse system. Depends on its topology alone.
//!
//! Bodies are the primal nodes of the factor; the rows of a joint on the same bodies go, six at a time, into dual nodes
//! of width 1, 3, 5 or 6. The destination of each block of each row is determined once per topology (`places`), so that
//! assembly is one pass over the blocks.

use super::numbering::Numbering;
use super::reuse::refilled;
use crate::row::rows::Rows;
use std::ops::Range;
use windlass_sparse::{EdgeIx, Factor, Half, NodeIx, Pattern};

/// Destination of a block of a row.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) enum Place {
    /// Its body is not dynamic: its motion is known.
    Known,
    /// In the factor: index of the first of its six numbers, their stride, and the first entry of its body.
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

    /// The six numbers of its body in a vector; zeros for a known body.
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
    /// First local row and number of rows.
    pub(super) first: usize,
    pub(super) count: usize,
    /// Where its edges end in [`KktLayout::edges`]; they begin where those of the node before end.
    pub(super) edges: usize,
    /// Destinations of the two blocks of its first row, if all its rows have two, of the same two bodies in the same
    /// order: true for nearly all joints.
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

/// The leading rows of a range that act on the same dynamic bodies. A node may be eliminated with one of its bodies
/// before the others; a row that does not act on that body would then have no mobility and count as redundant.
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

/// Layout of an island.
#[derive(Debug, Default)]
pub struct KktLayout {
    pub(super) duals: Vec<Dual>,
    pub(super) edges: Vec<EdgeIx>,
    places: Vec<Place>,
    /// Where the destinations of each local row begin.
    starts: Vec<usize>,
    /// The entry of each local row in the vector of unknowns.
    pub(super) entries: Vec<usize>,
}

impl KktLayout {
    /// With a factor: up to six rows on the same bodies become a dual node, with an edge to each of their dynamic
    /// bodies.
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
        // contact rows always have some compliance: none is redundant
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

    /// Without a factor: Gauss–Seidel needs only the bodies of each row. Reuses the memory of another layout.
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

    /// Destinations of a local row's blocks.
    pub(in crate::solve) fn places(&self, local: usize) -> &[Place] {
        places_of(&self.places, &self.starts, local)
    }

    /// The same and those of all later rows: faster where the number of blocks is known.
    #[inline]
    pub(super) fn places_from(&self, local: usize) -> &[Place] {
        &self.places[self.starts[local]..]
    }
}

/// Destinations of a local row's blocks.
fn places_of<'a>(places: &'a [Place], starts: &[usize], local: usize) -> &'a [Place] {
    let end = starts.get(local + 1).copied().unwrap_or(places.len());
    &places[starts[local]..end]
}
