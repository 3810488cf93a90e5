//! Lines between ship and seabed at rest, against public cases of MoorDyn's tests: a hanging jumper (Lowe & Langley 2006,
//! OrcaFlex's figures) and catenary moorings of chain at three depths (quasi-static codes' figures).
//!
//! Water acts at rest by buoyancy alone: lines have their mass less that of the water they displace.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::{near_part, section};
use std::f64::consts::FRAC_PI_4;
use windlass_engine::prelude::*;

/// kg/m in water.
fn wet(mass: f64, diameter: f64, water: f64) -> f64 {
    mass - water * FRAC_PI_4 * diameter * diameter
}

/// Steps in a thick liquid, which takes a part of all motion each step, until nothing moves faster than a speed.
fn relax(world: &mut World, slow: f64) {
    let mut calm = 0;
    for _ in 0..6_000 {
        let report = world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        let fastest = world.state().bodies.iter().fold(0.0, |m: f64, b| m.max(b.velocity.length()));
        calm = if fastest < slow { calm + 1 } else { 0 };
        if calm > 60 {
            return;
        }
        let mut state = world.state().clone();
        state
            .bodies
            .iter_mut()
            .for_each(|b| (b.velocity, b.angular_velocity) = (b.velocity * 0.95, b.angular_velocity * 0.95));
        world.restore(state).unwrap();
    }
    panic!("it does not come to rest");
}

/// Tension at the first and the last link [N] and their horizontal and vertical parts at the last.
fn tensions(world: &World, cable: CableId) -> [DVec3; 2] {
    let links = &world.model().cables().get(cable).unwrap().links;
    [links[0], links[links.len() - 1]].map(|id| world.reaction(id, 1).unwrap().force)
}

#[test]
fn a_jumper_hangs_as_orcaflex_says() {
    let mut world = World::default();
    world.set(|s| (s.dt, s.gravity) = (0.05, DVec3::NEG_Z * 9.807)).unwrap();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let ends = [DVec3::new(-100.0, 0.0, -55.0), DVec3::new(0.0, 0.0, -5.0)];
    let stuff = section(wet(165.0, 0.396, 1000.0), 500e6, 120.8e3, 0.0);
    let path = sagging(ends[0], ends[1], 170.0, DVec3::NEG_Z, 200);
    let laying = CableSpec {
        ends: ends.map(|p| End::Ball(Anchor::point(ground, p))),
        length: Some(170.0),
        elements: 68,
        ..CableSpec::new("jumper", stuff, path)
    };
    let cable = world.add_cable(laying).unwrap();
    relax(&mut world, 1e-4);
    let [bottom, top] = tensions(&world, cable);
    near_part("top", top.length(), 47.11e3, 0.01);
    near_part("top, across", top.x.abs(), 11.40e3, 0.01);
    near_part("top, down", top.z.abs(), 45.71e3, 0.01);
    near_part("bottom", bottom.length(), 26.6e3, 0.01);
    near_part("bottom, down", bottom.z.abs(), 24.04e3, 0.01);
}

/// A chain of long elements has nothing that holds these against spinning about themselves; it must hang on for all that.
#[test]
fn a_chain_without_torsion_stays_calm() {
    let mut world = World::default();
    world.set(|s| s.dt = 0.05).unwrap();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let ends = [DVec3::new(-100.0, 0.0, -55.0), DVec3::new(0.0, 0.0, -5.0)];
    let path = sagging(ends[0], ends[1], 170.0, DVec3::NEG_Z, 200);
    let laying = CableSpec {
        ends: ends.map(|p| End::Ball(Anchor::point(ground, p))),
        length: Some(170.0),
        elements: 68,
        ..CableSpec::new("chain", section(40.0, 500e6, 0.0, 0.0), path)
    };
    world.add_cable(laying).unwrap();
    let start = world.energy().total();
    let weight = 40.0 * 170.0 * 9.81;
    for _ in 0..2400 {
        let report = world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        let gained = (world.energy().total() - start) / weight;
        assert!(gained < 0.01, "as if lifted by {gained} m");
    }
}

/// How far from under the ship a line of a length, straight up and flat on the bottom, leaves it [m].
fn lies(away: f64, depth: f64, length: f64) -> f64 {
    // away − x + √(x² + d²) = length
    let rest = length - away;
    (depth * depth - rest * rest) / (2.0 * rest)
}

#[test]
fn moorings_of_chain_pull_as_quasi_static_codes_say() {
    let cases = [
        (50.0, 400.0, 410.0, 82, 991.6e3, 826.2e3),
        (200.0, 700.0, 760.0, 152, 2065.4e3, 1402.2e3),
        (600.0, 1500.0, 1700.0, 340, 5232.6e3, 3244.2e3),
    ];
    for (depth, away, length, elements, fairlead, anchor) in cases {
        let smooth = ContactParameters { stick: 0.0, slide: 0.0, ..ContactParameters::default() };
        // the bottom is as deep as the anchor, and the chain lies on it with its middle half a diameter above
        let diameter = 0.252;
        let mut world = kit::touch::empty(0.05, smooth);
        let bottom = Body::fixed("bottom").with_collider(Collider::of(Geometry::HalfSpace));
        let ground = world.add_body(bottom, DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let mass = wet(390.0, diameter, 1025.0);
        let chain = Section { diameter, ..section(mass, 1.674e9, 0.0, 0.0) };
        let ends = [DVec3::new(away, 0.0, 0.0), DVec3::new(0.0, 0.0, depth)];
        // along the bottom, then straight up to the ship, as long as it is
        let touchdown = lies(away, depth, length);
        let path = vec![ends[0], DVec3::new(touchdown, 0.0, 0.5 * diameter), ends[1]];
        let laying = CableSpec {
            ends: ends.map(|p| End::Ball(Anchor::point(ground, p))),
            length: Some(length),
            elements,
            surface: Some(0),
            ..CableSpec::new("chain", chain, path)
        };
        let cable = world.add_cable(laying).unwrap();
        relax(&mut world, 1e-3);
        let [low, high] = tensions(&world, cable);
        near_part("fairlead", high.length(), fairlead, 0.01);
        near_part("anchor", low.length(), anchor, 0.01);
    }
}
