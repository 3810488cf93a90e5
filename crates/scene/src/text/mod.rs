//! Text → Scene: the contents of the files, with the position of every value in the text. Nothing is built.
//!
//! Includes, parameters, patterns, prefabs and overrides are resolved first (`expand`). Then each body, joint and force
//! is read separately, so that one bad entry does not hide the next. Keys are checked by the structs
//! (`deny_unknown_fields`); numbers are checked later, by `build`.

pub mod body;
pub mod cable;
pub mod contact;
pub mod controller;
pub mod driveline;
pub mod fluid;
pub mod force;
pub mod hydraulics;
pub mod input;
pub mod joint;
pub mod look;
pub mod material;
pub mod model;
pub mod motion;
pub mod route;
pub mod soft_wheel;
pub mod soil;
pub mod tire;
pub mod track;
pub mod vehicle;
pub mod winch;

pub use crate::expand::entry::{Entry, Group};
pub use crate::expand::load::LONGEST_FILE;
pub use crate::kind::MOST_ENTRIES;

use crate::decode::{list, read};
use crate::error::{Errors, Problems, Sources};
use crate::expand::group::{Expander, Made};
use crate::expand::load;
use crate::expand::overrides::{self, Order, Override};
use crate::expand::scope::{Scope, Values};
use crate::expand::{self, fill};
use crate::files::{Files, NoFolder};
use crate::kind::{SECTIONS, Section};
use crate::number::Numbers;
use crate::subsystem::vehicles::mount::Given;
use crate::subsystem::vehicles::parts;
use crate::suggestion;
use body::Body;
use cable::{Cable, Section as CableSection};
use contact::Contact;
use controller::{Controller, Rule};
use fluid::Fluid;
use force::{Force, Settings};
use input::{Input, ScriptEntry};
use joint::Joint;
use look::Camera;
use material::{Friction, Material};
use route::Rope;
use serde::de::DeserializeOwned;
use soft_wheel::Wheel as SoftWheel;
use soil::{Bin, Ground, Soil, Tool, body_of};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use tire::Tire;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};
use track::Track;
use vehicle::Vehicle;
use winch::Winch;

/// Largest length of a name [bytes].
const LONGEST_NAME: usize = 200;

/// A scene as written in its files.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Name of the file.
    pub file: String,
    /// Access to the files that it names.
    pub files: Arc<dyn Files>,
    /// Title of the scene.
    pub title: Option<String>,
    /// Description in a few sentences.
    pub description: Option<String>,
    /// All texts from which it was read: its file, included files and overrides.
    pub sources: Sources,
    /// Settings of the whole scene.
    pub settings: Settings,
    /// In the order of the file, followed by those of patterns and instances.
    pub bodies: Vec<Entry<Body>>,
    /// In the order of the file, followed by those of patterns and instances.
    pub joints: Vec<Entry<Joint>>,
    /// In the order of the file, followed by those of patterns and instances.
    pub forces: Vec<Entry<Force>>,
    /// In the order of the file, followed by those of patterns and instances.
    pub cables: Vec<Entry<Cable>>,
    /// Cables with a route, in the order of the file, followed by those of patterns and instances.
    pub ropes: Vec<Entry<Rope>>,
    /// In the order of the file, followed by those of patterns and instances. Their drums and hinges follow all other
    /// bodies and joints.
    pub winches: Vec<Entry<Winch>>,
    /// In the order of the file, followed by those of patterns and instances. Their wheels and shafts follow all other
    /// bodies, and their joints all other joints.
    pub vehicles: Vec<Entry<Vehicle>>,
    /// Names of the bodies and joints that vehicles made.
    pub made: BTreeSet<String>,
    /// Tyres, in the order of the file.
    pub tires: Vec<Entry<Tire>>,
    /// In the order of the file, followed by those of patterns and instances.
    pub inputs: Vec<Entry<Input>>,
    /// Script of its inputs, in the order of the file.
    pub script: Vec<Spanned<ScriptEntry>>,
    /// Controllers, in the order of the file.
    pub controllers: Vec<Entry<Controller>>,
    /// Rules, in the order of the file.
    pub rules: Vec<Entry<Rule>>,
    /// Sections of its cables, in the order of the file.
    pub sections: Vec<Entry<CableSection>>,
    /// Materials of its own, in the order of the file.
    pub materials: Vec<Entry<Material>>,
    /// Frictions of its own, in the order of the file.
    pub frictions: Vec<Spanned<Friction>>,
    /// Contact parameters of pairs of surfaces, in the order of the file.
    pub contacts: Vec<Spanned<Contact>>,
    /// Fluids, in the order of the file.
    pub fluids: Vec<Entry<Fluid>>,
    /// Soils, in the order of the file.
    pub soils: Vec<Entry<Soil>>,
    /// Grounds, in the order of the file.
    pub grounds: Vec<Entry<Ground>>,
    /// Tools, in the order of the file, followed by those of patterns and instances.
    pub tools: Vec<Entry<Tool>>,
    /// Bins, in the order of the file, followed by those of patterns and instances.
    pub bins: Vec<Entry<Bin>>,
    /// Wheels on soft ground, in the order of the file, followed by those of patterns and instances.
    pub wheels: Vec<Entry<SoftWheel>>,
    /// Crawler tracks, in the order of the file, followed by those of patterns and instances.
    pub tracks: Vec<Entry<Track>>,
    /// In the order of the file.
    pub cameras: Vec<Entry<Camera>>,
    /// Probes as text, in the order of the file.
    pub probes: Vec<Entry<Spanned<String>>>,
}

