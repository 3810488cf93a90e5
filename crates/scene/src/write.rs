//! Writes a scene as readable TOML that reads back as the same scene.
//!
//! Sections have a fixed order, entries keep theirs. An entry has a header of its own; a table in it is on one line
//! where it fits, else under its own header. Comments and layout of the file that was read are not kept, nor are its
//! parameters, patterns and includes: the expanded entries are written. The entries of an instance become a prefab of
//! their own with one instance, so that they stay in its frame. Numbers are written as they were given.

use crate::expand::entry::SELF;
use crate::text::{Entry, Group, Scene};
use serde::Serialize;
use std::sync::Arc;
use toml::{Spanned, Table, Value};

/// Maximum line length, where there is a choice.
const WIDTH: usize = 100;

impl Scene {
    /// The scene as the text of a scene file.
    pub fn to_toml(&self) -> String {
        let mut out = String::from("windlass = 2\n");
        for (key, text) in [("title", &self.title), ("description", &self.description)] {
            if let Some(text) = text {
                line(&mut out, key, &Value::String(text.clone()));
            }
        }
        let settings = as_table(&self.settings);
        if !settings.is_empty() {
            table(&mut out, "settings", &settings);
        }
        section(&mut out, "materials", &self.materials);
        list(&mut out, "frictions", &self.frictions);
        list(&mut out, "contacts", &self.contacts);
        section(&mut out, "fluids", &self.fluids);
        section(&mut out, "soils", &self.soils);
        section(&mut out, "grounds", &self.grounds);
        section(&mut out, "sections", &self.sections);
        section(&mut out, "tires", &self.tires);
        self.group(&mut out, &Group::default(), "");
        for group in self.instances() {
            let filled = group.name.replace('{', "{{").replace('}', "}}");
            self.group(&mut out, &group, &format!("prefabs.{}.", key_text(&group.name)));
            out += &format!("\n[instances.{}]\n", key_text(&filled));
            line(&mut out, "prefab", &Value::String(group.name.clone()));
            line(&mut out, "position", &numbers(&group.at.to_array()));
            let q = group.orientation;
            line(&mut out, "orientation", &numbers(&[q.w, q.x, q.y, q.z]));
        }
        list(&mut out, "script", &self.script);
        section(&mut out, "controllers", &self.controllers);
        section(&mut out, "rules", &self.rules);
        section(&mut out, "cameras", &self.cameras);
        if !self.probes.is_empty() {
            out += "\n[probes]\n";
        }
        for probe in &self.probes {
            line(&mut out, &probe.name, &Value::String(probe.value.get_ref().clone()));
        }
        out
    }

    /// The groups other than the scene itself, in the order of their first entries.
    fn instances(&self) -> Vec<Arc<Group>> {
        let bodies = self.bodies.iter().map(|e| &e.group);
        let others = self.joints.iter().map(|e| &e.group).chain(self.forces.iter().map(|e| &e.group));
        let cables = self.cables.iter().map(|e| &e.group).chain(self.ropes.iter().map(|e| &e.group));
        let cables = cables.chain(self.winches.iter().map(|e| &e.group));
        let cables = cables.chain(self.vehicles.iter().map(|e| &e.group));
        let cables = cables.chain(self.tools.iter().map(|e| &e.group));
        let cables = cables.chain(self.bins.iter().map(|e| &e.group));
        let cables = cables.chain(self.wheels.iter().map(|e| &e.group));
        let cables = cables.chain(self.tracks.iter().map(|e| &e.group));
        let cables = cables.chain(self.inputs.iter().map(|e| &e.group));
        let mut seen = std::collections::BTreeSet::from([""]);
        bodies.chain(others).chain(cables).filter(|group| seen.insert(&group.name)).cloned().collect()
    }

    /// The entries of a group.
    fn group(&self, out: &mut String, group: &Group, path: &str) {
        // bodies and joints of winches and vehicles are written as these
        members(out, &format!("{path}bodies"), group, self.bodies.iter().filter(|e| !self.is_made(&e.name)));
        members(out, &format!("{path}joints"), group, self.joints.iter().filter(|e| !self.is_made(&e.name)));
        members(out, &format!("{path}forces"), group, &self.forces);
        members(out, &format!("{path}cables"), group, &self.cables);
        members(out, &format!("{path}cables"), group, &self.ropes);
        members(out, &format!("{path}winches"), group, &self.winches);
        members(out, &format!("{path}vehicles"), group, &self.vehicles);
        members(out, &format!("{path}tools"), group, &self.tools);
        members(out, &format!("{path}bins"), group, &self.bins);
        members(out, &format!("{path}wheels"), group, &self.wheels);
        members(out, &format!("{path}tracks"), group, &self.tracks);
        members(out, &format!("{path}inputs"), group, &self.inputs);
    }
}

