//! What acts along a coordinate, against closed forms: servo, limits with rebound and give, dry and viscous
//! friction, slip. In the velocity-level and the acceleration-level stepper alike.

use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;

const STEPPERS: [Integrator; 2] = [Integrator::Spook, Integrator::Projected];

/// 2 kg on a slider along x, no gravity, 1 ms.
fn slider(stepper: Integrator, axis: Axis, speed: f64) -> (World, BodyId, JointId) {
    let mut world = World::default();
    world.set(|s| (s.gravity, s.dt, s.integrator) = (DVec3::ZERO, 1e-3, stepper)).unwrap();
    let mass = Mass::of_total(&Shape::Sphere { radius: 0.1 }, 2.0).unwrap();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let block = world.add_body(Body::dynamic("block", mass), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let turn = windlass_engine::math::facing(DVec3::X);
    let anchors = [ground, block].map(|b| Anchor::frame(b, DVec3::ZERO, turn));
    let joint = world.add_joint(Joint::new("slider", Slider { anchors, axis })).unwrap();
    world.set_velocity(block, DVec3::X * speed, DVec3::ZERO).unwrap();
    (world, block, joint)
}

fn run(world: &mut World, seconds: f64) {
    for _ in 0..(seconds / 1e-3_f64).round() as usize {
        let report = world.step();
        assert!(report.fault.is_none() && report.stalled == 0, "{report:?}");
    }
}

fn place(world: &World, body: BodyId) -> (f64, f64) {
    let b = &world.state().bodies[body.index()];
    (b.position.x, b.velocity.x)
}

#[test]
fn a_servo_goes_where_it_is_told_within_its_force() {
    for stepper in STEPPERS {
        let spring = Spring::new(800.0, 80.0);
        let axis = Axis::driven(Drive::Position { target: 0.5, spring, force: 4.0 });
        let (mut world, block, joint) = slider(stepper, axis, 0.0);
        // 400 N wanted, 4 N given: a = 2 m/s² at first
        run(&mut world, 0.2);
        assert!((place(&world, block).0 - 0.04).abs() < 1e-9, "{stepper:?}: {:?}", place(&world, block));
        let effort = world.inspect().coordinate(joint, 0).unwrap().effort;
        assert!((effort - 4.0).abs() < 1e-9, "{stepper:?}: {effort}");
        run(&mut world, 3.0);
        assert!((place(&world, block).0 - 0.5).abs() < 1e-3, "{stepper:?}: {:?}", place(&world, block));
    }
}

#[test]
fn a_stop_gives_back_its_share_of_the_speed() {
    for stepper in STEPPERS {
        for restitution in [0.0, 0.4, 1.0] {
            let limits = Limits { restitution, ..Limits::hard(-0.1005, 0.3) };
            let (mut world, block, _) = slider(stepper, Axis::limited(limits), -1.0);
            run(&mut world, 0.15);
            let (x, v) = place(&world, block);
            assert!((v - restitution).abs() < 1e-6, "{stepper:?}, {restitution}: {v}");
            let expected = -0.1005 + restitution * (0.15 - 0.1005);
            assert!((x - expected).abs() < 1.1e-3, "{stepper:?}, {restitution}: {x} {expected}");
            // and at the upper stop
            let limits = Limits { restitution, ..Limits::hard(-0.3, 0.1005) };
            let (mut world, block, _) = slider(stepper, Axis::limited(limits), 1.0);
            run(&mut world, 0.15);
            assert!((place(&world, block).1 + restitution).abs() < 1e-6, "{stepper:?}, {restitution}");
        }
    }
}

#[test]
fn a_soft_stop_gives_by_force_over_stiffness() {
    for stepper in STEPPERS {
        let limits = Limits { spring: Some(Spring::new(1e4, 300.0)), ..Limits::hard(-1.0, 0.1) };
        let axis = Axis { limits: Some(limits), drive: Drive::motor(1.0, 50.0), ..Axis::default() };
        let (mut world, block, _) = slider(stepper, axis, 0.0);
        run(&mut world, 2.0);
        let (x, v) = place(&world, block);
        assert!((x - (0.1 + 50.0 / 1e4)).abs() < 1e-6 && v.abs() < 1e-6, "{stepper:?}: {x} {v}");
    }
}

/// 3 N of dry friction: holds against 2.9 N without creeping, lets 3.1 N through with a = 0.05 m/s².
#[test]
fn dry_friction_holds_and_brakes() {
    for stepper in STEPPERS {
        for (force, a) in [(2.9, 0.0), (3.1, 0.05)] {
            let (mut world, block, _) = slider(stepper, Axis { friction: 3.0, ..Axis::default() }, 0.0);
            let push = Applied::force(Anchor::point(block, DVec3::ZERO), Direction::World(DVec3::X * force));
            world.add_force(Force::Applied(push)).unwrap();
            run(&mut world, 1.0);
            let x = place(&world, block).0;
            assert!((x - 0.5 * a).abs() < 1e-7, "{stepper:?}, {force} N: {x}");
        }
        // 2 kg at 1.5 m/s stop after v²/2a = 0.75 m, in a second, and stay
        let (mut world, block, _) = slider(stepper, Axis { friction: 3.0, ..Axis::default() }, 1.5);
        run(&mut world, 1.5);
        let (x, v) = place(&world, block);
        assert!((x - 0.75).abs() < 1e-3 && v.abs() < 1e-7, "{stepper:?}: {x} {v}");
    }
}

/// m v̇ = −c v: v falls as e^(−ct/m).
#[test]
fn viscous_friction_and_slip_decay_as_they_should() {
    for stepper in STEPPERS {
        let (mut world, block, _) = slider(stepper, Axis { viscosity: 4.0, ..Axis::default() }, 1.0);
        run(&mut world, 1.0);
        let x = place(&world, block).0;
        let exact = 0.5 * (1.0 - libm::exp(-2.0));
        assert!((x - exact).abs() < 1e-3, "{stepper:?}: {x} {exact}");

        // a motor that slips 0.1 (m/s)/N against 5 N runs 0.5 m/s slow
        let axis = Axis::driven(Drive::Speed { speed: 2.0, force: 1e3, droop: 0.1, brake: None });
        let (mut world, block, joint) = slider(stepper, axis, 0.0);
        let load = Applied::force(Anchor::point(block, DVec3::ZERO), Direction::World(DVec3::X * -5.0));
        world.add_force(Force::Applied(load)).unwrap();
        run(&mut world, 3.0);
        let seen = world.inspect().coordinate(joint, 0).unwrap();
        assert!((seen.speed - 1.5).abs() < 1e-6 && (seen.effort - 5.0).abs() < 1e-5, "{stepper:?}: {seen:?}");
    }
}

/// A winch that goes on paying out at the end of its travel: the stop bears the load and what the motor pushes, and both together are
/// the weight.
#[test]
fn what_acts_along_a_coordinate_adds_up_at_a_stop() {
    let mut world = World::default();
    let mass = Mass::of_total(&Shape::Sphere { radius: 0.1 }, 2.0).unwrap();
    let hook = world.add_body(Body::fixed("hook"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let load = world.add_body(Body::dynamic("load", mass), -3.0 * DVec3::Z, DQuat::IDENTITY).unwrap();
    let axis = Axis { limits: Some(Limits::hard(1.0, 3.5)), ..Axis::driven(Drive::motor(1.0, 60.0)) };
    let anchors = [hook, load].map(|body| Anchor::point(body, DVec3::ZERO));
    let rope = world.add_joint(Joint::new("rope", Distance { anchors, axis: axis.clone() })).unwrap();
    for _ in 0..120 {
        assert!(world.step().fault.is_none());
    }
    let forces = &world.state().joints[rope.index()].forces;
    assert_eq!(forces.len(), 3, "motor and two stops");
    assert!((forces[0] - 60.0).abs() < 1e-9 && forces[2] > 60.0, "{forces:?}");
    let weight = 2.0 * world.model().settings().gravity.z;
    assert!((axis.effort(forces) - weight).abs() < 1e-6, "{} {weight}", axis.effort(forces));
}
