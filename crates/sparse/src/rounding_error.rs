//! Round-off error of a doubtful pivot.
//!
//! Where a loop closes over long lever arms, a dependent row's mobility m = zᵀ A z, z = L⁻ᵀ e_r, is the difference of
//! terms far larger than the row's own mobility: a ring of 1000 links of 0.5 m leaves 10⁻⁸ of it. Backward error
//! analysis of L D Lᵀ bounds the error in m by
//!
//! ```text
//!     u · |z|ᵀ |L| |D| |Lᵀ| |z|  =  u · Σ_k |D_k| (Σ_p |L_pk| |z_p|)²
//! ```
//!
//! with u the unit roundoff, k running over the columns before the row's own node. The sum costs one backward pass, so
//! it is computed only for pivots that are neither clearly independent nor clearly dependent. z vanishes outside the
//! columns that have been eliminated into the row, usually few: the others are skipped. (A parked truck of eight wheels
//! has some thirty such pivots in every step, where brakes and tyres hold the same wheels.)

use crate::kernel::{self, block, block_mut};
use crate::numeric::Numeric;
use crate::pivot::Floor;
use crate::symbolic::{Column, Row, Symbolic};

/// A mobility of this fraction of the sum is noise: twice the unit roundoff. Round-off errors are random, so that rings
/// of 20 to 6000 links leave 0.04 of it at most, while regular rows in doubt (MB03 near its singular pose) have 10⁴ and
/// more.
const ROUNDING: f64 = f64::EPSILON;

/// Upper bound of the fraction that round-off leaves, with a margin: a softness above it is not noise.
const LEFT: f64 = 1.0 / 16.0;

/// A_kk → L_kk in place for the dual column at `at`, some of whose rows are in doubt; returns D_k⁻¹, zero where a row
/// is dependent.
#[cold]
#[inline(never)]
pub(crate) fn factor<const K: usize>(
    symbolic: &Symbolic,
    at: usize,
    numeric: &mut Numeric,
    scale: &[f64; K],
) -> [f64; K] {
    let floors = floors(symbolic, at, numeric, scale);
    let place = symbolic.columns[at].values.0 as usize;
    kernel::ldlt(block_mut(&mut numeric.values[place..]), |r, d| floors[r].invert_dual(d))
}

/// For each row of the dual column at `at`, whose block is not yet factored: the mobility up to which it is noise, and
/// the mobility from its own softness, if this exceeds noise.
fn floors<const K: usize>(
    symbolic: &Symbolic,
    at: usize,
    numeric: &mut Numeric,
    scale: &[f64; K],
) -> [Floor; K] {
    let column = &symbolic.columns[at];
    let tolerance = numeric.tolerance;
    let mut floors = scale.map(|s| Floor::at(tolerance.drop * s));
    for row in 0..K {
        // the thresholds of the rows before are known, and with them their part of L
        let mut l = *block::<K, K>(&numeric.values[column.values.0 as usize..]);
        let mut mobility = 0.0;
        kernel::ldlt(&mut l, |r, d| {
            if r == row {
                mobility = -d;
            }
            floors[r].invert_dual(d)
        });
        let softness = numeric.softness[column.entry as usize + row];
        if tolerance.doubts(mobility, scale[row], softness) {
            let enough = mobility.max(softness / LEFT) / ROUNDING;
            let noise = ROUNDING * noise(symbolic, at, numeric, (&l, row), enough);
            floors[row] = match softness > LEFT * noise {
                true => Floor { least: softness, noise: 0.0 },
                false => Floor::at(floors[row].noise.max(noise)),
            };
        }
    }
    floors
}

/// Σ_k |D_k| (Σ_p |L_pk| |z_p|)² over the columns before `at`, for z = L⁻ᵀ e of a row of that column's factored block
/// l; or a lower bound of it that is `enough`.
fn noise<const K: usize>(
    symbolic: &Symbolic,
    at: usize,
    numeric: &mut Numeric,
    (l, row): (&kernel::Block<K, K>, usize),
    enough: f64,
) -> f64 {
    let Numeric { values, inverse, combination: z, .. } = numeric;
    z.fill(0.0);
    let own = &mut z[symbolic.columns[at].entry as usize..][..K];
    own[row] = 1.0;
    for r in (1..=row).rev() {
        for c in 0..r {
            own[c] -= l[c][r] * own[r];
        }
    }
    let mut sum = 0.0;
    for column in symbolic.columns[..at].iter().rev() {
        sum += combine(symbolic, column, values, inverse, z);
        if sum > enough {
            break;
        }
    }
    sum
}

/// z_k = −L_kk⁻ᵀ Σ_p L_pkᵀ z_p, and the column's term of the sum.
fn combine(symbolic: &Symbolic, column: &Column, values: &[f64], inverse: &[f64], z: &mut [f64]) -> f64 {
    let rows = &symbolic.rows[column.rows.0 as usize..column.rows.1 as usize];
    let is_zero = |row: &Row| z[row.entry as usize..][..row.width as usize].iter().all(|x| *x == 0.0);
    if rows.iter().all(is_zero) {
        return 0.0;
    }
    let width = column.width as usize;
    let (entry, mut place) = (column.entry as usize, column.values.0 as usize + width * width);
    let (mut y, mut size) = ([0.0; 6], [0.0; 6]);
    for row in rows {
        let height = row.width as usize;
        let x = &z[row.entry as usize..][..height];
        for c in 0..width {
            for r in 0..height {
                let term = values[place + c * height + r] * x[r];
                y[c] -= term;
                size[c] += term.abs();
            }
        }
        place += height * width;
    }
    let l = &values[column.values.0 as usize..][..width * width];
    for r in (0..width).rev() {
        for c in 0..r {
            let term = l[c * width + r] * y[r];
            y[c] -= term;
            size[c] += term.abs();
        }
    }
    z[entry..entry + width].copy_from_slice(&y[..width]);
    let mut sum = 0.0;
    for c in 0..width {
        // a dropped pivot has no D
        if inverse[entry + c] != 0.0 {
            let whole = size[c] + y[c].abs();
            sum += whole * whole / inverse[entry + c].abs();
        }
    }
    sum
}
