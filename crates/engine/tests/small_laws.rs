//! Closed forms of single terms, whose sign or factor no other test depends on.

use crate::kit;

use glam::{DQuat, DVec2, DVec3};
use kit::Rig;
use kit::touch::{add, cuboid, empty, floor};
use windlass_engine::prelude::*;

/// The point of a contact event is where the sum of its forces acts: below the centre of mass of a box at rest.
#[test]
fn a_contact_event_is_below_the_centre_of_mass() {
    let (mut world, _) = floor(1.0 / 60.0, ContactParameters::default());
    let mass = Mass::principal(3.0, DVec3::new(0.2, -0.1, 0.0), DVec3::splat(0.4), DQuat::IDENTITY);
    let body = Body::dynamic("box", mass).with_collider(Collider::new(cuboid(0.5, 0.5, 0.25)));
    world.add_body(body, 0.25 * DVec3::Z, DQuat::IDENTITY).unwrap();
    (0..60).for_each(|_| drop(world.step()));
    let event = world.events()[0];
    assert!((event.impulse.z - 3.0 * 9.81 / 60.0).abs() < 1e-6, "{event:?}");
    assert!((DVec2::new(event.point.x, event.point.y) - DVec2::new(0.2, -0.1)).length() < 1e-4, "{event:?}");
}

/// A body that turns where it is does not fall asleep.
#[test]
fn a_turning_body_stays_awake() {
    let mut world = empty(1.0 / 60.0, ContactParameters::default());
    world.set(|s| (s.gravity, s.sleep) = (DVec3::ZERO, Some(Sleep { speed: 0.01, after: 0.1 }))).unwrap();
    let ball = add(&mut world, "ball", Shape::Sphere { radius: 0.1 }, 1.0, DVec3::ZERO);
    world.set_velocity(ball, DVec3::ZERO, 0.5 * DVec3::Z).unwrap();
    (0..60).for_each(|_| drop(world.step()));
    let s = &world.state().bodies[ball.index()];
    assert!(!s.asleep && (s.angular_velocity.z - 0.5).abs() < 1e-9, "{s:?}");
}

/// A position drive at its force limit: ω = M t/I, its damper does no work, and its energy is linear in the angle.
#[test]
fn a_drive_at_its_limit_damps_nothing() {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook).under(DVec3::ZERO);
    let mass = Mass::principal(1.0, DVec3::ZERO, DVec3::splat(0.5), DQuat::IDENTITY);
    let body = rig.body("rotor", mass, DVec3::ZERO);
    let drive = Drive::Position { target: 10.0, spring: Spring::new(100.0, 20.0), force: 5.0 };
    rig.driven_hinge([rig.ground, body], DVec3::ZERO, DVec3::Z, Axis { drive, ..Axis::free() });
    let start = rig.world.inspect().energy().total();
    let mut damping = 0.0;
    for _ in 0..30 {
        damping += rig.world.step().work.expect("spook").damping;
    }
    let seen = rig.world.inspect();
    let (energy, spin) = (seen.energy(), seen.body(body).unwrap().twist.angular_velocity.z);
    assert!((spin - 5.0 / 0.5 * 0.5).abs() < 1e-6, "{spin} rad/s");
    assert!(damping.abs() < 1e-9, "{damping} J");
    assert!(
        (energy.kinetic - 0.25 * spin * spin).abs() < 1e-9 && (energy.total() - start).abs() < 1e-6,
        "{energy:?}"
    );
}

/// A ball hits a rod beside its centre within a step: from then on the rod turns by ω t, p = 2 v/(1/m + 1/M + d²/I), ω = p d/I. In the
/// part of the step before it is at rest.
#[test]
fn a_rod_turns_from_the_instant_at_which_it_is_hit() {
    let (dt, v, d) = (1.0 / 60.0, 10.0, 0.15);
    for phase in [0.1, 0.3, 0.8] {
        let mut world = empty(dt, ContactParameters { restitution: 1.0, ..ContactParameters::rough(0.0) });
        world.set(|s| s.gravity = DVec3::ZERO).unwrap();
        let shape = Shape::Capsule { radius: 0.05, half_length: 0.3 };
        let rod = add(&mut world, "rod", shape.clone(), 1.0, DVec3::ZERO);
        let at = DVec3::new(-0.1 - v * dt * (3.0 + phase), 0.0, d);
        let ball = add(&mut world, "ball", Shape::Sphere { radius: 0.05 }, 0.3, at);
        world.set_velocity(ball, v * DVec3::X, DVec3::ZERO).unwrap();
        (0..5).for_each(|_| drop(world.step()));
        let inertia = Mass::of_total(&shape, 1.0).unwrap().inertia.y_axis.y;
        let spin = 2.0 * v / (1.0 / 0.3 + 1.0 + d * d / inertia) * d / inertia;
        let s = &world.state().bodies[rod.index()];
        assert!(
            (s.angular_velocity.y - spin).abs() < 1e-5 * spin,
            "{} of {spin} rad/s",
            s.angular_velocity.y
        );
        let (angle, expected) = (libm::asin((s.orientation * DVec3::Z).x), spin * dt * (2.0 - phase));
        assert!((angle - expected).abs() < 1e-4 * expected, "{angle} of {expected} rad at {phase}");
    }
}
