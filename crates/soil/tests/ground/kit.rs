//! Grounds for tests.

use windlass_soil::Mass;
use windlass_soil::ground::strength::{Strength, StrengthLaw};
use windlass_soil::ground::{
    Heights, Layer, SlipReport, SlipWork, Soil, Stratum, Terrain, TerrainSpec, TerrainState,
};

/// Length of a step [s].
pub const STEP: f64 = 1.0 / 60.0;

/// Dry sand with a friction angle [deg] and a cohesion [Pa].
pub fn sand(friction: f64, cohesion: f64) -> Soil {
    let mut soil = Soil::named("dry_sand").unwrap();
    soil.strength = StrengthLaw::Constant(Strength::new(friction, cohesion));
    soil.steel.friction = 0.5 * friction.to_radians();
    soil
}

/// A flat ground at height 0.
pub fn flat(nodes: [usize; 2], spacing: f64, strata: Vec<Stratum>, soils: Vec<Soil>) -> Terrain {
    let heights = Heights::Flat(0.0);
    let spec = TerrainSpec { origin: [0.0; 2], spacing, nodes, heights, strata, soils, gravity: 9.81 };
    Terrain::new(spec).unwrap()
}

/// Loose soil of a height on a node.
pub fn pile(terrain: &Terrain, state: &mut TerrainState, node: [usize; 2], height: f64) {
    let soil = &terrain.soils()[0];
    let loose = soil.void_ratio.loose;
    let mass = Mass::from_kilograms(soil.dry_density(loose) * terrain.area(node) * height);
    state.put(terrain, node, mass, loose, 0);
}

/// Steps until nothing is active; returns the number of steps.
pub fn relax(terrain: &Terrain, state: &mut TerrainState, most: usize) -> usize {
    let mut work = SlipWork::default();
    for step in 0..most {
        if state.slip(terrain, STEP, &mut work) == SlipReport::default() && state.active_nodes() == 0 {
            return step;
        }
    }
    panic!("{} nodes are still active after {most} steps", state.active_nodes());
}

/// Total mass of layers.
pub fn mass(layers: &[Layer]) -> Mass {
    layers.iter().map(|layer| layer.mass).sum()
}

/// Asserts that a value is within a tolerance of a reference.
pub fn near(value: f64, reference: f64, tolerance: f64, what: &str) {
    let off = (value - reference).abs();
    assert!(off <= tolerance, "{what}: {value}, expected {reference} ± {tolerance}");
}
