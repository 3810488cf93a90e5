//! Mesh files: bytes become a surface of triangles with merged vertices.
//!
//! ```text
//!  .stl   triangles only, binary or text      .obj   the faces, split into triangles
//!  .gltf .glb   the meshes of the default scene, each transformed by its nodes
//! ```
//!
//! Only geometry is read, no colours and no textures. The engine decides whether a surface is a solid. Here, vertices
//! with bitwise equal positions are merged, and triangles with two equal vertices, which have no area, are dropped.
//! Counts are checked against the length of the data before anything is allocated.

mod gltf;
mod obj;
mod stl;

use crate::files::{FileError, Files};
use glam::DVec3;
use std::collections::BTreeMap;
use std::sync::Arc;
use thiserror::Error;

/// Maximum length of a mesh file [bytes].
pub const LONGEST_MESH: u64 = 256 << 20;
/// Maximum number of triangles of a mesh file.
pub const MOST_TRIANGLES: usize = 5_000_000;
/// Maximum number of triangles of all bodies of a scene: a file used by many bodies counts for each.
pub const MOST_TRIANGLES_OF_SCENE: usize = 10_000_000;

/// A surface of triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Vertices, each position once.
    pub vertices: Vec<DVec3>,
    /// Vertex indices, counterclockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Why a mesh file could not be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MeshError {
    /// Unknown file name extension.
    #[error("\"{0}\" does not have the extension of a mesh file")]
    Ending(String),
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A binary STL whose length does not match its count.
    #[error("the STL file declares {declared} triangles, which take {wanted} bytes, but has {size}")]
    Length {
        /// Triangles declared.
        declared: u32,
        /// Bytes they need.
        wanted: u64,
        /// Bytes present.
        size: usize,
    },
    /// Invalid content.
    #[error("{format} file, {place}: {what}")]
    Content {
        /// Its format.
        format: &'static str,
        /// Where, in words.
        place: String,
        /// The error.
        what: String,
    },
    /// More triangles than allowed.
    #[error("the mesh has {0} triangles or more")]
    Many(usize),
    /// More triangles than allowed in a scene.
    #[error("the meshes of the scene have more than {MOST_TRIANGLES_OF_SCENE} triangles in total")]
    ManyTogether,
    /// A coordinate that is infinite or NaN.
    #[error("a vertex of the mesh has a coordinate that is not finite")]
    NotFinite,
    /// No triangles.
    #[error("the mesh has no triangles")]
    Empty,
}

impl MeshError {
    /// The remedy.
    pub fn help(&self) -> String {
        match self {
            MeshError::Ending(_) => "supported are .stl, .obj, .gltf and .glb".to_string(),
            MeshError::File(e) => e.help().to_string(),
            MeshError::Length { .. } => "the file is truncated or damaged: export it again".to_string(),
            MeshError::Content { .. } => "export it again, as plain triangles".to_string(),
            MeshError::Many(_) => format!("a file may have up to {MOST_TRIANGLES}: simplify the mesh"),
            MeshError::ManyTogether => "simplify the meshes, or use them in fewer bodies".to_string(),
            MeshError::NotFinite => "repair the vertices and export it again".to_string(),
            MeshError::Empty => "export the model as a surface of triangles".to_string(),
        }
    }
}

impl Surface {
    /// Reads a mesh file. Files that it refers to are beside it.
    pub fn read(path: &str, files: &dyn Files) -> Result<Surface, MeshError> {
        let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        let read = match ending.as_deref() {
            Some("stl") => stl::read,
            Some("obj") => obj::read,
            Some("gltf" | "glb") => {
                let bytes = files.read(path, LONGEST_MESH)?;
                return gltf::read(&bytes, path, files)?.welded();
            }
            _ => return Err(MeshError::Ending(crate::suggestion::shortened(path))),
        };
        read(&files.read(path, LONGEST_MESH)?)?.welded()
    }

