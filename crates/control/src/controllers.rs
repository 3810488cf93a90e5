//! Controllers and rules of a world, as a subsystem of the engine.
//!
//! They are advanced between steps by the owner of the world, and only once per step. Inputs are acted on by the
//! controllers in the order of their names, then by the rules: a value set by a rule replaces one set by a controller.

use crate::expression::Readings;
use crate::item::{Item, Kind};
use crate::order::order;
use crate::state::ItemQuantity;
use crate::state::{ControllersState, ItemState};
use windlass_engine::prelude::{
    Advance, Energy, InputAction, InputState, Misfit, Quantity, Refusal, SolvedStep, Subsystem, View, World,
};

/// The controllers and rules of a world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Controllers {
    items: Vec<Item>,
    /// Numbers of the items in the order of evaluation.
    order: Vec<usize>,
    /// Texts of the probes they read.
    probes: Vec<String>,
}

/// A change of the controllers and rules.
#[derive(Clone, Debug)]
pub enum ControllerEdit {
    /// Replaces all of them. Items of the same name and kind keep their states, unless states that fit are given.
    Set(Box<Controllers>, Option<ControllersState>),
    /// Switches an item, by its number, on or off. Changes the state only.
    Switch(usize, bool),
}

/// The instant of an evaluation: the start of a step.
#[derive(Clone, Copy, Debug)]
pub struct Instant<'a> {
    /// Simulated time [s].
    pub time: f64,
    /// Steps taken.
    pub step: u64,
    /// Length of a step [s].
    pub dt: f64,
    /// Readings of the probes, in their order.
    pub probes: &'a [f64],
}

/// A value that is not finite, of an item by its number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BadValue {
    /// The item.
    pub item: usize,
    /// The value.
    pub value: f64,
}

impl Controllers {
    /// From items in the order of their names, and the probes that their expressions read by number.
    ///
    /// # Errors
    /// The numbers of items that need each other's present values, as a cycle.
    pub fn new(items: Vec<Item>, probes: Vec<String>) -> Result<Controllers, Vec<usize>> {
        let order = order(&items)?;
        Ok(Controllers { items, order, probes })
    }

    /// The items, in the order of their names.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The items, to be bound to the inputs of another world.
    pub fn items_mut(&mut self) -> &mut [Item] {
        &mut self.items
    }

    /// Texts of the probes that they read, in the order of the readings.
    pub fn probes(&self) -> &[String] {
        &self.probes
    }

    /// The controllers of a world and their states.
    pub fn of(world: &World) -> Option<(&Controllers, &ControllersState)> {
        world.subsystem::<Controllers>()
    }

    /// The states at the start.
    pub fn initial(&self) -> ControllersState {
        let start = |item: &Item| ItemState { enabled: item.enabled, ..ItemState::default() };
        ControllersState { next_step: 0, items: self.items.iter().map(start).collect() }
    }

    /// Advances the items from their states before a step to those in it, `after`. Neither is changed back on an error.
    pub fn advance(
        &self,
        now: &Instant<'_>,
        before: &ControllersState,
        after: &mut ControllersState,
    ) -> Result<(), BadValue> {
        after.clone_from(before);
        after.next_step = now.step + 1;
        for &number in self.order.iter().filter(|number| now.step.is_multiple_of(self.items[**number].every))
        {
            let Some(mut own) = after.items.get(number).copied() else { continue };
            let readings =
                Readings { time: now.time, probes: now.probes, items: &after.items, before: &before.items };
            if let Err(value) = self.items[number].advance((now.step, now.dt), &readings, &mut own) {
                // before the first step there are no forces to read: the item starts with the next one
                if now.step > 0 {
                    return Err(BadValue { item: number, value });
                }
            }
            after.items[number] = own;
        }
        Ok(())
    }

    /// Sets the actions on all inputs. Returns whether one of them changed.
    pub fn act(
        &self,
        now: &Instant<'_>,
        state: &ControllersState,
        inputs: &mut [InputState],
    ) -> Result<bool, BadValue> {
        let readings =
            Readings { time: now.time, probes: now.probes, items: &state.items, before: &state.items };
        let mut changed = false;
        for (place, input) in inputs.iter_mut().enumerate() {
            let mut action = InputAction::default();
            for is_rule in [false, true] {
                for (number, (item, own)) in self.items.iter().zip(&state.items).enumerate() {
                    if item.is_rule() != is_rule || !own.running || (is_rule && own.value == 0.0) {
                        continue;
                    }
                    for output in item.outputs.iter().filter(|output| output.input.index() == place) {
                        let value = output.value.value(&readings);
                        if !value.is_finite() {
                            return Err(BadValue { item: number, value });
                        }
                        output.combine(value, &mut action);
                    }
                }
            }
            changed |= input.action != action;
            input.action = action;
        }
        Ok(changed)
    }

