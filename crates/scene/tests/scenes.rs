//! Every example scene is sound, runs, and runs the same way twice; those left to themselves gain no energy.

use glam::DVec3;
use std::f64::consts::PI;
use std::path::PathBuf;
use windlass_engine::prelude::{Anchor, World};
use windlass_scene::{Built, read};

/// Name, and whether nothing drives it.
const SCENES: [(&str, bool); 22] = [
    ("pendulum", true),
    ("double_pendulum", true),
    ("four_bar", false),
    ("slider_crank", true),
    ("governor", true),
    ("bricard", true),
    ("spinning_top", true),
    ("dzhanibekov", true),
    ("gear_train", false),
    ("chain", true),
    ("servo_arm", false),
    ("luffing_crane", false),
    // hangs still: there is no kinetic energy to compare with
    ("prosthetic_shoulder", false),
    ("prosthetic_hand", false),
    ("prosthetic_arm", false),
    ("prosthetic_geared", false),
    ("prosthetic_whole", false),
    ("bicycle", true),
    ("ring_chain_20", false),
    ("ring_chain_40", false),
    ("../crane/two_cranes", false),
    ("../crane/operated", false),
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes/mechanism")
}

fn build(name: &str) -> Built {
    let path = folder().join(format!("{name}.toml"));
    read(path).and_then(|s| s.build()).unwrap_or_else(|e| panic!("{e}"))
}

/// Runs for 2 s; returns the final hash and the largest kinetic energy seen.
fn run(built: &mut Built) -> (u64, f64) {
    let steps = (2.0 / built.world.model().settings().dt).ceil() as usize;
    let mut kinetic: f64 = 0.0;
    for step in 0..steps {
        let report = built.world.step();
        if let Some(fault) = report.fault {
            panic!("{fault}");
        }
        if step % 20 == 0 {
            kinetic = kinetic.max(built.world.energy().kinetic);
        }
    }
    (built.world.state().hash(), kinetic)
}

