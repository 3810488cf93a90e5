//! Text → Scene: what the files say, with the place of everything in the text. Nothing is built.
//!
//! Includes, parameters, patterns, prefabs and overrides are resolved first (`expand`). Then each body, joint and force
//! is read by itself, so that one bad entry does not hide the next. Keys are checked by the structs
//! (`deny_unknown_fields`); numbers are judged later, by `build`.

pub mod body;
pub mod cable;
pub mod contact;
pub mod force;
pub mod input;
pub mod joint;
pub mod look;
pub mod material;
pub mod motion;
pub mod route;
pub mod winch;

use crate::error::{Errors, Problem, Problems, Sources};
use crate::expand::group::{Expander, Made, Section};
use crate::expand::load;
use crate::expand::overrides::{self, Order, Override};
use crate::expand::scope::{Scope, Values};
use crate::expand::{self, fill};
use crate::files::{Files, NoFolder};
use crate::near;
use body::Body;
use cable::{Cable, Section as Stuff};
use contact::Contact;
use force::{Force, Settings};
use glam::{DQuat, DVec3};
use input::{Cue, Input};
use joint::Joint;
use look::Camera;
use material::{Friction, Material};
use route::Rope;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue, ValueDeserializer};
use winch::Winch;

/// Longest file that is read [bytes].
pub const LONGEST_FILE: usize = 16 << 20;
/// Most bodies, most joints and most forces.
pub const MOST_ENTRIES: usize = 100_000;
/// Longest name [bytes].
const LONGEST_NAME: usize = 200;

/// A named entry of a section.
#[derive(Clone, Debug)]
pub struct Entry<T> {
    /// Its name, with those of the instances it is in: `left.boom`.
    pub name: String,
    /// Where the name stands in the text.
    pub span: Range<usize>,
    /// What it says.
    pub value: T,
    /// In whose axes it is given, and whose names it sees.
    pub group: Arc<Group>,
}

impl<T> Entry<T> {
    /// An entry that stands in no text.
    pub fn new(name: impl Into<String>, value: T) -> Entry<T> {
        Entry { name: name.into(), span: 0..0, value, group: Arc::default() }
    }
}

impl<T: PartialEq> PartialEq for Entry<T> {
    /// By name, value and group, wherever they stand.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.value == other.value && self.group == other.group
    }
}

/// The scene itself, or an instance of a prefab: what is in it is given in its axes and sees its names first.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Name of the instance, with those of the instances around it; empty for the scene.
    pub name: String,
    /// Its origin in the world [m].
    pub at: DVec3,
    /// Its attitude in the world.
    pub attitude: DQuat,
}

impl Default for Group {
    /// The scene.
    fn default() -> Group {
        Group { name: String::new(), at: DVec3::ZERO, attitude: DQuat::IDENTITY }
    }
}

impl Group {
    /// The full name of something in it.
    pub fn full(&self, name: &str) -> String {
        if self.name.is_empty() { name.to_string() } else { format!("{}.{name}", self.name) }
    }

    /// Looks a name up in it, then in the groups around it, then in the scene.
    pub(crate) fn outward<T>(&self, name: &str, look: impl Fn(&str) -> Option<T>) -> Option<T> {
        let mut group = self.name.as_str();
        while !group.is_empty() {
            if let Some(found) = look(&format!("{group}.{name}")) {
                return Some(found);
            }
            group = group.rsplit_once('.').map_or("", |(around, _)| around);
        }
        look(name)
    }
}

