//! Binary glTF read back by another's loader: structure, sizes, and poses at every time.

use glam::{DMat4, DQuat, DVec3, dvec3};
use gltf::animation::util::ReadOutputs;
use gltf::{Gltf, Node};
use std::collections::BTreeMap;
use windlass_engine::body::shape::Shape;
use windlass_engine::math::turn;
use windlass_export::gltf::{Options, glb};
use windlass_export::{Camera, Figure, Ground, Line, Mount, Picture, Pose, Reel, Solid};

fn solid(shape: Shape, at: DVec3) -> Solid {
    Solid { shape, at, material: "steel".into(), ..Solid::default() }
}

/// A fixed mast, an arm that turns and a load that swings on a rope over the arm's end.
fn picture() -> Picture {
    let figure = |name: &str, solids| Figure { name: name.into(), solids };
    let long = Shape::Box { half: dvec3(0.1, 0.1, 2.0) };
    let arm = Solid { orientation: turn(DVec3::Y, 1.0), ..solid(long.clone(), DVec3::X) };
    let glass = Solid { material: "glass".into(), ..solid(Shape::Sphere { radius: 0.5 }, DVec3::ZERO) };
    let points = vec![(0, DVec3::Z * 2.0), (1, DVec3::X * 3.0), (2, DVec3::Z * 0.5)];
    Picture {
        bodies: vec![
            figure("mast \"A\"\n", vec![solid(long, DVec3::ZERO)]),
            figure("arm", vec![arm, solid(Shape::Cone { radius: 0.3, half_height: 0.2 }, DVec3::X * 3.0)]),
            figure("load", vec![glass]),
            figure("unseen", vec![]),
        ],
        lines: vec![Line { points, radius: 0.02, color: [0.1, 0.1, 0.1] }],
        ground: Some(Ground { height: -3.0, ..Ground::default() }),
        camera: Camera { mount: Mount::On(1), ..Camera::default() },
        ..Picture::default()
    }
}

fn poses(time: f64) -> Vec<Pose> {
    let slew = turn(DVec3::Z, 2.5 * time);
    vec![
        (DVec3::ZERO, DQuat::IDENTITY),
        (DVec3::Z * 2.0, slew),
        (slew * dvec3(3.0, 0.0, -2.0 - libm::sin(time)), turn(dvec3(0.6, 0.8, 0.0), libm::sin(3.0 * time))),
        (DVec3::X * time, DQuat::IDENTITY),
    ]
}

fn reel() -> Reel {
    let frames = (0..=60).map(|i| poses(f64::from(i) / 20.0)).collect();
    Reel { rate: 20.0, start: 5.0, frames, ties: vec![], reliefs: vec![] }
}

