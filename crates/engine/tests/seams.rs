//! Floors of flush parts: what slides or rolls over their seams moves as on one piece. Steps and ends are still there.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::touch::{add_turned, center, cuboid, empty, speed};
use windlass_engine::prelude::*;

const DT: f64 = 1.0 / 60.0;
/// Half the length of a tile of the floor [m].
const HALF: f64 = 0.5;

/// How a floor along x is made: its top is at z = 0, from −0.5 m to 9.5 m.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Floor {
    One,
    Bodies,
    Parts,
    Driven,
    Compound,
    BoxesAndMeshes,
}

const FLOORS: [Floor; 5] =
    [Floor::Bodies, Floor::Parts, Floor::Driven, Floor::Compound, Floor::BoxesAndMeshes];

fn tile(k: usize) -> DVec3 {
    DVec3::new(2.0 * HALF * k as f64, 0.0, -HALF)
}

fn cube() -> Shape {
    cuboid(HALF, HALF, HALF)
}

/// The top of a tile as an open mesh.
fn top() -> Collider {
    let vertices = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let vertices = vertices.map(|[x, y]| DVec3::new(HALF * x, HALF * y, HALF)).to_vec();
    Collider::of(Geometry::Surface { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] })
}

fn still() -> Path {
    let still = || Motion::Constant(0.0);
    Path { position: [still(), still(), still()], rotations: Vec::new(), orientation: DQuat::IDENTITY }
}

fn lay(world: &mut World, floor: Floor) {
    let mut put = |body: Body, at: DVec3| {
        world.add_body(body, at, DQuat::IDENTITY).unwrap();
    };
    let tiles = |body: Body| {
        (0..10).fold(body, |body, k| body.with_collider(Collider { at: tile(k), ..Collider::new(cube()) }))
    };
    match floor {
        Floor::One => {
            let long = Collider::new(cuboid(10.0 * HALF, HALF, HALF));
            put(Body::fixed("floor").with_collider(long), DVec3::new(9.0 * HALF, 0.0, -HALF));
        }
        Floor::Bodies => {
            (0..10).for_each(|k| put(Body::fixed("tile").with_collider(Collider::new(cube())), tile(k)))
        }
        Floor::Parts => put(tiles(Body::fixed("floor")), DVec3::ZERO),
        Floor::Driven => put(tiles(Body::kinematic("floor", still())), DVec3::ZERO),
        Floor::Compound => {
            let parts = (0..10).map(|k| (tile(k), DQuat::IDENTITY, cube())).collect();
            put(Body::fixed("floor").with_collider(Collider::new(Shape::Compound { parts })), DVec3::ZERO);
        }
        Floor::BoxesAndMeshes => (0..10).for_each(|k| {
            let part = if k % 2 == 0 { Collider::new(cube()) } else { top() };
            put(Body::fixed("tile").with_collider(part), tile(k));
        }),
    }
}

/// What slides: shape, orientation, height of its centre.
fn sliders() -> [(Shape, DQuat, f64); 5] {
    let across = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let along = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    [
        (cuboid(0.1, 0.1, 0.1), DQuat::IDENTITY, 0.1),
        (Shape::Sphere { radius: 0.1 }, DQuat::IDENTITY, 0.1),
        (Shape::Capsule { radius: 0.1, half_length: 0.1 }, across, 0.1),
        (Shape::Capsule { radius: 0.1, half_length: 0.1 }, along, 0.1),
        (Shape::Cylinder { radius: 0.1, half_length: 0.05 }, across, 0.1),
    ]
}

/// Slides or rolls something over a floor for 8 m. Returns its last velocity, and how far its height changed.
fn slide(floor: Floor, slider: &(Shape, DQuat, f64), v: f64, friction: f64) -> (DVec3, f64) {
    let mut world = empty(DT, ContactParameters::rough(friction));
    lay(&mut world, floor);
    let (shape, turn, height) = slider.clone();
    let body = add_turned(&mut world, "slider", shape, 1.0, DVec3::new(-0.2, 0.013, height), turn);
    let spin = if friction > 0.0 { DVec3::Y * (v / height) } else { DVec3::ZERO };
    world.set_velocity(body, DVec3::X * v, spin).unwrap();
    let mut hop = 0.0f64;
    while center(&world, body).x + v * DT < 8.5 {
        assert!(world.state().time < 20.0, "caught on {floor:?}");
        world.step();
        hop = hop.max((center(&world, body).z - height).abs());
    }
    (speed(&world, body), hop)
}

