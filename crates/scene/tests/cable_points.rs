//! Cables of mass points in scene files, and joints, forces and grabs on elements of cables.

use glam::DVec3;
use windlass_engine::prelude::{Anchor, Edit, State, World};
use windlass_mass_point_cable::{MassPointCable, MassPointCables, MassPointEdit};
use windlass_scene::{Built, CableRef, Override, PointCable, Scene, parse, parse_with};

const HEAD: &str = "windlass = 2\n[bodies.beam]\ntype = \"static\"\n[bodies.load]\nposition = [0, 0, -5]\n\
    shape = { sphere = { radius = 0.2 } }\nmass = 100\n";
const HOSE: &str = "section = { material = \"rubber\", diameter = \"20 mm\", damping = { stretch = 0.3 } }\n";
const ENDS: &str =
    "start = { body = \"beam\", at = [0, 0, 0] }\nend = { body = \"load\", at = [0, 0, -4.8] }\n";

fn scene(rest: &str) -> Scene {
    parse(&format!("{HEAD}{rest}"), "s.toml").unwrap_or_else(|e| panic!("{e}"))
}

fn built(rest: &str) -> Built {
    scene(rest).build().unwrap_or_else(|e| panic!("{e}"))
}

fn points(built: &Built) -> (PointCable, &MassPointCable) {
    let CableRef::Points(cable) = built.cables[0].id else { panic!("it is of elements") };
    (cable, MassPointCables::all(&built.world).next().expect("it is there").1)
}

/// The edit of mass points, if it is one.
fn points_edit(edit: &Edit) -> Option<&MassPointEdit> {
    match edit {
        Edit::Subsystem(edit) => edit.get::<MassPointCables>(),
        _ => None,
    }
}

fn steps(world: &mut World, count: usize) {
    for _ in 0..count {
        let report = world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
    }
}

#[test]
fn mass_points_are_laid_with_their_settings() {
    let more =
        "elements = 12\nmass_points = { margin = \"3 mm\", air = 0.5, rebuilds = 4, iterations = 9 }\n";
    let built = built(&format!("[cables.c]\nmodel = \"mass-points\"\n{HOSE}{ENDS}{more}"));
    let (_, s) = points(&built);
    assert_eq!((s.points.len(), s.attachments.len(), s.bare()), (13, 2, [0, 12]));
    assert_eq!((s.margin, s.damping.air, s.limits.rebuilds, s.limits.iterations), (0.003, 0.5, 4, 9));
    assert_eq!((s.damping.stretch, s.damping.bend), (0.3, 0.0));
    assert!((s.length - 4.8).abs() < 1e-12 && s.mask != 0);
    assert!(built.world.model().cables().iter().next().is_none());
}

/// A clamp has a segment more, in its body, along its direction; the cable is as long as it says from there on.
#[test]
fn clamps_hold_one_segment_more() {
    let end = "end = { body = \"load\", at = [3, 0, -4], attachment = \"clamp\", direction = [0, 0, -1] }\n";
    let start = "start = { body = \"beam\", at = [0, 0, 0], attachment = \"fixed\" }\n";
    let built = built(&format!(
        "[cables.c]\nmodel = \"mass-points\"\n{HOSE}{start}{end}elements = 10\ncollide = false\n"
    ));
    let (_, s) = points(&built);
    assert_eq!((s.points.len(), s.attachments.len(), s.bare()), (13, 4, [1, 11]));
    assert!((s.pitch() - 0.5).abs() < 1e-12 && s.mask == 0);
    let along = DVec3::new(0.6, 0.0, -0.8);
    assert!(s.points[0].distance(along * -0.5) < 1e-12 && s.points[1] == DVec3::ZERO);
    assert!(s.points[12].distance(DVec3::new(3.0, 0.0, -4.5)) < 1e-12, "{}", s.points[12]);
}

