//! Scenes of the folder `scenes`, built with some of their values changed; and how scenes are run.

use glam::DVec3;
use std::path::PathBuf;
use std::sync::Arc;
use windlass_engine::prelude::{Anchor, Work, World};
use windlass_scene::files::Folder;
use windlass_scene::{Built, Override, parse_with};

/// What the earth pulls with [m/s²].
pub const G: f64 = 9.81;

/// All scenes, in the order of their paths.
pub fn scenes() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut found = Vec::new();
    for folder in std::fs::read_dir(root).unwrap() {
        let files = std::fs::read_dir(folder.unwrap().path()).unwrap().map(|f| f.unwrap().path());
        found.extend(files.filter(|f| f.extension().is_some_and(|e| e == "toml")));
    }
    found.sort();
    found
}

/// A scene with some of its values changed.
pub fn changed(name: &str, overrides: &[&str]) -> Built {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../scenes/{name}.toml"));
    let text = std::fs::read_to_string(&path).expect("the scene");
    let overrides: Vec<Override> = overrides.iter().map(|o| o.parse().expect("a key and a value")).collect();
    let scene = parse_with(&text, name, Arc::new(Folder::of(&path)), &overrides);
    scene.and_then(|s| s.build()).unwrap_or_else(|e| panic!("{e}"))
}

/// Steps until a time, with a look after each step.
pub fn until(built: &mut Built, time: f64, mut look: impl FnMut(&World)) {
    while built.world.state().time < time - 1e-9 {
        let report = built.world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        look(&built.world);
    }
}

/// Steps until a time.
pub fn run(built: &mut Built, time: f64) {
    until(built, time, |_| {});
}

/// Steps for so long.
pub fn run_on(built: &mut Built, seconds: f64) {
    run(built, built.world.state().time + seconds);
}

/// Change of the energy less all work until a time, over the largest kinetic energy.
pub fn energy_error(built: &mut Built, time: f64) -> f64 {
    let start = built.world.inspect().energy();
    let (mut work, mut largest) = (Work::default(), start.kinetic);
    while built.world.state().time < time - 1e-9 {
        let report = built.world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        work = work.plus(report.work.expect("spook"));
        largest = largest.max(built.world.inspect().energy().kinetic);
    }
    let end = built.world.inspect();
    let work = work.plus(end.work().expect("spook"));
    (end.energy().total() - start.total() - work.total()) / largest
}

/// Where a body's origin is.
pub fn at(world: &World, body: &str) -> DVec3 {
    let id = world.model().body(body).unwrap_or_else(|| panic!("no body {body}"));
    world.model().frame(world.state(), &Anchor::point(id, DVec3::ZERO)).at
}
