//! Many worlds of one scene. Arrays come and go as flat lists of numbers; the package gives them their shapes.

use crate::error;
use crate::machine::Machine;
use crate::signals::{detached, guarded, interruptible};
use crate::state::State;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyOSError};
use pyo3::prelude::*;
use windlass_batch::{Batch as Host, BatchError, Binding};
use windlass_host::machine::StepFailure;

/// An error of a batch.
fn of(py: Python<'_>, e: BatchError) -> PyErr {
    match &e {
        BatchError::Scene(number, errors) => {
            let error = error::scene(py, errors);
            match error.value(py).setattr("world", *number) {
                Ok(()) => error,
                Err(other) => other,
            }
        }
        BatchError::Probes(errors) => error::probes(errors),
        BatchError::NoMember(..) => PyIndexError::new_err(e.to_string()),
        BatchError::Threads(_) => PyOSError::new_err(e.to_string()),
        _ => error::value(e),
    }
}

/// Many worlds of one scene.
#[pyclass(module = "windlass._core", subclass)]
pub struct Batch {
    host: Host,
    bindings: Vec<Binding>,
    /// Numbers on their way between arrays and worlds.
    buffer: Vec<f64>,
}

#[pymethods]
impl Batch {
    /// Worlds at the present state of a machine.
    #[new]
    #[pyo3(signature = (machine, n, threads=0))]
    fn new(py: Python<'_>, machine: &Machine, n: usize, threads: usize) -> PyResult<Batch> {
        let host = detached(py, || Host::new(&machine.host, n, threads))?.map_err(|e| of(py, e))?;
        Ok(Batch { host, bindings: Vec::new(), buffer: Vec::new() })
    }

    fn __len__(&self) -> usize {
        self.host.len()
    }

    /// How many threads it uses.
    #[getter]
    fn threads(&self) -> usize {
        self.host.threads()
    }

    /// Length of a step [s].
    #[getter]
    fn dt(&self) -> f64 {
        self.host.start().dt()
    }

    /// Adds a group of probes; returns its number, and name and unit of each column.
    fn add_binding(
        &mut self,
        py: Python<'_>,
        probes: Vec<String>,
    ) -> PyResult<(usize, Vec<(String, &'static str)>)> {
        let host = &mut self.host;
        let binding = detached(py, || host.bind(&probes))?.map_err(|e| of(py, e))?;
        let columns = binding.columns.clone();
        self.bindings.push(binding);
        Ok((self.bindings.len() - 1, columns))
    }

    /// Copies the readings of a group into an array.
    fn read_into(&mut self, py: Python<'_>, binding: usize, into: &Bound<'_, PyArray1<f64>>) -> PyResult<()> {
        let group = self.bindings.get(binding).ok_or_else(|| error::value("no such group"))?;
        let mut into = into.try_readwrite().map_err(error::value)?;
        let into = into.as_slice_mut().map_err(error::value)?;
        self.host.read(group, into).map_err(|e| of(py, e))
    }

    /// Takes steps with inputs, all of the worlds or the selected ones.
    #[pyo3(signature = (steps, inputs, selected=None))]
    fn advance(
        &mut self,
        py: Python<'_>,
        steps: u64,
        inputs: PyReadonlyArray1<'_, f64>,
        selected: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<()> {
        self.host.set_inputs(inputs.as_slice()?).map_err(|e| of(py, e))?;
        let selected = match &selected {
            Some(mask) => Some(mask.as_slice()?.to_vec()),
            None => None,
        };
        let host = &mut self.host;
        detached(py, || host.step(steps, selected.as_deref()))?.map_err(|e| of(py, e))
    }

    /// Takes `count` times `steps` steps with inputs of their own; returns the readings of each group.
    fn roll(
        &mut self,
        py: Python<'_>,
        inputs: PyReadonlyArray1<'_, f64>,
        count: usize,
        steps: u64,
    ) -> PyResult<Vec<Py<PyArray1<f64>>>> {
        let inputs = inputs.as_slice()?;
        self.buffer.clear();
        self.buffer.extend_from_slice(inputs);
        let (host, targets) = (&mut self.host, &self.buffer);
        let rollout = detached(py, || host.rollout(targets, count, steps))?.map_err(|e| of(py, e))?;
        let width = rollout.rows.first().map_or(0, Vec::len) / count.max(1);
        let group = |binding: &Binding| {
            let own = binding.width();
            let mut numbers = vec![0.0; rollout.rows.len() * count * own];
            let rows = rollout.rows.iter().flat_map(|rows| rows.chunks_exact(width.max(1)));
            for (row, into) in rows.zip(numbers.chunks_exact_mut(own.max(1))) {
                binding.copy(row, into);
            }
            PyArray1::from_vec(py, numbers).unbind()
        };
        Ok(self.bindings.iter().map(group).collect())
    }

    /// Gives worlds values of their own of a key, from their next reset on; none is the scene's.
    fn set_values(&mut self, py: Python<'_>, key: &str, values: Vec<Option<String>>) -> PyResult<()> {
        self.host.expand(key, values).map_err(|e| of(py, e))
    }

    /// Brings worlds back to their start. Ctrl-C ends it before a scene that has to be built.
    #[pyo3(signature = (selected=None))]
    fn restart(&mut self, py: Python<'_>, selected: Option<PyReadonlyArray1<'_, bool>>) -> PyResult<()> {
        let selected = match &selected {
            Some(mask) => Some(mask.as_slice()?.to_vec()),
            None => None,
        };
        let host = &mut self.host;
        interruptible(py, |is_interrupted| host.reset(selected.as_deref(), is_interrupted))?
            .map_err(|e| of(py, e))
    }

    /// The fault at which a world stopped: body, joint, time, step and text; none if there was none.
    fn fault(&self, number: usize) -> Option<(String, Option<String>, f64, u64, String)> {
        let fault = self.host.fault(number)?;
        let body = fault.part.clone().unwrap_or_else(|| fault.body.clone());
        Some((body, fault.joint.clone(), fault.time, fault.step, fault.to_string()))
    }

    /// Of every world 0 if it runs, 1 if it stopped at a fault, 2 if the engine failed in it.
    fn statuses(&self) -> Vec<u8> {
        let of = |number| match self.host.failure(number) {
            None => 0,
            Some(StepFailure::Fault(_)) => 1,
            Some(StepFailure::Panic) => 2,
        };
        (0..self.host.len()).map(of).collect()
    }

    /// Makes a machine a copy of a world.
    fn copy_world(&self, py: Python<'_>, number: usize, machine: &mut Machine) -> PyResult<()> {
        *machine = Machine::of(guarded(|| self.host.member(number))?.map_err(|e| of(py, e))?);
        Ok(())
    }

    /// The states of all worlds.
    fn states(&self) -> Vec<State> {
        self.host.states().into_iter().map(|state| State { state }).collect()
    }

    /// Sets the state of a world.
    fn restore(&mut self, py: Python<'_>, number: usize, state: &State) -> PyResult<()> {
        guarded(|| self.host.restore(number, &state.state))?.map_err(|e| of(py, e))
    }
}
