//! Ropes and cables of a running scene that is edited: they keep their present unloaded length and state.

use crate::play;

use play::{G, run_on, until};
use std::sync::Arc;
use windlass_engine::prelude::{Edit, Joint, JointKind, RopeReading, Spring};
use windlass_scene::files::NoFolder;
use windlass_scene::{AppliedChange, Built, Override, Scene, parse, parse_with};

/// A block on four falls and a winch that winds in from the first second on.
const FOUR: &str = r#"
windlass = 2
[settings]
dt = "1/120 s"
collide = false
[parameters]
load = "4 t"
[sections.wire]
construction = "6x36 IWRC"
diameter = "16 mm"
[bodies.frame]
type = "static"
[bodies.block]
position = [0, 0, 2]
mass = "= load"
inertia = [200, 200, 200]
[winches.hoist]
on = "frame"
at = [-0.45, 0, 0.5]
axis = [0, 1, 0]
radius = "250 mm"
mass = "150 kg"
motor = { torque = "4 kN*m" }
brake = "5 kN*m"
[cables.rope]
section = "wire"
tension = "= load * 9.81 m/s^2 / 4"
route = [
  { winch = "hoist" },
  { pulley = "frame", at = [0, 0, 8], axis = [0, 1, 0], radius = 0.2, wrap_direction = "ccw" },
  { pulley = "block", at = [0, 0, 2], axis = [0, 1, 0], radius = 0.2, wrap_direction = "ccw" },
  { pulley = "frame", at = [0, 0, 8], axis = [0, 1, 0], radius = 0.2, wrap_direction = "ccw" },
  { pulley = "block", at = [0, 0, 2], axis = [0, 1, 0], radius = 0.2, wrap_direction = "ccw" },
  { attach = "frame", at = [-0.2, 0, 8] },
]
[inputs.hoist]
range = ["-2 rad/s", "2 rad/s"]
rate = "1 rad/s^2"
drives = [{ joint = "hoist" }]
[[script]]
at = 1
set = { hoist = 2 }
"#;

/// The load of one fall at the start [N].
const PULL: f64 = 4000.0 * G / 4.0;

/// A load on a rope with flexible segments over a pulley, and its winch.
const FLEXIBLE: &str = r#"
windlass = 2
[settings]
dt = "1/60 s"
collide = false
[parameters]
load = "500 kg"
[sections.wire]
construction = "6x36 IWRC"
diameter = "16 mm"
[bodies.tower]
type = "static"
[bodies.load]
position = [2, 0, 2]
mass = "= load"
inertia = [50, 50, 50]
[winches.hoist]
on = "tower"
at = [0, 0, 1]
axis = [0, -1, 0]
radius = 0.2
mass = 80
wound_length = 20
motor = { torque = 5000 }
brake = 5000
[cables.rope]
section = "wire"
tension = "= load * 9.81 m/s^2"
segments = "flexible"
route = [
  { winch = "hoist" },
  { pulley = "tower", at = [1.8, 0, 10], axis = [0, 1, 0], radius = 0.2 },
  { attach = "load", at = [2, 0, 2] },
]
[inputs.hoist]
range = ["-6 rad/s", "6 rad/s"]
rate = "2 rad/s^2"
drives = [{ joint = "hoist" }]
[[script]]
at = 0
set = { hoist = 2 }
[[script]]
at = 2
set = { hoist = 0 }
"#;

fn with(text: &str, overrides: &[(&str, &str)]) -> Scene {
    let set = |(key, value): &(&str, &str)| Override { key: key.to_string(), value: value.to_string() };
    let list: Vec<_> = overrides.iter().map(set).collect();
    parse_with(text, "ropes.toml", Arc::new(NoFolder), &list).unwrap_or_else(|e| panic!("{e}"))
}

fn build(scene: &Scene) -> Built {
    scene.build().unwrap_or_else(|e| panic!("{e}"))
}

fn change(built: &mut Built, old: &Scene, new: &Scene) -> AppliedChange {
    built.change(old, new).unwrap_or_else(|e| panic!("{e}"))
}

fn kinds(change: &AppliedChange) -> Vec<String> {
    let kind = |e: &Edit| format!("{e:?}").split([' ', '(']).next().unwrap_or_default().to_string();
    change.edits.iter().map(kind).collect()
}

