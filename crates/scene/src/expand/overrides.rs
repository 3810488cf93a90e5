//! Overrides such as `joints.hoist.distance.motor.speed = 2 m/s` replace values of the files.
//!
//! Overrides of bodies, joints, forces, cables and inputs apply to the expanded scene, so that they reach entries
//! created by patterns and prefabs. All others (parameters, settings, counts of patterns) apply to the tables before
//! the expansion.

use super::{moved, moved_value};
use crate::decode::{self, list};
use crate::error::{Problems, Sources};
use crate::kind::{SECTIONS, Section};
use crate::material::Materials;
use crate::suggestion;
use crate::text::joint::ALIASES;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::str::FromStr;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Maximum length of an override [bytes].
const LONGEST: usize = 100_000;
/// Maximum number of parts of a key.
const DEEPEST: usize = 16;
/// Maximum number of overrides of a scene.
const MOST: usize = 1000;

/// A value that replaces that of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// The key: `parameters.length`, `settings.dt`, `bodies.load.mass`. Names with dots may be quoted.
    pub key: String,
    /// A TOML value, or bare text such as `25 mm`.
    pub value: String,
}

impl FromStr for Override {
    type Err = String;

    /// Splits `key=value` at the first `=` outside quotes.
    fn from_str(text: &str) -> Result<Override, String> {
        let mut quote = None;
        for (at, c) in text.char_indices() {
            match (quote, c) {
                (None, '=') => {
                    let (key, value) = (text[..at].trim(), text[at + 1..].trim());
                    return Ok(Override { key: key.to_string(), value: value.to_string() });
                }
                (None, '"' | '\'') => quote = Some(c),
                (Some(q), c) if q == c => quote = None,
                _ => {}
            }
        }
        Err("give KEY=VALUE, such as settings.dt=\"1 ms\"".to_string())
    }
}

/// Adds the texts of overrides to the sources; returns their indices.
pub fn add(overrides: &[Override], sources: &mut Sources, problems: &mut Problems) -> Vec<usize> {
    if overrides.len() > MOST {
        problems.advise(
            0..0,
            format!("there are {} overrides", overrides.len()),
            format!("give at most {MOST}"),
        );
        return Vec::new();
    }
    let mut numbers = Vec::new();
    for Override { key, value } in overrides {
        let name = format!("--set {}", suggestion::shortened(key.trim())).trim_end().to_string();
        if key.len() + value.len() > LONGEST {
            let number = sources.add(name, None, "".into());
            let start = sources.at(number).start();
            problems.advise(
                start..start,
                "the override is too long",
                format!("give at most {LONGEST} bytes"),
            );
            continue;
        }
        numbers.push(sources.add(name, None, format!("{}={value}", key.trim()).into()));
    }
    numbers
}

/// An override being applied.
pub struct Order<'i> {
    path: Vec<Spanned<String>>,
    value: Spanned<DeValue<'i>>,
    /// The entry to which it was applied.
    applied: Option<String>,
}

impl<'i> Order<'i> {
    /// Reads an override from the text of its source.
    pub fn read(text: &'i str, start: usize, problems: &mut Problems) -> Option<Order<'i>> {
        let key = text.parse().map(|o: Override| o.key).unwrap_or_default();
        if key.is_empty() {
            let help = "write for example joints.hoist.distance.length=3";
            problems.advise(moved(0..text.len(), start), "the override has no key", help);
            return None;
        }
        let path = path(&key, start, problems)?;
        let given = text[key.len()..].trim_start();
        let given = given.strip_prefix('=').unwrap_or(given).trim_start();
        let behind = text.len() - given.len();
        let given = given.trim_end();
        let (value, errors) = DeValue::parse_recoverable(given);
        let value = match errors.first() {
            None => value,
            // a value that is not TOML is text: a number with a unit, a word
            Some(_) if !given.is_empty() && !given.starts_with(['[', '{', '"', '\'']) => {
                Spanned::new(0..given.len(), DeValue::String(Cow::Borrowed(given)))
            }
            Some(error) => {
                let problem = decode::problem(error, 0..given.len());
                problems.push(moved(problem.span, start + behind), problem.message, problem.help);
                return None;
            }
        };
        Some(Order { path, value: moved_value(value, start + behind), applied: None })
    }

    /// Whether it applies to the expanded scene.
    pub fn is_late(&self) -> bool {
        self.section().is_some()
    }

    fn section(&self) -> Option<Section> {
        Section::ALL.into_iter().find(|s| s.key() == self.path[0].get_ref())
    }

    /// The value, for the evaluation of expressions.
    pub fn value_mut(&mut self) -> &mut Spanned<DeValue<'i>> {
        &mut self.value
    }

