//! A warm step of fixed topology allocates nothing, whatever its joints do.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::counting::allocated;
use windlass_engine::body::Damping;
use windlass_engine::joint::spring_curve::{CurvedSpring, ForceCurve, Jenkins};
use windlass_engine::prelude::*;

/// Links on hinges with motors, limits, friction and springs, closed to a loop by a soft rod, one body driven.
fn machine() -> World {
    let mut world = World::default();
    let at = |x: f64| DVec3::new(x, 0.0, 0.0);
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let path = Path {
        position: [
            Motion::Constant(6.5),
            Motion::Constant(0.0),
            Motion::Sine { mean: 0.0, amplitude: 0.1, frequency: 1.0, phase: 0.0 },
        ],
        rotations: Vec::new(),
        orientation: DQuat::IDENTITY,
    };
    let shaker = world.add_body(Body::kinematic("shaker", path), at(6.5), DQuat::IDENTITY).unwrap();
    let mass = Mass::of_total(&Shape::Box { half: DVec3::new(0.5, 0.1, 0.1) }, 1.0).unwrap();
    let (mut last, mut end) = (ground, DVec3::ZERO);
    for i in 0..6 {
        let damping = Damping { linear: 0.1, angular: 0.2 };
        let body = Body { damping, ..Body::dynamic("link", mass) };
        let link = world.add_body(body, at(i as f64 + 0.5), DQuat::IDENTITY).unwrap();
        let turn = windlass_engine::math::facing(DVec3::Y);
        let axis = Axis {
            drive: if i == 2 { Drive::motor(1.0, 5.0) } else { Drive::Free },
            limits: Some(Limits { restitution: 0.3, ..Limits::hard(-0.5, 0.5) }),
            friction: 0.2,
            viscosity: 0.1,
            spring: Some((Spring::new(20.0, 0.5), 0.0)),
            curve: Some(Box::new(CurvedSpring {
                force: ForceCurve::Polynomial([1.0, 2.0, 3.0]),
                damping: 0.1,
                quadratic_damping: 0.2,
                damper: None,
                rest: 0.1,
                hysteresis: vec![Jenkins { stiffness: 5.0, force: 0.1 }],
            })),
        };
        let anchors = [Anchor::frame(last, end, turn), Anchor::frame(link, at(-0.5), turn)];
        world.add_joint(Joint::new("hinge", Hinge { anchors, axis })).unwrap();
        (last, end) = (link, at(0.5));
    }
    let rod =
        Distance::spring([Anchor::point(last, end), Anchor::point(shaker, DVec3::ZERO)], 1e4, 10.0, 0.5);
    world.add_joint(Joint::new("rod", rod)).unwrap();
    world.add_force(Force::Drag(Drag { body: last, factor: 0.5, area: 0.1, density: None })).unwrap();
    world
}

#[test]
fn a_warm_step_does_not_allocate() {
    let adaptive = Integrator::DormandPrince(Adaptive { tolerance: 1e-4, min_step: 1e-3, max_step: 0.02 });
    for (stepper, rounds) in
        [(Integrator::Spook, 0), (Integrator::Spook, 8), (Integrator::Projected, 0), (adaptive, 0)]
    {
        let mut world = machine();
        world.set(|s| (s.integrator, s.position_iterations) = (stepper, Some(rounds))).unwrap();
        let mut factors = 0;
        for _ in 0..50 {
            world.step();
        }
        let before = allocated();
        for _ in 0..200 {
            factors = factors.max(world.step().factors);
        }
        let count = allocated() - before;
        assert!(factors > 1, "the machine should make the active set move");
        assert_eq!(count, 0, "{count} allocations in 200 steps of {stepper:?}, {rounds} rounds");
    }
}

