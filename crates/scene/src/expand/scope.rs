//! Names in expressions: parameters of the scene, those of an instance, the index of a pattern.
//!
//! Parameters of one table may use each other in any order, but without cycles. An inner name hides an outer one.

use super::expression::{self, Fault, Found, Names, Quantity, Value};
use super::fill;
use crate::error::Problems;
use crate::suggestion;
use crate::units;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Maximum length of a chain of parameters that depend on each other.
const DEEPEST: usize = 32;

/// Values by name; none for one that could not be computed, which has been reported.
pub type Values = BTreeMap<String, Option<Value>>;

/// The values of names, from the innermost scope outward.
pub struct Scope<'s> {
    values: Values,
    outer: Option<&'s Scope<'s>>,
}

impl<'s> Scope<'s> {
    /// The evaluated parameters of a table; given values replace those of the table.
    pub fn of_parameters(
        table: Option<&DeTable<'_>>,
        given: Values,
        outer: Option<&'s Scope<'s>>,
        problems: &mut Problems,
    ) -> Scope<'s> {
        let slots = given.into_iter().map(|(name, value)| (name, Slot::Done(value))).collect();
        let mut computing = Computing { slots, outer, problems, waiting: Vec::new() };
        for (key, value) in table.into_iter().flatten() {
            if computing.may_be_called(key.get_ref(), key.span()) {
                computing.slots.entry(key.get_ref().to_string()).or_insert(Slot::Open(value));
            }
        }
        let names: Vec<String> = computing.slots.keys().cloned().collect();
        for name in names {
            computing.settle(&name);
        }
        let values = computing.slots.into_iter().map(|(name, slot)| match slot {
            Slot::Done(value) => (name, value),
            Slot::Open(_) | Slot::Busy => (name, None),
        });
        Scope { values: values.collect(), outer }
    }

    /// The index of a pattern.
    pub fn of_index(name: &str, index: i64, outer: &'s Scope<'s>) -> Scope<'s> {
        let value = Value::Number(Quantity { si: index as f64, dimension: None });
        Scope { values: BTreeMap::from([(name.to_string(), Some(value))]), outer: Some(outer) }
    }

    /// The value of a name.
    pub fn look(&self, name: &str) -> Found {
        match (self.values.get(name), self.outer) {
            (Some(Some(value)), _) => Found::Value(value.clone()),
            (Some(None), _) => Found::Bad,
            (None, Some(outer)) => outer.look(name),
            (None, None) => Found::Unknown,
        }
    }

    /// All names, inner ones first.
    fn known(&self) -> Vec<String> {
        let outer = self.outer.map(Scope::known).unwrap_or_default();
        self.values.keys().cloned().chain(outer).collect()
    }
}

impl Names for &Scope<'_> {
    fn look(&mut self, name: &str) -> Found {
        Scope::look(self, name)
    }

    fn known(&self) -> Vec<String> {
        Scope::known(self)
    }
}

/// The value of a parameter in the file: a number, true or false, or text, which may be an expression or a
/// number with a unit.
pub fn value_of(value: &DeValue<'_>, names: &mut dyn Names) -> Result<Value, Fault> {
    let bare = |si: Option<f64>| match si {
        Some(si) => Ok(Value::Number(Quantity { si, dimension: None })),
        None => Err(Fault::New("the number cannot be read".to_string(), None)),
    };
    let not = |what: &str| {
        let help = "give a number, text, true or false".to_string();
        Err(Fault::New(format!("a parameter cannot be {what}"), Some(help)))
    };
    match value {
        DeValue::Integer(i) => bare(i128::from_str_radix(i.as_str(), i.radix()).ok().map(|x| x as f64)),
        DeValue::Float(f) => bare(f.as_str().parse().ok()),
        DeValue::Boolean(flag) => Ok(Value::Flag(*flag)),
        DeValue::String(text) => match text.trim_start().strip_prefix('=') {
            Some(expression) => expression::evaluate(expression, names),
            None => {
                let text = fill::filled(text, names)?;
                Ok(match units::quantity(&text) {
                    Ok((si, dimension)) => Value::Number(Quantity { si, dimension }),
                    Err(_) => Value::Text(text.into_owned()),
                })
            }
        },
        DeValue::Datetime(_) => not("a date"),
        DeValue::Array(_) => not("a list"),
        DeValue::Table(_) => not("a table"),
    }
}

/// A parameter being evaluated.
enum Slot<'t, 'i> {
    Open(&'t Spanned<DeValue<'i>>),
    Busy,
    Done(Option<Value>),
}

/// Parameters during their evaluation.
struct Computing<'t, 'i, 's> {
    slots: BTreeMap<String, Slot<'t, 'i>>,
    outer: Option<&'s Scope<'s>>,
    problems: &'t mut Problems,
    /// The parameters being evaluated, each needed by the one before it.
    waiting: Vec<(String, Range<usize>)>,
}

impl Computing<'_, '_, '_> {
    fn may_be_called(&mut self, name: &str, span: Range<usize>) -> bool {
        let shown = suggestion::shortened(name);
        if expression::is_taken(name) {
            let help = "the name is reserved in expressions: choose another";
            self.problems.advise(span, format!("a parameter cannot be called `{shown}`"), help);
            return false;
        }
        if !expression::is_name(name) {
            let help = "use letters, digits and `_`, and do not begin with a digit";
            self.problems.advise(span, format!("a parameter cannot be called `{shown}`"), help);
            return false;
        }
        true
    }

    /// Evaluates a parameter, unless that has been done.
    fn settle(&mut self, name: &str) -> Found {
        let Some(slot) = self.slots.get_mut(name) else { return Found::Unknown };
        let value = match slot {
            Slot::Done(Some(value)) => return Found::Value(value.clone()),
            Slot::Done(None) => return Found::Bad,
            Slot::Busy => {
                self.circle(name);
                return Found::Bad;
            }
            Slot::Open(value) => *value,
        };
        if self.waiting.len() == DEEPEST {
            let message = format!("parameters depend on each other more than {DEEPEST} deep");
            self.problems.advise(value.span(), message, "replace some of the expressions by numbers");
            return Found::Bad;
        }
        *slot = Slot::Busy;
        self.waiting.push((name.to_string(), value.span()));
        let computed = value_of(value.get_ref(), self);
        self.waiting.pop();
        let computed = match computed {
            Ok(value) => Some(value),
            Err(fault) => {
                let mut problems = std::mem::take(self.problems);
                fill::tell(fault, value, self, &mut problems);
                *self.problems = problems;
                None
            }
        };
        self.slots.insert(name.to_string(), Slot::Done(computed.clone()));
        computed.map_or(Found::Bad, Found::Value)
    }

    /// Reports a cycle of parameters.
    fn circle(&mut self, name: &str) {
        let Some((_, span)) = self.waiting.last() else { return };
        let names = self.waiting.iter().map(|w| w.0.as_str()).skip_while(|n| *n != name);
        let way: Vec<_> = names.chain([name]).map(|n| format!("`{n}`")).collect();
        let message = format!("parameters depend on each other in a cycle: {}", way.join(" → "));
        self.problems.advise(span.clone(), message, "give one of them a value of its own");
    }
}

impl Names for Computing<'_, '_, '_> {
    fn look(&mut self, name: &str) -> Found {
        match (self.settle(name), self.outer) {
            (Found::Unknown, Some(outer)) => outer.look(name),
            (found, _) => found,
        }
    }

    fn known(&self) -> Vec<String> {
        let outer = self.outer.map(Scope::known).unwrap_or_default();
        self.slots.keys().cloned().chain(outer).collect()
    }
}
