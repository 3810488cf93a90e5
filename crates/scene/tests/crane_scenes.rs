//! The scenes of `scenes/crane` with ropes do what their heads say: one number of each, against a closed form.

use crate::play;

use glam::DVec3;
use play::{G, at, run, until};
use std::f64::consts::TAU;
use windlass_engine::prelude::{Edit, JointId, RopeReading, World};
use windlass_scene::Built;
use windlass_scene::control::operator::{Operator, Wander};

/// A scene with some of its values changed.
fn changed(name: &str, overrides: &[&str]) -> Built {
    play::changed(&format!("crane/{name}"), overrides)
}

fn id(world: &World, rope: &str) -> JointId {
    let named = |id: &JointId| world.model().joints().get(*id).is_some_and(|j| j.name == rope);
    world.ropes().find(named).unwrap_or_else(|| panic!("no rope {rope}"))
}

fn rope(world: &World, name: &str) -> RopeReading {
    world.rope(id(world, name)).expect("a rope")
}

fn joint(world: &World, name: &str) -> JointId {
    let joints = world.model().joints();
    let found = joints.iter().find(|(_, j)| j.name == name).and_then(|(place, _)| joints.id(place));
    found.unwrap_or_else(|| panic!("no joint {name}"))
}

#[track_caller]
fn near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

/// T = W / Σ q^−i with q = (1 + c)/(1 − c): each sheave of half a turn takes its part. Mean over two seconds about the middle of
/// the hoist, where nothing speeds up but the load bounces by 6 % yet; falls are off the vertical by 60 mm in 5 m.
#[test]
fn the_tackle_pulls_with_its_part_of_the_weight() {
    for falls in 1..=6 {
        let scene = &mut changed("block_and_tackle", &[&format!("parameters.falls={falls}")]);
        run(scene, 4.0);
        let mut pulls = Vec::new();
        until(scene, 6.0, |world| pulls.push(rope(world, "rope").tensions[0]));
        let pull = pulls.iter().sum::<f64>() / pulls.len() as f64;
        let c: f64 = 0.1 * 0.06 / 0.2;
        let q = (1.0 + c) / (1.0 - c);
        let parts: f64 = (1..=falls).map(|i| q.powi(-i)).sum();
        near(pull, 2000.0 * G / parts, 2e-3 * pull);
    }
}

/// In steady travel the machine bears (counterweight − car) g r, on average over the bounce of the start, and the rope does not slip
/// on the sheave; with too little friction it does.
#[test]
fn the_lift_is_held_by_friction() {
    let scene = &mut changed("elevator", &[]);
    run(scene, 4.0);
    let machine = joint(&scene.world, "machine");
    let mut torque = 0.0;
    for step in 1..=240 {
        run(scene, 4.0 + f64::from(step) / 60.0);
        torque += scene.world.inspect().coordinate(machine, 0).expect("a hinge").effort / 240.0;
    }
    near(torque.abs(), 300.0 * G * 0.4, 0.01 * 300.0 * G * 0.4);
    run(scene, 12.0);
    near(at(&scene.world, "car").z, 1.3 + 9.0, 5e-3);
    let scene = &mut changed("elevator", &["parameters.friction=0.06"]);
    run(scene, 6.0);
    let pulls = rope(&scene.world, "rope").tensions;
    near(pulls[1] / pulls[0], libm::exp(0.06 * 0.5 * TAU), 1e-3);
    // by now it would be at 5.8 m if the rope had not slipped
    assert!(at(&scene.world, "car").z > 6.0, "{}", at(&scene.world, "car").z);
}

/// Eytelwein: three and a quarter turns hold e^(μφ) times the pull of the hand and no more; a turn of the drum hauls 2πr.
#[test]
fn the_sheet_holds_by_its_turns() {
    let most = 50.0 * libm::exp(0.18 * 3.25 * TAU);
    for (share, holds) in [(0.98, true), (1.02, false)] {
        let scene = &mut changed("sheet_winch", &[&format!("parameters.wind={}", share * most)]);
        // the sheet stretches at first
        run(scene, 1.0);
        let start = at(&scene.world, "clew").x;
        run(scene, 2.5);
        let moved = at(&scene.world, "clew").x - start;
        assert_eq!(moved.abs() < 0.01, holds, "{share}: {moved}");
    }
    let scene = &mut changed("sheet_winch", &[]);
    run(scene, 2.9);
    let start = at(&scene.world, "clew").x;
    near(rope(&scene.world, "sheet").wraps[1], 3.25 * TAU, 1e-3);
    run(scene, 10.0);
    near(start - at(&scene.world, "clew").x, TAU * 0.06, 2e-3);
}

