//! Flexible cables as tubes, in every format: against the line and tube of the engine.

use glam::{DMat4, DQuat, DVec2, DVec3, DVec4, dvec3};
use gltf::Gltf;
use std::f64::consts::TAU;
use windlass_engine::math::turn;
use windlass_engine::prelude::*;
use windlass_export::gltf::{Options, glb};
use windlass_export::svg::{Sheet, svg};
use windlass_export::{
    Background, CableTube, Camera, Figure, Instant, Picture, Pose, Reel, Ties, pov, usda::usda,
};

/// A rope of 2 m between two clamps 1.6 m apart, one of which turns it by some turns; swung and shown at some times.
struct Show {
    world: World,
    cable: CableId,
    bodies: Vec<BodyId>,
    frames: Vec<Vec<Pose>>,
    ties: Vec<Vec<Ties>>,
}

impl Show {
    fn new(turns: f64) -> Show {
        let mut world = World::default();
        let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let motion = Path {
            position: [1.6, 0.0, 0.0].map(Motion::Constant),
            rotations: vec![PathRotation {
                axis: DVec3::X,
                angle: Motion::Smooth { from: 0.0, to: TAU * turns, start: 0.0, end: 1.0 },
            }],
            orientation: DQuat::IDENTITY,
        };
        let head = world.add_body(Body::kinematic("head", motion), DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let along = DQuat::from_rotation_arc(DVec3::Z, DVec3::X);
        let ends = [ground, head].map(|b| End::Clamp(Anchor::frame(b, DVec3::ZERO, along)));
        let section = Section {
            diameter: 0.06,
            mass_per_length: 1.0,
            stretch: 1e5,
            bend: 1.0,
            twist: 1.0,
            damping: [0.1; 3],
            breaking: None,
            breaking_strain: None,
            yielding: None,
            fatigue: None,
        };
        let path = sagging(DVec3::ZERO, DVec3::X * 1.6, 2.0, DVec3::NEG_Z, 64);
        let laying =
            CableSpec { ends, elements: 16, length: Some(2.0), ..CableSpec::new("rope", section, path) };
        let cable = world.add_cable(laying).unwrap();
        let mut bodies = vec![ground, head];
        bodies.extend(&world.model().cables().get(cable).unwrap().elements);
        let mut show = Show { world, cable, bodies, frames: Vec::new(), ties: Vec::new() };
        show.take();
        show
    }

    fn run(&mut self, steps: usize) {
        (0..steps).for_each(|_| assert!(self.world.step().fault.is_none()));
        self.take();
    }

    fn take(&mut self) {
        let pose = |b: &BodyId| {
            let s = &self.world.state().bodies[b.index()];
            (s.position, s.orientation)
        };
        self.frames.push(self.bodies.iter().map(pose).collect());
        self.ties.push(vec![CableTube::ties(&self.world, self.cable)]);
    }

    fn cut(&mut self, link: usize) {
        let link = self.world.model().cables().get(self.cable).unwrap().links[link];
        self.world.edit(Edit::Cut { link, cut: true }).unwrap();
    }

    fn picture(&self) -> Picture {
        let place = |body: BodyId| self.bodies.iter().position(|b| *b == body);
        let cord = CableTube::of(&self.world, self.cable, place).unwrap();
        let cord = CableTube { color: [1.0, 0.0, 0.0], stripe: Some([0.0, 0.0, 1.0]), ..cord };
        Picture {
            bodies: vec![Figure::default(); self.bodies.len()],
            tubes: vec![cord],
            background: Background::Plain([0.0; 3]),
            camera: Camera {
                position: dvec3(0.8, -3.0, -0.3),
                target: dvec3(0.8, 0.0, -0.3),
                angle: 0.7,
                ..Camera::default()
            },
            ..Picture::default()
        }
    }

    fn reel(&self) -> Reel {
        Reel { rate: 10.0, start: 0.0, frames: self.frames.clone(), ties: self.ties.clone(), reliefs: vec![] }
    }

    fn last(&self) -> Instant<'_> {
        Instant {
            time: 0.0,
            poses: self.frames.last().unwrap(),
            ties: self.ties.last().unwrap(),
            reliefs: &[],
        }
    }

