//! Contacts of simple pairs against their closed forms.

use glam::{DQuat, DVec3, dvec3};
use windlass_engine::collide::{CollisionWork, collide};
use windlass_engine::contact::{Contact, Contacts};
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
    world.add_body(Body::fixed("a").with_collider(a), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    world
        .add_body(
            Body::dynamic("b", Mass::of_total(&Shape::Sphere { radius: 0.1 }, 1.0).unwrap()).with_collider(b),
            at,
            turn,
        )
        .unwrap();
    let mut out = Contacts::default();
    collide(world.model(), world.state(), &mut CollisionWork::default(), &mut out);
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

/// Where the upper of two bodies is touched: on its skin before it touches, halfway where they overlap.
fn skin(lift: f64) -> f64 {
    if lift > 0.0 { lift } else { 0.5 * lift }
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
                let near = list.iter().find(|c| (c.point - dvec3(x, y, 1.0 + skin(lift))).length() < 1e-8);
                let c = near.unwrap_or_else(|| panic!("no point at {x} {y}: {list:?}"));
                assert!((c.gap - lift).abs() < 2.0 * tilt + 1e-14 && (c.area - 1.1 / 4.0).abs() < 1e-8);
            }
        }
    }
}

/// Contacts of a body at rest over ground of z = 0.
fn on_ground(c: Collider, at: DVec3, turn: DQuat) -> Vec<Contact> {
    contacts(Collider::of(Geometry::HalfSpace), c, at, turn)
}

#[test]
fn boxes_and_spheres_on_the_ground_keep_their_gaps_to_round_off() {
    let turn = windlass_engine::math::turn(DVec3::Z, 0.3);
    for lift in [-1e-3, 0.0, 1e-9, 2e-3] {
        let list = on_ground(cuboid(dvec3(0.5, 0.7, 0.2)), dvec3(3.0, 4.0, 0.2 + lift), turn);
        assert_eq!(list.len(), 4);
        for c in &list {
            assert!((c.gap - lift).abs() < 1e-15 && (c.normal - DVec3::Z).length() < 1e-15);
            assert!((c.area - 1.4 / 4.0).abs() < 1e-12 && (c.point.z - skin(lift)).abs() < 1e-15);
        }
        let list = on_ground(ball(0.2), dvec3(3.0, 4.0, 0.2 + lift), turn);
        assert!(list.len() == 1 && (list[0].gap - lift).abs() < 1e-15);
    }
}

#[test]
fn round_things_stand_on_four_points_and_lie_on_two() {
    let up = DVec3::Z;
    let lying = windlass_engine::math::turn(DVec3::X, std::f64::consts::FRAC_PI_2);
    let tilted = |angle: f64| windlass_engine::math::turn(dvec3(0.6, 0.8, 0.0), angle);
    let drum = Collider::new(Shape::Cylinder { radius: 0.4, half_length: 0.5 });
    let cone = Collider::new(Shape::Cone { radius: 0.4, half_height: 0.5 });
    let pill = Collider::new(Shape::Capsule { radius: 0.4, half_length: 0.5 });
    let table = cuboid(dvec3(2.0, 2.0, 0.5));
    let grounds = [(Collider::of(Geometry::HalfSpace), 0.0), (table, 0.5)];
    for (ground, height) in grounds {
        let rest =
            |c: &Collider, z: f64, turn: DQuat| contacts(ground.clone(), c.clone(), up * (height + z), turn);
        for tilt in [0.0, 1e-12, 1e-9] {
            for c in [&drum, &cone] {
                let list = rest(c, 0.5, tilted(tilt));
                assert_eq!(list.len(), 4, "tilted by {tilt}: {list:#?}");
                assert!(
                    list.iter()
                        .all(|c| c.gap.abs() < 1e-9 && (c.point.truncate().length() - 0.4).abs() < 1e-9)
                );
            }
            let list = rest(&drum, 0.4, tilted(tilt) * lying);
            assert_eq!(list.len(), 2);
            assert!(
                (list[0].point - list[1].point).length() > 0.99 && list.iter().all(|c| c.gap.abs() < 1e-9)
            );
            assert_eq!(rest(&pill, 0.4, tilted(tilt) * lying).len(), 2);
        }
        // on its rim: the lowest point, exactly
        let list = rest(&drum, 0.64, tilted(0.6));
        let deepest = list.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
        let closed = 0.64 - (0.5 * libm::cos(0.6) + 0.4 * libm::sin(0.6));
        assert!((deepest - closed).abs() < 1e-12, "{deepest} {closed}");
        // a cone on its side: apex and rim
        let side = libm::atan2(0.4, 1.0);
        let down = windlass_engine::math::turn(DVec3::Y, std::f64::consts::FRAC_PI_2 + side);
        let list = rest(&cone, 0.5 * libm::sin(side), down);
        assert_eq!(list.len(), 2, "{list:#?}");
        assert!(list.iter().all(|c| c.gap.abs() < 1e-12));
    }
}

