//! Where a blow acts, and what is told of bodies that roll: closed forms, at any step.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::touch;
use windlass_engine::prelude::*;

/// A small fast ball with spin on a thin plate: friction stops the slip at its skin, however far from the plate it is when the step
/// begins. v = (2/7) ω r, ω = (2/7) ω₀.
#[test]
fn a_spinning_ball_leaves_a_plate_rolling() {
    for dt in [1.0 / 60.0, 1e-3] {
        for spin in [20.0, 100.0] {
            for ball_first in [false, true] {
                let rule = ContactParameters { restitution: 0.5, ..ContactParameters::rough(0.3) };
                let mut world = touch::empty(dt, rule);
                world.set(|s| s.gravity = DVec3::ZERO).unwrap();
                let plate = |world: &mut World| {
                    let shape = touch::cuboid(0.0005, 1.0, 1.0);
                    let body = Body::fixed("plate").with_collider(Collider::new(shape));
                    world.add_body(body, DVec3::ZERO, DQuat::IDENTITY).unwrap();
                };
                if !ball_first {
                    plate(&mut world);
                }
                let at = DVec3::X * -1.063_333;
                let ball = touch::add(&mut world, "ball", Shape::Sphere { radius: 0.005 }, 0.01, at);
                if ball_first {
                    plate(&mut world);
                }
                world.set_velocity(ball, DVec3::X * 5.0, DVec3::Y * spin).unwrap();
                while world.state().time < 0.4 {
                    world.step();
                }
                let s = &world.state().bodies[ball.index()];
                let expected = DVec3::new(-2.5, 0.0, 2.0 / 7.0 * 0.005 * spin);
                assert!((s.velocity - expected).length() < 1e-5, "{dt} {spin}: {}", s.velocity);
                assert!(
                    (s.angular_velocity.y - 2.0 / 7.0 * spin).abs() < 1e-4 * spin,
                    "{dt} {spin}: {}",
                    s.angular_velocity
                );
            }
        }
    }
}

/// The spin that is told of a ball that rolls is v/r.
#[test]
fn a_rolling_ball_is_told_to_roll() {
    let (mut world, _) = touch::floor(1.0 / 60.0, ContactParameters::rough(0.5));
    let ball = touch::add(&mut world, "ball", Shape::Sphere { radius: 0.1 }, 2.0, DVec3::Z * 0.1);
    world.set_velocity(ball, DVec3::X * 5.0, DVec3::Y * 50.0).unwrap();
    let start = world.inspect().energy().total();
    for _ in 0..60 {
        world.step();
        let seen = world.inspect();
        let spin = seen.body(ball).unwrap().twist.angular_velocity;
        assert!((spin - DVec3::Y * 50.0).length() < 1e-6, "{spin}");
        assert!((seen.energy().total() - start).abs() < 1e-6 * start);
    }
}

/// What falls freely falls as it should, swept or not.
#[test]
fn a_swept_ball_falls_freely() {
    let mut world = touch::empty(1.0 / 60.0, ContactParameters::default());
    world.set(|s| s.contact.solver = Solver::Iterative).unwrap();
    let ball = touch::add(&mut world, "ball", Shape::Sphere { radius: 0.1 }, 1.0, DVec3::ZERO);
    (0..60).for_each(|_| drop(world.step()));
    let (z, t) = (world.state().bodies[ball.index()].position.z, world.state().time);
    assert!((z + 0.5 * 9.81 * t * t).abs() < 1e-12, "{z}");
}