fn reading(built: &Built) -> RopeReading {
    let rope = &built.ropes[0];
    match rope.cable {
        Some(cable) => built.world.route(cable).expect("a route"),
        None => built.world.rope(rope.ropes[0]).expect("a rope"),
    }
}

/// Unloaded length off the winch [m].
fn unloaded(built: &Built) -> f64 {
    let reading = reading(built);
    reading.length() + reading.slack.iter().sum::<f64>()
}

/// Revolution of the winch [rad].
fn wound(built: &Built) -> f64 {
    built.world.coordinate(built.joints[0], 0).expect("a turn")
}

fn height(built: &Built, name: &str) -> f64 {
    let id = built.world.model().body(name).expect("a body");
    built.world.state().bodies[id.index()].position.z
}

/// Tension of a massless rope by its stretch [N].
fn by_stretch(built: &Built) -> f64 {
    let id = built.ropes[0].ropes[0];
    let JointKind::Rope(rope) = &built.world.model().joints().get(id).expect("a joint").kind else {
        panic!()
    };
    let reading = reading(built);
    -reading.slack[0] * rope.stiffness / unloaded(built)
}

#[track_caller]
fn near(a: f64, b: f64, within: f64) {
    assert!((a - b).abs() <= within, "{a} is not {b}");
}

/// Applies the same edits to a copy and undoes them: state and model are as before, bit for bit.
#[track_caller]
fn can_be_undone(before: &Built, change: &AppliedChange) {
    let mut copy = before.fork();
    let (bytes, model) = (copy.world.state().to_bytes(), format!("{:?}", copy.world.model()));
    let undo: Vec<Edit> =
        change.edits.iter().map(|edit| copy.world.edit(edit.clone()).expect("it was made")).collect();
    assert!(undo.is_empty() || format!("{:?}", copy.world.model()) != model);
    undo.into_iter().rev().for_each(|edit| drop(copy.world.edit(edit).expect("it can be undone")));
    assert_eq!(copy.world.state().to_bytes(), bytes);
    // the revision counts edits, undone ones too; an occupied slot has no next one
    let number = |c: char| c.is_ascii_digit();
    let plain = |text: &str| {
        let without: String = text.split("revision: ").map(|part| part.trim_start_matches(number)).collect();
        let slots = without.split("next: ").map(|part| match part.trim_start_matches(number) {
            rest if rest.starts_with(", value: Some") => rest,
            _ => part,
        });
        slots.collect::<String>()
    };
    assert_eq!(plain(&format!("{:?}", copy.world.model())), plain(&model));
    let mut other = before.fork();
    for _ in 0..20 {
        assert!(copy.world.step().fault.is_none() && other.world.step().fault.is_none());
    }
    assert_eq!(copy.world.state().hash(), other.world.state().hash());
}

/// The load of a running hoist becomes heavier: its rope stays as long as the winch has left it, although its `tension`
/// at the start is another one.
#[test]
fn a_heavier_load_hangs_on_the_rope_as_it_is() {
    for integrator in ["spook", "projected", "dormand-prince"] {
        let more = [("settings.integrator", integrator)];
        let [old, new] = ["4 t", "5 t"].map(|load| with(FOUR, &[more[0], ("parameters.load", load)]));
        let mut built = build(&old);
        let start = unloaded(&built);
        run_on(&mut built, 5.0);
        let (before, turned) = (reading(&built), wound(&built));
        // the winch has wound in 1.5 m
        near(unloaded(&built), start - 0.25 * turned, 1e-3);
        assert!(turned > 5.9, "{turned}");
        let parent = built.fork();
        let done = change(&mut built, &old, &new);
        assert_eq!(kinds(&done), ["SetBody"], "{integrator}");
        assert_eq!(reading(&built), before);
        assert_eq!(wound(&built), turned);
        let [note] = &done.notes[..] else { panic!("{:?}", done.notes) };
        assert!(note.starts_with("cables.rope: keeps its unloaded length of 32.4"), "{note}");
        can_be_undone(&parent, &done);
        // a load applied at once: at most twice its share beyond the static load, and 5 % by the acceleration
        let mut peak: f64 = 0.0;
        until(&mut built, 5.9, |world| {
            let tensions = world.rope(world.ropes().next().expect("a rope")).expect("a rope").tensions;
            peak = tensions.into_iter().fold(peak, f64::max);
        });
        assert!(peak > 1.25 * PULL && peak < 1.5 * 1.05 * PULL, "{integrator} {peak}");
    }
}

