//! State: serialisation, copies, threads, memory.

use super::kit::*;
use windlass_engine::prelude::StatePart;
use windlass_engine::words::{WordReader, WordWriter};
use windlass_soil::Mass;
use windlass_soil::ground::compaction::Load;
use windlass_soil::ground::{Ground, SlipWork, Soil, Stratum, Terrain, TerrainState};

fn site() -> Terrain {
    let soils = ["dry_sand", "loam"].map(|name| Soil::named(name).unwrap()).to_vec();
    flat([200, 120], 0.2, vec![Stratum::new(1, 0.4), Stratum::new(0, 3.0)], soils)
}

/// A step of digging, dumping, pressing and slipping.
fn work_on(terrain: &Terrain, state: &mut TerrainState, work: &mut SlipWork, step: usize) {
    let (mut removed, at) = (Vec::new(), 10 + step / 4);
    for k in 0..9 {
        state.take_above(terrain, [at + k % 3, 60 + k / 3], -0.01 * step as f64, &mut removed);
    }
    for (k, layer) in removed.iter().enumerate() {
        let loose = terrain.soil(layer).void_ratio.loose;
        state.put(terrain, [at + k % 3, 75 + k / 3 % 3], layer.mass, loose, layer.soil);
    }
    let load = Load { stress: 5e4, width: 0.4, length: 0.6 };
    state.press(terrain, [at, 50], &load);
    state.slip(terrain, STEP, work);
}

fn words(state: &TerrainState) -> Vec<u64> {
    let mut words = Vec::new();
    let mut each = |stripe: &[u64]| words.extend_from_slice(stripe);
    state.write(&mut WordWriter::new(&mut each));
    words
}

fn restored(state: &TerrainState) -> TerrainState {
    let bytes: Vec<u8> = words(state).iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut reader = WordReader::new(&bytes, 0);
    let state = TerrainState::read(&mut reader).unwrap();
    assert_eq!(reader.at(), bytes.len());
    state
}

/// The same words for any number of threads, and after a restore in the middle.
#[test]
fn ew42_runs_are_bitwise_the_same() {
    let terrain = site();
    let run = |threads: usize, restore: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (mut state, mut work) = (TerrainState::default(), SlipWork::default());
            // a wide heap, so that there are enough tiles for threads
            for j in 20..100 {
                for i in 60..180 {
                    pile(&terrain, &mut state, [i, j], if (i + j) % 7 < 3 { 0.9 } else { 0.1 });
                }
            }
            for step in 0..200 {
                work_on(&terrain, &mut state, &mut work, step);
                if restore && step == 100 {
                    state = restored(&state);
                    work = SlipWork::default();
                }
            }
            words(&state)
        })
    };
    let reference = run(1, false);
    for threads in [2, 3, 8] {
        assert!(run(threads, false) == reference, "{threads} threads differ");
    }
    assert!(run(2, true) == reference, "a restored run differs");
}

#[test]
fn a_state_survives_writing_and_reading() {
    let terrain = site();
    let (mut state, mut work) = (TerrainState::default(), SlipWork::default());
    state.account.outside = Mass(-3);
    for step in 0..40 {
        work_on(&terrain, &mut state, &mut work, step);
    }
    assert!(state.active_nodes() > 0, "it is to be in motion");
    let copy = restored(&state);
    assert!(copy == state && words(&copy) == words(&state) && copy.fits(&terrain));
    assert_eq!(copy.changed_tiles(&terrain).count(), copy.tiles());
    let mut other = TerrainState::default();
    assert!(other != state);
    other.clone_from(&state);
    assert!(other == state);
    state.put(&terrain, [5, 5], Mass(1), 0.8, 0);
    assert!(other != state);
    // damaged and truncated words are refused
    let mut bytes: Vec<u8> = words(&state).iter().flat_map(|word| word.to_le_bytes()).collect();
    assert!(TerrainState::read(&mut WordReader::new(&bytes[..bytes.len() - 64], 0)).is_err());
    bytes[8 * 9] = 0xff;
    assert!(TerrainState::read(&mut WordReader::new(&bytes, 0)).is_err());
}

#[test]
fn changed_tiles_are_listed_once() {
    let terrain = site();
    let mut state = TerrainState::default();
    state.put(&terrain, [40, 40], Mass(1000), 0.8, 0);
    state.put(&terrain, [41, 40], Mass(1000), 0.8, 0);
    assert_eq!(state.changed_tiles(&terrain).collect::<Vec<_>>(), [[1, 1]]);
    state.forget_changes();
    assert_eq!(state.changed_tiles(&terrain).count(), 0);
    state.take_above(&terrain, [0, 0], -0.1, &mut Vec::new());
    assert_eq!(state.changed_tiles(&terrain).collect::<Vec<_>>(), [[0, 0]]);
    let [low, high] = state.bounds(&terrain, [0, 0]);
    near(low, -0.1, 1e-6, "lowest");
    near(high, 0.0, 1e-6, "highest");
}

/// 50 × 50 m in cells of 5 cm, dug all over, with a layer of dumped soil on a half.
#[test]
fn memory_of_worked_ground_is_bounded() {
    let terrain = flat([1000, 1000], 0.05, vec![Stratum::new(0, 3.0)], vec![sand(33.0, 0.0)]);
    let mut state = TerrainState::default();
    let (mut removed, loose) = (Vec::new(), terrain.soils()[0].void_ratio.loose);
    for j in 0..1000 {
        for i in 0..1000 {
            removed.clear();
            state.take_above(&terrain, [i, j], -0.1, &mut removed);
            if i < 500 {
                state.put(&terrain, [i, j], removed[0].mass, loose, 0);
            }
        }
    }
    println!("memory: {:.1} MB", state.bytes() as f64 / 1e6);
    assert!(state.bytes() < 25_000_000, "{} bytes", state.bytes());
    near(Ground::new(&terrain, &state).height([700, 500]), -0.1, 1e-6, "height");
}
