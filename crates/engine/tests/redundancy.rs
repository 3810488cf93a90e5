//! Redundant and contradictory constraints: right motion, right force sums, the joints named, nothing infinite.

use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;

/// A pendulum of two links on hinges; each hinge there `copies` times.
fn pendulum(copies: usize, stepper: Integrator) -> (World, Vec<JointId>) {
    let mut world = World::default();
    world.set(|s| (s.dt, s.integrator) = (1e-3, stepper)).unwrap();
    let turn = windlass_engine::math::facing(DVec3::Y);
    let mass = Mass::of_total(&Shape::Box { half: DVec3::new(0.5, 0.05, 0.05) }, 1.0).unwrap();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let mut last = Anchor::frame(ground, DVec3::ZERO, turn);
    let mut joints = Vec::new();
    for link in 0..2 {
        let at = DVec3::X * (link as f64 + 0.5);
        let body = world.add_body(Body::dynamic("link", mass), at, DQuat::IDENTITY).unwrap();
        for copy in 0..copies {
            let anchors = [last, Anchor::frame(body, -0.5 * DVec3::X, turn)];
            let name = format!("hinge {link}.{copy}");
            joints.push(world.add_joint(Joint::new(name, Hinge { anchors, axis: Axis::free() })).unwrap());
        }
        last = Anchor::frame(body, 0.5 * DVec3::X, turn);
    }
    (world, joints)
}

#[test]
fn doubled_joints_change_neither_motion_nor_the_sum_of_forces() {
    for stepper in [Integrator::Spook, Integrator::Projected] {
        let (mut single, ones) = pendulum(1, stepper);
        let (mut triple, threes) = pendulum(3, stepper);
        for _ in 0..1000 {
            let (a, b) = (single.step(), triple.step());
            assert!(a.fault.is_none() && b.fault.is_none());
            assert_eq!((a.redundant, b.redundant), (0, 20));
        }
        for (a, b) in single.state().bodies.iter().zip(&triple.state().bodies) {
            assert!((a.position - b.position).length() < 1e-6, "{stepper:?}: {} {}", a.position, b.position);
        }
        let force = single.inspect().reaction(ones[0], 0).unwrap().force;
        let inspection = triple.inspect();
        let sum: DVec3 = threes[..3].iter().map(|j| inspection.reaction(*j, 0).unwrap().force).sum();
        assert!((force - sum).length() < 1e-5 * force.length(), "{stepper:?}: {force} {sum}");
        // and they are named
        let named: usize = triple.redundant().iter().map(|(_, rows)| rows).sum();
        assert_eq!(named, 20);
    }
}

/// Two rods of different length between the same points cannot both hold: one does, the other is named, and the
/// pendulum swings on.
#[test]
fn contradiction_is_named_and_survived() {
    for stepper in [Integrator::Spook, Integrator::Projected] {
        let mut world = World::default();
        world.set(|s| s.integrator = stepper).unwrap();
        let mass = Mass::of_total(&Shape::Sphere { radius: 0.1 }, 1.0).unwrap();
        let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let bob = world.add_body(Body::dynamic("bob", mass), DVec3::X, DQuat::IDENTITY).unwrap();
        let anchors = [Anchor::point(ground, DVec3::ZERO), Anchor::point(bob, DVec3::ZERO)];
        world.add_joint(Joint::new("one metre", Distance::rod(anchors, 1.0))).unwrap();
        let two = world.add_joint(Joint::new("two metres", Distance::rod(anchors, 2.0))).unwrap();
        for step in 0..600 {
            let report = world.step();
            assert!(report.fault.is_none() && report.redundant == 1, "{stepper:?}, step {step}: {report:?}");
        }
        assert_eq!(world.redundant(), vec![(two, 1)]);
        let length = world.state().bodies[bob.index()].position.length();
        assert!((length - 1.0).abs() < 0.02, "{stepper:?}: {length}");
    }
}

/// A closed ring of `n` links of 0.5 m in the y–z plane, hinged about x, one link being the ground; all links get a push.
fn ring(n: usize) -> World {
    let mut world = World::default();
    world.set(|s| s.gravity = DVec3::ZERO).unwrap();
    let step = std::f64::consts::TAU / n as f64;
    let radius = 0.25 / libm::sin(0.5 * step);
    let corner = |k: usize| {
        let angle = step * (k as f64 - 0.5);
        radius * DVec3::new(0.0, libm::sin(angle), libm::cos(angle))
    };
    let axis = windlass_engine::math::facing(DVec3::X);
    let mass = Mass::of_total(&Shape::Box { half: DVec3::new(0.05, 0.25, 0.05) }, 1.0).unwrap();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let mut last = Anchor::frame(ground, corner(1), axis);
    for k in 1..n {
        let middle = 0.5 * (corner(k) + corner(k + 1));
        let along = corner(k + 1) - middle;
        let orientation = windlass_engine::math::turn(DVec3::X, libm::atan2(along.z, along.y));
        let body = world.add_body(Body::dynamic("link", mass), middle, orientation).unwrap();
        let push = DVec3::new(0.0, libm::sin(k as f64), libm::cos(1.7 * k as f64));
        world.set_velocity(body, 0.3 * push, 0.3 * libm::sin(2.3 * k as f64) * DVec3::X).unwrap();
        let back = orientation.inverse();
        let end = |side: DVec3| Anchor::frame(body, back * side, back * axis);
        let hinge = Hinge { anchors: [last, end(-along)], axis: Axis::free() };
        world.add_joint(Joint::new(format!("hinge {k}"), hinge)).unwrap();
        last = end(along);
    }
    let anchors = [last, Anchor::frame(ground, corner(n), axis)];
    world.add_joint(Joint::new("last hinge", Hinge { anchors, axis: Axis::free() })).unwrap();
    world
}

