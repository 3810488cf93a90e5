//! The batch: n members, stepped, read and reset on threads.

use crate::binding::{Binding, Bindings};
use crate::member::Member;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeMap;
use thiserror::Error;
use windlass_engine::prelude::{EditError, Fault, State, World};
use windlass_host::machine::StepFailure;
use windlass_host::{Machine, Outputs, ProbeError};
use windlass_scene::{Errors, Override};

/// Largest number of members.
const MOST: usize = 1 << 20;

/// Reasons why a batch cannot do what is asked.
#[derive(Debug, Error)]
pub enum BatchError {
    /// The number of members is out of range.
    #[error("a batch has 1 to {MOST} worlds, not {0}")]
    Size(usize),
    /// Numbers are given for another number of members, inputs or steps.
    #[error("{what}: {wanted} numbers are needed, {got} are given")]
    Shape {
        /// What they are.
        what: &'static str,
        /// How many are needed.
        wanted: usize,
        /// How many are given.
        got: usize,
    },
    /// There is no such member.
    #[error("there is no world {0}: the batch has worlds 0 to {last}", last = .1 - 1)]
    NoMember(usize, usize),
    /// Texts that are no probes of the scene.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Probes(Vec<ProbeError>),
    /// With the values of a member, the bound probes have other columns.
    #[error(
        "world {0}: with its own values {1}; bind probes of parts that every world has, by their full names"
    )]
    Columns(usize, String),
    /// The values of a member change the inputs.
    #[error("world {0}: its own values change the inputs of the scene, which all worlds of a batch share")]
    Inputs(usize),
    /// The batch starts in the middle of a run, and the values of a member change the parts of the scene.
    #[error(
        "world {0}: its own values change the parts of the scene, so that the state at {1} s, at which the batch starts, \
         does not fit: make the batch from a simulation at its start"
    )]
    Parts(usize, f64),
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// The scene rejects the values of a member.
    #[error("world {0}: {1}")]
    Scene(usize, Box<Errors>),
    /// A state does not fit a member.
    #[error("world {0}: {1}")]
    State(usize, EditError),
    /// Threads cannot be started.
    #[error("threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// A key of the scene with a value of its own in every member.
#[derive(Clone, Debug)]
struct Expanded {
    key: String,
    /// Texts as overrides have them; none for the value of the scene.
    values: Vec<Option<String>>,
}

/// The start of a member that has values of its own.
#[derive(Debug)]
struct Own {
    overrides: Vec<Override>,
    machine: Machine,
    /// The bound probes, compiled for its model: masses and numbers of parts may differ from those of the scene.
    outputs: Outputs,
}

/// The readings of a rollout: members, then steps, then columns.
#[derive(Clone, Debug, Default)]
pub struct Rollout {
    /// For every member, the readings of one step after another.
    pub rows: Vec<Vec<f64>>,
}

/// Many worlds of one scene.
#[derive(Debug)]
pub struct Batch {
    /// The machine at its start, from which members are forked.
    start: Machine,
    members: Vec<Member>,
    bindings: Bindings,
    expanded: Vec<Expanded>,
    /// The starts of members that have values of their own.
    own: BTreeMap<usize, Own>,
    pool: ThreadPool,
    threads: usize,
    process: u32,
}