impl Default for Scene {
    fn default() -> Scene {
        Scene::new()
    }
}

impl PartialEq for Scene {
    /// Compares contents, not positions in the text or file names.
    fn eq(&self, other: &Self) -> bool {
        let Scene { file: _, sources: _, files: _, title, description, .. } = self;
        let words = (title, description) == (&other.title, &other.description);
        let materials = (&self.materials, &self.frictions, &self.contacts)
            == (&other.materials, &other.frictions, &other.contacts);
        let world = (&self.settings, &self.bodies, &self.joints, &self.forces)
            == (&other.settings, &other.bodies, &other.joints, &other.forces);
        let cables = (&self.cables, &self.ropes, &self.winches, &self.sections)
            == (&other.cables, &other.ropes, &other.winches, &other.sections);
        let vehicles = (&self.vehicles, &self.tires) == (&other.vehicles, &other.tires);
        let levers = (&self.inputs, &self.script, &self.controllers, &self.rules)
            == (&other.inputs, &other.script, &other.controllers, &other.rules);
        words
            && levers
            && vehicles
            && materials
            && world
            && cables
            && self.fluids == other.fluids
            && (&self.soils, &self.grounds, &self.tools) == (&other.soils, &other.grounds, &other.tools)
            && self.bins == other.bins
            && self.wheels == other.wheels
            && self.tracks == other.tracks
            && (&self.cameras, &self.probes) == (&other.cameras, &other.probes)
    }
}

/// Reads a scene from text that includes no files; `name` is the file's name in errors.
pub fn parse(text: &str, name: &str) -> Result<Scene, Errors> {
    parse_with(text, name, Arc::new(NoFolder), &[])
}

/// Reads a scene from text. `name` is the file's name in errors, `files` provides includes and meshes, and overrides
/// replace values of the files.
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
        // its text is too long to be shown
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
    // an incomplete table would cause false errors
    if problems.is_empty() {
        scene.fill(table, orders, &sources, &mut problems);
    }
    problems.finish(name, &sources)?;
    scene.sources = sources;
    Ok(scene)
}