#[test]
fn capsules_side_by_side_touch_at_the_ends_of_what_they_share() {
    let pill = || Collider::new(Shape::Capsule { radius: 0.1, half_length: 0.5 });
    for tilt in [0.0, 1e-12, 1e-9] {
        let turn = windlass_engine::math::turn(DVec3::X, tilt);
        let list = contacts(pill(), pill(), dvec3(0.2, 0.0, 0.4), turn);
        assert_eq!(list.len(), 2);
        let mut z: Vec<f64> = list.iter().map(|c| c.point.z).collect();
        z.sort_by(f64::total_cmp);
        assert!((z[0] + 0.1).abs() < 1e-8 && (z[1] - 0.5).abs() < 1e-8, "{z:?}");
    }
    let across = windlass_engine::math::turn(DVec3::X, std::f64::consts::FRAC_PI_2);
    let list = contacts(pill(), pill(), dvec3(0.203, 0.1, 0.1), across);
    assert!(list.len() == 1 && (list[0].gap - 0.003).abs() < 1e-15);
    assert!((list[0].point - dvec3(0.103, 0.0, 0.1)).length() < 1e-15);
}

#[test]
fn names_of_points_stay_while_the_same_corners_touch() {
    let mut seen: Option<Vec<u32>> = None;
    for k in 0..200 {
        let wobble = |n: f64| 1e-9 * libm::sin(n * f64::from(k));
        let turn = windlass_engine::math::exp(dvec3(wobble(1.0), wobble(2.3), wobble(3.7)));
        let at = dvec3(wobble(1.7), wobble(0.6), 1.0 + wobble(5.0));
        let list = contacts(cuboid(DVec3::splat(0.5)), cuboid(DVec3::splat(0.5)), at, turn);
        let names: Vec<u32> = list.iter().map(|c| c.feature).collect();
        assert_eq!(names.len(), 4);
        assert_eq!(*seen.get_or_insert_with(|| names.clone()), names, "{k}");
    }
}

#[test]
fn a_hull_of_a_box_touches_like_the_box() {
    let corners = |half: DVec3| {
        let sign = |k: usize, bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        (0..8).map(|k| half * dvec3(sign(k, 0), sign(k, 1), sign(k, 2))).collect()
    };
    let half = dvec3(0.5, 0.7, 0.5);
    let hull = Collider::new(Shape::Convex { points: corners(half) });
    for lift in [-1e-3, -1e-9, 0.0, 1e-12, 1e-9, 1e-3] {
        let turn = windlass_engine::math::turn(DVec3::Z, 0.2);
        let at = dvec3(0.1, 0.2, 1.5 + lift);
        for ground in
            [cuboid(DVec3::splat(1.0)), Collider::new(Shape::Convex { points: corners(DVec3::ONE) })]
        {
            let (a, b) = (
                contacts(ground, hull.clone(), at, turn),
                contacts(cuboid(DVec3::ONE), cuboid(half), at, turn),
            );
            assert_eq!(a.len(), b.len(), "{lift} {a:#?}");
            for c in &a {
                assert!(
                    b.iter().any(|d| (c.point - d.point).length() < 1e-12 && (c.gap - d.gap).abs() < 1e-12)
                );
            }
        }
    }
}