/// A scene as it was written.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Name of the file.
    pub file: String,
    /// Where the files are that it names.
    pub files: Arc<dyn Files>,
    /// What it is called.
    pub title: Option<String>,
    /// What it shows, in a few sentences.
    pub description: Option<String>,
    /// All texts it was read from: its file, the files it includes, overrides.
    pub sources: Sources,
    /// What holds for the whole scene.
    pub settings: Settings,
    /// In the order of the file; those of patterns and instances behind its own.
    pub bodies: Vec<Entry<Body>>,
    /// In the order of the file; those of patterns and instances behind its own.
    pub joints: Vec<Entry<Joint>>,
    /// In the order of the file; those of patterns and instances behind its own.
    pub forces: Vec<Entry<Force>>,
    /// In the order of the file; those of patterns and instances behind its own.
    pub cables: Vec<Entry<Cable>>,
    /// Cables with a route, in the order of the file; those of patterns and instances behind its own.
    pub ropes: Vec<Entry<Rope>>,
    /// In the order of the file; those of patterns and instances behind its own. What they are made of stands behind all
    /// other bodies and joints.
    pub winches: Vec<Entry<Winch>>,
    /// In the order of the file; those of patterns and instances behind its own.
    pub inputs: Vec<Entry<Input>>,
    /// What moves its inputs by itself, in the order of the file.
    pub script: Vec<Spanned<Cue>>,
    /// What its cables are made of, in the order of the file.
    pub sections: Vec<Entry<Stuff>>,
    /// Materials of its own, in the order of the file.
    pub materials: Vec<Entry<Material>>,
    /// Frictions of its own, in the order of the file.
    pub frictions: Vec<Spanned<Friction>>,
    /// How pairs of surfaces touch, in the order of the file.
    pub contacts: Vec<Spanned<Contact>>,
    /// In the order of the file.
    pub cameras: Vec<Entry<Camera>>,
    /// What is to be measured, in the order of the file; as text.
    pub probes: Vec<Entry<Spanned<String>>>,
}

impl Default for Scene {
    fn default() -> Scene {
        Scene::new()
    }
}

impl PartialEq for Scene {
    /// By what they say, wherever and however it is written.
    fn eq(&self, other: &Self) -> bool {
        let Scene { file: _, sources: _, files: _, title, description, .. } = self;
        let words = (title, description) == (&other.title, &other.description);
        let materials = (&self.materials, &self.frictions, &self.contacts)
            == (&other.materials, &other.frictions, &other.contacts);
        let world = (&self.settings, &self.bodies, &self.joints, &self.forces)
            == (&other.settings, &other.bodies, &other.joints, &other.forces);
        let cables = (&self.cables, &self.ropes, &self.winches, &self.sections)
            == (&other.cables, &other.ropes, &other.winches, &other.sections);
        let levers = (&self.inputs, &self.script) == (&other.inputs, &other.script);
        words
            && levers
            && materials
            && world
            && cables
            && (&self.cameras, &self.probes) == (&other.cameras, &other.probes)
    }
}

/// Reads a scene from text that includes no files; `name` is the file's name in errors.
pub fn parse(text: &str, name: &str) -> Result<Scene, Errors> {
    parse_with(text, name, Arc::new(NoFolder), &[])
}

/// Reads a scene from text; `name` is the file's name in errors, `files` has what it includes and its meshes, and
/// overrides stand instead of what the files say.
pub fn parse_with(
    text: &str,
    name: &str,
    files: Arc<dyn Files>,
    overrides: &[Override],
) -> Result<Scene, Errors> {
    let mut problems = Problems::default();
    let mut sources = Sources::default();
    let path = Path::new(name).file_name().unwrap_or_default().to_string_lossy().into_owned();
    if text.len() > LONGEST_FILE {
        // its text is not shown: nobody reads that much
        sources.add(name, Some(path), "".into());
        let message = format!("the file has {} bytes or more", text.len());
        let help = format!("a scene may have {LONGEST_FILE}: leave large meshes out of it");
        problems.advise(0..0, message, help);
        return Err(problems.into_errors(name, &sources));
    }
    sources.add(name, Some(path), text.into());
    let order = load::gather(&mut sources, files.as_ref(), &mut problems);
    let set = overrides::add(overrides, &mut sources, &mut problems);
    let texts: Vec<Arc<str>> = sources.iter().map(|s| s.text.clone()).collect();
    let table = expand::whole(&texts, &order, &sources, &mut problems);
    let orders = set.iter().filter_map(|&number| {
        let start = sources.at(number).start();
        Order::read(&texts[number], start, &mut problems)
    });
    let orders: Vec<_> = orders.collect();
    let mut scene = Scene { file: name.to_string(), files, ..Scene::new() };
    // half a table would give problems that are none
    if problems.is_empty() {
        scene.fill(table, orders, &sources, &mut problems);
    }
    problems.finish(name, &sources)?;
    scene.sources = sources;
    Ok(scene)
}