#[test]
fn the_list_is_whole() {
    let mut names: Vec<_> = std::fs::read_dir(folder())
        .expect("the scenes")
        .map(|e| e.expect("one").path().file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    let mut listed: Vec<_> = SCENES.iter().map(|s| s.0).filter(|name| !name.contains('/')).collect();
    listed.sort_unstable();
    assert_eq!(names, listed);
}

/// Scenes of contact have something to touch, something to measure and a camera.
#[test]
fn scenes_of_contact_are_sound() {
    for (group, least) in [("contact", 10), ("aero", 5)] {
        let folder = folder().join("..").join(group);
        let mut count = 0;
        for path in std::fs::read_dir(&folder).expect("the scenes").map(|e| e.expect("one").path()) {
            let built = read(&path).and_then(|s| s.build()).unwrap_or_else(|e| panic!("{e}"));
            let bodies = built.world.model().bodies();
            let colliders: usize = bodies.iter().map(|(_, b)| b.colliders.len()).sum();
            let touching = bodies.iter().filter(|(_, b)| b.is_dynamic() && !b.colliders.is_empty()).count();
            assert!(colliders > touching || path.ends_with("cradle.toml"), "{}", path.display());
            assert!(touching > 0 && !built.probes.is_empty(), "{}", path.display());
            assert_ne!(built.cameras[0].name, windlass_scene::visual::DEFAULT, "{}", path.display());
            count += 1;
        }
        assert!(count >= least, "{count} in {group}");
    }
}

#[test]
fn scenes_run_twice_the_same() {
    for (name, is_free) in SCENES {
        let (mut first, mut second) = (build(name), build(name));
        let start = first.world.inspect().energy();
        let (hash, kinetic) = run(&mut first);
        // looking on does not change what happens
        second.world.inspect();
        assert_eq!(hash, run(&mut second).0, "{name}");
        let end = first.world.inspect().energy();
        let gain = (end.total() - start.total()) / kinetic.max(start.kinetic);
        assert!(!is_free || gain < 0.01, "{name} gains {gain} of its largest kinetic energy");
    }
}

/// Steps a scene until a time, with a look after each step.
fn until(built: &mut Built, time: f64, mut look: impl FnMut(&World)) {
    while built.world.state().time < time - 1e-9 {
        assert!(built.world.step().fault.is_none());
        look(&built.world);
    }
}

/// Where a point of a body is, given in its axes.
fn point(built: &Built, body: &str, at: [f64; 3]) -> DVec3 {
    let model = built.world.model();
    let anchor = Anchor::point(model.body(body).expect("a body"), DVec3::from_array(at));
    model.frame(built.world.state(), &anchor).at
}

fn value(built: &Built, joint: &str) -> f64 {
    let id = built.world.model().joint(joint).expect("a joint");
    // of a rope, its length
    let rope = built.world.rope(id).map(|rope| rope.lengths[0]);
    rope.or(built.world.coordinate(id, 0)).expect("a coordinate")
}

#[track_caller]
fn near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

/// The numbers that the heads of the scenes promise; references are those of the validation catalogue.
#[test]
fn scenes_do_what_their_heads_say() {
    let mut s = build("pendulum");
    until(&mut s, 2.3678419, |_| {});
    near(point(&s, "bob", [0.0; 3]).x, -1.0, 1e-3);

    let mut s = build("double_pendulum");
    until(&mut s, 3.0, |_| {});
    let outer = point(&s, "outer", [0.0; 3]);
    near(outer.x, 1.8762509, 1e-4);
    near(outer.z, -0.2240385, 1e-4);

    let mut s = build("four_bar");
    until(&mut s, PI, |_| {});
    // the crank is at 180°, less the fraction of a step it is off
    near(value(&s, "bearing").to_degrees(), 147.79577 - 110.300_190_8, 0.1);

    let mut s = build("slider_crank");
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    until(&mut s, 2.0, |world| {
        let x = world.state().bodies[3].position.x;
        (low, high) = (low.min(x), high.max(x));
    });
    near(low, 0.18495189, 1e-4);
    near(high, 0.29015995, 1e-4);

    let mut s = build("governor");
    let mut top: f64 = 0.0;
    until(&mut s, 1.0, |world| top = top.max(world.state().bodies[2].position.z));
    near(top, 0.74357108, 3e-3);

    let mut s = build("bricard");
    until(&mut s, 2.496, |_| {});
    near(point(&s, "rod2", [0.0, -0.5, 0.0]).x, -1.0, 1e-3);

    let mut s = build("spinning_top");
    until(&mut s, 2.0 * PI / 1.7206041, |_| {});
    let center = point(&s, "disc", [0.0; 3]);
    near(center.x, 0.05, 2e-3);
    near(center.y, 0.0, 2e-3);

    let mut s = build("dzhanibekov");
    let mut flips = Vec::new();
    let mut last = 1.0;
    until(&mut s, 6.0, |world| {
        let b = &world.state().bodies[0];
        let about_middle = (b.orientation.inverse() * b.angular_velocity).y;
        if about_middle * last < 0.0 {
            flips.push(world.state().time);
        }
        last = about_middle;
    });
    near(flips[1] - flips[0], 2.5510978, 0.04);

    // counts of Tasora's table; nothing is lost once the ring is left alone
    for (name, links) in [("ring_chain_20", 20), ("ring_chain_40", 40)] {
        let mut s = build(name);
        assert_eq!((s.bodies.len(), s.joints.len()), (links, links));
        assert_eq!(s.world.degrees_of_freedom(), 3 * links);
        until(&mut s, 1.0, |_| {});
        let start = s.world.inspect().energy().total();
        until(&mut s, 4.0, |_| {});
        near(s.world.inspect().energy().total() / start, 1.0, 1e-3);
    }

    let mut s = build("../crane/two_cranes");
    until(&mut s, 20.0, |_| {});
    near(value(&s, "small.hoist"), 6.5, 1e-3);
    near(value(&s, "large.hoist"), 6.0, 1e-3);
    near(value(&s, "large.foot").to_degrees(), 12.0, 0.6);

    let mut s = build("luffing_crane");
    until(&mut s, 30.0, |_| {});
    near(value(&s, "hoist"), 14.02, 0.01);
    near(36.87 + value(&s, "foot").to_degrees(), 63.5, 0.1);
}
