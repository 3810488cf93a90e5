//! Includes, parameters, expressions, patterns, prefabs and overrides make the scene that a patient writer would have
//! written by hand.

use glam::{DQuat, DVec3};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;
use windlass_engine::prelude::{JointKind, Motion};
use windlass_scene::files::{Memory, NoFolder};
use windlass_scene::{Built, Errors, Override, Scene, parse, parse_with, read, read_with};

#[track_caller]
fn scene(text: &str) -> Scene {
    parse(text, "s.toml").unwrap_or_else(|e| panic!("{e}"))
}

#[track_caller]
fn build(text: &str) -> Built {
    scene(text).build().unwrap_or_else(|e| panic!("{e}"))
}

fn told(text: &str) -> String {
    parse(text, "s.toml").and_then(|s| s.build().map(drop)).expect_err("it is wrong").to_string()
}

/// Files by path.
fn files(list: &[(&str, &str)]) -> Memory {
    list.iter().fold(Memory::new(), |files, (path, text)| files.with(path, *text))
}

/// A scene with files of its own.
fn with_files(text: &str, name: &str, files: &Memory) -> Result<Scene, Errors> {
    parse_with(text, name, Arc::new(files.clone()), &[])
}

fn set(key: &str, value: &str) -> Override {
    Override { key: key.to_string(), value: value.to_string() }
}

/// Runs for some steps; the hash of the state at the end.
fn run(built: &mut Built, steps: usize) -> u64 {
    for _ in 0..steps {
        assert!(built.world.step().fault.is_none());
    }
    built.world.state().hash()
}

/// Names of bodies, then of joints, then of forces.
fn names(scene: &Scene) -> Vec<&str> {
    let bodies = scene.bodies.iter().map(|e| e.name.as_str());
    let joints = scene.joints.iter().map(|e| e.name.as_str());
    bodies.chain(joints).chain(scene.forces.iter().map(|e| e.name.as_str())).collect()
}

const CHAIN: &str = r#"
windlass = 2
[bodies.link0]
type = "static"
[patterns.chain]
count = 40
from = 1
bodies."link{i}" = { position = ["= (i - 0.5) * 20 cm", 0, 0], shape = { box = { size = ["20 cm", "4 cm", "4 cm"] } }, density = 7850 }
joints."pin{i}" = { hinge = { bodies = ["link{i-1}", "link{i}"], at = ["= (i - 1) * 20 cm", 0, 0], axis = [0, 1, 0] } }
"#;

#[test]
fn a_chain_by_pattern_is_the_chain_by_hand() {
    let mut by_hand = "windlass = 2\n[bodies]\nlink0 = { type = \"static\" }\n".to_string();
    for i in 1..=40 {
        let x = (f64::from(i) - 0.5) * 0.2;
        by_hand += &format!(
            "link{i} = {{ position = [{x:?}, 0, 0], shape = {{ box = {{ size = [0.2, 0.04, 0.04] }} }}, density = 7850 }}\n"
        );
    }
    by_hand += "[joints]\n";
    for i in 1..=40 {
        let x = f64::from(i - 1) * 0.2;
        let before = i - 1;
        by_hand += &format!(
            "pin{i} = {{ hinge = {{ bodies = [\"link{before}\", \"link{i}\"], at = [{x:?}, 0, 0], axis = [0, 1, 0] }} }}\n"
        );
    }
    assert_eq!(names(&scene(CHAIN)), names(&scene(&by_hand)));
    assert_eq!(run(&mut build(CHAIN), 100), run(&mut build(&by_hand), 100));
    // five lines after its header
    let lines = CHAIN.lines().skip_while(|l| !l.starts_with("[patterns"));
    assert!(lines.count() - 1 <= 5);
}

#[test]
fn parameters_reach_every_kind_of_value() {
    let built = build(
        r#"windlass = 2
        [parameters]
        kind = "dynamic"
        length = "25 mm"
        double = "= 2 * length + 5 mm"
        n = 3
        heavy = true
        [settings]
        dt = "= 1 s / (60 * n)"
        gravity = [0, 0, "= -9.81 m/s^2 / n"]
        [bodies."box {n}"]
        type = "= kind"
        gravity = "= heavy"
        position = ["= double", "= length", "= n"]
        shape = { box = { size = ["= double", "= double", "= double"] } }
        mass = "{n} kg"
        [bodies."{{brace}}"]
        type = "static""#,
    );
    let model = built.world.model();
    let names: Vec<_> = model.bodies().iter().map(|(_, b)| b.name.as_str()).collect();
    assert_eq!(names, ["box 3", "{brace}"]);
    let at = built.world.state().bodies[0].position;
    assert!((at - DVec3::new(0.055, 0.025, 3.0)).length() < 1e-15);
    assert_eq!(model.bodies().get(built.bodies[0]).map(|b| (b.mass.mass, b.gravity)), Some((3.0, true)));
    assert!((model.settings().dt - 1.0 / 180.0).abs() < 1e-18);
    assert!((model.settings().gravity.z + 3.27).abs() < 1e-12);
}

