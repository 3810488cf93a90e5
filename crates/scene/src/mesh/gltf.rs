//! glTF and GLB: the meshes of the default scene, each transformed by its node and the nodes above it.
//!
//! The accessors are read here, with every range checked against the length of the data. Skins, morph targets and
//! animations are ignored; compressed geometry, which files declare as a required extension, is rejected.

use super::{LONGEST_MESH, MOST_TRIANGLES, MeshError, Surface};
use crate::files::{Files, beside};
use base64::prelude::{BASE64_STANDARD, Engine};
use glam::{DMat4, DVec3};
use gltf::accessor::{DataType, Dimensions};
use gltf::buffer::Source;
use gltf::{Accessor, Gltf, Node, Primitive, Semantic, mesh::Mode};

/// Maximum nesting of nodes.
const DEEPEST: usize = 64;
/// Maximum number of visited nodes: in a damaged file one may be reached along several paths.
const MOST_NODES: usize = 100_000;

/// Reads the file and its buffers.
pub fn read(bytes: &[u8], path: &str, files: &dyn Files) -> Result<Surface, MeshError> {
    let file = Gltf::from_slice(bytes).map_err(|e| fail("the description", &e.to_string()))?;
    let buffers = buffers(&file, path, files)?;
    let scene = file.default_scene().or_else(|| file.scenes().next());
    let scene = scene.ok_or_else(|| fail("the description", "it has no scene"))?;
    let mut reader = Reader { buffers, surface: Surface::default(), visited: 0 };
    for node in scene.nodes() {
        reader.node(&node, DMat4::IDENTITY, 0)?;
    }
    Ok(reader.surface)
}

/// The bytes of all buffers: in the file itself, in its text, or in files beside it.
fn buffers(file: &Gltf, path: &str, files: &dyn Files) -> Result<Vec<Vec<u8>>, MeshError> {
    let mut left = LONGEST_MESH;
    let mut buffers = Vec::new();
    for buffer in file.buffers() {
        let place = format!("buffer {}", buffer.index());
        let bytes = match buffer.source() {
            Source::Bin => file.blob.clone().ok_or_else(|| fail(&place, "the file has no binary part"))?,
            Source::Uri(uri) => match uri.strip_prefix("data:") {
                Some(data) => {
                    let (_, text) =
                        data.split_once(";base64,").ok_or_else(|| fail(&place, "it is not base64"))?;
                    BASE64_STANDARD.decode(text).map_err(|e| fail(&place, &e.to_string()))?
                }
                None => files.read(&beside(path, uri)?, left)?,
            },
        };
        left =
            left.checked_sub(bytes.len() as u64).ok_or_else(|| fail(&place, "the buffers are too long"))?;
        buffers.push(bytes);
    }
    Ok(buffers)
}

struct Reader {
    buffers: Vec<Vec<u8>>,
    surface: Surface,
    visited: usize,
}

impl Reader {
    /// Takes the mesh of a node and of all nodes below it; `above` is the transform of the nodes above.
    fn node(&mut self, node: &Node<'_>, above: DMat4, depth: usize) -> Result<(), MeshError> {
        self.visited += 1;
        if depth > DEEPEST || self.visited > MOST_NODES {
            return Err(fail("the nodes", "they are nested too deeply, or in a cycle"));
        }
        let columns = node.transform().matrix().map(|column| column.map(f64::from));
        let here = above * DMat4::from_cols_array_2d(&columns);
        if let Some(mesh) = node.mesh() {
            for primitive in mesh.primitives() {
                let place = format!("mesh {}, primitive {}", mesh.index(), primitive.index());
                self.primitive(&primitive, here, &place)?;
            }
        }
        node.children().try_for_each(|child| self.node(&child, here, depth + 1))
    }

    fn primitive(&mut self, primitive: &Primitive<'_>, here: DMat4, place: &str) -> Result<(), MeshError> {
        if primitive.mode() != Mode::Triangles {
            return Err(fail(place, &format!("it has {:?}, not triangles", primitive.mode())));
        }
        let Some(positions) = primitive.get(&Semantic::Positions) else {
            return Err(fail(place, "it has no positions"));
        };
        let vertices: Vec<DVec3> =
            self.positions(&positions, place)?.into_iter().map(|v| here.transform_point3(v)).collect();
        let mut corners = match primitive.indices() {
            Some(indices) => self.indices(&indices, place)?,
            None => (0..vertices.len() as u32).collect(),
        };
        if corners.iter().any(|c| *c as usize >= vertices.len()) {
            return Err(fail(place, "a triangle refers to a vertex that does not exist"));
        }
        // a reflection reverses the orientation of surfaces
        if here.determinant() < 0.0 {
            corners.chunks_exact_mut(3).for_each(|c| c.swap(1, 2));
        }
        self.surface.add(&vertices, &corners)
    }

    fn positions(&self, accessor: &Accessor<'_>, place: &str) -> Result<Vec<DVec3>, MeshError> {
        if (accessor.data_type(), accessor.dimensions()) != (DataType::F32, Dimensions::Vec3) {
            return Err(fail(place, "its positions are not three floats each"));
        }
        let number = |b: &[u8]| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let items = self.items(accessor, 12, place)?;
        Ok(items.map(|b| DVec3::new(number(&b[0..4]), number(&b[4..8]), number(&b[8..12]))).collect())
    }

