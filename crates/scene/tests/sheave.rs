//! Sheaves that are bodies and turn with their rope, `slip = false`: how the rope lies, and how it moves, against closed forms.

use crate::play;

use glam::{DQuat, DVec3};
use play::{G, run_on};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use windlass_engine::prelude::RopeReading;
use windlass_scene::{Built, parse};

/// Radius [m] and inertia about its axle [kg·m²] of a sheave: it weighs at the rope as much as 10 kg.
const RADIUS: f64 = 0.2;
const INERTIA: f64 = 0.4;

fn text(more: &str) -> String {
    format!(
        r#"windlass = 2
        [settings]
        dt = "1/240 s"
        collide = false
        [sections.wire]
        construction = "6x36 IWRC"
        diameter = "10 mm"
        [bodies.beam]
        type = "static"
        {more}"#
    )
}

fn built(more: &str) -> Built {
    parse(&text(more), "sheave.toml").and_then(|s| s.build()).unwrap_or_else(|e| panic!("{e}"))
}

fn refused(more: &str) -> String {
    match parse(&text(more), "sheave.toml").and_then(|s| s.build()) {
        Ok(_) => panic!("it is sound"),
        Err(told) => told.to_string(),
    }
}

fn list(v: DVec3) -> String {
    format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z)
}

/// A sheave on a hinge.
fn sheave(name: &str, at: DVec3, axis: DVec3) -> String {
    let (at, axis) = (list(at), list(axis));
    format!(
        "[bodies.{name}]\nposition = {at}\nmass = 20\ninertia = [{INERTIA}, {INERTIA}, {INERTIA}]\n\
         [joints.{name}]\nhinge = {{ bodies = [\"beam\", \"{name}\"], at = {at}, axis = {axis} }}\n"
    )
}

fn load(name: &str, mass: f64, at: DVec3) -> String {
    format!("[bodies.{name}]\nposition = {}\nmass = {mass}\ninertia = [1, 1, 1]\n", list(at))
}

fn attach(body: &str, at: DVec3) -> String {
    format!("{{ attach = \"{body}\", at = {} }}", list(at))
}

fn pulley(body: &str, at: DVec3, axis: DVec3, more: &str) -> String {
    format!("{{ pulley = \"{body}\", at = {}, axis = {}, radius = {RADIUS}{more} }}", list(at), list(axis))
}

fn rope(keys: &str, points: &[String]) -> String {
    format!("[cables.rope]\nsection = \"wire\"\n{keys}\nroute = [{}]\n", points.join(", "))
}

/// Two loads over a sheave at 30 m, 20 m below it; its point has more keys.
fn atwood(masses: [f64; 2], keys: &str, more: &str) -> String {
    let at = DVec3::Z * 30.0;
    let ends = [-RADIUS, RADIUS].map(|x| DVec3::new(x, 0.0, 10.0));
    let points = [attach("left", ends[0]), pulley("sheave", at, DVec3::Y, more), attach("right", ends[1])];
    let loads = load("left", masses[0], ends[0]) + &load("right", masses[1], ends[1]);
    sheave("sheave", at, DVec3::Y) + &loads + &rope(keys, &points)
}

fn reading(built: &Built) -> RopeReading {
    let rope = &built.ropes[0];
    let found = match rope.cable {
        Some(cable) => built.world.route(cable),
        None => built.world.rope(rope.ropes[0]),
    };
    found.expect("a rope")
}

fn height(built: &Built, body: &str) -> f64 {
    play::at(&built.world, body).z
}

fn turned(built: &Built, hinge: &str) -> f64 {
    let named = |id: &&windlass_engine::prelude::JointId| {
        built.world.model().joints().get(**id).is_some_and(|joint| joint.name == hinge)
    };
    let id = built.joints.iter().find(named).expect("a hinge");
    built.world.coordinate(*id, 0).expect("an angle")
}