#[test]
fn patterns_nest_and_hold_instances() {
    let scene = scene(
        r#"windlass = 2
        [patterns.row]
        count = 2
        [patterns.row.patterns.column]
        count = "= i + 1"
        index = "j"
        from = 5
        bodies."post{i}_{j}" = { type = "static" }
        [patterns.cranes]
        count = 2
        instances."crane{i}" = { prefab = "crane", position = ["= 3 * i", 0, 0], parameters = { height = "= i + 1" } }
        [prefabs.crane]
        parameters = { height = "1 m" }
        bodies.mast = { type = "static", position = [0, 0, "= height / 2"] }"#,
    );
    let wanted = ["post0_5", "post1_5", "post1_6", "crane0.mast", "crane1.mast"];
    assert_eq!(names(&scene), wanted);
    let built = scene.build().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(built.world.state().bodies[4].position, DVec3::new(3.0, 0.0, 1.0));
}

/// A prefab with everything that has a place or a direction.
const PREFAB: &str = r#"
[prefabs.rig.bodies]
base = { type = "static", position = [0, 0, 1] }
arm = { position = [1, 0, 1], velocity = [0, 0.5, 0], angular_velocity = [0, 0, 0.5], shape = { box = { size = [2, 0.2, 0.2] } }, mass = 3 }
bob = { position = [2, 0, 0], rotation = { axis = [0, 0, 1], angle = "30 deg" }, shape = { box = { size = [0.1, 0.2, 0.3] } }, mass = 2 }
cart = { type = "kinematic", position = [0, 3, 0], path = { x = { sine = { amplitude = 1, frequency = 0.5 } }, z = { smooth = { from = 0, to = 1, end = 2 } }, axis = [0, 1, 0], angle = { ramp = { speed = 1 } } } }
rider = { position = [0, 3, -1], shape = { sphere = { radius = 0.2 } }, mass = 1 }
[prefabs.rig.joints]
pivot = { hinge = { bodies = ["base", "arm"], at = [0, 0, 1], axis = [0, 0, 1], motor = { speed = 1, force = 20 } } }
bend = { universal = { bodies = ["arm", "bob"], at = [2, 0, 1], axes = [[1, 0, 0], [0, 1, 0]] } }
hang = { distance = { bodies = ["cart", "rider"], points = [[0, 3, 0], [0, 3, -0.8]], max = 0.8 } }
[prefabs.rig.forces]
push = { applied = { body = "bob", force = [0, 5, 1], torque = [0, 0, 1], at = [2, 0.1, 0] } }
pull = { spring = { bodies = ["ground", "bob"], points = [[2, 2, 0], [2, 0, 0]], stiffness = 20 } }
"#;

/// The same run in turned axes: every body of the instance moves as that of the scene does, seen from its axes.
#[test]
fn an_instance_is_the_same_world_seen_from_its_axes() {
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -1.0).normalize(), 0.7);
    let at = DVec3::new(5.0, -3.0, 2.0);
    let g = turn * DVec3::new(0.0, 0.0, -9.81);
    let start = "windlass = 2\n[bodies.ground]\ntype = \"static\"\n";
    let straight = format!("{start}{PREFAB}[instances.rig]\nprefab = \"rig\"\n");
    let turned = format!(
        "{start}{PREFAB}[settings]\ngravity = [{:?}, {:?}, {:?}]\n[instances.rig]\nprefab = \"rig\"\n\
         position = [5, -3, 2]\nrotation = {{ axis = [1, 2, -1], angle = 0.7 }}\n",
        g.x, g.y, g.z
    );
    let (mut a, mut b) = (build(&straight), build(&turned));
    run(&mut a, 120);
    run(&mut b, 120);
    for (k, (x, y)) in a.world.state().bodies.iter().zip(&b.world.state().bodies).enumerate().skip(1) {
        assert!((at + turn * x.position - y.position).length() < 1e-8, "body {k}");
        assert!((turn * x.velocity - y.velocity).length() < 1e-7, "body {k}");
        assert!((turn * x.angular_velocity - y.angular_velocity).length() < 1e-7, "body {k}");
        assert!((turn * x.orientation).dot(y.orientation).abs() > 1.0 - 1e-12, "body {k}");
    }
}

