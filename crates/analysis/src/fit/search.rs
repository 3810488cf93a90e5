//! The search of a fit: Levenberg–Marquardt in fractions of the bounds.
//!
//! A parameter at a bound that the step would leave is held there for this step. A run that faults counts as infinitely
//! bad, so the step towards it is shortened.

use super::simulate::simulate;
use super::{Experiment, FitError, Parameter};
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;
use windlass_host::Machine;
use windlass_scene::{Errors, Override};

/// Step of the differences, of the range: its square is the truncation, below that of 95 % intervals worth reading.
const STEP: f64 = 1e-4;

/// Iterations at most.
const ROUNDS: usize = 50;

/// A step shorter than this, of the range, ends the search.
const SMALL: f64 = 1e-7;

/// Relative decrease of the sum of squares that ends the search.
const LITTLE: f64 = 1e-10;

/// A search.
pub(crate) struct Search<'a> {
    open: &'a (dyn Fn(&[Override]) -> Result<Machine, Errors> + Sync),
    pub experiment: &'a Experiment,
    pub parameters: &'a [Parameter],
    /// Whether to end.
    stop: &'a (dyn Fn() -> bool + Sync),
    /// Present fractions of the ranges.
    pub at: Vec<f64>,
    /// Weighted residuals there.
    pub residuals: DVector<f64>,
    /// 1/noise of each measure.
    pub weights: Vec<f64>,
    pub iterations: usize,
    pub runs: usize,
    pub converged: bool,
}

impl<'a> Search<'a> {
    /// In the middle of the bounds.
    pub fn new(
        open: &'a (dyn Fn(&[Override]) -> Result<Machine, Errors> + Sync),
        experiment: &'a Experiment,
        parameters: &'a [Parameter],
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<Search<'a>, FitError> {
        let weights = experiment.measures.iter().map(|m| 1.0 / spread(&m.values)).collect();
        let at = vec![0.5; parameters.len()];
        let mut search = Search {
            open,
            experiment,
            parameters,
            stop,
            at,
            residuals: DVector::zeros(0),
            weights,
            iterations: 0,
            runs: 1,
            converged: false,
        };
        search.residuals = search.residuals_at(&search.at)?;
        if !search.residuals.iter().all(|r| r.is_finite()) {
            let text = "a measured quantity does not exist in the run, or the data contain infinite numbers: remove the column";
            return Err(FitError::Data(text.to_string()));
        }
        Ok(search)
    }

    /// Weighted residuals, measure after measure.
    fn residuals_at(&self, at: &[f64]) -> Result<DVector<f64>, FitError> {
        let set: Vec<Override> = self.parameters.iter().zip(at).map(|(p, x)| p.set(*x)).collect();
        let machine = (self.open)(&set).map_err(|errors| FitError::Scene(Box::new(errors)))?;
        let found = simulate(self.experiment, machine, self.stop)?;
        let mut list = Vec::new();
        for ((measure, found), weight) in self.experiment.measures.iter().zip(&found).zip(&self.weights) {
            let pairs = found.iter().zip(&measure.values).filter(|(_, measured)| measured.is_finite());
            list.extend(pairs.map(|(found, measured)| weight * (found - measured)));
        }
        Ok(DVector::from_vec(list))
    }

    /// The Jacobian by central differences, one-sided at bounds; a column of zeros where runs fail.
    pub fn jacobian(&mut self) -> DMatrix<f64> {
        let columns: Vec<DVector<f64>> = (0..self.at.len())
            .into_par_iter()
            .map(|k| {
                let moved = |by: f64| {
                    let mut at = self.at.clone();
                    at[k] = (at[k] + by).clamp(0.0, 1.0);
                    (at[k], self.residuals_at(&at))
                };
                let ((up, high), (down, low)) = (moved(STEP), moved(-STEP));
                match (high, low) {
                    (Ok(high), Ok(low)) => (high - low) / (up - down),
                    _ => DVector::zeros(self.residuals.len()),
                }
            })
            .collect();
        self.runs += 2 * self.at.len();
        DMatrix::from_columns(&columns)
    }