#[track_caller]
fn near(found: f64, wanted: f64, off: f64) {
    assert!((found - wanted).abs() < off, "{found} is not {wanted}");
}

/// Straight ways and arcs, with turns, on both sides, and the line that is drawn.
#[test]
fn a_rope_lies_on_a_sheave_by_its_wrap() {
    for (more, wrap) in [
        (", slip = false", PI),
        (", slip = false, wrap_direction = \"ccw\"", PI),
        (", slip = false, turns = 2", PI + 2.0 * TAU),
    ] {
        let built = built(&atwood([50.0, 50.0], "", more));
        let rope = reading(&built);
        near(rope.wraps[1], wrap, 1e-12);
        near(rope.length(), 40.0 + RADIUS * wrap, 1e-9);
        assert_eq!(rope.lengths.len(), 2, "it is attached to the sheave");
        near(rope.lengths[0], 20.0, 1e-9);
        let line = built.world.rope_line(built.ropes[0].ropes[0]);
        let drawn: f64 = line.windows(2).map(|p| p[0].distance(p[1])).sum();
        near(drawn, rope.length(), 1e-3 * RADIUS * wrap);
        let top = line.iter().fold(f64::MIN, |top, point| top.max(point.z));
        near(top, 30.0 + RADIUS, 1e-3);
    }
    // 1 m below the line from point to point it would have to be lifted over the sheave: 2 (atan 1/4 − asin 0.2/√17) are missing to a
    // whole turn, as on a pulley that slips
    for slip in [false, true] {
        let at = DVec3::new(0.0, 0.0, 9.0);
        let [from, to] = [-4.0, 4.0].map(|x| attach("beam", DVec3::new(x, 0.0, 10.0)));
        let over = pulley("sheave", at, DVec3::Y, &format!(", slip = {slip}, wrap_direction = \"ccw\""));
        let told = refused(&(sheave("sheave", at, DVec3::Y) + &rope("", &[from, over, to])));
        assert!(told.contains("the rope would wrap this pulley by 337 degrees"), "{told}");
    }
}

/// A sheave that does not slip lies in the rope as one that does: on both sides of its line, under fleet angles, in any orientation.
#[test]
fn a_rope_lies_on_both_kinds_of_pulleys_alike() {
    let places = [
        (DVec3::new(-4.0, 0.0, 1.0), DVec3::new(0.0, 0.0, 0.0), DVec3::new(3.0, 0.0, -2.0), DVec3::Y),
        (DVec3::new(-4.0, 0.0, -1.0), DVec3::new(0.0, 0.0, 0.0), DVec3::new(3.0, 0.0, 2.0), DVec3::Y),
        (DVec3::new(-4.0, 0.3, 1.0), DVec3::new(0.0, 0.0, 0.0), DVec3::new(3.0, -0.2, -2.0), DVec3::Y),
        (
            DVec3::new(-4.0, 0.3, 1.0),
            DVec3::new(0.0, 0.0, 0.0),
            DVec3::new(3.0, -0.2, -2.0),
            DVec3::new(0.2, 0.9, -0.1),
        ),
    ];
    let turn = DQuat::from_rotation_x(0.5) * DQuat::from_rotation_z(-0.8);
    for (from, at, to, axis) in places {
        for (orientation, side) in [DQuat::IDENTITY, turn]
            .into_iter()
            .flat_map(|q| [(q, ", wrap_direction = \"ccw\""), (q, ", wrap_direction = \"cw\"")])
        {
            let [from, at, to, axis] = [from, at, to, axis].map(|v| orientation * v);
            let over = |slip: &str, turns: &str| {
                let points = [
                    attach("beam", from),
                    pulley("sheave", at, axis, &format!("{side}{slip}{turns}")),
                    attach("beam", to),
                ];
                let scene = sheave("sheave", at, axis) + &rope("", &points);
                parse(&text(&scene), "s.toml").and_then(|s| s.build()).ok().map(|built| reading(&built))
            };
            for turns in ["", ", turns = 1"] {
                let (fast, slides) = (over(", slip = false", turns), over("", turns));
                // what goes nearly all round is refused of both
                assert_eq!(fast.is_some(), slides.is_some());
                let (Some(fast), Some(slides)) = (fast, slides) else { continue };
                near(fast.wraps[1], slides.wraps[1], 1e-12);
                near(fast.length(), slides.lengths[0], 1e-9);
                assert!(fast.wraps[1] > 0.05 && slides.on_sheaves == 0.0, "{fast:?}");
            }
        }
    }
}