/// While it hangs still each part of the two ropes bears W/4 over the cosine of its slope; both drums raise the hook, one against
/// the other tilts it; on the ground the load takes the pull off.
#[test]
fn the_gantry_hangs_lifts_and_sets_down() {
    let scene = &mut changed("gantry", &[]);
    run(scene, 1.0);
    let world = &scene.world;
    let weight = (60.0 + 300.0 + 1.2 * 2.8) * G;
    let line = world.rope_line(id(world, "front"));
    let slope = (line[1] - line[0]).normalize().z.abs();
    for name in ["front", "back"] {
        let pulls = rope(world, name).tensions;
        near(pulls[0], weight / (4.0 * slope), 0.01 * weight);
        near(pulls[2], pulls[0], 1e-6 * weight);
    }
    let low = at(world, "hook").z;
    run(scene, 5.0);
    // two parts a rope, a little sloping
    near(at(&scene.world, "hook").z - low, 0.5 * 2.0 * 0.15, 0.01);
    run(scene, 6.6);
    let hook = scene.world.model().body("hook").expect("a hook");
    let side = scene.world.state().bodies[hook.index()].orientation * DVec3::Y;
    assert!(side.z.abs() > 0.05, "{side}");
    run(scene, 26.0);
    let pull = rope(&scene.world, "front").tensions[0];
    assert!(pull < 0.5 * weight / 4.0, "{pull}");
    near(at(&scene.world, "load").z, 0.4, 0.01);
}

/// Every machine has levers with keys and sticks, and bears whatever is done with them.
#[test]
fn machines_are_driven_by_hand() {
    let machines = [
        "anchor_handling",
        "block_and_tackle",
        "cable_robot",
        "elevator",
        "gantry",
        "mobile_crane",
        "mobile_crane_flexible",
        "operated",
        "sheet_winch",
        "tower_crane",
    ];
    for name in machines {
        let scene = &mut changed(name, &[]);
        let driven = scene.controls.iter().all(|c| c.keys.is_some() && c.gamepad.is_some());
        assert!(driven && !scene.controls.is_empty(), "{name}");
        let mut wander = Wander::new(&scene.controls, 3);
        let mut moves = Vec::new();
        while scene.world.state().time < 10.0 {
            wander.act(scene.world.state().time, 1.0 / 60.0, &mut moves);
            moves.drain(..).for_each(|m| m.make(&mut scene.world).expect("a lever"));
            let report = scene.world.step();
            assert!(report.fault.is_none() && report.broken == 0, "{name}: {:?}", report.fault);
        }
    }
}

/// Levers moved at random for half a minute, with a load 10⁴ and 10⁶ times as heavy as an element: no fault, nothing breaks, and
/// nothing is flung away.
#[test]
fn the_gantry_bears_any_operator() {
    for per_metre in [0.12, 0.0012] {
        let mass = format!("sections.lower.mass_per_length={per_metre}");
        let scene = &mut changed("gantry", &[&mass]);
        let mut wander = Wander::new(&scene.controls, 7);
        let (mut moves, mut fastest) = (Vec::new(), 0.0_f64);
        while scene.world.state().time < 30.0 {
            wander.act(scene.world.state().time, 1.0 / 60.0, &mut moves);
            moves.drain(..).for_each(|m| m.make(&mut scene.world).expect("a lever"));
            let report = scene.world.step();
            assert!(report.fault.is_none() && report.broken == 0, "{:?}", report.fault);
            let load = scene.world.model().body("load").expect("a load");
            fastest = fastest.max(scene.world.state().bodies[load.index()].velocity.length());
        }
        // levers ask for 1 m/s, and a swing adds to that
        assert!((0.3..5.0).contains(&fastest), "{fastest}");
    }
}