#[test]
fn nothing_catches_on_the_seams_of_flush_tiles() {
    let mut worst = [0.0f64; 2];
    for floor in FLOORS {
        for slider in sliders() {
            for v in [1.0, 5.0, 20.0] {
                let one = slide(Floor::One, &slider, v, 0.0);
                let (velocity, hop) = slide(floor, &slider, v, 0.0);
                let off = (velocity - one.0).length() / v;
                println!("{floor:?} {:?} {v}: {off:.1e} {hop:.1e} one {:.1e}", slider.0, one.1);
                worst = [worst[0].max(off), worst[1].max(hop)];
            }
        }
    }
    println!("velocity off by {:.1e}, hops of {:.1e} m", worst[0], worst[1]);
    assert!(worst[0] < 1e-6, "velocity off by {} of the speed", worst[0]);
    assert!(worst[1] < 1e-5, "hops of {} m", worst[1]);
}

#[test]
fn wheels_roll_over_seams() {
    for slider in [&sliders()[1], &sliders()[2], &sliders()[4]] {
        for v in [1.0, 5.0, 20.0] {
            let one = slide(Floor::One, slider, v, 0.5);
            let (velocity, hop) = slide(Floor::Bodies, slider, v, 0.5);
            let off = (velocity - one.0).length() / v;
            println!("{:?} {v}: {off:.1e} {hop:.1e}", slider.0);
            assert!(off < 1e-6 && hop < 1e-5, "{:?} at {v} m/s: {off}, {hop} m", slider.0);
        }
    }
}

/// A tile that is 1 cm higher is hit. A ball keeps v cos² α, with cos α = (0.1 − 0.01)/0.1 where the edge meets it. A cube tips over the
/// edge: it keeps v m h²/I, with I = m (2a²/3 + a² + h²) about the edge, a = 0.1 m and h = 0.09 m, Gravity takes
/// dt h g a m/I = 0.06 m/s from the cube in the step, and dt g sin α cos α = 0.064 m/s from the ball.
#[test]
fn a_step_is_hit() {
    let [cube_slider, ball, ..] = sliders();
    for v in [1.0, 5.0, 20.0] {
        for (slider, keeps) in [(&cube_slider, 0.0081 / (0.02 / 3.0 + 0.0181)), (&ball, 0.81)] {
            let mut world = empty(DT, ContactParameters::rough(0.0));
            for (k, rise) in [0.0, 0.0, 0.01].into_iter().enumerate() {
                let body = Body::fixed("tile").with_collider(Collider::new(cube()));
                world.add_body(body, tile(k) + DVec3::Z * rise, DQuat::IDENTITY).unwrap();
            }
            // the cube is at the step when a step of time begins
            let at = DVec3::new(1.4 - 4.0 * v * DT, 0.0, slider.2);
            let body = add_turned(&mut world, "slider", slider.0.clone(), 1.0, at, slider.1);
            world.set_velocity(body, DVec3::X * v, DVec3::ZERO).unwrap();
            while speed(&world, body).x > 0.99 * v {
                assert!(center(&world, body).x < 1.7 + v * DT, "passed the step at {v} m/s");
                world.step();
            }
            let after = speed(&world, body);
            let off = (after.x - keeps * v).abs();
            assert!(off < 1e-3 * v + 0.065, "{after} of {v} m/s, not {keeps} of it");
        }
    }
}

/// A wedge whose lowest edge alone touches a wall on a floor of boxes is stopped by the wall.
#[test]
fn a_wall_on_a_floor_stops_what_touches_it_at_its_foot() {
    let mut world = empty(DT, ContactParameters::rough(0.0));
    lay(&mut world, Floor::Bodies);
    let wall = Body::fixed("wall").with_collider(Collider::new(cuboid(0.1, 0.5, 0.5)));
    world.add_body(wall, DVec3::new(2.1, 0.0, 0.5), DQuat::IDENTITY).unwrap();
    let corners = [[0.2, 0.2], [0.2, -0.2], [-0.2, 0.2], [-0.2, -0.2]].map(|[x, y]| DVec3::new(x, y, 0.0));
    let points = corners.into_iter().chain([DVec3::new(0.0, 0.0, 0.2)]).collect();
    let body = add_turned(&mut world, "wedge", Shape::Convex { points }, 1.0, DVec3::X, DQuat::IDENTITY);
    world.set_velocity(body, DVec3::X * 2.0, DVec3::ZERO).unwrap();
    for _ in 0..60 {
        world.step();
        let foot = kit::point(&world, body, DVec3::new(0.2, 0.0, -0.05)).x;
        assert!(foot < 2.0 + 1e-3, "{foot} m");
    }
    assert!(speed(&world, body).x < 0.1);
}

/// The end of the floor is an edge.
#[test]
fn what_leaves_the_floor_falls() {
    for slider in sliders() {
        let mut world = empty(DT, ContactParameters::rough(0.0));
        lay(&mut world, Floor::Bodies);
        let at = DVec3::new(8.0, 0.0, slider.2);
        let body = add_turned(&mut world, "slider", slider.0, 1.0, at, slider.1);
        world.set_velocity(body, DVec3::X * 5.0, DVec3::ZERO).unwrap();
        (0..60).for_each(|_| drop(world.step()));
        assert!(center(&world, body).z < -1.0);
    }
}
