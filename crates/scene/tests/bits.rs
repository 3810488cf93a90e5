//! The state of every scene after 300 steps, bit for bit, on one thread and on two, looked at or not: a change of the code that is meant to
//! leave results alone does.
//!
//! A change that is meant to alter them writes the list anew, and says why:
//!
//! ```sh
//! WINDLASS_WRITE=1 cargo nextest run -p windlass-scene every_scene_has_the_bits_it_had
//! ```

use crate::play::scenes;
use rayon::prelude::*;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use windlass_scene::read;

/// Steps of each scene.
const STEPS: usize = 300;

/// The hash of a scene's state after its steps, or the fault that ended them; looked at between them or not.
fn hash(path: &Path, looks: bool) -> String {
    let mut built = read(path).and_then(|s| s.build()).unwrap_or_else(|e| panic!("{e}"));
    for _ in 0..STEPS {
        if looks {
            built.world.inspect();
        }
        if let Some(fault) = built.world.step().fault {
            return fault.to_string();
        }
    }
    format!("{:016x}", built.world.state().hash())
}

#[test]
fn every_scene_has_the_bits_it_had() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let (folder, list) = (root.join("../../scenes"), root.join("tests/data/bits.txt"));
    let all = scenes();
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    // scenes side by side, each alone with its thread; then one after another, islands on two threads and every instant looked at
    let single: Vec<String> = all.par_iter().map(|path| pool(1).install(|| hash(path, false))).collect();
    let double: Vec<String> = pool(2).install(|| all.iter().map(|path| hash(path, true)).collect());
    assert_eq!(single, double, "two threads, or a look between steps, give different states");

    let mut text = String::new();
    for (path, hash) in all.iter().zip(&single) {
        writeln!(text, "{} {hash}", path.strip_prefix(&folder).unwrap().display()).unwrap();
    }
    if std::env::var_os("WINDLASS_WRITE").is_some() {
        fs::write(&list, &text).unwrap();
    }
    let known = fs::read_to_string(&list).unwrap();
    for (now, then) in text.lines().zip(known.lines()) {
        assert_eq!(now, then, "the state after {STEPS} steps has changed");
    }
    assert_eq!(text.lines().count(), known.lines().count(), "the list names other scenes");
}
