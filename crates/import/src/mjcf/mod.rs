//! MJCF: nested bodies with default classes → a tree of links.
//!
//! ```text
//!  include     other files in place of <include>      defaults   attributes by class
//!  settings    <compiler> and <option>                body       <worldbody>: bodies, frames, sites
//!  geom        shapes and their mass                  joint      coordinates
//!  tie         <equality> and <tendon>                actuator   drives of coordinates
//!  key         initial configuration                  primitive  shapes fitted to meshes
//! ```
//!
//! Follows MuJoCo's compiler; tests compare the results with it.

mod actuator;
mod body;
mod defaults;
mod geom;
mod include;
mod joint;
mod key;
mod parent;
mod primitive;
mod settings;
mod tie;

pub use include::include;

use crate::Options;
use crate::assets::Assets;
use crate::error::ImportError;
use crate::machine::{Coordinate, LinkFrame, Machine};
use crate::names::Names;
use crate::notes::Notes;
use crate::xml::{Attribute, Element, quote};
use defaults::Classes;
use settings::Compiler;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The state of reading.
pub struct Reader<'a> {
    machine: Machine,
    compiler: Compiler,
    classes: Rc<Classes<'a>>,
    /// Meshes by name.
    meshes: BTreeMap<String, &'a Element>,
    /// Height fields by name.
    fields: BTreeMap<String, &'a Element>,
    /// Materials by name.
    materials: BTreeMap<String, &'a Element>,
    /// Indices of links by name.
    links: BTreeMap<String, usize>,
    /// Links and indices of coordinates by name.
    joints: BTreeMap<String, (usize, usize)>,
    /// Sites by name.
    sites: BTreeMap<String, LinkFrame>,
    /// Generated names for unnamed elements.
    body_names: Names,
    joint_names: Names,
    assets: &'a mut Assets,
    notes: &'a mut Notes,
}

/// Reads a `<mujoco>` with its includes inserted.
pub fn read<'a>(
    root: &'a Element,
    options: &Options,
    assets: &'a mut Assets,
    notes: &'a mut Notes,
) -> Result<Machine, ImportError> {
    root.seen.set(true);
    let mut reader = Reader {
        machine: Machine::default(),
        compiler: Compiler::read(root)?,
        classes: Rc::new(Classes::read(root)?),
        meshes: BTreeMap::new(),
        fields: BTreeMap::new(),
        materials: BTreeMap::new(),
        links: BTreeMap::new(),
        joints: BTreeMap::new(),
        sites: BTreeMap::new(),
        body_names: Names::default(),
        joint_names: Names::default(),
        assets,
        notes,
    };
    reader.machine.name = root.get("model").map_or(String::new(), |a| a.value.clone());
    (reader.machine.dt, reader.machine.gravity) = settings::option(root)?;
    for mesh in root.all("asset").flat_map(|asset| asset.children.iter()).filter(|e| e.tag == "mesh") {
        // an unnamed mesh has the name of its file
        let name = match (mesh.get("name"), mesh.get("file")) {
            (Some(name), _) => name.value.clone(),
            (None, Some(file)) => stem(&file.value).to_string(),
            (None, None) => continue,
        };
        reader.meshes.insert(name, mesh);
    }
    for material in root.all("asset").flat_map(|asset| asset.all("material")) {
        if let Some(name) = material.get("name") {
            reader.materials.insert(name.value.clone(), material);
        }
    }
    for field in root.all("asset").flat_map(|asset| asset.all("hfield")) {
        let name = field.get("name").map(|a| a.value.clone());
        let of_file = || field.get("file").map(|a| stem(&a.value).to_string());
        reader.fields.extend(name.or_else(of_file).map(|name| (name, field)));
    }
    reader.take_names(root);
    reader.world(root)?;
    reader.total_mass();
    for section in root.all("equality") {
        section.children.iter().try_for_each(|e| reader.equality(e))?;
    }
    for section in root.all("contact") {
        section.seen.set(true);
        section.all("exclude").try_for_each(|e| reader.exclude(e))?;
    }
    for section in root.all("tendon") {
        section.children.iter().try_for_each(|e| reader.tendon(e))?;
    }
    for section in root.all("actuator") {
        section.children.iter().try_for_each(|e| reader.actuator(e))?;
    }
    reader.keyframe(root, &options.start)?;
    Ok(reader.machine)
}

/// The name of a file without folder and extension; dots before the last are part of it.
fn stem(path: &str) -> &str {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

impl<'a> Reader<'a> {
    /// Reserves all given names of bodies and joints, so that generated names differ from them.
    fn take_names(&mut self, root: &'a Element) {
        let mut stack: Vec<&Element> = root.children.iter().filter(|e| e.tag == "worldbody").collect();
        while let Some(element) = stack.pop() {
            let names = match element.tag.as_str() {
                "body" => Some(&mut self.body_names),
                "joint" | "freejoint" => Some(&mut self.joint_names),
                _ => None,
            };
            if let (Some(names), Some(name)) = (names, element.get("name")) {
                names.unique(&name.value);
            }
            stack.extend(&element.children);
        }
        self.body_names.unique("world");
    }

    /// Reads two bodies that do not collide with each other.
    fn exclude(&mut self, element: &'a Element) -> Result<(), ImportError> {
        element.seen.set(true);
        element.get("name");
        let names = [element.need("body1")?, element.need("body2")?];
        for name in names {
            let link = self.link(name)?;
            let skins = self.machine.links[link].solids.iter_mut().filter_map(|s| s.touch.as_mut());
            skins.for_each(|skin| skin.body = Some(name.value.clone()));
        }
        self.machine.excludes.push(names.map(|name| name.value.clone()));
        Ok(())
    }

    /// The link of a name.
    fn link(&self, name: &Attribute) -> Result<usize, ImportError> {
        self.links.get(&name.value).copied().ok_or_else(|| missing("body", name))
    }

    /// The coordinate of a name.
    fn coordinate(&mut self, name: &Attribute) -> Result<&mut Coordinate, ImportError> {
        let found = self.joints.get(&name.value).copied();
        let (link, index) = found.ok_or_else(|| missing("joint", name))?;
        Ok(&mut self.machine.links[link].coordinates[index])
    }

    /// The site of a name.
    fn site(&self, name: &Attribute) -> Result<LinkFrame, ImportError> {
        self.sites.get(&name.value).copied().ok_or_else(|| missing("site", name))
    }
}

fn missing(what: &str, name: &Attribute) -> ImportError {
    let message = format!("there is no {what} \"{}\"", quote(&name.value));
    ImportError::at(&name.place, message, format!("name a {what} of this model"))
}