#[test]
fn names_are_looked_up_from_the_inside_out() {
    let text = |own: &str| {
        format!(
            r#"windlass = 2
            [bodies.ground]
            type = "static"
            [prefabs.inner.bodies]
            {own}
            bob = {{ shape = {{ sphere = {{ radius = 1 }} }}, mass = 1 }}
            [prefabs.inner.joints]
            pin = {{ ball = {{ bodies = ["ground", "bob"], at = [0, 0, 0] }} }}
            gear = {{ gear = {{ joints = ["h1", "h2"], ratio = 2 }} }}
            h1 = {{ hinge = {{ bodies = ["ground", "bob"], at = [0, 0, 0], axis = [0, 0, 1] }} }}
            h2 = {{ hinge = {{ bodies = ["post", "bob"], at = [0, 0, 0], axis = [0, 0, 1] }} }}
            [prefabs.outer.bodies]
            post = {{ type = "static" }}
            [prefabs.outer.instances]
            in = {{ prefab = "inner" }}
            [instances.out]
            prefab = "outer""#
        )
    };
    let base_of = |text: &str| {
        let built = build(text);
        let model = built.world.model();
        let body = |joint: &str| {
            let joint = model.joints().get(model.joint(joint).expect("a joint")).expect("it is there");
            let anchor = joint.constraint().anchors()[0];
            model.bodies().get(anchor.body).expect("a body").name.clone()
        };
        (body("out.in.pin"), body("out.in.h2"))
    };
    assert_eq!(base_of(&text("")), ("ground".to_string(), "out.post".to_string()));
    assert_eq!(base_of(&text("ground = { type = \"static\" }")).0, "out.in.ground");
}

