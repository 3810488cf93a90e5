//! What users will try first: card houses, pinched parts, belts, bounces, sticky and soft contacts, triggers, events.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::G;
use kit::touch::{add, add_turned, center, cuboid, empty, run, speed};
use windlass_engine::prelude::*;

const DT: f64 = 1.0 / 60.0;

fn world(touch: ContactParameters) -> World {
    kit::touch::floor(DT, touch).0
}

/// Two cards lean against each other; a roof of cards over two such tents stands too.
#[test]
fn a_card_house_stands() {
    let mut world = world(ContactParameters::rough(0.6));
    let (length, thick, width): (f64, f64, f64) = (0.09, 0.002, 0.06);
    let lean: f64 = 0.3;
    let (s, c) = libm::sincos(lean);
    let mut cards = Vec::new();
    for x in [-0.03, 0.03] {
        for side in [-1.0, 1.0] {
            // its lower edge on the floor, its upper inner edge on the tent's middle plane
            let turn = DQuat::from_axis_angle(DVec3::Y, -side * lean);
            let foot = 0.5 * length * c + 0.5 * thick * s;
            let reach = 0.5 * length * s + 0.5 * thick * c;
            let place = DVec3::new(x + side * reach, 0.0, foot);
            cards.push(add_turned(
                &mut world,
                "card",
                cuboid(0.5 * thick, 0.5 * width, 0.5 * length),
                0.002,
                place,
                turn,
            ));
        }
    }
    let top = length * c + thick * s + 0.5 * thick;
    cards.push(add(&mut world, "roof", cuboid(0.05, 0.5 * width, 0.5 * thick), 0.002, top * DVec3::Z));
    run(&mut world, 2.0);
    let before: Vec<DVec3> = cards.iter().map(|c| center(&world, *c)).collect();
    run(&mut world, 5.0);
    for (card, was) in cards.iter().zip(before) {
        let creep = (center(&world, *card) - was).length() / 5.0;
        assert!(creep < 1e-6, "a card creeps {creep} m/s");
    }
    assert!(center(&world, cards[4]).z > 0.9 * top, "the roof fell");
}

/// A part between two jaws, held by friction at 20 times its weight, does not creep.
#[test]
fn a_pinched_part_does_not_creep() {
    let mut world = world(ContactParameters::rough(0.5));
    let part = add(&mut world, "part", cuboid(0.05, 0.05, 0.05), 1.0, DVec3::Z);
    let wall = Body::fixed("wall").with_collider(Collider::new(cuboid(0.05, 0.1, 0.1)));
    let wall = world.add_body(wall, DVec3::new(-0.1, 0.0, 1.0), DQuat::IDENTITY).unwrap();
    let jaw = add(&mut world, "jaw", cuboid(0.05, 0.1, 0.1), 5.0, DVec3::new(0.1, 0.0, 1.0));
    let anchors = [wall, jaw].map(|b| {
        let z_to_x = DQuat::from_axis_angle(DVec3::Y, std::f64::consts::FRAC_PI_2);
        Anchor::frame(b, DVec3::ZERO, z_to_x)
    });
    world.add_joint(Joint::new("guide", Slider { anchors, axis: Axis::free() })).unwrap();
    let squeeze = 20.0 * G / (2.0 * 0.5);
    let force = Force::Applied(Applied::force(
        Anchor::point(jaw, DVec3::ZERO),
        Direction::World(DVec3::new(-squeeze, 0.0, 0.0)),
    ));
    world.add_force(force).unwrap();
    run(&mut world, 1.0);
    let start = center(&world, part);
    run(&mut world, 10.0);
    let creep = (center(&world, part) - start).length() / 10.0;
    assert!(creep < 1e-6, "creeps {creep} m/s");
}

