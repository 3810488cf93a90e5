//! Contacts under the adaptive stepper, by AERO's methods: collision by springs and by serial impulses, penalty forces,
//! friction, random gravity; with the scenes of its Figs. 19, 23, 29 and 30.

use glam::{DQuat, DVec3};
use windlass_engine::math;
use windlass_engine::prelude::*;

const G: f64 = 9.81;
const BOTH: [Collision; 2] = [Collision::Impulse, Collision::Spring];

fn world(collision: Collision, touch: Touch) -> World {
    let mut world = World::default();
    world
        .set(|s| {
            s.stepper = Stepper::DormandPrince(Adaptive { tolerance: 1e-7, ..Adaptive::default() });
            s.contact.aero.collision = collision;
        })
        .unwrap();
    let mut surfaces = Surfaces::default();
    surfaces.set(0, 0, touch);
    world.edit(Edit::SetSurfaces(Box::new(surfaces))).unwrap();
    world
}

/// A floor that leans by an angle about y.
fn floor(world: &mut World, lean: f64) -> BodyId {
    let ground = Body::fixed("floor").touchable(Collider::of(Geometry::HalfSpace));
    world.add_body(ground, DVec3::ZERO, math::turn(DVec3::Y, lean)).unwrap()
}

fn add(world: &mut World, name: &str, shape: Shape, mass: f64, at: DVec3) -> BodyId {
    let body = Body::free(name, Mass::of_total(&shape, mass).unwrap()).touchable(Collider::new(shape));
    world.add_body(body, at, DQuat::IDENTITY).unwrap()
}

fn ball(world: &mut World, name: &str, radius: f64, at: DVec3) -> BodyId {
    add(world, name, Shape::Sphere { radius }, 1.0, at)
}

fn at(world: &World, body: BodyId) -> BodyState {
    world.state().bodies[body.index()]
}

fn step(world: &mut World) -> Report {
    let report = world.step();
    assert!(report.fault.is_none(), "{:?}", report.fault);
    report
}

fn run(world: &mut World, seconds: f64) {
    let steps = (seconds / world.model().settings().dt).round() as usize;
    (0..steps).for_each(|_| drop(step(world)));
}

/// Fig. 19: a sphere of 5 cm falls from 5 cm, and each rebound is ε² as high as the one before.
#[test]
fn a_sphere_rebounds_to_the_square_of_restitution() {
    for (collision, close) in [(Collision::Impulse, 1e-3), (Collision::Spring, 0.03)] {
        let mut world = world(collision, Touch { restitution: 0.81, ..Touch::default() });
        world.set(|s| (s.dt, s.contact.aero.frequency) = (1e-3, 1000.0)).unwrap();
        floor(&mut world, 0.0);
        let ball = ball(&mut world, "ball", 0.05, 0.1 * DVec3::Z);
        let (mut peaks, mut last, mut deepest) = (Vec::new(), at(&world, ball), 0.0f64);
        while peaks.len() < 5 {
            let report = step(&mut world);
            deepest = deepest.max(report.overlap);
            let now = at(&world, ball);
            if last.velocity.z > 0.0 && now.velocity.z <= 0.0 {
                // the apex lies v/g after the last frame
                let rise = 0.5 * last.velocity.z * last.velocity.z / G;
                peaks.push(last.position.z - 0.05 + rise);
            }
            last = now;
            assert!(world.state().time < 2.0, "{collision:?}: {peaks:?}");
        }
        println!("{collision:?}: peaks {peaks:?}, deepest {deepest:e}");
        for (k, peak) in peaks.iter().enumerate() {
            let wanted = 0.05 * 0.81f64.powi(2 * (k as i32 + 1));
            assert!((peak / wanted - 1.0).abs() < close, "{collision:?}: {k}: {peak} for {wanted}");
        }
    }
}

/// Fig. 23: an iron sphere settles in the plane; penalty forces do it at once, springs swing for long.
#[test]
fn a_sphere_settles_and_then_stands_still() {
    let mut settled = Vec::new();
    for collision in BOTH {
        let mut world = world(collision, Touch { restitution: 0.8, ..Touch::default() });
        world.set(|s| s.dt = 1e-3).unwrap();
        floor(&mut world, 0.0);
        let ball = add(&mut world, "iron", Shape::Sphere { radius: 0.1 }, 32.9, 0.1 * DVec3::Z);
        let rest = |z: f64| (z - 0.1).abs();
        let mut path = Vec::new();
        for _ in 0..1500 {
            step(&mut world);
            path.push(at(&world, ball).position.z);
        }
        let end = *path.last().unwrap();
        // within a tenth of how far it sinks
        let moving = path.iter().rposition(|z| (z - end).abs() > 0.1 * rest(end)).unwrap_or(0);
        println!("{collision:?}: sinks {:e} m, settles in {moving} ms", rest(end));
        settled.push(moving);
        assert!(rest(end) < 5e-5, "{collision:?} sinks {}", rest(end));
        assert!(at(&world, ball).velocity.length() < 1e-6, "{collision:?}");
        let load = world.contact_load(ball).force;
        assert!((load - DVec3::Z * (32.9 * G)).length() < 0.05, "{collision:?}: {load}");
        let from = at(&world, ball).position;
        run(&mut world, 1.0);
        assert!((at(&world, ball).position - from).length() < 1e-7, "{collision:?}: it creeps");
    }
    assert!(settled[0] < 30 && settled[0] < settled[1], "{settled:?}");
}
