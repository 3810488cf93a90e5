//! Heavy bodies on light feet under the acceleration-level integrators: they stand, and sink as deep as the law of the
//! contacts says.

use crate::play::{G, at};
use std::f64::consts::TAU;
use windlass_engine::prelude::Integrator;
use windlass_scene::{Built, parse};

const INTEGRATORS: [&str; 2] = ["projected", "dormand-prince"];
/// Mass of a foot or plate [kg].
const LIGHT: f64 = 0.1;

/// What carries the heavy body.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Feet {
    /// Cubes of 0.1 m, welded to its corners.
    Welded,
    /// The same on hinges above their centres.
    Hinged,
    /// Legs of 1 m on ball joints.
    Legs,
    /// A plate that it lies on.
    Plate,
}

fn scene(feet: Feet, ratio: f64, settings: &str) -> String {
    let corners = [(-0.4, -0.4), (0.4, -0.4), (0.4, 0.4), (-0.4, 0.4)];
    let mass = ratio * LIGHT;
    let mut bodies = String::from("ground = { type = \"static\", shape = { plane = {} } }\n");
    let mut joints = String::new();
    let (height, size, hand) = match feet {
        Feet::Welded => (0.1, 1.0, "weld = { bodies = [\"top\", \"FOOT\"], at = [X, Y, 0.1] }"),
        Feet::Hinged => {
            (0.1, 1.0, "hinge = { bodies = [\"top\", \"FOOT\"], at = [X, Y, 0.1], axis = [1, 0, 0] }")
        }
        Feet::Legs => (1.0, 0.1, "ball = { bodies = [\"top\", \"FOOT\"], at = [X, Y, 1] }"),
        Feet::Plate => (0.05, 1.0, ""),
    };
    if feet == Feet::Plate {
        bodies += &format!(
            "plate = {{ position = [0, 0, 0.025], mass = {LIGHT}, shape = {{ box = {{ size = [1, 1, 0.05] }} }} }}\n"
        );
    } else {
        for (k, (x, y)) in corners.into_iter().enumerate() {
            bodies += &format!(
                "foot{k} = {{ position = [{x}, {y}, {}], mass = {LIGHT}, shape = {{ box = {{ size = [0.1, 0.1, {height}] }} }} }}\n",
                0.5 * height
            );
            let hand = hand.replace("FOOT", &format!("foot{k}"));
            let hand = hand.replace('X', &x.to_string()).replace('Y', &y.to_string());
            joints += &format!("joint{k} = {{ {hand} }}\n");
        }
    }
    bodies += &format!(
        "top = {{ position = [0, 0, {}], mass = {mass}, collide = {}, shape = {{ box = {{ size = [1, 1, {size}] }} }} }}\n",
        height + 0.5 * size,
        feet == Feet::Plate
    );
    format!("windlass = 2\n[settings]\n{settings}\n[bodies]\n{bodies}[joints]\n{joints}")
}