/// A spinning disc on its face slows as its rim does: 2μg/R with rim contacts, no faster.
#[test]
fn a_spinning_disc_comes_to_rest() {
    let mut world = world(ContactParameters::rough(0.4));
    let disc =
        add(&mut world, "disc", Shape::Cylinder { radius: 0.2, half_length: 0.02 }, 2.0, 0.02 * DVec3::Z);
    world.set_velocity(disc, DVec3::ZERO, 20.0 * DVec3::Z).unwrap();
    let mut time = 0.0;
    while world.state().bodies[disc.index()].angular_velocity.length() > 1e-6 {
        run(&mut world, 1.0 / 60.0);
        time = world.state().time;
        assert!(time < 2.0);
    }
    assert!((time - 0.5097).abs() < 0.05 * 0.5097 + 1.0 / 60.0, "{time} s");
}

/// A soft contact sinks by m g / k under a weight, and rings with its own period.
#[test]
fn a_soft_contact_has_its_stiffness() {
    let spring = Some(Spring::new(4905.0, 100.0));
    let mut world = world(ContactParameters { spring, ..ContactParameters::default() });
    let ball = add(&mut world, "ball", Shape::Sphere { radius: 0.1 }, 10.0, 0.1 * DVec3::Z);
    run(&mut world, 5.0);
    let sink = 0.1 - center(&world, ball).z;
    assert!((sink - 0.02).abs() < 1e-5, "sinks {sink} m");
}

/// A bedded box sinks by m g / (k A), however many corners it stands on.
#[test]
fn bedding_is_per_area() {
    let bedding = Some(Spring::new(1e6, 2e4));
    let mut world = world(ContactParameters { bedding, ..ContactParameters::default() });
    let body = add(&mut world, "box", cuboid(0.2, 0.1, 0.1), 40.0, 0.1 * DVec3::Z);
    run(&mut world, 5.0);
    let sink = 0.1 - center(&world, body).z;
    let expected = 40.0 * G / (1e6 * 0.4 * 0.2);
    assert!((sink - expected).abs() < 1e-3 * expected, "sinks {sink} m, not {expected}");
}

/// A magnet holds on a ceiling up to its pull, and no further.
#[test]
fn adhesion_holds_up_to_its_bound() {
    for (mass, holds) in [(1.9, true), (2.1, false)] {
        let touch = ContactParameters { adhesion: 2.0 * G, ..ContactParameters::default() };
        let mut world = empty(DT, touch);
        let flip = DQuat::from_axis_angle(DVec3::X, std::f64::consts::PI);
        let ceiling = Body::fixed("ceiling").with_collider(Collider::of(Geometry::HalfSpace));
        world.add_body(ceiling, DVec3::Z, flip).unwrap();
        let ball = add(&mut world, "magnet", Shape::Sphere { radius: 0.1 }, mass, 0.9 * DVec3::Z);
        run(&mut world, 1.0);
        let fallen = 0.9 - center(&world, ball).z;
        assert_eq!(fallen.abs() < 1e-3, holds, "{mass} kg falls {fallen} m");
    }
}

/// Viscous slip creeps at slip times the friction force.
#[test]
fn slip_creeps_as_it_is_told() {
    let mut world = world(ContactParameters { slip: 1e-3, ..ContactParameters::rough(0.5) });
    let (s, c) = libm::sincos(0.2);
    world.set(|settings| settings.gravity = G * DVec3::new(s, 0.0, -c)).unwrap();
    let ball = add(&mut world, "box", cuboid(0.1, 0.1, 0.1), 1.0, 0.1 * DVec3::Z);
    run(&mut world, 1.0);
    let start = center(&world, ball).x;
    run(&mut world, 1.0);
    // four points share the force, each creeps at slip times its share
    let expected = 1e-3 * G * s / 4.0;
    let creep = center(&world, ball).x - start;
    assert!((creep - expected).abs() < 0.01 * expected, "{creep} m/s, not {expected}");
}

/// Rolling friction stops a ball: a = r g / (R (1 + 2/5)) with arm r.
#[test]
fn rolling_friction_stops_a_ball() {
    let arm = 0.002;
    let mut world = world(ContactParameters { rolling: arm, ..ContactParameters::rough(0.8) });
    let ball = add(&mut world, "ball", Shape::Sphere { radius: 0.1 }, 3.0, 0.1 * DVec3::Z);
    world.set_velocity(ball, DVec3::X, 10.0 * DVec3::Y).unwrap();
    run(&mut world, 2.0);
    let lost = 1.0 - world.state().bodies[ball.index()].velocity.x;
    let expected = arm * G / (0.1 * 1.4) * (world.state().time - world.state().velocity_lag);
    assert!((lost - expected).abs() < 0.01 * expected, "lost {lost} m/s, not {expected}");
    run(&mut world, 8.0);
    assert!(world.state().bodies[ball.index()].velocity.length() < 1e-6);
}

