//! A light hook block that hangs in two ropes, and a heavy load under it on a third: loads of 10 to 10⁶ times the hook's mass, at 1/60 s.
//!
//! A ring that slides along its rope is held sideways by the rope's tension alone, a vibration far too fast for the step. It
//! must neither blow up nor cost the swing its energy. (Measured: 1.8 % in 15 s at 10⁶, less at lower ratios.)

use crate::kit;

use glam::{DQuat, DVec3};
use kit::{G, Rig, speck};
use windlass_engine::prelude::*;

/// The hook hangs so far below its beam, and the load below the hook [m].
const HOOK: f64 = 5.0;
const LOAD: f64 = 2.0;
const HOOK_MASS: f64 = 10.0;

/// The crane, turned about its beam by a swing to the side and one along it; hook and load.
fn crane(ratio: f64, stiffness: Option<f64>) -> (Rig, [BodyId; 2]) {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook);
    let swing = DQuat::from_rotation_y(0.35) * DQuat::from_rotation_x(0.2);
    let mass = Mass::of_total(&Shape::Box { half: DVec3::new(0.1, 0.4, 0.2) }, HOOK_MASS).unwrap();
    let at = |z: f64| swing * DVec3::new(0.0, 0.0, z);
    let hook = rig.turned("hook", mass, at(-HOOK), swing);
    let load = rig.body("load", speck(ratio * HOOK_MASS), at(-HOOK - 0.2 - LOAD));
    for side in [-1.0, 1.0] {
        let ring = at(-HOOK) + swing * DVec3::new(0.0, 0.3 * side, 0.2);
        let beam = |x: f64| rig.grip(rig.ground, DVec3::new(x, 0.5 * side, 0.0), DQuat::IDENTITY);
        let points = [
            (beam(-0.6), RoutePoint::attached()),
            (rig.grip(hook, ring, DQuat::IDENTITY), RoutePoint::ring()),
            (beam(0.6), RoutePoint::attached()),
        ];
        let rope = Rope::new(&points);
        rig.joint(match stiffness {
            Some(stiffness) => rope.elastic(stiffness, 0.0),
            None => rope,
        });
    }
    let sling = [(hook, -HOOK - 0.2), (load, -HOOK - 0.2 - LOAD)];
    let points = sling.map(|(body, z)| (rig.grip(body, at(z), DQuat::IDENTITY), RoutePoint::attached()));
    rig.joint(Rope::new(&points));
    (rig, [hook, load])
}

/// Kinetic, potential and elastic energy [J].
fn energy(report: &Report) -> f64 {
    report.energy.kinetic + report.energy.potential + report.energy.elastic
}

/// Swings for 15 s; what is left of the energy of the swing, and the farthest the load was from where it may be [m].
fn swing(ratio: f64, stiffness: Option<f64>) -> (f64, f64) {
    let (mut rig, [_, load]) = crane(ratio, stiffness);
    let start = rig.world.state().bodies[load.index()].position;
    // what the swing has above its lowest point, where all hangs straight down
    let above = (ratio + 1.0) * HOOK_MASS * G * (start.z + HOOK + 0.2 + LOAD);
    let first = energy(&rig.world.step());
    let (mut last, mut farthest) = (first, 0.0_f64);
    for _ in 0..900 {
        let report = rig.world.step();
        assert!(report.fault.is_none(), "{ratio:e}: {:?}", report.fault);
        last = energy(&report);
        farthest = farthest.max(rig.world.state().bodies[load.index()].position.length());
    }
    (1.0 + (last - first) / above, farthest)
}

#[test]
fn a_light_hook_under_a_heavy_load_keeps_its_swing() {
    for ratio in [1e1, 1e2, 1e3, 1e4, 1e5, 1e6] {
        for stiffness in [None, Some(1e5 * ratio)] {
            let (left, farthest) = swing(ratio, stiffness);
            assert!((0.98..1.001).contains(&left), "{ratio:e}, {stiffness:?}: {left} of the swing is left");
            // rings on inextensible ropes hang no lower than the straight crane, elastic ones by their stretch at 1.5 g more
            assert!(farthest < HOOK + 0.2 + LOAD + 0.1, "{ratio:e}, {stiffness:?}: {farthest} m");
        }
    }
}

/// A light platform that eight ropes pull from all sides, a load of 10⁵ times its mass on a ninth under it, let go from the side.
#[test]
fn a_light_platform_between_ropes_holds_a_heavy_load() {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook);
    let half = DVec3::new(0.3, 0.2, 0.1);
    let platform = rig.body("platform", Mass::of_total(&Shape::Box { half }, 10.0).unwrap(), DVec3::ZERO);
    for k in 0..8 {
        let corner = DVec3::from_array([0, 1, 2].map(|bit| if k >> bit & 1 == 1 { 1.0 } else { -1.0 }));
        let points = [
            (
                rig.grip(rig.ground, corner * DVec3::new(6.0, 5.0, 4.0), DQuat::IDENTITY),
                RoutePoint::attached(),
            ),
            (rig.grip(platform, corner * half, DQuat::IDENTITY), RoutePoint::attached()),
        ];
        rig.joint(Rope::new(&points).elastic(1e9, 0.01));
    }
    let load = rig.body("load", speck(1e6), DVec3::new(1.0, 0.5, -3.0));
    let points = [
        (rig.grip(platform, DVec3::new(0.0, 0.0, -0.1), DQuat::IDENTITY), RoutePoint::attached()),
        (rig.grip(load, DVec3::new(1.0, 0.5, -3.0), DQuat::IDENTITY), RoutePoint::attached()),
    ];
    rig.joint(Rope::new(&points));
    let mut highest = f64::MIN;
    for _ in 0..900 {
        let report = rig.world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        let [platform, load] = [platform, load].map(|id| rig.world.state().bodies[id.index()].position);
        assert!(platform.length() < 1.0, "the ropes hold it: {platform}");
        highest = highest.max(load.z);
    }
    assert!(highest < -3.0 + 1e-3, "it swings no higher than it was: {highest} m");
}