fn build(text: &str) -> Built {
    parse(text, "feet").and_then(|scene| scene.build()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The depth of a point of two bodies under a load, by the law of hard contacts at 100 Hz [m].
fn depth(load: f64, mass: f64) -> f64 {
    let omega = TAU * 100.0;
    let (k, hardening) = (mass * omega * omega, (2.0 * G / omega + 0.01) / omega);
    let most = k * hardening;
    if load <= most { load / k } else { hardening * libm::pow(1.0 + 8.0 * (load / most - 1.0), 0.125) }
}

/// How far the heavy body sinks at rest.
fn wanted(feet: Feet, ratio: f64) -> f64 {
    let weight = ratio * LIGHT * G;
    match feet {
        Feet::Plate => {
            let both = LIGHT * ratio / (1.0 + ratio);
            depth(0.25 * (weight + LIGHT * G), LIGHT) + depth(0.25 * weight, both)
        }
        _ => depth((0.25 * weight + LIGHT * G) / 4.0, LIGHT),
    }
}

/// Steps for so long; returns how far the body sank at most, and in the mean over the second half.
fn settle(built: &mut Built, time: f64) -> (f64, f64) {
    let start = at(&built.world, "top").z;
    let (mut most, mut sum, mut count) = (0.0f64, 0.0, 0);
    while built.world.state().time < time - 1e-9 {
        let report = built.world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        // the other shortens its steps no further where light bodies rock, and tells
        if built.world.model().settings().integrator == Integrator::Projected {
            assert_eq!(report.forced, 0, "at {} s", report.time);
        }
        let sunk = start - at(&built.world, "top").z;
        most = most.max(sunk);
        if built.world.state().time > 0.5 * time {
            (sum, count) = (sum + sunk, count + 1);
        }
    }
    (most, sum / f64::from(count))
}

fn stands(feet: Feet, ratio: f64, (integrator, dt): (&str, &str), time: f64) {
    let mut built = build(&scene(feet, ratio, &format!("integrator = \"{integrator}\"\ndt = \"{dt}\"")));
    let (most, mean) = settle(&mut built, time);
    let wanted = wanted(feet, ratio);
    let what =
        format!("{feet:?}, {ratio}:1, {integrator}, {dt}: {mean} m, {most} m at most, {wanted} m by the law");
    // it swings in from no load, to twice the depth of a linear spring at most
    assert!((0.8..1.2).contains(&(mean / wanted)) && most < 2.0 * wanted, "{what}");
}

/// Feet that carry 25 times their weight, and more.
#[test]
fn heavy_bodies_stand_on_light_feet() {
    for integrator in INTEGRATORS {
        for feet in [Feet::Welded, Feet::Hinged, Feet::Legs, Feet::Plate] {
            stands(feet, 100.0, (integrator, "1/60 s"), 0.3);
        }
    }
}

/// 10 t on feet of 0.1 kg.
#[test]
fn tonnes_stand_on_a_hundred_grams() {
    for feet in [Feet::Welded, Feet::Hinged, Feet::Legs, Feet::Plate] {
        stands(feet, 1e5, ("projected", "1/60 s"), 0.1);
    }
    stands(Feet::Plate, 1e5, ("dormand-prince", "1/60 s"), 0.1);
}

/// The step does not matter.
#[test]
fn steps_of_any_length_hold_them() {
    for dt in ["1/30 s", "1/240 s", "1 ms"] {
        for feet in [Feet::Hinged, Feet::Plate] {
            stands(feet, 1e3, ("projected", dt), 0.2);
        }
    }
}

/// Bodies that carry no more than themselves and their like keep the springs that they had: m g/(4 k) under a box.
#[test]
fn a_body_on_its_own_sinks_as_a_linear_spring() {
    let text = "windlass = 2\n[settings]\nintegrator = \"projected\"\n[bodies]\n\
                ground = { type = \"static\", shape = { plane = {} } }\n\
                top = { position = [0, 0, 0.5], mass = 1e4, shape = { box = { size = [1, 1, 1] } } }\n";
    let (_, mean) = settle(&mut build(text), 0.3);
    let wanted = G / 4.0 / (TAU * 100.0).powi(2);
    assert!((mean / wanted - 1.0).abs() < 1e-6, "{mean} m, not {wanted} m");
}

/// A crate that falls by 1 m onto a plate on the ground stops there, without rebound: 4.4 m/s would take a spring of the
/// plate alone to 0.7 m.
#[test]
fn a_crate_falls_on_a_light_plate() {
    for integrator in INTEGRATORS {
        for ratio in [10.0, 1e3] {
            let text = scene(Feet::Plate, ratio, &format!("integrator = \"{integrator}\"\ndt = \"1/60 s\""));
            let text = text.replace("top = { position = [0, 0, 0.55]", "top = { position = [0, 0, 1.55]");
            let mut built = build(&text);
            let (mut lowest, mut highest) = (f64::INFINITY, 0.0f64);
            while built.world.state().time < 0.7 {
                let report = built.world.step();
                assert!(report.fault.is_none(), "{:?}", report.fault);
                let z = at(&built.world, "top").z;
                // it falls for 0.4515 s
                if report.time > 0.48 {
                    (lowest, highest) = (lowest.min(z), highest.max(z));
                }
            }
            let what = format!("{integrator}, {ratio}: {lowest} to {highest} m");
            assert!(lowest > 0.5495 && highest < 0.5501, "{what}");
        }
    }
}

/// A light body between a heavy one and the ground is no reason for another result after a restore, or in another order
/// of the file.
#[test]
fn restored_and_reordered_scenes_do_the_same() {
    let settings = "integrator = \"projected\"\ndt = \"1/60 s\"";
    let text = scene(Feet::Plate, 1e3, settings);
    let mut first = build(&text).world;
    for _ in 0..4 {
        first.step();
    }
    let mut second = build(&text).world;
    second.restore(first.state().clone()).unwrap();
    for _ in 0..4 {
        first.step();
        second.step();
    }
    assert_eq!(first.state().bodies, second.state().bodies);

    let lines: Vec<&str> = text.lines().collect();
    let place = |name: &str| lines.iter().position(|line| line.starts_with(name)).unwrap();
    let mut turned = lines.clone();
    turned.swap(place("plate = "), place("top = "));
    let (_, sunk) = settle(&mut build(&turned.join("\n")), 0.2);
    let (_, wanted) = settle(&mut build(&text), 0.2);
    assert!((sunk / wanted - 1.0).abs() < 0.02, "{sunk} m, not {wanted} m");
}

/// What is beyond the law is reported.
#[test]
fn more_than_the_springs_bear_is_reported() {
    let mut built = build(&scene(Feet::Plate, 1e7, "integrator = \"projected\"\ndt = \"1/60 s\""));
    assert!((0..18).any(|_| built.world.step().forced > 0));
}
