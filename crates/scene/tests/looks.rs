//! Materials give densities and looks; cameras stand where the scene says; what is wrong with them is told.

use glam::{DQuat, DVec3};
use windlass_engine::prelude::Shape;
use windlass_scene::visual::{Mount, heading};
use windlass_scene::{Built, parse};

fn scene(more: &str) -> String {
    format!("windlass = 2\n{more}")
}

#[track_caller]
fn build(more: &str) -> Built {
    parse(&scene(more), "s.toml").and_then(|s| s.build()).unwrap_or_else(|e| panic!("{e}"))
}

#[track_caller]
fn tells(more: &str, wanted: &str) {
    let result = parse(&scene(more), "s.toml").and_then(|s| s.build().map(drop));
    assert_eq!(result.expect_err("it is wrong").to_string(), wanted);
}

fn mass(built: &Built, body: usize) -> f64 {
    built.world.model().bodies().get(built.bodies[body]).expect("there").mass.mass
}

const CUBE: &str = "shape = { box = { size = [1, 1, 1] } }";

#[test]
fn a_material_gives_the_density_unless_another_is_given() {
    let built = build(&format!(
        "[bodies.a]\nmaterial = \"steel\"\n{CUBE}\n\
         [bodies.b]\nmaterial = \"steel\"\ndensity = 10\n{CUBE}\n\
         [bodies.c]\nmaterial = \"steel\"\nmass = 7\n{CUBE}\n\
         [bodies.d]\nmaterial = \"oak\"\nparts = [{{ {CUBE} }}, {{ {CUBE}, material = \"ice\" }}, {{ {CUBE}, mass = 1 }}]\n\
         [bodies.e]\nmaterial = \"mine\"\n{CUBE}\n\
         [bodies.f]\ntype = \"static\"\nmaterial = \"concrete\"\n\
         [materials.mine]\nlike = \"yours\"\n[materials.yours]\nlike = \"lead\"\ndensity = \"11 t/m^3\"\n"
    ));
    let masses: Vec<f64> = (0..5).map(|i| mass(&built, i)).collect();
    for (got, wanted) in masses.iter().zip([7850.0, 10.0, 7.0, 700.0 + 917.0 + 1.0, 11_000.0]) {
        assert!((got - wanted).abs() < 1e-9 * wanted, "{got} is not {wanted}");
    }
    let names: Vec<_> = built.looks[3].solids.iter().map(|s| s.material.as_str()).collect();
    assert_eq!(names, ["oak", "ice", "oak"]);
}

#[test]
fn own_materials_and_frictions_are_known() {
    let built = build(
        "[materials.tread]\nlike = \"rubber\"\nyoungs_modulus = \"8 MPa\"\n\
         [materials.steel]\ndensity = 7900\n\
         [materials.slime]\ndensity = 1100\nyoungs_modulus = 0\npoisson_ratio = 0.5\nrestitution = 0\nfriction = { static = 0.01 }\n\
         [materials.soft]\nlike = \"rubber\"\nfriction = { static = 0.5, kinetic = 0.4 }\n\
         [[frictions]]\nbetween = [\"tread\", \"tread\"]\nstatic = 1.3\nkinetic = 1.1\n\
         [[frictions]]\nbetween = [\"ice\", \"rubber\"]\nstatic = \"20 %\"\n",
    );
    let materials = &built.materials;
    let pair = |a: &str, b: &str| {
        let pair = materials.pair(a, b).expect("both are known");
        (pair.friction.at_rest, pair.friction.sliding, pair.is_listed)
    };
    assert_eq!(materials.get("steel").map(|m| (m.density, m.young)), Some((7900.0, 200e9)));
    // a kind of rubber rubs as rubber does, and a change of the list holds for it
    assert_eq!(pair("tread", "concrete"), (1.0, 0.8, true));
    assert_eq!(pair("ice", "tread"), (0.2, 0.2, true));
    assert_eq!(pair("tread", "tread"), (1.3, 1.1, true));
    // one with a friction of its own does not
    let asphalt = materials.get("asphalt").expect("it").friction;
    assert_eq!(
        pair("soft", "asphalt"),
        ((0.5 * asphalt.at_rest).sqrt(), (0.4 * asphalt.sliding).sqrt(), false)
    );
    assert_eq!(pair("slime", "slime"), (0.01, 0.01, false));
}