/// Another section has another stiffness, not another length; back again nothing is left of it.
#[test]
fn a_rope_of_another_section_keeps_its_length() {
    let old = with(FOUR, &[]);
    let mut parent = build(&old);
    run_on(&mut parent, 3.0);
    let before = reading(&parent);
    for (key, value) in [
        ("sections.wire.diameter", "20 mm"),
        ("sections.wire.axial_stiffness", "8 MN"),
        ("sections.wire.damping.stretch", "1 ms"),
        ("sections.wire.breaking_load", "250 kN"),
    ] {
        let new = with(FOUR, &[(key, value)]);
        let mut built = parent.fork();
        let pull = by_stretch(&built);
        let done = change(&mut built, &old, &new);
        assert_eq!(kinds(&done), ["ReplaceJoint"], "{key}");
        assert!(done.notes.is_empty(), "{:?}", done.notes);
        let after = reading(&built);
        assert_eq!(
            (&after.lengths, &after.slack, &after.wraps),
            (&before.lengths, &before.slack, &before.wraps)
        );
        let stiffer = by_stretch(&built) / pull;
        let expected = match key {
            "sections.wire.diameter" => (20.0f64 / 16.0).powi(2),
            "sections.wire.axial_stiffness" => 8e6 / 1.178e7,
            _ => 1.0,
        };
        near(stiffer, expected, 1e-3);
        can_be_undone(&parent, &done);
        change(&mut built, &new, &old);
        let mut other = parent.fork();
        run_on(&mut built, 0.5);
        run_on(&mut other, 0.5);
        assert_eq!(built.world.state().hash(), other.world.state().hash(), "{key}");
    }
}

/// `length` changes the present length by its own change, `tension` sets it for the present path.
#[test]
fn a_length_is_changed_and_a_tension_set() {
    let start = unloaded(&build(&with(FOUR, &[])));
    let long = FOUR.replace("tension = \"= load * 9.81 m/s^2 / 4\"", &format!("length = {start}"));
    let (old, longer) =
        (with(&long, &[]), with(&long, &[("cables.rope.length", &format!("{} m", start + 0.4))]));
    let mut built = build(&old);
    run_on(&mut built, 3.0);
    let (before, parent) = (unloaded(&built), built.fork());
    let done = change(&mut built, &old, &longer);
    near(unloaded(&built), before + 0.4, 1e-9);
    assert!(
        done.notes[0].starts_with("cables.rope: its present unloaded length changes by 0.4 m, to "),
        "{:?}",
        done.notes
    );
    can_be_undone(&parent, &done);
    // a load or a section does nothing to it
    let mut built = parent.fork();
    let both = with(&long, &[("parameters.load", "5 t"), ("sections.wire.diameter", "18 mm")]);
    let done = change(&mut built, &old, &both);
    assert_eq!((unloaded(&built), done.notes.len()), (before, 0));
    // tension
    let (old, tight) = (with(FOUR, &[]), with(FOUR, &[("cables.rope.tension", "5 kN")]));
    let mut built = build(&old);
    run_on(&mut built, 3.0);
    let done = change(&mut built, &old, &tight);
    near(by_stretch(&built), 5000.0, 1e-4);
    assert!(done.notes[0].contains("which gives it 5000 N on its present path"), "{:?}", done.notes);
}

/// Friction is changed in place; a pulley at another place takes the rope with the tension of the text.
#[test]
fn a_changed_route_takes_the_rope_as_the_machine_stands() {
    let old = with(FOUR, &[]);
    let mut parent = build(&old);
    run_on(&mut parent, 3.0);
    let before = reading(&parent);
    let rough = FOUR
        .replace("\"ccw\" },\n  { pulley = \"block\"", "\"ccw\", friction = 0.1 },\n  { pulley = \"block\"");
    assert_ne!(rough, FOUR);
    let (mut built, rough) = (parent.fork(), with(&rough, &[]));
    let done = change(&mut built, &old, &rough);
    assert_eq!(kinds(&done), ["ReplaceJoint"]);
    assert_eq!((&reading(&built).slack, unloaded(&built)), (&before.slack, unloaded(&parent)));
    can_be_undone(&parent, &done);
    run_on(&mut built, 0.1);
    let tensions = reading(&built).tensions;
    assert!(tensions[0] > 1.1 * tensions[1], "{tensions:?}");

    let moved = FOUR.replace("at = [0, 0, 8]", "at = [0, 0, 8.5]");
    let (mut built, moved) = (parent.fork(), with(&moved, &[]));
    let done = change(&mut built, &old, &moved);
    near(by_stretch(&built), PULL, 1e-3);
    assert!(done.notes[0].starts_with("cables.rope: laid on its new points, with an unloaded length of "));
    near(reading(&built).length(), before.length() + 4.0 * 0.5, 0.05);
    can_be_undone(&parent, &done);
}

