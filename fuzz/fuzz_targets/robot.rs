//! Any text as a URDF or MJCF file: what is imported builds, the rest is told.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use windlass_import::{Meshes, Options, import_text};

fuzz_target!(|text: &str| {
    let options = Options { meshes: Meshes::Skip, ..Options::default() };
    if let Ok(imported) = import_text(text, "m.xml", Path::new("no/such/folder"), &options) {
        let built = windlass_scene::parse(&imported.toml, "s.toml").and_then(|scene| scene.build());
        assert!(built.is_ok(), "{}\nin\n{}", built.unwrap_err(), imported.toml);
    }
});