/// Let go from the side, with all levers held, the load swings for 15 s and keeps its energy.
#[test]
fn the_gantry_swings_without_loss() {
    let scene = &mut changed("gantry", &[]);
    let levers: Vec<_> = scene.controls.iter().filter_map(|control| control.id).collect();
    levers.into_iter().for_each(|lever| scene.world.set_input(lever, Some(0.0)).expect("a lever"));
    run(scene, 1.0);
    // as a pendulum from the trolley: what hangs deeper goes faster
    let top = 8.65;
    let places: Vec<_> =
        scene.world.model().bodies().iter().filter(|(_, b)| b.is_dynamic()).map(|(k, _)| k).collect();
    for place in places {
        let depth = top - scene.world.state().bodies[place].position.z;
        let body = scene.world.model().bodies().id(place).expect("a body");
        if depth > 0.5 {
            let velocity = DVec3::new(0.25 * depth, 0.0, 0.0);
            scene
                .world
                .edit(Edit::SetVelocity { body, velocity, angular_velocity: DVec3::ZERO })
                .expect("a speed");
        }
    }
    let start = scene.world.inspect().energy();
    run(scene, 16.0);
    let end = scene.world.inspect().energy();
    let lost = (start.total() - end.total()) / start.kinetic;
    assert!(lost.abs() < 0.02, "{lost}");
}

/// Four falls of a rope that has mass: the block hangs by what the winch has, each fall pulls more at its upper end than at its lower
/// by its weight, elements go in at the winch, and the brakes hold.
#[test]
fn the_flexible_rope_of_the_mobile_crane() {
    let scene = &mut changed("mobile_crane_flexible", &[]);
    let cable = scene.ropes[0].cable.expect("elements");
    let start = scene.world.route(cable).expect("a route");
    assert!((190..=200).contains(&start.elements), "{}", start.elements);
    run(scene, 1.0);
    let low = at(&scene.world, "block").z;
    let rest = scene.world.route(cable).expect("a route");
    let weight = scene.world.model().cables().get(cable).expect("it").section.mass_per_length * G;
    let falls = at(&scene.world, "jib").z - low;
    near(rest.tensions.iter().skip(1).sum::<f64>(), 8300.0 * G, 0.03 * 8300.0 * G);
    // up at the jib, down at the block: segments behind points 2 and 3
    near(rest.tensions[1] - rest.tensions[2], weight * falls, 0.5 * weight * falls);
    run(scene, 9.5);
    let hoisted = at(&scene.world, "block").z - low;
    let hoist = scene.world.coordinate(joint(&scene.world, "hoist"), 0).expect("a turn");
    // in its second layer: 0.32 m
    near(hoisted, 0.25 * 0.32 * hoist, 0.02);
    let now = scene.world.route(cable).expect("a route");
    let taken =
        (start.elements - now.elements) as f64 * scene.world.model().cables().get(cable).expect("it").element;
    near(taken, 4.0 * hoisted, 3.0);
    run(scene, 20.0);
    let high = at(&scene.world, "block").z;
    run(scene, 22.0);
    near(at(&scene.world, "block").z, high, 0.05);
}

/// The hook of a tower crane stays level while its trolley travels, and two falls raise it by half of what is wound in.
#[test]
fn the_hook_of_the_tower_crane_stays_level() {
    let scene = &mut changed("tower_crane", &[]);
    run(scene, 2.0);
    let (start, pull) = (at(&scene.world, "hook").z, rope(&scene.world, "rope").tensions[1]);
    near(pull, 2150.0 * G / 2.0, 0.01 * pull);
    // it swings below the trolley, at a distance that stays
    let below = |world: &World| at(world, "hook").distance(at(world, "trolley"));
    let falls = below(&scene.world);
    until(scene, 20.0, |world| near(below(world), falls, 0.02));
    // it swings a little when the trolley stops
    near(at(&scene.world, "hook").z, start, 0.1);
    run(scene, 54.0);
    near(at(&scene.world, "hook").z - start, 6.0, 0.1);
}

