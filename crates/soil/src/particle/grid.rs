//! Cells: particles sorted by cell and number, their slabs, and the pairs of neighbouring cells.
//!
//! The key of a cell has its indices along x, y and z in this order. The upper half of a cell's neighbours then forms
//! five runs of the sorted list, whose beginnings move forward with the cell.
//!
//! A slab is three cells wide along x. A pair belongs to the slab of its lower cell, so it touches that slab and the
//! first column of the next one only: every second slab can be swept at the same time, and the order does not depend
//! on who does.

use glam::DVec3;
use std::ops::Range;

/// Bits of a cell's index along one axis.
const BITS: u32 = 21;

/// Middle of the range of indices.
const MIDDLE: i64 = 1 << (BITS - 1);

/// Cells per slab along x.
const WIDTH: u64 = 3;

/// The key of a cell, and the index of a particle in it.
pub(super) type Entry = (u64, u32);

/// The key of the cell of a point. Points beyond a million cells from the origin share the outermost ones.
pub(super) fn key(point: DVec3, per_cell: f64) -> u64 {
    let index = |x: f64| {
        let limit = (MIDDLE - 2) as f64;
        (libm::floor(x * per_cell).clamp(-limit, limit) as i64 + MIDDLE) as u64
    };
    index(point.x) << (2 * BITS) | index(point.y) << BITS | index(point.z)
}

/// The part of the sorted list in a slab, and the contacts that belong to it.
#[derive(Clone, Debug, Default)]
pub(super) struct Slab {
    /// Number along x.
    pub number: u64,
    /// Particles.
    pub own: Range<usize>,
    /// End of the first column of the next slab: the particles that its pairs touch are `own.start..reach`.
    pub reach: usize,
    /// Pairs, in fours.
    pub quads: Range<usize>,
    /// Contacts with walls.
    pub walls: Range<usize>,
}

/// Fills `slabs` from the sorted list, without contacts.
pub(super) fn slabs(order: &[Entry], slabs: &mut Vec<Slab>) {
    slabs.clear();
    let column = |entry: &Entry| entry.0 >> (2 * BITS);
    let mut at = 0;
    while at < order.len() {
        let number = column(&order[at]) / WIDTH;
        let end = at + order[at..].partition_point(|entry| column(entry) / WIDTH == number);
        let first = at + order[at..end].partition_point(|entry| column(entry) == number * WIDTH);
        if let Some(last) = slabs.last_mut().filter(|last| last.number + 1 == number) {
            last.reach = first;
        }
        slabs.push(Slab { number, own: at..end, reach: end, ..Slab::default() });
        at = end;
    }
}

/// Offsets of the runs above a cell, apart from its own: rows along z.
const ROWS: [(i64, i64); 4] = [(0, 1), (1, -1), (1, 0), (1, 1)];

/// Beginnings of the four runs above the cells of a particle that moves up the list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Runs([usize; 4]);

impl Runs {
    /// Calls `found` with the positions of all particles after `at` in its cell and in the upper half of the
    /// neighbouring cells. `at` must not decrease between calls.
    #[inline(always)]
    pub fn above(&mut self, order: &[Entry], at: usize, mut found: impl FnMut(usize)) {
        let key = order[at].0;
        let mut next = at + 1;
        while next < order.len() && order[next].0 <= key + 1 {
            found(next);
            next += 1;
        }
        for (start, (dx, dy)) in self.0.iter_mut().zip(ROWS) {
            let middle = key.wrapping_add_signed((dx << (2 * BITS)) + (dy << BITS));
            *start = (*start).max(at);
            while *start < order.len() && order[*start].0 < middle - 1 {
                *start += 1;
            }
            let mut next = *start;
            while next < order.len() && order[next].0 <= middle + 1 {
                found(next);
                next += 1;
            }
        }
    }
}
