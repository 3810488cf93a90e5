//! Soils: strength and checks of parameters.

use super::kit::*;
use crate::cases::case;
use windlass_soil::ground::strength::{Strength, StrengthLaw};
use windlass_soil::ground::{Heights, Soil, Stratum, Terrain, TerrainSpec};

#[test]
fn ew41_peak_friction_of_sand_after_bolton() {
    let plane = StrengthLaw::Bolton { critical: 32_f64.to_radians(), plane_strain: true };
    case("EW41").finds("peak friction angle", plane.at(0.8, 50e3).friction.to_degrees());
    let index = 0.8 * (10.0 - libm::log(50.0)) - 1.0;
    let triaxial = StrengthLaw::Bolton { critical: 32_f64.to_radians(), plane_strain: false };
    near(triaxial.at(0.8, 50e3).friction.to_degrees(), 32.0 + 3.0 * index, 1e-9, "triaxial");
    near(plane.at(0.0, 50e3).friction.to_degrees(), 32.0, 1e-12, "loose");
    near(plane.at(1.0, 1.0).friction.to_degrees(), 52.0, 1e-12, "index at most 4");
}

#[test]
fn strength_between_loose_and_dense_is_linear() {
    let [loose, dense] = [Strength::new(30.0, 1e3), Strength::new(40.0, 5e3)];
    let law = StrengthLaw::Linear { loose, dense };
    let middle = law.at(0.5, 0.0);
    near(middle.friction.to_degrees(), 35.0, 1e-12, "friction");
    near(middle.cohesion, 3e3, 1e-9, "cohesion");
    let mut soil = sand(30.0, 0.0);
    soil.strength = law;
    near(soil.strength(soil.void_ratio.greatest, 0.0, false).cohesion, 1e3, 1e-9, "loose");
    near(soil.strength(soil.void_ratio.least, 0.0, false).cohesion, 5e3, 1e-9, "dense");
    assert_eq!(soil.strength(soil.void_ratio.least, 0.0, true).cohesion, soil.remoulded_cohesion);
    near(dense.shear(10e3), 5e3 + 10e3 * 0.8390996, 1e-3, "shear strength");
}

#[test]
fn named_soils_are_consistent() {
    let densities = [1656.0, 1881.0, 1950.0, 1776.0, 1604.0, 1560.0, 300.0, 1059.0];
    let swells = [1.12, 1.12, 1.12, 1.22, 1.30, 1.43, 1.307, 1.176];
    for ((name, density), swell) in Soil::names().iter().zip(densities).zip(swells) {
        let soil = Soil::named(name).unwrap();
        soil.check().unwrap();
        near(soil.density(soil.void_ratio.bank), density, 0.005 * density, name);
        near(soil.swell(), swell, 0.01, name);
    }
    let error = Soil::named("mud").unwrap_err().to_string();
    assert!(error.contains("\"mud\"") && error.contains("dry_sand"), "{error}");
}

#[test]
fn wrong_parameters_are_reported() {
    let wrong = |change: &dyn Fn(&mut Soil)| {
        let mut soil = Soil::named("loam").unwrap();
        change(&mut soil);
        soil.check().unwrap_err().to_string()
    };
    assert!(wrong(&|s| s.void_ratio.bank = -0.1).contains("void ratio in the bank"));
    assert!(wrong(&|s| s.void_ratio.least = 0.95).contains("exceeds"));
    assert!(wrong(&|s| s.void_ratio.greatest = 0.95).contains("greatest"));
    assert!(wrong(&|s| s.steel.friction = 0.7).contains("steel"));
    assert!(wrong(&|s| s.compression.kappa = 1.0).contains("kappa"));
    assert!(wrong(&|s| s.grain_density = f64::NAN).contains("grains"));
    assert!(wrong(&|s| s.shear_displacement = 0.0).contains("K"));
    let spec = TerrainSpec {
        origin: [0.0; 2],
        spacing: 0.2,
        nodes: [10, 10],
        heights: Heights::Flat(0.0),
        strata: vec![Stratum::new(0, 1.0)],
        soils: vec![sand(33.0, 0.0)],
        gravity: 9.81,
    };
    let refused = |change: &dyn Fn(&mut TerrainSpec)| {
        let mut spec = spec.clone();
        change(&mut spec);
        Terrain::new(spec).unwrap_err().to_string()
    };
    assert!(refused(&|s| s.spacing = 0.0).contains("spacing"));
    assert!(refused(&|s| s.nodes = [1, 5]).contains("nodes"));
    assert!(refused(&|s| s.soils.clear()).contains("soils"));
    assert!(refused(&|s| s.strata[0].soil = 3).contains("soil"));
    assert!(refused(&|s| s.strata[0].thickness = -1.0).contains("stratum 1"));
    assert!(refused(&|s| s.strata[0].void_ratio = Some(0.1)).contains("least"));
    assert!(refused(&|s| s.gravity = 0.0).contains("gravity"));
    let grid = Heights::Grid { origin: [0.0; 2], spacing: [1.0; 2], nodes: [2, 2], values: vec![0.0; 3] };
    assert!(refused(&|s| s.heights = grid.clone()).contains("heights"));
}
