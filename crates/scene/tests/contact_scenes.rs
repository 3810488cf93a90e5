//! The scenes of `scenes/contact` and `scenes/aero` do what their heads say: one number of each, closed forms where there
//! are any.

use crate::play;

use glam::{DQuat, DVec3};
use play::{G, at, changed, run, until};
use std::f64::consts::TAU;
use windlass_engine::prelude::{Anchor, World};
use windlass_scene::Built;

fn build(name: &str) -> Built {
    changed(name, &[])
}

/// Origin and orientation of a body.
fn pose(world: &World, body: &str) -> (DVec3, DQuat) {
    let id = world.model().body(body).unwrap_or_else(|| panic!("no body {body}"));
    let frame = world.model().frame(world.state(), &Anchor::point(id, DVec3::ZERO));
    (frame.at, frame.orientation)
}

fn velocity(world: &World, body: &str) -> DVec3 {
    let id = world.model().body(body).unwrap_or_else(|| panic!("no body {body}"));
    world.state().bodies[id.index()].velocity
}

fn angle(world: &World, joint: &str) -> f64 {
    let id = world.model().joint(joint).expect("a joint");
    world.coordinate(id, 0).expect("a coordinate")
}

#[track_caller]
fn near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

/// How far a body is from where it was when a scene has run for a time.
fn moved(built: &mut Built, body: &str, time: f64) -> f64 {
    let start = at(&built.world, body);
    run(built, time);
    at(&built.world, body).distance(start)
}

/// The heights of a body's rebounds over where it rests.
fn rebounds(built: &mut Built, body: &str, rest: f64, time: f64) -> Vec<f64> {
    let (mut heights, mut before) = (Vec::new(), [f64::INFINITY; 2]);
    until(built, time, |world| {
        let height = at(world, body).z - rest;
        if before[1] > before[0] && before[1] >= height {
            heights.push(before[1]);
        }
        before = [before[1], height];
    });
    heights
}

#[test]
fn the_stack_stands() {
    let stack = &mut build("contact/stack");
    assert!(moved(stack, "cube9", 5.0) < 1e-6);
    assert!(moved(stack, "cube0", 5.0) < 1e-6);
}

#[test]
fn the_light_block_bears_the_heavy_one() {
    let scene = &mut build("contact/heavy-on-light");
    assert!(moved(scene, "light", 5.0) < 1e-6);
    near(at(&scene.world, "heavy").z, 0.7, 1e-6);
}

#[test]
fn friction_holds_up_to_its_angle() {
    let scene = &mut build("contact/incline");
    let start = at(&scene.world, "slides");
    assert!(moved(scene, "stays", 5.0) < 1e-6);
    let alpha = 27f64.to_radians();
    let acceleration = G * (libm::sin(alpha) - 0.5 * libm::cos(alpha));
    near(at(&scene.world, "slides").distance(start), acceleration * 25.0 / 2.0, 1e-3);
}

#[test]
fn the_belt_takes_the_parcel_along() {
    let scene = &mut build("contact/conveyor");
    run(scene, 3.0);
    near(velocity(&scene.world, "parcel").x, 1.0, 1e-9);
    // it falls behind by v²/2μg while it slides
    near(at(&scene.world, "parcel").x, -2.0 + 3.0 - 1.0 / (2.0 * 0.5 * G), 1e-3);
}

/// The bounds of thickness and friction are 0.10213 and 0.3335.
#[test]
fn the_arch_stands_if_it_is_thick_and_rough_enough() {
    for (stands, value) in [
        (true, "thickness=0.15"),
        (true, "thickness=0.104"),
        (false, "thickness=0.1"),
        (true, "friction=0.36"),
        (false, "friction=0.32"),
    ] {
        let scene = &mut changed("contact/arch", &[&format!("parameters.{value}")]);
        let sunk = moved(scene, "block4", 2.0);
        assert_eq!(sunk < 1e-3, stands, "{value}: the crown moved by {sunk} m");
    }
}

#[test]
fn the_house_of_cards_stands() {
    let scene = &mut build("contact/card-house");
    assert!(moved(scene, "top.left", 1.0) < 1e-5);
}

/// The wave runs with a steady speed, and all lie in the end. Dominoes are chaotic: rows that differ in the twelfth digit
/// of their pitch scatter by 0.8 % (one sigma of 24 rows, 1.2 % over nine dominoes), so the speeds are means of six.
#[test]
fn the_dominoes_fall() {
    const ROWS: usize = 6;
    let names: Vec<_> = (0..30).map(|i| format!("domino{i}")).collect();
    let tilt = |world: &World, name: &str| {
        let up = pose(world, name).1 * DVec3::Z;
        libm::acos(up.z.clamp(-1.0, 1.0)).to_degrees()
    };
    let (mut first, mut second) = (0.0, 0.0);
    for row in 0..ROWS {
        let pitch = 0.025 * (1.0 + 1e-12 * row as f64);
        let scene = &mut changed("contact/dominoes", &[&format!("parameters.pitch={pitch}")]);
        // when each passes 10°
        let mut times: Vec<Option<f64>> = vec![None; names.len()];
        until(scene, 1.4, |world| {
            for (name, time) in names.iter().zip(&mut times) {
                if time.is_none() && tilt(world, name) > 10.0 {
                    *time = Some(world.state().time);
                }
            }
        });
        let time = |i: usize| times[i].unwrap_or_else(|| panic!("domino {i} stands"));
        let speed = |a: usize, b: usize| (b - a) as f64 * pitch / (time(b) - time(a));
        first += speed(10, 19) / ROWS as f64;
        second += speed(19, 28) / ROWS as f64;
        for name in &names {
            assert!(tilt(&scene.world, name) > 60.0, "{name} leans by {}°", tilt(&scene.world, name));
        }
    }
    near(first, second, 0.02 * 0.88);
    // shorter steps are slower: 0.859 m/s with 0.25 ms, 0.844 m/s with 0.1 ms
    near((first + second) / 2.0, 0.878, 0.01);
}

