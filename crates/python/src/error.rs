//! Errors of the library → exceptions with the same texts and their parts as attributes.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError, PyValueError};
use pyo3::prelude::*;
use windlass_scene::{Cause, Errors};

create_exception!(
    windlass,
    SceneError,
    PyValueError,
    "A scene with errors.\n\n`problems` has a tuple (file, line, column, message, help) for each."
);
create_exception!(windlass, ProbeError, PyValueError, "A text that is not a probe of the scene.");
create_exception!(
    windlass,
    Fault,
    PyException,
    "The simulation stopped: the state is the last valid one.\n\n`body`, `joint`, `time` [s] and `step` say where and when."
);

/// All errors of a scene.
pub fn scene(py: Python<'_>, errors: &Errors) -> PyErr {
    if errors.cause == Cause::File {
        return PyOSError::new_err(errors.to_string());
    }
    let list = errors.problems.iter().map(|problem| {
        let (line, column) = errors.place(problem);
        let file = errors.source(problem).map_or(&errors.file, |(source, _)| &source.name);
        (file.clone(), line, column, problem.message.clone(), problem.help.clone())
    });
    let error = SceneError::new_err(errors.to_string());
    with(py, error, "problems", list.collect::<Vec<_>>())
}

/// A fault of a simulation.
pub fn fault(py: Python<'_>, fault: &windlass_engine::prelude::Fault) -> PyErr {
    let error = Fault::new_err(fault.to_string());
    let body = fault.part.clone().unwrap_or_else(|| fault.body.clone());
    let error = with(py, error, "body", body);
    let error = with(py, error, "joint", fault.joint.clone());
    let error = with(py, error, "time", fault.time);
    with(py, error, "step", fault.step)
}

/// All texts that are not probes.
pub fn probes(errors: &[windlass_host::ProbeError]) -> PyErr {
    let texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
    ProbeError::new_err(texts.join("\n"))
}

/// Anything that names its remedy in its text.
pub fn value(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An error of a recording.
pub fn recording(error: &windlass_record::Error) -> PyErr {
    use windlass_record::Error;
    match error {
        Error::File { .. } | Error::Exists(_) | Error::Busy(_) | Error::NotAFile(_) => {
            PyOSError::new_err(error.to_string())
        }
        _ => value(error),
    }
}

/// The exception with an attribute, or what went wrong in setting it.
fn with<'py>(py: Python<'py>, error: PyErr, name: &str, value: impl IntoPyObject<'py>) -> PyErr {
    match error.value(py).setattr(name, value) {
        Ok(()) => error,
        Err(other) => other,
    }
}
