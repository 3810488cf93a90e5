//! Compression and the stress below a load.

use super::kit::*;
use crate::cases::case;
use windlass_soil::Mass;
use windlass_soil::ground::compaction::{Compression, Consolidation, Load};
use windlass_soil::ground::{Ground, Soil, Stratum, Terrain, TerrainState};

#[test]
fn ew20_void_ratio_follows_the_virgin_and_the_reload_line() {
    let law = Compression { lambda: 0.10, kappa: 0.01 };
    let path = [
        (50e3, "e at 50 kPa"),
        (100e3, "e at 100 kPa"),
        (200e3, "e at 200 kPa"),
        (50e3, "e back at 50 kPa"),
        (200e3, "e again at 200 kPa"),
        (400e3, "e at 400 kPa"),
    ];
    let case = case("EW20");
    let mut state = Consolidation { void_ratio: 0.90, stress: 20e3, preconsolidation: 80e3 };
    for (stress, name) in path {
        state = law.load(state, stress);
        case.finds(name, state.void_ratio);
        assert_eq!(state.preconsolidation, stress.max(state.preconsolidation));
    }
    // the largest load alone decides
    let start = Consolidation { void_ratio: 0.90, stress: 20e3, preconsolidation: 80e3 };
    let at_once = law.load(start, 400e3);
    near(at_once.void_ratio, state.void_ratio, 1e-12, "void ratio by one load");
}

/// 2 m of normally consolidated soil in 40 strata, or overconsolidated.
fn strata(overconsolidation: f64) -> Terrain {
    let mut soil = Soil::named("dry_sand").unwrap();
    soil.compression = Compression { lambda: 0.08, kappa: 0.008 };
    (soil.void_ratio.least, soil.void_ratio.bank) = (0.2, 0.79);
    (soil.void_ratio.loose, soil.void_ratio.greatest) = (0.90, 0.90);
    let stratum = Stratum { void_ratio: Some(0.80), overconsolidation, ..Stratum::new(0, 0.05) };
    flat([5, 5], 0.2, vec![stratum; 40], vec![soil])
}

#[test]
fn ew21_layers_settle_under_a_plate_all_over() {
    let case = case("EW21");
    for (ratio, name) in [(1.0, "settlement, p_c the own weight"), (4.0, "settlement, p_c four times that")] {
        let terrain = strata(ratio);
        let mut state = TerrainState::default();
        let load = Load::everywhere(50e3);
        let elastic = state.elastic_settlement(&terrain, [2, 2], &load);
        case.finds("recovered without the load", elastic);
        let stays = state.press(&terrain, [2, 2], &load);
        case.finds(name, stays + elastic);
        near(Ground::new(&terrain, &state).height([2, 2]), -stays, 1e-6, "height");
        assert_eq!(state.mass(&terrain), terrain.mass());
        // the same load once more settles nothing; twice the load does
        near(state.press(&terrain, [2, 2], &load), 0.0, 1e-3 * stays, "second pass");
        assert!(state.press(&terrain, [2, 2], &Load::everywhere(100e3)) > 0.01);
    }
}

/// One stratum settles as forty do: p and p_c are linear over a layer.
#[test]
fn ew21_settlement_does_not_depend_on_the_number_of_layers() {
    let fine = strata(1.0);
    let mut spec = fine.spec().clone();
    spec.strata = vec![Stratum { thickness: 2.0, ..spec.strata[0].clone() }];
    let coarse = Terrain::new(spec).unwrap();
    let settled = |terrain: &Terrain| TerrainState::default().press(terrain, [2, 2], &Load::everywhere(50e3));
    near(settled(&coarse), settled(&fine), 2e-3 * settled(&fine), "settlement");
}

#[test]
fn ew22_stress_spreads_two_to_one() {
    let load = Load { stress: 20e3 / (0.6 * 1.2), width: 0.6, length: 1.2 };
    case("EW22").finds("stress", load.at(1.0));
    near(load.at(0.0), load.stress, 1e-9, "stress at the surface");
}

/// Passes of a narrow load converge, compact the soil near the surface most, and never below the least void ratio.
#[test]
fn ew26_passes_converge() {
    let soil = Soil::named("loam").unwrap();
    let least = soil.void_ratio.least;
    let terrain = flat([9, 9], 0.05, vec![Stratum::new(0, 3.0)], vec![soil]);
    let mut state = TerrainState::default();
    let load = Load { stress: 80e3, width: 0.3, length: 0.6 };
    let first = state.press(&terrain, [4, 4], &load);
    assert!(first > 0.005 && first < 0.5, "{first}");
    let second = state.press(&terrain, [4, 4], &load);
    let third = state.press(&terrain, [4, 4], &load);
    assert!(second < 0.05 * first && third < 0.02 * first, "{first} {second} {third}");
    let ground = Ground::new(&terrain, &state);
    let ratios: Vec<f64> = ground.layers([4, 4]).map(|layer| layer.void_ratio).collect();
    assert!(ratios.len() > 3 && ratios.is_sorted(), "{ratios:?}");
    assert!(ratios[0] >= least - 1e-6);
    let change = (state.mass(&terrain).0 - terrain.mass().0) as f64;
    case("EW26").variant("pressed columns").finds("change of mass of the ground", change);
    // fresh soil on the road is soft again
    let deep = state.press(&terrain, [4, 4], &Load { stress: 1e9, ..load });
    assert!(deep > 0.0);
    let densest = Ground::new(&terrain, &state).top([4, 4]).unwrap().void_ratio;
    near(densest, least, 1e-6, "void ratio of the crust");
}

/// Dumped soil compacts, regains its cohesion, and is firm to the same load.
#[test]
fn dumped_soil_is_soft_until_it_is_pressed() {
    let soil = Soil::named("clay").unwrap();
    let (loose, bank) = (soil.void_ratio.loose, soil.void_ratio.bank);
    let terrain = flat([9, 9], 0.2, vec![], vec![soil]);
    let mut state = TerrainState::default();
    state.put(&terrain, [4, 4], Mass::from_kilograms(20.0), loose, 0);
    let top = Ground::new(&terrain, &state).top([4, 4]).unwrap();
    assert!(top.remoulded && terrain.strength(&top, 0.0).cohesion < 1e3);
    let height = Ground::new(&terrain, &state).height([4, 4]);
    let settled = state.press(&terrain, [4, 4], &Load::everywhere(300e3));
    let top = Ground::new(&terrain, &state).top([4, 4]).unwrap();
    assert!(top.void_ratio < 0.5 * (loose + bank) && !top.remoulded, "{top:?}");
    near(Ground::new(&terrain, &state).height([4, 4]), height - settled, 1e-6, "height");
}
