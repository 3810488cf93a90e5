//! Controllers and rules of a scene: text → subsystem, and their evaluation before a step.

mod expression;
pub(crate) mod plan;

use windlass_control::{BadValue, ControllerEdit, Controllers, ControllersState, Instant, Kind};
use windlass_engine::prelude::{Edit, EditError, Fault, FaultKind, InputId, SubsystemEdit, World};

/// A controller or a rule of a world, as a panel shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct LogicItem {
    /// Its name.
    pub name: String,
    /// Its kind: "pid", "filter", "table", "expression", "state machine" or "rule".
    pub kind: &'static str,
    /// Whether it is switched on.
    pub enabled: bool,
    /// Whether it runs; of a rule whether it is active.
    pub active: bool,
    /// Its value; of a rule 1 while it is active.
    pub value: f64,
    /// The state of a state machine.
    pub state: Option<String>,
    /// The message of a rule.
    pub message: Option<String>,
    /// Activations of a rule, with the times of the first and the last one [s].
    pub activations: (u64, [f64; 2]),
}

impl LogicItem {
    /// The controllers and rules of a world, in the order of their names.
    pub fn all(world: &World) -> Vec<LogicItem> {
        let Some((controllers, state)) = Controllers::of(world) else { return Vec::new() };
        let all = controllers.items().iter().zip(&state.items);
        let shown = all.map(|(item, own)| {
            let [first, last, _] = own.memory;
            let (activations, message) = match &item.kind {
                Kind::Rule(rule) => ((own.count, [first, last]), rule.message.clone()),
                _ => ((0, [0.0; 2]), None),
            };
            LogicItem {
                name: item.name.clone(),
                kind: word(&item.kind),
                enabled: own.enabled,
                active: own.running && (!item.is_rule() || own.value != 0.0),
                value: own.value,
                state: match &item.kind {
                    Kind::Machine(machine) => machine.states.get(own.state as usize).map(|s| s.0.clone()),
                    _ => None,
                },
                message,
                activations,
            }
        });
        shown.collect()
    }

    /// Whether it is a rule.
    pub fn is_rule(&self) -> bool {
        self.kind == "rule"
    }

    /// The number of a controller or rule of a world by name.
    pub fn find(world: &World, name: &str) -> Option<usize> {
        Controllers::of(world)?.0.items().iter().position(|item| item.name == name)
    }

    /// Switches a controller or rule on or off, by its number. Changes the state only.
    pub fn switch(world: &mut World, number: usize, on: bool) -> Result<(), EditError> {
        world.edit_subsystem::<Controllers>(ControllerEdit::Switch(number, on)).map(drop)
    }
}

fn word(kind: &Kind) -> &'static str {
    match kind {
        Kind::Pid(_) => "pid",
        Kind::Filter(_) => "filter",
        Kind::Table(_) => "table",
        Kind::Expression(_) => "expression",
        Kind::Machine(_) => "state machine",
        Kind::Rule(_) => "rule",
    }
}

/// Evaluates controllers and rules before the steps of a world. Holds buffers only: what is remembered is in State.
#[derive(Clone, Debug, Default)]
pub struct LogicStep {
    next: ControllersState,
}

impl LogicStep {
    /// Texts of the probes that the controllers of a world read; none without controllers.
    pub fn probes(world: &World) -> &[String] {
        Controllers::of(world).map_or(&[][..], |(controllers, _)| controllers.probes())
    }

    /// Whether the next step of a world has to be evaluated.
    pub fn is_due(world: &World) -> bool {
        Controllers::of(world).is_some_and(|(_, state)| state.next_step <= world.state().step)
    }

    /// Advances all controllers and rules to the next step, for the readings of their probes, and acts on the inputs.
    ///
    /// # Errors
    /// A value that is not finite; the state is unchanged.
    pub fn advance(&mut self, world: &mut World, probes: &[f64]) -> Result<(), Box<Fault>> {
        let (time, step, dt) = (world.state().time, world.state().step, world.model().settings().dt);
        let now = Instant { time, step, dt, probes };
        let Some((controllers, state)) = Controllers::of(world) else { return Ok(()) };
        let advanced = controllers.advance(&now, state, &mut self.next);
        advanced.map_err(|bad| fault(world, bad))?;
        let mut acted = Ok(false);
        world.control::<Controllers>(|controllers, state, inputs| {
            acted = controllers.act(&now, &self.next, inputs);
            if acted.is_ok() {
                state.clone_from(&self.next);
            }
            acted != Ok(false)
        });
        acted.map(drop).map_err(|bad| fault(world, bad))
    }
}

/// The fault of a value that is not finite.
fn fault(world: &World, bad: BadValue) -> Box<Fault> {
    let item = Controllers::of(world).and_then(|(controllers, _)| controllers.items().get(bad.item));
    let part = item.map(|item| {
        let one = if item.is_rule() { "rule" } else { "controller" };
        format!("{one} \"{}\"", item.name)
    });
    let (time, step) = (world.state().time, world.state().step);
    let kind = FaultKind::Controller { value: bad.value };
    Box::new(Fault { kind, body: String::new(), part, joint: None, time, step })
}

/// The edit that gives a world these controllers.
pub(crate) fn edit(controllers: Controllers) -> Edit {
    Edit::Subsystem(SubsystemEdit::of::<Controllers>(ControllerEdit::Set(Box::new(controllers), None)))
}

/// The edit that gives a world the controllers of another one, with the ids of its own inputs; none if it has them
/// already.
pub(crate) fn change(world: &World, after: &World, input: impl Fn(InputId) -> InputId) -> Option<Edit> {
    let of = |world: &World| Controllers::of(world).map(|(controllers, _)| controllers.clone());
    let mut wanted = of(after).unwrap_or_default();
    for output in wanted.items_mut().iter_mut().flat_map(|item| &mut item.outputs) {
        output.input = input(output.input);
    }
    (of(world).unwrap_or_default() != wanted).then(|| edit(wanted))
}