impl Batch {
    /// Members at the present state of a machine. 0 threads: as many as the machine has.
    pub fn new(machine: &Machine, members: usize, threads: usize) -> Result<Batch, BatchError> {
        if !(1..=MOST).contains(&members) {
            return Err(BatchError::Size(members));
        }
        let members = (0..members).map(|_| Member::new(machine.fork())).collect();
        Ok(Batch {
            start: machine.fork(),
            members,
            bindings: Bindings::default(),
            expanded: Vec::new(),
            own: BTreeMap::new(),
            pool: pool(threads)?,
            threads,
            process: std::process::id(),
        })
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are none; a batch has at least one.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// How many threads it uses.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// The machine at its start.
    pub fn start(&self) -> &Machine {
        &self.start
    }

    /// A member as a machine of its own.
    pub fn member(&self, number: usize) -> Result<Machine, BatchError> {
        self.find(number).map(|member| member.machine.fork())
    }

    /// Why a member stopped: at a fault, or by a panic of the engine.
    pub fn failure(&self, number: usize) -> Option<&StepFailure> {
        self.members.get(number)?.failure.as_ref()
    }

    /// The fault at which a member stopped.
    pub fn fault(&self, number: usize) -> Option<&Fault> {
        match self.failure(number)? {
            StepFailure::Fault(fault) => Some(fault),
            StepFailure::Panic => None,
        }
    }

    fn find(&self, number: usize) -> Result<&Member, BatchError> {
        self.members.get(number).ok_or(BatchError::NoMember(number, self.members.len()))
    }

    /// Reads a group of probes after each step from now on.
    ///
    /// # Errors
    /// All texts that are no probes, with a remedy each; a member with values of its own for which they have other
    /// columns.
    pub fn bind<T: AsRef<str>>(&mut self, probes: &[T]) -> Result<Binding, BatchError> {
        let mut bindings = self.bindings.clone();
        let binding = bindings.add(probes, self.start.world()).map_err(BatchError::Probes)?;
        let compile = |(number, own): (&usize, &Own)| compiled(&bindings, *number, &own.machine);
        let outputs = self.own.iter().map(compile).collect::<Result<Vec<_>, _>>()?;
        for (own, outputs) in self.own.values_mut().zip(outputs) {
            own.outputs = outputs;
        }
        self.bindings = bindings;
        self.refresh();
        Ok(binding)
    }

    /// The readings of a group, member after member.
    pub fn read(&self, binding: &Binding, into: &mut [f64]) -> Result<(), BatchError> {
        let width = binding.width();
        fits("readings", self.members.len() * width, into.len())?;
        for (member, into) in self.members.iter().zip(into.chunks_exact_mut(width.max(1))) {
            binding.copy(&member.row, into);
        }
        Ok(())
    }

    /// Sets the targets of all inputs, member after member; NaN releases an input.
    pub fn set_inputs(&mut self, targets: &[f64]) -> Result<(), BatchError> {
        let width = self.start.inputs().len();
        fits("inputs", self.members.len() * width, targets.len())?;
        for (member, targets) in self.members.iter_mut().zip(targets.chunks_exact(width.max(1))) {
            member.inputs.copy_from_slice(targets);
        }
        Ok(())
    }

    /// Takes steps with the present targets of the inputs: of all members, or of those that are selected.
    pub fn step(&mut self, steps: u64, selected: Option<&[bool]>) -> Result<(), BatchError> {
        if let Some(selected) = selected {
            fits("the selection", self.members.len(), selected.len())?;
        }
        self.revive()?;
        let (shared, own) = (&self.bindings.outputs, &self.own);
        let is_selected = |number: usize| selected.is_none_or(|s| s[number]);
        self.pool.install(|| {
            let members = self.members.par_iter_mut().enumerate();
            let members = members.filter(|(number, _)| is_selected(*number));
            members.for_each(|(number, member)| member.advance(steps, outputs_of(number, own, shared)));
        });
        Ok(())
    }

    /// Takes `count` times `steps` steps with inputs for each time, member after member, and returns the readings of all
    /// bound probes after each time. Inputs stay at their last targets.
    pub fn rollout(&mut self, targets: &[f64], count: usize, steps: u64) -> Result<Rollout, BatchError> {
        let width = self.start.inputs().len();
        fits("inputs", self.members.len() * count * width, targets.len())?;
        self.revive()?;
        let (shared, own) = (&self.bindings.outputs, &self.own);
        let one = |(number, member): (usize, &mut Member)| {
            let targets = &targets[number * count * width..(number + 1) * count * width];
            let outputs = outputs_of(number, own, shared);
            let mut rows = Vec::with_capacity(count * outputs.len());
            for time in 0..count {
                member.inputs.copy_from_slice(&targets[time * width..(time + 1) * width]);
                member.advance(steps, outputs);
                rows.extend_from_slice(&member.row);
            }
            rows
        };
        let rows = self.pool.install(|| self.members.par_iter_mut().enumerate().map(one).collect());
        Ok(Rollout { rows })
    }

    /// Gives members values of their own of a key of the scene; none is the scene's. They take effect at the next reset.
    pub fn expand(&mut self, key: &str, values: Vec<Option<String>>) -> Result<(), BatchError> {
        fits("values of a key", self.members.len(), values.len())?;
        self.expanded.retain(|expanded| expanded.key != key);
        self.expanded.push(Expanded { key: key.to_string(), values });
        Ok(())
    }

    /// Brings members back to their start, each with its own values. A member whose values the scene rejects is named in
    /// the error, and no member is reset. `stop` is asked before each scene that has to be built.
    ///
    /// # Errors
    /// Values that the scene rejects, or that do not go with the bindings, the inputs or the state at which the batch
    /// starts; and `stop`.
    pub fn reset(
        &mut self,
        selected: Option<&[bool]>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), BatchError> {
        if let Some(selected) = selected {
            fits("the selection", self.members.len(), selected.len())?;
        }
        self.revive()?;
        let chosen = (0..self.members.len()).filter(|number| selected.is_none_or(|s| s[*number]));
        let chosen: Vec<usize> = chosen.collect();
        let wanted: Vec<_> = chosen.iter().map(|number| (*number, self.overrides_of(*number))).collect();
        let is_new = |(number, overrides): &&(usize, Vec<Override>)| {
            !overrides.is_empty() && self.own.get(number).is_none_or(|own| own.overrides != *overrides)
        };
        let new: Vec<_> = wanted.iter().filter(is_new).collect();
        let build = |(number, overrides): &&(usize, Vec<Override>)| match stop() {
            true => Err(BatchError::Interrupted),
            false => self.rebuilt(*number, overrides).map(|own| (*number, own)),
        };
        let built: Result<Vec<_>, BatchError> = self.pool.install(|| new.par_iter().map(build).collect());
        let built = built?;
        self.own.extend(built);
        for (number, overrides) in &wanted {
            if overrides.is_empty() {
                self.own.remove(number);
            }
        }
        for number in chosen {
            let start = self.start_of(number).fork();
            self.members[number].restart(start);
        }
        self.refresh();
        Ok(())
    }

    /// The start of a member with values of its own. At a step that is not the first, the state of the start is set in the
    /// model with these values; at the first step it is that of the scene with them, and the inputs are moved as they
    /// were.
    fn rebuilt(&self, number: usize, overrides: &[Override]) -> Result<Own, BatchError> {
        let start = &self.start;
        let scene = |e| BatchError::Scene(number, Box::new(e));
        let mut machine = start.with(overrides).map_err(scene)?;
        if names_of_inputs(&machine) != names_of_inputs(start) {
            return Err(BatchError::Inputs(number));
        }
        if start.step_count() > 0 {
            if !has_parts_of(machine.world(), start.world()) {
                return Err(BatchError::Parts(number, start.time()));
            }
            machine.restore(&start.save()).map_err(|e| BatchError::State(number, e))?;
        } else {
            move_as(&mut machine, start);
        }
        let outputs = compiled(&self.bindings, number, &machine)?;
        Ok(Own { overrides: overrides.to_vec(), machine, outputs })
    }

    /// The start of a member.
    fn start_of(&self, number: usize) -> &Machine {
        self.own.get(&number).map_or(&self.start, |own| &own.machine)
    }

    /// The states of all members.
    pub fn states(&self) -> Vec<State> {
        self.members.iter().map(|member| member.machine.save()).collect()
    }

    /// Sets the state of a member.
    pub fn restore(&mut self, number: usize, state: &State) -> Result<(), BatchError> {
        // not in a machine in which the engine failed
        let is_lost = matches!(self.find(number)?.failure, Some(StepFailure::Panic));
        let mut fresh = is_lost.then(|| self.start_of(number).fork());
        let (shared, own) = (&self.bindings.outputs, &self.own);
        let member = &mut self.members[number];
        let machine = fresh.as_mut().unwrap_or(&mut member.machine);
        machine.restore(state).map_err(|e| BatchError::State(number, e))?;
        if let Some(machine) = fresh {
            member.machine = machine;
        }
        member.failure = None;
        member.read(outputs_of(number, own, shared));
        Ok(())
    }

    /// The values of its own that a member has.
    fn overrides_of(&self, number: usize) -> Vec<Override> {
        let of = |expanded: &Expanded| {
            let value = expanded.values[number].clone()?;
            Some(Override { key: expanded.key.clone(), value })
        };
        self.expanded.iter().filter_map(of).collect()
    }

    /// Reads all members.
    fn refresh(&mut self) {
        let (shared, own) = (&self.bindings.outputs, &self.own);
        let members = self.members.iter_mut().enumerate();
        members.for_each(|(number, member)| member.read(outputs_of(number, own, shared)));
    }

    /// Threads do not survive a fork of the process: the child starts its own.
    fn revive(&mut self) -> Result<(), BatchError> {
        if self.process != std::process::id() {
            // the threads of the parent are not in this process, so the old pool must not wait for them
            std::mem::forget(std::mem::replace(&mut self.pool, pool(self.threads)?));
            self.process = std::process::id();
        }
        Ok(())
    }
}

/// The bound probes, compiled for the model of a member.
fn outputs_of<'a>(number: usize, own: &'a BTreeMap<usize, Own>, shared: &'a Outputs) -> &'a Outputs {
    own.get(&number).map_or(shared, |own| &own.outputs)
}

/// The bound probes for a member with values of its own; they must have the columns of the batch.
fn compiled(bindings: &Bindings, number: usize, machine: &Machine) -> Result<Outputs, BatchError> {
    bindings.compile(machine.world()).map_err(|text| BatchError::Columns(number, text))
}

fn names_of_inputs(machine: &Machine) -> Vec<&str> {
    machine.inputs().iter().map(|control| control.name.as_str()).collect()
}

/// Whether two worlds have the same bodies, joints, cables and inputs, in the same places.
fn has_parts_of(world: &World, other: &World) -> bool {
    let parts = |world: &World| -> Vec<(u8, usize, String)> {
        let model = world.model();
        let bodies = model.bodies().iter().map(|(place, body)| (0, place, body.name.clone()));
        let joints = model.joints().iter().map(|(place, joint)| (1, place, joint.name.clone()));
        let cables = model.cables().iter().map(|(place, cable)| (2, place, cable.name.clone()));
        let inputs = model.inputs().iter().map(|(place, input)| (3, place, input.name.clone()));
        bodies.chain(joints).chain(cables).chain(inputs).collect()
    };
    parts(world) == parts(other)
}

/// Moves the inputs of a machine as those of another of the same names that are held.
fn move_as(machine: &mut Machine, other: &Machine) {
    for number in 0..other.inputs().len() {
        let state = other.inputs()[number].id.and_then(|id| other.world().input(id));
        if let Some(target) = state.filter(|state| state.held).map(|state| state.target) {
            let control = &machine.inputs()[number];
            let target = target.clamp(control.low, control.high);
            // a number within the range of an input that exists is never rejected
            let _ = machine.set_input(number, Some(target));
        }
    }
}

/// Threads of a batch.
fn pool(threads: usize) -> Result<ThreadPool, rayon::ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(threads).thread_name(|k| format!("windlass batch {k}")).build()
}

/// Whether as many numbers are given as are needed.
fn fits(what: &'static str, wanted: usize, got: usize) -> Result<(), BatchError> {
    if wanted == got { Ok(()) } else { Err(BatchError::Shape { what, wanted, got }) }
}