#[test]
fn included_files_merge_and_errors_name_them() {
    let top =
        "windlass = 2\ninclude = [\"lib/hook.toml\", \"lib/rope.toml\"]\n[parameters]\nload = \"2 t\"\n";
    let loader = files(&[
        (
            "lib/hook.toml",
            "windlass = 2\ninclude = [\"rope.toml\", \"../base.toml\"]\n[bodies.hook]\nmass = \"= load\"\nshape = { sphere = { radius = 1 } }\n",
        ),
        (
            "lib/rope.toml",
            "windlass = 2\n[joints.rope]\nball = { bodies = [\"base\", \"hook\"], at = [0, 0, 0] }\n",
        ),
        ("base.toml", "windlass = 2\n[bodies.base]\ntype = \"static\"\n"),
    ]);
    let scene = with_files(top, "dir/s.toml", &loader).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(names(&scene), ["base", "hook", "rope"]);
    let built = scene.build().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(built.world.model().bodies().get(built.bodies[1]).map(|b| b.mass.mass), Some(2000.0));
    // all that was read, each once, as a recording keeps it
    let sources: Vec<_> = scene.sources.iter().map(|s| (s.name.as_str(), s.path.as_deref())).collect();
    let wanted = [
        ("dir/s.toml", Some("s.toml")),
        ("dir/lib/hook.toml", Some("lib/hook.toml")),
        ("dir/lib/rope.toml", Some("lib/rope.toml")),
        ("dir/base.toml", Some("base.toml")),
    ];
    assert_eq!(sources, wanted);
    // and it can be read again from that
    let kept = scene.sources.iter().filter_map(|s| Some((s.path.as_deref()?, &*s.text))).collect::<Vec<_>>();
    let again = with_files(top, "s.toml", &files(&kept)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(names(&again), names(&scene));

    // problems of both stages point into the right file
    let loader = loader.with(
        "base.toml",
        "windlass = 2\n\n[bodies.base]\nmass = -1\ntype = \"static\"\nshape = { sphere = { radius = 1 } }\n",
    );
    let errors = with_files(top, "dir/s.toml", &loader).and_then(|s| s.build().map(drop)).expect_err("bad");
    assert_eq!(errors.to_string(), "dir/base.toml:4:8: `mass` is -1 (give more than 0 kg)");
    let loader = loader.with("base.toml", "windlass = 2\nä = \"ö\n");
    let errors = with_files(top, "dir/s.toml", &loader).expect_err("bad");
    assert!(errors.to_string().starts_with("dir/base.toml:2:"), "{errors}");
}

#[test]
fn text_without_a_folder_includes_nothing() {
    assert_eq!(
        told("windlass = 2\ninclude = [\"a.toml\"]"),
        "s.toml:2:12: \"a.toml\" cannot be read: this scene has no folder \
         (save the scene as a file and read it from there)"
    );
}

#[test]
fn includes_are_bounded() {
    // a tower of files
    let text = |k: usize| format!("windlass = 2\ninclude = [\"f{}.toml\"]\n", k + 1);
    let tower = (0..20).fold(Memory::new(), |files, k| files.with(&format!("f{k}.toml"), text(k)));
    let errors = with_files(&text(0), "f0.toml", &tower).expect_err("deep");
    assert!(errors.to_string().contains("includes are nested more than 8 deep"), "{errors}");
    // files that are too large together
    let large = format!("windlass = 2\n#{}\n", "x".repeat(6 << 20));
    let many = files(&[("a.toml", &large), ("b.toml", &large), ("c.toml", &large)]);
    let top = "windlass = 2\ninclude = [\"a.toml\", \"b.toml\", \"c.toml\"]\n";
    let errors = with_files(top, "s.toml", &many).expect_err("large");
    assert!(
        errors
            .to_string()
            .contains("s.toml:2:32: the scene and its included files have more than 16777216 bytes"),
        "{errors}"
    );
}

#[cfg(unix)]
#[test]
fn includes_stay_in_the_folder_whatever_links_say() {
    use std::fs;
    use std::os::unix::fs::symlink;
    let desk = tempfile::tempdir().expect("a folder");
    let inside = desk.path().join("scene");
    fs::create_dir(&inside).expect("a folder");
    fs::write(desk.path().join("outside.toml"), "windlass = 2\n[bodies.secret]\ntype = \"static\"\n")
        .expect("a file");
    fs::write(inside.join("part.toml"), "windlass = 2\n[bodies.part]\ntype = \"static\"\n").expect("a file");
    symlink("../outside.toml", inside.join("link.toml")).expect("a link");
    symlink("part.toml", inside.join("alias.toml")).expect("a link");
    let status = std::process::Command::new("mkfifo").arg(inside.join("pipe.toml")).status().expect("mkfifo");
    assert!(status.success());
    let includes = |path: &str| {
        let top = inside.join("top.toml");
        fs::write(&top, format!("windlass = 2\ninclude = [\"{path}\"]\n")).expect("a file");
        read(&top).map(|s| names(&s).join(" ")).map_err(|e| e.to_string())
    };
    assert_eq!(includes("part.toml").as_deref(), Ok("part"));
    assert_eq!(includes("alias.toml\", \"part.toml").as_deref(), Ok("part"), "one file, once");
    let refused = |path: &str, why: &str| {
        let told = includes(path).expect_err(path);
        assert!(told.contains(why), "{told}");
    };
    refused("link.toml", "is outside the scene's folder");
    refused("../outside.toml", "is outside the scene's folder");
    refused(
        &desk.path().join("outside.toml").display().to_string(),
        "is not a valid path within the scene's folder",
    );
    refused("pipe.toml", "is not a file");
    refused("", "is not a valid path within");
    refused("part.toml/../../outside.toml", "is outside the scene's folder");
    refused("top.toml", "files include each other in a cycle: top.toml → top.toml");
    // the same by a link to the scene itself
    symlink("top.toml", inside.join("self.toml")).expect("a link");
    refused("self.toml", "in a cycle");
}

#[test]
fn overrides_stand_instead() {
    let text = format!(
        "{CHAIN}{PREFAB}[bodies.ground]\ntype = \"static\"\n[instances.left]\nprefab = \"rig\"\n[parameters]\nsize = \"1 m\"\nfar = \"= 2 * size\"\n[bodies.\"a.b\"]\ntype = \"static\"\nposition = [\"= far\", 0, 0]\n"
    );
    let with = |list: &[Override]| {
        parse_with(&text, "s.toml", Arc::new(NoFolder), list)
            .and_then(|s| s.build())
            .unwrap_or_else(|e| panic!("{e}"))
    };
    let built = with(&[
        set("settings.dt", "2 ms"),
        set("parameters.size", "3 m"),
        set("bodies.link7.density", "= 2 * 1 g/cm^3"),
        set("bodies.left.arm.mass", "7"),
        set("bodies.\"a.b\".position.1", "\"50 cm\""),
        set("joints.left.pivot.hinge.motor.speed", "60 rpm"),
        set("joints.pin3.hinge.limits", "{ low = \"-10 deg\", high = \"10 deg\" }"),
        set("joints.pin4.hinge.motor.speed", "5"),
        set("forces.left.push.applied.until", "3 s"),
        set("bodies.left.arm.gravity", "false"),
    ]);
    let model = built.world.model();
    let body = |name: &str| model.bodies().get(model.body(name).expect(name)).expect(name);
    assert_eq!(model.settings().dt, 2e-3);
    assert!((body("link7").mass.mass - 2000.0 * 0.2 * 0.04 * 0.04).abs() < 1e-12);
    assert_eq!((body("left.arm").mass.mass, body("left.arm").gravity), (7.0, false));
    let place = built.world.state().bodies[model.body("a.b").expect("there").index()].position;
    assert_eq!(place, DVec3::new(6.0, 0.5, 0.0));
    let axis = |name: &str| {
        let joint = model.joints().get(model.joint(name).expect(name)).expect(name);
        joint.constraint().axes()[0].clone()
    };
    assert!(
        format!("{:?}", axis("left.pivot").drive)
            .starts_with("Speed { speed: 6.283185307179586, force: 20.0")
    );
    assert!(axis("pin3").limits.is_some());
    assert!(format!("{:?}", axis("pin4").drive).starts_with("Speed { speed: 5.0"));
    // a pattern's count is a parameter of the pattern
    assert_eq!(with(&[set("patterns.chain.count", "7")]).world.model().joint("pin8"), None);
}

#[test]
fn an_override_is_split_at_the_first_sign_outside_quotes() {
    let parsed: Override = "bodies.\"a=b\".mass = \"= 2 * m\"".parse().expect("one");
    assert_eq!(parsed, set("bodies.\"a=b\".mass", "\"= 2 * m\""));
    assert!("settings.dt".parse::<Override>().is_err());
}

#[test]
fn read_with_takes_overrides_from_the_outside() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/crane/two_cranes.toml");
    let scene = read_with(&path, &[set("instances.small.parameters.load", "500 kg")])
        .unwrap_or_else(|e| panic!("{e}"));
    let built = scene.build().unwrap_or_else(|e| panic!("{e}"));
    let model = built.world.model();
    let load = model.bodies().get(model.body("small.load").expect("a load")).expect("it is there");
    assert_eq!(load.mass.mass, 500.0);
    assert_eq!(
        scene.sources.iter().last().map(|s| (s.name.as_str(), s.path.is_none())),
        Some(("--set instances.small.parameters.load", true))
    );
}

