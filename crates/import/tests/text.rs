//! What the imported text says, and what the notes tell.

use std::fs;
use std::path::{Path, PathBuf};
use windlass_engine::prelude::{Collider, Geometry};
use windlass_import::{Imported, Meshes, NoteKind, Options, Start, import, import_text};

fn model(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(name)
}

fn imported(name: &str, options: &Options) -> Imported {
    import(&model(name), options).unwrap_or_else(|e| panic!("{e}"))
}

fn build(imported: &Imported) -> windlass_scene::Built {
    let scene = windlass_scene::parse(&imported.toml, "s.toml").unwrap_or_else(|e| panic!("{e}"));
    scene.build().unwrap_or_else(|e| panic!("{e}\n{}", imported.toml))
}

/// The lines from a header to the next empty line.
fn entry<'a>(imported: &'a Imported, header: &str) -> &'a str {
    let start = imported.toml.find(header).unwrap_or_else(|| panic!("no {header} in\n{}", imported.toml));
    let rest = &imported.toml[start..];
    rest.split("\n\n").next().unwrap_or(rest).trim_end()
}

fn has_note(imported: &Imported, kind: NoteKind, line: u32, what: &str) {
    let found = imported.notes.iter().any(|n| n.kind == kind && n.line == line && n.what.contains(what));
    let all: Vec<String> = imported.notes.iter().map(ToString::to_string).collect();
    assert!(found, "no note {kind:?} {line} {what} among\n{}", all.join("\n"));
}

#[test]
fn an_arm_reads_well() {
    let imported = imported("arm.urdf", &Options::default());
    assert!(imported.toml.starts_with("# \"arm\", imported by windlass from arm.urdf\nwindlass = 2\n"));
    assert_eq!(
        entry(&imported, "[bodies.base]"),
        "[bodies.base]\ntype = \"static\"\n\
         shape = { box = { size = [0.3, 0.3, 0.1] } }\ncolor = [0.5, 0.5, 0.5]\ncollide = false"
    );
    assert_eq!(
        entry(&imported, "[joints.turret.hinge]"),
        "[joints.turret.hinge]\nbodies = [\"base\", \"column\"]\n\
         at = [0, 0, 0.1]\naxis = [0, 0, 1]\ndamping = 0.3"
    );
    assert!(entry(&imported, "[joints.shoulder.hinge]").contains("limits = { low = -2, high = 2.5 }"));
    assert!(!entry(&imported, "[joints.wrist.hinge]").contains("limits"));
    let counts = imported.counts;
    assert_eq!((counts.bodies, counts.joints, counts.freedoms), (5, 4, 4));
    assert!((counts.mass - 10.1).abs() < 1e-12);
    assert!(imported.summary().starts_with("5 bodies, 4 joints, 4 coordinates, 10.100000 kg; "));

    has_note(&imported, NoteKind::Info, 45, "\"plate\" is merged into body \"upper\"");
    has_note(&imported, NoteKind::Ignored, 29, "`effort` of <limit>");
    has_note(&imported, NoteKind::Ignored, 31, "<safety_controller> in <joint>");
    assert!(entry(&imported, "[bodies.column]").ends_with(
        "visuals = [\n  { shape = { cylinder = { radius = 0.06, length = 0.4 } } },\n  \
         { shape = { sphere = { radius = 0.07 } }, at = [0, 0, 0.2] },\n]\n\
         collision = [{ shape = { cylinder = { radius = 0.06, length = 0.4 } }, groups = [\"robot\"], \
         ignores = [\"robot\"] }]"
    ));
    has_note(&imported, NoteKind::Info, 21, "links do not collide with each other");
    has_note(&imported, NoteKind::Ignored, 74, "<transmission> in <robot>");
    has_note(&imported, NoteKind::Ignored, 75, "<gazebo> in <robot>");
    has_note(&imported, NoteKind::Info, 62, "a limit beyond 1e10 is treated as no limit");
}

