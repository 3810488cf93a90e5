//! A running world is brought from one scene to another by edits of what differs, the same way every time.

use std::sync::Arc;
use windlass_engine::prelude::Edit;
use windlass_scene::files::NoFolder;
use windlass_scene::{Built, Override, Scene, parse_with};

const CRANE: &str = r#"
windlass = 2
[parameters]
speed = "0.5 m/s"
[bodies.mast]
type = "static"
[bodies.boom]
position = [2, 0, 5]
shape = { box = { size = [4, 0.3, 0.3] } }
mass = 300
[bodies.load]
position = [4, 0, 2]
shape = { sphere = { radius = 0.3 } }
mass = 200
[joints.foot.hinge]
bodies = ["mast", "boom"]
at = [0, 0, 5]
axis = [0, -1, 0]
servo = { target = 0, stiffness = 1e6, damping = 1e5 }
[joints.hoist.distance]
bodies = ["boom", "load"]
points = [[4, 0, 5], [4, 0, 2]]
motor = { speed = "= -speed", force = "5 kN" }
limits = { low = 0.5 }
[joints.line.distance]
bodies = ["mast", "load"]
points = [[0, 0, 5], [4, 0, 2]]
max_length = { constant = 12 }
[forces.wind]
applied = { body = "load", force = [0, 20, 0] }
"#;

fn scene(overrides: &[(&str, &str)]) -> Scene {
    with(CRANE, overrides)
}

fn with(text: &str, overrides: &[(&str, &str)]) -> Scene {
    let list: Vec<_> = overrides
        .iter()
        .map(|(key, value)| Override { key: key.to_string(), value: value.to_string() })
        .collect();
    parse_with(text, "crane.toml", Arc::new(NoFolder), &list).unwrap_or_else(|e| panic!("{e}"))
}

fn build(scene: &Scene) -> Built {
    scene.build().unwrap_or_else(|e| panic!("{e}"))
}

fn run(built: &mut Built, steps: usize) -> u64 {
    for _ in 0..steps {
        assert!(built.world.step().fault.is_none());
    }
    built.world.state().hash()
}

/// The kinds of edits a change needs.
fn edits(changes: &[(&str, &str)]) -> Vec<String> {
    let (old, new) = (scene(&[]), scene(changes));
    let mut built = build(&old);
    run(&mut built, 20);
    let done = built.change(&old, &new).unwrap_or_else(|e| panic!("{e}")).edits;
    run(&mut built, 20);
    let kind = |e: &Edit| format!("{e:?}").split([' ', '(']).next().unwrap_or_default().to_string();
    done.iter().map(kind).collect()
}

#[test]
fn a_changed_motor_is_the_same_in_every_run() {
    let (slow, fast) = (scene(&[]), scene(&[("parameters.speed", "1 m/s")]));
    let story = || {
        let mut built = build(&slow);
        run(&mut built, 100);
        let done = built.change(&slow, &fast).unwrap_or_else(|e| panic!("{e}")).edits;
        assert!(matches!(done[..], [Edit::SetDrive { .. }]), "{done:?}");
        run(&mut built, 100)
    };
    assert_eq!(story(), story());
    // the change is felt
    assert_ne!(story(), run(&mut build(&slow), 200));
    // there and back is as if nothing had been
    let mut built = build(&slow);
    run(&mut built, 100);
    built.change(&slow, &fast).unwrap_or_else(|e| panic!("{e}"));
    built.change(&fast, &slow).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(run(&mut built, 100), run(&mut build(&slow), 200));
}

