//! Passes over the columns of L: values of A → L and D⁻¹; b → L⁻¹ b; y → L⁻ᵀ D⁻¹ y.
//!
//! Right-looking: when column k is reached all updates to it have been made. Its rows p are scaled one after
//! another, and each immediately updates the blocks (p, q), q ≤ p, so that W_p is not kept beyond its column.

use crate::kernel::{self, Block, block, block_mut, vector, vector_mut};
use crate::numeric::Numeric;
use crate::pattern::Half;
use crate::pivot::{Dropped, Outcome, Tolerance, invert_dual, invert_primal};
use crate::rounding_error;
use crate::symbolic::{Column, Row, Stretch, Symbolic};

/// Resets the last factorisation.
pub(crate) fn begin(symbolic: &Symbolic, numeric: &mut Numeric) {
    // without loops no mobility is ever taken
    if symbolic.loops.contains(&true) {
        numeric.taken.fill(0.0);
    }
    numeric.dropped.clear();
    numeric.outcome = Outcome::default();
}

/// Factors a stretch of A = L D Lᵀ in place. With `CARRY` a right-hand side b becomes L⁻¹ b in the same pass, which
/// saves one pass over L.
#[inline(always)]
pub(crate) fn factor<const CARRY: bool>(
    symbolic: &Symbolic,
    stretch: &Stretch,
    numeric: &mut Numeric,
    x: &mut [f64],
) {
    let mut targets = &symbolic.targets[stretch.targets as usize..];
    for at in stretch.columns.0 as usize..stretch.columns.1 as usize {
        let column = &symbolic.columns[at];
        let rows = column.rows(symbolic);
        let (own, rest) = targets.split_at(rows.len() * (rows.len() + 1) / 2);
        targets = rest;
        match column.width {
            1 => eliminate::<1, CARRY>(symbolic, at, own, numeric, x),
            3 => eliminate::<3, CARRY>(symbolic, at, own, numeric, x),
            5 => eliminate::<5, CARRY>(symbolic, at, own, numeric, x),
            _ => eliminate::<6, CARRY>(symbolic, at, own, numeric, x),
        }
    }
}

/// Factors the column at `at` and applies all its updates.
#[inline(always)]
fn eliminate<const K: usize, const CARRY: bool>(
    symbolic: &Symbolic,
    at: usize,
    mut targets: &[u32],
    numeric: &mut Numeric,
    x: &mut [f64],
) {
    let column = &symbolic.columns[at];
    let rows = column.rows(symbolic);
    let inverse = match column.part {
        Half::Primal => primal_pivots::<K>(column, numeric),
        Half::Dual => dual_pivots::<K>(symbolic, at, numeric),
    };
    *vector_mut(&mut numeric.inverse[column.entry as usize..]) = inverse;
    let (done, active) = numeric.values.split_at_mut(column.values.1 as usize);
    let (diagonal, below) = done[column.values.0 as usize..].split_at_mut(K * K);
    let pivot = Pivot { l: block(diagonal), inverse: &inverse, part: column.part, end: column.values.1 };
    let mut y = [0.0; K];
    if CARRY {
        let own: &mut [f64; K] = vector_mut(&mut x[column.entry as usize..]);
        kernel::lower_solve(pivot.l, own);
        y = *own;
    }

    let mut at = 0;
    for (p, row) in rows.iter().enumerate() {
        let (own, rest) = targets.split_at(p + 1);
        targets = rest;
        let (before, here) = below.split_at_mut(at);
        let mut turn =
            Turn { row, before, rows: &rows[..p], targets: own, active, taken: &mut numeric.taken };
        match row.width {
            1 => turn.update::<1, K>(&pivot, here),
            3 => turn.update::<3, K>(&pivot, here),
            5 => turn.update::<5, K>(&pivot, here),
            _ => turn.update::<6, K>(&pivot, here),
        }
        if CARRY {
            subtract(row, here, &y, x);
        }
        at += row.width as usize * K;
    }
}