impl Scene {
    /// An empty scene, to be filled by a program.
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
            vehicles: Vec::new(),
            made: BTreeSet::new(),
            tires: Vec::new(),
            inputs: Vec::new(),
            script: Vec::new(),
            controllers: Vec::new(),
            rules: Vec::new(),
            sections: Vec::new(),
            materials: Vec::new(),
            frictions: Vec::new(),
            contacts: Vec::new(),
            fluids: Vec::new(),
            soils: Vec::new(),
            grounds: Vec::new(),
            tools: Vec::new(),
            bins: Vec::new(),
            wheels: Vec::new(),
            tracks: Vec::new(),
            cameras: Vec::new(),
            probes: Vec::new(),
        }
    }

    /// The files that its shapes and tyres name, relative to its folder; each once.
    pub fn assets(&self) -> BTreeSet<&str> {
        let solids = self.bodies.iter().flat_map(|entry| entry.value.shapes());
        let tires = self.tires.iter().filter_map(|entry| entry.value.file.as_ref());
        let tires = tires.map(|file| file.get_ref().as_str());
        let heights = self.grounds.iter().filter_map(|entry| entry.value.heights.as_ref());
        let heights = heights.filter_map(|grid| grid.get_ref().file.as_ref());
        let heights = heights.map(|file| file.get_ref().as_str());
        solids.filter_map(|shape| shape.file()).chain(tires).chain(heights).collect()
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
        self.make_grounds(problems);
        self.make_winches(problems);
        self.make_vehicles(problems);
        self.carry_winches(problems);
    }

    /// Adds the static bodies of its grounds.
    fn make_grounds(&mut self, problems: &mut Problems) {
        for entry in &self.grounds {
            if self.bodies.iter().any(|body| body.name == entry.name) {
                let message = format!("ground \"{}\" and a body have the same name", entry.name);
                problems.advise(entry.span.clone(), message, "a ground has a body of its name: rename one");
                continue;
            }
            self.made.insert(entry.name.clone());
            self.bodies.push(body_of(entry));
        }
    }

    /// Adds the bodies and joints of its vehicles.
    fn make_vehicles(&mut self, problems: &mut Problems) {
        let Scene { vehicles, tires, bodies, files, .. } = &*self;
        let made = parts::make(Given { vehicles, tires, bodies, files: files.as_ref() }, problems);
        for (number, velocity) in made.velocities {
            self.bodies[number].value.velocity = Some(Numbers::si(&velocity.to_array()));
        }
        for (number, name, gear) in made.gears {
            self.vehicles[number].value.start_in(&name, gear);
        }
        self.made.extend(made.bodies.iter().map(|entry| entry.name.clone()));
        self.made.extend(made.joints.iter().map(|entry| entry.name.clone()));
        self.bodies.extend(made.bodies);
        self.joints.extend(made.joints);
    }

    /// Reads all sections other than those of `Section::ALL`.
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
                "fluids" => self.fluids = entries("fluids", value, problems),
                "soils" => self.soils = entries("soils", value, problems),
                "grounds" => self.grounds = entries("grounds", value, problems),
                "tires" => self.tires = entries("tires", value, problems),
                "sections" => self.sections = entries("sections", value, problems),
                "script" => self.script = read(value, problems).unwrap_or_default(),
                "controllers" => self.controllers = entries("controllers", value, problems),
                "rules" => self.rules = entries("rules", value, problems),
                "cameras" => self.cameras = entries("cameras", value, problems),
                "probes" => self.probes = entries("probes", value, problems),
                other => {
                    let help = suggestion::nearest(other, SECTIONS).map_or_else(
                        || format!("sections are {}", list(&SECTIONS)),
                        |n| format!("did you mean `{n}`?"),
                    );
                    problems.advise(
                        key.span(),
                        format!("unknown section `{}`", suggestion::shortened(other)),
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
            Section::Vehicles => {
                self.vehicles.extend(read(value, problems).map(|value| Entry { name, span, value, group }));
            }
            Section::Tools => {
                self.tools.extend(read(value, problems).map(|value| Entry { name, span, value, group }));
            }
            Section::Bins => {
                self.bins.extend(read(value, problems).map(|value| Entry { name, span, value, group }));
            }
            Section::Wheels => {
                self.wheels.extend(read(value, problems).map(|value| Entry { name, span, value, group }));
            }
            Section::Tracks => {
                self.tracks.extend(read(value, problems).map(|value| Entry { name, span, value, group }));
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

/// Whether every `between` of a list has two names.
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

/// Whether all pairs of a joint or a force have two entries: the structs would ignore a third one silently.
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

/// A table of named entries, removed from that of the scene.
fn names_of<'i>(table: &mut DeTable<'i>, key: &str, problems: &mut Problems) -> Option<DeTable<'i>> {
    let value = table.remove(key)?;
    let span = value.span();
    let DeValue::Table(names) = value.into_inner() else {
        problems.advise(
            span,
            format!("`{key}` is not a table of named entries"),
            format!("write [{key}] and below it NAME = …"),
        );
        return None;
    };
    Some(names)
}

/// The entries of a section, removed from the table of the scene.
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
        problems.advise(span, format!("`{section}` is not a table of named entries"), help);
        return Vec::new();
    };
    let read_one = |(key, value): (Spanned<DeString<'_>>, _)| {
        let (span, name) = (key.span(), key.into_inner().into_owned());
        Some(Entry { span, ..Entry::new(name, read(value, problems)?) })
    };
    table.into_iter().filter_map(read_one).collect()
}
