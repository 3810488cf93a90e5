//! A picture and its instants → a binary glTF 2.0 file (`.glb`) with an animation.
//!
//! ```text
//!  windlass            turns z up into glTF's y up
//!  ├─ body …           one node per body, which the animation moves
//!  │  ├─ solids …      meshes in the body's axes
//!  │  └─ bends …       spheres where a line passes the body
//!  ├─ segments …       unit cylinders, translated, rotated and scaled along their line
//!  ├─ rings …          positions along a cable, whose tube is skinned to them
//!  ├─ ground
//!  ├─ liquids …        grids whose waves are weighted morph targets
//!  ├─ grounds …        patches of soil whose heights are morph targets, and lumps that move
//!  └─ camera           or below the body it is mounted on
//! ```
//!
//! Numbers are f32, times start at 0. A node has keys only for properties that change. Light is left to the viewer, and
//! a stereo camera becomes one in the middle, since glTF has no sheared frusta.

mod document;
mod terrain;
mod water;

use crate::Error;
use crate::instant::{Instants, Pose, Ties};
use crate::keys::{continuous, miss_point, miss_turn, thinned};
use crate::material::{Look, Looks, linear};
use crate::picture::{self, Ground, Line, Mount, Pattern, Picture};
use crate::surface::Surface;
use crate::terrain::Relief;
use crate::tube::{CableTube, Part, RINGS, SIDES};
use document::{
    Animation, Attributes, Camera, Channel, Document, Material, Mesh, Node, Perspective, Primitive,
    Reference, Sampler, Skin, Target, Texture, TextureSampler,
};
use glam::{DMat3, DMat4, DQuat, DVec3};
use std::collections::BTreeMap;
use windlass_engine::body::shape::Shape;
use windlass_engine::prelude::{CurvePoint, Tube};

/// Largest number of poses in memory: bodies and line segments times frames (about 1 GB).
const MOST: usize = 16_000_000;
/// Filters of textures: nearest texel close by, blended mip levels far away.
const NEAREST: u32 = 9728;
const BLENDED: u32 = 9987;

/// Options of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Number of faces around round shapes.
    pub segments: usize,
    /// Keys are left out where the motion stays this close [m] and [rad]; 0 keeps one for each frame.
    pub tolerance: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options { segments: 32, tolerance: 0.0 }
    }
}

/// The bytes of a `.glb` file.
///
/// # Errors
/// If something cannot be drawn or read, or there is more than a file can hold.
pub fn glb(picture: &Picture, instants: &mut dyn Instants, options: &Options) -> Result<Vec<u8>, Error> {
    picture.check()?;
    check(picture, instants, options)?;
    let reel = read(picture, instants)?;
    let mut writer = Writer {
        picture,
        options,
        reel: &reel,
        document: Document::default(),
        looks: Looks::default(),
        meshes: Vec::new(),
    };
    writer.write()?;
    writer.document.pack()
}

fn check(picture: &Picture, instants: &dyn Instants, options: &Options) -> Result<(), Error> {
    let segments: usize = picture.lines.iter().map(|line| line.points.len() - 1).sum();
    let rings: usize = picture.tubes.iter().map(|cord| (RINGS + 1) * cord.elements.len()).sum();
    picture::check_instants(instants, MOST / (picture.bodies.len() + segments + rings).max(1))?;
    // the ring index of a vertex has 16 bits
    if let Some(cord) = picture.tubes.iter().find(|cord| (RINGS + 1) * cord.elements.len() > 65_535) {
        let fault = format!("{} elements: glTF has room for {}", cord.elements.len(), 65_535 / (RINGS + 1));
        return Err(Error::input(format!("cord {:?}", cord.name), fault));
    }
    if !(6..=512).contains(&options.segments) {
        return Err(Error::input("segments", format!("{} faces: give 6 to 512", options.segments)));
    }
    if !(options.tolerance >= 0.0 && options.tolerance.is_finite()) {
        return Err(Error::input("tolerance", format!("{}: give 0 or a small number", options.tolerance)));
    }
    Ok(())
}

/// All instants whose times differ in f32: the times from 0, those of the source, and the poses.
#[derive(Default)]
struct Frames {
    times: Vec<f32>,
    instants: Vec<f64>,
    poses: Vec<Vec<Pose>>,
    ties: Vec<Vec<Ties>>,
    reliefs: Vec<Vec<Relief>>,
}