/// At rest the pull at every point is the weight below it.
#[test]
fn a_load_hangs_on_mass_points() {
    let mut built =
        built(&format!("[settings]\ndt = 0.01\n[cables.c]\nmodel = \"mass-points\"\n{HOSE}{ENDS}"));
    steps(&mut built.world, 3000);
    let (id, s) = points(&built);
    let (g, weight) = (9.81, s.properties.mass * s.length * 9.81);
    let readings = id.readings(&built.world);
    for r in &readings {
        let below = 100.0 * g + weight * (1.0 - r.at / 4.8);
        assert!((r.tension / below - 1.0).abs() < 1e-3, "{} N at {} m, not {below} N", r.tension, r.at);
    }
    let stretched = id.stretched_length(&built.world).expect("it is there");
    let strain = (100.0 * g + 0.5 * weight) / s.properties.stretch;
    assert!((stretched / 4.8 - 1.0 - strain).abs() < 1e-3 * strain, "{stretched}");
}

/// What is saved half way goes on to the bit, in a world built anew.
#[test]
fn a_restored_run_goes_on_to_the_bit() {
    let text = format!(
        "[bodies.floor]\ntype = \"static\"\nshape = {{ box = {{ size = [4, 4, 0.2] }} }}\nposition = [0, 0, -2]\n\
         [cables.c]\nmodel = \"mass-points\"\nsection = {{ material = \"rubber\", diameter = \"20 mm\", \
         yield_moment = 0.05, hardening = 0.1 }}\nstart = {{ body = \"beam\", at = [0, 0, 0], attachment = \"fixed\" }}\n\
         end = {{ at = [1.5, 0, 0] }}\nelements = 12\n[cables.d]\nmodel = \"mass-points\"\n{HOSE}{ENDS}"
    );
    let mut first = built(&text);
    steps(&mut first.world, 60);
    let saved = first.world.state().to_bytes();
    steps(&mut first.world, 90);
    let (id, _) = points(&first);
    let kept = id.readings(&first.world).iter().any(|r| r.set.length() > 0.0);
    assert!(kept, "no bend was kept: the test tests nothing");
    let mut second = built(&text);
    second.world.restore(State::from_bytes(&saved).expect("a state")).expect("it fits");
    steps(&mut second.world, 90);
    assert!(first.world.state().to_bytes() == second.world.state().to_bytes());
}

#[test]
fn a_running_cable_changes_its_model() {
    let text = format!("{HEAD}[cables.c]\n{HOSE}{ENDS}");
    let old = scene(&format!("[cables.c]\n{HOSE}{ENDS}"));
    let with = |key: &str| {
        let change: Override = key.parse().expect("a key and a value");
        parse_with(&text, "s.toml", old.files.clone(), &[change]).unwrap_or_else(|e| panic!("{e}"))
    };
    let mut built = old.build().unwrap_or_else(|e| panic!("{e}"));
    steps(&mut built.world, 30);
    let new = with("cables.c.model=mass-points");
    let edits = built.change(&old, &new).unwrap_or_else(|e| panic!("{e}")).edits;
    let added = |edit| matches!(points_edit(edit), Some(MassPointEdit::Add(_)));
    assert!(matches!(&edits[..], [Edit::RemoveCable(_), edit] if added(edit)), "{edits:?}");
    let (_, s) = points(&built);
    // it is laid between where its ends are now
    let top = Anchor::point(built.world.model().body("load").expect("a load"), DVec3::Z * 0.2);
    let there = built.world.model().frame(built.world.state(), &top).at;
    assert!(s.points.last().expect("a point").distance(there) < 1e-9);
    steps(&mut built.world, 30);
    let edits = built.change(&new, &old).unwrap_or_else(|e| panic!("{e}")).edits;
    let removed = |edit| matches!(points_edit(edit), Some(MassPointEdit::Remove(_)));
    assert!(matches!(&edits[..], [edit, Edit::AddCable(_)] if removed(edit)), "{edits:?}");
    steps(&mut built.world, 30);
}

