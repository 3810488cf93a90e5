//! EW23, VH32, VH35, VH37: laws of sinkage, unloading and shear.

use super::grounds::*;
use crate::cases::{case, formulas};
use proptest::prelude::*;
use windlass_soil::wheel::*;

#[test]
fn ew23_plate_on_two_soils() {
    let footprint = Footprint::rectangle(0.3, 0.3);
    let clay = SinkageLaw::Bekker { cohesive: 13.19e3, frictional: 692.15e3, exponent: 0.5 };
    let case = case("EW23").variant("formula");
    case.finds("sinkage in dry sand", bekker(DRY_SAND, 0.3).sinkage(10e3 / 0.09));
    case.finds("sinkage in clayey soil", clay.on(footprint).sinkage(10e3 / 0.09));
}

#[test]
fn fv07_plate_of_bekker() {
    let law = SinkageLaw::Bekker { cohesive: 990.0, frictional: 1.528e6, exponent: 1.1 };
    formulas("FV07").finds("sinkage", law.on(Footprint::rectangle(0.5, 0.2)).sinkage(5e3 / 0.1));
}

/// Laws of VH32 (a) to (e).
fn plates() -> [SinkageLaw; 5] {
    let [n, kc, kphi, ..] = LETE_SAND;
    let [m, lc, lphi, ..] = DRY_SAND;
    [
        SinkageLaw::Bekker { cohesive: kc, frictional: kphi, exponent: n },
        SinkageLaw::Reece {
            cohesive: 40.0,
            frictional: 450.0,
            exponent: 0.79,
            cohesion: 1.3e3,
            unit_weight: 15.6e3,
        },
        SinkageLaw::Muskeg { peat: 290e3, mat: 51e3 },
        SinkageLaw::Snow { pressure: [16.3e3, 0.0], depth: [0.33, 0.0] },
        SinkageLaw::Bekker { cohesive: lc, frictional: lphi, exponent: m },
    ]
}

#[test]
fn vh32_plate_on_five_grounds() {
    let case = formulas("VH32");
    for (law, letter) in plates().into_iter().zip(["a", "b", "c", "d", "e"]) {
        let sinkage = law.on(Footprint::rectangle(0.6, 0.3)).sinkage(50e3);
        case.finds(&format!("({letter}) sinkage"), sinkage);
    }
    // (f) the whole load at once: the work of the load is that of the ground
    let curve = bekker(DRY_SAND, 0.3);
    let (mut low, mut high) = (0.05, 0.2);
    for _ in 0..60 {
        let z = 0.5 * (low + high);
        (low, high) = if curve.work(z) < 50e3 * z { (z, high) } else { (low, z) };
    }
    case.finds("(f) deepest", low);
}

#[test]
fn other_forms_of_the_laws_agree() {
    let footprint = Footprint::rectangle(0.6, 0.3);
    let curve = |law: SinkageLaw| law.on(footprint);
    let snow = curve(SinkageLaw::Snow { pressure: [10e3, 20e3], depth: [0.2, 0.03] });
    near("p_w and z_w", snow.pressure(0.1), 16e3 * libm::log(1.5), 1e-12);
    let other = curve(SinkageLaw::PrestonThomas { modulus: 16e3 / 0.3, depth: 0.3 });
    near("Preston-Thomas", other.pressure(0.1), snow.pressure(0.1), 1e-12);
    let bekker = curve(SinkageLaw::Bekker { cohesive: 3e3, frictional: 90e3, exponent: 0.8 });
    let wong = curve(SinkageLaw::Wong { modulus: 100e3, exponent: 0.8 });
    near("one modulus", wong.pressure(0.1), bekker.pressure(0.1), 1e-12);
}

