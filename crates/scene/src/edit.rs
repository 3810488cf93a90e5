//! Edits the text of a scene; comments and order are kept.
//!
//! ```text
//!  { set = [bodies, ball, mass], value = "2 kg" }   { remove = [joints, pivot] }   { rename = [bodies, ball], to = "bob" }
//! ```
//!
//! The text is the single source of truth: an editor specifies changes and reads the resulting text like any other. A
//! path goes through tables by key and through lists by index, from 0. Missing tables are created: section and entry
//! with a header of their own, deeper ones on one line. A list of tables has one of them per line; as a section of its
//! own, such as the script, it becomes `[[script]]`. Either all changes are made or none.

use serde::Deserialize;
use serde_json::Value as Json;
use thiserror::Error;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, TomlError, Value};

/// Maximum number of changes at once.
const MOST: usize = 10_000;
/// Maximum number of keys of a path, and maximum nesting of tables.
const DEEPEST: usize = 32;

/// A change to the text of a scene.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(untagged, deny_unknown_fields)]
pub enum Change {
    /// Sets a value, which may exist or not.
    Set {
        /// The keys of its path.
        set: Vec<String>,
        /// Numbers, texts, lists and tables as in TOML.
        value: Json,
        /// Comment above the header, if the value is an entry of a section that did not exist before.
        #[serde(default)]
        comment: Option<String>,
    },
    /// Removes an entry or a key.
    Remove {
        /// The keys of its path.
        remove: Vec<String>,
    },
    /// Renames an entry of a section, and all references to it.
    Rename {
        /// Section and name.
        rename: Vec<String>,
        /// The new name.
        to: String,
    },
}

/// Why a text was not changed.
#[derive(Debug, Error)]
pub enum Refused {
    /// The text is not valid TOML.
    #[error("the text is not valid TOML: correct it first ({0})")]
    Text(#[from] TomlError),
    /// Too many changes.
    #[error("{0} changes at once: give at most {MOST}")]
    Many(usize),
    /// A path that does not exist.
    #[error("{0} is not in this text: it may come from an include, a pattern or a prefab; change it there")]
    Missing(String),
    /// A path through a value that has no keys.
    #[error("{0} is a single value and has no keys")]
    Leaf(String),
    /// A path with no keys or too many.
    #[error("a path must have 1 to {DEEPEST} keys")]
    Path,
    /// A value that TOML cannot represent.
    #[error("{0} cannot be null or nested more than {DEEPEST} deep: give a value, or remove it")]
    Value(String),
    /// A name in use.
    #[error("there is a {0} already: choose another name")]
    Taken(String),
    /// A rename of something without a name.
    #[error("only entries of a section have a name: give [section, name]")]
    Nameless,
}

/// The text with all changes made, or the reason why not.
pub fn edit(text: &str, changes: &[Change]) -> Result<String, Refused> {
    if changes.len() > MOST {
        return Err(Refused::Many(changes.len()));
    }
    let mut document: DocumentMut = text.parse()?;
    for change in changes {
        match change {
            Change::Set { set: path, value, comment } => {
                set(&mut document, path, value, comment.as_deref())?;
            }
            Change::Remove { remove: path } => remove(&mut document, path)?,
            Change::Rename { rename: path, to } => rename(&mut document, path, to)?,
        }
    }
    Ok(document.to_string())
}

/// The text as JSON, with numbers and texts as written; none if it is not valid TOML.
pub fn tree(text: &str) -> Option<Json> {
    let table: toml::Table = text.parse().ok()?;
    serde_json::to_value(table).ok()
}

fn told(path: &[String]) -> String {
    format!("`{}`", path.join("."))
}

fn set(
    document: &mut DocumentMut,
    path: &[String],
    value: &Json,
    comment: Option<&str>,
) -> Result<(), Refused> {
    if path.is_empty() || path.len() > DEEPEST {
        return Err(Refused::Path);
    }
    let (last, way) = path.split_last().ok_or(Refused::Path)?;
    let mut item = document.as_item_mut();
    for (depth, key) in way.iter().enumerate() {
        item = below(item, key, depth).ok_or_else(|| Refused::Leaf(told(&path[..=depth])))?;
    }
    let bad = || Refused::Value(told(path));
    if let Some(list) = item.as_array_mut() {
        let place: usize = last.parse().map_err(|_| Refused::Missing(told(path)))?;
        let value = inline(value, 0).ok_or_else(bad)?;
        match place {
            _ if place < list.len() => drop(list.replace(place, value)),
            _ if place == list.len() => list.push(value),
            _ => return Err(Refused::Missing(told(path))),
        }
        return Ok(());
    }
    let is_header = item.is_table();
    let table = item.as_table_like_mut().ok_or_else(|| Refused::Leaf(told(way)))?;
    let new = match value {
        // an entry of a section has a header
        Json::Object(map) if path.len() == 2 && is_header => {
            let mut entry = headed(map).ok_or_else(bad)?;
            if let Some(comment) = comment {
                entry.decor_mut().set_prefix(commented(comment));
            }
            Item::Table(entry)
        }
        // a list of tables is a section of its own, unless it is written on one line already
        Json::Array(list)
            if path.len() == 1
                && !list.is_empty()
                && list.iter().all(Json::is_object)
                && !table.get(last).is_some_and(Item::is_array) =>
        {
            let tables = list.iter().filter_map(Json::as_object).map(headed).collect::<Option<Vec<_>>>();
            return put_tables(table, last, tables.ok_or_else(bad)?);
        }
        value => Item::Value(inline(value, 0).ok_or_else(bad)?),
    };
    put(table, last, new);
    Ok(())
}

/// A table with a header.
fn headed(map: &serde_json::Map<String, Json>) -> Option<Table> {
    let mut entry = Table::new();
    for (key, value) in map {
        entry.insert(key, Item::Value(inline(value, 0)?));
    }
    Some(entry)
}

/// What comes before a header with a comment above it.
fn commented(comment: &str) -> String {
    let lines: Vec<String> =
        comment.lines().map(|line| format!("# {}\n", line.replace(|c: char| c.is_control(), " "))).collect();
    format!("\n{}", lines.concat())
}

/// Makes a list of tables with headers; those that existed keep their comments.
fn put_tables(table: &mut dyn TableLike, key: &str, new: Vec<Table>) -> Result<(), Refused> {
    if table.get(key).is_none() {
        table.insert(key, Item::ArrayOfTables(ArrayOfTables::new()));
    }
    let list = table.get_mut(key).and_then(Item::as_array_of_tables_mut);
    let list = list.ok_or_else(|| Refused::Leaf(format!("`{key}`")))?;
    while list.len() > new.len() {
        list.remove(list.len() - 1);
    }
    for (k, mut entry) in new.into_iter().enumerate() {
        match list.get_mut(k) {
            Some(old) => refill(old, &mut entry),
            None => list.push(entry),
        }
    }
    Ok(())
}

/// The table below a key; created if it does not exist.
fn below<'a>(item: &'a mut Item, key: &str, depth: usize) -> Option<&'a mut Item> {
    if item.is_array() || item.is_array_of_tables() {
        return item.get_mut(key.parse::<usize>().ok()?);
    }
    let made = match depth {
        0 => {
            let mut section = Table::new();
            section.set_implicit(true);
            Item::Table(section)
        }
        1 if item.is_table() => Item::Table(Table::new()),
        _ => Item::Value(Value::InlineTable(InlineTable::new())),
    };
    Some(item.as_table_like_mut()?.entry(key).or_insert(made))
}

