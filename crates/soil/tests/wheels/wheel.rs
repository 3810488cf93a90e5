//! EW24, VH33, VH34, VH38: wheels in steady motion.

use super::grounds::*;
use crate::cases::{case, formulas};
use windlass_soil::wheel::elastic::ElasticTire;
use windlass_soil::wheel::resistance;
use windlass_soil::wheel::*;

#[test]
fn ew24_towed_wheel_in_dry_sand() {
    let (wheel, soil) = (RigidWheel::smooth(0.5, 0.3), soil(DRY_SAND, 0.3));
    let SinkageCurve::Power { modulus, exponent } = soil.curve else { unreachable!() };
    let case = case("EW24").variant("formula");
    case.finds("sinkage beside Bekker's closed form", rigid::bekker(&wheel, modulus, exponent, 5e3).0);
    let found = wheel.at_load(&soil, &Rut::default(), 5e3, None).unwrap();
    case.finds("sinkage beside Bekker's closed form", found.sinkage);
    case.finds("sinkage", found.sinkage);
    case.finds("motion resistance", found.resistance);
}

#[test]
fn vh33_towed_wheel_in_two_sands() {
    let wheel = RigidWheel::smooth(0.5, 0.3);
    let case = formulas("VH33");
    for (constants, letter) in [(LETE_SAND, "a"), (DRY_SAND, "b")] {
        let soil = soil(constants, 0.3);
        let found = wheel.at_load(&soil, &Rut::default(), 10e3, None).unwrap();
        case.finds(&format!("({letter}) sinkage"), found.sinkage);
        case.finds(&format!("({letter}) resistance"), found.resistance);
        near("work of compaction", found.resistance, 0.3 * soil.curve.work(found.sinkage), 1e-6);
        let SinkageCurve::Power { modulus, exponent } = soil.curve else { unreachable!() };
        let closed = rigid::bekker(&wheel, modulus, exponent, 10e3).0;
        case.finds(&format!("({letter}) Bekker's closed form: sinkage"), closed);
        // slope of the load, against differences
        let load = |z: f64| wheel.forces(&soil, &Rut::default(), z, None).load;
        let slope = (load(found.sinkage + 1e-5) - load(found.sinkage - 1e-5)) / 2e-5;
        near("stiffness", wheel.stiffness(&soil, &Rut::default(), found.sinkage), slope, 0.02);
    }
}

fn slip(longitudinal: f64) -> Option<Slip> {
    Some(Slip { longitudinal, tan_angle: 0.0 })
}

#[test]
fn vh34_driven_wheel_in_dry_sand() {
    let (wheel, soil) = (RigidWheel::smooth(0.5, 0.3), soil(DRY_SAND, 0.3));
    let case = formulas("VH34");
    for i in [0.1, 0.3, 0.6] {
        let found = wheel.at_load(&soil, &Rut::default(), 10e3, slip(i)).unwrap();
        near("load", found.load, 10e3, 1e-9);
        case.finds(&format!("i = {i}: sinkage"), found.sinkage);
        case.finds(&format!("i = {i}: torque"), found.torque);
        case.finds(&format!("i = {i}: drawbar pull"), found.drawbar());
    }
}

#[test]
fn slip_of_a_wheel_is_continuous_from_locked_to_spinning() {
    let (wheel, soil) = (RigidWheel::smooth(0.5, 0.3), soil(DRY_SAND, 0.3));
    let pull = |i: f64| wheel.at_load(&soil, &Rut::default(), 10e3, slip(i)).unwrap();
    within("at zero", pull(1e-9).drawbar(), pull(-1e-9).drawbar(), 1e-3);
    assert!(pull(-1.0).drawbar() < pull(-0.2).drawbar() && pull(-0.2).drawbar() < pull(0.2).drawbar());
    assert!(pull(-1.0).torque < 0.0, "a locked wheel holds against the ground");
    near("driving", Slip::of(0.7, 1.0, 0.0).longitudinal, 0.3, 1e-12);
    near("braking", Slip::of(1.0, 0.7, 0.0).longitudinal, -0.3, 1e-12);
    assert_eq!(Slip::of(0.0, 0.0, 0.0), Slip::default());
    // sideways motion to the left is resisted to the right, and takes from the thrust
    let skewed = Slip { longitudinal: 0.2, ..Slip::of(1.0, 1.0, 0.2) };
    let skewed = wheel.at_load(&soil, &Rut::default(), 10e3, Some(skewed)).unwrap();
    assert!(skewed.side < -100.0 && skewed.thrust < pull(0.2).thrust);
}

