//! Linearisation, modes, equilibria and fits.

use crate::error;
use crate::machine::{Machine, overrides};
use crate::signals::{guarded, interruptible};
use crate::state::State;
use nalgebra::DMatrix;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;
use windlass_analysis::fit::{DrivenInput, Experiment, FitError, Measure, fit};
use windlass_analysis::{
    AnalysisError, Linearization as Host, Method, ModeKind, Named, Options, equilibrium_until,
    linearize_until,
};
use windlass_host::{Machine as HostMachine, SceneSource};
use windlass_scene::Override;
use windlass_scene::files::Folder;

type Matrix<'py> = Bound<'py, PyArray2<f64>>;

/// A matrix as an array.
fn array<'py>(py: Python<'py>, m: &DMatrix<f64>) -> PyResult<Matrix<'py>> {
    let rows = (0..m.nrows()).flat_map(|i| (0..m.ncols()).map(move |k| m[(i, k)])).collect();
    PyArray1::from_vec(py, rows).reshape([m.nrows(), m.ncols()])
}

fn of(py: Python<'_>, e: AnalysisError) -> PyErr {
    match e {
        AnalysisError::Outputs(errors) => error::probes(&errors),
        AnalysisError::Fault(fault) => error::fault(py, &fault),
        other => error::value(other),
    }
}

/// The linear map of a step: x⁺ = A x + B u, y = C x + D u.
#[pyclass(module = "windlass._core", subclass, frozen)]
pub struct Linearization {
    host: Host,
}

#[pymethods]
impl Linearization {
    /// Linearises the step of a machine about its present state. Ctrl-C ends it.
    #[new]
    #[pyo3(signature = (machine, inputs=Vec::new(), outputs=Vec::new(), step=None))]
    fn new(
        py: Python<'_>,
        machine: &Machine,
        inputs: Vec<String>,
        outputs: Vec<String>,
        step: Option<f64>,
    ) -> PyResult<Linearization> {
        let options = step.map_or(Options::default(), |step| Options { step });
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
        let host = interruptible(py, |is_interrupted| {
            linearize_until(&machine.host, &inputs, &outputs, &options, is_interrupted)
        })?;
        host.map(|host| Linearization { host }).map_err(|e| of(py, e))
    }

    /// A, B, C and D of the step.
    fn matrices<'py>(&self, py: Python<'py>) -> PyResult<[Matrix<'py>; 4]> {
        let Host { a, b, c, d, .. } = &self.host;
        Ok([array(py, a)?, array(py, b)?, array(py, c)?, array(py, d)?])
    }

    /// A, B, C and D in continuous time, by the logarithm of the matrix or the bilinear transform.
    fn continuous_matrices<'py>(&self, py: Python<'py>, bilinear: bool) -> PyResult<[Matrix<'py>; 4]> {
        let method = if bilinear { Method::Bilinear } else { Method::Logarithm };
        let found = guarded(|| self.host.continuous(method))?.map_err(error::value)?;
        Ok([array(py, &found.a)?, array(py, &found.b)?, array(py, &found.c)?, array(py, &found.d)?])
    }

    /// Name and unit of the states, the inputs and the outputs.
    fn names(&self) -> [Vec<(String, String)>; 3] {
        let pairs = |list: &[Named]| list.iter().map(|n| (n.name.clone(), n.unit.clone())).collect();
        [pairs(&self.host.states()), pairs(&self.host.inputs), pairs(&self.host.outputs)]
    }

    /// Length of the step [s].
    #[getter]
    fn dt(&self) -> f64 {
        self.host.dt
    }

    /// By how much the rates of x lag behind its values [s].
    #[getter]
    fn lag(&self) -> f64 {
        self.host.lag
    }

    /// Estimate of the largest error of an element of A and B, rates times dt.
    #[getter]
    fn error(&self) -> f64 {
        self.host.error
    }

    /// What limits the result.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.host.warnings.clone()
    }

    /// x⁺ − x of the state itself; 0 at an equilibrium.
    #[getter]
    fn drift<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.host.drift)
    }

    /// Values of the outputs at the state.
    #[getter]
    fn at_state<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.host.at_state)
    }

    /// The modes as tables: kind, frequency, damping ratio, decay, eigenvalue, and shapes of the bodies.
    fn mode_tables<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let modes = guarded(|| self.host.modes())?;
        let modes = modes.ok_or_else(|| PyRuntimeError::new_err("the eigenvalues cannot be found"))?;
        let table = |mode: &windlass_analysis::Mode| {
            let table = PyDict::new(py);
            table.set_item("kind", word(mode.kind))?;
            table.set_item("frequency", mode.frequency)?;
            table.set_item("damping_ratio", mode.damping_ratio)?;
            table.set_item("decay", mode.decay)?;
            table.set_item("eigenvalue", (mode.eigenvalue[0], mode.eigenvalue[1]))?;
            let shapes = mode.shape.iter().map(|shape| {
                let parts = [shape.displacement, shape.rotation];
                let parts = parts.map(|[re, im]| (re.to_array(), im.to_array()));
                (shape.body.clone(), parts, shape.energy)
            });
            table.set_item("shape", shapes.collect::<Vec<_>>())?;
            Ok(table)
        };
        modes.iter().map(table).collect()
    }
}