/// Sections of the file.
pub(crate) const SECTIONS: [&str; 22] = [
    "windlass",
    "title",
    "description",
    "include",
    "parameters",
    "settings",
    "materials",
    "frictions",
    "contacts",
    "bodies",
    "joints",
    "forces",
    "cables",
    "winches",
    "inputs",
    "script",
    "sections",
    "patterns",
    "prefabs",
    "instances",
    "cameras",
    "probes",
];

impl Scene {
    /// A scene without anything in it, to be filled by a program.
    pub fn new() -> Scene {
        Scene {
            file: "scene.toml".to_string(),
            files: Arc::new(NoFolder),
            sources: Sources::default(),
            title: None,
            description: None,
            settings: Settings::default(),
            bodies: Vec::new(),
            joints: Vec::new(),
            forces: Vec::new(),
            cables: Vec::new(),
            ropes: Vec::new(),
            winches: Vec::new(),
            inputs: Vec::new(),
            script: Vec::new(),
            sections: Vec::new(),
            materials: Vec::new(),
            frictions: Vec::new(),
            contacts: Vec::new(),
            cameras: Vec::new(),
            probes: Vec::new(),
        }
    }

    /// The files that its shapes name, relative to its folder; each once.
    pub fn assets(&self) -> BTreeSet<&str> {
        let solids = self.bodies.iter().flat_map(|entry| entry.value.shapes());
        solids.filter_map(|shape| shape.file()).collect()
    }

    fn fill<'i>(
        &mut self,
        mut table: DeTable<'i>,
        orders: Vec<Order<'i>>,
        sources: &Sources,
        problems: &mut Problems,
    ) {
        let (mut late, early): (Vec<_>, Vec<_>) = orders.into_iter().partition(Order::is_late);
        for order in early {
            order.apply_early(&mut table, problems);
        }
        let parameters = names_of(&mut table, "parameters", problems);
        let scope = Scope::of_parameters(parameters.as_ref(), Values::new(), None, problems);
        late.retain_mut(|order| fill::fill(order.value_mut(), &mut &scope, problems));
        let prefabs = names_of(&mut table, "prefabs", problems);
        let mut own = Vec::new();
        for section in Section::ALL {
            own.extend(section_of(&mut table, section, problems).map(|entries| (section, entries)));
        }
        let groups: DeTable<'i> =
            ["patterns", "instances"].iter().filter_map(|key| table.remove_entry(*key)).collect();
        self.rest(table, &scope, problems);
        let mut take = |made: Made<'i>, problems: &mut Problems| self.take(made, problems);
        let mut expander = Expander::new(prefabs.as_ref(), &scope, sources, problems, &mut take);
        expander.expand(own, &groups, late);
        self.make_winches(problems);
    }

    /// Sections other than those of entries.
    fn rest(&mut self, table: DeTable<'_>, mut scope: &Scope<'_>, problems: &mut Problems) {
        for (key, mut value) in table {
            if !fill::fill(&mut value, &mut scope, problems) {
                continue;
            }
            let name = key.get_ref().as_ref();
            if ["frictions", "contacts"].contains(&name) && !all_between_two(value.get_ref(), problems) {
                continue;
            }
            match name {
                "settings" => self.settings = read(value, problems).unwrap_or_default(),
                "title" => self.title = read(value, problems),
                "description" => self.description = read(value, problems),
                "materials" => self.materials = entries("materials", value, problems),
                "frictions" => self.frictions = read(value, problems).unwrap_or_default(),
                "contacts" => self.contacts = read(value, problems).unwrap_or_default(),
                "sections" => self.sections = entries("sections", value, problems),
                "script" => self.script = read(value, problems).unwrap_or_default(),
                "cameras" => self.cameras = entries("cameras", value, problems),
                "probes" => self.probes = entries("probes", value, problems),
                other => {
                    let help = near::nearest(other, SECTIONS).map_or_else(
                        || format!("sections are {}", list(&SECTIONS)),
                        |n| format!("did you mean `{n}`?"),
                    );
                    problems.advise(
                        key.span(),
                        format!("unknown section `{}`", near::shortened(other)),
                        help,
                    );
                }
            }
        }
    }

    /// Reads an entry.
    fn take(&mut self, made: Made<'_>, problems: &mut Problems) {
        let Made { section, name, span, value, group } = made;
        if matches!(section, Section::Joints | Section::Forces) && !has_pairs(value.get_ref(), problems) {
            return;
        }
        if name.is_empty() || name.len() > LONGEST_NAME || name.chars().any(char::is_control) {
            let help = format!("give 1 to {LONGEST_NAME} bytes without control characters");
            problems.advise(span.clone(), format!("a {} cannot have this name", section.one()), help);
        }
        match section {
            Section::Bodies => {
                self.bodies.extend(read(value, problems).map(|value| Entry { name, span, value, group }));
            }
            Section::Joints => {
                self.joints.extend(read(value, problems).map(|value| Entry { name, span, value, group }));
            }
            Section::Forces => {
                self.forces.extend(read(value, problems).map(|value| Entry { name, span, value, group }));
            }
            Section::Cables
                if value.get_ref().as_table().is_some_and(|table| table.contains_key("route")) =>
            {
                self.ropes.extend(read(value, problems).map(|value| Entry { name, span, value, group }));
            }
            Section::Winches => {
                self.winches.extend(read(value, problems).map(|value| Entry { name, span, value, group }));
            }
            Section::Cables => {
                self.cables.extend(read(value, problems).map(|value| Entry { name, span, value, group }));
            }
            Section::Inputs => {
                self.inputs.extend(read(value, problems).map(|value| Entry { name, span, value, group }));
            }
        }
    }
}