#[test]
fn a_broken_rope_stays_broken() {
    // it bears its load at rest, not that of the start
    let [old, new] = ["0.1 ms", "0.2 ms"].map(|damping| {
        with(FOUR, &[("sections.wire.breaking_load", "9.85 kN"), ("sections.wire.damping.stretch", damping)])
    });
    let mut built = build(&old);
    run_on(&mut built, 2.0);
    assert!(reading(&built).broken);
    change(&mut built, &old, &new);
    assert!(reading(&built).broken);
}

/// What holds of a massless rope holds of one with flexible segments, whose elements stay as they are.
#[test]
fn flexible_segments_keep_their_elements() {
    let old = with(FLEXIBLE, &[]);
    let mut parent = build(&old);
    let start = unloaded(&parent);
    run_on(&mut parent, 4.0);
    let (before, turned) = (reading(&parent), wound(&parent));
    near(unloaded(&parent), start - 0.2 * turned, 5e-3);
    assert!(turned > 3.0, "{turned}");

    let (mut built, heavier) = (parent.fork(), with(FLEXIBLE, &[("parameters.load", "600 kg")]));
    let done = change(&mut built, &old, &heavier);
    assert_eq!(kinds(&done), ["SetBody"]);
    assert_eq!(reading(&built), before);
    assert!(done.notes[0].starts_with("cables.rope: keeps its unloaded length of "), "{:?}", done.notes);
    let mut peak: f64 = 0.0;
    until(&mut built, 5.0, |world| {
        let rope = world.rope(world.ropes().next().expect("a rope")).expect("a rope");
        peak = rope.tensions.into_iter().fold(peak, f64::max);
    });
    // the rope itself weighs 1 N per 0.1 m
    assert!(peak > 600.0 * G && peak < 700.0 * G + 150.0, "{peak}");

    let hangs = height(&parent, "load");
    for (key, value) in [
        ("sections.wire.diameter", "18 mm"),
        ("sections.wire.damping.stretch", "1 ms"),
        ("sections.wire.breaking_load", "250 kN"),
        ("sections.wire.mass_per_length", "2 kg/m"),
    ] {
        let (mut built, new) = (parent.fork(), with(FLEXIBLE, &[(key, value)]));
        let done = change(&mut built, &old, &new);
        assert_eq!(kinds(&done)[0], "SetSection", "{key}");
        assert!(done.notes.is_empty(), "{:?}", done.notes);
        assert_eq!(
            (built.ropes[0].cable, &built.ropes[0].ropes),
            (parent.ropes[0].cable, &parent.ropes[0].ropes)
        );
        let after = reading(&built);
        assert_eq!(
            (&after.lengths, &after.slack, after.elements),
            (&before.lengths, &before.slack, before.elements)
        );
        assert_eq!(built.world.state().bodies, parent.world.state().bodies, "{key}");
        can_be_undone(&parent, &done);
        let mut back = built.fork();
        change(&mut back, &new, &old);
        let mut other = parent.fork();
        run_on(&mut back, 0.5);
        run_on(&mut other, 0.5);
        assert_eq!(back.world.state().hash(), other.world.state().hash(), "{key}");
        run_on(&mut built, 1.0);
        near(height(&built, "load"), hangs, 0.01);
        let weight = if key == "sections.wire.mass_per_length" { 2.0 } else { 1.0 };
        let id = built.ropes[0].cable.expect("elements");
        let cable = built.world.model().cables().get(id).expect("a cable");
        let mass = built.world.model().bodies().get(cable.elements[0]).expect("an element").mass.mass;
        if weight == 2.0 {
            near(mass, 2.0 * cable.element, 1e-12);
        }
    }
}

