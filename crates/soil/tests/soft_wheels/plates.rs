//! EW23, VH32, VH37: plates that are pressed into soft ground.

use super::kit::*;
use windlass_soil::WheelModel;
use windlass_soil::ground::Soil;
use windlass_soil::ground::soil::Sinkage;
use windlass_soil::ground::strength::{Strength, StrengthLaw};

const SIZE: ([f64; 2], f64) = ([2.0, 1.2], 0.05);

/// Sinkage of a plate with a load that is raised over 20 s.
fn settled(soil: Soil, [length, width]: [f64; 2], load: f64, dt: f64) -> f64 {
    let (mut world, ground) = world(soil, SIZE, dt, |_| 0.0);
    let body = plate(&mut world, load);
    let plate =
        WheelModel { center: glam::DVec3::ZERO, ..WheelModel::plate("plate", body, 0, [length, width]) };
    set(&mut world, ground, vec![plate]);
    ramp(&mut world, [0.0, G], 20.0);
    run(&mut world, 0.5, |_| {});
    states(&world)[0].sinkage
}

#[test]
fn ew23_a_plate_on_sand_and_clay() {
    let cases =
        [(bekker(1.1, 0.99e3, 1528.43e3), 0.092078734), (bekker(0.5, 13.19e3, 692.15e3), 0.022783565)];
    for (soil, sinkage) in cases {
        near("EW23", settled(soil, [0.3, 0.3], 10e3, 1.0 / 60.0), sinkage, 0.02);
    }
}

/// Reece's law with c 1.3 kPa and γ 15.6 kN/m³.
fn reece() -> Soil {
    let mut soil = sand(28.0, 1300.0);
    soil.sinkage = Some(Sinkage::Reece { exponent: 0.79, cohesive: 40.0, frictional: 450.0 });
    soil.grain_density = 15.6e3 / G * (1.0 + soil.void_ratio.bank);
    soil.strength = StrengthLaw::Constant(Strength::new(28.0, 1300.0));
    soil
}

fn with(sinkage: Sinkage) -> Soil {
    let mut soil = sand(28.0, 50e3);
    soil.sinkage = Some(sinkage);
    soil
}

#[test]
fn vh32_a_plate_on_five_grounds() {
    for dt in STEPS {
        let cases = [
            ("a", bekker(0.79, 102e3, 5301e3), 0.0025237302),
            ("b", reece(), 0.0025550413),
            ("c", with(Sinkage::Muskeg { peat: 290e3, mat: 51e3 }), 0.13862068),
            ("d", with(Sinkage::Snow { pressure: 16.3e3, depth: 0.33 }), 0.31464244),
            ("e", bekker(1.1, 0.99e3, 1528.43e3), 0.044555158),
        ];
        for (name, soil, sinkage) in cases {
            let found = settled(soil, [0.6, 0.3], 9e3, dt);
            near(&format!("VH32 ({name}) at {dt}"), found, sinkage, 0.005);
        }
    }
}

#[test]
fn vh32_f_a_load_put_down_at_once() {
    for (dt, tolerance) in [(1.0 / 60.0, 0.18), (1e-3, 0.03)] {
        let (mut world, ground) = world(bekker(1.1, 0.99e3, 1528.43e3), SIZE, dt, |_| 0.0);
        let body = plate(&mut world, 9e3);
        set(&mut world, ground, vec![WheelModel::plate("plate", body, 0, [0.6, 0.3])]);
        let mut deepest: f64 = 0.0;
        run(&mut world, 1.0, |world| deepest = deepest.max(states(world)[0].sinkage));
        near(&format!("VH32 (f) at {dt}"), deepest, 0.08746305, tolerance);
        let forces = mean(&mut world, 0.5, |world| [states(world)[0].load]);
        near("weight", forces[0], 9e3, 1e-3);
    }
}

#[test]
fn vh37_pressing_again() {
    for dt in STEPS {
        let (mut world, ground) = world(bekker(1.1, 0.99e3, 1528.43e3), SIZE, dt, |_| 0.0);
        let body = plate(&mut world, 10.8e3);
        set(&mut world, ground, vec![WheelModel::plate("plate", body, 0, [0.6, 0.3])]);
        let before = mass(&world);
        let stages = [
            ("60 kPa", 60.0, 0.052587308),
            ("left", 0.0, 0.050305388),
            ("40 kPa", 40.0, 0.051826668),
            ("60 kPa again", 60.0, 0.052587308),
            ("90 kPa", 90.0, 0.076026308),
        ];
        let mut last = 0.0;
        for (name, pressure, sinkage) in stages {
            // at no load at all the plate would leave the ground
            let gravity = G * f64::max(pressure, 0.02) / 60.0;
            ramp(&mut world, [last, gravity], 20.0);
            last = gravity;
            near(&format!("VH37 {name} at {dt}"), states(&world)[0].sinkage, sinkage, 0.005);
        }
        assert_eq!(mass(&world), before);
    }
}
