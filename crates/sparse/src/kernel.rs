//! Arithmetic on blocks of fixed size, column-major: `a[c][r]` is row r of column c.
//!
//! With K the width of the eliminated node, P and Q those of two of its rows:
//!
//! ```text
//!     A_kk = L D Lᵀ          W_p = A_pk L⁻ᵀ          L_pk = W_p D⁻¹          A_pq ← A_pq − W_p L_qkᵀ
//! ```
//!
//! Inner loops run down a column, so they vectorise; every sum has one fixed order and nothing is fused, so
//! the bits do not depend on the vector width.

/// A block of C columns and R rows.
pub(crate) type Block<const R: usize, const C: usize> = [[f64; R]; C];

/// The first R·C values as a block.
#[inline(always)]
pub(crate) fn block<const R: usize, const C: usize>(values: &[f64]) -> &Block<R, C> {
    values.as_chunks().0.first_chunk().expect("block within values")
}

/// The first R·C values as a block to write.
#[inline(always)]
pub(crate) fn block_mut<const R: usize, const C: usize>(values: &mut [f64]) -> &mut Block<R, C> {
    values.as_chunks_mut().0.first_chunk_mut().expect("block within values")
}

/// The first N values as a vector.
#[inline(always)]
pub(crate) fn vector<const N: usize>(values: &[f64]) -> &[f64; N] {
    values.first_chunk().expect("vector within values")
}

/// The first N values as a vector to write.
#[inline(always)]
pub(crate) fn vector_mut<const N: usize>(values: &mut [f64]) -> &mut [f64; N] {
    values.first_chunk_mut().expect("vector within values")
}

/// A → unit lower L in place (its lower triangle); returns D⁻¹. `invert(c, d)` inverts pivot d of column c.
#[inline(always)]
pub(crate) fn ldlt<const K: usize>(
    a: &mut Block<K, K>,
    mut invert: impl FnMut(usize, f64) -> f64,
) -> [f64; K] {
    let mut inverse = [0.0; K];
    for c in 0..K {
        inverse[c] = invert(c, a[c][c]);
        let w = a[c];
        for r in c + 1..K {
            a[c][r] = w[r] * inverse[c];
        }
        for q in c + 1..K {
            let l = a[c][q];
            for r in q..K {
                a[q][r] -= w[r] * l;
            }
        }
    }
    inverse
}

/// W = A L⁻ᵀ for the unit lower L.
#[inline(always)]
pub(crate) fn times_inverse_transpose<const P: usize, const K: usize>(
    a: &Block<P, K>,
    l: &Block<K, K>,
) -> Block<P, K> {
    let mut w = *a;
    for c in 1..K {
        for t in 0..c {
            for r in 0..P {
                w[c][r] -= w[t][r] * l[t][c];
            }
        }
    }
    w
}

/// W D⁻¹.
#[inline(always)]
pub(crate) fn scale_columns<const P: usize, const K: usize>(
    w: &Block<P, K>,
    inverse: &[f64; K],
) -> Block<P, K> {
    let mut l = *w;
    for c in 0..K {
        for r in 0..P {
            l[c][r] *= inverse[c];
        }
    }
    l
}

/// A −= W Lᵀ. Diagonal blocks too are updated whole: leaving out their upper triangle is slower.
#[inline(always)]
pub(crate) fn subtract_product<const P: usize, const Q: usize, const K: usize>(
    a: &mut Block<P, Q>,
    w: &Block<P, K>,
    l: &Block<Q, K>,
) {
    for c in 0..Q {
        let mut sum = a[c];
        for t in 0..K {
            for r in 0..P {
                sum[r] -= w[t][r] * l[t][c];
            }
        }
        a[c] = sum;
    }
}

/// x ← L⁻¹ x for the unit lower L.
#[inline(always)]
pub(crate) fn lower_solve<const K: usize>(l: &Block<K, K>, x: &mut [f64; K]) {
    for c in 0..K {
        for r in c + 1..K {
            x[r] -= l[c][r] * x[c];
        }
    }
}

/// x ← L⁻ᵀ x for the unit lower L.
#[inline(always)]
pub(crate) fn upper_solve<const K: usize>(l: &Block<K, K>, x: &mut [f64; K]) {
    for r in (0..K).rev() {
        for c in 0..r {
            x[c] -= l[c][r] * x[r];
        }
    }
}

/// y −= L x.
#[inline(always)]
pub(crate) fn subtract_times<const P: usize, const K: usize>(
    y: &mut [f64; P],
    l: &Block<P, K>,
    x: &[f64; K],
) {
    for c in 0..K {
        for r in 0..P {
            y[r] -= l[c][r] * x[c];
        }
    }
}

/// x −= Lᵀ y.
#[inline(always)]
pub(crate) fn subtract_transpose_times<const P: usize, const K: usize>(
    x: &mut [f64; K],
    l: &Block<P, K>,
    y: &[f64; P],
) {
    for r in 0..P {
        for c in 0..K {
            x[c] -= l[c][r] * y[r];
        }
    }
}