/// Elements of another length are created again, on a rope that is as long as it was; and so is another model.
#[test]
fn elements_created_again_have_the_present_length() {
    let massless = FLEXIBLE.replace("segments = \"flexible\"", "");
    let all =
        [FLEXIBLE.to_string(), FLEXIBLE.replace("\"flexible\"", "\"flexible\"\nelement = 0.5"), massless];
    for (from, to) in [(0, 1), (0, 2), (2, 0)] {
        let (old, new) = (with(&all[from], &[]), with(&all[to], &[]));
        let mut built = build(&old);
        run_on(&mut built, 4.0);
        let (before, hangs, parent) = (unloaded(&built), height(&built, "load"), built.fork());
        let done = change(&mut built, &old, &new);
        // a lead begins at an element that is shorter than its place by half its stretch: three leads, 4905 N, EA 11.8 MN
        let shift = if to == 2 { 1e-9 } else { 3.0 * 0.5 * 0.5 * 4905.0 / 1.178e7 * 1.1 };
        near(unloaded(&built), before, shift);
        let [note] = &done.notes[..] else { panic!("{:?}", done.notes) };
        assert!(note.starts_with("cables.rope: keeps its unloaded length of "), "{note}");
        assert_eq!(
            note.ends_with("its elements were created again at rest along its path"),
            to != 2,
            "{note}"
        );
        // elements that were added leave free places in the state
        if from != 2 {
            can_be_undone(&parent, &done);
        }
        if to != 2 {
            // no rope is gained on the drum: 20 m, and what was wound in, to an element
            let id = built.ropes[0].cable.expect("elements");
            let cable = built.world.model().cables().get(id).expect("a cable");
            let start = unloaded(&build(&new));
            near(cable.length() - before, 20.0 + start - before, 2.0 * cable.element);
        }
        let mut peak: f64 = 0.0;
        until(&mut built, 5.0, |world| {
            let rope = world.rope(world.ropes().next().expect("a rope")).expect("a rope");
            peak = rope.tensions.into_iter().fold(peak, f64::max);
        });
        assert!(peak < 1.2 * 500.0 * G, "{peak}");
        near(height(&built, "load"), hangs, 0.01);
    }
}

/// A load on a cable of elements; its section is changed while it swings.
#[test]
fn a_cable_of_another_section_swings_on() {
    let text = r#"windlass = 2
        [settings]
        collide = false
        [parameters]
        pull = 2000
        [sections.wire]
        construction = "6x19 IWRC"
        diameter = "20 mm"
        [bodies.beam]
        type = "static"
        [bodies.load]
        position = [1, 0, -5]
        shape = { sphere = { radius = 0.2 } }
        mass = 200
        [cables.sling]
        section = "wire"
        tension = "= pull"
        adaptive = { levels = 1 }
        start = { body = "beam", at = [0, 0, 0] }
        end = { body = "load", at = [1, 0, -4.8] }
        "#;
    for text in [text.to_string(), text.replace("adaptive = { levels = 1 }", "")] {
        let old = with(&text, &[]);
        let mut parent = build(&old);
        run_on(&mut parent, 0.7);
        // by a parameter
        let (mut built, pulled) = (parent.fork(), with(&text, &[("parameters.pull", "3000")]));
        let done = change(&mut built, &old, &pulled);
        assert!(done.edits.is_empty(), "{:?}", done.edits);
        assert_eq!(
            done.notes,
            ["cables.sling: keeps its unloaded length, since `tension` is that at the start"]
        );
        for (key, value) in [
            ("sections.wire.diameter", "24 mm"),
            ("sections.wire.damping.stretch", "2 ms"),
            ("sections.wire.breaking_load", "90 kN"),
        ] {
            let (mut built, new) = (parent.fork(), with(&text, &[(key, value)]));
            let done = change(&mut built, &old, &new);
            assert_eq!(kinds(&done), ["SetSection"], "{key}");
            assert_eq!(built.world.state().bodies, parent.world.state().bodies);
            can_be_undone(&parent, &done);
            let mut back = built.fork();
            let done = change(&mut back, &new, &old);
            assert_eq!(kinds(&done), ["SetSection"]);
            let mut other = parent.fork();
            run_on(&mut back, 0.3);
            run_on(&mut other, 0.3);
            assert_eq!(back.world.state().hash(), other.world.state().hash(), "{key}");
            // a new section is that of a cable that has had it from the start
            let links = |built: &Built| {
                let cable = built.world.model().cables().iter().next().expect("a cable").1.clone();
                let joint = |id| built.world.model().joints().get(id).expect("a link").clone();
                let all: Vec<_> = cable.links.iter().map(|id| joint(*id)).collect();
                let link = |joint: Joint| match joint.kind {
                    JointKind::Link(link) => {
                        let spring = |s: Spring| [s.stiffness * link.length, s.damping * link.length];
                        (spring(link.stretch), link.bend.map(spring), joint.strength)
                    }
                    _ => panic!("no link"),
                };
                all.into_iter().map(link).collect::<Vec<_>>()
            };
            let (fresh, own) = (links(&build(&new))[1], links(&built)[1]);
            assert!(fresh != links(&parent)[1] && fresh.2 == own.2, "{key}");
            for (own, fresh) in
                own.0.into_iter().chain(own.1.unwrap()).zip(fresh.0.into_iter().chain(fresh.1.unwrap()))
            {
                near(own / fresh, 1.0, 1e-12);
            }
        }
        // what cannot be kept is told
        let (mut built, finer) = (parent.fork(), with(&text, &[("cables.sling.elements", "16")]));
        let done = change(&mut built, &old, &finer);
        assert_eq!(
            done.notes,
            ["cables.sling: created again at rest, along its path at the start of the scene"]
        );
    }
}