fn read(picture: &Picture, instants: &mut dyn Instants) -> Result<Frames, Error> {
    let mut frames = Frames::default();
    let mut start = 0.0;
    for frame in 0..instants.count() {
        let instant = picture::instant(picture, instants, frame)?;
        if frame == 0 {
            start = instant.time;
        }
        let time = (instant.time - start) as f32;
        if frames.times.last().is_none_or(|last| time > *last) {
            frames.times.push(time);
            frames.instants.push(instant.time);
            frames.poses.push(instant.poses.to_vec());
            frames.ties.push(instant.ties.to_vec());
            frames.reliefs.push(instant.reliefs.to_vec());
        }
    }
    Ok(frames)
}

/// Scale of inactive parts: invisible, but not singular.
const HIDDEN: f64 = 1e-6;

/// The pose of a node at each frame.
struct Track {
    node: usize,
    at: Vec<DVec3>,
    turn: Vec<DQuat>,
    /// Empty if it is 1 throughout.
    scale: Vec<DVec3>,
}

struct Writer<'a> {
    picture: &'a Picture,
    options: &'a Options,
    reel: &'a Frames,
    document: Document,
    looks: Looks,
    /// Shapes written, with their look and mesh.
    meshes: Vec<(Shape, usize, usize)>,
}

