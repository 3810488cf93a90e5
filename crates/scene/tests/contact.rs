//! What scenes say about contact becomes colliders, surfaces and settings of the model.

use glam::DVec3;
use std::sync::Arc;
use windlass_engine::prelude::{
    Body, ContactParameters, ContactSettings, Edit, FrictionModel, Geometry, ImpactLaw, JointKind,
    PenaltySettings, Shape, Solver,
};
use windlass_scene::files::{Memory, NoFolder};
use windlass_scene::{Built, Buried, parse, parse_with};

fn build(text: &str) -> Built {
    let text = format!("windlass = 2\n{text}");
    parse(&text, "s.toml").and_then(|s| s.build()).unwrap_or_else(|e| panic!("{e}"))
}

fn body<'a>(built: &'a Built, name: &str) -> &'a Body {
    let model = built.world.model();
    model.bodies().get(model.body(name).expect("a body")).expect("there")
}

fn touch(built: &Built, a: &str, b: &str) -> ContactParameters {
    let surfaces = built.world.model().surfaces();
    let number = |name| surfaces.find(name).unwrap_or_else(|| panic!("no surface {name}"));
    surfaces.touch(number(a), number(b))
}

const CUBE: &str = "shape = { box = { size = [1, 1, 1] } }\ndensity = 1";

#[test]
fn shapes_can_be_touched_unless_the_scene_says_otherwise() {
    let counts = |settings: &str| {
        let text = format!(
            "[settings]\n{settings}\n\
             [bodies.plain]\n{CUBE}\n\
             [bodies.off]\ncollide = false\n{CUBE}\n\
             [bodies.on]\ncollide = true\n{CUBE}\n\
             [bodies.parts]\nparts = [{{ mass = 1, at = [0, 0, 1] }}, \
             {{ mass = 1, shape = {{ sphere = {{ radius = 1 }} }} }}, \
             {{ mass = 1, shape = {{ sphere = {{ radius = 2 }} }}, collide = false }}]\n\
             [bodies.weighed]\nmass = 1\ninertia = [1, 1, 1]\nshape = {{ sphere = {{ radius = 1 }} }}\n\
             visuals = [{{ shape = {{ sphere = {{ radius = 3 }} }} }}]\n\
             [bodies.only]\ncollide = false\ncollision = [{{ shape = {{ sphere = {{ radius = 1 }} }}, at = [0, 1, 0] }}]\n{CUBE}\n\
             [bodies.both]\ncollision = [{{ shape = {{ sphere = {{ radius = 1 }} }} }}]\n{CUBE}\n",
        );
        let built = build(&text);
        ["plain", "off", "on", "parts", "weighed", "only", "both"].map(|n| body(&built, n).colliders.len())
    };
    assert_eq!(counts(""), [1, 0, 1, 1, 1, 1, 2]);
    assert_eq!(counts("collide = false"), [0, 0, 1, 0, 0, 0, 0]);
    let built = build(&format!(
        "[bodies.only]\ncollide = false\n\
         collision = [{{ shape = {{ sphere = {{ radius = 2 }} }}, at = [0, 1, 0] }}]\n{CUBE}\n"
    ));
    let only = body(&built, "only");
    assert_eq!(*only.colliders[0].geometry, Geometry::Solid(Shape::Sphere { radius: 2.0 }));
    assert_eq!((only.colliders[0].at, only.mass.mass), (DVec3::Y, 1.0));
    assert_eq!(built.looks[0].solids.len(), 1);
}

#[test]
fn ground_is_a_plane_in_one_line() {
    let built = build(&format!(
        "[bodies]\nground = {{ type = \"static\", shape = {{ plane = {{}} }} }}\n[bodies.box]\nposition = [0, 0, 3]\n{CUBE}"
    ));
    assert_eq!(*body(&built, "ground").colliders[0].geometry, Geometry::HalfSpace);
    // it is drawn below z = 0
    let slab = &built.looks[0].solids[0];
    assert!(matches!(slab.shape, Shape::Box { half } if slab.at.z + half.z == 0.0));
}

