//! What is written reads back as the same scene, and builds the same world.

use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::Spanned;
use windlass_scene::files::Folder;
use windlass_scene::number::{Number, Numbers, Tensor};
use windlass_scene::text::Entry;
use windlass_scene::text::body::{Body, Part, Rotation, Shape};
use windlass_scene::text::force::{Drag, Force, Settings};
use windlass_scene::text::joint::{Ball, Hinge, Joint, Motor, Weld};
use windlass_scene::text::material::Material;
use windlass_scene::{Scene, parse, parse_with, read};

/// Every scene below a folder.
fn scenes(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the scenes") {
        let path = entry.expect("one").path();
        if path.is_dir() {
            scenes(&path, found);
        } else if path.extension().is_some_and(|e| e == "toml") {
            found.push(path);
        }
    }
}

fn hash(scene: &Scene) -> u64 {
    let mut built = scene.build().unwrap_or_else(|e| panic!("{e}"));
    for _ in 0..100 {
        built.world.step();
    }
    built.world.state().hash()
}

#[test]
fn example_scenes_survive_writing() {
    let mut paths = Vec::new();
    scenes(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes"), &mut paths);
    assert!(paths.len() >= 12);
    for path in paths {
        let scene = read(&path).unwrap_or_else(|e| panic!("{e}"));
        let text = scene.to_toml();
        let again = parse_with(&text, "again.toml", Arc::new(Folder::of(&path)), &[]);
        let again = again.unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert!(again == scene, "{}:\n{text}", path.display());
        let again = Scene { files: scene.files.clone(), ..again };
        assert_eq!(hash(&scene), hash(&again), "{}", path.display());
        assert!(text.lines().all(|l| l.len() < 200), "{text}");
    }
}

#[test]
fn the_layout_is_for_people() {
    let text = "windlass = 2\ntitle = \"Two\"\n\n[settings]\ndt = \"1/240 s\"\n\n[bodies.ground]\ntype = \"static\"\n\n\
                [bodies.\"the \\\"ball\\\"\"]\nposition = [1, 0.25, \"3 ft\"]\nshape = { sphere = { radius = \"10 cm\" } }\n\
                mass = 2\ncolor = \"#ff0000\"\n\n[joints.pivot.hinge]\nbodies = [\"ground\", 'the \"ball\"']\n\
                at = [0, 0, 0]\naxis = [0, 1, 0]\nmotor = { speed = \"30 rpm\", force = 1e20 }\n\
                limits = { low = -1, high = 2.5 }\n\n[probes]\nz = \"bodies.ground.position.z\"\n";
    let scene = parse(text, "s.toml").unwrap_or_else(|e| panic!("{e}"));
    let written = scene.to_toml();
    assert_eq!(written.replace("100000000000000000000.0", "1e20"), text);
}

/// Every kind of joint, motion, force and shape once.
#[test]
fn every_kind_survives_writing() {
    let text = r##"
        windlass = 2
        description = """Two
lines, and a "quote"."""
        [settings]
        gravity = [0, "-1 ft/s^2", -0.0]
        integrator = "dormand-prince"
        sleep = { speed = 1e-7 }
        [materials.x]
        like = "steel"
        friction = { static = 0.5, kinetic = 0.25 }
        color = [0.1, 0.2, 0.3]
        [[frictions]]
        between = ["x", "ice"]
        static = 0.125
        [bodies]
        g = { type = "static" }
        a = { mass = "2 kg", inertia = [[1, 0.1, 0], [0.1, 1, 0], [0, 0, 1.5]], gravity = false, hidden = true }
        b = { mass = 1, inertia = [1, "2 kg*m^2", 2.5], orientation = [1, 0, 0, 0.5] }
        c = { density = 3, shape = { convex = { points = [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[1,1,1],[1.5,1,1],[1,2.5,1],[0.25,0.125,9]] } } }
        d = { density = 3, shape = { mesh = { vertices = [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], triangles = [[0,2,1],[0,1,3],[0,3,2],[1,2,3]] } } }
        e = { mass = 1, shape = { mesh = { file = "m/hook.stl", scale = 0.001, up = "y", flip = true } } }
        f = { parts = [{ mass = 1, shape = { capsule = { radius = 1, length = 2 } }, color = "#00ff00" }, { mass = 2, at = [1, 1, 1] }], hidden = true, visuals = [{ shape = { box = { size = [1, 2, "3 ft"] } }, at = [1, 0, 0] }, { shape = { sphere = { radius = 1 } }, material = "ice", color = [0, 1, 0], rotation = { axis = [0, 0, 1], angle = 1 } }] }
        h = { type = "kinematic", path = { x = { sine = { amplitude = 1, frequency = 2 } }, angle = { sum = [{ constant = "3 deg" }, { ramp = { speed = 1 } }] }, y = { polynomial = [1, 2, 3, 4] }, z = { table = { times = [0, 1], values = [0, 1], join = "linear" } } } }
        [joints]
        ball = { ball = { bodies = ["g", "a"], at = [0, 0, 0] }, strength = { force = 3 } }
        slider = { slider = { bodies = ["g", "a"], axis = [1, 0, 0], servo = { target = 1, stiffness = 2 } } }
        cylinder = { cylindrical = { bodies = ["g", "a"], at = [0, 0, 0], axis = [1, 0, 0], rotation = { friction = 1 }, slide = { damping = 2 } } }
        universal = { universal = { bodies = ["g", "a"], at = [0, 0, 0], axes = [[1, 0, 0], [0, 1, 0]], first = { lock = 0 } } }
        cv = { constant_velocity = { bodies = ["g", "a"], frames = [{ at = [1, 2, 3] }, { rotation = { axis = [0, 0, 1], angle = 1 } }] } }
        distance = { distance = { bodies = ["g", "a"], points = [[0, 0, 0], [1, 0, 0]], max_length = { smooth = { from = 1, to = 2, end = 3 } } }, compliance = { linear = { stiffness = 1 } } }
        planar = { planar = { bodies = ["g", "a"], at = [0, 0, 0], axis = [1, 0, 0], x_axis = [0, 1, 0] } }
        six = { six_dof = { bodies = ["g", "a"], at = [0, 0, 0], rx = { spring = { stiffness = 1, rest = 2 } } } }
        screw = { screw = { bodies = ["g", "a"], at = [0, 0, 0], axis = [1, 0, 0], lead = 0.01 } }
        pol = { point_on_line = { bodies = ["g", "a"], at = [0, 0, 0], axis = [1, 0, 0] } }
        pop = { point_on_plane = { bodies = ["g", "a"], at = [0, 0, 0], axis = [1, 0, 0] } }
        grab = { drag_spring = { bodies = ["g", "a"], at = [0, 0, 0], to = [1, 0, "2 m"], stiffness = 1, damping = 2, force = "3 N", orientation = true, rotational_stiffness = 4, rotational_damping = 5, torque = "6 N*m" } }
        gear = { gear = { joints = ["cylinder", "screw"], ratio = -2 } }
        rack = { rack = { pinion = "screw", slider = "slider", radius = 0.5 } }
        diff = { differential = { input = "screw", outputs = ["cylinder", "screw"] } }
        couple = { linear_coupling = { terms = [{ joint = "slider", factor = -0.5 }, { joint = "cylinder", coordinate = 2 }], offset = 0.125 } }
        [forces]
        a = { applied = { body = "a", force = [1, 2, 3], in = "body", until = 3 } }
        t = { applied = { body = "a", toward = { body = "b", force = -3 } } }
        s = { spring = { bodies = ["a", "b"], points = [[0, 0, 0], [1, 0, 0]], stiffness = 3 } }
        d = { drag = { body = "a", factor = 1, area = 2 } }
        [winches]
        w = { on = "g", at = [0, 0, "5 m"], axis = [0, 1, 0], radius = 0.2, mass = 50, motor = { speed = 1, torque = 2 }, brake = 3, wound_length = 4, capacity = 5 }
        [cables]
        r = { section = { construction = "HMPE", diameter = 0.01 }, segments = "massless", paid_out = { constant = 1 }, route = [{ winch = "w", axial_offset = 0.1 }, { pulley = "a", at = [1, 0, 0], axis = [0, 1, 0], radius = 0.1, wrap_direction = "ccw", turns = 2, friction = { static = 0.3, kinetic = 0.2 }, enabled = 1 }, { ring = "b", at = [2, 0, 0], friction = 0.1 }, { pulley = "b", at = [3, 0, 0], axis = [0, 1, 0], radius = 0.1, bearing = { friction = 0.1, pin = "1 cm" } }, { pulley = "f", at = [4, 0, 0], axis = [0, 1, 0], radius = 0.1, slip = false }, { attach = "g", at = [0, 0, 0] }] }
        [cameras]
        c = { position = [1, 2, 3], angle = "30 deg", on = "a", follow = true, stereo = { eyes = "65 mm" } }
        [probes]
        "a b" = "bodies.a.position.z"
    "##;
    let scene = parse(text, "s.toml").unwrap_or_else(|e| panic!("{e}"));
    let written = scene.to_toml();
    let again = parse(&written, "again.toml").unwrap_or_else(|e| panic!("{e}\n{written}"));
    assert!(again == scene, "{written}");
    assert_eq!(again.to_toml(), written);
    // a change is noticed
    let other = parse(&text.replace("ratio = -2", "ratio = -2.5"), "s.toml").expect("sound");
    assert!(other != scene);
}

fn spot(text: &str) -> Spanned<String> {
    Spanned::new(0..0, text.to_string())
}

fn length() -> impl Strategy<Value = f64> {
    prop_oneof![
        -100.0..100.0_f64,
        Just(0.0),
        Just(-0.0),
        (-5..5_i32).prop_map(f64::from),
        Just(1e-9),
        Just(0.1 + 0.2)
    ]
}

fn size() -> impl Strategy<Value = f64> {
    0.01..10.0_f64
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        [size(), size(), size()].prop_map(|s| Shape::Box { size: Numbers::si(&s) }),
        size().prop_map(|r| Shape::Sphere { radius: Number::si(r) }),
        (size(), size()).prop_map(|(r, l)| Shape::Cylinder {
            radius: Number::text(format!("{r} mm")),
            length: Number::si(l)
        }),
        (size(), size()).prop_map(|(r, h)| Shape::Cone {
            radius: Number::si(r),
            height: Number::text(format!("{h} ft"))
        }),
    ]
}

