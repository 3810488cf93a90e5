//! A heavy load on light links: the linear algebra stays exact to 1e9, the step to where it is stable.

use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;

const LINKS: usize = 24;

/// Links of 1 kg and 0.4 m on ball joints, a load of `ratio` kg at the end, all leaning by an angle.
fn hoist(ratio: f64, lean: f64) -> (World, Vec<JointId>) {
    let mut world = World::default();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let (length, turn) = (0.4, windlass_engine::math::turn(DVec3::Y, lean));
    let down = turn * -DVec3::Z;
    let shape = Shape::Cylinder { radius: 0.02, half_length: 0.5 * length };
    let mut last = Anchor::point(ground, DVec3::ZERO);
    let mut joints = Vec::new();
    for i in 0..LINKS {
        let mass = Mass::of_total(&shape, 1.0).unwrap();
        let at = down * (length * (i as f64 + 0.5));
        let link = world.add_body(Body::dynamic(format!("link {i}"), mass), at, turn).unwrap();
        let anchors = [last, Anchor::point(link, 0.5 * length * DVec3::Z)];
        joints.push(world.add_joint(Joint::new(format!("joint {i}"), Ball { anchors })).unwrap());
        last = Anchor::point(link, -0.5 * length * DVec3::Z);
    }
    let load = Mass::of_total(&Shape::Sphere { radius: 0.5 }, ratio).unwrap();
    let at = down * (length * LINKS as f64);
    let load = world.add_body(Body::dynamic("load", load), at, turn).unwrap();
    let anchors = [last, Anchor::point(load, DVec3::ZERO)];
    joints.push(world.add_joint(Joint::new("load", Ball { anchors })).unwrap());
    (world, joints)
}

#[test]
fn joint_forces_are_exact_for_any_load() {
    for power in 0..=9 {
        let ratio = f64::powi(10.0, power);
        let (mut world, joints) = hoist(ratio, 0.0);
        world.step();
        let mut worst: f64 = 0.0;
        for (i, joint) in joints.iter().enumerate() {
            let weight = 9.81 * (ratio + (LINKS - i) as f64);
            let force = world.reaction(*joint, 0).unwrap().force;
            // on the upper body, downwards
            let error = (force + DVec3::Z * weight).length() / weight;
            worst = worst.max(error);
        }
        // all of it is the 1e-15 m by which the links were not placed exactly, over the step squared
        assert!(worst < 5e-12, "ratio 1e{power}: {worst:e}");
    }
}

#[test]
fn rows_hold_to_round_off_for_any_load() {
    for power in 0..=9 {
        let (mut world, _) = hoist(f64::powi(10.0, power), 0.7);
        for step in 0..3 {
            let report = world.step();
            assert!(
                report.residual < 1024.0 * f64::EPSILON,
                "ratio 1e{power}, step {step}: {:e}",
                report.residual
            );
            assert_eq!(report.redundant, 0);
        }
    }
}

/// The chain's fastest sideways mode has ω² = 12 T/(m l); within ω h < 2 the swing keeps its length and energy.
#[test]
fn the_swing_is_sound_where_the_step_is_stable() {
    for power in [1, 3, 5] {
        let ratio = f64::powi(10.0, power);
        let (mut world, joints) = hoist(ratio, 0.5);
        // tension at the bottom of the swing, with a margin of two in ω h
        let tension = 9.81 * (ratio + LINKS as f64) * (3.0 - 2.0 * libm::cos(0.5));
        let dt = (1.0 / (12.0 * tension / 0.4).sqrt()).min(1.0 / 60.0);
        world.set(|s| s.dt = dt).unwrap();
        let energy = world.energy().total();
        let drop = 9.81 * ratio * 9.6 * (1.0 - libm::cos(0.5));
        for _ in 0..(0.5 / dt) as usize {
            assert!(world.step().fault.is_none());
        }
        let drift = (world.inspect().energy().total() - energy) / drop;
        assert!(drift.abs() < 2e-3, "ratio 1e{power}: energy {drift:e}");
        for joint in &joints {
            let anchors = world.model().joints().get(*joint).unwrap().constraint().anchors().to_vec();
            let [a, b] = [0, 1].map(|k| world.model().frame(world.state(), &anchors[k]).at);
            assert!((a - b).length() < 1e-4, "ratio 1e{power}: {:e}", (a - b).length());
        }
    }
}