/// A_kk → L_kk in place; returns D_k⁻¹, zero where H is not positive definite.
#[inline(always)]
fn primal_pivots<const K: usize>(column: &Column, numeric: &mut Numeric) -> [f64; K] {
    let a = block_mut(&mut numeric.values[column.values.0 as usize..]);
    let inverse = kernel::ldlt(a, |_, d| invert_primal(d));
    // counted here, so that the loop over pivots is short enough to be unrolled
    numeric.outcome.lost_primal += inverse.iter().filter(|i| **i == 0.0).count();
    inverse
}

/// A_kk → L_kk in place; returns D_k⁻¹, zero where a row is dependent.
#[inline(always)]
fn dual_pivots<const K: usize>(symbolic: &Symbolic, at: usize, numeric: &mut Numeric) -> [f64; K] {
    let column = &symbolic.columns[at];
    let place = column.values.0 as usize;
    let a: Block<K, K> = *block(&numeric.values[place..]);
    // Mobility of each row before other constraints, of this node or another, took their share.
    let mut scale: [f64; K] = *vector(&numeric.taken[column.entry as usize..]);
    let lonely = scale == [0.0; K];
    for r in 0..K {
        scale[r] -= a[r][r];
    }
    let tolerance = if lonely { Tolerance::WITHIN_NODE } else { numeric.tolerance };
    let floors = scale.map(|s| if column.sure { 0.0 } else { tolerance.drop * s });
    let inverse = if lonely || column.sure {
        kernel::ldlt(block_mut(&mut numeric.values[place..]), |r, d| invert_dual(d, floors[r]))
    } else {
        let (mut doubt, mut trial) = (false, a);
        let soft: &[f64; K] = vector(&numeric.softness[column.entry as usize..]);
        let inverse = kernel::ldlt(&mut trial, |r, d| {
            doubt |= tolerance.doubts(-d, scale[r], soft[r]);
            invert_dual(d, floors[r])
        });
        if doubt {
            rounding_error::factor(symbolic, at, numeric, &scale)
        } else {
            *block_mut(&mut numeric.values[place..]) = trial;
            inverse
        }
    };
    for row in (0..K).filter(|r| inverse[*r] == 0.0) {
        numeric.dropped.push(Dropped { node: column.node, row });
    }
    inverse
}

/// The eliminated diagonal block.
struct Pivot<'a, const K: usize> {
    l: &'a Block<K, K>,
    inverse: &'a [f64; K],
    part: Half,
    /// Index at which the column ends and the active values begin.
    end: u32,
}

/// One row of the column, with its updates.
struct Turn<'a> {
    row: &'a Row,
    /// The column's blocks above this one, already L, and their rows.
    before: &'a [f64],
    rows: &'a [Row],
    targets: &'a [u32],
    active: &'a mut [f64],
    taken: &'a mut [f64],
}

impl Turn<'_> {
    /// `here` holds A_pk and becomes L_pk; A_pq −= W_p L_qkᵀ for q ≤ p.
    #[inline(always)]
    fn update<const P: usize, const K: usize>(&mut self, pivot: &Pivot<'_, K>, here: &mut [f64]) {
        let a: &mut Block<P, K> = block_mut(here);
        let w = kernel::times_inverse_transpose(a, pivot.l);
        let l = kernel::scale_columns(&w, pivot.inverse);
        *a = l;

        let mut at = 0;
        for (q, &target) in self.rows.iter().zip(self.targets) {
            let active = &mut self.active[(target - pivot.end) as usize..];
            let l = &self.before[at..];
            match q.width {
                1 => kernel::subtract_product::<P, 1, K>(block_mut(active), &w, block(l)),
                3 => kernel::subtract_product::<P, 3, K>(block_mut(active), &w, block(l)),
                5 => kernel::subtract_product::<P, 5, K>(block_mut(active), &w, block(l)),
                _ => kernel::subtract_product::<P, 6, K>(block_mut(active), &w, block(l)),
            }
            at += q.width as usize * K;
        }

        let target = self.targets[self.rows.len()] - pivot.end;
        kernel::subtract_product::<P, P, K>(block_mut(&mut self.active[target as usize..]), &w, &l);
        if pivot.part == Half::Dual && self.row.part == Half::Dual {
            let taken: &mut [f64; P] = vector_mut(&mut self.taken[self.row.entry as usize..]);
            for c in 0..K {
                for r in 0..P {
                    taken[r] -= w[c][r] * l[c][r];
                }
            }
        }
    }
}

