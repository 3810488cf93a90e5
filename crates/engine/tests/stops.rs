//! Stops and ropes that give: nothing before they are reached, spring and damper beyond.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::{Rig, near_part};
use windlass_engine::prelude::*;

const STIFFNESS: f64 = 100.0;
const DAMPING: f64 = 5.0;
const INERTIA: f64 = 1.0;
const SPEED: f64 = 4.0;

/// With what speed the stop is left, and how far it gave: k x + c ẋ on a body of inertia I from 0 until it no longer pushes.
fn rebound() -> (f64, f64) {
    let (mut x, mut v, mut deepest, dt) = (0.0f64, SPEED, 0.0f64, 1e-6);
    while STIFFNESS * x + DAMPING * v > 0.0 {
        v -= dt * (STIFFNESS * x + DAMPING * v) / INERTIA;
        x += dt * v;
        deepest = deepest.max(x);
    }
    (v, deepest)
}

#[test]
fn a_damped_stop_does_nothing_before_it_is_reached() {
    let (left, deepest) = rebound();
    for stepper in [Integrator::Spook, Integrator::Projected, Integrator::DormandPrince(Adaptive::default())]
    {
        let mut rig = Rig::new(5e-4, stepper).under(DVec3::ZERO);
        let mass = Mass::principal(1.0, DVec3::ZERO, DVec3::splat(INERTIA), DQuat::IDENTITY);
        let arm = rig.body("arm", mass, DVec3::ZERO);
        let spring = Some(Spring::new(STIFFNESS, DAMPING));
        let limits = Limits { spring, ..Limits::hard(f64::NEG_INFINITY, 1.0) };
        let axis = Axis { limits: Some(limits), ..Axis::free() };
        let hinge = rig.driven_hinge([rig.ground, arm], DVec3::ZERO, DVec3::Z, axis);
        rig.moving(arm, DVec3::ZERO, DVec3::Z * SPEED);
        let trace = rig.trace(1.0, |world| {
            let seen = world.inspect().coordinate(hinge, 0).unwrap();
            (seen.value, seen.speed)
        });
        for (_, (angle, speed)) in trace.iter().filter(|(t, (angle, _))| *t < 0.2 && *angle < 0.999) {
            assert!((speed - SPEED).abs() < 1e-9, "{stepper:?}: {speed} rad/s at {angle} rad");
        }
        let most = trace.iter().fold(0.0f64, |m, (_, (angle, _))| m.max(*angle));
        near_part("deepest", most - 1.0, deepest, 0.01);
        near_part("speed after", trace.last().unwrap().1.1, left, 0.01);
    }
}

/// A rope with a damper that hangs slack does not pull.
#[test]
fn a_damped_rope_does_not_pull_while_it_is_slack() {
    let mut rig = Rig::new(5e-4, Integrator::Spook);
    let stone = rig.body("stone", kit::speck(1.0), DVec3::NEG_Z);
    let ends = [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(stone, DVec3::ZERO)];
    let mut rope = Distance::between(ends, 0.0, 2.0);
    rope.axis.limits.as_mut().unwrap().spring = Some(Spring::new(2000.0, 60.0));
    rig.joint(rope);
    let fallen = (2.0f64 / 9.81).sqrt();
    for _ in 0..(fallen / 5e-4) as usize - 2 {
        rig.world.step();
    }
    let (s, t) = (&rig.world.state().bodies[stone.index()], rig.world.state().time);
    near_part("way", -1.0 - s.position.z, 0.5 * 9.81 * t * t, 1e-9);
}
