//! Expands patterns and prefabs into entries.
//!
//! A group has `bodies`, `joints`, `forces`, `cables`, `winches`, `vehicles`, `tools`, `inputs`, `patterns` and `instances`:
//! the scene, a prefab or one repetition of a pattern. Its own entries come first, then its patterns, then its instances. Each entry
//! is returned with its expressions evaluated, its full name and the pose of its group.

mod pattern;

use super::entry::Group;
use super::expression::Value;
use super::fill;
use super::overrides::Order;
use super::scope::{self, Scope, Values};
use crate::decode::{list, read};
use crate::error::{Problems, Sources};
use crate::kind::{MOST_ENTRIES, Section};
use crate::number::{Length, Numbers, Plain};
use crate::suggestion;
use crate::text::body::Rotation;
use crate::units;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};
use windlass_engine::math;

/// Maximum nesting of prefabs and of patterns.
const DEEPEST: usize = 8;
/// Maximum number of repetitions of patterns and of instances.
const MOST_ROUNDS: usize = 2 * MOST_ENTRIES;
/// Maximum number of values (numbers, texts, tables) created by patterns and instances.
const MOST_VALUES: usize = 4_000_000;

const FEWER: &str = "reduce the number: a scene may have up to 100000 of each kind";

/// An entry for the typed reader.
pub struct Made<'i> {
    pub section: Section,
    pub name: String,
    pub span: Range<usize>,
    pub value: Spanned<DeValue<'i>>,
    pub group: Arc<Group>,
}

/// The remaining limits.
struct Budget {
    entries: [usize; Section::ALL.len()],
    rounds: usize,
    values: usize,
    /// Whether a limit has been exceeded: then nothing more is created, and nothing more is reported about it.
    spent: bool,
}

/// The current position in the nesting of groups.
#[derive(Clone)]
struct Nest<'a> {
    group: Arc<Group>,
    /// Prefabs from the outside in.
    prefabs: Vec<&'a str>,
    /// Index names of the surrounding patterns.
    indexes: Vec<String>,
}

/// An instance as specified in the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Instance {
    prefab: Spanned<String>,
    position: Option<Numbers<Length>>,
    orientation: Option<Numbers<Plain>>,
    rotation: Option<Rotation>,
    /// Read separately, before expressions are evaluated.
    #[serde(rename = "parameters")]
    _parameters: Option<IgnoredAny>,
}

/// The state of an expansion.
pub struct Expander<'a, 'i> {
    prefabs: Option<&'a DeTable<'i>>,
    /// The scene's own names, which prefabs resolve after theirs.
    scene: &'a Scope<'a>,
    sources: &'a Sources,
    /// Overrides of entries.
    orders: Vec<Order<'i>>,
    problems: &'a mut Problems,
    /// Receives the entries.
    out: &'a mut dyn FnMut(Made<'i>, &mut Problems),
    /// Names in use, and by which entry.
    names: [BTreeMap<String, Range<usize>>; Section::ALL.len()],
    budget: Budget,
}

