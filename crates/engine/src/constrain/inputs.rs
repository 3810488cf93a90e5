//! Inputs: operator commands are added to the rows of the drives.
//!
//!   speed   w ← w + Σ factor · a(t),  ẇ ← ẇ + Σ factor · ȧ;  a brake holds while both are 0, else the motor's force
//!   place   g ← g − Σ factor · a(t),  w ← w + Σ factor · ȧ       (a servo damps relative to its target's velocity)
//!   force   F ← max(F + Σ factor · a(t), 0)
//!   paid    g ← g + Σ factor · a(t),  w ← w − Σ factor · ȧ       (the rope is longer by that)
//!
//! Drives are found by the role of their rows, so any constraint with rows of `Role::Drive(k)` can be driven. Reads the
//! ramps of the step. The model's drives are not changed, nor is the topology.

use crate::joint::JointKind;
use crate::joint::axis::Drive;
use crate::model::Model;
use crate::model::input::{Binding, Command, InputRamp};
use crate::model::state::State;
use crate::row::rows::{Group, Rows};
use crate::row::{Role, Row, RowLaw, RowSource};
use crate::slots::InputId;
use crate::subsystem::Inputs;

/// Adds the commands of the inputs at a time to newly written rows.
pub fn command(model: &Model, ramps: &InputRamps, time: f64, out: &mut Rows) {
    if ramps.list.is_empty() {
        return;
    }
    let since = time - ramps.began;
    for (place, input) in model.inputs.iter() {
        let ramp = &ramps.list[place];
        let (value, rate) = (ramp.start + ramp.rate * since, ramp.rate);
        for binding in input.bindings.iter().filter(|b| b.command != Command::Force) {
            let (value, rate) = (binding.factor * value, binding.factor * rate);
            if binding.command == Command::PaidOut {
                pay(model, binding, [value, rate], out);
            } else if let Some(row) = driving(model, binding, out) {
                add(row, binding.command, value, rate);
            }
        }
    }
    for binding in bindings(model, Command::Speed) {
        let Some((row, [force, brake])) = driving(model, binding, out).zip(braked(model, binding)) else {
            continue;
        };
        let most = if row.speed == 0.0 && row.acceleration == 0.0 { brake } else { force };
        (row.lo, row.hi) = (-most, most);
    }
    for (place, input) in model.inputs.iter() {
        let ramp = &ramps.list[place];
        let value = ramp.start + ramp.rate * since;
        for binding in input.bindings.iter().filter(|b| b.command == Command::Force) {
            if let Some(row) = driving(model, binding, out) {
                add(row, binding.command, binding.factor * value, 0.0);
            }
        }
    }
    // forces are summed before they are clamped to 0 or more
    for binding in bindings(model, Command::Force) {
        if let Some(row) = driving(model, binding, out) {
            (row.lo, row.hi) = (row.lo.min(0.0), row.hi.max(0.0));
        }
    }
}

/// All bindings of a command.
fn bindings(model: &Model, command: Command) -> impl Iterator<Item = &Binding> {
    model.inputs.iter().flat_map(|(_, input)| &input.bindings).filter(move |b| b.command == command)
}

/// Force limits of the motor that a binding drives and of its brake, if it has one.
fn braked(model: &Model, binding: &Binding) -> Option<[f64; 2]> {
    match model.joints.get(binding.joint)?.constraint().axes().get(binding.coordinate)?.drive {
        Drive::Speed { force, brake: Some(brake), .. } => Some([force, brake]),
        _ => None,
    }
}

/// The row on which a binding acts, if its joint exists and is not broken.
fn driving<'r>(model: &Model, binding: &Binding, rows: &'r mut Rows) -> Option<&'r mut Row> {
    let group = written(model, binding, rows)?;
    let role = Role::Drive(binding.coordinate as u8);
    rows.changed = true;
    rows.rows[group.rows()].iter_mut().find(|row| row.role == role)
}

/// The rows of the joint on which a binding acts.
fn written(model: &Model, binding: &Binding, rows: &Rows) -> Option<Group> {
    model.joints.get(binding.joint)?;
    let place = binding.joint.index();
    // groups of joints come first, in order of their indices
    let before = |owner: RowSource| matches!(owner, RowSource::Joint(at) if (at as usize) < place);
    let at = rows.groups.partition_point(|g| before(g.owner));
    rows.groups.get(at).filter(|g| g.joint() == Some(place)).cloned()
}

/// Pays out rope at a rate. The row of a rope's first run is its first.
fn pay(model: &Model, binding: &Binding, paid: [f64; 2], rows: &mut Rows) {
    let Some(JointKind::Rope(rope)) = model.joints.get(binding.joint).map(|joint| &joint.kind) else {
        return;
    };
    if let Some(group) = written(model, binding, rows) {
        rows.changed = true;
        rope.pay(&mut rows.rows[group.rows().start], paid);
    }
}

fn add(row: &mut Row, command: Command, value: f64, rate: f64) {
    match (command, row.law) {
        (Command::Speed, RowLaw::Velocity { .. }) => {
            row.speed += value;
            row.acceleration += rate;
        }
        (Command::Position, RowLaw::Spring(_)) => {
            row.gap -= value;
            row.speed += rate;
        }
        (Command::Force, _) => {
            row.lo -= value;
            row.hi += value;
        }
        // the drive has since been changed to another kind: the binding has no effect
        _ => {}
    }
}

/// The ramps of all inputs over the step that begins at a state.
#[derive(Clone, Debug, Default)]
pub struct InputRamps {
    /// Start time [s].
    pub began: f64,
    /// By index in the model.
    pub list: Vec<InputRamp>,
    /// The inputs with their means over the step.
    means: Vec<(InputId, f64)>,
}

impl InputRamps {
    /// Sets the ramps of a step from a state.
    pub(crate) fn set(&mut self, model: &Model, state: &State) {
        self.list.clear();
        self.means.clear();
        if state.inputs.is_empty() {
            return;
        }
        self.began = state.time;
        self.list.resize(state.inputs.len(), InputRamp::default());
        let h = model.dt(state);
        for (place, input) in model.inputs.iter() {
            let ramp = input.ramp(&state.inputs[place], state.time, h);
            self.means.extend(model.inputs.id(place).map(|id| (id, ramp.start + 0.5 * h * ramp.rate)));
            self.list[place] = ramp;
        }
    }

    /// The inputs for subsystems.
    pub(crate) fn means(&self) -> Inputs<'_> {
        Inputs(&self.means)
    }

    /// Sets the inputs to their values after a step of length h.
    pub(crate) fn finish(&self, h: f64, state: &mut State) {
        for (ramp, input) in self.list.iter().zip(&mut state.inputs) {
            (input.target, input.actual) = (ramp.target, ramp.end(h));
        }
    }
}