    /// The engine's tube as it stands, with the fixed points of animations.
    fn tube(&self) -> Tube {
        self.world.cable_tube(self.cable, Sampling::PerElement(4), 16)
    }
}

/// The corners of the skinned mesh at the last key of every node, in the scene's axes.
fn skinned(bytes: &[u8]) -> Vec<DVec3> {
    let file = Gltf::from_slice(bytes).unwrap();
    let blob = file.blob.clone().unwrap();
    let mut poses: Vec<(DVec3, DQuat)> = (file.nodes())
        .map(|node| {
            let (at, turn, _) = node.transform().decomposed();
            (DVec3::from_array(at.map(f64::from)), DQuat::from_array(turn.map(f64::from)))
        })
        .collect();
    for channel in file.animations().flat_map(|a| a.channels().collect::<Vec<_>>()) {
        let pose = &mut poses[channel.target().node().index()];
        use gltf::animation::util::ReadOutputs;
        match channel.reader(|_| Some(&blob)).read_outputs().unwrap() {
            ReadOutputs::Translations(rows) => {
                pose.0 = DVec3::from_array(rows.last().unwrap().map(f64::from))
            }
            ReadOutputs::Rotations(rows) => {
                pose.1 = DQuat::from_array(rows.into_f32().last().unwrap().map(f64::from));
            }
            _ => panic!("rings are moved and turned"),
        }
    }
    let node = file.nodes().find(|node| node.skin().is_some()).unwrap();
    let skin = node.skin().unwrap();
    let binds: Vec<[[f32; 4]; 4]> =
        skin.reader(|_| Some(&blob)).read_inverse_bind_matrices().unwrap().collect();
    let moved: Vec<DMat4> = (skin.joints().zip(&binds))
        .map(|(joint, bind)| {
            let (at, turn) = poses[joint.index()];
            let bind = DMat4::from_cols_array_2d(&bind.map(|c| c.map(f64::from)));
            DMat4::from_rotation_translation(turn, at) * bind
        })
        .collect();
    let mesh = node.mesh().unwrap();
    assert_eq!(mesh.primitives().count(), 2, "the cable and its stripe");
    let primitive = mesh.primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&blob));
    let joints = reader.read_joints(0).unwrap().into_u16();
    let weights = reader.read_weights(0).unwrap().into_f32();
    let corners = reader.read_positions().unwrap().zip(joints).zip(weights);
    let skinned = corners.map(|((p, joints), weights)| {
        let p = DVec4::new(p[0].into(), p[1].into(), p[2].into(), 1.0);
        (0..4).map(|k| moved[joints[k] as usize] * p * f64::from(weights[k])).sum::<DVec4>().truncate()
    });
    skinned.collect()
}

/// A skin moved by rings is the engine's tube to the precision of f32, also when the rope has been cut on the way.
#[test]
fn gltf_moves_the_tube_as_the_engine_has_it() {
    let mut show = Show::new(9.0);
    for _ in 0..4 {
        show.run(20);
    }
    let bytes = glb(&show.picture(), &mut show.reel(), &Options::default()).unwrap();
    let file = Gltf::from_slice(&bytes).unwrap();
    assert_eq!(file.meshes().count(), 1, "elements are not drawn by themselves");
    let (drawn, tube) = (skinned(&bytes), show.tube());
    assert_eq!(drawn.len(), tube.positions.len());
    for (a, b) in drawn.iter().zip(&tube.positions) {
        assert!(a.distance(*b) < 3e-6, "{a} {b}");
    }
    show.cut(8);
    show.run(15);
    let bytes = glb(&show.picture(), &mut show.reel(), &Options::default()).unwrap();
    let (drawn, tube) = (skinned(&bytes), show.tube());
    assert_eq!(drawn.len(), tube.positions.len());
    assert!(drawn.iter().zip(&tube.positions).all(|(a, b)| a.distance(*b) < 3e-6));
}