    fn indices(&self, accessor: &Accessor<'_>, place: &str) -> Result<Vec<u32>, MeshError> {
        if accessor.dimensions() != Dimensions::Scalar {
            return Err(fail(place, "its indices are not single numbers"));
        }
        Ok(match accessor.data_type() {
            DataType::U8 => self.items(accessor, 1, place)?.map(|b| u32::from(b[0])).collect(),
            DataType::U16 => {
                self.items(accessor, 2, place)?.map(|b| u32::from(u16::from_le_bytes([b[0], b[1]]))).collect()
            }
            DataType::U32 => self
                .items(accessor, 4, place)?
                .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
                .collect(),
            _ => return Err(fail(place, "its indices are not of an integer type")),
        })
    }

    /// The items of an accessor, `size` bytes each; the whole range is checked first.
    fn items<'a>(
        &'a self,
        accessor: &Accessor<'_>,
        size: usize,
        place: &str,
    ) -> Result<impl Iterator<Item = &'a [u8]>, MeshError> {
        let short = || fail(place, "its data extends beyond the buffer");
        if accessor.sparse().is_some() {
            return Err(fail(place, "it has sparse data, which is not supported"));
        }
        let view = accessor.view().ok_or_else(|| fail(place, "it has no data"))?;
        let count = accessor.count();
        if count > 3 * MOST_TRIANGLES {
            return Err(MeshError::Many(count / 3));
        }
        let stride = view.stride().unwrap_or(size).max(size);
        let buffer = self.buffers.get(view.buffer().index()).ok_or_else(short)?;
        let start = view.offset().checked_add(accessor.offset()).ok_or_else(short)?;
        let length =
            count.checked_sub(1).and_then(|n| n.checked_mul(stride)).and_then(|n| n.checked_add(size));
        let end = length.and_then(|length| start.checked_add(length)).ok_or_else(short)?;
        let range = buffer.get(start..end).ok_or_else(short)?;
        Ok((0..count).map(move |i| &range[i * stride..i * stride + size]))
    }
}

fn fail(place: &str, what: &str) -> MeshError {
    MeshError::Content { format: "glTF", place: place.to_string(), what: what.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Memory;

    /// A tetrahedron with vertices at the origin and one on each axis; its node moves it along x and reflects z.
    fn tetrahedron(uri: &str, count: usize, children: &str) -> String {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
            "nodes":[{{"mesh":0,"translation":[1,0,0],"scale":[2,1,-1],"children":[{children}]}},{{"mesh":0}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
            "buffers":[{{"byteLength":60,"uri":"{uri}"}}],
            "bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":12}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}},
            {{"bufferView":1,"componentType":5121,"count":{count},"type":"SCALAR"}}]}}"#
        )
    }

    fn buffer() -> Vec<u8> {
        let places = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut bytes: Vec<u8> = places.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        bytes.extend([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
        bytes
    }

    #[test]
    fn nodes_move_their_meshes() {
        let files = Memory::new().with("m/t.bin", buffer());
        let surface = read(tetrahedron("t.bin", 12, "").as_bytes(), "m/t.gltf", &files).expect("sound");
        assert_eq!(surface.vertices[1], DVec3::new(3.0, 0.0, 0.0));
        assert_eq!(surface.vertices[3], DVec3::new(1.0, 0.0, -1.0));
        // reflected: the order of the vertices is reversed
        assert_eq!(surface.triangles[0], [0, 1, 2]);
        let uri = format!("data:application/octet-stream;base64,{}", BASE64_STANDARD.encode(buffer()));
        assert_eq!(read(tetrahedron(&uri, 12, "").as_bytes(), "t.gltf", &Memory::new()), Ok(surface));
        // the child is also moved by its parent
        let two = read(tetrahedron(&uri, 12, "1").as_bytes(), "t.gltf", &Memory::new()).expect("sound");
        assert_eq!(two.triangles.len(), 8);
    }

    #[test]
    fn damage_is_told() {
        let files = Memory::new().with("t.bin", buffer()).with("short.bin", &buffer()[..50]);
        let told = |text: String| match read(text.as_bytes(), "t.gltf", &files) {
            Err(MeshError::Content { what, .. }) => what,
            other => panic!("{other:?}"),
        };
        assert_eq!(told(tetrahedron("short.bin", 12, "")), "its data extends beyond the buffer");
        assert_eq!(told(tetrahedron("t.bin", 13, "")), "its data extends beyond the buffer");
        assert_eq!(told(tetrahedron("t.bin", 12, "0")), "they are nested too deeply, or in a cycle");
        assert_eq!(told(tetrahedron("data:,x", 12, "")), "it is not base64");
        let outside = read(tetrahedron("../t.bin", 12, "").as_bytes(), "t.gltf", &files);
        assert!(matches!(outside, Err(MeshError::File(_))));
        assert!(read(b"glTF", "t.glb", &files).is_err());
    }
}