/// Replaces an item; its surroundings, including comments, are kept.
fn put(table: &mut dyn TableLike, key: &str, mut new: Item) {
    match (table.get_mut(key), &mut new) {
        (Some(Item::Value(old)), Item::Value(new)) => *new.decor_mut() = old.decor().clone(),
        (Some(Item::Table(old)), Item::Table(new)) => return refill(old, new),
        _ => {}
    }
    match table.get_mut(key) {
        Some(place) => *place = new,
        None => drop(table.insert(key, new)),
    }
}

/// Makes a table equal to another, keeping position and comments of the keys that both have.
fn refill(old: &mut Table, new: &mut Table) {
    let gone: Vec<String> =
        old.iter().map(|(key, _)| key.to_string()).filter(|key| !new.contains_key(key)).collect();
    gone.iter().for_each(|key| drop(old.remove(key)));
    for (key, item) in std::mem::take(new) {
        put(old, &key, item);
    }
}

/// A value on one line; none for null and for too deep nesting.
fn inline(json: &Json, depth: usize) -> Option<Value> {
    if depth > DEEPEST {
        return None;
    }
    Some(match json {
        Json::Null => return None,
        Json::Bool(yes) => Value::from(*yes),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::from(whole),
            // readers do not distinguish −0 from 0
            None => Value::from(number.as_f64().filter(|x| x.is_finite())? + 0.0),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(list) => {
            let mut array = list.iter().map(|v| inline(v, depth + 1)).collect::<Option<Array>>()?;
            if depth == 0 && list.len() > 1 && list.iter().all(Json::is_object) {
                array.iter_mut().for_each(|value| value.decor_mut().set_prefix("\n  "));
                array.set_trailing("\n");
                array.set_trailing_comma(true);
            }
            Value::Array(array)
        }
        Json::Object(map) => {
            let mut table = InlineTable::new();
            for (key, value) in map {
                table.insert(key, inline(value, depth + 1)?);
            }
            Value::InlineTable(table)
        }
    })
}