/// The word for a kind of mode.
fn word(kind: ModeKind) -> &'static str {
    match kind {
        ModeKind::RigidBody => "rigid body",
        ModeKind::Oscillating => "oscillating",
        ModeKind::Decaying => "decaying",
        ModeKind::Alternating => "alternating",
        ModeKind::EndsWithinStep => "ends within a step",
    }
}

/// A static equilibrium near the state of a machine, by moving its coordinates and the free inputs. Ctrl-C
/// ends the search.
#[pyfunction]
pub fn find_equilibrium<'py>(
    py: Python<'py>,
    machine: &Machine,
    free_inputs: Vec<String>,
) -> PyResult<Bound<'py, PyDict>> {
    let inputs: Vec<&str> = free_inputs.iter().map(String::as_str).collect();
    let found =
        interruptible(py, |is_interrupted| equilibrium_until(&machine.host, &inputs, is_interrupted))?;
    let found = found.map_err(|e| of(py, e))?;
    let table = PyDict::new(py);
    let values = found.coordinates.iter().map(|(coordinate, value)| (coordinate.name.clone(), *value));
    table.set_item("coordinates", values.collect::<Vec<_>>())?;
    table.set_item("inputs", found.inputs)?;
    table.set_item("indifferent", found.indifferent)?;
    table.set_item("residual", found.residual)?;
    table.set_item("converged", found.converged)?;
    table.set_item("state", State { state: found.state })?;
    Ok(table)
}

/// Fits parameters of a scene to measured columns.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "scene, data and parameters")]
pub fn fit_parameters<'py>(
    py: Python<'py>,
    path: Option<PathBuf>,
    text: Option<(String, String)>,
    set: Vec<(String, String)>,
    times: Vec<f64>,
    measures: Vec<(String, Vec<f64>)>,
    inputs: Vec<(String, Vec<f64>)>,
    parameters: Vec<String>,
) -> PyResult<Bound<'py, PyDict>> {
    let set = overrides(set);
    let open = |more: &[Override]| {
        let all: Vec<_> = set.iter().chain(more).cloned().collect();
        match (&path, &text) {
            (Some(path), _) => HostMachine::open(path.as_path(), &all),
            (None, Some((text, name))) => {
                HostMachine::open(SceneSource::Text(text, name, Arc::new(Folder::of(name))), &all)
            }
            (None, None) => HostMachine::open(SceneSource::text("", "scene.toml"), &all),
        }
    };
    let experiment = Experiment {
        times,
        measures: measures.into_iter().map(|(probe, values)| Measure { probe, values }).collect(),
        drives: inputs.into_iter().map(|(input, values)| DrivenInput { input, values }).collect(),
    };
    let parameters =
        parameters.iter().map(|text| text.parse()).collect::<Result<Vec<_>, _>>().map_err(error::value)?;
    let found = interruptible(py, |is_interrupted| fit(&open, &experiment, &parameters, is_interrupted))?;
    let found = found.map_err(|e| match e {
        FitError::Scene(errors) => error::scene(py, &errors),
        FitError::Fault(fault) => error::fault(py, &fault),
        FitError::Probes(errors) => error::probes(&errors),
        other => error::value(other),
    })?;
    let table = PyDict::new(py);
    let estimates = found.estimates.iter().map(|e| {
        (
            e.key.clone(),
            e.unit.clone(),
            e.value,
            e.deviation,
            e.interval.map(|[low, high]| (low, high)),
            e.at_bound,
        )
    });
    table.set_item("estimates", estimates.collect::<Vec<_>>())?;
    let groups = found.indistinct.iter().map(|group| (group.keys.clone(), group.direction.clone()));
    table.set_item("indistinct", groups.collect::<Vec<_>>())?;
    table.set_item("rms", found.rms)?;
    table.set_item("correlation", found.correlation)?;
    table.set_item("iterations", found.iterations)?;
    table.set_item("converged", found.converged)?;
    Ok(table)
}
