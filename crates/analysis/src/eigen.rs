//! A real matrix → its eigenvalues and right eigenvectors.
//!
//!   A = Q T Qᴴ (Schur, T upper triangular),   (T − λₖ) y = 0 by back substitution,   vₖ = Q y
//!
//! Eigenvectors of repeated eigenvalues are independent if the matrix has them; of a defective pair, whose vectors are
//! the same, the second repeats the first. Pivots below round-off of the norm are raised to it, as in LAPACK's `trevc`.
//!
//! The decomposition neglects a subdiagonal entry that is small beside its two diagonal entries. Of a multiple eigenvalue
//! 0, all motions that end within a step, both are round-off, and it may never end. The matrix is then balanced, D⁻¹ A D,
//! and shifted by twice its norm, so that no eigenvalue is near 0; the shift is subtracted from T.

use nalgebra::linalg::balancing::balance_parlett_reinsch;
use nalgebra::{Complex, DMatrix, DVector, Schur};

/// Iterations of the Schur decomposition at most, per row.
const SWEEPS: usize = 200;

/// An eigenvalue with its vector of length 1.
#[derive(Clone, Debug)]
pub struct Eigen {
    /// λ.
    pub value: Complex<f64>,
    /// v.
    pub vector: DVector<Complex<f64>>,
}

/// All eigenvalues and vectors, in the order of the Schur form. None if the decomposition does not converge or the
/// matrix is not finite.
pub fn eigen(a: &DMatrix<f64>) -> Option<Vec<Eigen>> {
    if !a.iter().all(|x| x.is_finite()) {
        return None;
    }
    let (q, t) = schur(a).or_else(|| shifted_schur(a))?;
    let least = f64::EPSILON * t.norm().max(f64::MIN_POSITIVE);
    Some((0..a.nrows()).map(|k| of(&q, &t, k, least)).collect())
}

type Pair = (DMatrix<Complex<f64>>, DMatrix<Complex<f64>>);

/// Q and T of a matrix, if the decomposition converges.
fn schur(a: &DMatrix<f64>) -> Option<Pair> {
    let complex = a.map(|x| Complex::new(x, 0.0));
    let most = SWEEPS * a.nrows().max(1);
    // with repeated eigenvalues a subdiagonal entry may stay somewhat above the round-off of its neighbours
    let tolerances = [1.0, 8.0, 64.0].map(|times| times * f64::EPSILON);
    let found = tolerances.iter().find_map(|eps| Schur::try_new(complex.clone(), *eps, most))?;
    Some(found.unpack())
}

/// D Q and T of the balanced matrix, decomposed with a shift.
fn shifted_schur(a: &DMatrix<f64>) -> Option<Pair> {
    let mut balanced = a.clone();
    let scales = balance_parlett_reinsch(&mut balanced);
    let shift = 2.0 * balanced.norm();
    (0..a.nrows()).for_each(|k| balanced[(k, k)] += shift);
    let (mut q, mut t) = schur(&balanced)?;
    for k in 0..a.nrows() {
        t[(k, k)] -= Complex::new(shift, 0.0);
        q.row_mut(k).scale_mut(scales[k]);
    }
    Some((q, t))
}

fn of(q: &DMatrix<Complex<f64>>, t: &DMatrix<Complex<f64>>, k: usize, least: f64) -> Eigen {
    let value = t[(k, k)];
    let mut y = DVector::from_element(t.nrows(), Complex::new(0.0, 0.0));
    y[k] = Complex::new(1.0, 0.0);
    for i in (0..k).rev() {
        let sum: Complex<f64> = (i + 1..=k).map(|j| t[(i, j)] * y[j]).sum();
        let pivot = t[(i, i)] - value;
        let pivot = if pivot.norm() < least { Complex::new(least, 0.0) } else { pivot };
        y[i] = -sum / pivot;
        let size = y[i].norm();
        if size > 1e100 {
            y.iter_mut().for_each(|y| *y /= size);
        }
    }
    let vector = q * y;
    let size = vector.norm();
    Eigen { value, vector: vector / Complex::new(size, 0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways find the eigenvalues and vectors of a badly scaled matrix: a decay, an oscillation, and zeros.
    #[test]
    fn the_shifted_decomposition_finds_the_same() {
        let blocks = [[0.9, 0.0, 0.0, 0.0], [0.0, 0.6, -0.5, 0.0], [0.0, 0.5, 0.6, 0.0], [0.0; 4]];
        let known = DMatrix::from_fn(5, 5, |i, k| if i < 4 && k < 4 { blocks[i][k] } else { 0.0 });
        let lower =
            DMatrix::from_fn(5, 5, |i, k| if k < i { 0.3 + (i * k) as f64 } else { f64::from(i == k) });
        let scale = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, 1e4, 1e-3, 10.0, 1e2]));
        let by = scale * lower;
        let a = &by * known * by.clone().try_inverse().expect("unit lower triangular");
        let (q, t) = shifted_schur(&a).expect("it converges");
        let least = f64::EPSILON * t.norm();
        for k in 0..5 {
            let Eigen { value, vector } = of(&q, &t, k, least);
            let complex = a.map(|x| Complex::new(x, 0.0));
            let rest = (complex * &vector - &vector * value).norm();
            assert!(rest < 1e-8 * a.norm(), "{value}: {rest}");
            let wanted =
                [(0.9, 0.0), (0.6, 0.5), (0.6, -0.5), (0.0, 0.0)].map(|(re, im)| Complex::new(re, im));
            assert!(wanted.iter().any(|w| (value - w).norm() < 1e-6), "{value}");
        }
    }
}