#[test]
fn a_driven_body_keeps_simple_motions_where_it_can() {
    // outside of instances nothing is rewritten
    let built =
        build("windlass = 2\n[bodies.cart]\ntype = \"kinematic\"\npath = { x = { ramp = { speed = 1 } } }\n");
    let body = built.world.model().bodies().get(built.bodies[0]).expect("there");
    let windlass_engine::prelude::MotionType::Kinematic(path) = &body.kind else { panic!("driven") };
    assert!(matches!(path.position[0], Motion::Ramp { .. }));
    // inside, all kinds of motion are turned along
    let motions = [
        "constant = 2",
        "ramp = { start = 1, speed = 2 }",
        "polynomial = [1, 2, 3]",
        "sine = { mean = 1, amplitude = 2, frequency = 3, phase = 1 }",
        "smooth = { from = 1, to = 4, end = 2 }",
        "table = { times = [0, 1, 3], values = [1, 5, 2] }",
        "sum = [{ constant = 1 }, { ramp = { speed = 2 } }]",
    ];
    for motion in motions {
        let text = format!(
            "windlass = 2\n[prefabs.p.bodies.cart]\ntype = \"kinematic\"\nposition = [0, 1, 0]\npath = {{ x = {{ {motion} }} }}\n\
             [instances.i]\nprefab = \"p\"\nposition = [0, 0, 5]\nrotation = {{ axis = [0, 0, 1], angle = \"90 deg\" }}\n"
        );
        let plain = build(&text.replace("rotation =", "# rotation =").replace("[0, 0, 5]", "[0, 0, 0]"));
        let turned = build(&text);
        let path =
            |built: &Built| match &built.world.model().bodies().get(built.bodies[0]).expect("there").kind {
                windlass_engine::prelude::MotionType::Kinematic(path) => path.clone(),
                _ => panic!("driven"),
            };
        let turn = DQuat::from_rotation_z(FRAC_PI_2);
        for t in [0.0, 0.7, 1.9] {
            let (a, b) = (path(&plain).at(t), path(&turned).at(t));
            assert!((turn * a.position + DVec3::Z * 5.0 - b.position).length() < 1e-12, "{motion}");
            assert!((turn * a.velocity - b.velocity).length() < 1e-12, "{motion}");
            assert!((turn * a.acceleration - b.acceleration).length() < 1e-10, "{motion}");
        }
    }
}