    /// Applies it to the tables of the files.
    pub fn apply_early(self, whole: &mut DeTable<'i>, problems: &mut Problems) {
        let section = &self.path[0];
        let known: Vec<_> = SECTIONS.into_iter().filter(|s| !matches!(*s, "windlass" | "include")).collect();
        if !known.contains(&section.get_ref().as_str()) {
            unknown("section", section, known.iter().copied(), problems);
            return;
        }
        if self.path.len() < 2 {
            let help = name_an_entry(section.get_ref());
            problems.advise(section.span(), "a whole section cannot be overridden", help);
            return;
        }
        let empty = || Spanned::new(section.span(), DeValue::Table(DeTable::new()));
        let key = Spanned::new(section.span(), Cow::Owned(section.get_ref().clone()));
        let table = whole.entry(key).or_insert_with(empty);
        // settings have keys that may be absent from the file, materials may be built in; all others must name an
        // existing entry
        if section.get_ref() != "settings"
            && let DeValue::Table(table) = table.get_ref()
        {
            let mut known: Vec<&str> = table.keys().map(|k| k.get_ref().as_ref()).collect();
            if section.get_ref() == "materials" {
                Materials::known().for_each(|name| known.push(name));
            }
            if !known.contains(&self.path[1].get_ref().as_str()) {
                unknown(section.get_ref().trim_end_matches('s'), &self.path[1], known.into_iter(), problems);
                return;
            }
        }
        set(table, &self.path[1..], self.value, problems);
    }

    /// Applies it to an entry of the expanded scene, if it names that one.
    pub fn apply(
        &mut self,
        section: Section,
        name: &str,
        entry: &mut Spanned<DeValue<'i>>,
        problems: &mut Problems,
    ) {
        if self.section() != Some(section) {
            return;
        }
        let Some(behind) = self.behind(name) else { return };
        if let Some(other) = &self.applied {
            let message = format!(
                "the name is ambiguous: \"{}\" or \"{}\"",
                suggestion::shortened(other),
                suggestion::shortened(name)
            );
            problems.advise(self.path[1].span(), message, "put the name in quotes");
            return;
        }
        self.applied = Some(name.to_string());
        let rest = &self.path[behind..];
        if rest.is_empty() {
            let help = format!("name a key of the {}", section.one());
            problems.advise(
                self.path[1].span(),
                format!("a whole {} cannot be overridden", section.one()),
                help,
            );
            return;
        }
        let mut rest = rest.to_vec();
        if section == Section::Joints {
            spell_as_in(entry, &mut rest[0]);
        }
        set(entry, &rest, self.value.clone(), problems);
    }

    /// The rest of the path after an entry's name, which may be one part of the path or several joined by dots.
    fn behind(&self, name: &str) -> Option<usize> {
        let mut left = name;
        for (at, part) in self.path.iter().enumerate().skip(1) {
            left = left.strip_prefix(part.get_ref().as_str())?;
            if left.is_empty() {
                return Some(at + 1);
            }
            left = left.strip_prefix('.')?;
        }
        None
    }

    /// Reports that no entry has its name.
    pub fn missed(&self, names: &[BTreeMap<String, Range<usize>>], problems: &mut Problems) {
        let (None, Some(section)) = (&self.applied, self.section()) else { return };
        let Some(first) = self.path.get(1) else {
            let help = name_an_entry(section.key());
            problems.advise(self.path[0].span(), "a whole section cannot be overridden", help);
            return;
        };
        let known = &names[section as usize];
        let near = (2..=self.path.len()).rev().find_map(|end| {
            let joined = self.path[1..end].iter().map(|p| p.get_ref().as_str()).collect::<Vec<_>>().join(".");
            suggestion::nearest(&joined, known.keys().map(String::as_str).take(suggestion::MOST))
        });
        let help = match near {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("the scene has no such {}", section.one()),
        };
        let message = format!("no {} \"{}\"", section.one(), suggestion::shortened(first.get_ref()));
        problems.advise(first.span(), message, help);
    }
}

