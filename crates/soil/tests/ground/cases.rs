//! Heaps, ridges and trenches of soil without cohesion.

use super::kit::*;
use crate::cases::case;
use windlass_soil::Mass;
use windlass_soil::ground::{Ground, SlipReport, SlipWork, Stratum, Terrain, TerrainState};

/// Slope of a heap along a direction from its middle [deg], between 15 % and 85 % of its height: least squares.
fn slope(ground: Ground<'_>, middle: [f64; 2], angle: f64) -> f64 {
    let peak = ground.surface(middle[0], middle[1]).height;
    let (sin, cos) = libm::sincos(angle.to_radians());
    let points: Vec<(f64, f64)> = (0..4000)
        .map(|k| 0.002 * f64::from(k))
        .map(|r| (r, ground.surface(middle[0] + r * cos, middle[1] + r * sin).height))
        .filter(|(_, h)| *h > 0.15 * peak && *h < 0.85 * peak)
        .collect();
    let n = points.len() as f64;
    let (sx, sy) = points.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
    let (mx, my) = (sx / n, sy / n);
    let covariance: f64 = points.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    let variance: f64 = points.iter().map(|p| (p.0 - mx) * (p.0 - mx)).sum();
    -libm::atan(covariance / variance).to_degrees()
}

/// Height of the cone of a volume and a slope [deg].
fn cone(volume: f64, slope: f64) -> f64 {
    let t = libm::tan(slope.to_radians());
    libm::cbrt(3.0 * volume * t * t / std::f64::consts::PI)
}

/// A column of sand 4 m high within 1 m of the middle, on rock, after it has slipped.
fn heap(cell: f64, nodes: usize) -> (Terrain, TerrainState, [f64; 2]) {
    let terrain = flat([nodes, nodes], cell, vec![], vec![sand(35.0, 0.0)]);
    let mut state = TerrainState::default();
    let middle = nodes / 2;
    for j in 0..nodes {
        for i in 0..nodes {
            let (x, y) = (i as f64 - middle as f64, j as f64 - middle as f64);
            if libm::hypot(x, y) * cell <= 1.0 + 1e-9 {
                pile(&terrain, &mut state, [i, j], 4.0);
            }
        }
    }
    relax(&terrain, &mut state, 4000);
    (terrain, state, [middle as f64 * cell; 2])
}

#[test]
fn ew14_a_heap_is_a_cone() {
    for (cell, nodes) in [(0.2, 81), (0.1, 121)] {
        let case = case("EW14").variant(format!("cells of {cell} m"));
        let (terrain, state, middle) = heap(cell, nodes);
        let ground = Ground::new(&terrain, &state);
        let volume = state.volumes(&terrain).change();
        let peak = ground.surface(middle[0], middle[1]).height;
        if nodes == 81 {
            near(volume, 12.96, 1e-3, "volume");
            case.finds("height", peak);
        }
        near(peak, cone(volume, 35.0), 0.03 * peak, "height of the cone of its volume");
        let slopes = |angles: &[f64]| angles.iter().map(|a| slope(ground, middle, *a)).collect::<Vec<_>>();
        case.stays("slope along an axis", slopes(&[0.0, 90.0, 180.0, 270.0]));
        case.stays("slope at 22.5° and 45° to it", slopes(&[22.5, 45.0, 67.5, 112.5, 135.0, 225.0]));
    }
}

#[test]
fn ew15_a_wall_becomes_a_ridge() {
    let (cell, nodes) = (0.05, [161, 3]);
    let terrain = flat(nodes, cell, vec![], vec![sand(30.0, 0.0)]);
    let mut state = TerrainState::default();
    for j in 0..nodes[1] {
        // 30 columns make 1.5 m; half a column at either end keeps the middle on a node
        for i in 65..=95 {
            pile(&terrain, &mut state, [i, j], if i == 65 || i == 95 { 1.0 } else { 2.0 });
        }
    }
    relax(&terrain, &mut state, 6000);
    let ground = Ground::new(&terrain, &state);
    let case = case("EW15");
    case.finds("height", ground.height([80, 1]));
    let middle = [80.0 * cell, cell];
    case.stays("slope", [0.0, 180.0].map(|angle| slope(ground, middle, angle)));
}

#[test]
fn ew19_a_trench_swells_to_a_heap() {
    let mut soil = sand(33.0, 0.0);
    (soil.void_ratio.bank, soil.void_ratio.loose, soil.void_ratio.greatest) = (0.45, 0.75, 0.75);
    let case = case("EW19");
    case.finds("swell factor", soil.swell());
    let terrain = flat([81, 121], 0.2, vec![Stratum::new(0, 3.0)], vec![soil]);
    let mut state = TerrainState::default();
    let mut dug = Vec::new();
    // 10 × 1 m: 50 × 5 columns
    for j in 5..10 {
        for i in 15..65 {
            state.take_above(&terrain, [i, j], -1.5, &mut dug);
        }
    }
    near(state.volumes(&terrain).cut, 15.0, 1e-6, "dug volume");
    let total = mass(&dug);
    assert_eq!(state.mass(&terrain) + total, terrain.mass());
    // beside it, on level ground of its own so that the trench does not draw on it
    let terrain = flat([101, 101], 0.2, vec![], terrain.soils().to_vec());
    let mut state = TerrainState::default();
    let each = Mass(total.0 / 81);
    for k in 0..81 {
        state.put(&terrain, [46 + k % 9, 46 + k / 9], each, 0.75, 0);
    }
    case.finds("loose volume", state.volumes(&terrain).fill);
    relax(&terrain, &mut state, 4000);
    case.finds("loose volume", state.volumes(&terrain).fill);
    case.finds("height of the heap", Ground::new(&terrain, &state).height([50, 50]));
    assert_eq!(state.mass(&terrain), Mass(81 * each.0));
}

