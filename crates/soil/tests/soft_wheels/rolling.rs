//! EW24, VH33, VH34: towed and driven wheels.

use super::kit::*;
use windlass_soil::WheelModel;
use windlass_soil::ground::Soil;
use windlass_soil::world::LOOSE_PEAK;

const SIZE: ([f64; 2], f64) = ([5.0, 1.2], 0.05);
const RADIUS: f64 = 0.5;

/// Sinkage and resistance of a towed wheel of diameter 1 m and width 0.3 m without shear, and the force that tows it.
fn towed(soil: Soil, load: f64, dt: f64) -> [f64; 3] {
    let (mut world, ground) = world(soil, SIZE, dt, |_| 0.0);
    let rig = rig(&mut world, (RADIUS, load), touching(-1.8, RADIUS), Drives::towed(0.5));
    set(
        &mut world,
        ground,
        vec![WheelModel { surface: SMOOTH, cell: 0.01, ..wheel(rig.wheel, [RADIUS, 0.3]) }],
    );
    let before = mass(&world);
    run(&mut world, 5.0, |_| {});
    let found = mean(&mut world, 0.5, |world| {
        let wheel = &states(world)[0];
        [wheel.sinkage, wheel.resistance, -wheel.drawbar]
    });
    assert_eq!(mass(&world), before);
    found
}

#[test]
fn ew24_a_towed_wheel_in_sand() {
    let [sinkage, resistance, force] = towed(bekker(1.1, 0.99e3, 1528.43e3), 5e3, 1.0 / 60.0);
    near("EW24 sinkage", sinkage, 0.078834152, 0.03);
    near("EW24 Bekker's sinkage", sinkage, 0.07886719, 0.06);
    near("EW24 resistance", resistance, 1054.8347, 0.05);
    near("EW24 tow", force, 1054.8347, 0.05);
}

#[test]
fn vh33_a_towed_wheel_in_two_sands() {
    for (dt, [z, r]) in STEPS.into_iter().zip([[0.01, 0.015], [0.005, 0.007]]) {
        let [sinkage, resistance, force] = towed(bekker(0.79, 102e3, 5301e3), 10e3, dt);
        near(&format!("VH33 (a) sinkage at {dt}"), sinkage, 0.024585145, z);
        near("VH33 (a) resistance", resistance, 1244.31, r);
        near("VH33 (a) tow", force, 1244.31, r);
        let [sinkage, resistance, force] = towed(bekker(1.1, 0.99e3, 1528.43e3), 10e3, dt);
        near(&format!("VH33 (b) sinkage at {dt}"), sinkage, 0.12260877, z);
        near("VH33 (b) resistance", resistance, 2666.7323, r);
        near("VH33 (b) tow", force, 2666.7323, r);
    }
}

#[test]
fn vh34_a_driven_wheel_in_sand() {
    let mut off: f64 = 0.0;
    for (dt, part, pull) in [(1.0 / 60.0, 0.01, 30.0), (1e-3, 0.005, 15.0)] {
        for (slip, sinkage, torque, drawbar) in [
            (0.1, 0.12597912, 2068.4493, 1181.3047),
            (0.3, 0.12923384, 2314.2811, 1529.3021),
            (0.6, 0.13747048, 2392.4135, 1388.6766),
        ] {
            let mut soil = sand(28.0, 1040.0);
            soil.shear_displacement = 0.025;
            let (mut world, ground) = world(soil, SIZE, dt, |_| 0.0);
            let drives = Drives::slipping(0.5, slip, RADIUS);
            let rig = rig(&mut world, (RADIUS, 10e3), touching(-1.8, RADIUS), drives);
            set(
                &mut world,
                ground,
                vec![WheelModel { peak: LOOSE_PEAK, cell: 0.01, ..wheel(rig.wheel, [RADIUS, 0.3]) }],
            );
            run(&mut world, 5.0, |_| {});
            let [z, t, h, i] = mean(&mut world, 0.5, |world| {
                let wheel = &states(world)[0];
                [wheel.sinkage, wheel.torque, wheel.drawbar, wheel.slip]
            });
            near("slip", i, slip, 1e-6);
            near(&format!("VH34 sinkage at slip {slip}, {dt}"), z, sinkage, part);
            near("VH34 torque", t, torque, part);
            println!("VH34 drawbar pull {h} ({drawbar})");
            off = off.max((h - drawbar).abs() / pull);
        }
    }
    assert!(off <= 1.0, "drawbar pull is off by {off} tolerances");
}
