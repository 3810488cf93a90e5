//! Inputs → rows: what operators command is added to the rows of the drives.
//!
//!   speed   w ← w + Σ factor · a(t),  ẇ ← ẇ + Σ factor · ȧ;  a brake holds while both are 0, else the motor's force
//!   place   g ← g − Σ factor · a(t),  w ← w + Σ factor · ȧ       (a servo damps against the speed of its target)
//!   force   F ← max(F + Σ factor · a(t), 0)
//!   paid    g ← g + Σ factor · a(t),  w ← w − Σ factor · ȧ       (a rope is so much longer)
//!
//! Drives are found by the role of their rows, so any constraint whose rows say `Role::Drive(k)` can be driven. Reads the
//! ramps of the step; the model's drives stay as edits left them, and no topology changes.

use crate::joint::JointKind;
use crate::joint::axis::Drive;
use crate::model::Model;
use crate::model::input::{Binding, Command, InputRamp};
use crate::model::state::State;
use crate::row::rows::{Group, Rows};
use crate::row::{Role, Row, RowLaw, RowSource};

/// Adds what the inputs command at a time to rows that have just been written.
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
            if binding.command == Command::Paid {
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
    // forces add up before they are kept from below 0
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

/// The largest forces of the motor that a binding drives and of its brake, if it has one.
fn braked(model: &Model, binding: &Binding) -> Option<[f64; 2]> {
    match model.joints.get(binding.joint)?.constraint().axes().get(binding.coordinate)?.drive {
        Drive::Speed { force, brake: Some(brake), .. } => Some([force, brake]),
        _ => None,
    }
}

/// The row that a binding acts on, if its joint is there and whole.
fn driving<'r>(model: &Model, binding: &Binding, rows: &'r mut Rows) -> Option<&'r mut Row> {
    let group = written(model, binding, rows)?;
    let role = Role::Drive(binding.coordinate as u8);
    rows.changed = true;
    rows.rows[group.rows()].iter_mut().find(|row| row.role == role)
}

/// The rows of the joint that a binding acts on.
fn written(model: &Model, binding: &Binding, rows: &Rows) -> Option<Group> {
    model.joints.get(binding.joint)?;
    let place = binding.joint.index();
    // groups of joints come first, in the order of their places
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
        (Command::Place, RowLaw::Spring(_)) => {
            row.gap -= value;
            row.speed += rate;
        }
        (Command::Force, _) => {
            row.lo -= value;
            row.hi += value;
        }
        // the drive has been changed to another kind since: the binding does nothing
        _ => {}
    }
}

/// The ramps of all inputs over the step that begins with a state.
#[derive(Clone, Debug, Default)]
pub struct InputRamps {
    /// When it begins [s].
    pub began: f64,
    /// By place in the model.
    pub list: Vec<InputRamp>,
}

impl InputRamps {
    /// Those of a step from here.
    pub(crate) fn set(&mut self, model: &Model, state: &State) {
        self.list.clear();
        if state.inputs.is_empty() {
            return;
        }
        self.began = state.time;
        self.list.resize(state.inputs.len(), InputRamp::default());
        let h = model.dt(state);
        for (place, input) in model.inputs.iter() {
            self.list[place] = input.ramp(&state.inputs[place], state.time, h);
        }
    }

    /// Leaves the inputs where a step of length h takes them.
    pub(crate) fn finish(&self, h: f64, state: &mut State) {
        for (ramp, input) in self.list.iter().zip(&mut state.inputs) {
            (input.wanted, input.actual) = (ramp.wanted, ramp.end(h));
        }
    }
}