proptest! {
    #[test]
    fn curves_are_consistent(which in 0_usize..5, z in 2e-3..0.6_f64) {
        let curve = plates()[which].on(Footprint::rectangle(0.6, 0.3));
        let p = curve.pressure(z);
        prop_assert!((curve.sinkage(p) - z).abs() < 1e-9, "inverse at {z}: {}", curve.sinkage(p));
        let h = 1e-5 * z;
        let slope = (curve.pressure(z + h) - curve.pressure(z - h)) / (2.0 * h);
        prop_assert!((curve.slope(z) / slope - 1.0).abs() < 1e-4 || (z / 0.33 - 1.0).abs() < 2e-3, "slope at {z}");
        let work = (curve.work(z + h) - curve.work(z - h)) / (2.0 * h);
        prop_assert!((work / p - 1.0).abs() < 1e-4 || (z / 0.33 - 1.0).abs() < 2e-3, "work at {z}: {work} {p}");
    }

    #[test]
    fn shear_laws_are_consistent(which in 0_usize..4, j in 1e-3..0.2_f64) {
        let law = [
            ShearLaw::Exponential { modulus: 0.025 },
            ShearLaw::Peak { at: 0.03 },
            ShearLaw::Hump { at: 0.022, residual: 0.4 },
            ShearLaw::Hump { at: 0.022, residual: 0.9 },
        ][which];
        let h = 1e-5 * j;
        let slope = (law.ratio(j + h) - law.ratio(j - h)) / (2.0 * h);
        prop_assert!((law.slope(j) - slope).abs() < 1e-5 / 0.02, "slope at {j}");
        // the mean is the integral over j
        let integral = |j: f64| j * law.mean(j);
        let ratio = (integral(j + h) - integral(j - h)) / (2.0 * h);
        prop_assert!((law.ratio(j) - ratio).abs() < 1e-5, "mean at {j}");
        prop_assert!(law.ratio(j) <= law.peak().1 * (1.0 + 1e-12));
        prop_assert!((law.secant(j) * j - law.ratio(j)).abs() < 1e-12);
    }
}

#[test]
fn vh35_shear_laws() {
    let laws = [
        ShearLaw::Exponential { modulus: 0.02 },
        ShearLaw::Peak { at: 0.02 },
        ShearLaw::Hump { at: 0.02, residual: 0.4 },
    ];
    let case = formulas("VH35");
    for x in [0.5, 1.0, 3.0] {
        let ratios = laws.map(|law| law.ratio(0.02 * x));
        case.finds(&format!("exponential, Wong, hump at {x}"), ratios);
    }
    let (at, largest) = laws[2].peak();
    case.finds("hump: place and size of the largest", [at / 0.02, largest]);
}

#[test]
fn vh37_pressing_again() {
    let soil = soil(DRY_SAND, 0.3);
    let mut rut = Rut::default();
    let steps = [
        (60e3, "sinkage under 60 kPa"),
        (0.0, "left after unloading"),
        (40e3, "under 40 kPa again"),
        (60e3, "under 60 kPa again"),
        (90e3, "under 90 kPa"),
    ];
    let case = formulas("VH37");
    for (pressure, name) in steps {
        let z = soil.sinkage(pressure, &rut);
        case.finds(name, z);
        rut = soil.pressed(z, &rut);
        near("pressure at it", soil.pressure(z, &rut) + 1.0, pressure + 1.0, 1e-6);
    }
    near("surface", soil.surface(&rut), soil.sinkage(0.0, &rut), 1e-12);
}

#[test]
fn unloading_never_gives_back_more_than_loading_took() {
    // A_u of a deep press is too soft for a shallow one
    let soil = soil(LETE_SAND, 0.3);
    let rut = soil.pressed(soil.curve.sinkage(60e3), &Rut::default());
    assert!(soil.surface(&rut) >= 0.0, "{}", soil.surface(&rut));
    near("stiffness", soil.unloading_stiffness(&rut), rut.pressure / rut.depth, 1e-9);
    let usual = SoftSoil { unloading: Unloading::default(), ..soil };
    near("a tenth comes back", usual.surface(&rut) / rut.depth, 0.9, 1e-12);
}
