//! Ground made of triangles: its inner edges are not felt, and few points carry a body.

use crate::collide_kit;

use collide_kit::*;
use glam::{DQuat, DVec3, dvec3};
use windlass_engine::contact::Contact;
use windlass_engine::prelude::*;

/// Flat ground of n × n corners over 4 m × 4 m, as heights and as triangles.
fn flat(n: usize) -> [Geometry; 2] {
    let s = 4.0 / (n as f64 - 1.0);
    let heights = vec![0.0; n * n];
    let surface = grid_surface(&heights, n, s);
    [Geometry::HeightField { heights, columns: n, spacing: [s, s] }, surface]
}

fn on(ground: &Geometry, c: &Collider, at: DVec3, turn: DQuat) -> Vec<Contact> {
    between((Collider::of(ground.clone()), DVec3::ZERO, DQuat::IDENTITY), (c.clone(), at, turn))
}

#[test]
fn a_sliding_body_feels_a_plane_and_not_its_triangles() {
    let crate_ = Collider::new(Shape::Box { half: dvec3(0.31, 0.23, 0.2) });
    let ball = Collider::new(Shape::Sphere { radius: 0.2 });
    let pill = Collider::new(Shape::Capsule { radius: 0.2, half_length: 0.3 });
    let drum = Collider::new(Shape::Cylinder { radius: 0.25, half_length: 0.2 });
    let hull = Collider::new(Shape::Convex { points: box_mesh(dvec3(0.3, 0.2, 0.2), DVec3::ZERO).0 });
    let lying = windlass_engine::math::turn(DVec3::X, std::f64::consts::FRAC_PI_2);
    for ground in flat(9).iter().chain(&flat(33)) {
        for k in 0..60 {
            let along = dvec3(-1.0 + 0.033 * f64::from(k), -0.5 + 0.0171 * f64::from(k), 0.2 - 1e-4);
            let turn = windlass_engine::math::turn(DVec3::Z, 0.05 * f64::from(k));
            let cases = [
                (&crate_, turn, 4),
                (&ball, turn, 1),
                (&pill, turn * lying, 2),
                (&drum, turn, 0),
                (&hull, turn, 4),
            ];
            for (c, turn, count) in cases {
                let list = on(ground, c, along, turn);
                assert!(list.iter().all(|c| (c.normal - DVec3::Z).length() < 1e-9), "{k} {c:?} {list:#?}");
                assert!(list.iter().all(|c| (c.gap + 1e-4).abs() < 1e-12), "{k} {c:?} {list:#?}");
                // a rim is cut by many triangles; of its corners eight stay
                let many = count == 0 && (4..=8).contains(&list.len());
                assert!(list.len() == count || many, "{k} {c:?} {list:#?}");
            }
        }
    }
}

#[test]
fn the_corners_of_a_box_carry_it_on_fine_ground() {
    for ground in flat(101) {
        let list = on(
            &ground,
            &Collider::new(Shape::Box { half: dvec3(0.5, 0.4, 0.2) }),
            dvec3(0.01, 0.02, 0.199),
            DQuat::IDENTITY,
        );
        assert_eq!(list.len(), 4);
        for (x, y) in [(-0.49, -0.38), (0.51, -0.38), (0.51, 0.42), (-0.49, 0.42)] {
            assert!(
                list.iter().any(|c| (c.point.truncate() - glam::dvec2(x, y)).length() < 1e-9),
                "{list:#?}"
            );
        }
    }
}

#[test]
fn a_ball_over_a_ridge_leans_with_it_and_a_valley_holds_it_twice() {
    for (fold, count) in [(-1.0, 1), (1.0, 2)] {
        let heights: Vec<f64> = (0..9).map(|k| fold * f64::from((k % 3_i32 - 1).abs()) * 0.5).collect();
        let field = Geometry::HeightField { heights: heights.clone(), columns: 3, spacing: [1.0, 1.0] };
        for ground in [field, grid_surface(&heights, 3, 1.0)] {
            // slopes of 1 : 2
            let height = if count == 1 { 0.3 } else { 0.3 * 1.25f64.sqrt() };
            let list = on(
                &ground,
                &Collider::new(Shape::Sphere { radius: 0.3 }),
                dvec3(0.0, 0.2, height),
                DQuat::IDENTITY,
            );
            assert_eq!(list.len(), count, "{list:#?}");
            assert!(list.iter().all(|c| c.gap.abs() < 1e-12));
            let mean = list.iter().fold(DVec3::ZERO, |s, c| s + c.normal) / count as f64;
            assert!((mean.normalize() - DVec3::Z).length() < 1e-12, "{list:#?}");
        }
    }
}

#[test]
fn a_surface_is_not_felt_from_behind_and_ground_is_solid_below() {
    let [field, surface] = flat(9);
    let ball = Collider::new(Shape::Sphere { radius: 0.2 });
    assert!(on(&surface, &ball, dvec3(0.1, 0.2, -0.199), DQuat::IDENTITY).is_empty());
    let list = on(&field, &ball, dvec3(0.1, 0.2, -1.0), DQuat::IDENTITY);
    assert!((least(&list).unwrap() + 1.2).abs() < 1e-9);
    // a plate of two millimetres: what lies on it does not feel its lower side
    let (vertices, triangles) = box_mesh(dvec3(1.0, 1.0, 0.001), DVec3::ZERO);
    let plate = Geometry::Solid(Shape::Mesh { vertices, triangles });
    let list = on(&plate, &ball, dvec3(0.1, 0.2, 0.2005), DQuat::IDENTITY);
    assert_eq!(list.len(), 1);
    assert!((list[0].normal - DVec3::Z).length() < 1e-12 && (list[0].gap + 0.0005).abs() < 1e-12);
}
