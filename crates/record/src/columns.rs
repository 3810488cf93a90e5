//! Rows of integers ⇄ few bytes: second differences, split into byte planes, compressed.
//!
//! Smooth motion has small second differences: at 240 Hz an acceleration of 10 m/s² is 17 units of 10 µm. Each column
//! gets as many bytes as its largest residual needs. Planes are compressed separately, because the low bytes are noise
//! and the high ones nearly all zero. The layout is in `format.rs`.

use crate::bytes::LARGEST;
use crate::bytes::{Packer, Parsed, Take, put_varint};
use std::ops::Range;

/// Rows to be written.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    width: usize,
    rows: usize,
    /// The previous row, and its difference from the one before it.
    last: Vec<i64>,
    change: Vec<i64>,
    /// Row by row.
    residuals: Vec<u64>,
    /// All bits that occur in a column's residuals from row 2 on.
    reach: Vec<u64>,
    // work space
    plane: Vec<u8>,
}

impl Columns {
    /// Removes all rows; the next ones have another width.
    pub fn restart(&mut self, width: usize) {
        (self.width, self.rows) = (width, 0);
        self.residuals.clear();
        for list in [&mut self.last, &mut self.change] {
            list.clear();
            list.resize(width, 0);
        }
        self.reach.clear();
        self.reach.resize(width, 0);
    }

    /// Appends a row of `width` numbers.
    pub fn push(&mut self, row: &[i64]) {
        debug_assert_eq!(row.len(), self.width);
        let counts = if self.rows >= 2 { u64::MAX } else { 0 };
        let start = self.residuals.len();
        self.residuals.resize(start + self.width, 0);
        let before = self.last.iter_mut().zip(&mut self.change);
        let here = self.residuals[start..].iter_mut().zip(&mut self.reach);
        for ((v, (last, change)), (residual, reach)) in row.iter().zip(before).zip(here) {
            let first = v.wrapping_sub(*last);
            let second = first.wrapping_sub(*change);
            (*last, *change) = (*v, first);
            *residual = ((second << 1) ^ (second >> 63)) as u64;
            *reach |= *residual & counts;
        }
        // the first value is not a difference
        if self.rows == 0 {
            self.change.fill(0);
        }
        self.rows += 1;
    }

    /// Memory the rows take.
    pub fn size(&self) -> usize {
        8 * self.residuals.len()
    }

    /// Writes all rows.
    pub fn write(&mut self, out: &mut Vec<u8>, packer: &mut Packer) -> std::io::Result<()> {
        let bytes_of = |bits: u64| 8 - bits.leading_zeros() as usize / 8;
        let sizes: Vec<u8> = self.reach.iter().map(|bits| bytes_of(*bits) as u8).collect();
        let planes = sizes.iter().copied().max().unwrap_or(0);
        out.push(planes);
        let heads = self.residuals.len().min(2 * self.width);
        self.plane.clear();
        self.plane.extend_from_slice(&sizes);
        self.residuals[..heads].iter().for_each(|r| put_varint(&mut self.plane, *r));
        packer.put(out, &self.plane)?;
        for j in 0..planes {
            let used = runs(&sizes, j);
            self.plane.clear();
            for row in self.residuals[heads..].chunks_exact(self.width) {
                for run in &used {
                    self.plane.extend(row[run.clone()].iter().map(|residual| (residual >> (8 * j)) as u8));
                }
            }
            packer.put(out, &self.plane)?;
        }
        Ok(())
    }
}

/// The columns of a plane, as runs of neighbours.
fn runs(sizes: &[u8], plane: u8) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for c in (0..sizes.len()).filter(|c| sizes[*c] > plane) {
        match runs.last_mut() {
            Some(run) if run.end == c => run.end = c + 1,
            _ => runs.push(c..c + 1),
        }
    }
    runs
}

/// Whether rows × width numbers may be held in memory.
pub(crate) fn fits(rows: usize, width: usize) -> bool {
    rows.checked_mul(width).is_some_and(|n| n <= LARGEST / 8)
}

/// Reads rows, row by row.
pub(crate) fn read(take: &mut Take<'_>, rows: usize, width: usize) -> Parsed<Vec<i64>> {
    if !fits(rows, width) {
        return take.bad(format!("{rows} rows of {width} numbers are declared"));
    }
    let planes = take.u8()?;
    let part = take.part()?;
    if part.len() < width {
        return take.bad(format!("{width} columns are declared"));
    }
    let heads = part.unpack()?;
    let mut head = Take::new(&heads);
    let sizes = head.bytes(width)?;
    if planes != sizes.iter().copied().max().unwrap_or(0) || planes > 8 {
        return take.bad("the planes do not match the columns");
    }
    let mut numbers = vec![0; rows * width];
    for place in numbers.iter_mut().take(2 * width) {
        *place = head.varint()?;
    }
    head.end()?;
    for j in 0..planes {
        let used = runs(sizes, j);
        let part = take.part()?;
        if part.len() != used.iter().map(Range::len).sum::<usize>() * rows.saturating_sub(2) {
            return take.bad("a plane has the wrong length");
        }
        let plane = part.unpack()?;
        let mut bytes = plane.iter();
        for row in numbers.chunks_exact_mut(width).skip(2) {
            for run in &used {
                for (residual, byte) in row[run.clone()].iter_mut().zip(&mut bytes) {
                    *residual |= u64::from(*byte) << (8 * j);
                }
            }
        }
    }
    let mut values: Vec<i64> = numbers.into_iter().map(|r| (r >> 1) as i64 ^ -((r & 1) as i64)).collect();
    add_up(&mut values, rows, width);
    Ok(values)
}

/// Second differences → values, in place.
fn add_up(values: &mut [i64], rows: usize, width: usize) {
    for i in width..rows * width {
        let before = values[i - width];
        let guess =
            if i < 2 * width { before } else { before.wrapping_mul(2).wrapping_sub(values[i - 2 * width]) };
        values[i] = values[i].wrapping_add(guess);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_rows_come_back() {
        let mut packer = Packer::new().unwrap();
        let mut columns = Columns::default();
        let extremes = [0, 1, -1, i64::MAX, i64::MIN, 1 << 40, -12345];
        for width in [0, 1, 3, 7] {
            for rows in 1..40 {
                columns.restart(width);
                let value = |k: usize| extremes[(k * k + k / 5) % 7].wrapping_add(k as i64);
                let all: Vec<i64> = (0..rows * width).map(value).collect();
                for row in 0..rows {
                    columns.push(&all[row * width..(row + 1) * width]);
                }
                let mut bytes = Vec::new();
                columns.write(&mut bytes, &mut packer).unwrap();
                let mut take = Take::new(&bytes);
                assert_eq!(read(&mut take, rows, width).unwrap(), all, "{rows} × {width}");
                take.end().unwrap();
            }
        }
    }

    #[test]
    fn a_straight_line_takes_no_planes() {
        let mut columns = Columns::default();
        columns.restart(2);
        (0..100).for_each(|k| columns.push(&[3 * k, -k]));
        let mut bytes = Vec::new();
        columns.write(&mut bytes, &mut Packer::new().unwrap()).unwrap();
        assert_eq!(bytes[0], 0);
        assert!(bytes.len() < 30, "{} bytes", bytes.len());
    }
}