/// Spinning friction slows a top on its point: α = s m g / I.
#[test]
fn spinning_friction_stops_a_spin() {
    let arm = 0.003;
    let mut world = world(ContactParameters { spinning: arm, ..ContactParameters::rough(0.8) });
    let ball = add(&mut world, "ball", Shape::Sphere { radius: 0.1 }, 3.0, 0.1 * DVec3::Z);
    world.set_velocity(ball, DVec3::ZERO, 20.0 * DVec3::Z).unwrap();
    run(&mut world, 1.0);
    let lost = 20.0 - world.state().bodies[ball.index()].angular_velocity.z;
    let expected = arm * G / (0.4 * 0.01) * (world.state().time - world.state().velocity_lag);
    assert!((lost - expected).abs() < 0.01 * expected, "lost {lost} rad/s, not {expected}");
}

/// Skates: friction across the grain is ten times that along it.
#[test]
fn grain_has_a_direction() {
    let mut world = empty(DT, ContactParameters { across: 10.0, ..ContactParameters::rough(0.05) });
    let floor = Collider { grain: DVec3::X, ..Collider::of(Geometry::HalfSpace) };
    world.add_body(Body::fixed("ice").with_collider(floor), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let sled = add(&mut world, "sled", cuboid(0.1, 0.1, 0.05), 1.0, 0.05 * DVec3::Z);
    for (direction, friction) in [(DVec3::X, 0.05), (DVec3::Y, 0.5)] {
        let start = center(&world, sled);
        world.set_velocity(sled, direction, DVec3::ZERO).unwrap();
        run(&mut world, 3.0);
        let way = (center(&world, sled) - start).length();
        let expected = 1.0 / (2.0 * friction * G);
        assert!((way - expected).abs() < 0.05 * expected, "{way} m, not {expected}");
    }
}

/// Static friction holds more than kinetic: once it slides it goes on below the angle at which it began.
#[test]
fn static_friction_is_higher() {
    let touch = ContactParameters { stick: 0.6, slide: 0.3, ..ContactParameters::default() };
    let mut world = world(touch);
    let block = add(&mut world, "block", cuboid(0.2, 0.2, 0.1), 1.0, 0.1 * DVec3::Z);
    let tilt = |world: &mut World, tangent: f64| {
        let angle = libm::atan(tangent);
        world.set(|s| s.gravity = G * DVec3::new(libm::sin(angle), 0.0, -libm::cos(angle))).unwrap();
    };
    tilt(&mut world, 0.55);
    run(&mut world, 1.0);
    assert!(center(&world, block).x < 1e-6);
    tilt(&mut world, 0.65);
    run(&mut world, 0.5);
    assert!(center(&world, block).x > 0.01);
    tilt(&mut world, 0.4);
    let v = world.state().bodies[block.index()].velocity.x;
    run(&mut world, 0.5);
    assert!(world.state().bodies[block.index()].velocity.x > v, "it goes on at less than the static angle");
}

/// A trigger tells what passes and pushes nothing; a touch begins, stays and ends.
#[test]
fn events_begin_stay_and_end() {
    let mut world = world(ContactParameters { restitution: 0.5, ..ContactParameters::default() });
    let zone = Collider { trigger: true, ..Collider::new(cuboid(1.0, 1.0, 0.05)) };
    let zone =
        world.add_body(Body::fixed("zone").with_collider(zone), 0.6 * DVec3::Z, DQuat::IDENTITY).unwrap();
    let ball = add(&mut world, "ball", Shape::Sphere { radius: 0.05 }, 1.0, DVec3::Z);
    let (mut zone_log, mut floor_log) = (Vec::new(), Vec::new());
    for _ in 0..50 {
        world.step();
        for event in world.events() {
            let bodies = event.parts.map(|p| p.body as usize);
            assert!(bodies.contains(&ball.index()));
            let log = if bodies.contains(&zone.index()) { &mut zone_log } else { &mut floor_log };
            if log.last() != Some(&event.phase) {
                log.push(event.phase);
            }
            assert_eq!(event.trigger, bodies.contains(&zone.index()));
        }
    }
    assert_eq!(zone_log, [Phase::Begin, Phase::Stay, Phase::End]);
    assert_eq!(floor_log[..2], [Phase::Begin, Phase::End]);
}

/// A hook may change the touch of a pair or drop points: a one-way platform.
#[derive(Debug)]
struct OneWay;

impl Hook for OneWay {
    fn contacts(&mut self, _: &Model, state: &State, contacts: &mut Contacts) {
        for pair in &mut contacts.pairs {
            let rising = pair.parts.iter().any(|p| state.bodies[p.body as usize].velocity.z > 0.1);
            if rising {
                pair.points.end = pair.points.start;
            }
        }
    }
}

#[test]
fn hooks_drop_contacts() {
    let mut world = World::default();
    let plate = Body::fixed("plate").with_collider(Collider::new(cuboid(1.0, 1.0, 0.05)));
    world.add_body(plate, DVec3::Z, DQuat::IDENTITY).unwrap();
    world.add_hook(OneWay);
    let ball = add(&mut world, "ball", Shape::Sphere { radius: 0.05 }, 1.0, 0.5 * DVec3::Z);
    world.set_velocity(ball, 5.0 * DVec3::Z, DVec3::ZERO).unwrap();
    run(&mut world, 2.0);
    assert!((center(&world, ball).z - 1.1).abs() < 1e-3, "{}", center(&world, ball));
}

/// A cable of 5 mm at 30 m/s does not pass a plate of 2 mm.
#[test]
fn fast_and_thin_bodies_do_not_tunnel() {
    for (start, spin) in [(0.5, 0.0), (0.39, 0.0), (0.27, 20.0), (0.44, 60.0)] {
        let mut world = World::default();
        world.set(|s| s.gravity = DVec3::ZERO).unwrap();
        let plate = Body::fixed("plate").with_collider(Collider::new(cuboid(2.0, 2.0, 0.001)));
        world.add_body(plate, DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let turn = DQuat::from_axis_angle(DVec3::Y, 1.5);
        let shape = Shape::Capsule { radius: 0.0025, half_length: 0.05 };
        let piece = add_turned(&mut world, "cable", shape, 0.02, start * DVec3::Z, turn);
        world.set_velocity(piece, DVec3::new(3.0, 0.0, -30.0), spin * DVec3::Y).unwrap();
        run(&mut world, 0.5);
        assert!(
            center(&world, piece).z > 0.0,
            "from {start}, spin {spin}: it passed: {}",
            center(&world, piece)
        );
    }
}

/// Groups and masks, joined bodies, and bodies of one mind pass through each other.
#[test]
fn groups_do_not_meet() {
    let mut world = world(ContactParameters::default());
    let shape = cuboid(0.1, 0.1, 0.1);
    let ghost = Collider { groups: 2, mask: !1, ..Collider::new(shape.clone()) };
    let body = Body::dynamic("ghost", Mass::of_total(&shape, 1.0).unwrap()).with_collider(ghost);
    let ghost = world.add_body(body, 0.5 * DVec3::Z, DQuat::IDENTITY).unwrap();
    run(&mut world, 1.0);
    assert!(center(&world, ghost).z < -1.0);
}

/// Islands at rest sleep with their contacts, keep bearing, and wake when touched.
#[test]
fn sleepers_bear_and_wake() {
    let mut world = world(ContactParameters::default());
    world.set(|s| s.sleep = Some(Sleep::default())).unwrap();
    let low = add(&mut world, "low", cuboid(0.1, 0.1, 0.1), 1.0, 0.1 * DVec3::Z);
    let high = add(&mut world, "high", cuboid(0.1, 0.1, 0.1), 1.0, 0.3 * DVec3::Z);
    run(&mut world, 2.0);
    assert!(world.state().bodies[low.index()].asleep && world.state().bodies[high.index()].asleep);
    assert!((world.contact_load(high).force.z - G).abs() < 1e-6);
    let ball = add(&mut world, "ball", Shape::Sphere { radius: 0.1 }, 1.0, DVec3::new(-1.0, 0.0, 0.3));
    world.set_velocity(ball, 8.0 * DVec3::X, DVec3::ZERO).unwrap();
    run(&mut world, 0.5);
    assert!(center(&world, high).x > 0.05, "it was pushed: {}", center(&world, high));
}

/// A block pushed with nearly all that friction can bear stands: corners that bear the most they can do not slide, and say
/// so. With a little more than all it slides.
#[test]
fn what_stands_at_the_bound_of_friction_sticks() {
    for solver in [Solver::Direct, Solver::Iterative, Solver::Split] {
        for (part, grip) in
            [(0.9, ContactMode::Stick), (0.999, ContactMode::Stick), (1.01, ContactMode::Slip)]
        {
            let mut world = world(ContactParameters::rough(0.5));
            world.set(|s| s.contact.solver = solver).unwrap();
            let block = add(&mut world, "block", cuboid(0.2, 0.2, 0.1), 2.0, 0.1 * DVec3::Z);
            let push = Direction::World(part * 0.5 * 2.0 * G * DVec3::X);
            world.add_force(Force::Applied(Applied::force(Anchor::point(block, DVec3::ZERO), push))).unwrap();
            (0..60).for_each(|_| drop(world.step()));
            let grips: Vec<ContactMode> = world.state().contacts.iter().map(|c| c.grip).collect();
            assert_eq!(grips, [grip; 4], "{solver:?}, {part} of the bound, {}", speed(&world, block));
        }
    }
}

/// What is logged of the step of an impact: the velocity after it. A blow is no load that goes on; taken for one, it threw the
/// velocity half of the jump too far.
#[test]
fn the_velocity_told_after_an_impact_is_that_after_it() {
    for dt in [DT, 1e-3] {
        for restitution in [0.0, 0.8] {
            let (mut world, _) =
                kit::touch::floor(dt, ContactParameters { restitution, ..ContactParameters::default() });
            let ball = add(&mut world, "ball", Shape::Sphere { radius: 0.1 }, 1.0, 1.1 * DVec3::Z);
            let mut jumps = 0;
            for _ in 0..(0.8 / dt) as usize {
                let before = speed(&world, ball).z;
                run(&mut world, dt);
                let (after, lag) = (speed(&world, ball).z, world.state().velocity_lag);
                let told = world.inspect().body(ball).unwrap().twist.velocity.z;
                let struck = after - before > 0.5;
                jumps += usize::from(struck);
                // free flight, or at rest on the floor
                let falls = told - (after - lag * G);
                assert!(
                    falls.abs() < 1e-9 || (falls - lag * G).abs() < 1e-6,
                    "{told} m/s of {after} at {dt}"
                );
                assert!(!struck || told < 0.81 * 4.5, "{before} to {after}: {told} m/s at {dt}");
            }
            assert!(jumps > 0);
        }
    }
}

/// The same of what lies below: the load of a stone that falls on another is not told as a jump of the other.
#[test]
fn a_blow_is_not_told_of_what_lies_below() {
    let mut world = world(ContactParameters::default());
    let low = add(&mut world, "low", cuboid(0.1, 0.1, 0.1), 1.0, 0.1 * DVec3::Z);
    let high = add(&mut world, "high", cuboid(0.1, 0.1, 0.1), 1.0, 0.8 * DVec3::Z);
    for _ in 0..60 {
        run(&mut world, DT);
        let told = world.inspect();
        let still = told.body(low).unwrap().twist.velocity.length();
        assert!(still < 1e-6, "{still} m/s of what lies still");
        assert!(told.body(high).unwrap().twist.velocity.z < 1e-6);
    }
    let bytes = world.state().to_bytes();
    assert_eq!(State::from_bytes(&bytes).unwrap(), *world.state());
}
