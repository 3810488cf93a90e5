//! Columns: mass and height through digging, dumping and joining.

use super::kit::*;
use proptest::prelude::*;
use windlass_soil::Mass;
use windlass_soil::ground::compaction::Load;
use windlass_soil::ground::{Ground, Heights, Soil, Stratum, Terrain, TerrainSpec, TerrainState};

fn mixed() -> Terrain {
    let soils = ["dry_sand", "clay", "topsoil"].map(|name| Soil::named(name).unwrap()).to_vec();
    flat([5, 5], 0.2, vec![Stratum::new(2, 0.3), Stratum::new(0, 0.5), Stratum::new(1, 2.0)], soils)
}

/// What is done to a column.
#[derive(Clone, Debug)]
enum Change {
    Put(f64, f64, u8),
    Take(f64),
    Press(f64),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (1e-3_f64..5.0, 0.0..1.0, 0_u8..3).prop_map(|(m, e, s)| Change::Put(m, e, s)),
        (0.0..0.4).prop_map(Change::Take),
        (1e3..1e5).prop_map(Change::Press),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever is done to a column, its mass is kept to the quantum and its height follows from what was put and taken, though
    /// layers are joined.
    #[test]
    fn mass_and_height_are_kept_when_layers_are_joined(changes in prop::collection::vec(change(), 1..60)) {
        let terrain = mixed();
        let (node, area) = ([2, 2], terrain.area([2, 2]));
        let mut state = TerrainState::default();
        let (mut balance, mut height) = (Mass::ZERO, 0.0);
        for change in changes {
            match change {
                Change::Put(kilograms, part, soil) => {
                    let parameters = &terrain.soils()[usize::from(soil)];
                    let range = parameters.void_ratio;
                    let void_ratio = range.bank + part * (range.greatest - range.bank);
                    let mass = Mass::from_kilograms(kilograms);
                    state.put(&terrain, node, mass, void_ratio, soil);
                    balance += mass;
                    height += mass.kilograms() / (parameters.dry_density(void_ratio) * area);
                }
                Change::Take(depth) => {
                    let to = height - depth;
                    balance -= state.take_above(&terrain, node, to, &mut Vec::new());
                    height = height.min(to.max(-2.8));
                }
                Change::Press(stress) => {
                    height -= state.press(&terrain, node, &Load { stress, width: 0.3, length: 0.5 });
                }
            }
            prop_assert_eq!(state.mass(&terrain), terrain.mass() + balance);
            let ground = Ground::new(&terrain, &state);
            prop_assert!((ground.height(node) - height).abs() < 2e-5, "{} {height}", ground.height(node));
            let total: Mass = ground.layers(node).map(|layer| layer.mass).sum();
            prop_assert_eq!(total + Mass(-balance.0), total - balance);
            let ok = ground.layers(node).all(|layer| layer.mass > Mass::ZERO && layer.void_ratio > 0.0);
            prop_assert!(ok, "a layer without mass or with a negative void ratio");
            height = ground.height(node);
        }
    }
}

/// Areas of columns are the integrals of the hat functions: the surface and the columns have one volume.
#[test]
fn columns_have_the_volume_below_the_triangles() {
    let terrain = flat([5, 4], 0.5, vec![], vec![sand(33.0, 0.0)]);
    for j in 0..4 {
        for i in 0..5 {
            let mut state = TerrainState::default();
            pile(&terrain, &mut state, [i, j], 1.0);
            let ground = Ground::new(&terrain, &state);
            // midpoint rule on a grid that the triangles divide evenly
            let n = 240;
            let (dx, dy) = (2.0 / f64::from(n), 1.5 / f64::from(n));
            let cells = (0..n * n).map(|k| (f64::from(k % n) + 0.5, f64::from(k / n) + 0.5));
            let volume: f64 = cells.map(|(u, v)| ground.surface(u * dx, v * dy).height * dx * dy).sum();
            near(volume, terrain.area([i, j]), 2e-4, "volume of a hat");
            near(state.volumes(&terrain).fill, terrain.area([i, j]), 1e-6, "volume of its column");
        }
    }
}

#[test]
fn the_surface_is_two_triangles_per_cell() {
    let values = vec![0.0, 1.0, 2.0, 5.0];
    let heights = Heights::Grid { origin: [0.0; 2], spacing: [1.0; 2], nodes: [2, 2], values };
    let spec = TerrainSpec {
        origin: [0.0; 2],
        spacing: 1.0,
        nodes: [2, 2],
        heights,
        strata: vec![],
        soils: vec![sand(33.0, 0.0)],
        gravity: 9.81,
    };
    let terrain = Terrain::new(spec).unwrap();
    let state = TerrainState::default();
    let ground = Ground::new(&terrain, &state);
    near(ground.surface(0.75, 0.25).height, 0.75 + 0.25 * 4.0, 1e-12, "lower triangle");
    near(ground.surface(0.25, 0.75).height, 0.75 * 2.0 + 0.25 * 3.0, 1e-12, "upper triangle");
    near(ground.surface(0.5, 0.5).height, 2.5, 1e-12, "diagonal");
    near(ground.surface(9.0, 9.0).height, 5.0, 1e-12, "beyond the border");
    let [x, y, z] = ground.surface(0.75, 0.25).normal;
    near(x / z, -1.0, 1e-12, "normal");
    near(y / z, -4.0, 1e-12, "normal");
    near(x * x + y * y + z * z, 1.0, 1e-12, "unit normal");
}

#[test]
fn strata_are_dug_in_their_order() {
    let terrain = mixed();
    let mut state = TerrainState::default();
    let ground = Ground::new(&terrain, &state);
    let soils: Vec<u8> = ground.layers([2, 2]).map(|layer| layer.soil).collect();
    assert_eq!(soils, [2, 0, 1]);
    assert_eq!(ground.layer_at([2, 2], 0.5).unwrap().soil, 0);
    assert!(ground.layer_at([2, 2], 3.0).is_none());
    let mut removed = Vec::new();
    let taken = state.take_above(&terrain, [2, 2], -1.0, &mut removed);
    let soils: Vec<u8> = removed.iter().map(|layer| layer.soil).collect();
    assert_eq!((soils.as_slice(), taken), ([2, 0, 1].as_slice(), mass(&removed)));
    assert_eq!(state.take_above(&terrain, [2, 2], -1.0, &mut removed), Mass::ZERO);
    near(Ground::new(&terrain, &state).height([2, 2]), -1.0, 1e-6, "height");
    // down to rock, and no further
    let rest = state.take_above(&terrain, [2, 2], -10.0, &mut removed);
    assert!(rest > Mass::ZERO);
    near(Ground::new(&terrain, &state).height([2, 2]), -2.8, 1e-6, "rock");
    assert!(Ground::new(&terrain, &state).top([2, 2]).is_none());
}