/// a = (m − m') g/(m + m' + I/r²), on each side the pull of its load, and no rope creeps over the sheave. A rope of μ kg/m has a mass
/// M more, and what runs over pulls with it: x = (m − m')/2μ (cosh λt − 1), λ² = 2 μ g/(m + m' + I/r² + M).
#[test]
fn atwoods_machine_turns_its_sheave() {
    let (heavy, light, seconds) = (60.0, 40.0, 2.0);
    let mass = heavy + light + INERTIA / (RADIUS * RADIUS);
    let a = (heavy - light) * G / mass;
    for keys in ["tension = 470", "tension = 470\nsegments = \"flexible\""] {
        let mut built = built(&atwood([heavy, light], keys, ", slip = false"));
        let before = reading(&built);
        near(before.wraps[1], PI, 1e-9);
        near(before.length(), 40.0 + RADIUS * PI, 1e-6);
        let way = match built.ropes[0].cable.and_then(|id| built.world.model().cables().get(id)) {
            None => 0.5 * a * seconds * seconds,
            Some(cable) => {
                let line = cable.section.mass_per_length;
                let rate = (2.0 * line * G / (mass + 40.0 * line)).sqrt();
                0.5 * (heavy - light) / line * (libm::cosh(rate * seconds) - 1.0)
            }
        };
        run_on(&mut built, seconds);
        let (down, up) = (10.0 - height(&built, "left"), height(&built, "right") - 10.0);
        near(down / way, 1.0, 2e-3);
        near(up / way, 1.0, 2e-3);
        // some 3.5 m, which are 17 rad
        near(turned(&built, "sheave").abs() * RADIUS, down, 2e-3);
        let rope = reading(&built);
        near(rope.wraps[1], PI, 1e-2);
        near(rope.length(), before.length(), 2e-3);
        assert!((0..3).all(|point| !rope.has_left(point)));
        if built.ropes[0].cable.is_none() {
            near(rope.tensions[0] / (heavy * (G - a)), 1.0, 2e-3);
            near(rope.tensions[1] / (light * (G + a)), 1.0, 2e-3);
        }
    }
}

/// Over two sheaves, a quarter turn about each: a = (m − m') g/(m + m' + 2 I/r²), and what is between them turns them both.
#[test]
fn two_sheaves_turn_alike() {
    let (heavy, light) = (60.0, 40.0);
    let at = [0.0, 3.0].map(|x| DVec3::new(x, 0.0, 30.0));
    let ends = [-RADIUS, 3.0 + RADIUS].map(|x| DVec3::new(x, 0.0, 10.0));
    let points = [
        attach("left", ends[0]),
        pulley("one", at[0], DVec3::Y, ", slip = false"),
        pulley("two", at[1], DVec3::Y, ", slip = false"),
        attach("right", ends[1]),
    ];
    let scene = sheave("one", at[0], DVec3::Y)
        + &sheave("two", at[1], DVec3::Y)
        + &load("left", heavy, ends[0])
        + &load("right", light, ends[1])
        + &rope("tension = 470", &points);
    let mut built = built(&scene);
    let rope = reading(&built);
    near(rope.wraps[1], FRAC_PI_2, 1e-9);
    near(rope.wraps[2], FRAC_PI_2, 1e-9);
    near(rope.length(), 20.0 + 3.0 + 20.0 + PI * RADIUS, 1e-9);
    let weight = INERTIA / (RADIUS * RADIUS);
    let a = (heavy - light) * G / (heavy + light + 2.0 * weight);
    run_on(&mut built, 2.0);
    let down = 10.0 - height(&built, "left");
    near(down / (2.0 * a), 1.0, 2e-3);
    for hinge in ["one", "two"] {
        near(turned(&built, hinge).abs() * RADIUS, down, 2e-3);
    }
    let pulls = reading(&built).tensions;
    near(pulls[0] / (heavy * (G - a)), 1.0, 2e-3);
    near(pulls[1] / (heavy * (G - a) - weight * a), 1.0, 2e-3);
    near(pulls[2] / (light * (G + a)), 1.0, 2e-3);
}