#[test]
fn mimic_joints_are_gears_and_racks() {
    let imported = imported("gripper.urdf", &Options::default());
    assert_eq!(
        entry(&imported, "[joints.right_mimic]"),
        "[joints.right_mimic]\ngear = { joints = [\"right\", \"left\"], ratio = -1 }"
    );
    assert_eq!(
        entry(&imported, "[joints.pinion_mimic]"),
        "[joints.pinion_mimic]\nrack = { pinion = \"pinion\", slider = \"push\", radius = 0.05 }"
    );
    // the massless cross makes one universal joint of two hinges, the free palm has none
    assert!(imported.toml.contains("[joints.pitch_roll.universal]"), "{}", imported.toml);
    assert!(imported.toml.contains("[joints.table_x_table_y_table_turn.planar]"));
    assert!(!imported.toml.contains("[joints.float"));
    // 6 free, 2 fingers less 1, 2 of the cardan, 3 planar, 2 rack and pinion less 1
    let mut built = build(&imported);
    assert_eq!(built.world.degrees_of_freedom(), 6 + 1 + 2 + 3 + 1);
    // the offset of the mimic is where the finger starts
    let joint = built.world.model().joint("right").expect("the finger");
    assert!((built.world.coordinate(joint, 0).expect("its angle") - 0.2).abs() < 1e-12);
    has_note(&imported, NoteKind::Approximated, 24, "equal limits");
    assert!((imported.counts.mass - 2.4).abs() < 1e-12);
}

/// What a gear or a rack cannot say is a sum.
#[test]
fn mimic_joints_that_slide_are_sums() {
    let imported = imported("fingers.urdf", &Options::default());
    assert_eq!(
        entry(&imported, "[joints.right_mimic]"),
        "[joints.right_mimic]\nlinear_coupling = { terms = [{ joint = \"right\", factor = 1 }, \
         { joint = \"left\", factor = -0.5 }] }"
    );
    assert_eq!(
        entry(&imported, "[joints.plunger_mimic]"),
        "[joints.plunger_mimic]\nlinear_coupling = { terms = [{ joint = \"plunger\", factor = 1 }, \
         { joint = \"shoulder\", factor = 0.2 }] }"
    );
    let built = build(&imported);
    let hand = imported.toml.lines().filter(|l| l.starts_with("[bodies.")).position(|l| l.contains("hand"));
    assert_eq!(built.looks[hand.expect("a hand")].solids.len(), 2);
}

/// Coordinates of planar joints and ways of a six are tied by their numbers; turns of a six are not.
#[test]
fn coordinates_of_several_are_tied_by_number() {
    let inertial = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>";
    let text = format!(
        "<mujoco><worldbody>\
         <body name='p'><joint name='px' type='slide' axis='1 0 0'/><joint name='py' type='slide' axis='0 1 0'/>\
         <joint name='pt' axis='0 0 1'/>{inertial}</body>\
         <body name='q'><joint name='qx' type='slide' axis='1 0 0'/><joint name='qy' type='slide' axis='0 1 0'/>\
         <joint name='qz' type='slide' axis='0 0 1'/><joint name='qt' axis='1 0 0'/>{inertial}</body>\
         </worldbody><equality>\
         <joint name='one' joint1='py' joint2='qz' polycoef='0 2'/>\
         <joint name='two' joint1='px' joint2='pt' polycoef='0 -3'/>\
         <joint name='three' joint1='px' joint2='qt'/>\
         <joint name='four' joint1='px' joint2='px'/>\
         </equality></mujoco>"
    );
    let imported = import_text(&text, "m.xml", Path::new(""), &Options::default()).expect("a model");
    let built = build(&imported);
    // sources tell where each coordinate went
    let place = |name: &str| {
        let source = imported.sources.iter().find(|s| s.name == name).expect("a source");
        (source.joint.clone().expect("a joint"), source.coordinate, if source.reversed { -1.0 } else { 1.0 })
    };
    for (tie, [a, b], ratio) in [("one", ["py", "qz"], 2.0), ("two", ["px", "pt"], -3.0)] {
        let ((a, slot_a, sign_a), (b, slot_b, sign_b)) = (place(a), place(b));
        let number =
            |slot: usize| if slot == 0 { String::new() } else { format!("coordinate = {}, ", slot + 1) };
        let wanted = format!(
            "linear_coupling = {{ terms = [{{ joint = \"{a}\", {}factor = 1 }}, {{ joint = \"{b}\", {}factor = {} }}] }}",
            number(slot_a),
            number(slot_b),
            -ratio * sign_a * sign_b
        );
        assert!(
            entry(&imported, &format!("[joints.{tie}]")).ends_with(&wanted),
            "{wanted}\n{}",
            imported.toml
        );
    }
    assert_eq!(built.joints.len(), 4);
    has_note(&imported, NoteKind::Ignored, 1, "\"px\" follows \"qt\" by 1");
    has_note(&imported, NoteKind::Ignored, 1, "\"four\" couples \"px\" to itself");
}

