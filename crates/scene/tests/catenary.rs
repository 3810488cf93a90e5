//! Catenaries and pipes of scenes.

use glam::DVec3;
use windlass_engine::prelude::{CatenaryShape, World};
use windlass_scene::{Built, CableRef, parse, read};

fn scene(path: &str) -> Built {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/cable/").to_owned() + path;
    read(path).expect("it is there").build().expect("it is right")
}

fn catenary(built: &Built, number: usize) -> (windlass_engine::prelude::Catenary, f64) {
    let CableRef::Elements(id) = built.cables[number].id else { panic!("not of elements") };
    let world = &built.world;
    (world.catenary(id).expect("a catenary"), world.model().cables().get(id).unwrap().length())
}

fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        assert!(world.step().fault.is_none());
    }
}

/// The lazy wave lies on the floor and its touch-down point wanders with the vessel; the steep one hangs free from its base.
#[test]
fn risers_follow_their_vessel() {
    let mut built = scene("riser.toml");
    let (lazy, length) = catenary(&built, 0);
    assert_eq!((lazy.hung.posture, length), (CatenaryShape::Grounded, 260.0));
    // what bears on the vessel is what hangs there: 600 N/m less the buoyancy
    let hanging = 600.0 * (120.0 - lazy.hung.lying[1]) - 900.0 * 50.0 + 600.0 * 90.0;
    assert!((lazy.ends[1].tension / hanging.hypot(lazy.hung.pull) - 1.0).abs() < 1e-9);
    let (steep, _) = catenary(&built, 1);
    assert_eq!(steep.hung.posture, CatenaryShape::Free);
    assert!(steep.ends[0].angle.to_degrees().abs() > 60.0, "{steep:?}");
    let mut downs = vec![lazy.hung.lying[1]];
    for _ in 0..12 {
        run(&mut built.world, 60);
        let (lazy, _) = catenary(&built, 0);
        assert_eq!(lazy.hung.posture, CatenaryShape::Grounded);
        downs.push(lazy.hung.lying[1]);
        assert_eq!(catenary(&built, 1).0.hung.posture, CatenaryShape::Free);
    }
    let wanders = downs.iter().fold(0.0, |m: f64, d| m.max((d - downs[0]).abs()));
    assert!(wanders > 1.0, "{downs:?}");
}

/// The ball rolls in the dip of the rack, touches both pipes, and comes no higher than where it began.
#[test]
fn a_ball_rolls_along_pipes() {
    let mut built = scene("pipe.toml");
    let ball = built.world.model().body("ball").unwrap().index();
    let start = built.world.state().bodies[ball].position;
    let (mut furthest, mut highest) = (start.x, 0.0_f64);
    for step in 0..8 * 240 {
        run(&mut built.world, 1);
        let at = built.world.state().bodies[ball].position;
        assert!(at.y.abs() < 0.1, "{at} at step {step}");
        furthest = furthest.max(at.x);
        highest = highest.max(if at.x > 0.0 { at.z } else { 0.0 });
    }
    assert!(furthest > 2.0, "{furthest}");
    assert!(highest < start.z, "{highest} {}", start.z);
    // the loose one lies on the ground
    let loose = built.world.model().body("loose").unwrap().index();
    assert!((built.world.state().bodies[loose].position.z - 0.1).abs() < 0.01);
}

/// A pipe weighs what its line and cross-section say, wherever its control points are.
#[test]
fn a_pipe_has_mass() {
    let text = "windlass = 2\n[bodies.p]\nshape = { pipe = { points = [[1, 0, 0], [2, 0, 0], [5, 0, 0]], radius = 0.1 } }\ndensity = 1000\n";
    let built = parse(text, "pipe.toml").expect("read").build().expect("built");
    let body = built.world.model().bodies().get(built.bodies[0]).unwrap();
    assert!((body.mass.mass / (1000.0 * 0.01 * std::f64::consts::PI * 4.0) - 1.0).abs() < 1e-9);
    assert!(body.mass.center.distance(DVec3::X * 3.0) < 1e-9);
    assert_eq!(body.colliders.len(), 1);
}
