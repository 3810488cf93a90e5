//! URDF and MJCF files → scene text.
//!
//! ```text
//!  file ──xml──▶ elements ──urdf / mjcf──▶ Machine ──merge, chain──▶ Draft ──write──▶ TOML
//! ```
//!
//! The text is an ordinary scene, to be read and edited. Nothing is dropped silently: each element and attribute that
//! is not supported, and each approximation, is a [`Note`] with its file and line. The format is found from the root
//! element, `<robot>` or `<mujoco>`.
//!
//! ```no_run
//! use windlass_import::{Options, import};
//!
//! let imported = import("robot.urdf".as_ref(), &Options::default())?;
//! for note in &imported.notes {
//!     eprintln!("{note}");
//! }
//! println!("{}", imported.summary());
//! imported.write("robot.toml".as_ref())?;
//! # Ok::<(), windlass_import::ImportError>(())
//! ```

mod assets;
mod chain;
mod check;
mod contact;
mod error;
mod fit;
mod inertia;
mod machine;
mod merge;
mod mjcf;
mod names;
mod notes;
mod urdf;
mod write;
mod xml;

pub use assets::Asset;
pub use error::ImportError;
pub use notes::{Note, NoteKind};

use machine::{Coordinate, Machine, Motion};
use notes::Notes;
use std::collections::BTreeMap;
use std::path::Path;
use windlass_scene::suggestion;
use windlass_scene::text::{LONGEST_FILE, MOST_ENTRIES};

/// Treatment of links that are welded to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fixed {
    /// They become one body.
    #[default]
    Merge,
    /// Each is a body, attached by a `weld`.
    Keep,
}

/// Treatment of meshes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Meshes {
    /// The scene refers to their files, which are to be copied beside it.
    #[default]
    Files,
    /// They are omitted, with a note.
    Skip,
}

/// Treatment of the armature of MJCF joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Armature {
    /// It is omitted, with a note.
    #[default]
    Ignore,
    /// It becomes small rotors geared to the joints.
    Rotors,
}

/// Initial configuration of the machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Start {
    /// That of the file, all coordinates 0.
    #[default]
    Zero,
    /// That of an MJCF keyframe.
    Keyframe(String),
    /// Values of joints by their names [m or rad]; others are 0.
    Joints(BTreeMap<String, f64>),
}

/// Options of an import.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Welded links.
    pub fixed: Fixed,
    /// Whether the root of a URDF is dynamic; else it is fixed in the world.
    pub floating_base: bool,
    /// Meshes.
    pub meshes: Meshes,
    /// Armature.
    pub armature: Armature,
    /// Initial configuration.
    pub start: Start,
}

/// The counterpart of a joint of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Its name in the file.
    pub name: String,
    /// The joint of the scene that has its coordinate; none if the body has no joint.
    pub joint: Option<String>,
    /// The dynamic body without a joint.
    pub body: Option<String>,
    /// Index of the coordinate in that joint, from 0.
    pub coordinate: usize,
    /// Whether its sign is reversed in the scene.
    pub reversed: bool,
    /// Value in the file at which the scene's coordinate is 0.
    pub zero: f64,
}

impl Source {
    fn free(name: &str, body: &str) -> Source {
        Source { joint: None, body: Some(body.to_string()), ..Source::ball(name, "") }
    }

    fn ball(name: &str, joint: &str) -> Source {
        let joint = Some(joint.to_string());
        Source { name: name.to_string(), joint, body: None, coordinate: 0, reversed: false, zero: 0.0 }
    }
}

/// Counts of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Bodies of the scene, including static ones.
    pub bodies: usize,
    /// Joints of the scene.
    pub joints: usize,
    /// Degrees of freedom of the file's tree: hinge and slide 1, ball 3, free 6.
    pub freedoms: usize,
    /// Mass of the moving bodies [kg].
    pub mass: f64,
}

/// A scene imported from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The scene's text.
    pub toml: String,
    /// Files it refers to, to be copied beside it.
    pub assets: Vec<Asset>,
    /// Notes for the user, in the order of the file.
    pub notes: Vec<Note>,
    /// Counts.
    pub counts: Counts,
    /// The counterparts of the joints of the file, in its order.
    pub sources: Vec<Source>,
}

impl Imported {
    /// One line: counts of the scene and of the notes.
    pub fn summary(&self) -> String {
        let count = |kind| self.notes.iter().filter(|n| n.kind == kind).count();
        let plural = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
        format!(
            "{}, {}, {}, {:.6} kg; {} ignored, {} approximated, {}",
            plural(self.counts.bodies, "body", "bodies"),
            plural(self.counts.joints, "joint", "joints"),
            plural(self.counts.freedoms, "coordinate", "coordinates"),
            self.counts.mass,
            count(NoteKind::Ignored),
            count(NoteKind::Approximated),
            plural(count(NoteKind::Info), "remark", "remarks"),
        )
    }

