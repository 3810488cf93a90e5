//! The scenes of `scenes/cable` do what their heads say: one number of each, closed forms where there are any.

use crate::play;

use glam::DVec3;
use play::{G, at, run, until};
use std::f64::consts::{PI, TAU};
use windlass_engine::prelude::{Anchor, BodyId, Geometry, Reading, Shape, World};
use windlass_scene::{Built, CableRef};

fn changed(name: &str, overrides: &[&str]) -> Built {
    play::changed(&format!("cable/{name}"), overrides)
}

fn build(name: &str) -> Built {
    changed(name, &[])
}

fn readings(world: &World, cable: &str) -> Vec<Reading> {
    world.cable_readings(world.model().cable(cable).unwrap_or_else(|| panic!("no cable {cable}")))
}

/// The points of a cable of mass points.
fn points(scene: &Built, number: usize) -> &[DVec3] {
    let CableRef::Points(id) = scene.cables[number].id else { panic!("it is of elements") };
    id.points(&scene.world).expect("it is there")
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

/// Few elements while it hangs straight, more where it lies on the beam, and the load goes where that of 96 elements goes.
#[test]
fn the_adaptive_rope_has_the_elements_it_needs() {
    let [scene, all] =
        &mut [build("adaptive"), changed("adaptive", &["cables.rope.adaptive.min_elements=96"])];
    let mut counts = Vec::new();
    for time in [1.5, 10.5, 23.5] {
        run(scene, time);
        run(all, time);
        let [few, many] = [&*scene, &*all].map(|s| {
            let rope = s.world.model().cable("rope").expect("a rope");
            s.world.cable_elements(rope).len()
        });
        counts.push(few);
        assert_eq!(many, 96);
        let apart = at(&scene.world, "load") - at(&all.world, "load");
        assert!(apart.length() < 0.02, "{apart} at {time} s");
    }
    assert_eq!(counts[0], 6);
    assert!(counts[1] > 12 && counts[1] < 30, "{counts:?}");
    assert!(counts[2] < 12, "{counts:?}");
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
    let strained = |strain: &str| {
        let strain = format!("cables.rope.section.breaking_strain={strain}");
        let scene = &mut changed("breaking", &["cables.rope.section.breaking_load=10 MN", &strain]);
        run(scene, 3.0);
        readings(&scene.world, "rope").iter().filter(|r| r.broken).count()
    };
    assert_eq!([strained("0.1 %"), strained("90 %")], [1, 0]);
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

/// The closed forms of `materials`, by the other model. Its clamps hold one point more.
#[test]
fn mass_points_bend_as_elements_do() {
    let scene = &mut build("points");
    run(scene, 8.0);
    let sag = |number: usize| 1.5 - points(scene, number).last().expect("a point").z;
    let closed = |rho: f64, young: f64| rho * G * 16.0 / (8.0 * young * 0.008f64.powi(2));
    assert!(sag(0) > 0.9, "{}", sag(0));
    near(sag(1), closed(1140.0, 2.7e9), 0.06 * closed(1140.0, 2.7e9));
    near(sag(2), closed(7850.0, 200e9), 0.02 * closed(7850.0, 200e9));
    // the moment in the clamp
    let weight = 7850.0 * PI * 0.008f64.powi(2) / 4.0 * G;
    let clamp = scene.cables[2].id.readings(&scene.world)[0].moment.length();
    near(clamp, 0.5 * weight, 0.02 * weight);
}

/// By how much a round cable along a line is inside of the boxes of a scene at most [m]; below 0 it is clear of them.
fn depth(world: &World, line: &[DVec3], radius: f64, spared: &[BodyId]) -> f64 {
    let mut deepest = f64::NEG_INFINITY;
    for (place, body) in world.model().bodies().iter() {
        let id = world.model().bodies().id(place).expect("it is there");
        let frame = world.model().frame(world.state(), &Anchor::point(id, DVec3::ZERO));
        for collider in body.colliders.iter().filter(|_| !spared.contains(&id)) {
            let Geometry::Solid(Shape::Box { half }) = &*collider.geometry else { continue };
            for w in line.windows(2) {
                for k in 0..8 {
                    let p = frame.orientation.inverse() * (w[0].lerp(w[1], f64::from(k) / 8.0) - frame.at);
                    let out = p.abs() - *half;
                    let distance = out.max(DVec3::ZERO).length() + out.max_element().min(0.0);
                    deepest = deepest.max(radius - distance);
                }
            }
        }
    }
    deepest
}

/// The plug ends 0.4 m behind the second sheet, the cable in both holes, and nowhere in the sheets by more than a quarter of a
/// millimetre on its way: 3 % of its diameter.
#[test]
fn the_harness_is_led_through_the_frame() {
    let scene = &mut build("harness");
    let socket = scene.world.model().body("socket").expect("a socket");
    let mut deepest = f64::NEG_INFINITY;
    while scene.world.state().time < 6.0 - 1e-9 {
        run(scene, scene.world.state().time + 0.05);
        deepest = deepest.max(depth(&scene.world, points(scene, 0), 0.004, &[socket]));
    }
    assert!(deepest < 0.25e-3, "{deepest} m deep");
    assert!(deepest > -0.02, "it comes near: {deepest}");
    let line = points(scene, 0);
    near(line.last().expect("a point").x, 1.0, 1e-3);
    for (x, y, z) in [(0.3, 0.0, 0.5), (0.6, 0.06, 0.42)] {
        let through = line.windows(2).find(|w| w[0].x < x && w[1].x >= x).expect("it passes the sheet");
        let p = through[0].lerp(through[1], (x - through[0].x) / (through[1].x - through[0].x));
        assert!((p.y - y).abs() < 0.016 && (p.z - z).abs() < 0.016, "{p} is not in the hole at {x}");
    }
}

/// Elements that are not neighbours keep their distance, so the knot is still there; and it pulls, though the cord is longer than its
/// way.
#[test]
fn the_knot_holds() {
    let scene = &mut build("knot");
    let id = scene.world.model().cable("cord").expect("a cord");
    let mut nearest = f64::INFINITY;
    while scene.world.state().time < 6.5 - 1e-9 {
        run(scene, scene.world.state().time + 0.1);
        let lie = scene.world.cable_lie(id).expect("it lies");
        let apart = |k: usize, j: usize| {
            let ends = |k: usize| {
                let (at, orientation) = lie.poses[k];
                let half = orientation * DVec3::Z * (0.5 * lie.element);
                [at - half, at + half]
            };
            between_lines(ends(k), ends(j))
        };
        for k in 0..lie.poses.len() {
            for j in k + 3..lie.poses.len() {
                nearest = nearest.min(apart(k, j));
            }
        }
    }
    assert!(nearest > 0.009, "{nearest} m, of a diameter of 0.01 m");
    let end = readings(&scene.world, "cord").last().expect("a link").tension;
    let way = at(&scene.world, "hand").distance(at(&scene.world, "post"));
    let length = scene.world.model().cables().get(id).expect("it").length();
    assert!(way < 0.95 * length, "{way} of {length}");
    assert!(end > 1.0, "{end} N: the knot has come undone");
}

/// Distance between two pieces of line, to a hundredth of their length.
fn between_lines(a: [DVec3; 2], b: [DVec3; 2]) -> f64 {
    let nearest = |p: DVec3, [from, to]: [DVec3; 2]| {
        let way = to - from;
        let t = ((p - from).dot(way) / way.length_squared()).clamp(0.0, 1.0);
        p.distance(from + way * t)
    };
    (0..=32).map(|k| nearest(a[0].lerp(a[1], f64::from(k) / 32.0), b)).fold(f64::INFINITY, f64::min)
}
