//! The batch: n members, stepped, read and reset on threads.

use crate::binding::{Binding, Bindings};
use crate::member::Member;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeMap;
use thiserror::Error;
use windlass_engine::prelude::{EditError, Fault, State};
use windlass_host::{Machine, ProbeError};
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
    /// Machines at their start of members that have values of their own.
    own: BTreeMap<usize, (Vec<Override>, Machine)>,
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

    /// Why a member stopped.
    pub fn fault(&self, number: usize) -> Option<&Fault> {
        self.members.get(number)?.fault.as_deref()
    }

    fn find(&self, number: usize) -> Result<&Member, BatchError> {
        self.members.get(number).ok_or(BatchError::NoMember(number, self.members.len()))
    }

    /// Reads a group of probes after each step from now on.
    ///
    /// # Errors
    /// All texts that are no probes, with a remedy each.
    pub fn bind<T: AsRef<str>>(&mut self, probes: &[T]) -> Result<Binding, Vec<ProbeError>> {
        let binding = self.bindings.add(probes, self.start.world())?;
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
        let outputs = &self.bindings.outputs;
        let is_selected = |number: usize| selected.is_none_or(|s| s[number]);
        self.pool.install(|| {
            let members = self.members.par_iter_mut().enumerate();
            members.filter(|(number, _)| is_selected(*number)).for_each(|(_, m)| m.advance(steps, outputs));
        });
        Ok(())
    }

    /// Takes `count` times `steps` steps with inputs for each time, member after member, and returns the readings of all
    /// bound probes after each time. Inputs stay at their last targets.
    pub fn rollout(&mut self, targets: &[f64], count: usize, steps: u64) -> Result<Rollout, BatchError> {
        let width = self.start.inputs().len();
        fits("inputs", self.members.len() * count * width, targets.len())?;
        self.revive()?;
        let outputs = &self.bindings.outputs;
        let one = |(member, targets): (&mut Member, &[f64])| {
            let mut rows = Vec::with_capacity(count * outputs.len());
            for time in 0..count {
                member.inputs.copy_from_slice(&targets[time * width..(time + 1) * width]);
                member.advance(steps, outputs);
                rows.extend_from_slice(&member.row);
            }
            rows
        };
        let own = |number: usize| &targets[number * count * width..(number + 1) * count * width];
        let rows = self.pool.install(|| {
            let members = self.members.par_iter_mut().enumerate();
            members.map(|(number, member)| one((member, own(number)))).collect()
        });
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
    /// the error, and no member is reset.
    pub fn reset(&mut self, selected: Option<&[bool]>) -> Result<(), BatchError> {
        if let Some(selected) = selected {
            fits("the selection", self.members.len(), selected.len())?;
        }
        self.revive()?;
        let chosen = (0..self.members.len()).filter(|number| selected.is_none_or(|s| s[*number]));
        let chosen: Vec<usize> = chosen.collect();
        let wanted: Vec<_> = chosen.iter().map(|number| (*number, self.overrides_of(*number))).collect();
        let is_new = |(number, overrides): &&(usize, Vec<Override>)| {
            !overrides.is_empty() && self.own.get(number).is_none_or(|(present, _)| present != overrides)
        };
        let new: Vec<_> = wanted.iter().filter(is_new).collect();
        let build = |(number, overrides): &&(usize, Vec<Override>)| {
            self.rebuilt(*number, overrides).map(|machine| (*number, (overrides.clone(), machine)))
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
            let start = self.own.get(&number).map_or(&self.start, |(_, machine)| machine);
            self.members[number].restart(start.fork());
        }
        self.refresh();
        Ok(())
    }

    /// The start of a member with values of its own.
    fn rebuilt(&self, number: usize, overrides: &[Override]) -> Result<Machine, BatchError> {
        let scene = |e| BatchError::Scene(number, Box::new(e));
        let mut machine = self.start.with(overrides).map_err(scene)?;
        if self.start.step_count() > 0 {
            machine.restore(&self.start.save()).map_err(|e| BatchError::State(number, e))?;
        }
        Ok(machine)
    }

    /// The states of all members.
    pub fn states(&self) -> Vec<State> {
        self.members.iter().map(|member| member.machine.save()).collect()
    }

    /// Sets the state of a member.
    pub fn restore(&mut self, number: usize, state: &State) -> Result<(), BatchError> {
        let most = self.members.len();
        let member = self.members.get_mut(number).ok_or(BatchError::NoMember(number, most))?;
        member.machine.restore(state).map_err(|e| BatchError::State(number, e))?;
        member.fault = None;
        member.read(&self.bindings.outputs);
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
        let outputs = &self.bindings.outputs;
        self.members.iter_mut().for_each(|member| member.read(outputs));
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

/// Threads of a batch.
fn pool(threads: usize) -> Result<ThreadPool, rayon::ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(threads).thread_name(|k| format!("windlass batch {k}")).build()
}

/// Whether as many numbers are given as are needed.
fn fits(what: &'static str, wanted: usize, got: usize) -> Result<(), BatchError> {
    if wanted == got { Ok(()) } else { Err(BatchError::Shape { what, wanted, got }) }
}
