//! Wheels that stand, reverse, fall and are restored.

use super::kit::*;
use glam::dvec3;
use windlass_engine::body::motion::Motion;
use windlass_engine::prelude::{Drive, World};
use windlass_soil::{Earthworks, WheelModel};

const RADIUS: f64 = 0.5;

/// A wheel on a slope of 12 %, which neither slides nor rolls: with its brake, and by the resistance of its own pit.
#[test]
fn wheels_stand_on_slopes() {
    for dt in [1.0 / 60.0, 1.0 / 30.0] {
        for axle in [Drive::Lock(0.0), Drive::Free] {
            let (mut world, ground) = world(sand(28.0, 2e3), ([6.0, 1.2], 0.1), dt, |x| 0.12 * x);
            let drives = Drives { rail: Drive::Free, axle: axle.clone() };
            let rig = rig(&mut world, (RADIUS, 10e3), dvec3(0.0, 0.0, RADIUS), drives);
            set(&mut world, ground, vec![wheel(rig.wheel, [RADIUS, 0.3])]);
            run(&mut world, 5.0, |_| {});
            let before = world.state().bodies[rig.wheel.index()].position;
            run(&mut world, 120.0, |_| {});
            let after = world.state().bodies[rig.wheel.index()].position;
            println!("{axle:?} at {dt}: {} m in 120 s, x {}", (after - before).length(), after.x);
            assert!((after - before).length() < 1e-5, "{axle:?} at {dt}: from {before} to {after}");
        }
    }
}

/// A wheel that is dropped lands, and its vertical force is its weight.
#[test]
fn wheels_land() {
    for dt in [1.0 / 30.0, 1.0 / 60.0, 1e-3] {
        let (mut world, ground) = world(sand(28.0, 2e3), ([6.0, 1.2], 0.1), dt, |_| 0.0);
        let drives = Drives { rail: Drive::Lock(0.0), axle: Drive::Free };
        let rig = rig(&mut world, (RADIUS, 10e3), dvec3(0.0, 0.0, RADIUS + 0.5), drives);
        set(&mut world, ground, vec![wheel(rig.wheel, [RADIUS, 0.3])]);
        run(&mut world, 2.0, |_| {});
        let load = mean(&mut world, 0.5, |world| [states(world)[0].load])[0];
        println!("dropped at {dt}: sinkage {}", states(&world)[0].sinkage);
        near("weight", load, 10e3, 1e-3);
        let sinkage = states(&world)[0].sinkage;
        assert!(sinkage > 0.15 && sinkage < 0.45, "{sinkage}");
    }
}

fn to_and_fro() -> World {
    let (mut world, ground) = world(sand(28.0, 2e3), ([6.0, 1.2], 0.1), 1.0 / 60.0, |_| 0.0);
    let sine = |amplitude: f64| Motion::Sine { mean: 0.0, amplitude, frequency: 0.1, phase: 0.0 };
    let drives = Drives {
        rail: Drive::Prescribed(sine(1.0)),
        // a slip of 10 % both ways
        axle: Drive::Prescribed(sine(1.0 / RADIUS / 0.9)),
    };
    let rig = rig(&mut world, (RADIUS, 10e3), dvec3(0.0, 0.0, RADIUS), drives);
    set(&mut world, ground, vec![WheelModel::wheel("wheel", rig.wheel, 0, [RADIUS, 0.3])]);
    world
}

/// A driven wheel that reverses pulls the other way.
#[test]
fn wheels_reverse() {
    let mut world = to_and_fro();
    let before = mass(&world);
    run(&mut world, 2.0, |_| {});
    let ahead = states(&world)[0].clone();
    run(&mut world, 3.0, |_| {});
    let back = states(&world)[0].clone();
    println!("ahead {} N, back {} N", ahead.drawbar, back.drawbar);
    assert!(!ahead.reversed && back.reversed);
    assert!(ahead.drawbar > 500.0 && back.drawbar > 500.0 && back.slip > 0.05);
    assert!(back.sinkage >= ahead.sinkage);
    run(&mut world, 20.0, |_| {});
    assert!(states(&world)[0].sinkage < 0.4);
    assert_eq!(mass(&world), before);
}

/// A restored world goes on alike, bitwise.
#[test]
fn wheels_are_restored_bitwise() {
    let mut world = to_and_fro();
    run(&mut world, 4.0, |_| {});
    let snapshot = world.state().clone();
    run(&mut world, 2.0, |_| {});
    let hash = world.state().hash();
    world.restore(snapshot).unwrap();
    run(&mut world, 2.0, |_| {});
    assert_eq!(world.state().hash(), hash);
    let (_, state) = world.subsystem::<Earthworks>().unwrap();
    assert!(state.grounds[0].ruts.count() > 20);
    // another number of threads
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let alone = pool.install(|| {
        let mut world = to_and_fro();
        run(&mut world, 6.0, |_| {});
        world.state().hash()
    });
    assert_eq!(alone, hash);
}

/// Hard ground leaves the contacts of a wheel to the engine.
#[test]
fn hard_ground_is_a_road() {
    let (mut world, mut ground) = world(sand(28.0, 2e3), ([6.0, 1.2], 0.1), 1.0 / 60.0, |_| 0.0);
    ground.hard = true;
    let drives = Drives { rail: Drive::Lock(0.0), axle: Drive::Free };
    let rig = rig(&mut world, (RADIUS, 10e3), dvec3(0.0, 0.0, RADIUS), drives);
    set(&mut world, ground, vec![wheel(rig.wheel, [RADIUS, 0.3])]);
    run(&mut world, 0.5, |_| {});
    // its body has no collider: it falls
    assert!(world.state().bodies[rig.wheel.index()].position.z < 0.0);
}
