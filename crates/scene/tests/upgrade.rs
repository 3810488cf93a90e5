//! Scenes of version 1, as they were released, become those of `scenes/` by `upgrade`: the same state after some steps, bit for bit.
//!
//! A scene that is changed after the release is taken out of `data/version_1`.

use rayon::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use windlass_scene::{read, upgrade};

/// Steps of each scene.
const STEPS: usize = 20;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn hash(path: &Path) -> u64 {
    let mut built = read(path).and_then(|s| s.build()).unwrap_or_else(|e| panic!("{e}"));
    (0..STEPS).for_each(|_| drop(built.world.step()));
    built.world.state().hash()
}

#[test]
fn scenes_of_version_1_upgrade_to_the_same_bits() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let (old, new) = (root.join("tests/data/version_1"), root.join("../../scenes"));
    let folder = tempfile::tempdir().unwrap();
    let mut all = Vec::new();
    files(&old, &mut all);
    assert!(all.len() > 60);
    for path in &all {
        let (text, _) = upgrade::upgrade(&fs::read_to_string(path).unwrap()).unwrap().unwrap();
        let to = folder.path().join(path.strip_prefix(&old).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, text).unwrap();
    }
    all.par_iter().for_each(|path| {
        let name = path.strip_prefix(&old).unwrap();
        assert!(read(path).is_err_and(|e| e.to_string().contains("windlass upgrade")), "{}", name.display());
        assert_eq!(hash(&folder.path().join(name)), hash(&new.join(name)), "{}", name.display());
    });
}