#[test]
fn terrain_is_given_by_rows_or_by_a_file() {
    let inline = build(
        "[bodies.hill]\ntype = \"static\"\n\
         shape = { terrain = { heights = [[0, 1, 2], [\"300 cm\", 4, 5]], size = [4, 3] } }\n",
    );
    let wanted = Geometry::HeightField {
        heights: vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
        columns: 3,
        spacing: [2.0, 3.0],
    };
    assert_eq!(*body(&inline, "hill").colliders[0].geometry, wanted);
    inline.looks[0].solids[0].shape.check().expect("drawn as a closed solid");
    let files = Memory::new().with("hill.csv", "0, 10, 20\n30, 40, 50\n");
    let text = "windlass = 2\n[bodies.hill]\ntype = \"static\"\n\
                shape = { terrain = { file = \"hill.csv\", scale = 0.1, spacing = [2, 3] } }\n";
    let scene = parse_with(text, "s.toml", Arc::new(files), &[]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(scene.assets().into_iter().collect::<Vec<_>>(), ["hill.csv"]);
    let built = scene.build().unwrap_or_else(|e| panic!("{e}"));
    let Geometry::HeightField { heights, .. } = &*body(&built, "hill").colliders[0].geometry else {
        panic!("a terrain")
    };
    assert_eq!(heights.len(), 6);
    assert!((heights[5] - 5.0).abs() < 1e-12);
}

#[test]
fn open_meshes_are_surfaces_of_fixed_bodies() {
    let mesh =
        "shape = { mesh = { vertices = [[0,0,0],[1,0,0],[0,1,0]], triangles = [[0,1,2]], open = true } }";
    let built = build(&format!("[bodies.sheet]\ntype = \"static\"\n{mesh}\n"));
    let geometry = &body(&built, "sheet").colliders[0].geometry;
    assert!(matches!(&**geometry, Geometry::Surface { triangles, .. } if triangles == &[[0, 1, 2]]));
    built.looks[0].solids[0].shape.check().expect("drawn as a thin solid");
}

/// The hulls of a pattern are one, so that a thousand stones are not a thousand meshes.
#[test]
fn what_is_written_alike_is_shared() {
    let built = build(
        "[patterns.p]\ncount = 2\n[patterns.p.bodies.\"b{i}\"]\nmass = 1\n\
         shape = { convex = { points = [[0,0,0],[1,0,0],[0,1,0],[0,0,1]] } }\n",
    );
    let [a, b] = ["b0", "b1"].map(|name| body(&built, name).colliders[0].geometry.clone());
    assert!(Arc::ptr_eq(&a, &b));
}

#[test]
fn surfaces_are_materials_or_names_and_contacts_say_how_they_touch() {
    let built = build(&format!(
        "[materials.tread]\nlike = \"rubber\"\nfriction = 1.1\n\
         [[contacts]]\nbetween = [\"deck\", \"tread\"]\nfriction = {{ static = 0.8, kinetic = 0.6 }}\nfriction_ratio_across = 2\n\
         stiffness = \"1 MN/m\"\ndamping = \"2 kN*s/m\"\nadhesion = \"3 N\"\nslip_compliance = \"1e-4 m/s/N\"\n\
         rolling_resistance_length = \"5 mm\"\ntorsional_resistance_length = \"1 mm\"\n\
         [[contacts]]\nbetween = [\"deck\", \"steel\"]\nrestitution = 0.25\n\
         [[contacts]]\nbetween = [\"mat\", \"steel\"]\nstiffness_per_area = \"1 MN/m^3\"\ndamping_per_area = \"1 kN*s/m^3\"\n\
         [bodies.deck]\nmaterial = \"steel\"\nsurface = \"deck\"\n{CUBE}\n\
         [bodies.mat]\nsurface = \"mat\"\n{CUBE}\n\
         [bodies.wheel]\nmaterial = \"tread\"\n{CUBE}\n\
         [bodies.plain]\n{CUBE}\n\
         [bodies.mixed]\nmaterial = \"steel\"\nsurface = \"deck\"\n\
         parts = [{{ mass = 1, shape = {{ sphere = {{ radius = 1 }} }}, material = \"aluminium\" }}, \
         {{ mass = 1, shape = {{ sphere = {{ radius = 1 }} }} }}, \
         {{ mass = 1, shape = {{ sphere = {{ radius = 1 }} }}, surface = \"steel\" }}]\n"
    ));
    let surfaces = built.world.model().surfaces();
    let name = |body_: &str, k: usize| surfaces.name(body(&built, body_).colliders[k].surface);
    assert_eq!([name("deck", 0), name("wheel", 0), name("plain", 0)], ["deck", "tread", ""]);
    // a material of its own is a surface of its own; the body's name is for the others
    assert_eq!([name("mixed", 0), name("mixed", 1), name("mixed", 2)], ["aluminium", "deck", "steel"]);
    let t = touch(&built, "tread", "deck");
    assert_eq!((t.stick, t.slide, t.across, t.restitution), (0.8, 0.6, 2.0, 0.0));
    assert_eq!(t.spring.map(|s| (s.stiffness, s.damping)), Some((1e6, 2e3)));
    assert_eq!((t.adhesion, t.slip, t.rolling, t.spinning), (3.0, 1e-4, 0.005, 0.001));
    assert_eq!(touch(&built, "steel", "deck").restitution, 0.25);
    let bed = touch(&built, "steel", "mat").bedding;
    assert_eq!(bed.map(|s| (s.stiffness, s.damping)), Some((1e6, 1e3)));
    // listed pairs of the library, one material with itself, and the rule
    assert_eq!(
        (touch(&built, "steel", "aluminium").stick, touch(&built, "steel", "aluminium").slide),
        (0.61, 0.47)
    );
    assert_eq!(touch(&built, "tread", "tread").stick, 1.1);
    let rubber = built.materials.get("tread").expect("tread").restitution;
    assert_eq!(touch(&built, "tread", "tread").restitution, rubber);
    assert_eq!(touch(&built, "tread", "").stick, (1.1_f64 * 0.5).sqrt());
    // what nobody calls bouncy is dead, and so is everything on it
    assert_eq!(touch(&built, "tread", "").restitution, 0.0);
}

#[test]
fn groups_become_bits_and_masks() {
    let built = build(&format!(
        "[bodies.a]\ngroups = [\"robot\"]\nignores = [\"robot\"]\n{CUBE}\n\
         [bodies.b]\ngroups = [\"robot\"]\nignores = [\"robot\"]\n{CUBE}\n\
         [bodies.c]\n{CUBE}\n\
         [bodies.d]\ngroups = [\"ghost\"]\ncollides_with = [\"default\"]\n{CUBE}\n\
         [bodies.zone]\ntrigger = true\nsurface_velocity = [0, \"2 m/s\", 0]\ngrain = [0, 0, 3]\n{CUBE}\n"
    ));
    let [a, b, c, d, zone] = ["a", "b", "c", "d", "zone"].map(|name| body(&built, name).colliders[0].clone());
    assert!(!a.meets(&b) && a.meets(&c) && c.meets(&b) && d.meets(&c) && !d.meets(&a) && !d.meets(&d));
    assert!(zone.trigger && !a.trigger);
    assert_eq!((zone.belt, zone.grain), (DVec3::Y * 2.0, DVec3::Z));
}

#[test]
fn settings_and_bodies_choose_solvers() {
    let built = build(&format!(
        "[settings]\ncontact = {{ margin = \"1 mm\", max_depenetration_speed = 2, friction = \"box-once\", solver = \"split\", solver_iterations = 7, substeps = 3, sequential_impacts = true, \
         penalty = {{ collision = \"spring\", frequency = \"200 Hz\", damping = 0.5, creep = \"1 mm/s\", gravity_noise = \"0.1 %\" }} }}\n\
         [bodies.a]\nsolver = \"iterative\"\npartition = 3\n{CUBE}\n[bodies.b]\n{CUBE}\n"
    ));
    let wanted = ContactSettings {
        margin: 0.001,
        recovery: 2.0,
        friction: FrictionModel::BoxOnce,
        solver: Solver::Split,
        solver_iterations: 7,
        substeps: 3,
        serial: true,
        penalty: PenaltySettings {
            collision: ImpactLaw::Spring,
            frequency: 200.0,
            damping: 0.5,
            creep: 0.001,
            gravity_noise: 0.001,
        },
    };
    assert_eq!(built.world.model().settings().contact, wanted);
    let [a, b] = ["a", "b"].map(|name| (body(&built, name).solver, body(&built, name).partition));
    assert_eq!((a, b), ((Some(Solver::Iterative), 3), (None, 0)));
    assert_eq!(build("").world.model().settings().contact, ContactSettings::default());
}

/// A body below ground is told, unless a joint or a group keeps the two from touching.
#[test]
fn bodies_below_ground_are_told() {
    let buried = |more: &str, joint: &str| {
        let ground = "[bodies.ground]\ntype = \"static\"\nshape = { plane = {} }\nposition = [0, 0, 1]";
        build(&format!("{ground}\n[bodies.box]\nposition = [0, 0, -1]\n{CUBE}\n{more}\n{joint}")).buried()
    };
    let wanted = Buried { body: "box".to_string(), plane: "ground".to_string(), depth: 1.5 };
    assert_eq!(buried("", ""), [wanted]);
    for more in ["collide = false", "trigger = true", "groups = [\"a\"]\ncollides_with = [\"a\"]"] {
        assert_eq!(buried(more, ""), [], "{more}");
    }
    let joint = "[joints.j]\nball = { bodies = [\"ground\", \"box\"], at = [0, 0, 0] }";
    assert_eq!(buried("", joint), []);
}

/// A new surface in a running world leaves the numbers of the others, and hence all other bodies, alone.
#[test]
fn changes_of_contact_edit_only_what_differs() {
    let text = |contacts: &str, first: &str| {
        let text = format!(
            "windlass = 2\n[[contacts]]\nbetween = [\"a\", \"b\"]\nfriction = 0.5\n{contacts}\n\
             [bodies.x]\nsurface = \"{first}\"\n{CUBE}\n[bodies.y]\nposition = [3, 0, 0]\nsurface = \"b\"\n{CUBE}\n"
        );
        parse_with(&text, "s.toml", Arc::new(NoFolder), &[]).unwrap_or_else(|e| panic!("{e}"))
    };
    let old = text("", "a");
    let mut built = old.build().unwrap_or_else(|e| panic!("{e}"));
    let new = text("[[contacts]]\nbetween = [\"c\", \"b\"]\nfriction = 0.25", "c");
    let edits = built.change(&old, &new).unwrap_or_else(|e| panic!("{e}")).edits;
    let [Edit::SetSurfaces(_), Edit::SetBody(id, _)] = &edits[..] else { panic!("{edits:?}") };
    assert_eq!(built.world.model().bodies().get(*id).expect("x").name, "x");
    assert_eq!(touch(&built, "b", "c").stick, 0.25);
    // and back; nothing else, and then nothing at all
    let edits = built.change(&new, &old).unwrap_or_else(|e| panic!("{e}")).edits;
    assert!(matches!(&edits[..], [Edit::SetSurfaces(_), Edit::SetBody(..)]), "{edits:?}");
    assert_eq!(touch(&built, "a", "b").stick, 0.5);
    assert!(built.change(&old, &old).unwrap_or_else(|e| panic!("{e}")).edits.is_empty());
}

#[test]
fn every_key_survives_writing() {
    let text = r##"
        windlass = 2
        [settings]
        collide = false
        contact = { margin = "1 mm", max_depenetration_speed = 2, friction = "box", solver = "direct", solver_iterations = 7, substeps = 3, sequential_impacts = true, penalty = { collision = "impulse", frequency = "50 Hz", damping = 1, creep = "1 mm/s", gravity_noise = 1e-4 } }
        [materials.m]
        like = "steel"
        friction = 0.5
        [[contacts]]
        between = ["m", "skin"]
        friction = { static = 0.8, kinetic = 0.6 }
        friction_ratio_across = 2
        stiffness = "1 MN/m"
        damping = 3
        adhesion = 1
        slip_compliance = "1e-4 m/s/N"
        rolling_resistance_length = "5 mm"
        torsional_resistance_length = 1e-3
        [[contacts]]
        between = ["m", "m"]
        friction = "30 %"
        restitution = 0.5
        [bodies]
        ground = { type = "static", shape = { plane = { size = [3, 4] } }, collide = true, surface = "skin", surface_velocity = [1, 0, 0], grain = [0, 1, 0] }
        hill = { type = "static", shape = { terrain = { heights = [[0, 1], [2, "3 ft"]], spacing = [1, 1] } } }
        sheet = { type = "static", shape = { mesh = { vertices = [[0,0,0],[1,0,0],[0,1,0]], triangles = [[0,1,2]], open = true } } }
        a = { mass = 1, inertia = [1, 1, 1], position = [0, 0, 9], collision = [{ shape = { sphere = { radius = 1 } }, at = [1, 0, 0], rotation = { axis = [0, 0, 1], angle = 1 }, material = "m", trigger = true, groups = ["g"], collides_with = ["g"], ignores = ["default"] }], solver = "split", partition = 2 }
    "##;
    let scene = parse(text, "s.toml").unwrap_or_else(|e| panic!("{e}"));
    let written = scene.to_toml();
    let again = parse(&written, "again.toml").unwrap_or_else(|e| panic!("{e}\n{written}"));
    assert!(again == scene, "{written}");
    assert_eq!(again.to_toml(), written);
    again.build().unwrap_or_else(|e| panic!("{e}"));
    let other = parse(&text.replace("friction = \"30 %\"", "friction = \"31 %\""), "s.toml").expect("sound");
    assert!(other != scene);
}

/// How contacts are solved may change while the world runs.
#[test]
fn methods_of_contact_change_in_a_running_world() {
    let text = |contact: &str| {
        let text = format!("windlass = 2\n[settings]\ncontact = {{ {contact} }}\n[bodies.a]\n{CUBE}\n");
        parse(&text, "s.toml").unwrap_or_else(|e| panic!("{e}"))
    };
    let old = text("penalty = { frequency = 50 }");
    let mut built = old.build().unwrap_or_else(|e| panic!("{e}"));
    let new = text("sequential_impacts = true, penalty = { frequency = 50, collision = \"spring\" }");
    let edits = built.change(&old, &new).unwrap_or_else(|e| panic!("{e}")).edits;
    assert!(matches!(&edits[..], [Edit::SetSettings(_)]), "{edits:?}");
    let contact = built.world.model().settings().contact;
    assert!(contact.serial);
    assert_eq!((contact.penalty.collision, contact.penalty.frequency), (ImpactLaw::Spring, 50.0));
}

/// A hand holds a load with what its keys say, and takes it elsewhere when the scene changes.
#[test]
fn a_grab_pulls_to_its_target() {
    let text = |to: &str, more: &str| {
        let text = format!(
            "windlass = 2\n[bodies.hand]\ntype = \"static\"\nposition = [0, 0, 1]\n[bodies.load]\n\
             position = [1, 0, 0]\nmass = 2\ninertia = [1, 1, 1]\n\
             [joints.pull]\ndrag_spring = {{ bodies = [\"hand\", \"load\"], to = {to}{more} }}\n"
        );
        parse(&text, "s.toml").unwrap_or_else(|e| panic!("{e}"))
    };
    let old = text(
        "[1, 0, 2]",
        ", stiffness = \"1 kN/m\", damping = 80, force = \"50 N\", orientation = true, torque = 3",
    );
    let mut built = old.build().unwrap_or_else(|e| panic!("{e}"));
    let JointKind::Tether(grab) =
        built.world.model().joints().get(built.joints[0]).expect("one").kind.clone()
    else {
        panic!("a grab")
    };
    assert_eq!((grab.anchors[0].at, grab.anchors[1].at), (DVec3::new(1.0, 0.0, 1.0), DVec3::ZERO));
    assert_eq!(grab.spring.map(|s| (s.stiffness, s.damping)), Some((1000.0, 80.0)));
    assert_eq!((grab.force, grab.orientation, grab.torque), (Some(50.0), true, Some(3.0)));
    let sag = 2.0 * 9.81 / 1000.0;
    let place = |built: &mut Built| {
        for _ in 0..240 {
            assert!(built.world.step().fault.is_none());
        }
        built.world.state().bodies[built.bodies[1].index()].position
    };
    let at = place(&mut built);
    assert!((at - DVec3::new(1.0, 0.0, 2.0 - sag)).length() < 1e-3, "{at}");
    // in another place, with another spring: as soft as its mass asks for
    let new = text("[0, 1, 2]", "");
    let edits = built.change(&old, &new).unwrap_or_else(|e| panic!("{e}")).edits;
    assert!(matches!(&edits[..], [Edit::SetJoint(..)]), "{edits:?}");
    let at = place(&mut built);
    let sag = 9.81 / (std::f64::consts::TAU * 3.0).powi(2);
    assert!((at - DVec3::new(0.0, 1.0, 2.0 - sag)).length() < 1e-3, "{at}");
}
