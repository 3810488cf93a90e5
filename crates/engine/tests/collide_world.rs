//! The stage as a whole: which pairs there are, in what order, whatever happened before; and what fast
//! bodies meet.

use crate::collide_kit;
use crate::kit;

use collide_kit::*;
use glam::{DQuat, DVec3, dvec3};
use kit::counting::allocated;
use windlass_engine::body::collider::ColliderRef;
use windlass_engine::collide::{CollisionWork, collide};
use windlass_engine::contact::Contacts;
use windlass_engine::prelude::*;

/// Many bodies of every form in a heap over the ground.
fn heap(count: usize, seed: u64) -> World {
    let mut dice = Dice::new(seed);
    let kinds = ["sphere", "box", "cylinder", "cone", "capsule", "hull", "mesh", "compound"];
    let wide = 0.45 * libm::cbrt(count as f64);
    let mut all: Vec<(Collider, DVec3, DQuat)> = (0..count)
        .map(|k| (Collider::of(geometry(kinds[k % kinds.len()])), wide * dice.vector(), dice.turn()))
        .collect();
    all.push((Collider::of(Geometry::HalfSpace), dvec3(0.0, 0.0, -0.8 * wide), DQuat::IDENTITY));
    bodies(&all)
}

#[test]
fn the_pairs_are_those_of_trying_all() {
    let world = heap(500, 5);
    let found = contacts(&world);
    let mut wanted = Vec::new();
    let (model, state) = (world.model(), world.state());
    let alone = |k: usize| {
        let body = model.bodies().at(k).unwrap();
        let s = &state.bodies[k];
        (body.colliders[0].clone(), s.position, s.orientation)
    };
    for a in 0..501 {
        for b in a + 1..501 {
            // far apart for certain, unless one is the ground
            if b < 500 && state.bodies[a].position.distance(state.bodies[b].position) > 1.4 {
                continue;
            }
            let list = between(alone(a), alone(b));
            if !list.is_empty() {
                wanted.push(((a as u32, b as u32), list));
            }
        }
    }
    let pairs: Vec<(u32, u32)> = found.pairs.iter().map(|p| (p.parts[0].body, p.parts[1].body)).collect();
    assert!(pairs.len() > 300, "{}", pairs.len());
    assert_eq!(pairs, wanted.iter().map(|w| w.0).collect::<Vec<_>>());
    for (pair, (_, list)) in found.pairs.iter().zip(&wanted) {
        // the bodies were placed anew, which rounds
        let same = |a: f64, b: f64| (a - b).abs() < 1e-6;
        assert!(same(least(&found.list[pair.points.clone()]).unwrap(), least(list).unwrap()));
    }
}

#[test]
fn contacts_depend_on_the_poses_alone() {
    let (world, mut work, mut used) = (heap(80, 6), CollisionWork::default(), Contacts::default());
    // the same memory is led through other heaps, of more and of fewer bodies
    for (count, seed) in [(80, 7), (120, 8), (10, 9), (80, 10)] {
        let other = heap(count, seed);
        collide(other.model(), other.state(), &mut work, &mut used);
    }
    collide(world.model(), world.state(), &mut work, &mut used);
    let fresh = contacts(&world);
    assert!(fresh.list.len() > 50);
    assert_eq!((&used.pairs, &used.list), (&fresh.pairs, &fresh.list));
}

#[test]
fn a_warm_call_does_not_allocate() {
    let world = heap(100, 11);
    let (mut work, mut out) = (CollisionWork::default(), Contacts::default());
    for _ in 0..30 {
        collide(world.model(), world.state(), &mut work, &mut out);
    }
    let before = allocated();
    for _ in 0..10 {
        collide(world.model(), world.state(), &mut work, &mut out);
    }
    assert!(out.list.len() > 100);
    assert_eq!(allocated() - before, 0);
}

#[test]
fn groups_joints_triggers_and_kinds_say_who_meets() {
    let ball = || Collider::new(Shape::Sphere { radius: 0.5 });
    let near = |k: f64| dvec3(0.9 * k, 0.0, 0.0);
    let count = |world: &World| contacts(world).pairs.len();
    let two = |a: Collider, b: Collider| {
        bodies(&[(a, near(0.0), DQuat::IDENTITY), (b, near(1.0), DQuat::IDENTITY)])
    };
    assert_eq!(count(&two(ball(), ball())), 1);
    // masks, from either side
    let mut deaf = ball();
    deaf.mask = 2;
    assert_eq!(count(&two(deaf.clone(), ball())) + count(&two(ball(), deaf)), 0);
    // a trigger reports and does not touch, and only what overlaps
    let mut eye = ball();
    eye.trigger = true;
    let seen = contacts(&two(ball(), eye.clone()));
    let part = |body| ColliderRef { body, collider: 0 };
    assert!(seen.pairs.is_empty() && seen.triggers == [[part(0), part(1)]]);
    let apart =
        bodies(&[(ball(), near(0.0), DQuat::IDENTITY), (eye, dvec3(1.002, 0.0, 0.0), DQuat::IDENTITY)]);
    assert!(contacts(&apart).triggers.is_empty());
    // joined bodies do not touch
    let mut joined = two(ball(), ball());
    let id = |w: &World, k| w.model().bodies().id(k).unwrap();
    let anchors = [Anchor::point(id(&joined, 0), near(0.5)), Anchor::point(id(&joined, 1), near(-0.5))];
    let joint = joined.add_joint(Joint::new("pivot", Ball { anchors })).unwrap();
    assert_eq!(count(&joined), 0);
    joined.edit(Edit::RemoveJoint(joint)).unwrap();
    assert_eq!(count(&joined), 1);
    // fixed ones do not touch, nor two colliders of one body
    let mut fixed = World::default();
    fixed
        .add_body(Body::fixed("a").with_collider(ball()).with_collider(ball()), near(0.0), DQuat::IDENTITY)
        .unwrap();
    fixed.add_body(Body::fixed("b").with_collider(ball()), near(1.0), DQuat::IDENTITY).unwrap();
    assert_eq!(count(&fixed), 0);
    fixed.add_body(Body::dynamic("c", mass()).with_collider(ball()), near(2.0), DQuat::IDENTITY).unwrap();
    assert_eq!(contacts(&fixed).pairs[0].parts, [part(1), part(2)]);
}

