//! The parts of a glTF 2.0 document that Windlass writes, and its packing as one binary file.
//!
//! ```text
//!  "glTF" 2 length │ length "JSON" {document}… │ length "BIN" numbers…
//! ```
//!
//! Every list of numbers is a view of the one buffer and starts at a multiple of four bytes.

use crate::Error;
use serde::Serialize;

/// Largest file [bytes]: the format counts with 32 bits.
const LARGEST: usize = u32::MAX as usize;
const FLOAT: u32 = 5126;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
/// Uses of a view: corners and their numbers.
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    asset: Asset,
    scene: usize,
    scenes: Vec<Scene>,
    pub nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meshes: Vec<Mesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub samplers: Vec<TextureSampler>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    images: Vec<Image>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cameras: Vec<Camera>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skins: Vec<Skin>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub animations: Vec<Animation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    buffers: Vec<Buffer>,
    #[serde(skip)]
    bytes: Vec<u8>,
}

#[derive(Debug, Serialize)]
struct Asset {
    version: &'static str,
    generator: &'static str,
}

impl Default for Asset {
    fn default() -> Asset {
        Asset { version: "2.0", generator: "Windlass" }
    }
}

#[derive(Debug, Serialize)]
struct Scene {
    nodes: [usize; 1],
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    pub name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<usize>,
}

#[derive(Debug, Serialize)]
pub struct Mesh {
    pub primitives: Vec<Primitive>,
    /// Of the morph targets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<f32>,
}

#[derive(Debug, Serialize)]
pub struct Primitive {
    pub attributes: Attributes,
    pub indices: usize,
    pub material: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<MorphTarget>,
}

/// Displacements of corners and changes of their normals, for a weight of 1.
#[derive(Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub struct MorphTarget {
    pub position: usize,
    pub normal: usize,
}

