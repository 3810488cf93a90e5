//! A scene and its running world: open, move inputs, step, read outputs, save, restore, fork.
//!
//! An interactive machine can also be dragged by two handles, and its scene can be edited while it runs. Every user
//! action between two steps is a [`Command`]. Only commands and steps change such a machine, so a state, the commands
//! after it and the number of steps reproduce every later state bit for bit. `history.rs` keeps them.
//!
//! An edited text is applied to the running world where that is possible. Such a world numbers its bodies and joints
//! differently from one built from the text. A machine therefore stores its [`Origin`], the chain of texts and states
//! it came from, and an equal machine can be made at any time: for a branch of another text, for a comparison or for an
//! export.

use crate::drag::{Drag, Drags, HANDS};
use crate::logic::Logic;
use crate::probe::{Outputs, ProbeError, contacts_started};
use crate::replay;
use crate::run::{Observer, Plan, RunResult, Supervisor, run_watched};
use crate::step::Step;
use crate::watch::Watch;
use glam::DVec3;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;
use windlass_engine::prelude::{EditError, Fault, InputId, Report, State, World};
use windlass_record::Header;
use windlass_scene::control::MoveError;
use windlass_scene::files::{Files, NoFolder};
use windlass_scene::{
    AppliedChange, Built, Control, Errors, LogicItem, Override, Scene, parse_with, read_with,
};

/// Largest number of edited texts of one run, each of which is kept: about a minute of moving the slider of a mass.
const MOST_CHANGES: usize = 200;

/// The source of a scene text.
#[derive(Clone, Debug)]
pub enum SceneSource<'a> {
    /// A file, with the files it names beside it.
    File(&'a Path),
    /// A text, its name in messages, and the files it names.
    Text(&'a str, &'a str, Arc<dyn Files>),
}

impl<'a> SceneSource<'a> {
    /// A text that names no other files, and its name in messages.
    pub fn text(text: &'a str, name: &'a str) -> SceneSource<'a> {
        SceneSource::Text(text, name, Arc::new(NoFolder))
    }
}

impl<'a> From<&'a Path> for SceneSource<'a> {
    fn from(path: &'a Path) -> SceneSource<'a> {
        SceneSource::File(path)
    }
}

/// A user action between two steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Moves an input; none releases it.
    SetInput(InputId, Option<f64>),
    /// Switches a controller or rule, by its number among `logic_items`, on or off.
    Switch(usize, bool),
    /// Attaches one of the handles to a body or cable.
    Grab(usize, Drag),
    /// Moves the target of a handle to a point of the world [m].
    Drag(usize, DVec3),
    /// Releases a handle.
    Release(usize),
}

/// A complete state, and what the handles hold in it.
#[derive(Debug, PartialEq)]
pub struct Keyframe {
    /// Steps taken.
    pub step: u64,
    /// [s]
    pub time: f64,
    /// Commands applied since the machine was built.
    pub commands: usize,
    bytes: Vec<u8>,
    drags: [Option<Drag>; HANDS],
}

impl Keyframe {
    /// Memory it takes [bytes].
    pub fn size(&self) -> usize {
        self.bytes.len() + size_of::<Keyframe>()
    }
}

/// Reasons why a step was not taken.
#[derive(Clone, Debug, Error)]
pub enum StepFailure {
    /// A fault; the state is that of the last valid step.
    #[error("{0}")]
    Fault(Box<Fault>),
    /// The engine panicked. The state of the world is unknown: it must be built again.
    #[error("internal error in the engine (a bug in Windlass)")]
    Panic,
}

/// Reasons why a machine cannot be made or brought to a state.
#[derive(Debug, Error)]
pub enum MachineError {
    /// The scene cannot be built.
    #[error("{0}")]
    Scene(Box<Errors>),
    /// The bytes of a keyframe are not a valid state.
    #[error("{0}")]
    State(Box<dyn std::error::Error + Send + Sync>),
    /// The state or an edit does not fit the model.
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl From<Errors> for MachineError {
    fn from(errors: Errors) -> MachineError {
        MachineError::Scene(Box::new(errors))
    }
}

/// The effect of an edited text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Nothing of the model: colours, cameras, comments.
    Nothing,
    /// The model; the state was carried over.
    Model,
    /// Everything: the machine starts again.
    Restarted,
}