type Tracks = BTreeMap<(usize, &'static str), (Vec<f32>, Vec<[f32; 4]>)>;

struct Loaded {
    gltf: Gltf,
    tracks: Tracks,
}

fn load(bytes: &[u8]) -> Loaded {
    let gltf = Gltf::from_slice(bytes).unwrap();
    let blob = gltf.blob.clone().unwrap();
    let mut tracks = Tracks::new();
    for channel in gltf.animations().flat_map(|a| a.channels().collect::<Vec<_>>()) {
        let reader = channel.reader(|_| Some(&blob));
        let times: Vec<f32> = reader.read_inputs().unwrap().collect();
        let (path, values): (_, Vec<[f32; 4]>) = match reader.read_outputs().unwrap() {
            ReadOutputs::Translations(rows) => {
                ("translation", rows.map(|[x, y, z]| [x, y, z, 0.0]).collect())
            }
            ReadOutputs::Rotations(rows) => ("rotation", rows.into_f32().collect()),
            ReadOutputs::Scales(rows) => ("scale", rows.map(|[x, y, z]| [x, y, z, 0.0]).collect()),
            ReadOutputs::MorphTargetWeights(_) => panic!("there are none"),
        };
        assert_eq!(times.len(), values.len());
        assert_eq!(times[0], 0.0);
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        let old = tracks.insert((channel.target().node().index(), path), (times, values));
        assert!(old.is_none());
    }
    Loaded { gltf, tracks }
}

impl Loaded {
    fn node(&self, name: &str) -> Node<'_> {
        self.gltf.nodes().find(|node| node.name() == Some(name)).unwrap()
    }

    /// A node's own matrix at a time, as a player finds it: between keys, straight lines and slerp.
    fn local(&self, node: &Node, time: f32) -> DMat4 {
        let (t, r, s) = node.transform().decomposed();
        let [mut t, mut s] = [t, s].map(|v| dvec3(v[0].into(), v[1].into(), v[2].into()));
        let quat = |v: [f32; 4]| DQuat::from_array(v.map(f64::from));
        let mut r = quat(r);
        let vector = |v: [f32; 4]| dvec3(v[0].into(), v[1].into(), v[2].into());
        for (path, (times, values)) in ["translation", "rotation", "scale"]
            .iter()
            .filter_map(|path| self.tracks.get(&(node.index(), path)).map(|track| (*path, track)))
        {
            let next = times.partition_point(|t| *t < time).clamp(1, times.len() - 1);
            let share = f64::from((time - times[next - 1]) / (times[next] - times[next - 1]));
            let [a, b] = [values[next - 1], values[next]];
            match path {
                "translation" => t = vector(a).lerp(vector(b), share),
                "scale" => s = vector(a).lerp(vector(b), share),
                _ => r = quat(a).slerp(quat(b), share),
            }
        }
        DMat4::from_scale_rotation_translation(s, r, t)
    }

    /// A node's matrix in the file's world at a time.
    fn global(&self, wanted: usize, time: f32) -> DMat4 {
        fn below(loaded: &Loaded, node: &Node, before: DMat4, wanted: usize, time: f32) -> Option<DMat4> {
            let here = before * loaded.local(node, time);
            if node.index() == wanted {
                return Some(here);
            }
            node.children().find_map(|child| below(loaded, &child, here, wanted, time))
        }
        let roots: Vec<Node> = self.gltf.default_scene().unwrap().nodes().collect();
        assert_eq!(roots.len(), 1);
        below(self, &roots[0], DMat4::IDENTITY, wanted, time).unwrap()
    }
}

/// glTF's y-up world from ours.
fn y_up(p: DVec3) -> DVec3 {
    dvec3(p.x, p.z, -p.y)
}

#[test]
fn every_body_is_a_node_with_its_solids_below() {
    let loaded = load(&glb(&picture(), &mut reel(), &Options::default()).unwrap());
    let solids = [("mast \"A\"\n", 1), ("arm", 2 + 1 + 1), ("load", 1), ("unseen", 0)];
    for (name, children) in solids {
        assert_eq!(loaded.node(name).children().count(), children, "{name}");
    }
    // the long box is there twice and written once: box, cone, sphere, rod, bend and ground
    assert_eq!(loaded.gltf.meshes().count(), 6);
    assert_eq!(
        loaded.node("mast \"A\"\n 0").mesh().unwrap().index(),
        loaded.node("arm 0").mesh().unwrap().index()
    );
    let glass = loaded.node("load 0").mesh().unwrap().primitives().next().unwrap().material();
    assert_eq!(glass.alpha_mode(), gltf::material::AlphaMode::Blend);
    let steel = loaded.node("arm 0").mesh().unwrap().primitives().next().unwrap().material();
    assert_eq!(steel.pbr_metallic_roughness().metallic_factor(), 1.0);
    assert_eq!(loaded.gltf.animations().count(), 1);
}

