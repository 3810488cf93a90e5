//! Surfaces of liquids in every format: heights against the formula of the waves at the times of the frames.

use crate::povray::programs;
use glam::{DQuat, DVec3, dvec3};
use gltf::Gltf;
use gltf::animation::util::ReadOutputs;
use std::process::Command;
use windlass_engine::body::shape::Shape;
use windlass_export::gltf::{Options, glb};
use windlass_export::svg::{Sheet, svg};
use windlass_export::usda::usda;
use windlass_export::{Camera, Figure, Instant, Picture, Reel, Solid, Water, built, pov};
use windlass_scene::FluidSurface;

const SEA: &str = "
windlass = 2
[fluids.sea]
material = \"seawater\"
surface = 1.5
depth = 30
waves = { spectrum = \"jonswap\", height = 2, period = 6, components = 20, direction = \"30 deg\", spreading = 10, ramp = 4 }
[bodies.buoy]
position = [2, 3, 1.5]
shape = { sphere = { radius = 1 } }
density = 500
";

fn components(count: usize) -> Vec<[f64; 6]> {
    let component = |i: usize| {
        let (k, angle) = (0.1 + 0.02 * i as f64, 0.3 * i as f64);
        let (sin, cos) = libm::sincos(angle);
        [0.3 / (1.0 + i as f64), (9.81 * k).sqrt(), k, cos, sin, 0.7 * i as f64]
    };
    (0..count).map(component).collect()
}

fn picture(count: usize) -> Picture {
    let solid = Solid { shape: Shape::Sphere { radius: 1.0 }, ..Solid::default() };
    let water = Water {
        name: "the \"sea\"".into(),
        level: 0.4,
        color: [0.2, 0.4, 0.5],
        components: components(count),
        ramp: 2.0,
    };
    Picture {
        bodies: vec![Figure { name: "buoy".into(), solids: vec![solid] }],
        waters: vec![water],
        ..Picture::default()
    }
}

/// Frames at 1, 1.25, 1.5 … s: the ramp ends at 2 s.
fn reel() -> Reel {
    let pose = |i: i32| vec![(dvec3(0.3 * f64::from(i), 0.0, 0.4), DQuat::IDENTITY)];
    Reel { rate: 4.0, start: 1.0, frames: (0..9).map(pose).collect(), ties: vec![], reliefs: vec![] }
}

fn time(frame: usize) -> f64 {
    1.0 + 0.25 * frame as f64
}

/// The formula, written once more.
fn height(water: &Water, p: DVec3, time: f64) -> f64 {
    let s = (time / water.ramp).clamp(0.0, 1.0);
    let ramp = 10.0 * s.powi(3) - 15.0 * s.powi(4) + 6.0 * s.powi(5);
    let wave = |[a, w, k, dx, dy, phi]: &[f64; 6]| a * libm::cos(k * (dx * p.x + dy * p.y) - w * time + phi);
    water.level + ramp * water.components.iter().map(wave).sum::<f64>()
}

/// Points about the buoy, where cells are uniform.
fn is_near(p: DVec3) -> bool {
    p.x.abs().max(p.y.abs()) < 2.0
}

#[test]
fn the_picture_of_a_scene_has_the_surface_of_its_world() {
    let mut built = windlass_scene::parse(SEA, "sea").unwrap().build().unwrap();
    let mut roll = built::Roll::of(&built);
    roll.take(&built.world);
    let reel = roll.reel(10.0, 0.0);
    let picture = built::picture(&built, &built.world, &reel, None).unwrap();
    let [water] = picture.waters.as_slice() else { panic!("{:?}", picture.waters) };
    assert_eq!((water.name.as_str(), water.level, water.components.len()), ("sea", 1.5, 20));
    assert_eq!(water.color, built.surfaces()[0].color);
    for _ in 0..120 {
        built.world.step();
        let time = built.world.state().time;
        for (x, y) in [(0.0, 0.0), (31.0, -7.5)] {
            let expected = FluidSurface::height(&built.world, 0, x, y).unwrap();
            assert!((water.level + water.elevation(x, y, time) - expected).abs() < 1e-12);
        }
    }
    // the ground is the bottom of the sea, and there is none without a depth
    let ground = picture.ground.unwrap().height;
    assert!(ground < -28.5 && ground > -28.6, "{ground}");
    let deep = windlass_scene::parse(&SEA.replace("depth = 30\n", ""), "sea").unwrap().build().unwrap();
    let picture = built::picture(&deep, &deep.world, &reel, None).unwrap();
    assert!(picture.ground.is_none() && picture.waters.len() == 1);
}

/// Positions of the corners, displacements of each target, and weights of each key, of the last mesh.
struct Morphed {
    corners: Vec<DVec3>,
    targets: Vec<[Vec<DVec3>; 2]>,
    weights: Vec<Vec<f64>>,
    times: Vec<f32>,
}

fn morphed(bytes: &[u8]) -> Morphed {
    let gltf = Gltf::from_slice(bytes).unwrap();
    let blob = gltf.blob.clone().unwrap();
    let vector = |v: [f32; 3]| dvec3(v[0].into(), v[1].into(), v[2].into());
    let node = gltf.nodes().find(|node| node.name() == Some("the \"sea\"")).unwrap();
    let (at, ..) = node.transform().decomposed();
    let mesh = node.mesh().unwrap();
    let primitive = mesh.primitives().next().unwrap();
    assert_eq!(primitive.material().alpha_mode(), gltf::material::AlphaMode::Blend);
    assert!(primitive.material().double_sided());
    let reader = primitive.reader(|_| Some(&blob));
    let corners = reader.read_positions().unwrap().map(|p| vector(p) + vector(at)).collect();
    let targets: Vec<[Vec<DVec3>; 2]> = reader
        .read_morph_targets()
        .map(|(positions, normals, _)| {
            [positions.unwrap().map(vector).collect(), normals.unwrap().map(vector).collect()]
        })
        .collect();
    assert_eq!(mesh.weights().map_or(0, <[f32]>::len), targets.len());
    let channels = gltf.animations().flat_map(|a| a.channels().collect::<Vec<_>>());
    let (mut weights, mut times) = (Vec::new(), Vec::new());
    for channel in channels.filter(|c| c.target().node().index() == node.index()) {
        let reader = channel.reader(|_| Some(&blob));
        times = reader.read_inputs().unwrap().collect();
        let Some(ReadOutputs::MorphTargetWeights(rows)) = reader.read_outputs() else { panic!() };
        let rows: Vec<f64> = rows.into_f32().map(f64::from).collect();
        weights = rows.chunks(targets.len()).map(<[f64]>::to_vec).collect();
    }
    Morphed { corners, targets, weights, times }
}

impl Morphed {
    /// A corner and its normal at a key, as a viewer finds them.
    fn corner(&self, key: usize, i: usize) -> (DVec3, DVec3) {
        let weighted = |part: usize| -> DVec3 {
            self.targets.iter().zip(&self.weights[key]).map(|(target, w)| target[part][i] * *w).sum()
        };
        (self.corners[i] + weighted(0), (DVec3::Z + weighted(1)).normalize())
    }
}

#[test]
fn morph_targets_of_gltf_give_the_heights_of_the_formula() {
    let (picture, mut reel) = (picture(5), reel());
    let water = &picture.waters[0];
    let sea = morphed(&glb(&picture, &mut reel, &Options::default()).unwrap());
    assert_eq!((sea.targets.len(), sea.weights.len(), sea.times.len()), (10, 9, 9));
    let mut seen = 0;
    for (frame, i) in (0..9).flat_map(|frame| (0..sea.corners.len()).map(move |i| (frame, i))) {
        let (place, normal) = sea.corner(frame, i);
        if is_near(place) {
            seen += 1;
            assert!((place.z - height(water, place, time(frame))).abs() < 2e-6, "{place} at {frame}");
            let h = 1e-4;
            let rise = |step: DVec3| {
                height(water, place - step, time(frame)) - height(water, place + step, time(frame))
            };
            let slope = dvec3(rise(DVec3::X * h), rise(DVec3::Y * h), 2.0 * h).normalize();
            assert!((normal - slope).length() < 1e-5);
        }
    }
    assert!(seen > 9 * 20, "{seen}");
}

#[test]
fn gltf_keeps_the_largest_components_and_the_tolerance() {
    let mut picture = picture(40);
    let sea = morphed(&glb(&picture, &mut reel(), &Options::default()).unwrap());
    assert_eq!((sea.targets.len(), sea.weights[0].len()), (64, 64));
    // amplitudes decrease: the first 32 are left
    picture.waters[0].components.truncate(32);
    let i = sea.corners.iter().position(|p| is_near(*p)).unwrap();
    let (place, _) = sea.corner(4, i);
    assert!((place.z - height(&picture.waters[0], place, time(4))).abs() < 5e-6);
    let thin = Options { tolerance: 0.3, ..Options::default() };
    let keys = morphed(&glb(&picture, &mut reel(), &thin).unwrap()).times.len();
    assert!((2..9).contains(&keys), "{keys}");
    // one frame: the weights of the mesh, without an animation
    let mut still = Reel { frames: vec![reel().frames[0].clone()], ..reel() };
    let sea = morphed(&glb(&picture, &mut still, &Options::default()).unwrap());
    assert!(sea.times.is_empty() && sea.targets.len() == 64);
    picture.waters[0].components.clear();
    let calm = morphed(&glb(&picture, &mut reel(), &Options::default()).unwrap());
    assert_eq!((calm.corners.len(), calm.targets.len(), calm.times.len()), (4, 0, 0));
    assert!(calm.corners.iter().all(|p| p.z == f64::from(0.4f32)));
}

#[test]
fn samples_of_usd_are_the_heights_of_the_formula() {
    let (mut picture, mut reel) = (picture(5), reel());
    let text = usda(&picture, &mut reel).unwrap();
    let mesh = text.split("def Mesh \"Water_0\"").nth(1).unwrap();
    assert!(mesh.contains("displayName = \"the 'sea'\"") && mesh.contains("doubleSided = 1"));
    assert!(mesh.contains("primvars:displayOpacity = [0.575]") && mesh.contains("primvars:displayColor"));
    let line = mesh.lines().find(|line| line.contains("points.timeSamples")).unwrap();
    let samples: Vec<&str> = line.split(": [").skip(1).collect();
    assert_eq!(samples.len(), 9);
    let mut seen = 0;
    for (frame, sample) in samples.iter().enumerate() {
        let numbers: Vec<f64> = sample
            .split(']')
            .next()
            .unwrap()
            .split(|c: char| "(), ".contains(c))
            .filter(|word| !word.is_empty())
            .map(|word| word.parse().unwrap())
            .collect();
        for p in numbers.chunks(3).map(DVec3::from_slice).filter(|p| is_near(*p)) {
            seen += 1;
            assert!((p.z - height(&picture.waters[0], p, time(frame))).abs() < 1e-6);
        }
    }
    assert!(seen > 9 * 20, "{seen}");
    assert_eq!(mesh.matches("normals.timeSamples").count(), 1);
    picture.waters[0].components.clear();
    let text = usda(&picture, &mut reel).unwrap();
    let mesh = text.split("def Mesh \"Water_0\"").nth(1).unwrap().split("def ").next().unwrap();
    assert!(mesh.contains("point3f[] points = [(") && !mesh.contains("timeSamples"));
}

/// povray prints the heights that its functions and the arguments of a frame give.
#[test]
fn functions_of_povray_give_the_heights_of_the_formula() {
    let picture = picture(70);
    let water = &picture.waters[0];
    let poses = reel().frames[0].clone();
    let frame =
        |time: f64| pov::frame(&picture, &Instant { time, poses: &poses, ties: &[], reliefs: &[] }).unwrap();
    let text = frame(1.5);
    let call = text.lines().find(|line| line.starts_with("Water_0(1.5, ")).unwrap();
    let ramp = call.split(", ").nth(1).unwrap();
    let s: f64 = 0.75;
    let rise = 10.0 * s.powi(3) - 15.0 * s.powi(4) + 6.0 * s.powi(5);
    assert!((ramp.parse::<f64>().unwrap() - rise).abs() < 1e-15);
    assert!(frame(7.0).contains("\nWater_0(7, 1, "));
    let calm = Picture { waters: vec![Water { components: vec![], ..water.clone() }], ..picture.clone() };
    assert!(pov::scene(&calm).unwrap().contains("plane { z, 0.4 hollow material { Water_0_Look } }"));
    if !programs() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(pov::SCENE), pov::scene(&picture).unwrap()).unwrap();
    let points = [dvec3(0.0, 0.0, 0.0), dvec3(13.0, -4.5, 0.0), dvec3(-2.0, 40.0, 0.0)];
    let print = |p: &DVec3| {
        let height = format!("0.4 + {ramp}*Water_0_Height({}, {}, 1.5, 0)", p.x, p.y);
        format!("#debug concat(\"\\nheight \", str({height}, 0, 12), \"\\n\")\n")
    };
    let prints: String = points.iter().map(print).collect();
    std::fs::write(folder.path().join("frame.pov"), text + &prints).unwrap();
    let run = Command::new("povray")
        .args(["+Iframe.pov", "+Oframe.png", "+W16", "+H12", "-D"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{told}");
    let found: Vec<f64> =
        told.lines().filter_map(|line| line.strip_prefix("height ")?.trim().parse().ok()).collect();
    assert_eq!(found.len(), 3, "{told}");
    for (p, found) in points.iter().zip(found) {
        assert!((found - height(water, *p, 1.5)).abs() < 1e-9, "{p}: {found}");
    }
}

#[test]
fn drawings_have_the_surface_between_what_is_below_and_above() {
    let mut picture = picture(0);
    let poses = [(DVec3::Z * 0.4, DQuat::IDENTITY)];
    let draw = |picture: &Picture| {
        svg(picture, &Instant { time: 0.0, poses: &poses, ties: &[], reliefs: &[] }, &Sheet::default())
            .unwrap()
    };
    let faces = |text: &str| text.matches("color=\"#").count();
    let text = draw(&picture);
    let (below, above) = text.split_once("fill=\"url(#water0)\"").unwrap();
    // the upper half is seen more than the lower one
    assert!(faces(below) > 5 && faces(above) > faces(below), "{} {}", faces(below), faces(above));
    // from below: the surface has what is above it behind it
    let position = DVec3::new(6.0, -9.0, -4.0);
    picture.camera = Camera { position, target: DVec3::ZERO, ..Camera::default() };
    let text = draw(&picture);
    let (above, below) = text.split_once("fill=\"#336680\" stroke=\"none\" opacity=\".62\"").unwrap();
    assert!(faces(above) > 5 && faces(below) > faces(above), "{} {}", faces(above), faces(below));
}

#[test]
fn waves_that_are_no_numbers_are_refused() {
    let mut picture = picture(2);
    picture.waters[0].components[1][0] = f64::NAN;
    let told = glb(&picture, &mut reel(), &Options::default()).unwrap_err().to_string();
    assert!(told.starts_with("waters[0]: components[1] is"), "{told}");
}
