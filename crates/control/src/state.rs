//! State of controllers and rules.

use windlass_engine::prelude::StatePart;
use windlass_engine::words::{SnapshotError, WordReader, WordWriter};

/// Quantities of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemQuantity {
    /// Its value; of a rule 1 while it is active.
    Value,
    /// Number of the state of a state machine, from 0.
    State,
    /// 1 if it is switched on.
    Enabled,
}

/// State of an item.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ItemState {
    /// Whether it is switched on.
    pub enabled: bool,
    /// Whether it ran in the last evaluation: else it starts from its initial condition.
    pub running: bool,
    /// Its value; of a rule 1 while it is active, else 0. A controller that does not run keeps its last value.
    pub value: f64,
    /// Memory of its law; of a rule the times of its first and last activation [s].
    pub memory: [f64; 3],
    /// Number of the state of a state machine.
    pub state: u64,
    /// Step at which that state was entered, or from which on the condition of a rule holds.
    pub since: Option<u64>,
    /// Activations of a rule.
    pub count: u64,
}

impl ItemState {
    /// Numbers that must be finite.
    pub(crate) fn numbers(&self) -> [f64; 4] {
        let [a, b, c] = self.memory;
        [self.value, a, b, c]
    }

    /// A quantity of it.
    pub fn read(&self, quantity: ItemQuantity) -> f64 {
        match quantity {
            ItemQuantity::Value => self.value,
            ItemQuantity::State => self.state as f64,
            ItemQuantity::Enabled => f64::from(u8::from(self.enabled)),
        }
    }

    /// Stops it: it starts from its initial condition when it runs again.
    pub(crate) fn stop(&mut self, is_rule: bool) {
        (self.running, self.since) = (false, None);
        if is_rule {
            self.value = 0.0;
        }
    }
}

/// State of all controllers and rules.
#[derive(Debug, Default, PartialEq)]
pub struct ControllersState {
    /// The first step that has not been evaluated.
    pub next_step: u64,
    /// The items, in the order of their names.
    pub items: Vec<ItemState>,
}

// Written out so that copying over a state of the same controllers does not allocate.
impl Clone for ControllersState {
    fn clone(&self) -> ControllersState {
        ControllersState { next_step: self.next_step, items: self.items.clone() }
    }

    fn clone_from(&mut self, other: &ControllersState) {
        self.next_step = other.next_step;
        self.items.clone_from(&other.items);
    }
}

/// Words of an item.
const ITEM: usize = 8;

/// The next step and the number of items; of each its flags, state, step since + 1, activations, value and memory.
impl StatePart for ControllersState {
    fn write(&self, out: &mut WordWriter<'_>) {
        out.integers(&[self.next_step, self.items.len() as u64]);
        out.end();
        for item in &self.items {
            let flags = u64::from(item.enabled) | u64::from(item.running) << 1;
            out.integers(&[flags, item.state, item.since.map_or(0, |since| since + 1), item.count]);
            out.numbers(&item.numbers());
        }
    }

    fn read(words: &mut WordReader<'_>) -> Result<ControllersState, SnapshotError> {
        let next_step = words.integer()?;
        let count = words.length(ITEM)?;
        words.zeros(2)?;
        let mut state = ControllersState { next_step, items: Vec::new() };
        for _ in 0..count {
            let flags = words.below(4)?;
            state.items.push(ItemState {
                enabled: flags & 1 == 1,
                running: flags & 2 == 2,
                state: words.integer()?,
                since: words.integer()?.checked_sub(1),
                count: words.integer()?,
                value: words.number()?,
                memory: [words.number()?, words.number()?, words.number()?],
            });
        }
        Ok(state)
    }
}
