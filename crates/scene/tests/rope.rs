//! Ropes over routes and winches as parts: what the text says becomes what the engine does.

use crate::play;

use play::{G, run_on};
use windlass_engine::prelude::{Joint, JointId, JointKind, RopeChange, RopeWatch, World};
use windlass_scene::{Built, parse};

/// A load of 100 kg in two falls, on a rope that has a breaking load.
fn hung(breaking: f64, more: &str) -> Built {
    let text = format!(
        r#"windlass = 2
        [settings]
        dt = "1/60 s"
        collide = false
        [sections.wire]
        construction = "6x36 IWRC"
        diameter = "10 mm"
        breaking_load = {breaking}
        [bodies.beam]
        type = "static"
        [bodies.load]
        position = [0, 0, 1]
        mass = 100
        inertia = [5, 5, 5]
        [cables.rope]
        section = "wire"
        tension = 490
        route = [
          {{ attach = "beam", at = [-0.1, 0, 5] }},
          {{ ring = "load", at = [0, 0, 1] }},
          {{ attach = "beam", at = [0.1, 0, 5] }},
        ]
        {more}"#
    );
    parse(&text, "rope.toml").and_then(|s| s.build()).unwrap_or_else(|e| panic!("{e}"))
}

fn rope(world: &World, name: &str) -> JointId {
    let named = |id: &JointId| world.model().joints().get(*id).is_some_and(|j| j.name == name);
    world.ropes().find(named).unwrap_or_else(|| panic!("no rope {name}"))
}

/// The load is twice what a fall bears: it is the fall that breaks, not what holds the block.
#[test]
fn a_rope_breaks_by_the_pull_of_its_spans() {
    let weight = 100.0 * G;
    let built = &mut hung(0.6 * weight, "");
    run_on(built, 2.0);
    let id = built.ropes[0].ropes[0];
    let reading = built.world.rope(id).expect("a rope");
    assert!(!reading.broken);
    assert!((reading.tensions[0] / (0.5 * weight) - 1.0).abs() < 0.01, "{:?}", reading.tensions);
    let built = &mut hung(0.501 * weight, "");
    let body = built.world.model().body("load").expect("a load");
    let mut watch = RopeWatch::default();
    assert!(watch.look(built.world.configuration()).is_empty());
    built
        .world
        .edit(windlass_engine::prelude::Edit::SetVelocity {
            body,
            velocity: glam::DVec3::NEG_Z,
            angular_velocity: glam::DVec3::ZERO,
        })
        .expect("a speed");
    run_on(built, 0.2);
    let told: Vec<_> = watch.look(built.world.configuration()).into_iter().map(|e| e.change).collect();
    assert_eq!(told, [RopeChange::Broke]);
    assert!(built.world.rope_line(built.ropes[0].ropes[0]).is_empty());
}

/// Thrown up it goes slack, and taut when it is back.
#[test]
fn a_rope_goes_slack_and_taut() {
    let built = &mut hung(1e5, "");
    let body = built.world.model().body("load").expect("a load");
    let up = windlass_engine::prelude::Edit::SetVelocity {
        body,
        velocity: glam::DVec3::Z,
        angular_velocity: glam::DVec3::ZERO,
    };
    built.world.edit(up).expect("a speed");
    let mut watch = RopeWatch::default();
    watch.look(built.world.configuration());
    let mut told = Vec::new();
    for _ in 0..20 {
        assert!(built.world.step().fault.is_none());
        told.extend(watch.look(built.world.configuration()).into_iter().map(|e| e.change));
    }
    assert!(
        told.first() == Some(&RopeChange::Slack(0)) && told.get(1) == Some(&RopeChange::Taut(0)),
        "{told:?}"
    );
}

/// A winch with two ropes on its drum, one of which lies on the other side: one load goes up, the other down.
const WINCH: &str = r#"
        [winches.drum]
        on = "beam"
        at = [5, 0, 8]
        axis = [0, -1, 0]
        radius = 0.25
        mass = 60
        DRIVE
        [bodies.left]
        position = [5.25, -0.2, 3]
        mass = 40
        inertia = [1, 1, 1]
        [bodies.right]
        position = [4.75, 0.2, 3]
        mass = 40
        inertia = [1, 1, 1]
        [cables.a]
        section = "wire"
        tension = 392.4
        route = [{ winch = "drum", axial_offset = 0.2 }, { attach = "left", at = [5.25, -0.2, 3] }]
        [cables.b]
        section = "wire"
        tension = 392.4
        route = [{ winch = "drum", axial_offset = -0.2, wrap_direction = "ccw" }, { attach = "right", at = [4.75, 0.2, 3] }]
"#;

fn height(built: &Built, body: &str) -> f64 {
    let id = built.world.model().body(body).expect("a body");
    built.world.state().bodies[id.index()].position.z
}

#[test]
fn two_ropes_on_one_drum_go_against_each_other() {
    let drive = r#"prescribed = { smooth = { from = 0, to = 4, end = 2 } }"#;
    let built = &mut hung(1e5, &WINCH.replace("DRIVE", drive));
    run_on(built, 2.5);
    let (a, b) = (height(built, "left") - 3.0, height(built, "right") - 3.0);
    // side -1 winds in about the axis: 4 rad of 0.25 m
    assert!((a - 1.0).abs() < 5e-3 && (b + 1.0).abs() < 5e-3, "{a} {b}");
    let named = |j: &Joint| j.name == "drum" && matches!(j.kind, JointKind::Hinge(_));
    assert_eq!(built.world.model().joints().iter().filter(|(_, j)| named(j)).count(), 1);
}

