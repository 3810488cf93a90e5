//! What limits a linearisation: the state is no equilibrium, friction sticks, one-sided rows are closed, something
//! switches within the differences, controllers are off.

use crate::base::Base;
use crate::tangent::Closed;
use std::collections::BTreeSet;
use windlass_engine::prelude::{Role, RowLaw, State, World};
use windlass_host::Machine;

/// A change within one step below this counts as an equilibrium, rates times dt [m, rad].
const RESTS: f64 = 1e-9;

/// Estimates of the error above this are reported.
const COARSE: f64 = 1e-6;

/// Names listed at most.
const LISTED: usize = 4;

/// Adds what switched between the step from the base and a step from a displaced state.
pub(crate) fn switches(world: &World, base: &State, after: &State, into: &mut BTreeSet<String>) {
    let joints = world.model().joints();
    for (place, (one, other)) in base.joints.iter().zip(&after.joints).enumerate() {
        if (one.broken, &one.modes) != (other.broken, &other.modes) {
            let name = joints.at(place).map_or("", |joint| joint.name.as_str());
            into.insert(format!("joint \"{name}\""));
        }
    }
    let contacts = |state: &State| -> Vec<_> {
        state.contacts.iter().filter(|c| c.force.length() > 0.0).map(|c| (c.key(), c.grip)).collect()
    };
    if contacts(base) != contacts(after) {
        into.insert("contacts".to_string());
    }
    if !base.bodies.iter().map(|b| b.inactive).eq(after.bodies.iter().map(|b| b.inactive)) {
        into.insert("the resolution of a cable".to_string());
    }
}

/// What the differences found.
pub(crate) struct Findings<'a> {
    /// x⁺ − x of the state itself.
    pub drift: &'a [f64],
    /// Length of the step [s].
    pub dt: f64,
    /// Estimate of the largest error.
    pub error: f64,
    /// What switched.
    pub switches: &'a BTreeSet<String>,
}

/// All warnings of a linearisation.
pub(crate) fn of(machine: &Machine, base: &Base, found: &Findings<'_>) -> Vec<String> {
    let mut list: Vec<String> = drift(base, found).into_iter().collect();
    for closed in &base.tangent.closed {
        list.push(match closed {
            Closed::Contacts => "contacts that bear count as constraints".to_string(),
            Closed::Joint(place) => format!("{} bears and counts as a constraint", joint(machine, *place)),
        });
    }
    let sticking: Vec<String> = sticking(base).into_iter().map(|place| joint(machine, place)).collect();
    if !sticking.is_empty() {
        list.push(format!(
            "friction sticks, so that motion against it decays within a step: {}",
            listed(&sticking)
        ));
    }
    if !found.switches.is_empty() {
        let names: Vec<String> = found.switches.iter().cloned().collect();
        list.push(format!("not smooth near this state, differences span a switch of {}", listed(&names)));
    }
    if found.error > COARSE {
        list.push(format!("the differences have an error of about {:.1e}", found.error));
    }
    if !machine.logic_items().is_empty() {
        list.push("controllers and rules are off: inputs are held".to_string());
    }
    list
}

fn drift(base: &Base, found: &Findings<'_>) -> Option<String> {
    let freedom = base.freedom();
    let change = |k: usize| found.drift[k].abs() * if k < freedom { 1.0 } else { found.dt };
    let worst = (0..2 * freedom).max_by(|a, b| change(*a).total_cmp(&change(*b)))?;
    if change(worst) <= RESTS {
        return None;
    }
    let coordinate = &base.coordinates()[worst % freedom];
    let name = if worst < freedom { &coordinate.name } else { &coordinate.rate };
    Some(format!(
        "the state is not an equilibrium: {name} changes by {:.3e} within a step; the matrices hold about this motion",
        found.drift[worst]
    ))
}

fn joint(machine: &Machine, place: usize) -> String {
    let joint = machine.world().model().joints().at(place);
    format!("joint \"{}\"", joint.map_or("", |joint| joint.name.as_str()))
}

fn listed(names: &[String]) -> String {
    let shown = names.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(LISTED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Joints whose dry friction sticks at the state.
fn sticking(base: &Base) -> Vec<usize> {
    let mut world = base.world();
    world.inspect();
    let stages = world.stages();
    let sticks = |row: usize| {
        let item = &stages.rows.rows[row];
        matches!(item.law, RowLaw::Velocity { .. })
            && matches!(item.role, Role::Resist(_) | Role::Friction)
            && item.is_bounded()
            && item.hi > item.lo
            && stages.solution.modes.get(row).is_some_and(|mode| mode.holds())
    };
    let groups = stages.rows.groups.iter().filter(|group| group.rows().any(sticks));
    groups.filter_map(|group| group.joint()).collect()
}
