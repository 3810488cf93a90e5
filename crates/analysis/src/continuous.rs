//! The discrete map of a step → a model in continuous time, ẋ = A x + B u, with all rates at the instant of the values.
//!
//!   synchronised   z = P x + p u,  P = [1 0; R]: rates at the instant, A_z = P A P⁻¹, B_z = P B + (1 − A_z) p   (u held)
//!   logarithm      exp(h [A B; 0 0]) = [A_z B_z; 0 1]
//!   bilinear       A = 2/h (A_z − 1)(A_z + 1)⁻¹,  B = 2/h (A_z + 1)⁻¹ B_z
//!
//! The logarithm reproduces the discrete map; its eigenvalues are ln λ/h. It does not exist if an eigenvalue is 0 (a
//! speed drive, sticking friction: motion that ends within a step) and is not real if one is negative (a mode that
//! changes sign in every step). The bilinear transform exists unless an eigenvalue is −1; it changes frequencies by
//! (ωh)²/12 and maps λ = 0 to −2/h. Both agree with the equations of motion to second order in h, as the step does.
//!
//! The logarithm is found by repeated square roots (Denman & Beavers, product form) and Gauss–Legendre quadrature of
//! ln(1 + X) = ∫ X (1 + τX)⁻¹ dτ, i.e. its Padé approximant, for ‖X‖ ≤ 0.1.

use crate::eigen::eigen;
use crate::linearize::Linearization;
use nalgebra::DMatrix;
use thiserror::Error;

/// How a continuous model is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The logarithm of the matrix.
    #[default]
    Logarithm,
    /// The bilinear (Tustin) transform.
    Bilinear,
}

/// A model in continuous time.
#[derive(Clone, Debug)]
pub struct Continuous {
    /// A.
    pub a: DMatrix<f64>,
    /// B.
    pub b: DMatrix<f64>,
    /// C.
    pub c: DMatrix<f64>,
    /// D.
    pub d: DMatrix<f64>,
    /// How it was found.
    pub method: Method,
}

/// Reasons why there is no continuous model.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ContinuousError {
    /// An eigenvalue of 0.
    #[error(
        "a motion ends within one step (a speed drive or sticking friction), so the matrix has no logarithm: use the bilinear transform, or the discrete matrices"
    )]
    EndsWithinStep,
    /// A negative eigenvalue.
    #[error(
        "a motion changes its sign in every step, so the logarithm is not real: use a smaller dt, or the bilinear transform"
    )]
    Alternates,
    /// An iteration failed, or a matrix is singular.
    #[error("the transform does not converge: use the discrete matrices")]
    Fails,
}

/// |λ| below this counts as 0: its rate is beyond 14 per step.
const ZERO: f64 = 1e-6;

/// Largest norm of X for the quadrature: the error of eight points is then below 1e-17.
const NEAR: f64 = 0.1;

/// Square roots at most; each halves the logarithm.
const ROOTS: i32 = 60;

/// Nodes and weights of Gauss–Legendre quadrature with eight points on [−1, 1], of the positive half
/// (Abramowitz & Stegun, table 25.4).
const GAUSS: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_5),
    (0.960_289_856_497_536_2, 0.101_228_536_290_376_26),
];

impl Linearization {
    /// The continuous model.
    ///
    /// # Errors
    /// The transform does not exist; the error names the remedy.
    pub fn continuous(&self, method: Method) -> Result<Continuous, ContinuousError> {
        let (freedom, m) = (self.coordinates.len(), self.inputs.len());
        let (n, fails) = (2 * freedom, || ContinuousError::Fails);
        let mut p = DMatrix::identity(n, n);
        p.view_mut((freedom, 0), (freedom, n)).copy_from(&self.instant[0]);
        let mut direct = DMatrix::zeros(n, m);
        direct.view_mut((freedom, 0), (freedom, m)).copy_from(&self.instant[1]);
        let inverse = p.clone().try_inverse().ok_or_else(fails)?;
        let a = &p * &self.a * &inverse;
        let b = &p * &self.b + (DMatrix::identity(n, n) - &a) * &direct;
        let c = &self.c * &inverse;
        let d = &self.d - &c * &direct;
        let (a, b) = match method {
            Method::Logarithm => self.logarithm(&a, &b)?,
            Method::Bilinear => {
                let one = DMatrix::<f64>::identity(n, n);
                let sum = (&a + &one).try_inverse().ok_or_else(fails)?;
                let factor = 2.0 / self.dt;
                ((&a - &one) * &sum * factor, sum * b * factor)
            }
        };
        Ok(Continuous { a, b, c, d, method })
    }

    /// The logarithm of the map with its inputs, in units in which rates are multiplied by the step.
    fn logarithm(
        &self,
        a: &DMatrix<f64>,
        b: &DMatrix<f64>,
    ) -> Result<(DMatrix<f64>, DMatrix<f64>), ContinuousError> {
        let (n, m) = (a.nrows(), b.ncols());
        for one in eigen(a).ok_or(ContinuousError::Fails)? {
            if one.value.norm() < ZERO {
                return Err(ContinuousError::EndsWithinStep);
            }
            if one.value.re < 0.0 && one.value.im.abs() < ZERO * one.value.norm() {
                return Err(ContinuousError::Alternates);
            }
        }
        let scale = |k: usize| if k < n / 2 || k >= n { 1.0 } else { self.dt };
        let mut whole = DMatrix::identity(n + m, n + m);
        whole.view_mut((0, 0), (n, n)).copy_from(a);
        whole.view_mut((0, n), (n, m)).copy_from(b);
        let scaled = DMatrix::from_fn(n + m, n + m, |i, k| whole[(i, k)] * scale(i) / scale(k));
        let log = logarithm(scaled).ok_or(ContinuousError::Fails)?;
        let log = DMatrix::from_fn(n + m, n + m, |i, k| log[(i, k)] * scale(k) / scale(i) / self.dt);
        Ok((log.view((0, 0), (n, n)).into_owned(), log.view((0, n), (n, m)).into_owned()))
    }
}

/// ln A of a matrix without eigenvalues on the closed negative real axis.
pub fn logarithm(a: DMatrix<f64>) -> Option<DMatrix<f64>> {
    let one = DMatrix::<f64>::identity(a.nrows(), a.nrows());
    let mut root = a;
    for halvings in 0..ROOTS {
        let x = &root - &one;
        if x.norm() <= NEAR {
            let mut sum = DMatrix::zeros(x.nrows(), x.nrows());
            for (node, weight) in GAUSS.iter().flat_map(|(node, weight)| [(-node, weight), (*node, weight)]) {
                let inverse = (&one + &x * (0.5 + 0.5 * node)).try_inverse()?;
                sum += &x * inverse * (0.5 * weight);
            }
            return Some(sum * libm::exp2(f64::from(halvings)));
        }
        root = square_root(root)?;
    }
    None
}

/// The principal square root.
fn square_root(a: DMatrix<f64>) -> Option<DMatrix<f64>> {
    let one = DMatrix::<f64>::identity(a.nrows(), a.nrows());
    let (mut root, mut m) = (a.clone(), a);
    let mut last = f64::INFINITY;
    for _ in 0..100 {
        let inverse = m.clone().try_inverse()?;
        root = &root * (&one + &inverse) * 0.5;
        m = (&one + (&m + &inverse) * 0.5) * 0.5;
        let off = (&m - &one).norm();
        if !off.is_finite() {
            return None;
        }
        // quadratic until round-off
        if off < 1e-15 || (off < 1e-10 && off >= last) {
            return Some(root);
        }
        last = off;
    }
    None
}