/// The motor lowers until nothing is wound on it any more.
#[test]
fn a_winch_stops_when_it_is_empty() {
    let drive = r#"motor = { speed = -3, torque = 2000 }
        wound_length = 1.5
        capacity = 20"#;
    let text = WINCH.replace("DRIVE", drive);
    let text = text.split("[cables.b]").next().expect("a rope");
    let built = &mut hung(1e5, text);
    run_on(built, 4.0);
    let lowered = 3.0 - height(built, "left");
    assert!((lowered - 1.5).abs() < 0.01, "{lowered}");
}

/// A rope on the other side is paid out by a turn about the axis: the winch stops there when it is empty, whether it lies in layers
/// or not, and with a rope on each side where the first of the two is.
#[test]
fn a_winch_stops_at_the_other_end_for_a_rope_on_the_other_side() {
    for layers in ["", "width = 0.1\nlayers = { rope_diameter = 0.02 }"] {
        let drive = |speed: f64| {
            format!(
                "motor = {{ speed = {speed}, torque = 2000 }}\nwound_length = 1.5\ncapacity = 2\n{layers}"
            )
        };
        let text = |speed: f64| WINCH.replace("DRIVE", &drive(speed));
        let other = |speed: f64| {
            let text = text(speed);
            let (before, a) = text.split_once("[cables.a]").expect("a rope");
            format!("{before}[cables.b]{}", a.split_once("[cables.b]").expect("another").1)
        };
        let built = &mut hung(1e5, &other(3.0));
        run_on(built, 4.0);
        let lowered = 3.0 - height(built, "right");
        assert!((lowered - 1.5).abs() < 0.01, "{layers}: {lowered}");
        let built = &mut hung(1e5, &other(-3.0));
        run_on(built, 4.0);
        let raised = height(built, "right") - 3.0;
        assert!((raised - 0.5).abs() < 0.01, "{layers}: {raised}");
        // half a metre of room for the one is less than 1.5 m of the other
        for (speed, up) in [(3.0, "left"), (-3.0, "right")] {
            let built = &mut hung(1e5, &text(speed));
            run_on(built, 4.0);
            let raised = height(built, up) - 3.0;
            assert!((raised - 0.5).abs() < 0.01, "{layers}: {raised}");
        }
    }
    // each rope may say for itself what is wound
    let drive = "motor = { speed = 3, torque = 2000 }\nwound_length = 1.5\ncapacity = 4";
    let text = WINCH
        .replace("DRIVE", drive)
        .replace("wrap_direction = \"ccw\"", "wrap_direction = \"ccw\", wound_length = 0.8");
    let built = &mut hung(1e5, &text);
    run_on(built, 4.0);
    let lowered = 3.0 - height(built, "right");
    assert!((lowered - 0.8).abs() < 0.01, "{lowered}");
}

/// The brake holds what it can and slips beyond.
#[test]
fn a_brake_holds_up_to_its_torque() {
    for (brake, holds) in [(1.02, true), (0.9, false)] {
        let drive = format!("motor = {{ torque = 1 }}\nbrake = {}", brake * 40.0 * G * 0.25);
        let text = WINCH.replace("DRIVE", &drive);
        let text = text.split("[cables.b]").next().expect("a rope");
        let built = &mut hung(1e5, text);
        run_on(built, 1.0);
        let sunk = 3.0 - height(built, "left");
        assert_eq!(sunk < 0.01, holds, "{brake}: {sunk}");
    }
}

/// A changed scene keeps the rope where nothing of it changed, and takes it off where it is gone.
#[test]
fn ropes_change_with_their_scene() {
    let text = |tension: &str| {
        format!(
            r#"windlass = 2
            [bodies.beam]
            type = "static"
            [bodies.load]
            position = [0, 0, 1]
            mass = 100
            inertia = [5, 5, 5]
            {tension}"#
        )
    };
    let hoist = |speed: f64| {
        text(&format!(
            r#"[winches.hoist]
            on = "beam"
            at = [0, 0, 6]
            axis = [0, -1, 0]
            radius = 0.2
            mass = 30
            motor = {{ speed = {speed}, torque = 1000 }}
            [cables.rope]
            section = {{ construction = "6x36 IWRC", diameter = "10 mm" }}
            route = [{{ winch = "hoist" }}, {{ attach = "load", at = [0.2, 0, 1] }}]"#
        ))
    };
    let scene = |text: &str| parse(text, "s.toml").unwrap_or_else(|e| panic!("{e}"));
    let (slow, fast, gone) = (scene(&hoist(0.5)), scene(&hoist(2.0)), scene(&text("")));
    let mut built = slow.build().unwrap_or_else(|e| panic!("{e}"));
    run_on(&mut built, 1.0);
    let before = rope(&built.world, "rope");
    let edits = built.change(&slow, &fast).unwrap_or_else(|e| panic!("{e}")).edits;
    assert_eq!(edits.len(), 1, "{edits:?}");
    assert_eq!(rope(&built.world, "rope"), before);
    run_on(&mut built, 1.0);
    built.change(&fast, &gone).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(built.world.ropes().count(), 0);
    run_on(&mut built, 0.5);
}
