//! Machines of scene texts, and comparison of matrices.

use nalgebra::DMatrix;
use windlass_analysis::{Linearization, Options, linearize};
use windlass_host::{Machine, SceneSource};

/// A machine of a text.
#[track_caller]
pub fn machine(text: &str) -> Machine {
    match Machine::open(SceneSource::text(text, "test.toml"), &[]) {
        Ok(machine) => machine,
        Err(errors) => panic!("{errors}"),
    }
}

/// Its linearisation at the start.
#[track_caller]
pub fn linear(text: &str, inputs: &[&str], outputs: &[&str]) -> Linearization {
    linearize(&machine(text), inputs, outputs, &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Compares matrices element by element.
#[track_caller]
pub fn near(found: &DMatrix<f64>, expected: &DMatrix<f64>, tolerance: f64) {
    assert_eq!(found.shape(), expected.shape());
    let off = (found - expected).abs().max();
    assert!(off <= tolerance, "differs by {off:e}: {found}{expected}");
}

/// e^A by the Taylor series of A/2¹⁰, for matrices of moderate size.
pub fn exponential(a: &DMatrix<f64>) -> DMatrix<f64> {
    let one = DMatrix::<f64>::identity(a.nrows(), a.nrows());
    let small = a / 1024.0;
    let (mut sum, mut term) = (one.clone(), one);
    for k in 1..20 {
        term = &term * &small / f64::from(k);
        sum += &term;
    }
    for _ in 0..10 {
        sum = &sum * &sum;
    }
    sum
}