/// A plane ring of hinges has three rows too many, whatever its size: the noise of long levers is no mobility.
#[test]
fn redundancy_is_found_in_long_rings() {
    for n in [10, 200, 1000] {
        let mut world = ring(n);
        for step in 0..40 {
            let report = world.step();
            assert!(report.fault.is_none() && report.redundant == 3, "{n} links, step {step}: {report:?}");
        }
        let bodies = &world.state().bodies;
        let off = bodies.iter().map(|b| b.position.x.abs()).fold(0.0, f64::max);
        assert!(off < 1e-10, "{n} links leave their plane by {off} m");
    }
}

/// A door on two hinges with a pendulum on it. Along its axis the hinges share the weight as no rigid door decides, and so do they
/// the moments that both take; the pendulum's pull is known.
#[test]
fn shares_that_rigid_bodies_do_not_decide_are_told() {
    let mut world = World::default();
    let wall = world.add_body(Body::fixed("wall"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let mass = Mass::of_total(&Shape::Box { half: DVec3::new(0.5, 0.05, 1.0) }, 40.0).unwrap();
    let door = world.add_body(Body::dynamic("door", mass), DVec3::X * 0.5, DQuat::IDENTITY).unwrap();
    let ball = Mass::of_total(&Shape::Sphere { radius: 0.1 }, 2.0).unwrap();
    let bob =
        world.add_body(Body::dynamic("bob", ball), DVec3::new(1.0, 0.0, -2.0), DQuat::IDENTITY).unwrap();
    let hinge = |z: f64| {
        let anchors = [Anchor::point(wall, DVec3::Z * z), Anchor::point(door, DVec3::new(-0.5, 0.0, z))];
        Hinge { anchors, axis: Axis::free() }
    };
    let upper = world.add_joint(Joint::new("upper", hinge(0.8))).unwrap();
    let pin = [Anchor::point(door, DVec3::new(0.5, 0.0, -1.0)), Anchor::point(bob, DVec3::Z)];
    world.add_joint(Joint::new("pin", Ball { anchors: pin })).unwrap();
    assert!(world.inspect().indeterminate().is_empty());
    let lower = world.add_joint(Joint::new("lower", hinge(-0.8))).unwrap();
    for stepper in [Integrator::Spook, Integrator::Projected] {
        world.set(|s| s.integrator = stepper).unwrap();
        for _ in 0..10 {
            assert_eq!(world.inspect().indeterminate(), [upper, lower], "{stepper:?}");
            world.step();
        }
    }
}

/// Rows with bounds have a small compliance and are never dropped: two ropes of one length share a load by it, from the step on in
/// which they become taut.
#[test]
fn ropes_are_indeterminate_while_both_are_taut() {
    let mut world = World::default();
    let mass = Mass::of_total(&Shape::Sphere { radius: 0.1 }, 10.0).unwrap();
    let ceiling = world.add_body(Body::fixed("ceiling"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let load = world.add_body(Body::dynamic("load", mass), -DVec3::Z, DQuat::IDENTITY).unwrap();
    let ends = [Anchor::point(ceiling, DVec3::ZERO), Anchor::point(load, DVec3::ZERO)];
    let mut rope = |name: &str, length: f64| {
        world.add_joint(Joint::new(name, Distance::between(ends, 0.0, length))).unwrap()
    };
    let (one, two, _long) = (rope("one", 1.2), rope("two", 1.2), rope("long", 1.5));
    assert!(world.inspect().indeterminate().is_empty(), "all are slack");
    (0..60).for_each(|_| assert!(world.step().fault.is_none()));
    assert_eq!(world.inspect().indeterminate(), [one, two]);
    world.edit(Edit::RemoveJoint(two)).unwrap();
    (0..10).for_each(|_| assert!(world.step().fault.is_none()));
    assert!(world.inspect().indeterminate().is_empty(), "one holds all of it");
}

/// A motor that holds an axis with dry friction: which of them bears the load nobody can say, but their joint bears it.
#[test]
fn a_drive_beside_friction_leaves_the_reaction_determined() {
    let mut world = World::default();
    let mass = Mass::of_total(&Shape::Box { half: DVec3::new(0.5, 0.05, 0.05) }, 1.0).unwrap();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let arm = world.add_body(Body::dynamic("arm", mass), DVec3::X * 0.5, DQuat::IDENTITY).unwrap();
    let turn = windlass_engine::math::facing(DVec3::Y);
    let anchors = [Anchor::frame(ground, DVec3::ZERO, turn), Anchor::frame(arm, -0.5 * DVec3::X, turn)];
    let drive = Drive::Speed { speed: 0.0, force: 50.0, droop: 0.0, brake: None };
    let axis = Axis { friction: 20.0, ..Axis::driven(drive) };
    let hinge = world.add_joint(Joint::new("hinge", Hinge { anchors, axis })).unwrap();
    for _ in 0..10 {
        assert!(world.step().fault.is_none());
    }
    let now = world.inspect();
    assert!(now.indeterminate().is_empty(), "the reaction is the weight");
    assert_eq!(now.indeterminate_drives(), [(hinge, 0)]);
    let weight = now.reaction(hinge, 1).unwrap();
    assert!((weight.force.z - 9.81).abs() < 0.01 && (weight.torque.length() - 0.5 * 9.81).abs() < 0.01);
}