/// Digs a box, carries the soil 5 m and dumps it, there and back, with slips between.
#[test]
fn ew18_no_quantum_is_lost_in_a_hundred_cycles() {
    let soils = vec![sand(33.0, 0.0), windlass_soil::ground::Soil::named("topsoil").unwrap()];
    let strata = vec![Stratum::new(1, 0.3), Stratum::new(0, 2.0)];
    let terrain = flat([50, 40], 0.2, strata, soils);
    let mut state = TerrainState::default();
    let (mut work, mut pot) = (SlipWork::default(), Vec::new());
    let (mut moved, mut slipped) = (Mass::ZERO, Mass::ZERO);
    for cycle in 0..100 {
        let (from, to) = if cycle % 2 == 0 { (8, 33) } else { (33, 8) };
        let change = state.volumes(&terrain).change();
        pot.clear();
        for k in 0..25 {
            let node = [from + k % 5, 17 + k / 5];
            let height = Ground::new(&terrain, &state).height(node) - 0.5;
            state.take_above(&terrain, node, height, &mut pot);
        }
        moved += mass(&pot);
        assert_eq!(state.mass(&terrain) + mass(&pot), terrain.mass());
        for (k, layer) in pot.iter().enumerate() {
            let loose = terrain.soil(layer).void_ratio.loose;
            state.put(&terrain, [to + k % 5, 17 + k / 5 % 5], layer.mass, loose, layer.soil);
        }
        for _ in 0..20 {
            slipped += state.slip(&terrain, STEP, &mut work).moved;
        }
        assert_eq!(state.mass(&terrain), terrain.mass());
        assert!(change.is_finite());
    }
    assert!(moved.kilograms() > 5e4 && slipped.kilograms() > 1e4, "{moved:?} {slipped:?}");
    let case = case("EW18").variant("columns");
    case.finds("change of mass", (state.mass(&terrain).0 - terrain.mass().0) as f64);
    let read = state.mass(&terrain).kilograms() - terrain.mass().kilograms();
    case.finds("change of the mass that is read, over the mass moved", read / moved.kilograms());
    let rows = |state: &TerrainState| -> f64 {
        let ground = Ground::new(&terrain, state);
        let nodes = (0..40).flat_map(|j| (0..50).map(move |i| [i, j]));
        nodes.map(|node| ground.height(node) * terrain.area(node)).sum()
    };
    near(rows(&state), state.volumes(&terrain).change(), 1e-5, "volume below the surface");
}

/// After a fall has come to rest, no edge of the whole ground is steeper than where slips start.
#[test]
fn no_edge_of_resting_ground_fails() {
    let (terrain, state, _) = heap(0.2, 81);
    let ground = Ground::new(&terrain, &state);
    let start = libm::tan(35.3_f64.to_radians());
    let mut steepest: f64 = 0.0;
    for j in 0..80_usize {
        for i in 1..80_usize {
            for (di, dj) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let other = [i.wrapping_add_signed(di), j.wrapping_add_signed(dj)];
                let run = 0.2 * libm::hypot(di as f64, dj as f64);
                steepest = steepest.max((ground.height([i, j]) - ground.height(other)).abs() / run);
            }
        }
    }
    assert!(steepest <= start + 1e-6, "{steepest} > {start}");
    assert!(steepest > libm::tan(34.0_f64.to_radians()), "it never slipped: {steepest}");
}

/// Ground at rest costs nothing; a hole costs its tiles, whatever the size of the ground.
#[test]
fn ew42_cost_grows_with_active_tiles_only() {
    let terrain = flat([5001, 5001], 0.2, vec![Stratum::new(0, 5.0)], vec![sand(33.0, 0.0)]);
    let (mut state, mut work) = (TerrainState::default(), SlipWork::default());
    assert_eq!(state.slip(&terrain, STEP, &mut work), SlipReport::default());
    assert_eq!((state.tiles(), state.bytes()), (0, 0));
    state.take_above(&terrain, [2500, 2500], -1.0, &mut Vec::new());
    let mut visited = 0;
    for _ in 0..2000 {
        let report = state.slip(&terrain, STEP, &mut work);
        visited += report.visited;
        assert!(report.tiles <= 4 * report.sweeps, "{report:?}");
    }
    assert!(visited > 100, "nothing slipped");
    assert_eq!(state.slip(&terrain, STEP, &mut work), SlipReport::default());
    assert!(state.tiles() <= 4 && state.bytes() < 300_000, "{} tiles", state.tiles());
}