/// Shapes of groups that MuJoCo's viewer hides have their mass, and are seen where there are no others.
#[test]
fn shapes_for_contact_are_hidden_where_others_are_seen() {
    let text = "<mujoco><worldbody>\
        <body name='a'><freejoint/><geom size='1' group='3' mass='2'/>\
        <geom type='box' size='1 1 1' group='2' mass='0'/></body>\
        <body name='b'><freejoint/><geom size='1' group='3' mass='2'/></body>\
        <body name='c'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>\
        <geom size='1' group='3'/><geom size='2' pos='1 0 0'/></body>\
        <body name='d'><freejoint/><geom size='1' group='3' mass='2'/><geom size='1' pos='1 0 0' mass='1'/></body>\
        </worldbody></mujoco>";
    let imported = import_text(text, "m.xml", Path::new(""), &Options::default()).expect("a model");
    let ends = |header: &str, text: &str| {
        let found = entry(&imported, header);
        assert!(found.ends_with(text), "{found}\nshould end with\n{text}");
    };
    let ball = "{ sphere = { radius = 1 } }";
    ends(
        "[bodies.a]",
        &format!(
            "shape = {ball}\nmass = 2\nhidden = true\nsurface = \"skin\"\n\
             visuals = [{{ shape = {{ box = {{ size = [2, 2, 2] }} }} }}]\n\
             collision = [{{ shape = {{ box = {{ size = [2, 2, 2] }} }}, surface = \"skin\" }}]"
        ),
    );
    ends("[bodies.b]", &format!("shape = {ball}\nmass = 2\nsurface = \"skin\""));
    ends(
        "[bodies.c]",
        &format!(
            "visuals = [{{ shape = {{ sphere = {{ radius = 2 }} }}, at = [1, 0, 0] }}]\ncollision = [\n  \
             {{ shape = {ball}, surface = \"skin\" }},\n  \
             {{ shape = {{ sphere = {{ radius = 2 }} }}, at = [1, 0, 0], surface = \"skin\" }},\n]"
        ),
    );
    ends(
        "[bodies.d]",
        &format!(
            "parts = [\n  {{ shape = {ball}, mass = 2, hidden = true, surface = \"skin\" }},\n  \
             {{ shape = {ball}, mass = 1, at = [1, 0, 0], surface = \"skin\" }},\n]"
        ),
    );
    has_note(&imported, NoteKind::Info, 1, "a shape of group 3 or above");
    let counts: Vec<_> = build(&imported).looks.iter().map(|l| l.solids.len()).collect();
    assert_eq!(counts.iter().rev().take(4).rev().copied().collect::<Vec<_>>(), [1, 1, 1, 1]);
}

#[test]
fn a_floating_base_is_free() {
    let imported = imported("arm.urdf", &Options { floating_base: true, ..Options::default() });
    assert!(!imported.toml.contains("type = \"static\""));
    assert_eq!(build(&imported).world.degrees_of_freedom(), 10);
    assert!((imported.counts.mass - 22.1).abs() < 1e-12);
}

#[test]
fn ties_and_drives_read_well() {
    let imported = imported("ties.xml", &Options::default());
    let is = |header: &str, text: &str| {
        let found = entry(&imported, header);
        assert!(found.ends_with(text), "{found}\nshould end with\n{text}");
    };
    is("[joints.gears]", "gear = { joints = [\"ja\", \"jb\"], ratio = -2 }");
    is("[joints.rack]", "rack = { pinion = \"ja\", slider = \"jc\", radius = 0.05 }");
    is("[joints.pin.ball]", "bodies = [\"d\", \"e\"]\nat = [3.5, 0, 2]");
    is("[joints.rope.distance]", "points = [[0, 0, 3], [0, 0, 2.1]]\nmax = 0.95");
    is("[joints.spring.distance]", "spring = { stiffness = 100, damping = 3, rest = 0.5 }");
    // gear 2: four times the stiffness and the damping, twice the force
    is("[joints.jc.slider]", "servo = { target = 0, stiffness = 200, damping = 20, force = 60 }");
    is("[joints.jb.hinge]", "motor = { speed = 0, droop = 0.25 }");
    has_note(&imported, NoteKind::Ignored, 7, "`armature` of joints");
    has_note(&imported, NoteKind::Ignored, 16, "by a polynomial");
    has_note(&imported, NoteKind::Ignored, 18, "it is not active");
    has_note(&imported, NoteKind::Ignored, 23, "a fixed tendon");
    has_note(&imported, NoteKind::Ignored, 28, "actuator \"push\" on joint \"ja\" (gear 10)");
    has_note(&imported, NoteKind::Ignored, 30, "<sensor> in <mujoco>: a scene has no sensors");
    has_note(&imported, NoteKind::Ignored, 32, "<keyframe> in <mujoco>");
}

