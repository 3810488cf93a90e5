//! Sweeps: a prepared sweep, and its rows as lines of a table.

use crate::error;
use crate::machine::overrides;
use crate::signals::{detached, interruptible};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use windlass_scene::files::Folder;
use windlass_sweep::{Description, Halt, SceneText, Sweep as Host, SweepErrors};

fn of(py: Python<'_>, errors: &SweepErrors) -> PyErr {
    match errors {
        SweepErrors::Scene(errors) => error::scene(py, errors),
        SweepErrors::Probes(errors) => error::probes(errors),
        SweepErrors::Entries(_) => error::value(errors),
    }
}

/// A sweep whose description is valid. Rows depend on it and their index alone.
#[pyclass(module = "windlass._core", frozen)]
pub struct Sweep {
    host: Host,
}

#[pymethods]
impl Sweep {
    /// Checks a description: a scene as a file or a text with its name, entries to vary, and measures.
    #[new]
    #[pyo3(signature = (path, text, set, vary, measure, samples=None, method="random", seed=0, duration=None))]
    #[expect(clippy::too_many_arguments, reason = "the entries of a description")]
    fn new(
        py: Python<'_>,
        path: Option<PathBuf>,
        text: Option<(String, String)>,
        set: Vec<(String, String)>,
        vary: Vec<String>,
        measure: Vec<String>,
        samples: Option<u64>,
        method: &str,
        seed: u64,
        duration: Option<f64>,
    ) -> PyResult<Sweep> {
        let set = overrides(set);
        let scene = match (path, text) {
            (Some(path), None) => SceneText::read(&path, &set).map_err(|e| error::scene(py, &e))?,
            (None, Some((text, name))) => {
                let files = Arc::new(Folder::of(&name));
                SceneText { files, ..SceneText::new(name, text) }
            }
            _ => return Err(error::value("give the path of a scene or a text with its name")),
        };
        let entry = |e: windlass_sweep::SweepError| error::value(e);
        let description = Description {
            overrides: set,
            vary: vary.iter().map(|text| text.parse()).collect::<Result<_, _>>().map_err(entry)?,
            samples,
            method: method.parse().map_err(entry)?,
            seed,
            measures: measure.iter().map(|text| text.parse()).collect::<Result<_, _>>().map_err(entry)?,
            duration,
            ..Description::new(scene)
        };
        let host = detached(py, || Host::new(description))?.map_err(|e| of(py, &e))?;
        Ok(Sweep { host })
    }

    fn __len__(&self) -> usize {
        self.host.len() as usize
    }

    /// The first lines of the table.
    fn header(&self) -> String {
        self.host.header().lines()
    }

    /// Name and unit of the columns of values, and of measures.
    #[expect(clippy::type_complexity, reason = "two lists of columns")]
    fn columns(&self) -> (Vec<(String, String)>, Vec<(String, String)>) {
        let pairs = |list: &[windlass_sweep::Column]| {
            list.iter().map(|column| (column.name.clone(), column.unit.clone())).collect()
        };
        let (varied, measured) = self.host.columns();
        (pairs(varied), pairs(measured))
    }

    /// The lines of rows, computed by threads of the library. Ctrl-C ends it.
    #[pyo3(signature = (start, stop, jobs=1))]
    fn lines(&self, py: Python<'_>, start: u64, stop: u64, jobs: usize) -> PyResult<String> {
        let (text, computed) = interruptible(py, |is_interrupted| {
            let mut text = String::new();
            let computed = self.host.rows(start..stop, jobs, is_interrupted, &mut |row| {
                text.push_str(&row.line());
                Ok(())
            });
            (text, computed)
        })?;
        match computed {
            Ok(()) => Ok(text),
            Err(Halt::Sweep(e)) => Err(of(py, &e)),
            Err(Halt::Sink(e)) => Err(PyOSError::new_err(e.to_string())),
            Err(stopped @ Halt::Stopped) => Err(PyRuntimeError::new_err(stopped.to_string())),
        }
    }
}
