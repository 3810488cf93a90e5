//! Cost of slips: time per active node and sweep while a field of heaps flows, and of a step of ground at rest.
//!
//! ```sh
//! cargo run --release -p windlass-soil --example slips
//! ```

use std::time::Instant;
use windlass_soil::Mass;
use windlass_soil::ground::{Heights, SlipWork, Soil, Stratum, Terrain, TerrainSpec, TerrainState};

const STEP: f64 = 1.0 / 60.0;

fn main() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the pool is not in use yet");
    for cohesive in [false, true] {
        let terrain = terrain(cohesive);
        let mut state = TerrainState::default();
        heaps(&terrain, &mut state);
        let mut work = SlipWork::default();
        let (mut visited, mut sweeps, mut nanoseconds) = (0, 0, 0);
        for step in 0..120 {
            let start = Instant::now();
            let report = state.slip(&terrain, STEP, &mut work);
            if step >= 20 {
                nanoseconds += start.elapsed().as_nanos();
                visited += report.visited;
                sweeps += report.sweeps;
            }
        }
        println!(
            "{}: {} active nodes, {:.1} sweeps and {:.2} ms per step, {:.1} ns per active node and sweep",
            if cohesive { "sand on loam" } else { "sand" },
            visited / sweeps,
            sweeps as f64 / 100.0,
            nanoseconds as f64 / 1e8,
            nanoseconds as f64 / visited as f64
        );
        let mut steps = 0;
        while state.active_nodes() > 0 && steps < 20_000 {
            state.slip(&terrain, STEP, &mut work);
            steps += 1;
        }
        for j in 50..250 {
            (50..250).for_each(|i| state.wake(&terrain, [i, j]));
        }
        let start = Instant::now();
        let visited = state.slip(&terrain, STEP, &mut work).visited;
        let each = start.elapsed().as_secs_f64() * 1e9 / visited as f64;
        println!("at rest, woken: {visited} active nodes, {each:.1} ns per active node and sweep");
        for _ in 0..100 {
            state.slip(&terrain, STEP, &mut work);
        }
        let start = Instant::now();
        let moved: Mass = (0..1000).map(|_| state.slip(&terrain, STEP, &mut work).moved).sum();
        assert_eq!(moved, Mass::ZERO);
        println!("at rest after {steps} steps: {:.3} µs per step", start.elapsed().as_secs_f64() * 1e3);
    }
}

/// 60 × 60 m in cells of 0.2 m.
fn terrain(cohesive: bool) -> Terrain {
    let names = if cohesive { ["dry_sand", "loam"] } else { ["dry_sand", "gravel"] };
    let spec = TerrainSpec {
        origin: [0.0; 2],
        spacing: 0.2,
        nodes: [301, 301],
        heights: Heights::Flat(0.0),
        strata: vec![Stratum::new(1, 2.0)],
        soils: names.map(|name| Soil::named(name).expect("a known soil")).to_vec(),
        gravity: 9.81,
    };
    Terrain::new(spec).expect("a valid ground")
}

/// Columns of sand, 2 m high and 1.6 m wide, every 3.2 m.
fn heaps(terrain: &Terrain, state: &mut TerrainState) {
    let loose = terrain.soils()[0].void_ratio.loose;
    for j in 40..260_usize {
        for i in 40..260_usize {
            if i % 16 < 8 && j % 16 < 8 {
                let mass = terrain.soils()[0].dry_density(loose) * terrain.area([i, j]) * 2.0;
                state.put(terrain, [i, j], Mass::from_kilograms(mass), loose, 0);
            }
        }
    }
}