#[test]
fn a_soft_weld_in_a_pattern_is_a_bushing_each() {
    let text = "windlass = 2\n[bodies.b0]\ntype = \"static\"\n[patterns.p]\ncount = 3\nfrom = 1\n\
                bodies.\"b{i}\" = { position = [\"= i\", 0, 0], shape = { sphere = { radius = 0.1 } }, mass = 1 }\n\
                joints.\"w{i}\" = { weld = { bodies = [\"b{i-1}\", \"b{i}\"] }, compliance = { linear = { stiffness = \"= i * 1 kN/m\" } } }\n";
    let built = build(text);
    let model = built.world.model();
    for (i, id) in built.joints.iter().enumerate() {
        let joint = model.joints().get(*id).expect("there");
        assert!(matches!(joint.kind, JointKind::Weld(_)));
        assert_eq!(joint.compliance.linear.map(|s| s.stiffness), Some(1000.0 * (i + 1) as f64));
    }
}

/// Scenes of a few lines that would make millions of entries end with one clear error.
#[test]
fn explosions_are_refused() {
    // ten prefabs in each of ten, seven deep
    let mut prefabs = "windlass = 2\n".to_string();
    for level in 0..7 {
        prefabs += &format!("[prefabs.p{level}.instances]\n");
        for k in 0..10 {
            prefabs += &format!("a{k} = {{ prefab = \"p{}\" }}\n", level + 1);
        }
    }
    prefabs += "[prefabs.p7.bodies.b]\ntype = \"static\"\n[instances.x]\nprefab = \"p0\"\n";
    let told_once = |text: &str, wanted: &str| {
        let told = told(text);
        assert!(told.contains(wanted) && told.lines().count() == 1, "{told}");
    };
    told_once(&prefabs, "reduce the number: a scene may have up to 100000 of each kind");
    // nine of them in each other
    let deep =
        (0..9).map(|k| format!("[prefabs.p{k}.instances.a]\nprefab = \"p{}\"\n", k + 1)).collect::<String>();
    told_once(
        &format!(
            "windlass = 2\n{deep}[prefabs.p9.bodies.b]\ntype = \"static\"\n[instances.x]\nprefab = \"p0\"\n"
        ),
        "prefabs are nested more than 8 deep",
    );
    // a count that only the inner rounds tell
    told_once(
        "windlass = 2\n[patterns.p]\ncount = 9999\npatterns.q = { index = \"j\", count = \"= i * 9999\" }\n",
        "pattern \"q\" creates",
    );
    // a large entry many times
    let points = vec!["[0, 0, 0]"; 20_000].join(", ");
    told_once(
        &format!(
            "windlass = 2\n[patterns.p]\ncount = 1000\nbodies.\"b{{i}}\" = {{ type = \"static\", shape = {{ convex = {{ points = [{points}] }} }} }}\n"
        ),
        "patterns and instances create too many values (use fewer or simpler ones)",
    );
    // a long chain of parameters, and many unknown ones
    let chain = (0..5000).map(|k| format!("p{k} = \"= p{} + 1\"\n", k + 1)).collect::<String>();
    assert!(told(&format!("windlass = 2\n[parameters]\n{chain}p5000 = 1\n")).contains("more than 32 deep"));
    let unknown = (0..5000).map(|k| format!("p{k} = \"= q{k}x\"\n")).collect::<String>();
    assert!(
        told(&format!("windlass = 2\n[parameters]\n{unknown}")).ends_with("4950 more problems are not shown")
    );
    // towers of braces
    for brace in ["{", "}", "{1}", "{{"] {
        let text = format!("windlass = 2\n[bodies.x]\ntype = \"{}\"\n", brace.repeat(300_001));
        assert!(told(&text).starts_with("s.toml:3:8: "));
    }
}