fn body() -> impl Strategy<Value = Body> {
    let place = ([length(), length(), length()], [length(), length(), length()], length());
    let matter = prop_oneof![
        shape().prop_map(|s| Body { shape: Some(s), density: Some(Number::si(7850.0)), ..Body::default() }),
        shape().prop_map(|s| Body { shape: Some(s), material: Some(spot("oak")), ..Body::default() }),
        (size(), size()).prop_map(|(m, i)| Body {
            mass: Some(Number::si(m)),
            inertia: Some(Tensor::si([[i, 0.0, 0.0], [0.0, i, 0.0], [0.0, 0.0, i]])),
            ..Body::default()
        }),
        (shape(), size(), [length(), length(), length()]).prop_map(|(s, m, at)| Body {
            parts: Some(vec![
                Part { shape: Some(s), mass: Some(Number::si(m)), ..Part::default() },
                Part {
                    mass: Some(Number::text(format!("{m} g"))),
                    at: Some(Numbers::si(&at)),
                    ..Part::default()
                },
            ]),
            ..Body::default()
        }),
    ];
    (matter, place).prop_map(|(body, (position, spin, angle))| Body {
        position: Some(Numbers::si(&position)),
        angular_velocity: Some(Numbers::si(&spin)),
        rotation: Some(Rotation { axis: Numbers::si(&[0.0, 1.0, 2.0]), angle: Number::si(angle) }),
        ..body
    })
}

