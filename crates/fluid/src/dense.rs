//! Dense linear algebra: LU decomposition of square matrices, eigenvalues of symmetric 6 × 6 matrices.
//!
//! ```text
//! P A = L U      row pivoting, in blocks of columns        K = V diag(λ) Vᵀ      Jacobi rotations
//! ```
//!
//! The order of all sums is fixed, so that results are bitwise reproducible. Matrices are stored by rows.

/// Columns eliminated together.
const BLOCK: usize = 48;
/// Columns of the remaining matrix updated together: a tile of `BLOCK` × `TILE` numbers stays in the cache.
const TILE: usize = 128;

/// The factors of a square matrix with P A = L U.
#[derive(Clone, Debug)]
pub(crate) struct Lu {
    n: usize,
    /// U on and above the diagonal, L without its unit diagonal below.
    factors: Vec<f64>,
    /// Row of A that became row i.
    rows: Vec<usize>,
}

impl Lu {
    /// Factorises an n × n matrix; None if a pivot is zero or not finite.
    pub(crate) fn factorise(n: usize, mut a: Vec<f64>) -> Option<Lu> {
        assert_eq!(a.len(), n * n, "a square matrix");
        let mut rows: Vec<usize> = (0..n).collect();
        for start in (0..n).step_by(BLOCK) {
            let end = (start + BLOCK).min(n);
            for k in start..end {
                pivot(&mut a, &mut rows, n, k)?;
                eliminate(&mut a, n, k, end);
            }
            let (top, bottom) = a.split_at_mut(end * n);
            upper_rows(top, n, start, end);
            update(top, bottom, n, start, end);
        }
        Some(Lu { n, factors: a, rows })
    }

    /// Solves A x = b.
    pub(crate) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let (n, f) = (self.n, &self.factors);
        let mut x: Vec<f64> = self.rows.iter().map(|&r| b[r]).collect();
        for i in 0..n {
            let sum: f64 = (0..i).map(|k| f[i * n + k] * x[k]).sum();
            x[i] -= sum;
        }
        for i in (0..n).rev() {
            let sum: f64 = (i + 1..n).map(|k| f[i * n + k] * x[k]).sum();
            x[i] = (x[i] - sum) / f[i * n + i];
        }
        x
    }
}

/// Brings the largest entry of column k on or below the diagonal to row k.
fn pivot(a: &mut [f64], rows: &mut [usize], n: usize, k: usize) -> Option<()> {
    let mut best = k;
    for i in k + 1..n {
        if a[i * n + k].abs() > a[best * n + k].abs() {
            best = i;
        }
    }
    let value = a[best * n + k];
    if value == 0.0 || !value.is_finite() {
        return None;
    }
    if best != k {
        let (upper, lower) = a.split_at_mut(best * n);
        upper[k * n..(k + 1) * n].swap_with_slice(&mut lower[..n]);
        rows.swap(k, best);
    }
    Some(())
}

/// Eliminates column k below the diagonal, within the columns up to `end`.
fn eliminate(a: &mut [f64], n: usize, k: usize, end: usize) {
    let (upper, lower) = a.split_at_mut((k + 1) * n);
    let source = &upper[k * n + k..k * n + end];
    for row in lower.chunks_exact_mut(n) {
        let target = &mut row[k..end];
        let factor = target[0] / source[0];
        target[0] = factor;
        for (t, s) in target[1..].iter_mut().zip(&source[1..]) {
            *t -= factor * s;
        }
    }
}

/// The rows of U in a block, right of it.
fn upper_rows(top: &mut [f64], n: usize, start: usize, end: usize) {
    for i in start + 1..end {
        let (above, row) = top.split_at_mut(i * n);
        for k in start..i {
            let factor = row[k];
            let source = &above[k * n + end..(k + 1) * n];
            for (t, s) in row[end..n].iter_mut().zip(source) {
                *t -= factor * s;
            }
        }
    }
}

/// Subtracts L U of a block from the remaining matrix.
fn update(top: &[f64], bottom: &mut [f64], n: usize, start: usize, end: usize) {
    for left in (end..n).step_by(TILE) {
        let right = (left + TILE).min(n);
        let source = |k: usize| &top[k * n + left..k * n + right];
        for row in bottom.chunks_exact_mut(n) {
            let (factors, target) = row.split_at_mut(end);
            let target = &mut target[left - end..right - end];
            let mut k = start;
            while k + 4 <= end {
                let f: [f64; 4] = std::array::from_fn(|i| factors[k + i]);
                let (a, b, c, d) = (source(k), source(k + 1), source(k + 2), source(k + 3));
                for ((((t, a), b), c), d) in target.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                    *t -= (f[0] * a + f[1] * b) + (f[2] * c + f[3] * d);
                }
                k += 4;
            }
            for k in k..end {
                for (t, s) in target.iter_mut().zip(source(k)) {
                    *t -= factors[k] * s;
                }
            }
        }
    }
}

/// Eigenvalues, and eigenvectors as columns, of a symmetric matrix by cyclic Jacobi rotations. Unsorted.
pub(crate) fn symmetric_eigen(mut a: [[f64; 6]; 6]) -> ([f64; 6], [[f64; 6]; 6]) {
    let mut v: [[f64; 6]; 6] = std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    for _ in 0..30 {
        let off: f64 = (0..6).map(|i| (0..i).map(|j| a[i][j] * a[i][j]).sum::<f64>()).sum();
        let all: f64 = a.iter().flatten().map(|x| x * x).sum();
        if !(off > 1e-34 * all) {
            break;
        }
        for p in 0..5 {
            for q in p + 1..6 {
                rotate_pair(&mut a, &mut v, p, q);
            }
        }
    }
    (std::array::from_fn(|i| a[i][i]), v)
}

/// One Jacobi rotation, which makes entry (p, q) zero.
fn rotate_pair(a: &mut [[f64; 6]; 6], v: &mut [[f64; 6]; 6], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for row in a.iter_mut() {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
    for j in 0..6 {
        (a[p][j], a[q][j]) = (c * a[p][j] - s * a[q][j], s * a[p][j] + c * a[q][j]);
    }
    for row in v.iter_mut() {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reproducible numbers in −1 … 1.
    fn numbers(count: usize) -> Vec<f64> {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn lu_solves_sizes_around_the_block() {
        for n in [1, 2, 7, BLOCK - 1, BLOCK, BLOCK + 1, 131, 200] {
            let a = numbers(n * n);
            let x: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
            let b: Vec<f64> = (0..n).map(|i| (0..n).map(|k| a[i * n + k] * x[k]).sum()).collect();
            let solved = Lu::factorise(n, a).expect("regular").solve(&b);
            for i in 0..n {
                assert!((solved[i] - x[i]).abs() < 1e-8 * n as f64, "n {n}, row {i}: {} {}", solved[i], x[i]);
            }
        }
        assert!(Lu::factorise(2, vec![1.0, 2.0, 2.0, 4.0]).is_none());
        assert!(Lu::factorise(1, vec![f64::NAN]).is_none());
    }

    #[test]
    fn eigenvalues_rebuild_the_matrix() {
        let r = numbers(36);
        let a: [[f64; 6]; 6] = std::array::from_fn(|i| std::array::from_fn(|j| r[6 * i + j] + r[6 * j + i]));
        let (values, v) = symmetric_eigen(a);
        for i in 0..6 {
            for j in 0..6 {
                let sum: f64 = (0..6).map(|k| v[i][k] * values[k] * v[j][k]).sum();
                assert!((sum - a[i][j]).abs() < 1e-13);
            }
        }
    }
}
