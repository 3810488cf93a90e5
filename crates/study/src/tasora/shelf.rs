//! The example scenes these studies run, with what they include, and with values put over what the files say.

use crate::Trouble;
use std::sync::Arc;
use windlass_scene::files::{FileError, Files};
use windlass_scene::{Built, Override, parse_with};

const SCENES: [(&str, &str); 5] = [
    ("prosthetic_shoulder.toml", include_str!("../../../../scenes/mechanism/prosthetic_shoulder.toml")),
    ("prosthetic_geared.toml", include_str!("../../../../scenes/mechanism/prosthetic_geared.toml")),
    ("prosthetic_whole.toml", include_str!("../../../../scenes/mechanism/prosthetic_whole.toml")),
    ("ring_chain_20.toml", include_str!("../../../../scenes/mechanism/ring_chain_20.toml")),
    ("bicycle.toml", include_str!("../../../../scenes/mechanism/bicycle.toml")),
];

#[derive(Debug)]
struct Shelf;

impl Files for Shelf {
    fn read(&self, path: &str, _most: u64) -> Result<Vec<u8>, FileError> {
        let found = SCENES.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or(FileError::Missing { path: path.to_string() })
    }
}

/// Builds a scene from its text; it may include those of the shelf.
pub fn build(text: &str, values: &[(&str, &str)]) -> Result<Built, Trouble> {
    let set = |(key, value): &(&str, &str)| Override { key: key.to_string(), value: value.to_string() };
    let overrides: Vec<Override> = values.iter().map(set).collect();
    let scene = parse_with(text, "study.toml", Arc::new(Shelf), &overrides).map_err(Trouble::from)?;
    scene.build().map_err(Trouble::from)
}

/// Builds a scene of the shelf.
pub fn scene(name: &str, values: &[(&str, &str)]) -> Result<Built, Trouble> {
    build(&format!("windlass = 1\ninclude = [\"{name}\"]\n"), values)
}
