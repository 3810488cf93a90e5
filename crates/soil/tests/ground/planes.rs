//! Cohesive slopes fail on planes, at a height that does not depend on the cell.

use super::kit::*;
use crate::cases::case;
use windlass_soil::Mass;
use windlass_soil::ground::strength::{Strength, StrengthLaw};
use windlass_soil::ground::{Ground, Layer, SlipWork, Soil, Terrain, TerrainState};

/// Cohesive soil with a bulk density of 1800 kg/m³.
fn cohesive(friction: f64, cohesion: f64) -> Soil {
    let mut soil = sand(friction, cohesion);
    soil.grain_density = 1800.0 * (1.0 + soil.void_ratio.bank);
    soil.strength = StrengthLaw::Constant(Strength::new(friction, cohesion));
    soil
}

/// Height of a block in bank state with a face at an angle [deg] at which it fails, raised by 2 cm until it does.
/// `across` makes the face run diagonally to the grid.
fn failing_height(soil: &Soil, cell: f64, angle: f64, from: f64, to: f64) -> f64 {
    let depth = to * 2.2;
    let columns = ((depth + to / libm::tan(angle.to_radians())) / cell) as usize + 8;
    let terrain = flat([columns, 4], cell, vec![], vec![soil.clone()]);
    let slope = libm::tan(angle.to_radians());
    let mut low = from;
    while low < to {
        let mut state = TerrainState::default();
        for j in 0..4 {
            for i in 4..columns {
                let run = (i as f64 - 4.0 + if angle < 89.0 { 0.5 } else { 1.0 }) * cell;
                let height = if angle < 89.0 { low.min(run * slope) } else { low };
                bank(&terrain, &mut state, [i, j], height);
            }
        }
        let mut work = SlipWork::default();
        let failed: usize = (0..10).map(|_| state.slip(&terrain, STEP, &mut work).failed).sum();
        if failed > 0 {
            return low;
        }
        low += 0.02;
    }
    panic!("no height up to {to} m failed");
}

/// Every cut above the height that stands fails, whatever rounding makes of its height.
#[test]
fn higher_cuts_fail_too() {
    let soil = cohesive(30.0, 10e3);
    for k in 0..40 {
        let from = 4.05 + 0.0131 * f64::from(k);
        failing_height(&soil, 0.2, 90.0, from, from + 0.01);
    }
}

/// Undisturbed soil of a height on a node.
fn bank(terrain: &Terrain, state: &mut TerrainState, node: [usize; 2], height: f64) {
    let soil = &terrain.soils()[0];
    let ratio = soil.void_ratio.bank;
    let mass = Mass::from_kilograms(soil.dry_density(ratio) * terrain.area(node) * height);
    state.lay(terrain, node, Layer { remoulded: false, ..Layer::dumped(mass, ratio, 0) });
}

#[test]
fn ew16_an_upright_cut_stands_to_the_height_of_culmann() {
    for cell in [0.1, 0.2] {
        let case = case("EW16").variant(format!("cells of {cell} m"));
        let height = failing_height(&cohesive(30.0, 10e3), cell, 90.0, 3.5, 4.4);
        case.finds("height with 10 kPa and 30°", height);
        let height = failing_height(&cohesive(0.0, 20e3), cell, 90.0, 4.1, 5.0);
        case.finds("height with 20 kPa and 0°", height);
    }
}

#[test]
fn ew17_a_slope_of_sixty_degrees_stands_to_the_height_of_culmann() {
    for cell in [0.2, 0.4] {
        let height = failing_height(&cohesive(30.0, 10e3), cell, 60.0, 11.5, 14.0);
        case("EW17").variant(format!("cells of {cell} m")).finds("height", height);
    }
}

/// A cut that is too high fails, its soil comes to rest at the slope of loose soil, and what stands behind it holds.
#[test]
fn a_failed_cut_comes_to_rest() {
    let soil = cohesive(30.0, 10e3);
    let terrain = flat([60, 12], 0.2, vec![], vec![soil]);
    let mut state = TerrainState::default();
    for j in 0..12 {
        for i in 30..60 {
            bank(&terrain, &mut state, [i, j], 5.0);
        }
    }
    let before = state.mass(&terrain);
    let steps = relax(&terrain, &mut state, 4000);
    assert!(steps > 30, "it fell for {steps} steps");
    assert_eq!(state.mass(&terrain), before);
    let ground = Ground::new(&terrain, &state);
    let toe = ground.height([29, 6]);
    assert!(toe > 0.5, "nothing fell: {toe}");
    assert!((ground.height([59, 6]) - 5.0).abs() < 1e-5, "the crest far behind has moved");
    assert!(ground.top([28, 6]).unwrap().remoulded);
}

/// A cut that is low enough stands, whatever the cell.
#[test]
fn a_low_cut_stands() {
    for cell in [0.05, 0.2] {
        let terrain = flat([40, 8], cell, vec![], vec![cohesive(30.0, 10e3)]);
        let mut state = TerrainState::default();
        for j in 0..8 {
            for i in 20..40 {
                bank(&terrain, &mut state, [i, j], 3.0);
            }
        }
        let copy = state.clone();
        let mut work = SlipWork::default();
        for _ in 0..20 {
            let report = state.slip(&terrain, STEP, &mut work);
            assert_eq!((report.failed, report.moved), (0, Mass::ZERO));
        }
        assert_eq!(state.mass(&terrain), copy.mass(&terrain));
        assert_eq!(state.active_nodes(), 0);
    }
}