    /// Weighs each measure by the root mean square of its residuals.
    pub fn reweigh(&mut self) {
        let rms = self.rms();
        for ((weight, rms), measure) in self.weights.iter_mut().zip(rms).zip(&self.experiment.measures) {
            // data without noise: their round-off
            *weight = 1.0 / rms.max(1e-12 * spread(&measure.values));
        }
        if let Ok(residuals) = self.residuals_at(&self.at) {
            self.residuals = residuals;
        }
        self.runs += 1;
    }

    /// Root mean square of the residuals of each measure, in its unit.
    pub fn rms(&self) -> Vec<f64> {
        let mut from = 0;
        let mut list = Vec::new();
        for (measure, weight) in self.experiment.measures.iter().zip(&self.weights) {
            let count = measure.values.iter().filter(|v| v.is_finite()).count();
            let sum: f64 = self.residuals.rows(from, count).norm_squared();
            list.push((sum / count as f64).sqrt() / weight);
            from += count;
        }
        list
    }

    /// Searches from the present values.
    pub fn run(&mut self) {
        let mut damping = 1e-3;
        self.converged = false;
        for _ in 0..ROUNDS {
            self.iterations += 1;
            let jacobian = self.jacobian();
            let before = self.residuals.norm_squared();
            let Some(moved) = self.improve(&jacobian, &mut damping) else {
                // no step improves: the minimum, up to the accuracy of the runs
                self.converged = true;
                return;
            };
            if moved < SMALL || before - self.residuals.norm_squared() < LITTLE * before {
                self.converged = true;
                return;
            }
        }
    }

    /// Takes the first damped step that improves. Returns its length.
    fn improve(&mut self, jacobian: &DMatrix<f64>, damping: &mut f64) -> Option<f64> {
        let gradient = jacobian.transpose() * &self.residuals;
        let normal = jacobian.transpose() * jacobian;
        let largest = normal.diagonal().max().max(f64::MIN_POSITIVE);
        for _ in 0..25 {
            let step = self.step(&normal, &gradient, *damping, largest)?;
            let at: Vec<f64> =
                self.at.iter().zip(step.iter()).map(|(x, d)| (x + d).clamp(0.0, 1.0)).collect();
            let moved = at.iter().zip(&self.at).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            if moved == 0.0 {
                return None;
            }
            self.runs += 1;
            if let Ok(residuals) = self.residuals_at(&at)
                && residuals.norm_squared() < self.residuals.norm_squared()
            {
                (self.at, self.residuals) = (at, residuals);
                *damping = (*damping / 5.0).max(1e-12);
                return Some(moved);
            }
            *damping *= 5.0;
        }
        None
    }

    /// The damped step. Parameters at a bound that it would leave are held.
    fn step(
        &self,
        normal: &DMatrix<f64>,
        gradient: &DVector<f64>,
        damping: f64,
        largest: f64,
    ) -> Option<DVector<f64>> {
        let mut held = vec![false; self.at.len()];
        for _ in 0..=self.at.len() {
            let (mut system, mut rhs) = (normal.clone(), -gradient);
            for k in 0..self.at.len() {
                // parameters without effect stay where they are
                system[(k, k)] += damping * normal[(k, k)].max(1e-12 * largest);
                if held[k] {
                    system.row_mut(k).fill(0.0);
                    system.column_mut(k).fill(0.0);
                    (system[(k, k)], rhs[k]) = (1.0, 0.0);
                }
            }
            let step = system.cholesky()?.solve(&rhs);
            let leaves = |k: usize| {
                !held[k] && ((self.at[k] <= 0.0 && step[k] < 0.0) || (self.at[k] >= 1.0 && step[k] > 0.0))
            };
            let Some(k) = (0..self.at.len()).find(|k| leaves(*k)) else { return Some(step) };
            held[k] = true;
        }
        None
    }
}

/// Standard deviation of the numbers of a column, or its size if it is constant.
fn spread(values: &[f64]) -> f64 {
    let numbers: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let square = numbers.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / numbers.len() as f64;
    match square.sqrt() {
        spread if spread > 1e-12 * mean.abs() && spread > 0.0 => spread,
        _ if mean != 0.0 => mean.abs(),
        _ => 1.0,
    }
}