/// A surface that is moved by nodes.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Skin {
    pub inverse_bind_matrices: usize,
    pub joints: Vec<usize>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub struct Attributes {
    pub position: usize,
    pub normal: usize,
    #[serde(rename = "TEXCOORD_0", skip_serializing_if = "Option::is_none")]
    pub texture: Option<usize>,
    #[serde(rename = "JOINTS_0", skip_serializing_if = "Option::is_none")]
    pub joints: Option<usize>,
    #[serde(rename = "WEIGHTS_0", skip_serializing_if = "Option::is_none")]
    pub weights: Option<usize>,
    /// Linear colours.
    #[serde(rename = "COLOR_0", skip_serializing_if = "Option::is_none")]
    pub color: Option<usize>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Material {
    pub pbr_metallic_roughness: Surface,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha_mode: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub double_sided: Option<bool>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Surface {
    pub base_color_factor: [f32; 4],
    pub metallic_factor: f32,
    pub roughness_factor: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_color_texture: Option<Reference>,
}

#[derive(Debug, Serialize)]
pub struct Reference {
    pub index: usize,
}

#[derive(Debug, Serialize)]
pub struct Texture {
    pub sampler: usize,
    pub source: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextureSampler {
    pub mag_filter: u32,
    pub min_filter: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Image {
    mime_type: &'static str,
    buffer_view: usize,
}

#[derive(Debug, Serialize)]
pub struct Camera {
    pub r#type: &'static str,
    pub perspective: Perspective,
}

#[derive(Debug, Serialize)]
pub struct Perspective {
    pub yfov: f32,
    pub znear: f32,
}

#[derive(Debug, Serialize)]
pub struct Animation {
    pub name: &'static str,
    pub channels: Vec<Channel>,
    pub samplers: Vec<Sampler>,
}

#[derive(Debug, Serialize)]
pub struct Channel {
    pub sampler: usize,
    pub target: Target,
}

#[derive(Debug, Serialize)]
pub struct Target {
    pub node: usize,
    pub path: &'static str,
}

#[derive(Debug, Serialize)]
pub struct Sampler {
    pub input: usize,
    pub output: usize,
    pub interpolation: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Accessor {
    buffer_view: usize,
    component_type: u32,
    count: usize,
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<Vec<f32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<Vec<f32>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct BufferView {
    buffer: usize,
    byte_offset: usize,
    byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Buffer {
    byte_length: usize,
}

impl Document {
    /// Adds a node and returns its number.
    pub fn node(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds corners with N numbers each; positions need their bounds.
    pub fn corners<const N: usize>(&mut self, rows: &[[f32; N]], bounded: bool) -> usize {
        self.floats(rows, bounded, Some(VERTICES))
    }

    /// Adds values of an animation, or its times with their bounds.
    pub fn keys<const N: usize>(&mut self, rows: &[[f32; N]], bounded: bool) -> usize {
        self.floats(rows, bounded, None)
    }

    /// Adds numbers of corners, in 16 bits if they fit.
    pub fn indices(&mut self, indices: &[u32]) -> usize {
        // the largest number of a type is not allowed
        let short = indices.iter().all(|&i| i < u32::from(u16::MAX));
        let (bytes, component): (Vec<u8>, u32) = match short {
            true => (indices.iter().flat_map(|&i| (i as u16).to_le_bytes()).collect(), UNSIGNED_SHORT),
            false => (indices.iter().flat_map(|i| i.to_le_bytes()).collect(), UNSIGNED_INT),
        };
        let view = self.view(&bytes, Some(INDICES));
        self.accessor(view, component, indices.len(), "SCALAR", None)
    }

    /// Adds the nodes that move each corner.
    pub fn joints(&mut self, rows: &[[u16; 4]]) -> usize {
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|i| i.to_le_bytes()).collect();
        let view = self.view(&bytes, Some(VERTICES));
        self.accessor(view, UNSIGNED_SHORT, rows.len(), "VEC4", None)
    }

    /// Adds matrices, column by column.
    pub fn matrices(&mut self, rows: &[[f32; 16]]) -> usize {
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        let view = self.view(&bytes, None);
        self.accessor(view, FLOAT, rows.len(), "MAT4", None)
    }

    /// Adds a PNG image.
    pub fn image(&mut self, png: &[u8]) -> usize {
        let buffer_view = self.view(png, None);
        self.images.push(Image { mime_type: "image/png", buffer_view });
        self.images.len() - 1
    }

    /// The finished file, with node 0 as the root.
    pub fn pack(mut self) -> Result<Vec<u8>, Error> {
        self.scenes = vec![Scene { nodes: [0] }];
        pad(&mut self.bytes, 0);
        if !self.bytes.is_empty() {
            self.buffers = vec![Buffer { byte_length: self.bytes.len() }];
        }
        let mut json = serde_json::to_vec(&self).map_err(|e| Error::input("glTF", e.to_string()))?;
        pad(&mut json, b' ');
        let length = 12 + 8 + json.len() + 8 + self.bytes.len();
        if length > LARGEST {
            let fault =
                format!("{length} bytes are too many for one file: choose a lower rate or a tolerance");
            return Err(Error::input("glTF", fault));
        }
        let mut file = Vec::with_capacity(length);
        file.extend_from_slice(b"glTF");
        for number in [2, length as u32, json.len() as u32] {
            file.extend_from_slice(&number.to_le_bytes());
        }
        file.extend_from_slice(b"JSON");
        file.extend_from_slice(&json);
        file.extend_from_slice(&(self.bytes.len() as u32).to_le_bytes());
        file.extend_from_slice(b"BIN\0");
        file.extend_from_slice(&self.bytes);
        Ok(file)
    }

    fn floats<const N: usize>(&mut self, rows: &[[f32; N]], bounded: bool, target: Option<u32>) -> usize {
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        let view = self.view(&bytes, target);
        let bound = |pick: fn(f32, f32) -> f32, start: f32| {
            (0..N).map(|i| rows.iter().map(|row| row[i]).fold(start, pick)).collect::<Vec<f32>>()
        };
        let bounds = bounded.then(|| (bound(f32::min, f32::INFINITY), bound(f32::max, f32::NEG_INFINITY)));
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1];
        self.accessor(view, FLOAT, rows.len(), kind, bounds)
    }

    fn accessor(
        &mut self,
        buffer_view: usize,
        component_type: u32,
        count: usize,
        kind: &'static str,
        bounds: Option<(Vec<f32>, Vec<f32>)>,
    ) -> usize {
        let (min, max) = bounds.unzip();
        self.accessors.push(Accessor { buffer_view, component_type, count, r#type: kind, min, max });
        self.accessors.len() - 1
    }

    fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        pad(&mut self.bytes, 0);
        let view = BufferView { buffer: 0, byte_offset: self.bytes.len(), byte_length: bytes.len(), target };
        self.bytes.extend_from_slice(bytes);
        self.buffer_views.push(view);
        self.buffer_views.len() - 1
    }
}

fn pad(bytes: &mut Vec<u8>, with: u8) {
    bytes.resize(bytes.len().next_multiple_of(4), with);
}