/// Four falls: the winch pulls with a quarter of the weight, and takes in four times the lift.
#[test]
fn the_mobile_crane_lifts_in_four_falls() {
    let scene = &mut changed("mobile_crane", &[]);
    run(scene, 2.0);
    let (start, weight) = (at(&scene.world, "block").z, 8300.0 * G);
    run(scene, 13.0);
    near(at(&scene.world, "block").z - start, 3.0, 0.02);
    let mut pulls = Vec::new();
    until(scene, 14.0, |world| pulls.push(rope(world, "rope").tensions[0]));
    near(pulls.iter().sum::<f64>() / pulls.len() as f64, weight / 4.0, 0.01 * weight / 4.0);
}

/// The platform goes where the lengths lead it, and the pulls add up to its weight.
#[test]
fn the_cable_robot_goes_where_it_is_led() {
    let scene = &mut changed("cable_robot", &[]);
    let mut least = f64::INFINITY;
    until(scene, 7.0, |world| {
        least = world.ropes().map(|id| world.rope(id).expect("a rope").tensions[0]).fold(least, f64::min);
    });
    assert!(least > 0.0, "a rope went slack");
    assert!(at(&scene.world, "platform").distance(DVec3::new(1.0, 1.0, 2.8)) < 0.01);
    run(scene, 14.0);
    let world = &scene.world;
    let pull = |id: JointId| {
        let line = world.rope_line(id);
        (line[0] - line[1]).normalize() * world.rope(id).expect("a rope").tensions[0]
    };
    let sum: DVec3 = world.ropes().map(pull).sum();
    assert!((sum - DVec3::Z * 60.0 * G).length() < 0.02 * 60.0 * G, "{sum}");
}

/// Its levers pay out its ropes: after its path it goes by hand where they say, to 3 mm of 10 cm, and back.
#[test]
fn the_cable_robot_goes_by_hand() {
    let scene = &mut changed("cable_robot", &[]);
    run(scene, 13.0);
    let start = at(&scene.world, "platform");
    let hand = |scene: &mut Built, to: Option<DVec3>| {
        for (name, k) in [("x", 0), ("y", 1), ("z", 2)] {
            let input = scene.world.model().input(name).expect("a lever");
            scene.world.set_input(input, to.map(|to| to[k])).expect("in its range");
        }
    };
    for (k, to) in [DVec3::X, -DVec3::Y, DVec3::Z].into_iter().enumerate() {
        hand(scene, Some(0.1 * to));
        let until = 15.0 + 4.0 * k as f64;
        run(scene, until);
        let way = at(&scene.world, "platform") - start;
        assert!(way.distance(0.1 * to) < 3e-3, "{way} for {to}");
        let least = |id: JointId| scene.world.rope(id).expect("a rope").tensions[0];
        assert!(scene.world.ropes().map(least).fold(f64::INFINITY, f64::min) > 0.0, "a rope is slack");
        hand(scene, None);
        run(scene, until + 2.0);
        assert!(at(&scene.world, "platform").distance(start) < 1e-3);
    }
}

/// A catenary: the pull is T = w (a + z − z₀), so that pulls of two places differ by w Δz; the wire has that of the upper end.
#[test]
fn the_chain_hangs_as_a_catenary_below_the_wire() {
    let scene = &mut changed("anchor_handling", &[]);
    run(scene, 60.0);
    let world = &scene.world;
    let cable = world.model().cable("chain").expect("a chain");
    let weight = world.model().cables().get(cable).expect("it").section.mass_per_length * G;
    let readings = world.cable_readings(cable);
    let (top, low) = (readings[1], readings[readings.len() / 2]);
    near(top.tension - low.tension, weight * (top.point.z - low.point.z), 0.02 * top.tension);
    let line = world.rope_line(id(world, "wire"));
    let (last, before) = (line[line.len() - 1], line[line.len() - 2]);
    let pulls = rope(world, "wire").tensions;
    // on the shackle: the wire, the chain and its own weight
    let wire = (before - last).normalize() * pulls[1];
    let flat = libm::hypot(wire.x, wire.y);
    let chain = libm::sqrt(readings[0].tension.powi(2) - flat * flat);
    near(wire.z, chain + 60.0 * G, 0.02 * pulls[1]);
}
