//! EW18: a bucket on a prescribed path digs, carries and dumps, a hundred times.

use super::*;
use crate::world::{mass, soil, world};
use glam::{DMat3, DQuat};
use windlass_engine::body::motion::{Interpolation, Spline};
use windlass_soil::cutting::Tool;

/// Time of a cycle [s].
const CYCLE: f64 = 3.0;
/// Half width, length and height of the bucket [m].
const BUCKET: [f64; 3] = [0.6, 1.0, 0.8];

/// Digs along x at one of two places, carries and dumps at the other, there and back.
fn path(cycles: usize) -> Path {
    // time; edge from the middle of the place, and above the ground; angle about −y
    let corners = [
        (0.0, -1.1, 0.5, 0.0),
        (0.2, -0.9, -0.3, 0.0),
        (0.9, 0.7, -0.3, 0.0),
        (1.2, 0.9, 0.9, 0.9),
        (2.0, 5.4, 0.9, 0.9),
        (2.4, 5.4, 1.4, -1.6),
        (2.7, 5.4, 1.4, -1.6),
    ];
    let motion = |k: usize| {
        let points = (0..cycles).flat_map(|cycle| {
            let start = cycle as f64 * CYCLE;
            // from −2.5 to 2.5 m and back
            let (middle, sign) = if cycle % 2 == 0 { (-2.5, 1.0) } else { (2.5, -1.0) };
            corners.iter().map(move |(t, x, z, angle)| {
                let x = if *x > 5.0 { middle + sign * *x } else { middle + *x };
                (start + t, [x, *z, *angle][k])
            })
        });
        let (times, values) = points.unzip();
        Motion::Table(Spline::new(times, values, Interpolation::Linear).unwrap())
    };
    let angle = PathRotation { axis: DVec3::NEG_Y, angle: motion(2) };
    Path {
        position: [motion(0), Motion::Constant(0.0), motion(1)],
        rotations: vec![angle],
        orientation: DQuat::IDENTITY,
    }
}

/// Floor, back and sides, from the edge at the origin backwards.
fn plates() -> Vec<Collider> {
    let [half_width, length, height] = BUCKET;
    let thin = 0.02;
    let plate = |half: DVec3, at: DVec3| {
        let collider = Collider::new(Shape::Box { half });
        Collider { mask: 0, ..collider.placed(at, DQuat::IDENTITY) }
    };
    let middle = dvec3(-0.5 * length, 0.0, 0.5 * height);
    let side = dvec3(0.5 * length, thin, 0.5 * height);
    vec![
        plate(dvec3(0.5 * length, half_width, thin), dvec3(middle.x, 0.0, thin)),
        plate(dvec3(thin, half_width, 0.5 * height), dvec3(-length, 0.0, middle.z)),
        plate(side, middle + DVec3::Y * half_width),
        plate(side, middle - DVec3::Y * half_width),
    ]
}

#[test]
fn ew18_no_quantum_is_lost_in_a_hundred_cycles_of_a_bucket() {
    let cycles = 100;
    let (mut world, mut ground) = world(soil(35.0, 0.0, 22.0, 1650.0), [14.0, 6.0], 0.25, STEP);
    (ground.particle, ground.budget) = (0.25, 250);
    let start = dvec3(-3.6, 0.0, 0.5);
    let carrier = Body::kinematic("carrier", path(cycles));
    let carrier = world.add_body(carrier, start, DQuat::IDENTITY).unwrap();
    let mass_of = Mass::new(800.0, DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(300.0)));
    let body = Body { colliders: plates(), ..Body::dynamic("bucket", mass_of) };
    let body = world.add_body(body, start, DQuat::IDENTITY).unwrap();
    let anchors = [Anchor::point(carrier, DVec3::ZERO), Anchor::point(body, DVec3::ZERO)];
    world.add_joint(Joint::new("weld", Weld { anchors })).unwrap();
    // the face of the wedge leans back by 40° before the floor
    let (sin, cos) = libm::sincos(40_f64.to_radians());
    let edge = vec![dvec3(0.0, -BUCKET[0], 0.0), dvec3(0.0, BUCKET[0], 0.0)];
    let tool = Tool { end_plates: Some(0.5), ..Tool::blade(edge, dvec3(-cos, 0.0, sin), 0.8, 0.02) };
    set(&mut world, vec![ground], vec![ToolModel { name: "bucket".into(), body, ground: 0, tool }]);

    let before = mass(&world);
    let (mut lost, mut moved) = (0_i64, 0.0);
    for _ in 0..cycles {
        let mut load = Quanta::ZERO;
        run(&mut world, CYCLE, |world| {
            lost = lost.max((mass(world).0 - before.0).abs());
            let (_, state) = world.subsystem::<Earthworks>().unwrap();
            load = load.max(state.grounds[0].particles.mass());
        });
        moved += load.kilograms();
    }
    assert!(moved > 20e3, "{moved} kg were dug in {cycles} cycles");
    let case = in_world("EW18");
    case.finds("change of mass", lost as f64);
    let read = mass(&world).kilograms() - before.kilograms();
    case.finds("change of the mass that is read, over the mass moved", read / moved);
}
