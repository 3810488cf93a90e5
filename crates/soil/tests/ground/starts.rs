//! Grounds whose heights do not stand: slopes of the model slide, and ground that stands has no state.

use super::kit::*;
use windlass_soil::ground::{
    Heights, SlipReport, SlipWork, Soil, Stratum, Terrain, TerrainSpec, TerrainState,
};

/// A ground of 41 × 41 nodes with a spacing of 0.2 m and some height.
fn shaped(soil: &str, height: impl Fn(f64, f64) -> f64) -> Terrain {
    let (nodes, spacing) = ([41, 41], 0.2);
    let at = |k: usize| (k as f64 - 20.0) * spacing;
    let values = (0..nodes[0] * nodes[1]).map(|k| height(at(k % nodes[0]), at(k / nodes[0]))).collect();
    let origin = [at(0); 2];
    let heights = Heights::Grid { origin, spacing: [spacing; 2], nodes, values };
    Terrain::new(TerrainSpec {
        origin,
        spacing,
        nodes,
        heights,
        strata: vec![Stratum::new(0, 8.0)],
        soils: vec![Soil::named(soil).unwrap()],
        gravity: 9.81,
    })
    .unwrap()
}

/// Lets it slip for some time; the report of the first step.
fn run(terrain: &Terrain, state: &mut TerrainState, time: f64) -> SlipReport {
    let mut work = SlipWork::default();
    let first = state.slip(terrain, STEP, &mut work);
    for _ in 1..(time / STEP) as usize {
        state.slip(terrain, STEP, &mut work);
    }
    first
}

/// A ridge along y with faces of a slope up to a height.
fn ridge(slope: f64, height: f64) -> impl Fn(f64, f64) -> f64 {
    move |x, _| (height + 0.3 * slope - slope * x.abs()).clamp(0.0, height)
}

#[test]
fn a_steep_ridge_of_sand_slides() {
    let terrain = shaped("dry_sand", ridge(2.0, 1.2));
    let mut state = TerrainState::at_start(&terrain);
    assert!(state.active_nodes() > 0);
    let mass = state.mass(&terrain);
    run(&terrain, &mut state, 6.0);
    assert_eq!(state.mass(&terrain), mass);
    assert_eq!(state.active_nodes(), 0, "it still flows");
    let height = |i: usize| state.height(&terrain, [i, 20]);
    let steepest = (0..40).map(|i| ((height(i + 1) - height(i)) / 0.2).abs()).fold(0.0, f64::max);
    let friction = libm::atan(steepest).to_degrees();
    assert!((32.0..33.6).contains(&friction), "{friction} degrees");
    assert!(height(20) < 1.0, "{} m", height(20));
}

#[test]
fn ground_that_stands_has_no_state() {
    let grounds = [
        shaped("dry_sand", |_, _| 0.4),
        shaped("dry_sand", |x, y| 0.3 * x - 0.2 * y),
        // a bank of clay below the height at which it fails
        shaped("clay", |x, _| if x > 0.0 { 2.0 } else { 0.0 }),
    ];
    for terrain in &grounds {
        let mut state = TerrainState::at_start(terrain);
        assert_eq!((state.tiles(), state.active_nodes()), (0, 0));
        assert_eq!(run(terrain, &mut state, 0.1), SlipReport::default());
        assert_eq!(state.tiles(), 0);
    }
}

#[test]
fn a_bank_of_clay_that_is_too_high_fails() {
    let clay = Soil::named("clay").unwrap();
    let bank = |height: f64| shaped("clay", move |x, _| if x > 0.0 { height } else { 0.0 });
    let strength = clay.strength(clay.void_ratio.bank, 0.0, false);
    let upright = strength.critical_height(clay.density(clay.void_ratio.bank) * 9.81);
    for (part, fails) in [(0.9, false), (1.1, true)] {
        let terrain = bank(part * upright);
        let mut state = TerrainState::at_start(&terrain);
        assert_eq!(state.tiles() > 0, fails, "{part} of {upright} m");
        let report = run(&terrain, &mut state, 2.0);
        assert_eq!(report.failed > 0, fails, "{part} of {upright} m");
        let top = state.height(&terrain, [21, 20]);
        assert_eq!(top < 0.9 * part * upright, fails, "{top} m of {upright} m");
    }
}

/// A square kilometre with a heap: only the tiles of the heap come into being.
#[test]
fn only_what_fails_comes_into_being() {
    let (nodes, spacing) = ([1001, 1001], 1.0);
    let height = |i: usize, j: usize| if i.abs_diff(300) < 4 && j.abs_diff(700) < 4 { 5.0 } else { 0.0 };
    let values = (0..1001 * 1001).map(|k| height(k % 1001, k / 1001)).collect();
    let heights = Heights::Grid { origin: [0.0; 2], spacing: [spacing; 2], nodes, values };
    let terrain = Terrain::new(TerrainSpec {
        origin: [0.0; 2],
        spacing,
        nodes,
        heights,
        strata: vec![Stratum::new(0, 8.0)],
        soils: vec![Soil::named("dry_sand").unwrap()],
        gravity: 9.81,
    })
    .unwrap();
    let mut state = TerrainState::at_start(&terrain);
    assert!(state.tiles() > 0 && state.tiles() <= 4, "{} tiles", state.tiles());
    run(&terrain, &mut state, 3.0);
    assert!(state.tiles() <= 9, "{} tiles", state.tiles());
    assert!(state.height(&terrain, [300, 700]) < 5.0);
}