/// A rope that would have to be pulled together at the start is no scene.
#[test]
fn a_tendon_far_out_of_its_range_is_left_out() {
    let text = "<mujoco><worldbody><site name='s' pos='0 0 5'/>\
        <body name='a'><freejoint/><geom size='0.1'/><site name='t'/></body></worldbody>\
        <tendon><spatial name='short' limited='true' range='0 1'><site site='s'/><site site='t'/></spatial>\
        <spatial name='fits' limited='true' range='0 4.5'><site site='s'/><site site='t'/></spatial></tendon></mujoco>";
    let imported = import_text(text, "m.xml", Path::new(""), &Options::default()).expect("a model");
    has_note(&imported, NoteKind::Ignored, 1, "\"short\" is omitted");
    assert_eq!(build(&imported).joints.len(), 1);
}

#[test]
fn several_joints_of_a_body_become_one() {
    let imported = imported("joints.xml", &Options::default());
    let six = entry(&imported, "[joints.hip_z_hip_y_hip_x.six_dof]");
    // z, y, x: x of the six is our z, its y our y, and its z, which is −x, counts the other way
    assert!(six.contains("x = { lock = 0 }\ny = { lock = 0 }\nz = { lock = 0 }"), "{six}");
    assert!(six.contains("ry = { limits = { low = -1, high = 1 }, damping = 0.02 }"), "{six}");
    assert!(six.contains("rz = { spring = { stiffness = 2, rest = -0.2 }, damping = 0.02 }"), "{six}");
    let source = imported.sources.iter().find(|s| s.name == "hip_x").expect("hip_x");
    assert_eq!((source.coordinate, source.reversed), (5, true));
    has_note(&imported, NoteKind::Info, 7, "2 joints become one `universal` \"first_second\"");
    has_note(&imported, NoteKind::Info, 11, "rx = hip_z, ry = hip_y, rz = −hip_x, singular at ry = ±90°");
}

#[test]
fn a_keyframe_or_values_may_be_the_start() {
    let up = imported("ties.xml", &Options { start: Start::Keyframe("up".into()), ..Options::default() });
    let built = build(&up);
    for (joint, wanted) in [("ja", 0.1), ("jb", 0.2), ("jc", 0.3)] {
        let id = built.world.model().joint(joint).expect("a joint");
        assert!((built.world.coordinate(id, 0).expect("a value") - wanted).abs() < 1e-12);
    }
    assert!(entry(&up, "[bodies.d]").contains("position = [3, 0, 2.5]"));
    let refused = |name: &str, start| {
        let options = Options { start, ..Options::default() };
        import(&model(name), &options).expect_err("a wrong start").to_string()
    };
    assert!(refused("ties.xml", Start::Keyframe("down".into())).contains("no keyframe \"down\""));
    assert!(refused("arm.urdf", Start::Keyframe("up".into())).contains("has no keyframe"));
    let values = Start::Joints([("elbow".to_string(), 1.0)].into());
    assert!(refused("arm.urdf", values).contains("no hinge or slide \"elbow\""));
}

#[test]
fn names_are_made_fit() {
    let text = "<mujoco><worldbody><body name='world'><freejoint name='x'/><geom size='1'/></body>\
                <body><freejoint/><geom size='1'/></body><body><freejoint/><geom size='1'/></body>\
                </worldbody></mujoco>";
    let error = import_text(text, "m.xml", Path::new(""), &Options::default()).expect_err("two worlds");
    assert!(error.to_string().contains("there are two bodies \"world\""), "{error}");
    let text = text.replace("name='world'", "name='a&#10;b{c}'");
    let imported = import_text(&text, "m.xml", Path::new(""), &Options::default()).expect("a model");
    for header in ["[bodies.a_b_c_]", "[bodies.body]", "[bodies.body_2]"] {
        assert!(imported.toml.contains(header), "{}", imported.toml);
    }
    build(&imported);
}

