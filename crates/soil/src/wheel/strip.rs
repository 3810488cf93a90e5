//! Cells at whole multiples of a spacing along a line, kept while they are under a contact that moves along it.

use std::collections::VecDeque;
use windlass_engine::words::{SnapshotError, WordReader, WordWriter};

/// Largest number of a cell: offsets are still resolved to a millionth of a cell.
const FURTHEST: f64 = (1_u64 << 32) as f64;

/// A window of cells around a contact.
#[derive(Debug, Default, PartialEq)]
pub struct Strip<T> {
    spacing: f64,
    /// Position of the contact along the line [m].
    origin: f64,
    /// Number of the first cell.
    first: i64,
    cells: VecDeque<T>,
}

impl<T: Clone> Clone for Strip<T> {
    fn clone(&self) -> Self {
        let Self { spacing, origin, first, ref cells } = *self;
        Self { spacing, origin, first, cells: cells.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        (self.spacing, self.origin, self.first) = (other.spacing, other.origin, other.first);
        self.cells.clone_from(&other.cells);
    }
}

impl<T> Strip<T> {
    /// Without cells, at the start of the line.
    pub fn new(spacing: f64) -> Self {
        Self { spacing, origin: 0.0, first: 0, cells: VecDeque::new() }
    }

    /// Distance between cells [m].
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// Position of the contact along the line [m].
    pub fn origin(&self) -> f64 {
        self.origin
    }

    /// Moves the contact to a position. Cells within `window` (rear, front) of it are kept or enter, all others leave;
    /// both get the number of the cell. A position that is not finite or too far away to resolve cells changes nothing.
    pub fn move_to(
        &mut self,
        position: f64,
        window: (f64, f64),
        mut enter: impl FnMut(i64) -> T,
        mut leave: impl FnMut(i64, &T),
    ) {
        if !(position.abs() < FURTHEST * self.spacing) {
            return;
        }
        self.origin = position;
        let number = |offset: f64| ((position + offset) / self.spacing).round() as i64;
        let (first, end) = (number(window.0), number(window.1) + 1);
        while self.first < first || self.first + self.cells.len() as i64 > end {
            let at_front = self.first < first;
            let Some(cell) = (if at_front { self.cells.pop_front() } else { self.cells.pop_back() }) else {
                break;
            };
            leave(if at_front { self.first } else { self.first + self.cells.len() as i64 }, &cell);
            self.first += i64::from(at_front);
        }
        if self.cells.is_empty() {
            self.first = first;
        }
        while self.first > first {
            self.first -= 1;
            self.cells.push_front(enter(self.first));
        }
        while self.first + (self.cells.len() as i64) < end {
            self.cells.push_back(enter(self.first + self.cells.len() as i64));
        }
    }

    /// Cells with their offsets from the contact.
    pub fn iter(&self) -> impl Iterator<Item = (f64, &T)> {
        let (first, spacing, origin) = (self.first, self.spacing, self.origin);
        self.cells
            .iter()
            .enumerate()
            .map(move |(i, cell)| ((first + i as i64) as f64 * spacing - origin, cell))
    }

    /// The same, to change them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (f64, &mut T)> {
        let (first, spacing, origin) = (self.first, self.spacing, self.origin);
        self.cells
            .iter_mut()
            .enumerate()
            .map(move |(i, cell)| ((first + i as i64) as f64 * spacing - origin, cell))
    }

    /// The cells on both sides of an offset and where it lies between their middles; the end cell twice beyond it.
    pub fn around(&self, offset: f64) -> Option<(&T, &T, f64)> {
        let last = self.cells.len().checked_sub(1)?;
        let at = ((self.origin + offset) / self.spacing - self.first as f64).clamp(0.0, last as f64);
        let i = at as usize;
        Some((&self.cells[i], &self.cells[(i + 1).min(last)], at - i as f64))
    }

    /// Writes its place and `N` numbers per cell.
    pub(crate) fn write<const N: usize>(&self, out: &mut WordWriter<'_>, numbers: impl Fn(&T) -> [f64; N]) {
        out.numbers(&[self.spacing, self.origin]);
        out.integers(&[self.first.cast_unsigned(), self.cells.len() as u64]);
        out.end();
        self.cells.iter().for_each(|cell| out.numbers(&numbers(cell)));
        out.end();
    }

    /// Reads what `write` wrote.
    pub(crate) fn read<const N: usize>(
        words: &mut WordReader<'_>,
        cell: impl Fn([f64; N]) -> T,
    ) -> Result<Self, SnapshotError> {
        let (spacing, origin) = (words.number()?, words.number()?);
        let bits = words.integer()?;
        let first = bits.cast_signed();
        if first.unsigned_abs() as f64 > 2.0 * FURTHEST {
            return Err(words.damaged(bits));
        }
        let count = words.length(N)?;
        let mut cells = VecDeque::new();
        for _ in 0..count {
            let mut numbers = [0.0; N];
            for number in &mut numbers {
                *number = words.number()?;
            }
            cells.push_back(cell(numbers));
        }
        words.zeros(N * count)?;
        Ok(Self { spacing, origin, first, cells })
    }

    /// Length of the part of a cell at an offset that lies in an interval, and the middle of that part [m].
    pub fn covered(&self, offset: f64, interval: (f64, f64)) -> (f64, f64) {
        let low = (offset - 0.5 * self.spacing).max(interval.0);
        let high = (offset + 0.5 * self.spacing).min(interval.1);
        ((high - low).max(0.0), 0.5 * (low + high))
    }
}