#[test]
fn vh38_wheels_in_one_rut() {
    let (wheel, soil) = (RigidWheel::smooth(0.5, 0.3), soil(DRY_SAND, 0.3));
    let mut rut = Rut::default();
    let case = formulas("VH38");
    for number in 1..=3 {
        let found = wheel.at_load(&soil, &rut, 10e3, None).unwrap();
        case.finds(&format!("wheel {number}: deepest point"), found.sinkage);
        case.finds(&format!("wheel {number}: resistance"), found.resistance);
        rut = soil.pressed(found.sinkage, &rut);
    }
}

#[test]
fn a_second_wheel_sinks_further_but_less() {
    // a rigid wheel in its own rut has a shorter arc, so it presses beyond the pressure borne before
    let wheel = RigidWheel::smooth(0.5, 0.3);
    let soil = SoftSoil { unloading: Unloading::default(), ..soil(DRY_SAND, 0.3) };
    let first = wheel.at_load(&soil, &Rut::default(), 5e3, None).unwrap();
    let second = wheel.at_load(&soil, &soil.pressed(first.sinkage, &Rut::default()), 5e3, None).unwrap();
    let further = second.sinkage - first.sinkage;
    assert!(further > 0.0 && further < 0.4 * first.sinkage);
}

#[test]
fn grousers_shear_at_their_tips() {
    let soil = soil(DRY_SAND, 0.3);
    let smooth = RigidWheel::smooth(0.5, 0.3);
    let with = RigidWheel { grousers: 0.05, ..smooth };
    let at = |wheel: &RigidWheel| wheel.forces(&soil, &Rut::default(), 0.12, slip(0.9));
    // nearly saturated: the torque grows with the square of the lever
    near("torque", at(&with).torque / at(&smooth).torque, 1.1 * 1.1, 0.01);
}

#[test]
fn too_heavy_a_wheel_sinks_out_of_sight() {
    let wheel = RigidWheel::smooth(0.5, 0.3);
    assert!(wheel.at_load(&soil(DRY_SAND, 0.3), &Rut::default(), 1e7, None).is_none());
    let above = wheel.forces(&soil(DRY_SAND, 0.3), &Rut::default(), -0.1, slip(0.2));
    assert!(above.load == 0.0 && above.torque == 0.0);
}

#[test]
fn a_soft_tyre_flattens() {
    let wheel = RigidWheel::smooth(0.5, 0.3);
    let soil = soil(LETE_SAND, 0.3);
    let hard = ElasticTire { wheel, inflation: 800e3, carcass: 0.0 }.at_load(&soil, 10e3).unwrap();
    near("hard: as a rigid wheel", hard.sinkage, 0.024585145, 1e-5);
    let soft = ElasticTire { wheel, inflation: 80e3, carcass: 20e3 }.at_load(&soil, 10e3).unwrap();
    near("length", soft.flat, 10e3 / (0.3 * 100e3), 1e-12);
    near("sinkage", soil.curve.pressure(soft.sinkage), 100e3, 1e-9);
    assert!(soft.resistance < hard.resistance);
}

#[test]
fn bulldozing_is_passive_pressure() {
    // smooth and upright: Rankine, ½ K_p ρ g z² + 2 c √K_p z with K_p = 3
    let soil = crate::cutting::ground::soil(30.0, 0.0, 1600.0, 2e3, 0.0);
    let force = 0.3 * (1.5 * 1600.0 * G * 0.04 + 2e3 * 0.2 * 2.0 * libm::sqrt(3.0));
    near("force", resistance::bulldozing(0.3, 0.2, &soil, G), force, 1e-3);
    near("slip sinkage", resistance::slip_sinkage(0.1, 0.5), 0.2, 1e-12);
}