/// From a wall over a sheave to a load that hangs still: the pull is its weight on both sides, on a sheave whose axle lies level or not.
#[test]
fn a_load_hangs_over_a_sheave() {
    for tilt in [0.0, 0.2] {
        let axis = DQuat::from_rotation_x(tilt) * DVec3::Y;
        let at = DVec3::new(0.0, 0.0, 10.0);
        // its groove is where the load hangs from
        let ends = [DVec3::new(-4.0, 0.0, 10.0 + RADIUS), DVec3::new(RADIUS, 0.0, 2.0)];
        let points =
            [attach("beam", ends[0]), pulley("sheave", at, axis, ", slip = false"), attach("load", ends[1])];
        let scene =
            sheave("sheave", at, axis) + &load("load", 50.0, ends[1]) + &rope("tension = 490.5", &points);
        let mut built = built(&scene);
        let rope = reading(&built);
        if tilt == 0.0 {
            near(rope.wraps[1], FRAC_PI_2, 1e-9);
            near(rope.length(), 4.0 + RADIUS * FRAC_PI_2 + 8.0, 1e-9);
        }
        run_on(&mut built, 3.0);
        let rope = reading(&built);
        near(rope.tensions[0] / rope.tensions[1], 1.0, 0.01);
        near(rope.tensions[1] / (50.0 * G), 1.0, 0.01);
        near(height(&built, "load"), 2.0, 0.02);
        near(turned(&built, "sheave"), 0.0, 0.02);
    }
}

/// A rope that is attached to a sheave at its end runs off it as off a drum: a = m g/(m + I/r²).
#[test]
fn a_rope_runs_off_a_sheave_at_its_end() {
    for (first, sign) in [(true, 1.0), (false, -1.0)] {
        let end = DVec3::new(sign * RADIUS, 0.0, 20.0);
        let mut points = [
            pulley("sheave", DVec3::Z * 30.0, DVec3::Y, ", slip = false, wrap_direction = \"ccw\""),
            attach("load", end),
        ];
        if !first {
            points.reverse();
        }
        let scene = sheave("sheave", DVec3::Z * 30.0, DVec3::Y)
            + &load("load", 50.0, end)
            + &rope("tension = 80", &points);
        let mut built = built(&scene);
        let rope = reading(&built);
        near(rope.length(), 10.0, 1e-9);
        assert_eq!(rope.wraps, [0.0, 0.0]);
        run_on(&mut built, 1.0);
        let a = 50.0 * G / (50.0 + INERTIA / (RADIUS * RADIUS));
        let down = 20.0 - height(&built, "load");
        near(down / (0.5 * a), 1.0, 2e-3);
        near(turned(&built, "sheave").abs() * RADIUS, down, 2e-3);
    }
    let points = [
        pulley("sheave", DVec3::Z * 30.0, DVec3::Y, ", slip = false, turns = 3"),
        attach("beam", DVec3::new(RADIUS, 0.0, 20.0)),
    ];
    let told = refused(&(sheave("sheave", DVec3::Z * 30.0, DVec3::Y) + &rope("", &points)));
    assert!(told.contains("`turns` at a pulley on which the rope ends (leave it out"), "{told}");
}