/// x ← A⁻¹ x.
#[inline(always)]
pub(crate) fn solve(symbolic: &Symbolic, numeric: &Numeric, x: &mut [f64]) {
    for column in &symbolic.columns {
        let (values, rows) = (column.values(numeric), column.rows(symbolic));
        match column.width {
            1 => forward::<1>(column, values, rows, x),
            3 => forward::<3>(column, values, rows, x),
            5 => forward::<5>(column, values, rows, x),
            _ => forward::<6>(column, values, rows, x),
        }
    }
    back(symbolic, numeric, x);
}

/// x ← L⁻ᵀ D⁻¹ x.
#[inline(always)]
pub(crate) fn back(symbolic: &Symbolic, numeric: &Numeric, x: &mut [f64]) {
    for column in symbolic.columns.iter().rev() {
        let (values, rows) = (column.values(numeric), column.rows(symbolic));
        let inverse = &numeric.inverse[column.entry as usize..];
        match column.width {
            1 => backward::<1>(column, values, rows, vector(inverse), x),
            3 => backward::<3>(column, values, rows, vector(inverse), x),
            5 => backward::<5>(column, values, rows, vector(inverse), x),
            _ => backward::<6>(column, values, rows, vector(inverse), x),
        }
    }
}

/// x_k ← L_kk⁻¹ x_k, then x_p −= L_pk x_k for the rows p below.
#[inline(always)]
fn forward<const K: usize>(column: &Column, values: &[f64], rows: &[Row], x: &mut [f64]) {
    let (diagonal, mut below) = values.split_at(K * K);
    let mut y: [f64; K] = *vector(&x[column.entry as usize..]);
    kernel::lower_solve(block(diagonal), &mut y);
    *vector_mut(&mut x[column.entry as usize..]) = y;
    for row in rows {
        subtract(row, below, &y, x);
        below = &below[row.width as usize * K..];
    }
}

/// x_p −= L_pk y for one row p; `l` begins with L_pk.
#[inline(always)]
fn subtract<const K: usize>(row: &Row, l: &[f64], y: &[f64; K], x: &mut [f64]) {
    let x = &mut x[row.entry as usize..];
    match row.width {
        1 => kernel::subtract_times::<1, K>(vector_mut(x), block(l), y),
        3 => kernel::subtract_times::<3, K>(vector_mut(x), block(l), y),
        5 => kernel::subtract_times::<5, K>(vector_mut(x), block(l), y),
        _ => kernel::subtract_times::<6, K>(vector_mut(x), block(l), y),
    }
}

/// x_k ← L_kk⁻ᵀ (D_k⁻¹ x_k − Σ L_pkᵀ x_p).
#[inline(always)]
fn backward<const K: usize>(
    column: &Column,
    values: &[f64],
    rows: &[Row],
    inverse: &[f64; K],
    x: &mut [f64],
) {
    let (diagonal, mut below) = values.split_at(K * K);
    let mut y: [f64; K] = *vector(&x[column.entry as usize..]);
    for c in 0..K {
        y[c] *= inverse[c];
    }
    for row in rows {
        let x = &x[row.entry as usize..];
        match row.width {
            1 => kernel::subtract_transpose_times::<1, K>(&mut y, block(below), vector(x)),
            3 => kernel::subtract_transpose_times::<3, K>(&mut y, block(below), vector(x)),
            5 => kernel::subtract_transpose_times::<5, K>(&mut y, block(below), vector(x)),
            _ => kernel::subtract_transpose_times::<6, K>(&mut y, block(below), vector(x)),
        }
        below = &below[row.width as usize * K..];
    }
    kernel::upper_solve(block(diagonal), &mut y);
    *vector_mut(&mut x[column.entry as usize..]) = y;
}

impl Column {
    #[inline(always)]
    fn rows<'a>(&self, symbolic: &'a Symbolic) -> &'a [Row] {
        &symbolic.rows[self.rows.0 as usize..self.rows.1 as usize]
    }

    #[inline(always)]
    fn values<'a>(&self, numeric: &'a Numeric) -> &'a [f64] {
        &numeric.values[self.values.0 as usize..self.values.1 as usize]
    }
}
