//! Mesh files: found beside the model, copied beside the scene.
//!
//! A path is relative to the model's folder, or `package://NAME/…`, where NAME is a folder above the model or a sibling
//! of one. Absolute paths are rejected, so that a model cannot copy arbitrary files of the machine. Each mesh is read
//! once: a closed surface is a solid, any other is replaced by its convex hull.

use crate::Imported;
use crate::Meshes;
use crate::error::ImportError;
use crate::inertia;
use crate::machine::Form;
use crate::names::Names;
use glam::DVec3;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use windlass_engine::prelude::{Mass, Shape};
use windlass_scene::files::Folder;
use windlass_scene::mesh::Surface;
use windlass_scene::save;

/// Maximum number of folders above the model in which a package is searched.
const FARTHEST: usize = 6;
/// File name extensions of meshes.
const MESHES: [&str; 4] = ["stl", "obj", "gltf", "glb"];
/// Maximum size of a file that is copied [bytes].
const LARGEST: u64 = 1 << 30;

/// A file named by the scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    /// Its source path.
    pub from: PathBuf,
    /// Its path relative to the scene: `meshes/arm.stl`.
    pub to: String,
}

/// A mesh that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Its path relative to the scene.
    pub to: String,
    /// Mass of its interior at density 1 and scale 1; none for a surface that is not closed.
    pub solid: Option<Mass>,
    /// The same for its convex hull.
    pub hull: Option<Mass>,
    /// The same by MuJoCo's default method.
    pub rough: Option<Mass>,
}

/// The files found so far.
#[derive(Debug)]
pub struct Assets {
    /// Files to copy.
    pub list: Vec<Asset>,
    folder: PathBuf,
    meshes: Meshes,
    names: Names,
    found: BTreeMap<PathBuf, Result<Mesh, &'static str>>,
}

impl Assets {
    /// No files yet; paths are relative to a folder.
    pub fn new(folder: &Path, meshes: Meshes) -> Assets {
        let (list, names, found) = (Vec::new(), Names::default(), BTreeMap::new());
        Assets { list, folder: folder.to_path_buf(), meshes, names, found }
    }

    /// The name of the model's file, without its folder.
    pub fn origin<'a>(&self, file: &'a str) -> &'a str {
        Path::new(file).file_name().and_then(|n| n.to_str()).unwrap_or("a file")
    }

    /// A mesh named by the model, or the reason why it cannot be used.
    pub fn mesh(&mut self, name: &str, below: &str) -> Result<Mesh, &'static str> {
        if self.meshes == Meshes::Skip {
            return Err("meshes are disabled by the options");
        }
        let path = self.find(name, below)?;
        if let Some(mesh) = self.found.get(&path) {
            return mesh.clone();
        }
        let mesh = self.take(&path);
        self.found.insert(path, mesh.clone());
        mesh
    }

    fn take(&mut self, path: &Path) -> Result<Mesh, &'static str> {
        let file = path.file_name().and_then(|n| n.to_str()).ok_or("its name is not valid Unicode")?;
        let folder = Folder::new(path.parent().unwrap_or(Path::new("")));
        let surface =
            Surface::read(file, &folder).map_err(|_| "it cannot be read as a surface of triangles")?;
        let rough = inertia::by_pyramids(&surface);
        let hull = Mass::of(&Shape::Convex { points: surface.vertices.clone() }, 1.0).ok();
        let solid = Shape::Mesh { vertices: surface.vertices, triangles: surface.triangles };
        let solid = solid.check().ok().and_then(|()| Mass::of(&solid, 1.0).ok());
        if solid.is_none() && hull.is_none() {
            return Err("it has no volume");
        }
        // unique names keep their extension, which identifies the format
        let (stem, ending) = file.rsplit_once('.').unwrap_or((file, ""));
        let to = format!("meshes/{}.{}", self.names.unique(&stem.to_lowercase()), ending.to_lowercase());
        self.list.push(Asset { from: path.to_path_buf(), to: to.clone() });
        Ok(Mesh { to, solid, hull, rough })
    }

    fn find(&self, name: &str, below: &str) -> Result<PathBuf, &'static str> {
        let name = name.strip_prefix("file://").unwrap_or(name);
        let ending = name.rsplit('.').next().unwrap_or("").to_lowercase();
        if !MESHES.contains(&ending.as_str()) {
            return Err("its format is not supported (.stl, .obj, .gltf, .glb): convert it");
        }
        let package = name.strip_prefix("package://").or_else(|| name.strip_prefix("model://"));
        let places = match package {
            Some(rest) => self.packages(rest),
            None => vec![self.folder.join(below).join(name)],
        };
        let relative =
            |p: &Path| !p.components().any(|c| matches!(c, Component::RootDir | Component::Prefix(_)));
        let safe = package.is_some() || (relative(Path::new(name)) && relative(Path::new(below)));
        if !safe {
            return Err("its path is absolute: move it beside the model");
        }
        places.into_iter().find(|p| p.is_file()).ok_or("there is no such file")
    }

    /// Candidate paths of a file of a package.
    fn packages(&self, rest: &str) -> Vec<PathBuf> {
        let Some((package, inner)) = rest.split_once('/') else { return Vec::new() };
        let folder = fs::canonicalize(&self.folder).unwrap_or_else(|_| self.folder.clone());
        let mut places = Vec::new();
        for above in folder.ancestors().take(FARTHEST) {
            if above.file_name().is_some_and(|n| n == package) {
                places.push(above.join(inner));
            }
            places.push(above.join(package).join(inner));
        }
        places
    }
}

impl Mesh {
    /// Its shape at a scale, or the reason why it cannot be used.
    pub fn scaled(&self, scale: DVec3) -> Result<Form, &'static str> {
        let s = scale.x;
        if scale != DVec3::splat(s) || !(s > 0.0) {
            return Err("its scale is not one positive factor for all axes: scale the file itself");
        }
        Ok(Form::Mesh { file: self.to.clone(), scale: s, closed: self.solid.is_some() })
    }
}

/// Writes the scene's text and copies its files beside it.
pub fn write(imported: &Imported, to: &Path) -> Result<(), ImportError> {
    let told = |path: &Path| {
        let name = path.display().to_string();
        move |e: std::io::Error| {
            ImportError::of(&name, e.to_string(), "check the path and the free space on the disk")
        }
    };
    let folder = to.parent().unwrap_or(Path::new(""));
    for asset in &imported.assets {
        let target = folder.join(&asset.to);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(told(parent))?;
        }
        if fs::metadata(&asset.from).map_err(told(&asset.from))?.len() > LARGEST {
            let name = asset.from.display().to_string();
            return Err(ImportError::of(&name, "the mesh is larger than 1 GiB", "simplify it"));
        }
        // copying a file onto itself would empty it
        let same = fs::canonicalize(&asset.from).ok() == fs::canonicalize(&target).ok();
        if !(same && target.exists()) {
            save::copy(&asset.from, &target).map_err(told(&target))?;
        }
    }
    save::save(to, imported.toml.as_bytes(), save::Older::Replaced).map_err(told(to))
}