fn remove(document: &mut DocumentMut, path: &[String]) -> Result<(), Refused> {
    let missing = || Refused::Missing(told(path));
    let (last, way) = path.split_last().ok_or(Refused::Path)?;
    let mut item = document.as_item_mut();
    for key in way {
        item = match key.parse::<usize>() {
            Ok(place) if !item.is_table_like() => item.get_mut(place),
            _ => item.get_mut(key.as_str()),
        }
        .ok_or_else(missing)?;
    }
    let place = last.parse::<usize>().ok();
    if let Some(list) = item.as_array_mut() {
        let place = place.filter(|k| *k < list.len()).ok_or_else(missing)?;
        list.remove(place);
    } else if let Some(list) = item.as_array_of_tables_mut() {
        let place = place.filter(|k| *k < list.len()).ok_or_else(missing)?;
        list.remove(place);
    } else {
        let table = item.as_table_like_mut().ok_or_else(missing)?;
        table.remove(last).ok_or_else(missing)?;
    }
    Ok(())
}

/// Keys whose texts name bodies, cables or their elements, and winches.
const NAME_BODIES: [&str; 9] =
    ["bodies", "body", "on", "winch", "pulley", "ring", "attach", "chassis", "housing"];
/// Keys whose texts name joints, including those of winches.
const NAME_JOINTS: [&str; 6] = ["joints", "joint", "pinion", "slider", "input", "outputs"];

fn rename(document: &mut DocumentMut, path: &[String], to: &str) -> Result<(), Refused> {
    let [section, name] = path else { return Err(Refused::Nameless) };
    if name == to {
        return Ok(());
    }
    let missing = || Refused::Missing(told(path));
    let entries = document.get_mut(section).and_then(Item::as_table_like_mut).ok_or_else(missing)?;
    if entries.contains_key(to) {
        return Err(Refused::Taken(told(&[section.clone(), to.to_string()])));
    }
    // removed and inserted again in order, so that it keeps its position
    let keys: Vec<String> = entries.iter().map(|(key, _)| key.to_string()).collect();
    let place = keys.iter().position(|key| key == name).ok_or_else(missing)?;
    for (k, key) in keys.iter().enumerate().skip(place) {
        let Some(item) = entries.remove(key) else { continue };
        entries.insert(if k == place { to } else { key }, item);
    }
    let keys = match section.as_str() {
        "bodies" | "cables" => NAME_BODIES.to_vec(),
        "joints" => NAME_JOINTS.to_vec(),
        // a winch is a body and a joint
        "winches" => [&NAME_BODIES[..], &NAME_JOINTS[..]].concat(),
        "materials" => vec!["material", "surface", "between", "like"],
        "sections" => vec!["section"],
        "tires" => vec!["tire"],
        "vehicles" => vec!["vehicle"],
        _ => Vec::new(),
    };
    if section == "inputs" {
        rename_in_script(document, name, to);
    }
    let alias = Alias { section, name, to, keys };
    alias.walk(document.as_item_mut(), "");
    Ok(())
}

/// A script names inputs by the keys of its `set`.
fn rename_in_script(document: &mut DocumentMut, name: &str, to: &str) {
    let script = document.get_mut("script").and_then(Item::as_array_of_tables_mut);
    let sets = script.into_iter().flat_map(|list| list.iter_mut()).filter_map(|cue| cue.get_mut("set"));
    for set in sets.filter_map(Item::as_table_like_mut) {
        if let Some(item) = set.remove(name) {
            set.insert(to, item);
        }
    }
}

/// A name and what it becomes.
struct Alias<'a> {
    section: &'a str,
    name: &'a str,
    to: &'a str,
    keys: Vec<&'a str>,
}

impl Alias<'_> {
    /// Visits everything below a key.
    fn walk(&self, item: &mut Item, key: &str) {
        match item {
            Item::Value(value) => self.walk_value(value, key),
            Item::Table(table) => {
                table.iter_mut().for_each(|(key, item)| self.walk(item, key.get()));
            }
            Item::ArrayOfTables(list) => {
                let items = list.iter_mut().flat_map(|table| table.iter_mut());
                items.for_each(|(key, item)| self.walk(item, key.get()));
            }
            Item::None => {}
        }
    }

    fn walk_value(&self, value: &mut Value, key: &str) {
        match value {
            Value::String(text) => {
                if let Some(new) = self.other(text.value(), key) {
                    let decor = value.decor().clone();
                    *value = Value::from(new);
                    *value.decor_mut() = decor;
                }
            }
            Value::Array(list) => list.iter_mut().for_each(|value| self.walk_value(value, key)),
            Value::InlineTable(table) => {
                table.iter_mut().for_each(|(key, value)| self.walk_value(value, key.get()));
            }
            _ => {}
        }
    }

    /// The new text, if the text refers to the name: alone, with an element after it, or as a path.
    fn other(&self, text: &str, key: &str) -> Option<String> {
        let path = format!("{}.{}", self.section, self.name);
        if let Some(rest) = text.strip_prefix(&path)
            && (rest.is_empty() || rest.starts_with('.'))
        {
            return Some(format!("{}.{}{rest}", self.section, self.to));
        }
        let rest = text.strip_prefix(self.name).filter(|_| self.keys.contains(&key))?;
        let says = rest.is_empty() || (self.section == "cables" && rest.starts_with(['[', '(']));
        says.then(|| format!("{}{rest}", self.to))
    }
}