/// Whether each entry of a list is between two, if it is between any.
fn all_between_two(list: &DeValue<'_>, problems: &mut Problems) -> bool {
    let tables = list.as_array().into_iter().flatten().filter_map(|entry| entry.get_ref().as_table());
    let mut sound = true;
    for between in tables.filter_map(|table| table.get("between")) {
        let count = between.get_ref().as_array().map_or(2, |names| names.len());
        if count != 2 {
            problems.advise(between.span(), format!("`between` has {count} names"), "give two");
            sound = false;
        }
    }
    sound
}

/// Whether all lists of two in a joint or a force are of two: the structs would leave a third one out without a word.
fn has_pairs(entry: &DeValue<'_>, problems: &mut Problems) -> bool {
    const PAIRS: [&str; 6] = ["bodies", "points", "axes", "frames", "joints", "outputs"];
    let kinds = entry.as_table().into_iter().flat_map(|t| t.values()).filter_map(|v| v.get_ref().as_table());
    let mut sound = true;
    for (key, value) in kinds.flatten() {
        let count = value.get_ref().as_array().map_or(2, |list| list.len());
        if PAIRS.contains(&key.get_ref().as_ref()) && count != 2 {
            let entries = if count == 1 { "entry" } else { "entries" };
            let message = format!("`{}` has {count} {entries}", key.get_ref());
            problems.advise(value.span(), message, "give two");
            sound = false;
        }
    }
    sound
}

/// A table of names, taken out of the scene's.
fn names_of<'i>(table: &mut DeTable<'i>, key: &str, problems: &mut Problems) -> Option<DeTable<'i>> {
    let value = table.remove(key)?;
    let span = value.span();
    let DeValue::Table(names) = value.into_inner() else {
        problems.advise(
            span,
            format!("`{key}` is no table of names"),
            format!("write [{key}] and below it NAME = …"),
        );
        return None;
    };
    Some(names)
}

/// The entries of a section, taken out of the scene's table.
fn section_of<'i>(table: &mut DeTable<'i>, section: Section, problems: &mut Problems) -> Option<DeTable<'i>> {
    let value = table.remove(section.key())?;
    let span = value.span();
    let DeValue::Table(entries) = value.into_inner() else {
        let help = format!("write [{}.NAME]", section.key());
        problems.advise(span, format!("a {} needs a name", section.one()), help);
        return None;
    };
    if entries.len() > MOST_ENTRIES {
        let message = format!("{} entries in one section", entries.len());
        problems.advise(span, message, format!("a scene may have {MOST_ENTRIES}"));
        return None;
    }
    Some(entries)
}