#[test]
fn meshes_have_the_size_of_their_solids_and_sound_corners() {
    let bytes = glb(&picture(), &mut reel(), &Options::default()).unwrap();
    let loaded = load(&bytes);
    let blob = loaded.gltf.blob.clone().unwrap();
    for mesh in loaded.gltf.meshes() {
        let primitive = mesh.primitives().next().unwrap();
        let reader = primitive.reader(|_| Some(&blob));
        let positions: Vec<[f32; 3]> = reader.read_positions().unwrap().collect();
        let normals: Vec<[f32; 3]> = reader.read_normals().unwrap().collect();
        assert_eq!(positions.len(), normals.len());
        assert!(reader.read_indices().unwrap().into_u32().all(|i| (i as usize) < positions.len()));
        let bounds = primitive.bounding_box();
        for i in 0..3 {
            let column = || positions.iter().map(|p| p[i]);
            assert_eq!(bounds.min[i], column().fold(f32::INFINITY, f32::min));
            assert_eq!(bounds.max[i], column().fold(f32::NEG_INFINITY, f32::max));
        }
    }
    let size = |name: &str| loaded.node(name).mesh().unwrap().primitives().next().unwrap().bounding_box();
    assert_eq!(size("arm 0").max, [0.1, 0.1, 2.0]);
    assert_eq!((size("arm 1").min[2], size("arm 1").max[2]), (-0.2, 0.2));
    assert!((size("load 0").max[2] - 0.5).abs() < 1e-6);
}

#[test]
fn nodes_stand_where_the_bodies_do_at_every_frame() {
    let (picture, mut reel) = (picture(), reel());
    let loaded = load(&glb(&picture, &mut reel, &Options::default()).unwrap());
    for (index, body) in picture.bodies.iter().enumerate() {
        let node = loaded.node(&body.name).index();
        for (frame, frame_poses) in reel.frames.iter().enumerate() {
            let (at, turn) = frame_poses[index];
            let matrix = loaded.global(node, frame as f32 / 20.0);
            for point in [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z] {
                let expected = y_up(at + turn * point);
                let found = matrix.transform_point3(point);
                assert!((found - expected).length() < 1e-5, "{} at {frame}: {found} {expected}", body.name);
            }
        }
    }
    // what does not move has no keys, and what only turns is not moved
    let node = |name: &str| loaded.node(name).index();
    assert!(!loaded.tracks.contains_key(&(node("mast \"A\"\n"), "rotation")));
    assert!(!loaded.tracks.contains_key(&(node("arm"), "translation")));
    assert!(!loaded.tracks.contains_key(&(node("unseen"), "rotation")));
    // the arm turns by 430°: its quaternions never jump
    let turns = &loaded.tracks[&(node("arm"), "rotation")].1;
    let dot = |p: &[[f32; 4]]| (0..4).map(|i| p[0][i] * p[1][i]).sum::<f32>();
    assert!(turns.windows(2).all(|pair| dot(pair) > 0.9));
}

#[test]
fn lines_reach_from_point_to_point() {
    let (picture, mut reel) = (picture(), reel());
    let loaded = load(&glb(&picture, &mut reel, &Options::default()).unwrap());
    let segments: Vec<usize> =
        loaded.gltf.nodes().filter(|n| n.name() == Some("line")).map(|n| n.index()).collect();
    assert_eq!(segments.len(), 2);
    for (frame, poses) in reel.frames.iter().enumerate() {
        let place = |(body, point): (usize, DVec3)| y_up(poses[body].0 + poses[body].1 * point);
        let points: Vec<DVec3> = picture.lines[0].points.iter().map(|p| place(*p)).collect();
        for (i, segment) in segments.iter().enumerate() {
            let matrix = loaded.global(*segment, frame as f32 / 20.0);
            assert!((matrix.transform_point3(DVec3::ZERO) - points[i]).length() < 1e-5);
            assert!((matrix.transform_point3(DVec3::Z) - points[i + 1]).length() < 1e-5);
            assert!((matrix.transform_vector3(DVec3::X).length() - 0.02).abs() < 1e-7);
        }
    }
}

