//! A snapshot of a simulation.

use crate::error;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use windlass_engine::prelude::State as EngineState;

/// A complete state of a simulation. It can be compared, hashed, pickled and set again, bit for bit.
#[pyclass(module = "windlass", frozen)]
pub struct State {
    pub(crate) state: EngineState,
}

#[pymethods]
impl State {
    /// A state from its bytes.
    #[new]
    fn new(bytes: &[u8]) -> PyResult<State> {
        EngineState::from_bytes(bytes).map(|state| State { state }).map_err(error::value)
    }

    /// Simulated time [s].
    #[getter]
    fn time(&self) -> f64 {
        self.state.time
    }

    /// Steps taken.
    #[getter]
    fn step_count(&self) -> u64 {
        self.state.step
    }

    /// The hash that `windlass run` prints, in 16 hexadecimal digits.
    #[getter]
    fn digest(&self) -> String {
        format!("{:016x}", self.state.hash())
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.state.to_bytes())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (Bound<'py, PyBytes>,)) {
        let bytes = slf.get().__bytes__(slf.py());
        (slf.get_type().into_any(), (bytes,))
    }

    fn __eq__(&self, other: &State) -> bool {
        self.state.to_bytes() == other.state.to_bytes()
    }

    fn __hash__(&self) -> u64 {
        self.state.hash()
    }

    fn __repr__(&self) -> String {
        format!(
            "State(time={:?}, step_count={}, digest='{}')",
            self.state.time,
            self.state.step,
            self.digest()
        )
    }
}