#[test]
fn the_last_ball_of_the_cradle_leaves() {
    let scene = &mut build("contact/cradle");
    let mut least = [0f64; 5];
    until(scene, 1.2, |world| {
        for (i, least) in least.iter_mut().enumerate() {
            *least = least.min(angle(world, &format!("string{i}")));
        }
    });
    // the first comes down by 45°, the last goes up as far, the others stay
    near(least[0].to_degrees(), -45.0, 0.5);
    near(least[4].to_degrees(), -45.0, 0.5);
    assert!(least[1..4].iter().all(|a| a.to_degrees() > -0.5), "{least:?}");
}

#[test]
fn balls_rebound_to_the_square_of_their_restitution() {
    for (ball, e) in [("ball1", 0.25), ("ball2", 0.5), ("ball3", 0.75), ("ball4", 1.0)] {
        let heights = rebounds(&mut build("contact/bouncing"), ball, 0.1, 1.2);
        near(heights[0], e * e, 2e-3);
    }
    // round-off at most
    let dead = rebounds(&mut build("contact/bouncing"), "ball0", 0.1, 1.0);
    assert!(dead.iter().all(|height| *height < 1e-6), "{dead:?}");
}

#[test]
fn the_hillside_brings_ball_and_crate_to_rest() {
    let scene = &mut build("contact/terrain");
    run(scene, 8.0);
    let ball = at(&scene.world, "ball");
    assert!(ball.truncate().length() < 0.1, "{ball}");
    near(ball.z, 0.4, 0.02);
    assert!(moved(scene, "ball", 9.0) < 1e-5);
    assert!(moved(scene, "crate", 9.5) < 1e-5);
    assert!(at(&scene.world, "crate").z < 0.6);
}

#[test]
fn the_cans_are_tossed() {
    let scene = &mut build("aero/can-toss");
    // they stand until the ball comes
    assert!(moved(scene, "top.can", 0.2) < 1e-4);
    run(scene, 1.5);
    let world = &scene.world;
    assert!(velocity(world, "ball").y < 8.0 && at(world, "ball").y > 4.0);
    for can in ["middle0.can", "middle1.can"] {
        assert!(at(world, can).z < 0.2 && at(world, can).y > 2.0, "{can}: {}", at(world, can));
    }
}

/// Each blow hands on (1 + ε)/2 of the speed: the last ball rises by ((1 + ε)/2)⁸ of the first one's height.
#[test]
fn impulses_run_through_the_cradle() {
    let scene = &mut build("aero/cradle");
    let mut highest = f64::NEG_INFINITY;
    until(scene, 1.2, |world| highest = highest.max(at(world, "ball4").z));
    near(highest + 1.0, 0.95f64.powi(8), 3e-3);
}

#[test]
fn spheres_settle_into_the_plane() {
    let scene = &mut build("aero/settling");
    let (mass, stiffness) = (3.75, 10e3);
    let sunk = mass * G / stiffness;
    let mut deepest = [0f64; 2];
    until(scene, 0.1, |world| {
        for (name, deepest) in ["damped", "springy"].iter().zip(&mut deepest) {
            *deepest = deepest.max(0.05 - at(world, name).z);
        }
    });
    // half a swing of ζ = 0.05 overshoots by exp(−π ζ/√(1−ζ²)) = 0.8545
    near(deepest[1], 1.8545 * sunk, 0.01 * sunk);
    assert!(deepest[0] <= sunk * (1.0 + 1e-6));
    // the tops of the swings are a period apart
    let tops = rebounds(scene, "springy", 0.0, 1.0).len() as f64;
    near(tops, 0.95 * (stiffness / mass).sqrt() / TAU, 1.0);
    near(0.05 - at(&scene.world, "damped").z, sunk, 1e-6);
}

#[test]
fn the_sphere_rebounds_by_epsilon_squared() {
    let scene = &mut build("aero/sphere-drop");
    let heights = rebounds(scene, "sphere", 0.02, 1.2);
    let before = std::iter::once(0.05).chain(heights.iter().copied());
    for (before, height) in before.zip(&heights).take(6) {
        near(height / before, 0.81 * 0.81, 0.006);
    }
    near(at(&scene.world, "sphere").z, 0.02, 1e-9);
}

#[test]
fn the_vehicle_drives_down_the_stairs_and_spins_on_the_ice() {
    let scene = &mut build("aero/vehicle");
    run(scene, 0.8);
    near(at(&scene.world, "chassis").z, 1.25, 0.02);
    run(scene, 3.0);
    // down by the height of the platform, as fast as the wheel turns: 8 rad/s · 25 cm
    near(at(&scene.world, "chassis").z, 0.65, 0.03);
    near(velocity(&scene.world, "chassis").x, 2.0, 0.15);
    run(scene, 8.0);
    let heading = |world: &World| {
        let ahead = pose(world, "chassis").1 * DVec3::X;
        libm::atan2(ahead.y, ahead.x).to_degrees()
    };
    near(heading(&scene.world), -9.0, 3.0);
    run(scene, 10.0);
    let id = scene.world.model().body("chassis").expect("the chassis");
    let spin = scene.world.state().bodies[id.index()].angular_velocity.z;
    assert!(spin < -2.0, "{spin} rad/s");
}
