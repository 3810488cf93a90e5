//! The scenes of `scenes/cable` do what their heads say: one number of each, closed forms where there are any.

use glam::DVec3;
use std::f64::consts::{PI, TAU};
use std::path::PathBuf;
use std::sync::Arc;
use windlass_engine::prelude::{Anchor, Reading, World};
use windlass_scene::files::Folder;
use windlass_scene::{Built, Override, parse_with};

/// What the earth pulls with [m/s²].
const G: f64 = 9.81;

/// A scene with some of its values changed.
fn changed(name: &str, overrides: &[&str]) -> Built {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../scenes/cable/{name}.toml"));
    let text = std::fs::read_to_string(&path).expect("the scene");
    let overrides: Vec<Override> = overrides.iter().map(|o| o.parse().expect("a key and a value")).collect();
    let scene = parse_with(&text, name, Arc::new(Folder::of(&path)), &overrides);
    scene.and_then(|s| s.build()).unwrap_or_else(|e| panic!("{e}"))
}

fn build(name: &str) -> Built {
    changed(name, &[])
}

/// Steps until a time, with a look after each step.
fn until(built: &mut Built, time: f64, mut look: impl FnMut(&World)) {
    while built.world.state().time < time - 1e-9 {
        let report = built.world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        look(&built.world);
    }
}

fn run(built: &mut Built, time: f64) {
    until(built, time, |_| {});
}

fn at(world: &World, body: &str) -> DVec3 {
    let id = world.model().body(body).unwrap_or_else(|| panic!("no body {body}"));
    world.model().frame(world.state(), &Anchor::point(id, DVec3::ZERO)).at
}

fn readings(world: &World, cable: &str) -> Vec<Reading> {
    world.cable_readings(world.model().cable(cable).unwrap_or_else(|| panic!("no cable {cable}")))
}

/// The loose end of a cable.
fn tip(world: &World, name: &str) -> DVec3 {
    let cable = world.model().cables().get(world.model().cable(name).expect("a cable")).expect("it");
    let last = *cable.elements.last().expect("an element");
    world.model().frame(world.state(), &Anchor::point(last, DVec3::Z * (0.5 * cable.element))).at
}

#[track_caller]
fn near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

/// 2 a sinh(w/2a) = L, sag a (cosh(w/2a) − 1), pull at the lowest point m g a; 40 chords hang a little higher.
#[test]
fn the_hanging_cable_is_a_catenary() {
    let scene = &mut build("hanging");
    run(scene, 20.0);
    let (mut low, mut high) = (1.0, 100.0);
    for _ in 0..100 {
        let a = 0.5 * (low + high);
        if 2.0 * a * libm::sinh(9.0 / a) > 20.0 { low = a } else { high = a }
    }
    let a = low;
    let sag = a * (libm::cosh(9.0 / a) - 1.0);
    let weight = 0.4e4 * 0.016f64.powi(2) * G;
    let middle = &readings(&scene.world, "line")[20];
    assert_eq!(middle.at, 10.0);
    near(5.9 - middle.point.z, sag, 0.01);
    near(middle.tension, weight * a, 0.01 * weight * a);
}

/// A physical pendulum: the load about its own middle, the rope without mass to 0.3 %.
#[test]
fn the_hoist_swings_as_a_pendulum() {
    let scene = &mut build("hoist");
    let (mut crossings, mut before) = (Vec::new(), f64::NAN);
    let mut largest: f64 = 0.0;
    until(scene, 20.0, |world| {
        let (x, time) = (at(world, "load").x, world.state().time);
        if before * x < 0.0 {
            crossings.push(time - x / (x - before) / 60.0);
        }
        before = x;
        largest = largest.max(x.abs());
    });
    let period = 2.0 * (crossings[2] - crossings[0]) / 2.0;
    // amplitude 0.2014 rad: 1 + θ²/16; the load turns with the rope, about a point 10.75 m above its middle
    let arm = 10.75 + 1.5f64.powi(2) / 6.0 / 10.75;
    let closed = TAU * (arm / G).sqrt() * (1.0 + 0.2014f64.powi(2) / 16.0);
    near(period, closed, 0.02 * closed);
    let top = readings(&scene.world, "hoist")[0].tension;
    assert!(top > 0.9 * 5015.0 * G && top < 1.1 * 5015.0 * G, "{top} N");
    assert!(largest > 1.9, "{largest}");
}

