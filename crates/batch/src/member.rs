//! One world of a batch: inputs, steps, readings, and what stopped it.
//!
//! A panic of the engine stops the world in which it occurs. Its state is then unknown, and its readings are NaN, until
//! another machine is put in its place.

use std::panic::{AssertUnwindSafe, catch_unwind};
use windlass_host::machine::StepFailure;
use windlass_host::{Machine, Outputs};

/// One world of a batch.
#[derive(Debug)]
pub(crate) struct Member {
    pub machine: Machine,
    /// Why it stopped; at a fault, its state is the last valid one.
    pub failure: Option<StepFailure>,
    /// Targets of the inputs; NaN leaves an input as it is.
    pub inputs: Vec<f64>,
    /// The readings, in the order of all probes of the batch.
    pub row: Vec<f64>,
    /// Which inputs the caller has moved.
    moved: Vec<bool>,
}

impl Member {
    /// A world at its start.
    pub fn new(machine: Machine) -> Member {
        let inputs = vec![f64::NAN; machine.inputs().len()];
        let moved = vec![false; inputs.len()];
        Member { machine, failure: None, inputs, row: Vec::new(), moved }
    }

    /// Puts another world in its place. The targets of the inputs remain.
    pub fn restart(&mut self, machine: Machine) {
        (self.machine, self.failure) = (machine, None);
        self.moved.fill(false);
    }

    /// Moves the inputs whose target has changed, within their ranges; one whose target has become NaN is released.
    fn move_inputs(&mut self) {
        for input in 0..self.inputs.len() {
            let control = &self.machine.inputs()[input];
            let target = self.inputs[input];
            let value = (!target.is_nan()).then(|| target.clamp(control.low, control.high));
            // an input that has its target already is left alone, so that a solve of this instant remains valid
            let present = control.id.and_then(|id| self.machine.world().input(id)).map(|state| state.target);
            let is_there = self.moved[input] && value.is_some() && value == present;
            if (value.is_some() || self.moved[input]) && !is_there {
                // a number within the range of an input that exists is never rejected
                let _ = self.machine.set_input(input, value);
            }
            self.moved[input] = value.is_some();
        }
    }

    /// Takes steps with the present targets of the inputs, then reads.
    pub fn advance(&mut self, steps: u64, outputs: &Outputs) {
        if self.failure.is_none() {
            let taken = catch_unwind(AssertUnwindSafe(|| self.take(steps)));
            self.failure = taken.unwrap_or(Err(StepFailure::Panic)).err();
        }
        self.read(outputs);
    }

    fn take(&mut self, steps: u64) -> Result<(), StepFailure> {
        self.move_inputs();
        (0..steps).try_for_each(|_| self.machine.step().map(drop).map_err(StepFailure::Fault))
    }

    /// Reads the present state.
    pub fn read(&mut self, outputs: &Outputs) {
        self.row.clear();
        self.row.resize(outputs.len(), f64::NAN);
        if matches!(self.failure, Some(StepFailure::Panic)) {
            return;
        }
        let (machine, row) = (&mut self.machine, &mut self.row);
        if catch_unwind(AssertUnwindSafe(|| machine.read(outputs, row))).is_err() {
            self.row.fill(f64::NAN);
            self.failure = Some(StepFailure::Panic);
        }
    }
}