/// A tetrahedron as text STL; `faces` of its four.
fn stl(faces: usize) -> String {
    let corners = ["0 0 0", "1 0 0", "0 1 0", "0 0 1"];
    let triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let facets = triangles.iter().take(faces).map(|t| {
        let vertices: String = t.iter().map(|&i| format!("vertex {}\n", corners[i])).collect();
        format!("facet normal 0 0 0\nouter loop\n{vertices}endloop\nendfacet\n")
    });
    format!("solid t\n{}endsolid t\n", facets.collect::<String>())
}

/// Meshes are found by package and by folder, copied, and read by the scene; open ones become their hull.
#[test]
fn meshes_are_copied_beside_the_scene() {
    let folder = tempfile::tempdir().expect("a folder");
    let package = folder.path().join("robot_pack");
    fs::create_dir_all(package.join("urdf")).expect("a folder");
    fs::create_dir_all(package.join("meshes")).expect("a folder");
    fs::write(package.join("meshes/Part.STL"), stl(4)).expect("a mesh");
    fs::write(package.join("meshes/open.stl"), stl(3)).expect("a mesh");
    let visual = |mesh: &str| {
        format!("<visual><geometry><mesh filename='{mesh}' scale='0.1 0.1 0.1'/></geometry></visual>")
    };
    let inertial = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";
    let link = |name: &str, inside: String| format!("<link name='{name}'>{inertial}{inside}</link>");
    let joint = |child: &str| {
        format!("<joint name='j{child}' type='continuous'><parent link='a'/><child link='{child}'/></joint>")
    };
    let text = [
        "<robot name='r'>".to_string(),
        link("a", visual("package://robot_pack/meshes/Part.STL")),
        link("b", visual("../meshes/open.stl")),
        link("c", visual("../meshes/none.stl") + &visual("/etc/passwd.stl") + &visual("x.dae")),
        joint("b"),
        joint("c"),
        "</robot>".to_string(),
    ];
    fs::write(package.join("urdf/r.urdf"), text.join("\n")).expect("a file");
    let imported =
        import(&package.join("urdf/r.urdf"), &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(
        imported.toml.contains("shape = { mesh = { file = \"meshes/part.stl\", scale = 0.1 } }"),
        "{}",
        imported.toml
    );
    assert!(imported.toml.contains("shape = { convex = { file = \"meshes/open.stl\", scale = 0.1 } }"));
    has_note(&imported, NoteKind::Approximated, 3, "\"meshes/open.stl\" is not closed");
    has_note(&imported, NoteKind::Ignored, 4, "mesh \"../meshes/none.stl\": there is no such file");
    has_note(&imported, NoteKind::Ignored, 4, "mesh \"/etc/passwd.stl\": its path is absolute");
    has_note(&imported, NoteKind::Ignored, 4, "mesh \"x.dae\": its format is not supported");

    let scene = folder.path().join("out/r.toml");
    fs::create_dir_all(folder.path().join("out")).expect("a folder");
    imported.write(&scene).unwrap_or_else(|e| panic!("{e}"));
    let built = windlass_scene::read(&scene).and_then(|s| s.build()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(built.bodies.len(), 3);
    // written over itself nothing is lost
    imported.write(&scene).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(fs::read_to_string(folder.path().join("out/meshes/open.stl")).expect("a mesh"), stl(3));
    let skipped =
        import(&package.join("urdf/r.urdf"), &Options { meshes: Meshes::Skip, ..Options::default() });
    assert!(skipped.expect("a robot").assets.is_empty());
}

/// A body of MJCF whose mass is that of a mesh: V = 1/6 of the cube of the scale.
#[test]
fn a_closed_mesh_gives_mass() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder.path().join("parts")).expect("a folder");
    fs::write(folder.path().join("parts/t.stl"), stl(4)).expect("a mesh");
    let text = "<mujoco><compiler meshdir='parts'/><asset><mesh file='t.stl' scale='0.3 0.3 0.3'/></asset>\
                <worldbody><body name='b'><freejoint/>\
                <geom type='mesh' mesh='t' density='6000' pos='1 0 0'/></body>\
                </worldbody></mujoco>";
    fs::write(folder.path().join("m.xml"), text).expect("a file");
    let imported =
        import(&folder.path().join("m.xml"), &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!((imported.counts.mass - 27.0).abs() < 1e-12, "{}", imported.toml);
    imported.write(&folder.path().join("m.toml")).unwrap_or_else(|e| panic!("{e}"));
    let built = windlass_scene::read(folder.path().join("m.toml")).and_then(|s| s.build());
    let built = built.unwrap_or_else(|e| panic!("{e}"));
    let mass = &built.world.model().bodies().get(built.bodies[1]).expect("the body").mass;
    assert!((mass.mass - 27.0).abs() < 1e-9, "{mass:?}");
    assert!((mass.center.x - 1.075).abs() < 1e-12 && (mass.center.y - 0.075).abs() < 1e-12, "{mass:?}");
}

/// A mesh without a name is called as its file is, up to the last dot.
#[test]
fn names_of_mesh_files_may_have_dots() {
    let folder = tempfile::tempdir().expect("a folder");
    for file in ["arm.v2.stl", "arm.v3.stl"] {
        fs::write(folder.path().join(file), stl(4)).expect("a mesh");
    }
    let text = "<mujoco><asset><mesh file='arm.v2.stl'/><mesh file='arm.v3.stl'/></asset><worldbody>\
                <body><freejoint/><geom type='mesh' mesh='arm.v2'/><geom type='mesh' mesh='arm.v3' pos='2 0 0'/></body>\
                </worldbody></mujoco>";
    let imported =
        import_text(text, "m.xml", folder.path(), &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let copied: Vec<&str> = imported.assets.iter().map(|a| a.to.as_str()).collect();
    assert_eq!(copied, ["meshes/arm.v2.stl", "meshes/arm.v3.stl"]);
    imported.write(&folder.path().join("m.toml")).unwrap_or_else(|e| panic!("{e}"));
    windlass_scene::read(folder.path().join("m.toml"))
        .and_then(|s| s.build())
        .unwrap_or_else(|e| panic!("{e}"));
}

/// An included file may name others beside itself; those beside the main file come first.
#[test]
fn includes_of_includes_are_found_beside_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    fs::create_dir_all(folder.path().join("parts/wheels")).expect("a folder");
    let body = |name: &str| {
        format!("<mujocoinclude><body name='{name}'><freejoint/><geom size='1'/></body></mujocoinclude>")
    };
    write("m.xml", "<mujoco><worldbody><include file='parts/car.xml'/></worldbody></mujoco>");
    write(
        "parts/car.xml",
        "<mujocoinclude><include file='wheels/front.xml'/><include file='rear.xml'/></mujocoinclude>",
    );
    write("parts/wheels/front.xml", &body("front"));
    write("parts/rear.xml", &body("beside_the_part"));
    write("rear.xml", &body("beside_the_model"));
    let imported =
        import(&folder.path().join("m.xml"), &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(
        imported.toml.contains("[bodies.front]") && imported.toml.contains("[bodies.beside_the_model]"),
        "{}",
        imported.toml
    );
    assert!(!imported.toml.contains("beside_the_part"));
}

/// A primitive that names a mesh has the mesh's moments: a box is found again, and what it was fitted to is not copied.
#[test]
fn primitives_are_fitted_to_meshes() {
    let folder = tempfile::tempdir().expect("a folder");
    // a box of 0.2 × 0.4 × 0.6 about (1, 2, 3)
    let corner = |i: usize| {
        [(i & 1, 1.0, 0.1), (i >> 1 & 1, 2.0, 0.2), (i >> 2 & 1, 3.0, 0.3)]
            .map(|(s, c, h)| if s == 0 { c - h } else { c + h })
    };
    let vertices: String = (0..8).map(corner).map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    fs::write(folder.path().join("box.obj"), vertices + faces).expect("a mesh");
    let geoms = "<body name='a'><freejoint/><geom type='box' mesh='box' density='1000'/></body>\
                 <body name='b'><freejoint/><geom type='cylinder' mesh='box' pos='-1 -2 -3' mass='2' fitscale='2'/></body>\
                 <body name='c'><freejoint/><geom mesh='box'/></body>";
    let text = |compiler: &str| {
        format!(
            "<mujoco>{compiler}<asset><mesh file='box.obj'/></asset><worldbody>{geoms}</worldbody></mujoco>"
        )
    };
    let imported =
        import_text(&text(""), "m.xml", folder.path(), &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(imported.assets.is_empty(), "{:?}", imported.assets);
    let built = build(&imported);
    let mass = |name: &str| {
        let model = built.world.model();
        model.bodies().get(model.body(name).expect("a body")).expect("it is there").mass
    };
    let (a, b, c) = (mass("a"), mass("b"), mass("c"));
    assert!(
        (a.mass - 48.0).abs() < 1e-6 && (a.center - glam::DVec3::new(1.0, 2.0, 3.0)).length() < 1e-6,
        "{a:?}"
    );
    let moments = glam::DVec3::new(0.16 + 0.36, 0.04 + 0.36, 0.04 + 0.16) * (48.0 / 12.0);
    assert!(
        (a.inertia.x_axis.x - moments.x).abs() < 1e-5 && (a.inertia.z_axis.z - moments.z).abs() < 1e-5,
        "{a:?}"
    );
    // radius 0.15 and half a length of 0.3, doubled
    let (radius, length): (f64, f64) = (0.3, 1.2);
    assert!(b.center.length() < 1e-6 && (b.inertia.z_axis.z - radius * radius).abs() < 1e-5, "{b:?}");
    assert!(
        (b.inertia.x_axis.x - 2.0 * (3.0 * radius * radius + length * length) / 12.0).abs() < 1e-5,
        "{b:?}"
    );
    // a mesh without a type is a sphere
    assert!(
        (c.mass / (1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.2f64.powi(3)) - 1.0).abs() < 1e-6,
        "{c:?}"
    );
    let bounds =
        import_text(&text("<compiler fitaabb='true'/>"), "m.xml", folder.path(), &Options::default());
    has_note(&bounds.unwrap_or_else(|e| panic!("{e}")), NoteKind::Approximated, 1, "`fitaabb`");
}

/// A joint that stands at `ref` in the file counts from there, and so do its spring, its limits and the values it starts from.
#[test]
fn joints_count_from_their_reference() {
    let text = "<mujoco><worldbody><body name='b'><joint name='j' type='slide' axis='1 0 0' ref='0.5' range='0 2' stiffness='10' springref='0.7'/>\
                <geom size='0.1'/></body></worldbody><keyframe><key name='k' qpos='1.5'/></keyframe></mujoco>";
    let imported =
        import_text(text, "m.xml", Path::new(""), &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let slider = entry(&imported, "[joints.j.slider]");
    assert!(slider.contains("low = -0.5, high = 1.5"), "{slider}");
    assert!(slider.contains("rest = 0.2") || slider.contains("0.19999999999999996"), "{slider}");
    let options = Options { start: Start::Keyframe("k".into()), ..Options::default() };
    let started = import_text(text, "m.xml", Path::new(""), &options).unwrap_or_else(|e| panic!("{e}"));
    assert!(entry(&started, "[bodies.b]").contains("position = [1, 0, 0]"), "{}", started.toml);
}

/// Colliders of a body by name.
fn colliders(built: &windlass_scene::Built, name: &str) -> Vec<Collider> {
    let model = built.world.model();
    model.bodies().get(model.body(name).expect("a body")).expect("there").colliders.clone()
}

/// Which shapes meet is what MuJoCo says of them: one of the two affinities is enough, and pairs may be excluded.
#[test]
fn shapes_meet_as_in_mujoco() {
    let ball = |x: f64, keys: &str, name: &str| {
        format!("<body name='{name}' pos='{x} 0 5'><freejoint/><geom size='0.1' mass='1' {keys}/></body>")
    };
    let text = format!(
        "<mujoco><worldbody><geom type='plane' size='3 4 0.1'/>{}{}{}{}{}</worldbody>\
         <contact><exclude body1='a' body2='b'/></contact></mujoco>",
        ball(0.0, "", "a"),
        ball(1.0, "", "b"),
        ball(2.0, "contype='2' conaffinity='0'", "c"),
        ball(3.0, "contype='0' conaffinity='2'", "d"),
        ball(4.0, "contype='0' conaffinity='0'", "e"),
    );
    let imported = import_text(&text, "m.xml", Path::new(""), &Options::default()).expect("a model");
    let built = build(&imported);
    let [world, a, b, c, d] = ["world", "a", "b", "c", "d"].map(|name| colliders(&built, name).remove(0));
    assert_eq!(*world.geometry, Geometry::HalfSpace);
    assert!(colliders(&built, "e").is_empty());
    assert!(a.meets(&world) && b.meets(&world) && !a.meets(&b));
    // bits 2 and 1 have nothing in common; c is what d touches
    assert!(c.meets(&d) && !c.meets(&a) && !d.meets(&a) && !c.meets(&c) && !c.meets(&world));
}

/// A box on a slider of the world falls onto the floor of the world and stays there; two links that a joint connects do not
/// collide.
#[test]
fn what_is_jointed_to_the_world_collides_with_it() {
    let text = "<mujoco><worldbody><geom type='plane' size='3 4 0.1'/><geom type='box' size='1 1 1' pos='9 0 0'/>\
        <body name='box' pos='0 0 0.5'><joint type='slide' axis='0 0 1'/><geom type='box' size='0.1 0.1 0.1'/>\
        </body></worldbody></mujoco>";
    let imported = import_text(text, "m.xml", Path::new(""), &Options::default()).expect("a model");
    has_note(&imported, NoteKind::Info, 1, "the shapes of \"world\" are on body \"ground\"");
    let mut built = build(&imported);
    assert_eq!((colliders(&built, "world").len(), colliders(&built, "ground").len()), (0, 2));
    let body = built.world.model().body("box").expect("a body");
    for _ in 0..1500 {
        let report = built.world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
    }
    let height = built.world.state().bodies[body.index()].position.z;
    assert!((height - 0.1).abs() < 1e-3, "{height}");
}

#[test]
fn friction_and_condim_become_surfaces() {
    let text = "<mujoco><worldbody>\
        <body name='a'><freejoint/><geom size='0.1' mass='1' friction='0.7 0.01 0.002' condim='6'/></body>\
        <body name='b' pos='1 0 0'><freejoint/><geom size='0.1' mass='1' friction='0.3'/></body>\
        <body name='c' pos='2 0 0'><freejoint/><geom size='0.1' mass='1' friction='0.9' condim='1'/></body>\
        </worldbody></mujoco>";
    let imported = import_text(text, "m.xml", Path::new(""), &Options::default()).expect("a model");
    let built = build(&imported);
    let [a, b, c] = ["a", "b", "c"].map(|name| colliders(&built, name)[0].surface);
    let table = built.world.model().surfaces();
    // the greater of the two, as far as the greater condim goes
    let pair = table.touch(a, b);
    assert_eq!((pair.stick, pair.slide, pair.spinning, pair.rolling), (0.7, 0.7, 0.01, 0.002));
    assert_eq!((table.touch(b, b).stick, table.touch(b, b).rolling), (0.3, 0.0));
    assert_eq!((table.touch(c, c).stick, table.touch(b, c).stick), (0.0, 0.9));
    assert_eq!(table.touch(a, b).restitution, 0.0);
}

#[test]
fn fields_of_heights_are_terrain() {
    let text = "<mujoco><asset><hfield name='h' nrow='2' ncol='3' size='2 1 0.5 0.1' elevation='0 1 2 3 4 5'/>\
        <hfield name='p' file='hills.png' size='2 1 0.5 0.1'/></asset><worldbody>\
        <geom type='hfield' hfield='h'/><geom type='hfield' hfield='p'/></worldbody></mujoco>";
    let imported = import_text(text, "m.xml", Path::new(""), &Options::default()).expect("a model");
    let built = build(&imported);
    let ground = colliders(&built, "world").remove(0);
    let Geometry::HeightField { heights, columns, spacing } = &*ground.geometry else { panic!("{ground:?}") };
    assert_eq!((*columns, *spacing), (3, [2.0, 2.0]));
    assert!(heights.iter().zip([0.0, 0.1, 0.2, 0.3, 0.4, 0.5]).all(|(a, b)| (a - b).abs() < 1e-12));
    has_note(&imported, NoteKind::Ignored, 1, "its heights are not in the model");
}