#[test]
fn wrong_materials_are_told() {
    tells(
        &format!("[bodies.a]\nmaterial = \"stell\"\n{CUBE}"),
        "s.toml:3:12: no material \"stell\" (did you mean \"steel\"?)",
    );
    tells(
        "[materials.x]\ndensity = 3",
        "s.toml:2:12: material \"x\" has no `youngs_modulus`, `poisson_ratio`, `restitution`, `friction` (give them, or start from \
         another: like = \"steel\")",
    );
    tells(
        "[materials.x]\nlike = \"y\"\n[materials.y]\nlike = \"x\"",
        "s.toml:2:12: material \"x\" refers to itself through `like` (let one of them start from a library material)",
    );
    tells(
        "[materials.x]\nlike = \"steel\"\npoisson_ratio = 0.6\n",
        "s.toml:4:17: `poisson_ratio` is 0.6 (give more than -1 and at most 0.5)",
    );
    tells(
        "[[frictions]]\nbetween = [\"steel\", \"ise\"]\nstatic = 0.1\nkinetic = 0.2",
        "s.toml:3:21: no material \"ise\" (did you mean \"ice\"?)\n\
         s.toml:5:11: kinetic friction 0.2 is above static friction 0.1 (give kinetic ≤ static)",
    );
    tells(
        "[materials.steel]\ncolor = \"#12345\"",
        "s.toml:3:9: `color`: \"#12345\" is not a colour (give \"#rrggbb\" with two digits 0 to f each, or [r, g, b] from \
         0 to 1)",
    );
    tells("[materials.steel]\ncolor = [0, 2, 0]", "s.toml:3:13: `color` is 2 (give a number from 0 to 1)");
}

/// Every model of the kit, with the sizes its keys promise: axis and extent along it [m].
const MODELS: [(&str, &[(usize, f64)]); 16] = [
    ("lattice_boom = { length = 20, width = 1, height = 1.2 }", &[(1, 1.0), (2, 1.2)]),
    ("lattice_mast = { height = 10, width = 1.5 }", &[(0, 1.5), (1, 1.5), (2, 10.0)]),
    ("i_beam = { length = 8, height = 0.3 }", &[(0, 8.0), (1, 0.15), (2, 0.3)]),
    ("hook = { height = 0.8 }", &[(2, 0.8)]),
    ("hook_block = { sheaves = 2, radius = 0.3 }", &[]),
    ("sheaves = { count = 3, radius = 0.3, rope_diameter = 0.02 }", &[]),
    ("drum = { radius = 0.4, length = 1 }", &[(0, 1.08), (1, 1.08)]),
    ("pulley = { radius = 0.4, rope_diameter = 0.02 }", &[]),
    ("wheel = { radius = 0.5, width = 0.3 }", &[(0, 1.0), (1, 1.0), (2, 0.3)]),
    ("gear = { teeth = 24, module = 0.02, width = 0.05 }", &[(0, 0.52)]),
    ("shackle = { pin = 0.1 }", &[]),
    // a bar beyond its length at both ends
    ("chain = { length = 3, bar = 0.03 }", &[(2, 3.06)]),
    ("container = {}", &[(0, 6.058), (1, 2.438), (2, 2.591)]),
    ("truck = { length = 9 }", &[(0, 9.0), (1, 2.5)]),
    ("cabin = {}", &[(2, 2.0)]),
    ("operator = {}", &[]),
];

