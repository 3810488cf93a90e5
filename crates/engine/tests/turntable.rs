//! What sticks on something that turns goes round with it: no creep, and the friction that the circle needs, m ω² r.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::touch::{add_turned, center, cuboid, empty};
use windlass_engine::prelude::*;

const DT: f64 = 1.0 / 60.0;
const G: f64 = 9.81;
const OMEGA: f64 = 2.0;
const RADIUS: f64 = 0.5;

fn disc() -> Shape {
    Shape::Cylinder { radius: 1.0, half_length: 0.05 }
}

/// A turntable that is driven about z, its top at z = 0, with a box that goes round with it.
fn turntable(friction: f64) -> (World, BodyId) {
    let mut world = empty(DT, ContactParameters::rough(friction));
    let path = Path {
        position: [Motion::Constant(0.0), Motion::Constant(0.0), Motion::Constant(-0.05)],
        rotations: vec![PathRotation { axis: DVec3::Z, angle: Motion::Polynomial(vec![0.0, OMEGA]) }],
        orientation: DQuat::IDENTITY,
    };
    let table = Body::kinematic("table", path).with_collider(Collider::new(disc()));
    world.add_body(table, DVec3::Z * -0.05, DQuat::IDENTITY).unwrap();
    let body = rider(&mut world);
    (world, body)
}

/// A box that goes round at ω.
fn rider(world: &mut World) -> BodyId {
    let at = DVec3::new(RADIUS, 0.0, 0.05);
    let body = add_turned(world, "box", cuboid(0.05, 0.08, 0.05), 2.0, at, DQuat::from_rotation_z(0.4));
    world.set_velocity(body, DVec3::Y * (OMEGA * RADIUS), DVec3::Z * OMEGA).unwrap();
    body
}

fn distance(world: &World, body: BodyId) -> f64 {
    center(world, body).truncate().length()
}

/// Angle between the direction of the box and that of the table.
fn lag(world: &World, body: BodyId, angle: f64) -> f64 {
    let turned = DQuat::from_rotation_z(-angle) * center(world, body);
    libm::atan2(turned.y, turned.x)
}

#[test]
fn what_sticks_on_a_turntable_does_not_creep() {
    let (mut world, body) = turntable(0.5);
    (0..60).for_each(|_| drop(world.step()));
    let (start, behind) = (distance(&world, body), lag(&world, body, OMEGA * world.state().time));
    for _ in 0..600 {
        world.step();
        let force: DVec3 = world.state().contacts.iter().map(|c| c.force).sum();
        let holds = force.truncate().length();
        assert!((holds / (2.0 * OMEGA * OMEGA * RADIUS) - 1.0).abs() < 0.01, "{holds} N");
        assert!(holds <= 0.5 * force.z, "{holds} N of {} N", force.z);
    }
    let creep = (distance(&world, body) - start).abs() / 10.0;
    let slips = (lag(&world, body, OMEGA * world.state().time) - behind).abs() * RADIUS / 10.0;
    println!("creeps by {creep:.1e} m/s outwards, {slips:.1e} m/s along");
    assert!(creep < 1e-6 && slips < 1e-6, "{creep} and {slips} m/s");
}

/// Sticks while ω² r < μ g.
#[test]
fn it_is_thrown_off_beyond_the_bound_of_friction() {
    for (share, stays) in [(1.03, true), (0.97, false)] {
        let (mut world, body) = turntable(share * OMEGA * OMEGA * RADIUS / G);
        (0..300).for_each(|_| drop(world.step()));
        let moved = distance(&world, body) - RADIUS;
        assert!(if stays { moved.abs() < 1e-3 } else { moved > 0.1 }, "{share}: {moved} m");
    }
}

/// A table that turns freely on a hinge, and the box on it, keep their angular momentum, and the box its place.
#[test]
fn a_free_table_and_its_load_keep_their_angular_momentum() {
    let mut world = empty(DT, ContactParameters::rough(0.5));
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let at = DVec3::Z * -0.05;
    let table = add_turned(&mut world, "table", disc(), 20.0, at, DQuat::IDENTITY);
    let anchors = [Anchor::point(ground, at), Anchor::point(table, DVec3::ZERO)];
    world.add_joint(Joint::new("hinge", Hinge { anchors, axis: Axis::free() })).unwrap();
    world.set_velocity(table, DVec3::ZERO, DVec3::Z * OMEGA).unwrap();
    let body = rider(&mut world);
    let momentum = |world: &World| {
        let of = |id: BodyId| {
            let (s, mass) = (&world.state().bodies[id.index()], world.model().bodies().get(id).unwrap().mass);
            let own = s.orientation * (mass.inertia * (s.orientation.inverse() * s.angular_velocity));
            (s.position.cross(mass.mass * s.velocity) + own).z
        };
        of(table) + of(body)
    };
    (0..60).for_each(|_| drop(world.step()));
    let (start, before) = (distance(&world, body), momentum(&world));
    (0..600).for_each(|_| drop(world.step()));
    let creep = (distance(&world, body) - start).abs() / 10.0;
    let lost = (momentum(&world) / before - 1.0).abs();
    println!("creeps by {creep:.1e} m/s, angular momentum off by {lost:.1e}");
    assert!(creep < 1e-6, "{creep} m/s");
    assert!(lost < 1e-9, "{lost} of the angular momentum");
}