/// Replaces the type of a joint by the name used in the file: `hinge` and `revolute` are the same.
fn spell_as_in(joint: &Spanned<DeValue<'_>>, kind: &mut Spanned<String>) {
    let DeValue::Table(joint) = joint.get_ref() else { return };
    for (alias, ours) in ALIASES {
        for (given, other) in [(alias, ours), (ours, alias)] {
            if kind.get_ref() == given && joint.contains_key(other) {
                *kind = Spanned::new(kind.span(), other.to_string());
                return;
            }
        }
    }
}

fn unknown<'n>(
    what: &str,
    name: &Spanned<String>,
    known: impl Iterator<Item = &'n str>,
    problems: &mut Problems,
) {
    let known: Vec<_> = known.take(suggestion::MOST).collect();
    let help = match suggestion::nearest(name.get_ref(), known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "the scene has none".to_string(),
        None if known.len() <= 16 => format!("known here: {}", list(&known)),
        None => "check the names in the scene".to_string(),
    };
    problems.advise(name.span(), format!("no {what} `{}`", suggestion::shortened(name.get_ref())), help);
}

/// The parts of a dotted key.
fn path(key: &str, start: usize, problems: &mut Problems) -> Option<Vec<Spanned<String>>> {
    let line = format!("{key} = 0");
    let (table, errors) = DeTable::parse_recoverable(&line);
    let mut path = Vec::new();
    let mut table = Some(table.into_inner()).filter(|t| errors.is_empty() && t.len() == 1);
    while let Some((part, value)) = table.take().and_then(|t| t.into_iter().next()) {
        path.push(Spanned::new(moved(part.span(), start), part.into_inner().into_owned()));
        if let DeValue::Table(inner) = value.into_inner() {
            table = Some(inner);
        }
    }
    if path.is_empty() || path.len() > DEEPEST {
        let help = "write names with dots between them, such as joints.hoist.distance.length";
        problems.advise(
            moved(0..key.len(), start),
            format!("`{}` is not a valid key", suggestion::shortened(key)),
            help,
        );
        return None;
    }
    Some(path)
}

/// Sets the value at a path; missing tables are created, lists are indexed from 0.
fn set<'i>(
    target: &mut Spanned<DeValue<'i>>,
    path: &[Spanned<String>],
    value: Spanned<DeValue<'i>>,
    problems: &mut Problems,
) {
    let Some((first, rest)) = path.split_first() else {
        *target = value;
        return;
    };
    match target.get_mut() {
        DeValue::Table(table) => {
            let key = Spanned::new(first.span(), Cow::Owned(first.get_ref().clone()));
            let empty = || Spanned::new(first.span(), DeValue::Table(DeTable::new()));
            set(table.entry(key).or_insert_with(empty), rest, value, problems);
        }
        DeValue::Array(list) => {
            let count = list.len();
            match first.get_ref().parse::<usize>().ok().and_then(|at| list.get_mut(at)) {
                Some(item) => set(item, rest, value, problems),
                None => {
                    let message = format!(
                        "a list of {count} entries has no entry `{}`",
                        suggestion::shortened(first.get_ref())
                    );
                    problems.advise(first.span(), message, "entries are numbered from 0");
                }
            }
        }
        _ => {
            let message =
                format!("the value before `{}` is not a table", suggestion::shortened(first.get_ref()));
            problems.advise(first.span(), message, "set the value itself, or replace it by a table");
        }
    }
}

/// What to write instead of a section: entries of lists are counted from 0.
fn name_an_entry(section: &str) -> String {
    let entry = if matches!(section, "script" | "contacts" | "frictions") { "0" } else { "NAME" };
    format!("name an entry: {section}.{entry}")
}