/// A box that lies, and a ball that goes on bouncing, under the adaptive stepper.
#[test]
fn a_warm_step_with_contacts_does_not_allocate() {
    let mut world = World::default();
    let mut surfaces = Surfaces::default();
    surfaces.set(0, 0, ContactParameters { restitution: 1.0, ..ContactParameters::default() });
    world.edit(Edit::SetSurfaces(Box::new(surfaces))).unwrap();
    let rule = Adaptive { tolerance: 1e-5, ..Adaptive::default() };
    world.set(|s| s.integrator = Integrator::DormandPrince(rule)).unwrap();
    let ground = Body::fixed("ground").with_collider(Collider::of(Geometry::HalfSpace));
    world.add_body(ground, DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let shapes = [Shape::Box { half: DVec3::splat(0.1) }, Shape::Sphere { radius: 0.1 }];
    for (shape, at) in shapes.into_iter().zip([0.1 * DVec3::Z, DVec3::new(1.0, 0.0, 0.3)]) {
        let mass = Mass::of_total(&shape, 1.0).unwrap();
        let body = Body::dynamic("body", mass).with_collider(Collider::new(shape));
        world.add_body(body, at, DQuat::IDENTITY).unwrap();
    }
    (0..100).for_each(|_| drop(world.step()));
    let before = allocated();
    let mut bounces = 0;
    for _ in 0..100 {
        world.step();
        bounces += world.events().iter().filter(|e| e.phase == Phase::Begin).count();
    }
    let count = allocated() - before;
    assert!(bounces > 2, "the ball should go on bouncing");
    assert_eq!(count, 0, "{count} allocations in 100 steps");
}

/// A stack, solved directly and by sweeps.
#[test]
fn a_warm_stack_does_not_allocate() {
    for solver in [Solver::Direct, Solver::Iterative] {
        let mut world = World::default();
        world.set(|s| s.contact.solver = solver).unwrap();
        let ground = Body::fixed("ground").with_collider(Collider::of(Geometry::HalfSpace));
        world.add_body(ground, DVec3::ZERO, DQuat::IDENTITY).unwrap();
        for k in 0..5 {
            let shape = Shape::Box { half: DVec3::splat(0.1) };
            let mass = Mass::of_total(&shape, 1.0).unwrap();
            let body = Body::dynamic("box", mass).with_collider(Collider::new(shape));
            let at = DVec3::new(0.01 * f64::from(k), 0.0, 0.1 + 0.2 * f64::from(k));
            world.add_body(body, at, DQuat::IDENTITY).unwrap();
        }
        // sweeps shake it a little at first, and points come and go
        (0..400).for_each(|_| drop(world.step()));
        let before = allocated();
        let mut points = 0;
        for _ in 0..100 {
            points = world.step().contacts;
        }
        let count = allocated() - before;
        assert_eq!(points, 20);
        assert_eq!(count, 0, "{count} allocations in 100 steps, {solver:?}");
    }
}

#[test]
fn a_warm_step_with_a_cable_does_not_allocate() {
    let mut world = World::default();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let end = DVec3::new(1.0, 0.0, -3.0);
    let ball = Mass::of_total(&Shape::Sphere { radius: 0.1 }, 1e4).unwrap();
    let load = world.add_body(Body::dynamic("load", ball), end, DQuat::IDENTITY).unwrap();
    let ends = [ground, load].map(|b| End::Fast(Anchor::point(b, DVec3::ZERO)));
    let steel = SectionMaterial { young: 1e11, poisson: 0.3, density: 7850.0 };
    let yielding = Some(Yield { moment: 10.0, hardening: 0.0 });
    let section = Section { yielding, ..Section::round(0.02, steel) };
    let rope = CableSpec::new("rope", section, [DVec3::ZERO, end]);
    world.add_cable(CableSpec { ends, surface: Some(0), ..rope }).unwrap();
    // a whole swing: the tree of bounds finds its size
    (0..240).for_each(|_| drop(world.step()));
    let before = allocated();
    for _ in 0..100 {
        assert!(world.step().fault.is_none());
    }
    let count = allocated() - before;
    assert_eq!(count, 0, "{count} allocations in 100 steps");
}