impl Writer<'_> {
    fn write(&mut self) -> Result<(), Error> {
        // x stays, y up becomes z up
        let upright = DQuat::from_xyzw(-0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt());
        self.document.node(Node { name: "windlass".into(), ..placed((DVec3::ZERO, upright)) });
        let mut tracks = Vec::new();
        for index in 0..self.picture.bodies.len() {
            tracks.push(self.body(index)?);
        }
        for line in &self.picture.lines {
            self.line(line, &mut tracks)?;
        }
        for (index, cord) in self.picture.tubes.iter().enumerate() {
            self.cord(index, cord, &mut tracks);
        }
        if let Some(ground) = &self.picture.ground {
            self.ground(ground)?;
        }
        self.camera(&mut tracks);
        self.document.materials.extend(self.looks.list.iter().map(|look| material(look, None)));
        let picture = self.picture;
        let mut weights: Vec<_> = picture.waters.iter().filter_map(|liquid| self.water(liquid)).collect();
        let mut lumps = Vec::new();
        for (index, ground) in picture.terrains.iter().enumerate() {
            weights.extend(self.terrain(index, ground));
            lumps.extend(self.lumps(index, ground));
        }
        self.animate(tracks, weights, &lumps);
        Ok(())
    }

    /// Adds a node below the root.
    fn child(&mut self, node: Node) -> usize {
        let node = self.document.node(node);
        self.document.nodes[0].children.push(node);
        node
    }

    fn body(&mut self, index: usize) -> Result<Track, Error> {
        let body = &self.picture.bodies[index];
        let mut children = Vec::new();
        for (part, solid) in body.solids.iter().enumerate() {
            let look = self.looks.number(solid.look());
            let mesh = self.mesh(&solid.shape, look)?;
            let name = format!("{} {part}", body.name);
            let node = Node { name, mesh: Some(mesh), ..placed((solid.at, solid.orientation)) };
            children.push(self.document.node(node));
        }
        let node = Node { name: body.name.clone(), children, ..placed(self.reel.poses[0][index]) };
        let node = self.child(node);
        let (at, turn) = self.reel.poses.iter().map(|poses| poses[index]).unzip();
        Ok(Track { node, at, turn, scale: Vec::new() })
    }

    /// The segments of a line, and spheres where it bends.
    fn line(&mut self, line: &Line, tracks: &mut Vec<Track>) -> Result<(), Error> {
        let look = self.looks.number(Look::painted(line.color));
        // from 0 to 1 along z: a cylinder of length 1 is moved up by its half
        let half = Shape::Cylinder { radius: 1.0, half_length: 0.5 };
        let rod =
            self.mesh(&Shape::Compound { parts: vec![(DVec3::Z * 0.5, DQuat::IDENTITY, half)] }, look)?;
        for i in 0..line.points.len() - 1 {
            let mut track = self.segment(line, i);
            let node = Node {
                name: "line".into(),
                mesh: Some(rod),
                scale: Some(track.scale[0].as_vec3().to_array()),
                ..placed((track.at[0], track.turn[0]))
            };
            track.node = self.child(node);
            tracks.push(track);
        }
        let ball = self.mesh(&Shape::Sphere { radius: 1.0 }, look)?;
        for &(body, point) in &line.points[1..line.points.len() - 1] {
            let scale = Some([line.radius as f32; 3]);
            let node =
                Node { name: "bend".into(), mesh: Some(ball), scale, ..placed((point, DQuat::IDENTITY)) };
            let node = self.document.node(node);
            let owner = self.body_node(body);
            self.document.nodes[owner].children.push(node);
        }
        Ok(())
    }

    /// A tube, skinned to its rings in the first frame; each ring is a node that moves.
    fn cord(&mut self, index: usize, cord: &CableTube, tracks: &mut Vec<Track>) {
        let reel = self.reel;
        let ties = |frame: &Vec<Ties>| frame.get(index).cloned().unwrap_or_default();
        let ties: Vec<Ties> = reel.ties.iter().map(ties).collect();
        let runs = cord.lasting(&ties);
        let lines = reel.poses.iter().zip(&ties).map(|(poses, ties)| cord.steady(&runs, poses, ties));
        let lines: Vec<Vec<Part>> = lines.collect();
        let first: Vec<_> = lines[0].iter().map(|part| part.points.clone()).collect();
        // bound as if all parts were active: inactive parts are scaled down
        let tube = Tube::around(&first, cord.radius, SIDES);
        // rings one after another, and the ring of each corner: those of the side, then the lids of a run
        let (mut joints, mut binds, mut owners) = (Vec::new(), Vec::new(), Vec::<[u16; 4]>::new());
        for (run, line) in first.iter().enumerate() {
            let first = joints.len();
            let size = |frame: &Vec<Part>| DVec3::splat(if frame[run].is_there { 1.0 } else { HIDDEN });
            let stays = lines.iter().all(|frame| frame[run].is_there);
            let sizes: Vec<DVec3> = if stays { Vec::new() } else { lines.iter().map(size).collect() };
            for (k, point) in line.iter().enumerate() {
                let (at, turn) = lines.iter().map(|frame| ring(&frame[run].points[k])).unzip();
                let scale = sizes.first().map(|size| size.as_vec3().to_array());
                let track = Track {
                    node: self.child(Node { name: "ring".into(), scale, ..placed(ring(point)) }),
                    at,
                    turn,
                    scale: sizes.clone(),
                };
                joints.push(track.node);
                binds.push(unbound(ring(point)));
                tracks.push(track);
            }
            let last = joints.len() - 1;
            let sides = (first..=last).flat_map(|ring| [ring; SIDES + 1]);
            let lids = [first, last].into_iter().flat_map(|ring| [ring; SIDES]);
            owners.extend(sides.chain(lids).map(|ring| [ring as u16, 0, 0, 0]));
        }
        let mesh = self.skinned(cord, &tube, &owners);
        let inverse_bind_matrices = self.document.matrices(&binds);
        self.document.skins.push(Skin { inverse_bind_matrices, joints });
        let skin = Some(self.document.skins.len() - 1);
        self.child(Node { name: cord.name.clone(), mesh: Some(mesh), skin, ..Node::default() });
    }

    /// The mesh of a tube whose corners are moved by one ring each.
    fn skinned(&mut self, cord: &CableTube, tube: &Tube, owners: &[[u16; 4]]) -> usize {
        let floats = |rows: &[DVec3]| rows.iter().map(|v| v.as_vec3().to_array()).collect::<Vec<_>>();
        let unit: Vec<[f32; 3]> = tube.normals.iter().map(|v| v.as_vec3().normalize().to_array()).collect();
        let uvs: Vec<[f32; 2]> = tube.uvs.iter().map(|v| [v.x as f32, v.y as f32]).collect();
        let attributes = Attributes {
            position: self.document.corners(&floats(&tube.positions), true),
            normal: self.document.corners(&unit, false),
            texture: Some(self.document.corners(&uvs, false)),
            joints: Some(self.document.joints(owners)),
            weights: Some(self.document.corners(&vec![[1.0, 0.0, 0.0, 0.0]; owners.len()], false)),
            color: None,
        };
        let mut primitives = Vec::new();
        for (look, triangles) in cord.parts(tube, SIDES) {
            let indices = self.document.indices(triangles.as_flattened());
            // number 0 is the ground's
            let material = self.looks.number(look) + usize::from(self.picture.ground.is_some());
            primitives.push(Primitive { attributes, indices, material, targets: Vec::new() });
        }
        self.document.meshes.push(Mesh { primitives, weights: Vec::new() });
        self.document.meshes.len() - 1
    }

    /// The node of a body: the root's children begin with the bodies.
    fn body_node(&self, body: usize) -> usize {
        self.document.nodes[0].children[body]
    }

    /// The z axis of a segment follows the line with minimal twist.
    fn segment(&self, line: &Line, i: usize) -> Track {
        let [(a, p), (b, q)] = [line.points[i], line.points[i + 1]];
        let place = |poses: &[Pose], body: usize, point: DVec3| poses[body].0 + poses[body].1 * point;
        let mut track = Track { node: 0, at: Vec::new(), turn: Vec::new(), scale: Vec::new() };
        let mut turn = DQuat::IDENTITY;
        for poses in &self.reel.poses {
            let from = place(poses, a, p);
            let way = place(poses, b, q) - from;
            // a segment without length keeps its direction
            if let Some(direction) = way.try_normalize() {
                turn = (DQuat::from_rotation_arc(turn * DVec3::Z, direction) * turn).normalize();
            }
            track.at.push(from);
            track.turn.push(turn);
            track.scale.push(DVec3::new(line.radius, line.radius, way.length().max(1e-6)));
        }
        track
    }

    /// A ground as wide as the motion and more, in one colour or with a texture of two by two squares.
    fn ground(&mut self, ground: &Ground) -> Result<(), Error> {
        let (low, high) = self.reach();
        let (side, material) = match &ground.pattern {
            Pattern::Plain { color } => (1.0, material(&Look::painted(*color), None)),
            Pattern::Checker { colors, side } => {
                let image = self.document.image(&squares(colors)?);
                self.document.samplers.push(TextureSampler { mag_filter: NEAREST, min_filter: BLENDED });
                self.document.textures.push(Texture { sampler: 0, source: image });
                (*side, material(&Look::painted([1.0; 3]), Some(0)))
            }
        };
        let half = (5.0 * (high - low).length()).max(10.0 * side);
        // the middle on a corner of the pattern
        let middle = (0.5 * (low + high) / (2.0 * side)).round() * (2.0 * side);
        let corners =
            [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|c: [f64; 2]| c.map(|x| x * half));
        let positions = corners.map(|[x, y]| [x as f32, y as f32, 0.0]);
        let texture = corners.map(|c| c.map(|x| (x / (2.0 * side)) as f32));
        let attributes = Attributes {
            position: self.document.corners(&positions, true),
            normal: self.document.corners(&[[0.0, 0.0, 1.0f32]; 4], false),
            texture: material
                .pbr_metallic_roughness
                .base_color_texture
                .is_some()
                .then(|| self.document.corners(&texture, false)),
            joints: None,
            weights: None,
            color: None,
        };
        let indices = self.document.indices(&[0, 1, 2, 0, 2, 3]);
        // the ground's material has number 0; those of looks are written at the end, behind it
        self.document.materials.push(material);
        let mesh = Some(self.add_mesh(Primitive { attributes, indices, material: 0, targets: Vec::new() }));
        let at = DVec3::new(middle.x, middle.y, ground.height);
        self.child(Node { name: "ground".into(), mesh, ..placed((at, DQuat::IDENTITY)) });
        Ok(())
    }

    /// Adds a mesh of one part.
    fn add_mesh(&mut self, primitive: Primitive) -> usize {
        self.document.meshes.push(Mesh { primitives: vec![primitive], weights: Vec::new() });
        self.document.meshes.len() - 1
    }

    /// A box around the first frame and the paths of all bodies [m].
    fn reach(&self) -> (DVec3, DVec3) {
        let first = self.picture.bounds(&self.reel.poses[0]).unwrap_or((-DVec3::ONE, DVec3::ONE));
        let origins = self.reel.poses.iter().flatten().map(|pose| pose.0);
        origins.fold(first, |(low, high), p| (low.min(p), high.max(p)))
    }

    fn camera(&mut self, tracks: &mut Vec<Track>) {
        let camera = &self.picture.camera;
        let znear = (0.005 * (camera.target - camera.position).length()) as f32;
        let perspective = Perspective { yfov: camera.angle as f32, znear };
        self.document.cameras.push(Camera { r#type: "perspective", perspective });
        // relative to its mount; a glTF camera looks along −z with y up
        let view = picture::Camera { mount: Mount::World, ..camera.clone() }.view(&[]);
        let turn = DQuat::from_mat3(&DMat3::from_cols(view.right, view.up, -view.forward));
        let node = |at: DVec3| Node { name: "camera".into(), camera: Some(0), ..placed((at, turn)) };
        match camera.mount {
            Mount::World => {
                self.child(node(view.eye));
            }
            Mount::On(body) => {
                let node = self.document.node(node(view.eye));
                let owner = self.body_node(body);
                self.document.nodes[owner].children.push(node);
            }
            Mount::Follow(body) => {
                let at: Vec<DVec3> = self.reel.poses.iter().map(|poses| poses[body].0 + view.eye).collect();
                let node = self.child(node(at[0]));
                tracks.push(Track { node, turn: vec![turn; at.len()], at, scale: Vec::new() });
            }
            Mount::Toward(_) | Mount::Heading(_) => {
                let views: Vec<_> = self.reel.poses.iter().map(|poses| camera.view(poses)).collect();
                let turns = views.iter().map(|v| DMat3::from_cols(v.right, v.up, -v.forward));
                let turn: Vec<DQuat> = turns.map(|m| DQuat::from_mat3(&m)).collect();
                let at: Vec<DVec3> = views.iter().map(|v| v.eye).collect();
                let first = Node { name: "camera".into(), camera: Some(0), ..placed((at[0], turn[0])) };
                let node = self.child(first);
                tracks.push(Track { node, turn, at, scale: Vec::new() });
            }
        }
    }

    /// The mesh of a shape with a look; equal ones are shared.
    fn mesh(&mut self, shape: &Shape, look: usize) -> Result<usize, Error> {
        if let Some((_, _, mesh)) = self.meshes.iter().find(|(s, l, _)| *l == look && s == shape) {
            return Ok(*mesh);
        }
        let surface =
            Surface::of(shape, self.options.segments).map_err(|e| Error::input("shape", e.to_string()))?;
        let floats = |rows: &[DVec3]| rows.iter().map(|v| v.as_vec3().to_array()).collect::<Vec<_>>();
        let unit =
            |rows: &[DVec3]| rows.iter().map(|v| v.as_vec3().normalize().to_array()).collect::<Vec<_>>();
        let attributes = Attributes {
            position: self.document.corners(&floats(&surface.positions), true),
            normal: self.document.corners(&unit(&surface.normals), false),
            texture: None,
            joints: None,
            weights: None,
            color: None,
        };
        let triangles: Vec<[u32; 3]> = surface.triangles().collect();
        let indices = self.document.indices(triangles.as_flattened());
        // number 0 is the ground's
        let material = look + usize::from(self.picture.ground.is_some());
        let mesh = self.add_mesh(Primitive { attributes, indices, material, targets: Vec::new() });
        self.meshes.push((shape.clone(), look, mesh));
        Ok(mesh)
    }

    fn animate(&mut self, tracks: Vec<Track>, weights: Vec<water::Weights>, lumps: &[terrain::Slot]) {
        let mut animation = Animation { name: "motion", channels: Vec::new(), samplers: Vec::new() };
        let mut clocks = BTreeMap::new();
        let tolerance = self.options.tolerance;
        for mut track in tracks {
            continuous(&mut track.turn);
            let straight = |points: &[DVec3]| {
                let count = points.len();
                choose(count, tolerance, |a, b, i| miss_point(points, a, b, i))
            };
            let keys = straight(&track.at);
            self.channel(&mut animation, &mut clocks, (track.node, "translation"), &keys, |i| {
                track.at[i].as_vec3().to_array()
            });
            let keys = choose(track.turn.len(), tolerance, |a, b, i| miss_turn(&track.turn, a, b, i));
            self.channel(&mut animation, &mut clocks, (track.node, "rotation"), &keys, |i| {
                track.turn[i].as_quat().normalize().to_array()
            });
            if !track.scale.is_empty() {
                let keys = straight(&track.scale);
                self.channel(&mut animation, &mut clocks, (track.node, "scale"), &keys, |i| {
                    track.scale[i].as_vec3().to_array()
                });
            }
        }
        for water::Weights { node, keys, values } in weights {
            let count = values.len() / keys.len();
            if values.chunks(count).any(|row| *row != values[..count]) {
                let output = self.document.keys(&values, false);
                self.keyed(&mut animation, &mut clocks, (node, "weights"), &keys, output);
            }
        }
        for slot in lumps {
            let keys = thinned(slot.at.len(), tolerance.max(slot.tolerance), |a, b, i| {
                miss_point(&slot.at, a, b, i)
            });
            self.channel(&mut animation, &mut clocks, (slot.node, "translation"), &keys, |i| {
                slot.at[i].as_vec3().to_array()
            });
            let sizes: Vec<DVec3> = slot.size.iter().map(|size| DVec3::splat(*size)).collect();
            let keys = thinned(sizes.len(), 0.0, |a, b, i| miss_point(&sizes, a, b, i));
            self.channel(&mut animation, &mut clocks, (slot.node, "scale"), &keys, |i| {
                [slot.size[i] as f32; 3]
            });
        }
        if !animation.channels.is_empty() {
            self.document.animations.push(animation);
        }
    }

    /// Writes the keys of one node and path, unless they are all the same.
    fn channel<const N: usize>(
        &mut self,
        animation: &mut Animation,
        clocks: &mut BTreeMap<Vec<usize>, usize>,
        (node, path): (usize, &'static str),
        keys: &[usize],
        value: impl Fn(usize) -> [f32; N],
    ) {
        let values: Vec<[f32; N]> = keys.iter().map(|&i| value(i)).collect();
        if values.iter().all(|v| *v == values[0]) {
            return;
        }
        self.clock(clocks, keys);
        let output = self.document.keys(&values, false);
        self.keyed(animation, clocks, (node, path), keys, output);
    }

    /// The times of keys, which equal keys share.
    fn clock(&mut self, clocks: &mut BTreeMap<Vec<usize>, usize>, keys: &[usize]) -> usize {
        *clocks.entry(keys.to_vec()).or_insert_with(|| {
            let times: Vec<[f32; 1]> = keys.iter().map(|&i| [self.reel.times[i]]).collect();
            self.document.keys(&times, true)
        })
    }

    /// Adds a channel with written values at some keys.
    fn keyed(
        &mut self,
        animation: &mut Animation,
        clocks: &mut BTreeMap<Vec<usize>, usize>,
        (node, path): (usize, &'static str),
        keys: &[usize],
        output: usize,
    ) {
        let input = self.clock(clocks, keys);
        animation.samplers.push(Sampler { input, output, interpolation: "LINEAR" });
        let sampler = animation.samplers.len() - 1;
        animation.channels.push(Channel { sampler, target: Target { node, path } });
    }
}

/// The keys that are written: all of them, or those a tolerance leaves.
fn choose(count: usize, tolerance: f64, miss: impl Fn(usize, usize, usize) -> f64) -> Vec<usize> {
    if tolerance > 0.0 { thinned(count, tolerance, miss) } else { (0..count).collect() }
}

/// The pose of a ring: x to the stripe, z along the cable.
fn ring(point: &CurvePoint) -> Pose {
    let axes = DMat3::from_cols(point.side, point.tangent.cross(point.side), point.tangent);
    (point.point, DQuat::from_mat3(&axes).normalize())
}

/// The inverse of a pose as a matrix, column by column.
fn unbound((at, turn): Pose) -> [f32; 16] {
    let back = turn.inverse();
    let axes = DMat3::from_quat(back);
    DMat4::from_mat3_translation(axes, back * -at).as_mat4().to_cols_array()
}

/// A node at a position.
fn placed((at, turn): Pose) -> Node {
    Node {
        translation: (at != DVec3::ZERO).then(|| at.as_vec3().to_array()),
        rotation: (turn != DQuat::IDENTITY).then(|| turn.as_quat().normalize().to_array()),
        ..Node::default()
    }
}

fn material(look: &Look, texture: Option<usize>) -> Material {
    let [r, g, b] = linear(look.color).map(|c| c as f32);
    Material {
        pbr_metallic_roughness: document::Surface {
            base_color_factor: [r, g, b, (1.0 - 0.85 * look.clearness) as f32],
            metallic_factor: look.metalness as f32,
            roughness_factor: look.roughness as f32,
            base_color_texture: texture.map(|index| Reference { index }),
        },
        alpha_mode: (look.clearness > 0.0).then_some("BLEND"),
        double_sided: None,
    }
}

/// An image of two by two texels: the second colour beside and below the first.
fn squares([a, b]: &[[f64; 3]; 2]) -> Result<Vec<u8>, Error> {
    let texel = |c: &[f64; 3]| c.map(|part| (part * 255.0).round() as u8);
    let texels = [texel(a), texel(b), texel(b), texel(a)];
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 2, 2);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let end = encoder.write_header().and_then(|mut writer| writer.write_image_data(texels.as_flattened()));
    end.map_err(|e| Error::input("ground", e.to_string()))?;
    Ok(bytes)
}