/// A rope that only touches a sheave lies on it by nothing, has not left it, and goes on when the sheave is pushed into it and away.
#[test]
fn a_rope_that_only_touches_has_no_wrap() {
    for slip in [", slip = false", ""] {
        let over = |z: f64| {
            let at = DVec3::new(0.0, 0.0, z - RADIUS);
            let [from, to] = [-4.0, 4.0].map(|x| attach("beam", DVec3::new(x, 0.0, 10.0)));
            let points =
                [from, pulley("sheave", at, DVec3::Y, &format!(", wrap_direction = \"ccw\"{slip}")), to];
            reading(&built(&(sheave("sheave", at, DVec3::Y) + &rope("", &points))))
        };
        let rope = over(10.0);
        near(rope.wraps[1], 0.0, 1e-9);
        near(rope.length(), 8.0, 1e-9);
        assert!(!rope.has_left(1));
        // 1 mm into it: 2 · 1 mm/4 m
        near(over(10.001).wraps[1], 5e-4, 1e-6);
    }
}

/// One length is that of all runs and of what lies on sheaves; the strain of all runs is the same.
#[test]
fn a_rope_over_sheaves_has_one_length() {
    let way = 40.0 + RADIUS * PI;
    let of = |length: f64, more: &str| {
        built(&atwood([50.0, 50.0], &format!("length = {length:?}\n{more}"), ", slip = false"))
    };
    for (length, slack) in [(way - 0.01, -0.01), (way, 0.0)] {
        let rope = reading(&of(length, ""));
        near(rope.slack.iter().sum(), slack, 1e-9);
        near(rope.slack[0], rope.slack[1], 1e-9);
    }
    near(reading(&of(way + 0.5, "")).slack[0], 0.25, 1e-9);
    let rope = reading(&of(way + 0.5, "segments = \"flexible\""));
    near(rope.length() + rope.slack.iter().sum::<f64>(), way + 0.5, 1e-2);
    let told = refused(&atwood([50.0, 50.0], "length = 0.5", ", slip = false"));
    assert!(
        told.contains("the sheaves without slip alone take 0.628319 m of the rope (give a longer `length`)"),
        "{told}"
    );
}

/// A rope whose route is changed while it runs lies on its new points as one that is laid there then: what was counted on the old ones, 17 rad
/// of a sheave without slip, is no wrap of others.
#[test]
fn a_changed_route_is_counted_anew() {
    let scene = |more: &str| {
        parse(&text(&atwood([60.0, 40.0], "tension = 470", more)), "sheave.toml")
            .unwrap_or_else(|e| panic!("{e}"))
    };
    let was = scene(", slip = false");
    for (more, wrap) in [(", slip = false, turns = 1", PI + TAU), ("", PI), (", turns = 1", PI + TAU)] {
        let mut built = was.build().unwrap_or_else(|e| panic!("{e}"));
        run_on(&mut built, 2.0);
        assert!(turned(&built, "sheave").abs() > 15.0);
        built.change(&was, &scene(more)).unwrap_or_else(|e| panic!("{e}"));
        let rope = reading(&built);
        near(rope.wraps[1], wrap, 0.02);
        near(rope.length(), 40.0 + RADIUS * wrap, 0.02);
        // and goes on so
        run_on(&mut built, 0.5);
        near(reading(&built).wraps[1], wrap, 0.02);
    }
    // a rope of another section lies where it lay
    let mut built = was.build().unwrap_or_else(|e| panic!("{e}"));
    run_on(&mut built, 2.0);
    let before = reading(&built).wraps[1];
    let other = text(&atwood([60.0, 40.0], "tension = 470", ", slip = false")).replace("10 mm", "12 mm");
    let other = parse(&other, "sheave.toml").unwrap_or_else(|e| panic!("{e}"));
    built.change(&was, &other).unwrap_or_else(|e| panic!("{e}"));
    near(reading(&built).wraps[1], before, 1e-9);
}
