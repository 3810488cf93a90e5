//! Questions to a world against their closed forms.

use crate::collide_kit;

use collide_kit::*;
use glam::{DQuat, DVec3, dvec3};
use windlass_engine::body::collider::ColliderRef;
use windlass_engine::prelude::*;

fn part(body: u32) -> ColliderRef {
    ColliderRef { body, collider: 0 }
}

fn still() -> DQuat {
    DQuat::IDENTITY
}

/// A ball, a box and a drum in a row over the ground.
fn row() -> World {
    let mut drum = Collider::new(Shape::Cylinder { radius: 0.5, half_length: 1.0 });
    drum.groups = 2;
    bodies(&[
        (Collider::new(Shape::Sphere { radius: 0.5 }), dvec3(0.0, 0.0, 2.0), still()),
        (Collider::new(Shape::Box { half: DVec3::splat(0.5) }), dvec3(3.0, 0.0, 2.0), still()),
        (drum, dvec3(6.0, 0.0, 2.0), still()),
        (Collider::of(Geometry::HalfSpace), DVec3::ZERO, still()),
    ])
}

#[test]
fn rays_meet_what_stands_in_their_way() {
    let world = row();
    let all = world.cast_ray_all(dvec3(-2.0, 0.1, 2.2), DVec3::X * 3.0, 20.0, u32::MAX);
    let parts: Vec<u32> = all.iter().map(|h| h.part.body).collect();
    assert_eq!(parts, [0, 1, 2]);
    let x = (0.25 - 0.01 - 0.04f64).sqrt();
    let wanted = [2.0 - x, 4.5, 8.0 - 0.24f64.sqrt()];
    for (hit, distance) in all.iter().zip(wanted) {
        assert!((hit.distance - distance).abs() < 1e-8, "{hit:?} {distance}");
        assert_eq!(world.model().bodies().id(hit.part.body as usize), Some(hit.body));
    }
    assert!((all[0].normal - dvec3(-x, 0.1, 0.2) / 0.5).length() < 1e-12);
    assert!((all[1].normal + DVec3::X).length() < 1e-12);
    assert!((all[2].normal - dvec3(-0.24f64.sqrt(), 0.1, 0.0) / 0.5).length() < 1e-3);
    assert_eq!(world.cast_ray(dvec3(-2.0, 0.1, 2.2), DVec3::X, 20.0, 2).unwrap().part, part(2));
    assert_eq!(world.cast_ray(dvec3(-2.0, 0.1, 2.2), DVec3::X, 1.0, u32::MAX), None);
    let down = world.cast_ray(dvec3(1.5, 0.0, 3.0), dvec3(0.6, 0.0, -0.8), 20.0, 1).unwrap();
    assert!(
        down.part == part(1) || (down.part == part(3) && (down.distance - 3.75).abs() < 1e-9),
        "{down:?}"
    );
    // from inside, at once
    let inside = world.cast_ray(dvec3(0.1, 0.0, 2.0), DVec3::X, 20.0, u32::MAX).unwrap();
    assert!(inside.part == part(0) && inside.distance == 0.0);
    assert_eq!(world.cast_ray(DVec3::ZERO, DVec3::ZERO, 1.0, u32::MAX), None);
}

#[test]
fn rays_meet_triangles_and_heights() {
    for ground in [hill(33), hill_surface(33)] {
        let world = bodies(&[(Collider::of(ground), dvec3(0.0, 0.0, 1.0), still())]);
        let mut dice = Dice::new(21);
        for _ in 0..50 {
            let at = dvec3(1.9 * dice.number(), 1.9 * dice.number(), 3.0);
            let hit = world.cast_ray(at, -DVec3::Z, 10.0, u32::MAX).unwrap();
            let height = 1.0 + 0.3 * libm::sin(1.3 * at.x) * libm::cos(0.9 * at.y);
            // cells of 12.5 cm on a hill with curvature 0.5 /m: 1 mm
            assert!((hit.point.z - height).abs() < 2e-3 && hit.normal.z > 0.8, "{hit:?} {height}");
        }
    }
}

#[test]
fn moved_shapes_stop_at_what_they_meet() {
    let world = row();
    let ball = Shape::Sphere { radius: 0.25 };
    let hit = world.cast_shape(&ball, dvec3(-2.0, 0.0, 2.0), still(), DVec3::X * 4.0, u32::MAX).unwrap();
    assert!(hit.part == part(0) && (hit.fraction - 1.25 / 4.0).abs() < 1e-9);
    assert!((hit.normal + DVec3::X).length() < 1e-9 && (hit.point - dvec3(-0.5, 0.0, 2.0)).length() < 1e-8);
    let crate_ = Shape::Box { half: DVec3::splat(0.25) };
    let hit = world.cast_shape(&crate_, dvec3(3.2, 0.1, 5.0), still(), DVec3::Z * -6.0, u32::MAX).unwrap();
    assert!(hit.part == part(1) && (hit.fraction - 2.25 / 6.0).abs() < 1e-9);
    let hit = world.cast_shape(&crate_, dvec3(1.5, 0.1, 5.0), still(), DVec3::Z * -6.0, u32::MAX).unwrap();
    assert!(hit.part == part(3) && (hit.fraction - 4.75 / 6.0).abs() < 1e-9);
    assert_eq!(world.cast_shape(&crate_, dvec3(1.5, 0.1, 5.0), still(), DVec3::Z * -4.0, u32::MAX), None);
    // past the ball by a hair
    let past = dvec3(-2.0, 0.7501, 2.0);
    assert_eq!(world.cast_shape(&ball, past, still(), DVec3::X * 4.0, u32::MAX), None);
}

#[test]
fn overlaps_and_nearest_points() {
    let world = row();
    let rod = Shape::Capsule { radius: 0.1, half_length: 3.0 };
    let along = windlass_engine::math::turn(DVec3::Y, std::f64::consts::FRAC_PI_2);
    assert_eq!(world.overlaps(&rod, dvec3(3.0, 0.0, 2.0), along, u32::MAX), [part(0), part(1), part(2)]);
    assert_eq!(world.overlaps(&rod, dvec3(3.0, 0.0, 2.0), along, 1), [part(0), part(1)]);
    assert_eq!(world.overlaps(&rod, dvec3(3.0, 0.0, 0.05), along, u32::MAX), [part(3)]);
    let near = world.closest_point(dvec3(1.5, 0.3, 2.1), 5.0, u32::MAX).unwrap();
    assert!(near.part == part(1) && (near.point - dvec3(2.5, 0.3, 2.1)).length() < 1e-12);
    assert!((near.distance - 1.0).abs() < 1e-12);
    let near = world.closest_point(dvec3(0.0, 0.0, 2.2), 5.0, 1).unwrap();
    assert!(near.part == part(0) && (near.distance + 0.3).abs() < 1e-12);
    assert_eq!(world.closest_point(dvec3(0.0, 0.0, 90.0), 5.0, u32::MAX), None);
}
