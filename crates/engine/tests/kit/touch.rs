//! What the cases of contact share: a floor of one surface, bodies with their shapes, runs that must be solved.

use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;

/// A world at a step in which all that touches touches alike.
pub fn empty(dt: f64, touch: ContactParameters) -> World {
    let mut world = World::default();
    world.set(|s| s.dt = dt).unwrap();
    let mut surfaces = Surfaces::default();
    surfaces.set(0, 0, touch);
    world.edit(Edit::SetSurfaces(Box::new(surfaces))).unwrap();
    world
}

/// The same with a floor at z = 0.
pub fn floor(dt: f64, touch: ContactParameters) -> (World, BodyId) {
    let mut world = empty(dt, touch);
    let ground = Body::fixed("floor").with_collider(Collider::of(Geometry::HalfSpace));
    let id = world.add_body(ground, DVec3::ZERO, DQuat::IDENTITY).unwrap();
    (world, id)
}

/// A free body with its shape, along the world's axes.
pub fn add(world: &mut World, name: &str, shape: Shape, mass: f64, at: DVec3) -> BodyId {
    add_turned(world, name, shape, mass, at, DQuat::IDENTITY)
}

/// A free body with its shape and an orientation.
pub fn add_turned(world: &mut World, name: &str, shape: Shape, mass: f64, at: DVec3, turn: DQuat) -> BodyId {
    let body = Body::dynamic(name, Mass::of_total(&shape, mass).unwrap()).with_collider(Collider::new(shape));
    world.add_body(body, at, turn).unwrap()
}

/// A box of half these lengths.
pub fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Box { half: DVec3::new(x, y, z) }
}

/// Where a body's centre is.
pub fn center(world: &World, body: BodyId) -> DVec3 {
    world.state().bodies[body.index()].position
}

/// A body's velocity.
pub fn speed(world: &World, body: BodyId) -> DVec3 {
    world.state().bodies[body.index()].velocity
}

/// The largest velocity or spin.
pub fn fastest(world: &World) -> f64 {
    world
        .state()
        .bodies
        .iter()
        .map(|b| b.velocity.length().max(b.angular_velocity.length()))
        .fold(0.0, f64::max)
}

/// Runs; every step is solved to the end. Returns the last report.
pub fn run(world: &mut World, seconds: f64) -> Report {
    let steps = (seconds / world.model().settings().dt).round() as usize;
    let mut last = Report::default();
    for _ in 0..steps {
        last = world.step();
        assert!(last.fault.is_none(), "{:?}", last.fault);
        assert!(last.residual < 1e-8, "residual {} at t = {}", last.residual, last.time);
        assert_eq!(last.stalled, 0, "t = {}", last.time);
    }
    last
}
