//! Tasora's prosthetic shoulder (seed of Fig. 6): two motors in the arm turn the side gears of a bevel differential
//! whose pinion is locked to the breast. Inverse kinematics first (the hand follows a straight line, the motors are
//! dragged along), then inverse dynamics (the motors follow what was found, their torques are read).
//!
//!   R = Rx(α) Ry(β),  hand = R (0, 0, −L),  side gears θ₁ = α, θ₂ = −α on the carrier,  motors φᵢ = θᵢ − β

use glam::{DQuat, DVec3};
use windlass_engine::body::motion::{Interpolation, Spline};
use windlass_engine::math;
use windlass_engine::prelude::*;

const LENGTH: f64 = 0.6;
const DT: f64 = 2e-3;
const STEPS: usize = 1000;

struct Shoulder {
    world: World,
    arm: BodyId,
    ground: BodyId,
    motors: [JointId; 2],
}

/// The motors turn as told, or freely.
fn shoulder(drives: [Drive; 2]) -> Shoulder {
    let mut world = World::default();
    world.set(|s| (s.integrator, s.dt) = (Integrator::Projected, DT)).unwrap();
    let solid = |shape: Shape, density: f64| Mass::of(&shape, density).unwrap();
    let ring = solid(Shape::Cylinder { radius: 0.04, half_length: 0.02 }, 2700.0);
    let disc = solid(Shape::Cylinder { radius: 0.03, half_length: 0.005 }, 7850.0);
    let limb = solid(Shape::Capsule { radius: 0.035, half_length: 0.25 }, 1100.0);
    let add = |world: &mut World, name: &str, mass, at| {
        world.add_body(Body::dynamic(name, mass), at, DQuat::IDENTITY).unwrap()
    };
    let ground = world.add_body(Body::fixed("breast"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let carrier = add(&mut world, "carrier", ring, DVec3::ZERO);
    let arm = add(&mut world, "arm", limb, DVec3::new(0.0, 0.0, -0.5 * LENGTH));
    let gears = [1.0, -1.0].map(|side| add(&mut world, "side gear", disc, DVec3::Y * (0.06 * side)));

    // all frames stand at the shoulder, z along the axis meant; a body's own offset is taken off
    let frame = |world: &World, body: BodyId, axis: DVec3| {
        let origin = world.state().bodies[body.index()].position;
        Anchor::frame(body, -origin, math::facing(axis))
    };
    let pair =
        |world: &World, a: BodyId, b: BodyId, axis: DVec3| [frame(world, a, axis), frame(world, b, axis)];
    let hinge = |world: &mut World, a, b, axis| {
        let anchors = pair(world, a, b, axis);
        world.add_joint(Joint::new("hinge", Hinge { anchors, axis: Axis::free() })).unwrap();
    };
    hinge(&mut world, ground, carrier, DVec3::X);
    hinge(&mut world, carrier, arm, DVec3::Y);
    let mut motors = Vec::new();
    for ((gear, ratio), drive) in gears.into_iter().zip([1.0, -1.0]).zip(drives) {
        hinge(&mut world, carrier, gear, DVec3::Y);
        let teeth = LinearCoupling::gear(
            pair(&world, carrier, gear, DVec3::Y),
            pair(&world, ground, carrier, DVec3::X),
            ratio,
        );
        world.add_joint(Joint::new("teeth", teeth)).unwrap();
        let mut motor = SixDof::free(pair(&world, arm, gear, DVec3::Y));
        motor.axes[5].drive = drive;
        motors.push(world.add_joint(Joint::new("motor", motor)).unwrap());
    }
    Shoulder { world, arm, ground, motors: [motors[0], motors[1]] }
}

/// The hand goes from (0, 0) to (0.3, 0.2) seen from below, in a straight line, in two seconds.
fn line() -> [Motion; 2] {
    [0.3, 0.2].map(|to| Motion::Smooth { from: 0.0, to, start: 0.0, end: 2.0 })
}

#[test]
fn motors_found_from_the_hand_carry_the_hand() {
    // inverse kinematics: the hand's x and y are given, the motors are free
    let mut found = [vec![0.0], vec![0.0]];
    let Shoulder { mut world, arm, ground, motors } = shoulder([Drive::Free, Drive::Free]);
    assert_eq!(world.degrees_of_freedom(), 2);
    let hand = DVec3::new(0.0, 0.0, -0.5 * LENGTH);
    let mut guide = SixDof::free([Anchor::point(ground, DVec3::ZERO), Anchor::point(arm, hand)]);
    for (k, motion) in line().into_iter().enumerate() {
        guide.axes[k].drive = Drive::Prescribed(motion);
    }
    world.add_joint(Joint::new("guide", guide)).unwrap();
    for step in 1..=STEPS {
        assert!(world.step().fault.is_none());
        let [x, y] = line().map(|m| m.at(step as f64 * DT).value);
        let beta = -libm::asin(x / LENGTH);
        let alpha = libm::asin(y / (LENGTH * libm::cos(beta)));
        for (k, expected) in [alpha - beta, -alpha - beta].into_iter().enumerate() {
            let angle = world.coordinate(motors[k], 5).unwrap();
            assert!((angle - expected).abs() < 1e-9, "step {step}, motor {k}: {angle} {expected}");
            found[k].push(angle);
        }
    }

    // inverse dynamics: the motors follow, the hand is free; what they put in is what the arm has gained
    let times: Vec<f64> = (0..=STEPS).map(|i| i as f64 * DT).collect();
    let follow = found.map(|angles| {
        Drive::Prescribed(Motion::Table(Spline::new(times.clone(), angles, Interpolation::Cubic).unwrap()))
    });
    let Shoulder { mut world, arm, motors, .. } = shoulder(follow);
    assert_eq!(world.degrees_of_freedom(), 0);
    let power = |world: &mut World| -> f64 {
        let now = world.inspect();
        motors.iter().map(|m| now.coordinate(*m, 5).unwrap()).map(|c| c.effort * c.speed).sum()
    };
    let start = world.energy().total();
    let (mut work, mut before) = (0.0, power(&mut world));
    for step in 1..=STEPS {
        assert!(world.step().fault.is_none());
        let now = power(&mut world);
        work += 0.5 * DT * (before + now);
        before = now;
        let tip = world.model().frame(world.state(), &Anchor::point(arm, hand)).at;
        // three times x is twice y, all the way
        assert!((2.0 * tip.x - 3.0 * tip.y).abs() < 1e-7, "step {step}: {tip}");
    }
    let gained = world.energy().total() - start;
    assert!(gained > 1.0, "the arm is lifted: {gained} J");
    assert!((work - gained).abs() < 1e-5 * gained, "work {work} J, gained {gained} J");
}
