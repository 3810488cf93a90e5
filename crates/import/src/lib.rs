//! URDF and MJCF files → scene text.
//!
//! ```text
//!  file ──xml──▶ elements ──urdf / mjcf──▶ Machine ──merge, chain──▶ Draft ──write──▶ TOML
//! ```
//!
//! The text is a scene like any other, to be read and edited. What a scene cannot say is never dropped
//! without a word: each element and attribute that was not understood, and each thing only approximated, is
//! a [`Note`] with its file and line. The kind of file is found from its root element, `<robot>` or
//! `<mujoco>`.
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

/// What becomes of links that are welded to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fixed {
    /// They become one body.
    #[default]
    Merge,
    /// Each is a body, and a `weld` holds it.
    Keep,
}

/// What becomes of meshes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Meshes {
    /// The scene names their files, which are to be copied beside it.
    #[default]
    Files,
    /// They are left out, with a note.
    Skip,
}

/// What becomes of the armature of MJCF joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Armature {
    /// It is left out, with a note.
    #[default]
    Ignore,
    /// Small rotors geared to the joints have it.
    Rotors,
}

/// Where the machine starts.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Start {
    /// As the file has it, all coordinates 0.
    #[default]
    Zero,
    /// As an MJCF keyframe has it.
    Keyframe(String),
    /// Values of joints by their names [m or rad]; others are 0.
    Joints(BTreeMap<String, f64>),
}

/// How to import.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Welded links.
    pub fixed: Fixed,
    /// Whether the root of a URDF moves freely; else it is fixed in the world.
    pub floating_base: bool,
    /// Meshes.
    pub meshes: Meshes,
    /// Armature.
    pub armature: Armature,
    /// Where to start.
    pub start: Start,
}

/// What became of a joint of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Its name in the file.
    pub name: String,
    /// The joint of the scene that has its coordinate; none if the body moves freely.
    pub joint: Option<String>,
    /// The body that moves freely.
    pub body: Option<String>,
    /// Number of the coordinate in that joint, from 0.
    pub coordinate: usize,
    /// Whether the scene counts the other way.
    pub reversed: bool,
    /// Value of the file where the scene's coordinate is 0.
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

/// How much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Bodies of the scene, fixed ones too.
    pub bodies: usize,
    /// Joints of the scene.
    pub joints: usize,
    /// Coordinates of the file's tree that move: hinge and slide 1, ball 3, free 6.
    pub freedoms: usize,
    /// Mass of the bodies that move [kg].
    pub mass: f64,
}

/// A scene made of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The scene's text.
    pub toml: String,
    /// Files it names, to be copied beside it.
    pub assets: Vec<Asset>,
    /// What the user should know, in the order of the file.
    pub notes: Vec<Note>,
    /// How much there is.
    pub counts: Counts,
    /// What became of the joints of the file, in its order.
    pub sources: Vec<Source>,
}

impl Imported {
    /// One line: how much there is, how many notes.
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

    /// Writes the scene, and the files it names beside it.
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

/// Imports a URDF or MJCF text, whose meshes and includes are in a folder; `name` stands in errors and notes.
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
                "sdf" => "SDF is not read: export the model as URDF or MJCF",
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
    // the name is the file's: a line break in it would end the comment
    let title: String = title.chars().filter(|c| !c.is_control()).collect();
    let toml = format!("# {title}, imported by windlass from {}\n{text}", assets.origin(&root.place.file));
    // a mesh that a shape was only fitted to is not needed any more
    assets.list.retain(|asset| toml.contains(&asset.to));
    Ok(Imported { toml, assets: assets.list, notes: notes.finish(), counts, sources: draft.sources })
}

/// Puts the joints named by the options to where they start.
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
                    "give names of joints and values up to 1e6",
                ));
            }
        }
    }
    Ok(())
}