/// The origin of a world: a scene built at its start, or applied to the run of another.
#[derive(Debug)]
pub struct Origin {
    /// The scene as it was read.
    pub scene: Scene,
    /// The overrides it was read with, and those by which it was edited since.
    overrides: Vec<Override>,
    /// Whether bodies can be dragged.
    draggable: bool,
    /// The origin it was applied to, and the state at that time.
    before: Option<(Arc<Origin>, Arc<Keyframe>)>,
    /// The number of origins before it.
    depth: usize,
}

impl Origin {
    /// A scene at its start.
    fn start(scene: Scene, overrides: &[Override], draggable: bool) -> Arc<Origin> {
        Arc::new(Origin { scene, overrides: overrides.to_vec(), draggable, before: None, depth: 0 })
    }

    /// Another text of the same machine, with the overrides it was read with.
    fn with(
        &self,
        (scene, overrides): (Scene, &[Override]),
        before: Option<(Arc<Origin>, Arc<Keyframe>)>,
        depth: usize,
    ) -> Arc<Origin> {
        let (overrides, draggable) = (overrides.to_vec(), self.draggable);
        Arc::new(Origin { scene, overrides, draggable, before, depth })
    }
}

/// A scene and its running world.
#[derive(Debug)]
pub struct Machine {
    origin: Arc<Origin>,
    built: Built,
    /// The readings of its controllers.
    logic: Logic,
    /// Of an interactive machine.
    drags: Option<Drags>,
    /// Commands applied so far.
    commands: usize,
    /// The report of the last step; none at the start and after a restore.
    report: Option<Report>,
    /// Contacts that have started since the machine was opened or restored.
    contacts_started: u64,
    /// Since the machine was built, restored, edited or dragged.
    watch: Watch,
    /// Of the last change of its text.
    notes: Vec<String>,
}