/// All entries of a section that can be read.
fn entries<T: DeserializeOwned>(
    section: &str,
    value: Spanned<DeValue<'_>>,
    problems: &mut Problems,
) -> Vec<Entry<T>> {
    let span = value.span();
    let DeValue::Table(table) = value.into_inner() else {
        let help = format!("write [{section}] and below it NAME = …");
        problems.advise(span, format!("`{section}` is no table of names"), help);
        return Vec::new();
    };
    let read_one = |(key, value): (Spanned<DeString<'_>>, _)| {
        let (span, name) = (key.span(), key.into_inner().into_owned());
        Some(Entry { span, ..Entry::new(name, read(value, problems)?) })
    };
    table.into_iter().filter_map(read_one).collect()
}

/// A value as a struct; what does not fit is told.
pub(crate) fn read<T: DeserializeOwned>(value: Spanned<DeValue<'_>>, problems: &mut Problems) -> Option<T> {
    let span = value.span();
    match T::deserialize(ValueDeserializer::from(value)) {
        Ok(entry) => Some(entry),
        Err(error) => {
            let Problem { span, message, help } = told(&error, span);
            problems.push(span, message, help);
            None
        }
    }
}

/// What a TOML or serde error says, in this program's words.
pub(crate) fn told(error: &toml::de::Error, fallback: Range<usize>) -> Problem {
    let span = error.span().unwrap_or(fallback);
    let said = error.message();
    let names: Vec<&str> = said.split('`').skip(1).step_by(2).collect();
    let (message, help) = if said.starts_with("unknown field") {
        (format!("unknown key `{}`", near::shortened(names[0])), Some(meant(&names)))
    } else if said.starts_with("unknown variant") {
        (format!("`{}` is not known here", near::shortened(names[0])), Some(meant(&names)))
    } else if said.starts_with("missing field") && !names.is_empty() {
        (format!("`{}` is missing", names[0]), Some(format!("add `{} = …` here", names[0])))
    } else if said.starts_with("wanted exactly 1 element") {
        ("exactly one kind is wanted here".to_string(), Some("write { KIND = { … } }".to_string()))
    } else if let Some((found, wanted)) = said.strip_prefix("invalid type: ").and_then(|s| s.split_once(", "))
    {
        let help = plainly(&wanted.replacen("expected", "give", 1));
        (format!("this is {}", plainly(found)), Some(help))
    } else if said == "wanted string or table" {
        ("this is neither a table nor a word".to_string(), Some("write { KIND = { … } }".to_string()))
    } else if said == "duplicate key" {
        ("this key is given twice".to_string(), Some("leave one of them out".to_string()))
    } else {
        (said.to_string(), None)
    };
    Problem { span, message, help }
}

/// The words of serde for kinds of values in those of TOML.
fn plainly(said: &str) -> String {
    let words = [
        ("floating point", "the number"),
        ("integer", "the number"),
        ("string \"", "the text \""),
        ("a boolean", "true or false"),
        ("boolean", "the word"),
        ("unit variant", "a word alone"),
        ("a sequence", "a list [ … ]"),
        ("sequence", "a list"),
        ("map", "a table"),
    ];
    // a struct is a table of keys
    if let Some(at) = said.find("struct ").or(said.find("enum ")) {
        return format!("{}a table {{ KEY = … }}", &said[..at]);
    }
    match words.iter().find(|(word, _)| said.contains(word)) {
        Some((word, plain)) => said.replacen(word, plain, 1),
        None => said.to_string(),
    }
}

/// The nearest of the names after the first, or all of them.
fn meant(names: &[&str]) -> String {
    let known = &names[1..];
    match near::nearest(names[0], known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "no keys are known here".to_string(),
        None => format!("known here: {}", list(known)),
    }
}

pub(crate) fn list(names: &[&str]) -> String {
    names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
}