#[test]
fn models_are_closed_meshes_of_the_given_size() {
    let mut wrong = Vec::new();
    for (model, promised) in MODELS {
        let built =
            build(&format!("[bodies.a]\ntype = \"static\"\nvisuals = [{{ model = {{ {model} }} }}]\n"));
        let solids = &built.looks[0].solids;
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for solid in solids {
            let Shape::Mesh { vertices, triangles } = &solid.shape else { panic!("{model}: a mesh") };
            vertices.iter().for_each(|v| (low, high) = (low.min(*v), high.max(*v)));
            let mut edges = std::collections::BTreeMap::new();
            let corner = |k: u32| vertices[k as usize];
            let mut volume = 0.0;
            for [a, b, c] in triangles {
                volume += corner(*a).dot(corner(*b).cross(corner(*c))) / 6.0;
                for (from, to) in [(a, b), (b, c), (c, a)] {
                    *edges.entry((*from.min(to), *from.max(to))).or_insert(0) +=
                        if from < to { 1 } else { -1 };
                }
            }
            assert!(edges.values().all(|n| *n == 0), "{model} is open");
            assert!(volume > 0.0, "{model} is inside out");
        }
        let size = high - low;
        for (axis, extent) in promised {
            if (size[*axis] / extent - 1.0).abs() > 0.01 {
                wrong.push(format!("{model}: {size}, not {extent} along axis {axis}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn wrong_models_are_told() {
    let body = |visual: &str| format!("[bodies.a]\ntype = \"static\"\nvisuals = [{{ {visual} }}]\n");
    tells(
        &body("at = [0, 0, 1]"),
        "s.toml:4:12: a visual needs either `shape` or `model` (give one of them, such as model = { pulley = { radius = 0.3 } })",
    );
    tells(
        &body("model = { gear = { teeth = 5.5, module = 0.01, width = 0.1 } }"),
        "s.toml:4:41: `teeth` is 5.5 (give a whole number from 6 to 400)",
    );
    tells(&body("model = { hook = { height = -1 } }"), "s.toml:4:42: `height` is -1 (give more than 0 m)");
}

#[test]
fn looks_are_those_of_bodies_parts_and_materials() {
    let built = build(&format!(
        "[bodies.ghost]\ntype = \"static\"\n\
         [bodies.a]\nmass = 1\ncolor = \"#ff0000\"\n{CUBE}\n\
         [bodies.b]\nmaterial = \"oak\"\ncolor = [0, 1, 0]\nhidden = true\n\
         parts = [{{ {CUBE}, hidden = false, at = [1, 2, 3] }}, {{ {CUBE} }}, {{ {CUBE}, hidden = false, color = \"#0000ff\" }}]\n\
         [bodies.c]\nmass = 1\nhidden = true\n{CUBE}\n\
         [bodies.d]\nmass = 1\ninertia = [1, 1, 1]\nmaterial = \"ice\"\n{CUBE}\n"
    ));
    assert_eq!(built.looks.len(), built.bodies.len());
    let counts: Vec<_> = built.looks.iter().map(|l| l.solids.len()).collect();
    assert_eq!(counts, [0, 1, 2, 0, 1]);
    let a = &built.looks[1].solids[0];
    assert_eq!((a.color, a.material.as_str()), ([1.0, 0.0, 0.0], "steel"));
    assert_eq!(a.shape, Shape::Box { half: DVec3::splat(0.5) });
    let b = &built.looks[2].solids;
    assert_eq!((b[0].color, b[0].at), ([0.0, 1.0, 0.0], DVec3::new(1.0, 2.0, 3.0)));
    assert_eq!(
        (b[1].color, b[1].roughness),
        ([0.0, 0.0, 1.0], built.materials.get("oak").expect("oak").roughness)
    );
    assert_eq!(built.looks[4].solids[0].color, built.materials.get("ice").expect("ice").color);
}

/// Solids for the eye alone come after the body's own, beside any kind of mass, and weigh nothing.
#[test]
fn looks_are_drawn_and_weigh_nothing() {
    let ball = "shape = { sphere = { radius = 2 } }";
    let looks = format!(
        "visuals = [{{ {ball}, at = [1, 2, 3], rotation = {{ axis = [0, 0, 1], angle = \"90 deg\" }} }}, \
         {{ {ball}, material = \"ice\", color = \"#00ff00\", orientation = [0, 1, 0, 0] }}]"
    );
    let matters = [
        format!("material = \"oak\"\n{CUBE}"),
        "mass = 2\ninertia = [1, 1, 1]\ncenter_of_mass = [0, 0, 1]".to_string(),
        format!("parts = [{{ {CUBE}, mass = 3 }}, {{ mass = 1, at = [1, 0, 0] }}]"),
        "type = \"static\"".to_string(),
    ];
    let bodies = |more: &str| {
        let list = matters.iter().enumerate().map(|(i, m)| format!("[bodies.b{i}]\n{m}\n{more}\n"));
        build(&list.collect::<String>())
    };
    let (plain, seen) = (bodies(""), bodies(&looks));
    let hidden = bodies(&format!("hidden = true\ncolor = \"#ff0000\"\n{looks}"));
    for (i, own) in [1, 0, 1, 0].into_iter().enumerate() {
        let body = |built: &Built| built.world.model().bodies().get(built.bodies[i]).expect("a body").mass;
        assert_eq!((body(&plain), body(&plain)), (body(&seen), body(&hidden)));
        assert_eq!(seen.looks[i].solids[..own], plain.looks[i].solids);
        let [first, second] = &seen.looks[i].solids[own..] else { panic!("two looks") };
        assert_eq!(first.shape, Shape::Sphere { radius: 2.0 });
        assert_eq!(first.at, DVec3::new(1.0, 2.0, 3.0));
        assert!((first.orientation * DVec3::X - DVec3::Y).length() < 1e-12);
        assert_eq!(first.material, if i == 0 { "oak" } else { "steel" });
        assert_eq!((second.material.as_str(), second.color), ("ice", [0.0, 1.0, 0.0]));
        // hidden, a body shows its looks alone; they have its colour unless they have one
        let colors: Vec<_> = hidden.looks[i].solids.iter().map(|s| s.color).collect();
        assert_eq!(colors, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    }
}

#[test]
fn wrong_looks_are_told() {
    let body = |look: &str| format!("[bodies.a]\nmass = 1\n{CUBE}\nvisuals = [{{ {look} }}]");
    tells(
        &body("at = [0, 0, 0]"),
        "s.toml:5:12: a visual needs either `shape` or `model` (give one of them, such as model = { pulley = { radius = 0.3 } })",
    );
    tells(
        &body("shape = { sphere = { radius = -1 } }, at = [1, 2], color = \"red\", material = \"stell\""),
        "s.toml:5:44: `radius` is -1 (give more than 0 m)\n\
         s.toml:5:57: `at` has 2 numbers (give three: [x, y, z])\n\
         s.toml:5:73: `color`: \"red\" is not a colour (give \"#rrggbb\" with two digits 0 to f each, or [r, g, b] from \
         0 to 1)\n\
         s.toml:5:91: no material \"stell\" (did you mean \"steel\"?)",
    );
    tells(
        &body("shape = { sphere = { radius = 1 } }, mass = 1"),
        "s.toml:5:51: unknown key `mass` (known here: `shape`, `model`, `at`, `orientation`, `rotation`, `material`, `color`)",
    );
}

#[test]
fn cameras_stand_where_they_are_put() {
    let built = build(&format!(
        "title = \"A cube\"\ndescription = \"It falls.\"\n\
         [bodies.cube]\nposition = [0, 0, 5]\nrotation = {{ axis = [0, 0, 1], angle = \"90 deg\" }}\nmass = 1\n{CUBE}\n\
         [cameras.front]\nposition = [0, -10, 2]\n\
         [cameras.cabin]\non = \"cube\"\nposition = [1, 0, 0]\ntarget = [2, 0, 0]\nangle = \"60 deg\"\n\
         [cameras.watch]\non = \"cube\"\nfollow = true\nposition = [9, 0, 0]\nstereo = {{ eyes = \"7 cm\" }}\n\
         [cameras.chase]\non = \"cube\"\nheading = true\nposition = [-6, 0, 2]\ntarget = [1, 0, 0]\n\
         [probes]\nheight = \"bodies.cube.position.z\"\n"
    ));
    let views: Vec<_> = built.cameras.iter().map(|c| c.view(&built.world)).collect();
    let near =
        |a: DVec3, b: [f64; 3]| assert!((a - DVec3::from_array(b)).length() < 1e-9, "{a} is not {b:?}");
    near(views[0].position, [0.0, -10.0, 2.0]);
    near(views[0].target, [0.0, 0.0, 0.0]);
    near(views[1].position, [0.0, 1.0, 5.0]);
    near(views[1].target, [0.0, 2.0, 5.0]);
    near(views[2].position, [9.0, 0.0, 0.0]);
    near(views[2].target, [0.0, 0.0, 5.0]);
    assert!(matches!(built.cameras[2].mount, Mount::Follow(_)));
    near(views[3].position, [0.0, -6.0, 7.0]);
    near(views[3].target, [0.0, 1.0, 5.0]);
    let stereo = built.cameras[2].stereo.expect("two eyes");
    assert_eq!((stereo.eyes, stereo.convergence), (0.07, 9.0));
    assert_eq!(built.cameras[1].angle, 60.0 * std::f64::consts::PI / 180.0);
    let (name, text) = &built.probes[0];
    assert_eq!((name.as_str(), text.get_ref().as_str()), ("height", "bodies.cube.position.z"));
}

/// Pitch and roll of a body do not move the camera that has its heading.
#[test]
fn a_heading_has_neither_pitch_nor_roll() {
    let yaw = DQuat::from_rotation_z(0.7);
    let turned = yaw * DQuat::from_rotation_y(0.4) * DQuat::from_rotation_x(-0.3);
    assert!(heading(turned, DVec3::Z).angle_between(yaw) < 1e-7);
    // on its tail: the roof of a vehicle that rears points back
    let rearing = yaw * DQuat::from_rotation_y(-std::f64::consts::FRAC_PI_2);
    assert!(heading(rearing, DVec3::Z).angle_between(yaw) < 1e-6);
}

#[test]
fn wrong_cameras_are_told() {
    tells(
        "[bodies.b]\nmass = 1\ninertia = [1, 1, 1]\n[cameras.c]\non = \"b\"\nposition = [0, 0, 1]\nfollow = true\nheading = true",
        "s.toml:5:10: the camera has both `follow` and `heading` (leave out `follow` for a camera that moves with the \
         body, `heading` for one that stays)",
    );
    tells(
        "[cameras.c]\nposition = [0, 0, 1]\nfollow = true",
        "s.toml:2:10: the camera has no body to follow (name one: on = \"NAME\")",
    );
    tells(
        "[cameras.c]\nposition = [0, 0, 1]",
        "s.toml:2:10: the orientation of the camera is undefined (give a `target` other than `position`, and an `up` \
         that is not parallel to the line of sight)",
    );
    tells(
        "[cameras.c]\nposition = [0, 1, 1]\nangle = \"200 deg\"\non = \"x\"",
        "s.toml:4:9: `angle` is 3.490658503988659 rad (give 0.01 rad to 3 rad, such as \"40 deg\")\n\
         s.toml:5:6: no body \"x\" (the scene has no bodies: define one as [bodies.NAME])",
    );
}

/// Every corner of what is seen falls into the picture of the camera that stands in for a missing one.
#[test]
fn a_scene_without_camera_is_seen_whole() {
    let built = build(
        "[bodies.ground]\ntype = \"static\"\nshape = { box = { size = [5000, 5000, 1] } }\nposition = [0, 0, -0.5]\n\
         [bodies.mast]\ntype = \"static\"\nshape = { box = { size = [1, 1, 30] } }\nposition = [0, 0, 15]\n\
         [bodies.load]\nmass = 1\nshape = { box = { size = [2, 2, 2] } }\nposition = [20, 3, 6]\n",
    );
    let [camera] = &built.cameras[..] else { panic!("one camera") };
    let view = camera.view(&built.world);
    let forward = (view.target - view.position).normalize();
    let corners = [[0.5, 0.5, 30.0], [-0.5, -0.5, 0.0], [21.0, 4.0, 7.0], [19.0, 2.0, 5.0]];
    for corner in corners.map(DVec3::from_array) {
        let ray = corner - view.position;
        let off = libm::acos(ray.normalize().dot(forward));
        assert!(ray.dot(forward) > 0.0 && off < camera.angle / 2.0, "{corner} is {off} rad off");
    }
    // the ground is not seen whole: then the load would be too small to see
    assert!((view.position - view.target).length() < 100.0);
    // an empty scene has a camera, too
    assert_eq!(build("").cameras.len(), 1);
}