const CLIP: &str = "[joints.clip]\nball = { bodies = [\"beam\", \"c(2.4 m)\"], at = [0, 0, -2.4] }\n";

/// A harness clipped to a frame half way: its lower half alone hangs below the clip, and nothing pulls above it.
#[test]
fn a_joint_holds_an_element() {
    let mut built = built(&format!("{CLIP}[cables.c]\n{HOSE}{ENDS}elements = 13\n"));
    let id = built.joints[0];
    let joint = built.world.model().joints().get(id).expect("a clip");
    let cable = built.world.model().cables().iter().next().expect("a cable").1.clone();
    let anchors = joint.constraint().anchors();
    assert_eq!(anchors[1].body, cable.elements[6]);
    assert!(anchors[1].at.length() < 1e-12, "the middle of the middle element: {}", anchors[1].at);
    steps(&mut built.world, 600);
    let CableRef::Elements(id) = built.cables[0].id else { panic!("it is of points") };
    let readings = built.world.cable_readings(id);
    assert!(readings[1].tension < 20.0, "{} N above", readings[1].tension);
    assert!(readings[12].tension > 950.0, "{} N below", readings[12].tension);
    // by number it is the same
    let by_number = CLIP.replace("c(2.4 m)", "c[6]");
    let other = self::built(&format!("{by_number}[cables.c]\n{HOSE}{ENDS}elements = 13\n"));
    let joint = other.world.model().joints().get(other.joints[0]).expect("a clip");
    assert_eq!(joint.constraint().anchors()[1].body, cable.elements[6]);
}

/// A force pushes an element aside and a grab holds one, each found in its group.
#[test]
fn forces_and_grabs_hold_elements() {
    let text = "[forces.push]\napplied = { body = \"c[4]\", force = [50, 0, 0] }\n\
        [joints.hand]\ndrag_spring = { bodies = [\"beam\", \"c(1 m)\"], at = [0, 0, -1], force = 100 }\n";
    let mut built = built(&format!("{text}[cables.c]\n{HOSE}{ENDS}elements = 13\n"));
    let cable = built.world.model().cables().iter().next().expect("a cable").1.clone();
    steps(&mut built.world, 200);
    let x = |k: usize| built.world.state().bodies[cable.elements[k].index()].position.x;
    assert!(x(4) > 0.02, "pushed to {}", x(4));
}

/// A cable that is laid anew takes what holds its elements along.
#[test]
fn a_clip_follows_a_cable_that_is_laid_anew() {
    let text = format!("{HEAD}{CLIP}[cables.c]\n{HOSE}{ENDS}elements = 13\n");
    let old = parse(&text, "s.toml").unwrap_or_else(|e| panic!("{e}"));
    let change: Override = "cables.c.elements=15".parse().expect("a key and a value");
    let new = parse_with(&text, "s.toml", old.files.clone(), &[change]).unwrap_or_else(|e| panic!("{e}"));
    let mut built = old.build().unwrap_or_else(|e| panic!("{e}"));
    built.change(&old, &new).unwrap_or_else(|e| panic!("{e}"));
    let cable = built.world.model().cables().iter().next().expect("a cable").1.clone();
    let joint = built.world.model().joints().get(built.joints[0]).expect("a clip");
    assert_eq!((cable.elements.len(), joint.constraint().anchors()[1].body), (15, cable.elements[7]));
    steps(&mut built.world, 60);
    // what does not touch the cable leaves it and its clip alone
    let change: Override = "bodies.load.mass=120".parse().expect("a key and a value");
    let heavier = parse_with(
        &text,
        "s.toml",
        old.files.clone(),
        &["cables.c.elements=15".parse().expect("one"), change],
    );
    let edits = built
        .change(&new, &heavier.unwrap_or_else(|e| panic!("{e}")))
        .unwrap_or_else(|e| panic!("{e}"))
        .edits;
    assert!(matches!(edits[..], [Edit::SetBody(..)]), "{edits:?}");
}