fn joint(a: String, b: String) -> impl Strategy<Value = Joint> {
    let bodies = [spot(&a), spot(&b)];
    let others = bodies.clone();
    let thirds = bodies.clone();
    let at = || [length(), length(), length()].prop_map(|at| Some(Numbers::si(&at)));
    prop_oneof![
        at().prop_map(move |at| Joint {
            ball: Some(Box::new(Ball { bodies: bodies.clone(), at, frames: None })),
            ..Joint::default()
        }),
        at().prop_map(move |at| Joint {
            weld: Some(Box::new(Weld { bodies: others.clone(), at, frames: None })),
            compliance: Some(Box::default()),
            ..Joint::default()
        }),
        (at(), length()).prop_map(move |(at, speed)| Joint {
            hinge: Some(Box::new(Hinge {
                bodies: thirds.clone(),
                at,
                axis: Some(Numbers::si(&[1.0, 0.5, 0.25])),
                frames: None,
                lock: None,
                motor: Some(Motor {
                    speed: Number::si(speed),
                    force: Some(Number::si(10.0)),
                    droop: None,
                    brake: None
                }),
                servo: None,
                prescribed: None,
                spring: None,
                limits: None,
                friction: None,
                damping: None,
            })),
            ..Joint::default()
        }),
    ]
}

/// A chain of up to five bodies, from the ground, with a material, a drag and names that need quotes.
fn scene() -> impl Strategy<Value = Scene> {
    proptest::collection::vec(body(), 1..5)
        .prop_flat_map(|bodies| {
            let name = |i: usize| if i == 0 { "ground".to_string() } else { format!("body \"{i}\" é") };
            let joints: Vec<_> = (0..bodies.len()).map(|i| joint(name(i), name(i + 1))).collect();
            (Just(bodies), joints, size())
        })
        .prop_map(|(bodies, joints, area)| {
            let mut scene = Scene::new();
            scene.settings = Settings { dt: Some(Number::text("2 ms")), ..Settings::default() };
            let ground = Body {
                r#type: Some(Spanned::new(0..0, windlass_scene::text::body::BodyKind::Static)),
                ..Body::default()
            };
            scene.bodies.push(Entry::new("ground", ground));
            for (i, body) in bodies.into_iter().enumerate() {
                scene.bodies.push(Entry::new(format!("body \"{}\" é", i + 1), body));
            }
            for (i, joint) in joints.into_iter().enumerate() {
                scene.joints.push(Entry::new(format!("j.{i}"), joint));
            }
            let oak = Material { density: Some(Number::si(100.0 * area)), ..Material::default() };
            scene.materials.push(Entry::new("oak", oak));
            let drag = Drag {
                body: spot("body \"1\" é"),
                factor: Number::si(1.0),
                area: Number::si(area),
                density: None,
            };
            scene.forces.push(Entry::new("drag", Force::Drag(drag)));
            scene
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn scenes_made_by_programs_survive_writing(scene in scene()) {
        let text = scene.to_toml();
        let again = parse(&text, "again.toml").unwrap_or_else(|e| panic!("{e}\n{text}"));
        prop_assert!(again == scene, "{text}");
        prop_assert_eq!(hash(&scene), hash(&again));
    }
}