#[test]
fn the_camera_looks_where_the_pictures_does() {
    for mount in [Mount::World, Mount::On(1), Mount::Follow(2)] {
        let mut picture = picture();
        picture.camera.mount = mount;
        let mut reel = reel();
        let loaded = load(&glb(&picture, &mut reel, &Options::default()).unwrap());
        let camera = loaded.gltf.nodes().find(|node| node.camera().is_some()).unwrap();
        let lens = camera.camera().unwrap();
        let gltf::camera::Projection::Perspective(lens) = lens.projection() else { panic!() };
        assert!((f64::from(lens.yfov()) - picture.camera.angle).abs() < 1e-6);
        for (frame, poses) in reel.frames.iter().enumerate().step_by(7) {
            let view = picture.camera.view(poses);
            let matrix = loaded.global(camera.index(), frame as f32 / 20.0);
            let seen = [
                (DVec3::ZERO, view.eye),
                (-DVec3::Z, view.eye + view.forward),
                (DVec3::X, view.eye + view.right),
            ];
            for (local, expected) in seen {
                assert!((matrix.transform_point3(local) - y_up(expected)).length() < 1e-5, "{mount:?}");
            }
        }
    }
}

#[test]
fn a_tolerance_leaves_keys_out_and_keeps_the_motion() {
    let (picture, mut reel) = (picture(), reel());
    let full = glb(&picture, &mut reel, &Options::default()).unwrap();
    let tolerance = 1e-2;
    let thin = glb(&picture, &mut reel, &Options { tolerance, ..Options::default() }).unwrap();
    assert!(thin.len() < full.len());
    let (full, thin) = (load(&full), load(&thin));
    let count = |loaded: &Loaded| loaded.tracks.values().map(|track| track.0.len()).sum::<usize>();
    assert!(2 * count(&thin) < count(&full), "{} {}", count(&thin), count(&full));
    let node = thin.node("load").index();
    for (frame, poses) in reel.frames.iter().enumerate() {
        let matrix = thin.global(node, frame as f32 / 20.0);
        assert!((matrix.transform_point3(DVec3::ZERO) - y_up(poses[2].0)).length() < 1.01 * tolerance);
        let (x, expected) = (matrix.transform_vector3(DVec3::X), y_up(poses[2].1 * DVec3::X));
        assert!((x - expected).length() < 1.01 * tolerance);
    }
}

#[test]
fn one_frame_is_a_still_and_bad_input_is_refused() {
    let picture = picture();
    let mut one = Reel { rate: 1.0, start: 0.0, frames: vec![poses(0.3)], ties: vec![], reliefs: vec![] };
    assert_eq!(load(&glb(&picture, &mut one, &Options::default()).unwrap()).gltf.animations().count(), 0);
    let mut none = Reel { rate: 1.0, start: 0.0, frames: vec![], ties: vec![], reliefs: vec![] };
    assert!(glb(&picture, &mut none, &Options::default()).unwrap_err().to_string().contains("0 frames"));
    let mut short =
        Reel { rate: 1.0, start: 0.0, frames: vec![poses(0.0), vec![]], ties: vec![], reliefs: vec![] };
    let told = glb(&picture, &mut short, &Options::default()).unwrap_err().to_string();
    assert_eq!(told, "instant at 1 s: 0 poses for 4 bodies");
    let wide = Options { segments: 1_000_000, ..Options::default() };
    assert!(glb(&picture, &mut one, &wide).is_err());
    let empty = Picture::default();
    let mut nothing =
        Reel { rate: 1.0, start: 0.0, frames: vec![vec![], vec![]], ties: vec![], reliefs: vec![] };
    load_empty(&glb(&empty, &mut nothing, &Options::default()).unwrap());
}

/// A picture without bodies is a camera and no buffer.
fn load_empty(bytes: &[u8]) {
    let gltf = Gltf::from_slice(bytes).unwrap();
    assert_eq!((gltf.meshes().count(), gltf.cameras().count(), gltf.buffers().count()), (0, 1, 0));
}
