//! Measured data → parameters of a scene, by damped Gauss–Newton (Levenberg–Marquardt) within bounds.
//!
//!   min Σ w² (y(p, t) − ŷ)²,   (JᵀJ + μ diag JᵀJ) δ = −Jᵀ r,   low ≤ p ≤ high
//!
//! J by central differences of whole runs, its columns in parallel. Measures are weighted by 1/spread of their data at
//! first, then by 1/rms of their residuals, their estimated noise. Covariance (JᵀJ)⁻¹ χ²/ν at the end; intervals are
//! 95 % by Student's t. They hold for noise without correlation and a model that is right.
//!
//! Parameters that the data cannot tell apart are found by the singular values of J with columns of length 1: a
//! small one means that moving the parameters of its vector together changes nothing. They have no interval.

mod parameter;
mod report;
mod search;
mod simulate;

pub use parameter::Parameter;
pub use report::{Estimate, Indistinct};

use std::fmt::Write as _;
use thiserror::Error;
use windlass_engine::prelude::Fault;
use windlass_host::{Machine, ProbeError};
use windlass_scene::{Errors, Override};

/// A measured quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// The probe that it is compared with.
    pub probe: String,
    /// Its values at the times; NaN where it was not measured.
    pub values: Vec<f64>,
}

/// An input as it was moved.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivenInput {
    /// Name of the input.
    pub input: String,
    /// Its values at the times; NaN where it was released.
    pub values: Vec<f64>,
}

/// Logged data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Experiment {
    /// Times from the start of the scene, ascending [s].
    pub times: Vec<f64>,
    /// What was measured.
    pub measures: Vec<Measure>,
    /// What the operator did.
    pub drives: Vec<DrivenInput>,
}

/// The result.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The parameters, in their order.
    pub estimates: Vec<Estimate>,
    /// Groups of parameters that the data cannot tell apart.
    pub indistinct: Vec<Indistinct>,
    /// Root mean square of the residuals of each measure, in its unit.
    pub rms: Vec<f64>,
    /// Correlation of the parameters; 0 for those without interval.
    pub correlation: Vec<Vec<f64>>,
    /// Iterations.
    pub iterations: usize,
    /// Runs of the scene.
    pub runs: usize,
    /// Whether it converged.
    pub converged: bool,
}

/// Reasons why there is no fit.
#[derive(Debug, Error)]
pub enum FitError {
    /// The scene cannot be built with values of the parameters.
    #[error("{}", told(.0))]
    Scene(Box<Errors>),
    /// A measure is not a probe.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Probes(Vec<ProbeError>),
    /// A measure has several numbers.
    #[error(
        "every measure must be one number: name a component, such as bodies.load.position.z, and name each only once"
    )]
    NotOneNumber,
    /// No such input.
    #[error(
        "the data have a column for the input \"{0}\", which the scene does not have: rename or remove the column"
    )]
    NoInput(String),
    /// An input cannot be moved.
    #[error("{0}")]
    Input(String),
    /// The first run stopped.
    #[error("the run with the parameters in the middle of their bounds stopped: {0}; give narrower bounds")]
    Fault(Box<Fault>),
    /// The data cannot be used.
    #[error("{0}")]
    Data(String),
    /// It was asked to stop.
    #[error("interrupted")]
    Stopped,
}

fn told(errors: &Errors) -> String {
    let mut text = String::new();
    for problem in &errors.problems {
        let help = problem.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
        let _ = writeln!(text, "{}{help}", problem.message);
    }
    text.trim_end().to_string()
}

/// Runs are shorter than this, as those of the command `run` [s].
const LONGEST: f64 = 1e10;

impl Experiment {
    /// # Errors
    /// Times that do not ascend, columns of other lengths, fewer numbers than parameters.
    fn check(&self, parameters: usize) -> Result<(), FitError> {
        let wrong = |text: &str| Err(FitError::Data(text.to_string()));
        if let Some(line) = self.times.windows(2).position(|pair| !(pair[0] < pair[1])) {
            let text = format!(
                "times must ascend: {} s does not follow {} s",
                self.times[line + 1],
                self.times[line]
            );
            return wrong(&text);
        }
        if !self.times.iter().all(|t| t.is_finite() && *t >= -1e-9) {
            return wrong("times must be numbers from 0 on: subtract the time at which the scene starts");
        }
        if let Some(last) = self.times.last().filter(|t| **t >= LONGEST) {
            return wrong(&format!("the data end at {last:e} s: give times below {LONGEST:e} s"));
        }
        let columns = self.measures.iter().map(|m| &m.values).chain(self.drives.iter().map(|d| &d.values));
        if columns.clone().any(|column| column.len() != self.times.len()) {
            return wrong("all columns must have as many lines as the times");
        }
        if let Some(empty) = self.measures.iter().find(|m| !m.values.iter().any(|v| v.is_finite())) {
            return wrong(&format!("the column \"{}\" has no numbers: remove it", empty.probe));
        }
        let numbers: usize =
            self.measures.iter().map(|m| m.values.iter().filter(|v| v.is_finite()).count()).sum();
        if parameters == 0 {
            return wrong("there is nothing to fit: give at least one parameter, KEY=LOW..HIGH");
        }
        if numbers <= parameters {
            let text =
                format!("{numbers} measured numbers do not determine {parameters} parameters: measure more");
            return wrong(&text);
        }
        Ok(())
    }
}

/// Fits parameters of a scene to data. `open` builds the scene with overrides; it is called from several threads. `stop` is
/// asked before every step.
///
/// # Errors
/// Data or parameters that cannot be used, a first run that stops, and `stop`.
pub fn fit(
    open: &(dyn Fn(&[Override]) -> Result<Machine, Errors> + Sync),
    experiment: &Experiment,
    parameters: &[Parameter],
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Fit, FitError> {
    experiment.check(parameters.len())?;
    let mut search = search::Search::new(open, experiment, parameters, stop)?;
    // the weights of the second search are the noise that the first one found
    search.run();
    search.reweigh();
    search.run();
    let found = report::of(&mut search);
    if stop() { Err(FitError::Stopped) } else { Ok(found) }
}