/// Entries of one group, by their names in it.
fn members<'e, T: Serialize + 'e>(
    out: &mut String,
    path: &str,
    group: &Group,
    entries: impl IntoIterator<Item = &'e Entry<T>>,
) {
    let prefix = group.full("");
    for entry in entries.into_iter().filter(|entry| entry.group.name == group.name) {
        let is_self = !group.name.is_empty() && entry.name == group.name;
        let name = if is_self { SELF } else { entry.name.strip_prefix(&prefix).unwrap_or(&entry.name) };
        // these names are already expanded: a single brace would begin an expression
        let name = name.replace('{', "{{").replace('}', "}}");
        table(out, &format!("{path}.{}", key_text(&name)), &as_table(&entry.value));
    }
}

fn section<T: Serialize>(out: &mut String, name: &str, entries: &[Entry<T>]) {
    for entry in entries {
        table(out, &format!("{name}.{}", key_text(&entry.name)), &as_table(&entry.value));
    }
}

/// Entries without names.
fn list<T: Serialize>(out: &mut String, name: &str, entries: &[Spanned<T>]) {
    for entry in entries {
        *out += &format!("\n[[{name}]]\n");
        as_table(entry.get_ref()).iter().for_each(|(key, value)| line(out, key, value));
    }
}

fn numbers(list: &[f64]) -> Value {
    Value::Array(list.iter().map(|x| Value::Float(*x)).collect())
}

/// The keys of a struct, without those that are not given.
fn as_table<T: Serialize>(value: &T) -> Table {
    Table::try_from(value).expect("the structs of a scene are tables of what TOML has")
}

/// Texts for writing: a single brace would begin an expression.
fn escaped(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.replace('{', "{{").replace('}', "}}")),
        Value::Array(list) => Value::Array(list.iter().map(escaped).collect()),
        Value::Table(table) => {
            Value::Table(table.iter().map(|(key, value)| (key.clone(), escaped(value))).collect())
        }
        other => other.clone(),
    }
}

/// A header with its keys; tables too long for a line follow under their own headers.
fn table(out: &mut String, path: &str, table_: &Table) {
    let is_long = |key: &str, value: &Value| value.is_table() && inline(key, value).len() > WIDTH;
    let (long, short): (Vec<_>, Vec<_>) = table_.iter().partition(|(key, value)| is_long(key, value));
    // a header with only headers below it is not needed
    if long.is_empty() || !short.is_empty() {
        *out += &format!("\n[{path}]\n");
    }
    short.into_iter().for_each(|(key, value)| line(out, key, value));
    for (key, value) in long {
        if let Value::Table(inner) = value {
            table(out, &format!("{path}.{}", key_text(key)), inner);
        }
    }
}

/// A key and its value on one line, or with its long lists on several.
fn line(out: &mut String, key: &str, value: &Value) {
    *out += &format!("{} = {}\n", key_text(key), wrapped(&escaped(value), 0));
}

/// A value on one line if it fits, else with the items of its lists on lines of their own, indented. TOML allows line
/// breaks in lists but not in inline tables.
fn wrapped(value: &Value, indent: usize) -> String {
    let short = value.to_string();
    if short.len() + indent <= WIDTH {
        return short;
    }
    match value {
        Value::Array(list) => {
            let (margin, end) = (" ".repeat(indent + 2), " ".repeat(indent));
            let (mut out, mut room) = (String::from("["), 0);
            for item in list {
                let text = wrapped(item, indent + 2) + ",";
                if text.len() + 1 > room {
                    out += &format!("\n{margin}{text}");
                    room = WIDTH.saturating_sub(indent + 2 + text.len());
                } else {
                    out += &format!(" {text}");
                    room -= text.len() + 1;
                }
            }
            out + "\n" + &end + "]"
        }
        Value::Table(table) => {
            let pairs =
                table.iter().map(|(key, value)| format!("{} = {}", key_text(key), wrapped(value, indent)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
        _ => short,
    }
}

fn inline(key: &str, value: &Value) -> String {
    format!("{} = {value}", key_text(key))
}

/// A key in TOML: bare if possible, else quoted.
fn key_text(key: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(is_bare) {
        return key.to_string();
    }
    let escaped = key.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\U{:08X}", u32::from(c)),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}
