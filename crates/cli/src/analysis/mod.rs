//! Commands of analyses: linearize, modes, trim, fit.

pub mod fit;
pub mod linearize;
pub mod modes;
pub mod trim;

use crate::console::{self, Console};
use crate::load::{self, Options, instant};
use crate::outcome::Outcome;
use crate::show;
use clap::Args;
use windlass_analysis::{AnalysisError, equilibrium};
use windlass_host::run::step_count;
use windlass_host::text::digits;
use windlass_host::{Machine, Plan};

/// A scene at the state that is analysed.
#[derive(Args, Debug)]
pub struct AnalysedState {
    #[command(flatten)]
    options: Options,
    /// Run the scene up to this time first, and analyse the state there. Default: its start
    #[arg(long, value_name = "TIME", value_parser = instant)]
    at: Option<f64>,
}

/// The same, or the equilibrium near it.
#[derive(Args, Debug)]
pub struct LinearisedState {
    #[command(flatten)]
    state: AnalysedState,
    /// Analyse the static equilibrium near that state, which `windlass trim` prints
    #[arg(long)]
    equilibrium: bool,
}

impl AnalysedState {
    /// The machine at that state, or an outcome after errors have been printed.
    fn machine(&self) -> Result<Machine, Outcome> {
        let mut machine = load::changed(&self.options.scene, &self.options.changes)?;
        if let Some(at) = self.at.filter(|at| *at > 0.0) {
            let steps = step_count(at, machine.dt());
            let result = machine.run(Plan::steps(steps), &mut Console::listen(), &mut []);
            console::complete(&result)?;
        }
        Ok(machine)
    }

    /// Name of the scene.
    fn scene(&self) -> String {
        load::name(&self.options.scene)
    }
}

impl LinearisedState {
    fn machine(&self) -> Result<Machine, Outcome> {
        let mut machine = self.state.machine()?;
        if self.equilibrium {
            settle(&mut machine)?;
        }
        Ok(machine)
    }

    fn scene(&self) -> String {
        self.state.scene()
    }
}

/// Brings a machine to the equilibrium near its state.
fn settle(machine: &mut Machine) -> Result<(), Outcome> {
    let found = equilibrium(machine, &[]).map_err(|error| refuse(&error))?;
    if !found.converged {
        return Err(show::refuse(&format!(
            "no equilibrium is found near this state, accelerations of {} m/s² or rad/s² are left: run the scene until it rests with --at",
            digits(found.residual)
        )));
    }
    machine.restore(&found.state).map_err(|error| show::refuse(&error.to_string()))
}

/// Prints why an analysis cannot be made.
fn refuse(error: &AnalysisError) -> Outcome {
    match error {
        AnalysisError::Fault(fault) => {
            show::tell(&format!("fault: {fault}"));
            Outcome::Fault
        }
        AnalysisError::Outputs(errors) => {
            errors.iter().for_each(|e| show::tell(&e.to_string()));
            Outcome::Input
        }
        other => show::refuse(&other.to_string()),
    }
}

/// The rows of a matrix.
fn rows(matrix: &nalgebra::DMatrix<f64>) -> Vec<Vec<f64>> {
    matrix.row_iter().map(|row| row.iter().map(|x| x + 0.0).collect()).collect()
}

/// Cells in columns that are as wide as their widest, the first aligned left and the others right.
fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |k: usize| lines.iter().filter_map(|l| l.get(k)).map(|c| c.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for line in lines {
        let cells = line.iter().zip(&widths).enumerate().map(|(k, (cell, width))| match k {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}
