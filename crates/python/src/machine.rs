//! One simulation.

use crate::error;
use crate::log::Log;
use crate::picture;
use crate::signals::{ATTENTION, detached, guarded, internal};
use crate::state::State;
use crate::threads::in_this_process;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyKeyError, PyOSError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use windlass_host::machine::{Changed, StepFailure};
use windlass_host::probe::quoted;
use windlass_host::run::step_count;
use windlass_host::{Command, Machine as Host, Outputs, SceneSource};
use windlass_record::Recorder;
use windlass_scene::control::Control;
use windlass_scene::files::Folder;
use windlass_scene::{LogicItem, Move, Override};

/// Name and unit of each column.
type Columns = Vec<(String, &'static str)>;
/// The same, and whether each is a statically indeterminate reaction.
type LogColumns = Vec<(String, &'static str, bool)>;

/// Overrides from keys and the texts of values.
pub fn overrides(pairs: Vec<(String, String)>) -> Vec<Override> {
    pairs.into_iter().map(|(key, value)| Override { key, value }).collect()
}

/// What a loop of steps ended with.
enum Stop {
    Done,
    Attention,
    Failed(StepFailure),
    Unrecorded(windlass_record::Error),
}

/// A scene and its running world.
#[pyclass(module = "windlass._core", subclass)]
pub struct Machine {
    pub(crate) host: Host,
    /// Probes that have been compiled, by their texts.
    compiled: BTreeMap<Vec<String>, Outputs>,
    recorder: Option<(PathBuf, Recorder)>,
}

impl Machine {
    /// Around a machine of the host.
    pub fn of(host: Host) -> Machine {
        Machine { host, compiled: BTreeMap::new(), recorder: None }
    }

    /// Takes steps until they are taken, something fails, or the interpreter is due.
    fn some_steps(&mut self, left: &mut u64, each: &mut (dyn FnMut(&mut Host) + Send)) -> Stop {
        let begun = Instant::now();
        while *left > 0 {
            if let Err(failure) = self.host.step_guarded() {
                return Stop::Failed(failure);
            }
            *left -= 1;
            each(&mut self.host);
            if let Some((_, recorder)) = &mut self.recorder
                && let Err(e) = recorder.step(self.host.world())
            {
                return Stop::Unrecorded(e);
            }
            if *left > 0 && begun.elapsed() > ATTENTION {
                return Stop::Attention;
            }
        }
        Stop::Done
    }

    /// Takes steps without the interpreter, which handles signals in between.
    fn steps(
        &mut self,
        py: Python<'_>,
        steps: u64,
        each: &mut (dyn FnMut(&mut Host) + Send),
    ) -> PyResult<()> {
        let mut left = steps;
        loop {
            match detached(py, || self.some_steps(&mut left, each))? {
                Stop::Done => return Ok(()),
                Stop::Attention => py.check_signals()?,
                Stop::Failed(StepFailure::Fault(fault)) => return Err(error::fault(py, &fault)),
                Stop::Failed(StepFailure::Panic) => return Err(internal()),
                Stop::Unrecorded(e) => return Err(error::recording(&e)),
            }
        }
    }

    fn number_of_steps(&self, seconds: f64) -> PyResult<u64> {
        if !(0.0..1e10).contains(&seconds) {
            return Err(error::value(format!("{seconds} s: give 0 s to 1e10 s")));
        }
        Ok(if seconds > 0.0 { step_count(seconds, self.host.dt()) } else { 0 })
    }

    fn find_input(&self, name: &str) -> PyResult<usize> {
        self.host.input(name).ok_or_else(|| {
            let names: Vec<_> = self.host.inputs().iter().map(|control| control.name.as_str()).collect();
            PyKeyError::new_err(format!("no input \"{name}\": the inputs are {}", names.join(", ")))
        })
    }

    fn control(&self, name: &str) -> PyResult<&Control> {
        Ok(&self.host.inputs()[self.find_input(name)?])
    }

    /// Compiles probes once and reads them.
    fn numbers(&mut self, texts: &Vec<String>) -> PyResult<(&Outputs, Vec<f64>)> {
        if !self.compiled.contains_key(texts) {
            let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
            let outputs = self.host.outputs(&borrowed).map_err(|e| error::probes(&e))?;
            self.compiled.insert(texts.clone(), outputs);
        }
        let outputs = &self.compiled[texts];
        let mut numbers = vec![f64::NAN; outputs.len()];
        let host = &mut self.host;
        guarded(|| in_this_process(|| host.read(outputs, &mut numbers)))?;
        Ok((outputs, numbers))
    }

    fn no_recording(&self, what: &str) -> PyResult<()> {
        match &self.recorder {
            None => Ok(()),
            Some((path, _)) => Err(error::value(format!(
                "{what} is not possible while {} is recorded: call stop_recording() first",
                path.display()
            ))),
        }
    }
}

#[pymethods]
impl Machine {
    /// Reads and builds the scene of a file, or a text with its name.
    #[new]
    #[pyo3(signature = (path=None, text=None, overrides=Vec::new()))]
    fn new(
        py: Python<'_>,
        path: Option<PathBuf>,
        text: Option<(String, String)>,
        overrides: Vec<(String, String)>,
    ) -> PyResult<Machine> {
        let set = self::overrides(overrides);
        let opened = match (&path, &text) {
            (Some(path), None) => detached(py, || Host::open(path.as_path(), &set)),
            (None, Some((text, name))) => {
                detached(py, || Host::open(SceneSource::Text(text, name, Arc::new(Folder::of(name))), &set))
            }
            _ => return Err(error::value("give the path of a scene or a text with its name")),
        };
        opened?.map(Machine::of).map_err(|e| error::scene(py, &e))
    }

    /// Takes steps.
    #[pyo3(signature = (n=1))]
    fn step(&mut self, py: Python<'_>, n: u64) -> PyResult<()> {
        self.steps(py, n, &mut |_| {})
    }

    /// Takes the steps of a duration [s].
    fn advance(&mut self, py: Python<'_>, seconds: f64) -> PyResult<()> {
        let steps = self.number_of_steps(seconds)?;
        self.steps(py, steps, &mut |_| {})
    }

    /// Takes the steps of a duration and reads probes: columns, rows, and the exception that ended the run.
    #[pyo3(signature = (seconds, probes, every=None))]
    fn log<'py>(
        &mut self,
        py: Python<'py>,
        seconds: f64,
        probes: Vec<String>,
        every: Option<f64>,
    ) -> PyResult<(LogColumns, Bound<'py, PyArray2<f64>>, Option<PyErr>)> {
        if every.is_some_and(|every| !(every > 0.0)) {
            return Err(error::value("`every` is a time above 0 s"));
        }
        let steps = self.number_of_steps(seconds)?;
        let built = self.host.built();
        let outputs = Outputs::of_scene(&probes, built, &built.world).map_err(|e| error::probes(&e))?;
        let mut log = Log::new(outputs, every, self.host.time());
        guarded(|| log.take(&mut self.host))?;
        let ended = self.steps(py, steps, &mut |host| log.take(host)).err();
        let width = log.outputs.len();
        let columns = log.columns();
        let rows = log.rows.len() / width;
        let table = PyArray1::from_vec(py, log.rows).reshape([rows, width])?;
        Ok((columns, table, ended))
    }

    /// The numbers of probes at the present instant, with name and unit of each.
    fn probe<'py>(
        &mut self,
        py: Python<'py>,
        probes: Vec<String>,
    ) -> PyResult<(Columns, Bound<'py, PyArray1<f64>>)> {
        let (outputs, numbers) = self.numbers(&probes)?;
        let columns = outputs.columns().iter().map(|column| (column.name.clone(), column.unit)).collect();
        Ok((columns, PyArray1::from_vec(py, numbers)))
    }

    /// The numbers of probes at the present instant.
    fn values<'py>(&mut self, py: Python<'py>, probes: Vec<String>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (_, numbers) = self.numbers(&probes)?;
        Ok(PyArray1::from_vec(py, numbers))
    }

    /// A vector of every body at the present instant: positions, velocities and the like.
    fn of_bodies<'py>(&mut self, py: Python<'py>, quantity: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let bodies = self.host.built().bodies.len();
        if bodies == 0 {
            return Ok(PyArray2::zeros(py, [0, if quantity == "orientation" { 4 } else { 3 }], false));
        }
        let key = vec![format!("all bodies: {quantity}")];
        if !self.compiled.contains_key(&key) {
            let names = self.names("bodies")?;
            let texts: Vec<_> =
                names.iter().map(|name| format!("bodies.{}.{quantity}", quoted(name))).collect();
            let outputs = Outputs::parse(&texts, self.host.world()).map_err(|e| error::probes(&e))?;
            self.compiled.insert(key.clone(), outputs);
        }
        let (_, numbers) = self.numbers(&key)?;
        let width = numbers.len() / bodies;
        PyArray1::from_vec(py, numbers).reshape([bodies, width])
    }

    /// Names of the items of a section: bodies, joints, forces, inputs, probes, controllers.
    fn names(&self, section: &str) -> PyResult<Vec<String>> {
        let built = self.host.built();
        let model = built.world.model();
        Ok(match section {
            "bodies" => {
                let name = |id| model.bodies().get(id).map(|body| body.name.clone());
                built.bodies.iter().filter_map(|id| name(*id)).collect()
            }
            "joints" => {
                let name = |id| model.joints().get(id).map(|joint| joint.name.clone());
                built.joints.iter().filter_map(|id| name(*id)).collect()
            }
            "inputs" => self.host.inputs().iter().map(|control| control.name.clone()).collect(),
            "probes" => built.probes.iter().map(|(name, _)| name.clone()).collect(),
            "controllers" => self.host.logic_items().into_iter().map(|item| item.name).collect(),
            _ => return Err(error::value(format!("no section \"{section}\""))),
        })
    }

    /// What the last `set` means for running ropes and cables, where that is not only what the text says.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.host.notes().to_vec()
    }

    /// Simulated time [s].
    #[getter]
    fn time(&self) -> f64 {
        self.host.time()
    }

    /// Length of a step [s].
    #[getter]
    fn dt(&self) -> f64 {
        self.host.dt()
    }

    /// Steps taken.
    #[getter]
    fn step_count(&self) -> u64 {
        self.host.step_count()
    }

    /// Duration of a run that the scene specifies [s].
    #[getter]
    fn duration(&self) -> f64 {
        self.host.seconds()
    }

    /// The text of the scene.
    #[getter]
    fn text(&self) -> String {
        self.host.text().to_string()
    }

    /// The name of the scene's file.
    #[getter]
    fn file(&self) -> String {
        self.host.scene().file.clone()
    }

    /// The scene with everything expanded, as text.
    fn expanded_text(&self) -> String {
        self.host.scene().to_toml()
    }

    /// Keys and texts of the values by which the text of the scene is overridden or was edited.
    fn overrides(&self) -> Vec<(String, String)> {
        self.host.overrides().iter().map(|o| (o.key.clone(), o.value.clone())).collect()
    }

    /// Unit, range, initial value and rate limit of an input.
    #[expect(clippy::type_complexity, reason = "plain values for the package")]
    fn input_properties(&self, name: &str) -> PyResult<(String, (f64, f64), f64, Option<f64>)> {
        let control = self.control(name)?;
        Ok((control.unit.clone(), (control.low, control.high), control.rest, control.rate))
    }

    /// Target and actual value of an input, and whether it is held.
    fn input_state(&self, name: &str) -> PyResult<(f64, f64, bool)> {
        let control = self.control(name)?;
        let state = control.id.and_then(|id| self.host.world().input(id));
        let state = state.ok_or_else(|| PyKeyError::new_err(name.to_string()))?;
        Ok((state.target, state.actual, state.held))
    }

    /// The value of a text with a unit, in the unit of an input.
    fn input_value(&self, name: &str, text: &str) -> PyResult<f64> {
        self.control(name)?.value(text).map_err(error::value)
    }

    /// Moves an input; none releases it.
    fn set_input(&mut self, name: &str, value: Option<f64>) -> PyResult<()> {
        if value.is_some_and(f64::is_nan) {
            return Err(PyValueError::new_err(format!(
                "input \"{name}\": NaN is not a value; None releases it"
            )));
        }
        let input = self.find_input(name)?;
        let control = &self.host.inputs()[input];
        let moved = Move { input: name.to_string(), to: value.map(|v| v.clamp(control.low, control.high)) };
        if let Some((_, recorder)) = &mut self.recorder {
            recorder.command(&moved.input, &moved.value()).map_err(|e| error::recording(&e))?;
        }
        self.host.set_input(input, moved.to).map_err(error::value)
    }

    /// Switches a controller or rule on or off.
    fn switch(&mut self, name: &str, on: bool) -> PyResult<()> {
        let number = LogicItem::find(self.host.world(), name)
            .ok_or_else(|| PyKeyError::new_err(format!("no controller or rule \"{name}\"")))?;
        if let Some((_, recorder)) = &mut self.recorder {
            let text = windlass_host::logic::switch_text(on);
            recorder.command(name, text).map_err(|e| error::recording(&e))?;
        }
        self.host.apply(&Command::Switch(number, on)).map_err(error::value)
    }

    /// Changes a value of the scene while it runs. Returns whether the run continues: false if it starts again.
    fn change(&mut self, py: Python<'_>, key: String, value: String) -> PyResult<bool> {
        // what would start the run again is rejected before anything is changed or recorded
        let mut trial = self.host.fork();
        let edit = [Override { key: key.clone(), value: value.clone() }];
        let changed = detached(py, || trial.edit(&edit))?.map_err(|e| error::scene(py, &e))?;
        if let Some((_, recorder)) = &mut self.recorder {
            if changed == Changed::Restarted && self.host.step_count() > 0 {
                self.no_recording("a change that starts the run again")?;
            } else {
                let world = self.host.world();
                recorder.edit(world, &key, &value).map_err(|e| error::recording(&e))?;
            }
        }
        self.host = trial;
        self.compiled.clear();
        Ok(changed != Changed::Restarted)
    }

    /// A copy of the state.
    fn save(&self) -> State {
        State { state: self.host.save() }
    }

    /// Sets a state of this model.
    fn restore(&mut self, state: &State) -> PyResult<()> {
        self.no_recording("setting a state")?;
        guarded(|| self.host.restore(&state.state))?.map_err(error::value)
    }

    /// Builds the scene again, at its start.
    fn restart(&mut self, py: Python<'_>) -> PyResult<()> {
        self.no_recording("a restart")?;
        // bodies may be numbered in another way than in a run that was edited
        self.compiled.clear();
        let host = &mut self.host;
        detached(py, || host.restart())?.map_err(|e| error::scene(py, &e))
    }

    /// Makes this machine a fork of another: the same model, and a copy of its state.
    fn become_fork(&mut self, other: &Machine) {
        (self.host, self.compiled, self.recorder) = (other.host.fork(), other.compiled.clone(), None);
    }

    /// Begins a recording of the present state and every step from now on.
    #[pyo3(signature = (path, replace=false))]
    fn start_recording(&mut self, path: PathBuf, replace: bool) -> PyResult<()> {
        self.no_recording("a second recording")?;
        if self.host.is_edited() {
            return Err(error::value(
                "the scene was changed while it ran: start the recording before the change, or load the scene with set={…}",
            ));
        }
        let header = self.host.header().map_err(|e| error::recording(&e))?;
        let world = self.host.world();
        let begun = match replace {
            true => Recorder::replace(&path, &header, world),
            false => Recorder::create(&path, &header, world),
        };
        self.recorder = Some((path, begun.map_err(|e| error::recording(&e))?));
        Ok(())
    }

    /// Completes the recording. Without one nothing happens.
    fn stop_recording(&mut self) -> PyResult<()> {
        let Some((path, recorder)) = self.recorder.take() else { return Ok(()) };
        let tally = recorder.finish().map_err(|e| error::recording(&e))?;
        if tally.lost > 0 {
            let message = format!("{}: {} frames could not be recorded", path.display(), tally.lost);
            return Err(PyOSError::new_err(message));
        }
        Ok(())
    }

    /// Adds a force that panics once a body is faster than a limit [m/s], for tests.
    #[cfg(debug_assertions)]
    fn _set_trap(&mut self, body: &str, speed: f64) -> PyResult<()> {
        crate::trap::set(&mut self.host, body, speed).map_err(error::value)
    }

    /// A drawing of the present instant as SVG.
    #[pyo3(signature = (camera=None, size=(960.0, 640.0)))]
    fn svg(&self, camera: Option<&str>, size: (f64, f64)) -> PyResult<String> {
        guarded(|| picture::still(&self.host, camera, size))?
    }
}
