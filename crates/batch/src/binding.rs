//! Groups of probes → places in the row of numbers that every member has.
//!
//! All probes of a batch are compiled as one list, since contacts have to be read before the instant is solved. A probe
//! that is in two groups is read once. A member with values of its own has the list compiled for its own model, in which
//! masses differ and parts may have other numbers.

use windlass_engine::prelude::World;
use windlass_host::{Outputs, ProbeError};

/// A group of probes that is read after each step.
#[derive(Clone, Debug)]
pub struct Binding {
    /// Name and unit of each number.
    pub columns: Vec<(String, &'static str)>,
    /// Where each is in the row of a member.
    places: Vec<usize>,
}

impl Binding {
    /// How many numbers there are.
    pub fn width(&self) -> usize {
        self.places.len()
    }

    /// Copies the numbers of the group out of the row of a member.
    pub fn copy(&self, row: &[f64], into: &mut [f64]) {
        for (value, place) in into.iter_mut().zip(&self.places) {
            *value = row[*place];
        }
    }
}

/// All groups of a batch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    texts: Vec<String>,
    /// All probes, without duplicates.
    pub outputs: Outputs,
}

impl Bindings {
    /// Adds a group. Places of earlier groups remain.
    pub fn add<T: AsRef<str>>(&mut self, probes: &[T], world: &World) -> Result<Binding, Vec<ProbeError>> {
        let own = Outputs::parse(probes, world)?;
        let texts = self.texts.iter().cloned().chain(probes.iter().map(|p| p.as_ref().to_string()));
        let texts: Vec<String> = texts.collect();
        let outputs = Outputs::parse(&texts, world)?;
        let place = |name: &str| outputs.columns().iter().position(|column| column.name == name);
        let columns = own.columns().iter().map(|column| (column.name.clone(), column.unit)).collect();
        let places = own.columns().iter().filter_map(|column| place(&column.name)).collect();
        (self.texts, self.outputs) = (texts, outputs);
        Ok(Binding { columns, places })
    }

    /// All probes for another world, which must have the same columns; else what differs.
    pub fn compile(&self, world: &World) -> Result<Outputs, String> {
        let outputs = Outputs::parse(&self.texts, world)
            .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
        let heads = |of: &Outputs| -> Vec<(String, &'static str)> {
            of.columns().iter().map(|column| (column.name.clone(), column.unit)).collect()
        };
        let (found, wanted) = (heads(&outputs), heads(&self.outputs));
        let lacking = |of: &[(String, &'static str)], list: &[(String, &'static str)]| {
            list.iter().find(|head| !of.contains(head)).map(|(name, _)| name.clone())
        };
        match (lacking(&wanted, &found), lacking(&found, &wanted)) {
            _ if found == wanted => Ok(outputs),
            (Some(name), _) => Err(format!("the column \"{name}\" is added")),
            (None, Some(name)) => Err(format!("the column \"{name}\" is missing")),
            (None, None) => Err("the columns have another order".to_string()),
        }
    }
}