    /// Writes the scene, and the files it refers to beside it.
    pub fn write(&self, to: &Path) -> Result<(), ImportError> {
        assets::write(self, to)
    }
}

/// Imports a URDF or MJCF file.
pub fn import(path: &Path, options: &Options) -> Result<Imported, ImportError> {
    let root = xml::read(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    convert(root, folder, options)
}

/// Imports a URDF or MJCF text, whose meshes and includes are in a folder; `name` is the file name in errors and notes.
pub fn import_text(
    text: &str,
    name: &str,
    folder: &Path,
    options: &Options,
) -> Result<Imported, ImportError> {
    convert(xml::parse(text, name)?, folder, options)
}

fn convert(mut root: xml::Element, folder: &Path, options: &Options) -> Result<Imported, ImportError> {
    let mut notes = Notes::default();
    let mut assets = assets::Assets::new(folder, options.meshes);
    let mut machine = match root.tag.as_str() {
        "robot" => urdf::read(&root, options, &mut assets, &mut notes)?,
        "mujoco" => {
            mjcf::include(&mut root, folder)?;
            mjcf::read(&root, options, &mut assets, &mut notes)?
        }
        _ => {
            let message = format!("the root element is <{}>", xml::quote(&root.tag));
            let help = match root.tag.as_str() {
                "sdf" => "SDF is not supported: export the model as URDF or MJCF",
                _ => "give a URDF file, whose root is <robot>, or an MJCF file, whose root is <mujoco>",
            };
            return Err(ImportError::at(&root.place, message, help));
        }
    };
    place(&mut machine, options, &root)?;
    check::check(&mut machine, &mut notes)?;
    merge::merge(&mut machine, options.fixed, &mut notes)?;
    check::masses(&machine)?;
    let draft = chain::draft(&machine, options.armature, &mut notes);
    let too_large = |what: String| {
        let help = format!("a scene may have {MOST_ENTRIES} bodies and joints and {LONGEST_FILE} bytes");
        ImportError::at(&root.place, format!("the scene would have {what}"), help + ": split the model")
    };
    if draft.bodies.len().max(draft.joints.len()) > MOST_ENTRIES {
        return Err(too_large(format!("{} bodies and {} joints", draft.bodies.len(), draft.joints.len())));
    }
    let contacts = contact::Contacts::of(&machine, &draft, &mut notes);
    let text = write::write(&draft, (machine.dt, machine.gravity), &contacts, &mut notes);
    if text.len() > LONGEST_FILE {
        return Err(too_large(format!("{} bytes", text.len())));
    }
    notes::leftovers(&root, &mut notes);

    let counts = Counts {
        bodies: draft.bodies.len(),
        joints: draft.joints.len(),
        freedoms: machine.links.iter().flat_map(|l| &l.coordinates).map(Coordinate::freedoms).sum(),
        mass: draft.bodies.iter().filter_map(|b| b.mass).fold(0.0, |sum, m| sum + m.mass),
    };
    let title = if machine.name.is_empty() { "a model".to_string() } else { format!("\"{}\"", machine.name) };
    // the name comes from the file: a line break in it would end the comment
    let title: String = title.chars().filter(|c| !c.is_control()).collect();
    let toml = format!("# {title}, imported by windlass from {}\n{text}", assets.origin(&root.place.file));
    // a mesh to which a primitive was fitted is no longer needed
    assets.list.retain(|asset| toml.contains(&asset.to));
    Ok(Imported { toml, assets: assets.list, notes: notes.finish(), counts, sources: draft.sources })
}

/// Sets the joints named by the options to their initial values.
fn place(machine: &mut Machine, options: &Options, root: &xml::Element) -> Result<(), ImportError> {
    let Start::Joints(values) = &options.start else { return Ok(()) };
    for (name, &value) in values {
        let found = machine.links.iter_mut().flat_map(|l| &mut l.coordinates).find(|c| c.name == *name);
        match found {
            Some(c) if matches!(c.motion, Motion::Hinge | Motion::Slide) && value.abs() <= 1e6 => {
                c.start = value - c.zero;
            }
            _ => {
                let (name, value) = (xml::quote(name), suggestion::exact(value));
                let message = format!("no hinge or slide \"{name}\" can start at {value}");
                return Err(ImportError::at(
                    &root.place,
                    message,
                    "give the name of a hinge or slide and a value up to 1e6",
                ));
            }
        }
    }
    Ok(())
}
