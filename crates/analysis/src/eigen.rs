//! A real matrix → its eigenvalues and right eigenvectors.
//!
//!   A = Q T Qᴴ (Schur, T upper triangular),   (T − λₖ) y = 0 by back substitution,   vₖ = Q y
//!
//! Eigenvectors of repeated eigenvalues are independent if the matrix has them; of a defective pair, whose vectors are
//! the same, the second repeats the first. Pivots below round-off of the norm are raised to it, as in LAPACK's `trevc`.

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
    let n = a.nrows();
    let complex = a.map(|x| Complex::new(x, 0.0));
    // with repeated eigenvalues a subdiagonal entry may stay somewhat above the round-off of its neighbours
    let tolerances = [1.0, 8.0, 64.0].map(|times| times * f64::EPSILON);
    let schur = tolerances.iter().find_map(|eps| Schur::try_new(complex.clone(), *eps, SWEEPS * n.max(1)))?;
    let (q, t) = schur.unpack();
    let least = f64::EPSILON * t.norm().max(f64::MIN_POSITIVE);
    Some((0..n).map(|k| of(&q, &t, k, least)).collect())
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