/// A stage has one mesh for the rope and one for its stripe, with the engine's corners in each frame.
#[test]
fn usd_has_the_corners_of_every_frame() {
    let mut show = Show::new(0.5);
    show.run(10);
    let text = usda(&show.picture(), &mut show.reel()).unwrap();
    assert_eq!(text.matches("def Mesh").count(), 2);
    assert!(!text.contains("Capsule") && text.contains("displayName = \"rope\""));
    assert_eq!(text.matches(['{', '(', '[']).count(), text.matches(['}', ')', ']']).count());
    let tube = show.tube();
    let samples = text.split("point3f[] points.timeSamples = {").nth(1).unwrap();
    let last = samples.split("1: [").nth(1).unwrap().split(']').next().unwrap();
    let numbers: Vec<f64> = last.split(['(', ')', ',', ' ']).filter_map(|word| word.parse().ok()).collect();
    assert_eq!(numbers.len(), 3 * tube.positions.len());
    for (row, p) in numbers.chunks(3).zip(&tube.positions) {
        assert!(DVec3::from_slice(row).distance(*p) < 1e-6);
    }
}

/// A drawing shows the rope where it is and nothing where it is not, and a cut one in two.
#[test]
fn drawings_show_it_in_one_piece_until_it_is_cut() {
    let mut show = Show::new(0.0);
    show.run(60);
    let whole = svg(&show.picture(), &show.last(), &Sheet::default()).unwrap();
    assert!(whole.matches("<path").count() > 200);
    show.cut(8);
    show.run(30);
    let parted = svg(&show.picture(), &show.last(), &Sheet::default()).unwrap();
    assert_ne!(whole, parted);
    let frame = pov::frame(&show.picture(), &show.last()).unwrap();
    // the rope and its stripe, both pieces in each
    assert_eq!(frame.matches("mesh2").count(), 2);
    let scene = pov::scene(&show.picture()).unwrap();
    assert!(scene.contains("#declare Cord_0_1 = material"));
}

/// What povray draws: red along the rope's line, blue on its stripe, black beside it.
#[test]
fn povray_draws_the_rope_along_its_line() {
    if std::env::var_os("WINDLASS_SKIP_POVRAY").is_some_and(|value| value == "1") {
        return;
    }
    let mut show = Show::new(3.0);
    show.run(90);
    let picture = show.picture();
    let folder = tempfile::tempdir().unwrap();
    let film = windlass_export::film::Film {
        size: [480, 360],
        ..windlass_export::film::Film::new(&picture, folder.path().join("work"))
    };
    let output = folder.path().join("rope.png");
    film.still(&show.last(), &output).unwrap();
    if let Some(keep) = std::env::var_os("WINDLASS_KEEP_PICTURES") {
        std::fs::copy(&output, std::path::Path::new(&keep).join("rope.png")).unwrap();
        let text = svg(&picture, &show.last(), &Sheet::default()).unwrap();
        std::fs::write(std::path::Path::new(&keep).join("rope.svg"), text).unwrap();
    }
    let mut reader = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&output).unwrap()))
        .read_info()
        .unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let depth = info.color_type.samples();
    let pixel = |at: DVec2| {
        let (x, y) = ((240.0 * (1.0 + at.x)) as usize, (180.0 * (1.0 - at.y)) as usize);
        let first = (y.min(359) * 480 + x.min(479)) * depth;
        [0, 1, 2].map(|k| f64::from(bytes[first + k]) / 255.0)
    };
    let view = picture.camera.view(&[]);
    let line = show.world.cable_curve(show.cable, Sampling::PerElement(4));
    let (mut red, mut blue) = (0, 0);
    for point in &line[0] {
        let [r, g, b] = pixel(view.project(point.point, 4.0 / 3.0).unwrap());
        assert!(r.max(b) > 0.15 && g < r.max(b), "no rope at {:?}: {r} {g} {b}", point.point);
        red += usize::from(r > 2.0 * b);
        blue += usize::from(b > 2.0 * r);
        let beside = view.project(point.point + point.tangent.cross(DVec3::Y).normalize() * 0.045, 4.0 / 3.0);
        let [r, g, b] = pixel(beside.unwrap());
        assert!(r + g + b < 0.1, "something is beside the rope at {:?}", point.point);
    }
    assert!(red > 30 && blue >= 3, "{red} {blue}: three turns show the stripe three times");
}

