//! Contacts of simple pairs against their closed forms.

use glam::{DQuat, DVec3, dvec3};
use windlass_engine::collide::{Contact, Contacts, collide};
use windlass_engine::prelude::*;

fn ball(radius: f64) -> Collider {
    Collider::new(Shape::Sphere { radius })
}

fn cuboid(half: DVec3) -> Collider {
    Collider::new(Shape::Box { half })
}

/// Two bodies at rest, the first fixed, and their contacts, in the order of their features.
fn contacts(a: Collider, b: Collider, at: DVec3, turn: DQuat) -> Vec<Contact> {
    let mut world = World::default();
    world.add_body(Body::fixed("a").touchable(a), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    world
        .add_body(
            Body::free("b", Mass::of_total(&Shape::Sphere { radius: 0.1 }, 1.0).unwrap()).touchable(b),
            at,
            turn,
        )
        .unwrap();
    let mut out = Contacts::default();
    collide(world.model(), world.state(), &mut out);
    assert!(out.pairs.len() <= 1);
    out.list
}

#[test]
fn spheres_touch_where_their_centres_say() {
    let at = dvec3(0.3, -0.4, 1.2);
    let list = contacts(ball(0.7), ball(0.6), at, DQuat::IDENTITY);
    assert_eq!(list.len(), 1);
    assert!((list[0].gap - (1.3 - 1.3)).abs() < 1e-15);
    assert!((list[0].normal - at / 1.3).length() < 1e-15);
    assert!((list[0].point - at * 0.7 / 1.3).length() < 1e-15);
}

#[test]
fn a_box_on_a_box_has_the_four_corners_of_the_overlap() {
    for lift in [-1e-3, -1e-9, 0.0, 1e-12, 1e-9, 1e-3] {
        for tilt in [0.0, 1e-12, 1e-9] {
            let turn = windlass_engine::math::turn(dvec3(0.6, 0.8, 0.0), tilt);
            let list = contacts(
                cuboid(DVec3::splat(1.0)),
                cuboid(dvec3(0.5, 0.7, 0.5)),
                dvec3(0.2, 0.6, 1.5 + lift),
                turn,
            );
            assert_eq!(list.len(), 4, "{lift} {tilt}");
            for (x, y) in [(-0.3, -0.1), (0.7, -0.1), (0.7, 1.0), (-0.3, 1.0)] {
                let near = list.iter().find(|c| (c.point - dvec3(x, y, 1.0 + 0.5 * lift)).length() < 1e-8);
                let c = near.unwrap_or_else(|| panic!("no point at {x} {y}: {list:?}"));
                assert!((c.gap - lift).abs() < 2.0 * tilt + 1e-14 && (c.area - 1.1 / 4.0).abs() < 1e-8);
            }
        }
    }
}
