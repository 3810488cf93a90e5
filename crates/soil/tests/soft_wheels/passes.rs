//! EW26, VH38: wheels in the ruts of others.

use super::kit::*;
use glam::dvec3;
use std::f64::consts::FRAC_PI_2;
use windlass_engine::body::motion::Motion;
use windlass_engine::prelude::Drive;
use windlass_soil::{Earthworks, WheelModel};

const RADIUS: f64 = 0.5;

#[test]
fn vh38_three_wheels_in_one_rut() {
    for (dt, [z, r]) in STEPS.into_iter().zip([[0.02, 0.04], [0.01, 0.02]]) {
        let (mut world, ground) = world(bekker(1.1, 0.99e3, 1528.43e3), ([20.0, 1.2], 0.05), dt, |_| 0.0);
        let wheels = [-4.0, -5.5, -7.0].map(|x| {
            let rig = rig(&mut world, (RADIUS, 10e3), touching(x, RADIUS), Drives::towed(1.0));
            WheelModel { surface: SMOOTH, ..wheel(rig.wheel, [RADIUS, 0.3]) }
        });
        let wheels = wheels.into_iter().enumerate();
        let wheels = wheels.map(|(k, wheel)| WheelModel { name: format!("wheel {k}"), ..wheel }).collect();
        set(&mut world, ground, wheels);
        let before = mass(&world);
        // the pits in which they start are forgotten after some metres
        run(&mut world, 11.0, |_| {});
        let found = mean(&mut world, 0.5, |world| {
            let [a, b, c] = [0, 1, 2].map(|k| (states(world)[k].sinkage, states(world)[k].resistance));
            [a.0, a.1, b.0, b.1, c.0, c.1]
        });
        for (k, (sinkage, resistance)) in
            [(0.12260877, 2666.7323), (0.15590546, 1806.6345), (0.17838599, 1519.6146)]
                .into_iter()
                .enumerate()
        {
            near(&format!("VH38 wheel {} deepest point at {dt}", k + 1), found[2 * k], sinkage, z);
            near("VH38 resistance", found[2 * k + 1], resistance, r);
        }
        assert_eq!(mass(&world), before);
    }
}

/// The second pass of the wheel of EW24 over ground of which the unloading stiffness is not measured: its rut is as deep as
/// the last one but for the give of the contact.
#[test]
fn ew26_ruts_compact_and_heave() {
    let (mut world, ground) = world(bekker(1.1, 0.99e3, 1528.43e3), ([8.0, 1.6], 0.05), 1.0 / 60.0, |_| 0.0);
    let first = rig(&mut world, (RADIUS, 5e3), touching(-1.0, RADIUS), Drives::towed(0.5));
    set(&mut world, ground, vec![WheelModel { surface: SMOOTH, ..wheel(first.wheel, [RADIUS, 0.3]) }]);
    let before = mass(&world);
    run(&mut world, 6.0, |_| {});
    let (works, state) = world.subsystem::<Earthworks>().unwrap();
    let terrain = &*works.grounds[0].terrain;
    let height = |x: f64, y: f64| {
        let node = terrain.nearest(x, y).unwrap();
        state.grounds[0].terrain.height(terrain, node)
    };
    // the column is as deep as the rut, less what the contact gives back
    println!("EW26: middle {}, rim {}", height(0.5, 0.0), height(0.5, 0.2));
    assert!((height(0.5, 0.0) + 0.0755).abs() < 0.015, "{}", height(0.5, 0.0));
    assert!(height(0.5, 0.0) > -0.0789 && height(0.5, 0.2) >= 0.0);
    assert!(height(0.5, 0.6) == 0.0);
    // what went down: compacted, or on the rims
    let volumes = state.grounds[0].terrain.volumes(terrain);
    println!("EW26: cut {}, fill {}", volumes.cut, volumes.fill);
    assert!(volumes.cut > 0.05 && volumes.fill < 0.5 * volumes.cut);
    assert_eq!(mass(&world), before);
}

/// A roller that goes to and fro settles the ground less in every pass.
#[test]
fn passes_of_a_roller_converge() {
    let mut soil = bekker(0.7, 5.27e3, 1515.04e3);
    soil.unloading = None;
    let (mut world, ground) = world(soil, ([8.0, 2.4], 0.1), 1.0 / 60.0, |_| 0.0);
    // from −2 m to 2 m and back, through the middle at 5 s, 15 s, …
    let motion = Motion::Sine { mean: 0.0, amplitude: 2.0, frequency: 0.05, phase: -FRAC_PI_2 };
    let drives = Drives { rail: Drive::Prescribed(motion), axle: Drive::Free };
    let rig = rig(&mut world, (0.6, 40e3), dvec3(-2.0, 0.0, 0.6), drives);
    set(&mut world, ground, vec![wheel(rig.wheel, [0.6, 1.5])]);
    let before = mass(&world);
    let mut depths = vec![0.0];
    for pass in 0..6 {
        run(&mut world, if pass == 0 { 5.0 } else { 10.0 }, |_| {});
        depths.push(states(&world)[0].sinkage);
    }
    println!("passes {depths:?}");
    let gains: Vec<f64> = depths.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(gains.windows(2).all(|pair| pair[1] < pair[0] + 1e-5), "{gains:?}");
    assert!(gains[5] < 0.2 * gains[0] && depths[6] > 0.01, "{gains:?}");
    assert_eq!(mass(&world), before);
}