/// A cable that cannot be drawn is refused with its place.
#[test]
fn odd_cords_are_refused() {
    let mut show = Show::new(0.0);
    let picture = show.picture();
    let told = |change: &dyn Fn(&mut CableTube)| {
        let mut picture = picture.clone();
        change(&mut picture.tubes[0]);
        picture.check().unwrap_err().to_string()
    };
    assert!(told(&|c| c.elements.clear()).contains("cords[0] (\"rope\")"));
    assert!(told(&|c| c.elements[3] = 99).contains("body 99 of 18"));
    assert!(told(&|c| c.radius = f64::NAN).contains("NaN"));
    assert!(told(&|c| c.stripe = Some([2.0; 3])).contains("color"));
    assert!(told(&|c| c.ends[0].as_mut().unwrap().turn = Some(turn(DVec3::Z, 0.0) * 2.0)).contains("unit"));
    show.ties[0][0].links.pop();
    let told = svg(&picture, &show.last(), &Sheet::default()).unwrap_err().to_string();
    assert!(told.contains("ties of cord 0"), "{told}");
}

/// Elements that are on a drum are not drawn: not in a drawing, and in animations they are shrunk to a point until they come.
#[test]
fn what_is_not_there_is_not_drawn() {
    let mut show = Show::new(0.0);
    show.run(30);
    show.run(1);
    let whole = show.picture();
    let (all, poses) = (show.last().ties[0].clone(), show.frames.last().unwrap().clone());
    // the first five are taken in at first, and only three at last
    let [more, less] = [0..5, 0..3].map(|gone| Ties { absent: vec![gone], ..all.clone() });
    let frames = vec![poses.clone(); 2];
    let mut reel = Reel {
        rate: 10.0,
        start: 0.0,
        frames,
        ties: vec![vec![more.clone()], vec![less.clone()]],
        reliefs: vec![],
    };
    let text = usda(&whole, &mut reel).unwrap();
    let samples = text.split("point3f[] points.timeSamples = {").nth(1).unwrap();
    let corners = |key: &str| {
        let row = samples.split(&format!("{key}: [")).nth(1).unwrap().split(']').next().unwrap();
        let numbers: Vec<f64> = row.split(['(', ')', ',', ' ']).filter_map(|w| w.parse().ok()).collect();
        numbers.chunks(3).map(DVec3::from_slice).collect::<Vec<_>>()
    };
    let (first, last) = (corners("0"), corners("1"));
    assert_eq!(first.len(), last.len());
    // an element of 5 rings by 17 corners and two lids of 16
    let (element, lids) = (5 * 17, 2 * 16);
    let size = |corners: &[DVec3], k: usize| {
        let own = &corners[k * (element + lids)..(k + 1) * (element + lids)];
        own.iter().map(|p| p.distance(own[0])).fold(0.0, f64::max)
    };
    assert_eq!([0, 2, 3, 4].map(|k| size(&first, k) > 0.1), [false; 4]);
    assert_eq!([0, 2, 3, 4].map(|k| size(&last, k) > 0.1), [false, false, true, true]);
    // nothing of what is hidden is far from what is seen; a spline that begins later bends by some micrometres otherwise
    let start = show.world.cable_curve(show.cable, Sampling::PerElement(4))[0][5 * 4].point;
    assert!(first[0].distance(start) < 1e-4, "{} {start}", first[0]);
    let bytes = glb(&whole, &mut reel, &Options::default()).unwrap();
    let file = Gltf::from_slice(&bytes).unwrap();
    let scaled = file.nodes().filter(|node| node.transform().decomposed().2[0] < 1e-3).count();
    // five elements of five rings
    assert_eq!(scaled, 25);
    let still = |ties: &Ties| {
        let ties = [ties.clone()];
        pov::frame(&whole, &Instant { time: 0.0, poses: &poses, ties: &ties, reliefs: &[] }).unwrap().len()
    };
    assert!(still(&more) < still(&less) && still(&less) < still(&all));
    let beyond = [Ties { absent: std::iter::once(0..99).collect(), ..all }];
    assert!(
        svg(&whole, &Instant { time: 0.0, poses: &poses, ties: &beyond, reliefs: &[] }, &Sheet::default())
            .is_err()
    );
}