impl<'a, 'i> Expander<'a, 'i> {
    pub fn new(
        prefabs: Option<&'a DeTable<'i>>,
        scene: &'a Scope<'a>,
        sources: &'a Sources,
        problems: &'a mut Problems,
        out: &'a mut dyn FnMut(Made<'i>, &mut Problems),
    ) -> Expander<'a, 'i> {
        let budget = Budget {
            entries: [MOST_ENTRIES; Section::ALL.len()],
            rounds: MOST_ROUNDS,
            values: MOST_VALUES,
            spent: false,
        };
        let names = Default::default();
        Expander { prefabs, scene, sources, orders: Vec::new(), problems, out, names, budget }
    }

    /// Creates all entries: the scene's own, passed by value since they may be large, then the rest. Overrides are
    /// applied to the entries they name as these are created.
    pub fn expand(
        &mut self,
        own: Vec<(Section, DeTable<'i>)>,
        rest: &'a DeTable<'i>,
        orders: Vec<Order<'i>>,
    ) {
        self.orders = orders;
        let nest = Nest { group: Arc::default(), prefabs: Vec::new(), indexes: Vec::new() };
        self.check_prefabs();
        for (section, table) in own {
            for (key, value) in table {
                self.make(section, &key, value, self.scene, &nest);
            }
        }
        self.patterns_and_instances(rest, self.scene, &nest);
        self.missed_orders();
    }

    /// Checks the keys of prefabs, even of unused ones.
    fn check_prefabs(&mut self) {
        const KNOWN: [&str; 14] = [
            "parameters",
            "bodies",
            "joints",
            "forces",
            "cables",
            "winches",
            "vehicles",
            "tools",
            "tracks",
            "bins",
            "wheels",
            "inputs",
            "patterns",
            "instances",
        ];
        for (key, value) in self.prefabs.into_iter().flatten() {
            match value.get_ref() {
                DeValue::Table(table) => self.know(table, &KNOWN),
                _ => {
                    let message =
                        format!("prefab \"{}\" is not a table", suggestion::shortened(key.get_ref()));
                    self.problems.advise(value.span(), message, "write [prefabs.NAME.bodies.NAME] and so on");
                }
            }
        }
    }

    /// Reports unknown keys.
    fn know(&mut self, table: &DeTable<'_>, known: &[&str]) {
        for key in table.keys().filter(|k| !known.contains(&k.get_ref().as_ref())) {
            let help = match suggestion::nearest(key.get_ref(), known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known here: {}", list(known)),
            };
            self.problems.advise(
                key.span(),
                format!("unknown key `{}`", suggestion::shortened(key.get_ref())),
                help,
            );
        }
    }

    /// Expands all of a group's table.
    fn contents(&mut self, table: &'a DeTable<'i>, scope: &Scope<'_>, nest: &Nest<'a>) {
        for section in Section::ALL {
            for (key, value) in self.entries(table, section.key()).into_iter().flatten() {
                if !self.pay_for(value) {
                    return;
                }
                self.make(section, key, value.clone(), scope, nest);
            }
        }
        self.patterns_and_instances(table, scope, nest);
    }

    fn patterns_and_instances(&mut self, table: &'a DeTable<'i>, scope: &Scope<'_>, nest: &Nest<'a>) {
        for (key, value) in self.entries(table, "patterns").into_iter().flatten() {
            self.pattern(key, value, scope, nest);
        }
        for (key, value) in self.entries(table, "instances").into_iter().flatten() {
            self.instance(key, value, scope, nest);
        }
    }

    /// A table of named entries; none if it is absent.
    fn entries(&mut self, table: &'a DeTable<'i>, key: &str) -> Option<&'a DeTable<'i>> {
        let value = table.get(key)?;
        let DeValue::Table(entries) = value.get_ref() else {
            let help = format!("write [{key}.NAME], or NAME = {{ … }} in it");
            self.problems.advise(value.span(), format!("`{key}` is not a table of named entries"), help);
            return None;
        };
        Some(entries)
    }

    /// A name with its expressions evaluated.
    fn name(&mut self, key: &Spanned<DeString<'i>>, mut scope: &Scope<'_>) -> Option<String> {
        match fill::filled(key.get_ref(), &mut scope) {
            Ok(name) => Some(name.into_owned()),
            Err(fault) => {
                let shown = Spanned::new(key.span(), DeValue::String(key.get_ref().clone()));
                fill::tell(fault, &shown, &scope, self.problems);
                None
            }
        }
    }

    /// Creates one entry.
    fn make(
        &mut self,
        section: Section,
        key: &Spanned<DeString<'i>>,
        mut value: Spanned<DeValue<'i>>,
        mut scope: &Scope<'_>,
        nest: &Nest<'a>,
    ) {
        let Some(name) = self.name(key, scope) else { return };
        let name = nest.group.full(&name);
        if self.budget.entries[section as usize] == 0 {
            let message = format!("more than {MOST_ENTRIES} {}", section.key());
            self.overspent(key.span(), message, FEWER);
        }
        if self.budget.spent {
            return;
        }
        self.budget.entries[section as usize] -= 1;
        let sound = fill::fill(&mut value, &mut scope, self.problems);
        // a winch defines a body and a joint of its name
        let made = match section {
            Section::Winches => &[Section::Winches, Section::Bodies, Section::Joints][..],
            _ => &[section][..],
        };
        for kind in made {
            if let Some(other) = self.names[*kind as usize].insert(name.clone(), key.span()) {
                self.twice(*kind, &name, key.span(), other, nest);
                return;
            }
        }
        for order in &mut self.orders {
            order.apply(section, &name, &mut value, self.problems);
        }
        if sound {
            let group = nest.group.clone();
            (self.out)(Made { section, name, span: key.span(), value, group }, self.problems);
        }
    }

    /// Reports a duplicate name.
    fn twice(
        &mut self,
        section: Section,
        name: &str,
        span: Range<usize>,
        other: Range<usize>,
        nest: &Nest<'_>,
    ) {
        let what = section.one();
        let name = suggestion::shortened(name);
        let (message, help) = match nest.indexes.last() {
            Some(index) if span == other => {
                let message = format!("each repetition of the pattern defines {what} \"{name}\" again");
                (message, format!("add the index to its name, such as \"{name}{{{index}}}\""))
            }
            _ => {
                let place = self.sources.shown(&other);
                (
                    format!("{what} \"{name}\" is defined twice"),
                    format!("the other is at {place}: rename one of them"),
                )
            }
        };
        self.problems.advise(span, message, help);
    }

    fn overspent(&mut self, span: Range<usize>, message: String, help: &str) {
        if !self.budget.spent {
            self.budget.spent = true;
            self.problems.advise(span, message, help);
        }
    }

    /// Whether the values of a template may be created once more.
    fn pay_for(&mut self, value: &Spanned<DeValue<'_>>) -> bool {
        let count = values_in(value.get_ref());
        if count > self.budget.values {
            let message = "patterns and instances create too many values".to_string();
            self.overspent(value.span(), message, "use fewer or simpler ones");
        }
        self.budget.values = self.budget.values.saturating_sub(count);
        !self.budget.spent
    }

    fn instance(
        &mut self,
        key: &Spanned<DeString<'i>>,
        value: &'a Spanned<DeValue<'i>>,
        mut scope: &Scope<'_>,
        nest: &Nest<'a>,
    ) {
        if self.budget.rounds == 0 {
            self.overspent(key.span(), format!("more than {MOST_ROUNDS} instances"), FEWER);
        }
        if self.budget.spent || !self.pay_for(value) {
            return;
        }
        self.budget.rounds -= 1;
        let Some(name) = self.name(key, scope) else { return };
        // the parameters of an instance are evaluated where it is defined
        let mut text = value.clone();
        let given = match text.get_mut() {
            DeValue::Table(table) => table.remove("parameters"),
            _ => None,
        };
        if !fill::fill(&mut text, &mut scope, self.problems) {
            return;
        }
        let Some(instance) = read::<Instance>(text, self.problems) else { return };
        let Some(prefab) = self.prefab(&instance.prefab, nest) else { return };
        let parameters = self.entries(prefab.1, "parameters");
        // counted twice: evaluating one takes longer than copying one
        let paid = prefab.1.get("parameters").is_none_or(|p| self.pay_for(p) && self.pay_for(p));
        if !paid {
            return;
        }
        let given = given.and_then(|given| self.given(given, parameters, prefab.0, scope));
        let at = self.problems.vector_or_zero("position", &instance.position);
        let orientation = self.problems.orientation(&instance.orientation, &instance.rotation);
        let (Some(at), Some(orientation)) = (at, orientation) else { return };
        let outer = &nest.group;
        let group = Group {
            name: outer.full(&name),
            at: outer.at + outer.orientation * at,
            orientation: math::unit(outer.orientation * orientation),
        };
        let before = self.problems.instance.replace(group.name.clone());
        let scope =
            Scope::of_parameters(parameters, given.unwrap_or_default(), Some(self.scene), self.problems);
        let mut prefabs = nest.prefabs.clone();
        prefabs.push(prefab.0);
        let inner = Nest { group: Arc::new(group), prefabs, indexes: Vec::new() };
        self.contents(prefab.1, &scope, &inner);
        self.problems.instance = before;
    }

    /// The prefab of a name: its own name and table.
    fn prefab(&mut self, name: &Spanned<String>, nest: &Nest<'a>) -> Option<(&'a str, &'a DeTable<'i>)> {
        let wanted = name.get_ref().as_str();
        let Some((key, value)) = self.prefabs.and_then(|p| p.get_key_value(wanted)) else {
            let known = self.prefabs.into_iter().flat_map(|p| p.keys()).map(|k| k.get_ref().as_ref());
            let help = match suggestion::nearest(wanted, known) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => "define it as [prefabs.NAME]".to_string(),
            };
            self.problems.advise(
                name.span(),
                format!("no prefab \"{}\"", suggestion::shortened(wanted)),
                help,
            );
            return None;
        };
        let key = key.get_ref().as_ref();
        if let Some(at) = nest.prefabs.iter().position(|p| *p == key) {
            let way: Vec<_> = nest.prefabs[at..].iter().copied().chain([key]).collect();
            let message = format!("prefabs contain each other in a cycle: {}", way.join(" → "));
            self.problems.advise(name.span(), message, "remove one of the instances");
            return None;
        }
        if nest.prefabs.len() == DEEPEST {
            let message = format!("prefabs are nested more than {DEEPEST} deep");
            self.problems.advise(name.span(), message, "reduce the nesting");
            return None;
        }
        // one that is not a table has been reported
        value.get_ref().as_table().map(|table| (key, table))
    }

    /// The values that an instance gives to parameters of its prefab.
    fn given(
        &mut self,
        given: Spanned<DeValue<'i>>,
        parameters: Option<&DeTable<'i>>,
        prefab: &str,
        mut scope: &Scope<'_>,
    ) -> Option<Values> {
        let span = given.span();
        let DeValue::Table(given) = given.into_inner() else {
            self.problems.advise(
                span,
                "`parameters` is not a table",
                "write parameters = { PARAMETER = VALUE }",
            );
            return None;
        };
        let mut values = Values::new();
        for (key, value) in given {
            let name = key.get_ref().as_ref();
            let Some(standard) = parameters.and_then(|p| p.get(name)) else {
                let known: Vec<_> = parameters.into_iter().flat_map(|p| p.keys()).collect();
                let known: Vec<_> = known.iter().map(|k| k.get_ref().as_ref()).collect();
                let help = match suggestion::nearest(name, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if known.is_empty() => "it has no parameters".to_string(),
                    None => format!("it has {}", list(&known)),
                };
                let message =
                    format!("prefab \"{prefab}\" has no parameter `{}`", suggestion::shortened(name));
                self.problems.advise(key.span(), message, help);
                continue;
            };
            let computed = scope::value_of(value.get_ref(), &mut scope);
            let computed = computed.map_err(|fault| fill::tell(fault, &value, &scope, self.problems)).ok();
            let fitting = computed.and_then(|v| self.of_its_kind(name, v, standard, value.span()));
            values.insert(name.to_string(), fitting);
        }
        Some(values)
    }

    /// A value for a parameter, if its dimension matches that of the default; a bare number takes its unit.
    fn of_its_kind(
        &mut self,
        name: &str,
        value: Value,
        standard: &Spanned<DeValue<'_>>,
        span: Range<usize>,
    ) -> Option<Value> {
        let own = standard.get_ref().as_str().and_then(|t| units::quantity(t).ok()).and_then(|q| q.1);
        match (value, own) {
            (Value::Number(mut q), Some(own)) => {
                let got = *q.dimension.get_or_insert(own);
                if got != own {
                    let message =
                        format!("`{name}` is {} in the prefab, but {} here", own.name(), got.name());
                    self.problems.advise(
                        span,
                        message,
                        format!("give a number in {own}, or with a unit of that kind"),
                    );
                    return None;
                }
                Some(Value::Number(q))
            }
            (value, _) => Some(value),
        }
    }

    /// Reports overrides of entries that do not exist.
    fn missed_orders(&mut self) {
        for order in &self.orders {
            if !self.budget.spent {
                order.missed(&self.names, self.problems);
            }
        }
    }
}

/// The number of values in a value, including itself; long texts count more.
fn values_in(value: &DeValue<'_>) -> usize {
    1 + match value {
        DeValue::String(text) => text.len() / 64,
        DeValue::Array(list) => list.iter().map(|v| values_in(v.get_ref())).sum(),
        DeValue::Table(table) => table.values().map(|v| values_in(v.get_ref())).sum(),
        _ => 0,
    }
}
