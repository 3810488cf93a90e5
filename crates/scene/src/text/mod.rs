//! Text → Scene: what the file says, with the place of everything in the text. Nothing is built, nothing is opened.
//!
//! Each body, joint and force is read by itself, so that one bad entry does not hide the next. Keys are checked by
//! the structs (`deny_unknown_fields`); numbers are judged later, by `build`.

pub mod body;
pub mod force;
pub mod joint;
pub mod look;
pub mod material;
pub mod motion;

use crate::error::{Errors, Problem, Problems};
use crate::files::{Files, Memory};
use crate::near;
use body::Body;
use force::{Force, Settings};
use joint::Joint;
use look::Camera;
use material::{Friction, Material};
use serde::de::DeserializeOwned;
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

/// Longest file that is read [bytes].
pub const LONGEST_FILE: usize = 16 << 20;
/// Most bodies, most joints and most forces.
pub const MOST_ENTRIES: usize = 100_000;
/// Longest name [bytes].
const LONGEST_NAME: usize = 200;
/// The format this program reads.
const VERSION: &str = "1";

/// A named entry of a section.
#[derive(Clone, Debug)]
pub struct Entry<T> {
    /// Its name.
    pub name: String,
    /// Where the name stands in the text.
    pub span: Range<usize>,
    /// What it says.
    pub value: T,
}

impl<T> Entry<T> {
    /// An entry that stands in no text.
    pub fn new(name: impl Into<String>, value: T) -> Entry<T> {
        Entry { name: name.into(), span: 0..0, value }
    }
}

impl<T: PartialEq> PartialEq for Entry<T> {
    /// By name and value, wherever they stand.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.value == other.value
    }
}

/// A scene file as it was written.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Name of the file.
    pub file: String,
    /// Its text.
    pub text: Arc<str>,
    /// Where the files are that it names.
    pub files: Arc<dyn Files>,
    /// What it is called.
    pub title: Option<String>,
    /// What it shows, in a few sentences.
    pub description: Option<String>,
    /// What holds for the whole scene.
    pub settings: Settings,
    /// In the order of the file.
    pub bodies: Vec<Entry<Body>>,
    /// In the order of the file.
    pub joints: Vec<Entry<Joint>>,
    /// In the order of the file.
    pub forces: Vec<Entry<Force>>,
    /// Materials of its own, in the order of the file.
    pub materials: Vec<Entry<Material>>,
    /// Frictions of its own, in the order of the file.
    pub frictions: Vec<Spanned<Friction>>,
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
        let Scene { file: _, text: _, files: _, title, description, .. } = self;
        let words = (title, description) == (&other.title, &other.description);
        let materials = (&self.materials, &self.frictions) == (&other.materials, &other.frictions);
        let world = (&self.settings, &self.bodies, &self.joints, &self.forces)
            == (&other.settings, &other.bodies, &other.joints, &other.forces);
        words && materials && world && (&self.cameras, &self.probes) == (&other.cameras, &other.probes)
    }
}

/// Reads a scene from text; `name` is the file's name in errors.
pub fn parse(text: &str, name: &str) -> Result<Scene, Errors> {
    let mut problems = Problems::default();
    if text.len() > LONGEST_FILE {
        // its text is not shown: nobody reads that much
        let message = format!("the file has {} bytes or more", text.len());
        let help = format!("a scene may have {LONGEST_FILE}: leave large meshes out of it");
        problems.advise(0..0, message, help);
        return Err(problems.into_errors(name, &"".into()));
    }
    let mut scene = Scene { file: name.to_string(), text: text.into(), ..Scene::new() };
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        scene.fill(table.into_inner(), &mut problems);
    }
    for error in errors {
        let Problem { span, message, help } = told(&error, 0..0);
        problems.push(span, message, help);
    }
    problems.finish(name, &scene.text)?;
    Ok(scene)
}

/// Sections of the file.
const SECTIONS: [&str; 11] = [
    "windlass",
    "title",
    "description",
    "settings",
    "materials",
    "frictions",
    "bodies",
    "joints",
    "forces",
    "cameras",
    "probes",
];

impl Scene {
    /// A scene without anything in it, to be filled by a program.
    pub fn new() -> Scene {
        Scene {
            file: "scene.toml".to_string(),
            text: "".into(),
            files: Arc::new(Memory::new()),
            title: None,
            description: None,
            settings: Settings::default(),
            bodies: Vec::new(),
            joints: Vec::new(),
            forces: Vec::new(),
            materials: Vec::new(),
            frictions: Vec::new(),
            cameras: Vec::new(),
            probes: Vec::new(),
        }
    }

    fn fill(&mut self, table: DeTable<'_>, problems: &mut Problems) {
        if !table.keys().any(|k| k.get_ref() == "windlass") {
            problems.advise(0..0, "the file does not say `windlass = 1`", "write it as the first line");
        }
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "windlass" => version(&value, problems),
                "settings" => match entry(value, problems) {
                    Some(settings) => self.settings = settings,
                    None => continue,
                },
                "bodies" => self.bodies = section("body", value, problems),
                "joints" => self.joints = section("joint", value, problems),
                "forces" => self.forces = section("force", value, problems),
                "title" => self.title = entry(value, problems),
                "description" => self.description = entry(value, problems),
                "materials" => self.materials = section("material", value, problems),
                "frictions" => self.frictions = entry(value, problems).unwrap_or_default(),
                "cameras" => self.cameras = section("camera", value, problems),
                "probes" => self.probes = section("probe", value, problems),
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
}

fn version(value: &Spanned<DeValue<'_>>, problems: &mut Problems) {
    let is_ours = value.get_ref().as_integer().is_some_and(|i| i.as_str() == VERSION);
    if !is_ours {
        let help = format!("this program reads version {VERSION}: write `windlass = {VERSION}`");
        problems.advise(value.span(), "a format this program does not know", help);
    }
}

/// All entries of a section that can be read.
fn section<T: DeserializeOwned>(
    what: &str,
    value: Spanned<DeValue<'_>>,
    problems: &mut Problems,
) -> Vec<Entry<T>> {
    let span = value.span();
    let DeValue::Table(table) = value.into_inner() else {
        problems.advise(span, format!("a {what} needs a name"), "write [bodies.NAME] or [joints.NAME]");
        return Vec::new();
    };
    if table.len() > MOST_ENTRIES {
        let message = format!("{} entries in one section", table.len());
        problems.advise(span, message, format!("a scene may have {MOST_ENTRIES}"));
        return Vec::new();
    }
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table {
        let (span, name) = (key.span(), key.into_inner().into_owned());
        if name.is_empty() || name.len() > LONGEST_NAME || name.chars().any(char::is_control) {
            let help = format!("give 1 to {LONGEST_NAME} bytes without control characters");
            problems.advise(span.clone(), format!("a {what} cannot have this name"), help);
        }
        if let Some(value) = entry(value, problems) {
            entries.push(Entry { name, span, value });
        }
    }
    entries
}

fn entry<T: DeserializeOwned>(value: Spanned<DeValue<'_>>, problems: &mut Problems) -> Option<T> {
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
fn told(error: &toml::de::Error, fallback: Range<usize>) -> Problem {
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
        (format!("this is {found}"), Some(wanted.replacen("expected", "give", 1)))
    } else {
        (said.to_string(), None)
    };
    Problem { span, message, help }
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

fn list(names: &[&str]) -> String {
    names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
}