impl Machine {
    /// Reads and builds a scene; overrides replace values of its text.
    ///
    /// # Errors
    /// All errors of the text, with their positions.
    pub fn open<'a>(scene: impl Into<SceneSource<'a>>, overrides: &[Override]) -> Result<Machine, Errors> {
        let scene = match scene.into() {
            SceneSource::File(path) => read_with(path, overrides)?,
            SceneSource::Text(text, name, files) => parse_with(text, name, files, overrides)?,
        };
        Machine::from_scene(scene, overrides)
    }

    /// Builds a scene that was read with these overrides.
    pub fn from_scene(scene: Scene, overrides: &[Override]) -> Result<Machine, Errors> {
        Machine::at_start(Origin::start(scene, overrides, false))
    }

    /// Builds a scene whose bodies can be dragged. The model has two more joint slots, and a static body if the scene
    /// has none, so the bytes of its states differ from those of a machine that cannot be dragged.
    pub fn interactive(scene: Scene) -> Result<Machine, Errors> {
        Machine::at_start(Origin::start(scene, &[], true))
    }

    fn at_start(origin: Arc<Origin>) -> Result<Machine, Errors> {
        let mut built = origin.scene.build()?;
        let logic = Logic::of_scene(&origin.scene, &built)?;
        let drags = origin.draggable.then(|| Drags::of(&mut built.world));
        Ok(Machine {
            origin,
            built,
            logic,
            drags,
            commands: 0,
            report: None,
            contacts_started: 0,
            watch: Watch::default(),
            notes: Vec::new(),
        })
    }

    /// A machine equal to that of an origin, to be brought to one of its states.
    pub fn from_origin(origin: &Arc<Origin>) -> Result<Machine, MachineError> {
        let mut chain = vec![origin];
        while let Some((earlier, _)) = chain.last().and_then(|o| o.before.as_ref()) {
            chain.push(earlier);
        }
        let first = chain.pop().unwrap_or(origin);
        let mut machine = Machine::at_start(first.clone())?;
        for next in chain.into_iter().rev() {
            if let Some((_, keyframe)) = &next.before {
                machine.recall(keyframe)?;
            }
            let old = machine.origin.clone();
            if let Some(drags) = &machine.drags {
                drags.settle(&mut machine.built.world)?;
            }
            machine.built.change(&old.scene, &next.scene)?;
            machine.logic = Logic::of_scene(&next.scene, &machine.built)?;
            machine.drags = next.draggable.then(|| Drags::of(&mut machine.built.world));
            machine.origin = next.clone();
        }
        Ok(machine)
    }

    /// A machine with the same model and a copy of the state. No text is read and nothing is built; hooks of the world
    /// are not copied. Its next step is bitwise identical to the next step of this machine.
    pub fn fork(&self) -> Machine {
        Machine {
            origin: self.origin.clone(),
            built: self.built.fork(),
            logic: self.logic.clone(),
            drags: self.drags.clone(),
            commands: self.commands,
            report: self.report.clone(),
            contacts_started: self.contacts_started,
            watch: self.watch,
            notes: self.notes.clone(),
        }
    }

    /// A machine of the same text with further overrides, at its start. Edits by overrides remain.
    ///
    /// # Errors
    /// All errors of the text with these overrides.
    pub fn with(&self, more: &[Override]) -> Result<Machine, Errors> {
        let (scene, overrides) = self.read_with(more)?;
        Machine::at_start(Origin::start(scene, &overrides, self.origin.draggable))
    }

    /// The text with further overrides, and all overrides it then has.
    fn read_with(&self, more: &[Override]) -> Result<(Scene, Vec<Override>), Errors> {
        let scene = self.scene();
        let overrides: Vec<_> = self.origin.overrides.iter().chain(more).cloned().collect();
        let scene = parse_with(self.text(), &scene.file, scene.files.clone(), &overrides)?;
        Ok((scene, overrides))
    }

    /// Builds the scene again, at its start.
    pub fn restart(&mut self) -> Result<(), Errors> {
        self.start_with(self.origin.scene.clone(), &self.origin.overrides.clone())
    }

    fn start_with(&mut self, scene: Scene, overrides: &[Override]) -> Result<(), Errors> {
        *self = Machine::at_start(Origin::start(scene, overrides, self.origin.draggable))?;
        Ok(())
    }

    /// The origin of the world.
    pub fn origin(&self) -> &Arc<Origin> {
        &self.origin
    }

    /// The scene as it was read.
    pub fn scene(&self) -> &Scene {
        &self.origin.scene
    }

    /// The overrides it was read with, and those by which it was edited since.
    pub fn overrides(&self) -> &[Override] {
        &self.origin.overrides
    }

    /// The scene's own text.
    pub fn text(&self) -> &str {
        self.origin.scene.sources.iter().next().map_or("", |source| &source.text)
    }

    /// The built scene.
    pub fn built(&self) -> &Built {
        &self.built
    }

    /// The built scene, consuming the machine.
    pub fn into_built(self) -> Built {
        self.built
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.built.world
    }

    /// The world, to be inspected or stepped by the caller.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.built.world
    }

    /// The world and its controllers, to be stepped by [`crate::run::run`].
    pub fn running(&mut self) -> (&mut World, &mut Logic) {
        (&mut self.built.world, &mut self.logic)
    }

    /// The header of a recording of this machine.
    pub fn header(&self) -> Result<Header, windlass_record::Error> {
        replay::header(&self.origin.scene, &self.origin.overrides)
    }

    /// Time of the state [s].
    pub fn time(&self) -> f64 {
        self.built.world.state().time
    }

    /// Steps taken.
    pub fn step_count(&self) -> u64 {
        self.built.world.state().step
    }

    /// Length of a step [s].
    pub fn dt(&self) -> f64 {
        self.built.world.model().settings().dt
    }

    /// Duration of a run, as specified by the scene [s].
    pub fn seconds(&self) -> f64 {
        self.built.seconds
    }

    /// The inputs: name, unit, range, rate.
    pub fn inputs(&self) -> &[Control] {
        &self.built.controls
    }

    /// The number of the input of a name.
    pub fn input(&self, name: &str) -> Option<usize> {
        self.built.controls.iter().position(|control| control.name == name)
    }

    /// Moves an input, by its number among `inputs`. The value is clamped to its range; none releases it.
    pub fn set_input(&mut self, input: usize, value: Option<f64>) -> Result<(), MoveError> {
        let id = self.built.controls.get(input).and_then(|control| control.id);
        let id = id.ok_or_else(|| MoveError::NoInput(format!("number {input}")))?;
        Ok(self.built.world.set_input(id, value)?)
    }

    /// The controllers and rules, in the order of their names.
    pub fn logic_items(&self) -> Vec<LogicItem> {
        LogicItem::all(&self.built.world)
    }

    /// Compiles probes.
    ///
    /// # Errors
    /// All texts that are not probes of this machine, with a remedy each.
    pub fn outputs(&self, probes: &[&str]) -> Result<Outputs, Vec<ProbeError>> {
        Outputs::parse(probes, &self.built.world)
    }

    /// Writes the outputs of the present state, in their order.
    pub fn read(&mut self, outputs: &Outputs, into: &mut [f64]) {
        let step = Step::last(self.step_count(), self.report.as_ref());
        outputs.read(&mut self.built.world, step.as_ref(), self.contacts_started, into);
    }

    /// The same, and marks the columns whose reactions are statically indeterminate.
    pub fn read_and_mark(&mut self, outputs: &mut Outputs, into: &mut [f64]) {
        let step = Step::last(self.step_count(), self.report.as_ref());
        outputs.read_and_mark(&mut self.built.world, step.as_ref(), self.contacts_started, into);
    }

    /// Takes a step.
    ///
    /// # Errors
    /// A fault: the step was not taken, and the state is that of the last valid step; or it was taken, and the
    /// simulation is found to have diverged.
    pub fn step(&mut self) -> Result<Report, Box<Fault>> {
        let mut report = self.logic.step(&mut self.built.world);
        if let Some(fault) = report.fault.take() {
            return Err(fault);
        }
        if let Some(fault) = self.watch.check(&self.built.world, &report) {
            return Err(fault);
        }
        self.contacts_started += contacts_started(&self.built.world);
        self.report = Some(report.clone());
        Ok(report)
    }

    /// Takes a step and catches a panic of the engine, for programs that must continue.
    pub fn step_guarded(&mut self) -> Result<Report, StepFailure> {
        match catch_unwind(AssertUnwindSafe(|| self.step())) {
            Ok(taken) => taken.map_err(StepFailure::Fault),
            Err(_) => Err(StepFailure::Panic),
        }
    }

    /// Takes the steps of a plan with observers.
    pub fn run(
        &mut self,
        plan: Plan,
        supervisor: &mut dyn Supervisor,
        observers: &mut [&mut dyn Observer],
    ) -> RunResult {
        let (last, started, watch) = (&mut self.report, &mut self.contacts_started, &mut self.watch);
        let running = (&mut self.built.world, &mut self.logic);
        run_watched(running, plan, watch, supervisor, observers, &mut |world, report| {
            *started += contacts_started(world);
            *last = Some(report);
        })
    }

    /// A copy of the state.
    pub fn save(&self) -> State {
        self.built.world.state().clone()
    }

    /// Sets a state of this model. A state that does not fit is rejected and changes nothing.
    pub fn restore(&mut self, state: &State) -> Result<(), EditError> {
        self.built.world.restore(state.clone())?;
        (self.report, self.contacts_started, self.watch) = (None, 0, Watch::default());
        Ok(())
    }

    /// Commands applied so far.
    pub fn command_count(&self) -> usize {
        self.commands
    }

    /// Whether a handle holds something.
    pub fn is_dragging(&self, hand: usize) -> bool {
        self.drags.as_ref().is_some_and(|drags| drags.held().get(hand).is_some_and(Option::is_some))
    }

    /// Applies a command. In a machine that is not interactive, handles do nothing.
    pub fn apply(&mut self, command: &Command) -> Result<(), EditError> {
        let world = &mut self.built.world;
        match (*command, &mut self.drags) {
            (Command::SetInput(input, value), _) => world.set_input(input, value)?,
            (Command::Switch(number, on), _) => LogicItem::switch(world, number, on)?,
            (Command::Grab(hand, drag), Some(drags)) => {
                drags.release(world, hand)?;
                drags.grab(world, hand, drag)?;
            }
            (Command::Drag(hand, to), Some(drags)) => drags.drag(world, hand, to)?,
            (Command::Release(hand), Some(drags)) => drags.release(world, hand)?,
            (_, None) => {}
        }
        // a handle adds energy
        if !matches!(command, Command::SetInput(..) | Command::Switch(..)) {
            self.watch = Watch::default();
        }
        self.commands += 1;
        Ok(())
    }

    /// Releases both handles.
    pub fn release_all(&mut self) -> Result<(), EditError> {
        let Some(drags) = &mut self.drags else { return Ok(()) };
        (0..HANDS).try_for_each(|hand| drags.release(&mut self.built.world, hand))
    }

    /// The present state, with what the handles hold.
    pub fn keyframe(&self) -> Keyframe {
        let state = self.built.world.state();
        let drags = self.drags.as_ref().map_or([None; HANDS], |drags| *drags.held());
        Keyframe {
            step: state.step,
            time: state.time,
            commands: self.commands,
            bytes: state.to_bytes(),
            drags,
        }
    }

    /// Sets a keyframe of this model.
    pub fn recall(&mut self, keyframe: &Keyframe) -> Result<(), MachineError> {
        let state = State::from_bytes(&keyframe.bytes).map_err(|e| MachineError::State(e.into()))?;
        self.release_all()?;
        if let Some(drags) = &mut self.drags {
            for (hand, drag) in keyframe.drags.iter().enumerate() {
                if let Some(drag) = *drag {
                    drags.grab(&mut self.built.world, hand, drag)?;
                }
            }
        }
        self.built.world.restore(state)?;
        (self.report, self.contacts_started, self.watch) = (None, 0, Watch::default());
        self.commands = keyframe.commands;
        Ok(())
    }

    /// Brings the machine back to a state of an origin after a change was rejected; returns the errors of the change.
    fn returned(&mut self, origin: &Arc<Origin>, keyframe: &Keyframe, errors: Errors) -> Errors {
        let back = Machine::from_origin(origin).and_then(|mut machine| {
            machine.recall(keyframe)?;
            Ok(machine)
        });
        // both were good before
        if let Ok(machine) = back {
            *self = machine;
        }
        errors
    }

    /// Whether this run can be edited once more.
    pub fn can_change(&self) -> bool {
        self.step_count() == 0 || self.origin.depth < MOST_CHANGES
    }

    /// Whether the model was edited while the run was on, so that it is not that of its text built at the start.
    pub fn is_edited(&self) -> bool {
        self.origin.before.is_some()
    }

    /// What the last change of the text means for running ropes and cables, where that is not only what the text says.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Brings the world to another text of the scene: while it runs, if it has begun and the change allows it. The
    /// handles must hold nothing: their joints are no part of any scene.
    pub fn change(&mut self, new: Scene) -> Result<Changed, Errors> {
        let overrides = self.origin.overrides.clone();
        self.change_to(new, &overrides)
    }

    /// The same with further overrides of the text, which it keeps.
    pub fn edit(&mut self, more: &[Override]) -> Result<Changed, Errors> {
        let (scene, overrides) = self.read_with(more)?;
        self.change_to(scene, &overrides)
    }

    fn change_to(&mut self, new: Scene, overrides: &[Override]) -> Result<Changed, Errors> {
        let keyframe = Arc::new(self.keyframe());
        let old = self.origin.clone();
        if self.step_count() == 0 {
            self.start_with(new, overrides)?;
            return Ok(Changed::Restarted);
        }
        // released handles are never rejected
        let _ = self.drags.as_ref().map(|drags| drags.settle(&mut self.built.world));
        match self.built.change(&old.scene, &new) {
            Ok(AppliedChange { edits, notes }) if edits.is_empty() => {
                self.notes = notes;
                self.origin = old.with((new, overrides), old.before.clone(), old.depth);
                Ok(Changed::Nothing)
            }
            Ok(AppliedChange { notes, .. }) => {
                let logic = Logic::of_scene(&new, &self.built);
                self.logic = logic.map_err(|errors| self.returned(&old, &keyframe, errors))?;
                self.drags = old.draggable.then(|| Drags::of(&mut self.built.world));
                (self.watch, self.notes) = (Watch::default(), notes);
                self.origin = old.with((new, overrides), Some((old.clone(), keyframe)), old.depth + 1);
                Ok(Changed::Model)
            }
            // either invalid, which building it reports, or only too different from the running scene
            Err(_) => {
                self.start_with(new, overrides)?;
                Ok(Changed::Restarted)
            }
        }
    }
}
