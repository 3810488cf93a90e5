//! Dense matrices, row by row: plain solvers with which the engine's is compared.

/// A x = b by L D Lᵀ in place, half of the matrix: bodies come first, so that no pivot vanishes. b becomes x.
pub fn ldlt(n: usize, a: &mut [f64], x: &mut [f64]) {
    for k in 0..n {
        let (done, rest) = a.split_at_mut((k + 1) * n);
        let pivot = &done[k * n..];
        let inverse = 1.0 / pivot[k];
        for (i, row) in rest.chunks_exact_mut(n).enumerate().map(|(i, row)| (k + 1 + i, row)) {
            let l = pivot[i] * inverse;
            row[i..].iter_mut().zip(&pivot[i..]).for_each(|(r, p)| *r -= l * p);
            x[i] -= l * x[k];
        }
    }
    substitute(n, a, x);
}

/// A x = b by Gaussian elimination in place: the whole matrix, with the largest pivot of each column. b becomes x.
pub fn gauss(n: usize, a: &mut [f64], x: &mut [f64]) {
    for k in 0..n {
        let size = |i: &usize| a[i * n + k].abs();
        let best = (k..n).max_by(|i, j| size(i).total_cmp(&size(j))).unwrap_or(k);
        if best != k {
            let (upper, lower) = a.split_at_mut(best * n);
            upper[k * n..(k + 1) * n].swap_with_slice(&mut lower[..n]);
            x.swap(k, best);
        }
        let (done, rest) = a.split_at_mut((k + 1) * n);
        let pivot = &done[k * n..];
        for (i, row) in rest.chunks_exact_mut(n).enumerate() {
            let l = row[k] / pivot[k];
            row[k..].iter_mut().zip(&pivot[k..]).for_each(|(r, p)| *r -= l * p);
            x[k + 1 + i] -= l * x[k];
        }
    }
    substitute(n, a, x);
}

/// Back through an upper triangle.
fn substitute(n: usize, a: &[f64], x: &mut [f64]) {
    for k in (0..n).rev() {
        let row = &a[k * n..(k + 1) * n];
        let sum: f64 = row[k + 1..].iter().zip(&x[k + 1..]).map(|(a, x)| a * x).sum();
        x[k] = (x[k] - sum) / row[k];
    }
}