/// Brakes and motors against the torque of the rope at the start.
#[test]
fn a_winch_that_cannot_hold_its_rope_is_told() {
    let told = |text: &str, overrides: &[(&str, &str)]| build(&with(text, overrides)).winch_warnings();
    // 9810 N on 0.25 m against 5 kN·m
    assert_eq!(told(FOUR, &[]), []);
    let [weak] = &told(FOUR, &[("parameters.load", "10 t")])[..] else { panic!("no warning") };
    near(weak.needed, 10_000.0 * G / 4.0 * 0.25, 1e-3);
    assert_eq!((weak.name.as_str(), weak.holds), ("hoist", 5000.0));
    let told_text = "its brake holds 5000 N*m, but the initial tension of cable \"rope\" needs 6131.25 N*m, so that the drum slips: \
                     give a stronger `brake`, or correct the tension";
    assert_eq!(weak.warning, told_text);
    // held by the dry friction of its bearings as well
    assert_eq!(told(FOUR, &[("parameters.load", "10 t"), ("winches.hoist.friction", "1.2 kN*m")]), []);
    // the motor holds where there is no brake
    let motor = FOUR.replace("brake = \"5 kN*m\"", "");
    assert_eq!(told(&motor, &[("parameters.load", "6 t")]), []);
    let [weak] = &told(&motor, &[("parameters.load", "7 t")])[..] else { panic!("no warning") };
    assert_eq!(weak.holds, 4000.0);
    assert!(weak.warning.contains("its motor, which has no brake, holds 4000 N*m"), "{}", weak.warning);
    // from the second layer the rope has a longer arm
    let layers = "brake = \"5 kN*m\"\nwound_length = 20\nlayers = { rope_diameter = \"16 mm\", turns = 10 }";
    let layers = FOUR.replace("brake = \"5 kN*m\"", layers);
    assert_eq!(told(&layers, &[("parameters.load", "7.6 t")]), []);
    let [weak] = &told(&layers, &[("parameters.load", "7.9 t")])[..] else { panic!("no warning") };
    near(weak.needed, 7900.0 * G / 4.0 * 0.266, 1e-3);
    // flexible segments, and a second rope that balances the first
    let [weak] = &told(FLEXIBLE, &[("winches.hoist.brake", "900")])[..] else { panic!("no warning") };
    near(weak.needed, 500.0 * G * 0.2, 0.1);
    let counter = format!(
        "{FLEXIBLE}\n[cables.counter]\nsection = \"wire\"\ntension = 4000\nroute = [{{ winch = \"hoist\", wrap_direction = \"ccw\" }}, \
         {{ attach = \"tower\", at = [0.2, 0, 9] }}]"
    );
    assert_eq!(told(&counter, &[("winches.hoist.brake", "900")]), []);
    assert!(parse(FOUR, "four.toml").is_ok());
}