#[test]
fn only_what_differs_is_edited() {
    assert!(edits(&[]).is_empty());
    assert!(edits(&[("bodies.load.mass", "0.2 t")]).is_empty(), "the same number, written otherwise");
    assert_eq!(edits(&[("bodies.load.mass", "250")]), ["SetBody"]);
    assert_eq!(edits(&[("settings.dt", "5 ms")]), ["SetSettings"]);
    assert_eq!(edits(&[("joints.foot.hinge.servo.target", "10 deg")]), ["SetDrive"]);
    assert_eq!(edits(&[("joints.foot.hinge.friction", "5")]), ["SetJoint"]);
    assert_eq!(edits(&[("joints.line.distance.max_length.constant", "13")]), ["SetJoint"]);
    assert_eq!(edits(&[("forces.wind.applied.force.1", "30")]), ["RemoveForce", "AddForce"]);
    assert_eq!(edits(&[("bodies.load.velocity", "[1, 0, 0]")]), ["SetVelocity"]);
    // a body that starts elsewhere is put there, and joints that were placed by it follow where needed
    let moved =
        edits(&[("bodies.load.position", "[4, 0, 1.9]"), ("joints.hoist.distance.points.1", "[4, 0, 1.9]")]);
    assert_eq!(moved, ["SetPose", "SetJoint"], "the hoist grips it where it did, the line does not");
}

/// A hand that moves is a cheap edit: what the grab remembers stays, and the load follows it.
#[test]
fn a_grab_whose_target_moves_is_not_made_anew() {
    let hand = |to: &str, force: &str| {
        let grab =
            format!("[joints.hand.drag_spring]\nbodies = [\"mast\", \"load\"]\nto = {to}\nforce = {force}\n");
        with(&format!("{CRANE}{grab}"), &[])
    };
    let (here, there) = (hand("[4, 0, 2]", "100"), hand("[4, 1, 2]", "100"));
    let mut built = build(&here);
    run(&mut built, 20);
    let done = built.change(&here, &there).unwrap_or_else(|e| panic!("{e}")).edits;
    assert!(matches!(done[..], [Edit::MoveTether { .. }]), "{done:?}");
    let moved = run(&mut built, 50);
    let done = built.change(&there, &hand("[4, 1, 2]", "200")).unwrap_or_else(|e| panic!("{e}")).edits;
    assert!(matches!(done[..], [Edit::SetJoint(..)]), "more than the target differs: {done:?}");
    let mut still = build(&here);
    run(&mut still, 20);
    assert_ne!(moved, run(&mut still, 50), "the load is pulled elsewhere");
}

#[test]
fn entries_come_and_go() {
    let more = format!(
        "{CRANE}[bodies.hook]\nposition = [4, 0, 1]\nvelocity = [0, 0, 1]\nshape = {{ sphere = {{ radius = 0.1 }} }}\nmass = 5\n\
         [joints.eye]\nball = {{ bodies = [\"load\", \"hook\"], at = [4, 0, 1.5] }}\n\
         [forces.drag]\ndrag = {{ body = \"hook\", factor = 1, area = 1 }}\n"
    );
    let (less, more) = (scene(&[]), with(&more, &[]));
    let mut built = build(&less);
    built.change(&less, &more).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((built.bodies.len(), built.joints.len(), built.forces.len()), (4, 4, 2));
    assert_eq!(built.looks.len(), 4);
    run(&mut built, 30);
    let done = built.change(&more, &less).unwrap_or_else(|e| panic!("{e}")).edits;
    let kinds: Vec<_> =
        done.iter().map(|e| format!("{e:?}").split('(').next().unwrap_or_default().to_string()).collect();
    assert_eq!(kinds, ["RemoveJoint", "RemoveForce", "RemoveBody"]);
    assert_eq!((built.bodies.len(), built.joints.len(), built.forces.len()), (3, 3, 1));
    assert_eq!(built.world.model().bodies().count(), 3);
    run(&mut built, 30);
    // at once there and back, before any step, nothing has moved
    let mut built = build(&less);
    built.change(&less, &more).unwrap_or_else(|e| panic!("{e}"));
    built.change(&more, &less).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(built.world.state().bodies[..3], build(&less).world.state().bodies[..3]);
}

#[test]
fn a_scene_that_cannot_be_changes_nothing() {
    let (old, bad) =
        (scene(&[]), scene(&[("bodies.load.mass", "-1"), ("joints.hoist.distance.motor.speed", "3")]));
    let mut built = build(&old);
    run(&mut built, 50);
    let errors = built.change(&old, &bad).expect_err("a negative mass");
    assert_eq!(errors.to_string(), "--set bodies.load.mass:1:18: `mass` is -1 (give more than 0 kg)");
    assert_eq!(run(&mut built, 50), run(&mut build(&old), 100));
}