/// Whether the rows of contacts, as a solver takes them, let a body of this velocity come through.
fn stopped(world: &World) -> bool {
    let found = contacts(world);
    let h = world.model().settings().dt;
    let s = &world.state().bodies;
    found.pairs.iter().any(|pair| {
        let at = |k: usize, p: DVec3| {
            let b = &s[pair.parts[k].body as usize];
            b.velocity + b.angular_velocity.cross(p - b.position)
        };
        let mut points = found.list[pair.points.clone()].iter();
        points.any(|c| c.gap + h * c.normal.dot(at(1, c.point) - at(0, c.point)) < 0.0)
    })
}

/// A capsule of 5 mm radius that flies at a plate 2 mm thick.
fn shot(plate: &Geometry, at: DVec3, turn: DQuat, velocity: DVec3, spin: DVec3) -> World {
    let bullet = Collider::new(Shape::Capsule { radius: 0.005, half_length: 0.01 });
    let mut world = World::default();
    world.set(|s| s.gravity = DVec3::ZERO).unwrap();
    world
        .add_body(
            Body::fixed("plate").with_collider(Collider::of(plate.clone())),
            DVec3::ZERO,
            DQuat::IDENTITY,
        )
        .unwrap();
    let b = world.add_body(Body::dynamic("bullet", mass()).with_collider(bullet), at, turn).unwrap();
    world.set_velocity(b, velocity, spin).unwrap();
    world
}

#[test]
fn nothing_fast_passes_a_thin_plate() {
    let (vertices, triangles) = box_mesh(dvec3(0.5, 0.5, 0.001), DVec3::ZERO);
    let heights = vec![0.0; 25];
    let plates = [
        Geometry::Solid(Shape::Box { half: dvec3(0.5, 0.5, 0.001) }),
        Geometry::Solid(Shape::Mesh { vertices, triangles }),
        grid_surface(&heights, 5, 0.25),
        Geometry::HeightField { heights, columns: 5, spacing: [0.25, 0.25] },
        Geometry::HalfSpace,
    ];
    let mut dice = Dice::new(12);
    for plate in &plates {
        for round in 0..200 {
            // it would be through by the end of the step
            let height = 0.2 + 0.19 * dice.number();
            let aim = 0.4 * dvec3(dice.number(), dice.number(), 0.0);
            let velocity = dvec3(3.0 * dice.number(), 3.0 * dice.number(), -30.0);
            let spin = if round % 2 == 0 { DVec3::ZERO } else { 100.0 * dice.vector() };
            let start = aim + velocity * (height / 30.0) * -1.0;
            let world = shot(plate, start, dice.turn(), velocity, spin);
            assert!(stopped(&world), "{round} from {height}: {plate:?}");
        }
    }
}

#[test]
fn what_flies_past_is_not_stopped() {
    let plate = Geometry::Solid(Shape::Box { half: dvec3(0.5, 0.5, 0.001) });
    let mut dice = Dice::new(13);
    for _ in 0..200 {
        let spin = 20.0 * dice.vector();
        let velocity = dvec3(0.0, 0.0, -30.0);
        // a hand's breadth beside the rim
        let world = shot(&plate, dvec3(0.6, 0.3 * dice.number(), 0.2), dice.turn(), velocity, spin);
        assert!(contacts(&world).pairs.is_empty());
        // along the plate, above it
        let along = shot(&plate, dvec3(-0.4, 0.0, 0.04), dice.turn(), dvec3(40.0, 0.0, 0.0), DVec3::ZERO);
        assert!(contacts(&along).pairs.is_empty());
    }
}

#[test]
fn a_falling_box_meets_the_ground_with_all_its_corners() {
    for ground in [Geometry::HalfSpace, Geometry::Solid(Shape::Box { half: dvec3(2.0, 2.0, 1e-3) })] {
        let mut world = World::default();
        let level = if ground == Geometry::HalfSpace { 0.0 } else { 1e-3 };
        world
            .add_body(Body::fixed("ground").with_collider(Collider::of(ground)), DVec3::ZERO, DQuat::IDENTITY)
            .unwrap();
        let body =
            Body::dynamic("box", mass()).with_collider(Collider::new(Shape::Box { half: DVec3::splat(0.1) }));
        let b = world.add_body(body, dvec3(0.0, 0.0, 0.1 + level + 0.05), DQuat::IDENTITY).unwrap();
        world.set_velocity(b, dvec3(1.0, 0.0, -6.0), DVec3::ZERO).unwrap();
        let found = contacts(&world);
        assert_eq!(found.list.len(), 4);
        // the gap of now, whatever instant it was found at
        assert!(found.list.iter().all(|c| (c.gap - 0.05).abs() < 5e-3), "{:#?}", found.list);
        // across the normal a point is where the body has it now
        assert!(found.list.iter().all(|c| (c.point.x.abs() - 0.1).abs() < 1e-9));
    }
}