/// w L⁴/8EI for small bends.
#[test]
fn the_wire_bends_under_its_weight() {
    let scene = &mut build("cantilever");
    run(scene, 8.0);
    let (d, long) = (0.003f64, 0.8f64);
    let (weight, bend) = (7850.0 * PI * d * d / 4.0 * G, 200e9 * PI * d.powi(4) / 64.0);
    let closed = weight * long.powi(4) / (8.0 * bend);
    near(1.0 - tip(&scene.world, "wire").z, closed, 0.02 * closed);
    near(readings(&scene.world, "wire")[0].moment.length(), 0.5 * weight * long * long, 0.02 * weight);
}

/// Straight, the torque is GJ φ/L; twisted three times and let in, it throws a loop.
#[test]
fn the_hose_twists_and_then_loops() {
    let scene = &mut build("twisted");
    run(scene, 2.5);
    let middle = readings(&scene.world, "hose")[20];
    let shear = 1e7 / (2.0 * 1.49) * PI * 0.02f64.powi(4) / 32.0;
    // damping adds 1 % while it is turned
    near(middle.torque.abs() / (shear * middle.twist.abs()), 1.0, 0.03);
    assert!(middle.twist.abs() > 1.0, "{middle:?}");
    run(scene, 12.0);
    let all = readings(&scene.world, "hose");
    let out = all.iter().map(|r| libm::hypot(r.point.y, r.point.z)).fold(0.0, f64::max);
    assert!(out > 0.1, "{out} m");
}

#[test]
fn rubber_hangs_nylon_bows_and_steel_stays() {
    let scene = &mut build("materials");
    run(scene, 8.0);
    let sag = |name: &str| 1.5 - tip(&scene.world, name).z;
    let (rubber, nylon, steel) = (sag("rubber"), sag("nylon"), sag("steel"));
    assert!(rubber > 0.9, "{rubber}");
    assert!((0.05..0.5).contains(&nylon), "{nylon}");
    let closed = |rho: f64, young: f64| rho * G * 16.0 / (8.0 * young * 0.008f64.powi(2));
    near(steel, closed(7850.0, 200e9), 0.02 * closed(7850.0, 200e9));
    near(nylon, closed(1140.0, 2.7e9), 0.06 * closed(1140.0, 2.7e9));
}

#[test]
fn the_rope_goes_slack_and_comes_taut_again() {
    let scene = &mut build("slack");
    run(scene, 7.5);
    let slack = readings(&scene.world, "rope");
    let out = slack.iter().map(|r| libm::hypot(r.point.x, r.point.y)).fold(0.0, f64::max);
    assert!(slack[0].tension < 0.05 * 400.0 * G, "{:?}", slack[0]);
    assert!(out > 0.2, "it bows out by {out} m");
    near(at(&scene.world, "load").z, 0.35, 0.002);
    let mut largest: f64 = 0.0;
    until(scene, 14.0, |world| largest = largest.max(readings(world, "rope")[0].tension));
    near(at(&scene.world, "load").z, 1.25, 0.01);
    // it comes taut with a jerk of v √(k m), 0.8 m/s of some 27 kN·s/m
    assert!((10e3..35e3).contains(&largest), "{largest} N");
}

/// Euler's belt: it holds below exp(μ π) = 1.87 and slips above.
#[test]
fn friction_on_the_edge_holds_the_heavier() {
    for (heavy, holds) in [("130 kg", true), ("250 kg", false)] {
        let scene = &mut changed("edge", &[&format!("parameters.heavy={heavy}")]);
        run(scene, 1.0);
        let before = at(&scene.world, "heavy").z;
        run(scene, 2.0);
        let sunk = before - at(&scene.world, "heavy").z;
        assert_eq!(sunk < 0.02, holds, "{heavy}: sunk by {sunk} m");
    }
}

#[test]
fn the_rope_breaks_under_the_falling_load() {
    let scene = &mut build("breaking");
    run(scene, 3.0);
    let broken = readings(&scene.world, "rope").iter().filter(|r| r.broken).count();
    assert_eq!(broken, 1, "one link breaks and relieves the others");
    assert!(at(&scene.world, "load").z < 0.6, "it lies on the floor");
    let held = &mut changed("breaking", &["cables.rope.section.breaking_load=10 MN"]);
    run(held, 3.0);
    assert!(readings(&held.world, "rope").iter().all(|r| !r.broken));
    assert!(at(&held.world, "load").z > 4.0);
}

#[test]
fn the_wire_keeps_its_bend() {
    let scene = &mut build("bent");
    run(scene, 1.0);
    let straight = at(&scene.world, "hook").z;
    run(scene, 10.0);
    let kept = straight - at(&scene.world, "hook").z;
    assert!(kept > 0.02, "{kept} m");
    let elastic = &mut changed("bent", &["cables.wire.section.yield_moment=1000"]);
    run(elastic, 10.0);
    near(at(&elastic.world, "hook").z, straight, 1e-3);
}