    /// The state that an item of a new list starts with.
    fn kept(&self, item: &Item, states: &ControllersState) -> ItemState {
        let start = ItemState { enabled: item.enabled, ..ItemState::default() };
        let known = self.items.iter().zip(&states.items).find(|(old, _)| old.name == item.name);
        let Some((old, state)) = known.filter(|(old, state)| state.fits(item) && old.is_alike(item)) else {
            return start;
        };
        let enabled = if old.enabled == item.enabled { state.enabled } else { item.enabled };
        ItemState { enabled, ..*state }
    }
}

impl Item {
    /// Whether the memory of one means the same in the other.
    fn is_alike(&self, other: &Item) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Machine(a), Kind::Machine(b)) => {
                a.states.iter().map(|state| &state.0).eq(b.states.iter().map(|state| &state.0))
            }
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        }
    }

    /// What can be read of it: quantity, name, description.
    fn quantities(&self) -> &'static [(ItemQuantity, &'static str, &'static str)] {
        match self.kind {
            Kind::Rule(_) => &[
                (ItemQuantity::Value, "active", "1 while the rule is active, else 0"),
                (ItemQuantity::Enabled, "enabled", "1 if the rule is switched on, else 0"),
            ],
            Kind::Machine(_) => &[
                (ItemQuantity::Value, "value", "value of the present state"),
                (ItemQuantity::Enabled, "enabled", "1 if the controller is switched on, else 0"),
                (
                    ItemQuantity::State,
                    "state",
                    "number of the present state, from 0, in the order of the names",
                ),
            ],
            _ => &[
                (ItemQuantity::Value, "value", "output of the controller"),
                (ItemQuantity::Enabled, "enabled", "1 if the controller is switched on, else 0"),
            ],
        }
    }
}

impl ItemState {
    /// Whether it belongs to an item.
    fn fits(&self, item: &Item) -> bool {
        match &item.kind {
            Kind::Machine(machine) => (self.state as usize) < machine.states.len(),
            _ => self.state == 0,
        }
    }
}

impl Subsystem for Controllers {
    const KEY: &'static str = "controllers";
    const VERSION: u32 = 1;
    type State = ControllersState;
    type Work = ();
    type Edit = ControllerEdit;

    fn advance(
        &self,
        _: &View<'_>,
        _: &mut Advance<'_>,
        _: (&ControllersState, &mut ControllersState),
        (): &mut (),
    ) -> [Energy; 2] {
        [Energy::default(); 2]
    }

    fn work_done(&self, _: &SolvedStep<'_>, _: &ControllersState, (): &()) -> Option<f64> {
        Some(0.0)
    }

    fn accepts(&self, _: &View<'_>, state: &ControllersState) -> Result<(), Misfit> {
        let mut all = self.items.iter().zip(&state.items);
        match () {
            () if state.items.len() != self.items.len() => Err(Misfit::OtherModel),
            () if !all.all(|(item, state)| state.fits(item)) => Err(Misfit::OtherModel),
            () if !state.items.iter().all(|s| s.numbers().iter().all(|x| x.is_finite())) => {
                Err(Misfit::Unsound)
            }
            () => Ok(()),
        }
    }

    fn apply(
        &mut self,
        edit: ControllerEdit,
        state: &mut ControllersState,
        _: &View<'_>,
    ) -> Result<ControllerEdit, Refusal> {
        match edit {
            ControllerEdit::Set(new, states) => {
                let fit = |states: &ControllersState| {
                    states.items.len() == new.items.len()
                        && states.items.iter().zip(&new.items).all(|(state, item)| state.fits(item))
                };
                let kept = || ControllersState {
                    next_step: state.next_step,
                    items: new.items.iter().map(|item| self.kept(item, state)).collect(),
                };
                let next = states.filter(fit).unwrap_or_else(kept);
                let was = std::mem::replace(state, next);
                Ok(ControllerEdit::Set(Box::new(std::mem::replace(self, *new)), Some(was)))
            }
            ControllerEdit::Switch(number, on) => {
                let Some(item) = state.items.get_mut(number) else {
                    let what = format!("controller number {number}");
                    let problem = "it does not exist: the scene has changed".to_string();
                    return Err(Refusal { what, problem });
                };
                Ok(ControllerEdit::Switch(number, std::mem::replace(&mut item.enabled, on)))
            }
        }
    }

    fn quantities(&self) -> Vec<Quantity> {
        let of = |item: &Item| {
            let name = item.name.clone();
            item.quantities().iter().map(move |(_, word, doc)| Quantity {
                item: name.clone(),
                name: word,
                unit: "",
                doc,
            })
        };
        self.items.iter().flat_map(of).collect()
    }

    fn read(&self, _: &View<'_>, state: &ControllersState, number: usize) -> f64 {
        let all = self.items.iter().zip(&state.items);
        let mut all = all.flat_map(|(item, own)| item.quantities().iter().map(move |q| own.read(q.0)));
        all.nth(number).unwrap_or(f64::NAN)
    }
}