    /// The same with each position once, without triangles with two equal vertices and without unused vertices.
    fn welded(mut self) -> Result<Surface, MeshError> {
        if !self.vertices.iter().all(|v| v.is_finite()) {
            return Err(MeshError::NotFinite);
        }
        // −0 and 0 are the same position
        let places: Vec<DVec3> = self.vertices.iter().map(|v| *v + DVec3::ZERO).collect();
        let same = first_of_each(&places);
        let mut numbers = vec![u32::MAX; places.len()];
        let mut vertices = Vec::new();
        for triangle in &mut self.triangles {
            *triangle = triangle.map(|corner| same[corner as usize]);
        }
        self.triangles.retain(|[a, b, c]| a != b && b != c && c != a);
        for corner in self.triangles.iter_mut().flatten() {
            let number = &mut numbers[*corner as usize];
            if *number == u32::MAX {
                *number = vertices.len() as u32;
                vertices.push(places[*corner as usize]);
            }
            *corner = *number;
        }
        if self.triangles.is_empty() {
            return Err(MeshError::Empty);
        }
        Ok(Surface { vertices, triangles: self.triangles })
    }

    /// Adds triangles with vertices of their own, given by indices from 0.
    fn add(&mut self, vertices: &[DVec3], corners: &[u32]) -> Result<(), MeshError> {
        let count = self.triangles.len() + corners.len() / 3;
        if count > MOST_TRIANGLES || self.vertices.len() + vertices.len() > 3 * MOST_TRIANGLES {
            return Err(MeshError::Many(count));
        }
        // the total stays below 2³²: at most three vertices per triangle
        let base = self.vertices.len() as u32;
        self.vertices.extend_from_slice(vertices);
        self.triangles.extend(corners.chunks_exact(3).map(|c| [base + c[0], base + c[1], base + c[2]]));
        Ok(())
    }
}

/// For each position the index of the first that is equal to it.
fn first_of_each(places: &[DVec3]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..places.len() as u32).collect();
    let by_place = |a: &u32, b: &u32| {
        let (p, q) = (places[*a as usize], places[*b as usize]);
        p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z)).then(a.cmp(b))
    };
    order.sort_unstable_by(by_place);
    let mut first = vec![0; places.len()];
    let mut leader = 0;
    for (rank, &number) in order.iter().enumerate() {
        let is_new = rank == 0 || places[number as usize] != places[leader as usize];
        leader = if is_new { number } else { leader };
        first[number as usize] = leader;
    }
    first
}

/// The mesh files of a scene, each read once.
#[derive(Debug)]
pub(crate) struct Meshes {
    files: Arc<dyn Files>,
    read: BTreeMap<String, Result<Arc<Surface>, MeshError>>,
    /// Triangles that may still be used.
    left: usize,
}

impl Meshes {
    pub fn new(files: Arc<dyn Files>) -> Meshes {
        Meshes { files, read: BTreeMap::new(), left: MOST_TRIANGLES_OF_SCENE }
    }

    /// The surface of a file.
    pub fn take(&mut self, path: &str) -> Result<Arc<Surface>, MeshError> {
        if !self.read.contains_key(path) {
            let surface = Surface::read(path, self.files.as_ref()).map(Arc::new);
            self.read.insert(path.to_string(), surface);
        }
        let surface = self.read[path].clone()?;
        self.left = self.left.checked_sub(surface.triangles.len()).ok_or(MeshError::ManyTogether)?;
        Ok(surface)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_corners_become_one() {
        let p = |x: f64| DVec3::new(x, 0.0, -0.0);
        let soup = Surface {
            vertices: vec![
                p(1.0),
                DVec3::Y,
                DVec3::Z,
                DVec3::Z,
                DVec3::Y,
                p(1.0),
                DVec3::new(1.0, -0.0, 0.0),
                p(9.0),
            ],
            // the last has two equal vertices
            triangles: vec![[0, 1, 2], [5, 3, 4], [0, 6, 1]],
        };
        let welded = soup.welded().expect("sound");
        assert_eq!(welded.vertices, [DVec3::X, DVec3::Y, DVec3::Z]);
        assert_eq!(welded.triangles, [[0, 1, 2], [0, 2, 1]]);
        let broken = Surface { vertices: vec![DVec3::NAN], triangles: vec![[0, 0, 0]] };
        assert_eq!(broken.welded(), Err(MeshError::NotFinite));
    }
}
